//! Sweeps whose layers go to disk when they exceed the memory limit.
//!
//! A layer is in memory or in one file, in any order. The next layer is made in memory, in a hash
//! table. Whenever the table is full, its entries are written to a file, a *run*, in the order of
//! the hashes of their states, and the table begins again without states. At the end of the step
//! the runs and the table are merged into the file of the layer: equal states come together. All
//! files are written and read sequentially, and each entry a constant number of times, unless the
//! memory is so small that the runs have to be merged in several rounds. (Sorting in runs that are
//! merged: Goetz and von Neumann, 1948; Knuth, *The Art of Computer Programming* 3, 5.4.)
//!
//! Read in this order:
//!
//! - `spilled` and `error`: the public types, [`Spilled`] and [`SpillError`];
//! - `layers`: the step from one layer to the next;
//! - `runs`: files of entries, and merging them.

mod error;
mod layers;
mod runs;
mod spilled;

pub use self::error::SpillError;
pub use self::spilled::Spilled;

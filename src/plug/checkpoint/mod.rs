//! Saving sweeps in files.
//!
//! Read in this order:
//!
//! - `sweep_checkpoint`: the public types, [`SweepCheckpoint`] and [`SavedSweep`];
//! - `layer_file`: saves and loads the layers of one run;
//! - `blocks`: the format of a layer in a file.

mod blocks;
mod layer_file;
mod sweep_checkpoint;

#[cfg(feature = "timely")]
pub(crate) use self::blocks::{Head, read_head, write};
pub(crate) use self::blocks::{read_entries, unsound};
pub(crate) use self::layer_file::LayerFile;
pub(crate) use self::layer_file::{Failure, out_of_memory};
pub use self::sweep_checkpoint::{SavedSweep, SweepCheckpoint};

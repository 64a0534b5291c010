//! State codes: the data of a contour state, packed into one machine word.
//!
//! A sweep holds millions of states, looks each of them up in a table and derives a few others from
//! it. So a state should be one word, equal states must be equal words, and every operation of a
//! step should take a handful of instructions. The code depends on what the problem has to remember
//! of each plug:
//!
//! | code | bits per plug | remembers | for | states of n plugs |
//! |---|---|---|---|---|
//! | [`Bits`] | 1 | taken or not | tilings, matchings, independent sets | 2ⁿ |
//! | [`Parentheses`] | 2 | matching of ends, if planar | paths and loops | about 3ⁿ / n^1.5 |
//! | [`Labels`] | 3 to 5 | connections | trees, forests, connected sets | 3ⁿ to 5ⁿ if planar |
//! | [`Coloured`] | 1 more | connections and a colour | connected colourings | more |
//! | [`Mates`] | 4 or 5 | matching of ends, in any graph | paths and cycles | about n^(n/2) |
//!
//! Choose by the last column, and not by the bits per plug: two states that differ in something
//! irrelevant to the remaining cells are still two states. Labels can also represent paths on a
//! grid (each label occurs twice), but take twice the bits. Parentheses suffice because paths on
//! planar boards do not cross.
//!
//! Codes of paths implement [`PathEnds`], which returns the [`Role`] of each plug.
//!
//! Start with [`Bits`], the simplest code, then [`Parentheses`] and [`Labels`].
//!
//! # Words
//!
//! Each code is a newtype over a [`Word`], by default `u64`, and costs as much as the word. It is
//! `Copy`, `Eq`, `Ord` and `Hash`; `Display` draws one character per plug, and `parse` reads this
//! format. A contour problem whose boards may be too wide checks that once per cell, with the
//! `fits` of its code in [`ContourProblem::fits`](super::ContourProblem::fits), and the sweep stops
//! with a reason. Use `u128` if `u64` is too narrow: it costs a third more time and twice the
//! memory.
//!
//! # At the full width
//!
//! Each code has a capacity: a number of plugs and, for labels, a number of components. **An
//! operation returns the code of the state that it describes, or it panics, in every build.** It
//! never returns the code of another state, however near the capacity the state is, and in
//! whatever order operations follow each other. Proof:
//!
//! - *Plugs.* The position of every plug is computed in one function, which panics from `CAPACITY`
//!   on. Below the capacity, the fields of two plugs are disjoint and inside the word. So an
//!   operation reads and writes only the fields of its plugs. `shift` and `slide` panic unless the
//!   field that leaves the word is empty.
//! - *Labels.* A component begins with a label that no plug has. There is one: fewer than
//!   [`COMPONENTS`](Labels::COMPONENTS) other components have at most as many of the labels from 1
//!   to `COMPONENTS`, whether or not the code is in minimal representation. If there are
//!   `COMPONENTS` others, [`fresh`](Labels::fresh) panics. `canonical` gives the labels 1, 2, … to
//!   at most `COMPONENTS` components. So neither reaches the reserved label. No other operation
//!   writes a label that no plug had, except those that are given one. So at any time two plugs
//!   have the same label only if they belong to one component.
//! - *Parentheses.* A search for a mate counts up to the number of plugs, in a machine integer.
//! - *Mates.* There are at most as many slots as distances, so a distance and a slot determine
//!   another slot. The marks of slots without a mate are never distances to a mate: see [`Mates`].
//! - *Preconditions* of an operation, such as plugs that must not be empty, are checked as well.
//!
//! A contour problem is therefore exact on every board that its `fits` accepts, if it asks the
//! `fits` of the code for the largest number of plugs and of components that there are at any time
//! *within* a step. If there are more than it asked for, a step panics.
//!
//! Words from elsewhere, [`from_word`](Bits::from_word) or a file, are not checked. Every operation
//! on them ends.
//!
//! # Operations
//!
//! All operations take a code and return the next one. Operations of the same meaning have the same
//! name:
//!
//! - *join* ([`Parentheses`], [`Mates`]) connects two ends. [`Joined`] distinguishes a path that
//!   continues, a loop, and a complete path. *connect* ([`Labels`]) merges two components and keeps
//!   their plugs.
//! - *close* ends a path or removes a plug of a component.
//! - *moved*, *shift*, *slide*, *mirrored* and *relabelled* renumber plugs and labels.
//! - *canonical* ([`Labels`], [`Coloured`]) returns the unique word of a state. The other codes
//!   have only one word per state.
//!
//! | on a `u64` (`cargo bench --bench plug -- codes`) | takes | the alternative |
//! |---|---|---|
//! | mate of a parenthesis | 1 to 8 ns | a scan, symbol by symbol: 1 to 2.5 times as long |
//! | labels made canonical | 7 to 15 ns | renumbering plug by plug: 1.3 to 2 times as long |
//! | knight's tours of 6 × 7 squares | 0.2 s | mates by slot number: as long, but only 14 slots |
//!
//! # Example
//!
//! Domino tilings, with one bit per column: whether its next cell is already covered.
//!
//! ```
//! use secateurs::plug::code::Bits;
//! use secateurs::plug::{ContourProblem, Sweep, TooWide};
//!
//! struct Dominoes {
//!     rows: usize,
//!     columns: usize,
//! }
//!
//! impl ContourProblem for Dominoes {
//!     type State = Bits;
//!     type Label = ();
//!
//!     fn cells(&self) -> usize {
//!         self.rows * self.columns
//!     }
//!     fn start(&self) -> Bits {
//!         Bits::EMPTY
//!     }
//!     fn step(&self, cell: usize, covered: Bits, emit: &mut impl FnMut(Bits, ())) {
//!         let (row, column) = (cell / self.columns, cell % self.columns);
//!         if covered.get(column) {
//!             return emit(covered.with(column, false), ());
//!         }
//!         if row + 1 < self.rows {
//!             emit(covered.with(column, true), ()); // vertical
//!         }
//!         if column + 1 < self.columns && !covered.get(column + 1) {
//!             emit(covered.with(column + 1, true), ()); // horizontal
//!         }
//!     }
//!     fn accept(&self, covered: Bits) -> bool {
//!         covered.is_empty()
//!     }
//!     fn fits(&self, _: usize) -> Result<(), TooWide> {
//!         Bits::<u64>::fits(self.columns)
//!     }
//! }
//!
//! assert_eq!(Sweep::new(&Dominoes { rows: 8, columns: 8 }).count().exact(), Some(12_988_816));
//! let wide = Sweep::new(&Dominoes { rows: 2, columns: 100 }).count();
//! assert_eq!(wide.exact(), None); // 100 columns do not fit into 64 bits
//! ```

mod bits;
mod labels;
mod mates;
mod parentheses;
mod path_ends;
mod word;

pub use bits::Bits;
pub use labels::{Coloured, Labels};
pub use mates::Mates;
pub use parentheses::{Parentheses, Symbol};
pub use path_ends::{Joined, PathEnds, Role};
pub use word::Word;

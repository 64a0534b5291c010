//! State codes: what a contour remembers, packed into one machine word.
//!
//! A sweep holds millions of states, looks each one up in a table and makes a few others of it. So
//! a state should be one word, equal states must be equal words, and all that a step asks of it
//! should take a handful of instructions. What has to be remembered of a plug is little; which code
//! that makes depends on the problem:
//!
//! | code | bits a plug | remembers | for | states of n plugs |
//! |---|---|---|---|---|
//! | [`Bits`] | 1 | taken or not | tilings, matchings, independent sets | 2ⁿ |
//! | [`Parentheses`] | 2 | which ends belong together, on planar boards | paths and loops | 3ⁿ / n^1.5, about |
//! | [`Labels`] | 3 to 5 | which plugs are connected | trees, forests, connected sets | 3ⁿ to 5ⁿ on planar boards |
//! | [`Coloured`] | one more | that and a colour | connected colourings | more |
//! | [`Mates`] | 4 or 5 | which ends belong together, in any graph | paths and cycles of knights, kings, in space | about n^(n/2) |
//!
//! The last column is why one takes the first code that will do, not the one with the narrowest
//! plugs: two states that differ in something the future does not depend upon are two states. Paths
//! on a grid can be told by labels as well (each label twice), in twice the bits; parentheses say
//! the same, and planarity does the rest.
//!
//! # Words
//!
//! Each code is a newtype over a [`Word`], `u64` unless you say otherwise, and costs what the word
//! costs. It is `Copy`, `Eq`, `Ord` and `Hash`; `Display` draws it, a character a plug, and `parse`
//! reads that. Nothing checks plugs against the word in the innermost loop; a profile whose board
//! may be too wide says so once, by the `fits` of its code in
//! [`ContourProblem::fits`](super::ContourProblem::fits), and the sweep ends with a reason instead
//! of a wrong answer. Take `u128` where `u64` does not fit: it costs a third more and twice the
//! memory.
//!
//! # Operations
//!
//! They take a code and give the next one. Names are the same wherever they mean the same:
//!
//! - *join* ([`Parentheses`], [`Mates`]): two ends meet. [`Joined`] tells a path that goes on from
//!   a loop and from a path that is complete. *connect* ([`Labels`]): two components become one,
//!   their plugs stay.
//! - *close*: a plug ends here.
//! - *moved*, *shift*, *slide*, *mirrored*, *relabelled*: plugs and labels get other numbers.
//! - *canonical* ([`Labels`], [`Coloured`]): the one word that stands for a state. The others have
//!   but one to begin with.
//!
//! | on a `u64` (`cargo bench --bench plug -- codes`) | takes | the alternative |
//! |---|---|---|
//! | mate of a parenthesis | 1 to 8 ns | a scan, symbol by symbol: 1 to 2.5 times as long |
//! | labels made canonical | 7 to 15 ns | renumbering plug by plug: 1.3 to 2 times as long |
//! | sweep for knight's tours of 6 × 7 squares | 0.2 s | mates by number, two numbers set aside: as long, but only 14 slots |
//!
//! # An example
//!
//! Domino tilings, with one bit a column: is the next cell of it covered already?
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
//!             emit(covered.with(column, true), ()); // upright
//!         }
//!         if column + 1 < self.columns && !covered.get(column + 1) {
//!             emit(covered.with(column + 1, true), ()); // lying
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
mod coloured;
mod labels;
mod mate_table;
mod mates;
mod parentheses;
mod shared;
mod word;

pub use bits::Bits;
pub use coloured::Coloured;
pub use labels::Labels;
pub use mates::{Mates, Role};
pub use parentheses::{Parentheses, Symbol};
pub use shared::Joined;
pub use word::Word;

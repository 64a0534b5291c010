//! Branching: the choice of the next variable, and the order of its values.
//!
//! - `variables`: [`VariableOrder`] and static and smallest-domain orders; `degree`: orders by
//!   (weighted) degree.
//! - `values`: [`ValueOrder`] and its implementations.
//! - `branchers`: [`Branching`], which combines a variable order and a value order, and [`Halves`],
//!   which splits domains instead of trying values one by one.
//!
//! For an order that depends on all values of a variable, wrap a brancher in
//! [`Sorted`](crate::brancher::Sorted) or [`Shuffled`](crate::brancher::Shuffled).

mod branchers;
mod degree;
mod values;
mod variables;

pub use branchers::{Branching, DomainSplit, Halves, LeastConstraining, least_constraining};
pub use degree::DomainOverDegree;
pub use values::{Ascending, CentreOut, ValueOrder, Values};
pub use variables::{InputOrder, SmallestDomain, SwappedOrder, VariableOrder};

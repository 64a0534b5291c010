//! Which variable is decided next, and in which order its values are tried.
//!
//! [`Branching`] is a brancher made of two parts, a [`VariableOrder`] and a [`ValueOrder`];
//! [`Halves`] splits domains instead of trying values one by one. For orders of values that need to
//! see all of them first, wrap either in [`Sorted`](crate::brancher::Sorted) or
//! [`Shuffled`](crate::brancher::Shuffled).

mod branchers;
mod degree;
mod values;
mod variables;

pub use branchers::{Branching, DomainSplit, Halves, LeastConstraining, least_constraining};
pub use degree::DomainOverDegree;
pub use values::{Ascending, CentreOut, ValueOrder, Values};
pub use variables::{InputOrder, SmallestDomain, SwappedOrder, VariableOrder};

//! Symmetry of networks: hooks that keep one representative of each orbit by pruning domains.
//!
//! - [`ValuePrecedence`], for interchangeable values such as colours, keeps the solution whose
//!   values first occur in their order.
//! - [`InterchangeableVariables`] keeps the solution whose values ascend.
//! - [`LexSmallest`], for a given group of permutations of (variable, value) pairs, keeps the
//!   lexicographically smallest solution.
//!
//! Each hook enforces a constraint that does not depend on the order in which variables are
//! decided. It can therefore be combined with any order and any level of propagation, and keeps the
//! same representatives in each run. It prunes the values that the constraint excludes, and knows
//! the size of each solution's orbit, so that [`exact`](crate::Outcome::exact) is the number of all
//! solutions.
//!
//! # Position among the hooks
//!
//! Put these hooks **behind** [`Propagate`](super::Propagate): if propagation assigns the last
//! variables, the hook must see their values. Propagation acts on the hook's pruning at the next
//! node. A hook in front of propagation may fail to prune solutions that are not representatives.
//! The search then visits them, but counts them neither as solutions nor as representatives.
//!
//! # Unverified claims
//!
//! The caller claims that values, variables or pairs are interchangeable. If they are not,
//! solutions are lost and counts are wrong, and no check detects it. Two of these hooks cannot be
//! combined, since each may prune the solutions that the other keeps; the report then says so.

mod interchangeable;
mod lex;

pub use interchangeable::{InterchangeableVariables, ValuePrecedence};
pub use lex::LexSmallest;

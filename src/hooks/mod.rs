//! Ready-made hooks and branchers.
//!
//! | to | use | effect |
//! |---|---|---|
//! | cut off what cannot beat the incumbent | [`Bound`], from [`Objective::bound`](crate::Objective::bound) | optimum only |
//! | cut off what another state does at least as well | [`Dominance`] | optimum only |
//! | cut off a state whose like had no solution | [`Memo::failed`] | preserving |
//! | count a state like an earlier one without searching it | [`Memo::counted`] | preserving |
//! | cut off a state that was met on any path | [`Memo::visited`] | representatives |

mod bound;
mod dominance;
mod memo;
mod table;

pub use bound::Bound;
pub use dominance::Dominance;
pub use memo::Memo;

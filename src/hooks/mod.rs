//! Ready-made hooks and branchers.
//!
//! | to | use | effect |
//! |---|---|---|
//! | cut off what cannot beat the incumbent | [`Bound`], from [`Objective::bound`](crate::Objective::bound) | optimum only |
//! | cut off paths that leave the order of the children more than so often | [`Discrepancies`] | lossy, unless it cut nothing |
//! | cut off what another state does at least as well | [`Dominance`] | optimum only |
//! | take only representatives of the first choices | [`FirstChoices`], such as [`Queens::mirror`](crate::problems::queens::Queens::mirror) | representatives, orbits known |
//! | find one solution of each orbit of a group of symmetries | [`LexLeader`], from a [`SymmetryGroup`] | representatives, orbits known |
//! | cut off a state whose like had no solution | [`Memo::failed`] | preserving |
//! | count a state like an earlier one without searching it | [`Memo::counted`] | preserving |
//! | cut off a state that was met on any path | [`Memo::visited`] | representatives |
//! | take the children in order of a key | [`Sorted`] (a brancher) | – |
//! | take the children in random order | [`Shuffled`] (a brancher) | – |

mod bound;
mod discrepancy;
mod dominance;
mod memo;
mod ordering;
mod symmetry;
mod table;

pub use bound::Bound;
pub use discrepancy::Discrepancies;
pub(crate) use discrepancy::NAME as DISCREPANCIES;
pub use dominance::Dominance;
pub use memo::Memo;
pub use ordering::{Children, Shuffled, Sorted};
pub use symmetry::{FirstChoices, LexLeader, Permutation, SymmetryError, SymmetryGroup};

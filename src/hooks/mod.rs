//! Ready-made hooks and branchers.
//!
//! | to | use | effect |
//! |---|---|---|
//! | cut off what cannot beat the incumbent | [`Bound`], from [`Objective::bound`](crate::Objective::bound) | optimum only |
//! | take only representatives of the first choices | [`FirstChoices`], such as [`Queens::mirror`](crate::problems::queens::Queens::mirror) | representatives, orbits known |
//! | find one solution of each orbit of a group of symmetries | [`LexLeader`], from a [`SymmetryGroup`] | representatives, orbits known |

mod bound;
mod symmetry;

pub use bound::Bound;
pub use symmetry::{FirstChoices, LexLeader, Permutation, SymmetryError, SymmetryGroup};

//! Ready-made hooks and branchers.
//!
//! | to | use | effect |
//! |---|---|---|
//! | cut off what cannot beat the incumbent | [`Bound`], from [`Objective::bound`](crate::Objective::bound) | optimum only |

mod bound;

pub use bound::Bound;

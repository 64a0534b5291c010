//! Ready-made hooks and branchers.
//!
//! | to | use | effect |
//! |---|---|---|
//! | cut off what cannot beat the incumbent | [`Bound`], from [`Objective::bound`](crate::Objective::bound) | optimum only |
//! | take the children in order of a key | [`Sorted`] (a brancher) | – |
//! | take the children in random order | [`Shuffled`] (a brancher) | – |

mod bound;
mod ordering;

pub use bound::Bound;
pub use ordering::{Children, Shuffled, Sorted};

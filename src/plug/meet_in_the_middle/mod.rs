//! Meet in the middle: half a sweep, joined with its own image.
//!
//! The layers of a sweep grow with the width of the contour and with the number of processed cells.
//! If the problem is symmetric, so that its far half is an image of the near half, nothing need be
//! swept twice, and the layers of the far half, which are the largest, need never be computed. It
//! suffices to sweep the near half and to count in how many ways its last layer fits its own image.
//! (Meeting in the middle goes back to Horowitz and Sahni, 1974. Closed knight's tours on 8×8 were
//! counted by McKay, 1997; here the count takes 45 seconds of processor time.)
//!
//! ```text
//!    near half         boundary          far half
//!  ┌───────────┐     o ········ o     ┌───────────┐
//!  │ ═══════╗  │ ─── o ── a     o ─── │  ╔══════  │
//!  │        ║  │     o ········ o     │  ║        │
//!  │ ═══════╝  │ ─── o     a ── o ─── │  ╚══════  │
//!  └───────────┘     o ········ o     └───────────┘
//! ```
//!
//! The paths of the near half end in the boundary, and so do those of the far half. Together they
//! must give each vertex of the boundary two edges, and form one cycle.
//!
//! The module has three parts, each of use without the others:
//!
//! - [`HalfCycle`], the contour problem of the near half of a graph that has been
//!   [split](MeetSplit), for cycles through all vertices. Its sweep
//!   [ends](crate::plug::Sweep::ends) in many states.
//! - [`Joint`], which defines how a near state and a far state make a complete solution. States are
//!   grouped by the properties that must agree in any case. For two groups that agree, a joint may
//!   count the solutions faster than by trying all pairs.
//! - [`join`] and [`join_with_image`], which sort two layers, or one, into groups, and pass them to
//!   the joint in several threads.
//!
//! ```
//! use secateurs::plug::meet_in_the_middle::MeetSplit;
//! use secateurs_problems::graph::Graph;
//!
//! // A grid of 6×6; half a turn is its symmetry. Rows 0 and 1 are inner, 2 and 3 the boundary.
//! let grid = Graph::grid(&[6, 6])?;
//! let turned: Vec<usize> = (0..36).rev().collect();
//! let rows: Vec<usize> = (0..12).collect();
//! let split = MeetSplit::new(grid.edges(), &turned, &rows)?;
//! assert_eq!(split.cycles().count().exact(), Some(1072));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What makes it fast
//!
//! - **Degrees first.** A state is dropped if the far half cannot complete its degrees. A smaller
//!   sweep that remembers only degrees determines which degrees the far half can complete. (For
//!   knight's tours on 6×8 it drops two thirds of the last layer, on 8×8 less than a tenth.)
//! - **Mirror images are one state**, if the near half has a symmetry of its own
//!   ([`MeetSplit::with_mirror`]).
//! - **The join by contraction.** Two matchings of k ends close into one cycle or not. A matrix of
//!   all pairs of one group would have ((k−1)·(k−3)·…·1)² entries; instead one pair of ends after
//!   the other is contracted for many matchings at once.
//! - **A dense code**: [`DenseMates`] has room for 19 vertices in 64 bits.
//!
//! # What it costs
//!
//! Time and memory are those of the half sweep; the join takes a fifth of the time. Its arithmetic
//! is checked: it stops if a count exceeds 2¹²⁸, and also for some counts close to that. If very
//! many states have the same k ends, each thread of the join has two tables of (k−1)·(k−3)·…·1
//! numbers: 2 MB for 14 ends, 0.5 GB for 18. A memory limit includes them.
//!
//! # Reading order
//!
//! `split`, `dense_mates` (the state code), `half`, `half_hooks`, `joint`, `cycles` (the join),
//! `count` (all of it together).

mod count;
mod cycles;
mod dense_mates;
mod half;
mod half_hooks;
mod joint;
mod split;
#[cfg(test)]
mod tests;

pub use count::MeetInTheMiddle;
pub use dense_mates::{Degrees, DenseMates};
pub use half::HalfCycle;
pub use joint::{Joint, join, join_with_image};
pub use split::{MeetSplit, SplitError};

//! The plug-DP engine: sweeps over a contour, cell by cell. (Under construction.)

pub mod algebra;
pub mod code;
mod hook;
mod profile;

pub use algebra::{Algebra, Overflow};
pub use hook::{SweepHook, SweepHooks, Thinning};
pub use profile::{Profile, TooWide};

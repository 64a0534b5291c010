//! The plug-DP engine: sweeps over a contour, cell by cell. (Under construction.)

mod account;
pub mod algebra;
mod arrivals;
pub mod code;
mod forward;
pub mod graph;
mod hook;
mod layer;
mod parallel;
mod profile;
mod sweep;

pub use account::SweepProgress;
pub use algebra::{Algebra, Overflow};
pub use hook::{SweepHook, SweepHooks, Thinning};
pub use profile::{Profile, TooWide};
pub use sweep::Sweep;

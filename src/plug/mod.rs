//! The plug-DP engine: sweeps over a contour, cell by cell. (Under construction.)

mod account;
pub mod algebra;
mod arrivals;
pub mod code;
mod counting;
#[cfg(feature = "bigint")]
mod counting_naturals;
mod dominance;
mod forward;
mod hook;
pub mod kept;
mod layer;
pub mod motzkin;
mod parallel;
mod profile;
mod sweep;

pub use account::SweepProgress;
pub use algebra::{Algebra, Overflow};
pub use dominance::{Antichain, BestState, Dominance};
pub use hook::{SweepHook, SweepHooks, Thinning};
pub use kept::{Kept, Ranked, Samples, Solutions};
pub use profile::{Profile, TooWide};
pub use sweep::Sweep;

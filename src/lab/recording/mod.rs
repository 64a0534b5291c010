//! Recordings of searches and sweeps, to be read or drawn.

mod encoding;
mod log;
mod node_outcome;
#[cfg(feature = "pages")]
mod pack;
mod pictures;
mod search;
#[cfg(feature = "pages")]
mod search_page;
mod sweep;
#[cfg(feature = "pages")]
mod sweep_page;

pub use log::Improvement;
pub use node_outcome::NodeOutcome;
pub use search::{Recorded, RecordedNode, Recording};
pub use sweep::{RecordedSweep, SweepRecording};

//! Recordings of searches and sweeps, to be read or drawn.
//!
//! Files, in reading order:
//!
//! - `encoding.rs`: interned values and integers of variable length.
//! - `pictures.rs`: pictures of states, as line-by-line edits.
//! - `log.rs`: the recorded tree, with the outcome of each node.
//! - `search.rs`: [`Recording`] and its access.
//! - `pack.rs`, `search_page.rs`: the page of a recording.
//! - `sweep.rs`, `sweep_page.rs`: [`SweepRecording`] and its page.
//! - `page/`: the scripts and style sheets of both pages.

mod encoding;
mod log;
#[cfg(feature = "pages")]
mod pack;
mod pictures;
mod search;
#[cfg(feature = "pages")]
mod search_page;
mod sweep;
#[cfg(feature = "pages")]
mod sweep_page;

pub use log::{Improvement, NodeOutcome};
pub use search::{RecordedNode, Recording};
pub use sweep::SweepRecording;

//! Saving sweeps in files.
//!
//! Read in this order:
//!
//! - `sweep_checkpoint`: the public types, [`SweepCheckpoint`] and [`SavedSweep`];
//! - `layer_file`: saves and loads the layers of one run;
//! - `layer_format`: the format of a layer in a file.

mod layer_file;
mod layer_format;
mod sweep_checkpoint;

#[cfg(feature = "timely")]
pub(crate) use self::layer_file::LoadedShards;
pub(crate) use self::layer_file::{Failure, LayerFile};
#[cfg(feature = "timely")]
pub(crate) use self::layer_format::{Head, open_layer, write_layer};
pub(crate) use self::layer_format::{inconsistent, read_entries};
pub use self::sweep_checkpoint::{SavedSweep, SweepCheckpoint};

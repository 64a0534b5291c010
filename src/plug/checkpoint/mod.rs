//! Saving sweeps in files.
//!
//! Read in this order:
//!
//! - `sweep_checkpoint`: the public types, [`SweepCheckpoint`] and [`Saved`];
//! - `layer_file`: saves and loads the layers of one run;
//! - `layer_format`: the format of a layer in a file.

mod layer_file;
mod layer_format;
mod sweep_checkpoint;

pub(crate) use self::layer_file::{Failure, LayerFile, LoadedShards};
pub(crate) use self::layer_format::{
    BLOCK, EntryReader, inconsistent, open_blocks, read_entries, write_blocks,
};
#[cfg(feature = "timely")]
pub(crate) use self::layer_format::{Head, illegal_state, open_layer, write_layer};
pub use self::sweep_checkpoint::{Saved, SweepCheckpoint};

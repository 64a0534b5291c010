//! Tests of checkpoints and of frontiers in files.

mod checkpoint;
mod checkpoint_format;
mod checkpoint_threads;
mod executors;
mod forged;
mod forged_families;
mod forged_frontiers;
mod forged_layers;
mod forged_sweeps;
mod frontier_files;
mod identity;
#[cfg(unix)]
mod kill;
mod locks;
mod sealed;
#[path = "../support"]
#[allow(dead_code, reason = "other tests use the rest")]
mod shared {
    pub mod frontiers;
    pub mod saved;
    pub mod sweeps;
}
#[path = "../support/mod.rs"]
mod support;
mod sweep_checkpoint;
mod sweep_format;
mod sweep_passes;
#[cfg(unix)]
mod temporary_files;

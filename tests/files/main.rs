//! Tests of checkpoints and of frontiers in files.

mod checkpoint;
mod checkpoint_format;
mod checkpoint_threads;
mod executors;
mod forged;
mod forged_frontiers;
mod forged_sweeps;
mod frontier_files;
mod hex;
mod identity;
#[cfg(unix)]
mod kill;
mod locks;
#[path = "../support/mod.rs"]
mod support;
mod sweep_checkpoint;
mod sweep_format;
mod sweep_passes;
#[cfg(unix)]
mod temporary_files;

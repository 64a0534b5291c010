//! Searches and sweeps that are saved in files.

use std::fmt::Debug;
use std::path::PathBuf;
use std::time::Duration;

use secateurs::checkpoint::Fingerprint;
use secateurs::plug::SweepCheckpoint;
use secateurs::search::Checkpoint;

/// Returns the file of a search that is saved as often as possible.
pub fn search_file<C>(path: impl Into<PathBuf>) -> Checkpoint<C> {
    Checkpoint::new(path, Duration::ZERO, Fingerprint::new("a search", &()))
}

/// Returns the file of a sweep that is saved after each cell.
pub fn sweep_file(path: impl Into<PathBuf>) -> SweepCheckpoint {
    SweepCheckpoint::new(path, Duration::ZERO, Fingerprint::new("a board", &()))
}

/// Returns the file of a sweep that is saved at its end.
pub fn file_at_the_end(path: impl Into<PathBuf>) -> SweepCheckpoint {
    SweepCheckpoint::new(path, Duration::from_secs(3600), Fingerprint::new("a board", &()))
}

/// Begins the file of a search or a sweep, or resumes from the file if it exists.
#[allow(unused_macros, reason = "each test program uses its part")]
macro_rules! begun_or_resumed {
    ($run:expr, $file:expr) => {{
        let (run, file) = ($run, $file);
        match file.path().exists() {
            true => run.resume(file),
            false => Ok(run.checkpoint(file).expect("a place for a file")),
        }
    }};
}
#[allow(unused_imports, reason = "each test program uses its part")]
pub(crate) use begun_or_resumed;

/// Returns the name of the variant of an error.
pub fn variant(error: &impl Debug) -> String {
    let text = format!("{error:?}");
    text.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

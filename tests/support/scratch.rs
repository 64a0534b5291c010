//! Temporary directories for the files of tests.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary directory with a name that no other test uses at the same time, removed when
/// dropped.
pub struct Directory(pub PathBuf);

impl Directory {
    pub fn new() -> Self {
        // `Relaxed` suffices: the counter only makes names unique and orders nothing else.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // In memory if possible: a property test writes hundreds of files, which is slow on a disk.
        let memory = PathBuf::from("/dev/shm");
        let place = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let directory = place.join(format!("secateurs-test-{}-{number}", std::process::id()));
        fs::create_dir_all(&directory).expect("a temporary directory");
        Directory(directory)
    }

    /// Returns the path of a file in the directory; it does not create the file.
    pub fn file(&self) -> PathBuf {
        self.0.join("search")
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

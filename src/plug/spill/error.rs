//! The error of sweeps with layers on disk: [`SpillError`].

use std::error::Error;
use std::fmt;

use crate::checkpoint::{LoadError, SaveError};

/// The reason why a sweep with layers on disk has no outcome. It names the file or the directory.
#[derive(Debug)]
#[non_exhaustive]
pub enum SpillError {
    /// A file could not be written.
    Write(SaveError),
    /// A file could not be read, or is not exactly what was written.
    Read(LoadError),
}

impl fmt::Display for SpillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpillError::Write(error) => error.fmt(f),
            SpillError::Read(error) => error.fmt(f),
        }
    }
}

impl Error for SpillError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SpillError::Write(error) => error.source(),
            SpillError::Read(error) => error.source(),
        }
    }
}

//! Files that are there as a whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Puts `bytes` under a name that nothing has yet.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    check_free(path)?;
    replace(path, bytes)
}

/// An error if there is something under this name.
pub(crate) fn check_free(path: &Path) -> io::Result<()> {
    // A link that leads nowhere is something as well.
    if path.symlink_metadata().is_ok() { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(()) }
}

/// Puts `bytes` in the place of the file at `path`, if there is one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Puts what `write` writes in the place of the file at `path`, if there is one.
pub(crate) fn replace_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let part = part(path)?;
    let written = File::create(&part).map_err(E::from).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        Ok(fs::rename(&part, path)?)
    });
    if written.is_err() {
        // The disk may be full of it; that it cannot be removed either adds nothing to what is known.
        let _ = fs::remove_file(&part);
    }
    written?;
    Ok(flush_directory(path)?)
}

/// Where the new file is written: in the same directory, as a file cannot be renamed into another file system.
fn part(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"))?;
    let mut name = OsString::from(name);
    name.push(".part");
    Ok(path.with_file_name(name))
}

/// The new name is on the disk only when its directory is.
#[cfg(unix)]
fn flush_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(directory)?.sync_all()
}

/// Directories cannot be opened as files here.
#[cfg(not(unix))]
fn flush_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

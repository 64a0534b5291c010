//! Files that are written whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::records::MAGIC;

/// The end of the name of a temporary file.
const SUFFIX: &str = ".part";

/// The number of random letters and digits in the name of a temporary file.
const RANDOM: usize = 6;

/// Creates a file that holds the bytes that `write` writes. Never overwrites a file that was there
/// before.
///
/// The complete file appears under its name in one step, except on file systems that have neither
/// hard links nor a rename without replacement (such as FAT): there, an empty file bears the name
/// for a moment, and remains if the process is killed in that moment.
///
/// # Errors
///
/// Returns [`io::ErrorKind::AlreadyExists`] if the name is taken, even by a dangling link.
pub(crate) fn create<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    // This early check saves a useless write. A file that is created in the meantime is detected
    // below.
    if path.symlink_metadata().is_ok() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
    }
    let part = write_part(path, write)?;
    match part.persist_noclobber(path) {
        Err(failed) if failed.error.kind() != io::ErrorKind::AlreadyExists => {
            persist_reserved(failed.file, path)?;
        }
        created => drop(created.map_err(|failed| failed.error)?),
    }
    Ok(flush_directory(path)?)
}

/// Moves a temporary file to a name that is not taken, on a file system that can only rename with
/// replacement: an empty file, which is created only if there is none, reserves the name.
fn persist_reserved(part: NamedTempFile, path: &Path) -> io::Result<()> {
    File::options().write(true).create_new(true).open(path)?;
    part.persist(path).map(drop).map_err(|failed| {
        // An empty file would make the next attempt fail as well.
        let _ = fs::remove_file(path);
        failed.error
    })
}

/// Replaces the file at `path`, if there is one, by one that holds the bytes that `write` writes.
/// The new file has the permissions of the old one. A symbolic link is itself replaced.
pub(crate) fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let part = write_part(path, write)?;
    part.persist(path).map_err(|failed| failed.error)?;
    Ok(flush_directory(path)?)
}

/// Writes a temporary file and flushes it to the disk. It is removed when it is dropped, also after
/// an error.
///
/// The file is in the directory of `path`, because a file cannot be renamed into another file
/// system.
fn write_part<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<NamedTempFile, E> {
    let mut prefix = OsString::from(file_name(path)?);
    prefix.push(".");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
    // A new file follows no link and overwrites nothing. It is opened here to have the permissions
    // of any new file, because `tempfile` makes files that only their owner can read.
    let open = |part: &Path| File::options().write(true).create_new(true).open(part);
    let mut part = builder.make_in(directory(path), open)?;
    if let Ok(old) = path.symlink_metadata()
        && old.is_file()
        && old.permissions() != part.as_file().metadata()?.permissions()
    {
        part.as_file().set_permissions(old.permissions())?;
    }
    write(part.as_file_mut())?;
    part.as_file().sync_all()?;
    Ok(part)
}

/// Removes temporary files that a killed process left behind when it wrote the file at `path`.
///
/// Removes only regular files with the name of a temporary file whose first bytes, as far as they
/// were written, are those of a file of this crate. A file that cannot be removed takes space and
/// does no other harm.
pub(crate) fn remove_leftovers(path: &Path) {
    let (Ok(name), Ok(entries)) = (file_name(path), fs::read_dir(directory(path))) else { return };
    for entry in entries.flatten() {
        let is_leftover = entry.file_name().to_str().and_then(target_of).map(OsStr::new)
            == Some(name)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && begins_with_magic(&entry.path()).unwrap_or(false);
        if is_leftover {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the name of the file that a temporary file with this name was to become.
pub(crate) fn target_of(part: &str) -> Option<&str> {
    let (target, random) = part.strip_suffix(SUFFIX)?.rsplit_once('.')?;
    let is_random =
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_random.then_some(target)
}

/// Returns whether a file begins with [`MAGIC`], or holds only a prefix of it.
fn begins_with_magic(path: &Path) -> io::Result<bool> {
    let mut found = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut found)?;
    Ok(MAGIC.starts_with(&found))
}

fn file_name(path: &Path) -> io::Result<&OsStr> {
    path.file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"))
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Flushes the directory, because a new name is on the disk only when its directory is.
#[cfg(unix)]
fn flush_directory(path: &Path) -> io::Result<()> {
    File::open(directory(path))?.sync_all()
}

/// Does nothing, because directories cannot be opened as files on this platform.
#[cfg(not(unix))]
fn flush_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn write(part: &mut File) -> io::Result<()> {
        part.write_all(b"new")
    }

    #[test]
    fn creation_by_reservation_does_not_overwrite_a_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        let part = || write_part(&path, write).expect("a temporary file");
        persist_reserved(part(), &path).expect("the name is free");
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        fs::write(&path, "old").expect("written");
        let error = persist_reserved(part(), &path).expect_err("the name is taken");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        assert_eq!(fs::read_dir(&directory).expect("a directory").count(), 1);
    }
}

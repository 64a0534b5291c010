//! Files that are written whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::records::MAGIC;

/// The end of the name of a temporary file.
const SUFFIX: &str = ".part";

/// The number of random letters and digits in the name of a temporary file.
const RANDOM: usize = 6;

/// The state of a file that was replaced, if its directory could not be flushed.
const REPLACED: &str = "the new file is in its place, but a power failure may restore the old one";

/// Creates a file that holds the bytes that `write` writes. Never overwrites a file that was there
/// before.
///
/// The complete file appears under its name in one step, except on file systems that have neither
/// hard links nor a rename without replacement (such as FAT): there, an empty file bears the name
/// for a moment, and remains if the process is killed in that moment.
///
/// # Errors
///
/// Returns [`io::ErrorKind::AlreadyExists`] if the name is taken, even by a dangling link. A file
/// whose directory cannot be flushed is removed again if possible; the error says so.
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
    Ok(flush_directory(path).map_err(|error| withdraw(path, error))?)
}

/// Removes a new file whose directory could not be flushed, and returns the error to report. If the
/// file stayed, the next attempt would fail because the name is taken.
fn withdraw(path: &Path, error: io::Error) -> io::Error {
    let state = match fs::remove_file(path) {
        Ok(()) => "the new file was removed again",
        Err(_) => "the new file is in its place, but a power failure may remove it",
    };
    unflushed(state, &error)
}

/// Returns the error of flushing a directory, with the `state` of the file.
fn unflushed(state: &str, error: &io::Error) -> io::Error {
    let message = format!("{state}, because its directory cannot be flushed to the disk: {error}");
    io::Error::new(error.kind(), message)
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
///
/// # Errors
///
/// The old file is unchanged, except if the directory cannot be flushed after the replacement: the
/// error then says that the new file is in its place.
pub(crate) fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let part = write_part(path, write)?;
    part.persist(path).map_err(|failed| failed.error)?;
    Ok(flush_directory(path).map_err(|error| unflushed(REPLACED, &error))?)
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
    let name = file_name(path)?;
    let mut part = match new_part(path, name) {
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
            new_part(path, OsStr::new(&short_stem(name)))
        }
        part => part,
    }?;
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

/// Creates an empty temporary file beside the file at `path`, whose name begins with `stem`.
fn new_part(path: &Path, stem: &OsStr) -> io::Result<NamedTempFile> {
    let mut prefix = stem.to_owned();
    prefix.push(".");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
    // A new file follows no link and overwrites nothing. It is opened here to have the permissions
    // of any new file, because `tempfile` makes files that only their owner can read.
    let open = |part: &Path| File::options().write(true).create_new(true).open(part);
    builder.make_in(directory(path), open)
}

/// Returns the stem of temporary files for a `name` that is almost as long as the file system
/// allows, so that it cannot be the stem itself: a checksum of the name.
fn short_stem(name: &OsStr) -> String {
    format!("{:08x}", crc32fast::hash(name.as_encoded_bytes()))
}

/// Removes temporary files that a killed process left behind when it wrote the file at `path`.
///
/// Removes only regular files with the name of a temporary file whose first bytes, as far as they
/// were written, are those of a file of this crate. A file that cannot be removed takes space and
/// does no other harm.
pub(crate) fn remove_leftovers(path: &Path) {
    let (Ok(name), Ok(entries)) = (file_name(path), fs::read_dir(directory(path))) else { return };
    let short = short_stem(name);
    for entry in entries.flatten() {
        let part = entry.file_name();
        let stem = stem_of(part.as_encoded_bytes());
        let is_leftover = stem
            .is_some_and(|stem| stem == name.as_encoded_bytes() || stem == short.as_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && begins_with_magic(&entry.path()).unwrap_or(false);
        if is_leftover {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the name of the file that a temporary file with this name was to become, unless that
/// name was too long to be part of this one.
#[cfg(feature = "timely")]
pub(crate) fn target_of(part: &str) -> Option<&str> {
    part.get(..stem_of(part.as_bytes())?.len())
}

/// Returns the stem of the name of a temporary file; `None` if the name is not one.
///
/// Names are bytes here because not all of them are UTF-8.
fn stem_of(part: &[u8]) -> Option<&[u8]> {
    let (stem, random) = part.strip_suffix(SUFFIX.as_bytes())?.split_last_chunk::<{ RANDOM }>()?;
    let stem = stem.strip_suffix(b".")?;
    random.iter().all(u8::is_ascii_alphanumeric).then_some(stem)
}

/// Returns whether a file begins with [`MAGIC`], or holds only a prefix of it.
fn begins_with_magic(path: &Path) -> io::Result<bool> {
    let mut found = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut found)?;
    Ok(MAGIC.starts_with(&found))
}

pub(super) fn file_name(path: &Path) -> io::Result<&OsStr> {
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

    fn entries(directory: &Path) -> usize {
        fs::read_dir(directory).expect("a directory").count()
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
        assert_eq!(entries(directory.path()), 1);
    }

    /// Leaves a temporary file of a file with this name behind, as a killed process does.
    fn leave_behind(path: &Path) {
        let part = write_part(path, |part| part.write_all(&MAGIC)).expect("a temporary file");
        part.keep().expect("kept");
    }

    #[cfg(unix)]
    #[test]
    fn files_with_long_names_are_written_and_their_leftovers_removed() {
        // 255 bytes is the limit of most file systems, and 244 is the first length of a name whose
        // temporary name would exceed it.
        for length in [243, 244, 255] {
            let directory = tempfile::tempdir().expect("a directory");
            let path = directory.path().join("a".repeat(length));
            create(&path, write).expect("a new file");
            replace(&path, write).expect("another one");
            leave_behind(&path);
            // Two long names do not share their temporary names.
            leave_behind(&directory.path().join("b".to_owned() + &"a".repeat(length - 1)));
            assert_eq!(entries(directory.path()), 3);
            remove_leftovers(&path);
            assert_eq!((entries(directory.path()), path.is_file()), (2, true), "{length}");
        }
        let directory = tempfile::tempdir().expect("a directory");
        let error = replace(&directory.path().join("a".repeat(256)), write).expect_err("too long");
        assert_eq!(error.kind(), io::ErrorKind::InvalidFilename);
        assert_eq!(entries(directory.path()), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn leftovers_whose_names_are_not_utf_8_are_removed() {
        use std::os::unix::ffi::OsStrExt;

        let directory = tempfile::tempdir().expect("a directory");
        let [path, other] =
            [b"fil\xe9", b"fil\xe8"].map(|name| directory.path().join(OsStr::from_bytes(name)));
        leave_behind(&path);
        leave_behind(&other);
        remove_leftovers(&path);
        assert_eq!(entries(directory.path()), 1);
        remove_leftovers(&other);
        assert_eq!(entries(directory.path()), 0);
    }

    #[test]
    fn a_failure_to_flush_the_directory_says_which_file_is_in_its_place() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        let failure = || io::Error::new(io::ErrorKind::PermissionDenied, "not allowed");
        create(&path, write).expect("the name is free");
        let error = withdraw(&path, failure());
        assert_eq!(
            error.to_string(),
            "the new file was removed again, because its directory cannot be flushed to the disk: \
             not allowed"
        );
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        create(&path, write).expect("the name is free again");
        assert_eq!(
            unflushed(REPLACED, &failure()).to_string(),
            "the new file is in its place, but a power failure may restore the old one, because \
             its directory cannot be flushed to the disk: not allowed"
        );
    }

    /// Files can be created in this directory, but it cannot be opened, unless by the superuser.
    #[cfg(unix)]
    #[test]
    fn an_unreadable_directory_cannot_be_flushed() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        let allow = |mode| {
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(directory.path(), permissions).expect("permissions");
        };
        allow(0o300);
        let is_superuser = File::open(directory.path()).is_ok();
        let created = create(&path, write);
        allow(0o700);
        assert_eq!((created.is_ok(), path.exists()), (is_superuser, is_superuser), "{created:?}");

        fs::write(&path, "old").expect("written");
        allow(0o300);
        let replaced = replace(&path, write);
        allow(0o700);
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        match replaced {
            Ok(()) => assert!(is_superuser),
            Err(error) => assert!(error.to_string().starts_with(REPLACED), "{error}"),
        }
    }
}

//! Locks of files in use, so that two running processes never save under one name.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::atomic::file_name;
use super::save_error::LockError;

/// The end of the name of a lock file.
const SUFFIX: &str = ".lock";

/// An exclusive lock, released when it is dropped or when the process ends, however it ends.
///
/// The lock is on a separate file, because the protected file is replaced each time it is saved,
/// and a lock on it would stay with the replaced file.
#[derive(Debug)]
pub(crate) struct Lock {
    /// The lock file and its path; `None` if the file system has no locks or the directory is
    /// read-only.
    held: Option<(File, PathBuf)>,
}

impl Lock {
    /// Locks the file at `path`, which need not exist, by locking `NAME.lock` beside it. Does not
    /// block.
    pub(crate) fn of_file(path: &Path) -> Result<Self, LockError> {
        let mut name = OsString::from(file_name(path).map_err(LockError::Io)?);
        name.push(SUFFIX);
        Self::acquire(path.with_file_name(name))
    }

    /// Locks an existing directory of journals, by locking a file in it.
    #[cfg(feature = "timely")]
    pub(crate) fn of_directory(directory: &Path) -> Result<Self, LockError> {
        Self::acquire(directory.join(format!("journal{SUFFIX}")))
    }

    /// Creates the lock file at `path` if it does not exist, and locks it.
    /// Retries if the file was removed between these two steps.
    fn acquire(path: PathBuf) -> Result<Self, LockError> {
        loop {
            // Opening a planted symbolic link would create a file at its target.
            if path.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
                let reason = format!(
                    "{}: found a symbolic link, expected a lock file or none",
                    path.display()
                );
                return Err(LockError::Io(io::Error::other(reason)));
            }
            let file = match File::options().write(true).create(true).truncate(false).open(&path) {
                // Nothing can be saved here either, so there is nothing to protect.
                Err(error) if is_read_only(&error) && !path.exists() => {
                    return Ok(Lock { held: None });
                }
                file => file.map_err(LockError::Io)?,
            };
            match try_lock(&file) {
                Ok(true) => {}
                Ok(false) => return Err(LockError::InUse(path)),
                // Each file is whole even if two processes save under one name. The lock only
                // prevents wasted work, so file systems without locks are not refused.
                Err(error) if has_no_locks(&error) => {
                    let _ = fs::remove_file(&path);
                    return Ok(Lock { held: None });
                }
                Err(error) => return Err(LockError::Io(error)),
            }
            // The previous holder may have removed the file after it was opened here.
            if is_at(&file, &path).map_err(LockError::Io)? {
                return Ok(Lock { held: Some((file, path)) });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file is removed while it is locked: a run that has opened it already and locks it
        // later detects in `is_at` that its name is gone. On platforms without that check, the file
        // stays.
        if let Some((_file, path)) = self.held.take()
            && cfg!(unix)
        {
            let _ = fs::remove_file(path);
        }
    }
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Returns whether the file system has no locks, like some mounts of Lustre and of NFS. NFS without
/// its lock service returns `ENOLCK`, which has no kind. On systems whose number of it is not
/// listed here, it is an error like any other.
fn has_no_locks(error: &io::Error) -> bool {
    // Linux has other numbers on MIPS and SPARC.
    let is_linux = cfg!(all(
        any(target_os = "linux", target_os = "android"),
        any(
            target_arch = "x86",
            target_arch = "x86_64",
            target_arch = "arm",
            target_arch = "aarch64",
            target_arch = "riscv64",
            target_arch = "powerpc64",
            target_arch = "s390x",
            target_arch = "loongarch64"
        )
    ));
    let is_bsd = cfg!(any(
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly"
    ));
    let is_enolck = match error.raw_os_error() {
        Some(37) => is_linux,
        Some(77) => is_bsd,
        _ => false,
    };
    error.kind() == io::ErrorKind::Unsupported || is_enolck
}

/// Tries to lock the file. Returns whether it succeeded; if not, another run holds the lock.
#[cfg(any(unix, windows))]
fn try_lock(file: &File) -> io::Result<bool> {
    match fs4::FileExt::try_lock(file) {
        Ok(()) => Ok(true),
        Err(fs4::TryLockError::WouldBlock) => Ok(false),
        Err(fs4::TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(not(any(unix, windows)))]
fn try_lock(_: &File) -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns whether `path` still names the open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let open = file.metadata()?;
    match path.symlink_metadata() {
        Ok(named) => Ok((named.dev(), named.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns `true`, because lock files are not removed on this platform.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_compete_hold_the_lock_one_at_a_time() {
        use std::sync::atomic::{AtomicU32, Ordering};

        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("search");
        let holders = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        if let Ok(_lock) = Lock::of_file(&path) {
                            // Sequential consistency, because the file lock under test orders no
                            // memory.
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            holders.fetch_sub(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
    }

    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    #[test]
    fn file_systems_without_locks_are_recognised() {
        // ENOSYS, EOPNOTSUPP and ENOLCK, but neither EWOULDBLOCK, EACCES nor EIO.
        for (number, expected) in
            [(38, true), (95, true), (37, true), (11, false), (13, false), (5, false)]
        {
            assert_eq!(has_no_locks(&io::Error::from_raw_os_error(number)), expected, "{number}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_link_is_refused() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let target = directory.path().join("target");
        std::os::unix::fs::symlink(&target, directory.path().join("search.lock")).expect("a link");
        let error = Lock::of_file(&directory.path().join("search")).expect_err("a link");
        assert!(matches!(error, LockError::Io(_)) && !target.exists(), "{error:?}");
    }
}

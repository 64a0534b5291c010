//! The files of a directory of journals: what they are called, and the next run of them.

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::format::{Opening, Snapshot};
use super::{Journal, JournalError, Run, TaskId};
use crate::checkpoint::{Fingerprint, Kind, LoadError, Lock, create, remove_leftovers, seal};

/// Of which run and process a file is. In the order of their runs, and of the processes within a
/// run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) run: u64,
    pub(super) process: u32,
}

impl Name {
    pub(super) fn within(self, directory: &Path) -> PathBuf {
        directory.join(self.text())
    }

    fn text(self) -> String {
        format!("run-{:06}-process-{:04}.journal", self.run, self.process)
    }

    fn parse(text: &str) -> Option<Self> {
        let (run, process) =
            text.strip_prefix("run-")?.strip_suffix(".journal")?.split_once("-process-")?;
        let name = Name { run: run.parse().ok()?, process: process.parse().ok()? };
        // Whatever else can be read as these numbers was written by somebody else.
        (name.text() == text).then_some(name)
    }
}

/// The journals in a directory, sorted: none, if there is no such directory.
pub(super) fn list(directory: &Path) -> Result<Vec<Name>, JournalError> {
    let names = || -> io::Result<Vec<Name>> {
        let entries = match fs::read_dir(directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry?.file_name().to_str().and_then(Name::parse));
        }
        names.sort_unstable();
        Ok(names)
    };
    names().map_err(LoadError::Io).map_err(JournalError::load(directory))
}

/// A directory all of whose journals are known to be of this search, hence one in which they may be
/// replaced.
#[derive(Debug)]
pub(crate) struct Directory {
    pub(super) path: PathBuf,
    pub(super) fingerprint: Fingerprint,
    /// The journals that were found, sorted.
    pub(super) found: Vec<Name>,
}

impl Directory {
    /// Begins the next run, as process 0, with the account so far and the tasks that are left. When
    /// this returns, both are on the disk, and the journals of older runs are removed. The
    /// directory is made if it does not exist.
    pub(crate) fn begin(
        self,
        account: Vec<u8>,
        tasks: Vec<(TaskId, Vec<u8>)>,
    ) -> Result<Journal, JournalError> {
        make(&self.path)?;
        let number = self.found.last().map_or(0, |name| name.run) + 1;
        // The keys are the system's random numbers.
        let mark = RandomState::new().hash_one(SystemTime::now());
        let run = Run { number, mark };
        let path = Name { run: number, process: 0 }.within(&self.path);
        let snapshot = Snapshot { account, tasks };
        let opening = Opening { run, process: 0, snapshot: Some(snapshot) };
        let bytes =
            seal(Kind::Journal, &self.fingerprint, &opening).map_err(JournalError::save(&path))?;
        // Under its name it is whole: the run has begun, or it has not.
        create(&path, &bytes).map_err(Into::into).map_err(JournalError::save(&path))?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(Into::into).map_err(JournalError::save(&path))?;
        remove_leftovers(&path);
        for name in &self.found {
            // What is left behind takes space, and no more: the newest run is the one that is read.
            let _ = fs::remove_file(name.within(&self.path));
        }
        Ok(Journal::new(run, path, file, &bytes))
    }
}

/// Locks a directory of journals against other clusters, as process 0. The directory is made if it
/// does not exist.
pub(crate) fn lock_directory(directory: &Path) -> Result<Lock, JournalError> {
    make(directory)?;
    Lock::of_directory(directory).map_err(Into::into).map_err(JournalError::load(directory))
}

pub(super) fn make(directory: &Path) -> Result<(), JournalError> {
    fs::create_dir_all(directory).map_err(Into::into).map_err(JournalError::save(directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_given_here_are_known() {
        let name = Name { run: 12, process: 3 };
        assert_eq!(name.text(), "run-000012-process-0003.journal");
        assert_eq!(Name::parse(&name.text()), Some(name));
        let name = Name { run: 12_345_678, process: 54_321 };
        assert_eq!(Name::parse(&name.text()), Some(name));
        for other in [
            "run-12-process-0003.journal",
            "run-000012-process-0003.journal.part",
            "run-+00012-process-0003.journal",
        ] {
            assert_eq!(Name::parse(other), None, "{other}");
        }
    }
}

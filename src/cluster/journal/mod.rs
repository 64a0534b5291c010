//! The journal of a search on a cluster: what outlasts the processes, so that a search goes on when
//! one of them has died.
//!
//! It keeps bytes, and does not know what they mean. A search is made of *tasks*. A worker that has
//! run one for a while writes a record of it: the results of just that (how many solutions and
//! nodes it found, and so on), and the tasks that are left of it. Nothing else is ever written of a
//! task. So one record at once takes the task away, adds what it gave, and puts what is left in its
//! place: if the record is there, all of that has happened, and if not, nothing of it.
//!
//! # Runs
//!
//! A *run* is one life of the cluster. When it begins, process 0 [reads](recover) what the journals
//! of the run before it hold, and [begins](Directory::begin) the next: with a snapshot of the
//! results so far and of all tasks left. Each other process [joins](Journal::join) with a file of
//! its own. When the snapshot is on the disk, and not before, the files of older runs are removed.
//! Process 0 [locks](lock_directory) the directory before it reads, and until its run has ended.
//!
//! ```text
//! run-000003-process-0000.journal     the snapshot, and the records of process 0
//! run-000003-process-0001.journal     the records of process 1
//! ```
//!
//! # What counts
//!
//! A record counts if its task is in the snapshot, or was left by a record that counts. What cannot
//! be read (a torn record at the end of a file, whatever follows a damaged one, a file that is
//! lost) leaves its task among those that are to be run, and so all that came of this task does not
//! count either, wherever it was written. Hence nothing is lost and nothing is counted twice,
//! whichever bytes have survived: what is not there is done again. Only without a sound snapshot is
//! there nothing to go on from, which is an error.
//!
//! That a record says *all* of a task at once makes this hold: there is no order among the files,
//! no clock, and nothing that has to be flushed in time. A killed process has handed its records to
//! the system; when the power fails, some of the last are missing.
//!
//! # What a file holds
//!
//! First what [other files](crate::checkpoint) hold: the fingerprint, and as data of which
//! [run](Run) and process it is, with the snapshot. Then records:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | the length of the data, the low byte first |
//! | | the data, in the form of postcard: the task, the results, the tasks that are left |
//! | 4 | a checksum (CRC-32) of this record and all before it |
//!
//! As the checksums go on from record to record, and begin with a nonce that each run draws anew, a
//! record is found sound in its own place only.

mod append;
mod directory;
mod format;
mod recovery;
#[cfg(test)]
mod tests;

pub(crate) use append::Journal;
pub(crate) use directory::{JournalError, lock_directory};
pub(crate) use format::{Run, TaskId};
pub use recovery::Recovered;
pub(crate) use recovery::recover;

//! The journal of a search on a cluster. It survives the processes, so that a search can continue
//! after one of them has died.
//!
//! The journal stores bytes and does not interpret them. A search consists of *tasks*. A worker
//! that has run a task for a slice writes one record: the results of just that slice (numbers of
//! solutions and nodes, and so on), and the tasks that are left of it. Nothing else is ever written
//! about a task. A record therefore atomically removes the task, adds its results, and replaces it
//! by the remaining tasks.
//!
//! # Runs
//!
//! A *run* is one lifetime of the cluster. When it begins, process 0 [reads](recover) the journals
//! of the previous run, and [begins](Journal::begin) the next one with a snapshot of the results so
//! far and of all tasks left. Each other process [joins](Journal::join) with a file of its own. The
//! files of older runs are removed only after the snapshot is on the disk. Process 0
//! [locks](lock_directory) the directory before it reads it, and until its run has ended.
//!
//! ```text
//! run-000003-process-0000.journal     the snapshot, and the records of process 0
//! run-000003-process-0001.journal     the records of process 1
//! ```
//!
//! # Records that count
//!
//! A record counts if its task is in the snapshot, or among the remaining tasks of a record that
//! counts. If a record cannot be read (a torn record at the end of a file, all records after a
//! damaged one, a lost file), its task is still to be run, and no record of its remaining tasks
//! counts, in whichever file it is. Hence no work is lost and none is counted twice, whichever
//! bytes have survived: missing work is repeated. Only without an undamaged snapshot is there no
//! state to continue from, which is an error.
//!
//! This holds because a record covers a slice of a task completely: there is no order among the
//! files, no clock, and nothing that must be flushed in time. A killed process has passed its
//! records to the system. After a power failure, some of the last records are missing.
//!
//! # File format
//!
//! A file begins like [other files](crate::checkpoint), with the fingerprint, and as data the
//! [run](Run), the process, and the snapshot. Records follow:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | the length of the data, the low byte first |
//! | | the data, in the form of postcard: the task, the results, the tasks that are left |
//! | 4 | a checksum (CRC-32) of this record and all before it |
//!
//! The checksums continue from record to record, and begin with a random nonce of the run.
//! Therefore a record is valid only at its own position in its own file.
//!
//! # Modules, in reading order
//!
//! `format` (records and their bytes), `directory` (files, names, errors), `append` (writing),
//! `recovery` (reading).

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

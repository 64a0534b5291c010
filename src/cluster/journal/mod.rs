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
//! state to continue from, which is an error. So is a record that is undamaged but invalid, or a
//! task that is created twice: another program has written it, so that nothing is known about the
//! work after it.
//!
//! This holds because a record covers a slice of a task completely: there is no order among the
//! files, no clock, and nothing that must be flushed in time. A killed process has passed its
//! records to the system. After a power failure, some of the last records are missing.
//!
//! # File format
//!
//! A file has the [format of all files](crate::checkpoint#file-format). Its first record after the
//! fingerprint has the [run](RunId), the process, and the snapshot. The others have the task, the
//! results, and the tasks that are left. As checksums continue from record to record and begin with
//! a random nonce of the run, a record is valid only at its own position in its own file.
//!
//! # Modules, in reading order
//!
//! `file` (data, writing, names of files), `recovery` (reading).

mod file;
mod recovery;
#[cfg(test)]
mod tests;

pub(crate) use file::{Journal, RunId, TaskId, lock_directory};
pub use recovery::Recovered;
pub(crate) use recovery::recover;

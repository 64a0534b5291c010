//! Files that outlast a process: what is left of a search, written so that nothing else is ever
//! taken for it.
//!
//! Needs the feature `serde`. [`search::Checkpoint`](crate::search::Checkpoint) saves a search
//! while it runs; [`plug::SweepCheckpoint`](crate::plug::SweepCheckpoint) does the same for a
//! sweep. [`Frontier::save`](crate::search::Frontier::save) and
//! [`Frontier::load`](crate::search::Frontier::load) do it once, for searches that are divided
//! among machines.
//!
//! # What a file holds
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `SECATEUR` |
//! | 2 | the version of the format, the low byte first, as in all numbers |
//! | 2 | what kind of data it is |
//! | 4, 8 | the lengths of the two parts that follow |
//! | 4 | a checksum of all bytes so far |
//! | | the [`Fingerprint`] |
//! | | the data: a frontier, or a layer of a sweep |
//! | 4 | a checksum of all bytes so far |
//!
//! The two parts are in the [form of postcard](https://postcard.jamesmunns.com/wire-format), which
//! is compact, specified, and the same on all machines. The checksums are CRC-32 (Peterson and
//! Brown 1961, with the polynomial of IEEE 802.3), which finds every change of up to 32 bits in a
//! row, hence of any byte, and lets one of 4 · 10⁹ other changes pass. A file is read only if it is
//! complete, undamaged, of this format and kind, and has the fingerprint that is expected. The data
//! are checked as well: figures that no run can have come to are refused, and a length in a file
//! makes the reader allocate no more memory than in proportion to what the file really holds.
//!
//! The choices in a file must be possible: a search is not resumed with one that the problem
//! [cannot make](crate::Problem::can_apply) where it stands. Apart from that, the checks are
//! against mistakes and accidents, not against malice: a file with invented figures or with
//! possible choices that no run has left, under the right fingerprint and with the right checksum,
//! is accepted.
//!
//! # How a file is written
//!
//! Into a new temporary file in the same directory, whose bytes are flushed to the disk; then it is
//! renamed, and the directory flushed, where the platform can. At every moment there is under the
//! name either the old file or the new one, whole.
//!
//! A checkpoint is locked while its search or sweep runs: another process that begins or resumes it
//! is refused at once, with `InUse`. The lock is on a file beside it, `NAME.lock`, and ends with
//! the process, however that ends; the lock file is removed at the end of the run, except on
//! Windows. On a file system without locks, nothing is locked, nor is a file in a directory that
//! cannot be written. Frontiers that are saved once are not locked: two processes must not save
//! them under one name at the same time.
//!
//! The temporary file has a random name, `NAME.xxxxxx.part`, and is opened only if nothing has that
//! name: no link is followed. If the name of the file itself is a symbolic link, the link is
//! replaced by the file, and what it leads to stays as it is. The new file has the permissions of
//! the file that it replaces; the first one has those that the system gives to new files.
//!
//! A process that is killed while it writes leaves its temporary file behind. When a search or a
//! sweep begins a checkpoint or resumes from it, such leftovers of that checkpoint are removed:
//! regular files with such a name that begin as files of this crate do. Those of frontiers that are
//! saved once stay, until you remove them.

mod atomic;
mod envelope;
mod fingerprint;
mod load_error;
mod lock;
mod save_error;
mod saved_file;

#[cfg(feature = "timely")]
pub(crate) use atomic::target_of;
pub(crate) use atomic::{create, create_with, remove_leftovers, replace, replace_with};
pub(crate) use envelope::{Kind, Source, decode, open, seal, seal_into};
pub use fingerprint::Fingerprint;
pub(crate) use fingerprint::{Part, PartKind};
pub use load_error::LoadError;
pub(crate) use lock::Lock;
pub use save_error::SaveError;
pub(crate) use save_error::unsuitable;
#[cfg(feature = "timely")]
pub(crate) use save_error::write_unstated;
pub(crate) use saved_file::SavedFile;

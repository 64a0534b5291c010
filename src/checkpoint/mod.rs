//! Files that survive a process: frontiers of searches, layers of sweeps, families of sets and
//! journals of clusters, with checks that reject all other files.
//!
//! Needs the feature `serde`. [`search::Checkpoint`](crate::search::Checkpoint) saves a search
//! while it runs; [`plug::SweepCheckpoint`](crate::plug::SweepCheckpoint) does the same for a
//! sweep. [`Frontier::save`](crate::search::Frontier::save) and
//! [`Frontier::load`](crate::search::Frontier::load) save and load a frontier once, for searches
//! that are divided among machines, and [`plug::Family`](crate::plug::Family) has the same methods.
//!
//! # File format
//!
//! All files have one format. It begins with a header:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SECATEUR` |
//! | 2 | the version of the format, the low byte first, as in all numbers |
//! | 2 | the kind of data: 1 for a frontier, 2 for a layer, 3 for a journal, 4 for a family |
//! | 12 | zeros |
//! | 4 | a checksum |
//!
//! Records follow, each of which has at least one byte of data:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | the length of the data in bytes |
//! | 4 | a checksum |
//! | | the data |
//! | 4 | a checksum |
//!
//! Each checksum covers all bytes before it in the file, except for other checksums. Hence a
//! record is valid only at its own place in its own file, and a length is verified before it is
//! used. Errors state the number of the record, where the header is number 0, and its position.
//!
//! Record 1 is the [`Fingerprint`]. The further ones depend on the kind:
//!
//! - *A frontier* of a search, or its checkpoint: one record.
//! - *A layer* of a sweep: a description of the layer, and its entries in blocks of about 64 KiB,
//!   so that a layer of any size is written and read one block at a time. A block is the number of
//!   its entries (4 bytes) and the entries.
//! - *A journal* of a process of a search on a cluster: the state in which its run began, and one
//!   record for each time slice of a task.
//! - *A family* of sets: its sizes, and its nodes in blocks of up to 48 KiB. A node is its element
//!   and the numbers of its two halves (4 bytes each).
//!
//! Frontiers, layers and families are written as a whole. A length of 0 and its checksum mark their
//! end. A journal may end after any record, because records are appended to it. A process that is
//! killed may leave an incomplete record there, which is ignored.
//!
//! The data are in the [form of postcard](https://postcard.jamesmunns.com/wire-format), which is
//! compact, specified, and the same on all machines. The checksums are CRC-32 (Peterson and Brown
//! 1961, with the polynomial of IEEE 802.3). It detects every change of up to 32 consecutive bits,
//! hence of any byte, and misses one of 4 · 10⁹ other changes. Apart from the ends of journals, a
//! file is read only if it is complete, undamaged, of this format and kind, and has the expected
//! fingerprint. The data are checked as well: statistics that no run can have produced are
//! rejected. Whatever lengths a file claims, the memory that its reader allocates is at most
//! proportional to the data that exist.
//!
//! A search is resumed only if the problem [accepts](crate::Problem::accepts_saved) the choices in
//! the file. The checks detect mistakes and accidents, not attacks: a file with plausible but
//! invented statistics, or with possible choices that no run has left, is accepted if its
//! fingerprint and checksums are valid.
//!
//! # Writing
//!
//! The bytes are written into a new temporary file in the same directory and flushed to the disk.
//! The file is then renamed, and the directory flushed if the platform can do so. At every moment,
//! the name belongs either to the old file or to the new one, whole; or, before a first file on a
//! file system without hard links, to an empty one.
//!
//! A checkpoint is locked while its search or sweep runs: another process that begins or resumes it
//! is refused at once, with `InUse`. The lock is on a separate file, `NAME.lock`, and ends with the
//! process in any case. The lock file is removed at the end of the run, except on Windows. Nothing
//! is locked on a file system without locks or in a read-only directory. Frontiers that are saved
//! once are not locked: two processes must not save them under one name at the same time.
//!
//! The temporary file has a random name, `NAME.xxxxxx.part`, and is opened only if that name is
//! free, so that no link is followed. If that is longer than the file system allows, a checksum
//! replaces `NAME`. If the name of the file itself is a symbolic link, the link is replaced by the
//! file and its target stays unchanged. The new file has the permissions of the file that it
//! replaces, or the default permissions of new files if it replaces none.
//!
//! A process that is killed while it writes leaves its temporary file behind. When a search or a
//! sweep begins a checkpoint or resumes from it, such leftovers of that checkpoint are removed:
//! regular files with such a name that begin like files of this crate. Leftovers of frontiers that
//! are saved once stay until you remove them.
//!
//! # Modules, in reading order
//!
//! `fingerprint` (the identity of a run), `save_error` and `load_error`, `records` (the file
//! format), `atomic` (writing), `lock`, `saved_file` (repeated saves of one run).

mod atomic;
mod fingerprint;
mod load_error;
mod lock;
mod records;
mod save_error;
mod saved_file;

pub(crate) use atomic::replace;
#[cfg(feature = "timely")]
pub(crate) use atomic::{create, remove_leftovers, target_of};
pub use fingerprint::Fingerprint;
pub(crate) use fingerprint::{Part, PartKind};
pub use load_error::LoadError;
pub(crate) use lock::Lock;
#[cfg(feature = "plug")]
pub(crate) use records::decode;
pub(crate) use records::{Kind, RecordReader, RecordWriter, encode};
pub use save_error::SaveError;
#[cfg(feature = "plug")]
pub(crate) use save_error::unsuitable;
#[cfg(feature = "timely")]
pub(crate) use save_error::{UNNAMED, write_unstated};
pub(crate) use saved_file::{SavedFile, saved_file_methods};

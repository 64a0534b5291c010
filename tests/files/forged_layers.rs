//! Saved layers with correct checksums whose blocks have other numbers of entries than expected.

use std::fmt::Debug;
use std::fs;
use std::hash::Hash;
use std::time::Duration;

use secateurs::Limits;
use secateurs::checkpoint::Fingerprint;
use secateurs::plug::{ContourProblem, Sweep, SweepCheckpoint};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::sealed::{HEADER, records, sealed};
use crate::support::scratch::Directory;

fn checkpoint(directory: &Directory) -> SweepCheckpoint {
    let every = Duration::from_secs(3600);
    SweepCheckpoint::new(directory.file(), every, Fingerprint::new("forged", &()))
}

/// Paths of one label through states of the type `S`.
struct Lane<S>(S);

impl<S> ContourProblem for Lane<S>
where
    S: Copy + Eq + Hash + Debug + Send + Sync + From<u8>,
{
    type State = S;
    type Label = ();

    fn cells(&self) -> usize {
        2
    }
    fn start(&self) -> S {
        self.0
    }
    fn step(&self, _: usize, _: S, emit: &mut impl FnMut(S, ())) {
        emit(S::from(7), ());
        emit(S::from(8), ());
    }
    fn accept(&self, _: S) -> bool {
        true
    }
}

/// A state without data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Nowhere;

impl From<u8> for Nowhere {
    fn from(_: u8) -> Self {
        Nowhere
    }
}

/// Returns the error of resuming a saved layer, after one cell and of states alone, whose only
/// block of entries is replaced by these data.
fn refused<S>(start: S, block: &[u8]) -> Option<String>
where
    S: Copy + Eq + Hash + Debug + Send + Sync + From<u8> + Serialize + DeserializeOwned,
{
    let (directory, problem) = (Directory::new(), Lane(start));
    let sweep = Sweep::new(&problem).limits(Limits::new().depth(1));
    let _ = sweep.checkpoint(&mut checkpoint(&directory)).expect("a new file").exists();
    let file = fs::read(directory.file()).expect("a file");
    let mut forged = records(&file);
    *forged.last_mut().expect("a block") = block.to_vec();
    fs::write(directory.file(), sealed(&file[..HEADER], &forged)).expect("written");
    let mut resumed = checkpoint(&directory);
    let exists = Sweep::new(&problem).resume(&mut resumed).map(|sweep| sweep.exists());
    exists.and_then(|exists| exists).err().map(|error| error.to_string())
}

#[test]
fn blocks_of_another_number_of_entries_are_refused() {
    assert_eq!(refused(0_u8, &[2, 0, 0, 0, 7, 8]), None);
    for (block, reason) in [
        (&[0, 0, 0][..], "a block without entries"),
        (&[0, 0, 0, 0, 7], "a block of 0 entries in 1 bytes"),
        (&[1, 0, 0, 0, 7, 8], "1 bytes after the entries of a block"),
        (&[3, 0, 0, 0, 7, 8, 9], "more entries than the 2 expected"),
        (&[1, 0, 0, 0, 7], "found 1 entries, expected 2"),
    ] {
        let error = refused(0_u8, block).expect(reason);
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn empty_entries_cannot_outnumber_the_bytes() {
    assert_eq!(refused(Nowhere, &1_u32.to_le_bytes()), None);
    let error = refused(Nowhere, &[255; 4]).expect("too many");
    assert!(error.contains("a block of 4294967295 entries in 0 bytes"), "{error}");
}

//! Saved layers with correct checksums whose blocks have other numbers of entries than expected.

use std::fmt::Debug;
use std::fs;
use std::hash::Hash;

use secateurs::Limits;
use secateurs::plug::Sweep;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::sealed::{HEADER, records, sealed};
use crate::shared::saved::file_at_the_end;
use crate::shared::sweeps::Steps;
use crate::support::scratch::Directory;

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
    let directory = Directory::new();
    let step = |_, _, emit: &mut dyn FnMut(S, ())| {
        [7, 8].into_iter().for_each(|next| emit(S::from(next), ()));
    };
    let problem = Steps::new(2, start, step);
    let sweep = Sweep::new(&problem).limits(Limits::new().depth(1));
    let _ = sweep.checkpoint(&mut file_at_the_end(directory.file())).expect("a new file").exists();
    let file = fs::read(directory.file()).expect("a file");
    let mut forged = records(&file);
    *forged.last_mut().expect("a block") = block.to_vec();
    fs::write(directory.file(), sealed(&file[..HEADER], &forged)).expect("written");
    let mut resumed = file_at_the_end(directory.file());
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

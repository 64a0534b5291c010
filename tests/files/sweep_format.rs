//! The format of saved sweeps is stable, and files with any change are refused.

use std::fs;
use std::path::Path;
use std::time::Duration;

use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::plug::{Sweep, SweepCheckpoint};
use secateurs::{Limits, Report, Stop};

use crate::sealed::{from_hex, to_hex};
use crate::shared::saved::begun_or_resumed;
use crate::support::problems::cycles;
use crate::support::scratch::Directory;

/// A saved count of the Hamiltonian cycles of a 4 × 4 board.
#[derive(Clone, Copy, Debug)]
struct Kind {
    is_dense: bool,
    by_residues: bool,
    /// The contents after 9 cells, those of the second pass for residues, in hexadecimal.
    file: &'static str,
}

const KINDS: [Kind; 4] = [
    Kind { is_dense: false, by_residues: false, file: HASHED },
    Kind { is_dense: true, by_residues: false, file: DENSE },
    Kind { is_dense: false, by_residues: true, file: HASHED_RESIDUES },
    Kind { is_dense: true, by_residues: true, file: DENSE_RESIDUES },
];

const HASHED: &str = "
    534543415445555209000200000000000000000000000000459e3b9e3900000000000000c838a121063420c39720348d
    8bd794d6ae88dce28485d8fbc0cb93e2d8010103073820627974657300018d8bd794d6ae88dce28485d8fbc0cb93e2d8
    01e07400c76400000000000000ba9441f10114636f756e7420757020746f203132382062697473000a0200000a010000
    0000010000010002000002000300010300020000020004000104000500000500080002080006000006000a00000a0000
    000000000000000099a50701011009090a90c00100288c02b8200000000000000084a60e940a000000810401840401e1
    0401e4040121012401990101c9040191050194050117cb9f5d0000000000000000c683f5f1
";
const DENSE: &str = "
    534543415445555209000200000000000000000000000000459e3b9e3900000000000000c838a121063420c39720348d
    8bd794d6ae88dce28485d8fbc0cb93e2d8010103073820627974657300018d8bd794d6ae88dce28485d8fbc0cb93e2d8
    01e07400c76600000000000000c79364b30116636f756e742c20696e2064656e7365207461626c657301090200000a01
    00000000010000000002000000000300000000020000000004000000000500000000080000000006000000000a000000
    00000000000000000000e6b32e01011009090a94e70600da3947321300000000000000c6b28cf4090000000001010101
    01010101000101010100887939fb0000000000000000d7e39d80
";
const HASHED_RESIDUES: &str = "
    534543415445555209000200000000000000000000000000459e3b9e3a000000000000002b3f2eaf076120626f617264
    8d8bd794d6ae88dce28485d8fbc0cb93e2d8010103073820627974657300018d8bd794d6ae88dce28485d8fbc0cb93e2
    d8016f2a46276100000000000000ecb185b10111636f756e74206279207265736964756573020a0200000a0100000000
    010000010002000002000300010300020000020004000104000500000500080002080006000006000a00000a00000000
    000000000000bfc61501011009090a90c001009c1433f40e00000000000000a6574ca401010601e7ffffffffffffff7f
    00fa88e6c720000000000000007cdd2ed20a000000810401840401e10401e4040121012401990101c904019105019405
    0196c03b82000000000000000008e94be5
";
const DENSE_RESIDUES: &str = "
    534543415445555209000200000000000000000000000000459e3b9e3a000000000000002b3f2eaf076120626f617264
    8d8bd794d6ae88dce28485d8fbc0cb93e2d8010103073820627974657300018d8bd794d6ae88dce28485d8fbc0cb93e2
    d8016f2a462772000000000000002487b1430122636f756e742062792072657369647565732c20696e2064656e736520
    7461626c657302090200000a010000000001000000000200000000030000000002000000000400000000050000000008
    0000000006000000000a00000000000000000000000000d3df4f01011009090a9cf80b00ad18016e0e00000000000000
    26f78ff801010601e7ffffffffffffff7f00f94c1f021300000000000000e31ad97c0900000000010101010101010100
    010101010025101c960000000000000000c53f3899
";

/// A count as text, if it is exact, and the report.
type Counted = (Option<String>, Report);

impl Kind {
    fn checkpoint(self, path: &Path) -> SweepCheckpoint {
        let name = if self.by_residues { "a board" } else { "4 × 4" };
        SweepCheckpoint::new(path, Duration::from_secs(3600), Fingerprint::new(name, &()))
    }

    /// Begins a file, or resumes from it if it exists.
    fn run(self, path: &Path, limits: Limits) -> Result<Counted, LoadError> {
        let (cycles, mut file) = (cycles(4, 4), self.checkpoint(path));
        let sweep = Sweep::new(&cycles).limits(limits);
        macro_rules! count {
            ($sweep:expr) => {{
                let sweep = begun_or_resumed!($sweep, &mut file)?;
                if self.by_residues {
                    let outcome = sweep.count_by_residues()?;
                    (outcome.total().map(ToString::to_string), outcome.into_parts().1)
                } else {
                    let outcome = sweep.count()?;
                    (outcome.exact().map(|count| count.to_string()), outcome.into_parts().1)
                }
            }};
        }
        Ok(if self.is_dense { count!(sweep.dense()) } else { count!(sweep) })
    }

    /// Returns the bytes of a file that the current code writes.
    fn written(self) -> Vec<u8> {
        let directory = Directory::new();
        let states = Sweep::new(&cycles(4, 4)).count().report().levels().to_vec();
        let states = states.iter().map(|level| level.nodes);
        // All layers of the first pass but the last one, and nine of the last pass.
        let before = if self.by_residues { states.clone().take(16).sum() } else { 0 };
        let limits = Limits::new().nodes(before + states.take(9).sum::<u64>());
        let (_, report) = self.run(&directory.file(), limits).expect("a new file");
        assert_eq!((report.stop(), report.levels().len()), (Stop::NodeLimit, 10));
        fs::read(directory.file()).expect("a file")
    }
}

#[test]
fn the_format_has_not_changed() {
    for kind in KINDS {
        let directory = Directory::new();
        fs::write(directory.file(), from_hex(kind.file)).expect("written");
        let resumed = kind.run(&directory.file(), Limits::new());
        let (count, report) = resumed.unwrap_or_else(|error| {
            panic!("{kind:?}: {error}; now it would be {}", to_hex(&kind.written()))
        });
        let whole = kind.run(&directory.0.join("whole"), Limits::new()).expect("a new file").1;
        assert_eq!(count.as_deref(), Some("6"), "{kind:?}");
        assert_eq!(report.levels(), whole.levels(), "{kind:?}");
    }
}

/// Asserts that a file is refused if it is truncated at any byte, if any byte is changed in one bit
/// or in all, or if it is extended.
fn damage_is_refused(kind: Kind, bytes: &[u8]) {
    let directory = Directory::new();
    let path = directory.file();
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        kind.run(&path, Limits::new()).map(|(count, _)| count)
    };
    assert_eq!(read(bytes).expect("whole").as_deref(), Some("6"), "{kind:?}");
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).expect_err("cut short");
        assert!(
            matches!(error.reason(), LoadError::Truncated { found, .. } if *found == length as u64),
            "{kind:?}, {length}: {error}"
        );
    }
    for at in 0..bytes.len() {
        for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= change;
            assert!(read(&damaged).is_err(), "{kind:?}, byte {at}, changed by {change}");
        }
    }
    for more in [&b"\0"[..], b"SECATEUR"] {
        let error = read(&[bytes, more].concat()).expect_err("too long");
        assert!(
            matches!(error.reason(), LoadError::TrailingBytes { at } if *at == bytes.len() as u64),
            "{kind:?}: {error}"
        );
    }
}

#[test]
fn damaged_files_are_refused() {
    for kind in KINDS {
        damage_is_refused(kind, &kind.written());
    }
}

#[test]
fn the_file_of_a_sweep_that_has_not_begun_is_complete() {
    let (cycles, directory) = (cycles(4, 4), Directory::new());
    let mut file = KINDS[0].checkpoint(&directory.file());
    drop(Sweep::new(&cycles).checkpoint(&mut file).expect("a writable directory"));
    damage_is_refused(KINDS[0], &fs::read(directory.file()).expect("a file"));
}

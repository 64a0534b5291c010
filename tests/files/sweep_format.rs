//! The format of saved sweeps is stable, and files with any change are refused.

use std::fs;
use std::path::Path;
use std::time::Duration;

use secateurs::checkpoint::{Fingerprint, LoadError};
use secateurs::plug::{Sweep, SweepCheckpoint};
use secateurs::{Limits, Outcome};

use crate::hex::{from_hex, to_hex};
use crate::support::problems::cycles;
use crate::support::scratch::Directory;

/// Two saved counts of the Hamiltonian cycles of a 4 × 4 board, after 9 cells, in hexadecimal: this
/// one with hash tables, and [`DENSE`] with dense tables.
const HASHED: &str = "
    534543415445555207000200000000000000000000000000ee68b9be1b000000000000000d33c2f8063420c39720348d
    8bd794d6ae88dce28485d8fbc0cb93e2d801000bfbd09a6300000000000000da29dd890114636f756e7420757020746f
    203132382062697473000a0400000a010000000001000001000200000200030001030002000002000400010400050000
    0500080002080006000006000a00000a000000000000000000c2d60c01011009090a90c001003a0a0338200000000000
    00002d2cec3b0a000000810401840401e10401e4040121012401990101c90401910501940501e8bf8b3c000000000000
    0000686f8cf3
";
const DENSE: &str = "
    534543415445555207000200000000000000000000000000ee68b9be1b000000000000000d33c2f8063420c39720348d
    8bd794d6ae88dce28485d8fbc0cb93e2d801000bfbd09a65000000000000005d20b24f0116636f756e742c20696e2064
    656e7365207461626c657301090400000a01000000000100000000020000000003000000000200000000040000000005
    00000000080000000006000000000a000000000000000000000000b2c05001011009090a94e706008d0569bf13000000
    000000005a977cb00900000000010101010101010100010101010084ec680f0000000000000000cc82a410
";

fn checkpoint(path: &Path) -> SweepCheckpoint {
    SweepCheckpoint::new(path, Duration::from_secs(3600), Fingerprint::new("4 × 4", &()))
}

type Count = Outcome<secateurs::Count>;

fn resume_hashed(path: &Path) -> Result<Count, LoadError> {
    Sweep::new(&cycles(4, 4)).resume(&mut checkpoint(path))?.count()
}

fn resume_dense(path: &Path) -> Result<Count, LoadError> {
    Sweep::new(&cycles(4, 4)).dense().resume(&mut checkpoint(path))?.count()
}

/// Returns the bytes of a file that the current code writes.
fn written(is_dense: bool) -> Vec<u8> {
    let (cycles, directory) = (cycles(4, 4), Directory::new());
    let path = directory.file();
    let sweep = Sweep::new(&cycles).limits(Limits::new().depth(9));
    let mut checkpoint = checkpoint(&path);
    let outcome = if is_dense {
        sweep.dense().checkpoint(&mut checkpoint).expect("a writable directory").count()
    } else {
        sweep.checkpoint(&mut checkpoint).expect("a writable directory").count()
    };
    assert_eq!(outcome.expect("a new file").report().levels().len(), 10);
    fs::read(path).expect("a file")
}

fn the_format_has_not_changed(
    file: &str,
    is_dense: bool,
    resume: fn(&Path) -> Result<Count, LoadError>,
) {
    let directory = Directory::new();
    fs::write(directory.file(), from_hex(file)).expect("written");
    let outcome = resume(&directory.file());
    let outcome = outcome.unwrap_or_else(|error| {
        panic!("{error}; the current code would write {}", to_hex(&written(is_dense)));
    });
    assert_eq!(outcome.exact(), Some(6));
    let cycles = cycles(4, 4);
    let expected =
        if is_dense { Sweep::new(&cycles).dense().count() } else { Sweep::new(&cycles).count() };
    assert_eq!(outcome.report().levels(), expected.report().levels());
}

#[test]
fn the_format_of_layers_has_not_changed() {
    the_format_has_not_changed(HASHED, false, resume_hashed);
}

#[test]
fn the_format_of_tables_has_not_changed() {
    the_format_has_not_changed(DENSE, true, resume_dense);
}

/// Asserts that a file is refused if it is truncated at any byte, if any byte is changed in one bit
/// or in all, or if it is extended.
fn damage_is_refused(bytes: &[u8], resume: fn(&Path) -> Result<Count, LoadError>) {
    let directory = Directory::new();
    let path = directory.file();
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        resume(&path).map(|outcome| outcome.exact())
    };
    assert_eq!(read(bytes).expect("whole"), Some(6));
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).expect_err("cut short");
        assert!(
            matches!(error.reason(), LoadError::Truncated { found, .. } if *found == length as u64),
            "{length}: {error}"
        );
    }
    for at in 0..bytes.len() {
        for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= change;
            assert!(read(&damaged).is_err(), "byte {at}, changed by {change}");
        }
    }
    for more in [&b"\0"[..], b"SECATEUR"] {
        let error = read(&[bytes, more].concat()).expect_err("too long");
        assert!(
            matches!(error.reason(), LoadError::TrailingBytes { at } if *at == bytes.len() as u64),
            "{error}"
        );
    }
}

#[test]
fn a_damaged_layer_is_refused() {
    damage_is_refused(&written(false), resume_hashed);
}

#[test]
fn a_damaged_table_is_refused() {
    damage_is_refused(&written(true), resume_dense);
}

#[test]
fn the_file_of_a_sweep_that_has_not_begun_is_complete() {
    let (cycles, directory) = (cycles(4, 4), Directory::new());
    let mut file = checkpoint(&directory.file());
    drop(Sweep::new(&cycles).checkpoint(&mut file).expect("a writable directory"));
    damage_is_refused(&fs::read(directory.file()).expect("a file"), resume_hashed);
}

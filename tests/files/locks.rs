//! Checkpoints are locked while they are in use.

use std::fs;

use secateurs::Search;
use secateurs::checkpoint::{LoadError, SaveError};
use secateurs::plug::Sweep;

use crate::shared::saved::{search_file, sweep_file};
use crate::support::problems::{cycles, queens};
use crate::support::scratch::Directory;

#[test]
fn a_search_in_a_file_in_use_is_refused_until_the_other_one_ends() {
    let directory = Directory::new();
    let queens = queens(6);
    let [mut first, mut second] = [(); 2].map(|()| search_file(directory.file()));
    let mut running = Search::new(&queens).checkpoint(&mut first).expect("a new file").solutions();
    assert!(running.next().is_some());
    let before = fs::read(directory.file()).expect("a file");
    let error = Search::new(&queens).checkpoint(&mut second).expect_err("in use");
    assert!(
        matches!(error.reason(), SaveError::InUse { lock } if lock.ends_with("search.lock")),
        "{error}"
    );
    assert!(
        error.reason().to_string().starts_with("in use by another run, which holds the lock "),
        "{error}"
    );
    let error = Search::new(&queens).resume(&mut second).expect_err("in use");
    assert!(matches!(error.reason(), LoadError::InUse { .. }), "{error}");
    assert_eq!(fs::read(directory.file()).expect("a file"), before);
    assert_eq!(running.by_ref().count(), 3);
    drop(running);
    let outcome = Search::new(&queens).resume(&mut second).expect("no longer in use").count();
    assert_eq!(outcome.exact(), Some(4));
}

#[test]
fn a_sweep_in_a_file_in_use_is_refused_until_the_other_one_ends() {
    let directory = Directory::new();
    let cycles = cycles(4, 4);
    let [mut first, mut second] = [(); 2].map(|()| sweep_file(directory.file()));
    let hashed = Sweep::new(&cycles).checkpoint(&mut first).expect("a new file");
    let error = Sweep::new(&cycles).checkpoint(&mut second).expect_err("in use");
    assert!(matches!(error.reason(), SaveError::InUse { .. }), "{error}");
    let error = Sweep::new(&cycles).dense().resume(&mut second).expect_err("in use");
    assert!(matches!(error.reason(), LoadError::InUse { .. }), "{error}");
    assert_eq!(hashed.count().expect("its own file").exact(), Some(6));
    let outcome = Sweep::new(&cycles).resume(&mut second).expect("no longer in use").count();
    assert_eq!(outcome.expect("its own file").exact(), Some(6));
    // A sweep that never runs holds its lock until it is dropped.
    drop(Sweep::new(&cycles).resume(&mut second).expect("not in use"));
    assert!(Sweep::new(&cycles).resume(&mut first).is_ok());
}

/// A missing file has its usual error, also in a missing directory, where no lock can be created.
#[test]
fn a_missing_file_is_not_reported_as_in_use() {
    let directory = Directory::new();
    let queens = queens(6);
    for path in [directory.file(), directory.0.join("none/search")] {
        let mut checkpoint = search_file(path);
        let error = Search::new(&queens).resume(&mut checkpoint).expect_err("no file");
        let LoadError::Io(reason) = error.reason() else { panic!("{error}") };
        assert_eq!(reason.kind(), std::io::ErrorKind::NotFound);
        let beginning = format!("{}: cannot be read: ", checkpoint.path().display());
        assert!(error.to_string().starts_with(&beginning), "{error}");
    }
    // On other platforms, lock files are not removed.
    #[cfg(unix)]
    assert_eq!(fs::read_dir(&directory.0).expect("a directory").count(), 0);
}

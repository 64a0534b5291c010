//! Temporary files: links, permissions, and the leftovers of killed processes.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use secateurs::Search;
use secateurs::checkpoint::{Fingerprint, SaveError};
use secateurs::plug::Sweep;
use secateurs::search::Frontier;

use crate::shared::saved::{search_file, sweep_file};
use crate::support::problems::{cycles, queens};
use crate::support::scratch::Directory;

fn save(path: &Path) -> Result<(), SaveError> {
    Frontier::<u32>::new().save(path, &Fingerprint::new("a tree", &()))
}

/// Returns the names in a directory, sorted.
fn names(directory: &Directory) -> Vec<String> {
    let entries =
        fs::read_dir(&directory.0).expect("a directory").map(|entry| entry.expect("an entry"));
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode()
}

#[test]
fn saving_spares_the_target_of_a_planted_link_and_replaces_one_under_the_name() {
    for (link, kept) in [
        ("search.part", &["search", "search.part", "target"][..]),
        ("search", &["search", "target"]),
    ] {
        let directory = Directory::new();
        let target = directory.0.join("target");
        fs::write(&target, "precious").expect("written");
        symlink(&target, directory.0.join(link)).expect("a link");
        save(&directory.file()).expect("saved");
        assert_eq!(fs::read_to_string(&target).expect("a text"), "precious");
        assert!(directory.file().symlink_metadata().expect("a file").is_file());
        assert_eq!(names(&directory), kept);
    }
}

#[test]
fn beginning_a_checkpoint_refuses_a_link_that_leads_nowhere() {
    let directory = Directory::new();
    symlink(directory.0.join("nothing"), directory.file()).expect("a link");
    let queens = queens(5);
    let mut checkpoint = search_file(directory.file());
    let error = Search::new(&queens).checkpoint(&mut checkpoint).expect_err("a link");
    assert!(matches!(error.reason(), SaveError::Exists), "{error}");
    assert_eq!(names(&directory), ["search"]);
}

#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let directory = Directory::new();
    let other = directory.0.join("other");
    File::create(&other).expect("a file");
    save(&directory.file()).expect("saved");
    assert_eq!(mode(&directory.file()), mode(&other));
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    let directory = Directory::new();
    for bits in [0o600, 0o444, 0o640] {
        save(&directory.file()).expect("saved");
        fs::set_permissions(directory.file(), fs::Permissions::from_mode(bits)).expect("changed");
        save(&directory.file()).expect("saved");
        assert_eq!(mode(&directory.file()) & 0o777, bits);
    }
}

#[test]
fn a_failed_save_leaves_nothing_behind() {
    let directory = Directory::new();
    fs::create_dir(directory.file()).expect("a directory");
    let error = save(&directory.file()).expect_err("a directory");
    assert!(matches!(error.reason(), SaveError::Io(_)), "{error}");
    assert_eq!(names(&directory), ["search"]);
    // The message does not contain the random name.
    let path = directory.0.join("missing/search");
    let missing = save(&path).expect_err("there is no such directory");
    assert_eq!(
        missing.to_string(),
        format!("{}: cannot be saved: No such file or directory (os error 2)", path.display())
    );
    assert_eq!(missing.path(), Some(&*path));
}

/// Creates leftovers of a killed process, and files that only look like them. Returns the sorted
/// names that must remain once a search or sweep has begun, its own file included.
fn plant(directory: &Directory) -> Vec<String> {
    for (name, text) in [("search.aB3dE9.part", "SECATEUR…"), ("search.000000.part", "")] {
        fs::write(directory.0.join(name), text).expect("written");
    }
    let others = [
        "search.aB3dE.part",
        "search.aB3d-9.part",
        "search.mine00.part",
        "search.part",
        "other.aB3dE9.part",
    ];
    for name in others {
        let text = if name.contains("mine") { "not of this crate" } else { "SECATEUR" };
        fs::write(directory.0.join(name), text).expect("written");
    }
    fs::create_dir(directory.0.join("search.folder.part")).expect("a directory");
    let mut kept: Vec<String> = others.map(str::to_owned).into();
    kept.extend(["search", "search.folder.part"].map(str::to_owned));
    kept.sort();
    kept
}

/// Asserts that a run removes leftovers when it begins and when it is resumed.
macro_rules! assert_removed {
    ($run:expr, $file:path, |$resumed:ident| $count:expr) => {{
        let directory = Directory::new();
        let mut file = $file(directory.file());
        let kept = plant(&directory);
        let _ = $run.checkpoint(&mut file).expect("a new file");
        assert_eq!(names(&directory), kept);
        fs::write(directory.0.join("search.aB3dE9.part"), "SECA").expect("written");
        let $resumed = $run.resume(&mut file).expect("a whole file");
        let count = $count.exact();
        assert_eq!(names(&directory), kept);
        count
    }};
}

#[test]
fn searches_and_sweeps_remove_what_killed_processes_left_behind() {
    let (queens, cycles) = (queens(5), cycles(4, 4));
    let count = assert_removed!(Search::new(&queens), search_file, |search| search.count());
    assert_eq!(count, Some(10));
    let count = assert_removed!(Sweep::new(&cycles), sweep_file, |sweep| {
        sweep.count().expect("a whole file")
    });
    assert_eq!(count, Some(6));
}

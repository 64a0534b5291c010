//! The programs under test: examples that Cargo has built beside the tests.

use std::env;
use std::path::{Path, PathBuf};

/// Returns the root directory of the repository.
pub fn repository() -> PathBuf {
    // This file belongs to packages two directories below the root.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).expect("a package two directories below the root").to_owned()
}

/// Returns the path of a built example or program.
///
/// # Panics
///
/// Panics if Cargo has not built it.
pub fn program(name: &str) -> PathBuf {
    let test = env::current_exe().expect("the path of this test");
    // The test is `target/<profile>/deps/<test>`.
    let profile = test.ancestors().nth(2).expect("a directory of a Cargo profile");
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let candidates = [profile.join("examples").join(&file), profile.join(&file)];
    candidates.iter().find(|path| path.is_file()).cloned().unwrap_or_else(|| {
        panic!(
            "program {name:?}: found none at {}, expected an example; \
             build it with `cargo build --examples`, or run `cargo test` without a filter",
            candidates[0].display()
        )
    })
}

//! The programs under test, which Cargo has built beside the tests: the command `secateurs` and the
//! examples.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Returns the root directory of the repository.
pub fn repository() -> PathBuf {
    // This file belongs to packages two directories below the root.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).expect("a package two directories below the root").to_owned()
}

/// Returns a command that runs a program, or a subcommand of `secateurs`.
pub fn command(name: &str) -> Command {
    let mut command = Command::new(program(name));
    command.args(subcommand(name));
    command
}

/// Returns the name as a subcommand of `secateurs`, unless it is that of a program.
pub fn subcommand(name: &str) -> Option<&str> {
    let is_example = ["cluster_", "solve_", "your_"].iter().any(|prefix| name.starts_with(prefix));
    let is_program = is_example || ["secateurs", "first_programs"].contains(&name);
    (!is_program).then_some(name)
}

/// Returns the path of a built example, or of `secateurs` if the name is that or one of its
/// subcommands.
///
/// # Panics
///
/// Panics if Cargo has not built it, or has built it from other sources than the present ones.
pub fn program(name: &str) -> PathBuf {
    // Cargo builds the command for the tests of its package.
    let own = option_env!("CARGO_BIN_EXE_secateurs");
    if let Some(command) = own.filter(|_| name == "secateurs" || subcommand(name).is_some()) {
        return PathBuf::from(command);
    }
    let test = env::current_exe().expect("the path of this test");
    // The test is `target/<profile>/deps/<test>`.
    let profile = test.ancestors().nth(2).expect("a directory of a Cargo profile");
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let candidates = [profile.join("examples").join(&file), profile.join(&file)];
    let Some(program) = candidates.iter().find(|path| path.is_file()) else {
        panic!(
            "program {name:?}: found none at {}, expected an example; {HOW_TO_BUILD}",
            candidates[0].display()
        )
    };
    assert_up_to_date(program);
    program.clone()
}

const HOW_TO_BUILD: &str =
    "build it with `cargo build --examples`, or run `cargo test` without a filter";

/// Panics if a source of a program has changed since the program was built. Testing one package
/// does not build the examples of another one, so a test could run outdated programs.
fn assert_up_to_date(program: &Path) {
    let modified = |path: &Path| {
        let time = fs::metadata(path).and_then(|file| file.modified());
        time.unwrap_or_else(|error| panic!("{}: {error}; {HOW_TO_BUILD}", path.display()))
    };
    let built = modified(program);
    // Cargo lists the sources as in a makefile: `PROGRAM: SOURCE SOURCE …`.
    let list = program.with_extension("d");
    let text = fs::read_to_string(&list)
        .unwrap_or_else(|error| panic!("{}: {error}; {HOW_TO_BUILD}", list.display()));
    let (_, sources) = text.split_once(": ").expect("a target and its sources");
    // Spaces within a path are escaped.
    for source in sources.trim_end().replace("\\ ", "\0").split(' ') {
        let source = repository().join(source.replace('\0', " "));
        assert!(
            modified(&source) <= built,
            "program {}: older than its source {}; {HOW_TO_BUILD}",
            program.display(),
            source.display()
        );
    }
}

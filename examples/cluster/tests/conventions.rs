//! A table of what each example of the cluster does when a limit is reached, when it is
//! interrupted, with empty or wrong input, and with a limit of time or memory.

use std::fs;
use std::path::PathBuf;

use crate::programs::repository;
use crate::situations::Example;
use crate::situations::Reaction::{Complete, Ends, Never, Refused, Stopped};
use crate::situations::Situation::{Empty, Interrupted, Limit, Memory, Time, Wrong};

/// Returns the rows of the table.
fn examples() -> Vec<Example> {
    let sweep = "hamiltonian-cycles 26 26";
    vec![
        Example::new("cluster_clique")
            .on(Limit, "--nodes 1 --answer-only", Stopped("at least "))
            .on(Interrupted, "-", Ends)
            .on(Empty, "-", Refused("p edge VERTICES EDGES"))
            .on(Wrong, "no-such-file", Refused("no-such-file"))
            .on(Time, "--time 1h", Complete)
            .on(Memory, "--memory 64M", Complete),
        Example::new("cluster_count")
            .on(Limit, "domino-tilings 8 8 --states 9 --answer-only", Stopped("unknown"))
            .on(Interrupted, sweep, Ends)
            .on(Empty, "domino-tilings 0 5", Refused("at least one"))
            .on(Wrong, "domino-tilings 8", Refused("COLS"))
            .on(Time, &format!("{sweep} --time 0.5"), Stopped("unknown"))
            .on(Memory, &format!("{sweep} --memory 64M"), Stopped("unknown")),
        Example::new("cluster_queens")
            .on(Limit, "20 --nodes 99 --answer-only", Stopped("at least "))
            .on(Interrupted, "20", Ends)
            .on(Interrupted, "20 --plain", Ends)
            .on(Empty, "0", Refused("1"))
            .on(Wrong, "65", Refused("65"))
            .on(Time, "20 --time 0.5", Stopped("at least "))
            .on(Memory, "8 --memory 64M", Complete),
        simulation("cluster_simulation"),
    ]
}

/// Returns the row of the example that simulates clusters.
fn simulation(name: &'static str) -> Example {
    Example::new(name)
        .on(Limit, "", Never("a simulation has no limits"))
        .on(Interrupted, "search --queens 18 --workers 4096", Ends)
        .on(Empty, "", Never("it reads no input"))
        .on(Wrong, "search --workers 0", Refused("at least 1"))
        .on(Time, "search --time 0.5", Refused("--time"))
        .on(Memory, "search --memory 64M", Refused("--memory"))
}

#[test]
fn every_example_is_in_the_table() {
    let mut listed = examples();
    listed.retain(|example| example.name != "cluster_simulation");
    // The directory of the simulation, and two others that are not examples.
    listed.extend(["simulation", "options", "tests"].map(Example::new));
    assert_complete("examples/cluster", &listed);
}

#[test]
fn examples_follow_the_conventions() {
    examples().iter().for_each(Example::check);
}

/// Panics unless `examples` are the ones of this directory: files `NAME.rs`, and directories with a
/// file `main.rs`.
fn assert_complete(directory: &str, examples: &[Example]) {
    let folder = repository().join(directory);
    let entries = fs::read_dir(folder).expect("a directory of examples");
    let paths = entries.map(|entry| entry.expect("an entry of the directory").path());
    let is_example = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "rs") || path.join("main.rs").is_file()
    };
    let name = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut found: Vec<String> = paths.filter(is_example).map(name).collect();
    found.sort_unstable();
    let mut listed: Vec<&str> = examples.iter().map(|example| example.name).collect();
    listed.sort_unstable();
    assert_eq!(found, listed, "{directory}: the examples (left), and those of the table (right)");
}

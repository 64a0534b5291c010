//! Instruction counts of the workloads, measured by valgrind if it is installed.
//!
//! This program runs itself under valgrind, once for each workload, and subtracts the count of a
//! run that does nothing.

use std::fmt::Write;
use std::process::Command;
use std::{env, fs};

use crate::workloads::{WORKLOADS, Workload};

/// The environment variable that tells the child process which workload to run.
const WORKLOAD: &str = "GOLDEN_WORKLOAD";
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/instructions.txt");

/// The relative tolerance of a count with the same compiler. Counts differ because system libraries
/// copy memory in different ways.
const SAME_COMPILER: f64 = 0.05;

/// The relative tolerance with another compiler, for the ratio of a count to the first count.
const OTHER_COMPILER: f64 = 0.15;

/// The hand-written recursion that the other workloads are compared with.
fn recursion(board: u64, columns: u64, left: u64, right: u64) -> u64 {
    if columns == board {
        return 1;
    }
    let (mut free, mut solutions) = (board & !(columns | left | right), 0);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free &= free - 1;
        solutions += recursion(board, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    solutions
}

const BY_HAND: &str = "9-queens, a recursion by hand";

#[test]
#[ignore = "run by the other test in a child process"]
fn workload() {
    let Ok(name) = env::var(WORKLOAD) else { return };
    if name == BY_HAND {
        assert_eq!(recursion(std::hint::black_box((1 << 9) - 1), 0, 0, 0), 352);
    }
    if let Some((_, run)) = WORKLOADS.iter().find(|(known, _)| *known == name) {
        std::hint::black_box(run());
    }
}

/// Returns the instruction count of a workload. A run with an unknown name does nothing.
fn instructions(name: &str) -> Result<u64, String> {
    let itself = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(itself)
        .args(["--exact", "instructions::workload", "--ignored", "--test-threads=1"])
        .env(WORKLOAD, name)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let counted =
        stderr.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    counted.filter(|_| output.status.success()).ok_or_else(|| format!("{name}: {stderr}"))
}

fn compiler() -> String {
    let version = Command::new("rustc").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!("{}, {}", version.unwrap_or_default(), env::consts::ARCH)
}

/// Parses the compiler and the counts by name.
fn read(text: &str) -> Option<(String, Vec<(String, u64)>)> {
    let (compiler, rest) = text.split_once('\n')?;
    let count = |line: &str| {
        let (count, name) = line.trim().split_once(' ')?;
        Some((name.trim().to_owned(), count.parse().ok()?))
    };
    Some((compiler.to_owned(), rest.lines().map(count).collect::<Option<_>>()?))
}

/// Run it with `cargo test --release --test golden -- --ignored`.
#[test]
#[ignore = "takes half a minute, in release builds only: see its comment"]
fn instruction_counts_stay_within_the_tolerance() {
    if cfg!(debug_assertions) {
        println!("not checked: only release builds are compared");
        return;
    }
    let idle = match instructions("nothing") {
        Ok(idle) => idle,
        Err(error) => {
            println!("not checked: {error}");
            return;
        }
    };
    let named = WORKLOADS.iter().map(|&(name, _): &Workload| name);
    let found: Vec<(String, u64)> = std::iter::once(BY_HAND)
        .chain(named)
        .map(|name| {
            let counted = instructions(name).expect("it has run before");
            (name.to_owned(), counted.saturating_sub(idle))
        })
        .collect();
    let compiler = compiler();
    if env::var_os("UPDATE_EXPECT").is_some() {
        let mut text = format!("{compiler}\n");
        for (name, count) in &found {
            let _ = writeln!(text, "{count:>12} {name}");
        }
        fs::write(FILE, text).expect("the file can be written");
        return;
    }
    let (compiled_by, expected) =
        read(&fs::read_to_string(FILE).expect("the file is there")).expect("it is well-formed");
    let (same, tolerance) = match compiled_by == compiler {
        true => (true, SAME_COMPILER),
        false => (false, OTHER_COMPILER),
    };
    let names =
        |counts: &[(String, u64)]| counts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "the workloads differ from those in {FILE}");
    let mut differ = String::new();
    for ((name, found_now), (_, expected_now)) in found.iter().zip(&expected) {
        let scale = if same { 1.0 } else { expected[0].1 as f64 / found[0].1 as f64 };
        let ratio = scale * *found_now as f64 / *expected_now as f64;
        println!("{name}: {found_now} instructions, {ratio:.4} times the expected count");
        if (ratio - 1.0).abs() > tolerance {
            let _ = writeln!(
                differ,
                "{name}: {expected_now} expected, {found_now} found: {ratio:.3} times"
            );
        }
    }
    assert!(
        differ.is_empty(),
        "compiled by {compiled_by} and {compiler}, in instructions:\n{differ}"
    );
}

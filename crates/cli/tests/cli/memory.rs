//! Measures how runs end in a system with too little memory, with an address space of limited size
//! in place of such a system. Only Linux enforces `ulimit -v`.
//!
//! It depends on the machine and its allocator, so it asserts nothing: a thread that starts while
//! no memory is left aborts in the standard library. `tests/full_system` tests the same with an
//! allocator that has a limit, and `tests/memory` tests memory limits.

use std::process::{Command, Output};

use crate::programs::{program, subcommand};

/// Runs a program with an address space of this many kilobytes.
fn run_within(kilobytes: u32, tokens: &[&str]) -> Output {
    let limit = format!("ulimit -v {kilobytes} && exec \"$@\"");
    let mut command = Command::new("sh");
    command
        .args(["-c", &limit, "sh"])
        .arg(program(tokens[0]))
        .args(subcommand(tokens[0]))
        .args(&tokens[1..]);
    command.output().expect("a shell")
}

#[test]
#[ignore = "a measurement of a minute: cargo build --examples && \
            cargo test -p secateurs-cli -- --ignored --nocapture memory::"]
fn runs_with_too_little_memory() {
    for line in [
        "count hamiltonian-cycles 16 16 --table hash --time 0.5",
        "count hamiltonian-cycles 16 16 --table hash --threads 4 --time 0.5",
        "count hamiltonian-cycles 19 18 --time 0.5",
        "count hamiltonian-cycles 19 18 --threads 2 --time 0.5",
        "count simple-paths 11 11 --sample 3 --time 0.5",
    ] {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        // `start` is about the least address space in which the program starts. Its code takes most
        // of that, and each thread takes another 2 MB.
        let starts = |&kilobytes: &u32| run_within(kilobytes, &[tokens[0], "-V"]).status.success();
        let start = (10_000..200_000).step_by(1_000).find(starts).expect("a program that starts");
        for more in [4_000, 9_000, 14_000, 34_000, 84_000, 384_000] {
            let output = run_within(start + more, &tokens);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let message = stderr.lines().last().unwrap_or_default();
            println!("{line} within {} kB: {}, {message}", start + more, output.status);
        }
    }
}

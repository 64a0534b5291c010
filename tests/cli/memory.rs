//! Runs with too little memory: they stop with an error message and never abort.
//!
//! Only Linux enforces `ulimit -v`.

use std::process::{Command, Output};

use crate::programs::program;

/// Runs a program with an address space of this many kilobytes.
fn run_within(kilobytes: u32, tokens: &[&str]) -> Output {
    let limit = format!("ulimit -v {kilobytes} && exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limit, "sh"]).arg(program(tokens[0])).args(&tokens[1..]);
    command.output().expect("a shell")
}

/// Runs a program in the same way. Returns whether it has stopped at the memory limit.
fn stops_for_memory(kilobytes: u32, tokens: &[&str]) -> bool {
    let output = run_within(kilobytes, tokens);
    let stderr = String::from_utf8_lossy(&output.stderr);
    // An abort has no exit code. A limit has 3, and an error of the program, 2.
    let ended = matches!(output.status.code(), Some(0 | 2 | 3));
    assert!(ended, "{tokens:?} within {kilobytes} kB: {}\n{stderr}", output.status);
    stderr.contains("memory limit")
}

/// Asserts that a program does not abort with little and with more memory, and that some run stops
/// at the memory limit. The number of such runs depends on the machine, because a run with more
/// memory may reach its time limit first.
fn assert_never_aborts(line: &str) {
    let tokens: Vec<&str> = line.split_whitespace().collect();
    // `start` is about the least address space in which the program starts. Its code takes most of
    // that, and each thread takes another 2 MB.
    let starts = |&kilobytes: &u32| run_within(kilobytes, &[tokens[0], "-V"]).status.success();
    let start = (10_000..200_000).step_by(1_000).find(starts).expect("a program that starts");
    let more = [4_000, 9_000, 14_000, 34_000, 84_000, 384_000];
    let stopped = more.into_iter().filter(|more| stops_for_memory(start + more, &tokens)).count();
    assert!(stopped > 0, "{line}: never stopped at the limit of memory");
}

#[test]
fn a_sweep_in_a_hash_table_never_aborts() {
    assert_never_aborts("count hamiltonian-cycles 16 16 --table hash --time 0.5");
    assert_never_aborts("count hamiltonian-cycles 16 16 --table hash --threads 4 --time 0.5");
}

#[test]
fn a_sweep_in_dense_tables_never_aborts() {
    assert_never_aborts("count hamiltonian-cycles 19 18 --time 0.5");
    assert_never_aborts("count hamiltonian-cycles 19 18 --threads 2 --time 0.5");
}

#[test]
fn a_sweep_that_keeps_its_layers_never_aborts() {
    assert_never_aborts("count simple-paths 11 11 --sample 3 --time 0.5");
}

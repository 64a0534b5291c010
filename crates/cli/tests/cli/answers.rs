//! Answers that do not depend on model, options and number of threads, and answers to input from
//! standard input.

use crate::run::Shell;

/// Models of n-queens that run with several threads.
const MODELS: [&str; 4] = ["bits", "marks", "csp", "cover"];

/// A fire-net board of four rows.
const FIRE_NET: &str = "4\n.X..\n....\nXX..\n....\n";

fn assert_answer_to(input: &str, line: &str, answer: &str) {
    Shell::in_repository().run_with(line, input).assert_answer(answer);
}

#[test]
fn all_queens_models_count_the_same() {
    let shell = Shell::in_repository();
    for model in ["bits", "marks", "lookback", "csp", "cover"] {
        shell.assert_answer(&format!("queens 9 --model {model} --answer-only"), "352");
        shell.assert_answer(&format!("queens 3 --model {model} --first --answer-only"), "none");
    }
}

#[test]
fn propagation_and_order_of_variables_do_not_change_the_count() {
    let shell = Shell::in_repository();
    for propagation in
        ["backward", "forward", "forward-without-wipe-out-test", "arc-consistency", "full"]
    {
        for order in [
            "input",
            "smallest",
            "smallest-last",
            "swapped",
            "swapped-last",
            "domain-degree",
            "weighted",
        ] {
            let options = format!("--model csp --propagation {propagation} --order {order}");
            shell.assert_answer(&format!("queens 7 {options} --answer-only"), "40");
        }
    }
}

/// The article's program by propagation: an array of the open rows, of which the chosen one is
/// swapped to the front, without undoing the swap. Lists the solutions in the order in which they
/// are found, with columns from 1, and counts the calls.
fn place_queens(
    array: &mut Vec<usize>,
    placed: usize,
    free: &[Vec<bool>],
    columns: &mut Vec<usize>,
    list: &mut String,
) -> u64 {
    let size = columns.len();
    if placed == size {
        let columns: Vec<_> = columns.iter().map(|column| (column + 1).to_string()).collect();
        list.push_str(&format!("{}\n", columns.join(" ")));
        return 1;
    }
    let squares = |row: usize| free[row].iter().filter(|&&is_free| is_free).count();
    let mut best = placed;
    for index in placed + 1..size {
        if squares(array[index]) <= squares(array[best]) {
            best = index;
        }
    }
    array.swap(placed, best);
    let row = array[placed];
    let mut calls = 1;
    for column in 0..size {
        if !free[row][column] {
            continue;
        }
        columns[row] = column;
        let mut left = free.to_vec();
        for &other in &array[placed + 1..] {
            for (square, is_free) in left[other].iter_mut().enumerate() {
                let sideways = square.abs_diff(column);
                *is_free &= sideways != 0 && sideways != row.abs_diff(other);
            }
        }
        calls += place_queens(array, placed + 1, &left, columns, list);
    }
    calls
}

#[test]
fn queens_are_listed_in_the_order_of_the_articles_program() {
    for size in [4, 6, 8] {
        let (mut array, mut columns, mut list) =
            ((0..size).collect(), vec![0; size], String::new());
        let free = vec![vec![true; size]; size];
        let calls = place_queens(&mut array, 0, &free, &mut columns, &mut list);
        let options =
            "--model csp --order swapped-last --propagation forward-without-wipe-out-test";
        let answer = Shell::in_repository().answer(&format!("queens {size} {options} --list"));
        let listed = answer.split_once("\n\n").expect("a list and a report").0;
        assert_eq!(listed.lines().collect::<Vec<_>>(), list.lines().collect::<Vec<_>>());
        let nodes = answer.lines().find(|line| line.starts_with("nodes")).expect("a count");
        let digits: String = nodes.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(digits, calls.to_string(), "calls for {size} queens");
    }
}

#[test]
fn a_thousand_queens_are_placed_from_the_centre_out() {
    let line = "queens 1000 --model csp --values centre-out --first --answer-only";
    let board = Shell::in_repository().answer(line);
    assert_eq!(board.matches('Q').count(), 1000, "queens on the board of: {line}");
}

#[test]
fn threads_do_not_change_the_answers() {
    let shell = Shell::in_repository();
    for model in MODELS {
        shell.assert_answer(&format!("queens 9 --model {model} --threads 2 --answer-only"), "352");
        for question in ["queens 8 --list", "queens 6 --boards", "queens 16 --first"] {
            let line = format!("{question} --model {model} --answer-only");
            let one = shell.answer(&line);
            let two = shell.answer(&format!("{line} --threads 2"));
            assert_eq!(one, two, "{line}: one thread (left) and two threads (right)");
        }
    }
}

#[test]
fn a_count_at_a_node_limit_is_a_lower_bound() {
    for model in MODELS {
        let line = format!("queens 12 --model {model} --nodes 1 --answer-only");
        Shell::in_repository().run(&line).assert_stopped("at least 0");
    }
}

#[test]
fn a_second_sweep_gets_what_the_first_one_has_left_of_the_nodes() {
    // The first sweep needs more memory, and the second one, by residues, more states.
    let line = "count simple-paths 12 12 --table hash --memory 3500K --nodes 5000000";
    let finished = Shell::in_repository().run(line);
    finished.assert_code(3);
    let by_residues = finished.stderr.contains("pass 1") && finished.stderr.contains("node limit");
    assert!(by_residues, "{finished}");
    let states = finished.stdout.lines().find_map(|line| line.strip_prefix("states "));
    let states: String = states.expect("a report").split_whitespace().collect();
    let states: u64 = states.parse().expect("a number");
    assert!((1..4_000_000).contains(&states), "{finished}");
}

/// The search is interrupted when it has reported its progress.
#[cfg(unix)]
#[test]
fn progress_is_reported_on_standard_error_only() {
    use std::io::{BufRead, BufReader};

    let mut running = Shell::in_repository().start("queens 40 --progress --answer-only");
    let mut stderr = BufReader::new(running.child().stderr.take().expect("a pipe")).lines();
    let line = stderr.next().expect("a line of progress").expect("text");
    let is_progress =
        line.contains(" done, ") && line.contains(" nodes/s, ") && line.ends_with(" nodes");
    assert!(is_progress, "expected: a line of progress, actual: {line}");
    running.interrupt();
    // The pipe is read to its end, so that the program can write what follows.
    stderr.for_each(drop);
    let finished = running.finish();
    finished.assert_code(130);
    assert_eq!(finished.stdout, "at least 0\n");
}

#[test]
fn fire_net_reads_standard_input() {
    assert_answer_to(FIRE_NET, "fire-net --answer-only -", "5");
    assert_answer_to(FIRE_NET, "fire-net --count --threads 2 --answer-only -", "175");
}

#[test]
fn sudoku_reads_standard_input() {
    // Two ones in a row: no solution.
    let contradiction = format!("{}11", "0".repeat(79));
    for model in ["csp", "cover"] {
        assert_answer_to(
            &contradiction,
            &format!("sudoku - --model {model} --answer-only"),
            "none",
        );
    }
    let blank = "0".repeat(81);
    let stopped =
        Shell::in_repository().run_with("sudoku - --count --nodes 1000 --answer-only", &blank);
    stopped.assert_stopped("at least 91");
}

#[test]
fn cover_reads_standard_input() {
    assert_answer_to("a b | c\na c:1\nb c:2\n", "cover - --answer-only", "none");
}

#[test]
fn graphs_are_read_from_standard_input() {
    let triangle = "p edge 3 3\ne 1 2\ne 2 3\ne 3 1\n";
    assert_answer_to(triangle, "coloring - --answer-only", "3");
    let triangle_and_edge = "p col 4 4\ne 1 2\ne 2 3\ne 3 1\ne 3 4\n";
    assert_answer_to(triangle_and_edge, "clique - --answer-only", "3");
}

#[test]
fn job_shops_are_read_from_standard_input() {
    let shop = "2 2\n0 3 1 2\n1 4 0 1\n";
    assert_answer_to(shop, "job-shop - --answer-only", "6");
    // No job has a step.
    assert_answer_to("2 0\n", "job-shop - --answer-only", "0");
}

#[test]
#[ignore = "ten seconds: cargo build --release --examples && \
            cargo test --release --package secateurs-cli -- --ignored"]
fn all_sets_of_three_prunings_are_compared() {
    let line = "compare fire-net --prunings 3-5 --subsets all --rounds 1 --markdown";
    Shell::in_repository().run(line).assert_code(0);
}

//! The behaviour of each example when a limit is reached, when it is interrupted, with empty or
//! wrong input, and with a limit of time or memory.
//!
//! No reaction depends on the speed of the machine: a run that a limit of time stops, or that is
//! interrupted, would take hours, and one that completes has an hour.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::run::Shell;
use crate::situations::Example;
use crate::situations::Reaction::{CheckFailed, Complete, Ends, Never, Refused, Stopped};
use crate::situations::Situation::{Empty, Interrupted, Limit, Memory, Time, Wrong};

/// A DIMACS graph in which a pair of vertices is an edge with this probability in per cent.
fn graph(vertices: u64, density: u64) -> String {
    let mut random = 1_u64;
    let mut edges = Vec::new();
    for one in 1..vertices {
        for other in one + 1..=vertices {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if (random >> 33) % 100 < density {
                edges.push((one, other));
            }
        }
    }
    let mut text = format!("p edge {vertices} {}\n", edges.len());
    for (one, other) in edges {
        let _ = writeln!(text, "e {one} {other}");
    }
    text
}

/// An exact cover by all pairs of this many items, as many as there are perfect matchings.
fn pairs(items: usize) -> String {
    let mut text: String = (0..items).map(|item| format!("{item} ")).collect();
    for one in 0..items {
        for other in one + 1..items {
            let _ = write!(text, "\n{one} {other}");
        }
    }
    text
}

/// A text with a first line, and a square of equal characters.
fn board(first: &str, side: usize, cell: &str) -> String {
    format!("{first}\n{}", format!("{}\n", cell.repeat(side)).repeat(side))
}

/// Returns the reactions of each example to each situation.
fn examples() -> Vec<Example> {
    let [fuses, open] = [board("1", 14, "L"), board("30", 30, ".")];
    let blank = board("", 16, "0 ");
    let blank = blank.trim_start();
    let long_sweep = "hamiltonian-cycles 26 26 --table hash";
    vec![
        Example::new("audit")
            .on(Limit, "fire-net --small 4 --time 1 --answer-only", Stopped("unknown"))
            .on(Interrupted, "fire-net --small 4", Ends)
            .on(Empty, "queens --small 0 --boards 0", Refused("no boards"))
            .on(Wrong, "chess", Refused("chess"))
            .on(Wrong, "fire-net --wrong 9a --boards 0", CheckFailed("UNSOUND"))
            .on(Time, "fire-net --small 4 --time 0.5", Stopped("stopped"))
            .on(Memory, "queens --memory 64M", Refused("--memory")),
        Example::new("clique")
            .on_input(Limit, "- --nodes 100 --answer-only", &graph(200, 90), Stopped("at least "))
            .on_input(Interrupted, "-", &graph(200, 90), Ends)
            .on(Empty, "-", Refused("p edge VERTICES EDGES"))
            .on(Wrong, "no-such-file", Refused("no-such-file"))
            .on_input(Time, "- --time 0.5", &graph(200, 90), Stopped("at least "))
            .on(Memory, "--memory 64M", Complete),
        Example::new("coloring")
            .on_input(Limit, "- --nodes 100 --answer-only", &graph(150, 50), Stopped("at least "))
            .on_input(Interrupted, "-", &graph(150, 50), Ends)
            .on(Empty, "-", Refused("p edge VERTICES EDGES"))
            .on(Wrong, "no-such-file", Refused("no-such-file"))
            .on_input(Time, "- --time 0.5", &graph(150, 50), Stopped("at least "))
            .on(Memory, "--memory 64M", Complete),
        Example::new("compare")
            .on(Limit, "queens --sizes 8 --nodes 5 --rounds 1 --answer-only", Stopped("unknown"))
            .on(Interrupted, "fire-net --nodes 1000000000", Ends)
            .on(Empty, "-", Refused("found no board"))
            .on(Empty, "queens --sizes 0", Refused("--sizes"))
            .on(Wrong, "no-such-file", Refused("no-such-file"))
            .on(Time, "queens --sizes 5 --rounds 1 --time 1h", Complete)
            .on(Memory, "queens --sizes 5 --rounds 1 --memory 64M", Complete),
        Example::new("count")
            .on(Limit, "domino-tilings 8 8 --nodes 9 --answer-only", Stopped("unknown"))
            .on(Limit, "domino-tilings 8 8 --states 9", Stopped("stop "))
            .on(Limit, "hamiltonian-cycles 26 26 --memory 4M", Stopped("unknown"))
            .on(Interrupted, long_sweep, Ends)
            .on(Interrupted, "hamiltonian-cycles 20 20 --checkpoint saved", Ends)
            .on(Empty, "domino-tilings 0 5", Refused("at least one"))
            .on(Empty, "domino-tilings 2 2 --obstacles -", Refused("found nothing"))
            .on(Wrong, "domino-tilings 8", Refused("COLS"))
            .on(Time, &format!("{long_sweep} --time 0.5"), Stopped("unknown"))
            .on(Time, "simple-paths 3 3 --sample 1000000000000 --time 0.5", Stopped(""))
            .on(Memory, &format!("{long_sweep} --memory 4M"), Stopped("unknown")),
        Example::new("cover")
            .on(Limit, "--nodes 1 --answer-only", Stopped("unknown"))
            .on_input(Interrupted, "- --count", &pairs(24), Ends)
            .on(Empty, "-", Refused("a line of items"))
            .on(Wrong, "no-such-file", Refused("no-such-file"))
            .on_input(Time, "- --count --time 0.5", &pairs(24), Stopped("at least "))
            .on(Memory, "--memory 64M", Complete),
        Example::new("fire-net")
            .on(Limit, "--nodes 9 --answer-only", Stopped("at least "))
            .on_input(Interrupted, "- --branch cells --prunings none", &open, Ends)
            .on_input(Interrupted, "- --estimate 1000000000000", &open, Ends)
            .on(Empty, "-", Refused("the text is empty"))
            .on_input(Empty, "-", "0 3\n", Refused("without cells"))
            .on(Wrong, "--prunings 11", Refused("11"))
            .on_input(
                Time,
                "- --branch cells --prunings none --time 0.5",
                &open,
                Stopped("at least "),
            )
            .on(Memory, "--memory 64M", Complete),
        Example::new("graph-count")
            .on(Limit, "matchings --grid 9x9 --states 9 --answer-only", Stopped("unknown"))
            .on(Limit, "matchings --grid 9x9 --nodes 9", Stopped("stop "))
            .on(Interrupted, "simple-cycles --grid 20x20", Ends)
            .on(Limit, "matchings --grid 9x9 --then maximal --states 9", Stopped("unknown"))
            .on(Interrupted, "simple-cycles --grid 20x20 --list 1", Ends)
            .on(Interrupted, "edge-sets --grid 20x20 --list 1000000000000", Ends)
            .on(Empty, "matchings -", Refused("found no edge"))
            .on(Empty, "matchings --grid 0x3", Refused("from 1"))
            .on(Wrong, "matchings --grid 3xy", Refused("3xy"))
            .on(Wrong, "matchings --then size=3..5", Refused("2..=5"))
            .on(Wrong, "matchings --grid 4294967296x4294967296 --estimate", Refused("2^64"))
            .on(Time, "simple-cycles --grid 20x20 --time 0.5", Stopped("unknown"))
            .on(Time, "simple-cycles --grid 20x20 --list 1 --time 0.5", Stopped("unknown"))
            .on(Time, "matchings --anneal 1000000000000 --time 0.5", Stopped("unknown"))
            .on(Memory, "simple-cycles --grid 20x20 --memory 4M", Stopped("unknown"))
            .on(Memory, "simple-cycles --grid 20x20 --list 1 --memory 4M", Stopped("unknown")),
        Example::new("job-shop")
            .on(Limit, "--nodes 0 --answer-only", Stopped("unknown"))
            .on(Limit, "--nodes 125 --answer-only", Stopped("at most "))
            .on(Interrupted, "--generate 20 20", Ends)
            .on(Empty, "-", Refused("JOBS MACHINES"))
            .on(Empty, "--generate 0 5", Refused("from 1"))
            .on(Wrong, "no-such-file", Refused("no-such-file"))
            .on(Time, "--generate 20 20 --time 0.5", Stopped("20 jobs, 20 machines"))
            .on(Memory, "--memory 64M", Complete),
        Example::new("optimise")
            .on(Limit, "knapsack --nodes 0 --answer-only", Stopped("unknown"))
            .on(Limit, "tardiness --size 30 --nodes 100000 --answer-only", Stopped("at most "))
            .on(Limit, "knapsack --nodes 20000 --answer-only", Stopped("at least "))
            .on(Interrupted, "independent-set --size 300", Ends)
            .on(Empty, "knapsack -", Refused("expected the capacity"))
            .on(Empty, "independent-set -", Refused("p edge"))
            .on(Empty, "max-2sat -", Refused("p wcnf"))
            .on(Wrong, "knapsack no-such-file", Refused("no-such-file"))
            .on(Wrong, "knapsack --size 18446744073709551615", Refused("items"))
            .on(Wrong, "max-2sat --size 18446744073709551615", Refused("variables"))
            .on(Time, "independent-set --size 300 --time 0.5", Stopped("time limit"))
            .on(Memory, "independent-set --size 300 --memory 8M", Stopped("at least ")),
        Example::new("knights-count")
            .on(Limit, "6 6 --states 9 --answer-only", Stopped("unknown"))
            .on(Interrupted, "8 8", Ends)
            .on(Empty, "0 4", Refused("1"))
            .on(Wrong, "six 6", Refused("six"))
            .on(Time, "8 8 --time 0.5", Stopped("unknown"))
            .on(Memory, "8 8 --memory 4M", Stopped("unknown")),
        Example::new("knights-tour")
            .on(Limit, "8 --count --nodes 99 --answer-only", Stopped("at least "))
            .on(Limit, "9 --model circuit --nodes 2 --answer-only", Stopped("unknown"))
            .on(Interrupted, "8 --count", Ends)
            .on(Empty, "0 5", Refused("1"))
            .on(Wrong, "8 --start 9", Refused("ROW,COLUMN"))
            .on(Time, "8 --count --time 0.5", Stopped("at least "))
            .on(Memory, "8 --memory 64M", Complete),
        Example::new("lab")
            .on(Limit, "", Never("it runs nothing itself"))
            .on(Interrupted, "", Never("it only writes files"))
            .on(Empty, "", Never("it has no input"))
            .on(Wrong, "--engine no-such-file", Refused("no-such-file"))
            .on(Time, "--time 1", Refused("--time"))
            .on(Memory, "--memory 64M", Refused("--memory")),
        Example::new("maze")
            .on(Limit, "--nodes 1 --answer-only", Stopped("unknown"))
            .on(Interrupted, "-", Ends)
            .on(Empty, "-", Refused("found nothing"))
            .on(Wrong, "no-such-file", Refused("no-such-file"))
            .on(Time, "--time 1h", Complete)
            .on(Memory, "--memory 64M", Complete),
        Example::new("puzzles")
            .on(Limit, "langford 20 --count --nodes 99 --answer-only", Stopped("at least "))
            .on(Limit, "pentominoes --nodes 9 --answer-only", Stopped("unknown"))
            .on(Interrupted, "langford 20 --count", Ends)
            .on(Empty, "langford 0", Refused("1"))
            .on(Empty, "pentominoes --board -", Refused("60"))
            .on(Wrong, "chess", Refused("chess"))
            .on(Time, "magic-square 5 --count --time 0.5", Stopped("at least "))
            .on(Memory, "langford 8 --memory 64M", Complete),
        Example::new("queens")
            .on(Limit, "30 --nodes 99 --answer-only", Stopped("at least 0"))
            .on(Limit, "30 --nodes 9 --first --answer-only", Stopped("unknown"))
            // The count takes 2057 nodes, which leaves too few to find a solution to draw.
            .on(Limit, "8 --svg board.svg --nodes 2060 --answer-only", Stopped("92"))
            .on(Interrupted, "30", Ends)
            .on(Interrupted, "20 --estimate 1000000000000", Ends)
            .on(Empty, "0", Refused("1"))
            .on(Empty, "8 --complete -", Refused("found no squares"))
            .on(Empty, "8 --estimate 0", Refused("nothing is estimated"))
            .on(Wrong, "8 --model chess", Refused("chess"))
            .on(Time, "30 --time 0.5", Stopped("at least "))
            .on(Time, "20 --estimate 1000000000000 --time 0.5", Stopped(""))
            .on(Time, "20 --estimate 5 --time 0", Stopped(""))
            .on(Memory, "8 --memory 64M", Complete),
        Example::new("rocket-mania")
            .on_input(Limit, "- --states 9 --answer-only", &fuses, Stopped("unknown"))
            .on_input(Interrupted, "- --prunings none", &fuses, Ends)
            .on(Empty, "-", Refused("found no case"))
            .on(Wrong, "--prunings 5", Refused("5"))
            .on_input(Time, "- --prunings none --time 0.5", &fuses, Stopped("unknown"))
            .on_input(Memory, "- --prunings none --memory 4M", &fuses, Stopped("unknown")),
        Example::new("sudoku")
            .on_input(Limit, "- --count --limit 2 --answer-only", blank, Stopped("at least 2"))
            .on(Limit, "--count --svg board.svg --nodes 270 --answer-only", Stopped("1"))
            .on_input(Interrupted, "- --count --limit 1000000000000", blank, Ends)
            .on(Empty, "-", Refused("found no cell"))
            .on(Wrong, "--boxes 3", Refused("2x3"))
            .on_input(
                Time,
                "- --count --limit 1000000000000 --time 0.5",
                blank,
                Stopped("at least"),
            )
            .on(Memory, "--memory 64M", Complete),
        Example::new("tree")
            .on(Limit, "queens 20 --nodes 99 --answer-only", Stopped("at least "))
            .on(Limit, "hamiltonian-cycles 6 --states 9", Stopped("state limit"))
            .on(Interrupted, "queens 20 --record-nodes 1000", Ends)
            .on(Empty, "queens 0", Refused("1"))
            .on(Empty, "rocket-mania -", Refused("found no case"))
            .on(Wrong, "chess", Refused("chess"))
            .on(Time, "queens 20 --record-nodes 1000 --time 0.5", Stopped("time limit"))
            .on(
                Time,
                "queens 20 --mirror --beside --record-nodes 1000 --time 0.5",
                Stopped("The one beside it: 0 nodes"),
            )
            .on(Memory, "queens 6 --memory 64M", Complete),
        without_options("first_programs"),
        without_options("solve_fire_net"),
        without_options("solve_knights_tour"),
        without_options("solve_queens"),
        without_options("solve_rocket_mania"),
        without_options("your_comparison"),
        without_options("your_contour_problem"),
        without_options("your_long_run"),
        without_options("your_optimum"),
        without_options("your_problem"),
    ]
}

/// Returns the row of an example that shows how to write a program, without input and options.
fn without_options(name: &'static str) -> Example {
    let reason = "it is a program to copy, without options, and ends within seconds";
    [Limit, Interrupted, Empty, Wrong, Time, Memory]
        .into_iter()
        .fold(Example::new(name), |example, situation| example.on(situation, "", Never(reason)))
}

#[test]
fn every_command_and_example_is_in_the_table() {
    let examples = examples();
    let listed: BTreeSet<&str> = examples.iter().map(|example| example.name).collect();
    let mut expected = crate::documentation::subcommands();
    expected.extend(crate::documentation::programs("examples"));
    assert_eq!(expected.iter().map(String::as_str).collect::<BTreeSet<_>>(), listed);
}

#[test]
fn examples_follow_the_conventions() {
    examples().iter().for_each(Example::check);
}

#[test]
fn a_complete_count_of_none_needs_no_search_for_a_picture() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    // The counts leave too few nodes for a second search.
    for question in ["", "--list ", "--fundamental ", "--model cover "] {
        let line = format!("queens 3 {question}--nodes 8 --svg none.svg --answer-only");
        let finished = Shell::new(directory.path()).run(&line);
        finished.assert_code(0);
    }
}

#[test]
fn a_picture_after_a_resumed_count_takes_what_this_run_has_left_of_the_nodes() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let shell = Shell::new(directory.path());
    // Of 2057 nodes, the second run visits 557.
    shell.run("queens 8 --checkpoint saved --nodes 1500 --answer-only").assert_code(3);
    let line = "queens 8 --resume saved --svg board.svg --answer-only";
    shell.assert_answer(&format!("{line} --nodes 1500"), "92");
    let drawn = std::fs::read_to_string(directory.path().join("board.svg")).expect("a picture");
    shell.run("queens 8 --first --svg first.svg --answer-only").assert_code(0);
    let first = std::fs::read_to_string(directory.path().join("first.svg")).expect("a picture");
    assert!(drawn == first, "{drawn}");
    // The count is complete already, and the picture needs more than 10 nodes.
    shell.run(&format!("{line} --nodes 10")).assert_stopped("92");
}

#[test]
fn an_estimate_without_time_runs_no_greedy_search() {
    let stopped = Shell::in_repository().run("fire-net --estimate --time 0");
    stopped.assert_code(3);
    assert!(stopped.stdout.is_empty(), "{stopped}");
}

#[test]
fn times_and_sizes_have_units() {
    let shell = Shell::in_repository();
    for time in ["9000.5", "90000s", "25000000ms", "200m", "1.5min", "1h", "1d"] {
        shell.assert_answer(&format!("queens 4 --answer-only --time {time}"), "2");
    }
    shell.run("queens 4 --answer-only --time 0ms").assert_stopped("at least 0");
    for size in ["100000000", "512M", "512MiB", "512MB", "1.5G", "64k", "1T"] {
        shell.run(&format!("queens 4 --answer-only --memory {size}")).assert_code(0);
    }
    for line in ["--time -1", "--time 2x", "--time inf", "--memory M", "--memory 1Q", "--memory -1"]
    {
        shell.assert_refused(&format!("queens 4 {line}"), "--");
    }
}

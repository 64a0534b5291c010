//! Searches and sweeps that are saved, killed, interrupted and resumed.
//!
//! No test depends on timing: a program that ends before it is killed or interrupted must have
//! printed the answer.

mod graphs;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::run::{Running, Shell};

/// The time from the creation of a checkpoint until the program is killed or interrupted.
const HEAD_START: Duration = Duration::from_millis(50);

/// A temporary directory, and a shell that runs in it.
struct Scratch {
    directory: TempDir,
    shell: Shell,
}

impl Scratch {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let shell = Shell::new(directory.path());
        Scratch { directory, shell }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.directory.path().join(file)
    }

    fn read(&self, file: &str) -> Vec<u8> {
        fs::read(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(file), bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
    }

    /// Starts a command line and kills it with SIGKILL after it has created its checkpoint. Checks
    /// the answer if it has ended before.
    fn kill(&self, line: &str, file: &str, answer: &str) {
        let mut running = self.shell.start(line);
        wait_for(&mut running, &self.path(file));
        running.child().kill().expect("a process to kill");
        let finished = running.finish();
        // A killed process has an exit code only on Windows.
        if finished.status.success() || cfg!(unix) && finished.status.code().is_some() {
            println!("ended before it was killed: {line}");
            finished.assert_answer(answer);
        }
    }

    /// Asserts that each of `commands` is refused with a message that contains its mention, and
    /// that `file` is left unchanged.
    fn assert_refused_without_change(&self, file: &str, commands: &[(&str, &str)]) {
        let before = self.read(file);
        for (line, mention) in commands {
            self.shell.assert_refused(line, mention);
        }
        assert!(
            self.read(file) == before,
            "{file}: changed by a refused command, one of {commands:?}"
        );
    }
}

/// Waits until a program has created `file` or has ended, and then for [`HEAD_START`].
fn wait_for(running: &mut Running, file: &Path) {
    while !file.exists() && running.child().try_wait().expect("a process").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(HEAD_START);
}

#[test]
fn a_repeated_route_is_drawn_although_a_limit_stops_the_comparison() {
    let scratch = Scratch::new();
    scratch.write("maze.txt", "######\n#S..G#\n#....#\n#....#\n######\n");
    // The depth-first search ends after 3 steps, and the search for a shortest path is stopped.
    let line = "maze maze.txt --strategy dfs --again --nodes 5 --svg route.svg";
    scratch.shell.run(line).assert_code(3);
    assert!(scratch.read("route.svg").starts_with(b"<svg"));
}

/// Kills a count of queens twice, and resumes it to the end and once more.
fn kill_and_resume_queens(size: usize, answer: &str) {
    let scratch = Scratch::new();
    let line = format!("queens {size} --answer-only --every 0.02");
    scratch.kill(&format!("{line} --checkpoint saved"), "saved", answer);
    scratch.kill(&format!("{line} --resume saved"), "saved", answer);
    scratch.shell.assert_answer(&format!("{line} --resume saved"), answer);
    // The file contains the answer now.
    scratch.shell.assert_answer(&format!("{line} --resume saved"), answer);
}

#[test]
fn a_killed_search_resumes_to_the_exact_count() {
    kill_and_resume_queens(14, "365596");
}

#[test]
#[ignore = "ten seconds: cargo build --release --examples && \
            cargo test --release --package secateurs-cli -- --ignored"]
fn a_killed_large_search_resumes_to_the_exact_count() {
    kill_and_resume_queens(15, "2279184");
}

#[test]
fn a_checkpoint_of_another_search_is_refused() {
    let scratch = Scratch::new();
    let line = "queens 8 --nodes 1000 --answer-only --checkpoint saved";
    let partial = scratch.shell.partial_answer(line);
    assert!(partial.starts_with("at least "), "{line}\nexpected: at least …, actual: {partial}");
    let saved = scratch.read("saved");
    scratch.write("short", &saved[..saved.len() / 2]);
    scratch.assert_refused_without_change(
        "saved",
        &[
            ("queens 8 --checkpoint saved", "saved: "),
            ("queens 7 --resume saved", "saved: "),
            ("queens 8 --first --resume saved", "saved: "),
            ("queens 8 --model cover --resume saved", "saved: "),
            ("queens 8 --resume none", "none: "),
            ("queens 8 --checkpoint none --every soon", "soon"),
            ("queens 8 --checkpoint none --resume saved", "--resume"),
            ("queens 8 --resume short", "short: "),
        ],
    );
    assert!(!scratch.path("none").exists(), "none: created by a refused command");
    scratch.shell.assert_answer("queens 8 --answer-only --resume saved", "92");
}

#[test]
fn a_saved_cover_keeps_its_branching() {
    let scratch = Scratch::new();
    // Items of 16 places and numbers, some of them marked.
    let pairs = |name: fn(usize) -> String| {
        let item = move |place: usize, number: usize| format!("{} n{number}\n", name(place));
        (0..8).flat_map(move |place| (0..8).map(move |number| item(place, number)))
    };
    let name: fn(usize) -> String = |place| format!("{}p{place}", if place < 3 { "#" } else { "" });
    let items: Vec<String> = (0..8).flat_map(|i| [name(i), format!("n{i}")]).collect();
    let text = format!("{}\n{}", items.join(" "), pairs(name).collect::<String>());
    scratch.write("squares", text);
    for (mark, other) in [("--prefer-marked ", ""), ("", "--prefer-marked ")] {
        let partial = format!("cover squares --count {mark}--nodes 1000 --answer-only");
        scratch.shell.partial_answer(&format!("{partial} --checkpoint saved"));
        let resumed = format!("cover squares --count {other}--resume saved");
        scratch.assert_refused_without_change("saved", &[(&resumed, "saved: ")]);
        let line = format!("cover squares --count {mark}--answer-only --resume saved");
        scratch.shell.assert_answer(&line, "40320");
        std::fs::remove_file(scratch.path("saved")).expect("a file");
    }
}

#[test]
fn a_search_with_threads_is_saved_to_its_end() {
    let scratch = Scratch::new();
    let finished = scratch.shell.run("queens 10 --threads 2 --checkpoint saved");
    finished.assert_code(0);
    assert!(finished.stdout.starts_with("724 solutions\n"), "expected: 724 solutions\n{finished}");
    scratch.shell.assert_answer("queens 10 --answer-only --resume saved", "724");
}

#[test]
#[ignore = "ten seconds: cargo build --release --examples && \
            cargo test --release --package secateurs-cli -- --ignored"]
fn the_long_run_of_the_readme_is_saved_to_its_end() {
    let scratch = Scratch::new();
    let finished = scratch.shell.run("queens 16 --threads 2 --checkpoint queens.saved");
    finished.assert_code(0);
    let is_answer = finished.stdout.starts_with("14772512 solutions\n");
    assert!(is_answer, "expected: 14772512 solutions\n{finished}");
    scratch.shell.assert_answer("queens 16 --answer-only --resume queens.saved", "14772512");
}

#[test]
fn counts_before_and_after_a_node_limit_add_up() {
    let scratch = Scratch::new();
    scratch.write("blank", "0".repeat(81));
    for model in ["csp", "cover"] {
        let line = format!("sudoku blank --count --model {model} --answer-only");
        let first =
            scratch.shell.partial_answer(&format!("{line} --nodes 1000 --checkpoint {model}"));
        let both = scratch.shell.partial_answer(&format!("{line} --nodes 1000 --resume {model}"));
        let at_once = scratch.shell.partial_answer(&format!("{line} --nodes 2000"));
        assert_eq!(both, at_once, "{line}: resumed (left) and at once (right)");
        assert_ne!(first, both, "{line}: before (left) and after it was resumed (right)");
        // The bundled board is another problem.
        let other = format!("sudoku --count --model {model} --resume {model}");
        scratch.assert_refused_without_change(model, &[(&other, model)]);
    }
}

/// Stops a sweep at a node limit, kills it after it was resumed, and resumes it to its end.
fn stop_kill_and_resume_sweep(sweep: &str, answer: &str) {
    let scratch = Scratch::new();
    let sweep = format!("{sweep} --answer-only --every 0");
    let stopped = scratch.shell.run(&format!("{sweep} --nodes 1000 --checkpoint saved"));
    stopped.assert_stopped("unknown");
    scratch.kill(&format!("{sweep} --threads 2 --resume saved"), "saved", answer);
    scratch.shell.assert_answer(&format!("{sweep} --resume saved"), answer);
    // The file contains the answer now.
    scratch.shell.assert_answer(&format!("{sweep} --resume saved"), answer);
}

/// The number of Hamiltonian cycles of a 12 × 12 grid.
const CYCLES_12: &str = "1076226888605605706";

/// The number of Hamiltonian cycles of a 14 × 14 grid.
const CYCLES_14: &str = "56126499620491437281263608";

#[test]
fn a_killed_sweep_in_hash_tables_resumes_to_the_exact_count() {
    stop_kill_and_resume_sweep("count hamiltonian-cycles 12 12 --table hash", CYCLES_12);
}

#[test]
#[ignore = "seconds: cargo build --release --examples && \
            cargo test --release --package secateurs-cli -- --ignored"]
fn killed_large_sweeps_resume_to_the_exact_count() {
    stop_kill_and_resume_sweep("count hamiltonian-cycles 14 14 --table hash", CYCLES_14);
    stop_kill_and_resume_sweep("count hamiltonian-cycles 14 14 --table dense", CYCLES_14);
}

#[test]
fn a_killed_sweep_in_dense_tables_resumes_to_the_exact_count() {
    stop_kill_and_resume_sweep("count hamiltonian-cycles 12 12 --table dense", CYCLES_12);
}

#[test]
fn a_killed_count_by_residues_resumes_to_the_exact_count() {
    stop_kill_and_resume_sweep(
        "count hamiltonian-cycles 12 12 --table dense --residues",
        CYCLES_12,
    );
}

#[test]
fn a_killed_count_on_a_graph_resumes_to_the_exact_count() {
    let sweep = "graph-count hamiltonian-cycles --grid 10x10";
    stop_kill_and_resume_sweep(sweep, "467260456608");
    stop_kill_and_resume_sweep(&format!("{sweep} --residues"), "467260456608");
}

#[test]
fn a_checkpoint_of_another_graph_or_order_is_refused() {
    let scratch = Scratch::new();
    let same = "graph-count simple-paths --grid 6x6 --from 0 --to 35";
    scratch.shell.run(&format!("{same} --nodes 1000 --checkpoint saved")).assert_code(3);
    let others = [
        format!("{same} --order as-given --resume saved"),
        format!("{same} --modulo 7 --resume saved"),
        format!("{same} --by-length --resume saved"),
        "graph-count simple-paths --grid 6x6 --from 0 --to 34 --resume saved".to_owned(),
        "graph-count simple-paths --grid 6x7 --from 0 --to 35 --resume saved".to_owned(),
        "graph-count simple-cycles --grid 6x6 --resume saved".to_owned(),
    ];
    let refused: Vec<_> = others.iter().map(|line| (line.as_str(), "saved: ")).collect();
    scratch.assert_refused_without_change("saved", &refused);
    scratch.shell.assert_answer(&format!("{same} --answer-only --resume saved"), "1262816");
}

#[test]
fn counts_on_boards_and_on_graphs_are_the_same_however_they_are_counted() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("layers")).expect("a directory");
    let ways = [
        "",
        " --threads 2",
        " --residues",
        " --memory 32K --spill layers",
        " --checkpoint NEW",
        " --by-length",
    ];
    for (board, graph) in [
        ("matchings 8 8", "matchings --grid 8x8"),
        ("independent-sets 8 8", "independent-sets --grid 8x8"),
        ("spanning-forests 6 5", "spanning-forests --grid 6x5"),
        ("simple-cycles 7 7 --table hash", "simple-cycles --grid 7x7"),
        ("spanning-trees 6 5 --table hash", "spanning-trees --grid 6x5 --table hash"),
        ("domino-tilings 6 5 --table hash", "perfect-matchings --grid 6x5 --table hash"),
    ] {
        let mut answers = Vec::new();
        for (command, line) in [("count", board), ("graph-count", graph)] {
            for (way, options) in ways.iter().enumerate() {
                let file = format!("{command}-{}-{way}", line.split(' ').next().unwrap_or(""));
                let line = format!("{command} {line}{options} --answer-only");
                let answer = scratch.shell.answer(&line.replace("NEW", &file));
                let sizes = answer.lines().map(|line| {
                    let number = line.rsplit(' ').next().expect("a number");
                    number.parse::<u128>().expect("a number")
                });
                answers.push(sizes.sum::<u128>());
            }
        }
        // By a determinant, if there is one.
        for line in [format!("count {board}"), format!("graph-count {graph}")] {
            let line = format!("{} --answer-only", line.replace(" --table hash", ""));
            answers.push(scratch.shell.answer(&line).trim().parse().expect("a number"));
        }
        assert!(answers.iter().all(|&answer| answer == answers[0]), "{board}: {answers:?}");
    }
}

#[test]
fn a_checkpoint_of_another_sweep_is_refused() {
    for (table, other_table) in [("hash", "dense"), ("dense", "hash")] {
        let scratch = Scratch::new();
        let sweep =
            |columns, table| format!("count hamiltonian-cycles 8 {columns} --table {table}");
        let same = sweep(8, table);
        scratch.shell.run(&format!("{same} --nodes 1000 --checkpoint saved")).assert_code(3);
        let saved = scratch.read("saved");
        scratch.write("short", &saved[..saved.len() / 2]);
        scratch.assert_refused_without_change(
            "saved",
            &[
                (&format!("{same} --checkpoint saved"), "saved: "),
                (&format!("{same} --modulo 7 --resume saved"), "saved: "),
                (&format!("{same} --residues --resume saved"), "saved: "),
                (&format!("{} --resume saved", sweep(8, other_table)), "saved: "),
                (&format!("{} --resume saved", sweep(9, table)), "saved: "),
                (&format!("{same} --resume short"), "short: "),
                (&format!("{same} --resume none"), "none: "),
            ],
        );
        scratch.shell.assert_answer(&format!("{same} --answer-only --resume saved"), "4638576");
    }
}

#[test]
fn checkpoints_of_estimates_samples_and_invalid_sweeps_are_refused() {
    let scratch = Scratch::new();
    for (line, mention) in [
        ("count hamiltonian-cycles 14 14 --estimate --checkpoint none", "--checkpoint"),
        ("count domino-tilings 4 4 --sample 1 --checkpoint none", "--checkpoint"),
        ("count domino-tilings 4 4 --modulo 0 --checkpoint none", "modulus"),
    ] {
        scratch.shell.assert_refused(line, mention);
    }
    assert!(!scratch.path("none").exists(), "none: created by a refused command");
}

/// Searches and sweeps that receive SIGINT, as from Ctrl-C.
#[cfg(unix)]
mod interruptions {
    #[cfg(target_os = "linux")]
    use std::fs;
    #[cfg(target_os = "linux")]
    use std::process::Command;
    #[cfg(target_os = "linux")]
    use std::thread;
    #[cfg(target_os = "linux")]
    use std::time::{Duration, Instant};

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::{CYCLES_12, CYCLES_14, Scratch, wait_for};

    /// Interrupts a search, checks what it prints and its exit code, and resumes it to `answer`.
    fn interrupt_and_resume_search(scratch: &Scratch, line: &str, answer: &str) {
        interrupt_and_resume(scratch, line, answer, |known| {
            match known.strip_prefix("at least ") {
                None => known == "unknown",
                Some(bound) => match (bound.parse::<u64>(), answer.parse::<u64>()) {
                    (Ok(bound), Ok(answer)) => bound <= answer,
                    _ => false,
                },
            }
        });
    }

    /// Interrupts a program, checks its exit code and its output with `is_known`, and resumes it to
    /// `answer`.
    fn interrupt_and_resume(
        scratch: &Scratch,
        line: &str,
        answer: &str,
        is_known: impl Fn(&str) -> bool,
    ) {
        let mut running = scratch.shell.start(&format!("{line} --answer-only --checkpoint saved"));
        wait_for(&mut running, &scratch.path("saved"));
        let child = running.child();
        if child.try_wait().expect("a process").is_none() {
            let process = Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
            // It may have ended by now, but keeps its process number until it is waited for.
            kill(process, Signal::SIGINT).expect("a process to interrupt");
        }
        let finished = running.finish();
        if finished.status.success() {
            println!("ended before it was interrupted: {line}");
            finished.assert_answer(answer);
        } else {
            finished.assert_code(130);
            let is_known = is_known(finished.stdout.trim_end());
            assert!(is_known, "expected: a bound of {answer}, or `unknown`\n{finished}");
            let is_saved = finished.stderr.contains("--resume saved");
            assert!(is_saved, "expected: a hint to resume the search\n{finished}");
        }
        scratch.shell.assert_answer(&format!("{line} --answer-only --resume saved"), answer);
    }

    /// Interrupts and resumes a search with one thread and with two.
    fn with_one_and_two_threads(line: &str, answer: &str) {
        for threads in [1, 2] {
            let line = format!("{line} --threads {threads}");
            interrupt_and_resume_search(&Scratch::new(), &line, answer);
        }
    }

    #[test]
    fn an_interrupted_count_of_queens_resumes() {
        with_one_and_two_threads("queens 13", "73712");
    }

    #[test]
    fn an_interrupted_count_of_fundamental_queens_resumes() {
        with_one_and_two_threads("queens 13 --fundamental", "9233");
    }

    #[test]
    fn an_interrupted_count_in_a_network_resumes() {
        with_one_and_two_threads("queens 12 --model csp --order weighted", "14200");
    }

    #[test]
    fn an_interrupted_count_of_covers_resumes() {
        with_one_and_two_threads("queens 13 --model cover", "73712");
    }

    /// Interrupts and resumes a search for the most bunkers, with one thread and with two.
    fn fire_net(board: &str, answer: &str) {
        for threads in [1, 2] {
            let scratch = Scratch::new();
            scratch.write("board", board);
            let line = format!("fire-net board --branch cells --threads {threads}");
            interrupt_and_resume_search(&scratch, &line, answer);
        }
    }

    #[test]
    fn an_interrupted_search_for_the_most_bunkers_resumes() {
        // The bundled board of eleven rows without its last two rows and columns.
        fire_net(
            "9\n.........\n..X.....X\n....X....\n..X......\n.........\n\
             .X.......\n.....XX..\n.........\n...X.....\n",
            "14",
        );
    }

    #[test]
    fn an_interrupted_search_without_a_solution_resumes() {
        with_one_and_two_threads("knights-tour 4 12 --closed --model cover", "none");
    }

    #[test]
    fn an_interrupted_count_of_tours_resumes() {
        with_one_and_two_threads("knights-tour 3 14 --closed --count", "1536");
    }

    /// Interrupts and resumes a sweep. An interrupted sweep has no partial count.
    fn sweep(table: &str, board: &str, answer: &str) {
        let line = format!("count hamiltonian-cycles {board} --table {table} --every 0");
        interrupt_and_resume(&Scratch::new(), &line, answer, |known| known == "unknown");
    }

    #[test]
    fn an_interrupted_sweep_resumes() {
        sweep("hash", "12 12", CYCLES_12);
        sweep("dense", "12 12", CYCLES_12);
    }

    /// Waits until a program catches SIGTERM, which it does before it reads its input.
    #[cfg(target_os = "linux")]
    fn wait_for_handler(process: u32) {
        const SIGTERM: u64 = 1 << 14;
        loop {
            let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let mask = u64::from_str_radix(mask.expect("a mask").trim(), 16).expect("a mask");
            if mask & SIGTERM != 0 {
                return;
            }
            assert!(!status.contains("State:\tZ"), "it has ended before\n{status}");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_that_reads_a_pipe_without_a_writer_ends_on_sigterm() {
        /// The time after which the program counts as hanging.
        const LIMIT: Duration = Duration::from_secs(1800);

        let scratch = Scratch::new();
        let made = Command::new("mkfifo").arg(scratch.path("pipe")).status().expect("mkfifo");
        assert!(made.success());
        for line in [
            "compare pipe",
            "count domino-tilings 4 4 --obstacles pipe",
            "count domino-tilings 4 4 --resume pipe",
            "fire-net pipe",
            "queens 8 --complete pipe",
            "queens 8 --resume pipe",
            "queens 8 --complete -",
        ] {
            let mut running = scratch.shell.start(line);
            let child = running.child();
            wait_for_handler(child.id());
            let process = Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
            kill(process, Signal::SIGTERM).expect("a process to end");
            let began = Instant::now();
            while child.try_wait().expect("a process").is_none() {
                if began.elapsed() > LIMIT {
                    child.kill().expect("a process to kill");
                    panic!("$ {line}\nexpected: an end on SIGTERM");
                }
                thread::sleep(Duration::from_millis(1));
            }
            running.finish().assert_code(130);
        }
    }

    #[test]
    #[ignore = "half a minute: cargo build --release --examples && \
                cargo test --release --package secateurs-cli -- --ignored"]
    fn large_searches_resume_after_interruption() {
        with_one_and_two_threads("queens 15", "2279184");
        with_one_and_two_threads("queens 13 --model csp --order weighted", "73712");
        with_one_and_two_threads("queens 14 --model cover", "365596");
        with_one_and_two_threads("knights-tour 5 8 --closed --count", "44202");
        fire_net(include_str!("../../data/fire_net-11.txt"), "18");
        sweep("hash", "14 14", CYCLES_14);
        sweep("dense", "14 14", CYCLES_14);
        with_one_and_two_threads("queens 15 --fundamental", "285053");
        with_one_and_two_threads("knights-tour 4 14 --closed --model cover", "none");
    }
}

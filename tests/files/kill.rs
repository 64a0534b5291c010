//! A process that counts is killed at random moments, and ends with the very numbers of one that was left alone.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use secateurs::checkpoint::Fingerprint;
use secateurs::plug::{Sweep, SweepCheckpoint};
use secateurs::problems::queens::Queens;
use secateurs::search::Checkpoint;
use secateurs::{Report, Search};

use crate::support::problems::cycles;

const RUN: &str = "SECATEURS_KILL_RUN";
const SIZE: &str = "SECATEURS_KILL_SIZE";
const FILE: &str = "SECATEURS_KILL_FILE";

/// What is killed.
#[derive(Clone, Copy)]
enum Run {
    /// A search for queens.
    Queens,
    /// The same in two threads.
    Threads,
    /// A sweep in hash tables, of Hamiltonian cycles.
    Hashed,
    /// The same in dense tables.
    Dense,
}

impl Run {
    const ALL: [(Run, &str); 4] =
        [(Run::Queens, "queens"), (Run::Threads, "threads"), (Run::Hashed, "hashed"), (Run::Dense, "dense")];

    fn name(self) -> &'static str {
        Run::ALL[self as usize].1
    }
}

/// The process that is killed; its answer is in a file of its own.
#[test]
#[ignore = "the process that the other tests start and kill"]
fn victim() {
    let (Ok(run), Ok(size), Ok(path)) = (env::var(RUN), env::var(SIZE), env::var(FILE)) else { return };
    let size: usize = size.parse().expect("a number");
    let run = Run::ALL.iter().find(|(_, name)| *name == run).expect("a run").0;
    let answer = match run {
        Run::Queens => queens_saved(size, &path, 1),
        Run::Threads => queens_saved(size, &path, 2),
        Run::Hashed | Run::Dense => sweep_saved(size, &path, run),
    };
    fs::write(answer_of(Path::new(&path)), answer).expect("written");
}

fn answer(count: Option<u128>, report: &Report) -> String {
    format!("{count:?} {} {:?}", report.nodes(), report.levels())
}

fn sweep_saved(size: usize, path: &str, run: Run) -> String {
    let cycles = cycles(size, size);
    let fingerprint = Fingerprint::new(format!("{size} × {size}"), &());
    let mut checkpoint = SweepCheckpoint::new(path, Duration::from_millis(20), fingerprint);
    let resume = checkpoint.path().exists();
    const WHOLE: &str = "a whole file, whenever it was killed";
    let sweep = Sweep::new(&cycles);
    let outcome = match (run, resume) {
        (Run::Dense, true) => sweep.dense().resume(&mut checkpoint).expect(WHOLE).count(),
        (Run::Dense, false) => sweep.dense().checkpoint(&mut checkpoint).expect("a place for a file").count(),
        (_, true) => sweep.threads(2).resume(&mut checkpoint).expect(WHOLE).count(),
        (_, false) => sweep.threads(2).checkpoint(&mut checkpoint).expect("a place for a file").count(),
    };
    let outcome = outcome.expect(WHOLE);
    answer(outcome.exact(), outcome.report())
}

fn queens_saved(size: usize, path: &str, threads: usize) -> String {
    let queens = Queens::new(size).expect("a size").bits();
    let fingerprint = Fingerprint::new(format!("{size}-queens"), &());
    let mut checkpoint = Checkpoint::new(path, Duration::from_millis(20), fingerprint);
    let search = Search::new(&queens);
    let search = if checkpoint.path().exists() {
        search.resume(&mut checkpoint).expect("a whole file, whenever it was killed")
    } else {
        search.checkpoint(&mut checkpoint).expect("a place for a file")
    };
    let outcome = if threads == 1 { search.count() } else { search.threads(threads).count() };
    answer(outcome.exact(), outcome.report())
}

/// What comes out if it is left alone.
fn expected(run: Run, size: usize) -> String {
    let grid = || cycles(size, size);
    let outcome = match run {
        Run::Queens | Run::Threads => Search::new(&Queens::new(size).expect("a size").bits()).count(),
        Run::Hashed => Sweep::new(&grid()).count(),
        Run::Dense => Sweep::new(&grid()).dense().count(),
    };
    println!("{} of {size}: {:?}", run.name(), outcome.exact());
    answer(outcome.exact(), outcome.report())
}

fn answer_of(path: &Path) -> PathBuf {
    path.with_extension("answer")
}

fn start(run: Run, size: usize, path: &Path) -> Child {
    let mut command = Command::new(env::current_exe().expect("this test"));
    command.args(["--exact", "kill::victim", "--ignored"]).env(SIZE, size.to_string()).env(FILE, path);
    command.env(RUN, run.name());
    command.stdout(Stdio::null()).spawn().expect("a process")
}

/// Kills it `kills` times, each time after up to `longest`, lets it come to its end, and compares.
fn survives(run: Run, size: usize, kills: usize, longest: Duration, seed: u64) {
    let directory = env::temp_dir().join(format!("secateurs-kill-{}-{}-{size}", std::process::id(), run.name()));
    fs::create_dir_all(&directory).expect("a temporary directory");
    let path = directory.join("search");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut killed = 0;
    let mut finished = 0;
    while killed < kills {
        let mut child = start(run, size, &path);
        thread::sleep(longest.mul_f64(random.f64()));
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("a child"); // SIGKILL
            killed += 1;
        } else {
            // It was quicker: once more from the beginning.
            finished += 1;
            assert!(finished < 1_000, "it is always quicker");
            let _ = fs::remove_file(&path);
        }
        child.wait().expect("a child");
    }
    assert!(start(run, size, &path).wait().expect("a child").success());
    let answer = fs::read_to_string(answer_of(&path)).expect("an answer");
    println!("killed {killed} times");
    assert_eq!(answer, expected(run, size));
    fs::remove_dir_all(&directory).expect("removed");
}

#[test]
fn killed_three_times() {
    survives(Run::Queens, 11, 3, Duration::from_millis(60), 1);
    survives(Run::Threads, 11, 3, Duration::from_millis(60), 2);
    survives(Run::Hashed, 9, 3, Duration::from_millis(60), 3);
    survives(Run::Dense, 9, 3, Duration::from_millis(60), 4);
}

/// `cargo test --test files -- --ignored --exact kill::fifty_times --nocapture`
#[test]
#[ignore = "a minute"]
fn fifty_times() {
    survives(Run::Queens, 16, 50, Duration::from_millis(400), 2);
    survives(Run::Threads, 16, 50, Duration::from_millis(400), 3);
}

/// `cargo test --test files -- --ignored --exact kill::fifty_times_a_sweep --nocapture`
#[test]
#[ignore = "some minutes"]
fn fifty_times_a_sweep() {
    survives(Run::Dense, 16, 50, Duration::from_millis(400), 5);
    survives(Run::Hashed, 16, 50, Duration::from_millis(2000), 6);
}

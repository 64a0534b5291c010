//! A process that counts is killed at random moments, and ends with the very numbers of one that was left alone.
#![cfg(all(feature = "serde", unix))]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use secateurs::Search;
use secateurs::checkpoint::Fingerprint;
use secateurs::problems::queens::Queens;
use secateurs::search::Checkpoint;

const SIZE: &str = "SECATEURS_KILL_SIZE";
const FILE: &str = "SECATEURS_KILL_FILE";
const THREADS: &str = "SECATEURS_KILL_THREADS";

/// The process that is killed; its answer is in a file of its own.
#[test]
#[ignore = "the process that the other tests start and kill"]
fn victim() {
    let (Ok(size), Ok(path)) = (env::var(SIZE), env::var(FILE)) else { return };
    let size: usize = size.parse().expect("a number");
    let queens = Queens::new(size).expect("a size").bits();
    let fingerprint = Fingerprint::new(format!("{size}-queens"));
    let mut checkpoint = Checkpoint::new(&path, Duration::from_millis(20), fingerprint);
    let search = Search::new(&queens);
    let search = if checkpoint.path().exists() {
        search.resume(&mut checkpoint).expect("a whole file, whenever it was killed")
    } else {
        search.checkpoint(&mut checkpoint).expect("a place for a file")
    };
    let outcome = match env::var(THREADS).expect("as the other tests say").parse().expect("a number") {
        1 => search.count(),
        threads => search.threads(threads).count(),
    };
    let answer = format!("{:?} {} {:?}", outcome.exact(), outcome.report().nodes(), outcome.report().levels());
    fs::write(answer_of(Path::new(&path)), answer).expect("written");
}

fn answer_of(path: &Path) -> PathBuf {
    path.with_extension("answer")
}

fn start(size: usize, threads: usize, path: &Path) -> Child {
    let mut command = Command::new(env::current_exe().expect("this test"));
    command.args(["--exact", "victim", "--ignored"]).env(SIZE, size.to_string()).env(FILE, path);
    command.env(THREADS, threads.to_string());
    command.stdout(Stdio::null()).spawn().expect("a process")
}

/// Kills it `kills` times, each time after up to `longest`, lets it come to its end, and compares.
fn survives(size: usize, threads: usize, kills: usize, longest: Duration, seed: u64) {
    let directory = env::temp_dir().join(format!("secateurs-kill-{}-{size}-{threads}", std::process::id()));
    fs::create_dir_all(&directory).expect("a temporary directory");
    let path = directory.join("search");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut killed = 0;
    let mut finished = 0;
    while killed < kills {
        let mut child = start(size, threads, &path);
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
    assert!(start(size, threads, &path).wait().expect("a child").success());
    let answer = fs::read_to_string(answer_of(&path)).expect("an answer");
    let outcome = Search::new(&Queens::new(size).expect("a size").bits()).count();
    let expected = format!("{:?} {} {:?}", outcome.exact(), outcome.report().nodes(), outcome.report().levels());
    println!("{size}-queens, {threads} threads, killed {killed} times: {:?} solutions", outcome.exact());
    assert_eq!(answer, expected);
    fs::remove_dir_all(&directory).expect("removed");
}

#[test]
fn killed_three_times() {
    survives(13, 1, 3, Duration::from_millis(80), 1);
    survives(13, 2, 3, Duration::from_millis(80), 1);
}

/// `cargo test --features serde --test kill -- --ignored --exact fifty_times --nocapture`
#[test]
#[ignore = "a minute"]
fn fifty_times() {
    survives(16, 1, 50, Duration::from_millis(400), 2);
    survives(16, 2, 50, Duration::from_millis(400), 3);
}

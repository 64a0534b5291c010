//! A counting process that is killed at random moments has the same results as one that is not.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use secateurs::checkpoint::Fingerprint;
use secateurs::plug::algebra::Natural;
use secateurs::plug::{Sweep, SweepCheckpoint};
use secateurs::search::Checkpoint;
use secateurs::{Outcome, Report, Search, Total};

use crate::shared::saved::begun_or_resumed;
use crate::support::problems::{cycles, queens};

const RUN: &str = "SECATEURS_KILL_RUN";
const FILE: &str = "SECATEURS_KILL_FILE";

/// The kind of run that is killed.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A search for queens.
    Queens,
    /// A sweep in hash tables, of Hamiltonian cycles.
    Hashed,
    /// The same sweep in dense tables.
    Dense,
    /// The same sweep in dense tables, in several passes.
    Residues,
}

const KINDS: [Kind; 4] = [Kind::Queens, Kind::Hashed, Kind::Dense, Kind::Residues];

/// A run that is killed.
#[derive(Clone, Copy, Debug)]
struct Run {
    kind: Kind,
    size: usize,
    threads: usize,
}

impl Run {
    /// Encodes the run as the value of the environment variable [`RUN`].
    fn encode(self) -> String {
        format!("{:?} {} {}", self.kind, self.size, self.threads)
    }

    fn decode(text: &str) -> Option<Self> {
        let mut tokens = text.split(' ');
        let kind = tokens.next()?;
        let kind = KINDS.into_iter().find(|other| format!("{other:?}") == kind)?;
        Some(Run {
            kind,
            size: tokens.next()?.parse().ok()?,
            threads: tokens.next()?.parse().ok()?,
        })
    }
}

/// The process that is killed. It writes its answer into a file of its own.
#[test]
#[ignore = "the process that the other tests start and kill"]
fn victim() {
    let (Ok(run), Ok(path)) = (env::var(RUN), env::var(FILE)) else { return };
    let run = Run::decode(&run).expect("a run");
    fs::write(answer_path(Path::new(&path)), saved(run, &path)).expect("written");
}

fn answer(count: Option<u128>, report: &Report) -> String {
    format!("{count:?} {} {:?}", report.nodes(), report.levels())
}

fn answer_of_passes(outcome: &Outcome<Total<Natural>>) -> String {
    let report = outcome.report();
    format!("{:?} {:?} {:?}", outcome.total(), report.passes(), report.levels())
}

/// Begins a run, or resumes it from its file, and returns its answer.
fn saved(run: Run, path: &str) -> String {
    const WHOLE: &str = "a whole file, whenever it was killed";
    let (every, fingerprint) = (Duration::from_millis(20), Fingerprint::new("a run", &run.size));
    if let Kind::Queens = run.kind {
        let queens = queens(run.size);
        let mut file = Checkpoint::new(path, every, fingerprint);
        let search = begun_or_resumed!(Search::new(&queens), &mut file).expect(WHOLE);
        let outcome =
            if run.threads == 1 { search.count() } else { search.threads(run.threads).count() };
        return answer(outcome.exact(), outcome.report());
    }
    let cycles = cycles(run.size, run.size);
    let mut file = SweepCheckpoint::new(path, every, fingerprint);
    let sweep = Sweep::new(&cycles).threads(run.threads);
    let counted = match run.kind {
        Kind::Hashed => begun_or_resumed!(sweep, &mut file).expect(WHOLE).count(),
        Kind::Dense => begun_or_resumed!(sweep.dense(), &mut file).expect(WHOLE).count(),
        Kind::Residues | Kind::Queens => {
            let sweep = begun_or_resumed!(sweep.dense(), &mut file).expect(WHOLE);
            return answer_of_passes(&sweep.count_by_residues().expect(WHOLE));
        }
    };
    let outcome = counted.expect(WHOLE);
    answer(outcome.exact(), outcome.report())
}

/// Returns the answer of a run that is not killed.
fn expected(run: Run) -> String {
    let cycles = || cycles(run.size, run.size);
    let outcome = match run.kind {
        Kind::Residues => {
            return answer_of_passes(&Sweep::new(&cycles()).dense().count_by_residues());
        }
        Kind::Queens => Search::new(&queens(run.size)).count(),
        Kind::Hashed => Sweep::new(&cycles()).count(),
        Kind::Dense => Sweep::new(&cycles()).dense().count(),
    };
    answer(outcome.exact(), outcome.report())
}

fn answer_path(path: &Path) -> PathBuf {
    path.with_extension("answer")
}

fn start(run: Run, path: &Path) -> Child {
    let mut command = Command::new(env::current_exe().expect("this test"));
    command.args(["--exact", "kill::victim", "--ignored"]).env(FILE, path).env(RUN, run.encode());
    command.stdout(Stdio::null()).spawn().expect("a process")
}

/// Kills the run `kills` times, each time after up to `longest`, and resumes it. Compares its
/// answer each time that it completes.
fn kill_repeatedly(run: Run, kills: usize, longest: Duration, seed: u64) {
    let directory = env::temp_dir().join(format!("secateurs-kill-{}-{run:?}", std::process::id()));
    fs::create_dir_all(&directory).expect("a temporary directory");
    let path = directory.join("search");
    let expected = expected(run);
    let compare =
        || assert_eq!(fs::read_to_string(answer_path(&path)).expect("an answer"), expected);
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut killed, mut finished) = (0, 0);
    while killed < kills {
        let mut child = start(run, &path);
        thread::sleep(longest.mul_f64(random.f64()));
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("a child"); // SIGKILL
            killed += 1;
        } else {
            // The run ended before the kill. The next one begins anew.
            finished += 1;
            assert!(finished < 10 * kills + 1_000, "it is always quicker");
            compare();
            fs::remove_file(&path).expect("its file");
        }
        child.wait().expect("a child");
    }
    assert!(start(run, &path).wait().expect("a child").success());
    compare();
    println!("{run:?}: killed {killed} times, {} exact answers", finished + 1);
    fs::remove_dir_all(&directory).expect("removed");
}

/// Kills runs of each kind, with one thread and with two, after up to `longest` milliseconds.
fn kill_all_kinds(sizes: [usize; 4], kills: usize, longest: [u64; 4]) {
    for (place, kind) in KINDS.into_iter().enumerate() {
        for threads in 1..=2 {
            let run = Run { kind, size: sizes[place], threads };
            kill_repeatedly(
                run,
                kills,
                Duration::from_millis(longest[place]),
                (2 * place + threads) as u64,
            );
        }
    }
}

#[test]
fn runs_killed_three_times_have_the_exact_answer() {
    kill_all_kinds([11, 8, 8, 8], 3, [60; 4]);
}

/// `cargo test --release --test files -- --ignored --exact kill::a_thousand_times --nocapture`
#[test]
#[ignore = "ten minutes"]
fn a_thousand_times() {
    kill_all_kinds([16, 14, 14, 14], 125, [600, 600, 200, 400]);
}

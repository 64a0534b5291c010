//! Ratios of the times of interleaved runs, which are stable even on a noisy machine.

use std::process::ExitCode;
use std::time::Instant;

use crate::group::Group;

/// The clock that times a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Processor time of the current thread where the system reports it (Linux), which excludes the
    /// share of other processes; wall-clock time elsewhere.
    Processor,
    /// Wall-clock time, for runs on several threads.
    Wall,
}

/// Returns the reading of a clock in seconds. Only the difference of two readings with the same
/// `start`, an instant before both, has a meaning.
fn seconds(clock: Clock, start: Instant) -> f64 {
    let statistics = match clock {
        Clock::Processor => std::fs::read_to_string("/proc/thread-self/schedstat").ok(),
        Clock::Wall => None,
    };
    statistics
        .and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        // A kernel without statistics reports zeros.
        .filter(|&nanoseconds| nanoseconds > 0.0)
        .map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The approximate minimum duration of a turn in seconds. Short runs are repeated within a turn,
/// because the processor clock advances by several milliseconds at a time.
const MIN_TURN_SECONDS: f64 = 0.2;

/// Measures how many runs make up a turn.
fn repetitions(run: impl Fn()) -> u32 {
    let start = Instant::now();
    let mut runs = 0;
    loop {
        run();
        runs += 1;
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= MIN_TURN_SECONDS / 20.0 {
            return (MIN_TURN_SECONDS * f64::from(runs) / elapsed).ceil() as u32;
        }
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn format_seconds(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{:.2} µs", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.2} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}

/// Runs the contenders of groups in turns and prints the ratios of their times.
#[derive(Debug)]
pub struct Ratios {
    /// Parts of the names of the selected groups; all groups are selected if there is none.
    selected: Vec<String>,
    /// Whether each contender runs once only, without timing.
    is_test: bool,
    names: Vec<String>,
    has_run: bool,
}

impl Ratios {
    /// Reads the arguments of the process: parts of group names, and `--test`. Other options, such
    /// as the `--bench` that cargo adds, have no effect.
    pub fn from_arguments() -> Self {
        let (options, selected): (Vec<String>, Vec<String>) =
            std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
        let is_test = options.iter().any(|option| option == "--test");
        Ratios { selected, is_test, names: Vec::new(), has_run: false }
    }

    /// Runs the contenders of a group in turns, for `rounds` rounds. Prints for each contender the
    /// median time of a run, and the median and the least of the ratios of its time to that of the
    /// first contender in the same round. Does nothing if the group is not selected.
    ///
    /// # Panics
    /// Panics if `rounds` is 0, or if the result of a contender is not the expected one.
    pub fn compare<I>(&mut self, rounds: usize, clock: Clock, group: &Group<I>) {
        let name = group.name();
        self.names.push(name.to_owned());
        if !self.selected.is_empty() && !self.selected.iter().any(|part| name.contains(part)) {
            return;
        }
        self.has_run = true;
        for contender in group.contenders() {
            group.check(contender);
        }
        if self.is_test {
            println!("{name}: all answers are right");
            return;
        }
        print(name, rounds, &times(rounds, clock, group), group);
    }

    /// Returns the exit code: 2, with a message, if no group was selected, and 0 otherwise.
    #[must_use]
    pub fn finish(self) -> ExitCode {
        if self.has_run {
            return ExitCode::SUCCESS;
        }
        let selected = self.selected.join("`, `");
        eprintln!("no group matches `{selected}`; the groups are {}", self.names.join(", "));
        ExitCode::from(2)
    }
}

/// Returns the seconds of a run of each contender in each round.
fn times<I>(rounds: usize, clock: Clock, group: &Group<I>) -> Vec<Vec<f64>> {
    let contenders = group.contenders();
    let repetitions: Vec<u32> =
        contenders.iter().map(|contender| repetitions(|| _ = group.run(contender))).collect();
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    for _ in 0..rounds {
        for ((times, contender), &repeated) in times.iter_mut().zip(contenders).zip(&repetitions) {
            let start = Instant::now();
            let before = seconds(clock, start);
            for _ in 0..repeated {
                group.run(contender);
            }
            times.push((seconds(clock, start) - before) / f64::from(repeated));
        }
    }
    times
}

fn print<I>(name: &str, rounds: usize, times: &[Vec<f64>], group: &Group<I>) {
    println!("{name}; {rounds} rounds in turns, ratios to the first contender round by round");
    println!("{:<44}{:>12}{:>10}{:>10}{:>10}", "", "median", "ratio", "least", "limit");
    for (contender, own) in group.contenders().iter().zip(times) {
        let ratios: Vec<f64> = own.iter().zip(&times[0]).map(|(own, first)| own / first).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let (time, ratio) = (format_seconds(median(own.clone())), median(ratios));
        let limit = contender.limit.map_or_else(String::new, |limit| format!("{limit:.3}"));
        let verdict = match contender.limit {
            Some(limit) if ratio > limit => "  over its limit",
            _ => "",
        };
        println!("{:<44}{time:>12}{ratio:>10.3}{least:>10.3}{limit:>10}{verdict}", contender.name);
    }
    println!();
}

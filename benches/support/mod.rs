//! What the benches share: runs that take turns, and the ratios of their times, which hold on a noisy machine.

// Each bench is a crate of its own and uses a part of this.
#![allow(dead_code)]

use std::hint::black_box;
use std::time::Instant;

/// Runs the parts of a bench that are asked for by name, or all of them: a name and what it does. Of a name that there is
/// not, says which there are.
pub fn parts(parts: &[(&str, fn())]) {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let names = || parts.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    if let Some(unknown) = asked.iter().find(|asked| parts.iter().all(|(name, _)| name != asked)) {
        eprintln!("there is no part called `{unknown}`; there are {}", names());
        std::process::exit(2);
    }
    for (name, run) in parts {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            run();
        }
    }
}

/// The [limit](Contender::limit) of one of which nothing is promised.
pub const NO_LIMIT: f64 = f64::INFINITY;

/// A way to do the same thing.
pub struct Contender<'a, T> {
    pub name: String,
    /// What its time may be, as a multiple of that of the first contender.
    pub limit: f64,
    pub run: Box<dyn Fn() -> T + 'a>,
}

impl<'a, T> Contender<'a, T> {
    pub fn new(name: impl Into<String>, limit: f64, run: impl Fn() -> T + 'a) -> Self {
        Contender { name: name.into(), limit, run: Box::new(run) }
    }
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Processor time of this thread, where the system tells: what other processes take is not counted. It moves on by
    /// some milliseconds at a time.
    Processor,
    /// Time on the wall, for runs of several threads.
    Wall,
}

/// A time to be subtracted from another one; `start` is some instant before both.
pub fn seconds(clock: Clock, start: Instant) -> f64 {
    let figures = (clock == Clock::Processor).then(|| std::fs::read_to_string("/proc/thread-self/schedstat").ok());
    figures
        .flatten()
        .and_then(|figures| figures.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// What `run` gives, and the processor time that it takes, in milliseconds: the least of three means of so many runs that
/// the clock has moved on. What else the machine does only adds to a time.
pub fn timed<T>(mut run: impl FnMut() -> T) -> (T, f64) {
    const LONG_ENOUGH: f64 = 0.05;
    let start = Instant::now();
    let mut least = f64::INFINITY;
    let mut given = run();
    for _ in 0..3 {
        let before = seconds(Clock::Processor, start);
        let (mut runs, mut taken) = (0, 0.0);
        while taken < LONG_ENOUGH {
            // Looking at the clock takes as long as a short run: twice as many of these before the next look.
            let more = runs + 1;
            for _ in 0..more {
                given = black_box(run());
            }
            runs += more;
            taken = seconds(Clock::Processor, start) - before;
        }
        least = f64::min(least, 1000.0 * taken / f64::from(runs));
        if taken > 1.0 {
            break;
        }
    }
    (given, least)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// A turn takes at least so long, for the clock moves on by some milliseconds at a time: short runs are repeated.
const TURN: f64 = 0.2;

/// How often a run is repeated in a turn.
fn repetitions<T>(run: &dyn Fn() -> T) -> u32 {
    let start = Instant::now();
    let mut runs = 0;
    loop {
        black_box(run());
        runs += 1;
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= TURN / 20.0 {
            return (TURN * f64::from(runs) / elapsed).ceil() as u32;
        }
    }
}

fn show(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{:.2} µs", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.2} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}

/// Lets the contenders take turns, and prints the ratio of each one's time to the first one's, round by round. All must
/// give what is `expected`.
///
/// # Panics
/// If one does not.
pub fn ratios<T: PartialEq + std::fmt::Debug>(
    title: &str,
    clock: Clock,
    rounds: usize,
    expected: &T,
    contenders: &[Contender<'_, T>],
) {
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    let repeated: Vec<u32> = contenders.iter().map(|contender| repetitions(&*contender.run)).collect();
    for _ in 0..rounds {
        for ((times, contender), &repeated) in times.iter_mut().zip(contenders).zip(&repeated) {
            let start = Instant::now();
            let before = seconds(clock, start);
            for _ in 1..repeated {
                black_box((contender.run)());
            }
            let given = black_box((contender.run)());
            times.push((seconds(clock, start) - before) / f64::from(repeated));
            assert_eq!(&given, expected, "{}", contender.name);
        }
    }
    println!("{title}; {rounds} rounds in turns, ratios to the first round by round");
    println!("{:<44}{:>12}{:>10}{:>10}{:>10}", "", "median", "ratio", "least", "at most");
    for (contender, own) in contenders.iter().zip(&times) {
        let ratio: Vec<f64> = own.iter().zip(&times[0]).map(|(ours, rival)| ours / rival).collect();
        let least = ratio.iter().copied().fold(f64::INFINITY, f64::min);
        let limit = if contender.limit.is_finite() { format!("{:.3}", contender.limit) } else { String::new() };
        let (time, ratio) = (show(median(own.clone())), median(ratio));
        println!("{:<44}{time:>12}{ratio:>10.3}{least:>10.3}{limit:>10}", contender.name);
    }
    println!();
}

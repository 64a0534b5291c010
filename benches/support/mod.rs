//! What the benches share: runs that take turns, and the ratios of their times, which hold on a noisy machine.

// Each bench is a crate of its own and uses a part of this.
#![allow(dead_code)]

use std::hint::black_box;
use std::time::Instant;

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

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Lets the contenders take turns, and prints the ratio of each one's time to the first one's, round by round. All must
/// give what is `expected`.
pub fn ratios<T: PartialEq + std::fmt::Debug>(
    title: &str,
    clock: Clock,
    rounds: usize,
    expected: &T,
    contenders: &[Contender<'_, T>],
) {
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    for _ in 0..rounds {
        for (times, contender) in times.iter_mut().zip(contenders) {
            let start = Instant::now();
            let before = seconds(clock, start);
            let given = black_box((contender.run)());
            times.push(seconds(clock, start) - before);
            assert_eq!(&given, expected, "{}", contender.name);
        }
    }
    println!("{title}; {rounds} rounds in turns, ratios to the first round by round");
    println!("{:<32}{:>12}{:>12}{:>12}{:>12}", "", "median", "ratio", "least", "at most");
    for (contender, own) in contenders.iter().zip(&times) {
        let ratio: Vec<f64> = own.iter().zip(&times[0]).map(|(ours, rival)| ours / rival).collect();
        let least = ratio.iter().copied().fold(f64::INFINITY, f64::min);
        let ms = 1000.0 * median(own.clone());
        println!("{:<32}{ms:>9.1} ms{:>12.3}{least:>12.3}{:>12.3}", contender.name, median(ratio), contender.limit);
    }
    println!();
}

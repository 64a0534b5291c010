//! Sweeps against one written by hand: Hamiltonian cycles and simple paths, by hashing and by rank.

use std::hint::black_box;
use std::time::Instant;

use secateurs::Report;
use secateurs::plug::algebra::large_primes;
use secateurs::plug::{Profile, Sweep};
use secateurs::problems::catalogue::{Grid, Strands, hamiltonian_cycles, simple_paths};

use crate::support::{self, Clock, Contender};

const ROUNDS: usize = 7;

/// What one would write by hand: 2-bit parentheses, two layers, each a vector of keys and one of values, and an index of
/// open addressing into them. Sums are not checked.
struct ByHand {
    keys: Vec<u64>,
    values: Vec<u128>,
    slots: Vec<u32>,
    bits: u32,
}

impl ByHand {
    fn new() -> Self {
        ByHand { keys: Vec::new(), values: Vec::new(), slots: vec![0; 1 << 12], bits: 12 }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.values.clear();
        self.slots.fill(0);
    }

    #[inline]
    fn add(&mut self, key: u64, value: u128) {
        let mask = (1 << self.bits) - 1;
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.bits)) as usize;
        while self.slots[slot] != 0 {
            let index = self.slots[slot] as usize - 1;
            if self.keys[index] == key {
                self.values[index] = self.values[index].wrapping_add(value);
                return;
            }
            slot = (slot + 1) & mask;
        }
        self.keys.push(key);
        self.values.push(value);
        self.slots[slot] = self.keys.len() as u32;
        if 2 * self.keys.len() > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        self.bits += 1;
        self.slots = vec![0; 1 << self.bits];
        let mask = (1 << self.bits) - 1;
        for (index, key) in self.keys.iter().enumerate() {
            let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.bits)) as usize;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index as u32 + 1;
        }
    }

    /// Hamiltonian cycles of an n × n board.
    fn hamiltonian_cycles(n: u32) -> u128 {
        let (mut layer, mut next) = (ByHand::new(), ByHand::new());
        layer.add(0, 1);
        for cell in 0..n * n {
            next.clear();
            for (&key, &value) in layer.keys.iter().zip(&layer.values) {
                step(n, cell, key, &mut |key| next.add(key, value));
            }
            std::mem::swap(&mut layer, &mut next);
        }
        layer.keys.iter().zip(&layer.values).filter(|(key, _)| **key == 0).map(|(_, value)| value).sum()
    }
}

/// What a cell does to the plugs, row by row: the same for the sweep by hand and for the engine.
#[inline(always)]
fn step(n: u32, cell: u32, key: u64, emit: &mut impl FnMut(u64)) {
    let (row, column) = (cell / n, cell % n);
    let (goes_down, goes_right) = (row + 1 < n, column + 1 < n);
    let key = if column == 0 { key << 2 } else { key };
    let at = 2 * column;
    let rest = key & !(15 << at);
    match (key >> at & 3, key >> at >> 2 & 3) {
        (0, 0) => {
            if goes_down && goes_right {
                emit(rest | 9 << at);
            }
        }
        (0, plug) | (plug, 0) => {
            if goes_down {
                emit(rest | plug << at);
            }
            if goes_right {
                emit(rest | plug << at << 2);
            }
        }
        (1, 1) => {
            let (mut mate, mut depth) = (at + 4, 1);
            loop {
                match rest >> mate & 3 {
                    1 => depth += 1,
                    2 if depth == 1 => break,
                    2 => depth -= 1,
                    _ => {}
                }
                mate += 2;
            }
            emit(rest ^ 3 << mate);
        }
        (2, 2) => {
            let (mut mate, mut depth) = (at - 2, 1);
            loop {
                match rest >> mate & 3 {
                    2 => depth += 1,
                    1 if depth == 1 => break,
                    1 => depth -= 1,
                    _ => {}
                }
                mate -= 2;
            }
            emit(rest ^ 3 << mate);
        }
        (2, _) => emit(rest),
        (_, _) => {
            if cell + 1 == n * n {
                emit(rest);
            }
        }
    }
}

/// The same steps as a profile: what differs from [`ByHand`] is the engine.
struct SameSteps(u32);

impl Profile for SameSteps {
    type State = u64;
    type Label = ();

    fn cells(&self) -> usize {
        (self.0 * self.0) as usize
    }
    fn start(&self) -> u64 {
        0
    }
    #[inline]
    fn step(&self, cell: usize, key: u64, emit: &mut impl FnMut(u64, ())) {
        step(self.0, cell as u32, key, &mut |key| emit(key, ()));
    }
    fn accept(&self, key: u64) -> bool {
        key == 0
    }
}

fn board(n: usize) -> Grid {
    Grid::new(n, n).expect("a board")
}

fn hashed(problem: &Strands, threads: usize) -> u128 {
    Sweep::new(black_box(problem)).threads(threads).count().exact().expect("it fits")
}

fn dense(problem: &Strands, threads: usize) -> u128 {
    Sweep::new(black_box(problem)).threads(threads).dense().count().exact().expect("it fits")
}

/// Known numbers of Hamiltonian cycles (A003763).
const CYCLES: [(usize, u128); 3] =
    [(12, 1_076_226_888_605_605_706), (14, 56_126_499_620_491_437_281_263_608), (16, CYCLES_OF_16)];
const CYCLES_OF_16: u128 = 65_882_516_522_625_836_326_159_786_165_530_572;

pub fn ratios() {
    for (n, expected) in &CYCLES[..2] {
        let problem = hamiltonian_cycles(&board(*n));
        let contenders = [
            Contender::new("by hand, hashing", 1.0, || ByHand::hamiltonian_cycles(black_box(*n as u32))),
            Contender::new("hashing, the same steps", 1.1, || {
                Sweep::new(black_box(&SameSteps(*n as u32))).count().exact().expect("it fits")
            }),
            // The rule of a cell of the catalogue knows obstacles and more problems than this one.
            Contender::new("hashing, the catalogue's", 1.3, || hashed(&problem, 1)),
            Contender::new("dense, the catalogue's", 0.5, || dense(&problem, 1)),
        ];
        support::ratios(&format!("Hamiltonian cycles {n}×{n}"), Clock::Processor, ROUNDS, expected, &contenders);
    }
}

pub fn threads() {
    let problem = hamiltonian_cycles(&board(16));
    for (name, sweep) in [("hashing", hashed as fn(&Strands, usize) -> u128), ("dense", dense)] {
        let contenders = [
            Contender::new(format!("{name}, 1 thread"), 1.0, || sweep(&problem, 1)),
            Contender::new(format!("{name}, 2 threads"), 1.0 / 1.7, || sweep(&problem, 2)),
        ];
        support::ratios("Hamiltonian cycles 16×16", Clock::Wall, 3, &CYCLES_OF_16, &contenders);
    }
}

/// Times the large boards by the dense table, in numbers of any size and modulo a prime.
pub fn large() {
    let cycles = [14, 16, 18].map(|n| ("Hamiltonian cycles", n, hamiltonian_cycles(&board(n))));
    let paths = [14, 16].map(|n| ("simple paths", n, simple_paths(&board(n))));
    for (name, n, problem) in cycles.into_iter().chain(paths) {
        let title = format!("{name} {n}×{n}");
        timed(&title, || {
            let outcome = Sweep::new(&problem).dense().count_natural();
            (outcome.total().map(ToString::to_string), outcome.report().clone())
        });
        timed(&format!("{title} modulo a prime"), || {
            let prime = large_primes().next().expect("there are primes");
            let outcome = Sweep::new(&problem).dense().count_modulo(prime).expect("it is not 0");
            (outcome.total().map(ToString::to_string), outcome.report().clone())
        });
    }
}

/// Prints how long a count takes, on the wall and on this thread's processor, and its layers' memory.
fn timed(title: &str, count: impl FnOnce() -> (Option<String>, Report)) {
    let start = Instant::now();
    let before = support::seconds(Clock::Processor, start);
    let (total, report) = count();
    let (wall, processor) = (start.elapsed().as_secs_f64(), support::seconds(Clock::Processor, start) - before);
    let bytes = report.peak_bytes().unwrap_or(0) >> 20;
    let total = total.unwrap_or_else(|| report.stop().to_string());
    println!("{title}: {wall:.2} s ({processor:.2} s of processor time), {bytes} MiB in layers: {total}");
}

//! The three state models of n-queens side by side, and what symmetry saves.
//!
//! `cargo bench --bench queens`, and `cargo bench --bench queens -- models` for the first group only.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use secateurs::problems::queens::{Effort, Queens};
use secateurs::{Hooks, Problem, Search};

/// The number of solutions, counted with `hooks`.
fn count<P: Problem>(problem: &P, hooks: impl Hooks<P>) -> Option<u128> {
    Search::new(black_box(problem)).hooks(hooks).count().exact()
}

/// All solutions of boards of size 8 and 10.
fn models(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("models");
    group.sample_size(20);
    for n in [8, 10] {
        let Ok(queens) = Queens::new(n) else { continue };
        let effort = Effort::new();
        let (bits, marks, lookback) = (queens.bits(), queens.marks(), queens.lookback());
        let Ok(completion) = queens.board().bits() else { continue };
        let counting = queens.lookback().counting(&effort);
        group.bench_function(BenchmarkId::new("bits", n), |b| b.iter(|| count(&bits, ())));
        group.bench_function(BenchmarkId::new("bits, completion", n), |b| b.iter(|| count(&completion, ())));
        group.bench_function(BenchmarkId::new("marks", n), |b| b.iter(|| count(&marks, ())));
        group.bench_function(BenchmarkId::new("lookback", n), |b| b.iter(|| count(&lookback, ())));
        group.bench_function(BenchmarkId::new("lookback, counting effort", n), |b| b.iter(|| count(&counting, ())));
    }
    group.finish();
}

/// All solutions of the board of size 11, on bit masks.
fn symmetry(criterion: &mut Criterion) {
    let Ok(queens) = Queens::new(11) else { return };
    let bits = queens.bits();
    let mut group = criterion.benchmark_group("symmetry");
    group.sample_size(20);
    group.bench_function("none", |b| b.iter(|| count(&bits, ())));
    group.bench_function("mirror", |b| b.iter(|| count(&bits, (Queens::mirror(),))));
    if Queens::lex_leader(&bits).is_ok() {
        group.bench_function("lex leader", |b| b.iter(|| count(&bits, (Queens::lex_leader(&bits).ok(),))));
    }
    group.finish();
}

criterion_group!(benches, models, symmetry);
criterion_main!(benches);

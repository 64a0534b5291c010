//! Exact cover: what a node costs on different problems, and what symmetry and the order of items save.
//!
//! `cargo bench --bench cover`, and `cargo bench --bench cover -- problems` for the first group only. Published crates beside
//! it: `benches/rivals`.

use std::error::Error;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use secateurs::cover::{Cover, CoverState, ItemOrder};
use secateurs::problems::langford::Langford;
use secateurs::problems::packing::{Board, Packing};
use secateurs::problems::queens::Queens;
use secateurs::{Hooks, Search};

fn count(cover: &Cover, hooks: impl Hooks<Cover>) -> Option<u128> {
    Search::new(black_box(cover)).hooks(hooks).count().exact()
}

/// All solutions.
fn problems(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let queens = Queens::new(10)?.cover();
    let pairs = Langford::new(8)?.cover();
    let packing = Packing::pentominoes(Board::rectangle(3, 20)?)?;
    let mut group = criterion.benchmark_group("problems");
    group.sample_size(20);
    group.bench_function("10 queens", |b| b.iter(|| count(queens.cover(), ())));
    group.bench_function("Langford pairs of 8", |b| b.iter(|| count(pairs.cover(), ())));
    group.bench_function("pentominoes in 3 × 20", |b| b.iter(|| count(packing.cover(), ())));
    group.bench_function("pentominoes in 3 × 20, made", |b| {
        b.iter(|| Board::rectangle(3, 20).and_then(|board| Packing::pentominoes(black_box(board))).is_ok());
    });
    group.finish();
    Ok(())
}

/// The same up to symmetry, and with another item to branch on.
fn prunings(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let queens = Queens::new(8)?.cover();
    let packing = Packing::pentominoes(Board::rectangle(3, 20)?)?;
    let mut group = criterion.benchmark_group("prunings");
    group.sample_size(20);
    group.bench_function("pentominoes in 3 × 20, up to symmetry", |b| {
        b.iter(|| count(packing.cover(), (packing.symmetry(),)));
    });
    group.bench_function("8 queens", |b| b.iter(|| count(queens.cover(), ())));
    group.bench_function("8 queens, items in order", |b| {
        let order = ItemOrder::by(|_: &Cover, _: &CoverState, item| item);
        b.iter(|| Search::new(black_box(queens.cover())).brancher(order).count().exact());
    });
    group.finish();
    Ok(())
}

fn all(criterion: &mut Criterion) {
    if let Err(error) = problems(criterion).and_then(|()| prunings(criterion)) {
        eprintln!("{error}");
    }
}

criterion_group!(benches, all);
criterion_main!(benches);

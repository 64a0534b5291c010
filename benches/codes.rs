//! What the state codes do in the innermost loop, beside the obvious way to do it.
//!
//! `cargo bench --bench codes`

#![allow(missing_docs, reason = "criterion's macros")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rustc_hash::FxHashSet;
use secateurs::plug::code::{Labels, Parentheses, Symbol};

/// All Motzkin words of `plugs` plugs, in no order.
fn motzkin_words(plugs: usize) -> Vec<Parentheses> {
    let mut words = vec![(Parentheses::EMPTY, 0)];
    for plug in 0..plugs {
        let longer = words.iter().flat_map(|&(word, height)| {
            let symbols = [(Symbol::Empty, height), (Symbol::Open, height + 1), (Symbol::Close, height - 1)];
            symbols.map(|(symbol, height)| (word.with(plug, symbol), height))
        });
        let possible = |height: i32| height >= 0 && (height as usize) < plugs - plug;
        words = longer.filter(|&(_, height)| possible(height)).collect();
    }
    let mut words: Vec<_> = words.into_iter().map(|(word, _)| word).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut words);
    words
}

/// The mate of a `(`: symbol by symbol.
fn scan(word: Parentheses, plug: usize) -> Option<usize> {
    let mut rest = word.word() >> (2 * plug);
    let mut depth = 0;
    while rest != 0 {
        let bit = rest.trailing_zeros();
        if bit.is_multiple_of(2) {
            depth += 1;
        } else {
            depth -= 1;
            if depth == 0 {
                return Some(plug + bit as usize / 2);
            }
        }
        rest &= rest - 1;
    }
    None
}

fn mates(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mates of parentheses");
    for plug in [1, 6] {
        let opens = |word: &Parentheses| word.get(plug - 1) == Symbol::Open && word.get(plug) == Symbol::Open;
        let words: Vec<_> = motzkin_words(15).into_iter().filter(opens).collect();
        assert!(words.iter().all(|&word| word.mate(plug) == scan(word, plug)));
        let name = |way: &str| format!("{way}, {} joins at plug {plug}", words.len());
        group.bench_function(name("table"), |bencher| {
            bencher.iter(|| words.iter().filter_map(|&word| black_box(word).mate(plug)).sum::<usize>());
        });
        group.bench_function(name("scan"), |bencher| {
            bencher.iter(|| words.iter().filter_map(|&word| scan(black_box(word), plug)).sum::<usize>());
        });
    }
}

/// What a step of connected subsets makes of the states of the sixth row, not yet in minimal representation.
fn raw_labels(columns: usize) -> Vec<Labels> {
    let mut layer = FxHashSet::from_iter([Labels::EMPTY]);
    let mut raw: Vec<Labels> = Vec::new();
    for cell in 0..5 * columns + columns / 2 {
        let (left, up) = ((cell % columns).checked_sub(1), cell % columns);
        raw.clear();
        for &code in &layer {
            let beside = left.filter(|&left| code.get(left) != 0);
            raw.extend(if code.get(up) == 0 { Some(code) } else { code.close(up).path() });
            raw.push(match (beside, code.get(up)) {
                (None, 0) => code.fresh(up),
                (None, _) => code,
                (Some(left), 0) => code.with(up, code.get(left)),
                (Some(left), _) => code.connect(left, up).state(),
            });
        }
        layer = raw.iter().map(|code| code.canonical()).collect();
    }
    fastrand::Rng::with_seed(1).shuffle(&mut raw);
    raw
}

/// The minimal representation, plug by plug.
fn plug_by_plug(code: Labels) -> Labels {
    // Four bits for what each label becomes.
    let (mut rest, mut names, mut last, mut word) = (code.word(), 0xf << 60, 0, 0);
    while rest != 0 {
        let at = rest.trailing_zeros() & !3;
        let label = 4 * (rest >> at & 0xf);
        if names >> label & 0xf == 0 {
            last += 1;
            names |= last << label;
        }
        word |= (names >> label & 0xf) << at;
        rest &= !(0xf << at);
    }
    Labels::from_word(word)
}

fn labels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("labels made canonical");
    for columns in [8, 11] {
        let raw = raw_labels(columns);
        assert!(raw.iter().all(|&code| code.canonical() == plug_by_plug(code)));
        let name = |way: &str| format!("{way}, {} of {columns} plugs", raw.len());
        group.bench_function(name("by component"), |bencher| {
            bencher.iter(|| raw.iter().fold(0, |all, &code| all ^ black_box(code).canonical().word()));
        });
        group.bench_function(name("plug by plug"), |bencher| {
            bencher.iter(|| raw.iter().fold(0, |all, &code| all ^ plug_by_plug(black_box(code)).word()));
        });
    }
}

criterion_group!(benches, mates, labels);
criterion_main!(benches);

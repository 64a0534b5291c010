//! What the state codes do in the innermost loop, beside the obvious way to do it.

use std::hint::black_box;

use rustc_hash::FxHashSet;
use secateurs::plug::code::{Labels, Parentheses, Symbol};

use crate::support::{self, Clock, Contender, NO_LIMIT};

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

fn mates() {
    for plug in [1, 6] {
        let opens = |word: &Parentheses| word.get(plug - 1) == Symbol::Open && word.get(plug) == Symbol::Open;
        let words: Vec<_> = motzkin_words(15).into_iter().filter(opens).collect();
        assert!(words.iter().all(|&word| word.mate(plug) == scan(word, plug)));
        let expected: usize = words.iter().filter_map(|&word| scan(word, plug)).sum();
        let contenders = [
            Contender::new("scan", 1.0, || words.iter().filter_map(|&word| scan(black_box(word), plug)).sum()),
            Contender::new("table", NO_LIMIT, || words.iter().filter_map(|&word| black_box(word).mate(plug)).sum()),
        ];
        let title = format!("mates of parentheses, {} joins at plug {plug}", words.len());
        support::ratios(&title, Clock::Processor, 15, &expected, &contenders);
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

fn labels() {
    for columns in [8, 11] {
        let raw = raw_labels(columns);
        let all =
            |canonical: fn(Labels) -> Labels| raw.iter().fold(0, |all, &code| all ^ canonical(black_box(code)).word());
        assert!(raw.iter().all(|&code| code.canonical() == plug_by_plug(code)));
        let contenders = [
            Contender::new("plug by plug", 1.0, || all(plug_by_plug)),
            Contender::new("by component", NO_LIMIT, || all(Labels::canonical)),
        ];
        let title = format!("labels made canonical, {} of {columns} plugs", raw.len());
        support::ratios(&title, Clock::Processor, 15, &all(plug_by_plug), &contenders);
    }
}

pub fn run() {
    mates();
    labels();
}

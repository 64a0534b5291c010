//! The operations of state codes in the innermost loop of a sweep, compared with straightforward
//! implementations.

use std::collections::BTreeSet;
use std::hint::black_box;

use secateurs::plug::code::{Labels, Parentheses, Symbol};

use crate::group::Group;

/// Returns all Motzkin words of `plugs` plugs, in random order.
fn motzkin_words(plugs: usize) -> Vec<Parentheses> {
    let mut words = vec![(Parentheses::EMPTY, 0)];
    for plug in 0..plugs {
        let longer = words.iter().flat_map(|&(word, height)| {
            let symbols =
                [(Symbol::Empty, height), (Symbol::Open, height + 1), (Symbol::Close, height - 1)];
            symbols.map(|(symbol, height)| (word.with(plug, symbol), height))
        });
        let possible = |height: i32| height >= 0 && (height as usize) < plugs - plug;
        words = longer.filter(|&(_, height)| possible(height)).collect();
    }
    let mut words: Vec<_> = words.into_iter().map(|(word, _)| word).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut words);
    words
}

/// Finds the mate of an opening parenthesis by scanning the symbols after it.
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

/// Returns the groups of mates of parentheses, near and far. Each word has two neighbouring opening
/// parentheses, as before a step that joins them; the throughput is in joins per second.
pub fn mates() -> impl Iterator<Item = Group<Vec<Parentheses>>> {
    [(1, 472_056), (6, 252_024)].into_iter().map(|(plug, sum)| {
        let opens = |word: &Parentheses| {
            word.get(plug - 1) == Symbol::Open && word.get(plug) == Symbol::Open
        };
        let words: Vec<_> = motzkin_words(15).into_iter().filter(opens).collect();
        let joins = words.len() as u64;
        Group::new(format!("plug/codes, mates at plug {plug}"), words, sum, joins)
            .contender("scan", move |words| -> usize {
                words.iter().filter_map(|&word| scan(black_box(word), plug)).sum()
            })
            .contender("table", move |words| -> usize {
                words.iter().filter_map(|&word| black_box(word).mate(plug)).sum()
            })
    })
}

/// Returns the states that the steps of connected subsets reach in the sixth row, before they are
/// made canonical.
fn raw_labels(columns: usize) -> Vec<Labels> {
    let mut layer = BTreeSet::from([Labels::EMPTY]);
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

/// Makes labels canonical plug by plug.
fn plug_by_plug(code: Labels) -> Labels {
    // Four bits per label: its new label.
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

/// Returns the groups of making labels canonical; the throughput is in states per second.
pub fn labels() -> impl Iterator<Item = Group<Vec<Labels>>> {
    [(8, 270_536_960), (11, 3_298_652_336_128)].into_iter().map(|(columns, all)| {
        let fold = |canonical: fn(Labels) -> Labels| {
            move |raw: &Vec<Labels>| {
                raw.iter().fold(0, |all, &code| all ^ canonical(black_box(code)).word())
            }
        };
        let raw = raw_labels(columns);
        let states = raw.len() as u64;
        Group::new(format!("plug/codes, canonical labels of {columns} plugs"), raw, all, states)
            .contender("plug by plug", fold(plug_by_plug))
            .contender("by component", fold(Labels::canonical))
    })
}

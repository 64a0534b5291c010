//! The state codes, each against a naive model that keeps lists of all plugs and connections.

mod bits;
mod labels;
mod mates;
mod parentheses;

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use proptest::sample::Index;
use secateurs::plug::code::{Bits, Coloured, Labels, Mates, Parentheses, Symbol};

/// An action on a code: its kind, and two plugs or slots.
type Action = (usize, (Index, Index));

/// Generates fewer than `end_len` actions of `kinds` kinds.
fn actions(kinds: usize, end_len: usize) -> impl Strategy<Value = Vec<Action>> {
    prop::collection::vec((0..kinds, any::<(Index, Index)>()), 0..end_len)
}

/// Returns the message of the panic of a call.
fn refusal<T>(call: impl FnOnce() -> T) -> String {
    let refused = catch_unwind(AssertUnwindSafe(call)).err().expect("a panic");
    *refused.downcast::<String>().expect("a message")
}

/// In release mode a shift beyond the word accesses another plug.
#[test]
fn no_operation_accesses_a_plug_beyond_the_word() {
    let refused = [
        refusal(|| Bits::<u64>::EMPTY.get(64)),
        refusal(|| Bits::<u64>::EMPTY.with(64, true)),
        refusal(|| Parentheses::<u64>::EMPTY.get(32)),
        refusal(|| Parentheses::<u64>::EMPTY.with(32, Symbol::Open)),
        refusal(|| Parentheses::<u64>::EMPTY.pair(0, 32)),
        refusal(|| Labels::<u64, 3>::EMPTY.get(21)),
        refusal(|| Labels::<u64, 3>::EMPTY.with(21, 1)),
        refusal(|| Labels::<u64, 3>::EMPTY.fresh(21)),
        refusal(|| Labels::<u64, 3>::EMPTY.without(21)),
        refusal(|| Labels::<u128, 5>::numbered(&[1; 26])),
        refusal(|| Mates::<u64>::EMPTY.far_end(16)),
        refusal(|| Mates::<u64>::EMPTY.join(0, 16)),
        refusal(|| Mates::<u128>::EMPTY.with_inner(25)),
    ];
    for message in refused {
        assert!(message.contains("check the width with `fits`"), "{message}");
    }
}

#[test]
fn no_operation_returns_the_code_of_another_state() {
    let labels: Labels<u64, 2> = "1.2".parse().expect("labels");
    let path: Parentheses = "().".parse().expect("a path");
    let full: Mates = "aabbccddeeffgghh".parse().expect("16 slots");
    let refused = [
        refusal(|| Bits::<u32>::EMPTY.with(31, true).shift()),
        refusal(|| Parentheses::<u64>::EMPTY.with(31, Symbol::Open).shift()),
        refusal(|| path.moved(0, 1)),
        refusal(|| path.pair(1, 2)),
        refusal(|| path.pair(2, 2)),
        refusal(|| path.join(1, 2)),
        refusal(|| path.close(2)),
        refusal(|| path.mirrored(1)),
        refusal(|| Labels::<u32, 4>::EMPTY.with(7, 1).shift()),
        refusal(|| labels.fresh(1)),
        refusal(|| Labels::<u64, 2>::numbered(&[1, 2, 4])),
        refusal(|| labels.with(1, 4)),
        refusal(|| labels.relabelled(1, 4)),
        refusal(|| labels.has(4)),
        refusal(|| labels.connect(0, 1)),
        refusal(|| labels.close(1)),
        refusal(|| labels.mirrored(2)),
        refusal(|| Coloured::new(Labels::<u64, 4>::EMPTY.with(12, 1), Bits::EMPTY)),
        refusal(|| Coloured::new(Labels::<u64, 4>::EMPTY, Bits::EMPTY.with(16, true))),
        refusal(|| full.slide()),
        refusal(|| full.join(3, 3)),
        refusal(|| full.without(4).close(4)),
    ];
    for message in refused {
        assert!(message.contains(", in "), "{message}");
    }
}

#[test]
fn codes_are_drawn_beyond_the_last_plug_of_the_word() {
    let drawn = format!("{:66}", Bits::<u64>::EMPTY.with(0, true));
    assert_eq!(drawn, format!("#{}", ".".repeat(65)));
    let drawn = format!("{:22}", Labels::<u64, 3>::EMPTY.with(0, 1));
    assert_eq!(drawn, format!("1{}", ".".repeat(21)));
    let drawn = format!("{:34}", Parentheses::<u64>::EMPTY.pair(0, 1));
    assert_eq!(drawn, format!("(){}", ".".repeat(32)));
}

#[test]
fn labels_are_legal_if_they_are_canonical_and_within_the_plugs() {
    let labels = |text: &str| text.parse::<Labels<u64, 3>>().expect("a code");
    assert!(labels("12.1").is_legal(4) && labels("12.1").is_legal(99));
    assert!(!labels("12.1").is_legal(3), "a plug too many");
    let swapped = Labels::<u64, 3>::EMPTY.with(0, 2).with(1, 1);
    assert!(!swapped.is_legal(2) && swapped.canonical().is_legal(2));
    // A gap between labels.
    assert!(!Labels::<u64, 3>::EMPTY.with(0, 2).is_legal(1));
}

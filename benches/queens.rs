//! n-queens: what the models of its state cost, and what symmetry saves.
//!
//! `cargo bench --bench queens` prints the ratios of runs that took turns in one process; with one of the words `models`,
//! `symmetry` behind `--`, that part only. Constraint networks and exact covers of queens: the benches `csp` and `cover`.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;

use secateurs::problems::queens::{Effort, Queens};
use secateurs::{Hooks, Problem, Search};
use support::{Clock, Contender, NO_LIMIT};

/// The number of solutions, counted with `hooks`.
fn count<P: Problem>(problem: &P, hooks: impl Hooks<P>) -> Option<u128> {
    Search::new(black_box(problem)).hooks(hooks).count().exact()
}

/// The models of the state, all with the same tree.
fn models() {
    let queens = Queens::new(10).expect("a size");
    let effort = Effort::new();
    let (bits, marks, lookback) = (queens.bits(), queens.marks(), queens.lookback());
    let completion = queens.board().bits().expect("an empty board");
    let counting = queens.lookback().counting(&effort);
    let contenders = [
        Contender::new("bits", 1.0, || count(&bits, ())),
        Contender::new("bits, completion", NO_LIMIT, || count(&completion, ())),
        Contender::new("marks on a copied board", NO_LIMIT, || count(&marks, ())),
        Contender::new("looking back", NO_LIMIT, || count(&lookback, ())),
        Contender::new("looking back, pairs counted", NO_LIMIT, || count(&counting, ())),
    ];
    support::ratios("10-queens by model", Clock::Processor, 9, &Some(724), &contenders);
}

/// All solutions, each orbit once or half of them.
fn symmetry() {
    let bits = Queens::new(12).expect("a size").bits();
    let leader = || Queens::lex_leader(&bits).expect("a small board");
    let contenders = [
        Contender::new("no symmetry", 1.0, || count(&bits, ())),
        Contender::new("mirror", 0.6, || count(&bits, (Queens::mirror(),))),
        Contender::new("lex leader of all eight", NO_LIMIT, || count(&bits, (leader(),))),
    ];
    support::ratios("12-queens by symmetry", Clock::Processor, 9, &Some(14_200), &contenders);
}

fn main() {
    support::parts(&[("models", models), ("symmetry", symmetry)]);
}

//! Exact covers beside other models of the same problems, and what symmetry and the order of items save.
//!
//! `cargo bench --bench cover` prints the ratios of runs that took turns in one process; with one of the words `models`,
//! `prunings` behind `--`, that part only. Published crates beside it: `cargo bench --manifest-path benches/rivals/Cargo.toml`.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;

use secateurs::cover::{Cover, CoverState, ItemOrder};
use secateurs::csp::Propagate;
use secateurs::problems::langford::Langford;
use secateurs::problems::packing::{Board, Packing};
use secateurs::problems::queens::Queens;
use secateurs::{Hooks, Search};
use support::{Clock, Contender, NO_LIMIT};

fn count(cover: &Cover, hooks: impl Hooks<Cover>) -> Option<u128> {
    Search::new(black_box(cover)).hooks(hooks).count().exact()
}

/// All solutions, as a cover and otherwise.
fn models() {
    let queens = Queens::new(10).expect("a size");
    let (bits, network, cover) = (queens.bits(), queens.board().network(), queens.cover());
    let contenders = [
        Contender::new("cover", 1.0, || count(cover.cover(), ())),
        Contender::new("network, row by row", NO_LIMIT, || {
            Search::new(&network).hooks((Propagate::forward(),)).count().exact()
        }),
        Contender::new("bit masks, row by row", NO_LIMIT, || Search::new(&bits).count().exact()),
    ];
    support::ratios("10-queens", Clock::Processor, 9, &Some(724), &contenders);

    let langford = Langford::new(8).expect("a number");
    let (cover, network) = (langford.cover(), langford.network());
    let contenders = [
        Contender::new("cover", 1.0, || count(cover.cover(), ())),
        Contender::new("network, in order", NO_LIMIT, || {
            Search::new(network.network()).hooks((Propagate::full(),)).count().exact()
        }),
    ];
    support::ratios("Langford pairs of 8", Clock::Processor, 5, &Some(300), &contenders);
}

/// The same up to symmetry, and with another item to branch on.
fn prunings() {
    let packing = Packing::pentominoes(Board::rectangle(3, 20).expect("a board")).expect("it has 60 cells");
    let contenders = [
        Contender::new("all", 1.0, || count(packing.cover(), ())),
        Contender::new("up to symmetry", NO_LIMIT, || count(packing.cover(), (packing.symmetry(),))),
    ];
    support::ratios("pentominoes in 3 × 20", Clock::Processor, 5, &Some(8), &contenders);

    let queens = Queens::new(8).expect("a size").cover();
    let order = ItemOrder::by(|_: &Cover, _: &CoverState, item| item);
    let contenders = [
        Contender::new("the smallest item", 1.0, || count(queens.cover(), ())),
        Contender::new("items in order", NO_LIMIT, || {
            Search::new(black_box(queens.cover())).brancher(order).count().exact()
        }),
    ];
    support::ratios("8-queens by item", Clock::Processor, 9, &Some(92), &contenders);
}

fn main() {
    support::parts(&[("models", models), ("prunings", prunings)]);
}

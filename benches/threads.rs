//! What several threads gain, and what dividing the tree costs one: `cargo bench --bench threads`, on a machine that does
//! nothing else. `-- --ratios` prints the ratios only.
//!
//! Ratios are to one thread on the plain engine, by time on the wall.

#[path = "support/mod.rs"]
mod support;

use secateurs::Search;
use secateurs::problems::queens::Queens;
use support::{Clock, Contender};

const N: usize = 15;
const SOLUTIONS: u128 = 2_279_184;
const ROUNDS: usize = 7;

fn main() {
    let queens = Queens::new(N).expect("a size").bits();
    let search = || Search::new(&queens);
    let counts = [
        Contender::new("the plain engine", 1.0, || search().count().exact()),
        Contender::new("one thread", 1.03, || search().threads(1).count().exact()),
        Contender::new("two threads", 1.0 / 1.9, || search().threads(2).count().exact()),
    ];
    support::ratios("15-queens", Clock::Wall, ROUNDS, &Some(SOLUTIONS), &counts);
}

//! Knight's tours: what a rule costs and how far it gets, and what prunings are worth.
//!
//! `cargo bench --bench knights` prints everything; with one or more of these words behind `--`, that part only:
//!
//! - `starts`: how many starts each rule solves, and with how many nodes;
//! - `rules`: one walk without a step back, by rule;
//! - `tours`: the search as it comes, with prunings and restarts, on boards of all shapes;
//! - `prunings`: every closed tour of 5×6, with more and more of the prunings.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::Instant;

use secateurs::problems::knights_tour::{
    Board, DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity, Rule, TourSearch,
};
use secateurs::{Limits, Search};
use support::{Clock, Contender, NO_LIMIT, timed};

fn board(rows: usize, columns: usize) -> Board {
    Board::new(rows, columns).expect("in range")
}

/// Every start of these boards: the attempts of the search that restarts, and its nodes for each square.
fn starts() {
    println!("{:>20}  {:>7}  {:>6}  {:>13}  {:>13}", "rule", "starts", "solved", "first attempt", "nodes/square");
    for rule in Rule::ALL {
        let (mut starts, mut solved, mut at_first, mut nodes, mut squares) = (0, 0, 0, 0, 0);
        let began = Instant::now();
        for board in [board(6, 6), board(8, 8), board(5, 20), board(20, 20)] {
            for square in board.squares() {
                let search = TourSearch::new(board).rule(rule).starting_at(board.row(square), board.column(square));
                let found = search.expect("on the board").solve();
                starts += 1;
                solved += u32::from(found.tour().is_some());
                at_first += u32::from(found.tour().is_some() && found.attempts() == 1);
                nodes += found.nodes();
                squares += board.len() as u64;
            }
        }
        let ratio = nodes as f64 / squares as f64;
        let elapsed = began.elapsed();
        println!("{:>20}  {starts:>7}  {solved:>6}  {at_first:>13}  {ratio:>13.3}  in {elapsed:.3?}", rule.name());
    }
    println!();
}

/// One walk from the corner without hooks, wherever a rule needs no step back: the price of its key.
fn rules() {
    for side in [8, 50, 200] {
        let tour = KnightsTour::open(board(side, side)).starting_at(0, 0).expect("on the board");
        let limits = Limits::new().nodes((side * side) as u64);
        let walk = |rule: &Rule| {
            Search::new(black_box(&tour)).brancher(rule.brancher()).limits(limits.clone()).exists().exists()
        };
        let walk = &walk;
        let without_a_step_back = Rule::ALL.iter().filter(|rule| walk(rule) == Some(true));
        let contenders: Vec<_> =
            without_a_step_back.map(|rule| Contender::new(rule.name(), NO_LIMIT, move || walk(rule))).collect();
        if !contenders.is_empty() {
            support::ratios(&format!("one walk on {side}×{side}"), Clock::Processor, 9, &Some(true), &contenders);
        }
    }
}

fn tours() {
    println!("a tour, with prunings and restarts: milliseconds, and nanoseconds a square");
    for (rows, columns, closed) in
        [(8, 8, false), (8, 8, true), (3, 300, false), (4, 1001, false), (100, 100, true), (1000, 1000, false)]
    {
        let search = TourSearch::new(board(rows, columns)).starting_at(0, 0).expect("on the board");
        let search = if closed { search.closed() } else { search };
        let (found, milliseconds) = timed(|| black_box(search.solve()).tour().is_some());
        assert!(found, "{rows}×{columns}");
        let name = format!("{rows}×{columns}, {}", if closed { "closed" } else { "open" });
        println!("{name:>20}{milliseconds:>12.3}{:>12.0}", 1e6 * milliseconds / (rows * columns) as f64);
    }
    println!();
}

fn prunings() {
    let tour = KnightsTour::closed(board(5, 6));
    let count = |on: usize| {
        let rest = (on >= 4).then(DisconnectedRest::default);
        let hooks = (Parity, (on >= 2).then_some(DeadEnds), (on >= 3).then_some(OneExit), rest);
        Search::new(&tour).hooks(hooks).count()
    };
    let count = &count;
    let contenders =
        [(1, "parity"), (2, "+ dead ends"), (3, "+ one exit"), (4, "+ disconnected rest")].map(|(on, name)| {
            let nodes = count(on).report().nodes();
            Contender::new(format!("{name}, {nodes} nodes"), NO_LIMIT, move || count(on).exact())
        });
    support::ratios("closed tours of 5×6", Clock::Processor, 7, &Some(16), &contenders);
}

fn main() {
    support::parts(&[("starts", starts), ("rules", rules), ("tours", tours), ("prunings", prunings)]);
}

//! The pruning lab: what does each pruning save, what does it cost, and is it sound?
//!
//! # Compare
//!
//! A [`Contender`] is a name and a way to answer a question about an instance: a search with some
//! hooks, another one with others, a sweep. [`Compare`] runs several of them on the same instances,
//! in turns, checks that those that claim to have proven their answer agree, and gives a
//! [`Comparison`]: nodes, cuts of each hook, time and its spread, time a node, memory, and all of
//! that in relation to the first contender, the *base*.
//!
//! Mostly it is one search with different sets of hooks. A [`Plan`] says which sets: adding one at
//! a time, each alone, all but one, or all subsets. Hooks that are `Option`s are switched without
//! any cost:
//!
//! ```
//! use secateurs::hook;
//! use secateurs::lab::{Compare, Plan, Contender};
//! use secateurs::problems::queens::Queens;
//! use secateurs::Search;
//!
//! let queens = Queens::new(8)?.bits();
//! let mut compare = Compare::of("8-queens", &queens).rounds(3);
//! for on in Plan::Cumulative.sets(["mirror"])? {
//!     compare = compare.contender(Contender::new(on.to_string(), move |queens, limits| {
//!         Search::new(*queens).hooks((on.then("mirror", Queens::mirror),)).limits(limits).count()
//!     }));
//! }
//! let comparison = compare.run()?;
//! let [plain, mirror] = comparison.contenders() else { unreachable!("none, and the mirror") };
//! assert_eq!(plain.runs()[0].nodes(), 2_057);
//! assert!(mirror.runs()[0].nodes() < 1_100);
//! assert_eq!(mirror.runs()[0].answer().proven(), Some("92"));
//! println!("{comparison}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where a run comes to a limit, the comparison says so, and gives an estimate of the size of the
//! tree in place of the number of nodes, marked as one, if the contender [can be
//! estimated](Contender::estimated). An estimate that is not
//! [reliable](crate::search::Estimate::is_reliable) is not shown; in its place is a [lower
//! bound](Measured::at_least), marked by `≥`. What has come to a limit has taken less time than it
//! would have: such times are marked as bounds.
//!
//! | question | answer |
//! |---|---|
//! | what did each contender come to? | `Display`, [`markdown`](Comparison::markdown) |
//! | on each instance, at each depth? | [`section`](Comparison::section) |
//! | what did each hook cut, of how many calls? | [`Section::Cuts`] |
//! | at a glance? | `html`, a page with charts (with the feature `pages`, as the next) |
//! | for other programs? | `csv`, a row for each instance and contender, and `json` |
//! | beside figures of an article? | [`Reference`] |
//! | on how many instances does something hold? | [`Compare::tally`] |
//! | the memory of a search? | [`MemoryMeter`] |
//!
//! [`bundled`] has ready-made comparisons: the tables of the articles that this crate takes its
//! problems from. The example `compare` runs them, and compares on boards of your own.
//!
//! # Audit
//!
//! A hook claims by its [`Effect`](crate::Effect) what its cuts preserve, and the answer of a
//! search is worth no more than these claims. An [`Audit`] puts them to the test: whatever a hook
//! cuts off is searched without it. In a test of your own, that is a line:
//!
//! ```
//! use secateurs::lab::Audit;
//! use secateurs::problems::queens::Queens;
//!
//! let queens = Queens::new(7)?.bits();
//! Audit::of_count(&queens).hook(Queens::mirror()).run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If something is lost, the test fails with a [`Violation`] of some lines: the hook, its claim,
//! what was lost, the state before and after, the path. One instance says little, so there are
//! [`Instances`]: all small ones from an iterator, random ones from a generator; the first on which
//! something is lost is made smaller as long as it still is.
//!
//! ```
//! use secateurs::lab::{Audit, audit_all};
//! use secateurs::problems::fire_net::{Board, State};
//! use secateurs::{Effect, NodeMut, Objective, Verdict, hook};
//!
//! // A bunker in the corner does no harm, does it?
//! let corner = || {
//!     hook::enter("corner", Effect::OptimumOnly, |node: &mut NodeMut<Board>| {
//!         let board = node.problem();
//!         if node.depth() == 0 {
//!             node.state_mut().place(board, 0);
//!         }
//!         Verdict::Keep
//!     })
//! };
//! let boards = (0..16).map(|walls| Board::new(2, 2, |row, column| walls >> (2 * row + column) & 1 == 1));
//! let one_wall_more = |board: &Board| {
//!     let (board, cells) = (board.clone(), board.cells());
//!     let free = (0..cells).filter(|&cell| !board.is_wall(cell)).collect::<Vec<_>>();
//!     free.into_iter().map(move |wall| {
//!         Board::new(2, 2, |row, column| board.is_wall(2 * row + column) || 2 * row + column == wall)
//!     })
//! };
//! let found = audit_all(boards, one_wall_more, |board| {
//!     let placed = Objective::maximise(|_: &Board, state: &State| state.placed());
//!     let draw = |board: &Board, state: &State| {
//!         board.with_bunkers(state.bunkers().to_vec()).map_or_else(|error| error.to_string(), |board| board.to_string())
//!     };
//!     Audit::of_best(board, &placed).show(draw).hook(corner()).run()
//! });
//! assert_eq!(found.unwrap_err().to_string(), "\
//! `corner` (optimum only): the optimum 2 was lost, and the best value found is 1
//!   before:
//!     2
//!     ..
//!     .X
//!   after:
//!     2
//!     B.
//!     .X
//!   reached by: []
//!   instance:
//!     2
//!     ..
//!     .X");
//! ```
//!
//! In property tests, a contender makes the instances and shrinks them:
//!
//! ```
//! use proptest::prelude::*;
//! use secateurs::lab::Audit;
//! use secateurs::problems::queens::{Board, Queens};
//!
//! proptest! {
//!     // With `#[test]`, in a file of tests.
//!     fn the_mirror_is_sound(size in 1..7_usize, queens in 0..3_usize, seed: u64) {
//!         let queens = Board::random(size, queens, seed).expect("a small board").lookback();
//!         Audit::of_count(&queens).hook(Queens::mirror()).run()?;
//!     }
//! }
//! the_mirror_is_sound();
//! ```
//!
//! [`Audit`] also takes bounds, keys and relations of dominance, and holds them against every node
//! of the tree; [`SweepAudit`] does the same for the hooks of sweeps. Errors aside, an audit gives
//! its [`Coverage`]: how much was looked at. `cargo run --release --example audit fire-net --wrong
//! 9a` shows one at work.
//!
//! # See
//!
//! Numbers say how much a pruning saves; where it does so can be looked at. A [`Recording`] wraps
//! the hooks of a search and writes down its tree: what became of each node, and which hook cut it
//! off. A [`SweepRecording`] keeps some of the contours of each layer of a sweep. Runs that are not
//! recorded are not wrapped, and pay nothing.
//!
//! ```
//! use secateurs::lab::{NodeOutcome, Recording};
//! use secateurs::problems::knights_tour::{Board, DeadEnds, KnightsTour, OneExit, Parity};
//! use secateurs::{Node, Search};
//!
//! let tour = KnightsTour::open(Board::new(5, 5)?).starting_at(0, 0)?;
//! let mut recording = Recording::new().picture(|node: &Node<'_, KnightsTour>| tour.svg(node.state()));
//! let outcome = Search::new(&tour).hooks(recording.of((Parity, DeadEnds, OneExit))).first();
//! recording.ended(outcome.report());
//! let cuts = recording.count(NodeOutcome::NotKept(1));
//! assert_eq!(cuts, outcome.report().hook("dead ends").map_or(0, |hook| hook.cuts()));
//! # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
//! ```
//!
//! With the feature `pages`, `Recording::html` makes a page of it that needs no network: the tree
//! as a whole, and unfolding, with the path and the picture of the state that is chosen, nodes by
//! depth, and the best value over time. `SweepRecording::html` draws layers as bars, and the plugs
//! of a chosen state on the board. The example `tree` writes both:
//!
//! ```text
//! cargo run --release --example tree -- queens 8 --mirror --html queens.html
//! cargo run --release --example tree -- rocket-mania --prunings 1-4 --html rockets.html
//! ```

mod answer;
mod audit;
#[cfg(feature = "problems")]
pub mod bundled;
#[cfg(feature = "pages")]
mod charts;
mod compare;
mod comparison;
mod contender;
#[cfg(feature = "pages")]
mod csv;
mod error;
#[cfg(feature = "pages")]
mod json;
mod measured;
#[cfg(feature = "pages")]
mod pages;
mod plan;
mod recording;
mod reference;
mod tables;

pub use answer::{Answer, Trial};
pub use audit::{
    Audit, Coverage, Exhibit, Instances, Loss, Share, SweepAudit, Unsound, Violation, audit_all,
};
pub use compare::Compare;
pub use comparison::{Compared, Comparison};
pub use contender::Contender;
pub use error::{CompareError, Disagreement};
pub use measured::{Measured, MemoryMeter, Quantiles};
pub use plan::{Plan, Switches};
pub use recording::{
    Improvement, NodeOutcome, Recorded, RecordedNode, RecordedSweep, Recording, SweepRecording,
};
pub use reference::{Quantity, Reference};
pub use tables::{Section, Table};

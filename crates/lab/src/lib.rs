//! Comparisons, audits and recordings of prunings: what they are worth, whether they are sound, and
//! where they act. Portfolios run the fastest of several strategies. The prunings are the hooks and
//! branchers of [`secateurs`].
//!
//! # Compare
//!
//! A [`Contender`] is a named configuration, such as a search with certain hooks or a sweep, that
//! takes part in a comparison. [`Compare`] runs several contenders on the same instances, in turns,
//! checks that their proven answers agree, and returns a [`Comparison`]: nodes, cuts of each hook,
//! time and its spread, time per node and memory, also relative to the first contender, the *base*.
//!
//! Typically the contenders are one search with different sets of hooks. A [`Plan`] generates the
//! sets: adding one hook at a time, each alone, all but one, or all subsets. Hooks that are
//! `Option`s are switched without any cost:
//!
//! ```
//! use secateurs::hook;
//! use secateurs::Search;
//! use secateurs_lab::{Compare, Plan, Contender};
//! use secateurs_problems::queens::Queens;
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
//! If a run reaches a limit, the comparison reports this. If the contender [has an
//! estimator](Contender::estimated), an estimate of the tree size, marked as such, replaces the
//! number of nodes. An estimate that is not [reliable](secateurs::search::Estimate::is_reliable) is
//! not shown, but replaced by a [lower bound](Measured::at_least), marked by `≥`. The time of such
//! a run is marked as a lower bound too.
//!
//! | to get | use |
//! |---|---|
//! | the results of each contender | `Display`, [`markdown`](Comparison::markdown) |
//! | the results by instance or by depth | [`section`](Comparison::section) |
//! | the cuts and calls of each hook | [`Section::Cuts`] |
//! | a page with charts (feature `pages`) | `html` |
//! | files for other programs (feature `pages`) | `csv` and `json` |
//! | published figures next to the measured ones | [`Reference`] |
//! | the number of instances that satisfy a test | [`Compare::tally`] |
//! | the memory of a search | [`MemoryMeter`] |
//!
//! [`bundled`] has ready-made comparisons that reproduce tables of the articles from which the
//! problems come. The command `secateurs compare` runs them, also on boards of your own.
//!
//! # Choose
//!
//! A [`Portfolio`] has several strategies for one question. It predicts which of them is fastest on
//! an instance, and runs that one.
//!
//! # Audit
//!
//! A hook claims by its [`Effect`](secateurs::Effect) what its cuts preserve, and the answer of a
//! search depends on these claims. An [`Audit`] tests them: it searches, without the hook, every
//! subtree that the hook cuts off. An audit is one line in a test:
//!
//! ```
//! use secateurs_lab::Audit;
//! use secateurs_problems::queens::Queens;
//!
//! let queens = Queens::new(7)?.bits();
//! Audit::of_count(&queens).hook(Queens::mirror()).run()?.exhaustive()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If a claim is violated, the test fails with a [`Violation`] of a few lines: the hook, its claim,
//! the loss, the state before and after, and the path. A single instance proves little, so
//! [`Instances`] audits many: all small ones from an iterator, or random ones from a generator. The
//! first instance with a violation is shrunk.
//!
//! ```
//! use secateurs::{Effect, NodeMut, Objective, Verdict, hook};
//! use secateurs_lab::{Audit, audit_all};
//! use secateurs_problems::fire_net::{FireNetBoard, State};
//!
//! // A wrong hook: a bunker in the corner is not always optimal.
//! let corner = || {
//!     hook::enter("corner", Effect::OptimumOnly, |node: &mut NodeMut<FireNetBoard>| {
//!         let board = node.problem();
//!         if node.depth() == 0 {
//!             node.state_mut().place(board, 0);
//!         }
//!         Verdict::Keep
//!     })
//! };
//! let boards = (0..16).map(|walls| {
//!     FireNetBoard::new(2, 2, |row, column| walls >> (2 * row + column) & 1 == 1)
//! });
//! let one_wall_more = |board: &FireNetBoard| {
//!     let (board, cells) = (board.clone(), board.cells());
//!     let free = (0..cells).filter(|&cell| !board.is_wall(cell)).collect::<Vec<_>>();
//!     free.into_iter().map(move |wall| {
//!         let is_wall = |cell: usize| board.is_wall(cell) || cell == wall;
//!         FireNetBoard::new(2, 2, |row, column| is_wall(2 * row + column))
//!     })
//! };
//! let found = audit_all(boards, one_wall_more, |board| {
//!     let placed = Objective::maximise(|_: &FireNetBoard, state: &State| state.placed());
//!     let draw = |board: &FireNetBoard, state: &State| {
//!         let drawn = board.with_bunkers(state.bunkers().to_vec());
//!         drawn.map_or_else(|error| error.to_string(), |board| board.to_string())
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
//! In property tests, a proptest strategy generates and shrinks the instances:
//!
//! ```
//! use proptest::prelude::*;
//! use secateurs_lab::Audit;
//! use secateurs_problems::queens::{QueensBoard, Queens};
//!
//! proptest! {
//!     // With `#[test]`, in a file of tests.
//!     fn the_mirror_is_sound(size in 1..7_usize, queens in 0..3_usize, seed: u64) {
//!         let queens = QueensBoard::random(size, queens, seed).expect("a small board").lookback();
//!         Audit::of_count(&queens).hook(Queens::mirror()).run()?.exhaustive()?;
//!     }
//! }
//! the_mirror_is_sound();
//! ```
//!
//! [`Audit`] also checks bounds, keys and dominance relations against every node of the tree.
//! [`SweepAudit`] does the same for the hooks of sweeps. A successful audit returns its
//! [`Coverage`]: how much was checked. [`Coverage::exhaustive`] fails if a limit or a sample cut
//! the audit short, or if something could not be checked. For a demonstration, run
//! `secateurs audit fire-net --wrong 9a`.
//!
//! # Record
//!
//! A [`Recording`] shows where a pruning acts: it wraps the hooks of a search and records the tree,
//! with the outcome of each node and the hook that cut it off. A [`SweepRecording`] keeps a sample
//! of the states of each layer of a sweep. Runs that are not recorded are not wrapped, and cost
//! nothing.
//!
//! ```
//! use secateurs::{Node, Search};
//! use secateurs_lab::{NodeOutcome, Recording};
//! use secateurs_problems::knights_tour::{TourBoard, DeadEnds, KnightsTour, OneExit, Parity};
//!
//! let tour = KnightsTour::open(TourBoard::new(5, 5)?).starting_at(0, 0)?;
//! let draw = |node: &Node<'_, KnightsTour>| tour.svg(node.state());
//! let mut recording = Recording::new().picture(draw);
//! let outcome = Search::new(&tour).hooks(recording.of((Parity, DeadEnds, OneExit))).first();
//! recording.ended(outcome.report());
//! let cuts = recording.count(NodeOutcome::NotKept(1));
//! assert_eq!(cuts, outcome.report().hook("dead ends").map_or(0, |hook| hook.cuts()));
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```
//!
//! With the feature `pages`, `Recording::html` returns a self-contained page: the whole tree as an
//! overview and as a foldable outline, the path and picture of the selected node, nodes by depth,
//! and the best value over time. `SweepRecording::html` draws the layers as bars, and the plugs of
//! a selected state on the board. The command `secateurs tree` writes both:
//!
//! ```text
//! secateurs tree queens 8 --mirror --html queens.html
//! secateurs tree rocket-mania --prunings 1-4 --html rockets.html
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `pages` | comparisons and recordings as HTML with charts; comparisons as CSV and JSON |
//! | `bundled` | [`bundled`] comparisons of the model problems |
//! | `serde` | `Serialize` for measurements, `Serialize` and `Deserialize` for coverage |

// Reading order: `contender.rs` and `plan.rs` describe what is compared;
// `compare.rs` runs it; `measured.rs` and `comparison.rs` hold the results; `tables/`,
// `charts/`, `pages.rs`, `export.rs` print them; `bundled/` has ready-made comparisons.
// `portfolio.rs`, `audit/` and `recording/` are independent of these, except that pages of
// recordings use `pages.rs` and `tables/`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod audit;
#[cfg(feature = "bundled")]
pub mod bundled;
#[cfg(feature = "pages")]
mod charts;
#[cfg(feature = "pages")]
mod compact;
mod compare;
mod comparison;
mod contender;
mod error;
#[cfg(feature = "pages")]
mod export;
mod measured;
#[cfg(feature = "pages")]
mod pages;
mod plan;
mod portfolio;
mod recording;
mod tables;

pub use audit::{
    Audit, AuditProgress, Coverage, Exhibit, Gap, GapReason, Instances, Loss, NotExhaustive, Share,
    SweepAudit, Unsound, Violation, audit_all,
};
pub use compare::{Compare, CompareProgress};
pub use comparison::{Compared, Comparison};
pub use contender::{Contender, Quantity, Reference};
pub use error::{CompareError, Disagreement};
pub use measured::{Answer, Measured, MemoryMeter, Quantiles, Trial};
pub use plan::{Plan, Switches};
pub use portfolio::{Portfolio, PortfolioAnswer, PortfolioCost, PortfolioEntry, PortfolioOutcome};
pub use recording::{Improvement, NodeOutcome, RecordedNode, Recording, SweepRecording};
pub use tables::{Section, Table};

/// Runs the code of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The pruning lab: what does each pruning save, what does it cost, and is it sound?
//!
//! # Compare
//!
//! A [`Strategy`] is a name and a way to answer a question about an instance: a search with some hooks, another one with
//! others, a sweep. [`Compare`] runs several of them on the same instances, in turns, checks that those that claim to have
//! proven their answer agree, and gives a [`Comparison`]: nodes, cuts, time, all in relation to the first.
//!
//! Mostly it is one search with different sets of hooks. A [`Plan`] says which sets: adding one at a time, each alone, all
//! but one, or all subsets. Hooks that are `Option`s are switched without any cost:
//!
//! ```
//! use secateurs::hook;
//! use secateurs::lab::{Compare, Plan, Strategy};
//! use secateurs::problems::queens::Queens;
//! use secateurs::Search;
//!
//! let queens = Queens::new(8)?.bits();
//! let mut compare = Compare::of("8-queens", &queens).rounds(3);
//! for on in Plan::Cumulative.sets(["mirror"]) {
//!     compare = compare.strategy(Strategy::new(on.to_string(), move |queens, limits| {
//!         Search::new(*queens).hooks((on.then("mirror", Queens::mirror),)).limits(limits).count()
//!     }));
//! }
//! let comparison = compare.run()?;
//! let [plain, mirror] = comparison.strategies() else { unreachable!("none, and the mirror") };
//! assert_eq!(plain.runs()[0].nodes(), 2_057);
//! assert!(mirror.runs()[0].nodes() < 1_100);
//! assert_eq!(mirror.runs()[0].answer().proven(), Some("92"));
//! println!("{comparison}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where a run comes to a limit, the comparison says so, and gives an estimate of the size of the tree in place of the
//! number of nodes, marked as one, if the strategy [can be estimated](Strategy::estimated).

mod answer;
mod audit;
mod compare;
mod comparison;
#[cfg(feature = "pages")]
mod page;
mod plan;
mod quantiles;
mod strategy;
mod table;

pub use answer::{Answer, Trial};
pub use audit::{Audit, Coverage, Exhibit, Instances, Loss, Share, SweepAudit, Unsound, Violation, audit_all};
pub use compare::{Compare, CompareError, Disagreement};
pub use comparison::{Compared, Comparison, Measured};
pub use plan::{Plan, Switches};
pub use quantiles::Quantiles;
pub use strategy::Strategy;

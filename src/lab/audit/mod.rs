//! Is a pruning sound? An audit searches what it cuts off.
//!
//! A wrong pruning is hard to see: it makes programs fast, and mostly right. Comparing answers
//! shows that something is wrong, on instances where it happens to matter. An audit looks at each
//! cut by itself, and says which one was wrong.
//!
//! | what | by | is held to |
//! |---|---|---|
//! | a hook of a search | [`Audit::hook`] | the [`Effect`](crate::Effect) that it claims |
//! | a bound | [`Audit::bound`], [`Audit::monotone_bound`] | what is below each node of the tree |
//! | a key of a memo | [`Audit::key`], [`Audit::key_of_failures`] | the futures of all states that it joins |
//! | a dominance of states | [`Audit::dominance`] | the conditions of [`hook::Dominance`](crate::hook::Dominance) |
//! | undoing | each audit of a search | the state as it was before |
//! | a hook of a sweep | [`SweepAudit::hook`] | the effect that it claims, at each state of each layer |
//! | a dominance of contours | [`SweepAudit::dominance`] | the laws of [`plug::StateDominance`](crate::plug::StateDominance) |
//!
//! What is found is a [`Violation`]; if nothing is, the [`Coverage`] says how much was looked at.
//! [`Instances`] takes an audit through many instances, and makes the first one on which something
//! is broken as small as can be.
//!
//! (Testing a program against a slow one that is surely right, on all small inputs and many random
//! ones, is an old habit; that small inputs show most mistakes was put forward by Jackson and
//! Damon, 1996, as the *small scope hypothesis*. Checking each step of a solver apart, and not just
//! its answer, is what proof logging does for others: Wetzler, Heule and Hunt, 2014.)

mod audited_hook;
mod checks;
mod coverage;
mod instances;
mod ledger;
mod observed_brancher;
mod reference;
mod search;
mod sweep;
mod violation;
mod walk;

pub use coverage::{Coverage, Share};
pub use instances::{Instances, Unsound, audit_all};
pub use search::Audit;
pub use sweep::SweepAudit;
pub use violation::{Exhibit, Loss, Violation};

//! Audits: tests of the soundness of prunings, by searching what they cut off.
//!
//! An unsound pruning is hard to notice: it makes programs fast, and their answers are mostly
//! right. Comparing answers shows an error only on instances where it happens to matter. An audit
//! examines each cut by itself and reports which one was wrong.
//!
//! | subject | method | is checked against |
//! |---|---|---|
//! | a hook of a search | [`Audit::hook`] | its claimed [`Effect`](secateurs::Effect) |
//! | a constraint | [`Audit::hook`], [`Audit::problem_hook`] | its verdicts about equal states |
//! | a bound | [`Audit::bound`] | the solutions below each node of the tree |
//! | a key of a memo | [`Audit::key`] | the subtrees of all states with the same key |
//! | a dominance of states | [`Audit::dominance`] | the conditions of [`hook::Dominance`] |
//! | a type system of samples | [`Audit::types`] | the other nodes with the same state |
//! | the states of a diagram | [`Audit::merges`] | the laws of [`DiagramProblem`] |
//! | a group of symmetries | [`Audit::symmetries`] | the images of all solutions |
//! | a brancher | [`Audit::brancher`] | the solutions in the problem's own order |
//! | `undo` | every audit of a search | the state before the choice |
//! | a hook of a sweep | [`SweepAudit::hook`] | its claimed effect, at each state of each layer |
//! | a dominance of contour states | [`SweepAudit::dominance`] | the laws of [`StateDominance`] |
//!
//! [`DiagramProblem`]: secateurs::diagram::DiagramProblem
//! [`hook::Dominance`]: secateurs::hook::Dominance
//! [`StateDominance`]: secateurs::plug::StateDominance
//!
//! An audit fails with a [`Violation`], or returns its [`Coverage`]: how much was checked.
//! [`Coverage::exhaustive`] fails if anything was not.
//! [`Instances`] audits many instances, and shrinks the first one with a violation.
//!
//! Background: Testing a program on all small inputs against a slow but simple one rests on the
//! *small scope hypothesis* (Jackson and Damon 1996): most errors show on small inputs. Checking
//! every step of a solver rather than its answer is the idea of proof logging (Wetzler, Heule and
//! Hunt 2014).
//!
//! Files, in reading order:
//!
//! - `violation.rs` and `coverage.rs`: the results of audits.
//! - `reference.rs`: the audited problem, and searches of it without the audited hooks.
//! - `observed_brancher.rs`, `audited_hook.rs`: wrappers that observe a walk and the actions of a
//!   hook.
//! - `brancher_check.rs`: a brancher against the problem's own order.
//! - `below_prefix.rs`, `constraint_check.rs`: constraints, which define the solutions of all these
//!   searches.
//! - `ledger.rs`: the actions of the hooks, and whether they keep to their claims.
//! - `walk.rs`, `checks.rs`, `type_check.rs`, `merge_check.rs`: the whole tree, against which
//!   bounds, keys, dominance relations, type systems and merged states are checked.
//! - `search.rs`, `components.rs`: [`Audit`].
//! - `sweep/`: [`SweepAudit`].
//! - `instances.rs`: [`Instances`].

mod audited_hook;
mod below_prefix;
mod brancher_check;
mod checks;
mod components;
mod constraint_check;
mod coverage;
mod instances;
mod ledger;
mod merge_check;
mod observed_brancher;
mod reference;
mod search;
mod sweep;
mod type_check;
mod violation;
mod walk;

pub use coverage::{Coverage, Gap, GapReason, NotExhaustive, Share};
pub use instances::{Instances, Unsound, audit_all};
pub use reference::AuditProgress;
pub use search::Audit;
pub use sweep::SweepAudit;
pub use violation::{Exhibit, Loss, Violation};

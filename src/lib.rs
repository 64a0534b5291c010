//! Exhaustive and optimal combinatorial search in which pruning is a value that you plug in, measure and check.

pub mod hook;
pub mod hooks;
mod incumbent;
mod limits;
mod outcome;
mod problem;
pub mod problems;
mod report;
pub mod search;

pub use hook::{Effect, Hook, Hooks, Node, NodeMut, Path, Verdict};
pub use incumbent::{Direction, Incumbent, IncumbentId, Objective};
pub use limits::{Cancel, Limits, Stop};
pub use outcome::{Count, Found, Optimum, Outcome};
pub use problem::{Branch, Brancher, Problem, ProblemOrder};
pub use report::{Cuts, HookReport, Level, Report, Summary};
pub use search::Search;

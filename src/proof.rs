//! The rule for proofs: what a run has proved, decided here for every question, engine and
//! executor.
//!
//! A report proves a statement about all solutions if
//!
//! 1. the run came to its end: it is [exhausted](crate::Stop::is_exhausted), and not stopped,
//!    cancelled or satisfied;
//! 2. it had the whole tree, and not a [part](crate::search::Frontier::split) of it;
//! 3. the hooks and the brancher together lose nothing that the statement is about, by their
//!    [`Effect`]s and by the rule for [hooks together](crate::hook#hooks-together);
//! 4. nobody has counted solutions in its stead that the statement is about: those that are
//!    [credited](crate::NodeMut::credit) have been seen by no objective, and no orbit was asked of
//!    them;
//! 5. nothing was cut off for not beating an incumbent, if the statement is that there is no
//!    solution.
//!
//! No other place decides that an answer is exact, proven, infeasible or non-existent.

use crate::hook::Effect;
use crate::report::Report;

impl Report {
    /// Whether all of the tree was searched that the hooks have left.
    fn is_complete(&self) -> bool {
        self.stop.is_exhausted() && !self.part
    }

    /// Whether the solutions counted are all there are; `orbits_known` if each solution visited
    /// came with its orbit size.
    pub(crate) fn proves_count(&self, orbits_known: bool) -> bool {
        let loses_none = match self.effect {
            Effect::Preserving => true,
            // Nobody knows what a credited solution stands for.
            Effect::Representatives => orbits_known && self.credited == 0,
            Effect::OptimumOnly | Effect::Lossy => false,
        };
        self.is_complete() && loses_none
    }

    /// Whether the solutions visited are representatives of all there are.
    pub(crate) fn proves_representatives(&self) -> bool {
        let keeps = self.effect <= Effect::Representatives && self.credited == 0;
        self.is_complete() && keeps && !self.has_repeated_orbits()
    }

    /// Whether there is no solution, given that none was found by this run. Earlier runs of the
    /// same frontier may have visited some.
    pub(crate) fn proves_none(&self) -> bool {
        let keeps = self.effect.keeps_existence() && !self.has_lost_to_incumbent();
        self.is_complete() && keeps && self.credited == 0 && self.solutions() == 0
    }

    /// Whether no solution is better than the incumbent; and if there is no incumbent, that there
    /// is no solution.
    pub(crate) fn proves_optimum(&self) -> bool {
        self.is_complete() && self.effect.keeps_optimum() && self.credited == 0
    }

    /// Whether the sum of a sweep is that of all ways; `tolerated` is the strongest effect that the
    /// algebra does not miss.
    pub(crate) fn proves_total(&self, tolerated: Effect) -> bool {
        self.is_complete() && self.effect <= tolerated
    }
}

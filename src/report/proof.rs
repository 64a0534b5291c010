//! The rule for proofs: which statements a report proves, for every question, engine and executor.
//!
//! A report proves a statement about all solutions if
//!
//! 1. the run is [exhausted](crate::Stop::is_exhausted): it was not stopped, cancelled or satisfied
//!    early;
//! 2. it covered the whole tree and not a [part](crate::search::Frontier::split) of it;
//! 3. the hooks and the brancher together lose nothing that the statement is about, according to
//!    their [`Effect`]s and the rule for [hooks together](crate::hook#hooks-together);
//! 4. no solution that the statement is about was [credited](crate::NodeMut::credit): no objective
//!    has evaluated a credited solution, and no hook has given its orbit size;
//! 5. for the statement that there is no solution, and for the numbers of solutions and of
//!    representatives: no hook and no brancher may have pruned by comparing with an
//!    [incumbent](crate::Incumbent::declared);
//! 6. for the number of representatives, and for a count by the sizes of their orbits: no hook and
//!    no brancher has kept representatives of the nodes that it
//!    [visited](crate::hook::HookMemory::Visited) in several walks, each of which keeps its own; no
//!    part of the run has entered nodes without the hooks of the others that keep representatives;
//!    and for the number of representatives, all that were found are solutions.
//!
//! A solution that was found or counted is one without such conditions, unless runs with other
//! [constraints](crate::hook#constraints) than this one have found it, a hook of a sweep may have
//! [exchanged](crate::plug::SweepHook::keeps_labels) it for something else, or it was credited
//! beside a constraint that was not asked about it, or several times.
//!
//! No other code decides that an answer is exact, proven, infeasible or non-existent.

use super::Report;
use crate::effect::Effect;

impl Report {
    /// Returns whether the whole tree was searched, apart from what the hooks cut off.
    fn is_complete(&self) -> bool {
        self.stop.is_exhausted() && !self.part
    }

    /// Returns whether the whole tree was searched, apart from what the hooks cut off without
    /// comparing with an incumbent.
    fn is_complete_without_incumbent(&self) -> bool {
        self.is_complete() && !self.may_have_lost_to_incumbent()
    }

    /// Returns whether the count is that of all solutions. `orbits_known` says whether every
    /// visited solution came with its orbit size.
    pub(crate) fn proves_count(&self, orbits_known: bool) -> bool {
        let loses_none = match self.effect {
            Effect::Preserving => true,
            // The orbit size of a credited solution is unknown.
            Effect::Representatives => {
                orbits_known && self.credited == 0 && !self.has_repeated_orbits()
            }
            Effect::OptimumOnly | Effect::Lossy => false,
        };
        self.is_complete_without_incumbent() && loses_none
    }

    /// Returns whether the visited solutions represent all solutions, and no orbit is represented
    /// twice because several walks each kept a representative of it.
    pub(crate) fn proves_representatives(&self) -> bool {
        let keeps_orbits = self.effect <= Effect::Representatives && self.credited == 0;
        let are_solutions = !self.has_uncertain_solutions;
        self.is_complete_without_incumbent()
            && keeps_orbits
            && are_solutions
            && !self.has_repeated_orbits()
    }

    /// Returns whether the solutions that were visited belong to different orbits, so that the
    /// sizes of their orbits add up to a number of solutions that exist.
    pub(crate) fn counts_orbits_once(&self) -> bool {
        // With another effect, some walks may have counted representatives and others everything.
        // Credited solutions may belong to an orbit whose size is counted.
        self.effect == Effect::Representatives
            && self.credited == 0
            && !self.may_overlap
            && !self.has_uncertain_solutions
            && !self.has_repeated_orbits()
    }

    /// Returns how many of the counted solutions are solutions for sure: those that were visited,
    /// and those that were credited, unless a [constraint](crate::hook#constraints) was not asked
    /// about them or they were credited several times; one if parts of the tree may have been
    /// searched twice; none if any of them may violate a constraint or have the labels of no
    /// solution.
    pub(crate) fn known_solutions(&self, visited: u128, credited: u128) -> u128 {
        let found = match (self.has_uncertain_solutions, self.credits_unchecked) {
            (true, _) => 0,
            (false, true) => visited,
            (false, false) => visited.saturating_add(credited),
        };
        // All of them may be the same solution, found again and again.
        if self.may_overlap { found.min(1) } else { found }
    }

    /// Returns whether there is no solution, given that this run found none. Earlier runs of the
    /// same frontier may have visited some, which then appear in the report.
    pub(crate) fn proves_none(&self) -> bool {
        self.is_complete_without_incumbent()
            && self.effect.keeps_existence()
            && self.credited == 0
            && self.solutions() == 0
    }

    /// Returns whether no solution is better than the incumbent, or, without an incumbent, whether
    /// there is no solution.
    pub(crate) fn proves_optimum(&self) -> bool {
        self.is_complete() && self.keeps_optimum()
    }

    /// Returns whether the part that was searched has no solution that is better than the incumbent
    /// or, without an incumbent, none but those that were visited.
    #[must_use]
    pub fn keeps_optimum(&self) -> bool {
        self.effect.keeps_optimum() && self.credited == 0
    }

    /// Returns whether the sum of a sweep covers everything that its algebra asks for. `tolerated`
    /// is the weakest effect whose losses do not change the value of the algebra.
    #[cfg(feature = "plug")]
    pub(crate) fn proves_total(&self, tolerated: Effect) -> bool {
        self.is_complete() && self.effect <= tolerated
    }
}

//! The report of a run: nodes, solutions and dead ends by depth, and the cuts of each hook.
//!
//! This file has the data and the rules by which reports of parts of a run add up, `proof.rs` the
//! rule for what a report proves, and `table.rs` the text form.

mod proof;
pub(crate) mod table;

use std::fmt;
use std::ops::{Add, AddAssign};
use std::time::Duration;

use crate::effect::{Claim, Constraint, Effect, HookMemory, OFF, have_equal_constraints};
use crate::incumbent::OtherIncumbents;
use crate::limits::{Stop, TooWide};

/// The counts of one depth of a tree, or of one layer of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Level {
    /// Search: states entered, including those that a hook cut off on entering. Sweep: states of
    /// the layer, excluding those that a hook dropped.
    pub nodes: u64,
    /// Nodes that are solutions.
    pub solutions: u64,
    /// Nodes that are not solutions, were not cut off by a hook, and have no child that was kept.
    pub dead_ends: u64,
    /// Sweep: transitions into this layer, including those that a hook cut off. Search: 0.
    pub transitions: u64,
    /// Sweep: transitions into a state that the layer already contained, or whose value the
    /// [algebra](crate::plug::Algebra::restrict) rejected. Search: 0.
    pub merged: u64,
}

impl Level {
    pub(crate) const ZERO: Level =
        Level { nodes: 0, solutions: 0, dead_ends: 0, transitions: 0, merged: 0 };
}

/// The cuts of a hook at one depth, which is the depth of the nodes that were cut off.
///
/// [`HookReport::calls_by_depth`] uses the same type for the numbers of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cuts {
    /// Children not entered because the hook did not admit the choice.
    pub admit: u64,
    /// Nodes cut off on entering.
    pub enter: u64,
}

/// The part of a [`Report`] that concerns one hook: its claim, its calls and its cuts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HookReport {
    pub(crate) claim: Claim,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "untrusted::cuts"))]
    pub(crate) calls: Vec<Cuts>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "untrusted::cuts"))]
    pub(crate) cuts: Vec<Cuts>,
}

impl HookReport {
    getters! {
        self;
        /// Returns the name of the hook.
        name -> &str: &self.claim.name;
        /// Returns what the cuts of the hook preserve, according to its claim.
        effect -> Effect: self.claim.effect;
        /// Returns whether the hook is a [constraint](crate::hook#constraints), and of which kind.
        constraint -> Option<Constraint>: self.claim.constraint;
    }

    /// Returns the claim as text: the kind of a constraint, or the effect.
    pub(crate) fn claim_text(&self) -> String {
        self.constraint().map_or_else(|| self.effect().to_string(), |kind| kind.to_string())
    }

    getters! {
        self;
        /// Returns the number of calls by depth, before a step (`admit`) and after it (`enter`).
        /// Replays do not count, nor do steps that were admitted but not taken because the run had
        /// reached a limit.
        calls_by_depth -> &[Cuts]: &self.calls;
        /// Returns the number of cuts by depth.
        cuts_by_depth -> &[Cuts]: &self.cuts;
        /// Returns the total number of calls, before and after steps.
        calls -> u64: self.calls_in_total().sum();
        /// Returns the total number of cuts.
        cuts -> u64: self.cuts_in_total().sum();
        /// Returns whether this is the report of a hook that was switched off: an `Option` that is
        /// `None`. A hook that is switched on may have the same name, so a hook with cuts is never
        /// treated as switched off.
        is_off -> bool: self.name() == OFF && self.cuts() == 0;
        /// Returns the calls of each callback, summed over all depths.
        calls_in_total -> Cuts: total(&self.calls);
        /// Returns the cuts of each callback, summed over all depths.
        cuts_in_total -> Cuts: total(&self.cuts);
        /// Returns the number of cuts [with all later siblings](crate::Verdict::PruneSiblings).
        /// They are among the [cuts](Self::cuts), as one each.
        sibling_cuts -> u64: self.claim.sibling_cuts;
        /// Returns the hook's own statistics, such as the evictions of a table.
        stats -> &[(String, u64)]: &self.claim.stats;
    }

    /// Returns one of the hook's own statistics by its name.
    #[must_use]
    pub fn stat(&self, name: &str) -> Option<u64> {
        self.stats().iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }

    /// Creates the reports of hooks from the nodes and the cuts of each hook, both by depth.
    /// `claims` come with the number of levels in which [`admit`](crate::Hook::admit_levels) of the
    /// hook is called.
    ///
    /// The numbers of calls are derived from these: a hook is called exactly when all hooks before
    /// it have kept the node or choice, and `admit` only in the levels that the hook asks for.
    pub(crate) fn of_hooks(
        levels: &[Level],
        claims: Vec<(Claim, usize)>,
        mut cuts: Vec<Vec<Cuts>>,
    ) -> Vec<Self> {
        cuts.resize_with(claims.len(), Vec::new);
        let depths = cuts.iter().map(Vec::len).max().unwrap_or(0).max(levels.len());
        // The nodes and choices that all hooks so far have kept.
        let mut kept = vec![Cuts::default(); depths];
        for (depth, kept) in kept.iter_mut().enumerate() {
            let nodes = levels.get(depth).map_or(0, |level| level.nodes);
            let at_depth = cuts.iter().filter_map(|cuts| cuts.get(depth));
            let not_admitted = at_depth.map(|cuts| cuts.admit).fold(0, u64::saturating_add);
            kept.enter = nodes;
            kept.admit = if depth == 0 { 0 } else { nodes.saturating_add(not_admitted) };
        }
        let mut hooks = Vec::with_capacity(claims.len());
        for ((claim, admit_levels), mut cuts) in claims.into_iter().zip(cuts) {
            let mut calls = kept.clone();
            // A node at depth `d` is admitted by its parent at depth `d - 1`.
            for calls in calls.iter_mut().skip(admit_levels.saturating_add(1)) {
                calls.admit = 0;
            }
            for (kept, cuts) in kept.iter_mut().zip(&cuts) {
                // A brancher's own account of its cuts need not be consistent with the nodes.
                kept.admit = kept.admit.saturating_sub(cuts.admit);
                kept.enter = kept.enter.saturating_sub(cuts.enter);
            }
            cuts.resize(depths, Cuts::default());
            hooks.push(HookReport { claim, calls, cuts });
        }
        hooks
    }
}

impl Cuts {
    /// Returns the sum over both callbacks.
    #[must_use]
    pub fn sum(self) -> u64 {
        self.admit.saturating_add(self.enter)
    }

    /// Returns the counter at `index`, before which as many counters are added as are missing.
    #[inline]
    pub(crate) fn at(counters: &mut Vec<Cuts>, index: usize) -> &mut Cuts {
        // Out of line, because it is rare and allocates.
        #[cold]
        fn extend(counters: &mut Vec<Cuts>, index: usize) -> &mut Cuts {
            counters.resize(index + 1, Cuts::default());
            &mut counters[index]
        }
        if index < counters.len() { &mut counters[index] } else { extend(counters, index) }
    }
}

impl Add for Cuts {
    type Output = Cuts;

    fn add(self, other: Cuts) -> Cuts {
        Cuts {
            admit: self.admit.saturating_add(other.admit),
            enter: self.enter.saturating_add(other.enter),
        }
    }
}

/// Returns a sum that stays at the largest number if it overflows. The counts of runs do not, those
/// of crafted files may.
fn saturating_sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

fn total(by_depth: &[Cuts]) -> Cuts {
    by_depth.iter().fold(Cuts::default(), |sum, &cuts| sum + cuts)
}

/// The report of a run: why it ended, what was visited, and what each hook did.
///
/// Reports of parts of a run are added with `+`. `Display` prints a report as aligned tables. The
/// table of the hooks has, for each callback, the share of the calls that cut.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    pub(crate) stop: Stop,
    pub(crate) effect: Effect,
    pub(crate) conflicts: Vec<String>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "untrusted::levels"))]
    pub(crate) levels: Vec<Level>,
    pub(crate) hooks: Vec<HookReport>,
    pub(crate) credited: u128,
    /// Whether credited solutions may violate a [constraint](crate::hook#constraints), or may have
    /// been credited several times.
    pub(crate) credits_unchecked: bool,
    /// Whether some of the solutions may be none: because runs with other constraints have found
    /// them, or because a hook of a sweep has replaced states by others with other labels, beside a
    /// constraint, or if the answer depends on labels, or if the hook claims less than to preserve
    /// all.
    pub(crate) has_uncertain_solutions: bool,
    /// Whether an orbit may have several representatives, because a part of the run has entered
    /// nodes without a hook of another part that keeps representatives.
    pub(crate) may_repeat_orbits: bool,
    /// Whether a hook or the brancher has [read](crate::Incumbent::declared) an incumbent.
    pub(crate) read_incumbent: bool,
    /// The incumbents that were read, other than that of the run's objective.
    pub(crate) other_incumbents: OtherIncumbents,
    /// Whether the report covers only a part of the tree.
    pub(crate) part: bool,
    /// Whether it may cover parts of the tree twice. Not saved: a run that resumes knows it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) may_overlap: bool,
    pub(crate) elapsed: Duration,
    /// The number of walks among which the tree was divided; of runs that repeat each other, the
    /// largest one.
    pub(crate) walks: u64,
    /// Whether the tree of the brancher depends on how it is divided among several walks. Not
    /// saved: a run that resumes sets this field itself; another brancher makes it lossy.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) brancher_is_nondeterministic: bool,
    pub(crate) sweep: Option<SweepReport>,
    /// The error of the last attempt to save the run, if it failed.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) unsaved: Option<String>,
    /// A value that no solution beats, as text.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) bound: Option<String>,
    /// The value of the incumbent when the run began, as text.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) first_incumbent: Option<String>,
}

/// The part of a report that only sweeps have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SweepReport {
    /// The number of cells of the contour problem.
    pub(crate) cells: usize,
    /// The last pass of a sweep in several passes. Not saved: a run that resumes knows its pass.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) pass: Option<Pass>,
    /// The number of completed cells.
    pub(crate) done: usize,
    /// The index of the layer under construction, or of the last complete one.
    pub(crate) layer: usize,
    /// The number of states of that layer so far.
    pub(crate) states: u64,
    /// The peak size of the layers, in bytes.
    pub(crate) peak_bytes: u64,
    /// A lower bound of the bytes of the largest layers to come, if the sweep stopped at a memory
    /// limit and the bound is known. Not saved, because it belongs to the run that stopped.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) needed_bytes: Option<u64>,
    /// Why states do not fit into their code, if the sweep stopped for that reason.
    pub(crate) too_wide: Option<TooWide>,
}

impl SweepReport {
    /// Records the layer before which a backward pass has stopped, and its number of states.
    #[cfg(feature = "plug")]
    pub(crate) fn stop_backward(&mut self, layer: usize, states: u64) {
        self.done = layer.min(self.cells.saturating_sub(1));
        (self.layer, self.states) = (layer, states);
    }
}

/// The number of a pass of a sweep, from 1, and the number of all passes if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) number: u32,
    pub(crate) of: Option<u32>,
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        self.of.map_or(Ok(()), |of| write!(f, " of {of}"))
    }
}

impl Report {
    /// Creates the report of no run at all.
    pub(crate) fn without_runs(stop: Stop) -> Self {
        Report {
            stop,
            effect: Effect::Preserving,
            conflicts: Vec::new(),
            levels: Vec::new(),
            hooks: Vec::new(),
            credited: 0,
            credits_unchecked: false,
            has_uncertain_solutions: false,
            may_repeat_orbits: false,
            read_incumbent: false,
            other_incumbents: OtherIncumbents::default(),
            part: false,
            may_overlap: false,
            elapsed: Duration::ZERO,
            walks: 1,
            brancher_is_nondeterministic: false,
            sweep: None,
            unsaved: None,
            bound: None,
            first_incumbent: None,
        }
    }

    getters! {
        self;
        /// Returns why the run ended.
        stop -> Stop: self.stop;
        /// Returns what the cuts of all hooks together preserve.
        effect -> Effect: self.effect;
        /// Returns whether the report covers only a [part](crate::search::Frontier::split) of the
        /// tree. The report of a part proves nothing about the whole tree: neither that a count is
        /// exact, nor that there is no solution, nor that a solution is optimal.
        is_part -> bool: self.part;
    }

    /// Makes the effect lossy for a reason, which is listed once.
    pub(crate) fn add_conflict(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        self.effect = Effect::Lossy;
        if !self.conflicts.contains(&reason) {
            self.conflicts.push(reason);
        }
    }

    getters! {
        self;
        /// Returns the reasons why the effect is weaker than the hooks claim: pairs that do not
        /// combine, labels that differ, incumbents that were read.
        conflicts -> &[String]: &self.conflicts;
        /// Returns the counts by depth, starting at the root.
        levels -> &[Level]: &self.levels;
        /// Returns the reports of the hooks, in the order in which they are called. If the brancher
        /// [names an incumbent](crate::Brancher::incumbent), the first one is about the children
        /// that it leaves out.
        hooks -> &[HookReport]: &self.hooks;
    }

    /// Returns the report of the first hook of this name.
    #[must_use]
    pub fn hook(&self, name: &str) -> Option<&HookReport> {
        self.hooks.iter().find(|hook| hook.name() == name)
    }

    getters! {
        self;
        /// Returns the number of visited nodes, including the root.
        nodes -> u64: saturating_sum(self.levels.iter().map(|level| level.nodes));
        /// Returns the number of visited solutions. Each counts once, regardless of its orbit size.
        solutions -> u64: saturating_sum(self.levels.iter().map(|level| level.solutions));
        /// Returns the number of solutions that hooks have [credited](crate::NodeMut::credit): they
        /// are counted but were not visited.
        ///
        /// If this is not 0, an iterator or visitor has not seen all solutions even if the tree is
        /// exhausted, and the run proves neither an optimum nor the absence of solutions.
        credited -> u128: self.credited;
    }

    /// Returns whether a hook or the brancher may have cut off a node, or tightened a state, by
    /// comparing with the value of an incumbent.
    pub(crate) fn may_have_lost_to_incumbent(&self) -> bool {
        self.read_incumbent
            || self.hooks.iter().any(|hook| hook.claim.by_incumbent && hook.cuts() > 0)
    }

    /// Returns the names of the parts that make node and cut counts depend on how the tree was
    /// divided among several walks.
    ///
    /// These are the hooks that [remember](crate::Hook::memory) more than the path, compare with an
    /// incumbent, or have cut off [later siblings](crate::Verdict::PruneSiblings), which a division
    /// may have given to another walk; and [`BRANCHER`](Report::BRANCHER) if the brancher
    /// [remembers](crate::Brancher::memory) more than the path or compares with an incumbent. Empty
    /// if each run that the report covers was a single walk, or if the counts are those of a single
    /// walk of the whole tree.
    #[must_use]
    pub fn nondeterministic_parts(&self) -> Vec<&str> {
        if self.walks <= 1 {
            return Vec::new();
        }
        let depends = |hook: &&HookReport| {
            let claim = &hook.claim;
            claim.by_incumbent || claim.memory > HookMemory::Path || claim.sibling_cuts > 0
        };
        let is_listed = self.hook(Self::BRANCHER).as_ref().is_some_and(depends);
        let brancher = (self.brancher_is_nondeterministic && !is_listed).then_some(Self::BRANCHER);
        self.hooks.iter().filter(depends).map(HookReport::name).chain(brancher).collect()
    }

    /// The name of the brancher among the hooks, if it [leaves out
    /// children](crate::Brancher::cuts), and among the
    /// [`nondeterministic_parts`](Report::nondeterministic_parts).
    pub const BRANCHER: &'static str = "the brancher";

    /// Returns whether an orbit may have more than one representative: because several walks each
    /// kept their own, or because a part of the run had no hook that keeps them.
    pub(crate) fn has_repeated_orbits(&self) -> bool {
        let mut keeping = self.claims().filter(|claim| claim.effect == Effect::Representatives);
        let remembers_visited = match keeping.next() {
            Some(first) => keeping.chain([first]).any(|claim| claim.memory.includes_visited()),
            // If no hook keeps representatives, the brancher does, unless all is preserved.
            None => self.effect == Effect::Representatives && self.brancher_is_nondeterministic,
        };
        self.may_repeat_orbits || self.walks > 1 && remembers_visited
    }

    getters! {
        self;
        /// Returns the number of [dead ends](Level::dead_ends).
        dead_ends -> u64: saturating_sum(self.levels.iter().map(|level| level.dead_ends));
        /// Returns the greatest depth reached.
        depth -> usize: self.levels.len().saturating_sub(1);
        /// Returns the peak size of the layers of a sweep, in bytes; `None` for a search.
        peak_bytes -> Option<u64>: self.sweep.map(|sweep| sweep.peak_bytes);
        /// Returns the number of passes of a sweep, begun or complete: 1, or more for a count [by
        /// residues](crate::plug::Sweep::count_by_residues); `None` for a search.
        passes -> Option<u32>: self.sweep.map(|sweep| sweep.pass.map_or(1, |pass| pass.number));
        /// Returns the error of the last attempt to save the run by a
        /// [checkpoint](crate::search#checkpoints), if it failed. The report itself is correct.
        unsaved -> Option<&str>: self.unsaved.as_deref();
        /// Returns the value that no solution beats, as text, if the run looked for the optimum
        /// from both sides: see the solver of [`secateurs-csp`](https://docs.rs/secateurs-csp). The
        /// best solution is optimal if it has this value.
        bound -> Option<&str>: self.bound.as_deref();
        /// Returns the value that the incumbent had when the run began, as text: a run for the
        /// [`best`](crate::Search::best) solution then looked only for better ones. `None` if it
        /// had none. A sum of reports has that of the first one.
        first_incumbent -> Option<&str>: self.first_incumbent.as_deref();
        /// Returns the wall time of the run, or the sum of the wall times of merged reports.
        elapsed -> Duration: self.elapsed;
    }
}

/// Adds `from` to `into` depth by depth, and extends `into` if it is shorter.
fn add_by_depth<T: Copy + Default>(into: &mut Vec<T>, from: &[T], add: impl Fn(&mut T, T)) {
    if into.len() < from.len() {
        into.resize(from.len(), T::default());
    }
    for (into, &from) in into.iter_mut().zip(from) {
        add(into, from);
    }
}

impl Report {
    fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.hooks.iter().map(|hook| &hook.claim)
    }

    /// Returns the claims of the hooks that may lose solutions.
    fn losing_hooks(&self) -> Vec<&Claim> {
        self.claims().filter(|claim| claim.effect != Effect::Preserving).collect()
    }

    /// Returns whether this is the report of no run at all.
    fn is_of_no_run(&self) -> bool {
        self.nodes() == 0 && self.hooks.is_empty()
    }

    /// Records that the solutions of this report are not those of one set of constraints.
    pub(crate) fn mix_constraints(&mut self) {
        self.has_uncertain_solutions = true;
        self.add_conflict(
            "parts of the run have different constraints: search all with the same ones",
        );
    }

    /// Records that a sweep has read the value of an incumbent. No hook of a sweep
    /// [names](crate::Hook::incumbent) one, and the question has none: the sweep may have lost
    /// anything that is not better in the sense of an objective that need not be its own.
    #[cfg(feature = "plug")]
    pub(crate) fn add_read_in_sweep(&mut self) {
        self.read_incumbent = true;
        self.add_conflict(
            "an incumbent was read, whose objective may not be that of the sweep: leave out the \
             hook that reads it",
        );
    }

    /// Returns whether both parts may have the same hooks among those that lose solutions and that
    /// `selects` accepts.
    fn may_share_losing_hooks(&self, other: &Report, selects: impl Fn(&Claim) -> bool) -> bool {
        let [mut one, mut other] = [self.losing_hooks(), other.losing_hooks()];
        one.retain(|claim| selects(claim));
        other.retain(|claim| selects(claim));
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.may_be_same(other))
    }

    /// Returns whether this part may lack hooks of the other one that lose solutions: it has
    /// neither found a solution nor lost one, except for what is not better than an incumbent.
    fn may_lack_losing_hooks(&self) -> bool {
        self.solutions() == 0
            && self.credited == 0
            && self.losing_hooks().iter().all(|claim| claim.by_incumbent)
    }

    /// Returns whether this part has entered nodes without a hook of the `other` one that keeps
    /// representatives. Below such nodes, there may be several solutions of one orbit, of which
    /// the hook would have kept one.
    fn lacks_representatives_of(&self, other: &Report) -> bool {
        let keeps_representatives = |claim: &Claim| claim.effect == Effect::Representatives;
        self.nodes() > 0
            && other.claims().any(keeps_representatives)
            && !self.may_share_losing_hooks(other, keeps_representatives)
    }
}

impl AddAssign<&Report> for Report {
    /// Adds the report of another part of the same run, normally made with the same hooks.
    ///
    /// Counts add up, and the sum is exhausted only if both parts are. Hooks are matched by name,
    /// and by position among hooks of the same name; hooks that only one part has are kept. The sum
    /// is [`Effect::Lossy`] if the constraints differ, because the solutions of one part need not
    /// be solutions of the other, and if the hooks that lose solutions differ, because those of one
    /// part may have cut off what those of the other rely on. From a part whose hooks preserve all
    /// solutions, hooks that compare with an incumbent may be absent, and all hooks if that part
    /// has found no solution.
    /// If hooks that keep representatives are absent from a part that has entered nodes, the sum
    /// proves no number of representatives, and no count by the sizes of their orbits.
    /// The sum begins with the incumbent of the first part.
    fn add_assign(&mut self, other: &Report) {
        // The position of the sum is that of the part that was not exhausted.
        let stopped_at = if self.stop.is_exhausted() {
            other.sweep.or(self.sweep)
        } else {
            self.sweep.or(other.sweep)
        };
        if self.stop.is_exhausted() {
            self.stop = other.stop;
        }
        let both_lost = self.effect.min(other.effect) != Effect::Preserving;
        self.effect = self.effect.max(other.effect);
        // The substitute of a solution that a hook has cut off may lie in the other part. That part
        // keeps the substitute if it has the same hook. With another hook, it may keep in its place
        // a solution that is as good, and that the first hook cuts off in turn. A hook that
        // compares with an incumbent loses only what is not better than a known value.
        let losses_may_agree = self.may_share_losing_hooks(other, |claim| !claim.by_incumbent)
            || self.may_lack_losing_hooks()
            || other.may_lack_losing_hooks();
        if self.effect != Effect::Lossy
            && !(losses_may_agree && (!both_lost || self.may_share_losing_hooks(other, |_| true)))
        {
            self.add_conflict(
                "parts of the run lost solutions by different hooks: search all with the same ones",
            );
        }
        self.credits_unchecked |= other.credits_unchecked;
        self.has_uncertain_solutions |= other.has_uncertain_solutions;
        self.may_repeat_orbits |= other.may_repeat_orbits
            || self.lacks_representatives_of(other)
            || other.lacks_representatives_of(self);
        if self.is_of_no_run() {
            self.first_incumbent.clone_from(&other.first_incumbent);
        }
        let is_without_run = self.is_of_no_run() || other.is_of_no_run();
        if !is_without_run && !have_equal_constraints(self.claims(), other.claims()) {
            self.mix_constraints();
        }
        for conflict in &other.conflicts {
            self.add_conflict(conflict.clone());
        }
        add_by_depth(&mut self.levels, &other.levels, |into, from| {
            into.nodes = into.nodes.saturating_add(from.nodes);
            into.solutions = into.solutions.saturating_add(from.solutions);
            into.dead_ends = into.dead_ends.saturating_add(from.dead_ends);
            into.transitions = into.transitions.saturating_add(from.transitions);
            into.merged = into.merged.saturating_add(from.merged);
        });
        for (index, hook) in other.hooks.iter().enumerate() {
            let namesakes =
                other.hooks[..index].iter().filter(|before| before.name() == hook.name()).count();
            let Some(into) =
                self.hooks.iter_mut().filter(|known| known.name() == hook.name()).nth(namesakes)
            else {
                self.hooks.push(hook.clone());
                continue;
            };
            into.claim.effect = into.claim.effect.max(hook.claim.effect);
            into.claim.parameters = into.claim.parameters.or(hook.claim.parameters);
            into.claim.sibling_cuts =
                into.claim.sibling_cuts.saturating_add(hook.claim.sibling_cuts);
            into.claim.by_incumbent |= hook.claim.by_incumbent;
            into.claim.memory = into.claim.memory.max(hook.claim.memory);
            add_by_depth(&mut into.calls, &hook.calls, |into, from| *into = *into + from);
            add_by_depth(&mut into.cuts, &hook.cuts, |into, from| *into = *into + from);
            for (name, value) in &hook.claim.stats {
                match into.claim.stats.iter_mut().find(|(known, _)| known == name) {
                    Some((_, sum)) => *sum = sum.saturating_add(*value),
                    None => into.claim.stats.push((name.clone(), *value)),
                }
            }
        }
        self.credited = self.credited.saturating_add(other.credited);
        self.read_incumbent |= other.read_incumbent;
        self.other_incumbents.merge(&other.other_incumbents);
        self.part |= other.part;
        self.may_overlap |= other.may_overlap;
        let peak_bytes = self.peak_bytes().max(other.peak_bytes()).unwrap_or(0);
        self.sweep = stopped_at.map(|sweep| SweepReport { peak_bytes, ..sweep });
        self.elapsed = self.elapsed.saturating_add(other.elapsed);
        self.walks = self.walks.saturating_add(other.walks);
        self.brancher_is_nondeterministic |= other.brancher_is_nondeterministic;
        self.unsaved = self.unsaved.take().or_else(|| other.unsaved.clone());
        // A bound of a part is not one of the whole.
        self.bound = None;
    }
}

impl Report {
    /// Adds the report of one more run over the same tree, but keeps the stop of this one.
    pub(crate) fn with(mut self, other: &Report) -> Report {
        let stop = self.stop;
        self += other;
        self.stop = stop;
        self
    }

    /// Adds the report of a later run that searched the frontier which this one left.
    pub(crate) fn followed_by(mut self, later: &Report) -> Report {
        self.stop = Stop::Exhausted;
        self += later;
        self.stop = later.stop;
        self
    }
}

impl Add for Report {
    type Output = Report;

    fn add(mut self, other: Report) -> Report {
        self += &other;
        self
    }
}

/// A [`Report`] without its table of depths: totals and hooks. Returned by [`Report::summary`], to
/// be printed.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a>(&'a Report);

impl Report {
    /// Returns a view whose `Display` prints the totals and the hooks, without the table of depths.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let outcome = Search::new(&Queens::new(6)?.bits()).hooks((Queens::mirror(),)).count();
    /// println!("{}", outcome.report().summary());
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> Summary<'_> {
        Summary(self)
    }
}

/// Deserialisation of counts from untrusted files. It rejects counts so large that the sum of two
/// reports from files could overflow.
#[cfg(feature = "serde")]
mod untrusted {
    use serde::de::{Deserialize, Deserializer};

    use super::{Cuts, Level};
    use crate::refusal::refusal;

    /// No run of today's machines counts this far.
    const TOO_MANY: u64 = 1 << 63;

    fn checked<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        deserializer: D,
        counts: impl Fn(&T) -> [u64; 5],
    ) -> Result<Vec<T>, D::Error> {
        let all = Vec::<T>::deserialize(deserializer)?;
        let sum = all.iter().flat_map(counts).fold(0, u64::saturating_add);
        if sum < TOO_MANY {
            Ok(all)
        } else {
            Err(refusal(format!(
                "found counts of a report that add up to {sum}, expected less than {TOO_MANY}"
            )))
        }
    }

    pub(super) fn levels<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Level>, D::Error> {
        checked(deserializer, |level: &Level| {
            let Level { nodes, solutions, dead_ends, transitions, merged } = *level;
            [nodes, solutions, dead_ends, transitions, merged]
        })
    }

    pub(super) fn cuts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Cuts>, D::Error> {
        checked(deserializer, |cuts: &Cuts| [cuts.admit, cuts.enter, 0, 0, 0])
    }
}

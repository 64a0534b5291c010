//! What every strategy walks: a problem with its brancher and hooks, and what is counted on the
//! way.

use std::ops::ControlFlow;

use super::cut_counts::CutCounts;
use super::frontier::{Keeper, Resume};
use super::meter::Meter;
use crate::brancher::Brancher;
use crate::hook::{Effect, HookMemory, Hooks, Node, NodeMut, Path, Terms, claims, combine};
use crate::incumbent::IncumbentId;
use crate::incumbent::reading::{self, Stretch};
use crate::limits::Stop;
use crate::outcome::{Count, Tally};
use crate::problem::{Branch, Problem};
use crate::report::{Level, Report};

/// A way to walk a tree, able to pause at a solution.
pub trait Walk<P: Problem> {
    /// Walks on, calling `visit` at each solution, until it breaks off (`None`) or the walk ends.
    #[doc(hidden)]
    fn advance<V>(&mut self, visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if self.stopped().is_none() {
            // So it stays if a panic goes through here.
            *self.stopped() = Some(Stop::Interrupted);
            let stretch = Stretch::begin();
            *self.stopped() = self.go_on(visit);
            add(self.read(), stretch.end());
        }
        *self.stopped()
    }

    /// The incumbents that were read so far.
    #[doc(hidden)]
    fn read(&mut self) -> &mut Vec<IncumbentId>;

    /// [`advance`](Walk::advance) for a walk that has not ended.
    #[doc(hidden)]
    fn go_on<V>(&mut self, visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>;

    /// Why the walk has ended, if it has.
    #[doc(hidden)]
    fn stopped(&mut self) -> &mut Option<Stop>;

    /// Why the walk has ended, or [`Stop::Paused`] if it has not.
    #[doc(hidden)]
    fn stop(&self) -> Stop;

    /// The account so far.
    #[doc(hidden)]
    fn report(&self) -> Report;

    /// The count so far.
    #[doc(hidden)]
    fn count(&self) -> Count;

    /// Calls `visit` with the nodes of the best solutions that earlier runs have found, each in its
    /// part of the tree.
    #[doc(hidden)]
    fn revisit_best(&mut self, visit: impl FnMut(&Node<'_, P>)) {
        let _ = visit;
    }

    /// What keeps the path of the best solution so far, if anything does.
    #[doc(hidden)]
    fn keeper(&self) -> Option<Keeper<P::Choice>> {
        None
    }
}

/// Adds what is not there yet.
pub(super) fn add(all: &mut Vec<IncumbentId>, more: Vec<IncumbentId>) {
    for incumbent in more {
        if !all.contains(&incumbent) {
            all.push(incumbent);
        }
    }
}

/// Sees nothing of a solution, and goes on.
///
/// Whoever only counts passes this function, and no closure of its own, to be served by the same
/// copy of the hot loop: two copies may differ in speed by some per cent.
pub(super) fn pass<P: Problem>(_: &Node<'_, P>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A problem with its brancher, its hooks and its limits, and the cuts counted so far.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct SearchTree<'p, P: Problem, B, H> {
    pub(crate) problem: &'p P,
    pub(crate) brancher: B,
    pub(crate) hooks: H,
    pub(crate) meter: Meter<'p>,
    pub(crate) effect: (Effect, Vec<String>),
    /// The incumbent of what is optimised, if anything is.
    pub(crate) optimises: Option<IncumbentId>,
    /// Whether orbits are a matter of the hooks alone: a brancher that keeps representatives does
    /// not know theirs.
    orbits: bool,
    /// What the brancher remembers beside the path.
    order: HookMemory,
    /// Whether a node was not expanded because of the depth limit.
    pub(crate) truncated: bool,
    pub(crate) stopped: Option<Stop>,
    /// The incumbents that were read, by whomever.
    pub(crate) read: Vec<IncumbentId>,
    cuts: CutCounts,
    /// How many walks from the root this one is: it is led back to where it was each time when it
    /// has been saved.
    pub(crate) walks: u64,
    /// Choices that may still be turned down before somebody looks at the clock.
    patience: u32,
    /// The most bytes that the walk may take up, hooks apart.
    pub(crate) max_bytes: usize,
    /// Where the parts of the tree come from, and what is left of them goes.
    pub(crate) resume: Option<Resume<'p, P::Choice>>,
}

/// Turning down a choice burns no fuel; after this many, the clock is looked at all the same.
const PATIENCE: u32 = 4096;

/// Divides a limit of memory: half of it is for all hooks that remember more than the path, if
/// there are any. Returns what is left for the walk.
fn share_memory<P: Problem>(hooks: &impl Hooks<P>, bytes: usize) -> usize {
    let mut remembering = 0;
    hooks.each(&mut |hook| remembering += usize::from(hook.memory() > HookMemory::Path));
    if remembering == 0 {
        return bytes;
    }
    let share = if bytes == usize::MAX { bytes } else { bytes / 2 / remembering };
    hooks.each(&mut |hook| {
        if hook.memory() > HookMemory::Path {
            hook.limit_memory(share);
        }
    });
    if bytes == usize::MAX { bytes } else { bytes - bytes / 2 }
}

impl<'p, P: Problem, B, H: Hooks<P>> SearchTree<'p, P, B, H> {
    pub(crate) fn new(
        problem: &'p P,
        brancher: B,
        hooks: H,
        meter: Meter<'p>,
        terms: Terms,
        resume: Option<Resume<'p, P::Choice>>,
    ) -> Self
    where
        B: Brancher<P>,
    {
        let effect = combine(&hooks, terms);
        let max_bytes = share_memory(&hooks, meter.max_bytes());
        let mut count = 0;
        hooks.each(&mut |_| count += 1);
        let cuts = CutCounts::of(count);
        let order = brancher.memory();
        let orbits = terms.brancher != Effect::Representatives;
        SearchTree {
            problem,
            brancher,
            hooks,
            meter,
            effect,
            optimises: terms.incumbent,
            order,
            orbits,
            truncated: false,
            stopped: None,
            read: Vec::new(),
            cuts,
            walks: 1,
            patience: PATIENCE,
            max_bytes,
            resume,
        }
    }

    /// Whether a hook or the brancher remembers more than the path.
    pub(crate) fn remembers(&self) -> bool {
        let mut remembers = self.order > HookMemory::Path;
        self.hooks.each(&mut |hook| remembers |= hook.memory() > HookMemory::Path);
        remembers
    }

    /// Counts a choice that was not admitted; `depth` is that of the child. True if it is time to
    /// [look at the clock](Meter::look).
    #[inline]
    #[must_use]
    pub(crate) fn not_admitted(&mut self, hook: usize, depth: usize) -> bool {
        self.cuts.admit(hook, depth);
        self.patience -= 1;
        if self.patience > 0 {
            return false;
        }
        self.patience = PATIENCE;
        true
    }

    /// Counts a node that was cut off on entering.
    #[inline]
    pub(crate) fn not_kept(&mut self, hook: usize, depth: usize) {
        self.cuts.enter(hook, depth);
    }

    /// Counts the solution at `node`, as many times as it stands for if the hooks keep
    /// representatives.
    #[inline]
    pub(crate) fn count(&mut self, tally: &mut Tally, node: &Node<'_, P>) {
        self.hooks.solution(node);
        tally.visited += 1;
        let mut solutions = 1;
        if self.effect.0 == Effect::Representatives {
            match self.hooks.orbit(node).filter(|_| self.orbits) {
                Some(orbit) => {
                    solutions = orbit;
                    tally.non_representatives += u64::from(orbit == 0);
                }
                None => tally.orbits_known = false,
            }
        }
        tally.add(solutions);
    }

    /// Stops the clock; the stop to report when the walk has ended for `stop`.
    pub(crate) fn end(&mut self, stop: Stop, tally: &Tally) -> Stop {
        self.meter.freeze();
        match stop {
            _ if tally.overflow => Stop::CountOverflow,
            Stop::Exhausted if self.truncated => Stop::DepthLimit,
            stop => stop,
        }
    }

    pub(crate) fn stop(&self) -> Stop {
        self.stopped.unwrap_or(Stop::Paused)
    }

    /// What has been counted so far, by earlier runs as well.
    pub(crate) fn count_so_far(&self, tally: &Tally) -> Count {
        let own = Count::from(*tally);
        self.resume.as_ref().map_or(own, |resume| resume.count(own))
    }

    /// What was cut off by an incumbent that some hook or brancher has read, without saying so, is
    /// lost to other questions than the best by its objective.
    fn weaken_by_reading(&self, report: &mut Report) {
        let mut read = self.read.clone();
        add(&mut read, reading::so_far());
        if read.is_empty() {
            return;
        }
        report.tightened_by_incumbent = true;
        report.read_incumbent = read.iter().any(|&read| Some(read) != self.optimises);
        report.effect = report.effect.max(Effect::OptimumOnly);
        if report.read_incumbent && self.optimises.is_some() {
            report.effect = Effect::Lossy;
            report.add_conflict("the incumbent of another objective was read".to_owned());
        }
    }

    /// The account so far, with that of earlier runs.
    pub(crate) fn report(&self, tally: &Tally, levels: &[Level]) -> Report {
        // That a node is a dead end may be seen by a walk that visits none at its depth.
        let is_used = |level: &Level| level.nodes + level.solutions + level.dead_ends > 0;
        let used = levels.iter().rposition(is_used).map_or(0, |depth| depth + 1);
        let mut own = Report::new(
            self.stop(),
            self.effect.clone(),
            levels[..used].to_vec(),
            claims(&self.hooks),
            self.cuts.by_hook(),
            tally.credited(),
            self.meter.elapsed(),
        );
        own.walks = self.walks;
        own.brancher_memory = self.order;
        own.tightened_by_incumbent = tally.tightened_by_incumbent;
        self.weaken_by_reading(&mut own);
        match &self.resume {
            None => own,
            Some(resume) => resume.report(own, Count::from(*tally)),
        }
    }
}

/// How a node is left.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending<'a> {
    /// All below it that no hook has cut off has been searched.
    Searched,
    /// Something below it is still to be searched, by this walk or another one. When the node was
    /// replayed, these hooks have pruned it: by their contract they are not told of leaving.
    Unfinished(&'a [usize]),
}

/// Entering, visiting and leaving a node: what all walks do, defined once.
///
/// The problem comes as an argument of its own because the compiler then knows that nothing changes
/// it. All are inlined, for no reference to the state or the counters of a hot loop may reach a
/// function that is not: see [the kernel](super::kernel).
impl<P: Problem, B: Brancher<P>, H: Hooks<P>> SearchTree<'_, P, B, H> {
    /// Enters the node that `path` leads to, for the first time. Returns how it branches, or the
    /// index of the hook that has cut it off; it is not to be left then.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        problem: &P,
        state: &mut P::State,
        path: Path<'_, P::Choice>,
        tally: &mut Tally,
    ) -> Result<Branch<B::Cursor>, usize> {
        if let Some(hook) = self.hooks.enter(&mut NodeMut::new(problem, state, path, tally)) {
            return Err(hook);
        }
        let node = Node::new(problem, state, path, tally);
        self.brancher.enter(&node);
        Ok(self.brancher.branch(&node))
    }

    /// Enters a node again that an earlier walk, or this one, has entered before. Returns the hooks
    /// that would cut it off now.
    pub(crate) fn replay(
        &mut self,
        state: &mut P::State,
        path: Path<'_, P::Choice>,
        tally: &mut Tally,
    ) -> Vec<usize> {
        // What is credited on a replay was credited when the node was first entered.
        let mut replayed = *tally;
        let mut pruned = Vec::new();
        let problem = self.problem;
        self.hooks.replay(&mut NodeMut::new(problem, state, path, &mut replayed), &mut pruned);
        tally.tightened_by_incumbent = replayed.tightened_by_incumbent;
        self.brancher.enter(&Node::new(problem, state, path, tally));
        pruned
    }

    /// Counts the solution that `path` leads to, and visits it.
    #[inline(always)]
    pub(crate) fn visit(
        &mut self,
        problem: &P,
        state: &P::State,
        path: Path<'_, P::Choice>,
        tally: &mut Tally,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let before = *tally;
        self.count(tally, &Node::new(problem, state, path, &before));
        visit(&Node::new(problem, state, path, tally))
    }

    /// Leaves a node that was entered or replayed.
    #[inline(always)]
    pub(crate) fn leave(&mut self, node: &Node<'_, P>, ending: Ending<'_>) {
        self.brancher.leave(node);
        match ending {
            Ending::Searched => self.hooks.leave(node),
            Ending::Unfinished(pruned) => self.hooks.leave_unfinished(node, pruned),
        }
    }
}

//! The common part of all strategies: a problem with its brancher, hooks, limits and counters, and
//! the one definition of entering, visiting and leaving a node.

use std::collections::VecDeque;
use std::iter::from_fn;
use std::ops::ControlFlow;

use super::frontier::resume::Resume;
use super::frontier::subtree::{KnownValue, Subtree};
use super::meter::Meter;
use crate::brancher::{Brancher, BrancherId, claim_of_pruning, is_nondeterministic};
use crate::hook::{
    AdmitCut, Claim, Constraint, Effect, HookMemory, Hooks, Node, NodeMut, Path, StrategyLoss,
    Substitute, Terms, claims, combine,
};
use crate::incumbent::IncumbentId;
use crate::incumbent::reading::{Read, Reads};
use crate::limits::Stop;
use crate::outcome::{Count, Tally};
use crate::problem::{Branch, Problem};
use crate::report::{Cuts, HookReport, Level, Report};

/// A problem with its brancher, hooks and limits, and the cuts counted so far.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct SearchTree<'p, P: Problem, B, H> {
    pub(crate) problem: &'p P,
    pub(crate) brancher: B,
    pub(crate) hooks: H,
    pub(crate) meter: Meter<'p>,
    /// The combined effect of the hooks and the brancher, and the conflicts that make it lossy.
    pub(crate) effect: (Effect, Vec<String>),
    /// The incumbent of the objective, if the run optimises.
    pub(crate) objective_incumbent: Option<IncumbentId>,
    /// Whether the orbit sizes that hooks report are complete. They are not if the brancher also
    /// keeps only representatives, because a brancher does not report orbits.
    hooks_know_orbits: bool,
    /// Whether a node was not expanded because of the depth limit.
    pub(crate) truncated: bool,
    /// The reason why the walk has ended, if it has. [`Stop::Interrupted`] while it runs, in case a
    /// panic unwinds.
    pub(crate) stopped: Option<Stop>,
    /// Whether a hook has credited solutions of a node that an earlier walk entered without it.
    pub(crate) has_lost_credits: bool,
    /// Whether a solution was visited that an earlier walk may have visited elsewhere: at a node
    /// that [ends on a replay](Self::ends_on_replay).
    pub(crate) may_repeat_solutions: bool,
    /// Whether a hook has credited solutions of a node that will be entered again.
    pub(crate) has_repeated_credits: bool,
    /// The reads of incumbents by hooks, the brancher or the problem.
    pub(crate) reads: Reads,
    cuts: CutCounts,
    /// The claim about the solutions that the strategy loses by itself. Its cuts are counted as
    /// those of one more hook, the last one.
    loss: Option<StrategyLoss>,
    /// The number of walks from the root so far. To save a walk, the engine returns to the root and
    /// replays the path, which counts as a new walk.
    pub(crate) walks: u64,
    /// Choices that may still be rejected before the clock is checked.
    patience: u32,
    /// The most bytes that the walk may use, without those of hooks.
    pub(crate) max_bytes: usize,
    /// Whether a frontier gets the subtrees that are left when the run stops.
    pub(crate) keeps_rest: bool,
    /// The frontier that the subtrees come from and return to.
    pub(crate) resume: Option<Resume<'p, P::Choice>>,
}

/// Rejecting a choice takes no fuel. The clock is therefore also checked after this many
/// rejections.
const PATIENCE: u32 = 4096;

/// Divides a memory limit: half of it is shared by all hooks that remember more than the path, if
/// there are any. Returns the rest, which is for the walk.
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

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> SearchTree<'p, P, B, H> {
    pub(crate) fn new(
        problem: &'p P,
        brancher: B,
        hooks: H,
        meter: Meter<'p>,
        terms: Terms,
        mut resume: Option<Resume<'p, P::Choice>>,
    ) -> Self {
        if let Some(resume) = &mut resume {
            resume.frontier.record_brancher(BrancherId::of(&brancher));
            resume.frontier.record_constraints(&claims(&hooks));
        }
        let pruning = (brancher.effect(), brancher.memory(), brancher.incumbent());
        let effect = combine(&hooks, pruning, terms);
        let max_bytes = share_memory(&hooks, meter.max_bytes());
        let mut count = 0;
        hooks.each(&mut |_| count += 1);
        let cuts = CutCounts::of(count + usize::from(terms.strategy.is_some()));
        let hooks_know_orbits = brancher.effect() != Effect::Representatives;
        SearchTree {
            problem,
            brancher,
            hooks,
            meter,
            effect,
            objective_incumbent: terms.incumbent,
            hooks_know_orbits,
            truncated: false,
            stopped: None,
            has_lost_credits: false,
            may_repeat_solutions: false,
            has_repeated_credits: false,
            reads: Reads::default(),
            cuts,
            loss: terms.strategy,
            walks: 1,
            patience: PATIENCE,
            max_bytes,
            keeps_rest: resume.is_some(),
            resume,
        }
    }

    /// Takes the subtrees that a walk begins with: the whole tree, or those of the frontier.
    pub(crate) fn take_subtrees(&mut self) -> VecDeque<Subtree<P::Choice>> {
        match self.resume.as_mut().map(Resume::take) {
            None => VecDeque::from([Subtree::whole()]),
            Some(Ok(subtrees)) => subtrees,
            Some(Err(stop)) => {
                self.stopped = Some(self.end(stop, &Tally::NEW));
                VecDeque::new()
            }
        }
    }

    /// Returns the bytes per depth of the cuts that are counted, while their vectors double or a
    /// report copies them, and of the two copies of a level that a report makes.
    pub(crate) fn counter_bytes(&self) -> usize {
        let hooks = self.cuts.hooks + usize::from(self.brancher.incumbent().is_some());
        2 * size_of::<Level>() + hooks.saturating_mul(4 * size_of::<Cuts>())
    }

    /// Returns whether a hook or the brancher remembers more than the path.
    pub(crate) fn remembers(&self) -> bool {
        let mut remembers = self.brancher.memory() > HookMemory::Path;
        self.hooks.each(&mut |hook| remembers |= hook.memory() > HookMemory::Path);
        remembers
    }

    /// Counts a choice that was not admitted; `depth` is the depth of the child. Returns whether it
    /// is time to [check the clock](Meter::check_clock), even if no alarm rings.
    #[inline]
    #[must_use]
    pub(crate) fn count_admission_cut(&mut self, cut: AdmitCut, depth: usize) -> bool {
        self.cuts.admit(cut, depth);
        self.patience -= 1;
        if self.patience > 0 {
            return false;
        }
        self.patience = PATIENCE;
        true
    }

    /// Counts a node that was pruned on entering.
    #[inline]
    pub(crate) fn count_entry_cut(&mut self, hook: usize, depth: usize) {
        self.cuts.enter(hook, depth);
    }

    /// Counts a node that the strategy left out by itself, if it has a claim about such nodes.
    pub(crate) fn count_strategy_cut(&mut self, depth: usize) {
        if self.loss.is_some() {
            let last = self.cuts.hooks - 1;
            self.cuts.enter(last, depth);
        }
    }

    /// Counts the solution at `node`: with the size of its orbit if the hooks keep representatives,
    /// else once.
    #[inline]
    pub(crate) fn count(&mut self, tally: &mut Tally, node: &Node<'_, P>) {
        self.hooks.solution(node);
        tally.visited += 1;
        if self.effect.0 == Effect::Representatives {
            match self.hooks.orbit(node).filter(|_| self.hooks_know_orbits) {
                Some(orbit) => tally.count_orbit(orbit),
                None => tally.orbits_known = false,
            }
        }
    }

    /// Stops the clock, and returns the stop to report for a walk that has ended with `stop`.
    pub(crate) fn end(&mut self, stop: Stop, tally: &Tally) -> Stop {
        self.meter.stop_clock();
        match stop {
            _ if tally.overflows() => Stop::CountOverflow,
            Stop::Exhausted if self.truncated => Stop::DepthLimit,
            stop => stop,
        }
    }

    /// Returns the reason why the walk has ended, or [`Stop::Paused`] if it has not.
    pub(crate) fn stop(&self) -> Stop {
        self.stopped.unwrap_or(Stop::Paused)
    }

    /// Returns whether the run saves what is left of it.
    pub(crate) fn saves(&self) -> bool {
        self.resume.as_ref().is_some_and(|resume| resume.saver.is_some())
    }

    /// Returns the count so far, including that of earlier runs.
    pub(crate) fn count_so_far(&self, tally: &Tally) -> Count {
        match &self.resume {
            None => Count::from(*tally),
            Some(resume) => resume.count(Count::of_part(*tally)),
        }
    }

    /// Records in a report which incumbents were read, and weakens its effect if one was read
    /// without being declared. Such cuts preserve only the best value of that incumbent's
    /// objective; they may remove answers to any other question.
    fn weaken_by_reading(&self, report: &mut Report) {
        let reads = self.reads.to_vec();
        let is_other = |read: &Read| Some(read.incumbent) != self.objective_incumbent;
        report.read_incumbent = !reads.is_empty();
        for read in reads.iter().filter(|read| is_other(read)) {
            report.other_incumbents.insert(read.incumbent);
        }
        let undeclared = self.undeclared_reads();
        if undeclared.is_empty() {
            return;
        }
        report.effect = report.effect.max(Effect::OptimumOnly);
        if self.objective_incumbent.is_some() && undeclared.iter().any(is_other) {
            report.add_conflict(
                "the incumbent of another objective was read: read that of the objective of the \
                 run",
            );
        }
        // An undeclared read means that some hook or brancher claimed too strong an effect. Hooks
        // that do not tolerate the weaker effect have relied on that claim.
        self.hooks.each(&mut |hook| {
            if !hook.tolerates(Effect::OptimumOnly, Substitute::Known) {
                report.add_conflict(format!(
                    "`{}` cannot be combined with an undeclared read of an incumbent: leave out \
                     one of them",
                    hook.name()
                ));
            }
        });
    }

    /// Returns the reads of incumbents that are not declared. A wrapper of a hook may not forward
    /// `incumbent`, so a declared read is trusted only if a hook or the brancher names the
    /// incumbent.
    pub(crate) fn undeclared_reads(&self) -> Vec<Read> {
        let mut reads = self.reads.to_vec();
        reads.retain(|read| !(read.declared && self.names(read.incumbent)));
        reads
    }

    /// Weakens the claims of a report if a hook has credited solutions that a
    /// [constraint](crate::hook#constraints) was not asked about, or that an earlier walk may have
    /// counted, or this one will count again.
    fn weaken_by_credits(&self, tally: &Tally, report: &mut Report) {
        report.credits_unchecked |= self.has_repeated_credits;
        if self.has_lost_credits {
            report.add_conflict("a hook credited a node that had been entered without it");
        }
        if tally.credits_unsearched
            && let Some(hook) = report.hooks.iter().find(|hook| hook.constraint().is_some())
        {
            let reason = format!(
                "credits cannot be combined with `{}`: let the problem leave out what the \
                 constraint forbids",
                hook.name()
            );
            report.credits_unchecked = true;
            report.add_conflict(reason);
        }
        // A memo credits solutions below states that are equal but have other paths: the constraint
        // may reject them. `combine` has reported the conflict of both hooks.
        let reads_path = |hook: &HookReport| hook.constraint() == Some(Constraint::Path);
        report.credits_unchecked |= tally.credited() > 0 && report.hooks.iter().any(reads_path);
    }

    /// Returns whether a hook or the brancher names `incumbent`.
    fn names(&self, incumbent: IncumbentId) -> bool {
        let mut is_named = self.brancher.incumbent() == Some(incumbent);
        self.hooks.each(&mut |hook| is_named |= hook.incumbent() == Some(incumbent));
        is_named
    }

    /// Returns the claims of the hooks, with the numbers of their cuts of siblings, and the levels
    /// in which `admit` is called.
    fn claims(&self) -> Vec<(Claim, usize)> {
        let mut admit_levels = Vec::new();
        self.hooks.each(&mut |hook| admit_levels.push(hook.admit_levels()));
        let mut claims = claims(&self.hooks);
        for (claim, &cuts) in claims.iter_mut().zip(&self.cuts.siblings) {
            claim.sibling_cuts = cuts;
        }
        claims.extend(self.loss.map(Claim::from));
        admit_levels.extend(self.loss.map(|_| 0));
        claims.into_iter().zip(admit_levels).collect()
    }

    /// Returns the report so far, including that of earlier runs. `weaken` weakens the claim of
    /// this run.
    pub(crate) fn report(
        &self,
        tally: &Tally,
        levels: &[Level],
        weaken: impl FnOnce(&mut Report),
    ) -> Report {
        // A resumed walk may count a dead end at a depth where it entered no node, because an
        // earlier run entered that node.
        let is_used = |level: &Level| level.nodes + level.solutions + level.dead_ends > 0;
        let used = levels.iter().rposition(is_used).map_or(0, |depth| depth + 1);
        let (mut claims, mut cuts) = (self.claims(), self.cuts.by_hook());
        if self.brancher.incumbent().is_some() {
            // Its cuts come before those of all hooks, which do not see the children left out.
            claims.insert(0, (claim_of_pruning(&self.brancher), usize::MAX));
            cuts.insert(0, self.brancher.cuts().to_vec());
        }
        let levels = levels[..used].to_vec();
        let (effect, conflicts) = self.effect.clone();
        let mut own = Report {
            effect,
            conflicts,
            hooks: HookReport::of_hooks(&levels, claims, cuts),
            levels,
            credited: tally.credited(),
            elapsed: self.meter.elapsed(),
            walks: self.walks,
            brancher_is_nondeterministic: is_nondeterministic(&self.brancher),
            ..Report::without_runs(self.stop())
        };
        self.weaken_by_reading(&mut own);
        self.weaken_by_credits(tally, &mut own);
        if self.may_repeat_solutions {
            own.effect = own.effect.max(Effect::OptimumOnly);
        }
        weaken(&mut own);
        match &self.resume {
            None => own,
            Some(resume) => resume.report(own, Count::of_part(*tally)),
        }
    }

    /// Returns whether the [report](Self::report) would prove the optimum if the rest of the tree
    /// had no better solution and the run ended here.
    pub(crate) fn would_prove_optimum(
        &mut self,
        tally: &Tally,
        levels: &[Level],
        weaken: impl FnOnce(&mut Report),
    ) -> bool {
        let end = if self.truncated { Stop::DepthLimit } else { Stop::Exhausted };
        let stopped = self.stopped.replace(end);
        let report = self.report(tally, levels, weaken);
        self.stopped = stopped;
        report.proves_optimum()
    }
}

/// The way a node is left.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending<'a> {
    /// Everything below it that no hook has cut off has been searched.
    Searched,
    /// Something below it is still to be searched, by this walk or another one. If the node was
    /// replayed, these hooks have pruned it; by the contract of
    /// [`Hook::leave_unfinished`](crate::Hook::leave_unfinished) they are not told of leaving.
    Unfinished(&'a [usize]),
}

/// Entering, visiting and leaving a node, defined once for all walks.
///
/// The problem is an argument of its own because the compiler then knows that it does not change.
/// The functions on the hot path are inlined, because a reference that reaches a function that is
/// not inlined would keep the state and the counters of a hot loop in memory: see the
/// [kernel](super::depth_first).
impl<P: Problem, B: Brancher<P>, H: Hooks<P>> SearchTree<'_, P, B, H> {
    /// Enters the node at the end of `path` for the first time. Returns how it branches, or the
    /// index of the hook that has pruned it. The caller must not leave a pruned node.
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

    /// Enters a node that an earlier walk, or this one, has entered before. Appends the indices of
    /// the hooks that would prune it now to `pruned`.
    ///
    /// A hook that the earlier walk did not have may credit the solutions of the node and cut it
    /// off. It is unknown which of them the earlier walk has counted.
    pub(crate) fn replay(
        &mut self,
        state: &mut P::State,
        path: Path<'_, P::Choice>,
        tally: &Tally,
        pruned: &mut Vec<usize>,
    ) {
        // Solutions that a hook credits during a replay were counted when the node was first
        // entered.
        let mut replayed = *tally;
        let (problem, above) = (self.problem, pruned.len());
        self.hooks.replay(&mut NodeMut::new(problem, state, path, &mut replayed), pruned);
        self.has_lost_credits |=
            replayed.credited() > tally.credited() && self.is_cut_by(&pruned[above..]);
        self.brancher.enter(&Node::new(problem, state, path, tally));
    }

    /// Asks again how a replayed node branches that had children in an earlier walk. Returns `None`
    /// if it still has some. Otherwise a hook has tightened its state more than in that walk, and
    /// nothing is left below it; returns whether it is a solution now.
    pub(crate) fn ends_on_replay(&mut self, node: &Node<'_, P>) -> Option<bool> {
        if H::EMPTY {
            return None;
        }
        // A brancher that remembers nodes may recognise the node itself. The problem does not.
        let branch = if self.brancher.memory() > HookMemory::Path {
            self.problem.branch(node.state()).map(drop)
        } else {
            self.brancher.branch(node).map(drop)
        };
        let is_solution = branch.is_solution();
        branch.into_cursor().is_none().then_some(is_solution)
    }

    /// Visits a solution at the end of `path` that [ends on a replay](Self::ends_on_replay). It
    /// counts only if the node was `barren`: otherwise the earlier walk may have counted the same
    /// solution below a child of the node.
    pub(crate) fn visit_ended(
        &mut self,
        state: &P::State,
        path: Path<'_, P::Choice>,
        tally: &mut Tally,
        barren: bool,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if barren {
            return self.visit(self.problem, state, path, tally, visit);
        }
        self.may_repeat_solutions = true;
        visit(&Node::new(self.problem, state, path, tally))
    }

    /// Calls `visit` with the node of the best solution of an earlier walk, whose path has just
    /// been replayed, and keeps its path in the frontier. `is_cut` is true if a hook now cuts off
    /// the path. `visit` returns the value of the node.
    ///
    /// If a bound that infers choices was tighter when the solution was found, its path may lead to
    /// a node above the solution; returns the children of that node, to be searched again. If that
    /// node is a solution itself, the run may not know the value that was found: the children are
    /// not searched again, because earlier runs may have counted solutions below them.
    pub(crate) fn revisit_best(
        &mut self,
        node: &Node<'_, P>,
        is_cut: bool,
        value: KnownValue,
        visit: &mut impl FnMut(&Node<'_, P>) -> String,
    ) -> Option<VecDeque<P::Choice>> {
        let branch = if is_cut { Branch::DeadEnd } else { self.brancher.branch(node) };
        let (mut choices, mut visited) = (None, None);
        match branch {
            // It is not as good as the incumbent, or a hook that an earlier run did not have cuts
            // it off. A later run may visit it again.
            Branch::DeadEnd => {}
            // There is nothing below it. If it is another solution, the one that was found is not
            // as good as the incumbent either.
            Branch::Solution => drop(visit(node)),
            Branch::SolutionInner(_) => visited = Some(visit(node)),
            Branch::Inner(mut cursor) => {
                choices = Some(from_fn(|| self.brancher.next(node, &mut cursor)).collect());
            }
        }
        if let Some(resume) = &mut self.resume {
            match choices {
                None => resume.add_earlier_best(&node.path(), value, visited),
                // The solution will be counted again.
                Some(_) => resume.frontier.forget_a_visit(),
            }
        }
        choices
    }

    /// Returns whether one of these hooks, which have pruned a node on a replay, cuts it off. A
    /// hook that remembers searched or visited nodes may only have recognised the node itself.
    pub(crate) fn is_cut_by(&self, pruned: &[usize]) -> bool {
        let (mut index, mut is_cut) = (0, false);
        if !pruned.is_empty() {
            self.hooks.each(&mut |hook| {
                is_cut |= hook.memory() <= HookMemory::Path && pruned.contains(&index);
                index += 1;
            });
        }
        is_cut
    }

    /// Visits a solution that an earlier walk has found and not visited, at the end of a path that
    /// was replayed. If a hook was tighter when it was found, the path may lead to a node above the
    /// solution; returns the children of that node, to be searched.
    pub(crate) fn visit_deferred(
        &mut self,
        state: &P::State,
        path: Path<'_, P::Choice>,
        tally: &mut Tally,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, VecDeque<P::Choice>> {
        let node = Node::new(self.problem, state, path, tally);
        match self.brancher.branch(&node) {
            Branch::DeadEnd => Err(VecDeque::new()),
            Branch::Inner(mut cursor) => {
                Err(from_fn(|| self.brancher.next(&node, &mut cursor)).collect())
            }
            Branch::Solution | Branch::SolutionInner(_) => {
                Ok(self.visit(self.problem, state, path, tally, visit))
            }
        }
    }

    /// Counts the solution at the end of `path`, and visits it.
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

/// The cuts of a walk, by depth and by hook, counted in its hot loop.
///
/// They are stored in one vector, ordered by depth, then by hook. A cheap hook may cut off more
/// nodes than are entered, so counting a cut must take only a few instructions.
#[derive(Debug)]
pub(crate) struct CutCounts {
    counts: Vec<Cuts>,
    /// By hook, the cuts that ended the loop over the children of a node.
    siblings: Vec<u64>,
    hooks: usize,
}

impl CutCounts {
    /// Creates counters without cuts for `hooks` hooks.
    pub(crate) fn of(hooks: usize) -> Self {
        CutCounts { counts: Vec::new(), siblings: vec![0; hooks], hooks }
    }

    /// Counts a choice that was not admitted; `depth` is the depth of the child.
    #[inline]
    pub(crate) fn admit(&mut self, cut: AdmitCut, depth: usize) {
        let index = depth * self.hooks + cut.hook;
        if cut.siblings {
            self.siblings[cut.hook] += 1;
        }
        Cuts::at(&mut self.counts, index).admit += 1;
    }

    /// Counts a node that was pruned on entering.
    #[inline]
    pub(crate) fn enter(&mut self, hook: usize, depth: usize) {
        Cuts::at(&mut self.counts, depth * self.hooks + hook).enter += 1;
    }

    /// Returns the cuts by depth of each hook.
    pub(crate) fn by_hook(&self) -> Vec<Vec<Cuts>> {
        let of = |hook| self.counts.iter().skip(hook).step_by(self.hooks).copied().collect();
        (0..self.hooks).map(of).collect()
    }
}

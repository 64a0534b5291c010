//! The statistics of a running sweep and its limits: [`SweepStats`].

use std::time::Duration;

use super::hook::SweepClaim;
use super::step::{Clock, StepCount};
use crate::clock::Instant;
use crate::hook::Effect;
use crate::incumbent::reading::Reads;
use crate::limits::{Limits, Stop, TooWide};
#[cfg(feature = "bigint")]
use crate::report::Pass;
use crate::report::{Cuts, HookReport, Level, Report, SweepReport};

/// The progress of a sweep, passed to a progress callback.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SweepProgress {
    /// The number of processed cells.
    pub cells_done: usize,
    /// The number of all cells.
    pub cells: usize,
    /// The number of states of the last complete layer.
    pub states: u64,
    /// The bytes of the layers.
    pub bytes: u64,
    /// The time since the start of this run. For a resumed sweep that excludes earlier runs.
    pub elapsed: Duration,
    /// The number of the current pass, from 1. A count [by
    /// residues](super::Sweep::count_by_residues) takes several passes, and any other sweep one.
    pub pass: u32,
    /// The number of all passes. `None` in the first pass of a count by residues, which determines
    /// it.
    pub passes: Option<u32>,
}

impl SweepProgress {
    /// Returns the fraction of processed cells of the current pass, from 0 to 1. Layers differ in
    /// size, so that it is not the fraction of the time.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        if self.cells == 0 { 1.0 } else { self.cells_done as f64 / self.cells as f64 }
    }
}

/// The statistics of the layer before the first cell, which holds only the start.
const FIRST_LEVEL: Level = Level { nodes: 1, ..Level::ZERO };

/// Returns the report of a hook before the first cell.
fn first_report(of: &SweepClaim) -> HookReport {
    let none = vec![Cuts::default()];
    HookReport { claim: of.claim.clone(), calls: none.clone(), cuts: none }
}

/// A progress callback and its interval.
pub(crate) struct SweepWatcher<'p> {
    pub(crate) every: Duration,
    pub(crate) callback: Box<dyn FnMut(&SweepProgress) + Send + 'p>,
}

debug_fields!(impl['p] SweepWatcher<'p>: every);

/// The statistics of a sweep by layer, and the limits that it has to observe.
#[derive(Debug)]
pub struct SweepStats<'p> {
    limits: Limits,
    threads: usize,
    clock: Clock,
    watcher: Option<SweepWatcher<'p>>,
    /// The time of the last call of the progress callback, or of the start.
    watched: Instant,
    /// The position of the sweep and its peak of memory.
    sweep: SweepReport,
    /// The number of states that were expanded, in all passes of this run.
    expanded: u64,
    /// Bytes of the layers that are retained besides the two live ones.
    retained_bytes: usize,
    levels: Vec<Level>,
    claims: Vec<SweepClaim>,
    hooks: Vec<HookReport>,
    /// The time of earlier runs, if the sweep was resumed.
    earlier: Duration,
    /// The error of the last attempt to save the sweep, if it failed.
    unsaved: Option<String>,
    /// The reads of incumbents by this worker in this run.
    reads: Reads,
    /// Whether an earlier run or another worker has read an incumbent.
    read_elsewhere: bool,
}

impl<'p> SweepStats<'p> {
    pub(crate) fn new(
        limits: Limits,
        threads: usize,
        watcher: Option<SweepWatcher<'p>>,
        cells: usize,
        claims: Vec<SweepClaim>,
    ) -> Self {
        let clock = Clock::new(&limits);
        let sweep = SweepReport {
            cells,
            pass: None,
            done: 0,
            layer: 0,
            states: 1,
            peak_bytes: 0,
            needed_bytes: None,
            too_wide: None,
        };
        SweepStats {
            limits,
            threads,
            watched: clock.start(),
            clock,
            watcher,
            sweep,
            expanded: 0,
            retained_bytes: 0,
            levels: vec![FIRST_LEVEL],
            hooks: claims.iter().map(first_report).collect(),
            claims,
            earlier: Duration::ZERO,
            unsaved: None,
            reads: Reads::default(),
            read_elsewhere: false,
        }
    }

    /// Runs `work`, and records the reads of incumbents meanwhile: a report weakens its claims by
    /// them.
    pub(crate) fn record_reads<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let recording = self.reads.begin();
        let result = work(self);
        recording.end(&mut self.reads);
        result
    }

    /// Returns whether the sweep has read an incumbent so far.
    pub(crate) fn has_read_incumbent(&self) -> bool {
        self.read_elsewhere || self.reads.any()
    }

    /// Records whether any worker has read an incumbent.
    #[cfg(feature = "timely")]
    pub(crate) fn record_reads_elsewhere(&mut self, any: bool) {
        self.read_elsewhere |= any;
    }

    /// Begins a pass of a sweep in several passes. The statistics of layers are those of this pass;
    /// time, memory and the limits are those of all passes.
    #[cfg(feature = "bigint")]
    pub(crate) fn begin_pass(&mut self, pass: Pass) {
        self.sweep = SweepReport { pass: Some(pass), done: 0, layer: 0, states: 1, ..self.sweep };
        self.levels = vec![FIRST_LEVEL];
        self.hooks = self.claims.iter().map(first_report).collect();
    }

    /// Returns the number of threads of this worker.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    pub(crate) fn hooks(&self) -> usize {
        self.claims.len()
    }

    pub(crate) fn max_states(&self) -> usize {
        self.limits
            .states
            .map_or(usize::MAX, |states| usize::try_from(states).unwrap_or(usize::MAX))
    }

    /// Returns the memory limit of the two live layers.
    pub(crate) fn max_bytes(&self) -> usize {
        let others = self.retained_bytes.saturating_add(self.statistics_bytes());
        self.limits.max_bytes().saturating_sub(others)
    }

    /// Returns the bytes of the statistics of layers and of their copy in a report, as far as they
    /// exceed a sixteenth of the memory limit. There may be far more layers than states.
    fn statistics_bytes(&self) -> usize {
        let of_layer = size_of::<Level>() + 2 * self.claims.len() * size_of::<Cuts>();
        let (layers, capacity) = (self.levels.len(), self.levels.capacity());
        // A vector that grows exists twice for a moment.
        let copy = if layers < capacity { layers } else { capacity.saturating_mul(2) };
        let room = capacity.saturating_add(copy);
        room.saturating_mul(of_layer).saturating_sub(self.limits.max_bytes() / 16)
    }

    /// Records the bytes of retained layers and of `others`, and checks the memory limit.
    pub(crate) fn set_retained_bytes(
        &mut self,
        retained: usize,
        others: usize,
    ) -> Result<(), Stop> {
        self.retained_bytes = retained;
        let bytes = self.record_bytes(others);
        if bytes > self.limits.max_bytes() as u64 { Err(Stop::MemoryLimit) } else { Ok(()) }
    }

    /// Records the bytes of layers that are not retained, and returns those of all layers.
    pub(crate) fn record_bytes(&mut self, bytes: usize) -> u64 {
        let bytes = self.retained_bytes.saturating_add(bytes) as u64;
        self.sweep.peak_bytes = self.sweep.peak_bytes.max(bytes);
        bytes
    }

    /// Continues before this cell, for a run that comes to a cell again. `expanded` is the number
    /// of states that were expanded, without those before this cell.
    #[cfg(feature = "bigint")]
    pub(crate) fn move_to(&mut self, cell: usize, expanded: u64) {
        (self.sweep.done, self.expanded) = (cell, expanded);
    }

    /// Checks, before each cell, whether the next layer may be computed.
    pub(crate) fn before_cell(&mut self, cell: usize, states: u64) -> Result<(), Stop> {
        self.within_limits(cell, states)?;
        let mut by_hooks = self.hooks.iter_mut().flat_map(|hook| [&mut hook.calls, &mut hook.cuts]);
        self.levels
            .try_reserve(1)
            .and_then(|()| by_hooks.try_for_each(|of_hook| of_hook.try_reserve(1)))
            .map_err(|_| Stop::MemoryLimit)?;
        self.clock.check()
    }

    /// Checks all limits except the clock. The result is the same for all workers of a cluster.
    pub(crate) fn within_limits(&mut self, cell: usize, states: u64) -> Result<(), Stop> {
        (self.sweep.layer, self.sweep.states) = (self.sweep.done, states);
        if self.limits.depth.is_some_and(|depth| cell >= depth) {
            return Err(Stop::DepthLimit);
        }
        if self.limits.nodes.is_some_and(|nodes| self.expanded.saturating_add(states) > nodes) {
            return Err(Stop::NodeLimit);
        }
        if self.max_states() == 0 {
            return Err(Stop::StateLimit);
        }
        if self.statistics_bytes() > self.limits.max_bytes() {
            return Err(Stop::MemoryLimit);
        }
        Ok(())
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Records that states of the next layer do not fit, and returns the reason to stop.
    pub(crate) fn too_wide(&mut self, too_wide: TooWide) -> Stop {
        self.sweep.too_wide = Some(too_wide);
        Stop::StateTooWide
    }

    /// Records how far the next layer had come when the sweep stopped.
    pub(crate) fn record_incomplete_layer(&mut self, states: usize, bytes: usize) {
        (self.sweep.layer, self.sweep.states) = (self.sweep.done + 1, states as u64);
        self.record_bytes(bytes);
    }

    /// Records that the sweep works on the last complete layer, and not on the next one.
    pub(crate) fn at_complete_layer(&mut self) {
        (self.sweep.layer, self.sweep.states) = (self.sweep.done, self.states());
    }

    /// Records the layer before which a backward pass has stopped, and its number of states.
    pub(crate) fn stop_backward(&mut self, layer: usize, states: u64) {
        self.sweep.stop_backward(layer, states);
    }

    /// Records a lower bound of the bytes that the layers to come need at the same time.
    pub(crate) fn record_needed_bytes(&mut self, bytes: u64) {
        self.sweep.needed_bytes = Some(bytes);
    }

    /// Records a complete layer; `thinned` is the number of states that the `thin` of each hook
    /// dropped.
    pub(crate) fn record_layer(
        &mut self,
        step: &StepCount,
        states: usize,
        thinned: &[u64],
        bytes: usize,
    ) {
        self.sweep.done += 1;
        (self.sweep.layer, self.sweep.states) = (self.sweep.done, states as u64);
        let bytes = self.record_bytes(bytes);
        event!(trace, cells_done = self.sweep.done, states, bytes, "a layer is complete");
        if let Some(level) = self.levels.last_mut() {
            level.dead_ends = step.dead_ends;
            self.expanded = self.expanded.saturating_add(level.nodes);
        }
        self.levels.push(Level {
            nodes: states as u64,
            transitions: step.transitions,
            merged: step.merged,
            ..Level::ZERO
        });
        // In the report of a sweep, `admit` refers to `SweepHook::enter` and `enter` to
        // `SweepHook::thin`. Each hook is called on the states that the hooks before it have kept.
        let mut asked =
            Cuts { admit: step.transitions, enter: states as u64 + thinned.iter().sum::<u64>() };
        let dropped = step.dropped_by_enter.iter().zip(thinned);
        for (hook, (&admit, &enter)) in self.hooks.iter_mut().zip(dropped) {
            hook.calls.push(asked);
            hook.cuts.push(Cuts { admit, enter });
            asked.admit -= admit;
            asked.enter -= enter;
        }
        if let Some(watcher) = &mut self.watcher {
            let now = Instant::now();
            let SweepReport { cells, done, pass, states, .. } = self.sweep;
            if now - self.watched >= watcher.every || done == cells {
                self.watched = now;
                (watcher.callback)(&SweepProgress {
                    cells_done: done,
                    cells,
                    states,
                    bytes,
                    elapsed: now - self.clock.start(),
                    pass: pass.map_or(1, |pass| pass.number),
                    passes: pass.map_or(Some(1), |pass| pass.of),
                });
            }
        }
    }

    /// Records how many states of the last layer are accepted.
    pub(crate) fn record_accepted(&mut self, solutions: u64) {
        if let Some(level) = self.levels.last_mut() {
            level.solutions = solutions;
            // The nodes of a crafted file may be too few.
            level.dead_ends = level.nodes.saturating_sub(solutions);
        }
    }

    /// Returns the peak size of the layers so far, in bytes.
    #[cfg(feature = "bigint")]
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.sweep.peak_bytes
    }

    /// Returns the number of processed cells.
    #[cfg(feature = "serde")]
    pub(crate) fn cells_done(&self) -> usize {
        self.sweep.done
    }

    /// Returns the number of states of the last complete layer.
    pub(crate) fn states(&self) -> u64 {
        self.levels.last().map_or(0, |level| level.nodes)
    }

    /// Records the error of an attempt to save the sweep, or that it succeeded.
    #[cfg(feature = "serde")]
    pub(crate) fn set_unsaved(&mut self, unsaved: Option<String>) {
        self.unsaved = unsaved;
    }

    /// Takes over the statistics of a saved sweep, and returns the cell before which it stopped.
    ///
    /// # Errors
    ///
    /// Returns a description if they cannot be the statistics of this sweep.
    #[cfg(feature = "serde")]
    pub(crate) fn resume(&mut self, report: Report) -> Result<usize, &'static str> {
        let Some(SweepReport { cells, done, peak_bytes, .. }) = report.sweep else {
            return Err("found no report of a sweep");
        };
        let has_entry_per_layer =
            |hook: &HookReport| hook.calls.len() == done + 1 && hook.cuts.len() == done + 1;
        if cells != self.sweep.cells || done > cells || report.levels.len() != done + 1 {
            return Err("found a layer that the problem does not have");
        }
        // The fingerprint leaves out hooks that are switched off, so their positions are checked by
        // name.
        let names = report.hooks.iter().map(HookReport::name);
        if !names.eq(self.claims.iter().map(|claim| &claim.claim.name))
            || !report.hooks.iter().all(has_entry_per_layer)
        {
            return Err("found a report of other hooks");
        }
        self.earlier = report.elapsed;
        self.read_elsewhere = report.read_incumbent;
        for (hook, HookReport { calls, cuts, .. }) in self.hooks.iter_mut().zip(report.hooks) {
            (hook.calls, hook.cuts) = (calls, cuts);
        }
        self.levels = report.levels;
        (self.sweep.done, self.sweep.peak_bytes) = (done, peak_bytes);
        self.at_complete_layer();
        Ok(done)
    }

    /// Returns the effect of all hooks together, by the
    /// [rule](super::hook::SweepHook#hooks-together), and the reasons if it is weaker than the
    /// weakest of them. `reads_labels` says whether the answer depends on labels.
    pub(crate) fn effect(&self, reads_labels: bool) -> (Effect, Vec<String>) {
        let weakest =
            self.claims.iter().map(|one| one.claim.effect).max().unwrap_or(Effect::Preserving);
        let relabelling = self.claims.iter().filter(|claim| !claim.keeps_labels);
        let mut conflicts: Vec<String> = relabelling
            .filter(|claim| reads_labels || claim.is_constraint())
            .map(|claim| {
                let is = if claim.is_constraint() { "is a constraint that " } else { "" };
                format!("`{}` {is}replaces states by others whose labels differ", claim.claim.name)
            })
            .collect();
        for (index, one) in self.claims.iter().enumerate() {
            for other in self.claims[..index].iter().filter(|other| !one.is_compatible_with(other))
            {
                let claim = match other.is_constraint() {
                    true => "constraint".to_owned(),
                    false => other.claim.effect.to_string(),
                };
                conflicts.push(format!(
                    "`{}` cannot be combined with `{}` ({claim}): leave out one of them",
                    one.claim.name, other.claim.name
                ));
            }
        }
        (if conflicts.is_empty() { weakest } else { Effect::Lossy }, conflicts)
    }

    /// Returns the number of cells of the problem.
    #[cfg(feature = "timely")]
    pub(crate) fn cells(&self) -> usize {
        self.sweep.cells
    }

    /// Returns whether a hook replaces states by others with other solutions, in a sweep that reads
    /// labels or beside a constraint, or does not claim that the number of solutions is the same.
    /// The labels along a path are then no solution. A constraint may allow solutions below the one
    /// and reject those below the other, so the count is no lower bound.
    fn has_uncertain_solutions(&self, reads_labels: bool) -> bool {
        let any_constraint = self.claims.iter().any(SweepClaim::is_constraint);
        self.claims
            .iter()
            .filter(|claim| !claim.keeps_labels)
            .any(|claim| reads_labels || any_constraint || claim.claim.effect != Effect::Preserving)
    }

    /// Returns the report of the sweep so far.
    pub(crate) fn report(&self, stop: Stop, reads_labels: bool) -> Report {
        let (effect, conflicts) = self.effect(reads_labels);
        let layer = self.sweep.layer.min(self.sweep.cells);
        let mut report = Report {
            effect,
            conflicts,
            levels: self.levels.clone(),
            hooks: self.hooks.clone(),
            has_uncertain_solutions: self.has_uncertain_solutions(reads_labels),
            elapsed: self.earlier.saturating_add(self.clock.elapsed()),
            unsaved: self.unsaved.clone(),
            sweep: Some(SweepReport { layer, ..self.sweep }),
            ..Report::without_runs(stop)
        };
        if self.has_read_incumbent() {
            report.add_read_in_sweep();
        }
        report
    }
}

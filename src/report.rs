//! The account of a run: nodes, solutions and dead ends by depth, and what each hook cut.

#[cfg(feature = "serde")]
mod sound;
pub(crate) mod table;

pub use table::Summary;

use std::ops::{Add, AddAssign};
use std::time::Duration;

use crate::hook::{Claim, Effect, HookMemory};
use crate::limits::{Stop, TooWide};

/// What happened at one depth of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Level {
    /// States entered, those included that a hook cut off on entering. Of a sweep: states of the
    /// layer, less those that a hook dropped.
    pub nodes: u64,
    /// Nodes that are solutions.
    pub solutions: u64,
    /// Nodes that no hook cut off, that are not solutions, and none of whose children was kept.
    pub dead_ends: u64,
    /// Of a sweep: transitions that led here, those included that a hook cut off. Of a search, 0.
    pub transitions: u64,
    /// Of a sweep: transitions that led to a state that was there already. Of a search, 0.
    pub merged: u64,
}

impl Level {
    pub(crate) const ZERO: Level =
        Level { nodes: 0, solutions: 0, dead_ends: 0, transitions: 0, merged: 0 };
}

/// The cuts of a hook at one depth: the depth of what was cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cuts {
    /// Children not entered, because the hook did not admit the choice.
    pub admit: u64,
    /// Nodes cut off on entering.
    pub enter: u64,
}

/// What one hook did in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HookReport {
    pub(crate) claim: Claim,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sound::cuts"))]
    pub(crate) calls: Vec<Cuts>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sound::cuts"))]
    pub(crate) cuts: Vec<Cuts>,
}

impl HookReport {
    /// The hook's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.claim.name
    }

    /// What the hook claims that its cuts preserve.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.claim.effect
    }

    /// How often the hook was asked, by depth: before a step (`admit`) and after it (`enter`).
    /// Steps that were admitted but not taken, as the run had come to a limit, do not count, nor do
    /// replays.
    #[must_use]
    pub fn calls_by_depth(&self) -> &[Cuts] {
        &self.calls
    }

    /// What the hook cut off, by depth.
    #[must_use]
    pub fn cuts_by_depth(&self) -> &[Cuts] {
        &self.cuts
    }

    /// How often the hook was asked in all, before a step or after it.
    #[must_use]
    pub fn calls(&self) -> u64 {
        total(&self.calls)
    }

    /// How many cuts the hook made in all.
    #[must_use]
    pub fn cuts(&self) -> u64 {
        total(&self.cuts)
    }

    /// Figures of the hook's own, such as the evictions of a table.
    #[must_use]
    pub fn stats(&self) -> &[(String, u64)] {
        &self.claim.stats
    }

    /// A figure of the hook's own by its name.
    #[must_use]
    pub fn stat(&self, name: &str) -> Option<u64> {
        self.stats().iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }
}

fn total(cuts: &[Cuts]) -> u64 {
    cuts.iter().map(|cuts| cuts.admit + cuts.enter).sum()
}

/// The account of a run. Reports of parts of a run add up with `+`; `Display` prints them as
/// aligned tables.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    pub(crate) stop: Stop,
    pub(crate) effect: Effect,
    pub(crate) conflicts: Vec<String>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sound::levels"))]
    pub(crate) levels: Vec<Level>,
    pub(crate) hooks: Vec<HookReport>,
    pub(crate) credited: u128,
    /// Whether a hook has said that it took something away for not beating an incumbent.
    pub(crate) tightened_by_incumbent: bool,
    /// Whether an incumbent was read that no hook has declared, by a run that was not for the best
    /// by its objective.
    pub(crate) read_incumbent: bool,
    /// Whether it is the account of a part of the tree, and what else there is, is not known.
    pub(crate) part: bool,
    pub(crate) elapsed: Duration,
    /// How many walks it is the account of.
    pub(crate) walks: u64,
    /// What the brancher remembers beside the path. The run that goes on from a file has the same
    /// brancher, and says so itself.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) order: HookMemory,
    pub(crate) sweep: Option<SweepReport>,
    /// Why the last attempt to save the run came to nothing, if so.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) unsaved: Option<String>,
}

/// What a sweep has to say beside its layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SweepReport {
    /// Cells of the profile.
    pub(crate) cells: usize,
    /// Cells done.
    pub(crate) done: usize,
    /// The layer on which the sweep stood: the one that it was making, or the last complete one.
    pub(crate) layer: usize,
    /// States of that layer, as far as it had been built.
    pub(crate) states: u64,
    /// The most bytes that layers took up.
    pub(crate) peak_bytes: u64,
    /// Why the states do not fit, if they do not.
    pub(crate) too_wide: Option<TooWide>,
}

impl Report {
    /// Assembles a report: from the nodes by depth and the cuts of each hook by depth, the calls
    /// follow, for a hook is asked exactly when those before it have kept.
    pub(crate) fn new(
        stop: Stop,
        (effect, conflicts): (Effect, Vec<String>),
        levels: Vec<Level>,
        claims: Vec<Claim>,
        mut cuts: Vec<Vec<Cuts>>,
        credited: u128,
        elapsed: Duration,
    ) -> Self {
        cuts.resize_with(claims.len(), Vec::new);
        let depths = cuts.iter().map(Vec::len).max().unwrap_or(0).max(levels.len());
        let mut asked = vec![Cuts::default(); depths];
        for (depth, asked) in asked.iter_mut().enumerate() {
            let nodes = levels.get(depth).map_or(0, |level| level.nodes);
            let not_admitted: u64 =
                cuts.iter().filter_map(|cuts| cuts.get(depth)).map(|cuts| cuts.admit).sum();
            asked.enter = nodes;
            asked.admit = if depth == 0 { 0 } else { nodes + not_admitted };
        }
        let mut hooks = Vec::with_capacity(claims.len());
        for (claim, mut cuts) in claims.into_iter().zip(cuts) {
            let calls = asked.clone();
            for (asked, cuts) in asked.iter_mut().zip(&cuts) {
                asked.admit -= cuts.admit;
                asked.enter -= cuts.enter;
            }
            cuts.resize(depths, Cuts::default());
            hooks.push(HookReport { claim, calls, cuts });
        }
        Report {
            stop,
            effect,
            conflicts,
            levels,
            hooks,
            credited,
            tightened_by_incumbent: false,
            read_incumbent: false,
            part: false,
            elapsed,
            walks: 1,
            order: HookMemory::Path,
            sweep: None,
            unsaved: None,
        }
    }

    /// Why the run ended.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// What the cuts of all hooks together preserve.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether this is the account of a [part](crate::search::Frontier::split) of the tree. A part
    /// claims nothing about the whole: neither that a count is exact, nor that there is no
    /// solution, nor that one is the best.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.part
    }

    /// Adds a reason why the whole is lossy, unless it is known.
    pub(crate) fn add_conflict(&mut self, reason: String) {
        if !self.conflicts.contains(&reason) {
            self.conflicts.push(reason);
        }
    }

    /// Why the hooks together are [`Effect::Lossy`] although none of them is, if so; else empty.
    #[must_use]
    pub fn conflicts(&self) -> &[String] {
        &self.conflicts
    }

    /// Nodes, solutions and dead ends by depth, the root's first.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// What each hook did, in the order in which they are asked.
    #[must_use]
    pub fn hooks(&self) -> &[HookReport] {
        &self.hooks
    }

    /// What the hook of this name did; the first one of several.
    #[must_use]
    pub fn hook(&self, name: &str) -> Option<&HookReport> {
        self.hooks.iter().find(|hook| hook.name() == name)
    }

    /// Nodes visited, the root included.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.levels.iter().map(|level| level.nodes).sum()
    }

    /// Solutions visited: each counts once, whatever its orbit.
    #[must_use]
    pub fn solutions(&self) -> u64 {
        self.levels.iter().map(|level| level.solutions).sum()
    }

    /// Solutions that hooks have [credited](crate::NodeMut::credit): counted, but visited by
    /// nobody. If there are any, an iterator or a visitor has not seen all solutions though the
    /// tree is exhausted, no optimum is proven, nor that there is no solution.
    #[must_use]
    pub fn credited(&self) -> u128 {
        self.credited
    }

    /// Whether something was cut off or taken away for not beating an incumbent.
    pub(crate) fn has_lost_to_incumbent(&self) -> bool {
        self.tightened_by_incumbent
            || self.hooks.iter().any(|hook| hook.claim.by_incumbent && hook.cuts() > 0)
    }

    /// Why the numbers of nodes and cuts may differ from those of one search of the whole, if this
    /// is the account of several that shared a tree: the names of the hooks that
    /// [remember](crate::Hook::memory), or compare with an incumbent, and
    /// [`BRANCHER`](Report::BRANCHER) if the brancher [remembers](crate::Brancher::memory). Else
    /// empty: the numbers are the same.
    #[must_use]
    pub fn nondeterministic_parts(&self) -> Vec<&str> {
        if self.walks <= 1 {
            return Vec::new();
        }
        let varies =
            |hook: &&HookReport| hook.claim.by_incumbent || hook.claim.memory > HookMemory::Path;
        let brancher = (self.order > HookMemory::Path).then_some(Self::BRANCHER);
        self.hooks.iter().filter(varies).map(HookReport::name).chain(brancher).collect()
    }

    /// What the brancher is called among the [reasons why numbers
    /// vary](Report::nondeterministic_parts).
    pub const BRANCHER: &'static str = "the brancher";

    /// Whether what is left as representatives may be more than one an orbit, as several walks each
    /// kept their own.
    pub(crate) fn has_repeated_orbits(&self) -> bool {
        let met = |hook: &HookReport| {
            hook.claim.memory == HookMemory::Visited && hook.effect() == Effect::Representatives
        };
        self.walks > 1 && self.hooks.iter().any(met)
    }

    /// Dead ends, as [`Level::dead_ends`] says.
    #[must_use]
    pub fn dead_ends(&self) -> u64 {
        self.levels.iter().map(|level| level.dead_ends).sum()
    }

    /// The greatest depth that was reached.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }

    /// The most bytes that the layers of a sweep took up at a time. `None` of a search.
    #[must_use]
    pub fn peak_bytes(&self) -> Option<u64> {
        self.sweep.map(|sweep| sweep.peak_bytes)
    }

    /// Why the last attempt to save a run by a [checkpoint](crate::search#checkpoints) came to
    /// nothing, if it did. The account itself is right.
    #[must_use]
    pub fn unsaved(&self) -> Option<&str> {
        self.unsaved.as_deref()
    }

    /// Wall time of the run; of merged reports, the sum.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}

fn add_by_depth<T: Copy + Default>(into: &mut Vec<T>, from: &[T], add: impl Fn(&mut T, T)) {
    if into.len() < from.len() {
        into.resize(from.len(), T::default());
    }
    for (into, &from) in into.iter_mut().zip(from) {
        add(into, from);
    }
}

fn add_cuts(into: &mut Cuts, from: Cuts) {
    into.admit += from.admit;
    into.enter += from.enter;
}

impl AddAssign<&Report> for Report {
    /// The report of two parts of one run, made with the same hooks: figures add up, and the whole
    /// is exhausted only if both parts are. Hooks are matched by name, several of one name in their
    /// order; those of one part only are kept as they are. If both parts keep representatives, but
    /// not by the same hooks, the whole is [`Effect::Lossy`]: each may have cut off what the other
    /// one kept.
    fn add_assign(&mut self, other: &Report) {
        // Where the whole stopped is where the part did that has not come to its end.
        let stopped_at = if self.stop.is_exhausted() {
            other.sweep.or(self.sweep)
        } else {
            self.sweep.or(other.sweep)
        };
        if self.stop.is_exhausted() {
            self.stop = other.stop;
        }
        self.effect = self.effect.max(other.effect);
        let keeping = |report: &Report| -> Vec<String> {
            let keeping =
                report.hooks.iter().filter(|hook| hook.effect() == Effect::Representatives);
            keeping.map(|hook| hook.name().to_owned()).collect()
        };
        if self.effect == Effect::Representatives && keeping(self) != keeping(other) {
            self.effect = Effect::Lossy;
            self.conflicts
                .push("parts of the run kept representatives by different hooks".to_owned());
        }
        for conflict in &other.conflicts {
            self.add_conflict(conflict.clone());
        }
        add_by_depth(&mut self.levels, &other.levels, |into, from| {
            into.nodes += from.nodes;
            into.solutions += from.solutions;
            into.dead_ends += from.dead_ends;
            into.transitions += from.transitions;
            into.merged += from.merged;
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
            into.claim.by_incumbent |= hook.claim.by_incumbent;
            into.claim.memory = into.claim.memory.max(hook.claim.memory);
            add_by_depth(&mut into.calls, &hook.calls, add_cuts);
            add_by_depth(&mut into.cuts, &hook.cuts, add_cuts);
            for (name, value) in &hook.claim.stats {
                match into.claim.stats.iter_mut().find(|(known, _)| known == name) {
                    Some((_, sum)) => *sum = sum.saturating_add(*value),
                    None => into.claim.stats.push((name.clone(), *value)),
                }
            }
        }
        self.credited = self.credited.saturating_add(other.credited);
        self.tightened_by_incumbent |= other.tightened_by_incumbent;
        self.read_incumbent |= other.read_incumbent;
        self.part |= other.part;
        let peak_bytes = self.peak_bytes().max(other.peak_bytes()).unwrap_or(0);
        self.sweep = stopped_at.map(|sweep| SweepReport { peak_bytes, ..sweep });
        self.elapsed = self.elapsed.saturating_add(other.elapsed);
        self.walks = self.walks.saturating_add(other.walks);
        self.order = self.order.max(other.order);
        self.unsaved = self.unsaved.take().or_else(|| other.unsaved.clone());
    }
}

impl Report {
    /// The report of this run, which stays what it proves, and of one more over the same tree.
    pub(crate) fn with(mut self, other: &Report) -> Report {
        let stop = self.stop;
        self += other;
        self.stop = stop;
        self
    }

    /// The report of this run and the one that took up what it had left.
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

//! The selection of open nodes of a branch and bound on diagrams: [`CutSets`].

use std::collections::BinaryHeap;
use std::convert::Infallible;
use std::mem;

use super::noncontiguous::{NodeRef, Noncontiguous};
use super::open_levels::{Open, OpenNodes, OpenOf, Selection};
use super::open_queue::Ranked;
use super::restricted::{KeepMostPromising, LayerOf, Restricted};
use crate::brancher::Brancher;
use crate::diagram::exact_nodes::ExactNodes;
use crate::diagram::local_bounds::LocalBounds;
use crate::diagram::thresholds::{KnownThresholds, Thresholds};
use crate::diagram::{AdditiveValue, DiagramProblem, RoughBound};
use crate::effect::Effect;
use crate::hook::Hooks;
use crate::incumbent::{Direction, Incumbent};
use crate::limits::Stop;
use crate::memory::heap_bytes;
use crate::problem::Problem;
use crate::report::Report;

/// A callback for bounds of the optimum.
pub trait WatchBound<V> {
    /// Whether there is a callback.
    const IS_WATCHED: bool = true;

    /// Receives a bound that is tighter than the one before.
    fn watch(&mut self, bound: &V);
}

impl<V, W: FnMut(&V)> WatchBound<V> for W {
    fn watch(&mut self, bound: &V) {
        self(bound);
    }
}

/// No callback.
#[derive(Clone, Copy, Debug)]
pub struct NoWatch;

impl<V> WatchBound<V> for NoWatch {
    const IS_WATCHED: bool = false;

    fn watch(&mut self, _: &V) {}
}

/// A node of a cut-set. None of its children has been entered.
type CutNode<S> = Open<S, Infallible>;

/// A node of a cut-set that waits to be expanded. Its depth is its layer.
type Waiting<S, V> = Ranked<V, CutNode<S>>;

/// The restricted diagrams from the root of the tree, for solutions early: *dives* of growing width
/// between the other diagrams. Their nodes are searched again, unless a dive drops none: then
/// nothing better is left in the tree.
struct Dives<S> {
    /// The state of the root, if this walk has begun there and may dive.
    root: Option<S>,
    /// The width of the last dive, or 0.
    width: usize,
    order: DiveOrder,
    /// Whether the current diagram is a dive from the root.
    is_diving: bool,
    /// Whether the last dive has dropped any node.
    has_dropped: bool,
    /// The numbers of nodes that dives, and other diagrams, have had so far.
    nodes: u64,
    other_nodes: u64,
}

/// The nodes that a dive keeps: of the best values, ranks, or rough bounds. None of these is best
/// for all problems: the cheapest tours may all be too late, and the bounds of all nodes equal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DiveOrder {
    Values,
    Ranks,
    Bounds,
}

impl DiveOrder {
    fn next(self) -> Self {
        match self {
            DiveOrder::Values => DiveOrder::Ranks,
            DiveOrder::Ranks => DiveOrder::Bounds,
            DiveOrder::Bounds => DiveOrder::Values,
        }
    }
}

impl<S> Dives<S> {
    /// The width of a dive, relative to that of the one before.
    const GROWTH: usize = 4;
    /// The largest size of a reduced layer of a dive, in bytes.
    const MAX_BYTES: usize = 1 << 24;

    /// The number of nodes of other diagrams above which a search is a long one.
    const MANY: u64 = 1 << 19;

    /// The width below which dives come first, relative to that of the other diagrams, as long as
    /// no solution is known.
    const FIRST: usize = 64;

    /// Returns the width of the next dive, if it should begin now. Narrow dives come first; later
    /// ones get a fifth of the work, and of a long search a third. `others` is the width of the
    /// other diagrams, and `most` the largest one of a dive.
    fn next_width(&self, others: usize, most: usize, is_solved: bool) -> Option<usize> {
        let next = self.width.max(1).saturating_mul(Self::GROWTH);
        let first = if is_solved { others } else { others.saturating_mul(Self::FIRST) };
        let share = (self.other_nodes / 4).max(self.other_nodes.saturating_sub(Self::MANY) / 2);
        let is_due = next < others || (next <= most && (next < first || self.nodes <= share));
        (self.root.is_some() && self.has_dropped && is_due).then_some(next)
    }
}

/// Expands one node after another by diagrams, and opens the nodes of their cut-sets.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct CutSets<P: Problem, V, F, G, W> {
    layers: KeepMostPromising<P, V, F>,
    /// The width of all diagrams but dives.
    width: usize,
    /// The most nodes of a layer from which no cut-set is taken: at least 1, and at most the width.
    pub(super) cut_width: usize,
    /// The incumbent that nodes must beat, if the run optimises by this objective.
    incumbent: Option<Incumbent<V>>,
    rough: G,
    /// Whether a restricted diagram continues below a cut-set.
    continues: bool,
    local: LocalBounds<P::State, V>,
    exact: ExactNodes<P::State, V>,
    pub(super) thresholds: KnownThresholds<P::State, V>,
    /// The cut-set of the current diagram.
    cut_set: Vec<CutNode<P::State>>,
    /// Whether the current diagram has a cut-set already.
    is_cut: bool,
    /// The bound of the root of the current diagram, if it is known.
    bound: Option<V>,
    dives: Dives<P::State>,
    waiting: BinaryHeap<Waiting<P::State, V>>,
    /// The number of nodes opened so far.
    opened: u64,
    /// Whether nodes were pruned because they did not beat the incumbent.
    has_pruned: bool,
    watch: W,
    /// Whether no subtree is left whose bound is unknown, other than that of the current diagram.
    knows_all_bounds: bool,
    /// The last bound that was considered for the callback.
    watched: Option<V>,
}

impl<P: DiagramProblem, V: AdditiveValue, F: Fn(&P, &P::State) -> V, G: RoughBound<P, V>, W>
    CutSets<P, V, F, G, W>
{
    /// `optimises` is true if the run optimises by the objective of `layers`, and `may_repeat` if
    /// nodes may be entered twice.
    pub(super) fn new(
        layers: Restricted<V, F>,
        optimises: bool,
        (rough, watch): (G, W),
        may_repeat: bool,
    ) -> Self {
        CutSets {
            width: layers.width,
            cut_width: layers.width,
            continues: optimises && may_repeat,
            incumbent: optimises.then(|| layers.incumbent.clone()),
            rough,
            local: LocalBounds::new(),
            exact: ExactNodes::new(layers.incumbent.direction()),
            layers: KeepMostPromising::new(layers),
            thresholds: KnownThresholds::Own(Thresholds::new()),
            cut_set: Vec::new(),
            is_cut: false,
            bound: None,
            dives: Dives {
                root: None,
                width: 0,
                order: DiveOrder::Values,
                is_diving: false,
                has_dropped: false,
                nodes: 0,
                other_nodes: 0,
            },
            waiting: BinaryHeap::new(),
            opened: 0,
            has_pruned: false,
            watch,
            knows_all_bounds: true,
            watched: None,
        }
    }

    /// Returns to the width and the order of other diagrams.
    fn end_dive(&mut self) {
        (self.dives.is_diving, self.layers.strategy.width) = (false, self.width);
    }

    fn direction(&self) -> Direction {
        self.layers.strategy.incumbent.direction()
    }

    /// Returns the value so far of a state.
    fn value(&self, problem: &P, state: &P::State) -> V {
        (self.layers.strategy.value)(problem, state)
    }

    /// Returns whether an equal state has been found with a better value, or leads to nothing.
    ///
    /// An equal value is not enough: the threshold of a node that has been opened may be its own.
    /// Nor is it for a node of another walk, because that walk may have got the node with the equal
    /// state from this one: each would leave the state to the other.
    fn is_surpassed(&self, problem: &P, layer: usize, state: &P::State, value: &V) -> bool {
        let direction = self.direction();
        let is_surpassed = |threshold: &V| direction.is_better(threshold, value);
        self.thresholds.get_if(problem, layer, state, is_surpassed).is_some()
    }

    /// Returns whether the nodes that are entered are exact, and count for thresholds.
    fn records(&self) -> bool {
        self.incumbent.is_some() && !self.is_cut
    }

    /// Returns the rough bound of a state if a node may be pruned by it.
    fn rough_bound(&mut self, problem: &P, state: &P::State) -> Option<V> {
        self.incumbent.as_mut()?.current()?;
        self.rough.at(problem, state)
    }

    /// Returns whether anything below a node with this bound may still be wanted.
    fn may_improve(&mut self, bound: &V) -> bool {
        let wanted = self.incumbent.as_mut().is_none_or(|incumbent| incumbent.is_beaten_by(bound));
        self.has_pruned |= !wanted;
        wanted
    }

    /// Returns a bound for each node of the cut-set: `None` if there is no solution at or below it.
    /// Without an incumbent, it is the value so far. `max_bytes` is the most that the diagram of
    /// bounds may use.
    fn bounds<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        max_bytes: usize,
    ) -> Result<Vec<Option<V>>, Stop> {
        let problem = base.tree.problem;
        let direction = self.direction();
        let Restricted { width, value, .. } = &self.layers.strategy;
        let states = self.cut_set.iter().map(|node| &node.state);
        let Some(incumbent) = &mut self.incumbent else {
            return Ok(states.map(|state| Some(value(problem, state))).collect());
        };
        let wanted_value = |state: &P::State| match self.rough.at(problem, state) {
            Some(bound) if !incumbent.is_beaten_by(&bound) => Err(bound),
            _ => Ok(value(problem, state)),
        };
        let check = || base.check_step();
        let of = (direction, *width);
        self.local.compile(problem, of, states, max_bytes, wanted_value, check)?;
        // The bound of the diagram's root, or the rough bound of the node, may be tighter.
        let bounds = self.local.bounds().zip(&self.cut_set).map(|(bound, node)| {
            base.check_step()?;
            let others = [self.bound.clone(), self.rough.at(problem, &node.state)];
            let worse =
                |one: V, other: V| if direction.is_better(&one, &other) { other } else { one };
            Ok(bound.map(|bound| others.into_iter().flatten().fold(bound, worse)))
        });
        bounds.collect()
    }

    /// Selects nodes of the current level, and moves those that are kept to `layer`, which is
    /// empty.
    ///
    /// # Errors
    ///
    /// Returns the reason why the walk must end. The nodes are then in the level or in the layer.
    fn select_from<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        layer: &mut LayerOf<P, B, V>,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let problem = open.base.tree.problem;
        let entered = open.levels.current().len() as u64;
        let is_dive = self.dives.is_diving || self.layers.strategy.width < self.width;
        *(if is_dive { &mut self.dives.nodes } else { &mut self.dives.other_nodes }) += entered;
        let tags: Vec<u32> = match self.records() {
            true => open.levels.current().iter().map(|node| node.tag).collect(),
            false => Vec::new(),
        };
        self.layers.take_distinct(open, layer)?;
        for (&tag, &place) in tags.iter().zip(&self.layers.reduction.places) {
            let twin = layer[place as usize].state.tag;
            if twin != tag {
                self.exact.unite(tag, twin);
            }
        }
        let order = if self.dives.is_diving { self.dives.order } else { DiveOrder::Values };
        let by_rank = order == DiveOrder::Ranks;
        let mut others = self.layers.take_others(open, layer, by_rank, |state, value| {
            let is_by_bound = order == DiveOrder::Bounds;
            let bound = if is_by_bound { self.rough.at(problem, state) } else { None };
            bound.unwrap_or_else(|| value.clone())
        })?;
        // The first layer is that of the root, which is searched again after a dive.
        let is_first = self.dives.root.is_some() && self.dives.width == 0 && self.width > 1;
        let is_narrow = layer.len() + others.len() <= self.cut_width && !is_first;
        if is_narrow || self.is_cut {
            self.dives.has_dropped |= is_dive && !others.is_empty();
            for node in others {
                open.release(node.state.position, &node.state.state);
            }
            return Ok(());
        }
        let own = |node: &OpenOf<P, B>| heap_bytes(problem, &node.state);
        let own_bytes = layer.iter().map(|node| own(&node.state)).sum::<usize>()
            + open.levels.all().map(own).sum::<usize>();
        let copies = layer.len() + open.levels.len();
        let bytes = (copies + others.len()).saturating_mul(size_of::<CutNode<P::State>>());
        if let Err(stop) = open.check_memory(bytes.saturating_add(own_bytes)) {
            layer.append(&mut others);
            return Err(stop);
        }
        self.is_cut = true;
        if is_first {
            self.dives.width = 1;
            self.layers.strategy.width = 1;
        }
        self.cut_set.reserve_exact(copies + others.len());
        self.cut_set.extend(others.into_iter().map(|node| node.state.without_cursor()));
        open.levels.current().extend(layer.drain(..).map(|node| node.state));
        if self.continues {
            for node in open.levels.all() {
                open.base.arena.retain(node.position.id);
                let Open { position, state, barren, tag, .. } = node;
                let (position, state, barren, tag) = (*position, state.clone(), *barren, *tag);
                self.cut_set.push(CutNode { position, state, children: None, barren, tag });
            }
            for node in &self.cut_set[self.cut_set.len() - copies..] {
                open.levels.add_heap_bytes(problem, &node.state);
            }
        } else {
            self.cut_set.extend(open.levels.drain().map(Open::without_cursor));
        }
        Ok(())
    }

    /// Moves the nodes of the cut-set that may improve to those that wait.
    fn open_cut_set<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let problem = open.base.tree.problem;
        let others = open.used - self.local.bytes;
        let nodes = self.cut_set.len();
        // The bounds, the copies of the states, and the heap, which may double when it grows.
        let copies: usize = self.cut_set.iter().map(|node| heap_bytes(problem, &node.state)).sum();
        let waiting = nodes.saturating_add(self.waiting.capacity());
        let bytes = waiting.saturating_mul(size_of::<Waiting<P::State, V>>())
            + nodes * size_of::<Option<V>>();
        let bytes = bytes.saturating_add(copies);
        let max_bytes = open.base.tree.max_bytes.saturating_sub(others.saturating_add(bytes));
        let bounds = self.bounds(open.base, max_bytes);
        open.used = others + self.local.bytes;
        let bounds = bounds?;
        self.dives.other_nodes += self.local.arcs() as u64;
        open.check_memory(bytes)?;
        open.used += bytes;
        let mut nodes = mem::take(&mut self.cut_set).into_iter().zip(bounds);
        while let Some((node, bound)) = nodes.next() {
            let layer = problem.layer(&node.state);
            let is_wanted = bound.as_ref().is_some_and(|bound| self.may_improve(bound));
            self.has_pruned |= !is_wanted;
            if self.incumbent.is_some() {
                let value = self.value(problem, &node.state);
                match &bound {
                    Some(_) if is_wanted => self.exact.lower(node.tag, &value, &value),
                    Some(bound) => self.exact.prune(node.tag, bound.clone()),
                    None => {}
                }
                let state = node.state.clone();
                self.exact.keep_state(node.tag, state, heap_bytes(problem, &node.state));
            }
            match bound {
                Some(bound) if is_wanted => {
                    self.opened += 1;
                    let (direction, serial) = (self.direction(), self.opened);
                    let depth = layer;
                    self.waiting.push(Ranked { bound, direction, depth, serial, item: node });
                }
                _ => open.release(node.position, &node.state),
            }
            if let Err(stop) = open.base.check_step() {
                self.cut_set = nodes.map(|(node, _)| node).collect();
                return Err(stop);
            }
        }
        Ok(())
    }

    /// Raises the thresholds of the states of the current diagram.
    ///
    /// # Errors
    ///
    /// Returns the reason why the walk must end. All open nodes are then set aside.
    fn learn<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let (problem, direction) = (open.base.tree.problem, self.direction());
        let limit = open.base.tree.max_bytes;
        // A quarter of the memory is enough for a table that only saves work.
        let room = limit.saturating_sub(open.used).saturating_add(self.thresholds.bytes());
        let max_bytes = room.min(limit / 4);
        let incumbent = self.incumbent.as_mut().and_then(Incumbent::current);
        let learn = |layer, state, threshold| {
            self.thresholds.raise(problem, direction, (layer, state), threshold, max_bytes);
        };
        self.exact.finish(incumbent, || open.base.check_step(), learn)
    }
}

impl<P, V, F, G, W> Selection<P> for CutSets<P, V, F, G, W>
where
    P: DiagramProblem,
    V: AdditiveValue,
    F: Fn(&P, &P::State) -> V,
    G: RoughBound<P, V>,
    W: WatchBound<V>,
{
    fn level(&self, problem: &P, state: &P::State, _: usize) -> usize {
        problem.layer(state)
    }

    fn open(
        &mut self,
        problem: &P,
        parent: Option<u32>,
        state: &P::State,
        is_solution: bool,
    ) -> Option<u32> {
        if parent.is_none() {
            // The bound of a subtree that was searched before does not hold for the whole tree.
            self.bound = None;
            self.dives.root = self.continues.then(|| state.clone());
        }
        if self.incumbent.is_none() {
            return Some(0);
        }
        let recorded_parent = parent.filter(|_| self.records());
        if let Some(bound) = self.rough_bound(problem, state)
            && !self.may_improve(&bound)
        {
            if let Some(parent) = recorded_parent {
                self.exact.prune(parent, bound);
            }
            return None;
        }
        if self.dives.is_diving {
            // The thresholds of its nodes may be those of nodes that wait.
            return Some(0);
        }
        let (layer, value) = (problem.layer(state), self.value(problem, state));
        let direction = self.direction();
        let is_reached = |threshold: &V| !direction.is_better(&value, threshold);
        if let Some(threshold) = self.thresholds.get_if(problem, layer, state, is_reached) {
            if let Some(parent) = recorded_parent {
                self.exact.lower(parent, &value, &threshold);
            }
            return None;
        }
        if self.is_cut {
            return Some(0);
        }
        let best = is_solution.then(|| value.clone());
        Some(self.exact.add(parent, layer, value, best))
    }

    fn reopen(&mut self, problem: &P, state: &P::State, is_last: bool) -> Option<u32> {
        self.bound = None;
        self.knows_all_bounds = is_last;
        if self.incumbent.is_none() {
            return Some(0);
        }
        if let Some(bound) = self.rough_bound(problem, state)
            && !self.may_improve(&bound)
        {
            return None;
        }
        let (layer, value) = (problem.layer(state), self.value(problem, state));
        if self.is_surpassed(problem, layer, state, &value) {
            return None;
        }
        let tag = self.exact.add(None, layer, value.clone(), None);
        // Nothing is known about better values, which other walks may find below the children that
        // they have got.
        self.exact.lower(tag, &value, &value);
        Some(tag)
    }

    fn end(&mut self, problem: &P, parent: u32, state: &P::State, is_solution: bool) {
        if is_solution && self.records() {
            let value = self.value(problem, state);
            self.exact.prune(parent, value);
        }
    }

    fn close<K>(&mut self, problem: &P, node: Open<P::State, K>, is_cut: bool) {
        if !self.records() {
            return;
        }
        let value = self.value(problem, &node.state);
        if is_cut {
            // A hook may have cut off a child: nothing is known about better values.
            self.exact.lower(node.tag, &value, &value);
        }
        let heap_bytes = heap_bytes(problem, &node.state);
        self.exact.keep_state(node.tag, node.state, heap_bytes);
    }

    fn select<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let mut layer = Vec::new();
        let selected = self.select_from(&mut layer, open);
        open.levels.current().extend(layer.into_iter().map(|node| node.state));
        selected
    }

    fn refill<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let problem = open.base.tree.problem;
        if self.dives.is_diving && !self.dives.has_dropped {
            // The dive has found the best solution, or has shown that none is wanted.
            self.has_pruned |= self.set_aside() > 0;
            self.exact.clear();
            for node in mem::take(&mut self.cut_set) {
                open.release(node.position, &node.state);
            }
            for Ranked { item, .. } in mem::take(&mut self.waiting) {
                open.release(item.position, &item.state);
            }
        }
        self.end_dive();
        let room = open.base.tree.max_bytes.saturating_sub(open.used) / 256;
        let most = |root: &P::State| {
            let bytes = size_of::<OpenOf<P, B>>() + heap_bytes(problem, root);
            Dives::<P::State>::MAX_BYTES.min(room) / bytes
        };
        let most = self.dives.root.as_ref().map_or(0, most);
        let is_solved = self.incumbent.as_mut().is_some_and(|best| best.current().is_some());
        let next_width = self.dives.next_width(self.width, most, is_solved);
        let next_width = next_width.filter(|_| self.set_aside() > 0);
        if let (Some(width), Some(root)) = (next_width, &self.dives.root) {
            let state = root.clone();
            (self.is_cut, self.layers.strategy.width) = (true, width);
            self.dives.order = self.dives.order.next();
            (self.dives.is_diving, self.dives.width, self.dives.has_dropped) = (true, width, false);
            let level = problem.layer(&state);
            open.levels.restart(level);
            open.levels.add_heap_bytes(problem, &state);
            let (position, barren, tag) = (NodeRef::ROOT, false, 0);
            open.levels.push(level, Open { position, state, children: None, barren, tag });
            return Ok(());
        }
        if !self.cut_set.is_empty() {
            self.open_cut_set(open)?;
        }
        self.learn(open)?;
        self.is_cut = false;
        loop {
            // Many may be dropped one after another.
            open.base.check_step()?;
            let Some(next) = self.waiting.pop() else { return Ok(()) };
            if !self.may_improve(&next.bound) {
                // No other node may improve either: their bounds are not better.
                open.release(next.item.position, &next.item.state);
                for other in mem::take(&mut self.waiting) {
                    open.release(other.item.position, &other.item.state);
                }
                return Ok(());
            }
            let node = next.item;
            let mut tag = 0;
            if self.incumbent.is_some() {
                let value = self.value(problem, &node.state);
                if self.is_surpassed(problem, next.depth, &node.state, &value) {
                    open.release(node.position, &node.state);
                    continue;
                }
                // The next node has the best bound of all that are known, which can only become
                // tighter.
                let is_tighter = self.watched.as_ref().is_none_or(|watched| *watched != next.bound);
                if W::IS_WATCHED && is_tighter && self.knows_all_bounds {
                    self.watched = Some(next.bound.clone());
                    let Noncontiguous { tree, tally, levels, .. } = &mut open.base;
                    if tree.would_prove_optimum(tally, levels, |report| self.weaken(report)) {
                        self.watch.watch(&next.bound);
                    }
                }
                self.bound = Some(next.bound);
                // None of its children has been entered, so that it is barren if no solution.
                let best = (!node.barren).then(|| value.clone());
                tag = self.exact.add(None, next.depth, value, best);
            }
            open.levels.restart(next.depth);
            open.levels.push(next.depth, Open { tag, ..node.without_cursor() });
            return Ok(());
        }
    }

    fn set_aside(&self) -> usize {
        self.waiting.len() + self.cut_set.len()
    }

    fn each_set_aside(&self, visit: &mut dyn FnMut(NodeRef, &P::State, bool)) {
        let mut waiting: Vec<_> = self.waiting.iter().collect();
        waiting.sort_unstable_by(|one, other| other.cmp(one));
        let waiting = waiting.into_iter().map(|waiting| &waiting.item);
        for CutNode { position, state, barren, .. } in waiting.chain(&self.cut_set) {
            visit(*position, state, *barren);
        }
    }

    fn repeats_open(&self) -> bool {
        self.is_cut
    }

    fn take_set_aside(&mut self, most: usize) -> Vec<(NodeRef, P::State, bool)> {
        let mut kept = Vec::new();
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some(next) = self.waiting.pop()
        {
            if !self.may_improve(&next.bound) {
                kept.push(next);
                break;
            }
            if taken.len() > kept.len() {
                kept.push(next);
            } else {
                let CutNode { position, state, barren, .. } = next.item;
                taken.push((position, state, barren));
            }
        }
        self.waiting.extend(kept);
        taken
    }

    fn clear(&mut self) {
        self.cut_set.clear();
        self.waiting.clear();
        self.exact.clear();
        self.is_cut = false;
        self.end_dive();
    }

    fn bytes(&self) -> usize {
        let cut_set = self.cut_set.capacity() * size_of::<CutNode<P::State>>();
        let waiting = self.waiting.capacity() * size_of::<Waiting<P::State, V>>();
        (cut_set + waiting + self.local.bytes + self.layers.reduction.bytes())
            .saturating_add(self.exact.bytes())
            .saturating_add(self.thresholds.bytes())
    }

    fn weaken(&self, report: &mut Report) {
        if self.has_pruned {
            report.effect = report.effect.max(Effect::OptimumOnly);
            report.read_incumbent = true;
        }
    }
}

//! The layers of a diagram that is compiled from the top: [`Layers`].

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::mem::{self, needs_drop};

use rustc_hash::FxHasher;

use super::{DiagramProblem, has_as_much};
use crate::incumbent::Direction;
use crate::memory::heap_bytes;
use crate::problem::{Branch, Problem};

/// A node of a layer: a state, perhaps with more data, and its value so far.
#[derive(Clone, Debug)]
pub(crate) struct LayerNode<T, V> {
    pub(crate) state: T,
    pub(crate) value: V,
}

/// The nodes of a diagram that are not expanded yet, by layer.
///
/// Nodes are united and merged when their layer is [expanded](Self::expand). Until then a layer has
/// at most as many nodes as there are choices that lead to it.
///
/// All states of a layer have the same [number](DiagramProblem::layer), because states of different
/// numbers must be neither united nor merged. Usually the position of a layer is that number. A
/// state whose number is too early, because it does not exceed that of its parent, is added to the
/// next position that has no states of another number.
#[derive(Debug)]
pub(crate) struct Layers<S, V> {
    /// The layers of the diagram in the order in which they got their first nodes. Further elements
    /// are empty, and have memory for further layers.
    layers: Vec<Vec<LayerNode<S, V>>>,
    /// The layers that are still to be expanded, by position: the index in `layers`, and the number
    /// of the states. A position may exceed all numbers.
    open: BTreeMap<u128, (usize, usize)>,
    /// The number of layers so far.
    len: usize,
    /// The least position of a new node.
    next: u128,
    /// The place of the layer of the last node: its number and its index in `layers`. Most children
    /// of a layer are in the same one.
    last: Option<(usize, usize)>,
    reduction: Reduction<V>,
    /// States that are no longer needed, whose heap memory is used again; with those in use, never
    /// more than have been in use at once.
    spare: Vec<S>,
}

/// The largest number of spare states.
const MAX_SPARE: usize = 1 << 12;

impl<S, V> Layers<S, V> {
    pub(crate) fn new() -> Self {
        Layers {
            layers: Vec::new(),
            open: BTreeMap::new(),
            len: 0,
            next: 0,
            last: None,
            reduction: Reduction::new(),
            spare: Vec::new(),
        }
    }

    /// Keeps a state that is no longer needed if it may own memory.
    fn recycle<P: DiagramProblem<State = S>, R: Record<V>>(
        &mut self,
        problem: &P,
        state: S,
        record: &mut R,
    ) -> Result<(), R::Error> {
        if !needs_drop::<S>() {
            return Ok(());
        }
        if self.spare.len() >= MAX_SPARE {
            return record.resize(R::heap_bytes(problem, &state), 0);
        }
        record.reserve(&mut self.spare, 1)?;
        self.spare.push(state);
        Ok(())
    }

    /// Returns a clone of a state.
    fn copy<P: DiagramProblem<State = S>, R: Record<V>>(
        &mut self,
        problem: &P,
        state: &S,
        record: &mut R,
    ) -> Result<S, R::Error> {
        let own = R::heap_bytes(problem, state);
        let copy = match self.spare.pop() {
            Some(mut copy) => {
                record.resize(R::heap_bytes(problem, &copy), own)?;
                copy.clone_from(state);
                copy
            }
            None => {
                record.resize(0, own)?;
                state.clone()
            }
        };
        record.resize(own, R::heap_bytes(problem, &copy))?;
        Ok(copy)
    }

    /// Removes all nodes.
    pub(crate) fn start(&mut self) {
        self.layers[..self.len].iter_mut().for_each(Vec::clear);
        self.open.clear();
        (self.len, self.next, self.last) = (0, 0, None);
    }

    /// About how many bytes the map takes for each layer.
    const LAYER_BYTES: usize = 2 * size_of::<(u128, (usize, usize))>();

    /// Adds a node with a clone of `state` and this value so far to the first layer that is to be
    /// expanded and does not precede that of the state. Returns the place of the node until its
    /// layer is expanded.
    pub(crate) fn push<P: DiagramProblem<State = S>, R: Record<V>>(
        &mut self,
        problem: &P,
        state: &S,
        value: V,
        record: &mut R,
    ) -> Result<Place, R::Error> {
        let number = problem.layer(state);
        let layer = match self.last {
            Some((last, layer)) if last == number => layer,
            _ => self.layer_of(number, record)?,
        };
        record.reserve(&mut self.layers[layer], 1)?;
        let state = self.copy(problem, state, record)?;
        self.layers[layer].push(LayerNode { state, value });
        Ok(Place { layer, index: self.layers[layer].len() - 1 })
    }

    /// Returns the index of the layer to which nodes of this number are added.
    #[inline(never)]
    fn layer_of<R: Record<V>>(&mut self, number: usize, record: &mut R) -> Result<usize, R::Error> {
        let mut position = (number as u128).max(self.next);
        let layer = loop {
            match self.open.get(&position) {
                Some(&(layer, other)) if other == number => break layer,
                Some(_) => position += 1,
                None => {
                    record.resize(0, Self::LAYER_BYTES)?;
                    if self.len == self.layers.len() {
                        record.reserve(&mut self.layers, 1)?;
                        self.layers.push(Vec::new());
                    }
                    self.open.insert(position, (self.len, number));
                    self.len += 1;
                    break self.len - 1;
                }
            }
        };
        self.last = Some((number, layer));
        Ok(layer)
    }

    /// Returns whether there is a layer to be expanded.
    pub(crate) fn has_next(&self) -> bool {
        !self.open.is_empty()
    }

    /// Reduces the next layer, if there is one, to `width` nodes, which is at least 1, and replaces
    /// them by their children.
    ///
    /// `value` returns the value so far of a child, or, as an error, its bound if that shows that
    /// the child is not wanted. Returns the best value of the layer's solutions.
    ///
    /// # Errors
    ///
    /// Returns the first error of `record`. Then nothing but a new diagram may follow.
    pub(crate) fn expand<P: DiagramProblem<State = S>, R: Record<V>>(
        &mut self,
        problem: &P,
        direction: Direction,
        width: usize,
        mut value: impl FnMut(&S) -> Result<V, V>,
        record: &mut R,
    ) -> Result<Option<V>, R::Error>
    where
        V: Ord + Clone,
    {
        let Some((position, (layer, _))) = self.open.pop_first() else { return Ok(None) };
        let mut nodes = mem::take(&mut self.layers[layer]);
        (self.next, self.last) = (position + 1, None);
        record.resize(Self::LAYER_BYTES, 0)?;
        record.arrive(layer, &nodes)?;
        let bytes = self.reduction.bytes();
        record.resize(bytes, Reduction::<V>::bytes_of(nodes.len()).max(bytes))?;
        let check = || record.check();
        let mut kept =
            self.reduction.unite(problem, direction, &mut nodes, |state| state, check)?;
        if kept > width {
            let layer = &mut nodes[..kept];
            kept = self.reduction.merge(problem, direction, layer, width - 1, record)?;
        }
        for node in nodes.drain(kept..) {
            self.recycle(problem, node.state, record)?;
        }
        record.reduce(layer, &self.reduction.places);
        let mut best = None;
        for mut node in nodes.drain(..) {
            let state = &mut node.state;
            let own = R::heap_bytes(problem, state);
            let branch = problem.branch(state);
            let is_solution = branch.is_solution();
            if let Branch::Inner(mut cursor) | Branch::SolutionInner(mut cursor) = branch {
                while let Some(choice) = problem.next(state, &mut cursor) {
                    record.check()?;
                    let undo = problem.apply(state, &choice);
                    match value(state) {
                        Ok(value) => {
                            let child = self.push(problem, state, value, record)?;
                            record.add(child)?;
                        }
                        Err(bound) => record.prune(direction, bound),
                    }
                    problem.undo(state, &choice, undo);
                }
            }
            record.end(layer, direction, &node.value, is_solution)?;
            if is_solution {
                best = better(direction, best, Some(node.value));
            }
            record.resize(own, R::heap_bytes(problem, &node.state))?;
            self.recycle(problem, node.state, record)?;
        }
        // The memory is used again by the next diagram.
        self.layers[layer] = nodes;
        Ok(best)
    }
}

/// The place of a node in a layer that is not reduced yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(super) layer: usize,
    pub(super) index: usize,
}

/// Records the nodes and the arcs of a diagram while it is compiled, and limits its time and its
/// memory: `()` records and limits nothing.
pub(crate) trait Record<V> {
    /// The reason why the diagram cannot be compiled to its end.
    type Error;

    /// Checks, before each step, whether the compilation may continue.
    fn check(&mut self) -> Result<(), Self::Error>;
    /// Counts a block of memory whose size is about to change. Both blocks may exist for a moment.
    fn resize(&mut self, from: usize, to: usize) -> Result<(), Self::Error>;
    /// Makes room for `more` items.
    fn reserve<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), Self::Error>;
    /// Records the nodes of a layer that is about to be reduced.
    fn arrive<S>(&mut self, layer: usize, nodes: &[LayerNode<S, V>]) -> Result<(), Self::Error>;
    /// Records which node of the reduced layer each of those has become.
    fn reduce(&mut self, layer: usize, places: &[u32]);
    /// Adds an arc from the next node of the reduced layer.
    fn add(&mut self, child: Place) -> Result<(), Self::Error>;
    /// Records the bound of a child that was not added to the next node of the reduced layer.
    fn prune(&mut self, direction: Direction, bound: V);
    /// Ends the arcs from a node of the reduced layer.
    fn end(
        &mut self,
        layer: usize,
        direction: Direction,
        value: &V,
        is_solution: bool,
    ) -> Result<(), Self::Error>;

    /// Returns the bytes that a state owns and that are to be counted.
    #[inline]
    fn heap_bytes<P: Problem>(problem: &P, state: &P::State) -> usize {
        heap_bytes(problem, state)
    }
}

impl<V> Record<V> for () {
    type Error = Infallible;

    #[inline]
    fn check(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    #[inline]
    fn resize(&mut self, _: usize, _: usize) -> Result<(), Infallible> {
        Ok(())
    }
    #[inline]
    fn reserve<T>(&mut self, _: &mut Vec<T>, _: usize) -> Result<(), Infallible> {
        Ok(())
    }
    #[inline]
    fn arrive<S>(&mut self, _: usize, _: &[LayerNode<S, V>]) -> Result<(), Infallible> {
        Ok(())
    }
    #[inline]
    fn reduce(&mut self, _: usize, _: &[u32]) {}
    #[inline]
    fn add(&mut self, _: Place) -> Result<(), Infallible> {
        Ok(())
    }
    #[inline]
    fn prune(&mut self, _: Direction, _: V) {}
    #[inline]
    fn end(&mut self, _: usize, _: Direction, _: &V, _: bool) -> Result<(), Infallible> {
        Ok(())
    }
    #[inline]
    fn heap_bytes<P: Problem>(_: &P, _: &P::State) -> usize {
        0
    }
}

/// The most elements that are sorted without a check in between.
const SORTED_AT_ONCE: usize = 1 << 12;

/// Sorts by a total order. `check` is called before each step, the longest of which takes linear
/// time.
///
/// # Errors
///
/// Returns the first error of `check`. The elements are then in any order.
pub(crate) fn sort_in_steps<T, E>(
    items: &mut [T],
    order: &impl Fn(&T, &T) -> Ordering,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    check()?;
    if items.len() <= SORTED_AT_ONCE {
        items.sort_unstable_by(order);
        return Ok(());
    }
    let (before, _, after) = items.select_nth_unstable_by(items.len() / 2, order);
    sort_in_steps(before, order, check)?;
    sort_in_steps(after, order, check)
}

/// Returns the key of a state and its resources.
fn identity<'s, P: DiagramProblem>(problem: &'s P, state: &'s P::State) -> impl Hash + Eq + 's {
    (problem.key(state), problem.resources(state))
}

/// Returns the hash of a key, for a table whose size is a power of two.
pub(super) fn hash_of(key: &impl Hash) -> usize {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    #[allow(clippy::cast_possible_truncation, reason = "only the low bits are used")]
    let hash = hasher.finish() as usize;
    hash
}

/// Returns the better one of two values, if there is any.
pub(super) fn better<V: Ord>(direction: Direction, one: Option<V>, other: Option<V>) -> Option<V> {
    match (one, other) {
        (Some(one), Some(other)) if direction.is_better(&other, &one) => Some(other),
        (None, other) => other,
        (one, _) => one,
    }
}

/// Reduces layers; the memory is used again for the next layer.
#[derive(Debug)]
pub(crate) struct Reduction<V> {
    /// A hash table of the distinct states: their indices in the layer, or [`VACANT`].
    slots: Vec<u32>,
    /// The value, the rank and the index of each node.
    ranking: Vec<(V, u64, u32)>,
    /// Whether each node is kept.
    kept: Vec<bool>,
    /// For each node that is kept, the node of the same key that was kept before it, or [`VACANT`];
    /// for each other node, the one that dominates it.
    related: Vec<u32>,
    /// The index in the reduced layer of each node of the layer as it was.
    pub(crate) places: Vec<u32>,
}

const VACANT: u32 = u32::MAX;

/// Returns the size of the hash table of a layer of so many nodes.
fn slots_of(nodes: usize) -> usize {
    (2 * nodes).next_power_of_two()
}

impl<V: Ord + Clone> Reduction<V> {
    /// Moves the nodes to the front that no other one dominates with a value at least as good, and
    /// returns their number. Takes linear time if all states are without resources; otherwise the
    /// time for sorting the nodes, and with several resources for comparing those of equal keys.
    ///
    /// `state` returns the state of a node, and `check` is called before each step.
    ///
    /// # Errors
    ///
    /// Returns the first error of `check`. The layer then has its nodes in any order.
    pub(crate) fn unite<P: DiagramProblem, T, E>(
        &mut self,
        problem: &P,
        direction: Direction,
        layer: &mut [LayerNode<T, V>],
        state: impl Fn(&T) -> &P::State,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<usize, E> {
        let distinct = self.unite_equal(problem, direction, layer, &state, &mut check)?;
        let layer = &mut layer[..distinct];
        let has_resources = |node: &LayerNode<T, V>| {
            let resources = problem.resources(state(&node.state));
            !resources.as_ref().is_empty()
        };
        match distinct > 1 && has_resources(&layer[0]) {
            true => self.drop_dominated(problem, direction, layer, state, &mut check),
            false => Ok(distinct),
        }
    }

    /// Drops the nodes of a layer without equal states that others dominate.
    fn drop_dominated<P: DiagramProblem, T, E>(
        &mut self,
        problem: &P,
        direction: Direction,
        layer: &mut [LayerNode<T, V>],
        state: impl Fn(&T) -> &P::State,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<usize, E> {
        let state = |index: u32| state(&layer[index as usize].state);
        // No node is dominated by a later one: of equal values, a dominating one has more of the
        // first resource of which the amounts differ.
        self.ranking.clear();
        self.ranking.extend((0..).zip(&*layer).map(|(index, node)| (node.value.clone(), 0, index)));
        let order = |one: &(V, u64, u32), other: &(V, u64, u32)| {
            let more = || {
                let (one, other) = (problem.resources(state(one.2)), state(other.2));
                problem.resources(other).as_ref().cmp(one.as_ref())
            };
            direction.compare(&other.0, &one.0).then_with(more).then(one.2.cmp(&other.2))
        };
        sort_in_steps(&mut self.ranking, &order, check)?;
        let size = slots_of(layer.len());
        self.slots.clear();
        self.slots.resize(size, VACANT);
        self.kept.clear();
        self.kept.resize(layer.len(), false);
        self.related.clear();
        self.related.resize(layer.len(), VACANT);
        for &(_, _, index) in &self.ranking {
            check()?;
            let key = problem.key(state(index));
            let mut slot = hash_of(&key) & (size - 1);
            while self.slots[slot] != VACANT && problem.key(state(self.slots[slot])) != key {
                slot = (slot + 1) & (size - 1);
            }
            let last = self.slots[slot];
            let mut other = last;
            // Of one resource, the last node that was kept has the most.
            let has_one = problem.resources(state(index)).as_ref().len() == 1;
            while other != VACANT && !has_as_much(problem, state(other), state(index)) {
                check()?;
                other = if has_one { VACANT } else { self.related[other as usize] };
            }
            let is_kept = other == VACANT;
            self.kept[index as usize] = is_kept;
            self.related[index as usize] = if is_kept { last } else { other };
            if is_kept {
                self.slots[slot] = index;
            }
        }
        let distinct = self.move_kept(layer);
        for place in &mut self.places {
            let index = *place as usize;
            let kept = if self.kept[index] { index } else { self.related[index] as usize };
            *place = self.slots[kept];
        }
        Ok(distinct)
    }

    /// Moves the kept nodes to the front, in order, and returns their number. The table has no
    /// other use by then: it gets their new indices.
    #[allow(clippy::cast_possible_truncation, reason = "memory ends before")]
    fn move_kept<T>(&mut self, layer: &mut [LayerNode<T, V>]) -> usize {
        let mut end = 0;
        for index in 0..layer.len() {
            if self.kept[index] {
                layer.swap(index, end);
                self.slots[index] = end as u32;
                end += 1;
            }
        }
        end
    }

    /// Moves one node of the best value of those with equal keys and resources to the front, in the
    /// order of the first nodes of each key, and returns their number. Takes linear time.
    fn unite_equal<P: DiagramProblem, T, E>(
        &mut self,
        problem: &P,
        direction: Direction,
        layer: &mut [LayerNode<T, V>],
        state: impl Fn(&T) -> &P::State,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<usize, E> {
        self.reserve(layer.len());
        if layer.len() < 2 {
            self.places.resize(layer.len(), 0);
            return Ok(layer.len());
        }
        let size = slots_of(layer.len());
        self.slots.resize(size, VACANT);
        let mut distinct = 0;
        for index in 0..layer.len() {
            check()?;
            let key = identity(problem, state(&layer[index].state));
            let mut slot = hash_of(&key) & (size - 1);
            let known = loop {
                match self.slots[slot] {
                    VACANT => break None,
                    known if identity(problem, state(&layer[known as usize].state)) == key => {
                        break Some(known);
                    }
                    _ => slot = (slot + 1) & (size - 1),
                }
            };
            drop(key);
            match known {
                Some(known) => {
                    self.places.push(known);
                    if direction.is_better(&layer[index].value, &layer[known as usize].value) {
                        layer.swap(index, known as usize);
                    }
                }
                None => {
                    #[allow(clippy::cast_possible_truncation, reason = "memory ends before")]
                    let place = distinct as u32;
                    self.slots[slot] = place;
                    self.places.push(place);
                    layer.swap(index, distinct);
                    distinct += 1;
                }
            }
        }
        Ok(distinct)
    }

    /// Moves the `keep` most promising nodes of a layer to the front, in their order: those of the
    /// best values, then of the highest ranks, then the first ones; or `by_rank`, of the highest
    /// ranks before the best values. `promise` returns the value and the rank of a node. Takes
    /// linear time on average. The layer was [united](Self::unite) before.
    ///
    /// # Errors
    ///
    /// Returns the first error of `check`, which is called before each step. The layer is then as
    /// it was.
    pub(crate) fn select<T, E>(
        &mut self,
        (direction, by_rank): (Direction, bool),
        layer: &mut [LayerNode<T, V>],
        keep: usize,
        promise: impl Fn(&LayerNode<T, V>) -> (V, u64),
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        self.ranking.clear();
        for (index, node) in (0..).zip(&*layer) {
            check()?;
            let (value, rank) = promise(node);
            self.ranking.push((value, rank, index));
        }
        self.kept.clear();
        self.kept.resize(layer.len(), false);
        let order = |one: &(V, u64, u32), other: &(V, u64, u32)| -> Ordering {
            let (values, ranks) = (direction.compare(&other.0, &one.0), other.1.cmp(&one.1));
            let (first, second) = if by_rank { (ranks, values) } else { (values, ranks) };
            first.then(second).then(one.2.cmp(&other.2))
        };
        // The order is total, so that the same nodes are kept with any algorithm.
        self.ranking.select_nth_unstable_by(keep, order);
        for &(_, _, index) in &self.ranking[..keep] {
            self.kept[index as usize] = true;
        }
        self.move_kept(layer);
        Ok(())
    }

    /// Merges all nodes but the `keep` most promising ones, which stay in their order, and returns
    /// the number of nodes that remain. The merged node comes after the kept ones. Takes linear
    /// time on average, and one comparison of keys for each kept node.
    fn merge<P: DiagramProblem, R: Record<V>>(
        &mut self,
        problem: &P,
        direction: Direction,
        layer: &mut [LayerNode<P::State, V>],
        keep: usize,
        record: &mut R,
    ) -> Result<usize, R::Error> {
        let promise =
            |node: &LayerNode<P::State, V>| (node.value.clone(), problem.rank(&node.state));
        self.select((direction, false), layer, keep, promise, || record.check())?;
        // Behind the kept nodes, the first of the others is merged with the rest.
        let (kept, others) = layer.split_at_mut(keep);
        let Some((merged, others)) = others.split_first_mut() else { return Ok(keep) };
        let own = R::heap_bytes(problem, &merged.state);
        for other in others {
            record.check()?;
            problem.merge(&mut merged.state, &other.state);
            if direction.is_better(&other.value, &merged.value) {
                mem::swap(&mut merged.value, &mut other.value);
            }
        }
        record.resize(own, R::heap_bytes(problem, &merged.state))?;
        let key = problem.key(&merged.state);
        let dominates = |one: &LayerNode<P::State, V>, other: &LayerNode<P::State, V>| {
            let is_better = direction.is_better(&other.value, &one.value);
            !is_better && has_as_much(problem, &one.state, &other.state)
        };
        // A node that is dominated by the merged one, or dominates it.
        let comparable = kept.iter().position(|node| {
            problem.key(&node.state) == key && (dominates(node, merged) || dominates(merged, node))
        });
        drop(key);
        if let Some(comparable) = comparable
            && !dominates(&kept[comparable], merged)
        {
            mem::swap(&mut kept[comparable], merged);
        }
        #[allow(clippy::cast_possible_truncation, reason = "no more than the places so far")]
        let merged = comparable.unwrap_or(keep) as u32;
        for place in &mut self.places {
            let index = *place as usize;
            *place = if self.kept[index] { self.slots[index] } else { merged };
        }
        Ok(keep + usize::from(comparable.is_none()))
    }
}

impl<V> Reduction<V> {
    pub(crate) fn new() -> Self {
        let (slots, related, places) = (Vec::new(), Vec::new(), Vec::new());
        Reduction { slots, ranking: Vec::new(), kept: Vec::new(), related, places }
    }

    /// Returns the bytes that the tables use.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.slots.capacity() + self.related.capacity() + self.places.capacity();
        words * size_of::<u32>()
            + self.ranking.capacity() * size_of::<(V, u64, u32)>()
            + self.kept.capacity()
    }

    /// Returns the bytes that the tables use for a layer of so many nodes.
    pub(crate) fn bytes_of(nodes: usize) -> usize {
        let bytes = size_of::<(V, u64, u32)>() + 2 * size_of::<u32>() + 1;
        (slots_of(nodes) * size_of::<u32>()).saturating_add(nodes.saturating_mul(bytes))
    }

    /// Empties the tables, and reserves [as many bytes](Self::bytes_of) as a layer needs.
    fn reserve(&mut self, nodes: usize) {
        fn reserve<T>(table: &mut Vec<T>, items: usize) {
            table.clear();
            table.reserve_exact(items);
        }
        reserve(&mut self.slots, slots_of(nodes));
        reserve(&mut self.ranking, nodes);
        reserve(&mut self.kept, nodes);
        reserve(&mut self.related, nodes);
        reserve(&mut self.places, nodes);
    }
}

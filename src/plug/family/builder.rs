//! Diagrams under construction: the [`Builder`], which keeps them reduced.

use std::cmp::Ordering;
use std::iter::once;

use super::error::FamilyError;
use super::node::{EMPTY, FIRST, NO_ELEMENT, Node, POLL, UNIT, node_at};
use super::plan::{Halves, Plan, Step, split_pair};
use crate::limits::Stop;
use crate::memory::reserve_one;
use crate::plug::layer::Layer;
use crate::plug::step::Clock;

/// A union of families: see [`Builder::sum`].
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// The elements of all parts, one part after another.
    pool: Vec<u32>,
    /// The parts: the range of their elements in the pool, and a family.
    parts: Vec<(usize, usize, u32)>,
    /// `sums[k]` is the union so far of the families under the first `k` elements of the current
    /// part.
    sums: Vec<u32>,
}

impl Sum {
    /// Adds a part: the sets of `family`, each with these elements added.
    ///
    /// # Errors
    /// Returns an error if an element is not in the universe, which must not be too large.
    pub(super) fn add(
        &mut self,
        elements: impl IntoIterator<Item = usize>,
        universe: usize,
        family: u32,
    ) -> Result<(), FamilyError> {
        let start = self.pool.len();
        for element in elements {
            if element >= universe {
                return Err(FamilyError::NoSuchElement { element, universe });
            }
            self.pool.push(element as u32);
        }
        if !self.pool[start..].is_sorted_by(|one, next| one < next) {
            let mut added = self.pool.split_off(start);
            added.sort_unstable();
            added.dedup();
            self.pool.append(&mut added);
        }
        self.parts.push((start, self.pool.len(), family));
        Ok(())
    }

    /// Returns the elements of the last part, in ascending order.
    pub(super) fn last(&self) -> &[u32] {
        self.parts.last().map_or(&[], |&(start, end, _)| &self.pool[start..end])
    }
}

/// Orders sets, given by their elements in ascending order, as [`Builder::sum`] takes them: in
/// descending lexicographic order, except that a set comes before those that begin with it.
fn by_elements(one: &[u32], other: &[u32]) -> Ordering {
    other.iter().chain(once(&NO_ELEMENT)).cmp(one.iter().chain(once(&NO_ELEMENT)))
}

/// A table of nodes without duplicates. The nodes are in the order of their numbers: every node
/// comes after those that it refers to.
pub(super) struct Builder {
    /// The first nodes, which are not looked up any more.
    sealed: Vec<Node>,
    /// The other ones.
    nodes: Layer<Node, ()>,
    /// The unions so far; `None` before [`begin_unions`](Self::begin_unions). Nothing is sealed
    /// afterwards, because a union may need any node.
    unions: Option<Layer<(u32, u32), u32>>,
    /// The maximum bytes of the tables and of plans.
    max_bytes: usize,
    clock: Clock,
    /// The number of small steps so far: the clock is checked now and then.
    steps: usize,
}

impl Builder {
    /// Creates a table without nodes, for an operation with this clock.
    pub(super) fn new(max_bytes: usize, clock: Clock) -> Result<Self, Stop> {
        let mut builder = Builder {
            sealed: Vec::new(),
            nodes: Layer::new(),
            unions: None,
            max_bytes,
            clock,
            steps: 0,
        };
        builder.limit_nodes(0)?;
        builder.nodes.restart(0)?;
        Ok(builder)
    }

    /// Sets the maximum bytes of the tables and of plans.
    pub(super) fn set_max_bytes(&mut self, max_bytes: usize) {
        self.max_bytes = max_bytes;
    }

    /// Limits the memory of the nodes that are not sealed to what `others` and the other tables
    /// leave of `max_bytes`.
    fn limit_nodes(&mut self, others: usize) -> Result<(), Stop> {
        let max_nodes = (u32::MAX - FIRST) as usize - self.sealed.len();
        let others = others.saturating_add(self.bytes() - self.nodes.bytes());
        let max_bytes = self.max_bytes.checked_sub(others).ok_or(Stop::MemoryLimit)?;
        self.nodes.set_limits(max_nodes, max_bytes, &self.clock);
        Ok(())
    }

    /// Returns the bytes of the tables.
    fn bytes(&self) -> usize {
        let sealed = self.sealed.capacity().saturating_mul(size_of::<Node>());
        let unions = self.unions.as_ref().map_or(0, Layer::bytes);
        self.nodes.bytes().saturating_add(sealed).saturating_add(unions)
    }

    /// Declares that all nodes from now on have smaller elements than those so far, which therefore
    /// need no index any more: the index of the later ones stays in the caches. Once there are
    /// unions, nothing more is sealed.
    pub(super) fn seal(&mut self) -> Result<(), Stop> {
        let added = if self.unions.is_none() { self.nodes.len() } else { 0 };
        let (sealed, capacity) = (self.sealed.len(), self.sealed.capacity());
        if sealed + added > capacity {
            // A growing vector exists twice for a moment.
            let wanted = (sealed + added).max(capacity + capacity / 2);
            let bytes = self.bytes().saturating_add(wanted.saturating_mul(size_of::<Node>()));
            if bytes > self.max_bytes {
                return Err(Stop::MemoryLimit);
            }
            self.sealed.try_reserve_exact(wanted - sealed).map_err(|_| Stop::MemoryLimit)?;
        }
        if added > 0 {
            self.sealed.extend(self.nodes.entries().iter().map(|entry| entry.0));
            self.nodes.restart(added)?;
        }
        self.limit_nodes(0)
    }

    /// Adds the sealed nodes to the index again.
    fn unseal(&mut self) -> Result<(), Stop> {
        let recent = std::mem::replace(&mut self.nodes, Layer::new()).into_entries();
        let sealed = std::mem::take(&mut self.sealed);
        // The nodes exist twice until the end.
        self.limit_nodes((sealed.len() + recent.len()) * size_of::<Node>())?;
        self.nodes.restart(sealed.len())?;
        for node in sealed.into_iter().chain(recent.into_iter().map(|(node, ())| node)) {
            self.node(node.element, node.lo, node.hi)?;
        }
        Ok(())
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the number of the family of the sets of `lo`, and those of `hi` with `element`
    /// added.
    #[inline]
    pub(super) fn node(&mut self, element: u32, lo: u32, hi: u32) -> Result<u32, Stop> {
        if hi == EMPTY {
            return Ok(lo);
        }
        let node = Node { element, lo, hi };
        let index = self.nodes.find_or_insert(node, ())?;
        Ok(FIRST + (self.sealed.len() + index) as u32)
    }

    /// Makes the nodes of a plan, from the last states to the first, and returns the number of its
    /// start. The plan then has the numbers of all states.
    pub(super) fn complete<const L: usize>(&mut self, plan: &mut Plan<L>) -> Result<u32, Stop> {
        if L > 1 {
            self.begin_unions()?;
        }
        let mut end = plan.halves.len();
        // The tables have what the plan leaves of the memory.
        let max_bytes = self.max_bytes;
        self.max_bytes = max_bytes.checked_sub(plan.bytes()).ok_or(Stop::MemoryLimit)?;
        while let Some((element, first)) = plan.levels.pop() {
            self.seal()?;
            for position in (first..end).rev() {
                self.poll()?;
                let Halves { lo, hi } = plan.halves[position];
                let mut without = plan.number(lo[0]);
                for &other in &lo[1..] {
                    without = self.union(without, plan.number(other))?;
                }
                let hi = plan.number(hi);
                // From now on this is the number of the state.
                plan.halves[position].lo[0] = self.node(element, without, hi)?;
            }
            end = first;
        }
        self.max_bytes = max_bytes;
        Ok(plan.number(plan.halves[0].lo[0]))
    }

    /// Looks up all nodes from now on, and keeps unions.
    fn begin_unions(&mut self) -> Result<(), Stop> {
        if self.unions.is_none() {
            self.unseal()?;
            let mut unions = Layer::new();
            let max_bytes = self.max_bytes.saturating_sub(self.bytes());
            unions.set_limits(usize::MAX, max_bytes, &self.clock);
            unions.restart(0)?;
            self.unions = Some(unions);
        }
        Ok(())
    }

    /// Returns the union of two families of this table.
    fn union(&mut self, one: u32, other: u32) -> Result<u32, Stop> {
        // Both orders of a pair are one state: a random access less for many of them.
        let pair = |(one, other): (u32, u32)| (one.max(other), one.min(other));
        let (one, other) = pair((one, other));
        if one == other || other == EMPTY {
            return Ok(one);
        }
        self.begin_unions()?;
        let unions = self.unions.as_ref();
        let known = |pair| unions.and_then(|unions| Some(unions.entries()[unions.find(&pair)?].1));
        let nodes = self.nodes.entries();
        let node = |number| node_at(number, |index| nodes[index].0);
        let step = |(one, other), is_expanded: bool| {
            if one == other || other == EMPTY {
                Step::Known(one)
            } else if let Some(number) = (!is_expanded).then(|| known((one, other))).flatten() {
                Step::Known(number)
            } else {
                let (element, lo, hi) = split_pair((one, node(one)), (other, node(other)));
                Step::Split { element, lo: [pair(lo)], hi: pair(hi) }
            }
        };
        let base = FIRST + nodes.len() as u32;
        let max_bytes = self.max_bytes.saturating_sub(self.bytes());
        let mut pairs = Vec::new();
        let keep = |state, used| {
            let added = reserve_one(&mut pairs, used, max_bytes).ok_or(Stop::MemoryLimit)?;
            pairs.push(state);
            Ok(added)
        };
        let mut plan: Plan = Plan::new(base, (one, other), step, (&self.clock, max_bytes), keep)?;
        let union = self.complete(&mut plan)?;
        let others = self.nodes.bytes().saturating_add(plan.bytes());
        let unions = self.unions.get_or_insert_with(Layer::new);
        unions.set_max_bytes(self.max_bytes.saturating_sub(others));
        for (pair, &Halves { lo: [number], .. }) in pairs.into_iter().zip(&plan.halves[1..]) {
            unions.find_or_insert(pair, number)?;
        }
        self.limit_nodes(0)?;
        Ok(union)
    }

    /// Returns the union of the parts of `sum`, and removes them. `sum` is a buffer that can be
    /// used again. Every element of a part must be less than all elements of all families.
    ///
    /// A node is added for each prefix of the elements of a part. Parts are taken in descending
    /// order, so that the halves of a node are complete before it.
    pub(super) fn sum(&mut self, sum: &mut Sum) -> Result<u32, Stop> {
        let Sum { pool, parts, sums } = sum;
        if parts.len() > 1 {
            parts.sort_unstable_by(|one, other| {
                by_elements(&pool[one.0..one.1], &pool[other.0..other.1])
            });
        }
        sums.clear();
        sums.push(EMPTY);
        let mut open: &[u32] = &[];
        for &(start, end, family) in &*parts {
            let elements = &pool[start..end];
            let common = open.iter().zip(elements).take_while(|(one, other)| one == other).count();
            self.close(open, common, sums)?;
            sums.resize(elements.len() + 1, EMPTY);
            sums[elements.len()] = self.union(sums[elements.len()], family)?;
            open = elements;
        }
        self.close(open, 0, sums)?;
        let union = sums[0];
        pool.clear();
        parts.clear();
        Ok(union)
    }

    /// Completes the unions of all prefixes of `open` that are longer than `length`.
    fn close(&mut self, open: &[u32], length: usize, sums: &mut Vec<u32>) -> Result<(), Stop> {
        for at in (length..open.len()).rev() {
            self.poll()?;
            sums[at] = self.node(open[at], sums[at], sums[at + 1])?;
            sums.pop();
        }
        Ok(())
    }

    /// Returns the number of nodes.
    #[cfg(feature = "serde")]
    pub(super) fn len(&self) -> usize {
        self.sealed.len() + self.nodes.len()
    }

    /// Adds a node that was read from a file. The inner error is the reason if it is invalid: if no
    /// diagram of this universe has it after the nodes so far.
    #[cfg(feature = "serde")]
    pub(super) fn add_read(
        &mut self,
        node: Node,
        universe: usize,
    ) -> Result<Result<(), String>, Stop> {
        let Node { element, lo, hi } = node;
        let next = FIRST as usize + self.len();
        let before = |half: u32| {
            let index = half.checked_sub(FIRST).map(|index| index as usize);
            index.is_none_or(|index| self.nodes.entries()[index].0.element > element)
        };
        if lo.max(hi) as usize >= next || hi == EMPTY {
            return Ok(Err(format!("node {next}: found the halves {lo} and {hi}")));
        }
        if element as usize >= universe || !before(lo) || !before(hi) {
            return Ok(Err(format!("node {next}: found element {element} out of order")));
        }
        let is_new = self.node(element, lo, hi)? as usize == next;
        Ok(if is_new { Ok(()) } else { Err(format!("node {next}: found an earlier node again")) })
    }

    /// Returns whether all nodes are part of the family `root`, the last one.
    #[cfg(feature = "serde")]
    pub(super) fn is_whole(&self, root: u32) -> bool {
        let mut is_used = vec![false; FIRST as usize + self.len()];
        is_used[root as usize] = true;
        for (Node { lo, hi, .. }, ()) in self.nodes.entries() {
            (is_used[*lo as usize], is_used[*hi as usize]) = (true, true);
        }
        // By induction from the last one, nodes that a later one refers to are part of it.
        is_used.into_iter().skip(FIRST as usize).all(|is_used| is_used)
    }

    /// Checks the clock now and then.
    #[inline]
    fn poll(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(POLL) { self.clock.check() } else { Ok(()) }
    }

    /// Returns the nodes of the family `root` alone, and its number among them.
    pub(super) fn into_nodes(self, root: u32) -> Result<(Vec<Node>, u32), Stop> {
        let recent = self.nodes.into_entries().into_iter().map(|(node, ())| node);
        let mut nodes = self.sealed;
        if nodes.is_empty() {
            nodes = recent.collect(); // in place
        } else {
            nodes.try_reserve_exact(recent.len()).map_err(|_| Stop::MemoryLimit)?;
            nodes.extend(recent);
        }
        // Only unions leave nodes behind that are not part of the result.
        let root = if self.unions.is_none() { root } else { keep_reachable(&mut nodes, root)? };
        nodes.shrink_to_fit();
        Ok((nodes, root))
    }
}

/// Removes the nodes that are not part of the family `root`, and returns its new number.
fn keep_reachable(nodes: &mut Vec<Node>, root: u32) -> Result<u32, Stop> {
    // The new numbers; `EMPTY` for nodes that are not reachable.
    let (mut numbers, length) = (Vec::new(), nodes.len() + FIRST as usize);
    numbers.try_reserve_exact(length).map_err(|_| Stop::MemoryLimit)?;
    numbers.resize(length, EMPTY);
    (numbers[UNIT as usize], numbers[root as usize]) = (UNIT, root);
    for (index, node) in nodes.iter().enumerate().rev() {
        if numbers[FIRST as usize + index] != EMPTY {
            (numbers[node.lo as usize], numbers[node.hi as usize]) = (node.lo, node.hi);
        }
    }
    let (mut index, mut kept) = (FIRST as usize, FIRST);
    nodes.retain_mut(|node| {
        let is_reachable = numbers[index] != EMPTY;
        if is_reachable {
            (node.lo, node.hi) = (numbers[node.lo as usize], numbers[node.hi as usize]);
            (numbers[index], kept) = (kept, kept + 1);
        }
        index += 1;
        is_reachable
    });
    Ok(numbers[root as usize])
}

//! The successors of a block of states, and merging them into the next layer.
//!
//! A problem emits successors in many places, and the code that merges one is long. The successors
//! of a block are therefore collected first and merged in one loop, with all it needs in registers.
//! (Merging at each place took 1.4 times as long.) If the table exceeds the caches, prefetching the
//! slots of many successors at once lets the waits for memory overlap.

use std::hash::Hash;
use std::hint::black_box;
use std::mem::needs_drop;

use super::table::{LOOKAHEAD, Slot};
use super::{Layer, hash, shard};
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::step::{StepCount, StepError, Task};

/// The number of states that are expanded before their successors are merged.
pub(crate) const BLOCK: usize = 64;

/// Up to this many shards, states are assigned by their region, above it by their hash: regions
/// would be too few to balance more shards.
const MAX_SHARDS_BY_REGION: usize = 8;

/// A transition: the new state, the label, and the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor<S, L> {
    pub(crate) state: S,
    pub(crate) label: L,
    /// The position of the expanded state in its block, or in its shard of the old layer.
    pub(crate) source: u32,
}

/// The successors of a block of states.
pub(crate) type Successors<P> =
    Vec<Successor<<P as ContourProblem>::State, <P as ContourProblem>::Label>>;

/// Collects the successors of a block of states in `cell`, except those that hooks drop.
#[inline(never)]
pub(crate) fn expand<P: ContourProblem, H: SweepHooks<P>, A>(
    task: Task<'_, P, H, A>,
    cell: usize,
    states: impl Iterator<Item = P::State>,
    successors: &mut Successors<P>,
    count: &mut StepCount,
) {
    successors.clear();
    expand_each(task, cell, (states, 0), count, |successor| successors.push(successor));
}

/// Collects the successors of a block of states in `cell`, appended to the list of the shard to
/// which each belongs. Sources are numbered from `first`. `successors` is a reusable buffer for all
/// successors of the block.
#[inline(never)]
pub(super) fn expand_sharded<P: ContourProblem, H: SweepHooks<P>, A>(
    task: Task<'_, P, H, A>,
    cell: usize,
    (states, first): (impl Iterator<Item = P::State>, usize),
    (successors, by_shard): (&mut Successors<P>, &mut [Successors<P>]),
    count: &mut StepCount,
) {
    successors.clear();
    expand_each(task, cell, (states, first), count, |successor| successors.push(successor));
    // A separate loop: a step emits in many places, and this code is too long to be inlined in each
    // of them.
    let shards = by_shard.len();
    for &successor in &*successors {
        let region = if shards <= MAX_SHARDS_BY_REGION {
            task.problem.region(cell, successor.state)
        } else {
            None
        };
        let hash = region.map_or_else(|| hash(&successor.state), |region| hash(&region));
        by_shard[shard(hash, shards)].push(successor);
    }
}

#[inline(always)]
fn expand_each<P: ContourProblem, H: SweepHooks<P>, A>(
    Task { problem, hooks, .. }: Task<'_, P, H, A>,
    cell: usize,
    (states, first): (impl Iterator<Item = P::State>, usize),
    count: &mut StepCount,
    mut put: impl FnMut(Successor<P::State, P::Label>),
) {
    let (mut arrived, mut dead_ends) = (0, 0);
    for (source, state) in (first as u32..).zip(states) {
        let before = arrived;
        problem.step(cell, state, &mut |mut state, label| {
            if !hooks.is_empty()
                && let Some(hook) = hooks.enter(problem, cell, &mut state)
            {
                count.dropped_by_enter[hook] += 1;
                count.transitions += 1;
                return;
            }
            arrived += 1;
            put(Successor { state, label, source });
        });
        dead_ends += u64::from(arrived == before);
    }
    count.transitions += arrived;
    count.dead_ends += dead_ends;
}

/// Prefetches the slots of these successors if the table exceeds the caches.
#[inline]
pub(crate) fn look_ahead<S: Copy + Eq + Hash, V, L>(
    table: &Layer<S, V>,
    successors: &[Successor<S, L>],
) {
    if table.is_large() {
        for chunk in successors.chunks(LOOKAHEAD) {
            black_box(table.look_ahead(
                chunk.iter().map(|successor| (&successor.state, hash(&successor.state))),
            ));
        }
    }
}

/// Merges the successors of `sources` into a layer.
#[inline]
pub(crate) fn merge<P: ContourProblem, A: Algebra<P>>(
    algebra: &A,
    cell: usize,
    sources: &[(P::State, A::Value)],
    successors: &[Successor<P::State, P::Label>],
    into: &mut Layer<P::State, A::Value>,
    count: &mut StepCount,
) -> StepError {
    merge_until_full(algebra, cell, sources, successors, into, count).0
}

/// Merges the successors of `sources` into a layer until one cannot be inserted. Returns the
/// number of successors that were not merged, beginning with that one.
#[inline(never)]
pub(crate) fn merge_until_full<P: ContourProblem, A: Algebra<P>>(
    algebra: &A,
    cell: usize,
    sources: &[(P::State, A::Value)],
    successors: &[Successor<P::State, P::Label>],
    into: &mut Layer<P::State, A::Value>,
    count: &mut StepCount,
) -> (StepError, usize) {
    // Locals whose address does not escape stay in registers.
    let mut table = std::mem::replace(into, Layer::new());
    let mut error = StepError::default();
    let mut merged = 0;
    let owns_heap = const { needs_drop::<A::Value>() };
    look_ahead(&table, successors);
    let mut remaining = successors.iter();
    for successor in remaining.by_ref() {
        let value = &sources[successor.source as usize].1;
        let hashed = hash(&successor.state);
        let found = table.probe(&successor.state, hashed);
        let mut before = 0;
        if owns_heap {
            let more = match found {
                Slot::Occupied(index) => {
                    let into = &*table.value_mut(index);
                    before = algebra.heap_bytes(into);
                    algebra.heap_to_absorb(into, value, cell, successor.label)
                }
                Slot::Vacant(_) => algebra.heap_to_extend(value, cell, successor.label),
            };
            if let Err(full) = table.make_room_in_heap(more) {
                error.insert = Some(full);
                break;
            }
        }
        match found {
            Slot::Occupied(index) => {
                merged += 1;
                error.overflow |=
                    algebra.absorb(table.value_mut(index), value, cell, successor.label).is_err();
                if owns_heap {
                    let after = algebra.heap_bytes(table.value_mut(index));
                    table.count_heap(before, after);
                }
            }
            Slot::Vacant(slot) => match algebra.extend(value, cell, successor.label) {
                Ok(mut value) => {
                    if !algebra.restrict(&mut value, cell, successor.state) {
                        // Whether an arrival is rejected or merged depends on the order.
                        merged += 1;
                        continue;
                    }
                    if owns_heap {
                        table.count_heap(0, algebra.heap_bytes(&value));
                    }
                    if let Err(full) = table.insert(slot, successor.state, hashed, value) {
                        error.insert = Some(full);
                        // The layer may have lost its index.
                        break;
                    }
                }
                Err(_) => error.overflow = true,
            },
        }
    }
    count.merged += merged;
    *into = table;
    let left = remaining.len() + usize::from(error.insert.is_some());
    (error, left)
}

/// Merges states that were received from other workers into a layer. The senders have extended and
/// restricted the values.
#[cfg(feature = "timely")]
#[inline(never)]
pub(crate) fn merge_values<P: ContourProblem, A: Algebra<P>>(
    algebra: &A,
    entries: &mut Vec<(P::State, A::Value)>,
    into: &mut Layer<P::State, A::Value>,
    count: &mut StepCount,
) -> StepError {
    let mut table = std::mem::replace(into, Layer::new());
    let mut error = StepError::default();
    let mut merged = 0;
    let owns_heap = const { needs_drop::<A::Value>() };
    if table.is_large() {
        for chunk in entries.chunks(LOOKAHEAD) {
            black_box(table.look_ahead(chunk.iter().map(|(state, _)| (state, hash(state)))));
        }
    }
    for (state, value) in entries.drain(..) {
        let hashed = hash(&state);
        let found = table.probe(&state, hashed);
        let (mut before, mut own) = (0, 0);
        if owns_heap {
            // The received value is not in the table yet.
            own = algebra.heap_bytes(&value);
            let mut more = own;
            if let Slot::Occupied(index) = found {
                let into = &*table.value_mut(index);
                before = algebra.heap_bytes(into);
                more = more.saturating_add(algebra.heap_to_merge(into, &value));
            }
            if let Err(full) = table.make_room_in_heap(more) {
                error.insert = Some(full);
                break;
            }
        }
        match found {
            Slot::Occupied(index) => {
                merged += 1;
                error.overflow |= algebra.merge(table.value_mut(index), value).is_err();
                if owns_heap {
                    let after = algebra.heap_bytes(table.value_mut(index));
                    table.count_heap(before, after);
                }
            }
            Slot::Vacant(slot) => {
                table.count_heap(0, own);
                if let Err(full) = table.insert(slot, state, hashed, value) {
                    error.insert = Some(full);
                    // The layer may have lost its index.
                    break;
                }
            }
        }
    }
    count.merged += merged;
    *into = table;
    error
}

//! Layers: all contour states after a cell, each with its value.
//!
//! Read in this order:
//!
//! - `table`: a layer as a hash table;
//! - this file: a layer in shards, one for each thread;
//! - `successors`: the transitions of a block of states, and merging them into a layer;
//! - `part`: the step from one layer to the next by an owner of a part of both;
//! - `parallel`: that step by several threads, each of which owns a part;
//! - `advance`: the step by as many threads as there is memory for.

pub(crate) mod advance;
pub(crate) mod parallel;
pub(crate) mod part;
pub(crate) mod successors;
mod table;

use std::hash::Hash;

pub(crate) use self::table::{Layer, Slot, hash, retain_cancellable, sum_of_heap};
use super::step::{Clock, POLL_STATES};
use crate::limits::Stop;

/// A layer in shards, one for each thread. The [shard](shard()) of a state is chosen by the hash of
/// the state or of its region.
pub type Shards<S, V> = Vec<Layer<S, V>>;

/// Returns the index of the shard to which a hash belongs.
///
/// The table of a shard uses the high bits of the hash, so the shard must not depend on these
/// alone. The low bits of the hash do not depend on the high bits of the state. Multiplying by an
/// odd number without a pattern makes the shard depend on all bits.
#[inline]
pub(crate) fn shard(hash: u64, shards: usize) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2⁶⁴ divided by the golden ratio
    (((hash.wrapping_mul(ODD) >> 32) * shards as u64) >> 32) as usize
}

/// Creates the layer before the first cell, which holds only the start.
pub(crate) fn first_layer<S: Copy + Eq + Hash, V>(
    start: S,
    one: V,
    threads: usize,
) -> Shards<S, V> {
    let mut shards: Shards<S, V> = (0..threads).map(|_| Layer::new()).collect();
    shards[shard(hash(&start), threads)] = Layer::from_entries(vec![(start, one)]);
    shards
}

pub(crate) fn count_states<S: Copy + Eq + Hash, V>(shards: &[Layer<S, V>]) -> usize {
    shards.iter().map(Layer::len).sum()
}

pub(crate) fn count_bytes<S: Copy + Eq + Hash, V>(shards: &[Layer<S, V>]) -> usize {
    shards.iter().map(Layer::bytes).sum()
}

/// Returns the states of all shards, each as an `item`.
pub(crate) fn copy_states<S: Copy + Eq + Hash, V, T>(
    shards: &[Layer<S, V>],
    clock: &Clock,
    item: impl Fn(S) -> T,
) -> Result<Vec<T>, Stop> {
    let mut states = Vec::new();
    states.try_reserve_exact(count_states(shards)).map_err(|_| Stop::MemoryLimit)?;
    for entries in shards.iter().flat_map(|part| part.entries().chunks(POLL_STATES)) {
        if !states.is_empty() {
            clock.check()?;
        }
        states.extend(entries.iter().map(|entry| item(entry.0)));
    }
    Ok(states)
}

/// Recomputes the bytes of heap that the values of all shards own.
pub(crate) fn recount_heap<S: Copy + Eq + Hash, V>(
    shards: &mut [Layer<S, V>],
    clock: &Clock,
    heap_bytes: impl Fn(&V) -> usize,
) -> Result<(), Stop> {
    shards.iter_mut().try_for_each(|part| part.recount_heap(clock, &heap_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_similar_states_differ_in_their_high_bits() {
        let high: std::collections::HashSet<u64> =
            (0..1_u64 << 14).map(|state| hash(&(state << 3)) >> 48).collect();
        assert!(high.len() > 1 << 13, "{} of {}", high.len(), 1 << 14);
    }

    #[test]
    fn shards_are_balanced_whichever_bits_states_differ_in() {
        for shift in [0, 8, 16, 32, 48] {
            let mut parts = [0; 3];
            for state in 0..30_000_u64 {
                parts[shard(hash(&(state << shift)), 3)] += 1;
            }
            assert!(parts.iter().all(|part| (8_000..12_000).contains(part)), "{shift}: {parts:?}");
        }
    }
}

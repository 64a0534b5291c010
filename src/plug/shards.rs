//! A layer in parts, one for each thread.

use std::hash::Hash;

use super::layer::{Layer, hash};

/// A layer in as many parts as there are threads; the hash of a state says in which part it is.
pub(crate) type Shards<S, V> = Vec<Layer<S, V>>;

/// The part in which a state is, of so many: by other bits of its hash than those that say where in the part.
#[inline]
pub(crate) fn shard(hash: u64, shards: usize) -> usize {
    (((hash & 0xffff_ffff) * shards as u64) >> 32) as usize
}

/// A first layer of the start alone.
pub(crate) fn first_layer<S: Copy + Eq + Hash, V>(start: S, one: V, threads: usize) -> Shards<S, V> {
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

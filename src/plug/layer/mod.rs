//! A layer in parts, one for each thread.

pub(crate) mod advance;
pub(crate) mod parallel;
pub(crate) mod successors;
mod table;

use std::hash::Hash;

pub(crate) use self::table::{Layer, hash, retain_in_time};

/// A layer in as many parts as there are threads; the hash of a state says in which part it is.
pub(crate) type Shards<S, V> = Vec<Layer<S, V>>;

/// The part in which a state is, of so many: not by the high bits of its hash, which say where in
/// the part. The low ones do not depend on the high bits of the state; multiplied once more by an
/// odd number without a pattern, all of them count.
#[inline]
pub(crate) fn shard(hash: u64, shards: usize) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2⁶⁴ less its golden section
    (((hash.wrapping_mul(ODD) >> 32) * shards as u64) >> 32) as usize
}

/// A first layer of the start alone.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_about_even_whichever_bits_states_differ_in() {
        for shift in [0, 8, 16, 32, 48] {
            let mut parts = [0; 3];
            for state in 0..30_000_u64 {
                parts[shard(hash(&(state << shift)), 3)] += 1;
            }
            assert!(parts.iter().all(|part| (8_000..12_000).contains(part)), "{shift}: {parts:?}");
        }
    }
}

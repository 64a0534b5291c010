//! From layer to layer: the kernel of a sweep.

use std::hash::Hash;

use super::account::{Account, Clock, StepCount};
use super::algebra::Algebra;
use super::arrivals::{Arrivals, BLOCK, gather, gather_apart, merge};
use super::hook::SweepHooks;
use super::layer::{Full, Layer, hash};
use super::parallel;
use super::profile::Profile;
use crate::limits::Stop;

/// The clock is looked at after so many blocks of states.
pub(crate) const POLL: usize = 64;
/// A layer of fewer states is not worth a second thread.
pub(crate) const WORTH_A_THREAD: usize = 1 << 13;

/// A layer in as many parts as there are threads; the hash of a state says in which part it is.
pub(crate) type Shards<S, V> = Vec<Layer<S, V>>;

/// What does not change during a sweep.
pub(crate) struct Task<'a, P, H, A> {
    pub(crate) profile: &'a P,
    pub(crate) hooks: &'a H,
    pub(crate) algebra: &'a A,
}

impl<P, H, A> Clone for Task<'_, P, H, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, H, A> Copy for Task<'_, P, H, A> {}

/// What went wrong while a layer was being made; all of it is looked at once in a while only.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trouble {
    pub(crate) overflow: bool,
    pub(crate) full: Option<Full>,
}

impl Trouble {
    /// Either trouble, or both.
    pub(crate) fn or(self, other: Trouble) -> Trouble {
        Trouble { overflow: self.overflow | other.overflow, full: self.full.or(other.full) }
    }

    pub(crate) fn check(self) -> Result<(), Stop> {
        match self.full {
            _ if self.overflow => Err(Stop::CountOverflow),
            Some(full) => Err(full.into()),
            None => Ok(()),
        }
    }
}

impl From<Full> for Stop {
    fn from(full: Full) -> Stop {
        match full {
            Full::Memory => Stop::MemoryLimit,
            Full::States => Stop::StateLimit,
        }
    }
}

/// The part in which a state is, of so many: not by the high bits of its hash, which say where in the part. The low ones do not
/// depend on the high bits of the state; multiplied once more by an odd number without a pattern, all of them count.
#[inline]
pub(crate) fn shard(hash: u64, shards: usize) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2⁶⁴ less its golden section
    (((hash.wrapping_mul(ODD) >> 32) * shards as u64) >> 32) as usize
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

/// Makes the layer after `cell` out of the one before. If it fails, `from` is as it was, but for its index.
pub(crate) fn advance<P: Profile, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    account: &mut Account<'_>,
    cell: usize,
    from: &mut Shards<P::State, A::Value>,
    into: &mut Shards<P::State, A::Value>,
) -> Result<(), Stop> {
    let states = count_states(from);
    account.before_cell(cell, states as u64)?;
    task.profile.fits(cell).map_err(|too_wide| account.too_wide(too_wide))?;
    let shards = from.len();
    for (from, into) in from.iter_mut().zip(into.iter_mut()) {
        // Only the layer that is being made needs an index.
        into.take_over_slots(from);
    }
    let left = account.max_bytes().saturating_sub(count_bytes(from)) / shards;
    for into in into.iter_mut() {
        into.set_limits(account.max_states(), left);
    }
    let mut count = StepCount::new(account.hooks());
    let made = if shards > 1 && states >= WORTH_A_THREAD {
        parallel::advance(task, account.clock(), cell, from, into, &mut count)
    } else {
        advance_alone(task, account.clock(), cell, from, into, &mut count)
    };
    let bytes = count_bytes(from) + count_bytes(into);
    let made = made.and_then(|()| match count_states(into) {
        states if states > account.max_states() => Err(Stop::StateLimit),
        _ if bytes > account.max_bytes() => Err(Stop::MemoryLimit),
        _ => Ok(()),
    });
    if let Err(stop) = made {
        account.broke_off(count_states(into), bytes);
        return Err(stop);
    }
    let thinned = thin(task, cell, into, account.hooks());
    account.layer(&count, count_states(into), &thinned, bytes);
    Ok(())
}

fn advance_alone<P: Profile, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    clock: &Clock,
    cell: usize,
    from: &[Layer<P::State, A::Value>],
    into: &mut [Layer<P::State, A::Value>],
    count: &mut StepCount,
) -> Result<(), Stop> {
    for (from, into) in from.iter().zip(&mut *into) {
        into.restart(from.len());
    }
    let mut apart = vec![Arrivals::<P>::new(); into.len()];
    for part in from {
        for (block, sources) in part.entries().chunks(BLOCK).enumerate() {
            let states = sources.iter().map(|source| source.0);
            let mut trouble = Trouble::default();
            if let [into] = into {
                gather(task, task.profile, cell, states, &mut apart[0], count);
                trouble = merge(task.algebra, cell, sources, &apart[0], into, count);
            } else {
                gather_apart(task, task.profile, cell, (states, 0), &mut apart, count);
                for (arrivals, into) in apart.iter_mut().zip(&mut *into) {
                    trouble = trouble.or(merge(task.algebra, cell, sources, arrivals, into, count));
                    arrivals.clear();
                }
            }
            trouble.check()?;
            if block % POLL == 0 {
                clock.check()?;
            }
        }
    }
    Ok(())
}

/// Lets the hooks look at a complete layer; how many states each has dropped.
fn thin<P: Profile, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    cell: usize,
    layer: &mut [Layer<P::State, A::Value>],
    hooks: usize,
) -> Vec<u64> {
    let mut cuts = vec![0; hooks];
    if task.hooks.is_empty() {
        return cuts;
    }
    let states: Vec<P::State> = layer.iter().flat_map(Layer::states).collect();
    let mut dropped = vec![false; states.len()];
    let value = |mut index: usize| {
        for part in &*layer {
            match part.entries().get(index) {
                Some((_, value)) => return Some(value),
                None => index -= part.len(),
            }
        }
        None
    };
    let mut covers = |better: usize, worse: usize| match (value(better), value(worse)) {
        (Some(better), Some(worse)) => task.algebra.covers(better, worse),
        _ => false,
    };
    task.hooks.thin(task.profile, cell, &states, &mut dropped, &mut covers, &mut cuts);
    if cuts.iter().any(|&cuts| cuts > 0) {
        let mut rest = &dropped[..];
        for part in layer {
            let (own, others) = rest.split_at(part.len());
            rest = others;
            part.retain(own);
        }
    }
    cuts
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

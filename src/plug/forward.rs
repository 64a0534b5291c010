//! From layer to layer: the kernel of a sweep.

use std::hash::Hash;

use super::account::{Account, StepCount};
use super::algebra::Algebra;
use super::hook::SweepHooks;
use super::layer::{Full, Layer, Seat, hash};
use super::parallel;
use super::profile::Profile;
use crate::limits::Stop;

/// The clock is looked at after so many states.
pub(crate) const CHUNK: usize = 1 << 12;
/// A layer of fewer states is not worth a second thread.
const WORTH_A_THREAD: usize = 1 << 13;

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
    pub(crate) fn check(self) -> Result<(), Stop> {
        match self.full {
            _ if self.overflow => Err(Stop::CountOverflow),
            Some(Full::Memory) => Err(Stop::MemoryLimit),
            Some(Full::States) => Err(Stop::StateLimit),
            None => Ok(()),
        }
    }
}

/// The part in which a state is, of so many: by other bits of its hash than those that say where in the part.
#[inline]
pub(crate) fn shard(hash: u64, shards: usize) -> usize {
    (((hash & 0xffff_ffff) * shards as u64) >> 32) as usize
}

/// A first layer of the start alone.
pub(crate) fn first_layer<S: Copy + Eq + Hash, V>(start: S, one: V, threads: usize) -> Shards<S, V> {
    let mut shards: Shards<S, V> = (0..threads).map(|_| Layer::new()).collect();
    shards[shard(hash(&start), threads)] = Layer::from_parts(vec![start], vec![one]);
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
        let (mut own, given) = (into.take_slots(), from.take_slots());
        if given.len() > own.len() {
            own = given;
        }
        into.restart(from.len(), own, account.max_states());
    }
    let left = account.max_bytes().saturating_sub(count_bytes(from));
    for into in into.iter_mut() {
        into.set_max_bytes(left / shards);
    }
    let mut count = StepCount::new(account.hooks());
    let made = if shards > 1 && states >= WORTH_A_THREAD {
        parallel::advance(task, &account.clock(), cell, from, into, &mut count)
    } else {
        advance_alone(task, account, cell, from, into, &mut count)
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
    account: &Account<'_>,
    cell: usize,
    from: &[Layer<P::State, A::Value>],
    into: &mut [Layer<P::State, A::Value>],
    count: &mut StepCount,
) -> Result<(), Stop> {
    let mut trouble = Trouble::default();
    for part in from {
        for (states, values) in part.states().chunks(CHUNK).zip(part.values().chunks(CHUNK)) {
            match into {
                [into] => advance_chunk(task, cell, states, values, into, count, &mut trouble),
                _ => {
                    let shards = into.len();
                    for (&state, value) in states.iter().zip(values) {
                        expand(task, task.profile, cell, state, count, |next, label, merged| {
                            let hash = hash(&next);
                            let into = &mut into[shard(hash, shards)];
                            deliver(task.algebra, (cell, value, label), (next, hash), into, merged, &mut trouble);
                        });
                    }
                }
            }
            trouble.check()?;
            account.clock().check()?;
        }
    }
    Ok(())
}

/// The inner loop of a sweep in one thread. Its figures are locals, whose address nobody else has.
#[inline(never)]
fn advance_chunk<P: Profile, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    cell: usize,
    states: &[P::State],
    values: &[A::Value],
    into: &mut Layer<P::State, A::Value>,
    count: &mut StepCount,
    trouble: &mut Trouble,
) {
    for (&state, value) in states.iter().zip(values) {
        expand(task, task.profile, cell, state, count, |next, label, merged| {
            let hash = hash(&next);
            deliver(task.algebra, (cell, value, label), (next, hash), into, merged, trouble);
        });
    }
}

/// Takes a state through `cell`, and gives each state that comes out, and that no hook drops, to `put`.
#[inline(always)]
pub(crate) fn expand<P: Profile, H: SweepHooks<P>, A>(
    task: Task<'_, P, H, A>,
    profile: &P,
    cell: usize,
    state: P::State,
    count: &mut StepCount,
    mut put: impl FnMut(P::State, P::Label, &mut u64),
) {
    let (mut transitions, mut merged, mut kept) = (0, 0, false);
    profile.step(cell, state, &mut |mut next, label| {
        transitions += 1;
        if let Some(hook) = task.hooks.enter(profile, cell, &mut next) {
            count.entered[hook] += 1;
            return;
        }
        kept = true;
        put(next, label, &mut merged);
    });
    count.transitions += transitions;
    count.merged += merged;
    count.dead_ends += u64::from(!kept);
}

/// Merges a step (cell, value before it, label) into a layer.
#[inline(always)]
pub(crate) fn deliver<P: Profile, A: Algebra<P>>(
    algebra: &A,
    (cell, value, label): (usize, &A::Value, P::Label),
    (next, hash): (P::State, u64),
    into: &mut Layer<P::State, A::Value>,
    merged: &mut u64,
    trouble: &mut Trouble,
) {
    match into.seek(&next, hash) {
        Seat::Taken(index) => {
            *merged += 1;
            trouble.overflow |= algebra.absorb(into.value_mut(index), value, cell, label).is_err();
        }
        Seat::Free(slot) => match algebra.extend(value, cell, label) {
            Ok(value) => {
                if let Err(full) = into.insert(slot, next, hash, value) {
                    trouble.full = Some(full);
                }
            }
            Err(_) => trouble.overflow = true,
        },
    }
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
    let together: Vec<P::State>;
    let states = match &*layer {
        [part] => part.states(),
        _ => {
            together = layer.iter().flat_map(|part| part.states()).copied().collect();
            &together
        }
    };
    let mut dropped = vec![false; states.len()];
    let value = |mut index: usize| {
        for part in &*layer {
            match part.values().get(index) {
                Some(value) => return Some(value),
                None => index -= part.len(),
            }
        }
        None
    };
    let mut covers = |better: usize, worse: usize| match (value(better), value(worse)) {
        (Some(better), Some(worse)) => task.algebra.covers(better, worse),
        _ => false,
    };
    task.hooks.thin(task.profile, cell, states, &mut dropped, &mut covers, &mut cuts);
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

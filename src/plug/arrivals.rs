//! Where transitions lead to, gathered before they are merged into a layer.
//!
//! A profile has many places that emit, and merging is long: gathered first, there is one loop that merges, with all it needs
//! in registers. (Merging at each place took 1.4 times as long.) And where a table is too large for the caches, looking
//! at many places before the first is needed lets the waits for memory overlap.

use std::hash::Hash;
use std::hint::black_box;

use super::account::StepCount;
use super::algebra::Algebra;
use super::forward::{Task, Trouble};
use super::hook::SweepHooks;
use super::layer::{AHEAD, Layer, Seat, hash};
use super::profile::Profile;

/// So many states of the old layer are taken through their cell before the new ones are merged.
pub(crate) const BLOCK: usize = 64;

/// A transition: where it leads to, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival<S, L> {
    pub(crate) state: S,
    pub(crate) label: L,
    /// The place in its block of the state from which it comes.
    pub(crate) source: u32,
}

/// The arrivals from a block of states.
pub(crate) type Arrivals<P> = Vec<Arrival<<P as Profile>::State, <P as Profile>::Label>>;

/// Takes a block of states through `cell`, less what hooks drop.
#[inline(never)]
pub(crate) fn gather<P: Profile, H: SweepHooks<P>, A>(
    task: Task<'_, P, H, A>,
    profile: &P,
    cell: usize,
    states: &[P::State],
    arrivals: &mut Arrivals<P>,
    count: &mut StepCount,
) {
    arrivals.clear();
    for (source, &state) in states.iter().enumerate() {
        let before = arrivals.len();
        profile.step(cell, state, &mut |mut state, label| {
            if !task.hooks.is_empty() {
                count.transitions += 1;
                if let Some(hook) = task.hooks.enter(profile, cell, &mut state) {
                    count.entered[hook] += 1;
                    return;
                }
            }
            arrivals.push(Arrival { state, label, source: source as u32 });
        });
        count.dead_ends += u64::from(arrivals.len() == before);
    }
    if task.hooks.is_empty() {
        count.transitions += arrivals.len() as u64;
    }
}

/// Brings what is looked at for these arrivals into the caches, if the table is too large for them.
#[inline]
pub(crate) fn look_ahead<S: Copy + Eq + Hash, V, L>(table: &Layer<S, V>, arrivals: &[Arrival<S, L>]) {
    if table.is_large() {
        for some in arrivals.chunks(AHEAD) {
            black_box(table.look_ahead(some.iter().map(|arrival| (&arrival.state, hash(&arrival.state)))));
        }
    }
}

/// Merges the arrivals from a block of states, whose values are given, into a layer.
#[inline(never)]
pub(crate) fn merge<P: Profile, A: Algebra<P>>(
    algebra: &A,
    cell: usize,
    values: &[A::Value],
    arrivals: &[Arrival<P::State, P::Label>],
    into: &mut Layer<P::State, A::Value>,
    count: &mut StepCount,
) -> Trouble {
    // Locals whose address nobody else has: they stay in registers.
    let mut table = std::mem::replace(into, Layer::new());
    let mut trouble = Trouble::default();
    let mut merged = 0;
    look_ahead(&table, arrivals);
    for arrival in arrivals {
        let value = &values[arrival.source as usize];
        let hashed = hash(&arrival.state);
        match table.seek(&arrival.state, hashed) {
            Seat::Taken(index) => {
                merged += 1;
                trouble.overflow |= algebra.absorb(table.value_mut(index), value, cell, arrival.label).is_err();
            }
            Seat::Free(slot) => match algebra.extend(value, cell, arrival.label) {
                Ok(value) => {
                    if let Err(full) = table.insert(slot, arrival.state, hashed, value) {
                        trouble.full = Some(full);
                    }
                }
                Err(_) => trouble.overflow = true,
            },
        }
    }
    count.merged += merged;
    *into = table;
    trouble
}

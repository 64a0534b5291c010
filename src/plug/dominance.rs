//! Dominance: of two states of a layer, the one that can do all that the other one can makes the
//! other one superfluous.
//!
//! A problem says by [`StateDominance`] what "can do all that" means; there are two hooks to make use of
//! it.
//!
//! | hook | compares | drops | cost a layer of n states |
//! |---|---|---|---|
//! | [`BestState`] | each state with the best one | what the best one covers | n comparisons |
//! | [`Antichain`] | each state with all maximal ones | all that is not maximal | n × the maximal states, at most |
//!
//! Which one pays is a matter of how much the maximal states are fewer than all of them. Comparing
//! with one best state is what Chen Danqi does for Rocket Mania (2008), as comparing all pairs is
//! dear if the layer stays large. Often it does not: there, the maximal states alone are a
//! thousandth of all, and the comparisons are few. (The idea of dominance: Kohler and Steiglitz,
//! 1974; of keeping the maximal elements: Kung, Luccio and Preparata, 1975.)
//!
//! Both claim [`Effect::OptimumOnly`], for a dropped state takes its solutions with it. An
//! operation that counts them gives a lower bound and says so. What has been computed along the way
//! is looked at before a state is dropped: if ways to the better state weigh less than ways to the
//! worse one, [`Algebra::covers`](super::Algebra::covers) says no, and both stay.

//!
//! ```
//! use secateurs::Direction;
//! use secateurs::plug::{Antichain, StateDominance, ContourProblem, Sweep};
//!
//! /// Things of these sizes are put into a knapsack with so much room.
//! struct Knapsack(Vec<u32>, u32);
//!
//! impl ContourProblem for Knapsack {
//!     type State = u32; // the room that is left
//!     type Label = bool; // is the thing taken?
//!
//!     fn cells(&self) -> usize {
//!         self.0.len()
//!     }
//!     fn start(&self) -> u32 {
//!         self.1
//!     }
//!     fn step(&self, cell: usize, room: u32, emit: &mut impl FnMut(u32, bool)) {
//!         emit(room, false);
//!         if let Some(room) = room.checked_sub(self.0[cell]) {
//!             emit(room, true);
//!         }
//!     }
//!     fn accept(&self, _: u32) -> bool {
//!         true
//!     }
//! }
//!
//! /// Whoever has more room left can take whatever others can.
//! struct MoreRoom;
//!
//! impl StateDominance<Knapsack> for MoreRoom {
//!     type Form = u32;
//!     type Key = u32;
//!
//!     fn form(&self, _: &Knapsack, _: usize, room: u32) -> u32 {
//!         room
//!     }
//!     fn key(&self, room: u32, _: &u32) -> u32 {
//!         room
//!     }
//!     fn covers(&self, better: &u32, worse: &u32) -> bool {
//!         better >= worse
//!     }
//! }
//!
//! let (sizes, worth) = (vec![12, 2, 1, 1, 4], [4, 2, 1, 2, 10]);
//! let knapsack = Knapsack(sizes, 15);
//! let worth = |thing: usize, taken: bool| if taken { worth[thing] } else { 0 };
//! let plain = Sweep::new(&knapsack).best(Direction::Maximise, worth);
//! let thinned = Sweep::new(&knapsack).hooks((Antichain::new("more room", MoreRoom),)).best(Direction::Maximise, worth);
//! assert_eq!(plain.proven(), Some(&15));
//! assert_eq!(thinned.proven(), Some(&15)); // a state with more room, but worth less so far, has dropped no other
//! assert!(thinned.report().nodes() < plain.report().nodes());
//! ```

use std::cmp::Reverse;

use super::contour_problem::ContourProblem;
use super::hook::{SweepHook, Thinning};
use super::sorting::sort_unsent;
use crate::digest::Digest;
use crate::hook::Effect;
use crate::limits::Stop;

/// The clock is looked at after so many states or comparisons.
const POLL: usize = 1 << 10;

/// When a state can do all that another one of its layer can.
///
/// That is: whatever labels lead from the worse state to an end, the same ones lead from the better
/// state to an end that is at least as good.
///
/// # Laws
///
/// - [`covers`](StateDominance::covers) is transitive.
/// - If `a` covers `b`, the [key](StateDominance::key) of `a` is not less than that of `b`. So it is
///   enough to compare a state with those before it in order of falling keys.
/// - Different states have different keys, or else it depends on the order of the states in the
///   layer, and so on the number of threads, which of two that cover each other is kept. A packed
///   word as the last part of the key sees to that.
///
/// A relation that breaks the first two laws makes [`Antichain`] keep more than it needs to. One
/// that is wrong about what a state can do loses the optimum, without anybody noticing.
pub trait StateDominance<P: ContourProblem>: Sync {
    /// What is compared of a state: worked out once for each.
    type Form;
    /// How much a state can do, roughly.
    type Key: Ord;

    /// What is to be compared of a state after `cell`.
    fn form(&self, problem: &P, cell: usize, state: P::State) -> Self::Form;

    /// The key of a state, which is greatest for the best one.
    fn key(&self, state: P::State, form: &Self::Form) -> Self::Key;

    /// Returns a digest of all data that the relation depends on, beside the problem; see
    /// [`SweepHook::parameters`].
    fn parameters(&self) -> Option<Digest> {
        Digest::of_unit(self)
    }

    /// Whether the state of form `better` can do all that the other one can.
    fn covers(&self, better: &Self::Form, worse: &Self::Form) -> bool;
}

/// Drops what the best state of the layer covers, the one with the greatest [key](StateDominance::key).
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct BestState<D> {
    name: &'static str,
    dominance: D,
}

impl<D> BestState<D> {
    /// The hook of this name, by this relation.
    pub const fn new(name: &'static str, dominance: D) -> Self {
        BestState { name, dominance }
    }
}

impl<D> BestState<D> {
    /// The best state, and what is compared of it; nothing also if the sweep is stopping.
    fn best<P: ContourProblem>(
        &self,
        problem: &P,
        cell: usize,
        layer: &Thinning<'_, P::State>,
    ) -> Option<(usize, D::Form)>
    where
        D: StateDominance<P>,
    {
        let mut best: Option<(usize, D::Form, D::Key)> = None;
        for (index, &state) in layer.states().iter().enumerate() {
            if index % POLL == 0 && layer.is_stopping() {
                return None;
            }
            if layer.is_dropped(index) {
                continue;
            }
            let form = self.dominance.form(problem, cell, state);
            let key = self.dominance.key(state, &form);
            if best.as_ref().is_none_or(|(_, _, best)| key > *best) {
                best = Some((index, form, key));
            }
        }
        best.map(|(best, form, _)| (best, form))
    }
}

impl<P: ContourProblem, D: StateDominance<P>> SweepHook<P> for BestState<D> {
    fn name(&self) -> &str {
        self.name
    }

    fn parameters(&self) -> Option<Digest> {
        self.dominance.parameters()
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn keeps_best_of_layer(&self) -> bool {
        true
    }

    /// The best state of all is one of the best states of the parts.
    fn thin_part(&self, problem: &P, cell: usize, part: &mut Thinning<'_, P::State>) {
        if let Some((best, _)) = self.best(problem, cell, part) {
            part.nominate_only(best);
        }
    }

    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        let states = layer.states();
        let Some((best, best_form)) = self.best(problem, cell, layer) else { return };
        for (index, &state) in states.iter().enumerate() {
            if index % POLL == 0 && layer.is_stopping() {
                return;
            }
            if index != best
                && !layer.is_dropped(index)
                && self.dominance.covers(&best_form, &self.dominance.form(problem, cell, state))
            {
                layer.dominate(index, best);
            }
        }
    }
}

/// Drops whatever some other state of the layer covers: what is left is an antichain, the maximal
/// states.
///
/// States are taken in order of falling [keys](StateDominance::key) and compared with those kept so far,
/// so that a state is compared with maximal ones only. That is quadratic in their number at worst,
/// and so the clock is looked at every few thousand comparisons.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Antichain<D> {
    name: &'static str,
    dominance: D,
}

impl<D> Antichain<D> {
    /// The hook of this name, by this relation.
    pub const fn new(name: &'static str, dominance: D) -> Self {
        Antichain { name, dominance }
    }
}

impl<P: ContourProblem, D: StateDominance<P>> SweepHook<P> for Antichain<D> {
    fn name(&self) -> &str {
        self.name
    }

    fn parameters(&self) -> Option<Digest> {
        self.dominance.parameters()
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn keeps_best_of_layer(&self) -> bool {
        true
    }

    /// What is maximal in the whole is maximal in its part, and what is not is covered by something
    /// that is.
    fn thin_part(&self, problem: &P, cell: usize, part: &mut Thinning<'_, P::State>) {
        self.thin(problem, cell, part);
    }

    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        let states = layer.states();
        let mut order: Vec<(Reverse<D::Key>, usize, D::Form)> = Vec::new();
        for (index, &state) in states.iter().enumerate() {
            if index % POLL == 0 && layer.is_stopping() {
                return;
            }
            if !layer.is_dropped(index) {
                let form = self.dominance.form(problem, cell, state);
                order.push((Reverse(self.dominance.key(state, &form)), index, form));
            }
        }
        let compare = |(key, index, _): &_, (other, other_index, _): &_| {
            (key, index).cmp(&(other, other_index))
        };
        if sort_unsent(&mut order, &compare, &|| {
            if layer.is_stopping() { Err(Stop::Cancelled) } else { Ok(()) }
        })
        .is_err()
        {
            return;
        }
        let mut maximal: Vec<(usize, D::Form)> = Vec::new();
        let mut since_poll = 0;
        for (_, index, form) in order {
            // A state is compared with thousands of others at most before the next look.
            for some in maximal.chunks(POLL) {
                since_poll += some.len() + 1;
                if since_poll >= POLL {
                    since_poll = 0;
                    if layer.is_stopping() {
                        return;
                    }
                }
                if some.iter().any(|(kept, better)| {
                    self.dominance.covers(better, &form) && layer.dominate(index, *kept)
                }) {
                    break;
                }
            }
            if !layer.is_dropped(index) {
                maximal.push((index, form));
            }
        }
    }
}

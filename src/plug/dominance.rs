//! Dominance hooks: [`BestState`] and [`Antichain`]. They drop states that another state of the
//! layer dominates.
//!
//! A problem defines the relation by the [`StateDominance`] trait, and two hooks use it.
//!
//! | hook | compares each state with | drops | comparisons of n states |
//! |---|---|---|---|
//! | [`BestState`] | the best one | states that the best one covers | n |
//! | [`Antichain`] | all maximal ones | all states that are not maximal | at most n × maximal |
//!
//! Which of them pays depends on how many states are maximal. Chen Danqi (2008) compares each state
//! with one best state for Rocket Mania, because comparing all pairs is expensive if the layer
//! stays large. In fact only a thousandth of the states of that problem are maximal, so that an
//! antichain takes few comparisons. (Dominance is due to Kohler and Steiglitz, 1974; keeping the
//! maximal elements to Kung, Luccio and Preparata, 1975.)
//!
//! Both hooks claim [`Effect::OptimumOnly`], because a dropped state takes its solutions with it.
//! An operation that counts them returns a lower bound and says so. Before a state is dropped, its
//! value is compared with that of the dominating state: if the best path to the latter is worse so
//! far, [`Algebra::covers`](super::Algebra::covers) returns false, and both states stay.
//!
//! ```
//! use secateurs::Direction;
//! use secateurs::plug::{Antichain, StateDominance, ContourProblem, Sweep};
//!
//! /// Items of these sizes, to be put into a knapsack of this capacity.
//! struct Knapsack(Vec<u32>, u32);
//!
//! impl ContourProblem for Knapsack {
//!     type State = u32; // the room that is left
//!     type Label = bool; // is the item taken?
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
//! /// A state with more room left can take every item that another one can.
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
//! let worth = |item: usize, taken: bool| if taken { worth[item] } else { 0 };
//! let plain = Sweep::new(&knapsack).best(Direction::Maximise, worth);
//! let more_room = Antichain::new("more room", MoreRoom);
//! let thinned = Sweep::new(&knapsack).hooks((more_room,)).best(Direction::Maximise, worth);
//! assert_eq!(plain.proven(), Some(&15));
//! // A state with more room but less worth so far has dropped no other.
//! assert_eq!(thinned.proven(), Some(&15));
//! assert!(thinned.report().nodes() < plain.report().nodes());
//! ```

use std::cmp::Reverse;

use super::contour_problem::ContourProblem;
use super::hook::{SweepHook, Thinning};
use super::sorting::sort_in_current_thread;
use crate::digest::Digest;
use crate::hook::Effect;
use crate::limits::Stop;

/// The number of states or comparisons between two checks of the clock.
const POLL: usize = 1 << 10;

/// A dominance relation between the states of a layer.
///
/// A state dominates another one if every sequence of labels that leads from the other to an
/// accepted state leads from it to an accepted state that is at least as good.
///
/// # Laws
///
/// - [`covers`](StateDominance::covers) is transitive.
/// - If `a` covers `b`, the [key](StateDominance::key) of `a` is not less than that of `b`. So it
///   suffices to compare a state with those before it in order of descending keys.
/// - Different states have different keys. Otherwise the order of the states in the layer, and so
///   the number of threads, decides which of two states that cover each other is kept. A packed
///   word as the last component of the key ensures this.
///
/// A relation that breaks one of the first two laws makes [`Antichain`] keep more states than
/// necessary. A relation that is wrong about the futures of a state loses the optimum without any
/// sign of it.
pub trait StateDominance<P: ContourProblem>: Sync {
    /// The form of a state that is compared; computed once for each state.
    type Form;
    /// A measure of how good a state is.
    type Key: Ord;

    /// Returns the form of a state after `cell`.
    fn form(&self, problem: &P, cell: usize, state: P::State) -> Self::Form;

    /// Returns the key of a state. The best state has the greatest key.
    fn key(&self, state: P::State, form: &Self::Form) -> Self::Key;

    /// Returns a digest of all data that the relation depends on, besides the problem. See
    /// [`SweepHook::parameters`].
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns whether the state of form `better` dominates the other one.
    fn covers(&self, better: &Self::Form, worse: &Self::Form) -> bool;
}

/// The name and the claims of a hook with the fields `name` and `dominance`. `kind` tells the
/// parameters of the hooks of one relation apart.
macro_rules! dominance_claims {
    ($kind:literal) => {
        fn name(&self) -> &str {
            self.name
        }

        fn parameters(&self) -> Option<Digest> {
            Digest::all([Some(Digest::of($kind)), self.dominance.parameters()])
        }

        fn effect(&self) -> Effect {
            Effect::OptimumOnly
        }

        fn keeps_best_of_layer(&self) -> bool {
            true
        }
    };
}

/// A hook that drops the states that the best state of the layer covers. The best state is the one
/// with the greatest [key](StateDominance::key).
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct BestState<D> {
    name: &'static str,
    dominance: D,
}

impl<D> BestState<D> {
    /// Creates a hook with this name and relation.
    pub const fn new(name: &'static str, dominance: D) -> Self {
        BestState { name, dominance }
    }
}

impl<D> BestState<D> {
    /// Returns the position and the form of the best state. Returns `None` also if the sweep is
    /// stopping.
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
    dominance_claims!("best state");

    /// The best state of the layer is among the best states of the parts.
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

/// A hook that drops every state that another state of the layer covers. The remaining states, the
/// maximal ones, are an antichain.
///
/// States are visited in order of descending [keys](StateDominance::key) and compared with those
/// kept so far, so that a state is compared with maximal ones only. In the worst case that takes
/// time quadratic in the number of maximal states; the clock is therefore checked every few
/// thousand comparisons. The keys and forms of a layer exist at the same time. A [memory
/// limit](crate::Limits::memory) includes them, except for heap that they own.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Antichain<D> {
    name: &'static str,
    dominance: D,
}

impl<D> Antichain<D> {
    /// Creates a hook with this name and relation.
    pub const fn new(name: &'static str, dominance: D) -> Self {
        Antichain { name, dominance }
    }
}

impl<P: ContourProblem, D: StateDominance<P>> SweepHook<P> for Antichain<D> {
    dominance_claims!("antichain");

    /// A state that is maximal in the layer is maximal in its part, and every other state is
    /// covered by a maximal one.
    fn thin_part(&self, problem: &P, cell: usize, part: &mut Thinning<'_, P::State>) {
        self.thin(problem, cell, part);
    }

    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        let states = layer.states();
        let Some(mut order) = layer.allocate::<(Reverse<D::Key>, usize, D::Form)>(states.len())
        else {
            return;
        };
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
        if sort_in_current_thread(&mut order, &compare, &|| {
            if layer.is_stopping() { Err(Stop::Cancelled) } else { Ok(()) }
        })
        .is_err()
        {
            return;
        }
        // The states before this position are maximal. They replace those that are dropped, so that
        // no second vector is needed.
        let mut maximal = 0;
        let mut since_poll = 0;
        for next in 0..order.len() {
            let (before, rest) = order.split_at(next);
            let (_, index, form) = &rest[0];
            // A state is compared with at most a thousand others between two checks.
            for chunk in before[..maximal].chunks(POLL) {
                since_poll += chunk.len() + 1;
                if since_poll >= POLL {
                    since_poll = 0;
                    if layer.is_stopping() {
                        return;
                    }
                }
                if chunk.iter().any(|(_, better, better_form)| {
                    self.dominance.covers(better_form, form) && layer.dominate(*index, *better)
                }) {
                    break;
                }
            }
            if !layer.is_dropped(*index) {
                order.swap(maximal, next);
                maximal += 1;
            }
        }
    }
}

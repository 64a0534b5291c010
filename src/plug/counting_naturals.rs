//! Counting without an end: a layer is made again in wider numbers when one does not fit.

use std::hash::Hash;

use super::account::Account;
use super::algebra::{Counter, Counting, Limbs, Natural};
use super::forward::{Shards, Task, first_layer};
use super::hook::SweepHooks;
use super::layer::Layer;
use super::profile::Profile;
use super::sweep::{Sweep, accepted, sweep};
use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::{Outcome, Total};

/// How far numbers of some width have gone.
enum Stage<S, V> {
    /// To the end, or to a limit; the sum over the states that are accepted.
    Ended(Natural, Stop),
    /// To the layer before this cell, in which a number did not fit. Its values are wider now.
    Widened(Shards<S, V>, usize),
}

impl<S, V> Stage<S, V> {
    /// Goes on in these numbers, if the end has not been reached.
    fn go_on<W>(self, next: impl FnOnce(Shards<S, V>, usize) -> Stage<S, W>) -> Stage<S, W> {
        match self {
            Stage::Ended(sum, stop) => Stage::Ended(sum, stop),
            Stage::Widened(layer, cell) => next(layer, cell),
        }
    }
}

fn widen<S: Copy + Eq + Hash, V, W>(shards: Shards<S, V>, wider: impl Fn(V) -> W) -> Shards<S, W> {
    let part = |part: Layer<S, V>| {
        let (states, values) = part.into_parts();
        Layer::from_parts(states, values.into_iter().map(&wider).collect())
    };
    shards.into_iter().map(part).collect()
}

fn limbs<const K: usize, const M: usize>(number: Limbs<K>) -> Limbs<M> {
    let mut limbs = [0; M];
    limbs[..K].copy_from_slice(number.limbs());
    Limbs::from_limbs(limbs)
}

/// Sweeps on from `cell`, with values of one type, and if one does not fit, turns them into another.
fn stage<P: Profile, H: SweepHooks<P>, V: Counter + Into<Natural>, W>(
    (profile, hooks, account): (&P, &H, &mut Account<'_>),
    mut layer: Shards<P::State, V>,
    cell: usize,
    wider: impl Fn(V) -> W,
) -> Stage<P::State, W> {
    let task = Task { profile, hooks, algebra: &Counting::<V>::new() };
    match sweep(task, account, &mut layer, cell) {
        Ok(()) => {
            let mut sum = Natural::from(0_u64);
            for (_, value) in accepted(profile, account, layer) {
                sum = sum + value.into();
            }
            Stage::Ended(sum, Stop::Exhausted)
        }
        Err((cell, Stop::CountOverflow)) => Stage::Widened(widen(layer, wider), cell),
        Err((_, stop)) => Stage::Ended(Natural::from(0_u64), stop),
    }
}

impl<P: Profile, H: SweepHooks<P>> Sweep<'_, P, H> {
    /// How many solutions there are, however many. Values begin with one word, and grow as counts do: a layer in which one
    /// does not fit is made again with wider ones. So a state costs no more than its layer needs.
    ///
    /// ```
    #[doc = include_str!("row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let outcome = Sweep::new(&Row(200)).count_natural();
    /// let total = outcome.total().ok_or("stopped")?;
    /// assert_eq!(total.to_string(), "734544867157818093234908902110449296423351");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn count_natural(self) -> Outcome<Total<Natural>> {
        let (profile, hooks, threads, mut account) = self.start();
        let begun = Stage::Widened(first_layer(profile.start(), 1_u64, threads), 0);
        let ended = begun
            .go_on(|layer, cell| stage((profile, &hooks, &mut account), layer, cell, Limbs::<2>::from))
            .go_on(|layer, cell| stage((profile, &hooks, &mut account), layer, cell, limbs::<2, 3>))
            .go_on(|layer, cell| stage((profile, &hooks, &mut account), layer, cell, limbs::<3, 4>))
            .go_on(|layer, cell| stage((profile, &hooks, &mut account), layer, cell, limbs::<4, 6>))
            .go_on(|layer, cell| stage((profile, &hooks, &mut account), layer, cell, limbs::<6, 8>))
            .go_on(|layer, cell| stage((profile, &hooks, &mut account), layer, cell, limbs::<8, 16>))
            .go_on(|layer, cell| stage((profile, &hooks, &mut account), layer, cell, Natural::from))
            .go_on(|layer, cell| stage((profile, &hooks, &mut account), layer, cell, |number| number));
        let (sum, stop) = match ended {
            Stage::Ended(sum, stop) => (sum, stop),
            // Naturals do not overflow.
            Stage::Widened(..) => (Natural::from(0_u64), Stop::CountOverflow),
        };
        let report = account.into_report(stop, false);
        Outcome::new(Total::new(Some(sum), Effect::Preserving, &report), report)
    }
}

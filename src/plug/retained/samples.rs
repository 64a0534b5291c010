//! RetainedSolutions drawn at random.

use std::fmt;
use std::iter::FusedIterator;
use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;

use super::layers::{Broken, Layers};
use crate::limits::Stop;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Counter, Counting};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::report::Report;

/// An endless iterator of solutions drawn at random, each as likely as any other, made by
/// [`Sweep::samples`](crate::plug::Sweep::samples) and [`RetainedLayers::samples`](super::RetainedLayers::samples). It
/// is empty if there is no solution.
///
/// # Why they are uniform
///
/// Of each state it is known exactly how many ways lead from it to the end. A number r is drawn
/// below the number n of all solutions. Going forward, the steps from a state divide the ways from
/// there among them: the first n₁ of them begin with the first step, the next n₂ with the second.
/// The step is taken to whose share r belongs, and what was before that share is subtracted from r.
/// By induction from the end, r is the number of the solution in the order of
/// [`RetainedSolutions`](super::RetainedSolutions): different numbers give different solutions, all n of them, and
/// so solutions are as uniform as r. And r is, if bits are: as many bits are drawn as n - 1 has,
/// again if they do not make a number below n, which happens less than every second time. There are
/// no rounding errors, as there are with floating-point numbers. The bits come from a small
/// generator with a state of 64 bits, good for simulations, not for secrets. (The method: Nijenhuis
/// and Wilf, *Combinatorial Algorithms*, 1978.)
///
/// A sample costs a step a cell, and a comparison of numbers as long as the count for each state
/// that comes out.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Samples<'p, P: ContourProblem, H> {
    layers: Arc<Layers<'p, P, H>>,
    ways: Ways,
    rng: Rng,
}

/// How many ways lead from each state of each layer to the end.
enum Ways {
    Narrow(Vec<Vec<u128>>),
    #[cfg(feature = "bigint")]
    Wide(Vec<Vec<Natural>>),
}

/// Numbers to draw, and to find one's way by.
trait Rank: Counter {
    /// Draws one of the numbers below `bound`, which is not 0.
    fn below(bound: &Self, rng: &mut Rng) -> Self;

    /// Subtracts `other` and says so, unless it is larger.
    fn subtract(&mut self, other: &Self) -> bool;
}

impl Rank for u128 {
    fn below(bound: &u128, rng: &mut Rng) -> u128 {
        // Of a bound of 1 no bit is left.
        let unused = (bound - 1).leading_zeros();
        loop {
            let drawn = rng.u128(..).checked_shr(unused).unwrap_or(0);
            if drawn < *bound {
                return drawn;
            }
        }
    }

    fn subtract(&mut self, other: &u128) -> bool {
        let fits = *self >= *other;
        *self -= if fits { *other } else { 0 };
        fits
    }
}

#[cfg(feature = "bigint")]
impl Rank for Natural {
    fn below(bound: &Natural, rng: &mut Rng) -> Natural {
        let bits = bound.checked_sub(&Natural::one()).map_or(0, |largest| largest.bits());
        let unused = (8 - bits % 8) % 8;
        loop {
            let mut bytes: Vec<u8> = (0..bits.div_ceil(8)).map(|_| rng.u8(..)).collect();
            if let Some(first) = bytes.first_mut() {
                *first >>= unused;
            }
            let drawn = Natural::from_bytes(&bytes);
            if drawn < *bound {
                return drawn;
            }
        }
    }

    fn subtract(&mut self, other: &Natural) -> bool {
        match self.checked_sub(other) {
            Some(rest) => {
                *self = rest;
                true
            }
            None => false,
        }
    }
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> Samples<'p, P, H> {
    pub(super) fn new(layers: Arc<Layers<'p, P, H>>, seed: u64) -> Result<Self, Broken> {
        let narrow = layers.to_go(&Counting::<u128>::new(), true);
        let ways = match narrow {
            Ok(ways) => Ways::Narrow(ways),
            #[cfg(feature = "bigint")]
            Err(Broken { stop: Stop::CountOverflow, .. }) => {
                Ways::Wide(layers.to_go(&Counting::<Natural>::new(), true)?)
            }
            Err(broken) => return Err(broken),
        };
        Ok(Samples { layers, ways, rng: Rng::with_seed(seed) })
    }

    /// The account of the sweep, with the effect of its hooks on labels: solutions that hooks have
    /// cut off are not drawn.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = self.layers.report(true, Duration::ZERO);
        report.stop = if self.layers.start().is_some() { Stop::Paused } else { Stop::Exhausted };
        report
    }
}

/// The solution that has so many before it.
fn solution<P: ContourProblem, H: SweepHooks<P>, R: Rank>(
    layers: &Layers<'_, P, H>,
    ways: &[Vec<R>],
    mut rank: R,
) -> Vec<P::Label> {
    layers.follow(|cell, _, to, _| !rank.subtract(&ways[cell + 1][to]))
}

fn draw<P: ContourProblem, H: SweepHooks<P>, R: Rank>(
    layers: &Layers<'_, P, H>,
    ways: &[Vec<R>],
    rng: &mut Rng,
) -> Option<Vec<P::Label>> {
    let all = ways[0].first()?;
    Some(solution(layers, ways, R::below(all, rng)))
}

impl<P: ContourProblem, H: SweepHooks<P>> Iterator for Samples<'_, P, H> {
    type Item = Vec<P::Label>;

    fn next(&mut self) -> Option<Vec<P::Label>> {
        match &self.ways {
            Ways::Narrow(ways) => draw(&self.layers, ways, &mut self.rng),
            #[cfg(feature = "bigint")]
            Ways::Wide(ways) => draw(&self.layers, ways, &mut self.rng),
        }
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> FusedIterator for Samples<'_, P, H> {}

impl<P: ContourProblem, H> fmt::Debug for Samples<'_, P, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").field("rng", &self.rng).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each number below the bound comes up, about equally often, and no other.
    fn draws_evenly<R: Rank + Ord>(number: impl Fn(u32) -> R) {
        let mut rng = Rng::with_seed(7);
        for bound in [1, 2, 3, 5, 8, 9, 255, 256, 257] {
            let mut seen = vec![0; bound as usize];
            for _ in 0..200 * bound {
                let drawn = R::below(&number(bound), &mut rng);
                let index = (0..bound).position(|index| number(index) == drawn);
                seen[index.expect("below the bound")] += 1;
            }
            assert!(seen.iter().all(|seen| (120..280).contains(seen)), "{bound}: {seen:?}");
        }
    }

    #[test]
    fn numbers_are_drawn_evenly() {
        draws_evenly(u128::from);
        #[cfg(feature = "bigint")]
        draws_evenly(Natural::from);
    }
}

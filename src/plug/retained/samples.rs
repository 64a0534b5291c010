//! Uniformly random solutions: [`Samples`].

use std::iter::FusedIterator;
use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;

use super::layers::{Layers, PassError};
use crate::limits::Stop;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Counter, Counting};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::report::Report;

/// An endless iterator over random solutions, uniformly distributed. Made by
/// [`Sweep::samples`](crate::plug::Sweep::samples) and
/// [`RetainedLayers::samples`](super::RetainedLayers::samples). It is empty if there is no
/// solution.
///
/// # Why they are uniform
///
/// The number of paths from each state to the end is known exactly. A number r below the number n
/// of all solutions is drawn. On the way forward, the transitions from a state divide the paths
/// from there: the first n₁ paths begin with the first transition, the next n₂ with the second. The
/// walk takes the transition whose share contains r, and subtracts the shares before it from r. By
/// induction from the end, r is the position of the solution in the order of
/// [`RetainedSolutions`](super::RetainedSolutions). Different numbers give different solutions, all
/// n of them, and so solutions are as uniform as r. And r is uniform if the random bits are: it is
/// drawn with as many bits as n − 1 has, again and again until it is below n, which takes less than
/// two attempts on average. There are no rounding errors, as there would be with floating-point
/// numbers. The bits come from a small generator with 64 bits of state, suitable for simulations
/// but not for secrets. (The method: Nijenhuis and Wilf, *Combinatorial Algorithms*, 1978.)
///
/// A sample takes one step per cell, and for each successor a comparison of numbers as long as the
/// count.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Samples<'p, P: ContourProblem, H> {
    layers: Arc<Layers<'p, P, H>>,
    ways: Ways,
    rng: Rng,
}

/// The number of paths from each state of each layer to the end.
enum Ways {
    Narrow(Vec<Vec<u128>>),
    #[cfg(feature = "bigint")]
    Wide(Vec<Vec<Natural>>),
}

/// Numbers that can be drawn and can direct a walk.
pub(in crate::plug) trait Rank: Counter {
    /// Returns a uniformly random number below `bound`, which is not 0.
    fn below(bound: &Self, rng: &mut Rng) -> Self;

    /// Subtracts `other` and returns true, unless it is larger.
    fn subtract(&mut self, other: &Self) -> bool;
}

impl Rank for u128 {
    fn below(bound: &u128, rng: &mut Rng) -> u128 {
        // If the bound is 1, no bit is left.
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
    pub(super) fn new(layers: Arc<Layers<'p, P, H>>, seed: u64) -> Result<Self, PassError> {
        let narrow = layers.to_go(&Counting::<u128>::new(), true);
        let ways = match narrow {
            Ok(ways) => Ways::Narrow(ways),
            #[cfg(feature = "bigint")]
            Err(PassError { stop: Stop::CountOverflow, .. }) => {
                Ways::Wide(layers.to_go(&Counting::<Natural>::new(), true)?)
            }
            Err(error) => return Err(error),
        };
        Ok(Samples { layers, ways, rng: Rng::with_seed(seed) })
    }

    /// Returns the report of the sweep, with the effect of its hooks on labels. Solutions that
    /// hooks have removed are not drawn.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = self.layers.report(true, Duration::ZERO);
        report.stop = if self.layers.start().is_some() { Stop::Paused } else { Stop::Exhausted };
        report
    }
}

/// Returns the solution at this position in the order of solutions.
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

debug_fields!(impl['p, P: ContourProblem, H] Samples<'p, P, H>: rng);

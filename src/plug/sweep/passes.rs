//! Counting in passes: one that bounds the count, and others that count modulo primes. The
//! remainders are combined by the Chinese remainder theorem.
//!
//! [`count_in_passes`] runs the passes, each of which is a sweep of its own. [`Passes`] are their
//! results so far, which a [`PassSaver`] saves together with each layer of the current pass.

use std::hash::Hash;

use crate::limits::Stop;
use crate::plug::algebra::count::primes_below;
use crate::plug::algebra::rounded_up::RoundedUp;
use crate::plug::algebra::{Counting, Modulo, Natural, Residues};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Reduce, SweepRun, Sweeper};
use crate::plug::hook::SweepHooks;
use crate::report::Pass;

/// The primes below these numbers are the moduli: a sum of two remainders fits into 32 or 64 bits.
const NARROW: u64 = 1 << 31;
const WIDE: u64 = 1 << 63;

/// The results of the passes so far.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Passes {
    /// The result of the first pass.
    plan: Option<Plan>,
    /// The results of the others.
    residues: Residues,
}

/// An upper bound of the count, and primes whose product exceeds it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Plan {
    bound: Natural,
    primes: Vec<u64>,
}

impl Plan {
    /// Chooses as few primes as possible, below 2⁶³ if `is_wide` is set, and otherwise below 2³¹.
    fn new(bound: Natural, is_wide: bool) -> Self {
        let mut product = Natural::from(1_u32);
        let is_needed = |&prime: &u64| {
            let is_needed = product <= bound;
            product *= &Natural::from(prime);
            is_needed
        };
        let primes = primes_below(if is_wide { WIDE } else { NARROW });
        let primes = primes.take_while(is_needed).collect();
        Plan { bound, primes }
    }
}

impl Passes {
    /// Returns the number of the current pass, and that of all if it is known.
    pub(crate) fn current(&self) -> Pass {
        let of = self.plan.as_ref().map(|plan| 1 + plan.primes.len() as u32);
        let number = of.map_or(1, |_| 2 + self.residues.moduli().len() as u32);
        Pass { number, of }
    }

    /// Checks passes that were read from a file.
    ///
    /// # Errors
    /// Returns a description if no run can have written them.
    #[cfg(feature = "serde")]
    pub(crate) fn check(&self) -> Result<(), String> {
        let Passes { plan, residues } = self;
        // A damaged bound might require more primes than there is time for.
        if plan.as_ref().is_some_and(|plan| plan.bound > RoundedUp::MAX.to_natural()) {
            return Err("found a bound of the count that exceeds the largest one".to_owned());
        }
        let primes = plan.as_ref().map_or(&[][..], |plan| &plan.primes);
        let planned = plan.as_ref().map(|plan| {
            let is_wide = primes.first().is_some_and(|&prime| prime > NARROW);
            Plan::new(plan.bound.clone(), is_wide).primes
        });
        if primes.starts_with(residues.moduli()) && planned.is_none_or(|planned| planned == primes)
        {
            return Ok(());
        }
        Err(format!("found residues modulo {:?}, expected {primes:?}", residues.moduli()))
    }
}

/// Saves the results of the passes together with each layer, and restores them. By default nothing
/// is saved.
#[allow(unused_variables, reason = "parameters of methods that do nothing by default")]
pub trait PassSaver {
    /// Returns the saved results to resume from, if there are any.
    fn saved_passes(&mut self) -> Result<Option<Passes>, Stop> {
        Ok(None)
    }

    /// Announces the pass that follows these results.
    fn begin_pass(&mut self, passes: &Passes) {}
}

/// A sweep that can be repeated with other algebras.
pub(crate) trait SweepInPasses {
    /// Returns the results of the passes to resume from, if there are any.
    fn saved_passes(&mut self) -> Result<Option<Passes>, Stop>;

    /// Prepares for the pass that follows these results.
    fn begin_pass(&mut self, passes: &Passes);

    /// Returns an upper bound of the count.
    fn bound(&mut self) -> Result<RoundedUp, Stop>;

    /// Returns whether the values of a pass may have 64 bits instead of 32, judging by the memory
    /// that the first pass took.
    fn has_memory_for_wide_residues(&self) -> bool;

    /// Returns the count modulo `prime`.
    fn residue(&mut self, prime: u64) -> Result<u64, Stop>;
}

crate::plug::executor::all_of! {
    /// A sweeper for all passes.
    SweeperInPasses:
        Sweeper<S, RoundedUp> + Reduce<RoundedUp>
            + Sweeper<S, [u64; 1]> + Reduce<[u64; 1]> + PassSaver
}

/// A count in passes with hash tables.
impl<P, H, K> SweepInPasses for SweepRun<'_, '_, P, H, K>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    K: SweeperInPasses<P::State>,
{
    fn saved_passes(&mut self) -> Result<Option<Passes>, Stop> {
        self.sweeper.saved_passes()
    }

    fn begin_pass(&mut self, passes: &Passes) {
        self.stats.begin_pass(passes.current());
        self.sweeper.begin_pass(passes);
    }

    fn bound(&mut self) -> Result<RoundedUp, Stop> {
        Ok(self.total_under(&Counting::<RoundedUp>::new())?.unwrap_or(RoundedUp::ZERO))
    }

    /// Narrow residues would save nothing beside states of 64 bits, because entries are aligned.
    fn has_memory_for_wide_residues(&self) -> bool {
        true
    }

    fn residue(&mut self, prime: u64) -> Result<u64, Stop> {
        let modulo = Modulo::new([prime]).map_err(|_| Stop::CountOverflow)?;
        Ok(self.total_under(&modulo)?.map_or(0, |[residue]| residue))
    }
}

/// Counts in passes.
///
/// The first pass sums up numbers of 32 bits that are [rounded up](RoundedUp). Since extending
/// changes no number and merging gives at least the sum, the result is an upper bound of the count,
/// whatever the order of merging. The product of the moduli of the other passes exceeds the bound,
/// so that the remainders determine the count.
///
/// If they determine no number up to the bound, the passes have not swept the same problem. The
/// reason is then [`Stop::CountOverflow`].
pub(crate) fn count_in_passes(sweep: &mut impl SweepInPasses) -> Result<Natural, Stop> {
    let mut passes = sweep.saved_passes()?.unwrap_or_default();
    let plan = match passes.plan.take() {
        Some(plan) => plan,
        None => {
            sweep.begin_pass(&passes);
            let bound = sweep.bound()?.to_natural();
            Plan::new(bound, sweep.has_memory_for_wide_residues())
        }
    };
    passes.plan = Some(plan.clone());
    for &prime in &plan.primes[passes.residues.moduli().len()..] {
        sweep.begin_pass(&passes);
        let residue = sweep.residue(prime)?;
        passes.residues.add(prime, residue).map_err(|_| Stop::CountOverflow)?;
    }
    passes.residues.at_most(&plan.bound).cloned().ok_or(Stop::CountOverflow)
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn passes_that_no_run_has_written_are_refused() {
        let plan = |bound: Natural| Plan::new(bound, true);
        let passes = |plan| Passes { plan: Some(plan), residues: Residues::default() };
        assert_eq!(Passes::default().check(), Ok(()));
        assert_eq!(passes(plan(Natural::from(1_u32 << 31))).check(), Ok(()));
        let missing = Plan { primes: Vec::new(), ..plan(Natural::from(7_u32)) };
        assert!(passes(missing).check().is_err());
        let largest = RoundedUp::MAX.to_natural();
        let excessive = Plan { bound: largest + Natural::from(1_u32), primes: Vec::new() };
        let message = passes(excessive).check().expect_err("an excessive bound");
        assert!(message.contains("exceeds the largest one"), "{message}");
    }
}

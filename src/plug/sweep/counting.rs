//! The operations of [`Sweep`] that count: in up to 128 bits, in numbers of any size, modulo a
//! number, or just whether there is a solution.

use super::widening::{Stage, Widening};
use super::{Sweep, questions};
#[cfg(feature = "bigint")]
use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::{Count, Found, Outcome, Total};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Limbs, ZeroModulus};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Executor, Question, Reduce, Sweeper};
use crate::plug::hook::SweepHooks;
use crate::plug::stats::SweepStats;

impl<P: ContourProblem, H: SweepHooks<P>> Sweep<'_, P, H> {
    /// Counts the solutions exactly. A count above 2¹²⁸ − 1 ends the sweep with
    /// [`Stop::CountOverflow`](crate::Stop::CountOverflow); [`count_natural`](Sweep::count_natural)
    /// has no such limit.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// assert_eq!(Sweep::new(&Row(0)).count().exact(), Some(1));
    /// assert_eq!(Sweep::new(&Row(10)).count().exact(), Some(144));
    ///
    /// let error = Sweep::new(&Row(200)).count().complete().unwrap_err();
    /// assert_eq!(error.cell(), Some(185)); // the layers before hold numbers of up to 128 bits
    /// assert!(error.to_string().starts_with("stopped in cell 186 of 200: count overflow"));
    /// ```
    pub fn count(self) -> Outcome<Count> {
        let Ok(outcome) = count(self);
        outcome
    }

    /// Counts the solutions exactly, in numbers of any size. Values begin with one word and grow as
    /// the counts do: a layer in which a value does not fit is computed again with wider ones. So a
    /// state takes no more memory than its layer needs.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let outcome = Sweep::new(&Row(200)).count_natural();
    /// let total = outcome.total().ok_or("stopped")?;
    /// assert_eq!(total.to_string(), "734544867157818093234908902110449296423351");
    /// # Ok::<(), &str>(())
    /// ```
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Outcome<Total<Natural>> {
        let Ok(outcome) = count_natural(self);
        outcome
    }

    /// Counts the solutions modulo `modulus`. A value takes one word, however large the count.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// assert_eq!(Sweep::new(&Row(10)).count_modulo(100)?.total(), Some(&44));
    /// # Ok::<(), secateurs::plug::algebra::ZeroModulus>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if `modulus` is 0.
    pub fn count_modulo(self, modulus: u64) -> Result<Outcome<Total<u64>>, ZeroModulus> {
        let Ok(outcome) = questions::count_modulo(self, modulus)?;
        Ok(outcome)
    }

    /// Decides whether there is a solution.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// assert_eq!(Sweep::new(&Row(1000)).exists().exists(), Some(true));
    /// ```
    pub fn exists(self) -> Outcome<Found<()>> {
        let Ok(outcome) = questions::exists(self);
        outcome
    }
}

/// The question of a count in up to two words.
const COUNT: &str = "count up to 128 bits";
/// The question of a count in numbers of any size.
#[cfg(feature = "bigint")]
const COUNT_NATURAL: &str = "count";

/// Counts the solutions in up to 128 bits.
pub(crate) fn count<P, H, E>(executor: E) -> Result<Outcome<Count>, E::Error>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    E: Executor<P, H>,
    E::Sweeper: Sweeper<P::State, u64> + Sweeper<P::State, Limbs<2>> + Reduce<Limbs<2>>,
{
    let (counted, report) = executor.execute(COUNT, false, count_by)?;
    Ok(Outcome::new(Count::swept(counted.unwrap_or(0)), report))
}

/// Counts the solutions in numbers of any size.
#[cfg(feature = "bigint")]
pub(crate) fn count_natural<P, H, E>(executor: E) -> Result<Outcome<Total<Natural>>, E::Error>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    E: Executor<P, H>,
    E::Sweeper: Sweeper<P::State, u64>
        + Sweeper<P::State, u128>
        + Sweeper<P::State, Limbs<4>>
        + Sweeper<P::State, Limbs<8>>
        + Sweeper<P::State, Natural>
        + Reduce<Natural>,
{
    let (counted, report) = executor.execute(COUNT_NATURAL, false, count_natural_by)?;
    let total = Total::new(Some(counted.unwrap_or_default()), Effect::Preserving, &report);
    Ok(Outcome::new(total, report))
}

/// Counts in up to two words.
pub(super) fn count_by<P: ContourProblem, H: SweepHooks<P>, K>(
    problem: &P,
    hooks: &H,
    stats: &mut SweepStats<'_>,
    sweeper: &mut K,
) -> Result<u128, Stop>
where
    K: Sweeper<P::State, u64> + Sweeper<P::State, Limbs<2>> + Reduce<Limbs<2>>,
{
    let question = Question { name: COUNT.into(), widths: 2 };
    let mut run = Widening { problem, hooks, stats, question, width: 0, sweeper };
    // Two words rather than a `u128`, whose alignment would add padding to entries.
    let ended: Result<Option<Limbs<2>>, Stop> = Stage::begin()
        .sweep_or_widen(&mut run, |&number| Limbs::<2>::from(number))
        .sweep_or_widen(&mut run, Limbs::clone)
        .finish();
    Ok(ended?.map_or(0, |sum| sum.into()))
}

/// Counts in numbers of any size.
#[cfg(feature = "bigint")]
fn count_natural_by<P: ContourProblem, H: SweepHooks<P>, K>(
    problem: &P,
    hooks: &H,
    stats: &mut SweepStats<'_>,
    sweeper: &mut K,
) -> Result<Natural, Stop>
where
    K: Sweeper<P::State, u64>
        + Sweeper<P::State, u128>
        + Sweeper<P::State, Limbs<4>>
        + Sweeper<P::State, Limbs<8>>
        + Sweeper<P::State, Natural>
        + Reduce<Natural>,
{
    let question = Question { name: COUNT_NATURAL.into(), widths: 5 };
    let mut run = Widening { problem, hooks, stats, question, width: 0, sweeper };
    let ended = Stage::begin()
        .sweep_or_widen(&mut run, |&number| u128::from(number))
        .sweep_or_widen(&mut run, |&number| {
            Limbs::from_limbs([number as u64, (number >> 64) as u64, 0, 0])
        })
        .sweep_or_widen(&mut run, |number: &Limbs<4>| number.widen())
        .sweep_or_widen(&mut run, |number: &Limbs<8>| Natural::from(number))
        .sweep_or_widen(&mut run, Natural::clone)
        .finish();
    Ok(ended?.unwrap_or_default())
}

//! The operations of [`Sweep`] that count: in up to 128 bits, in numbers of any size, modulo a
//! number, or just whether there is a solution.

use super::Sweep;
use super::saving::{LayerSaver, Question, Unsaved};
use super::sweeper::{Local, Reduce, Sweeper};
use super::widening::{Stage, Widening};
#[cfg(feature = "bigint")]
use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::{Count, Found, Outcome, Total};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Feasible, Limbs, Modulo, ZeroModulus};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::stats::SweepStats;
#[cfg(feature = "bigint")]
use crate::report::Report;

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
        self.count_saved(&mut Unsaved)
    }

    pub(crate) fn count_saved<K>(self, saver: &mut K) -> Outcome<Count>
    where
        K: LayerSaver<P::State, u64> + LayerSaver<P::State, Limbs<2>>,
    {
        let (problem, hooks, threads, mut stats) = self.start();
        let ended = count_by(problem, &hooks, &mut stats, &mut Local { saver, threads });
        let stop = ended.err().unwrap_or(Stop::Exhausted);
        Outcome::new(Count::swept(ended.unwrap_or(0)), stats.into_report(stop, false))
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
        self.count_natural_saved(&mut Unsaved)
    }

    #[cfg(feature = "bigint")]
    pub(crate) fn count_natural_saved<K>(self, saver: &mut K) -> Outcome<Total<Natural>>
    where
        K: LayerSaver<P::State, u64>
            + LayerSaver<P::State, u128>
            + LayerSaver<P::State, Limbs<4>>
            + LayerSaver<P::State, Limbs<8>>
            + LayerSaver<P::State, Natural>,
    {
        let (problem, hooks, threads, mut stats) = self.start();
        let ended = count_natural_by(problem, &hooks, &mut stats, &mut Local { saver, threads });
        let stop = ended.as_ref().err().copied().unwrap_or(Stop::Exhausted);
        natural(ended, stats.into_report(stop, false))
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
        let outcome = self.run(&Modulo::new([modulus])?);
        Ok(outcome.map_total(|residues| residues.map_or(0, |[residue]| residue)))
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
        let (total, report) = self.run(&Feasible).into_parts();
        Outcome::new(Found::new(total.into_sum(), &report), report)
    }
}

/// Counts in up to two words.
pub(crate) fn count_by<P: ContourProblem, H: SweepHooks<P>, K>(
    problem: &P,
    hooks: &H,
    stats: &mut SweepStats<'_>,
    sweeper: &mut K,
) -> Result<u128, Stop>
where
    K: Sweeper<P::State, u64> + Sweeper<P::State, Limbs<2>> + Reduce<Limbs<2>>,
{
    let question = Question { name: "count up to 128 bits".into(), widths: 2 };
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
pub(crate) fn count_natural_by<P: ContourProblem, H: SweepHooks<P>, K>(
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
    let question = Question { name: "count".into(), widths: 5 };
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

/// Returns the outcome of a count of any size.
#[cfg(feature = "bigint")]
pub(crate) fn natural(ended: Result<Natural, Stop>, report: Report) -> Outcome<Total<Natural>> {
    Outcome::new(Total::new(Some(ended.unwrap_or_default()), Effect::Preserving, &report), report)
}

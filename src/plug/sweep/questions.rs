//! The questions that a sweep answers, for all [executors](Executor).

use std::hash::Hash;

use super::Sweep;
#[cfg(feature = "bigint")]
use super::passes::{SweeperInPasses, count_in_passes};
use super::run::{accepted, joined};
#[cfg(feature = "bigint")]
use super::widening::Unlimited;
use super::widening::{Ladder, SweepIn, Swept, Types, UpTo128Bits, WideningSweep};
#[cfg(feature = "bigint")]
use crate::hook::Effect;
use crate::limits::Stop;
use crate::memory::{headroom, is_available};
use crate::outcome::{Count, Found, Outcome, Total, Uniqueness};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{
    Algebra, Counter, Counting, Feasible, Limbs, Modulo, Storable, UpTo, Widen, ZeroModulus,
};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{
    Executor, LayerAndCell, Question, Reduce, SweepRun, Sweeper, WholeLayers,
};
use crate::plug::hook::SweepHooks;
use crate::plug::layer::{Layer, Shards, count_bytes};
use crate::plug::step::{Clock, POLL_STATES};
use crate::report::Report;

/// The accepted states with their values.
type Ends<S, V> = Outcome<Vec<(S, V)>>;

/// The questions. With the executor [`InMemory`](crate::plug::InMemory), an answer is the outcome;
/// with any other [`Executor`], it is a result.
impl<P: ContourProblem, H: SweepHooks<P>, E: Executor<P, H>> Sweep<'_, P, H, E> {
    /// Returns the total of all solutions under `algebra`.
    pub fn run<A: Algebra<P>>(self, algebra: &A) -> E::Answer<Outcome<Total<A::Value>>>
    where
        E::Sweeper: Sweeper<P::State, A::Value> + Reduce<A::Value>,
    {
        E::answer(self.total(algebra))
    }

    fn total<A: Algebra<P>>(self, algebra: &A) -> Result<Outcome<Total<A::Value>>, E::Error>
    where
        E::Sweeper: Sweeper<P::State, A::Value> + Reduce<A::Value>,
    {
        let (sum, report) =
            self.ask(&Question::under(algebra), |mut run| run.total_under(algebra))?;
        let total = Total::new(sum.unwrap_or(None), algebra.tolerates(), &report);
        Ok(Outcome::new(total, report))
    }

    /// Runs the workers on a question.
    #[allow(clippy::type_complexity, reason = "the type of `Executor::execute`")]
    pub(crate) fn ask<T: Send>(
        self,
        question: &Question,
        work: impl Fn(SweepRun<'_, '_, P, H, E::Sweeper>) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), E::Error> {
        self.executor.execute(self.settings, question, work)
    }

    /// Returns the accepted states after the last cell with their values, in no particular order.
    /// The list is empty also if the sweep stopped early: see [`Outcome::complete`]. They must fit
    /// into memory. On a cluster, no process has all of them, so that it cannot answer this.
    pub fn ends<A: Algebra<P>>(self, algebra: &A) -> E::Answer<Ends<P::State, A::Value>>
    where
        E::Sweeper: Sweeper<P::State, A::Value> + WholeLayers,
    {
        let result = self.ask(&Question::under(algebra), |mut run| {
            let layer = run.last_layer(algebra)?;
            let heap = layer.iter().map(Layer::heap).sum();
            let (ends, states) = accepted(run.problem, run.stats.clock(), layer)?;
            run.stats.record_accepted(states);
            joined(ends, heap, run.stats)
        });
        E::answer(result.map(|(ends, report)| Outcome::new(ends.unwrap_or_default(), report)))
    }

    /// Counts the solutions exactly. A count above 2¹²⁸ − 1 ends the sweep with
    /// [`Stop::CountOverflow`]; [`count_natural`](Sweep::count_natural)
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
    pub fn count(self) -> E::Answer<Outcome<Count>> {
        let question = Question::count("count up to 128 bits", UpTo128Bits::TYPES);
        let result = self.ask(&question, |run| HashedCount::climb::<UpTo128Bits, Limbs<2>>(run));
        E::answer(result.map(|(counted, report)| {
            let sum = counted.ok().flatten();
            Outcome::new(Count::swept(sum.map_or(0, u128::from)), report)
        }))
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
    pub fn count_natural(self) -> E::Answer<Outcome<Total<Natural>>> {
        let question = Question::count("count", Unlimited::TYPES);
        let result = self.ask(&question, |run| HashedCount::climb::<Unlimited, Natural>(run));
        E::answer(result.map(|(counted, report)| {
            let sum = counted.ok().flatten().unwrap_or_default();
            Outcome::new(Total::new(Some(sum), Effect::Preserving, &report), report)
        }))
    }

    /// Counts the solutions exactly, in several sweeps one after the other whose values take one
    /// word, however large the count is. [`count_natural`](Sweep::count_natural) takes one sweep,
    /// with values as large as the counts.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let outcome = Sweep::new(&Row(200)).count_by_residues();
    /// let total = outcome.total().ok_or("stopped")?;
    /// assert_eq!(total.to_string(), "734544867157818093234908902110449296423351");
    /// // One pass bounds this number of 140 bits, and each of the others finds 63 of them.
    /// assert_eq!(outcome.report().passes(), Some(4));
    /// # Ok::<(), &str>(())
    /// ```
    ///
    /// The first pass computes an upper bound of the count, in numbers that are rounded up. The
    /// others count modulo primes whose product exceeds the bound. Their remainders thus determine
    /// the count, which is proven (Chinese remainder theorem; long counts of the literature were
    /// made in this way: Jensen and Guttmann, 1999).
    ///
    /// Limits apply to all passes together, except that of the depth. The time in the report is
    /// that of all passes; states, layers and cuts are those of the last pass. If the sweep is
    /// [saved](crate::plug::SweepCheckpoint), it is resumed within a pass or between two.
    ///
    /// There is no total if hooks lose solutions, because they may lose others in each pass. If a
    /// problem or a hook breaks its contract, so that no number up to the bound has these
    /// remainders, the reason to stop is [`Stop::CountOverflow`].
    #[cfg(feature = "bigint")]
    pub fn count_by_residues(self) -> E::Answer<Outcome<Total<Natural>>>
    where
        E::Sweeper: SweeperInPasses<P::State>,
    {
        let question = Question::count("count by residues", u32::MAX);
        let result = self.ask(&question, |mut run| count_in_passes(&mut run));
        E::answer(result.map(|(counted, report)| {
            // Hooks that lose solutions may lose others in each pass, so that there is no total.
            let count = counted.ok().filter(|_| report.effect() == Effect::Preserving);
            Outcome::new(Total::new(count, Effect::Preserving, &report), report)
        }))
    }

    /// Counts the solutions modulo `modulus`. A value takes one word, however large the count is.
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
    pub fn count_modulo(self, modulus: u64) -> Result<E::Answer<Outcome<Total<u64>>>, ZeroModulus> {
        let total = self.total(&Modulo::new([modulus])?);
        let count = |residues: Option<[u64; 1]>| residues.map_or(0, |[residue]| residue);
        Ok(E::answer(total.map(|outcome| outcome.map_total(count))))
    }

    /// Decides whether there is a solution.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// assert_eq!(Sweep::new(&Row(1000)).exists().exists(), Some(true));
    /// ```
    pub fn exists(self) -> E::Answer<Outcome<Found<()>>> {
        let found = |total: Total<()>, report: &Report| Found::new(total.into_sum(), report);
        E::answer(self.total(&Feasible).map(|outcome| outcome.map(found)))
    }

    /// Decides whether there is no solution, exactly one, or more. A value takes one byte, however
    /// many there are.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::Uniqueness;
    /// use secateurs::plug::Sweep;
    ///
    /// let numbers = [0, 1, 1000].map(|squares| *Sweep::new(&Row(squares)).is_unique().value());
    /// assert_eq!(numbers, [Uniqueness::One, Uniqueness::Several, Uniqueness::Several]);
    /// ```
    pub fn is_unique(self) -> E::Answer<Outcome<Uniqueness>> {
        let number = |sum: UpTo<2>| u128::from(sum.get());
        let count =
            |total: Total<UpTo<2>>, _: &Report| Count::swept(total.into_sum().map_or(0, number));
        let counted = self.total(&Counting::<UpTo<2>>::new());
        E::answer(counted.map(|outcome| Outcome::of_count(outcome.map(count))))
    }
}

/// A count with hash tables.
struct HashedCount<'a, 'p, P, H, K> {
    run: SweepRun<'a, 'p, P, H, K>,
    /// The number of types of the ladder so far.
    width: u32,
}

impl<'a, 'p, P: ContourProblem, H, K> HashedCount<'a, 'p, P, H, K> {
    /// Counts in the numbers of a [`Ladder`]. The sum over the accepted states has the type `N`;
    /// there is none if no state is accepted.
    fn climb<L: Ladder<Self, Option<N>>, N>(
        run: SweepRun<'a, 'p, P, H, K>,
    ) -> Result<Option<N>, Stop> {
        L::climb(&mut HashedCount { run, width: 0 }, None)
    }
}

impl<P: ContourProblem, H, K> WideningSweep for HashedCount<'_, '_, P, H, K> {
    type Layer<V> = LayerAndCell<P::State, V>;
}

impl<P, H, K, V, N> SweepIn<V, Option<N>> for HashedCount<'_, '_, P, H, K>
where
    P: ContourProblem,
    H: SweepHooks<P>,
    K: Sweeper<P::State, V> + Reduce<N>,
    V: Counter,
    N: Counter + From<V>,
{
    fn sweep(
        &mut self,
        layer: Option<Self::Layer<V>>,
    ) -> Result<Swept<Self::Layer<V>, Option<N>>, Stop> {
        self.run.sweeper.set_width(self.width);
        self.width += 1;
        self.run.count(layer, |run, layer| run.total_of(&Counting::<N>::new(), layer))
    }

    fn widen<W: Storable>(&mut self, layer: Self::Layer<V>) -> Result<Self::Layer<W>, Stop>
    where
        V: Widen<W>,
    {
        self.run.widen(layer)
    }
}

impl<P: ContourProblem, H: SweepHooks<P>, K> SweepRun<'_, '_, P, H, K> {
    /// Counts to the end, where `total` evaluates the last layer, or until a number does not fit:
    /// from a layer or, if there is none, from the first one or a saved one.
    pub(crate) fn count<V: Counter, T>(
        &mut self,
        layer: Option<LayerAndCell<P::State, V>>,
        total: impl FnOnce(&mut Self, Shards<P::State, V>) -> Result<T, Stop>,
    ) -> Result<Swept<LayerAndCell<P::State, V>, T>, Stop>
    where
        K: Sweeper<P::State, V>,
    {
        let counting = Counting::<V>::new();
        let begun = if layer.is_some() { layer } else { self.begin(&counting)? };
        let Some((mut layer, cell)) = begun else { return Ok(Swept::WiderValues) };
        let task = self.task(&counting);
        match self.sweeper.sweep(task, self.stats, &mut layer, cell) {
            Ok(()) => total(self, layer).map(Swept::Total),
            Err((cell, Stop::CountOverflow)) => Ok(Swept::TooNarrow((layer, cell))),
            Err((_, stop)) => Err(stop),
        }
    }

    /// Returns a layer with wider numbers. If there is no memory or time to widen it in memory, the
    /// layer is saved.
    pub(crate) fn widen<V: Widen<W>, W: Storable>(
        &mut self,
        (mut layer, cell): LayerAndCell<P::State, V>,
    ) -> Result<LayerAndCell<P::State, W>, Stop>
    where
        K: Sweeper<P::State, V>,
    {
        let SweepRun { stats, sweeper, .. } = self;
        stats.at_complete_layer();
        if let Some(wider) = sweeper.widen_elsewhere(stats, &mut layer)? {
            return Ok((wider, cell));
        }
        let max_bytes = sweeper.share_of_memory(stats.max_bytes());
        let mut bytes = count_bytes(&layer);
        let widened = widen(&layer, max_bytes, &mut bytes, stats.clock());
        let result = widened.as_ref().map(|_| ()).map_err(|&stop| stop);
        let agreed = sweeper.agree(stats, bytes, result);
        let wider = agreed.and(widened);
        if let Err(stop) = wider {
            sweeper.save(stats, &layer, Some(stop));
        }
        Ok((wider?, cell))
    }
}

/// Returns the layer with wider numbers. The original is left unchanged, because it may have to be
/// saved. On entry `bytes` holds the bytes of the original, and on return those of both layers.
fn widen<S: Copy + Eq + Hash, V: Widen<W>, W: Counter>(
    shards: &[Layer<S, V>],
    max_bytes: usize,
    bytes: &mut usize,
    clock: &Clock,
) -> Result<Shards<S, W>, Stop> {
    let widen_shard = |shard: &Layer<S, V>| {
        let mut entries = Vec::new();
        let needed = bytes.saturating_add(shard.len().saturating_mul(size_of::<(S, W)>()));
        if needed > max_bytes || entries.try_reserve_exact(shard.len()).is_err() {
            return Err(Stop::MemoryLimit);
        }
        *bytes = needed;
        for chunk in shard.entries().chunks(POLL_STATES) {
            clock.check()?;
            for (state, value) in chunk {
                let value = value.widen();
                *bytes = bytes.saturating_add(value.heap_bytes());
                if *bytes > max_bytes {
                    return Err(Stop::MemoryLimit);
                }
                entries.push((*state, value));
            }
            if !is_available(headroom(max_bytes)) {
                return Err(Stop::MemoryLimit);
            }
        }
        Ok(Layer::from_entries(entries))
    };
    shards.iter().map(widen_shard).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Cancel, Limits};
    use crate::plug::stats::SweepStats;
    use crate::plug::sweep::run::execute_here;

    /// A problem with two transitions per cell, and so 2^n solutions.
    struct Doubling;

    impl ContourProblem for Doubling {
        type State = ();
        type Label = ();

        fn cells(&self) -> usize {
            100
        }
        fn start(&self) {}
        fn step(&self, _: usize, (): (), emit: &mut impl FnMut((), ())) {
            emit((), ());
            emit((), ());
        }
        fn accept(&self, (): ()) -> bool {
            true
        }
    }

    /// A saver that cancels the sweep when a number does not fit. For each layer that it gets to
    /// save because the sweep stopped, it records the reason, the number of processed cells and the
    /// bytes of an entry.
    struct Canceller(Cancel, Vec<(Stop, usize, usize)>);

    impl<N> Reduce<N> for Canceller {}
    impl<V> Sweeper<(), V> for Canceller {
        fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<(), V>], stop: Option<Stop>) {
            if stop == Some(Stop::CountOverflow) {
                self.0.cancel();
            }
            let size = layer.first().and_then(|part| part.entries().first()).map_or(0, size_of_val);
            self.1.extend(
                stop.map(|stop| (stop, stats.report(stop, false).levels().len() - 1, size)),
            );
        }
    }

    #[test]
    fn cancellation_while_widening_saves_the_original_layer() {
        let cancel = Cancel::new();
        let saver = Canceller(cancel.clone(), Vec::new());
        let sweep = Sweep::new(&Doubling).limits(Limits::new().cancel(&cancel));
        let question = Question::count("a count", UpTo128Bits::TYPES);
        let (counted, _, saver) = execute_here(sweep.settings, saver, &question, |run| {
            HashedCount::climb::<UpTo128Bits, Limbs<2>>(run)
        });
        assert_eq!(counted, Err(Stop::Cancelled));
        // The numbers have one word, in the layer before the cell in which one does not fit.
        assert_eq!(saver.1, [(Stop::CountOverflow, 63, 8), (Stop::Cancelled, 63, 8)]);
    }
}

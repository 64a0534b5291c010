//! Counting in numbers that grow: a layer in which a number does not fit is computed again in wider
//! ones.
//!
//! A layer is as large as its values, and most layers of a sweep need few bits. So values begin
//! with one word. If a sum does not fit, the layer before it still exists; its values are widened,
//! and the cell is swept again.

use std::hash::Hash;

use super::run::accepted;
use crate::limits::Stop;
use crate::memory::{headroom, is_available};
use crate::plug::algebra::{Counter, Counting, Overflow};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Question, Reduce, Resumed, Sweeper};
use crate::plug::hook::SweepHooks;
use crate::plug::layer::{Layer, Shards, count_bytes};
use crate::plug::stats::SweepStats;
use crate::plug::step::{Clock, POLL_STATES, Task};

/// The parts of a count that do not change while numbers grow.
pub(crate) struct Widening<'a, 'p, P, H, K> {
    pub(crate) problem: &'a P,
    pub(crate) hooks: &'a H,
    pub(crate) stats: &'a mut SweepStats<'p>,
    pub(crate) question: Question,
    /// The number of types that were too narrow so far.
    pub(crate) width: u32,
    pub(crate) sweeper: &'a mut K,
}

/// The state of a count in numbers of the type `V`; the sum over the accepted states has the type
/// `N`.
pub(crate) enum Stage<S, V, N> {
    /// The sweep ended: with the sum, if any state is accepted, or at a limit.
    Ended(Result<Option<N>, Stop>),
    /// Nothing was swept in this run: the sweep begins, or resumes where it was saved.
    Waiting,
    /// A number did not fit in this cell. The layer before it has values of the type `V` now.
    Widened(Shards<S, V>, usize),
}

impl<S, N> Stage<S, u64, N> {
    /// Creates the state before the first cell, with numbers of one word.
    pub(crate) fn begin() -> Self {
        Stage::Waiting
    }
}

impl<S: Copy + Eq + Hash, V: Counter, N: Counter> Stage<S, V, N> {
    /// Sweeps to the end, or until a number does not fit in `V`. All numbers of the layer are then
    /// made `wider`.
    pub(crate) fn sweep_or_widen<P, H, K, W>(
        self,
        run: &mut Widening<'_, '_, P, H, K>,
        wider: impl Fn(&V) -> W,
    ) -> Stage<S, W, N>
    where
        P: ContourProblem<State = S>,
        H: SweepHooks<P>,
        K: Sweeper<S, V> + Reduce<N>,
        N: From<V>,
        W: Counter,
    {
        run.sweeper.set_width(run.width);
        run.width += 1;
        let (mut layer, cell) = match self {
            Stage::Ended(result) => return Stage::Ended(result),
            Stage::Widened(layer, cell) => (layer, cell),
            Stage::Waiting => match run.sweeper.resume(&run.question, run.stats) {
                Err(stop) => return Stage::Ended(Err(stop)),
                Ok(Resumed::Later) => return Stage::Waiting,
                Ok(Resumed::Layer(layer, cell)) => (layer, cell),
                Ok(Resumed::Nothing) => (run.sweeper.first_layer(run.problem.start(), V::one()), 0),
            },
        };
        let task = Task { problem: run.problem, hooks: run.hooks, algebra: &Counting::<V>::new() };
        match run.sweeper.sweep(task, run.stats, &mut layer, cell) {
            Ok(()) => {
                let own = accepted(run.problem, run.stats.clock(), layer).and_then(|ends| {
                    let accepted = ends.len() as u64;
                    let sum =
                        sum(ends.into_iter().map(|(_, value)| N::from(value)), run.stats.clock())?;
                    Ok((sum, accepted))
                });
                let merge = |sum: &mut N, number: N| Overflow::check(sum.add(&number));
                Stage::Ended(run.sweeper.reduce(run.stats, own, merge))
            }
            Err((cell, Stop::CountOverflow)) => {
                let widened = widen(&layer, wider, run.stats);
                let agreed = run.sweeper.agree(widened.as_ref().map(|_| ()).map_err(|&stop| stop));
                match agreed.and(widened) {
                    Ok(layer) => Stage::Widened(layer, cell),
                    Err(stop) => {
                        run.sweeper.save(run.stats, &layer, stop);
                        Stage::Ended(Err(stop))
                    }
                }
            }
            Err((_, stop)) => Stage::Ended(Err(stop)),
        }
    }

    /// Returns the sum. If the widest numbers were too narrow, that is an overflow.
    pub(crate) fn finish(self) -> Result<Option<N>, Stop> {
        match self {
            Stage::Ended(result) => result,
            Stage::Waiting | Stage::Widened(..) => Err(Stop::CountOverflow),
        }
    }
}

fn sum<N: Counter>(mut numbers: impl Iterator<Item = N>, clock: &Clock) -> Result<Option<N>, Stop> {
    let Some(mut sum) = numbers.next() else { return Ok(None) };
    for (index, number) in numbers.enumerate() {
        if index % POLL_STATES == POLL_STATES - 1 {
            clock.check()?;
        }
        if sum.add(&number) {
            return Err(Stop::CountOverflow);
        }
    }
    Ok(Some(sum))
}

/// Returns the layer with wider numbers. The original is left as it is, because it may have to be
/// saved.
fn widen<S: Copy + Eq + Hash, V, W: Counter>(
    shards: &[Layer<S, V>],
    wider: impl Fn(&V) -> W,
    stats: &mut SweepStats<'_>,
) -> Result<Shards<S, W>, Stop> {
    let mut bytes = count_bytes(shards);
    let part = |part: &Layer<S, V>| {
        let mut entries = Vec::new();
        bytes = bytes.saturating_add(part.len().saturating_mul(size_of::<(S, W)>()));
        let is_full = bytes > stats.max_bytes() || entries.try_reserve_exact(part.len()).is_err();
        if is_full {
            stats.broke_off(part.len(), 0);
            return Err(Stop::MemoryLimit);
        }
        for chunk in part.entries().chunks(POLL_STATES) {
            stats.clock().check()?;
            for (state, value) in chunk {
                let value = wider(value);
                bytes = bytes.saturating_add(value.heap_bytes());
                entries.push((*state, value));
            }
            if bytes > stats.max_bytes() || !is_available(headroom(stats.max_bytes())) {
                stats.broke_off(part.len(), 0);
                return Err(Stop::MemoryLimit);
            }
        }
        Ok(Layer::from_entries(entries))
    };
    let widened = shards.iter().map(part).collect();
    stats.record_bytes(bytes);
    widened
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Cancel, Limits};
    use crate::plug::Sweep;
    use crate::plug::stats::SweepStats;
    use crate::plug::sweep::counting::count_by;
    use crate::plug::sweep::run::LayerSaver;

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

    /// A saver that cancels the sweep when a number does not fit, and records what it gets to save.
    struct Canceller(Cancel, Vec<(Stop, usize, usize)>);

    impl<V> LayerSaver<(), V> for Canceller {
        fn set_width(&mut self, _: u32) {}
        fn resume(
            &mut self,
            _: &Question,
            _: &mut SweepStats<'_>,
            _: usize,
        ) -> Result<Resumed<Shards<(), V>>, Stop> {
            Ok(Resumed::Nothing)
        }
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
        let (counted, _, saver) = sweep.execute_saved(saver, false, count_by);
        assert_eq!(counted, Err(Stop::Cancelled));
        // The numbers have one word, in the layer before the cell in which one does not fit.
        assert_eq!(saver.1, [(Stop::CountOverflow, 63, 8), (Stop::Cancelled, 63, 8)]);
    }
}

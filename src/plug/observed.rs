//! Observers of a sweep: [`SweepObserver`], and hooks that report to one, [`ObservedSweep`].

use super::contour_problem::ContourProblem;
use super::hook::sealed::HookCalls;
use super::hook::{SweepHook, SweepHooks};
use super::step::Clock;
use crate::limits::Stop;

/// An observer of a sweep: it sees each complete layer, without the states that hooks have dropped.
///
/// The sweep and its report are the same as without it. A sweep on a cluster is not observed,
/// because no process sees the whole layer.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use secateurs::plug::{ContourProblem, ObservedSweep, Sweep, SweepObserver};
/// use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
///
/// /// The number of states of the widest layer.
/// #[derive(Default)]
/// struct Widest(AtomicUsize);
///
/// impl<P: ContourProblem> SweepObserver<P> for Widest {
///     fn layer(&self, _: &P, _: usize, states: &mut dyn Iterator<Item = P::State>) {
///         self.0.fetch_max(states.count(), Ordering::Relaxed);
///     }
/// }
///
/// let cycles = hamiltonian_cycles(&Grid::new(6, 6)?);
/// let widest = Widest::default();
/// let outcome = Sweep::new(&cycles).hooks(ObservedSweep::new(&widest, ())).count();
/// assert_eq!(outcome.exact(), Some(1072));
/// let nodes = outcome.report().levels().iter().map(|level| level.nodes as usize);
/// assert_eq!(Some(widest.0.into_inner()), nodes.max());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
pub trait SweepObserver<P: ContourProblem>: Sync {
    /// Called with the states of the layer after this many cells, in an unspecified order.
    fn layer(&self, problem: &P, cells: usize, states: &mut dyn Iterator<Item = P::State>);
}

impl<P: ContourProblem, O: SweepObserver<P>> SweepObserver<P> for &O {
    fn layer(&self, problem: &P, cells: usize, states: &mut dyn Iterator<Item = P::State>) {
        (**self).layer(problem, cells, states);
    }
}

/// A set of hooks of a sweep whose layers are reported to a [`SweepObserver`].
#[derive(Clone, Debug)]
pub struct ObservedSweep<O, H> {
    observer: O,
    hooks: H,
}

impl<O, H> ObservedSweep<O, H> {
    /// Plugs the observer in around a tuple of hooks, `()` if there are none.
    pub fn new(observer: O, hooks: H) -> Self {
        ObservedSweep { observer, hooks }
    }
}

impl<P, O, H> SweepHooks<P> for ObservedSweep<O, H>
where
    P: ContourProblem,
    O: SweepObserver<P>,
    H: SweepHooks<P>,
{
}

impl<P, O, H> HookCalls<P> for ObservedSweep<O, H>
where
    P: ContourProblem,
    O: SweepObserver<P>,
    H: SweepHooks<P>,
{
    fn hook(&self, index: usize) -> Option<&dyn SweepHook<P>> {
        self.hooks.hook(index)
    }

    #[inline]
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Option<usize> {
        self.hooks.enter(problem, cell, state)
    }

    fn thin(
        &self,
        problem: &P,
        cell: usize,
        (states, dropped): (&[P::State], &mut [bool]),
        covers: &mut dyn FnMut(usize, usize) -> bool,
        limits: (&Clock, usize),
        cuts: &mut [u64],
    ) -> Result<(), Stop> {
        self.hooks.thin(problem, cell, (states, &mut *dropped), covers, limits, cuts)?;
        let remaining = states.iter().zip(dropped).filter(|(_, dropped)| !**dropped);
        self.observer.layer(problem, cell + 1, &mut remaining.map(|(&state, _)| state));
        Ok(())
    }

    /// Returns false, because the observer must see every layer even without hooks.
    fn is_empty(&self) -> bool {
        false
    }
}

//! A set of hooks of a sweep that is recorded: [`RecordedSweep`].

use super::SweepRecording;
use crate::plug::{Clock, ContourProblem, HookCalls, SweepClaim, SweepHooks, Thinning};

/// A set of hooks of a sweep whose layers are sampled: what [`SweepRecording::of`] gives.
///
/// It asks the hooks as the sweep would, and passes on what they say; when a layer is complete and
/// thinned, it keeps some of the states that are left.
#[derive(Debug)]
pub struct RecordedSweep<'r, 'f, P: ContourProblem, H> {
    pub(super) recording: &'r SweepRecording<'f, P>,
    pub(super) hooks: H,
}

impl<P: ContourProblem, H: SweepHooks<P>> SweepHooks<P> for RecordedSweep<'_, '_, P, H> {}

impl<P: ContourProblem, H: SweepHooks<P>> HookCalls<P> for RecordedSweep<'_, '_, P, H> {
    fn claims(&self) -> Vec<SweepClaim> {
        self.hooks.claims()
    }

    #[inline]
    fn enter(&self, profile: &P, cell: usize, state: &mut P::State) -> Option<usize> {
        self.hooks.enter(profile, cell, state)
    }

    fn thin(
        &self,
        profile: &P,
        cell: usize,
        (states, dropped): (&[P::State], &mut [bool]),
        covers: &mut dyn FnMut(usize, usize) -> bool,
        clock: &Clock,
        cuts: &mut [u64],
    ) {
        self.hooks.thin(profile, cell, (states, &mut *dropped), covers, clock, cuts);
        let left = states.iter().zip(dropped).filter(|(_, dropped)| !**dropped);
        self.recording.sample(cell + 1, left.map(|(&state, _)| state));
    }

    /// Of a layer in parts nobody sees the whole: nothing is sampled.
    fn thin_by(
        &self,
        index: usize,
        profile: &P,
        cell: usize,
        is_part: bool,
        states: &mut Thinning<'_, P::State>,
    ) {
        self.hooks.thin_by(index, profile, cell, is_part, states);
    }

    /// There is the recording, at least, that is to see the layers.
    fn is_empty(&self) -> bool {
        false
    }
}

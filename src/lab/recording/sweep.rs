//! What the layers of a sweep hold, to be looked at: [`SweepRecording`].

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Mutex;

use rustc_hash::FxHasher;

use crate::plug::{Clock, ContourProblem, HookCalls, SweepClaim, SweepHooks, Thinning};

type Picture<'f, P> = Box<dyn Fn(&P, usize, <P as ContourProblem>::State) -> String + Sync + 'f>;

/// A record of a sweep: some states of each layer, to be drawn, beside what the
/// [report](crate::Report) says of all of them.
///
/// A sweep has no tree to be shown: ways that come to the same state are one from then on. What
/// there is to see is the contour, layer by layer: which plugs cross it, how they are connected,
/// and what hooks leave of the states. A recording keeps up to so many states of each layer, chosen
/// by their hash, so that they are the same ones however many threads there are.
///
/// ```
/// use secateurs::lab::SweepRecording;
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, Strands, hamiltonian_cycles};
///
/// let cycles = hamiltonian_cycles(&Grid::new(4, 4)?);
/// let recording = SweepRecording::new().picture(|cycles: &Strands, cells, state| cycles.state_svg(cells, state));
/// let outcome = Sweep::new(&cycles).hooks(recording.of(())).count();
/// assert_eq!(outcome.exact(), Some(6));
/// for (cells, level) in outcome.report().levels().iter().enumerate().skip(1) {
///     assert_eq!(recording.states(cells).len() as u64, level.nodes); // there are few: all are kept
/// }
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// Cost: nothing for a sweep that is not recorded; for one that is, a copy of the states of each
/// complete layer, and a hash of each.
pub struct SweepRecording<'f, P: ContourProblem> {
    most: usize,
    pub(super) picture: Option<Picture<'f, P>>,
    /// By layer: the states kept, in the order of their hashes.
    layers: Mutex<BTreeMap<usize, Vec<P::State>>>,
}

impl<P: ContourProblem> Default for SweepRecording<'_, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'f, P: ContourProblem> SweepRecording<'f, P> {
    /// So many states of a layer are kept unless told otherwise.
    pub const STATES: usize = 48;

    /// A recording of up to [48 states](SweepRecording::STATES) a layer, without pictures.
    #[must_use]
    pub fn new() -> Self {
        SweepRecording { most: Self::STATES, picture: None, layers: Mutex::default() }
    }

    /// Keeps up to so many states of each layer.
    #[must_use]
    pub fn state_limit(mut self, states: usize) -> Self {
        self.most = states;
        self
    }

    /// What a state looks like after so many cells: the text of an SVG file, or any other text. It
    /// is asked for when the page is made, and only for the states that were kept.
    #[must_use]
    pub fn picture(mut self, picture: impl Fn(&P, usize, P::State) -> String + Sync + 'f) -> Self {
        self.picture = Some(Box::new(picture));
        self
    }

    /// The hooks of a sweep, to be recorded: a tuple of them, `()` if there are none. What an
    /// earlier sweep left is forgotten.
    pub fn of<'r, H: SweepHooks<P>>(&'r self, hooks: H) -> RecordedSweep<'r, 'f, P, H> {
        self.layers().clear();
        RecordedSweep { recording: self, hooks }
    }

    /// The states kept of the layer after so many cells, in an order that depends on nothing but
    /// the states. None of layer 0, which has the [start](ContourProblem::start) only.
    #[must_use]
    pub fn states(&self, cells: usize) -> Vec<P::State> {
        self.layers().get(&cells).cloned().unwrap_or_default()
    }

    fn layers(&self) -> std::sync::MutexGuard<'_, BTreeMap<usize, Vec<P::State>>> {
        // Whatever panicked elsewhere: a layer is written in one go.
        self.layers.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Keeps those of the smallest hashes.
    fn sample(&self, cells: usize, states: impl Iterator<Item = P::State>) {
        let hashes = BuildHasherDefault::<FxHasher>::default();
        let mut kept: BinaryHeap<Hashed<P::State>> = BinaryHeap::new();
        for state in states {
            // An empty contour, whose word is 0, should be as likely as others.
            let hash = mixed(hashes.hash_one(state).wrapping_add(0x9e37_79b9_7f4a_7c15));
            if kept.len() < self.most {
                kept.push(Hashed(hash, state));
            } else if kept.peek().is_some_and(|largest| hash < largest.0) {
                kept.pop();
                kept.push(Hashed(hash, state));
            }
        }
        let states = kept.into_sorted_vec().into_iter().map(|Hashed(_, state)| state);
        self.layers().insert(cells, states.collect());
    }
}

/// A state by its hash. States are many, and hashes of 64 bits hardly ever the same.
struct Hashed<S>(u64, S);

impl<S> PartialEq for Hashed<S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<S> Eq for Hashed<S> {}

impl<S> PartialOrd for Hashed<S> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<S> Ord for Hashed<S> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

/// Spreads a hash over all bits, as the finish of SplitMix64 does (Steele, Lea and Flood 2014):
/// those of small words are not.
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

impl<P: ContourProblem> fmt::Debug for SweepRecording<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SweepRecording")
            .field("layers", &self.layers().len())
            .finish_non_exhaustive()
    }
}

/// A set of hooks of a sweep whose layers are sampled: what [`SweepRecording::of`] gives.
///
/// It asks the hooks as the sweep would, and passes on what they say; when a layer is complete and
/// thinned, it keeps some of the states that are left.
#[derive(Debug)]
pub struct RecordedSweep<'r, 'f, P: ContourProblem, H> {
    recording: &'r SweepRecording<'f, P>,
    hooks: H,
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

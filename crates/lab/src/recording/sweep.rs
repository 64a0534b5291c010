//! Recordings of sweeps: [`SweepRecording`].

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Mutex;

use rustc_hash::FxHasher;
use secateurs::plug::{ContourProblem, ObservedSweep, SweepHooks, SweepObserver};

type Picture<'f, P> = Box<dyn Fn(&P, usize, <P as ContourProblem>::State) -> String + Sync + 'f>;

/// A recording of a sweep: a sample of the states of each layer, to be drawn together with the data
/// of the [report](secateurs::Report).
///
/// A sweep has no tree, because ways to the same state are merged. A recording shows the contour,
/// layer by layer: which plugs cross it, how they are connected, and what hooks drop. It keeps a
/// limited number of states per layer, selected by their hash, so that the sample does not depend
/// on the number of threads.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_lab::SweepRecording;
/// use secateurs_problems::catalogue::{Grid, Strands, hamiltonian_cycles};
///
/// let cycles = hamiltonian_cycles(&Grid::new(4, 4)?);
/// let recording = SweepRecording::new().picture(Strands::state_svg);
/// let outcome = Sweep::new(&cycles).hooks(recording.of(())).count();
/// assert_eq!(outcome.exact(), Some(6));
/// for (cells, level) in outcome.report().levels().iter().enumerate().skip(1) {
///     assert_eq!(recording.states(cells).len() as u64, level.nodes); // few enough to keep all
/// }
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// A sweep that is not recorded costs nothing extra. Recording costs a pass over the states of each
/// complete layer and a hash of each.
pub struct SweepRecording<'f, P: ContourProblem> {
    state_limit: usize,
    pub(super) picture: Option<Picture<'f, P>>,
    /// The sampled states by layer, ordered by hash. The lock protects the map, because the threads
    /// of a sweep share its hooks.
    layers: Mutex<BTreeMap<usize, Vec<P::State>>>,
}

impl<P: ContourProblem> Default for SweepRecording<'_, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'f, P: ContourProblem> SweepRecording<'f, P> {
    /// The default number of states per layer.
    pub const STATES: usize = 48;

    /// Creates a recording of up to [48 states](SweepRecording::STATES) per layer, without
    /// pictures.
    #[must_use]
    pub fn new() -> Self {
        SweepRecording { state_limit: Self::STATES, picture: None, layers: Mutex::default() }
    }

    /// Sets the maximal number of states per layer.
    #[must_use]
    pub fn state_limit(mut self, states: usize) -> Self {
        self.state_limit = states;
        self
    }

    /// Sets how states are drawn. The function receives the problem, the number of swept cells and
    /// the state, and returns the text of an SVG file, or any other text. It is called when the
    /// page is made, for the sampled states only.
    #[must_use]
    pub fn picture(mut self, picture: impl Fn(&P, usize, P::State) -> String + Sync + 'f) -> Self {
        self.picture = Some(Box::new(picture));
        self
    }

    /// Wraps the hooks of a sweep to record it: a tuple of hooks, `()` if there are none. Data of
    /// an earlier sweep is discarded.
    pub fn of<H: SweepHooks<P>>(&self, hooks: H) -> ObservedSweep<&Self, H> {
        self.layers().clear();
        ObservedSweep::new(self, hooks)
    }

    /// Returns the sampled states of the layer after this many cells, in an order that depends only
    /// on the states. Empty for layer 0, which contains only the [start](ContourProblem::start).
    #[must_use]
    pub fn states(&self, cells: usize) -> Vec<P::State> {
        self.layers().get(&cells).cloned().unwrap_or_default()
    }

    fn layers(&self) -> std::sync::MutexGuard<'_, BTreeMap<usize, Vec<P::State>>> {
        // A poisoned lock is harmless, because each layer is inserted in one step.
        self.layers.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Stores a sample of the states of a layer: those with the smallest hashes.
    fn sample(&self, cells: usize, states: impl Iterator<Item = P::State>) {
        let hashes = BuildHasherDefault::<FxHasher>::default();
        // The largest hash is on top. Collisions of 64-bit hashes are negligible.
        let mut kept: BinaryHeap<(u64, usize)> = BinaryHeap::new();
        let mut sample = Vec::new();
        for state in states {
            // The offset gives an empty contour, whose word hashes to 0, the same chance as others.
            let hash = mix(hashes.hash_one(state).wrapping_add(0x9e37_79b9_7f4a_7c15));
            if sample.len() < self.state_limit {
                kept.push((hash, sample.len()));
                sample.push(state);
            } else if let Some(mut largest) = kept.peek_mut()
                && hash < largest.0
            {
                sample[largest.1] = state;
                largest.0 = hash;
            }
        }
        let states = kept.into_sorted_vec().into_iter().map(|(_, place)| sample[place]);
        self.layers().insert(cells, states.collect());
    }
}

/// Mixes all bits of a hash with the finaliser of SplitMix64 (Steele, Lea and Flood 2014), because
/// hashes of small words are not spread evenly.
fn mix(hash: u64) -> u64 {
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

/// Samples the states that hooks have left of each complete layer.
impl<P: ContourProblem> SweepObserver<P> for SweepRecording<'_, P> {
    fn layer(&self, _: &P, cells: usize, states: &mut dyn Iterator<Item = P::State>) {
        self.sample(cells, states);
    }
}

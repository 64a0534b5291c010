//! The interface between sweeps and their executors: threads of this process, a sweep that is saved
//! in a file or whose layers go to disk, and a cluster.
//!
//! An [`Executor`] runs a question: it hands each of its workers a [`Sweeper`], by which the
//! question computes its layers. A worker that owns only a part of each layer computes it with a
//! [`PartStep`]. All parts together equal the layer that a single worker would compute.
//!
//! Modules outside of this engine import its internals from here only.

use std::borrow::Cow;

#[cfg(feature = "timely")]
pub(crate) use super::checkpoint::{
    Failure, Head, LoadedShards, illegal_state, inconsistent, open_layer, read_entries, write_layer,
};
pub(crate) use super::layer::{Layer, Shards};
#[cfg(feature = "timely")]
pub(crate) use super::layer::{first_layer, hash, part::PartStep, shard};
pub(crate) use super::stats::SweepStats;
use super::stats::SweepWatcher;
#[cfg(feature = "timely")]
pub(crate) use super::step::Clock;
#[cfg(feature = "timely")]
pub(crate) use super::step::StepCount;
pub(crate) use super::step::Task;
use crate::digest::Digest;
use crate::limits::{Limits, Stop};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Algebra, Limbs, UpTo};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::widen::{Storable, Widen};
use crate::report::Report;

/// The part of a [`Sweep`](crate::plug::Sweep) that says in which processes it runs, and where its
/// layers are.
///
/// | executor | created by | the answer to a question |
/// |---|---|---|
/// | [`InMemory`] | `Sweep::new` | an outcome |
/// | `Saved` (feature `serde`) | `Sweep::checkpoint`, `Sweep::resume` | a result, with a `LoadError` |
/// | `Spilled` (feature `serde`) | `Sweep::spill` | a result, with a `SpillError` |
/// | `OnCluster` (feature `timely`) | `Sweep::on` | a result, with a `ClusterError` |
///
/// Each question is a method of `Sweep`, for all executors. The trait is sealed: it cannot be
/// implemented in other crates.
pub trait Executor<P: ContourProblem, H: SweepHooks<P>>: Execute<P, H> {
    /// The answer to a question whose outcome is a `T`: that itself, or a result if the executor
    /// can fail.
    type Answer<T>;

    /// Creates the answer to a question.
    fn answer<T>(result: Result<T, Self::Error>) -> Self::Answer<T>;
}

/// The executor of a sweep in this process, with two layers in memory.
#[derive(Clone, Copy, Debug)]
pub struct InMemory;

/// The settings of a sweep that all executors need.
#[derive(Debug)]
pub struct SweepSettings<'p, P, H> {
    pub(crate) problem: &'p P,
    pub(crate) hooks: H,
    pub(crate) limits: Limits,
    pub(crate) threads: usize,
    pub(crate) watcher: Option<SweepWatcher<'p>>,
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> SweepSettings<'p, P, H> {
    /// Returns the problem, the hooks and the threads of the sweep, and its statistics.
    pub(crate) fn start(self) -> (&'p P, H, usize, SweepStats<'p>) {
        let stats =
            SweepStats::new(self.limits, self.watcher, self.problem.cells(), self.hooks.claims());
        (self.problem, self.hooks, self.threads, stats)
    }
}

/// The workers that run the sweeps of an [`Executor`].
pub trait Execute<P: ContourProblem, H: SweepHooks<P>>: Sized {
    /// The type that computes the layers in each worker.
    type Sweeper: SweeperOfCounts<P::State>;
    /// The reason why there is no outcome.
    type Error;

    /// Runs `work` in each worker. All workers return the same result; it comes with the report.
    /// `reads_labels` says whether the values of the question depend on labels.
    fn execute<T: Send>(
        self,
        settings: SweepSettings<'_, P, H>,
        question: &QuestionId,
        reads_labels: bool,
        work: impl Fn(&P, &H, &mut SweepStats<'_>, &mut Self::Sweeper) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), Self::Error>;
}

/// The identity of a question: its name, and the digest of its data, such as weights. The name and
/// the digest of [`Algebra`] identify the total under it.
#[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "used only for files"))]
#[derive(Clone, Debug)]
pub struct QuestionId {
    name: Cow<'static, str>,
    /// `None` if the question has data and has not stated them.
    parameters: Option<Digest>,
}

impl QuestionId {
    /// Creates the identity of a question whose data, if it has any, are part of its name.
    pub(crate) fn named(name: impl Into<Cow<'static, str>>) -> Self {
        QuestionId { name: name.into(), parameters: Some(Digest::NONE) }
    }

    /// Creates the identity of the question for the total under an algebra.
    pub(crate) fn under<P: ContourProblem>(algebra: &impl Algebra<P>) -> Self {
        QuestionId { name: algebra.name(), parameters: algebra.parameters() }
    }

    /// Returns the text that identifies the question in files and between processes.
    ///
    /// # Errors
    /// Returns a description of the question for an error message if it has not stated its data.
    #[cfg(feature = "serde")]
    pub(crate) fn text(&self) -> Result<String, String> {
        match self.parameters {
            Some(Digest::NONE) => Ok(self.name.clone().into_owned()),
            Some(parameters) => Ok(format!("{} of parameters {parameters}", self.name)),
            None => Err(format!("the question `{}`", self.name)),
        }
    }
}

/// The question that a sweep answers, which identifies the values of a saved layer.
#[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "used only for files"))]
#[derive(Debug)]
pub struct Question {
    pub(crate) id: QuestionId,
    /// The number of types that the values may have, one after another as they grow.
    pub(crate) value_types: u32,
}

/// The rules by which the loader of a saved layer checks its entries.
#[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "used only for files"))]
#[expect(missing_debug_implementations, reason = "other crates cannot name it")]
pub struct EntryRules<'a, S, V> {
    /// Returns whether a state may be one before this cell.
    pub(crate) is_legal: &'a dyn Fn(usize, S) -> bool,
    /// Returns the bytes of heap that a value owns.
    pub(crate) heap_bytes: &'a dyn Fn(&V) -> usize,
}

/// The point from which a sweep continues.
#[derive(Debug)]
pub enum Resumed<L> {
    /// Nothing was saved: the sweep begins at the start.
    Nothing,
    /// The saved layer has values of a wider type, a later one of the [`Question`].
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only read from files"))]
    WiderValues,
    /// The sweep continues with this layer, before this cell. Its statistics are restored.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only read from files"))]
    Layer(L, usize),
}

/// Computes layers of states `S` with values `V`. The layers that it takes and returns are whole
/// ones, or the parts that this worker owns; the [`SweepStats`] are those of the whole. If there
/// are several workers, each makes the same calls in the same order.
pub trait Sweeper<S, V> {
    /// Sets the index of the type that values have from now on.
    fn set_width(&mut self, width: u32);

    /// Returns the point from which the sweep continues.
    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        entries: &EntryRules<'_, S, V>,
    ) -> Result<Resumed<Shards<S, V>>, Stop>;

    /// Returns the first layer, which holds only the start.
    fn first_layer(&self, start: S, one: V) -> Shards<S, V>;

    /// Sweeps from `cell` to the end. After an error `layer` is the last complete one. The error
    /// consists of the cell after it and the reason to stop.
    fn sweep<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        cell: usize,
    ) -> Result<(), (usize, Stop)>;

    /// Returns the share of `max_bytes`, the limit of all workers, that the layers of this worker
    /// may take.
    fn share_of_memory(&self, max_bytes: usize) -> usize;

    /// Returns the layer with wider numbers if it is not in memory, or would not fit. By default,
    /// it is widened in memory.
    fn widen_elsewhere<W: Storable>(
        &mut self,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
    ) -> Result<Option<Shards<S, W>>, Stop>
    where
        V: Widen<W>,
    {
        let _ = (stats, layer);
        Ok(None)
    }

    /// Agrees on one reason to stop if any worker has one. Records the bytes of the layers of all
    /// workers, given those of this one.
    fn agree(
        &mut self,
        stats: &mut SweepStats<'_>,
        bytes: usize,
        result: Result<(), Stop>,
    ) -> Result<(), Stop>;

    /// Saves the last complete layer of a sweep that stopped for this reason.
    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Stop);
}

/// Reduces the sums of all workers to one, in values of type `N`.
pub trait Reduce<N> {
    /// Records the accepted states of this worker if it is the only one. If there are others,
    /// [`reduce`](Reduce::reduce) records those of all.
    fn record_accepted(&self, stats: &mut SweepStats<'_>, accepted: u64) {
        let _ = (stats, accepted);
    }

    /// Returns the sum over all workers, given that of this worker and its number of accepted
    /// states. The number of all accepted states is recorded.
    fn reduce(
        &mut self,
        stats: &mut SweepStats<'_>,
        own: Result<(Option<N>, u64), Stop>,
        merge: impl FnMut(&mut N, N) -> Result<(), Stop>,
    ) -> Result<Option<N>, Stop>;
}

/// A sweeper whose layers are whole ones, because it is the only worker.
pub trait WholeLayers {}

/// A sweeper for the values of the questions that need no algebra of the caller's.
#[cfg(feature = "bigint")]
pub trait SweeperOfCounts<S>:
    SweeperOfWords<S>
    + Sweeper<S, u128>
    + Sweeper<S, Limbs<4>>
    + Sweeper<S, Limbs<8>>
    + Sweeper<S, Natural>
    + Reduce<Natural>
{
}

#[cfg(feature = "bigint")]
impl<S, K> SweeperOfCounts<S> for K where
    K: SweeperOfWords<S>
        + Sweeper<S, u128>
        + Sweeper<S, Limbs<4>>
        + Sweeper<S, Limbs<8>>
        + Sweeper<S, Natural>
        + Reduce<Natural>
{
}

#[cfg(not(feature = "bigint"))]
pub use SweeperOfWords as SweeperOfCounts;

/// The [`SweeperOfCounts`] of values up to 128 bits.
pub trait SweeperOfWords<S>:
    Sweeper<S, ()>
    + Reduce<()>
    + Sweeper<S, UpTo<2>>
    + Reduce<UpTo<2>>
    + Sweeper<S, [u64; 1]>
    + Reduce<[u64; 1]>
    + Sweeper<S, u64>
    + Sweeper<S, Limbs<2>>
    + Reduce<Limbs<2>>
{
}

impl<S, K> SweeperOfWords<S> for K where
    K: Sweeper<S, ()>
        + Reduce<()>
        + Sweeper<S, UpTo<2>>
        + Reduce<UpTo<2>>
        + Sweeper<S, [u64; 1]>
        + Reduce<[u64; 1]>
        + Sweeper<S, u64>
        + Sweeper<S, Limbs<2>>
        + Reduce<Limbs<2>>
{
}

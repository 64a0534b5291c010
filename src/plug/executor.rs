//! The interface between sweeps and their executors: threads of this process, a sweep that is saved
//! in a file or whose layers go to disk, and a cluster.
//!
//! An [`Executor`] runs a question: it hands each of its workers a [`SweepRun`], whose [`Sweeper`]
//! computes the layers. A worker or a thread that owns only a part of each layer computes it with a
//! [`PartStep`]. All parts together equal the layer that a single worker would compute.
//!
//! Modules outside of this engine import its internals from here only.

use std::borrow::Cow;
use std::hash::Hash;

#[cfg(feature = "timely")]
pub(crate) use super::checkpoint::{
    BLOCK, EntryReader, Failure, Head, LoadedShards, illegal_state, inconsistent, open_layer,
    write_layer,
};
use super::layer::advance::advance;
use super::layer::recount_heap;
pub(crate) use super::layer::{Layer, Shards, first_layer};
#[cfg(feature = "timely")]
pub(crate) use super::layer::{hash, part::PartStep, shard};
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
use crate::plug::algebra::{Algebra, Limbs, Storable, UpTo, Widen};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
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
pub trait Executor<P: ContourProblem, H: SweepHooks<P>>: Sized {
    /// The answer to a question whose outcome is a `T`: that itself, or a result if the executor
    /// can fail.
    type Answer<T>;

    /// The type that computes the layers in each worker.
    #[doc(hidden)]
    type Sweeper: SweeperOfCounts<P::State>;
    /// The reason why there is no outcome.
    #[doc(hidden)]
    type Error;

    /// Runs `work` in each worker. All workers return the same result; it comes with the report.
    #[doc(hidden)]
    fn execute<T: Send>(
        self,
        settings: SweepSettings<'_, P, H>,
        question: &Question,
        work: impl Fn(SweepRun<'_, '_, P, H, Self::Sweeper>) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), Self::Error>;

    /// Creates the answer to a question.
    #[doc(hidden)]
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
    /// Returns the problem and the hooks of the sweep, and its statistics.
    pub(crate) fn start(self) -> (&'p P, H, SweepStats<'p>) {
        let SweepSettings { problem, hooks, limits, threads, watcher } = self;
        let stats = SweepStats::new(limits, threads, watcher, problem.cells(), hooks.claims());
        (problem, hooks, stats)
    }
}

/// A complete layer, and the cell after it.
pub(crate) type LayerAndCell<S, V> = (Shards<S, V>, usize);

/// The work of one worker on a question.
#[expect(missing_debug_implementations, reason = "other crates cannot name it")]
pub struct SweepRun<'a, 'p, P, H, K> {
    pub(crate) problem: &'a P,
    pub(crate) hooks: &'a H,
    pub(crate) stats: &'a mut SweepStats<'p>,
    pub(crate) sweeper: &'a mut K,
    pub(crate) question: &'a Question,
}

impl<'a, P: ContourProblem, H, K> SweepRun<'a, '_, P, H, K> {
    /// Returns the task to sweep under an algebra.
    pub(crate) fn task<'t, A>(&self, algebra: &'t A) -> Task<'t, P, H, A>
    where
        'a: 't,
    {
        Task { problem: self.problem, hooks: self.hooks, algebra }
    }

    /// Returns the layer to begin with, and the cell after it: the first layer or a saved one.
    /// Returns `None` if the saved one has wider values.
    #[allow(clippy::type_complexity, reason = "it is named by its parts")]
    pub(crate) fn begin<A: Algebra<P>>(
        &mut self,
        algebra: &A,
    ) -> Result<Option<LayerAndCell<P::State, A::Value>>, Stop>
    where
        K: Sweeper<P::State, A::Value>,
    {
        let problem = self.problem;
        let entries = EntryRules {
            is_legal: &|cell: usize, state| {
                let fits = cell.checked_sub(1).is_none_or(|last| problem.fits(last).is_ok());
                fits && problem.is_legal(cell, state)
            },
            heap_bytes: &|value| algebra.heap_bytes(value),
        };
        Ok(match self.sweeper.resume(self.question, self.stats, &entries)? {
            Resumed::Nothing => Some((self.first_layer(algebra), 0)),
            Resumed::WiderValues => None,
            Resumed::Layer(layer, cell) => Some((layer, cell)),
        })
    }

    /// Returns the first layer, which holds only the start.
    pub(crate) fn first_layer<A: Algebra<P>>(&self, algebra: &A) -> Shards<P::State, A::Value>
    where
        K: Sweeper<P::State, A::Value>,
    {
        self.sweeper.first_layer(self.stats, self.problem.start(), algebra.one())
    }
}

/// The question that a sweep answers: its name, and the digest of its data, such as weights, which
/// identify it and the values of a saved layer.
#[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "used only for files"))]
#[derive(Clone, Debug)]
pub struct Question {
    name: Cow<'static, str>,
    /// `None` if the question has data and has not stated them.
    parameters: Option<Digest>,
    /// The number of types that the values may have, one after another as they grow.
    pub(crate) value_types: u32,
    /// Whether the values depend on labels.
    pub(crate) reads_labels: bool,
}

impl Question {
    /// Creates a question for a count whose data, if it has any, are part of its name.
    pub(crate) fn count(name: impl Into<Cow<'static, str>>, value_types: u32) -> Self {
        let parameters = Some(Digest::NONE);
        Question { name: name.into(), parameters, value_types, reads_labels: false }
    }

    /// Creates the question for the total under an algebra.
    pub(crate) fn under<P: ContourProblem>(algebra: &impl Algebra<P>) -> Self {
        let (name, parameters) = (algebra.name(), algebra.parameters());
        Question { name, parameters, value_types: 1, reads_labels: algebra.reads_labels() }
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
///
/// By default there is one worker, whose layers are in memory and are not saved.
#[allow(unused_variables, reason = "parameters of methods that do nothing by default")]
pub trait Sweeper<S: Copy + Eq + Hash, V> {
    /// Sets the index of the type that values have from now on.
    fn set_width(&mut self, width: u32) {}

    /// Returns the point from which the sweep continues.
    fn resume(
        &mut self,
        question: &Question,
        stats: &mut SweepStats<'_>,
        entries: &EntryRules<'_, S, V>,
    ) -> Result<Resumed<Shards<S, V>>, Stop> {
        Ok(Resumed::Nothing)
    }

    /// Returns the first layer, which holds only the start.
    fn first_layer(&self, stats: &SweepStats<'_>, start: S, one: V) -> Shards<S, V> {
        first_layer(start, one, stats.threads())
    }

    /// Sweeps from `cell` to the end. After an error `layer` is the last complete one. The error
    /// consists of the cell after it and the reason to stop.
    fn sweep<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        cell: usize,
    ) -> Result<(), (usize, Stop)> {
        let mut next: Shards<S, V> = layer.iter().map(|_| Layer::new()).collect();
        // The heap of values is not yet counted in the first layer and in one that was read or
        // widened.
        let heap_bytes = |value: &V| task.algebra.heap_bytes(value);
        let counted = recount_heap(layer, stats.clock(), heap_bytes);
        if let Err(stop) = self.begin(stats, counted) {
            stats.at_complete_layer();
            self.save(stats, layer, Some(stop));
            return Err((cell, stop));
        }
        let cells = task.problem.cells();
        for cell in cell..cells {
            if let Err(stop) = self.advance(task, stats, cell, layer, &mut next) {
                self.save(stats, layer, Some(stop));
                return Err((cell, stop));
            }
            std::mem::swap(layer, &mut next);
            self.save(stats, layer, (cell + 1 == cells).then_some(Stop::Exhausted));
        }
        let accept = |state| task.problem.accept(state);
        self.end(stats, layer, accept, &heap_bytes).map_err(|stop| (cells, stop))
    }

    /// Begins a sweep whose layer was prepared with this result.
    fn begin(
        &mut self,
        stats: &mut SweepStats<'_>,
        prepared: Result<(), Stop>,
    ) -> Result<(), Stop> {
        prepared
    }

    /// Computes the layer after `cell`, like [`advance`].
    fn advance<P: ContourProblem<State = S>, H: SweepHooks<P>, A: Algebra<P, Value = V>>(
        &mut self,
        task: Task<'_, P, H, A>,
        stats: &mut SweepStats<'_>,
        cell: usize,
        layer: &mut Shards<S, V>,
        next: &mut Shards<S, V>,
    ) -> Result<(), Stop> {
        advance(task, stats, cell, layer, next)
    }

    /// Saves a complete layer if that is due. `stop` is the reason if the sweep has stopped; the
    /// layer is then the last complete one.
    fn save(&mut self, stats: &mut SweepStats<'_>, layer: &[Layer<S, V>], stop: Option<Stop>) {}

    /// Ends a sweep: brings the last layer into memory, at least the states that `accept` accepts.
    /// `heap_bytes` returns the bytes of heap that a value owns.
    fn end(
        &mut self,
        stats: &mut SweepStats<'_>,
        layer: &mut Shards<S, V>,
        accept: impl Fn(S) -> bool,
        heap_bytes: &dyn Fn(&V) -> usize,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// Returns the share of `max_bytes`, the limit of all workers, that the layers of this worker
    /// may take.
    fn share_of_memory(&self, max_bytes: usize) -> usize {
        max_bytes
    }

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
        Ok(None)
    }

    /// Agrees on one reason to stop if any worker has one. Records the bytes of the layers of all
    /// workers, given those of this one.
    fn agree(
        &mut self,
        stats: &mut SweepStats<'_>,
        bytes: usize,
        result: Result<(), Stop>,
    ) -> Result<(), Stop> {
        stats.record_bytes(bytes);
        result
    }
}

/// Reduces the sums of all workers to one, in values of type `N`. By default there is one worker.
pub trait Reduce<N> {
    /// Records the accepted states of this worker if it is the only one. If there are others,
    /// [`reduce`](Reduce::reduce) records those of all.
    fn record_accepted(&self, stats: &mut SweepStats<'_>, accepted: u64) {
        stats.record_accepted(accepted);
    }

    /// Returns the sum over all workers, given that of this worker and its number of accepted
    /// states. The number of all accepted states is recorded.
    fn reduce(
        &mut self,
        stats: &mut SweepStats<'_>,
        own: Result<(Option<N>, u64), Stop>,
        merge: impl FnMut(&mut N, N) -> Result<(), Stop>,
    ) -> Result<Option<N>, Stop> {
        let _ = merge;
        let (sum, accepted) = own?;
        stats.record_accepted(accepted);
        Ok(sum)
    }
}

/// A sweeper whose layers are whole ones, because it is the only worker.
pub trait WholeLayers {}

/// Defines a trait that all types with these traits of states `S` have.
macro_rules! all_of {
    ($(#[$attribute:meta])* $name:ident: $($bounds:tt)+) => {
        $(#[$attribute])*
        pub trait $name<S: Copy + Eq + Hash>: $($bounds)+ {}
        impl<S: Copy + Eq + Hash, K: $($bounds)+> $name<S> for K {}
    };
}
#[cfg(feature = "bigint")]
pub(crate) use all_of;

#[cfg(feature = "bigint")]
all_of! {
    /// A sweeper for the values of the questions that need no algebra of the caller's.
    SweeperOfCounts: SweeperOfWords<S>
        + Sweeper<S, u128>
        + Sweeper<S, Limbs<4>>
        + Sweeper<S, Limbs<8>>
        + Sweeper<S, Natural>
        + Reduce<Natural>
}

#[cfg(not(feature = "bigint"))]
pub use SweeperOfWords as SweeperOfCounts;

all_of! {
    /// The [`SweeperOfCounts`] of values up to 128 bits.
    SweeperOfWords: Sweeper<S, ()>
        + Reduce<()>
        + Sweeper<S, UpTo<2>>
        + Reduce<UpTo<2>>
        + Sweeper<S, [u64; 1]>
        + Reduce<[u64; 1]>
        + Sweeper<S, u64>
        + Sweeper<S, Limbs<2>>
        + Reduce<Limbs<2>>
}

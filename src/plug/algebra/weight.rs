//! Weights of solutions: [`Weight`], and the algebras [`Best`], [`Optima`] and [`BestK`].

use std::any::type_name;
use std::borrow::Cow;

use super::count::Counting;
use super::definition::{Algebra, MAX_WORDS, Overflow};
use crate::digest::Digest;
use crate::hook::Effect;
use crate::incumbent::Direction;
use crate::memory::block_bytes;
use crate::plug::contour_problem::ContourProblem;

/// The weight of a solution: the sum of the weights of its labels and of its last state.
///
/// A closure of a cell and a label is a weight.
pub trait Weight<P: ContourProblem>: Sync {
    /// Returns the weight of `label` in `cell`.
    fn label(&self, cell: usize, label: P::Label) -> i64;

    /// Returns the weight of ending in `state`, which is accepted. The default is 0.
    fn end(&self, state: P::State) -> i64 {
        let _ = state;
        0
    }

    /// Returns a lower bound of the weight that every completion of `state`, which arises in
    /// `cell`, still gains: by the labels of the later cells and by its end. The default is 0,
    /// which is right if no weight is negative.
    ///
    /// Only what has a limit of weight makes use of it:
    /// [`CountByWeight`](super::CountByWeight::up_to) and [`OfWeight`](crate::plug::OfWeight). A
    /// bound that is too large makes them lose solutions.
    fn least_to_go(&self, cell: usize, state: P::State) -> i64 {
        let _ = (cell, state);
        0
    }

    /// Returns a digest of all data that the weights depend on, beside the problem. The weight is a
    /// part of the question: see [`Algebra::parameters`]. Default: a digest of the name of the type
    /// if it has no data, as a closure that captures nothing, and `None` for others.
    ///
    /// A closure that captures data cannot state them here, but in the algebra, for example by
    /// [`Best::parameters`]. Closures that capture nothing, of one function, have the same digest
    /// whatever they compute: it identifies data, not code.
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self).map(|_| Digest::of(type_name::<Self>()))
    }
}

/// Defines the builder method `parameters` of an algebra whose weight may be a closure that
/// captures data.
macro_rules! parameters_of_weight {
    () => {
        /// Sets the digest of the data that the weight depends on, if that is a closure that
        /// captures data. Without it, the sweep can be neither saved nor run by several processes:
        /// see [`Algebra::parameters`](crate::plug::Algebra::parameters).
        #[must_use]
        pub fn parameters(mut self, data: &(impl std::hash::Hash + ?Sized)) -> Self {
            self.parameters = Some(crate::digest::Digest::of(data));
            self
        }
    };
}
#[cfg(feature = "bigint")]
pub(super) use parameters_of_weight;

impl<P: ContourProblem, F: Fn(usize, P::Label) -> i64 + Sync> Weight<P> for F {
    #[inline]
    fn label(&self, cell: usize, label: P::Label) -> i64 {
        self(cell, label)
    }
}

/// The best weight of all solutions, the greatest or the least.
///
/// As an algebra this is the tropical semiring: merging takes the better weight, and extending
/// adds. Sums are checked. A dominated state is dropped only in favour of one whose weight so far
/// is at least as good.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::Best;
///
/// let coins = [3, 5, 4, 1, 9];
/// let worth = |square: usize, taken: bool| if taken { coins[square] } else { 0 };
/// let outcome = Sweep::new(&Row(5)).run(&Best::maximise(worth));
/// assert_eq!(outcome.total(), Some(&16)); // 3 + 4 + 9
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Best<W> {
    direction: Direction,
    weight: W,
    /// The parameters of the weight, if the caller has stated them.
    parameters: Option<Digest>,
}

impl<W> Best<W> {
    /// Creates an algebra for the greatest weight or the least.
    #[must_use]
    pub fn new(direction: Direction, weight: W) -> Self {
        Best { direction, weight, parameters: None }
    }

    /// Creates an algebra for the greatest weight.
    #[must_use]
    pub fn maximise(weight: W) -> Self {
        Self::new(Direction::Maximise, weight)
    }

    /// Creates an algebra for the least weight.
    #[must_use]
    pub fn minimise(weight: W) -> Self {
        Self::new(Direction::Minimise, weight)
    }

    parameters_of_weight!();

    getters! {
        self;
        /// Returns the direction: whether greater or smaller weights are better.
        direction -> Direction: self.direction;

        /// Returns the weight.
        weight -> &W: &self.weight;
    }
}

/// Returns the adjective by which names of algebras describe the best weight in a direction.
fn extreme(direction: Direction) -> &'static str {
    match direction {
        Direction::Maximise => "greatest",
        Direction::Minimise => "least",
    }
}

fn add(a: i64, b: i64) -> Result<i64, Overflow> {
    a.checked_add(b).ok_or(Overflow)
}

impl<P: ContourProblem, W: Weight<P>> Algebra<P> for Best<W> {
    type Value = i64;

    fn name(&self) -> Cow<'static, str> {
        format!("the {} weight", extreme(self.direction)).into()
    }
    fn parameters(&self) -> Option<Digest> {
        self.parameters.or_else(|| self.weight.parameters())
    }
    #[inline]
    fn one(&self) -> i64 {
        0
    }
    #[inline]
    fn extend(&self, value: &i64, cell: usize, label: P::Label) -> Result<i64, Overflow> {
        add(*value, self.weight.label(cell, label))
    }
    #[inline]
    fn merge(&self, into: &mut i64, value: i64) -> Result<(), Overflow> {
        *into = match self.direction {
            Direction::Maximise => value.max(*into),
            Direction::Minimise => value.min(*into),
        };
        Ok(())
    }
    fn finish(&self, value: i64, state: P::State) -> Result<i64, Overflow> {
        add(value, self.weight.end(state))
    }
    fn tolerates(&self) -> Effect {
        Effect::OptimumOnly
    }
    #[inline]
    fn covers(&self, better: &i64, worse: &i64) -> bool {
        !self.direction.is_better(worse, better)
    }
}

/// A weight and the number of paths that have it, or their value under another algebra.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tied<V = u128> {
    /// The best weight.
    pub weight: i64,
    /// The number of paths that have it.
    pub ways: V,
}

/// The best weight of all solutions and the number of solutions that have it.
///
/// As an algebra this is the tropical semiring with multiplicities: the better of two weights is
/// kept, with its number of paths; if they are equal, the numbers are added. Sums are checked.
/// Hooks that keep only one optimum make the number wrong, and are therefore not tolerated.
///
/// The number has up to 128 bits. [`counted_by`](Self::counted_by) sets another algebra, for
/// numbers of any size, modulo a number, or by a second weight.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::{Modulo, Optima, Tied};
///
/// let optima = Optima::maximise(|_: usize, taken: bool| i64::from(taken));
/// let outcome = Sweep::new(&Row(10)).run(&optima);
/// assert_eq!(outcome.total(), Some(&Tied { weight: 5, ways: 6 }));
///
/// let outcome = Sweep::new(&Row(9998)).run(&optima.counted_by(Modulo::new([1000])?));
/// assert_eq!(outcome.total(), Some(&Tied { weight: 4999, ways: [0] })); // 5000 solutions
/// # Ok::<(), secateurs::plug::algebra::ZeroModulus>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Optima<W, A = Counting<u128>> {
    direction: Direction,
    weight: W,
    ways: A,
    /// The parameters of the weight, if the caller has stated them.
    parameters: Option<Digest>,
}

impl<W> Optima<W> {
    /// Creates an algebra for the greatest weight or the least.
    #[must_use]
    pub fn new(direction: Direction, weight: W) -> Self {
        Optima { direction, weight, ways: Counting::new(), parameters: None }
    }

    /// Creates an algebra for the greatest weight.
    #[must_use]
    pub fn maximise(weight: W) -> Self {
        Self::new(Direction::Maximise, weight)
    }

    /// Creates an algebra for the least weight.
    #[must_use]
    pub fn minimise(weight: W) -> Self {
        Self::new(Direction::Minimise, weight)
    }
}

impl<W, A> Optima<W, A> {
    /// Sets the algebra that computes the value of the solutions of the best weight, usually their
    /// number.
    ///
    /// A limit of that algebra does not change the best weight: solutions beyond the limit compete,
    /// and contribute a zero.
    #[must_use]
    pub fn counted_by<B>(self, ways: B) -> Optima<W, B> {
        let Optima { direction, weight, parameters, .. } = self;
        Optima { direction, weight, ways, parameters }
    }

    parameters_of_weight!();
}

impl<P: ContourProblem, W: Weight<P>, A: Algebra<P>> Algebra<P> for Optima<W, A> {
    type Value = Tied<A::Value>;

    fn name(&self) -> Cow<'static, str> {
        format!("the ways to the {} weight: {}", extreme(self.direction), self.ways.name()).into()
    }
    fn parameters(&self) -> Option<Digest> {
        let weight = self.parameters.or_else(|| self.weight.parameters());
        match self.ways.parameters() {
            Some(Digest::NONE) => weight,
            ways => Digest::all([weight, ways]),
        }
    }
    fn one(&self) -> Tied<A::Value> {
        Tied { weight: 0, ways: self.ways.one() }
    }
    #[inline]
    fn extend(
        &self,
        value: &Tied<A::Value>,
        cell: usize,
        label: P::Label,
    ) -> Result<Tied<A::Value>, Overflow> {
        Ok(Tied {
            weight: add(value.weight, self.weight.label(cell, label))?,
            ways: self.ways.extend(&value.ways, cell, label)?,
        })
    }
    #[inline]
    fn merge(&self, into: &mut Tied<A::Value>, value: Tied<A::Value>) -> Result<(), Overflow> {
        if value.weight == into.weight {
            self.ways.merge(&mut into.ways, value.ways)?;
        } else if self.direction.is_better(&value.weight, &into.weight) {
            *into = value;
        }
        Ok(())
    }
    fn finish(&self, value: Tied<A::Value>, state: P::State) -> Result<Tied<A::Value>, Overflow> {
        Ok(Tied {
            weight: add(value.weight, self.weight.end(state))?,
            ways: self.ways.finish(value.ways, state)?,
        })
    }
    #[inline]
    fn heap_bytes(&self, value: &Tied<A::Value>) -> usize {
        self.ways.heap_bytes(&value.ways)
    }
    #[inline]
    fn heap_to_extend(&self, value: &Tied<A::Value>, cell: usize, label: P::Label) -> usize {
        self.ways.heap_to_extend(&value.ways, cell, label)
    }
    #[inline]
    fn heap_to_merge(&self, into: &Tied<A::Value>, value: &Tied<A::Value>) -> usize {
        self.ways.heap_to_merge(&into.ways, &value.ways)
    }
    /// A path is extended before it is merged, whatever the other algebra does at once.
    #[inline]
    fn heap_to_absorb(
        &self,
        into: &Tied<A::Value>,
        value: &Tied<A::Value>,
        cell: usize,
        label: P::Label,
    ) -> usize {
        let extended = self.ways.heap_to_extend(&value.ways, cell, label);
        extended.saturating_add(self.ways.heap_to_absorb(&into.ways, &value.ways, cell, label))
    }
    /// A value covers only strictly worse ones: paths of equal weight contribute to the number of
    /// optima.
    fn covers(&self, better: &Tied<A::Value>, worse: &Tied<A::Value>) -> bool {
        self.direction.is_better(&better.weight, &worse.weight)
    }
}

/// The weights of the `k` best solutions, best first, with repetitions. If there are fewer than `k`
/// solutions, the list has the weights of all of them.
///
/// As an algebra this is the set of sorted lists of at most `k` weights: merging merges two lists
/// and cuts the result off after `k`, and extending adds the weight of a label to all entries.
/// Memory and time are at most `k` times those of the best weight alone. (Bellman and Kalaba, 1960,
/// for the k shortest paths.) The solutions themselves come from [retained
/// layers](crate::plug::RetainedLayers::ranked), where `k` need not be known beforehand.
///
/// A list of more than 2²⁶ weights, which take half a gigabyte, is an [`Overflow`].
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::BestK;
///
/// let taken = |_: usize, taken: bool| i64::from(taken);
/// let outcome = Sweep::new(&Row(4)).run(&BestK::maximise(5, taken));
/// // There are 3 sets of two squares, 4 of one and the empty set.
/// assert_eq!(outcome.total(), Some(&vec![2, 2, 2, 1, 1]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BestK<W> {
    direction: Direction,
    k: usize,
    weight: W,
    /// The parameters of the weight, if the caller has stated them.
    parameters: Option<Digest>,
}

impl<W> BestK<W> {
    /// Creates an algebra for the `k` greatest weights or the `k` least.
    #[must_use]
    pub fn new(direction: Direction, k: usize, weight: W) -> Self {
        BestK { direction, k, weight, parameters: None }
    }

    /// Creates an algebra for the `k` greatest weights.
    #[must_use]
    pub fn maximise(k: usize, weight: W) -> Self {
        Self::new(Direction::Maximise, k, weight)
    }

    /// Creates an algebra for the `k` least weights.
    #[must_use]
    pub fn minimise(k: usize, weight: W) -> Self {
        Self::new(Direction::Minimise, k, weight)
    }

    /// Returns the length of the list that two lists are merged into, or `None` if that is too
    /// long.
    fn merged_length(&self, into: &[i64], value: &[i64]) -> Option<usize> {
        let length = into.len().saturating_add(value.len()).min(self.k);
        (length <= MAX_WORDS).then_some(length)
    }

    parameters_of_weight!();
}

impl<P: ContourProblem, W: Weight<P>> Algebra<P> for BestK<W> {
    type Value = Vec<i64>;

    fn name(&self) -> Cow<'static, str> {
        format!("the {} {} weights", self.k, extreme(self.direction)).into()
    }
    fn parameters(&self) -> Option<Digest> {
        self.parameters.or_else(|| self.weight.parameters())
    }
    fn one(&self) -> Vec<i64> {
        if self.k == 0 { Vec::new() } else { vec![0] }
    }

    fn extend(&self, value: &Vec<i64>, cell: usize, label: P::Label) -> Result<Vec<i64>, Overflow> {
        let step = self.weight.label(cell, label);
        // Collecting results would grow the list step by step, to a capacity of up to twice its
        // length.
        let mut extended = Vec::new();
        extended.try_reserve_exact(value.len()).map_err(|_| Overflow)?;
        for &weight in value {
            extended.push(add(weight, step)?);
        }
        Ok(extended)
    }

    fn merge(&self, into: &mut Vec<i64>, value: Vec<i64>) -> Result<(), Overflow> {
        let length = self.merged_length(into, &value).ok_or(Overflow)?;
        let (mut ours, mut theirs) =
            (into.iter().copied().peekable(), value.into_iter().peekable());
        let mut merged = Vec::new();
        merged.try_reserve_exact(length).map_err(|_| Overflow)?;
        while merged.len() < length {
            let take_theirs = match (ours.peek(), theirs.peek()) {
                (Some(our), Some(their)) => self.direction.is_better(their, our),
                (our, _) => our.is_none(),
            };
            merged.extend(if take_theirs { theirs.next() } else { ours.next() });
        }
        *into = merged;
        Ok(())
    }

    fn heap_bytes(&self, value: &Vec<i64>) -> usize {
        block_bytes(value.capacity() * size_of::<i64>())
    }

    fn heap_to_merge(&self, into: &Vec<i64>, value: &Vec<i64>) -> usize {
        block_bytes(self.merged_length(into, value).unwrap_or(0) * size_of::<i64>())
    }

    fn finish(&self, mut value: Vec<i64>, state: P::State) -> Result<Vec<i64>, Overflow> {
        let end = self.weight.end(state);
        for weight in &mut value {
            *weight = add(*weight, end)?;
        }
        Ok(value)
    }
}

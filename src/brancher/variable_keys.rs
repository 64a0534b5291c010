//! Variable orders by a key: [`SmallestKey`], and the keys of [`SmallestDomain`],
//! [`DomainOverDegree`] and [`MostConstrained`].

use std::cmp::{Ordering, Reverse};
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::VariableOrder;
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};
use crate::variables::Variables;

/// The key of a variable in a [`SmallestKey`] order.
///
/// A closure from a node and a variable to a key implements this trait. It must depend on the
/// problem, the state and the variable only; an order that reads the path or learns from the search
/// must say so in its [`memory`](Self::memory).
pub trait VariableKey<P: Variables> {
    /// The key; the variable with the smallest one is decided next.
    type Key: Ord;

    /// Called once per node, before its keys are computed, for what several keys share. Default:
    /// does nothing.
    #[inline]
    fn prepare(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// Returns the key of an undecided variable.
    fn key(&mut self, node: &Node<'_, P>, variable: P::Variable) -> Self::Key;

    /// Returns a digest of all data that the key depends on, except the state; see
    /// [`Brancher::parameters`](super::Brancher::parameters).
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns what the key depends on beside the state; see
    /// [`Brancher::memory`](super::Brancher::memory). Default: [`HookMemory::Nothing`].
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

impl<P: Variables, K: Ord, F: FnMut(&Node<'_, P>, P::Variable) -> K> VariableKey<P> for F {
    type Key = K;

    #[inline]
    fn key(&mut self, node: &Node<'_, P>, variable: P::Variable) -> K {
        self(node, variable)
    }
}

/// The choice among variables with equal keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Ties {
    First,
    Last,
    /// By a hash of the seed and the variable.
    Random(u64),
}

/// A variable order that chooses the undecided variable with the smallest key.
///
/// The key is computed for each undecided variable of a node. For several criteria, return a tuple;
/// for the largest one first, wrap it in [`Reverse`]. Ties go to the variable that comes first in
/// the order of the problem, unless [`last_tie`](Self::last_tie) or
/// [`random_ties`](Self::random_ties) says otherwise.
///
/// ```
/// use secateurs::brancher::{Branching, SmallestKey};
/// use secateurs::{Node, Search, Variables};
/// use secateurs_cover::Cover;
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.cover();
/// // The item with the fewest options first, of these the last one.
/// let order = SmallestKey::by(|node: &Node<'_, Cover>, item| {
///     (node.problem().values_left(node.state(), item), std::cmp::Reverse(item))
/// });
/// let outcome = Search::new(queens.cover()).brancher(Branching::by(order)).count();
/// assert_eq!(outcome.exact(), Some(92));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct SmallestKey<K> {
    key: K,
    ties: Ties,
    /// The digest of what a closure captures.
    captured: Option<Digest>,
}

impl<F> SmallestKey<F> {
    /// Creates an order by `key(node, variable)`. It must depend on the problem, the state and the
    /// variable only.
    #[must_use]
    pub fn by<P: Variables, K: Ord>(key: F) -> Self
    where
        F: FnMut(&Node<'_, P>, P::Variable) -> K,
    {
        SmallestKey { key, ties: Ties::First, captured: None }
    }

    /// Creates an order by a key of a type of its own.
    #[must_use]
    pub fn of<P: Variables>(key: F) -> Self
    where
        F: VariableKey<P>,
    {
        SmallestKey { key, ties: Ties::First, captured: None }
    }

    /// Breaks ties by the variable that comes last in the order of the problem.
    #[must_use]
    pub fn with_last_tie(self) -> Self {
        SmallestKey { ties: Ties::Last, ..self }
    }

    /// Breaks ties at random, the same way for the same seed: by a random order of all variables.
    #[must_use]
    pub fn with_random_ties(self, seed: u64) -> Self {
        SmallestKey { ties: Ties::Random(seed), ..self }
    }

    /// Sets the digest of the data that the key captures; see
    /// [`Brancher::parameters`](super::Brancher::parameters). A closure that captures nothing does
    /// not need it.
    #[must_use]
    pub fn parameters(mut self, data: &(impl Hash + ?Sized)) -> Self {
        self.captured = Some(Digest::of(data));
        self
    }
}

impl<K: Default> SmallestKey<K> {
    /// Creates an order that breaks ties by the variable that comes first in the order of the
    /// problem.
    #[must_use]
    pub fn first_tie() -> Self {
        SmallestKey { key: K::default(), ties: Ties::First, captured: None }
    }

    /// Creates an order that breaks ties by the variable that comes last.
    #[must_use]
    pub fn last_tie() -> Self {
        Self::first_tie().with_last_tie()
    }

    /// Creates an order that breaks ties at random, the same way for the same seed: by a random
    /// order of all variables.
    #[must_use]
    pub fn random_ties(seed: u64) -> Self {
        Self::first_tie().with_random_ties(seed)
    }
}

impl<P: Variables, K: VariableKey<P>> VariableOrder<P> for SmallestKey<K> {
    #[inline]
    fn choose(&mut self, node: &Node<'_, P>) -> Option<P::Variable> {
        self.key.prepare(node);
        let mut undecided = node.problem().undecided(node.state());
        let mut chosen = undecided.next()?;
        let mut least = self.key.key(node, chosen);
        // Compilers inline the internal iteration of nested iterators better than a loop.
        undecided.for_each(|variable| {
            let key = self.key.key(node, variable);
            let is_better = match key.cmp(&least) {
                Ordering::Less => true,
                Ordering::Greater => false,
                Ordering::Equal => match self.ties {
                    Ties::First => false,
                    Ties::Last => true,
                    Ties::Random(seed) => comes_before(seed, &variable, &chosen),
                },
            };
            if is_better {
                (least, chosen) = (key, variable);
            }
        });
        Some(chosen)
    }

    fn parameters(&self) -> Option<Digest> {
        let key = self.captured.or_else(|| self.key.parameters());
        Digest::all([key, Some(Digest::of(&self.ties))])
    }

    fn memory(&self) -> HookMemory {
        self.key.memory()
    }
}

/// Returns whether a variable comes before another one in the random order of a seed.
// Inlined, the compiler hashes variables before it knows whether they tie.
#[inline(never)]
fn comes_before<V: Hash>(seed: u64, one: &V, other: &V) -> bool {
    rank(seed, one) < rank(seed, other)
}

/// Returns the place of a variable in the random order of a seed.
fn rank(seed: u64, variable: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    seed.hash(&mut hasher);
    variable.hash(&mut hasher);
    hasher.finish()
}

debug_fields!(impl[K] SmallestKey<K>: ties);

/// The key of [`SmallestDomain`]: the number of values left.
#[derive(Clone, Copy, Debug, Default)]
pub struct DomainSize;

impl<P: Variables> VariableKey<P> for DomainSize {
    type Key = usize;

    #[inline]
    fn key(&mut self, node: &Node<'_, P>, variable: P::Variable) -> usize {
        node.problem().values_left(node.state(), variable)
    }
}

/// A variable order that chooses the undecided variable with the fewest values left: the
/// *fail-first principle* (Haralick and Elliott 1980; the queens of Bitner and Reingold 1975).
///
/// The time per node is linear in the number of undecided variables.
pub type SmallestDomain = SmallestKey<DomainSize>;

/// The key of [`MostConstrained`]: the dynamic degree, the largest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Degree;

impl<P: Variables> VariableKey<P> for Degree {
    type Key = Reverse<u64>;

    #[inline]
    fn key(&mut self, node: &Node<'_, P>, variable: P::Variable) -> Reverse<u64> {
        Reverse(node.problem().dynamic_degree(node.state(), variable))
    }
}

/// A variable order that chooses the undecided variable with the most constraints on others: the
/// largest [dynamic degree](Variables::dynamic_degree) (Brélaz 1979 breaks ties by it).
pub type MostConstrained = SmallestKey<Degree>;

/// The key of [`DomainOverDegree`]: the quotient of the number of values left and the dynamic
/// degree.
#[derive(Clone, Copy, Debug, Default)]
pub struct SizeOverDegree;

impl<P: Variables> VariableKey<P> for SizeOverDegree {
    type Key = Quotient;

    #[inline]
    fn key(&mut self, node: &Node<'_, P>, variable: P::Variable) -> Quotient {
        let (problem, state) = (node.problem(), node.state());
        Quotient::new(problem.values_left(state, variable), || {
            problem.dynamic_degree(state, variable)
        })
    }
}

/// A variable order that chooses the undecided variable with the smallest quotient of the number of
/// its values and its [dynamic degree](Variables::dynamic_degree) (Bessière and Régin 1996).
///
/// A variable of degree 0 comes last, since its value does not affect the others. The time per node
/// is that of a degree for each undecided variable.
pub type DomainOverDegree = SmallestKey<SizeOverDegree>;

/// The quotient of the size of a domain and a degree, which is infinite if the degree is 0.
#[derive(Clone, Copy, Debug)]
pub struct Quotient {
    size: u64,
    degree: u64,
}

impl Quotient {
    /// Creates a quotient. An empty domain needs no degree: its quotient is 0.
    #[inline]
    pub fn new(size: usize, degree: impl FnOnce() -> u64) -> Self {
        Quotient { size: size as u64, degree: if size == 0 { 1 } else { degree() } }
    }
}

impl Ord for Quotient {
    /// Compares by cross-multiplication.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |size: u64, degree: u64| u128::from(size) * u128::from(degree);
        product(self.size, other.degree).cmp(&product(other.size, self.degree))
    }
}

impl PartialOrd for Quotient {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Quotient {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Quotient {}

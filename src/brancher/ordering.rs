//! Value ordering: branchers that take the children of another brancher in another order.
//!
//! Order changes nothing about what is found in the whole tree, but everything about when: a search
//! for the first solution that takes the most promising child first may never have to step back
//! (Warnsdorff's rule for the knight's tour, 1823, is the oldest such order), and branch and bound
//! prunes more once it has a good incumbent.
//!
//! An order has to see all the children of a node before it can give the first, so these adapters
//! draw them all from the inner brancher when the node is entered. Up to eight of them are kept in
//! the stack frame itself; only wider nodes ask for memory. All the other costs of a node stay as
//! they are.
//!
//! | to | use |
//! |---|---|
//! | take the child with the smallest key first, ties in the inner order | [`Sorted::by`] |
//! | the same, ties in random order | [`Sorted::random_ties`] |
//! | take the children in random order | [`Shuffled::new`] |
//! | order the children of another brancher | [`Sorted::over`], [`Shuffled::over`] |

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::brancher::{Brancher, ProblemOrder};
use crate::digest::Digest;
use crate::hook::{Effect, HookMemory, Node};
use crate::problem::{Branch, Problem};

/// Children that fit in a frame without asking for memory. (A knight has eight moves.)
const INLINE: usize = 8;

/// The children of a node that are still to be tried: the cursor of [`Sorted`] and [`Shuffled`].
#[derive(Clone)]
pub struct Children<C> {
    /// The next one is the last.
    rest: SmallVec<[C; INLINE]>,
}

impl<C> Children<C> {
    #[inline]
    fn new(in_order: impl DoubleEndedIterator<Item = C>) -> Self {
        Children { rest: in_order.rev().collect() }
    }

    /// How many children are still to be tried.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether all children have been drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

impl<C: fmt::Debug> fmt::Debug for Children<C> {
    /// The children in the order in which they will be drawn.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rest.iter().rev()).finish()
    }
}

/// Takes the children of another brancher in ascending order of a key: the smallest key, the best
/// child, first.
///
/// The key is computed once a child, from the *parent's* node and the choice, before any of them is
/// tried. Children of equal keys stay in the order of the inner brancher. For descending order wrap
/// the key in [`std::cmp::Reverse`]; for several criteria return a tuple. It must depend on the
/// node and the choice only, not on what was searched before.
///
/// Cost a node: drawing all of its children, one key each, and a stable sort.
///
/// ```
/// use secateurs::brancher::Sorted;
/// use secateurs::problems::knights_tour::{TourBoard, KnightsTour, Square};
/// use secateurs::{Limits, Node, Search};
///
/// let tour = KnightsTour::open(TourBoard::new(8, 8)?).starting_at(0, 0)?;
/// // Warnsdorff's rule (1823): first the square with the fewest exits.
/// let warnsdorff = Sorted::by(|node: &Node<'_, KnightsTour>, &square: &Square| node.state().exits(square));
/// let outcome = Search::new(&tour).brancher(warnsdorff).limits(Limits::new().nodes(1000)).first();
/// assert!(outcome.solution().is_some());
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone)]
pub struct Sorted<B, F> {
    inner: B,
    key: F,
    parameters: Option<Digest>,
}

impl<F> Sorted<ProblemOrder, F> {
    /// Sorts the children that the problem itself gives.
    #[must_use]
    pub fn by<P, K>(key: F) -> Self
    where
        P: Problem,
        K: Ord,
        F: FnMut(&Node<'_, P>, &P::Choice) -> K,
    {
        Self::over(ProblemOrder, key)
    }
}

impl<B, F> Sorted<B, F> {
    /// Sorts the children that `inner` gives.
    #[must_use]
    pub fn over<P, K>(inner: B, key: F) -> Self
    where
        P: Problem,
        K: Ord,
        B: Brancher<P>,
        F: FnMut(&Node<'_, P>, &P::Choice) -> K,
    {
        Sorted { inner, parameters: Digest::of_unit(&key), key }
    }

    /// States the data that the key has captured: see [`Brancher::parameters`]. Keys that
    /// capture nothing have no parameters.
    #[must_use]
    pub fn parameters(mut self, data: &(impl Hash + ?Sized)) -> Self {
        self.parameters = Some(Digest::of(data));
        self
    }

    /// Takes children of equal keys in random order; the same order for the same seed. See
    /// [`Shuffled`].
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::knights_tour::{TourBoard, KnightsTour, Rule};
    ///
    /// let tour = KnightsTour::open(TourBoard::new(6, 6)?).starting_at(0, 0)?;
    /// let run = |seed| {
    ///     let order = Rule::Farthest.brancher().random_ties(seed);
    ///     Search::new(&tour).brancher(order).first().solution().cloned()
    /// };
    /// assert_eq!(run(1), run(1));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn random_ties(self, seed: u64) -> Sorted<Shuffled<B>, F> {
        // A stable sort leaves equals as it finds them: shuffled.
        let Sorted { inner, key, parameters } = self;
        Sorted { inner: Shuffled::with_inner(inner, seed), key, parameters }
    }
}

impl<P, B, F, K> Brancher<P> for Sorted<B, F>
where
    P: Problem,
    B: Brancher<P>,
    K: Ord,
    F: FnMut(&Node<'_, P>, &P::Choice) -> K,
{
    type Cursor = Children<P::Choice>;

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.inner.parameters(), self.parameters])
    }

    fn effect(&self) -> Effect {
        self.inner.effect()
    }

    /// The key sees the path in the node, and need not remember it.
    fn follows_path(&self) -> bool {
        self.inner.follows_path()
    }

    fn memory(&self) -> HookMemory {
        self.inner.memory()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        self.inner.branch(node).map(|mut cursor| {
            let mut children: SmallVec<[(K, P::Choice); INLINE]> = SmallVec::new();
            while let Some(choice) = self.inner.next(node, &mut cursor) {
                children.push(((self.key)(node, &choice), choice));
            }
            children.sort_by(|(a, _), (b, _)| a.cmp(b));
            Children::new(children.into_iter().map(|(_, choice)| choice))
        })
    }

    #[inline]
    fn next(&mut self, _: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice> {
        cursor.rest.pop()
    }

    #[inline]
    fn enter(&mut self, node: &Node<'_, P>) {
        self.inner.enter(node);
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        self.inner.leave(node);
    }
}

impl<B: fmt::Debug, F> fmt::Debug for Sorted<B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sorted").field("inner", &self.inner).finish_non_exhaustive()
    }
}

/// Takes the children of another brancher in random order, the same order for the same seed.
///
/// The order at a node is drawn from the seed and the choices that lead to the node, and from
/// nothing else: it does not depend on what was searched before, so it is the same in whatever
/// order the nodes are visited.
///
/// ```
/// use secateurs::Search;
/// use secateurs::brancher::Shuffled;
/// use secateurs::problems::knights_tour::{TourBoard, KnightsTour};
///
/// let tour = KnightsTour::open(TourBoard::new(3, 4)?);
/// let outcome = Search::new(&tour).brancher(Shuffled::new(7)).count();
/// assert_eq!(outcome.exact(), Some(16)); // whatever the order
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shuffled<B = ProblemOrder> {
    inner: B,
    seed: u64,
    /// A hash of the seed and the path down to each depth.
    trail: Vec<u64>,
}

impl Shuffled {
    /// Shuffles the children that the problem itself gives.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with_inner(ProblemOrder, seed)
    }
}

impl<B> Shuffled<B> {
    /// Shuffles the children that `inner` gives.
    #[must_use]
    pub fn over<P>(inner: B, seed: u64) -> Self
    where
        P: Problem,
        B: Brancher<P>,
    {
        Self::with_inner(inner, seed)
    }

    fn with_inner(inner: B, seed: u64) -> Self {
        Shuffled { inner, seed, trail: Vec::new() }
    }
}

impl<P, B> Brancher<P> for Shuffled<B>
where
    P: Problem<Choice: Hash>,
    B: Brancher<P>,
{
    type Cursor = Children<P::Choice>;

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.inner.parameters(), Some(Digest::of(&self.seed))])
    }

    fn effect(&self) -> Effect {
        self.inner.effect()
    }

    /// It keeps a hash of the path.
    fn follows_path(&self) -> bool {
        true
    }

    fn memory(&self) -> HookMemory {
        self.inner.memory()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        let seed = self.trail.last().copied().unwrap_or(self.seed);
        self.inner.branch(node).map(|mut cursor| {
            let mut children: SmallVec<[P::Choice; INLINE]> = SmallVec::new();
            while let Some(choice) = self.inner.next(node, &mut cursor) {
                children.push(choice);
            }
            fastrand::Rng::with_seed(seed).shuffle(&mut children);
            Children { rest: children }
        })
    }

    #[inline]
    fn next(&mut self, _: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice> {
        cursor.rest.pop()
    }

    #[inline]
    fn enter(&mut self, node: &Node<'_, P>) {
        // What lies deeper than the parent is left over from nodes that are done.
        self.trail.truncate(node.depth());
        let mut hasher = FxHasher::default();
        self.trail.last().copied().unwrap_or(self.seed).hash(&mut hasher);
        if let Some(choice) = node.path().last() {
            choice.hash(&mut hasher);
        }
        self.trail.push(hasher.finish());
        self.inner.enter(node);
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        self.inner.leave(node);
    }
}

//! Value ordering: branchers that take the children of another brancher in another order.
//!
//! The order does not change the solutions of the whole tree, but the time at which they are found.
//! A search for the first solution may never backtrack if it takes the most promising child first.
//! (Warnsdorff's rule for the knight's tour, 1823, is the oldest such order.) Branch and bound
//! prunes more once it has a good incumbent.
//!
//! An order has to see all children of a node before it can return the first one, so these adapters
//! draw them all from the inner brancher when the node is entered. Up to eight children are stored
//! in the stack frame; only wider nodes allocate memory.
//!
//! | to | use |
//! |---|---|
//! | take the child with the smallest key first, ties in the inner order | [`Sorted::by`] |
//! | the same, ties in random order | [`Sorted::random_ties`] |
//! | take the child with the best bound first, and prune | [`Objective::sorted`][sorted] |
//! | take the children from the middle outwards | [`MiddleOut::over`] |
//! | take the children in random order | [`Shuffled::new`] |
//! | order the children of another brancher | [`Sorted::over`], [`MiddleOut::over`], [`Shuffled::over`] |
//!
//! [sorted]: crate::Objective::sorted

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::brancher::{Brancher, ProblemOrder};
use crate::digest::Digest;
use crate::hook::{Effect, HookMemory, Node};
use crate::incumbent::IncumbentId;
use crate::problem::{Branch, Problem};
use crate::report::Cuts;

/// The number of children that a stack frame stores without an allocation. (A knight has eight
/// moves.)
pub(super) const INLINE_CHILDREN: usize = 8;

/// The children of a node that are still to be tried: the cursor of [`Sorted`], [`MiddleOut`]
/// and [`Shuffled`].
#[derive(Clone)]
pub struct Children<C> {
    /// The remaining children in reverse order: the next one is at the end.
    rest: SmallVec<[C; INLINE_CHILDREN]>,
}

impl<C> Children<C> {
    #[inline]
    fn new(in_order: impl DoubleEndedIterator<Item = C>) -> Self {
        // The compiler inlines `extend`, which `collect` calls, in some builds only.
        let mut rest = SmallVec::new();
        for choice in in_order.rev() {
            rest.push(choice);
        }
        Children { rest }
    }

    /// Returns the number of children that are still to be tried.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Returns whether all children have been drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

impl<C: fmt::Debug> fmt::Debug for Children<C> {
    /// Formats the children in the order in which they will be drawn.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rest.iter().rev()).finish()
    }
}

/// A brancher that takes the children of another one in ascending order of a key: the smallest key,
/// the best child, first.
///
/// The key is computed once per child, from the *parent's* node and the choice, before any child is
/// tried. Children of equal keys stay in the order of the inner brancher. For descending order wrap
/// the key in [`std::cmp::Reverse`]; for several criteria return a tuple. The key must depend on
/// the node and the choice only, not on what was searched before.
///
/// Cost per node: drawing all of its children, one key each, and a stable sort.
///
/// ```
/// use secateurs::brancher::Sorted;
/// use secateurs::{Limits, Node, Search};
/// use secateurs_problems::knights_tour::{TourBoard, KnightsTour, Square};
///
/// let tour = KnightsTour::open(TourBoard::new(8, 8)?).starting_at(0, 0)?;
/// // Warnsdorff's rule (1823): first the square with the fewest exits.
/// let exits = |node: &Node<'_, KnightsTour>, &square: &Square| node.state().exits(square);
/// let warnsdorff = Sorted::by(exits);
/// let outcome = Search::new(&tour).brancher(warnsdorff).limits(Limits::new().nodes(1000)).first();
/// assert!(outcome.solution().is_some());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone)]
pub struct Sorted<B, F> {
    inner: B,
    key: F,
    parameters: Option<Digest>,
}

impl<F> Sorted<ProblemOrder, F> {
    /// Creates a brancher that sorts the children of the problem.
    #[must_use]
    pub fn by<P: Problem, K: Ord>(key: F) -> Self
    where
        F: FnMut(&Node<'_, P>, &P::Choice) -> K,
    {
        Self::over(ProblemOrder, key)
    }
}

impl<B, F> Sorted<B, F> {
    /// Creates a brancher that sorts the children of `inner`.
    #[must_use]
    pub fn over<P: Problem, K: Ord>(inner: B, key: F) -> Self
    where
        B: Brancher<P>,
        F: FnMut(&Node<'_, P>, &P::Choice) -> K,
    {
        Sorted { inner, parameters: Digest::of_zero_sized(&key), key }
    }

    crate::hook::parameters_of_captures!();

    /// Takes children of equal keys in random order, the same order for the same seed; see
    /// [`Shuffled`].
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::knights_tour::{TourBoard, KnightsTour, Rule};
    ///
    /// let tour = KnightsTour::open(TourBoard::new(6, 6)?).starting_at(0, 0)?;
    /// let run = |seed| {
    ///     let order = Rule::Farthest.brancher().random_ties(seed);
    ///     Search::new(&tour).brancher(order).first().solution().cloned()
    /// };
    /// assert_eq!(run(1), run(1));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn random_ties(self, seed: u64) -> Sorted<Shuffled<B>, F> {
        // A stable sort keeps the shuffled order of children with equal keys.
        let Sorted { inner, key, parameters } = self;
        Sorted { inner: Shuffled::with_inner(inner, seed), key, parameters }
    }
}

impl<P: Problem, B: Brancher<P>, F: FnMut(&Node<'_, P>, &P::Choice) -> K, K: Ord> Brancher<P>
    for Sorted<B, F>
{
    type Cursor = Children<P::Choice>;

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.inner.parameters(), self.parameters])
    }

    // The key stores nothing, because it reads the path from the node.
    as_inner!(effect -> Effect, memory -> HookMemory);
    as_inner!(incumbent -> Option<IncumbentId>, cuts -> &[Cuts]);

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        self.inner.branch(node).map(|mut cursor| {
            let mut children: SmallVec<[(K, P::Choice); INLINE_CHILDREN]> = SmallVec::new();
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

    as_inner!(enter, leave);
}

debug_fields!(impl[B: fmt::Debug, F] Sorted<B, F>: inner);

/// A brancher that takes the children of another one in random order, the same order for the same
/// seed.
///
/// The order at a node depends on the seed and the path only. It does not depend on what was
/// searched before, so it is the same in whatever order the nodes are visited.
///
/// ```
/// use secateurs::Search;
/// use secateurs::brancher::Shuffled;
/// use secateurs_problems::knights_tour::{TourBoard, KnightsTour};
///
/// let tour = KnightsTour::open(TourBoard::new(3, 4)?);
/// let outcome = Search::new(&tour).brancher(Shuffled::new(7)).count();
/// assert_eq!(outcome.exact(), Some(16)); // whatever the order
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shuffled<B = ProblemOrder> {
    inner: B,
    seed: u64,
    /// By depth, a hash of the seed and the path down to there.
    trail: Vec<u64>,
}

impl Shuffled {
    /// Creates a brancher that shuffles the children of the problem.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with_inner(ProblemOrder, seed)
    }
}

impl<B> Shuffled<B> {
    /// Creates a brancher that shuffles the children of `inner`.
    #[must_use]
    pub fn over<P: Problem>(inner: B, seed: u64) -> Self
    where
        B: Brancher<P>,
    {
        Self::with_inner(inner, seed)
    }

    fn with_inner(inner: B, seed: u64) -> Self {
        Shuffled { inner, seed, trail: Vec::new() }
    }
}

impl<P: Problem<Choice: Hash>, B: Brancher<P>> Brancher<P> for Shuffled<B> {
    type Cursor = Children<P::Choice>;

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.inner.parameters(), Some(Digest::of(&self.seed))])
    }

    as_inner!(effect -> Effect, incumbent -> Option<IncumbentId>, cuts -> &[Cuts]);

    /// Adds the path to the memory of `inner`, because the order depends on a hash of the path.
    fn memory(&self) -> HookMemory {
        self.inner.memory().with_path()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        let seed = self.trail.last().copied().unwrap_or(self.seed);
        self.inner.branch(node).map(|mut cursor| {
            let mut children: SmallVec<[P::Choice; INLINE_CHILDREN]> = SmallVec::new();
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
        // Deeper entries are left over from finished nodes.
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

/// A brancher that takes the children of another one from the middle outwards: the middle one
/// (rounded down), the one after it, the one before it, the second after it, and so on.
///
/// ```
/// use secateurs::brancher::{MiddleOut, ProblemOrder};
/// use secateurs::Search;
/// use secateurs_problems::queens::{BitQueens, Queens, RowByRow};
///
/// let queens = Queens::new(8)?.bits();
/// let outcome = Search::new(&queens).brancher(MiddleOut::over(ProblemOrder)).first();
/// assert_eq!(outcome.solution().map(|path| BitQueens::columns(path)[0]), Some(3));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MiddleOut<B = ProblemOrder> {
    inner: B,
}

impl<B> MiddleOut<B> {
    /// Creates a brancher that reorders the children of `inner`.
    #[must_use]
    pub fn over(inner: B) -> Self {
        MiddleOut { inner }
    }
}

impl<P: Problem, B: Brancher<P>> Brancher<P> for MiddleOut<B> {
    type Cursor = Children<P::Choice>;

    as_inner!(parameters -> Option<Digest>, effect -> Effect, memory -> HookMemory);
    as_inner!(incumbent -> Option<IncumbentId>, cuts -> &[Cuts]);

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        self.inner.branch(node).map(|mut cursor| {
            let mut children: SmallVec<[P::Choice; INLINE_CHILDREN]> = SmallVec::new();
            while let Some(choice) = self.inner.next(node, &mut cursor) {
                children.push(choice);
            }
            let middle = children.len().saturating_sub(1) / 2;
            let steps = |place: usize| 2 * place.abs_diff(middle) - usize::from(place > middle);
            let mut outwards: SmallVec<[(usize, P::Choice); INLINE_CHILDREN]> = SmallVec::new();
            for (place, choice) in children.into_iter().enumerate() {
                outwards.push((steps(place), choice));
            }
            outwards.sort_unstable_by_key(|&(steps, _)| steps);
            Children::new(outwards.into_iter().map(|(_, choice)| choice))
        })
    }

    #[inline]
    fn next(&mut self, _: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice> {
        cursor.rest.pop()
    }

    as_inner!(enter, leave);
}

//! Dominance: pruning a state if another one is at least as good (Kohler and Steiglitz 1974;
//! Ibaraki 1977).

use std::hash::Hash;
use std::marker::PhantomData;

use smallvec::SmallVec;

use super::front::Front;
use super::table::{Table, Weight};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, NodeMut, Substitute, SubstituteOrder, Verdict};
use crate::memory::block_bytes;
use crate::problem::Problem;

/// The default of [`Dominance::capacity`].
const CAPACITY: usize = 1 << 20;

/// A relation of summaries, given by a closure. Each summary is compared with all others of its
/// group.
#[derive(Clone)]
pub struct Pairwise<D, C> {
    dominates: C,
    summary: PhantomData<fn(&D)>,
}

debug_fields!(impl[D, C] Pairwise<D, C>:);

/// The relation of vectors with `N` components in which a vector dominates another one if none of
/// its components is smaller. Queries take logarithmic time for two components. For more, they
/// visit a small part of the group.
#[derive(Clone, Debug)]
pub struct Criteria<V, const N: usize>(PhantomData<fn(&V)>);

use relation::Relation;

mod relation {
    use super::{Digest, Weight};

    /// A dominance relation of summaries, with the data structure for those of a group. It is not
    /// exported, which seals it.
    pub trait Relation {
        /// The remembered part of a state.
        type Summary;
        /// The summaries of a group, none of which dominates another one.
        type Set: Default + Weight;

        /// Returns whether a summary of the set dominates this one.
        fn dominates(&self, set: &Self::Set, summary: &Self::Summary) -> bool;

        /// Adds a summary that is not dominated, and removes those that it dominates. Returns the
        /// number of these.
        fn insert(&self, set: &mut Self::Set, summary: Self::Summary) -> usize;

        /// Removes one summary.
        fn remove_any(set: &mut Self::Set);

        /// Returns the digest of what the relation captures.
        fn digest(&self) -> Option<Digest>;
    }
}

/// An antichain of summaries: none of them dominates another one.
impl<D> Weight for SmallVec<[D; 1]> {
    fn weight(&self) -> usize {
        self.len()
    }
    fn heap_bytes(&self) -> usize {
        if self.spilled() { block_bytes(self.capacity() * size_of::<D>()) } else { 0 }
    }
}

impl<D, C: Fn(&D, &D) -> bool> Relation for Pairwise<D, C> {
    type Summary = D;
    type Set = SmallVec<[D; 1]>;

    fn dominates(&self, set: &Self::Set, summary: &D) -> bool {
        set.iter().any(|other| (self.dominates)(other, summary))
    }

    fn insert(&self, set: &mut Self::Set, summary: D) -> usize {
        let before = set.len();
        set.retain(|other: &mut D| !(self.dominates)(&summary, other));
        let removed = before - set.len();
        set.push(summary);
        removed
    }

    fn remove_any(set: &mut Self::Set) {
        set.remove(0);
    }

    fn digest(&self) -> Option<Digest> {
        Digest::of_zero_sized(&self.dominates)
    }
}

impl<V: Ord + Copy, const N: usize> Relation for Criteria<V, N> {
    type Summary = [V; N];
    type Set = Front<V, N>;

    fn dominates(&self, set: &Front<V, N>, summary: &[V; N]) -> bool {
        set.dominates(summary)
    }

    fn insert(&self, set: &mut Front<V, N>, summary: [V; N]) -> usize {
        set.insert(summary)
    }

    fn remove_any(set: &mut Front<V, N>) {
        set.remove_any();
    }

    fn digest(&self) -> Option<Digest> {
        Some(Digest::of("criteria"))
    }
}

/// A hook that prunes a node that is dominated by a node visited before.
///
/// Only states of the same *group*, given by a key, are compared. The hook remembers a *summary* of
/// each state, and `dominates(a, b)` returns whether a state of summary `a` is at least as good as
/// one of summary `b`. Each group keeps an antichain: a summary that a new one dominates is
/// dropped, because the new one dominates everything that it dominates.
///
/// # What `dominates` must mean
///
/// If `a` dominates `b`, then every solution at or below a state of `b` must have a *match* at or
/// below any state of `a` in the group: one at least as good, if the run is for the
/// [best](crate::Search::best), and any one if it is for the [first](crate::Search::first). The
/// relation must be transitive. It need not be reflexive; if it is, a state is also pruned by an
/// earlier one of equal summary.
///
/// Matches must not form a cycle, in which each of two states is pruned in favour of the other. One
/// of these conditions suffices; declare it with [`order`](Dominance::order), unless it is the last
/// one:
///
/// - [`FewerChoices`](SubstituteOrder::FewerChoices): *no match takes more choices to reach, from
///   its state, than the solution that it matches*. This holds if all states of a group have the
///   same depth and all solutions as well, as when items are decided one after the other, and for
///   shortest paths. (Replace a pruned solution by its match repeatedly: each match is reached
///   below the dominating state in at most as many choices as were left, and can itself be pruned
///   only further below.)
/// - [`BetterValue`](SubstituteOrder::BetterValue): *every match is better* than what it matches,
///   and not just as good;
/// - [`DepthFirst`](SubstituteOrder::DepthFirst): the search is depth-first and *no state is
///   dominated by an ancestor of its own*. (Then a match lies in a subtree that was searched
///   earlier, and what prunes the match lies earlier still.)
///
/// # Memory
///
/// At most [`capacity`](Dominance::capacity) summaries are remembered, and at most half as many of
/// one group. When the memory is full, approximately the least recently used groups are evicted. A
/// group that exceeds half the capacity drops its oldest summary. An evicted summary no longer
/// prunes. A [memory limit](crate::Limits::memory) does not include heap memory that keys and
/// summaries own. The report has the statistics `entries` (current summaries), `dominated` (dropped
/// for a better one) and `evictions`.
///
/// Cost: each node is compared with every summary of its group; [by
/// criteria](Dominance::by_criteria), with few of them. Create a new hook for each run: a reflexive
/// dominance that is reused prunes the root.
///
/// # Combination with other hooks
///
/// The [rule for combinations](crate::hook#hooks-together) decides which claims hold. Two dominance
/// hooks can be combined if they state the same order; otherwise their matches may form a cycle. A
/// dominance hook in depth-first order proves nothing in another search, nor with several threads.
///
/// # Example
///
/// The shortest path through a maze, depth-first: a square that is reached again is searched only
/// if fewer steps led there. ([`Memo::visited`](super::Memo::visited) would keep the first path to
/// each square, which need not be the shortest.)
///
/// ```
/// use secateurs::hook::Dominance;
/// use secateurs::{Objective, Search};
/// use secateurs_problems::maze::{Maze, Mouse};
///
/// let maze: Maze = "S.#\n...\n..G\n".parse()?;
/// let steps = Objective::minimise(|_: &Maze, mouse: &Mouse| mouse.steps());
/// let square = |_: &Maze, mouse: &Mouse| mouse.square();
/// let detour = Dominance::new("detour", square, |_, mouse| mouse.steps(), |a, b| a <= b);
/// let outcome = Search::new(&maze).hooks((detour,)).best(&steps);
/// assert_eq!(outcome.proven(), Some(&4));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
pub struct Dominance<P, K, G, S, R: Relation> {
    name: String,
    group: G,
    summary: S,
    relation: R,
    order: SubstituteOrder,
    parameters: Option<Digest>,
    groups: Table<K, R::Set>,
    dominated: u64,
    problem: PhantomData<fn(&P)>,
}

impl<P, K, D, G, S, C> Dominance<P, K, G, S, Pairwise<D, C>>
where
    P: Problem,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> D,
    C: Fn(&D, &D) -> bool,
{
    /// Creates a hook that compares the states of one `group` by their `summary`; `dominates(a, b)`
    /// returns whether `a` is at least as good as `b`. Time per node: linear in the number of
    /// summaries of its group. For functions, and closures whose arguments have their types; see
    /// [`new_for`](Self::new_for).
    pub fn new(name: impl Into<String>, group: G, summary: S, dominates: C) -> Self {
        Self::of_relation(name, group, summary, Pairwise { dominates, summary: PhantomData })
    }

    /// Creates the hook of [`new`](Self::new) for `problem`, which only provides its type, so that
    /// the closures need no annotations.
    pub fn new_for(
        problem: &P,
        name: impl Into<String>,
        group: G,
        summary: S,
        dominates: C,
    ) -> Self {
        let _ = problem;
        Self::new(name, group, summary, dominates)
    }
}

impl<P, K, G, S, V, const N: usize> Dominance<P, K, G, S, Criteria<V, N>>
where
    P: Problem,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> [V; N],
    V: Ord + Copy,
{
    /// Creates a hook that compares the states of one `group` by several `criteria`: a state
    /// dominates another one if none of its criteria is smaller. Wrap a criterion in
    /// [`Reverse`](std::cmp::Reverse) if less is better.
    ///
    /// Time per node, for n summaries in its group: O(log n) for two criteria; for more, a search
    /// in k-d trees, which visits a small part of the summaries. A group that exceeds half the
    /// capacity drops one of its summaries, not necessarily the oldest.
    ///
    /// ```
    /// use secateurs::hook::Dominance;
    /// use secateurs::{Search, SubstituteOrder};
    /// use secateurs_problems::knapsack::{Filling, Knapsack};
    ///
    /// let knapsack = Knapsack::strongly_correlated(30, 100, 1)?;
    /// let value = Knapsack::objective();
    /// let decided = |_: &Knapsack, filling: &Filling| filling.decided;
    /// let criteria = |_: &Knapsack, filling: &Filling| [filling.room, filling.value];
    /// let dominance = Dominance::by_criteria("room and value", decided, criteria)
    ///     .order(SubstituteOrder::FewerChoices);
    /// let outcome = Search::new(&knapsack).hooks((dominance,)).best(&value);
    /// assert!(outcome.proven().is_some());
    /// assert!(outcome.report().nodes() < 100_000); // of 2^30
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn by_criteria(name: impl Into<String>, group: G, criteria: S) -> Self {
        Self::of_relation(name, group, criteria, Criteria(PhantomData))
    }

    /// Creates the hook of [`by_criteria`](Self::by_criteria) for `problem`, which only provides
    /// its type, so that the closures need no annotations.
    ///
    /// ```
    /// use secateurs::hook::Dominance;
    /// use secateurs::{Search, SubstituteOrder};
    /// use secateurs_problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::strongly_correlated(20, 100, 1)?;
    /// let value = Knapsack::objective();
    /// let dominance = Dominance::by_criteria_for(
    ///     &knapsack,
    ///     "room and value",
    ///     |_, filling| filling.decided,
    ///     |_, filling| [filling.room, filling.value],
    /// );
    /// let dominance = dominance.order(SubstituteOrder::FewerChoices);
    /// assert!(Search::new(&knapsack).hook(dominance).best(&value).proven().is_some());
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn by_criteria_for(problem: &P, name: impl Into<String>, group: G, criteria: S) -> Self {
        let _ = problem;
        Self::by_criteria(name, group, criteria)
    }
}

impl<P, K, G, S, R> Dominance<P, K, G, S, R>
where
    P: Problem,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> R::Summary,
    R: Relation,
{
    fn of_relation(name: impl Into<String>, group: G, summary: S, relation: R) -> Self {
        let parameters =
            [Digest::of_zero_sized(&group), Digest::of_zero_sized(&summary), relation.digest()];
        Dominance {
            name: name.into(),
            parameters: Digest::all(parameters),
            group,
            summary,
            relation,
            order: SubstituteOrder::DepthFirst,
            groups: Table::new(CAPACITY),
            dominated: 0,
            problem: PhantomData,
        }
    }

    /// Sets the order in which matches precede the solutions that they replace. The default is
    /// [`DepthFirst`](SubstituteOrder::DepthFirst), which holds in a depth-first search by one
    /// thread only. [`FewerChoices`](SubstituteOrder::FewerChoices) and
    /// [`BetterValue`](SubstituteOrder::BetterValue) hold in every search.
    #[must_use]
    pub fn order(mut self, order: SubstituteOrder) -> Self {
        self.order = order;
        self
    }

    crate::hook::parameters_of_captures!();

    /// Sets the largest number of summaries to remember, and clears the memory. The default is
    /// 1,048,576; a value below 2 is treated as 2.
    #[must_use]
    pub fn capacity(mut self, summaries: usize) -> Self {
        self.groups = Table::new(summaries);
        self
    }
}

impl<P, K, G, S, R> Hook<P> for Dominance<P, K, G, S, R>
where
    P: Problem,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> R::Summary,
    R: Relation,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.parameters, Some(Digest::of(&self.order))])
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn substitute(&self) -> Substitute {
        Substitute::Elsewhere(self.order)
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }

    fn limit_memory(&self, bytes: usize) {
        self.groups.limit_memory(bytes);
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let group = (self.group)(node.problem(), node.state());
        let summary = (self.summary)(node.problem(), node.state());
        // On a replay of a reflexive relation, this finds the node's own summary, or one that
        // dominates it by now, and changes nothing. If the relation is not reflexive, or the
        // summary was evicted, it is inserted again, which is still correct.
        let (relation, half) = (&self.relation, self.groups.half);
        let removed = self.groups.update(group, |set| {
            if relation.dominates(set, &summary) {
                return None;
            }
            let dominated = relation.insert(set, summary);
            let is_full = set.weight() > half;
            if is_full {
                R::remove_any(set);
            }
            Some((dominated, is_full))
        });
        let Some((dominated, is_full)) = removed else { return Verdict::Prune };
        self.dominated += dominated as u64;
        self.groups.evicted += u64::from(is_full);
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        let stats = [
            ("entries", self.groups.len()),
            ("dominated", self.dominated),
            ("evictions", self.groups.evicted),
        ];
        stats.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }
}

clone_fields!(
    impl[P, K: Clone, G: Clone, S: Clone, R: Relation<Set: Clone> + Clone] Dominance<P, K, G, S, R>:
    name, group, summary, relation, order, parameters, groups, dominated, problem
);

debug_fields!(impl[P, K, G, S, R: Relation] Dominance<P, K, G, S, R>: name);

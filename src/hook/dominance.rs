//! Dominance: cutting off a state if another one does at least as well (Kohler and Steiglitz 1974;
//! Ibaraki 1977).

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

use super::table::{Table, Weight};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, NodeMut, Substitute, SubstituteOrder, Verdict};
use crate::memory::block_bytes;
use crate::problem::Problem;

/// How many summaries are remembered unless [`Dominance::capacity`] says otherwise: 2²⁰.
const CAPACITY: usize = 1 << 20;

/// Summaries of which none dominates another.
#[derive(Clone)]
struct Antichain<D>(Vec<D>);

impl<D> Weight for Antichain<D> {
    fn weight(&self) -> usize {
        self.0.len()
    }
    fn heap_bytes(&self) -> usize {
        block_bytes(self.0.capacity() * size_of::<D>())
    }
}

/// A hook that cuts off a node that is dominated by one that was met before.
///
/// States are compared within a *group* only, given by a key; of each state a *summary* is
/// remembered, and `dominates(a, b)` says whether a state of summary `a` is at least as good as one
/// of summary `b`. Of each group an antichain is kept: a summary that a new one dominates is
/// dropped, as whatever it dominates the new one dominates too.
///
/// # What `dominates` must mean
///
/// If `a` dominates `b`, then every solution at or below a state of `b` must have a *match* at or
/// below any state of `a` in the group: one at least as good, if the run is for the
/// [best](crate::Search::best), and any one if it is for the [first](crate::Search::first). The
/// relation must be transitive. A summary that dominates itself is what makes states of equal
/// summary meet; it need not.
///
/// Matches must not lead round in a circle, where each of two states is cut off for the sake of the
/// other. One of these is enough, and is to be [stated](Dominance::order) unless it is the last
/// one:
///
/// - [`FewerChoices`](SubstituteOrder::FewerChoices): *no match takes more choices to reach, from
///   its state, than the solution that it matches*. This is so if all states of a group and all
///   solutions have their depth in common, as when items are decided one after the other, and for
///   shortest ways. (Replace a solution that is cut off by its match, again and again: each match
///   is reached below the dominating state in at most as many choices as were left, and can itself
///   be cut off only further below.)
/// - [`BetterValue`](SubstituteOrder::BetterValue): *every match is better* than what it matches,
///   and not just as good;
/// - [`DepthFirst`](SubstituteOrder::DepthFirst): the search is depth-first and *no state is
///   dominated by an ancestor of its own*. (Then a match lies in a subtree that was searched
///   earlier, and what cuts that off, earlier still.)
///
/// # Memory
///
/// At most [`capacity`](Dominance::capacity) summaries are remembered, and of one group at most
/// half as many. When there is no room, groups that were not met for longest go first, roughly, and
/// the oldest summaries of a group that is too large by itself; what is forgotten cuts off nothing
/// any more. The report has the figures `entries` (summaries now), `dominated` (dropped for a
/// better one) and `evictions`. Cost: each node is compared with its group's antichain, one by one.
/// A dominance that is lent to a second run cuts off the root.
///
/// # Beside other hooks
///
/// The [rule for hooks together](crate::hook#hooks-together) says which claims hold. Two dominances
/// do if they keep to the same order; otherwise they may lead each other in a circle. One that
/// keeps to the order of a depth-first search proves nothing in another search, nor with several
/// threads.
///
/// # Example
///
/// The shortest way through a maze, depth-first: a square that is reached again is worth a look
/// only if fewer steps led there. ([`Memo::visited`](super::Memo::visited) would keep the first way
/// to each square, which need not be shortest.)
///
/// ```
/// use secateurs::hook::Dominance;
/// use secateurs::problems::maze::{Maze, Mouse};
/// use secateurs::{Objective, Search};
///
/// let maze: Maze = "S.#\n...\n..G\n".parse()?;
/// let steps = Objective::minimise(|_: &Maze, mouse: &Mouse| mouse.steps());
/// let detour =
///     Dominance::new("detour", |_: &Maze, mouse: &Mouse| mouse.square(), |_, mouse| mouse.steps(), |a, b| a <= b);
/// let outcome = Search::new(&maze).hooks((detour,)).best(&steps);
/// assert_eq!(outcome.proven(), Some(&4));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
pub struct Dominance<P, K, D, G, S, C> {
    name: String,
    group: G,
    summary: S,
    dominates: C,
    order: SubstituteOrder,
    parameters: Option<Digest>,
    groups: Table<K, Antichain<D>>,
    dominated: u64,
    problem: PhantomData<fn(&P)>,
}

impl<P, K, D, G, S, C> Dominance<P, K, D, G, S, C>
where
    P: Problem,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> D,
    C: Fn(&D, &D) -> bool,
{
    /// Compares states of one `group` by their `summary`; `dominates(a, b)` says whether `a` is at
    /// least as good as `b`.
    pub fn new(name: impl Into<String>, group: G, summary: S, dominates: C) -> Self {
        let parameters =
            [Digest::of_unit(&group), Digest::of_unit(&summary), Digest::of_unit(&dominates)];
        Dominance {
            name: name.into(),
            parameters: Digest::all(parameters),
            group,
            summary,
            dominates,
            order: SubstituteOrder::DepthFirst,
            groups: Table::new(CAPACITY),
            dominated: 0,
            problem: PhantomData,
        }
    }

    /// States in which order matches precede what they match, in place of that of a depth-first
    /// search: by one of the others, the claim holds in every search.
    #[must_use]
    pub fn order(mut self, order: SubstituteOrder) -> Self {
        self.order = order;
        self
    }

    /// States the data that the closures have captured: see [`Hook::parameters`]. Closures that
    /// capture nothing have no parameters.
    #[must_use]
    pub fn parameters(mut self, data: &(impl Hash + ?Sized)) -> Self {
        self.parameters = Some(Digest::of(data));
        self
    }

    /// Remembers at most this many summaries, in place of 1 048 576; less than 2 counts as 2.
    /// Forgets what it remembers now.
    #[must_use]
    pub fn capacity(mut self, summaries: usize) -> Self {
        self.groups = Table::new(summaries);
        self
    }
}

impl<P, K, D, G, S, C> Hook<P> for Dominance<P, K, D, G, S, C>
where
    P: Problem,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> D,
    C: Fn(&D, &D) -> bool,
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
    fn follows_path(&self) -> bool {
        false
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let group = (self.group)(node.problem(), node.state());
        let summary = (self.summary)(node.problem(), node.state());
        // On a replay the node's own summary, or one that has come to dominate it, is met here and
        // nothing changes; if it has been evicted it comes back, which is as true as it was.
        let known = self.groups.get(&group);
        if known.is_some_and(|known| known.0.iter().any(|other| (self.dominates)(other, &summary)))
        {
            return Verdict::Prune;
        }
        let mut antichain = self.groups.take(&group).unwrap_or(Antichain(Vec::new()));
        let before = antichain.0.len();
        antichain.0.retain(|other| !(self.dominates)(&summary, other));
        self.dominated += (before - antichain.0.len()) as u64;
        if antichain.0.len() == self.groups.half() {
            antichain.0.remove(0);
            self.groups.count_evicted(1);
        }
        antichain.0.push(summary);
        self.groups.put(group, antichain);
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        let figures = [
            ("entries", self.groups.len()),
            ("dominated", self.dominated),
            ("evictions", self.groups.evicted()),
        ];
        figures.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }
}

impl<P, K: Clone, D: Clone, G: Clone, S: Clone, C: Clone> Clone for Dominance<P, K, D, G, S, C> {
    fn clone(&self) -> Self {
        Dominance {
            name: self.name.clone(),
            group: self.group.clone(),
            summary: self.summary.clone(),
            dominates: self.dominates.clone(),
            order: self.order,
            parameters: self.parameters,
            groups: self.groups.clone(),
            dominated: self.dominated,
            problem: PhantomData,
        }
    }
}

impl<P, K, D, G, S, C> fmt::Debug for Dominance<P, K, D, G, S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Dominance").field(&self.name).finish()
    }
}

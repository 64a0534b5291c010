//! [`Search::split`]: dividing a frontier into parts after opening nodes.
//!
//! [`Frontier::split`] deals out the siblings that a frontier has. [`Search::split`] first opens
//! nodes, always the one with the largest share of the tree, until there are several subtrees per
//! part. Errors of the estimated sizes then partly cancel each other within a part.
//! (Reinefeld and Schnecke 1994, among others, divide search among processors this way.)

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::mem;
use std::ops::ControlFlow;

use super::builder::{Search, Settings};
use super::depth_first::walk::DepthFirstWalk;
use super::frontier::Frontier;
use super::frontier::resume::Resume;
use super::frontier::subtree::{Subtree, Untried};
use super::meter::Meter;
use super::tree::SearchTree;
use super::walk::DivisibleWalk;
use crate::brancher::Brancher;
use crate::hook::{Effect, Hooks, Node, Terms};
use crate::limits::{Limits, Stop};
use crate::problem::Problem;

/// The number of subtrees per part.
const SUBTREES_PER_PART: usize = 6;

/// The most subtrees that are wanted.
const MAX_SUBTREES: usize = 1 << 16;

/// The most nodes that are opened per subtree, so that a long path without branches is not followed
/// forever.
const MAX_OPENED_PER_SUBTREE: usize = 4;

impl<P: Problem<Choice: Clone>, B: Brancher<P>, H: Hooks<P>, X> Search<'_, P, B, H, X> {
    /// Divides `frontier` into `parts` frontiers of about the same size, like [`Frontier::split`].
    /// It opens nodes first until there are about six subtrees per part, so that it can also divide
    /// a whole tree.
    ///
    /// Sizes are estimated from the numbers of siblings, as for
    /// [`Progress::fraction`](super::Progress::fraction): siblings are assumed to have subtrees of
    /// equal size. The parts together cover exactly what `frontier` did. The opened nodes, with
    /// what hooks cut off there, are in the report of the first part. A solution among them is
    /// still to be counted and visited, by one of the parts.
    ///
    /// The limits of the search apply to the opened nodes: if one is reached, there are fewer and
    /// larger subtrees. Cost: for each opened node, its children are drawn and the path to it is
    /// replayed. Where nodes have many children, far fewer nodes are opened than subtrees are
    /// wanted, and in a tree that hardly branches up to four times as many. No limit covers the
    /// memory for the children of opened nodes: each becomes a subtree with a path of its own. If
    /// there is too little to divide, some parts are exhausted from the start. Beyond the first
    /// 65,536 parts, exhausted ones are omitted.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::search::Frontier;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits();
    /// let parts = Search::new(&queens).split(Frontier::new(), 8);
    /// assert_eq!(parts.len(), 8);
    ///
    /// // Each of them may be searched anywhere, and in any order.
    /// let mut whole: Option<Frontier<u64>> = None;
    /// for mut part in parts.into_iter().rev() {
    ///     let _ = Search::new(&queens).frontier(&mut part).count();
    ///     match &mut whole {
    ///         Some(whole) => whole.merge(part),
    ///         None => whole = Some(part),
    ///     }
    /// }
    /// let mut whole = whole.ok_or("there are eight")?;
    /// let outcome = Search::new(&queens).frontier(&mut whole).count();
    /// assert_eq!(outcome.exact(), Some(724));
    /// assert_eq!(outcome.report().nodes(), 35_539);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn split(
        self,
        mut frontier: Frontier<P::Choice>,
        parts: usize,
    ) -> Vec<Frontier<P::Choice>> {
        // If the check fails, the frontier and all parts of it are lost.
        #[cfg(feature = "serde")]
        let _ = frontier.check_once(self.problem);
        let wanted = parts.saturating_mul(SUBTREES_PER_PART).min(MAX_SUBTREES);
        if parts > 1 && !frontier.is_exhausted() {
            self.open(&mut frontier, wanted);
        }
        frontier.split(parts)
    }

    /// Opens nodes until there are `wanted` subtrees, and leaves these in `frontier`.
    fn open(self, frontier: &mut Frontier<P::Choice>, wanted: usize) {
        // Nodes are opened in another order than depth-first, which matters to the brancher only:
        // hooks that remember visited nodes are not asked. If it matters, the opened nodes are
        // reported as lossy, and the reasons may name such hooks, too.
        let loses_in_order =
            matches!(self.brancher.effect(), Effect::Representatives | Effect::OptimumOnly)
                && self.brancher.memory().includes_visited();
        let depth_first = !loses_in_order;
        let terms = Terms { incumbent: None, depth_first, strategy: None };
        let Settings { limits, .. } = self.settings;
        let meter = Meter::new(Limits { solutions: None, ..limits }, None);
        let resume = Resume::new(frontier, None);
        // No subtree is exhausted here. Hooks therefore learn nothing.
        let hooks = self.hooks.probing();
        let mut walk = DepthFirstWalk::new(SearchTree::new(
            self.problem,
            self.brancher,
            hooks,
            meter,
            terms,
            Some(resume),
        ));
        if walk.tree.stopped.is_some() {
            return;
        }
        walk.replay.copy_deferred_path = Some(|path| path.to_vec());
        let mut units = Units::new(walk.extract_frontier());
        let mut nodes_left = wanted.saturating_mul(MAX_OPENED_PER_SUBTREE);
        let recording = walk.tree.reads.begin();
        while units.largest.len() < wanted && nodes_left > 0 {
            let Some((place, unit)) = units.take_largest() else { break };
            nodes_left -= 1;
            let unopened = unit.copy();
            let Some((opened, stop)) = open_one(&mut walk, unit) else {
                units.places[place].unit = Some(unopened);
                continue;
            };
            units.put(place, opened);
            if let Err(stop) = stop {
                walk.tree.stopped = Some(walk.tree.end(stop, &walk.tally));
                break;
            }
        }
        recording.end(&mut walk.tree.reads);
        walk.replay.pending = units.into_subtrees();
    }
}

/// What is left of a subtree in tree order, and whether the split can go on.
type Opened<C> = (VecDeque<Subtree<C>>, Result<(), Stop>);

/// Enters one node, the next of a subtree, and returns what is left of the subtree in tree order.
/// Returns `None` if a node on its path is now a solution without children that may have been
/// counted; the subtree must then stay as it was.
fn open_one<P: Problem, B: Brancher<P>, H: Hooks<P>>(
    walk: &mut DepthFirstWalk<'_, P, B, H>,
    unit: Subtree<P::Choice>,
) -> Option<Opened<P::Choice>> {
    let visited = |walk: &DepthFirstWalk<'_, P, B, H>| walk.tree.meter.visited(walk.fuel);
    let before = visited(walk);
    let mut visit = |_: &Node<'_, P>| ControlFlow::Continue(());
    walk.push_pending(unit);
    let stop = loop {
        match walk.advance_prefix(&mut visit) {
            // None of the remaining children could be entered.
            Err(Stop::Exhausted) => break Ok(()),
            Err(stop) => break Err(stop),
            Ok(ControlFlow::Break(())) => {
                walk.extract_frontier();
                return None;
            }
            Ok(_) if visited(walk) > before || walk.replay.deferred_solution.is_some() => {
                break Ok(());
            }
            Ok(_) => {}
        }
    };
    let mut rest = walk.extract_frontier();
    if let Some(path) = walk.replay.deferred_solution.take() {
        rest.push_front(Subtree::solution(path));
    }
    Some((rest, stop))
}

/// A node of a linked list in tree order.
struct ListNode<C> {
    /// `None` in the head of the list, and after the unit was taken to be opened.
    unit: Option<Subtree<C>>,
    next: Option<usize>,
}

/// Subtrees in tree order, none of which can be divided without opening a node: a *unit* has one
/// untried child, or those of a node that may be a dead end.
struct Units<C> {
    places: Vec<ListNode<C>>,
    /// The units that may be opened, those with a positive share: the bits of the share, which
    /// order positive numbers, and the index in the list. Of equal shares, the older one is next.
    largest: BinaryHeap<(u64, Reverse<usize>)>,
}

impl<C: Clone> Units<C> {
    fn new(subtrees: VecDeque<Subtree<C>>) -> Self {
        let head = ListNode { unit: None, next: None };
        let mut units = Units { places: vec![head], largest: BinaryHeap::new() };
        units.put(0, subtrees);
        units
    }

    /// Takes out the unit with the largest share, and returns it with its index.
    fn take_largest(&mut self) -> Option<(usize, Subtree<C>)> {
        let (_, Reverse(place)) = self.largest.pop()?;
        Some((place, self.places[place].unit.take()?))
    }

    /// Inserts subtrees behind a list node without a unit.
    fn put(&mut self, mut place: usize, subtrees: VecDeque<Subtree<C>>) {
        for unit in subtrees.into_iter().flat_map(split_into_units) {
            let share = unit.share();
            let next = self.places[place].next;
            self.places.push(ListNode { unit: Some(unit), next });
            let new = self.places.len() - 1;
            self.places[place].next = Some(new);
            place = new;
            if share > 0.0 {
                self.largest.push((share.to_bits(), Reverse(place)));
            }
        }
    }

    fn into_subtrees(mut self) -> VecDeque<Subtree<C>> {
        let mut subtrees = VecDeque::new();
        let mut place = Some(0);
        while let Some(here) = place {
            subtrees.extend(self.places[here].unit.take());
            place = self.places[here].next;
        }
        subtrees
    }
}

/// Splits a subtree into its untried children, except for those that must stay together; the
/// deepest come first, as in tree order.
fn split_into_units<C: Clone>(subtree: Subtree<C>) -> Vec<Subtree<C>> {
    if subtree.is_whole() {
        return vec![subtree];
    }
    let first = subtree.first_depth();
    let Subtree { path, mut untried, solution } = subtree;
    let mut units = Vec::new();
    if solution {
        units.push(Subtree::solution(path.clone()));
    }
    while let Some(mut node) = untried.pop() {
        let depth = first + untried.len();
        let as_subtree = |node| Subtree::new(path[..depth].to_vec(), vec![node]);
        if node.barren {
            units.extend(as_subtree(node));
            continue;
        }
        for choice in mem::take(&mut node.choices) {
            units.extend(as_subtree(Untried { choices: VecDeque::from([choice]), ..node }));
        }
    }
    units
}

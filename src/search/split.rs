//! Dividing what is left of a search into parts, with the problem at hand: [`Search::split`].
//!
//! [`Frontier::split`] deals out the siblings that are there. Here, nodes are opened first, the one
//! with the largest share of the tree each time, until there are several subtrees for each part: if
//! a part has one that is larger than it looks, it has others as well that are not. (Reinefeld and
//! Schnecke 1994, among others, divide search among processors this way.)

use std::collections::{BinaryHeap, VecDeque};
use std::mem;
use std::ops::ControlFlow;

use super::frontier::{Frontier, Resume};
use super::kernel::DepthFirstWalk;
use super::meter::Meter;
use super::subtree::{Subtree, Untried};
use super::tree::{SearchTree, add};
use super::{Search, Settings};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Probing, Terms};
use crate::incumbent::reading::Stretch;
use crate::limits::{Limits, Stop};
use crate::problem::Problem;

/// Subtrees for each part.
const SUBTREES: usize = 6;

/// No more subtrees than this in all.
const MOST: usize = 1 << 16;

/// A trunk without branches is not climbed for ever: so many nodes are opened for each subtree that
/// is wanted.
const PATIENCE: usize = 4;

impl<P: Problem<Choice: Clone>, B: Brancher<P>, H: Hooks<P>, X> Search<'_, P, B, H, X> {
    /// Divides what is left in `frontier` into `parts` frontiers of about the same size, as
    /// [`Frontier::split`] does, but opens nodes first, until there are about six subtrees a part:
    /// so it divides a whole tree as well.
    ///
    /// Sizes are what can be told from the numbers of siblings, as for
    /// [`Progress::fraction`](super::Progress::fraction): a node is taken to have as much below it
    /// as its siblings. The parts together are exactly what `frontier` was: the nodes that were
    /// opened, with what hooks cut off there, are in the account of the first part, and a solution
    /// among them is still to be counted and visited, by one of the parts.
    ///
    /// The limits of the search hold for the nodes that are opened: if one is reached, there are
    /// fewer and larger subtrees. Cost: for each node that is opened, its children are drawn, and
    /// the path to it is replayed; as many nodes as there are to be subtrees at the least, and up
    /// to four times as many in a tree that hardly branches. Where there is not enough to divide,
    /// some parts are exhausted from the start; of more than 65 536 parts, those are left out.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    /// use secateurs::search::Frontier;
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
        let wanted = parts.saturating_mul(SUBTREES).min(MOST);
        if parts > 1 && !frontier.is_exhausted() {
            self.open(&mut frontier, wanted);
        }
        frontier.split(parts)
    }

    /// Opens nodes until there are so many subtrees, and leaves them in `frontier`.
    fn open(self, frontier: &mut Frontier<P::Choice>, wanted: usize) {
        let terms = Terms { brancher: self.brancher.effect(), incumbent: None, depth_first: true };
        let Settings { limits, .. } = self.settings;
        let meter = Meter::new(Limits { solutions: None, ..limits }, None);
        let resume = Resume::new(frontier, None);
        // Nothing is searched to its end here, and nodes are not entered in the order of the tree:
        // hooks learn nothing, and those that remember the nodes they have met are not asked.
        let hooks = Probing(self.hooks);
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
        walk.led.defers = Some(|path| path.to_vec());
        let mut units = Units::new(walk.take_rest());
        let mut left = wanted.saturating_mul(PATIENCE);
        let stretch = Stretch::begin();
        while units.len() < wanted && left > 0 {
            let Some((place, unit)) = units.take_largest() else { break };
            let (opened, stop) = open_one(&mut walk, unit);
            units.put(place, opened);
            left -= 1;
            if let Err(stop) = stop {
                walk.tree.stopped = Some(walk.tree.end(stop, &walk.tally));
                break;
            }
        }
        add(&mut walk.tree.read, stretch.end());
        // What is in the frontier afterwards is a search that has been paused.
        walk.tree.stopped.get_or_insert(Stop::Paused);
        walk.lead_to(units.into_subtrees());
    }
}

/// Enters one node, the next of a subtree: what is left of it then, in the order of the tree.
fn open_one<P, B, H>(
    walk: &mut DepthFirstWalk<'_, P, B, H>,
    unit: Subtree<P::Choice>,
) -> (VecDeque<Subtree<P::Choice>>, Result<(), Stop>)
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
{
    let visited = |walk: &DepthFirstWalk<'_, P, B, H>| walk.tree.meter.visited(walk.fuel);
    let before = visited(walk);
    let mut visit = |_: &Node<'_, P>| ControlFlow::Continue(());
    walk.add(unit);
    let stop = loop {
        match walk.walk_led(&mut visit) {
            // All that was left could not be entered.
            Err(Stop::Exhausted) => break Ok(()),
            Err(stop) => break Err(stop),
            Ok(_) if visited(walk) > before => break Ok(()),
            Ok(_) => {}
        }
    };
    let mut rest = walk.take_rest();
    if let Some(path) = walk.led.deferred.take() {
        rest.push_front(Subtree::solution(path));
    }
    (rest, stop)
}

/// The share of a unit, and its place.
struct Share {
    share: f64,
    place: usize,
}

impl PartialEq for Share {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Share {}

impl Ord for Share {
    /// Of equal shares, the one that has been there longer is the greater.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.share.total_cmp(&other.share).then_with(|| other.place.cmp(&self.place))
    }
}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A place in a list in the order of the tree.
struct Place<C> {
    unit: Option<Subtree<C>>,
    next: Option<usize>,
}

/// Subtrees none of which can be divided without being opened, in the order of the tree.
struct Units<C> {
    places: Vec<Place<C>>,
    count: usize,
    /// Those that may be opened.
    largest: BinaryHeap<Share>,
}

impl<C: Clone> Units<C> {
    fn new(subtrees: VecDeque<Subtree<C>>) -> Self {
        let head = Place { unit: None, next: None };
        let mut units = Units { places: vec![head], count: 0, largest: BinaryHeap::new() };
        units.put(0, subtrees);
        units
    }

    fn len(&self) -> usize {
        self.count
    }

    /// Takes out the unit with the largest share, and says where it was.
    fn take_largest(&mut self) -> Option<(usize, Subtree<C>)> {
        let Share { place, .. } = self.largest.pop()?;
        let unit = self.places[place].unit.take()?;
        self.count -= 1;
        Some((place, unit))
    }

    /// Puts subtrees at an empty place.
    fn put(&mut self, mut place: usize, subtrees: VecDeque<Subtree<C>>) {
        for unit in subtrees.into_iter().flat_map(divided) {
            let share = unit.share();
            let next = self.places[place].next;
            self.places.push(Place { unit: Some(unit), next });
            let new = self.places.len() - 1;
            self.places[place].next = Some(new);
            place = new;
            self.count += 1;
            if share > 0.0 {
                self.largest.push(Share { share, place });
            }
        }
    }

    fn into_subtrees(mut self) -> VecDeque<Subtree<C>> {
        let mut subtrees = VecDeque::with_capacity(self.count);
        let mut place = Some(0);
        while let Some(here) = place {
            subtrees.extend(self.places[here].unit.take());
            place = self.places[here].next;
        }
        subtrees
    }
}

/// The children that are untried in a subtree, each by itself, unless they must not be parted; the
/// deepest first, as the tree has them.
fn divided<C: Clone>(subtree: Subtree<C>) -> Vec<Subtree<C>> {
    if subtree.is_whole() {
        return vec![subtree];
    }
    let Subtree { path, mut untried, solution } = subtree;
    let mut units = Vec::new();
    if solution {
        units.push(Subtree::solution(path.clone()));
    }
    while let Some(mut node) = untried.pop() {
        let depth = untried.len();
        let alone = |node: Untried<C>| {
            let mut nodes: Vec<_> = (0..depth).map(|_| Untried::none()).collect();
            nodes.push(node);
            Subtree::new(path[..depth].to_vec(), nodes)
        };
        if node.barren {
            units.extend(alone(node));
            continue;
        }
        for choice in mem::take(&mut node.choices) {
            units.extend(alone(Untried { choices: VecDeque::from([choice]), ..node }));
        }
    }
    units
}

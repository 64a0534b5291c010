//! Best-first search: always the open node with the best bound next.
//!
//! An open node is its bound, its depth and the number of its [record](super::records): paths share
//! what they have in common, and what has no open node below it any more is forgotten. There is one
//! state only. To expand a node, it goes there from where it stands, through the nearest common
//! ancestor, and takes the hooks along ([`Guide`]): the child of the node that was expanded last,
//! which the order prefers among equals, is one step away.
//!
//! When there are too many open nodes, those that come up are searched depth first: their children
//! go on a stack in place of the queue, the best on top, and the queue waits until the stack is
//! empty.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::mem;
use std::ops::ControlFlow;

use super::guide::Guide;
use super::jumps::{Expanded, Jumps, Place};
use super::records::ROOT;
use super::tree::{SearchTree, Walk};
use super::{Search, strategy};
use crate::brancher::Brancher;
use crate::hook::{Effect, Hooks, Node, Path};
use crate::incumbent::IncumbentId;
use crate::incumbent::{Direction, Incumbent, Objective};
use crate::limits::Stop;
use crate::memory::{grown, headroom, is_available};
use crate::outcome::Count;
use crate::problem::{Branch, Problem};
use crate::report::Report;

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches the node with the best bound first, in place of depth first (Dechter and Pearl
    /// 1985; the A* of Hart, Nilsson and Raphael 1968 is best-first search for a shortest path).
    ///
    /// `bound` is what [`Objective::bound`] takes: an optimistic value of everything at or below a
    /// node. Of equal bounds, the deeper node comes first, and of equal depths the one that was
    /// entered earlier.
    ///
    /// [`best`](Search::best) and [`improvements`](Search::improvements) of the same objective need
    /// no hook for that bound: a node that does not beat the incumbent is not opened, and when the
    /// best of the open nodes does not, all is proven. So no node whose bound is worse than the
    /// optimum is ever expanded, and of those whose bound is better, every sound search with this
    /// bound must expand each: depth-first search expands others besides, until it has found the
    /// optimum. [`count`](Search::count) and all else visit what they would depth first, in this
    /// order.
    ///
    /// Memory: some six words, a bound and a choice for each open node, and four words and a choice
    /// for each of their ancestors; see [`open_nodes`](Search::open_nodes) for a limit. Cost: a
    /// node is entered twice, once to know its bound and once to expand it, and in between steps
    /// are taken back and forth: as many as the next node is away from the one before, through
    /// their common ancestor. Hooks are led along, and learn nothing from
    /// [leaving](crate::Hook::leave): every node is left
    /// [unfinished](crate::Hook::leave_unfinished).
    ///
    /// ```
    /// use secateurs::problems::maze::{Maze, Mouse};
    /// use secateurs::{Objective, Search};
    ///
    /// let maze: Maze = "S...\n.##.\n...G\n".parse()?;
    /// let shortest = Objective::minimise(|_: &Maze, mouse: &Mouse| mouse.steps());
    /// // What is behind the mouse is a bound already: breadth-first search. What lies before it would make it A*.
    /// let outcome = Search::new(&maze).best_first(&shortest, |_, mouse| mouse.steps()).best(&shortest);
    /// assert_eq!(outcome.proven(), Some(&5));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn best_first<V, F, G>(
        self,
        objective: &Objective<P, V, F>,
        bound: G,
    ) -> Search<'p, P, B, H, X, strategy::BestFirst<V, G>>
    where
        V: Ord + Clone,
        F: Fn(&P, &P::State) -> V,
        G: FnMut(&P, &P::State) -> V,
    {
        Search {
            problem: self.problem,
            brancher: self.brancher,
            hooks: self.hooks,
            extract: self.extract,
            settings: self.settings,
            strategy: strategy::BestFirst {
                incumbent: objective.incumbent().clone().declared(),
                bound,
                open_nodes: usize::MAX,
            },
        }
    }
}

impl<P: Problem, B, H, X, V, G> Search<'_, P, B, H, X, strategy::BestFirst<V, G>> {
    /// Has no more than about so many open nodes: when there are, those that come up next are
    /// searched depth first, each with all below it, the best child first. What is found and proven
    /// is the same, of nodes there may be more.
    ///
    /// The limit may be passed by the children of one node, and what is searched depth first has
    /// the children of the nodes on one path. With a limit of 0, all is searched depth first.
    pub fn open_nodes(mut self, limit: usize) -> Self {
        self.strategy.open_nodes = limit;
        self
    }
}

/// A node that waits to be expanded; of two, the greater one is expanded first.
struct Open<V> {
    bound: V,
    direction: Direction,
    place: Place,
    /// How many were open before it.
    serial: u64,
    /// Whether it is no solution. None of its children has been entered yet.
    barren: bool,
}

impl<V: Ord> Ord for Open<V> {
    fn cmp(&self, other: &Self) -> Ordering {
        let bounds = match self.direction {
            Direction::Maximise => self.bound.cmp(&other.bound),
            Direction::Minimise => other.bound.cmp(&self.bound),
        };
        let depths = self.place.depth.cmp(&other.place.depth);
        bounds.then(depths).then_with(|| other.serial.cmp(&self.serial))
    }
}

impl<V: Ord> PartialOrd for Open<V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<V: Ord> PartialEq for Open<V> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<V: Ord> Eq for Open<V> {}

/// A node that is being expanded.
struct Expanding<K> {
    place: Place,
    cursor: K,
    /// Whether it is no solution and none of its children has been kept yet.
    barren: bool,
    /// Whether it is searched depth first.
    diving: bool,
}

/// A node that may have to be expanded, and whether the visitor goes on.
type TakenUp<K> = (Option<Expanding<K>>, ControlFlow<()>);

/// A best-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct BestFirstWalk<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, V, G> {
    jumps: Jumps<'p, P, B, H>,
    guide: Guide<P>,
    bound: G,
    /// What the nodes must beat, if that is what the run optimises.
    incumbent: Option<Incumbent<V>>,
    direction: Direction,
    /// So many open nodes, and what comes up is searched depth first.
    limit: usize,
    queue: BinaryHeap<Open<V>>,
    /// What is searched depth first, the next on top.
    stack: Vec<Open<V>>,
    /// The children of the node that is being expanded.
    children: Vec<Open<V>>,
    /// The node that is being expanded, while the walk is paused.
    expanding: Option<Expanding<B::Cursor>>,
    /// The record of the node where the guide stands.
    standing: usize,
    serial: u64,
    started: bool,
    /// Whether nodes were cut off for not beating the incumbent.
    has_cut: bool,
}

impl<'p, P, B, H, V, G> BestFirstWalk<'p, P, B, H, V, G>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    V: Ord + Clone,
    G: FnMut(&P, &P::State) -> V,
{
    pub(crate) fn new(tree: SearchTree<'p, P, B, H>, strategy: strategy::BestFirst<V, G>) -> Self {
        let strategy::BestFirst { incumbent, bound, open_nodes } = strategy;
        let direction = incumbent.direction();
        BestFirstWalk {
            guide: Guide::new(tree.problem),
            bound,
            incumbent: (tree.optimises == Some(incumbent.id())).then_some(incumbent),
            jumps: Jumps::new(tree),
            direction,
            limit: open_nodes,
            queue: BinaryHeap::new(),
            stack: Vec::new(),
            children: Vec::new(),
            expanding: None,
            standing: ROOT,
            serial: 0,
            started: false,
            has_cut: false,
        }
    }

    /// Whether something below a node of this bound may still be wanted.
    fn is_wanted(&mut self, bound: &V) -> bool {
        let wanted = self.incumbent.as_mut().is_none_or(|incumbent| incumbent.is_beaten_by(bound));
        self.has_cut |= !wanted;
        wanted
    }

    /// Bytes that the walk takes up.
    fn bytes(&self) -> usize {
        let open = self.queue.capacity() + self.stack.capacity() + self.children.capacity();
        let others = self.jumps.bytes() + self.guide.bytes();
        others.saturating_add(open.saturating_mul(size_of::<Open<V>>()))
    }

    /// Makes room for one more child at this depth, here and in the queue or on the stack, if that
    /// takes no more than the limit of memory allows.
    fn make_room(&mut self, depth: usize) -> Result<(), Stop> {
        let max_bytes = self.jumps.tree.max_bytes;
        self.jumps.make_room(depth, self.bytes())?;
        self.guide.make_room(depth, self.bytes(), max_bytes)?;
        // When a node has been expanded, its children go into the queue or onto the stack.
        let children = self.children.len() + 1;
        let (queue, stack) = (self.queue.len() + children, self.stack.len() + children);
        let mut has_grown = false;
        macro_rules! make_room {
            ($open:ident, $len:expr) => {
                if $len > self.$open.capacity() {
                    let capacity =
                        grown::<Open<V>>($len, self.bytes(), max_bytes).ok_or(Stop::MemoryLimit)?;
                    self.$open
                        .try_reserve_exact(capacity - self.$open.len())
                        .map_err(|_| Stop::MemoryLimit)?;
                    has_grown = true;
                }
            };
        }
        make_room!(queue, queue);
        make_room!(stack, stack);
        make_room!(children, children);
        let is_full = has_grown && !is_available(headroom(max_bytes).min(self.bytes()));
        if is_full { Err(Stop::MemoryLimit) } else { Ok(()) }
    }

    fn open(&mut self, bound: V, place: Place, barren: bool) -> Open<V> {
        self.serial += 1;
        Open { bound, direction: self.direction, place, serial: self.serial, barren }
    }

    fn start(&mut self, visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>) -> Expanded {
        if let Err(stop) = self.jumps.burn(0) {
            return Expanded::Stopped(stop);
        }
        self.started = true;
        let problem = self.jumps.tree.problem;
        let mut state = problem.root();
        let entered = self.jumps.enter(&mut state, Place::ROOT, None, visit);
        if entered.cursor.is_some() {
            let bound = (self.bound)(problem, &state);
            let root = self.open(bound, Place::ROOT, !entered.solution);
            self.queue.push(root);
        }
        if entered.flow.is_break() { Expanded::Paused } else { Expanded::Done }
    }

    /// The next node that is wanted, and whether it is to be searched depth first.
    fn next(&mut self) -> Option<(Open<V>, bool)> {
        while let Some(open) = self.stack.pop() {
            if self.is_wanted(&open.bound) {
                return Some((open, true));
            }
            self.jumps.records.release(open.place.record);
        }
        let full = self.queue.len() >= self.limit;
        let open = self.queue.pop()?;
        if self.is_wanted(&open.bound) {
            return Some((open, full));
        }
        // Nor is any other: their bounds are no better.
        self.queue.clear();
        None
    }

    /// Goes to the next node, which is to be expanded if it has children; says whether the visitor
    /// goes on.
    fn take_up(
        &mut self,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Option<TakenUp<B::Cursor>> {
        let (Open { place, mut barren, .. }, diving) = self.next()?;
        let Jumps { tree, records, tally, levels, .. } = &mut self.jumps;
        self.guide.move_to(tree, records, tally, place.record, place.depth);
        tally.tightened_by_incumbent |= self.guide.is_tightened_by_incumbent();
        let before = mem::replace(&mut self.standing, place.record);
        records.release(before);
        let chain = records.chain(place.record, place.depth);
        let path = Path::new(&chain, place.depth, None);
        let node = Node::new(tree.problem, self.guide.state(), path, tally);
        let branch = tree.brancher.branch(&node);
        let mut flow = ControlFlow::Continue(());
        // Most solutions were seen when they were first entered. But a hook that infers may have an
        // incumbent now that leaves just one below the node, and has gone there at once, or leaves
        // nothing.
        if barren && branch.is_solution() {
            barren = false;
            levels[place.depth].solutions += 1;
            flow = tree.visit(tree.problem, self.guide.state(), path, tally, visit);
        }
        let expanding = match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => {
                Some(Expanding { place, cursor, barren, diving })
            }
            Branch::DeadEnd | Branch::Solution => {
                levels[place.depth].dead_ends += u64::from(barren);
                None
            }
        };
        Some((expanding, flow))
    }

    /// Takes the step `choice`, enters the child, and steps back.
    fn try_child(
        &mut self,
        node: &mut Expanding<B::Cursor>,
        choice: P::Choice,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let problem = self.jumps.tree.problem;
        let state = self.guide.state_mut();
        let undo = problem.apply(state, &choice);
        let entered = self.jumps.enter(state, node.place, Some(&choice), visit);
        node.barren &= !entered.kept;
        let bound = entered.cursor.map(|_| (self.bound)(problem, state));
        problem.undo(state, &choice, undo);
        if let Some(bound) = bound
            && self.is_wanted(&bound)
        {
            self.make_room(node.place.depth + 1)?;
            let record = self.jumps.records.push(node.place.record, choice);
            let child =
                self.open(bound, Place { record, depth: node.place.depth + 1 }, !entered.solution);
            self.children.push(child);
        }
        Ok(entered.flow)
    }

    /// Enters the children of a node that are left, and opens them.
    fn expand(
        &mut self,
        node: &mut Expanding<B::Cursor>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Expanded {
        let depth = node.place.depth;
        loop {
            let choice = match self.jumps.draw(self.guide.state(), node.place, &mut node.cursor) {
                Ok(Some(choice)) => choice,
                Ok(None) => {
                    self.jumps.levels[depth].dead_ends += u64::from(node.barren);
                    break;
                }
                Err(stop) => return Expanded::Stopped(stop),
            };
            if depth >= self.jumps.tree.meter.depth_limit() {
                self.jumps.tree.truncated = true;
                break;
            }
            if let Err(stop) = self.jumps.burn(depth + 1) {
                return Expanded::Stopped(stop);
            }
            match self.try_child(node, choice, visit) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Expanded::Paused,
                Err(stop) => return Expanded::Stopped(stop),
            }
            if let Err(stop) = self.jumps.check() {
                return Expanded::Stopped(stop);
            }
        }
        if node.diving {
            self.children.sort_unstable();
            self.stack.append(&mut self.children);
        } else {
            self.queue.extend(self.children.drain(..));
        }
        Expanded::Done
    }

    fn end(&mut self, stop: Stop) -> Option<Stop> {
        let Jumps { tree, records, tally, .. } = &mut self.jumps;
        if stop.is_exhausted() {
            self.guide.finish(tree, records, tally);
        }
        Some(tree.end(stop, tally))
    }
}

impl<P, B, H, V, G> Walk<P> for BestFirstWalk<'_, P, B, H, V, G>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    V: Ord + Clone,
    G: FnMut(&P, &P::State) -> V,
{
    fn go_on<W>(&mut self, mut visit: W) -> Option<Stop>
    where
        W: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if !self.started {
            match self.start(&mut visit) {
                Expanded::Done => {}
                Expanded::Paused => return None,
                Expanded::Stopped(stop) => return self.end(stop),
            }
        }
        // The visitor may have broken off just at the limit.
        if let Err(stop) = self.jumps.check() {
            return self.end(stop);
        }
        let mut paused = self.expanding.take();
        loop {
            let mut node = match paused.take() {
                Some(node) => node,
                None => {
                    let Some((node, flow)) = self.take_up(&mut visit) else {
                        return self.end(Stop::Exhausted);
                    };
                    if flow.is_break() {
                        self.expanding = node;
                        return None;
                    }
                    if let Err(stop) = self.jumps.check() {
                        return self.end(stop);
                    }
                    let Some(node) = node else { continue };
                    node
                }
            };
            match self.expand(&mut node, &mut visit) {
                Expanded::Done => {}
                Expanded::Paused => {
                    self.expanding = Some(node);
                    return None;
                }
                Expanded::Stopped(stop) => return self.end(stop),
            }
        }
    }

    fn read(&mut self) -> &mut Vec<IncumbentId> {
        &mut self.jumps.tree.read
    }

    fn stopped(&mut self) -> &mut Option<Stop> {
        &mut self.jumps.tree.stopped
    }

    fn stop(&self) -> Stop {
        self.jumps.tree.stop()
    }

    fn report(&self) -> Report {
        let mut report = self.jumps.tree.report(&self.jumps.tally, &self.jumps.levels);
        if self.has_cut {
            report.effect = report.effect.max(Effect::OptimumOnly);
        }
        report
    }

    fn count(&self) -> Count {
        self.jumps.tree.count_so_far(&self.jumps.tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node of each depth to 12 has four children, and is a solution; it is worth what its path
    /// makes of it.
    struct Fours;

    impl Problem for Fours {
        type State = Vec<u32>;
        type Cursor = u32;
        type Choice = u32;
        type Undo = ();

        fn root(&self) -> Vec<u32> {
            Vec::new()
        }
        fn branch(&self, path: &Vec<u32>) -> Branch<u32> {
            if path.len() < 12 { Branch::SolutionInner(0) } else { Branch::Solution }
        }
        fn next(&self, _: &Vec<u32>, cursor: &mut u32) -> Option<u32> {
            *cursor += 1;
            (*cursor <= 4).then_some(*cursor)
        }
        fn apply(&self, path: &mut Vec<u32>, &child: &u32) {
            path.push(child);
        }
        fn undo(&self, path: &mut Vec<u32>, _: &u32, (): ()) {
            path.pop();
        }
    }

    #[test]
    fn no_more_nodes_are_open_than_it_says() {
        let worth = |_: &Fours, path: &Vec<u32>| {
            path.iter().fold(1_u32, |sum, step| sum.wrapping_mul(37) ^ step) % 101
        };
        let objective = Objective::maximise(worth);
        for limit in [0, 1, 100] {
            let (mut walk, _) =
                Search::new(&Fours).best_first(&objective, worth).open_nodes(limit).walk(None);
            let mut nodes = 0;
            while walk.advance(|_| ControlFlow::Break(())).is_none() && nodes < 100_000 {
                nodes += 1;
                assert!(walk.queue.len() <= limit.max(1) + 4);
                assert!(walk.stack.len() + walk.children.len() <= 12 * 4);
                // The ancestors of all of them at most.
                assert!(walk.jumps.records.places() <= 12 * (limit + 50));
            }
            assert_eq!(nodes, 100_000);
        }
    }
}

//! Best-first search: the open node with the best bound is expanded next.
//!
//! Open nodes wait in an [`OpenQueue`]. Their paths are in the [arena](super::node_arena), where
//! they share their common parts and nodes without open descendants are freed. There is only one
//! state. To expand a node, the [`Navigator`] moves the state and the hooks there from the
//! current node, through the nearest common ancestor. Among equal bounds the order prefers children
//! of the node that was expanded last, which are one step away.
//!
//! When there are too many open nodes, the next ones are searched depth first: their children go on
//! a stack instead of the queue, the best on top, and the queue waits until the stack is empty.

use std::mem;
use std::ops::ControlFlow;

use super::navigator::Navigator;
use super::noncontiguous::{NodeRef, Noncontiguous};
use super::open_queue::{OpenNode, OpenQueue, Ranked};
use crate::brancher::Brancher;
use crate::hook::{Effect, Hooks, Node, Path};
use crate::incumbent::{Direction, Incumbent, Objective, ObjectiveValue};
use crate::limits::Stop;
use crate::memory::{grown, headroom, is_available};
use crate::outcome::Count;
use crate::problem::{Branch, Problem};
use crate::report::Report;
use crate::search::builder::Search;
use crate::search::tree::SearchTree;
use crate::search::walk::{IntoWalk, Walk, WithoutFrontier, walk_methods};

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches the node with the best bound first instead of depth first (Dechter and Pearl 1985;
    /// the A* algorithm of Hart, Nilsson and Raphael 1968 is best-first search for a shortest
    /// path).
    ///
    /// `bound` is like that of [`Objective::bound`]: an optimistic value of everything at or below
    /// a node. Of equal bounds, the deeper node comes first, and of equal depths the one that was
    /// entered earlier.
    ///
    /// [`best`](Search::best) and [`improvements`](Search::improvements) of the same objective need
    /// no hook for that bound: a node that does not beat the incumbent is not opened, and when the
    /// best open node does not beat it, the optimum is proven. Without a limit of
    /// [`open_nodes`](Search::open_nodes), no node with a bound worse than the optimum is therefore
    /// ever expanded. Every sound search with this bound must expand all nodes with better bounds;
    /// depth-first search expands others as well until it has found the optimum.
    /// [`count`](Search::count) and the other operations visit the same nodes as depth first, in
    /// this order.
    ///
    /// Memory: at most about six words, a bound and a choice per open node, fewer where many nodes
    /// have equal bounds and depths, and four words and a choice per ancestor;
    /// [`open_nodes`](Search::open_nodes) sets a limit. Cost: an expanded node is entered at least
    /// twice, once to compute its bound and once to expand it; moving from one node to the next
    /// takes as many steps as they are apart, through their common ancestor, and enters the nodes
    /// on the way down again. It takes no steps without hooks if a choice determines the
    /// [state](Problem::state_after), as for [`Successors`](crate::Successors), and no brancher
    /// follows the path.
    /// Hooks move along, and learn nothing from
    /// [leaving](crate::Hook::leave), because every node is left
    /// [unfinished](crate::Hook::leave_unfinished).
    ///
    /// ```
    /// use secateurs::{Objective, Search};
    /// use secateurs_problems::maze::{Maze, Mouse};
    ///
    /// let maze: Maze = "S...\n.##.\n...G\n".parse()?;
    /// let shortest = Objective::minimise(|_: &Maze, mouse: &Mouse| mouse.steps());
    /// // The steps so far are a bound, which makes this breadth-first search; an estimate of the
    /// // remaining steps would make it A*.
    /// let search = Search::new(&maze).best_first(&shortest, |_, mouse| mouse.steps());
    /// let outcome = search.best(&shortest);
    /// assert_eq!(outcome.proven(), Some(&5));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn best_first<V, F, G>(
        self,
        objective: &Objective<P, V, F>,
        bound: G,
    ) -> Search<'p, P, B, H, X, BestFirst<V, G>>
    where
        V: ObjectiveValue,
        F: Fn(&P, &P::State) -> V,
        G: FnMut(&P, &P::State) -> V,
    {
        self.with_strategy(BestFirst {
            incumbent: objective.incumbent().clone().unrecorded(),
            bound,
            open_nodes: usize::MAX,
        })
    }
}

impl<P: Problem, B, H, X, V, G> Search<'_, P, B, H, X, BestFirst<V, G>> {
    /// Limits the number of open nodes to about `limit`. When it is reached, each further node is
    /// searched depth first with its whole subtree, the best child first. The results and proofs
    /// are the same; the number of nodes may be larger.
    ///
    /// The children of one node may exceed the limit, and a depth-first part additionally has the
    /// children of the nodes on one path. With a limit of 0, the whole search is depth first.
    pub fn open_nodes(mut self, limit: usize) -> Self {
        self.strategy.open_nodes = limit;
        self
    }
}

/// Strategy of [`Search::best_first`]: the node with the best bound first.
pub struct BestFirst<V, G> {
    pub(crate) incumbent: Incumbent<V>,
    pub(crate) bound: G,
    pub(crate) open_nodes: usize,
}

debug_fields!(impl[V, G] BestFirst<V, G>: open_nodes);

impl<V, G> WithoutFrontier for BestFirst<V, G> {}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, V: ObjectiveValue, G: FnMut(&P, &P::State) -> V>
    IntoWalk<P, B, H> for BestFirst<V, G>
{
    type Walk<'p>
        = BestFirstWalk<'p, P, B, H, V, G>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        let BestFirst { incumbent, bound, open_nodes } = self;
        let direction = incumbent.direction();
        BestFirstWalk {
            navigator: Navigator::jumping(&tree),
            bound,
            incumbent: (tree.objective_incumbent == Some(incumbent.id())).then_some(incumbent),
            base: Noncontiguous::new(tree),
            direction,
            limit: open_nodes,
            queue: OpenQueue::new(),
            stack: Vec::new(),
            expanding: None,
            serial: 0,
            started: false,
            has_pruned: false,
        }
    }
}

/// A node that is being expanded.
struct Expanding<K> {
    position: NodeRef,
    cursor: K,
    /// Whether it is no solution and none of its children has been kept yet.
    barren: bool,
    /// If its subtree is searched depth first, the size of the stack below its children.
    below: Option<usize>,
}

/// The next node if it may have children, and whether the visitor continues.
type NextNode<K> = (Option<Expanding<K>>, ControlFlow<()>);

/// A best-first walk.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct BestFirstWalk<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, V, G> {
    base: Noncontiguous<'p, P, B, H>,
    navigator: Navigator<P>,
    bound: G,
    /// The incumbent that nodes must beat, if the run optimises by this objective.
    incumbent: Option<Incumbent<V>>,
    direction: Direction,
    /// With this many open nodes, further nodes are searched depth first.
    limit: usize,
    queue: OpenQueue<V>,
    /// The open nodes of the depth-first part, the next on top.
    stack: Vec<Ranked<V, OpenNode>>,
    /// The node that is being expanded, while the walk is paused.
    expanding: Option<Expanding<B::Cursor>>,
    serial: u64,
    started: bool,
    /// Whether nodes were pruned because they did not beat the incumbent.
    has_pruned: bool,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, V: ObjectiveValue, G: FnMut(&P, &P::State) -> V>
    BestFirstWalk<'p, P, B, H, V, G>
{
    /// Returns whether anything below a node with this bound may still be wanted.
    fn may_improve(&mut self, bound: &V) -> bool {
        let wanted = self.incumbent.as_mut().is_none_or(|incumbent| incumbent.is_beaten_by(bound));
        self.has_pruned |= !wanted;
        wanted
    }

    /// Returns the bytes that the walk uses.
    fn bytes(&self) -> usize {
        let stack = self.stack.capacity() * size_of::<Ranked<V, OpenNode>>();
        self.base.bytes() + self.navigator.bytes() + self.queue.bytes() + stack
    }

    /// Reserves memory for one more child at this depth, if the memory limit allows that.
    #[inline]
    fn make_room(&mut self, depth: usize) -> Result<(), Stop> {
        let has_room = self.base.has_room(depth)
            && self.navigator.has_room(depth)
            && self.queue.has_room()
            && self.stack.len() < self.stack.capacity();
        if has_room { Ok(()) } else { self.grow(depth) }
    }

    /// Reserves memory for one more child at this depth, where something is full.
    #[cold]
    fn grow(&mut self, depth: usize) -> Result<(), Stop> {
        let max_bytes = self.base.tree.max_bytes;
        self.base.make_room(depth, self.bytes())?;
        self.navigator.make_room(depth, self.bytes(), max_bytes)?;
        self.queue.make_room(self.bytes(), max_bytes)?;
        let len = self.stack.len();
        if len == self.stack.capacity() {
            let capacity = grown::<Ranked<V, OpenNode>>(len, self.bytes(), max_bytes)
                .ok_or(Stop::MemoryLimit)?;
            self.stack.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)?;
        }
        let is_free = is_available(headroom(max_bytes).min(self.bytes()));
        if is_free { Ok(()) } else { Err(Stop::MemoryLimit) }
    }

    /// Opens a node: in the queue, or on the stack if it is searched depth first.
    #[inline]
    fn open(&mut self, bound: V, position: NodeRef, barren: bool, depth_first: bool) {
        self.serial += 1;
        let (direction, serial, depth) = (self.direction, self.serial, position.depth);
        let item = OpenNode::new(position.id, barren);
        let node = Ranked { bound, direction, depth, serial, item };
        if depth_first {
            self.stack.push(node);
        } else {
            self.queue.push(&mut self.base.arena, node);
        }
    }

    /// Enters the root, and opens it if it may have children.
    fn start(
        &mut self,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        self.base.take_fuel(0)?;
        self.started = true;
        let problem = self.base.tree.problem;
        let mut state = problem.root();
        let entered = self.base.enter(&mut state, NodeRef::ROOT, None, true, visit);
        if entered.cursor.is_some() {
            let bound = (self.bound)(problem, &state);
            self.open(bound, NodeRef::ROOT, !entered.solution, false);
        }
        Ok(entered.flow)
    }

    /// Removes the next node that may improve. Returns it, whether it is barren, and whether it is
    /// searched depth first.
    fn next(&mut self) -> Option<(NodeRef, bool, bool)> {
        let node = |open: &Ranked<V, OpenNode>| NodeRef { id: open.item.id(), depth: open.depth };
        while let Some(open) = self.stack.pop() {
            if self.may_improve(&open.bound) {
                return Some((node(&open), open.item.is_barren(), true));
            }
            self.base.arena.release(node(&open).id);
        }
        let is_full = self.queue.len >= self.limit;
        let open = self.queue.peek()?;
        if self.incumbent.as_mut().is_none_or(|incumbent| incumbent.is_beaten_by(&open.bound)) {
            let next = (node(open), open.item.is_barren(), is_full);
            self.queue.pop(&mut self.base.arena);
            return Some(next);
        }
        // No other node in the queue may improve either: their bounds are not better.
        self.has_pruned = true;
        self.queue = OpenQueue::new();
        None
    }

    /// Moves to the next node. Returns the node if it may have children, and whether the visitor
    /// continues; `None` if no open node may improve.
    #[inline(always)]
    fn take_next(
        &mut self,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Option<NextNode<B::Cursor>> {
        let (position, mut barren, depth_first) = self.next()?;
        let below = depth_first.then_some(self.stack.len());
        let Noncontiguous { tree, arena, tally, levels, current, .. } = &mut self.base;
        self.navigator.move_to(tree, arena, tally, position.id, position.depth);
        arena.release(mem::replace(current, position.id));
        let mut flow = ControlFlow::Continue(());
        if self.navigator.is_cut(tree) {
            return Some((None, flow));
        }
        let steps = arena.path(position.id, position.depth);
        let path = Path::new(&steps, position.depth, None);
        let node = Node::new(tree.problem, self.navigator.state(), path, tally);
        let branch = tree.brancher.branch(&node);
        // Most solutions were visited when they were first entered. But a hook that tightens by the
        // incumbent tightens more if that has improved since. The same node may then be a solution,
        // or have no children.
        if barren && branch.is_solution() {
            barren = false;
            levels[position.depth].solutions += 1;
            flow = tree.visit(tree.problem, self.navigator.state(), path, tally, visit);
        }
        let expanding = match branch {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => {
                Some(Expanding { position, cursor, barren, below })
            }
            Branch::DeadEnd | Branch::Solution => {
                levels[position.depth].dead_ends += u64::from(barren);
                None
            }
        };
        Some((expanding, flow))
    }

    /// Applies `choice`, enters the child, and undoes the step.
    #[inline(always)]
    fn enter_child(
        &mut self,
        node: &mut Expanding<B::Cursor>,
        choice: P::Choice,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        let problem = self.base.tree.problem;
        let state = self.navigator.state_mut();
        let undo = problem.apply(state, &choice);
        let entered = self.base.enter(state, node.position, Some(&choice), true, visit);
        node.barren &= !entered.kept;
        let bound = entered.cursor.map(|_| (self.bound)(problem, state));
        problem.undo(state, &choice, undo);
        if let Some(bound) = bound
            && self.may_improve(&bound)
        {
            self.make_room(node.position.depth + 1)?;
            let child = self.base.push_child(node.position, choice);
            self.open(bound, child, !entered.solution, node.below.is_some());
        }
        Ok(entered.flow)
    }

    /// Enters the remaining children of a node, and opens them.
    #[inline(always)]
    fn expand(
        &mut self,
        node: &mut Expanding<B::Cursor>,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        while let Some(choice) = self.base.next_child(
            self.navigator.state(),
            node.position,
            node.barren,
            |brancher, node_here| brancher.next(node_here, &mut node.cursor),
        )? {
            let flow = self.enter_child(node, choice, visit)?;
            if flow.is_break() {
                return Ok(flow);
            }
            self.base.check_limits()?;
        }
        if let Some(below) = node.below {
            self.stack[below..].sort_unstable();
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Continues the walk until it ends or the visitor breaks off.
    #[inline(always)]
    fn run(
        &mut self,
        visit: &mut impl FnMut(&Node<'_, P>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stop> {
        if !self.started {
            let flow = self.start(visit)?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        // The visitor may have paused the walk at the very solution that reached a limit.
        self.base.check_limits()?;
        let mut resumed = self.expanding.take();
        loop {
            let mut node = match resumed.take() {
                Some(node) => node,
                None => {
                    let (node, flow) = self.take_next(visit).ok_or(Stop::Exhausted)?;
                    if flow.is_break() {
                        self.expanding = node;
                        return Ok(flow);
                    }
                    self.base.check_limits()?;
                    let Some(node) = node else { continue };
                    node
                }
            };
            let expanded = self.expand(&mut node, visit);
            if expanded != Ok(ControlFlow::Continue(())) {
                self.expanding = Some(node);
                return expanded;
            }
        }
    }

    /// Ends the walk, and leaves all nodes if the tree is exhausted.
    fn end(&mut self, stop: Stop) -> Stop {
        let Noncontiguous { tree, arena, tally, .. } = &mut self.base;
        if stop.is_exhausted() {
            self.navigator.leave_all(tree, arena, tally);
        }
        tree.end(stop, tally)
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, V: ObjectiveValue, G: FnMut(&P, &P::State) -> V>
    Walk<P> for BestFirstWalk<'_, P, B, H, V, G>
{
    fn advance_unguarded<W>(&mut self, mut visit: W) -> Option<Stop>
    where
        W: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        self.run(&mut visit).err().map(|stop| self.end(stop))
    }

    fn report(&self) -> Report {
        self.base.tree.report(&self.base.tally, &self.base.levels, |report| {
            if self.has_pruned {
                report.effect = report.effect.max(Effect::OptimumOnly);
                report.read_incumbent = true;
            }
        })
    }

    walk_methods!(self, self.base);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Successors;

    /// A hash of the path, which is in the state beside the depth.
    fn worth<P>(_: &P, &(_, hash): &(u32, u32)) -> u32 {
        hash % 101
    }

    #[test]
    fn open_nodes_limits_queue_stack_and_arena() {
        // Each node down to depth 11 has four children, and each node is a solution.
        let children = |(depth, hash): (u32, u32)| {
            let children = if depth < 12 { 1..5 } else { 0..0 };
            children.map(move |child| (depth + 1, hash.wrapping_mul(37) ^ child))
        };
        let fours = Successors::new((0, 1), |_| true, children).through_solutions();
        let objective = Objective::maximise_for(&fours, worth);
        for limit in [0, 1, 100] {
            let (mut walk, _) =
                Search::new(&fours).best_first(&objective, worth).open_nodes(limit).walk(None);
            let mut nodes = 0;
            while walk.advance(|_| ControlFlow::Break(())).is_none() && nodes < 100_000 {
                nodes += 1;
                assert!(walk.queue.len <= limit.max(1) + 4);
                assert!(walk.stack.len() <= 12 * 4);
                // At most the ancestors of all open nodes.
                assert!(walk.base.arena.slots() <= 12 * (limit + 50));
            }
            assert_eq!(nodes, 100_000);
        }
    }
}

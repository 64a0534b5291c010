//! The tree of a running search, as far as a page can show it: [`Tree`].

use std::cell::{Cell, RefCell};
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use secateurs::hook::Observer;
use secateurs::{Incumbent, Node, Path, Problem};

/// The most nodes that are stored. When there are more, the deepest levels are dropped if nodes are
/// visited in preorder, and later nodes otherwise.
const MOST_NODES: usize = 40_000;

/// Codes of outcomes, those of the pages of recordings. A child that the hook `h` has not admitted
/// has the code `CUT + 2h`, and a node that it has cut off on entering the next one.
const INNER: u32 = 0;
const DEAD_END: u32 = 1;
const SOLUTION: u32 = 2;
const UNFINISHED: u32 = 3;
const CUT: u32 = 6;

/// The top of the tree of a search, in preorder: all nodes down to a depth, with the number of
/// those below each.
///
/// At first, all nodes are stored. When there are too many, the deepest levels are dropped. From
/// then on, a node at a deeper level costs an increment and a comparison.
pub struct Tree {
    /// Nodes so far, children that were not admitted, and solutions.
    entered: Cell<u32>,
    refused: Cell<u32>,
    solutions: Cell<u32>,
    /// The depth of the deepest level that is stored. 0 if nodes are not visited in preorder and no
    /// further node is stored.
    deepest: Cell<usize>,
    /// Whether nodes are visited in preorder. Otherwise parents are found by their paths, and only
    /// the first nodes are stored.
    is_depth_first: bool,
    nodes: RefCell<Vec<TreeNode>>,
    labels: RefCell<Vec<String>>,
    /// The names of the hooks, in the order of the codes of outcomes.
    pub hooks: RefCell<Vec<String>>,
    /// The children by parent and label, unless nodes are visited in preorder.
    children: RefCell<FxHashMap<(u32, u32), u32>>,
}

#[derive(Clone, Copy, Default)]
struct TreeNode {
    depth: u32,
    outcome: u32,
    /// The values of the three counters before this node.
    seen: u32,
    entered: u32,
    solutions: u32,
    label: u32,
    parent: u32,
}

impl Tree {
    /// Creates an empty tree.
    pub fn new(is_depth_first: bool) -> Self {
        Tree {
            entered: Cell::new(0),
            refused: Cell::new(0),
            solutions: Cell::new(0),
            deepest: Cell::new(usize::MAX),
            is_depth_first,
            nodes: RefCell::default(),
            labels: RefCell::default(),
            hooks: RefCell::default(),
            children: RefCell::default(),
        }
    }

    /// Returns the labels of steps, from this number on.
    pub fn labels(&self, from: usize) -> Vec<String> {
        self.labels.borrow().get(from..).unwrap_or_default().to_vec()
    }

    /// Adds the label of a step, and returns its number.
    fn add_label(&self, label: String) -> u32 {
        let mut labels = self.labels.borrow_mut();
        labels.push(label);
        labels.len() as u32 - 1
    }

    /// Stores a node. `label` is that of the step to it. In preorder, the parent is not needed.
    fn record(&self, depth: usize, outcome: u32, label: u32, parent: u32) {
        let mut nodes = self.nodes.borrow_mut();
        let (seen, entered, solutions) = self.counts();
        let depth = depth as u32;
        nodes.push(TreeNode { depth, outcome, seen, entered, solutions, label, parent });
        if nodes.len() > MOST_NODES {
            self.deepest.set(drop_levels(&mut nodes));
        }
    }

    /// Returns whether the run has to end before a counter overflows.
    pub fn is_full(&self) -> bool {
        self.counts().0 > u32::MAX / 2
    }

    /// Returns the numbers of nodes and cuts so far, of nodes, and of solutions.
    fn counts(&self) -> (u32, u32, u32) {
        let entered = self.entered.get();
        (entered.wrapping_add(self.refused.get()), entered, self.solutions.get())
    }

    /// Returns the depth of the deepest stored level (`u32::MAX` if all nodes are stored), the
    /// number of nodes in preorder plus one, and as many depths; then the outcomes, the values of
    /// three counters before each node, and the labels plus one. The counters are those of nodes
    /// and cuts, of nodes, and of solutions. The values that follow those of the nodes are the
    /// counters after all nodes.
    pub fn snapshot(&self, is_finished: bool) -> Vec<u32> {
        let mut nodes = self.nodes.borrow().clone();
        let (mut seen, mut entered, mut solutions) = self.counts();
        if !self.is_depth_first {
            nodes = in_preorder(&nodes);
            (seen, entered, solutions) = (0, 0, 0);
            for node in &mut nodes {
                (node.seen, node.entered, node.solutions) = (seen, entered, solutions);
                seen += 1;
                entered += u32::from(node.outcome < CUT || node.outcome % 2 == 1);
                solutions += u32::from(node.outcome == SOLUTION);
            }
        }
        let deepest = u32::try_from(self.deepest.get()).unwrap_or(u32::MAX);
        if self.is_depth_first {
            settle(&mut nodes, seen, deepest, is_finished, DEAD_END);
        } else {
            // A node without stored children may have some that are not visited yet, or not stored.
            let is_complete = is_finished && deepest == u32::MAX;
            let childless = if is_complete { DEAD_END } else { UNFINISHED };
            settle(&mut nodes, seen, u32::MAX, true, childless);
        }
        nodes.push(TreeNode { seen, entered, solutions, ..TreeNode::default() });
        let mut all = vec![deepest, nodes.len() as u32];
        all.extend((0..6).flat_map(|column| nodes.iter().map(move |node| node.values()[column])));
        all
    }
}

impl TreeNode {
    /// Returns the values of a snapshot.
    fn values(&self) -> [u32; 6] {
        let TreeNode { depth, outcome, seen, entered, solutions, label, .. } = *self;
        [depth, outcome, seen, entered, solutions, label.wrapping_add(1)]
    }
}

/// Drops the deepest levels, and returns the depth of the deepest one that is left.
#[cold]
#[inline(never)]
fn drop_levels(nodes: &mut Vec<TreeNode>) -> usize {
    let mut levels: Vec<usize> = Vec::new();
    for node in &*nodes {
        let depth = node.depth as usize;
        levels.resize(levels.len().max(depth + 1), 0);
        levels[depth] += 1;
    }
    let mut left = MOST_NODES - MOST_NODES / 8;
    let kept = levels.iter().take_while(|&&level| {
        left = left.saturating_sub(level);
        left > 0
    });
    let deepest = kept.count().saturating_sub(1).max(1);
    nodes.retain(|node| node.depth as usize <= deepest);
    deepest
}

/// Orders nodes that have parents in preorder.
fn in_preorder(nodes: &[TreeNode]) -> Vec<TreeNode> {
    let mut children = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate().skip(1) {
        children[node.parent as usize].push(index);
    }
    let (mut ordered, mut open) = (Vec::new(), Vec::from_iter((!nodes.is_empty()).then_some(0)));
    while let Some(index) = open.pop() {
        ordered.push(nodes[index]);
        open.extend(children[index].iter().rev());
    }
    ordered
}

/// Decides which inner nodes are unfinished: those on the current path. The other ones without a
/// child that was kept get the outcome `childless`.
fn settle(nodes: &mut [TreeNode], seen: u32, deepest: u32, is_finished: bool, childless: u32) {
    let mut next = seen;
    // By depth: whether a node has a child that was kept, among those after the current node.
    let mut has_child: Vec<bool> = Vec::new();
    let mut open_depth = if is_finished { 0 } else { u32::MAX };
    for node in nodes.iter_mut().rev() {
        let depth = node.depth as usize;
        has_child.resize(has_child.len().max(depth + 2), false);
        if node.outcome == INNER {
            // The children of the deepest stored level are not stored.
            let has_child = has_child[depth + 1] || node.depth == deepest && next > node.seen + 1;
            if node.depth < open_depth {
                node.outcome = UNFINISHED;
            } else if !has_child {
                node.outcome = childless;
            }
        }
        open_depth = open_depth.min(node.depth);
        has_child[depth + 1] = false;
        has_child[depth] |= node.outcome < CUT;
        next = node.seen;
    }
}

/// A function that describes a step.
pub type Label<P> = Rc<dyn Fn(&P, &<P as Problem>::Choice) -> String>;

/// The value of a solution, to be maximised, with the incumbent of the search.
pub type Value<P> = (&'static Incumbent<usize>, fn(&<P as Problem>::State) -> usize);

/// An observer that stores the tree.
pub struct Watch<P: Problem> {
    tree: Rc<Tree>,
    label: Label<P>,
    /// The numbers of the labels of choices.
    numbers: FxHashMap<P::Choice, u32>,
    value: Option<Value<P>>,
}

impl<P: Problem<Choice: Clone + Eq + Hash>> Watch<P> {
    /// Creates the observer of a search. If there is a value, only solutions count that improve the
    /// incumbent.
    pub fn new(tree: Rc<Tree>, label: Label<P>, value: Option<Value<P>>) -> Self {
        Watch { tree, label, numbers: FxHashMap::default(), value }
    }

    /// Stores a node. A reference to a [`Node`] would have each of them written to memory.
    #[cold]
    #[inline(never)]
    fn record(
        &mut self,
        problem: &P,
        path: Path<'_, P::Choice>,
        last: Option<&P::Choice>,
        outcome: u32,
    ) {
        if !self.tree.is_depth_first && self.tree.nodes.borrow().len() == MOST_NODES {
            return self.tree.deepest.set(0);
        }
        let depth = path.len() + usize::from(last.is_some());
        let (parent, label) = if self.tree.is_depth_first {
            let last = last.or_else(|| path.last());
            (u32::MAX, last.map_or(u32::MAX, |choice| self.number(problem, choice)))
        } else {
            self.add_child(problem, path, last)
        };
        self.tree.record(depth, outcome, label, parent);
    }

    /// Adds the next node to the children of its parent. Returns the parent and the label.
    #[inline(never)]
    fn add_child(
        &mut self,
        problem: &P,
        path: Path<'_, P::Choice>,
        last: Option<&P::Choice>,
    ) -> (u32, u32) {
        let mut place = (u32::MAX, u32::MAX);
        for (step, choice) in path.iter().chain(last).enumerate() {
            let parent = if step == 0 { 0 } else { self.tree.children.borrow()[&place] };
            place = (parent, self.number(problem, choice));
        }
        let index = self.tree.nodes.borrow().len();
        self.tree.children.borrow_mut().insert(place, index as u32);
        place
    }

    /// Returns the number of the label of a choice.
    fn number(&mut self, problem: &P, choice: &P::Choice) -> u32 {
        if let Some(&number) = self.numbers.get(choice) {
            return number;
        }
        let number = self.tree.add_label((self.label)(problem, choice));
        self.numbers.insert(choice.clone(), number);
        number
    }
}

impl<P: Problem<Choice: Clone + Eq + Hash>> Observer<P> for Watch<P> {
    fn begin(&mut self, hooks: &[&str]) {
        *self.tree.hooks.borrow_mut() = hooks.iter().map(|&name| name.to_owned()).collect();
    }

    #[inline(always)]
    fn not_admitted(&mut self, parent: &Node<'_, P>, choice: &P::Choice, hook: usize, _: bool) {
        if parent.depth() < self.tree.deepest.get() {
            let outcome = CUT + 2 * hook as u32;
            self.record(parent.problem(), parent.path(), Some(choice), outcome);
        }
        self.tree.refused.set(self.tree.refused.get().wrapping_add(1));
    }

    #[inline(always)]
    fn entered(&mut self, node: &Node<'_, P>, cut: Option<usize>) {
        if node.depth() <= self.tree.deepest.get() {
            let outcome = cut.map_or(INNER, |hook| CUT + 1 + 2 * hook as u32);
            self.record(node.problem(), node.path(), None, outcome);
        }
        self.tree.entered.set(self.tree.entered.get().wrapping_add(1));
    }

    #[inline(always)]
    fn solution(&mut self, node: &Node<'_, P>) {
        if let Some((incumbent, value)) = self.value
            && Some(value(node.state())) <= incumbent.get()
        {
            return;
        }
        if node.depth() <= self.tree.deepest.get()
            && let Some(last) = self.tree.nodes.borrow_mut().last_mut()
        {
            last.outcome = SOLUTION;
        }
        self.tree.solutions.set(self.tree.solutions.get().wrapping_add(1));
    }
}

//! Random trees with known answers, searched with random combinations of hooks, strategies,
//! questions, limits, divisions and files: a run may claim less than the truth, and never more.
//!
//! Each hook keeps exactly what it claims to keep, and prunes everything else that it can.

use std::any::Any;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use expect_test::expect_file;
use fastrand::Rng;
use secateurs::brancher::{
    Branching, ForcedFirst, LeastConstraining, MiddleOut, NextWithin, Shuffled, SmallestDomain,
    SmallestKey, SortedByBound, VariableKey, least_constraining,
};
use secateurs::checkpoint::{Fingerprint, SaveError};
use secateurs::diagram::DiagramProblem;
use secateurs::hook::{self, BoxedHook, HookMemory};
use secateurs::hook::{Dominance, Memo, Observed, Observer};
use secateurs::search::{Anytime, Frontier};
use secateurs::{
    Branch, Brancher, Constraint, Cuts, Digest, Effect, Found, Hook, Incumbent, IncumbentId,
    Limits, Node, NodeMut, Objective, Optimum, Outcome, Problem, Report, Search, Stop, Substitute,
    SubstituteOrder, ToBeat, Uniqueness, Variables, Verdict,
};
use secateurs_lab::Portfolio;

use crate::shared::claiming::Claiming;
use crate::shared::frontiers::in_parts;

use crate::support::seeds::{self, NO_HOOK, Trial, coverage};

const MOST_NODES: usize = 24;

/// The number of trees of each case whose proofs are listed, and of those with a memo of failures,
/// whose rules are the most intricate ones.
const TREES_PER_CASE: [u64; 2] = [16, 100];

/// The bit of [`At::excluded`] that marks a removed node; nodes have lower bits.
const EMPTIED: u64 = 1 << 63;

/// The bit of [`At::excluded`] that marks a merged state. It has one child, which is
/// [a solution](ANYTHING).
const MERGED: u64 = 1 << 62;

/// The bit of [`At::excluded`] that marks the solution below a merged state. It is better than all
/// others.
const ANYTHING: u64 = 1 << 61;

/// A tree of at most [`MOST_NODES`] nodes, the root first; solutions have a value.
#[derive(Clone, Debug, Default)]
struct Tree {
    children: Vec<Vec<usize>>,
    values: Vec<Option<i64>>,
    /// Equal for nodes with equal subtrees.
    shapes: Vec<usize>,
    /// For each node, those that it dominates; empty if only equal subtrees dominate each other.
    dominated: Vec<u64>,
    /// The value of the best solution at or below each node of the whole tree, by which children
    /// are sorted whatever is removed from the tree.
    bounds: Vec<i64>,
    /// Some of the nodes that have no solution at or below them.
    hopeless: u64,
    /// Whether children may be tried in an order that hooks do not know.
    is_reordered: bool,
}

type Value = fn(&Tree, &At) -> i64;

/// A node, and the nodes that were removed from its subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct At {
    node: usize,
    excluded: u64,
}

impl Tree {
    fn random(rng: &mut Rng) -> Self {
        let nodes = rng.usize(1..=MOST_NODES);
        let mut tree =
            Tree { children: vec![Vec::new(); nodes], shapes: vec![0; nodes], ..Tree::default() };
        let share_of_solutions = rng.f64();
        for node in 0..nodes {
            if node > 0 {
                // Any node as a parent makes wide trees, and one of the last three makes deep ones.
                let parent = if rng.bool() {
                    rng.usize(0..node)
                } else {
                    node - 1 - rng.usize(0..node.min(3))
                };
                tree.children[parent].push(node);
            }
            tree.values.push((rng.f64() < share_of_solutions).then(|| rng.i64(0..4)));
        }
        let mut known = BTreeMap::new();
        for node in (0..nodes).rev() {
            let below: Vec<usize> =
                tree.children[node].iter().map(|&child| tree.shapes[child]).collect();
            let next = known.len();
            tree.shapes[node] = *known.entry((tree.values[node], below)).or_insert(next);
        }
        tree.bounds = (0..nodes).map(|node| tree.best(node, 0).unwrap_or(i64::MIN)).collect();
        if rng.bool() {
            tree.dominated = (0..nodes).map(|node| tree.dominated_by(node)).collect();
        }
        let some = rng.u64(..) | rng.u64(..);
        tree.hopeless = (0..nodes)
            .filter(|&node| tree.bounds[node] == i64::MIN)
            .fold(0, |set, node| set | some & 1 << node);
        tree
    }

    fn of_one_solution() -> Self {
        let (children, values) = (vec![Vec::new()], vec![Some(0)]);
        Tree { children, values, shapes: vec![0], bounds: vec![0], ..Tree::default() }
    }

    /// Returns the solutions at or below a node, except those at or below nodes of `cut`.
    fn solutions(&self, node: usize, cut: u64) -> Vec<usize> {
        if cut >> node & 1 == 1 {
            return Vec::new();
        }
        let itself = self.values[node].map(|_| node);
        itself
            .into_iter()
            .chain(self.children[node].iter().flat_map(|&child| self.solutions(child, cut)))
            .collect()
    }

    /// Returns the nodes of the height and the value of a node that have, for each solution at or
    /// below them, one at or below this node that is at least as good and at most as deep.
    fn dominated_by(&self, node: usize) -> u64 {
        let solutions = |node: usize| -> Vec<(usize, Option<i64>)> {
            let below = self.solutions(node, 0).into_iter();
            below.map(|below| (self.depth(below) - self.depth(node), self.values[below])).collect()
        };
        let own = solutions(node);
        let matches = |other: &(usize, Option<i64>)| {
            own.iter().any(|(depth, value)| *depth <= other.0 && *value >= other.1)
        };
        let is_alike = |&other: &usize| {
            self.height(other) == self.height(node) && self.values[other] == self.values[node]
        };
        let others = (0..self.values.len()).filter(is_alike);
        let others = others.filter(|&other| solutions(other).iter().all(matches));
        others.fold(0, |set, other| set | 1 << other)
    }

    /// Returns the number of choices from the root to a node.
    fn depth(&self, node: usize) -> usize {
        let parent = self.children.iter().position(|children| children.contains(&node));
        parent.map_or(0, |parent| 1 + self.depth(parent))
    }

    /// Returns the number of levels below a node.
    fn height(&self, node: usize) -> usize {
        self.children[node].iter().map(|&child| 1 + self.height(child)).max().unwrap_or(0)
    }

    /// Returns the value of the best solution at or below a node, except those at or below nodes of
    /// `cut`.
    fn best(&self, node: usize, cut: u64) -> Option<i64> {
        self.solutions(node, cut).into_iter().filter_map(|solution| self.values[solution]).max()
    }

    /// Returns the tree without the nodes of a set and all below them. Nodes keep their numbers and
    /// shapes.
    fn without(&self, cut: u64) -> Self {
        let kept = self.nodes_left(0, cut);
        let mut tree = self.clone();
        for node in 0..tree.values.len() {
            tree.children[node].retain(|&child| kept >> child & 1 == 1);
            if kept >> node & 1 == 0 {
                tree.values[node] = None;
                tree.children[node].clear();
            }
        }
        tree
    }

    /// Returns the nodes at or below a node, except those at or below nodes of `cut`.
    fn nodes_left(&self, node: usize, cut: u64) -> u64 {
        if cut >> node & 1 == 1 {
            return 0;
        }
        let below = self.children[node].iter().map(|&child| self.nodes_left(child, cut));
        below.fold(1 << node, |left, more| left | more)
    }

    /// Returns a random set of nodes that a constraint rejects; with `alike`, the same of nodes
    /// with equal subtrees. Of most sets, something is left.
    fn rejected(&self, rng: &mut Rng, alike: bool) -> u64 {
        let share = rng.f64() * rng.f64();
        let seed = rng.u64(..);
        (0..self.values.len()).fold(0, |set, node| {
            let place = if alike { self.shapes[node] } else { node };
            let is_rejected = Rng::with_seed(seed ^ place as u64).f64() < share;
            set | u64::from(is_rejected) << node
        })
    }

    /// Returns a random set of nodes that `keeps` allows to be pruned: a maximal one, or a part.
    fn cuts(&self, rng: &mut Rng, keeps: impl Fn(u64) -> bool) -> u64 {
        let mut nodes: Vec<usize> = (0..self.values.len()).collect();
        rng.shuffle(&mut nodes);
        let share = rng.f64();
        nodes.into_iter().fold(0, |cut, node| {
            let more = cut | 1 << node;
            if rng.f64() < share && keeps(more) { more } else { cut }
        })
    }

    /// Returns the value of a solution; that of an emptied state, or below a merged one, is better
    /// than all others.
    fn value(&self, at: &At) -> i64 {
        if at.excluded & (EMPTIED | ANYTHING) != 0 {
            99
        } else {
            self.values[at.node].unwrap_or(i64::MIN)
        }
    }

    /// Returns the value of the best solution at or below a state of which nothing was excluded,
    /// or which is merged.
    fn bound(&self, at: &At) -> i64 {
        if at.excluded & (MERGED | ANYTHING) != 0 { 99 } else { self.bounds[at.node] }
    }
}

impl secateurs::CopyProblem for Tree {
    type State = At;
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> At {
        At { node: 0, excluded: 0 }
    }
    fn branch(&self, at: &At) -> Branch<usize> {
        if at.excluded & (MERGED | ANYTHING) != 0 {
            return if at.excluded & ANYTHING != 0 { Branch::Solution } else { Branch::Inner(0) };
        }
        match (self.values[at.node].is_some(), self.children[at.node].is_empty()) {
            (true, true) => Branch::Solution,
            (true, false) => Branch::SolutionInner(0),
            (false, true) => Branch::DeadEnd,
            (false, false) => Branch::Inner(0),
        }
    }
    fn next(&self, at: &At, cursor: &mut usize) -> Option<usize> {
        if at.excluded & MERGED != 0 {
            *cursor += 1;
            return (*cursor == 1).then_some(at.node);
        }
        let children = &self.children[at.node];
        loop {
            let place = *cursor & !REVERSED;
            let &child = match *cursor & REVERSED {
                0 => children.get(place)?,
                _ => children.get(children.len().checked_sub(place + 1)?)?,
            };
            *cursor += 1;
            if at.excluded >> child & 1 == 0 {
                return Some(child);
            }
        }
    }
    fn apply(&self, at: At, &child: &usize) -> At {
        let excluded = if at.excluded & MERGED == 0 { at.excluded } else { ANYTHING };
        At { node: child, excluded }
    }
    // It is asked for only without hooks, and nothing else excludes nodes or merges states there.
    fn state_after(&self, &child: &usize) -> Option<At> {
        Some(At { node: child, excluded: 0 })
    }
}

/// The bit of a cursor that draws the last child first.
const REVERSED: usize = 1 << 63;

/// What the choices of a node decide: its children, in order or from the last one to the first, or
/// something without a value if the node is hopeless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Decides {
    Child,
    LastChild,
    Nothing,
}

impl Variables for Tree {
    type Variable = Decides;

    fn undecided(&self, at: &At) -> impl Iterator<Item = Decides> {
        let is_hopeless =
            at.excluded & (MERGED | ANYTHING) == 0 && self.hopeless >> at.node & 1 == 1;
        [Decides::Child, Decides::LastChild]
            .into_iter()
            .chain(is_hopeless.then_some(Decides::Nothing))
    }
    fn values_left(&self, at: &At, variable: Decides) -> usize {
        match variable {
            Decides::Nothing => 0,
            Decides::Child => self.children[at.node].len().max(1),
            // An overestimate.
            Decides::LastChild => (self.children[at.node].len() + at.node % 2).max(1),
        }
    }
    fn values(&self, _: &At, variable: Decides) -> usize {
        match variable {
            Decides::Child => 0,
            Decides::LastChild => REVERSED,
            Decides::Nothing => usize::MAX,
        }
    }
    fn dynamic_degree(&self, at: &At, variable: Decides) -> u64 {
        at.node as u64 % 3 + u64::from(variable == Decides::LastChild)
    }
}

/// Equal subtrees of which nothing was removed are united, or subtrees are dropped that others
/// dominate. A merged state has one solution below
/// it, which is better than all others.
impl DiagramProblem for Tree {
    fn layer(&self, at: &At) -> usize {
        match at.excluded & ANYTHING {
            0 => self.children.len() - self.height(at.node),
            _ => self.children.len() + 1,
        }
    }
    fn key(&self, at: &At) -> impl Hash + Eq {
        match at.excluded {
            0 if self.dominated.is_empty() => (self.shapes[at.node], 0, None),
            0 => (usize::MAX, 0, self.values[at.node]),
            ANYTHING => (0, ANYTHING, None),
            excluded => (at.node, excluded, None),
        }
    }
    fn resources(&self, at: &At) -> impl AsRef<[u64]> + Hash + Eq {
        let dominated = self.dominated.get(at.node).filter(|_| at.excluded == 0);
        let amounts = |set: &u64| (0..MOST_NODES).map(|node| set >> node & 1).collect();
        dominated.map_or(Vec::new(), amounts)
    }
    fn merge(&self, at: &mut At, _: &At) {
        at.excluded = MERGED;
    }
}

/// Returns the nodes of `cut` whose later siblings are in it as well, both in the order of the
/// problem and in that of the bound, or all siblings if the order is not known.
fn suffixes(tree: &Tree, cut: u64) -> u64 {
    let mut ends = 0;
    for siblings in &tree.children {
        for &child in siblings {
            let is_later = |other| {
                tree.is_reordered || other > child || tree.bounds[other] <= tree.bounds[child]
            };
            let mut later = siblings.iter().filter(|&&other| is_later(other));
            if later.all(|&other| cut >> other & 1 == 1) {
                ends |= 1 << child;
            }
        }
    }
    ends
}

/// Returns the decision that prunes the nodes of a set.
fn prunes(cut: u64) -> impl FnMut(&mut NodeMut<'_, Tree>) -> Verdict + Clone {
    move |node| Verdict::prune_if(cut >> node.state().node & 1 == 1)
}

/// Returns a key that is equal for equal subtrees.
fn shape(tree: &Tree, at: &At) -> (usize, u64) {
    match at.excluded {
        0 => (tree.shapes[at.node], 0),
        excluded => (at.node, excluded),
    }
}

/// A hook that prunes the nodes of a set, in `admit` or in `enter`; in `admit` perhaps with all
/// later siblings, where these are in the set as well.
fn cutting(
    tree: &Tree,
    rng: &mut Rng,
    name: String,
    effect: Effect,
    cut: u64,
) -> BoxedHook<'static, Tree> {
    if rng.bool() && cut & 1 == 0 && rng.bool() {
        let ends = suffixes(tree, cut);
        let decide = move |_: &Node<'_, Tree>, &child: &usize| match ends >> child & 1 {
            1 => Verdict::PruneSiblings,
            _ => Verdict::prune_if(cut >> child & 1 == 1),
        };
        Box::new(hook::admit(name, effect, decide).parameters(&(0, cut)))
    } else if rng.bool() && cut & 1 == 0 {
        let decide =
            move |_: &Node<'_, Tree>, &child: &usize| Verdict::prune_if(cut >> child & 1 == 1);
        Box::new(hook::admit(name, effect, decide).parameters(&(1, cut)))
    } else {
        Box::new(hook::enter(name, effect, prunes(cut)).parameters(&(2, cut)))
    }
}

/// Returns labels such that nodes of equal labels agree in `feature`, such as the value of the best
/// solution at or below them, and none is an ancestor of another one.
fn labels<T: PartialEq>(tree: &Tree, rng: &mut Rng, feature: impl Fn(usize) -> T) -> Vec<usize> {
    let nodes = tree.values.len();
    let mut above = vec![0_u64; nodes];
    let mut labels: Vec<usize> = Vec::with_capacity(nodes);
    for node in 0..nodes {
        let known: Vec<usize> = (0..node)
            .filter(|&other| {
                feature(other) == feature(node) && above[node] >> labels[other] & 1 == 0
            })
            .collect();
        let label = if !known.is_empty() && rng.f64() < 0.7 {
            labels[known[rng.usize(0..known.len())]]
        } else {
            node
        };
        labels.push(label);
        for &child in &tree.children[node] {
            above[child] = above[node] | 1 << label;
        }
    }
    labels
}

/// The kinds of hooks, by what they claim.
const KINDS: [&str; 27] = [
    "preserving",
    "forward checking",
    "credited",
    "failed",
    "known",
    "known before the choice",
    "known of all siblings",
    "known by a diagram",
    "known, and emptied",
    "known, but not named",
    "below",
    "constraint of states",
    "constraint of paths",
    "credited from outside",
    "elsewhere",
    "elsewhere, with as many choices",
    "earlier in depth-first order",
    "equal trees",
    "better elsewhere",
    "representatives",
    "first of each orbit",
    "equal siblings",
    "better siblings",
    "visited before",
    "lossy",
    "reads its incumbent",
    "reads another incumbent",
];

/// Creates a hook of a kind that keeps what it claims to keep, and no more. Two hooks of one name
/// differ in their parameters only.
///
/// `tree` is the problem, or what constraints leave of it: the claim holds for either.
fn hook(
    (place, kind): (usize, usize),
    tree: &Tree,
    rejected: u64,
    rng: &mut Rng,
    (objective, other): (&Objective<Tree, i64, Value>, &Incumbent<i64>),
) -> BoxedHook<'static, Tree> {
    let incumbent = objective.incumbent();
    let name = format!("{} {place}", KINDS[kind]);
    let best = tree.best(0, 0);
    match KINDS[kind] {
        "preserving" => {
            let all = tree.solutions(0, 0).len();
            let cut = tree.cuts(rng, |cut| tree.solutions(0, cut).len() == all);
            cutting(tree, rng, name, Effect::Preserving, cut)
        }
        "forward checking" => {
            let check = |node: &mut NodeMut<'_, Tree>| hook::ForwardChecking.enter(node);
            Box::new(hook::enter(name, Effect::Preserving, check))
        }
        "credited" => Box::new(Memo::counted(name, shape)),
        "failed" => Box::new(Memo::failed(name, |tree: &Tree, at: &At| {
            // Only states without solutions have to be equivalent; a constraint may reject all
            // solutions below one of the others.
            let is_empty = tree.solutions(at.node, at.excluded).is_empty();
            let place = if at.excluded == 0 { tree.shapes[at.node] } else { at.node };
            (if is_empty { usize::MAX } else { place }, at.excluded)
        })),
        "known" => Box::new(exact_bound(name, incumbent)),
        "known before the choice" => {
            let bound = |tree: &Tree, _: &At, &child: &usize| tree.bounds[child];
            Box::new(hook::ChoiceBound::new(name, incumbent.clone(), bound))
        }
        "known of all siblings" => {
            let bound = |tree: &Tree, at: &At, child: &usize| {
                let siblings = tree.children[at.node].iter();
                let siblings = siblings.skip_while(|&&other| !tree.is_reordered && other != *child);
                siblings.filter_map(|&other| tree.best(other, 0)).max().unwrap_or(i64::MIN)
            };
            Box::new(hook::OrderedBound::new(name, incumbent.clone(), bound))
        }
        "known by a diagram" => {
            let width = if rng.bool() { usize::MAX } else { rng.usize(1..6) };
            Box::new(objective.relaxed_bound(name, width))
        }
        "known, and emptied" => Box::new(emptying(name, incumbent.clone().declared())),
        "known, but not named" => {
            let read = if rng.bool() { incumbent } else { other };
            let mut bound = exact_bound(name.clone(), read);
            let compare = move |node: &mut NodeMut<'_, Tree>| bound.enter(node);
            let unnamed = hook::enter(name, Effect::OptimumOnly, compare);
            Box::new(unnamed.memory(HookMemory::Path))
        }
        "below" => {
            // The same in all runs: a frontier has solutions at nodes that these hooks have kept,
            // and another hook of this kind may remove such a node without pruning it.
            let seed = tree.values.len() as u64;
            let tighten = move |node: &mut NodeMut<'_, Tree>| {
                let (tree, at) = (node.problem(), *node.state());
                let mut rng = Rng::with_seed(seed ^ at.node as u64);
                let best = tree.best(at.node, at.excluded);
                let keeps =
                    |cut| tree.best(at.node, at.excluded | cut) == best && cut >> at.node & 1 == 0;
                node.state_mut().excluded |= tree.cuts(&mut rng, keeps);
                Verdict::Keep
            };
            let below = hook::enter(name, Effect::OptimumOnly, tighten);
            Box::new(below.substitute(Substitute::Below).parameters(&seed))
        }
        "constraint of states" | "constraint of paths" => {
            let kind = match KINDS[kind] {
                "constraint of states" => Constraint::State,
                _ => Constraint::Path,
            };
            Box::new(Rejecting { name, kind, rejected, when_admitted: rng.bool() })
        }
        "credited from outside" => {
            let credit = rng.u64(..) & ((1 << tree.values.len()) - 1);
            let decide = move |node: &mut NodeMut<'_, Tree>| {
                let (tree, at) = (node.problem(), *node.state());
                let is_known = credit >> at.node & 1 == 1;
                if is_known {
                    node.credit(tree.solutions(at.node, at.excluded).len() as u128);
                }
                Verdict::prune_if(is_known)
            };
            Box::new(hook::enter(name, Effect::Preserving, decide).parameters(&credit))
        }
        "elsewhere" => {
            let cut = tree.cuts(rng, |cut| tree.best(0, cut) == best);
            cutting(tree, rng, name, Effect::OptimumOnly, cut)
        }
        "elsewhere, with as many choices" => {
            // Of each best value by depth, a solution is left.
            let best_by_depth = |cut| {
                let mut by_depth = BTreeMap::new();
                for solution in tree.solutions(0, cut) {
                    let best = by_depth.entry(tree.depth(solution)).or_insert(i64::MIN);
                    *best = (*best).max(tree.values[solution].unwrap_or(i64::MIN));
                }
                by_depth
            };
            let all = best_by_depth(0);
            let cut = tree.cuts(rng, |cut| best_by_depth(cut) == all);
            let tie = Substitute::Elsewhere(SubstituteOrder::FewerChoices);
            let tie = hook::enter(name, Effect::OptimumOnly, prunes(cut)).substitute(tie);
            Box::new(tie.parameters(&cut))
        }
        "earlier in depth-first order" => {
            let labels = labels(tree, rng, |node| tree.best(node, 0));
            let parameters = labels.clone();
            let group = move |_: &Tree, at: &At| labels[at.node];
            let earlier = Dominance::new(name, group, |_: &Tree, _: &At| (), |(), ()| true);
            Box::new(earlier.parameters(&parameters))
        }
        "equal trees" => {
            let group = |tree: &Tree, at: &At| tree.shapes[at.node];
            let order = SubstituteOrder::FewerChoices;
            match rng.u8(..4) {
                0 => {
                    let equal = Dominance::new(name, group, |_: &Tree, _: &At| (), |(), ()| true);
                    Box::new(equal.order(order))
                }
                1 => Box::new(Dominance::by_criteria(name, group, |_, _| [0; 1]).order(order)),
                2 => Box::new(Dominance::by_criteria(name, group, |_, _| [0; 2]).order(order)),
                _ => Box::new(Dominance::by_criteria(name, group, |_, _| [0; 3]).order(order)),
            }
        }
        "better elsewhere" => {
            let optima = |cut| {
                tree.solutions(0, cut).into_iter().filter(|&one| tree.values[one] == best).count()
            };
            let cut = tree.cuts(rng, |cut| optima(cut) == optima(0));
            let better = Substitute::Elsewhere(SubstituteOrder::BetterValue);
            let better = hook::enter(name, Effect::OptimumOnly, prunes(cut)).substitute(better);
            Box::new(better.parameters(&cut))
        }
        "representatives" => {
            let orbits = orbits(tree, rng);
            let kept = |cut| -> BTreeSet<_> {
                tree.solutions(0, cut).into_iter().map(|solution| orbits[solution]).collect()
            };
            let all = kept(0);
            let cut = tree.cuts(rng, |cut| kept(cut) == all);
            cutting(tree, rng, name, Effect::Representatives, cut)
        }
        "first of each orbit" => {
            let (orbits, knows_sizes) = (orbits(tree, rng), rng.bool());
            Box::new(FirstOfEachOrbit {
                name,
                orbits,
                knows_sizes,
                kept: BTreeSet::new(),
                is_first: false,
            })
        }
        "equal siblings" => Box::new(EqualSiblings { name, seed: rng.u64(..) }),
        "better siblings" => {
            let seed = rng.u64(..);
            let decide = move |node: &Node<'_, Tree>, &child: &usize| {
                let (tree, at) = (node.problem(), *node.state());
                if at.excluded & (MERGED | ANYTHING) != 0 {
                    return Verdict::Keep;
                }
                let best = |child| tree.best(child, at.excluded);
                let is_kept = |other| mixed(seed, other).is_multiple_of(2);
                // The best child stays; of several, the first.
                let siblings = tree.children[at.node].iter().copied();
                let kept = siblings.min_by_key(|&other| (Reverse(best(other)), other));
                Verdict::keep_if(best(child).is_some() && is_kept(child) || kept == Some(child))
            };
            let better = hook::admit(name, Effect::OptimumOnly, decide);
            Box::new(better.substitute(Substitute::Sibling).parameters(&seed))
        }
        "visited before" => Box::new(Memo::visited(name, shape)),
        "lossy" => {
            let cut = tree.cuts(rng, |_| true);
            cutting(tree, rng, name, Effect::Lossy, cut)
        }
        reads => {
            let mut incumbent =
                if reads == "reads its incumbent" { incumbent.clone() } else { other.clone() };
            let effect = if rng.bool() { Effect::OptimumOnly } else { Effect::Preserving };
            // Threads are started at each node, which is slow.
            let way = if rng.u8(..16) == 0 { Way::Threads } else { rng.choice(WAYS).unwrap() };
            Box::new(hook::enter(name, effect, move |node: &mut NodeMut<'_, Tree>| {
                let best = node.problem().best(node.state().node, 0).unwrap_or(i64::MIN);
                Verdict::keep_if(is_beaten_by(&mut incumbent, best, way))
            }))
        }
    }
}

/// Creates hooks of these kinds. Returns them with what their constraints leave of the tree, which
/// defines the solutions.
fn hooks(
    kinds: &[usize],
    tree: &Tree,
    rng: &mut Rng,
    incumbents: (&Objective<Tree, i64, Value>, &Incumbent<i64>),
) -> (Vec<BoxedHook<'static, Tree>>, Tree) {
    let rejected: Vec<u64> = kinds
        .iter()
        .map(|&kind| match KINDS[kind] {
            "constraint of states" => tree.rejected(rng, true),
            "constraint of paths" => tree.rejected(rng, false),
            _ => 0,
        })
        .collect();
    let left = tree.without(rejected.iter().fold(0, |all, set| all | set));
    let mut create = |(place, &kind): (usize, &usize)| {
        // The claims of the others hold for either tree.
        let of = if rng.bool() { tree } else { &left };
        hook((place, kind), of, rejected[place], rng, incumbents)
    };
    let hooks = kinds.iter().enumerate().map(&mut create).collect();
    (hooks, left)
}

/// The ways in which a hook may compare with an incumbent.
#[derive(Clone, Copy)]
enum Way {
    Directly,
    InRun,
    Threads,
    /// By a run that panics if the incumbent is not beaten.
    Panicking,
}

const WAYS: [Way; 3] = [Way::Directly, Way::InRun, Way::Panicking];

/// Returns whether `best` beats the incumbent.
fn is_beaten_by(incumbent: &mut Incumbent<i64>, best: i64, way: Way) -> bool {
    if let Way::Directly = way {
        return incumbent.is_beaten_by(&best);
    }
    let mut incumbent = incumbent.clone();
    let compare = move |_: &mut NodeMut<'_, Tree>| {
        let is_beaten = incumbent.is_beaten_by(&best);
        if !is_beaten && matches!(way, Way::Panicking) {
            // Unlike `panic!`, it prints nothing.
            resume_unwind(Box::new(()));
        }
        Verdict::keep_if(is_beaten)
    };
    let single = Tree::of_one_solution();
    let search = Search::new(&single).hook(hook::enter("inner", Effect::Preserving, compare));
    let found = || match way {
        Way::Threads => search.threads(2).first().solution().is_some(),
        _ => search.first().solution().is_some(),
    };
    catch_unwind(AssertUnwindSafe(found)).unwrap_or(false)
}

/// A constraint that rejects the nodes of a set.
#[derive(Clone)]
struct Rejecting {
    name: String,
    kind: Constraint,
    rejected: u64,
    /// Whether it decides before the choice, except about the root.
    when_admitted: bool,
}

impl Hook<Tree> for Rejecting {
    fn name(&self) -> &str {
        &self.name
    }
    fn constraint(&self) -> Option<Constraint> {
        Some(self.kind)
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(self.rejected, self.when_admitted)))
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
    fn admit(&mut self, _: &Node<'_, Tree>, &child: &usize) -> Verdict {
        Verdict::prune_if(self.when_admitted && self.rejected >> child & 1 == 1)
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Tree>) -> Verdict {
        let decides = !self.when_admitted || node.depth() == 0;
        Verdict::prune_if(decides && self.rejected >> node.state().node & 1 == 1)
    }
}

/// Returns the hook that removes all nodes that do not beat the incumbent from a subtree, and
/// prunes a node that it has removed.
fn emptying(name: String, mut incumbent: Incumbent<i64>) -> impl Hook<Tree> + Clone + Send {
    let id = incumbent.id();
    let empty = move |node: &mut NodeMut<'_, Tree>| {
        let (tree, at) = (node.problem(), *node.state());
        for other in at.node..tree.values.len() {
            if !incumbent.is_beaten_by(&tree.bounds[other]) {
                node.state_mut().excluded |= 1 << other;
            }
        }
        let is_removed = node.state().excluded >> at.node & 1 == 1;
        if is_removed {
            node.state_mut().excluded |= EMPTIED;
        }
        Verdict::prune_if(is_removed)
    };
    let empty = hook::enter(name, Effect::OptimumOnly, empty).memory(HookMemory::Path);
    Claiming::new(empty.parameters(&())).incumbent(id)
}

/// Divides the solutions into orbits, each of solutions of equal value.
fn orbits(tree: &Tree, rng: &mut Rng) -> Vec<(Option<i64>, u32)> {
    tree.values.iter().map(|&value| (value, rng.u32(0..3))).collect()
}

/// Returns a number that depends on both arguments and looks random.
fn mixed(seed: u64, node: usize) -> u64 {
    Rng::with_seed(seed ^ node as u64).u64(..)
}

/// A hook that keeps one of the children of each node that have equal subtrees.
#[derive(Clone)]
struct EqualSiblings {
    name: String,
    seed: u64,
}

impl EqualSiblings {
    /// Returns the number of children of a node that a child stands for, including itself.
    fn factor(&self, tree: &Tree, node: usize, child: usize) -> u64 {
        let siblings = tree.children[node].iter().copied();
        let equal = siblings.filter(|&other| tree.shapes[other] == tree.shapes[child]);
        let kept = equal.clone().min_by_key(|&other| mixed(self.seed, other));
        if kept == Some(child) { equal.count() as u64 } else { 0 }
    }
}

impl Hook<Tree> for EqualSiblings {
    fn name(&self) -> &str {
        &self.name
    }
    fn effect(&self) -> Effect {
        Effect::Representatives
    }
    fn substitute(&self) -> Substitute {
        Substitute::Sibling
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.seed))
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
    fn admit(&mut self, node: &Node<'_, Tree>, &child: &usize) -> Verdict {
        let at = node.state();
        let is_merged = at.excluded & (MERGED | ANYTHING) != 0;
        Verdict::prune_if(!is_merged && self.factor(node.problem(), at.node, child) == 0)
    }
    fn orbit(&self, node: &Node<'_, Tree>) -> Option<u64> {
        let (tree, path) = (node.problem(), node.path());
        let parents = std::iter::once(&0).chain(path.iter());
        Some(parents.zip(path.iter()).map(|(&at, &child)| self.factor(tree, at, child)).product())
    }
}

/// A hook that keeps the first solution of each orbit that it enters, and remembers its orbit.
#[derive(Clone)]
struct FirstOfEachOrbit {
    name: String,
    orbits: Vec<(Option<i64>, u32)>,
    /// Whether it states the sizes of the orbits.
    knows_sizes: bool,
    kept: BTreeSet<(Option<i64>, u32)>,
    /// Whether the node that was entered last is the representative of its orbit.
    is_first: bool,
}

impl Hook<Tree> for FirstOfEachOrbit {
    fn name(&self) -> &str {
        &self.name
    }
    fn effect(&self) -> Effect {
        Effect::Representatives
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(&self.orbits, self.knows_sizes)))
    }
    /// A solution of each orbit that is lost has been entered and kept.
    fn substitute(&self) -> Substitute {
        Substitute::Elsewhere(SubstituteOrder::FewerChoices)
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Tree>) -> Verdict {
        let (tree, &at) = (node.problem(), node.state());
        let mut solutions = tree.solutions(at.node, at.excluded).into_iter();
        if solutions.all(|solution| self.kept.contains(&self.orbits[solution])) {
            // A node that is pruned on a replay may be a solution that is still to be visited.
            self.is_first = false;
            return Verdict::Prune;
        }
        self.is_first = tree.values[at.node].is_some() && self.kept.insert(self.orbits[at.node]);
        Verdict::Keep
    }
    fn orbit(&self, node: &Node<'_, Tree>) -> Option<u64> {
        let tree = node.problem();
        let own = self.orbits[node.state().node];
        let all = tree.solutions(0, 0);
        let size = all.into_iter().filter(|&solution| self.orbits[solution] == own).count();
        // A solution that is kept for others below it may be no representative.
        self.knows_sizes.then_some(if self.is_first { size as u64 } else { 0 })
    }
}

/// Creates a hook with the exact bound: the value of the best solution at or below a node.
fn exact_bound(
    name: String,
    incumbent: &Incumbent<i64>,
) -> impl secateurs::Hook<Tree> + Clone + Send + use<> {
    let bound = |tree: &Tree, at: &At| tree.bounds[at.node];
    secateurs::hook::Bound::new(name, incumbent.clone(), bound)
}

/// A brancher that leaves out the nodes of a set, or nodes of labels that it has entered before.
/// The latter loses solutions in favour of others that come earlier in depth-first order.
#[derive(Clone)]
struct Dropping {
    effect: Effect,
    cut: u64,
    /// The labels of the nodes, if it remembers those that it has entered.
    labels: Option<Vec<usize>>,
    entered: u64,
}

impl Dropping {
    fn new(effect: Effect, cut: u64, labels: Option<Vec<usize>>) -> Self {
        Dropping { effect, cut, labels, entered: 0 }
    }

    /// Creates a brancher that keeps its claim, and nothing more.
    fn random(tree: &Tree, rng: &mut Rng) -> Self {
        let (all, best) = (tree.solutions(0, 0).len(), tree.best(0, 0));
        let effect =
            *rng.choice(&[Effect::Preserving, Effect::OptimumOnly, Effect::Lossy]).unwrap();
        let cut = tree.cuts(rng, |cut| match effect {
            Effect::Preserving => tree.solutions(0, cut).len() == all,
            Effect::OptimumOnly => tree.best(0, cut) == best,
            _ => true,
        });
        Dropping::new(effect, cut, None)
    }

    /// Creates a brancher that remembers, for the best solution or for one solution of each value.
    fn earlier(tree: &Tree, rng: &mut Rng, effect: Effect) -> Self {
        let labels = match effect {
            Effect::Representatives => labels(tree, rng, |node| {
                let solutions = tree.solutions(node, 0).into_iter();
                solutions.map(|solution| tree.values[solution]).collect::<BTreeSet<_>>()
            }),
            _ => labels(tree, rng, |node| tree.best(node, 0)),
        };
        Dropping::new(effect, 0, Some(labels))
    }
}

impl Brancher<Tree> for Dropping {
    type Cursor = usize;

    fn branch(&mut self, node: &Node<'_, Tree>) -> Branch<usize> {
        node.problem().branch(node.state())
    }
    fn next(&mut self, node: &Node<'_, Tree>, cursor: &mut usize) -> Option<usize> {
        let is_met = |child| match &self.labels {
            Some(labels) => self.entered >> labels[child] & 1 == 1,
            None => false,
        };
        next_wanted(node.problem(), node.state(), cursor, |child| {
            self.cut >> child & 1 == 0 && !is_met(child)
        })
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(self.cut, &self.labels)))
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn memory(&self) -> HookMemory {
        if self.labels.is_some() { HookMemory::Visited } else { HookMemory::Nothing }
    }
    fn enter(&mut self, node: &Node<'_, Tree>) {
        if let Some(labels) = &self.labels {
            self.entered |= 1 << labels[node.state().node];
        }
    }
}

type ChoiceValue = fn(&Tree, &At, &usize) -> i64;
type Within = fn(&Tree, &At, &mut usize, &ToBeat<'_, i64>) -> Option<usize>;

/// Returns the next child that is wanted.
fn next_wanted(
    tree: &Tree,
    at: &At,
    cursor: &mut usize,
    is_wanted: impl Fn(usize) -> bool,
) -> Option<usize> {
    std::iter::from_fn(|| tree.next(at, cursor)).find(|&child| is_wanted(child))
}

/// The branchers of the trials. Their cursors have `2 + PADDING` words: depth-first search copies
/// cursors of up to two words, and advances larger ones in place.
#[derive(Clone)]
enum Order<const PADDING: usize> {
    Plain(Dropping),
    Sorted(SortedByBound<Tree, i64, ChoiceValue, Dropping>),
    Unnamed(SortedByBound<Tree, i64, ChoiceValue, Dropping>),
    Switched(Option<Dropping>),
    SortedSwitched(Option<SortedByBound<Tree, i64, ChoiceValue, Option<Dropping>>>),
    Within(NextWithin<Tree, i64, Within>),
    UnnamedWithin(NextWithin<Tree, i64, Within>),
    ByVariable(Branching<SmallestKey<ByNode>>),
    MiddleOut(MiddleOut<Branching<ForcedFirst<SmallestDomain>>>),
    LeastConstraining(LeastConstraining<Tree, SmallestDomain>),
}

/// A key that differs from node to node.
#[derive(Clone, Copy)]
struct ByNode;

impl VariableKey<Tree> for ByNode {
    type Key = bool;
    fn key(&mut self, node: &Node<'_, Tree>, variable: Decides) -> bool {
        node.state().node % 2 == 0 && variable == Decides::Child
    }
}

const ORDERS: [&str; 17] = [
    "problem order",
    "lossy order",
    "sorted by a bound",
    "sorted by another bound",
    "sorted by another bound, but not named",
    "sorted by a bound, and lossy",
    "lossy order, perhaps switched off",
    "sorted by a bound, perhaps switched off",
    "within a bound",
    "within a bound of all later children",
    "within another bound",
    "within another bound, but not named",
    "best of those entered before",
    "representatives of those entered before",
    "by variable",
    "forced first, middle out",
    "least constraining",
];

/// The number of [`ORDERS`] that are not the order of the problem or of a bound.
const REORDERED: usize = 3;

impl<const PADDING: usize> Order<PADDING> {
    fn of(
        kind: usize,
        tree: &Tree,
        rng: &mut Rng,
        objective: &Objective<Tree, i64, Value>,
        other: &Objective<Tree, i64, Value>,
    ) -> Self {
        let bound: ChoiceValue = |tree, _, &child| tree.bounds[child];
        // The children of a node have larger numbers.
        let other_bound: ChoiceValue = |_, _, &child| -(child as i64);
        let all = Dropping::new(Effect::Preserving, 0, None);
        match ORDERS[kind] {
            "problem order" => Order::Plain(all),
            "lossy order" => Order::Plain(Dropping::random(tree, rng)),
            "sorted by a bound" => Order::Sorted(objective.sorted(bound).parameters(&0).over(all)),
            "sorted by another bound" => {
                Order::Sorted(other.sorted(other_bound).parameters(&1).over(all))
            }
            "sorted by another bound, but not named" => {
                Order::Unnamed(other.sorted(other_bound).parameters(&1).over(all))
            }
            "sorted by a bound, and lossy" => Order::Sorted(
                objective.sorted(bound).parameters(&0).over(Dropping::random(tree, rng)),
            ),
            "lossy order, perhaps switched off" => {
                Order::Switched(rng.bool().then(|| Dropping::random(tree, rng)))
            }
            "within a bound" => {
                let next: Within = |tree, at, cursor, to_beat| {
                    next_wanted(tree, at, cursor, |child| to_beat.is_beaten_by(&tree.bounds[child]))
                };
                Order::Within(objective.next_within(next).parameters(&0))
            }
            "within a bound of all later children" => {
                // The loop ends where no later child can beat the incumbent either.
                let next: Within = |tree, at, cursor, to_beat| {
                    let child = tree.next(at, cursor)?;
                    let mut later = *cursor;
                    let rest = std::iter::from_fn(|| tree.next(at, &mut later)).chain([child]);
                    let bound = rest.map(|child| tree.bounds[child]).max()?;
                    to_beat.is_beaten_by(&bound).then_some(child)
                };
                Order::Within(objective.next_within(next).parameters(&1))
            }
            named @ ("within another bound" | "within another bound, but not named") => {
                // The children of a node have larger numbers.
                let next: Within = |tree, at, cursor, to_beat| {
                    next_wanted(tree, at, cursor, |child| to_beat.is_beaten_by(&-(child as i64)))
                };
                let order = other.next_within(next).parameters(&2);
                match named {
                    "within another bound" => Order::Within(order),
                    _ => Order::UnnamedWithin(order),
                }
            }
            "best of those entered before" => {
                Order::Plain(Dropping::earlier(tree, rng, Effect::OptimumOnly))
            }
            "representatives of those entered before" => {
                Order::Plain(Dropping::earlier(tree, rng, Effect::Representatives))
            }
            "by variable" => {
                let order = SmallestKey::of(ByNode);
                Order::ByVariable(Branching::by(match rng.u8(..3) {
                    0 => order,
                    1 => order.with_last_tie(),
                    _ => order.with_random_ties(rng.u64(..)),
                }))
            }
            "forced first, middle out" => {
                let order = ForcedFirst::over(SmallestDomain::random_ties(rng.u64(..)));
                Order::MiddleOut(MiddleOut::over(Branching::by(order)))
            }
            "least constraining" => {
                Order::LeastConstraining(least_constraining(SmallestDomain::last_tie()))
            }
            _ => {
                let inner = rng.bool().then(|| Dropping::random(tree, rng));
                Order::SortedSwitched(
                    rng.bool().then(|| objective.sorted(bound).parameters(&0).over(inner)),
                )
            }
        }
    }
}

/// Evaluates an expression with the order that is in use.
macro_rules! with_order {
    ($orders:expr, $order:ident => $value:expr) => {
        match $orders {
            Order::Plain($order) => $value,
            Order::Sorted($order) | Order::Unnamed($order) => $value,
            Order::Switched($order) => $value,
            Order::SortedSwitched($order) => $value,
            Order::Within($order) | Order::UnnamedWithin($order) => $value,
            Order::ByVariable($order) => $value,
            Order::MiddleOut($order) => $value,
            Order::LeastConstraining($order) => $value,
        }
    };
}

impl<const PADDING: usize> Brancher<Tree> for Order<PADDING> {
    type Cursor = (Box<dyn Any>, [usize; PADDING]);

    fn branch(&mut self, node: &Node<'_, Tree>) -> Branch<Self::Cursor> {
        with_order!(self, order => order.branch(node).map(|cursor| -> Self::Cursor {
            (Box::new(cursor), [0; PADDING])
        }))
    }
    fn next(&mut self, node: &Node<'_, Tree>, cursor: &mut Self::Cursor) -> Option<usize> {
        with_order!(self, order => order.next(node, cursor.0.downcast_mut().expect("its cursor")))
    }
    fn parameters(&self) -> Option<Digest> {
        with_order!(self, order => Brancher::<Tree>::parameters(order))
    }
    fn effect(&self) -> Effect {
        with_order!(self, order => Brancher::<Tree>::effect(order))
    }
    fn incumbent(&self) -> Option<IncumbentId> {
        match self {
            Order::Unnamed(_) | Order::UnnamedWithin(_) => None,
            _ => with_order!(self, order => Brancher::<Tree>::incumbent(order)),
        }
    }
    fn memory(&self) -> HookMemory {
        match self {
            Order::Plain(order) => order.memory().max(HookMemory::Path),
            _ => HookMemory::Path,
        }
    }
    fn enter(&mut self, node: &Node<'_, Tree>) {
        if let Order::Plain(order) = self {
            order.enter(node);
        }
    }
    fn cuts(&self) -> &[Cuts] {
        with_order!(self, order => Brancher::<Tree>::cuts(order))
    }
}

/// Checks that the walk is one: each step of it begins where the step before ended.
#[derive(Default)]
struct Follower {
    hooks: usize,
    /// The nodes on the path to the current one, the root first.
    open: Vec<usize>,
    admitted: Option<usize>,
    error: Option<String>,
}

impl Follower {
    fn require(&mut self, holds: bool, step: &str, node: &Node<'_, Tree>) {
        if !holds && self.error.is_none() {
            let (open, path) = (&self.open, node.path().to_vec());
            self.error = Some(format!("{step} at {path:?}, but {open:?} are open"));
        }
    }
    fn is_at(&self, node: &Node<'_, Tree>) -> bool {
        let open = self.open.iter().skip(1);
        open.eq(node.path().iter()) && self.open.last() == Some(&node.state().node)
    }
    fn go_down(&mut self, node: &Node<'_, Tree>, step: &str) {
        self.require(node.depth() == self.open.len(), step, node);
        self.open.push(node.state().node);
        self.require(self.is_at(node), step, node);
    }
}

impl Observer<Tree> for Follower {
    fn begin(&mut self, hooks: &[&str]) {
        self.hooks = hooks.len();
    }
    fn admitted(&mut self, parent: &Node<'_, Tree>, &child: &usize) {
        self.require(self.is_at(parent), "admitted", parent);
        self.admitted = Some(child);
    }
    fn not_admitted(&mut self, parent: &Node<'_, Tree>, _: &usize, hook: usize, _: bool) {
        self.require(self.is_at(parent) && hook < self.hooks, "not admitted", parent);
    }
    fn entered(&mut self, node: &Node<'_, Tree>, cut: Option<usize>) {
        let is_admitted = self.admitted.take() == node.path().last().copied();
        self.require(is_admitted, "entered without admission", node);
        self.go_down(node, "entered");
        if let Some(hook) = cut {
            self.require(hook < self.hooks, "cut", node);
            self.open.pop();
        }
    }
    fn replayed(&mut self, node: &Node<'_, Tree>) {
        self.go_down(node, "replayed");
    }
    fn solution(&mut self, node: &Node<'_, Tree>) {
        self.require(self.is_at(node), "solution", node);
    }
    fn left(&mut self, node: &Node<'_, Tree>, _: bool) {
        self.require(self.is_at(node), "left", node);
        self.open.pop();
    }
}

const STRATEGIES: [&str; 15] = [
    "depth-first",
    "observed",
    "steps",
    "breadth-first",
    "beam",
    "best-first",
    "restricted diagram",
    "diagrams",
    "two threads",
    "in order",
    "phases",
    "portfolio",
    "instalments",
    "parts",
    "parts of parts, read from files",
];

const QUESTIONS: [&str; 6] = ["count", "exists", "is unique", "first", "solutions", "best"];

/// The claims of a run.
#[derive(Debug, Default)]
struct Claims {
    count: Option<u128>,
    at_least: u128,
    representatives: Option<u128>,
    none: bool,
    some: bool,
    /// The value that is proven optimal; `Some(None)` if the run proves that there is no solution.
    best: Option<Option<i64>>,
    none_better: Option<i64>,
    /// The value of a solution, proven or not.
    found: Option<i64>,
    /// The effect, and the reasons for it, for the message of a failure.
    #[allow(dead_code, reason = "printed by `Debug`")]
    effect: Option<(Effect, Vec<String>)>,
}

/// Returns what a failure prints of a report.
fn effect_of(report: &Report) -> Option<(Effect, Vec<String>)> {
    Some((report.effect(), report.conflicts().to_vec()))
}

impl Claims {
    fn of_count(outcome: &Outcome<secateurs::Count>) -> Self {
        let (count, representatives) = (outcome.exact(), outcome.representatives());
        let (at_least, effect) = (outcome.at_least(), effect_of(outcome.report()));
        Claims { count, representatives, at_least, effect, ..Claims::default() }
    }

    fn of_found<T>(outcome: &Outcome<Found<T>>) -> Self {
        Claims {
            none: outcome.is_proven_none(),
            some: outcome.exists() == Some(true),
            effect: effect_of(outcome.report()),
            ..Claims::default()
        }
    }

    fn of_uniqueness(outcome: &Outcome<Uniqueness>) -> Self {
        let mut claims = Claims { effect: effect_of(outcome.report()), ..Claims::default() };
        match outcome.value() {
            Uniqueness::None => claims.none = true,
            Uniqueness::One => claims.count = Some(1),
            Uniqueness::Several => claims.at_least = 2,
            Uniqueness::Unknown => {}
        }
        claims
    }

    fn of_best(tree: &Tree, outcome: &Outcome<Optimum<i64, Vec<usize>>>) -> Self {
        let found = outcome.solution().map(|path| {
            let value = tree.values[path.last().copied().unwrap_or(0)];
            // A solution of another value than that of the outcome is none.
            value.filter(|value| outcome.best_so_far() == Some(value)).unwrap_or(i64::MAX)
        });
        let best = match outcome.value() {
            Optimum::Infeasible => Some(None),
            Optimum::Proven { value, .. } => Some(Some(*value)),
            _ => None,
        };
        let (none_better, effect) = (outcome.none_better().copied(), effect_of(outcome.report()));
        Claims { best, found, none_better, effect, ..Claims::default() }
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        let all = tree.solutions(0, 0);
        let (count, best) = (all.len() as u128, tree.best(0, 0));
        let right = self.count.is_none_or(|claimed| claimed == count)
            && self.at_least <= count
            && self
                .representatives
                .is_none_or(|claimed| claimed <= count && (claimed > 0) == (count > 0))
            && !(self.none && count > 0)
            && !(self.some && count == 0)
            && self.best.is_none_or(|claimed| claimed == best)
            && self.none_better.is_none_or(|claimed| best.is_none_or(|best| best <= claimed))
            && self.found <= best;
        if right {
            Ok(())
        } else {
            Err(format!("{self:?}, but there are {count} and the best is {best:?}"))
        }
    }

    fn proves_anything(&self) -> bool {
        self.count.is_some() || self.representatives.is_some() || self.none || self.best.is_some()
    }
}

/// Asks a question of a search with one thread or with several.
macro_rules! ask {
    ($search:expr, $question:expr, $tree:expr, $objective:expr) => {{
        let search = $search;
        match QUESTIONS[$question] {
            "count" => Claims::of_count(&search.count()),
            "exists" => Claims::of_found(&search.exists()),
            "is unique" => Claims::of_uniqueness(&search.is_unique()),
            "first" => Claims::of_found(&search.first()),
            "solutions" => {
                let outcome = search.for_each(|_| ControlFlow::<()>::Continue(()));
                let report = outcome.report();
                let is_mixed = |reason: &String| reason.contains("different constraints");
                // Runs with other constraints may have visited some of the solutions.
                let visited =
                    if report.conflicts().iter().any(is_mixed) { 0 } else { report.solutions() };
                Claims { at_least: visited.into(), ..Claims::default() }
            }
            _ => Claims::of_best($tree, &search.best($objective)),
        }
    }};
}

/// Advances a search by some steps, perhaps to its end, and returns its claims.
macro_rules! advance {
    ($search:expr, $question:expr, $objective:expr, $rng:expr) => {{
        let mut steps = (0..$rng.usize(0..30)).map(|_| $rng.u64(0..20));
        if QUESTIONS[$question] == "best" {
            let mut search = $search.improvements($objective);
            let mut found = None;
            let mut improve = |(value, _)| {
                found = Some(value);
                ControlFlow::Continue(())
            };
            let mut is_open = |nodes| search.advance(nodes, &mut improve) == Stop::NodeLimit;
            while steps.next().is_some_and(&mut is_open) {}
            let best = found.filter(|_| search.is_proven()).map(Some);
            Claims { best, found, effect: effect_of(&search.report()), ..Claims::default() }
        } else {
            let mut search = $search.solutions();
            let mut visit = |_| ControlFlow::Continue(());
            let mut is_open = |nodes| search.advance(nodes, &mut visit) == Stop::NodeLimit;
            while steps.next().is_some_and(&mut is_open) {}
            Claims::of_count(&search.counted())
        }
    }};
}

/// Writes a frontier and reads it back, unless its objective has no name.
fn written_and_read(frontier: Frontier<usize>) -> Frontier<usize> {
    let print = Fingerprint::new("a tree", &());
    let mut bytes = Vec::new();
    match frontier.write(&mut bytes, &print) {
        Ok(()) => Frontier::read(&*bytes, &print).expect("just written"),
        Err(SaveError::Unnamed) => frontier,
        Err(error) => panic!("written to memory: {error}"),
    }
}

fn trial(seed: u64) -> Result<Option<Trial>, String> {
    if seed.is_multiple_of(2) { trial_of::<0>(seed) } else { trial_of::<1>(seed) }
}

/// Searches a random tree with cursors of `2 + PADDING` words.
fn trial_of<const PADDING: usize>(seed: u64) -> Result<Option<Trial>, String> {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let mut tree = Tree::random(rng);
    let is_named = rng.bool();
    let named = |objective: Objective<_, _, _>, name: &'static str| {
        if is_named { objective.named(name) } else { objective }
    };
    let objective = named(Objective::maximise(Tree::value as Value), "value");
    // Its function has the same type, so that the type does not tell the objectives apart.
    let by_node: Value = |_, at| -(at.node as i64);
    let other = named(Objective::maximise(by_node), "node");
    if rng.f64() < 0.1 {
        objective.incumbent().offer(rng.i64(0..4));
    }
    other.incumbent().offer(rng.i64(-3..4));
    let kinds: Vec<usize> = (0..rng.usize(0..=3)).map(|_| rng.usize(0..KINDS.len())).collect();
    let order = if rng.f64() < 0.5 { 0 } else { rng.usize(0..ORDERS.len()) };
    tree.is_reordered = order >= ORDERS.len() - REORDERED;
    if kinds.iter().any(|&kind| KINDS[kind] == "constraint of states") {
        // It reads more of a state than dominance retains.
        tree.dominated.clear();
    }
    let tree = &tree;
    // A brancher and hooks that compare with the incumbent of an objective.
    let pruned_by = |objective: &Objective<Tree, i64, Value>, seed: u64| {
        let rng = &mut Rng::with_seed(seed);
        let (hooks, left) = hooks(&kinds, tree, rng, (objective, other.incumbent()));
        // It may be combined with other constraints, so its claims refer to the whole problem.
        (Order::<PADDING>::of(order, tree, rng, objective, &other), hooks, left)
    };
    let [own_seed, other_seed] = std::array::from_fn(|_| rng.u64(..));
    let (brancher, hooks, truth) = pruned_by(&objective, own_seed);
    let truth = &truth;
    let search = || Search::new(tree).brancher(brancher.clone()).hooks(hooks.clone());
    // Known when it is compiled to have no hooks, so that best-first search jumps between nodes.
    let bare = || Search::new(tree);
    // The same names with other parameters.
    let (other_brancher, other_hooks, other_truth) = pruned_by(&objective, other_seed);
    let (strategy, question) = (rng.usize(0..STRATEGIES.len()), rng.usize(0..QUESTIONS.len()));
    let limited = |rng: &mut Rng| match rng.u32(0..6) {
        0 => Limits::new().nodes(rng.u64(0..12)),
        1 => Limits::new().depth(rng.usize(0..5)),
        2 => Limits::new().solutions(rng.u64(1..4)),
        _ => Limits::new(),
    };
    let limits = limited(rng);
    // Asks for the best solution as another process may: with an incumbent of its own.
    let best_alone = |frontier: &mut Frontier<usize>, limits: Limits, rng: &mut Rng| {
        let alone = named(Objective::maximise(Tree::value as Value), "value");
        if rng.f64() < 0.4 {
            alone.incumbent().offer(rng.i64(0..4));
        }
        let (brancher, hooks) = match rng.f64() < 0.8 {
            true => {
                let (brancher, hooks, _) = pruned_by(&alone, own_seed);
                (brancher, hooks)
            }
            false => (brancher.clone(), hooks.clone()),
        };
        let search = Search::new(tree).brancher(brancher).hooks(hooks).limits(limits);
        let search = search.frontier(frontier);
        let outcome = if rng.bool() { search.best(&alone) } else { search.threads(2).best(&alone) };
        Claims::of_best(truth, &outcome)
    };
    // Another question may be asked of the frontier first.
    let ask_before = |frontier: &mut Frontier<usize>, rng: &mut Rng| -> Result<(), String> {
        let limits = Limits::new().nodes(rng.u64(0..8));
        if rng.f64() < 0.2 {
            return best_alone(frontier, limits, rng).check(truth);
        }
        let earlier = if rng.f64() < 0.7 { question } else { rng.usize(0..QUESTIONS.len()) };
        let earlier_objective = match rng.u8(..10) {
            0 => &other,
            1 => &named(Objective::minimise(Tree::value as Value), "value"),
            2 => &Objective::maximise(by_node),
            _ => &objective,
        };
        let other_brancher = if rng.f64() < 0.1 { &other_brancher } else { &brancher };
        let (other_hooks, truth) = match rng.u8(..20) {
            0 => (&Vec::new(), tree),
            1 | 2 => (&other_hooks, &other_truth),
            _ => (&hooks, truth),
        };
        let search =
            || Search::new(tree).brancher(other_brancher.clone()).hooks(other_hooks.clone());
        if !std::ptr::eq(earlier_objective, &objective) {
            let _ = search().limits(limits).frontier(frontier).best(earlier_objective);
            return Ok(());
        }
        let search = search().limits(limits);
        if rng.f64() < 0.3 {
            let guide = if rng.f64() < 0.8 { &objective } else { &other };
            let search = search
                .diagrams(guide, rng.usize(1..5))
                .cut_width(rng.usize(0..5))
                .frontier(frontier);
            return ask!(search, earlier, truth, &objective).check(truth);
        }
        ask!(search.frontier(frontier), earlier, truth, &objective).check(truth)
    };
    let search_and_merge = |mut parts: Vec<Frontier<usize>>, rng: &mut Rng| {
        for part in &mut parts {
            let limits = limited(rng);
            let question = if rng.f64() < 0.1 { rng.usize(0..QUESTIONS.len()) } else { question };
            let claims = match QUESTIONS[question] {
                "best" if rng.f64() < 0.3 => best_alone(part, limits, rng),
                "best" if rng.f64() < 0.3 => {
                    let search = search().limits(limits).diagrams(&objective, rng.usize(1..5));
                    Claims::of_best(truth, &search.frontier(part).best(&objective))
                }
                "best" if rng.bool() => {
                    let search = search().limits(limits).frontier(part);
                    Claims::of_best(truth, &Anytime::new(&objective).then(search).finish())
                }
                _ => ask!(search().limits(limits).frontier(part), question, truth, &objective),
            };
            claims.check(truth).map_err(|error| format!("a part: {error}"))?;
            if claims.proves_anything() && !part.is_whole() {
                return Err(format!("a part claims {claims:?}"));
            }
        }
        rng.shuffle(&mut parts);
        let mut whole = parts.pop().ok_or("no part")?;
        parts.into_iter().for_each(|part| whole.merge(part));
        Ok(whole)
    };
    let claim = || -> Result<Claims, String> {
        Ok(match STRATEGIES[strategy] {
            "depth-first" => ask!(search().limits(limits), question, truth, &objective),
            "observed" => {
                let mut follower = Follower::default();
                let hooks = Observed::new(&mut follower, hooks.clone());
                let search = Search::new(tree).brancher(brancher.clone()).hooks(hooks);
                let search = search.limits(limits);
                let claims = match rng.u8(..4) {
                    0 => ask!(search, question, truth, &objective),
                    1 => ask!(search.breadth_first(), question, truth, &objective),
                    2 => {
                        let search = search.best_first(&objective, Tree::bound);
                        ask!(search, question, truth, &objective)
                    }
                    _ => {
                        let mut frontier = Frontier::new();
                        ask_before(&mut frontier, rng)?;
                        ask!(search.frontier(&mut frontier), question, truth, &objective)
                    }
                };
                follower.error.map_or(Ok(claims), Err)?
            }
            "steps" => match rng.u8(..3) {
                0 => advance!(search().limits(limits), question, &objective, rng),
                1 => advance!(search().limits(limits).breadth_first(), question, &objective, rng),
                _ => {
                    let guide = if rng.bool() { &objective } else { &other };
                    match hooks.is_empty() && rng.bool() {
                        true => {
                            let search = bare().limits(limits).best_first(guide, Tree::bound);
                            advance!(search, question, &objective, rng)
                        }
                        false => {
                            let search = search().limits(limits).best_first(guide, Tree::bound);
                            advance!(search, question, &objective, rng)
                        }
                    }
                }
            },
            "breadth-first" => {
                ask!(search().limits(limits).breadth_first(), question, truth, &objective)
            }
            "beam" => {
                let width = rng.usize(1..9);
                let beam =
                    search().limits(limits).beam(width, |tree, at: &At| tree.shapes[at.node]);
                ask!(beam, question, truth, &objective)
            }
            "best-first" => {
                let guide = if rng.bool() { &objective } else { &other };
                let open = if rng.bool() { usize::MAX } else { rng.usize(0..9) };
                if hooks.is_empty() && rng.bool() {
                    let search = bare().limits(limits).best_first(guide, Tree::bound);
                    ask!(search.open_nodes(open), question, truth, &objective)
                } else {
                    let search = search().limits(limits).best_first(guide, Tree::bound);
                    ask!(search.open_nodes(open), question, truth, &objective)
                }
            }
            "restricted diagram" => {
                let guide = if rng.f64() < 0.8 { &objective } else { &other };
                let width = if rng.bool() { usize::MAX } else { rng.usize(1..9) };
                ask!(search().limits(limits).restricted(guide, width), question, truth, &objective)
            }
            "diagrams" => {
                let guide = if rng.f64() < 0.8 { &objective } else { &other };
                let search = search().limits(limits).diagrams(guide, rng.usize(1..5));
                let search = search.cut_width(rng.usize(0..5));
                match rng.u8(..3) {
                    0 => ask!(search, question, truth, &objective),
                    1 => ask!(search.rough(Tree::bound), question, truth, &objective),
                    _ => ask!(search.threads(rng.usize(1..4)), question, truth, &objective),
                }
            }
            "two threads" => ask!(search().limits(limits).threads(2), question, truth, &objective),
            "in order" => {
                ask!(search().limits(limits).threads(2).in_order(), question, truth, &objective)
            }
            "phases" if QUESTIONS[question] == "best" => {
                let mut phases = Anytime::new(&objective).then(search().limits(limited(rng)));
                for _ in 0..rng.usize(0..3) {
                    let next = search().limits(limited(rng));
                    phases = match rng.u8(..4) {
                        0 => phases.then(next.restricted(&objective, rng.usize(1..5))),
                        1 => phases.then(next.diagrams(&objective, rng.usize(1..5))),
                        _ => phases.then(next),
                    };
                }
                Claims::of_best(truth, &phases.finish())
            }
            "phases" => ask!(search().limits(limits), question, truth, &objective),
            "portfolio" if !["is unique", "solutions"].contains(&QUESTIONS[question]) => {
                // All strategies must have the same constraints.
                let is_constrained = hooks.iter().any(|hook| hook.constraint().is_some());
                let other_hooks = if is_constrained { &hooks } else { &other_hooks };
                let one = (&brancher, &hooks);
                let other = (&other_brancher, other_hooks);
                let [first, second] = if rng.bool() { [one, other] } else { [other, one] };
                let by = |(brancher, hooks): (&Order<PADDING>, &Vec<_>)| {
                    Search::new(tree).brancher(brancher.clone()).hooks(hooks.clone())
                };
                // Two strategies in a random order, and a third that is one of them again.
                macro_rules! raced {
                    ($claims:expr, |$search:ident| $ask:expr) => {{
                        let portfolio = Portfolio::new()
                            .limits(limits)
                            .strategy("first", || by(first), |$search| $ask)
                            .strategy("second", || by(second), |$search| $ask)
                            .strategy("again", search, |$search| $ask);
                        $claims(portfolio.run().outcome())
                    }};
                }
                match QUESTIONS[question] {
                    "count" => raced!(Claims::of_count, |search| search.count()),
                    "exists" => raced!(Claims::of_found, |search| search.exists()),
                    "first" => raced!(Claims::of_found, |search| search.first()),
                    _ => raced!(|outcome| Claims::of_best(truth, outcome), |search| search
                        .best(&objective)),
                }
            }
            "portfolio" => ask!(search().limits(limits), question, truth, &objective),
            "instalments" => {
                let mut frontier = Frontier::new();
                for _ in 0..rng.usize(0..4) {
                    ask_before(&mut frontier, rng)?;
                    if rng.bool() {
                        frontier = written_and_read(frontier);
                    }
                }
                let search = search().limits(limits);
                let width = rng.usize(1..5);
                let way = rng.u8(..6);
                match way {
                    0 | 1 => {
                        let search = search.diagrams(&objective, width);
                        let search = search.cut_width(rng.usize(0..5)).frontier(&mut frontier);
                        match way {
                            0 => ask!(search, question, truth, &objective),
                            _ => ask!(search.threads(2), question, truth, &objective),
                        }
                    }
                    2 | 3 => {
                        let search = search.frontier(&mut frontier).threads(2);
                        ask!(search, question, truth, &objective)
                    }
                    _ => ask!(search.frontier(&mut frontier), question, truth, &objective),
                }
            }
            parts => {
                let mut frontier = Frontier::new();
                if rng.bool() {
                    ask_before(&mut frontier, rng)?;
                }
                let again = parts != "parts";
                let mut open = Vec::new();
                let pieces = rng.usize(2..5);
                let first = if rng.bool() {
                    frontier.split(pieces)
                } else {
                    search().split(frontier, pieces)
                };
                for part in first {
                    match again && rng.bool() {
                        true => {
                            open.extend(search().split(written_and_read(part), rng.usize(1..4)))
                        }
                        false => open.push(part),
                    }
                }
                let mut whole = search_and_merge(open, rng)?;
                if rng.f64() < 0.3 {
                    let parts = search().split(whole, rng.usize(2..4));
                    whole = search_and_merge(parts, rng)?;
                }
                if again && rng.bool() {
                    whole = written_and_read(whole);
                }
                ask!(search().frontier(&mut whole), question, truth, &objective)
            }
        })
    };
    let kinds: Vec<&'static str> = kinds.iter().map(|&kind| KINDS[kind]).collect();
    let describe = |error| {
        format!(
            "seed {seed}: {} {}, {}, {kinds:?}: {error}\n{tree:?}",
            STRATEGIES[strategy], QUESTIONS[question], ORDERS[order]
        )
    };
    let claims = claim().map_err(describe)?;
    claims.check(truth).map_err(describe)?;
    let alone = kinds.is_empty().then_some(NO_HOOK);
    let places = [ORDERS[order], STRATEGIES[strategy]];
    let rows = kinds.into_iter().chain(alone).chain(places).collect();
    Ok(Some(Trial { rows, question: QUESTIONS[question], proves: claims.proves_anything() }))
}

/// Tries the seeds and returns the coverage table.
fn try_seeds(seeds: impl Iterator<Item = u64>) -> String {
    let rows: Vec<&str> =
        KINDS.into_iter().chain([NO_HOOK]).chain(ORDERS).chain(STRATEGIES).collect();
    let can_meet = |one: &str, other: &str| {
        let others = KINDS.into_iter().chain(ORDERS).chain(STRATEGIES);
        KINDS.contains(&one) && others.into_iter().any(|known| known == other)
    };
    coverage(seeds, trial, &rows, QUESTIONS, can_meet)
}

#[test]
fn no_combination_claims_more_than_the_truth() {
    println!("{}", try_seeds(seeds::from_zero(5_000)));
}

/// The claims that some of the trees of a case prove, and the reasons why others prove nothing.
#[derive(Default)]
struct Proofs {
    proven: BTreeSet<&'static str>,
    reasons: BTreeSet<String>,
}

impl Proofs {
    /// Checks the claims of a run.
    fn add(&mut self, claims: Claims, truth: &Tree, case: &str) {
        claims.check(truth).unwrap_or_else(|error| panic!("{case}: {error}"));
        let proven = [
            (claims.count.is_some(), "count"),
            (claims.representatives.is_some(), "representatives"),
            (claims.some, "existence"),
            (claims.none || claims.best == Some(None), "absence"),
            (claims.best.flatten().is_some(), "best"),
            (claims.none_better.is_some(), "none better"),
        ];
        self.proven.extend(proven.into_iter().filter(|of| of.0).map(|of| of.1));
        self.reasons.extend(claims.effect.into_iter().flat_map(|(_, reasons)| reasons));
    }

    /// Returns a line of what is proven, and one for each reason.
    fn lines(&self, case: &str) -> String {
        let proven = self.proven.iter().copied().collect::<Vec<_>>().join(", ");
        let reasons = self.reasons.iter().map(|reason| format!("\n    {reason}"));
        format!(
            "{case}: {}{}\n",
            if proven.is_empty() { "nothing" } else { &proven },
            reasons.collect::<String>()
        )
    }
}

/// Returns a random tree for hooks of these kinds.
fn random_tree(kinds: &[usize], rng: &mut Rng) -> Tree {
    let mut tree = Tree::random(rng);
    if kinds.iter().any(|&kind| KINDS[kind] == "constraint of states") {
        // It reads more of a state than dominance retains.
        tree.dominated.clear();
    }
    tree
}

/// The questions of a case, as places in [`QUESTIONS`].
const ASKED: [usize; 3] = [0, 1, 5];

const EXECUTORS: [&str; 5] =
    ["depth-first", "breadth-first", "best-first", "two threads", "two parts"];

/// Searches trees with hooks of these kinds, in either order, and with a brancher.
fn proofs_of(kinds: &[usize], order: usize, executor: &str) -> String {
    let mut proofs = Proofs::default();
    let names: Vec<&str> = kinds.iter().map(|&kind| KINDS[kind]).collect();
    let case = match kinds.is_empty() {
        true => format!("{}, {executor}", ORDERS[order]),
        false => format!("{}, {executor}", names.join(" + ")),
    };
    for seed in 0..TREES_PER_CASE[usize::from(names.contains(&"failed"))] {
        let rng = &mut Rng::with_seed(seed);
        let mut tree = random_tree(kinds, rng);
        tree.is_reordered = order >= ORDERS.len() - REORDERED;
        let objective = Objective::maximise(Tree::value as Value);
        let other = Objective::<Tree, i64, Value>::maximise(|_, at| -(at.node as i64));
        other.incumbent().offer(rng.i64(-3..4));
        let mut kinds = kinds.to_vec();
        if seed % 2 == 1 {
            kinds.reverse();
        }
        let (hooks, truth) = hooks(&kinds, &tree, rng, (&objective, other.incumbent()));
        let brancher = Order::<1>::of(order, &tree, rng, &objective, &other);
        for question in ASKED {
            let search = || Search::new(&tree).brancher(brancher.clone()).hooks(hooks.clone());
            let claims = match executor {
                "breadth-first" => ask!(search().breadth_first(), question, &truth, &objective),
                "best-first" => {
                    let search = search().best_first(&objective, Tree::bound);
                    ask!(search, question, &truth, &objective)
                }
                "two threads" => ask!(search().threads(2), question, &truth, &objective),
                "two parts" => {
                    let mut whole = in_parts(search().split(Frontier::new(), 2), |part| {
                        let _ = ask!(search().frontier(part), question, &truth, &objective);
                    });
                    ask!(search().frontier(&mut whole), question, &truth, &objective)
                }
                _ => ask!(search(), question, &truth, &objective),
            };
            proofs.add(claims, &truth, &format!("{case}, seed {seed}"));
        }
    }
    proofs.lines(&case)
}

/// `UPDATE_EXPECT=1` writes the file anew.
#[test]
fn each_pair_of_hooks_and_each_executor_prove_what_is_listed() {
    let pairs = (0..KINDS.len()).flat_map(|one| (one..KINDS.len()).map(move |other| [one, other]));
    let pairs = pairs.map(|kinds| proofs_of(&kinds, 0, EXECUTORS[0]));
    let alone = EXECUTORS.iter().flat_map(|executor| {
        let orders = (0..ORDERS.len()).map(move |order| proofs_of(&[], order, executor));
        (0..KINDS.len()).map(move |kind| proofs_of(&[kind], 0, executor)).chain(orders)
    });
    expect_file!["pairs.txt"].assert_eq(&pairs.chain(alone).collect::<String>());
}

/// The differences between an earlier run on a frontier and the run that continues it.
const EARLIER: [&str; 11] = [
    "the same",
    "a count",
    "a search for one solution",
    "another objective",
    "the other direction",
    "no hooks",
    "other parameters",
    "another order",
    "an incumbent of its own",
    "an offered value",
    "a value offered to both",
];

/// Searches a few nodes of trees in one way, and the rest with a hook of a kind.
fn proofs_after(earlier: &str, kind: Option<usize>) -> String {
    let mut proofs = Proofs::default();
    let case = format!("{}, after {earlier}", kind.map_or(NO_HOOK, |kind| KINDS[kind]));
    let seeds = 0..TREES_PER_CASE[0];
    for (seed, question) in seeds.flat_map(|seed| ASKED.map(|asked| (seed, asked))) {
        let rng = &mut Rng::with_seed(seed);
        let kinds: Vec<usize> = kind.into_iter().collect();
        let mut tree = random_tree(&kinds, rng);
        tree.is_reordered = earlier == "another order";
        let objective = || Objective::maximise(Tree::value as Value).named("value");
        let (objective, alone) = (objective(), objective());
        let opposite = Objective::minimise(Tree::value as Value).named("value");
        let by_node: Value = |_, at| -(at.node as i64);
        let other = Objective::maximise(by_node).named("node");
        if earlier.contains("offered") {
            alone.incumbent().offer(2);
        }
        if earlier.contains("both") {
            objective.incumbent().offer(2);
        }
        let hooks_for = |objective: &Objective<Tree, i64, Value>, seed| {
            let rng = &mut Rng::with_seed(seed);
            hooks(&kinds, &tree, rng, (objective, other.incumbent()))
        };
        let (hooks, truth) = hooks_for(&objective, seed);
        let (earlier_hooks, earlier_objective) = match earlier {
            "no hooks" => (Vec::new(), &objective),
            "other parameters" => (hooks_for(&objective, !seed).0, &objective),
            "another objective" => (hooks.clone(), &other),
            "the other direction" => (hooks.clone(), &opposite),
            "an incumbent of its own" | "an offered value" | "a value offered to both" => {
                (hooks_for(&alone, seed).0, &alone)
            }
            _ => (hooks.clone(), &objective),
        };
        let search = |hooks, order| Search::new(&tree).hooks(hooks).brancher(order);
        let order = (earlier == "another order").then(|| Shuffled::new(seed));
        let mut frontier = Frontier::new();
        let begun = search(earlier_hooks, order).limits(Limits::new().nodes(rng.u64(1..8)));
        let begun = begun.frontier(&mut frontier);
        match earlier {
            "a count" => drop(begun.count()),
            "a search for one solution" => drop(begun.first()),
            _ => drop(begun.best(earlier_objective)),
        }
        if rng.bool() {
            frontier = written_and_read(frontier);
        }
        let search = search(hooks, None).frontier(&mut frontier);
        let claims = match rng.bool() {
            true => ask!(search.threads(2), question, &truth, &objective),
            false => ask!(search, question, &truth, &objective),
        };
        proofs.add(claims, &truth, &format!("{case}, seed {seed}"));
    }
    proofs.lines(&case)
}

/// `UPDATE_EXPECT=1` writes the file anew.
#[test]
fn a_run_that_continues_another_one_proves_what_is_listed() {
    let kinds = [
        "known",
        "elsewhere",
        "earlier in depth-first order",
        "first of each orbit",
        "visited before",
        "constraint of states",
        "reads another incumbent",
    ];
    let place = |name: &str| KINDS.iter().position(|&kind| kind == name);
    let kinds = [None].into_iter().chain(kinds.map(place));
    let cases = kinds.flat_map(|kind| EARLIER.map(|earlier| proofs_after(earlier, kind)));
    expect_file!["instalments.txt"].assert_eq(&cases.collect::<String>());
}

/// Returns a bound that infers choices: it moves on to the only child below which something beats
/// the incumbent, from a node that does not beat it itself.
fn inferring(mut known: Incumbent<i64>) -> impl Hook<Tree> {
    let id = known.id();
    let infer = move |node: &mut NodeMut<'_, Tree>| {
        let tree = node.problem();
        loop {
            let at = node.state().node;
            if tree.values[at].is_some_and(|value| known.is_beaten_by(&value)) {
                return Verdict::Keep;
            }
            let children = tree.children[at].iter();
            let wanted = children.filter(|&&child| known.is_beaten_by(&tree.bounds[child]));
            let &[child] = &wanted.collect::<Vec<_>>()[..] else { return Verdict::Keep };
            node.state_mut().node = *child;
        }
    };
    let infer = hook::enter("inferring", Effect::OptimumOnly, infer).memory(HookMemory::Path);
    Claiming::new(infer.parameters(&())).incumbent(id)
}

#[test]
fn runs_that_infer_choices_and_know_different_values_claim_no_more_than_the_truth() {
    let mut proven = [0; 2];
    for seed in 0..3_000 {
        let rng = &mut Rng::with_seed(seed);
        let tree = Tree::random(rng);
        let mut frontier = Frontier::new();
        let runs = rng.usize(2..5);
        for run in 0..runs {
            let objective = Objective::maximise(Tree::value as Value).named("value");
            if rng.u8(..3) == 0 {
                objective.incumbent().offer(rng.i64(0..4));
            }
            let nodes = if run + 1 == runs { u64::MAX } else { rng.u64(1..6) };
            let search = Search::new(&tree)
                .hook(inferring(objective.incumbent().clone().declared()))
                .limits(Limits::new().nodes(nodes));
            let outcome = match rng.u8(..3) {
                0 => {
                    let search = search.diagrams(&objective, rng.usize(1..4));
                    search.frontier(&mut frontier).best(&objective)
                }
                _ => search.frontier(&mut frontier).best(&objective),
            };
            let best = tree.best(0, 0);
            let is_right = |value: &i64| best.is_none_or(|best| *value >= best);
            assert!(outcome.none_better().is_none_or(is_right), "seed {seed}");
            assert!(outcome.proven().is_none_or(|value| Some(*value) == best), "seed {seed}");
            assert!(!outcome.is_proven_infeasible() || best.is_none(), "seed {seed}");
            proven[usize::from(outcome.none_better().is_some())] += 1;
            if rng.bool() {
                frontier = written_and_read(frontier);
            }
        }
    }
    assert!(proven[0] > 100 && proven[1] > 100, "{proven:?}");
}

/// `MINUTES=30` makes it run for 30 minutes.
#[test]
#[ignore = "minutes: cargo test --release --test search -- --ignored --nocapture no_combination"]
fn no_combination_of_many_claims_more_than_the_truth() {
    println!("{}", try_seeds(seeds::from_zero(200_000)));
}

//! Chen's stratified probes: level by level, with one node per stratum.
//!
//! For each stratum of a level, a probe keeps one *representative* of all nodes of the stratum that
//! it has reached, with the sum of their weights. A further node replaces the representative with
//! probability (its weight) / (sum of weights), so that each node is kept with a probability
//! proportional to its weight. The children of all representatives make up the next level, each
//! with its parent's weight.
//!
//! States are not copied. A representative is a node of an arena, and the hooks move from one to
//! the next by replay, as in breadth-first search.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::drawing::ProbeMeter;
use super::moments::{MAX_PROBE, ProbeProfile, Sums};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::outcome::Tally;
use crate::problem::{Branch, Problem};
use crate::search::strategies::navigator::Navigator;
use crate::search::strategies::node_arena::{NodeArena, ROOT};
use crate::search::tree::{Ending, SearchTree};

/// Computes the stratum of a node with children among the nodes of its depth.
pub(super) trait Stratify<P: Problem, B: Brancher<P>, H: Hooks<P>> {
    type Stratum: Ord;

    fn stratum(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        probe_meter: &mut ProbeMeter,
        node: &Node<'_, P>,
        cursor: B::Cursor,
    ) -> Result<Self::Stratum, Stop>;
}

/// Stratifies by the number of admitted children.
pub(super) struct ByChildren;

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Stratify<P, B, H> for ByChildren {
    type Stratum = u64;

    fn stratum(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        probe_meter: &mut ProbeMeter,
        node: &Node<'_, P>,
        mut cursor: B::Cursor,
    ) -> Result<u64, Stop> {
        let mut children = 0;
        while let Some(choice) = tree.brancher.next(node, &mut cursor) {
            match tree.hooks.admit_near_root(node, &choice) {
                None => children += 1,
                Some(cut) if cut.siblings => break,
                Some(_) => {}
            }
            probe_meter.count_step(&mut tree.meter, node.depth())?;
        }
        Ok(children)
    }
}

/// Stratifies by the value of a closure.
pub(super) struct ByClosure<F>(pub(super) F);

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, K: Ord, F: FnMut(&Node<'_, P>) -> K> Stratify<P, B, H>
    for ByClosure<F>
{
    type Stratum = K;

    fn stratum(
        &mut self,
        _: &mut SearchTree<'_, P, B, H>,
        _: &mut ProbeMeter,
        node: &Node<'_, P>,
        _: B::Cursor,
    ) -> Result<K, Stop> {
        Ok((self.0)(node))
    }
}

/// A node that will be expanded, and the number of nodes for which it stands.
pub(super) struct Representative {
    pub(super) id: usize,
    pub(super) weight: f64,
}

/// A node that may become a representative.
pub(super) struct Candidate<K> {
    pub(super) stratum: K,
    /// The id of its parent, and the index of the parent among the representatives of its level.
    pub(super) parent: (usize, usize),
    pub(super) weight: f64,
}

/// Chooses the representatives of each level among the nodes that a probe has reached.
pub(super) trait Select<K> {
    /// Adds a candidate of the next level, which `choice` leads to.
    fn offer<C>(
        &mut self,
        candidate: Candidate<K>,
        choice: C,
        arena: &mut NodeArena<C>,
        random: &mut fastrand::Rng,
    );

    /// Returns the representatives of the next level, and makes it the current one. They are in the
    /// order of the tree, so that neighbours have long common paths, and replays are short. The
    /// weight of the children of each representative of the current level is given.
    fn next_level(&mut self, children: &[f64], random: &mut fastrand::Rng) -> Vec<Representative>;
}

/// Chooses one representative per stratum (Chen 1992).
pub(super) struct OnePerStratum<K>(BTreeMap<K, Representative>);

impl<K> Default for OnePerStratum<K> {
    fn default() -> Self {
        OnePerStratum(BTreeMap::new())
    }
}

impl<K: Ord> Select<K> for OnePerStratum<K> {
    /// The node becomes the representative with a probability proportional to its weight.
    fn offer<C>(
        &mut self,
        candidate: Candidate<K>,
        choice: C,
        arena: &mut NodeArena<C>,
        random: &mut fastrand::Rng,
    ) {
        let Candidate { stratum, parent: (parent, _), weight } = candidate;
        match self.0.entry(stratum) {
            Entry::Vacant(vacant) => {
                let id = arena.push(parent, choice);
                vacant.insert(Representative { id, weight });
            }
            Entry::Occupied(occupied) => {
                let kept = occupied.into_mut();
                kept.weight += weight;
                if random.f64() * kept.weight < weight {
                    kept.id = arena.push(parent, choice);
                }
            }
        }
    }

    fn next_level(&mut self, _: &[f64], _: &mut fastrand::Rng) -> Vec<Representative> {
        let mut level: Vec<_> = std::mem::take(&mut self.0).into_values().collect();
        level.sort_unstable_by_key(|representative| representative.id);
        level
    }
}

/// Makes stratified probes of a tree.
pub(super) struct Sampler<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S, L> {
    tree: &'t mut SearchTree<'p, P, B, H>,
    stratify: S,
    pub(super) select: L,
    random: fastrand::Rng,
    navigator: Navigator<P>,
    arena: NodeArena<P::Choice>,
    profile: ProbeProfile,
    pub(super) probe_meter: ProbeMeter,
    tally: Tally,
}

impl<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S: Stratify<P, B, H>, L: Select<S::Stratum>>
    Sampler<'t, 'p, P, B, H, S, L>
{
    pub(super) fn new(
        tree: &'t mut SearchTree<'p, P, B, H>,
        stratify: S,
        select: L,
        seed: u64,
    ) -> Self {
        let navigator = Navigator::new(tree.problem);
        Sampler {
            tree,
            stratify,
            select,
            random: fastrand::Rng::with_seed(seed),
            navigator,
            arena: NodeArena::new(),
            profile: ProbeProfile::default(),
            probe_meter: ProbeMeter::new(),
            tally: Tally::NEW,
        }
    }

    /// Makes probes until the requested number is reached or a limit stops the run. An unfinished
    /// probe does not count.
    pub(super) fn run(&mut self, probes: u64, sums: &mut Sums) -> Stop {
        if probes == 0 {
            return Stop::Satisfied;
        }
        self.visit(|sampler| {
            while sums.probes < probes {
                sampler.probe(sums)?;
            }
            Ok(())
        })
    }

    /// Enters the root, makes probes, and leaves all nodes.
    pub(super) fn visit(&mut self, run: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Stop {
        if let Err(stop) = self.probe_meter.take_fuel(&mut self.tree.meter, 0) {
            return stop;
        }
        let stop = run(self).err();
        self.navigator.leave_all(self.tree, &self.arena, &self.tally);
        stop.unwrap_or(if self.tree.truncated { Stop::DepthLimit } else { Stop::Satisfied })
    }

    /// Makes one probe.
    pub(super) fn probe(&mut self, sums: &mut Sums) -> Result<(), Stop> {
        self.profile.begin();
        self.tally = Tally::NEW;
        self.navigator.move_to(self.tree, &self.arena, &self.tally, ROOT, 0);
        self.arena.clear();
        if !self.navigator.is_pruned_at_root() {
            self.descend()?;
        }
        sums.add(&self.profile).map_err(|_| Stop::CountOverflow)?;
        self.probe_meter.count_step(&mut self.tree.meter, 0)
    }

    /// Expands the representatives of each level.
    fn descend(&mut self) -> Result<(), Stop> {
        let mut level = vec![Representative { id: ROOT, weight: 1.0 }];
        let mut children = Vec::new();
        let mut depth = 0;
        while !level.is_empty() {
            let mut solutions = 0.0;
            children.clear();
            for (index, representative) in level.iter().enumerate() {
                let before = self.profile.nodes.get(depth + 1).copied().unwrap_or(0.0);
                solutions += self.expand(representative, index, depth)?;
                let after = self.profile.nodes.get(depth + 1).copied().unwrap_or(0.0);
                children.push(after - before);
            }
            depth += 1;
            if solutions > 0.0 {
                self.profile.solutions.push((depth, solutions));
            }
            level = self.select.next_level(&children, &mut self.random);
        }
        Ok(())
    }

    /// Offers the children of a representative as candidates of the next level, and returns the
    /// weight of the solutions among them.
    fn expand(&mut self, parent: &Representative, index: usize, depth: usize) -> Result<f64, Stop> {
        self.navigator.move_to(self.tree, &self.arena, &self.tally, parent.id, depth);
        let problem = self.tree.problem;
        let branch = {
            let steps = self.arena.path(parent.id, depth);
            let path = Path::new(&steps, depth, None);
            self.tree.brancher.branch(&Node::new(
                problem,
                self.navigator.state(),
                path,
                &self.tally,
            ))
        };
        if depth == 0 && branch.is_solution() {
            self.profile.solutions.push((0, 1.0));
        }
        let (Branch::Inner(mut cursor) | Branch::SolutionInner(mut cursor)) = branch else {
            return Ok(0.0);
        };
        let mut solutions = 0.0;
        loop {
            let steps = self.arena.path(parent.id, depth);
            let path = Path::new(&steps, depth, None);
            let node = Node::new(problem, self.navigator.state(), path, &self.tally);
            let Some(choice) = self.tree.brancher.next(&node, &mut cursor) else {
                return Ok(solutions);
            };
            if let Some(cut) = self.tree.hooks.admit_near_root(&node, &choice) {
                if cut.siblings {
                    return Ok(solutions);
                }
                self.probe_meter.count_step(&mut self.tree.meter, depth)?;
                continue;
            }
            if depth >= self.tree.meter.depth_limit() {
                self.tree.truncated = true;
                return Ok(solutions);
            }
            self.count(depth + 1, parent.weight)?;
            let (solution, stratum) = self.enter_child(parent, depth, &choice)?;
            if solution {
                solutions += parent.weight;
            }
            if let Some(stratum) = stratum {
                let parent_at = (parent.id, index);
                let candidate = Candidate { stratum, parent: parent_at, weight: parent.weight };
                self.select.offer(candidate, choice, &mut self.arena, &mut self.random);
            }
        }
    }

    /// Counts a node of the given weight.
    fn count(&mut self, depth: usize, weight: f64) -> Result<(), Stop> {
        self.probe_meter.take_fuel(&mut self.tree.meter, depth)?;
        if self.profile.nodes.len() <= depth {
            self.profile.nodes.push(0.0);
        }
        let nodes = &mut self.profile.nodes[depth];
        *nodes += weight;
        if *nodes > MAX_PROBE { Err(Stop::CountOverflow) } else { Ok(()) }
    }

    /// Enters a child and leaves it. Returns whether it is a solution, and its stratum if it may
    /// have children.
    fn enter_child(
        &mut self,
        parent: &Representative,
        depth: usize,
        choice: &P::Choice,
    ) -> Result<(bool, Option<S::Stratum>), Stop> {
        let Self { tree, navigator, arena, tally, stratify, probe_meter, .. } = self;
        let problem = tree.problem;
        let steps = arena.path(parent.id, depth);
        let path = Path::new(&steps, depth, Some(choice));
        let state = navigator.state_mut();
        let undo = problem.apply(state, choice);
        let mut found = Ok((false, None));
        if let Ok(branch) = tree.enter(problem, state, path, tally) {
            let node = Node::new(problem, state, path, tally);
            let solution = branch.is_solution();
            found = match branch {
                Branch::Inner(cursor) | Branch::SolutionInner(cursor) => stratify
                    .stratum(tree, probe_meter, &node, cursor)
                    .map(|stratum| (solution, Some(stratum))),
                Branch::DeadEnd | Branch::Solution => Ok((solution, None)),
            };
            tree.leave(&node, Ending::Unfinished(&[]));
        }
        problem.undo(state, choice, undo);
        found
    }
}

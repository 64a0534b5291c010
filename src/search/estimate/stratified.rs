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

/// The representative of the nodes of a stratum, and the sum of their weights.
struct Representative {
    id: usize,
    weight: f64,
}

/// The strata of a level.
type Strata<K> = BTreeMap<K, Representative>;

/// Makes Chen's probes of a tree.
pub(super) struct Sampler<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S> {
    tree: &'t mut SearchTree<'p, P, B, H>,
    stratify: S,
    random: fastrand::Rng,
    navigator: Navigator<P>,
    arena: NodeArena<P::Choice>,
    profile: ProbeProfile,
    pub(super) probe_meter: ProbeMeter,
    tally: Tally,
}

impl<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S: Stratify<P, B, H>>
    Sampler<'t, 'p, P, B, H, S>
{
    pub(super) fn new(tree: &'t mut SearchTree<'p, P, B, H>, stratify: S, seed: u64) -> Self {
        let navigator = Navigator::new(tree.problem);
        Sampler {
            tree,
            stratify,
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
        if let Err(stop) = self.probe_meter.take_fuel(&mut self.tree.meter, 0) {
            return stop;
        }
        let stop = self.probes(probes, sums).err();
        self.navigator.leave_all(self.tree, &self.arena, &self.tally);
        stop.unwrap_or(if self.tree.truncated { Stop::DepthLimit } else { Stop::Satisfied })
    }

    /// Makes probes until the requested number is reached.
    fn probes(&mut self, probes: u64, sums: &mut Sums) -> Result<(), Stop> {
        while sums.probes < probes {
            self.profile.begin();
            self.tally = Tally::NEW;
            self.navigator.move_to(self.tree, &self.arena, &self.tally, ROOT, 0);
            self.arena.clear();
            if !self.navigator.is_pruned_at_root() {
                self.probe()?;
            }
            sums.add(&self.profile).map_err(|_| Stop::CountOverflow)?;
            self.probe_meter.count_step(&mut self.tree.meter, 0)?;
        }
        Ok(())
    }

    /// Makes one probe.
    fn probe(&mut self) -> Result<(), Stop> {
        let mut level = vec![Representative { id: ROOT, weight: 1.0 }];
        let mut depth = 0;
        while !level.is_empty() {
            let mut next = Strata::new();
            let mut solutions = 0.0;
            for representative in level {
                solutions += self.expand(&representative, depth, &mut next)?;
            }
            depth += 1;
            if solutions > 0.0 {
                self.profile.solutions.push((depth, solutions));
            }
            level = next.into_values().collect();
        }
        Ok(())
    }

    /// Puts the children of a representative into their strata, and returns the weight of the
    /// solutions among them.
    fn expand(
        &mut self,
        parent: &Representative,
        depth: usize,
        next: &mut Strata<S::Stratum>,
    ) -> Result<f64, Stop> {
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
                self.add_to_stratum(next, stratum, parent, choice);
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

    /// Puts a node into its stratum. It becomes the representative with a probability proportional
    /// to its weight.
    fn add_to_stratum(
        &mut self,
        strata: &mut Strata<S::Stratum>,
        stratum: S::Stratum,
        parent: &Representative,
        choice: P::Choice,
    ) {
        match strata.entry(stratum) {
            Entry::Vacant(vacant) => {
                let id = self.arena.push(parent.id, choice);
                vacant.insert(Representative { id, weight: parent.weight });
            }
            Entry::Occupied(occupied) => {
                let kept = occupied.into_mut();
                kept.weight += parent.weight;
                if self.random.f64() * kept.weight < parent.weight {
                    kept.id = self.arena.push(parent.id, choice);
                }
            }
        }
    }
}

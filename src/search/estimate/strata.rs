//! Chen's stratified probes: level by level, with one node for each stratum.
//!
//! A probe keeps, for each stratum of a level, one *representative* of all the nodes of the stratum
//! that it has come to, with the sum of their weights. When one more comes along, it takes the
//! place of the representative with a probability of its own weight by that sum, so that each was
//! as likely to be kept as its weight says. The children of all representatives make the next
//! level, each with its parent's weight.
//!
//! States are not copied: a representative is a record of the choices that lead to it, and the
//! hooks are led from one to the next by replay, as in breadth-first search.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::moments::{ContourProblem, LARGEST, Sums};
use super::pace::Pace;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path};
use crate::limits::Stop;
use crate::outcome::Tally;
use crate::problem::{Branch, Problem};
use crate::search::guide::Guide;
use crate::search::records::{ROOT, Records};
use crate::search::tree::{Ending, SearchTree};

/// Tells the stratum of a node with children among the nodes of its depth.
pub(super) trait Stratify<P: Problem, B: Brancher<P>, H: Hooks<P>> {
    type Stratum: Ord;

    fn stratum(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        pace: &mut Pace,
        node: &Node<'_, P>,
        cursor: B::Cursor,
    ) -> Result<Self::Stratum, Stop>;
}

/// By the number of children that are admitted.
pub(super) struct ByChildren;

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Stratify<P, B, H> for ByChildren {
    type Stratum = u64;

    fn stratum(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        pace: &mut Pace,
        node: &Node<'_, P>,
        mut cursor: B::Cursor,
    ) -> Result<u64, Stop> {
        let mut children = 0;
        while let Some(choice) = tree.brancher.next(node, &mut cursor) {
            children += u64::from(tree.hooks.admit(node, &choice).is_none());
            pace.tick(&mut tree.meter, node.depth())?;
        }
        Ok(children)
    }
}

/// As a closure says.
pub(super) struct By<F>(pub(super) F);

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, K: Ord, F: FnMut(&Node<'_, P>) -> K> Stratify<P, B, H>
    for By<F>
{
    type Stratum = K;

    fn stratum(
        &mut self,
        _: &mut SearchTree<'_, P, B, H>,
        _: &mut Pace,
        node: &Node<'_, P>,
        _: B::Cursor,
    ) -> Result<K, Stop> {
        Ok((self.0)(node))
    }
}

/// One node for all of its stratum that the probe has come to, and the sum of their weights.
struct Representative {
    record: usize,
    weight: f64,
}

/// The strata of a level.
type Strata<K> = BTreeMap<K, Representative>;

pub(super) struct Sampler<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S> {
    tree: &'t mut SearchTree<'p, P, B, H>,
    stratify: S,
    random: fastrand::Rng,
    guide: Guide<P>,
    records: Records<P::Choice>,
    profile: ContourProblem,
    pub(super) pace: Pace,
    tally: Tally,
}

impl<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>, S: Stratify<P, B, H>>
    Sampler<'t, 'p, P, B, H, S>
{
    pub(super) fn new(tree: &'t mut SearchTree<'p, P, B, H>, stratify: S, seed: u64) -> Self {
        let guide = Guide::new(tree.problem);
        Sampler {
            tree,
            stratify,
            random: fastrand::Rng::with_seed(seed),
            guide,
            records: Records::new(),
            profile: ContourProblem::default(),
            pace: Pace::new(),
            tally: Tally::NEW,
        }
    }

    /// Makes probes until there are as many as asked for, or a limit is reached: an unfinished
    /// probe does not count.
    pub(super) fn run(&mut self, probes: u64, sums: &mut Sums) -> Stop {
        if probes == 0 {
            return Stop::Satisfied;
        }
        if let Err(stop) = self.pace.burn(&mut self.tree.meter, 0) {
            return stop;
        }
        let stop = self.probes(probes, sums).err();
        self.guide.finish(self.tree, &self.records, &self.tally);
        stop.unwrap_or(if self.tree.truncated { Stop::DepthLimit } else { Stop::Satisfied })
    }

    fn probes(&mut self, probes: u64, sums: &mut Sums) -> Result<(), Stop> {
        while sums.probes < probes {
            self.profile.begin();
            self.tally = Tally::NEW;
            self.guide.move_to(self.tree, &self.records, &self.tally, ROOT, 0);
            self.records.clear();
            if !self.guide.is_cut_at_root() {
                self.probe()?;
            }
            sums.add(&self.profile).map_err(|_| Stop::CountOverflow)?;
            self.pace.tick(&mut self.tree.meter, 0)?;
        }
        Ok(())
    }

    /// One way down, with one node of each stratum.
    fn probe(&mut self) -> Result<(), Stop> {
        let mut level = vec![Representative { record: ROOT, weight: 1.0 }];
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

    /// Puts the children of a representative into their strata; the solutions among them.
    fn expand(
        &mut self,
        parent: &Representative,
        depth: usize,
        next: &mut Strata<S::Stratum>,
    ) -> Result<f64, Stop> {
        self.guide.move_to(self.tree, &self.records, &self.tally, parent.record, depth);
        let problem = self.tree.problem;
        let branch = {
            let chain = self.records.chain(parent.record, depth);
            let path = Path::new(&chain, depth, None);
            self.tree.brancher.branch(&Node::new(problem, self.guide.state(), path, &self.tally))
        };
        if depth == 0 && branch.is_solution() {
            self.profile.solutions.push((0, 1.0));
        }
        let (Branch::Inner(mut cursor) | Branch::SolutionInner(mut cursor)) = branch else {
            return Ok(0.0);
        };
        let mut solutions = 0.0;
        loop {
            let chain = self.records.chain(parent.record, depth);
            let path = Path::new(&chain, depth, None);
            let node = Node::new(problem, self.guide.state(), path, &self.tally);
            let Some(choice) = self.tree.brancher.next(&node, &mut cursor) else {
                return Ok(solutions);
            };
            if self.tree.hooks.admit(&node, &choice).is_some() {
                self.pace.tick(&mut self.tree.meter, depth)?;
                continue;
            }
            if depth >= self.tree.meter.depth_limit() {
                self.tree.truncated = true;
                return Ok(solutions);
            }
            self.count(depth + 1, parent.weight)?;
            let (solution, stratum) = self.try_child(parent, depth, &choice)?;
            if solution {
                solutions += parent.weight;
            }
            if let Some(stratum) = stratum {
                self.put(next, stratum, parent, choice);
            }
        }
    }

    /// Counts a node of the given weight.
    fn count(&mut self, depth: usize, weight: f64) -> Result<(), Stop> {
        self.pace.burn(&mut self.tree.meter, depth)?;
        if self.profile.nodes.len() <= depth {
            self.profile.nodes.push(0.0);
        }
        let nodes = &mut self.profile.nodes[depth];
        *nodes += weight;
        if *nodes > LARGEST { Err(Stop::CountOverflow) } else { Ok(()) }
    }

    /// Enters a child and leaves it: whether it is a solution, and its stratum if it may have
    /// children.
    fn try_child(
        &mut self,
        parent: &Representative,
        depth: usize,
        choice: &P::Choice,
    ) -> Result<(bool, Option<S::Stratum>), Stop> {
        let Self { tree, guide, records, tally, stratify, pace, .. } = self;
        let problem = tree.problem;
        let chain = records.chain(parent.record, depth);
        let path = Path::new(&chain, depth, Some(choice));
        let state = guide.state_mut();
        let undo = problem.apply(state, choice);
        let mut found = Ok((false, None));
        if let Ok(branch) = tree.enter(problem, state, path, tally) {
            let node = Node::new(problem, state, path, tally);
            let solution = branch.is_solution();
            found = match branch {
                Branch::Inner(cursor) | Branch::SolutionInner(cursor) => stratify
                    .stratum(tree, pace, &node, cursor)
                    .map(|stratum| (solution, Some(stratum))),
                Branch::DeadEnd | Branch::Solution => Ok((solution, None)),
            };
            tree.leave(&node, Ending::Unfinished(&[]));
        }
        problem.undo(state, choice, undo);
        found
    }

    /// Puts a node into its stratum, and has it represent the stratum as often as its weight says.
    fn put(
        &mut self,
        strata: &mut Strata<S::Stratum>,
        stratum: S::Stratum,
        parent: &Representative,
        choice: P::Choice,
    ) {
        match strata.entry(stratum) {
            Entry::Vacant(vacant) => {
                let record = self.records.push(parent.record, choice);
                vacant.insert(Representative { record, weight: parent.weight });
            }
            Entry::Occupied(occupied) => {
                let kept = occupied.into_mut();
                kept.weight += parent.weight;
                if self.random.f64() * kept.weight < parent.weight {
                    kept.record = self.records.push(parent.record, choice);
                }
            }
        }
    }
}

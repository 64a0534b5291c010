//! Knuth's random probes: random descents from the root, in batches.
//!
//! A probe should cost little more than the nodes on its path, and preferably less. Probes are
//! therefore made in *batches* that descend together. At a node, each probe of the batch picks one
//! of the children, and all probes that have picked the same child enter it together and continue.
//! A node near the root is entered once per batch, whatever the number of probes through it;
//! further down the probes separate, and each continues alone. Each probe picks independently, so
//! that its result has the same distribution as that of a single probe. Only the order of probes
//! within a batch differs: probes through the same child end one after another. The
//! [groups](super::moments::GROUPS) of probes are therefore assigned at random.
//!
//! The state of a probe that continues alone is a local variable, for the same reason as in the
//! [kernel](crate::search::depth_first). The children of a node go into one buffer, from which one
//! is moved out. Nothing is allocated once the buffers have grown.

use super::drawing::{Children, ProbeMeter};
use super::moments::{GROUPS, MAX_PROBE, Sums};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path, Steps};
use crate::limits::Stop;
use crate::outcome::Tally;
use crate::problem::{Branch, Problem};
use crate::search::tree::{Ending, SearchTree};

/// The number of probes in the first batch if there are limits. An interrupted batch does not
/// count, so it should be a small part of the run. Each batch is four times as large as the one
/// before.
const FIRST_BATCH: u64 = 16;

/// The number of probes in the largest batch.
const LARGEST_BATCH: u64 = 1 << 14;

/// The depth to which probes descend together, which bounds the recursion. Below it, each probe
/// continues alone, even if the probes of a batch have not separated by then.
const MAX_BATCH_DEPTH: usize = 32;

/// A step of the path.
struct ProbeStep<C, U> {
    choice: C,
    undo: U,
}

/// The choices of the current path, as a view of the steps.
struct ProbePath<'a, C, U>(&'a [ProbeStep<C, U>]);

impl<C, U> Steps<C> for ProbePath<'_, C, U> {
    fn step(&self, index: usize) -> &C {
        &self.0[index].choice
    }
}

/// The result of entering a child.
enum Child {
    /// It was not entered, because it is beyond the depth limit.
    TooDeep,
    /// It has no children, or it was pruned.
    Leaf,
    /// Its children have been drawn.
    Inner,
}

/// The position of a probe, or of several together.
#[derive(Clone, Copy)]
struct ProbePosition {
    /// The number of nodes that the current node counts for: one probe in this many reaches it.
    weight: f64,
    /// The sum of weights on the path so far.
    nodes: f64,
}

impl ProbePosition {
    /// Returns the position at one of `children` children. All of them count as nodes, although
    /// only one is entered.
    #[inline]
    fn below(self, children: u64) -> ProbePosition {
        let weight = self.weight * children as f64;
        ProbePosition { weight, nodes: self.nodes + weight }
    }
}

/// Makes Knuth's probes of a tree.
pub(super) struct Prober<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    tree: &'t mut SearchTree<'p, P, B, H>,
    random: fastrand::Rng,
    /// The state at the current node. `None` while a function that enters or leaves nodes has taken
    /// it as a local variable.
    state: Option<P::State>,
    steps: Vec<ProbeStep<P::Choice, P::Undo>>,
    /// The solutions on the path, with their weights.
    solutions: Vec<(usize, f64)>,
    children: Children<P::Choice>,
    /// A stack of children that are still to be entered, each with the number of probes that have
    /// picked it.
    pending: Vec<(P::Choice, u64)>,
    /// The groups of the remaining probes of the batch.
    groups: Vec<u8>,
    pub(super) probe_meter: ProbeMeter,
    tally: Tally,
}

impl<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>> Prober<'t, 'p, P, B, H> {
    pub(super) fn new(tree: &'t mut SearchTree<'p, P, B, H>, seed: u64) -> Self {
        Prober {
            tree,
            random: fastrand::Rng::with_seed(seed),
            state: None,
            steps: Vec::new(),
            solutions: Vec::new(),
            children: Children::new(),
            pending: Vec::new(),
            groups: Vec::new(),
            probe_meter: ProbeMeter::new(),
            tally: Tally::NEW,
        }
    }

    /// Makes probes until the requested number is reached or a limit stops the run. An unfinished
    /// batch does not count.
    pub(super) fn run(&mut self, probes: u64, sums: &mut Sums) -> Stop {
        let problem = self.tree.problem;
        if probes == 0 {
            return Stop::Satisfied;
        }
        if let Err(stop) = self.probe_meter.take_fuel(&mut self.tree.meter, 0) {
            return stop;
        }
        let mut state = problem.root();
        let path = Path::new(&[], 0, None);
        // Only whether the root is kept matters here: its children are drawn again for each batch.
        let kept = self.tree.enter(problem, &mut state, path, &mut self.tally).is_ok();
        let entered = self.tally;
        let mut batch = if self.tree.meter.is_limited() { FIRST_BATCH } else { LARGEST_BATCH };
        let stop = loop {
            if sums.probes == probes {
                break if self.tree.truncated { Stop::DepthLimit } else { Stop::Satisfied };
            }
            self.tally = entered;
            let size = batch.min(probes - sums.probes);
            let before = sums.clone();
            self.state = Some(state);
            let result = self.batch(problem, kept, size, sums);
            self.climb(problem, 0);
            let Some(back) = self.state.take() else {
                unreachable!("a probe gives the state back")
            };
            state = back;
            if let Err(stop) = result {
                if stop != Stop::CountOverflow {
                    *sums = before;
                }
                break stop;
            }
            batch = LARGEST_BATCH.min(4 * batch);
        };
        if kept {
            let node = Node::new(problem, &state, path, &entered);
            self.tree.leave(&node, Ending::Unfinished(&[]));
        }
        stop
    }

    /// Makes a batch of probes from the root.
    fn batch(&mut self, problem: &P, kept: bool, size: u64, sums: &mut Sums) -> Result<(), Stop> {
        let group = |probe: u64| ((sums.probes + probe) % GROUPS as u64) as u8;
        self.groups.clear();
        self.groups.extend((0..size).map(group));
        self.random.shuffle(&mut self.groups);
        self.pending.clear();
        self.solutions.clear();
        sums.add_level(0, 1.0, size);
        let root = ProbePosition { weight: 1.0, nodes: 1.0 };
        if !kept {
            return self.end(size, root, sums);
        }
        if self.draw(problem)? {
            self.solutions.push((0, 1.0));
        }
        self.split_batch(problem, size, root, sums)
    }

    /// Ends a number of probes at the same position.
    #[inline]
    fn end(&mut self, probes: u64, at: ProbePosition, sums: &mut Sums) -> Result<(), Stop> {
        for _ in 0..probes {
            let group = self.groups.pop().unwrap_or(0);
            sums.add_probe(at.nodes, &self.solutions, group.into())
                .map_err(|_| Stop::CountOverflow)?;
            self.probe_meter.count_step(&mut self.tree.meter, 0)?;
        }
        Ok(())
    }

    /// Draws the children of the current node, and returns whether it is a solution.
    fn draw(&mut self, problem: &P) -> Result<bool, Stop> {
        self.children.clear();
        let Some(state) = &self.state else { return Ok(false) };
        let steps = ProbePath(&self.steps);
        let node =
            Node::new(problem, state, Path::new(&steps, self.steps.len(), None), &self.tally);
        let branch = self.tree.brancher.branch(&node);
        let is_solution = branch.is_solution();
        if let Branch::Inner(cursor) | Branch::SolutionInner(cursor) = branch {
            self.children.draw(
                self.tree,
                &node,
                cursor,
                &mut self.random,
                &mut self.probe_meter,
            )?;
        }
        Ok(is_solution)
    }

    /// Continues a number of probes from a node whose children have just been drawn.
    fn split_batch(
        &mut self,
        problem: &P,
        probes: u64,
        at: ProbePosition,
        sums: &mut Sums,
    ) -> Result<(), Stop> {
        let depth = self.steps.len();
        let solutions = self.solutions.len();
        if probes == 1 || depth >= MAX_BATCH_DEPTH || self.children.complete().is_none() {
            for probe in 0..probes {
                if probe > 0 {
                    self.draw(problem)?;
                }
                let end = self.descend_alone(problem, at, sums)?;
                self.end(1, end, sums)?;
                self.solutions.truncate(solutions);
            }
            return Ok(());
        }
        let first = self.pending.len();
        let children = self.children.complete().into_iter().flat_map(|children| children.drain(..));
        self.pending.extend(children.map(|choice| (choice, 0)));
        let count = self.pending.len() - first;
        if count == 0 {
            return self.end(probes, at, sums);
        }
        for _ in 0..probes {
            self.pending[first + self.random.usize(..count)].1 += 1;
        }
        let below = at.below(count as u64);
        while self.pending.len() > first
            && let Some((choice, probes)) = self.pending.pop()
        {
            if probes == 0 {
                continue;
            }
            let Some(mut state) = self.state.take() else { return Ok(()) };
            let entered = self.step(problem, &mut state, choice, below.weight, probes, sums);
            self.state = Some(state);
            match entered? {
                Child::TooDeep => self.end(probes, at, sums)?,
                Child::Leaf => self.end(probes, below, sums)?,
                Child::Inner => self.split_batch(problem, probes, below, sums)?,
            }
            self.climb(problem, depth);
            self.solutions.truncate(solutions);
        }
        Ok(())
    }

    /// Descends at random from a node whose children have just been drawn, and climbs back. Returns
    /// the last position.
    #[inline(never)]
    fn descend_alone(
        &mut self,
        problem: &P,
        mut at: ProbePosition,
        sums: &mut Sums,
    ) -> Result<ProbePosition, Stop> {
        let Some(mut state) = self.state.take() else { return Ok(at) };
        let depth = self.steps.len();
        let end = loop {
            let Some((choice, count)) = self.children.pick(&mut self.random) else { break Ok(at) };
            let below = at.below(count);
            match self.step(problem, &mut state, choice, below.weight, 1, sums) {
                Ok(Child::Inner) => at = below,
                Ok(Child::Leaf) => break Ok(below),
                Ok(Child::TooDeep) => break Ok(at),
                Err(stop) => break Err(stop),
            }
        };
        while self.steps.len() > depth {
            self.step_back(problem, &mut state);
        }
        self.state = Some(state);
        end
    }

    /// Undoes all steps below `depth`.
    fn climb(&mut self, problem: &P, depth: usize) {
        let Some(mut state) = self.state.take() else { return };
        while self.steps.len() > depth {
            self.step_back(problem, &mut state);
        }
        self.state = Some(state);
    }

    /// Leaves the current node and undoes its step.
    #[inline(always)]
    fn step_back(&mut self, problem: &P, state: &mut P::State) {
        let Some(ProbeStep { choice, undo }) = self.steps.pop() else { return };
        let steps = ProbePath(&self.steps);
        let node = Node::new(
            problem,
            state,
            Path::new(&steps, self.steps.len(), Some(&choice)),
            &self.tally,
        );
        self.tree.leave(&node, Ending::Unfinished(&[]));
        problem.undo(state, &choice, undo);
    }

    /// Enters a child with a number of probes, and draws its children. If it is pruned, the step is
    /// undone.
    #[inline(always)]
    fn step(
        &mut self,
        problem: &P,
        state: &mut P::State,
        choice: P::Choice,
        weight: f64,
        probes: u64,
        sums: &mut Sums,
    ) -> Result<Child, Stop> {
        let depth = self.steps.len();
        if depth >= self.tree.meter.depth_limit() {
            self.tree.truncated = true;
            return Ok(Child::TooDeep);
        }
        if weight > MAX_PROBE {
            return Err(Stop::CountOverflow);
        }
        self.probe_meter.take_fuel(&mut self.tree.meter, depth + 1)?;
        sums.add_level(depth + 1, weight, probes);
        let undo = problem.apply(state, &choice);
        let steps = ProbePath(&self.steps);
        let path = Path::new(&steps, depth, Some(&choice));
        let Ok(branch) = self.tree.enter(problem, state, path, &mut self.tally) else {
            problem.undo(state, &choice, undo);
            return Ok(Child::Leaf);
        };
        if branch.is_solution() {
            self.solutions.push((depth + 1, weight));
        }
        let (Branch::Inner(cursor) | Branch::SolutionInner(cursor)) = branch else {
            self.steps.push(ProbeStep { choice, undo });
            return Ok(Child::Leaf);
        };
        let node = Node::new(problem, state, path, &self.tally);
        let drawn =
            self.children.draw(self.tree, &node, cursor, &mut self.random, &mut self.probe_meter);
        self.steps.push(ProbeStep { choice, undo });
        drawn.map(|()| Child::Inner)
    }
}

//! Knuth's random probes: one random way down from the root after another.
//!
//! A probe should cost little more than the nodes on its way, and not even all of those. Probes are
//! made in *batches*, which go down together: at a node, each probe of the batch picks one of the
//! children, and all those that have picked the same one step there together and pick on. So a node
//! near the root is entered once a batch, whatever number of probes come through it; further down
//! they part, and each goes on alone. Each probe still picks by itself, so that each comes to what
//! it would have come to alone. (Only that those of a batch come in another order than they would
//! have: in that of the tree. Which of the [groups](super::moments::GROUPS) a probe belongs to is
//! therefore drawn by lot.)
//!
//! The state of a probe that goes on alone is a local variable, for the reason that it is one in
//! the [kernel](crate::search::kernel). The children of a node go into one buffer, from which the
//! one that is taken is moved out; nothing is allocated once the buffers have grown.

use super::children::Children;
use super::moments::{GROUPS, LARGEST, Sums};
use super::pace::Pace;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, Path, Steps};
use crate::limits::Stop;
use crate::outcome::Tally;
use crate::problem::{Branch, Problem};
use crate::search::tree::{Ending, SearchTree};

/// Probes of the first batch, where there are limits: a batch that a limit breaks off does not
/// count, and should not have been much of the run. Each is four times as large as the one before.
const FIRST_BATCH: u64 = 16;

/// Probes of the largest batch.
const LARGEST_BATCH: u64 = 1 << 14;

/// Probes go down together no deeper than this; where hardly any node branches, they part without a
/// choice.
const TOGETHER: usize = 32;

/// A step of the way down.
struct Step<C, U> {
    choice: C,
    undo: U,
}

struct Way<'a, C, U>(&'a [Step<C, U>]);

impl<C, U> Steps<C> for Way<'_, C, U> {
    fn step(&self, index: usize) -> &C {
        &self.0[index].choice
    }
}

/// What became of a child on entering.
enum Below {
    /// It was not entered, as it lies deeper than the limit allows.
    TooDeep,
    /// It has no children, or none that is of interest.
    Nothing,
    /// Its children have been drawn.
    Children,
}

/// Where a probe stands.
#[derive(Clone, Copy)]
struct Standing {
    /// One probe in so many comes there: so many nodes it counts for.
    weight: f64,
    /// What the probe has come to so far.
    nodes: f64,
}

impl Standing {
    /// At one of so many children: all of them are nodes, though only one of them is entered.
    #[inline]
    fn below(self, children: u64) -> Standing {
        let weight = self.weight * children as f64;
        Standing { weight, nodes: self.nodes + weight }
    }
}

pub(super) struct Prober<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    tree: &'t mut SearchTree<'p, P, B, H>,
    random: fastrand::Rng,
    /// The state where the probes of a batch are together, unless one of them has it.
    state: Option<P::State>,
    steps: Vec<Step<P::Choice, P::Undo>>,
    /// The solutions on the way of the probe.
    solutions: Vec<(usize, f64)>,
    children: Children<P::Choice>,
    /// The children of the nodes where probes part, and how many probes are to go on to each.
    parting: Vec<(P::Choice, u64)>,
    /// To which group each of the probes of the batch belongs that are still to be made.
    lots: Vec<u8>,
    pub(super) pace: Pace,
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
            parting: Vec::new(),
            lots: Vec::new(),
            pace: Pace::new(),
            tally: Tally::NEW,
        }
    }

    /// Makes probes until there are as many as asked for, or a limit is reached: an unfinished
    /// batch does not count.
    pub(super) fn run(&mut self, probes: u64, sums: &mut Sums) -> Stop {
        let problem = self.tree.problem;
        if probes == 0 {
            return Stop::Satisfied;
        }
        if let Err(stop) = self.pace.burn(&mut self.tree.meter, 0) {
            return stop;
        }
        let mut state = problem.root();
        let path = Path::new(&[], 0, None);
        // The children are drawn anew for each probe, at random.
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
            let made = self.batch(problem, kept, size, sums);
            self.climb(problem, 0);
            let Some(back) = self.state.take() else {
                unreachable!("a probe gives the state back")
            };
            state = back;
            if let Err(stop) = made {
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

    /// Makes so many probes from the root.
    fn batch(&mut self, problem: &P, kept: bool, size: u64, sums: &mut Sums) -> Result<(), Stop> {
        let group = |probe: u64| ((sums.probes + probe) % GROUPS as u64) as u8;
        self.lots.clear();
        self.lots.extend((0..size).map(group));
        self.random.shuffle(&mut self.lots);
        self.parting.clear();
        self.solutions.clear();
        sums.reach(0, 1.0, size);
        let root = Standing { weight: 1.0, nodes: 1.0 };
        if !kept {
            return self.end(size, root, sums);
        }
        if self.draw(problem)? {
            self.solutions.push((0, 1.0));
        }
        self.part(problem, size, root, sums)
    }

    /// So many probes come to their end.
    #[inline]
    fn end(&mut self, probes: u64, at: Standing, sums: &mut Sums) -> Result<(), Stop> {
        for _ in 0..probes {
            let group = self.lots.pop().unwrap_or(0);
            sums.end(at.nodes, &self.solutions, group.into()).map_err(|_| Stop::CountOverflow)?;
            self.pace.tick(&mut self.tree.meter, 0)?;
        }
        Ok(())
    }

    /// Draws the children of the node where the probes are; whether it is a solution.
    fn draw(&mut self, problem: &P) -> Result<bool, Stop> {
        self.children.clear();
        let Some(state) = &self.state else { return Ok(false) };
        let way = Way(&self.steps);
        let node = Node::new(problem, state, Path::new(&way, self.steps.len(), None), &self.tally);
        let branch = self.tree.brancher.branch(&node);
        let is_solution = branch.is_solution();
        if let Branch::Inner(cursor) | Branch::SolutionInner(cursor) = branch {
            self.children.draw(self.tree, &node, cursor, &mut self.random, &mut self.pace)?;
        }
        Ok(is_solution)
    }

    /// Has so many probes go on from a node whose children have just been drawn.
    fn part(
        &mut self,
        problem: &P,
        probes: u64,
        at: Standing,
        sums: &mut Sums,
    ) -> Result<(), Stop> {
        let depth = self.steps.len();
        let solutions = self.solutions.len();
        if probes == 1 || depth >= TOGETHER || self.children.complete().is_none() {
            for probe in 0..probes {
                if probe > 0 {
                    self.draw(problem)?;
                }
                let end = self.go_on_alone(problem, at, sums)?;
                self.end(1, end, sums)?;
                self.solutions.truncate(solutions);
            }
            return Ok(());
        }
        let first = self.parting.len();
        let children = self.children.complete().into_iter().flat_map(|children| children.drain(..));
        self.parting.extend(children.map(|choice| (choice, 0)));
        let count = self.parting.len() - first;
        if count == 0 {
            return self.end(probes, at, sums);
        }
        for _ in 0..probes {
            self.parting[first + self.random.usize(..count)].1 += 1;
        }
        let below = at.below(count as u64);
        while self.parting.len() > first
            && let Some((choice, probes)) = self.parting.pop()
        {
            if probes == 0 {
                continue;
            }
            let Some(mut state) = self.state.take() else { return Ok(()) };
            let entered = self.step(problem, &mut state, choice, below.weight, probes, sums);
            self.state = Some(state);
            match entered? {
                Below::TooDeep => self.end(probes, at, sums)?,
                Below::Nothing => self.end(probes, below, sums)?,
                Below::Children => self.part(problem, probes, below, sums)?,
            }
            self.climb(problem, depth);
            self.solutions.truncate(solutions);
        }
        Ok(())
    }

    /// A random way down from a node whose children have just been drawn, and back; where it ended.
    #[inline(never)]
    fn go_on_alone(
        &mut self,
        problem: &P,
        mut at: Standing,
        sums: &mut Sums,
    ) -> Result<Standing, Stop> {
        let Some(mut state) = self.state.take() else { return Ok(at) };
        let depth = self.steps.len();
        let end = loop {
            let Some((choice, count)) = self.children.pick(&mut self.random) else { break Ok(at) };
            let below = at.below(count);
            match self.step(problem, &mut state, choice, below.weight, 1, sums) {
                Ok(Below::Children) => at = below,
                Ok(Below::Nothing) => break Ok(below),
                Ok(Below::TooDeep) => break Ok(at),
                Err(stop) => break Err(stop),
            }
        };
        while self.steps.len() > depth {
            self.step_back(problem, &mut state);
        }
        self.state = Some(state);
        end
    }

    /// Takes back all steps that lead deeper than `depth`.
    fn climb(&mut self, problem: &P, depth: usize) {
        let Some(mut state) = self.state.take() else { return };
        while self.steps.len() > depth {
            self.step_back(problem, &mut state);
        }
        self.state = Some(state);
    }

    #[inline(always)]
    fn step_back(&mut self, problem: &P, state: &mut P::State) {
        let Some(Step { choice, undo }) = self.steps.pop() else { return };
        let way = Way(&self.steps);
        let node = Node::new(
            problem,
            state,
            Path::new(&way, self.steps.len(), Some(&choice)),
            &self.tally,
        );
        self.tree.leave(&node, Ending::Unfinished(&[]));
        problem.undo(state, &choice, undo);
    }

    /// So many probes step to a child, and draw its children. If it is cut off, the step is taken
    /// back.
    #[inline(always)]
    fn step(
        &mut self,
        problem: &P,
        state: &mut P::State,
        choice: P::Choice,
        weight: f64,
        probes: u64,
        sums: &mut Sums,
    ) -> Result<Below, Stop> {
        let depth = self.steps.len();
        if depth >= self.tree.meter.depth_limit() {
            self.tree.truncated = true;
            return Ok(Below::TooDeep);
        }
        if weight > LARGEST {
            return Err(Stop::CountOverflow);
        }
        self.pace.burn(&mut self.tree.meter, depth + 1)?;
        sums.reach(depth + 1, weight, probes);
        let undo = problem.apply(state, &choice);
        let way = Way(&self.steps);
        let path = Path::new(&way, depth, Some(&choice));
        let Ok(branch) = self.tree.enter(problem, state, path, &mut self.tally) else {
            problem.undo(state, &choice, undo);
            return Ok(Below::Nothing);
        };
        if branch.is_solution() {
            self.solutions.push((depth + 1, weight));
        }
        let (Branch::Inner(cursor) | Branch::SolutionInner(cursor)) = branch else {
            self.steps.push(Step { choice, undo });
            return Ok(Below::Nothing);
        };
        let node = Node::new(problem, state, path, &self.tally);
        let drawn = self.children.draw(self.tree, &node, cursor, &mut self.random, &mut self.pace);
        self.steps.push(Step { choice, undo });
        drawn.map(|()| Below::Children)
    }
}

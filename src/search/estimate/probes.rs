//! Knuth's random probes: one random way down from the root after another.
//!
//! A probe should cost little more than the nodes on its way, and not even all of those. Probes are made in *batches*,
//! which go down together: at a node, each probe of the batch picks one of the children, and all those that have picked
//! the same one step there together and pick on. So a node near the root is entered once a batch, whatever number of
//! probes come through it; further down they part, and each goes on alone. Each probe still picks by itself, so that each
//! comes to what it would have come to alone. (Only that those of a batch come in another order than they would have: in
//! that of the tree. Which of the [groups](super::moments::GROUPS) a probe belongs to is therefore drawn by lot.)
//!
//! The state of a probe that goes on alone is a local variable, for the reason that it is one in the
//! [kernel](crate::search::kernel). The children of a node go into one buffer, from which the one that is taken is moved out; nothing is allocated once
//! the buffers have grown.

use super::children::Children;
use super::moments::{GROUPS, LARGEST, Profile, Sums};
use super::pace::Pace;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, NodeMut, Path, Steps};
use crate::limits::Stop;
use crate::outcome::Tally;
use crate::problem::{Branch, Problem};
use crate::search::tree::Tree;

/// Probes of the first batch, where there are limits: a batch that a limit breaks off does not count, and should not have
/// been much of the run. Each is four times as large as the one before.
const FIRST_BATCH: u64 = 16;

/// Probes of the largest batch.
const LARGEST_BATCH: u64 = 1 << 14;

/// Probes go down together no deeper than this; where hardly any node branches, they part without a choice.
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
    /// It has no children, or none that is of interest.
    Nothing,
    /// Its children have been drawn.
    Children,
}

pub(super) struct Prober<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    tree: &'t mut Tree<'p, P, B, H>,
    random: fastrand::Rng,
    /// The state where the probes of a batch are together, unless one of them has it.
    state: Option<P::State>,
    steps: Vec<Step<P::Choice, P::Undo>>,
    /// What the probe makes of each depth so far.
    profile: Profile,
    children: Children<P::Choice>,
    /// The children of the nodes where probes part, and how many probes are to go on to each.
    parting: Vec<(P::Choice, u64)>,
    /// To which group each of the probes of the batch belongs that are still to be made.
    lots: Vec<u8>,
    pub(super) pace: Pace,
    tally: Tally,
}

impl<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>> Prober<'t, 'p, P, B, H> {
    pub(super) fn new(tree: &'t mut Tree<'p, P, B, H>, seed: u64) -> Self {
        Prober {
            tree,
            random: fastrand::Rng::with_seed(seed),
            state: None,
            steps: Vec::new(),
            profile: Profile::default(),
            children: Children::new(),
            parting: Vec::new(),
            lots: Vec::new(),
            pace: Pace::new(),
            tally: Tally::NEW,
        }
    }

    /// Makes probes until there are as many as asked for, or a limit is reached: an unfinished batch does not count.
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
        let node = &mut NodeMut::new(problem, &mut state, path, &mut self.tally);
        let kept = self.tree.hooks.enter(node).is_none();
        let entered = self.tally;
        if kept {
            self.tree.brancher.enter(&Node::new(problem, &state, path, &entered));
        }
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
            let Some(back) = self.state.take() else { unreachable!("a probe gives the state back") };
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
            self.tree.brancher.leave(&node);
            self.tree.hooks.leave(&node);
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
        self.profile.begin();
        if !kept {
            return self.add(size, 0, sums);
        }
        if self.draw(problem)? {
            self.profile.solutions.push((0, 1.0));
        }
        self.part(problem, size, 1.0, sums)
    }

    /// So many probes come to what the profile says.
    #[inline]
    fn add(&mut self, probes: u64, depth: usize, sums: &mut Sums) -> Result<(), Stop> {
        for _ in 0..probes {
            let group = self.lots.pop().unwrap_or(0);
            sums.add(&self.profile, group.into()).map_err(|_| Stop::CountOverflow)?;
            self.pace.tick(&mut self.tree.meter, depth)?;
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

    /// Has so many probes go on from a node, which one in `weight` come to, and whose children have just been drawn.
    fn part(&mut self, problem: &P, probes: u64, weight: f64, sums: &mut Sums) -> Result<(), Stop> {
        let depth = self.steps.len();
        let solutions = self.profile.solutions.len();
        if probes == 1 || depth >= TOGETHER || self.children.complete().is_none() {
            for probe in 0..probes {
                if probe > 0 {
                    self.draw(problem)?;
                }
                self.go_on_alone(problem, weight)?;
                self.add(1, depth, sums)?;
                self.profile.back_to(depth, solutions);
            }
            return Ok(());
        }
        let first = self.parting.len();
        let children = self.children.complete().into_iter().flat_map(|children| children.drain(..));
        self.parting.extend(children.map(|choice| (choice, 0)));
        let count = self.parting.len() - first;
        if count == 0 {
            return self.add(probes, depth, sums);
        }
        for _ in 0..probes {
            self.parting[first + self.random.usize(..count)].1 += 1;
        }
        let weight = weight * count as f64;
        while self.parting.len() > first
            && let Some((choice, probes)) = self.parting.pop()
        {
            if probes == 0 {
                continue;
            }
            let Some(mut state) = self.state.take() else { return Ok(()) };
            let below = self.step(problem, &mut state, choice, weight);
            self.state = Some(state);
            match below? {
                Below::Children => self.part(problem, probes, weight, sums)?,
                Below::Nothing => self.add(probes, depth, sums)?,
            }
            self.climb(problem, depth);
            self.profile.back_to(depth, solutions);
        }
        Ok(())
    }

    /// A random way down from a node whose children have just been drawn, and back.
    #[inline(never)]
    fn go_on_alone(&mut self, problem: &P, mut weight: f64) -> Result<(), Stop> {
        let Some(mut state) = self.state.take() else { return Ok(()) };
        let depth = self.steps.len();
        let end = loop {
            let Some((choice, count)) = self.children.pick(&mut self.random) else { break Ok(()) };
            // All the children are nodes, though only one of them is entered.
            weight *= count as f64;
            match self.step(problem, &mut state, choice, weight) {
                Ok(Below::Children) => {}
                Ok(Below::Nothing) => break Ok(()),
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
        let node = Node::new(problem, state, Path::new(&way, self.steps.len(), Some(&choice)), &self.tally);
        self.tree.brancher.leave(&node);
        self.tree.hooks.leave(&node);
        problem.undo(state, &choice, undo);
    }

    /// Steps to a child, and draws its children. If it is cut off, or too deep, the step is taken back.
    #[inline(always)]
    fn step(&mut self, problem: &P, state: &mut P::State, choice: P::Choice, weight: f64) -> Result<Below, Stop> {
        let depth = self.steps.len();
        if depth >= self.tree.meter.depth_limit() {
            self.tree.truncated = true;
            return Ok(Below::Nothing);
        }
        if weight > LARGEST {
            return Err(Stop::CountOverflow);
        }
        self.pace.burn(&mut self.tree.meter, depth + 1)?;
        self.profile.push(weight);
        let undo = problem.apply(state, &choice);
        let way = Way(&self.steps);
        let path = Path::new(&way, depth, Some(&choice));
        if self.tree.hooks.enter(&mut NodeMut::new(problem, state, path, &mut self.tally)).is_some() {
            problem.undo(state, &choice, undo);
            return Ok(Below::Nothing);
        }
        let node = Node::new(problem, state, path, &self.tally);
        self.tree.brancher.enter(&node);
        let branch = self.tree.brancher.branch(&node);
        if branch.is_solution() {
            self.profile.solutions.push((depth + 1, weight));
        }
        let (Branch::Inner(cursor) | Branch::SolutionInner(cursor)) = branch else {
            self.steps.push(Step { choice, undo });
            return Ok(Below::Nothing);
        };
        let drawn = self.children.draw(self.tree, &node, cursor, &mut self.random, &mut self.pace);
        self.steps.push(Step { choice, undo });
        drawn.map(|()| Below::Children)
    }
}

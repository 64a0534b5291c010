//! Knuth's random probes: one random way down from the root after another.
//!
//! A probe should cost little more than the nodes on its way. So the root is entered once, and its children are drawn once;
//! those of any other node go into one buffer, from which the one that is taken is moved out. Nothing is allocated once
//! the buffers have grown.

use super::children::Children;
use super::moments::{LARGEST, Profile, Sums};
use super::pace::Pace;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, NodeMut, Path, Steps};
use crate::limits::Stop;
use crate::outcome::Tally;
use crate::problem::{Branch, Problem};
use crate::search::tree::Tree;

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

pub(super) struct Prober<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>> {
    tree: &'t mut Tree<'p, P, B, H>,
    random: fastrand::Rng,
    steps: Vec<Step<P::Choice, P::Undo>>,
    /// What the probe makes of each depth so far.
    profile: Profile,
    children: Children<P::Choice>,
    /// The root's children.
    first: Children<P::Choice>,
    /// Whether they are all there, so that they need not be drawn again.
    root_is_known: bool,
    root_is_solution: bool,
    pub(super) pace: Pace,
    tally: Tally,
}

impl<'t, 'p, P: Problem, B: Brancher<P>, H: Hooks<P>> Prober<'t, 'p, P, B, H> {
    pub(super) fn new(tree: &'t mut Tree<'p, P, B, H>, seed: u64) -> Self {
        Prober {
            tree,
            random: fastrand::Rng::with_seed(seed),
            steps: Vec::new(),
            profile: Profile::default(),
            children: Children::new(),
            first: Children::new(),
            root_is_known: false,
            root_is_solution: false,
            pace: Pace::new(),
            tally: Tally::NEW,
        }
    }

    /// Makes probes until there are as many as asked for, or a limit is reached: an unfinished probe does not count.
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
        let stop = loop {
            if sums.probes == probes {
                break if self.tree.truncated { Stop::DepthLimit } else { Stop::Satisfied };
            }
            self.tally = entered;
            self.profile.begin();
            if kept && let Err(stop) = self.probe(problem, &mut state) {
                break stop;
            }
            if sums.add(&self.profile).is_err() {
                break Stop::CountOverflow;
            }
            if let Err(stop) = self.pace.tick(&mut self.tree.meter, 0) {
                break stop;
            }
        };
        if kept {
            let node = Node::new(problem, &state, path, &entered);
            self.tree.brancher.leave(&node);
            self.tree.hooks.leave(&node);
        }
        stop
    }

    /// One random way down from the root, and back.
    #[inline(never)]
    fn probe(&mut self, problem: &P, state: &mut P::State) -> Result<(), Stop> {
        if !self.root_is_known {
            self.look_at_root(problem, state)?;
        }
        if self.root_is_solution {
            self.profile.solutions.push((0, 1.0));
        }
        let Some((choice, count)) = self.first.pick(&mut self.random) else { return Ok(()) };
        let end = self.descend(problem, state, choice, count);
        while let Some(Step { choice, undo }) = self.steps.pop() {
            let way = Way(&self.steps);
            let node = Node::new(problem, state, Path::new(&way, self.steps.len(), Some(&choice)), &self.tally);
            self.tree.brancher.leave(&node);
            self.tree.hooks.leave(&node);
            problem.undo(state, &choice, undo);
            self.give_back(choice);
        }
        end
    }

    /// Draws the root's children, to be kept for all probes if they are not too many.
    #[cold]
    fn look_at_root(&mut self, problem: &P, state: &P::State) -> Result<(), Stop> {
        let node = Node::new(problem, state, Path::new(&[], 0, None), &self.tally);
        let branch = self.tree.brancher.branch(&node);
        self.root_is_solution = branch.is_solution();
        if let Branch::Inner(cursor) | Branch::SolutionInner(cursor) = branch {
            self.first.draw(self.tree, &node, cursor, &mut self.random, &mut self.pace)?;
        }
        self.root_is_known = self.first.is_complete();
        Ok(())
    }

    /// Puts the first choice of the probe back to its siblings.
    #[inline]
    fn give_back(&mut self, choice: P::Choice) {
        if self.steps.is_empty() && self.root_is_known {
            self.first.put_back(choice);
        }
    }

    /// A random way down that begins with `choice`, one of `count`; the steps that were taken have to be taken back.
    #[inline]
    fn descend(
        &mut self,
        problem: &P,
        state: &mut P::State,
        mut choice: P::Choice,
        mut count: u64,
    ) -> Result<(), Stop> {
        let limit = self.tree.meter.depth_limit();
        let mut weight = 1.0;
        loop {
            let depth = self.steps.len();
            if depth >= limit {
                self.tree.truncated = true;
                self.give_back(choice);
                return Ok(());
            }
            // All the children are nodes, though only one of them is entered.
            weight *= count as f64;
            if weight > LARGEST {
                self.give_back(choice);
                return Err(Stop::CountOverflow);
            }
            if let Err(stop) = self.pace.burn(&mut self.tree.meter, depth + 1) {
                self.give_back(choice);
                return Err(stop);
            }
            self.profile.nodes.push(weight);
            let undo = problem.apply(state, &choice);
            let way = Way(&self.steps);
            let path = Path::new(&way, depth, Some(&choice));
            if self.tree.hooks.enter(&mut NodeMut::new(problem, state, path, &mut self.tally)).is_some() {
                problem.undo(state, &choice, undo);
                self.give_back(choice);
                return Ok(());
            }
            let node = Node::new(problem, state, path, &self.tally);
            self.tree.brancher.enter(&node);
            let branch = self.tree.brancher.branch(&node);
            if branch.is_solution() {
                self.profile.solutions.push((depth + 1, weight));
            }
            let (Branch::Inner(cursor) | Branch::SolutionInner(cursor)) = branch else {
                self.steps.push(Step { choice, undo });
                return Ok(());
            };
            let drawn = self.children.draw(self.tree, &node, cursor, &mut self.random, &mut self.pace);
            self.steps.push(Step { choice, undo });
            drawn?;
            match self.children.pick(&mut self.random) {
                Some(next) => (choice, count) = next,
                None => return Ok(()),
            }
        }
    }
}

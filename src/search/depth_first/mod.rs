//! Depth-first search.
//!
//! Read the files in this order:
//!
//! 1. [`walk`]: the walk, its stack, and the part of it that is replayed.
//! 2. [`kernel`]: the hot loop, and why it has its form.
//! 3. [`replay`]: the steps outside the hot loop, among them the replay of subtrees from a
//!    frontier.
//! 4. [`extract_frontier`]: takes the unexplored subtrees out of a walk, to save, donate or divide
//!    them.
//!
//! This file has the strategy [`DepthFirst`], and runs, saves and ends a walk.

mod extract_frontier;
mod kernel;
mod replay;
pub(super) mod walk;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::frontier::resume::BestSlot;
use super::frontier::subtree::Subtree;
use super::meter::PauseReason;
use super::tree::SearchTree;
use super::walk::{
    Divisible, DivisibleWalk, InTreeOrder, IntoWalk, Resumable, Walk, WithoutFrontier, walk_methods,
};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::{Level, Report};
use walk::DepthFirstWalk;

/// Depth-first search, the default strategy: the whole subtree of a node before its next sibling.
#[derive(Clone, Copy, Debug)]
pub struct DepthFirst;

impl WithoutFrontier for DepthFirst {}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> IntoWalk<P, B, H> for DepthFirst {
    const IS_DEPTH_FIRST: bool = true;

    type Walk<'p>
        = DepthFirstWalk<'p, P, B, H>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        DepthFirstWalk::new(tree)
    }
}

impl Resumable for DepthFirst {}
impl InTreeOrder for DepthFirst {}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Divisible<P, B, H> for DepthFirst {
    type DivisibleWalk<'p>
        = DepthFirstWalk<'p, P, B, H>
    where
        P: 'p;

    type Shared = ();

    fn into_idle_walk<'p>(
        self,
        tree: SearchTree<'p, P, B, H>,
        (): Self::Shared,
    ) -> Self::DivisibleWalk<'p> {
        DepthFirstWalk::idle(tree)
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Walk<P> for DepthFirstWalk<'_, P, B, H> {
    fn advance_unguarded<V>(&mut self, mut visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        loop {
            // The hot loop checks the limit itself. Here, the last call may have ended by the
            // visitor's `Break` at the very solution that reached the limit, or that solution was
            // visited outside the hot loop.
            let step = if self.tally.visited >= self.tree.meter.solution_limit() {
                Err(Stop::SolutionLimit)
            } else if self.position.is_some() {
                self.descend(&mut visit)
            } else {
                self.advance_prefix(&mut visit)
            };
            match step {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return None,
                Err(Stop::Paused) => match self.tree.meter.take_pause_reason() {
                    Some(PauseReason::Report) => self.report_fraction(),
                    Some(PauseReason::Save) => self.save(Stop::Paused),
                    None => return Some(Stop::Paused),
                },
                Err(stop) => {
                    let stop = self.tree.end(stop, &self.tally);
                    if stop.is_exhausted() && self.tree.meter.knows_fraction {
                        self.done = 1.0;
                        self.tree.meter.report_fraction(1.0, self.fuel, self.tally.visited, 0);
                    }
                    self.save(stop);
                    return Some(stop);
                }
            }
        }
    }

    fn report(&self) -> Report {
        let levels: Vec<Level> = self.slots.iter().map(|slot| slot.level.into()).collect();
        self.tree.report(&self.tally, &levels, |_| {})
    }

    walk_methods!(self, self);

    fn revisit_best(&mut self, visit: impl FnMut(&Node<'_, P>) -> String) {
        self.revisit_best_paths(visit);
    }

    fn best_slot(&self) -> Option<BestSlot<P::Choice>> {
        self.tree.resume.as_ref().map(|resume| resume.best_slot.clone())
    }
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>> DivisibleWalk<'p, P, B, H>
    for DepthFirstWalk<'p, P, B, H>
{
    fn tree(&mut self) -> &mut SearchTree<'p, P, B, H> {
        &mut self.tree
    }

    fn own_count(&self) -> Option<Count> {
        Count::of_part(self.tally)
    }

    fn push_pending(&mut self, subtree: Subtree<P::Choice>) {
        self.replay.pending.push_back(subtree);
    }

    fn extract_frontier(&mut self) -> VecDeque<Subtree<P::Choice>> {
        DepthFirstWalk::extract_frontier(self)
    }

    /// A walk cannot be copied where it stands: its remaining subtrees are known only after it has
    /// climbed to the root. Climbing and going back down afterwards takes a step or two per level,
    /// far less time than writing a file.
    fn lend_frontier(&mut self) -> VecDeque<Subtree<P::Choice>> {
        DepthFirstWalk::extract_frontier(self)
    }

    fn take_back(&mut self, rest: VecDeque<Subtree<P::Choice>>) {
        self.replay.pending = rest;
    }

    fn donate(&mut self) -> VecDeque<Subtree<P::Choice>>
    where
        P::Choice: Clone,
    {
        DepthFirstWalk::donate(self).into_iter().collect()
    }

    fn settle(&mut self) {
        let unused = std::mem::take(&mut self.fuel);
        self.tree.meter.take_back(unused);
        self.tree.meter.publish(self.done, self.tally.visited);
    }

    fn describe_path(&self) -> String
    where
        P::Choice: std::fmt::Debug,
    {
        let choices = self.slots.iter().skip(1).map_while(|slot| slot.step.choice());
        format!("{:?}", choices.collect::<Vec<_>>())
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Drop for DepthFirstWalk<'_, P, B, H> {
    fn drop(&mut self) {
        self.give_back();
    }
}

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
//! This file has the strategies [`DepthFirst`] and [`FromFrontier`], and runs, saves and ends a
//! walk.

mod extract_frontier;
mod kernel;
mod replay;
pub(super) mod walk;

use std::ops::ControlFlow;

use super::frontier::resume::BestSlot;
use super::meter::PauseReason;
use super::tree::SearchTree;
use super::walk::{IntoWalk, Walk, WithoutFrontier};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::incumbent::reading::Reads;
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;
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

/// Depth-first search of the subtrees in a [`Frontier`](super::Frontier), as set up by
/// [`Search::frontier`](crate::Search::frontier).
#[derive(Clone, Copy, Debug)]
pub struct FromFrontier;

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> IntoWalk<P, B, H> for FromFrontier {
    const IS_DEPTH_FIRST: bool = true;

    type Walk<'p>
        = DepthFirstWalk<'p, P, B, H>
    where
        P: 'p;

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        DepthFirstWalk::new(tree)
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Walk<P> for DepthFirstWalk<'_, P, B, H> {
    fn advance_unguarded<V>(&mut self, mut visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        loop {
            // The visitor may have broken off exactly at the limit.
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

    fn reads(&mut self) -> &mut Reads {
        &mut self.tree.reads
    }

    fn stop_mut(&mut self) -> &mut Option<Stop> {
        &mut self.tree.stopped
    }

    fn stop(&self) -> Stop {
        self.tree.stop()
    }

    fn report(&self) -> Report {
        self.report_so_far()
    }

    fn count(&self) -> Count {
        self.tree.count_so_far(&self.tally)
    }

    fn revisit_best(&mut self, visit: impl FnMut(&Node<'_, P>)) {
        self.revisit_best_paths(visit);
    }

    fn best_slot(&self) -> Option<BestSlot<P::Choice>> {
        self.tree.resume.as_ref().map(|resume| resume.best_slot.clone())
    }
}

/// Gives the remaining subtrees back to the frontier that they came from.
impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Drop for DepthFirstWalk<'_, P, B, H> {
    fn drop(&mut self) {
        if self.tree.resume.is_some() && self.tree.stop() != Stop::Interrupted {
            // Extracting comes before the report: it may read incumbents, which the report lists.
            let rest = self.extract_frontier();
            let (count, report, truncated) =
                (Count::from(self.tally), self.report(), self.tree.truncated);
            if let Some(resume) = &mut self.tree.resume {
                resume.give_back(rest, count, report, truncated);
            }
        }
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> DepthFirstWalk<'_, P, B, H> {
    /// Saves the remaining subtrees if the run has a [`Saver`](super::frontier::resume::Saver).
    /// `stop` is the reason why the run has ended, or [`Stop::Paused`] if it continues afterwards.
    ///
    /// A walk cannot be copied where it stands: its remaining subtrees are known only after it has
    /// climbed to the root. Returning takes a step or two per level, far less time than writing a
    /// file.
    #[cold]
    pub(super) fn save(&mut self, stop: Stop) {
        if self.tree.resume.as_ref().is_none_or(|resume| resume.saver.is_none()) {
            return;
        }
        let rest = self.extract_frontier();
        // The saved report says that the run stopped here. The walk itself is marked as stopped
        // only if it really is.
        let stopped = self.tree.stopped.replace(stop);
        let (count, mut report, truncated) =
            (Count::from(self.tally), self.report_so_far(), self.tree.truncated);
        self.tree.stopped = stopped;
        let rest = match &mut self.tree.resume {
            Some(resume) => resume.save(rest, count, &mut report, truncated),
            None => rest,
        };
        self.set_pending(rest);
        if stop == Stop::Paused {
            self.tree.walks += 1;
            self.tree.meter.record_save();
        }
    }
}

//! What the workers of a run share while they search: limits, the wish for work, and what is done. Looked at between portions of fuel.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::limits::Stop;

#[derive(Debug)]
pub(crate) struct Team {
    /// Whether somebody waits for work for which there is no task, or all are to pause.
    called: AtomicBool,
    stopped: AtomicBool,
    stop: Mutex<Option<Stop>>,
    /// Nodes that may still be visited.
    nodes_left: AtomicU64,
    /// Nodes handed out, less those given back.
    nodes: AtomicU64,
    /// Solutions visited, if anybody wants to know: in some trees every node is one.
    solutions: Option<AtomicU64>,
    solution_limit: u64,
    /// The share of the tree that is done, as the bits of a number.
    done: AtomicU64,
}

impl Team {
    /// Under these limits; `watched` says whether solutions are to be counted without a limit as well.
    pub(super) fn new(nodes: Option<u64>, solutions: Option<u64>, watched: bool) -> Self {
        let team = Team {
            called: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            stop: Mutex::new(None),
            nodes_left: AtomicU64::new(nodes.unwrap_or(u64::MAX)),
            nodes: AtomicU64::new(0),
            solutions: (watched || solutions.is_some()).then(|| AtomicU64::new(0)),
            solution_limit: solutions.unwrap_or(u64::MAX),
            done: AtomicU64::new(0.0_f64.to_bits()),
        };
        if solutions == Some(0) {
            team.stop(Stop::SolutionLimit);
        }
        team
    }

    /// Whether workers have to look up from what they do.
    pub(crate) fn is_called(&self) -> bool {
        self.called.load(Ordering::Relaxed)
    }

    pub(super) fn call(&self, called: bool) {
        self.called.store(called, Ordering::Relaxed);
    }

    /// Stops all workers; the first reason is the one that counts.
    pub(super) fn stop(&self, stop: Stop) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(stop);
        self.stopped.store(true, Ordering::Release);
    }

    /// Why all are to stop, if they are.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        if self.stopped.load(Ordering::Acquire) {
            *self.stop.lock().unwrap_or_else(PoisonError::into_inner)
        } else {
            None
        }
    }

    /// Up to `portion` nodes of those that may still be visited.
    pub(crate) fn take_nodes(&self, portion: u64) -> u64 {
        let take = |left: u64| if left == u64::MAX { left } else { left - left.min(portion) };
        let left = self.nodes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(take(left)));
        let granted = left.unwrap_or_else(|left| left).min(portion);
        self.nodes.fetch_add(granted, Ordering::Relaxed);
        granted
    }

    /// Gives back nodes that were taken and not visited.
    pub(crate) fn give_back_nodes(&self, nodes: u64) {
        let give = |left: u64| if left == u64::MAX { left } else { left + nodes };
        let _ = self.nodes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(give(left)));
        self.nodes.fetch_sub(nodes, Ordering::Relaxed);
    }

    pub(super) fn has_nodes_left(&self) -> bool {
        self.nodes_left.load(Ordering::Relaxed) > 0
    }

    /// Whether the solutions are counted while they are found.
    pub(super) fn counts_solutions(&self) -> bool {
        self.solutions.is_some()
    }

    /// Counts a solution, and stops all if there are enough.
    pub(super) fn count_solution(&self) -> ControlFlow<()> {
        let Some(solutions) = &self.solutions else { return ControlFlow::Continue(()) };
        let solutions = solutions.fetch_add(1, Ordering::Relaxed) + 1;
        if solutions >= self.solution_limit {
            self.stop(Stop::SolutionLimit);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Adds to the share of the tree that is done.
    pub(crate) fn add_done(&self, share: f64) {
        let add = |done: u64| Some((f64::from_bits(done) + share).to_bits());
        let _ = self.done.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// The share of the tree that is done.
    pub(super) fn done(&self) -> f64 {
        f64::from_bits(self.done.load(Ordering::Relaxed))
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn solutions(&self) -> u64 {
        self.solutions.as_ref().map_or(0, |solutions| solutions.load(Ordering::Relaxed))
    }
}

//! What the workers of a run share while they search: limits, the wish for work, and what is done.
//! Looked at between portions of fuel, but for a limit of solutions.

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
    /// Solutions that may still be visited, if there is a limit: in some trees every node is one.
    solutions_left: Option<AtomicU64>,
    /// Solutions that workers have told of.
    solutions: AtomicU64,
    /// The share of the tree that is done, as the bits of a number.
    done: AtomicU64,
}

impl Team {
    pub(super) fn new(nodes: Option<u64>, solutions: Option<u64>) -> Self {
        let team = Team {
            called: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            stop: Mutex::new(None),
            nodes_left: AtomicU64::new(nodes.unwrap_or(u64::MAX)),
            nodes: AtomicU64::new(0),
            solutions_left: solutions.map(AtomicU64::new),
            solutions: AtomicU64::new(0),
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
        let left = self
            .nodes_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(take(left)));
        let granted = left.unwrap_or_else(|left| left).min(portion);
        self.nodes.fetch_add(granted, Ordering::Relaxed);
        granted
    }

    /// Gives back nodes that were taken and not visited.
    pub(crate) fn give_back_nodes(&self, nodes: u64) {
        let give = |left: u64| if left == u64::MAX { left } else { left + nodes };
        let _ = self
            .nodes_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(give(left)));
        self.nodes.fetch_sub(nodes, Ordering::Relaxed);
    }

    pub(super) fn has_nodes_left(&self) -> bool {
        self.nodes_left.load(Ordering::Relaxed) > 0
    }

    /// Whether each solution has to be counted when it is found.
    pub(super) fn limits_solutions(&self) -> bool {
        self.solutions_left.is_some()
    }

    /// Counts a solution if there is a limit, and stops all if there are enough.
    pub(super) fn count_solution(&self) -> ControlFlow<()> {
        let Some(left) = &self.solutions_left else { return ControlFlow::Continue(()) };
        // There may be none left: each worker may find one more.
        let take = |left: u64| Some(left.saturating_sub(1));
        let left = left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .unwrap_or_else(|left| left);
        if left <= 1 {
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

    /// Adds solutions that were visited.
    pub(crate) fn add_solutions(&self, solutions: u64) {
        self.solutions.fetch_add(solutions, Ordering::Relaxed);
    }

    pub(super) fn solutions(&self) -> u64 {
        self.solutions.load(Ordering::Relaxed)
    }
}

//! Counters and flags that the workers of a run share: limits, requests to pause or donate, and
//! progress.
//!
//! Workers access them between two portions of fuel, and at each solution if there is a limit on
//! solutions.
//!
//! # Memory orderings
//!
//! All counters are independent of each other and of other data, so `Relaxed` suffices for them:
//! each update is an atomic read-modify-write, so none is lost, and no access to other memory
//! depends on their values. Tasks and results move between threads under the lock of the pool
//! or through channels, which order memory accesses by themselves. The reason to stop is published
//! by [`OnceLock`].

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::limits::Stop;

/// The shared part of the meters of all workers of a run.
#[derive(Debug)]
pub(crate) struct SharedMeter {
    /// Whether a worker is idle while no task is queued, or all workers are to pause.
    attention: AtomicBool,
    /// The first reason to stop. The lock makes concurrent stops agree on one.
    stop: OnceLock<Stop>,
    /// Nodes that may still be visited; [`u64::MAX`] stands for no limit.
    nodes_left: AtomicU64,
    /// Nodes granted, without those given back.
    nodes: AtomicU64,
    /// Solutions that may still be visited, if there is a limit. Counted at once, because in some
    /// trees every node is a solution.
    solutions_left: Option<AtomicU64>,
    /// Solutions that workers have published.
    solutions: AtomicU64,
    /// The share of the tree that is done, as the bits of an `f64`.
    done: AtomicU64,
}

impl SharedMeter {
    pub(crate) fn new(nodes: Option<u64>, solutions: Option<u64>) -> Self {
        let shared = SharedMeter {
            attention: AtomicBool::new(false),
            stop: OnceLock::new(),
            nodes_left: AtomicU64::new(nodes.unwrap_or(u64::MAX)),
            nodes: AtomicU64::new(0),
            solutions_left: solutions.map(AtomicU64::new),
            solutions: AtomicU64::new(0),
            done: AtomicU64::new(0.0_f64.to_bits()),
        };
        if solutions == Some(0) {
            shared.stop(Stop::SolutionLimit);
        }
        shared
    }

    /// Returns whether busy workers have to pause or donate. `Relaxed`: the flag is only a hint,
    /// and a worker that sees an old value looks again when it next refuels. The state that it
    /// refers to is read under the pool's lock.
    pub(crate) fn needs_attention(&self) -> bool {
        self.attention.load(Ordering::Relaxed)
    }

    /// Requests that busy workers pause or donate, or cancels the request. Called under the pool's
    /// lock, which makes the last store the one that matches the state of the pool.
    pub(crate) fn set_attention(&self, attention: bool) {
        self.attention.store(attention, Ordering::Relaxed);
    }

    /// Stops all workers; the first reason is kept.
    pub(crate) fn stop(&self, stop: Stop) {
        self.stop.get_or_init(|| stop);
    }

    /// Returns the reason why all workers are to stop, if they are.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stop.get().copied()
    }

    /// Takes up to `portion` of the nodes that may still be visited.
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

    /// Returns the number of nodes that may still be visited, if it is limited. `Relaxed` suffices
    /// after the workers have ended.
    pub(crate) fn nodes_left(&self) -> Option<u64> {
        let left = self.nodes_left.load(Ordering::Relaxed);
        (left != u64::MAX).then_some(left)
    }

    /// Returns whether nodes may still be visited. `Relaxed` suffices: a worker gives back unused
    /// nodes before it locks the pool for its next task, and this is called under that lock.
    pub(crate) fn has_nodes_left(&self) -> bool {
        self.nodes_left.load(Ordering::Relaxed) > 0
    }

    /// Returns whether each solution has to be counted when it is found.
    pub(crate) fn limits_solutions(&self) -> bool {
        self.solutions_left.is_some()
    }

    /// Counts a solution if there is a limit, and stops all workers when it is reached.
    pub(crate) fn count_solution(&self) -> ControlFlow<()> {
        let Some(left) = &self.solutions_left else { return ControlFlow::Continue(()) };
        // It may be 0 already: each worker may find one more.
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
    pub(crate) fn add_share_done(&self, share: f64) {
        let add = |done: u64| Some((f64::from_bits(done) + share).to_bits());
        let _ = self.done.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Returns the share of the tree that is done.
    pub(crate) fn share_done(&self) -> f64 {
        f64::from_bits(self.done.load(Ordering::Relaxed))
    }

    /// Returns the number of nodes that were granted and not given back.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds solutions that were visited.
    pub(crate) fn add_solutions(&self, solutions: u64) {
        self.solutions.fetch_add(solutions, Ordering::Relaxed);
    }

    /// Returns the number of solutions that workers have published.
    pub(crate) fn solutions(&self) -> u64 {
        self.solutions.load(Ordering::Relaxed)
    }
}

//! Messages between the workers of a search: [`Task`] and [`Broadcast`].

use std::collections::VecDeque;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::cluster::error::Abort;
use crate::cluster::journal::TaskId;
use crate::limits::Stop;
use crate::search::{Frontier, Subtree};

/// Subtrees to be searched by the worker that receives them.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
pub(super) struct Task<C> {
    pub(super) id: TaskId,
    pub(super) subtrees: VecDeque<Subtree<C>>,
}

impl<C> fmt::Debug for Task<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("id", &self.id).field("subtrees", &self.subtrees).finish()
    }
}

/// A message on [`Channel::Broadcast`](crate::cluster::transport::Channel::Broadcast).
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
pub(super) enum Broadcast<C> {
    /// The serialized value of a solution.
    Incumbent(Vec<u8>),
    /// The progress of the sender.
    Progress(WorkDone),
    /// All workers stop.
    Stop(Halt),
    /// The final progress and results of the sender, its last message.
    Results(WorkDone, Box<Frontier<C>>),
}

/// Statistics for [progress](crate::search::Progress).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct WorkDone {
    pub(super) nodes: u64,
    pub(super) solutions: u64,
    /// The explored share of the tree, from 0 to 1.
    pub(super) share: f64,
}

/// The reason why a worker stops all others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Halt {
    /// A limit, or a solution if one suffices.
    Stop(Stop),
    /// A failure, which ranks before limits.
    Abort(Abort),
}

impl From<Abort> for Halt {
    fn from(abort: Abort) -> Self {
        Halt::Abort(abort)
    }
}

impl Halt {
    /// Returns the rank of this reason when it comes from `worker`. Of several simultaneous
    /// reasons, all workers choose the one of lowest rank. Failures rank before limits.
    pub(super) fn rank(&self, worker: usize) -> (bool, usize) {
        (matches!(self, Halt::Stop(_)), worker)
    }
}

/// Serializes data for a message or a record.
pub(super) fn encode(data: &impl Serialize) -> Result<Vec<u8>, Abort> {
    postcard::to_allocvec(data).map_err(|error| Abort::Unsuitable(error.to_string()))
}

//! Messages between the workers of a search: [`Task`] and [`Broadcast`].

use std::collections::VecDeque;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

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

impl<C: Serialize + DeserializeOwned> Task<C> {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, String> {
        postcard::to_allocvec(self).map_err(|error| error.to_string())
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        crate::checkpoint::decode(bytes)
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
    /// Code of the caller has panicked.
    Panic(String),
    /// The journal cannot be written.
    Journal(String),
    /// A choice or a value cannot be serialized.
    Unsuitable(String),
    /// A message of worker `by` cannot be deserialized.
    Undecodable { by: usize, reason: String },
}

impl Halt {
    /// Returns the rank of this reason when it comes from `worker`. Of several simultaneous
    /// reasons, all workers choose the one of lowest rank. Failures rank before limits.
    pub(super) fn rank(&self, worker: usize) -> (bool, usize) {
        (matches!(self, Halt::Stop(_)), worker)
    }
}

impl<C: Serialize + DeserializeOwned> Broadcast<C> {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, String> {
        postcard::to_allocvec(self).map_err(|error| error.to_string())
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        crate::checkpoint::decode(bytes)
    }
}

//! Messages between the workers of a search: [`Task`] and [`Broadcast`].

use std::collections::VecDeque;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cluster::journal::TaskId;
use crate::limits::Stop;
use crate::search::Frontier;
use crate::search::Subtree;
use crate::search::subtree::deal;

/// Subtrees that are to be searched, by whoever gets them.
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

/// Divides what is left of a task into so many parts of about the same size, or fewer if there is
/// less to divide.
pub(super) fn divide<C: Clone>(
    subtrees: VecDeque<Subtree<C>>,
    parts: usize,
) -> Vec<VecDeque<Subtree<C>>> {
    if subtrees.is_empty() {
        return Vec::new();
    }
    if parts == 1 {
        return vec![subtrees];
    }
    let mut dealt = deal(subtrees, parts);
    dealt.retain(|part| !part.is_empty());
    dealt
}

/// A message on the line of broadcast.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
pub(super) enum Broadcast<C> {
    /// A value that some solution has.
    Incumbent(Vec<u8>),
    /// What the sender has done so far.
    Progress(WorkDone),
    /// Nobody is to go on.
    Stop(Halt),
    /// All that the sender has explored; its last payload.
    Results(Box<Frontier<C>>),
}

/// Figures for [progress](crate::search::Progress).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct WorkDone {
    pub(super) nodes: u64,
    pub(super) solutions: u64,
    /// The share of the tree.
    pub(super) share: f64,
}

/// Why a worker has all others stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Halt {
    /// A limit, or a solution where one is enough.
    Stop(Stop),
    /// Code of the caller has panicked.
    Panic(String),
    /// Its journal cannot be written.
    Journal(String),
    /// Something cannot be sent.
    Unsuitable(String),
    /// It was sent something that it does not understand.
    Undecodable { by: usize, reason: String },
}

impl Halt {
    /// Of several that have happened at the same time, the least is what is said: a failure before
    /// a limit.
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

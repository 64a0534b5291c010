//! What all workers should know.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::limits::Stop;
use crate::search::Frontier;

/// A letter on the line of news.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
pub(super) enum News<C> {
    /// A value that some solution has.
    Incumbent(Vec<u8>),
    /// What the sender has done so far.
    Progress(Done),
    /// Nobody is to go on.
    Stop(Halt),
    /// All that the sender has explored; its last word.
    Account(Box<Frontier<C>>),
}

/// Figures for [progress](crate::search::Progress).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Done {
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
    Garbled { by: usize, reason: String },
}

impl Halt {
    /// Of several that have happened at the same time, the least is what is said: a failure before
    /// a limit.
    pub(super) fn rank(&self, worker: usize) -> (bool, usize) {
        (matches!(self, Halt::Stop(_)), worker)
    }
}

impl<C: Serialize + DeserializeOwned> News<C> {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, String> {
        postcard::to_allocvec(self).map_err(|error| error.to_string())
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        crate::checkpoint::decode(bytes)
    }
}

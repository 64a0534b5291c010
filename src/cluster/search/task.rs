//! What travels: a part of the tree that somebody is to search.

use std::collections::VecDeque;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cluster::journal::TaskId;
use crate::search::Subtree;
use crate::search::frontier::deal::deal;

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

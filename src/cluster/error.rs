//! Errors of runs on a cluster: [`ClusterError`], and [`Abort`], as workers send it to others.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::checkpoint::{UNNAMED, write_unstated};

/// An error that prevented a cluster from being set up, or a run on it from giving an answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// An option of [`Cluster::from_args`](super::Cluster::from_args), an address or the secret is
    /// not valid, or options contradict each other.
    Options {
        /// The invalid option, what was found and what was expected.
        reason: String,
    },
    /// The processes could not be connected.
    Connect {
        /// The error of the network.
        reason: String,
    },
    /// The run was [cancelled](crate::Limits::cancel) before all processes were connected.
    Cancelled {
        /// The processes that it waited for.
        reason: String,
    },
    /// Another process has died or cannot be reached any more, or a message from it is damaged. The
    /// run is lost, except for what is in a journal.
    PeerLost {
        /// The error of the network.
        reason: String,
    },
    /// Code of the caller, such as a hook, has panicked in another process.
    Panicked {
        /// The number of the worker, from 0, over all processes.
        worker: usize,
        /// The message of the panic.
        message: String,
    },
    /// A journal could not be read or written.
    Journal {
        /// The number of the worker, from 0, over all processes.
        worker: usize,
        /// The file, and the cause.
        reason: String,
    },
    /// A message of another process is not one that this program sends: the other process runs
    /// another program, or another problem.
    OtherProgram {
        /// The number of the worker, from 0, over all processes.
        worker: usize,
        /// The difference.
        reason: String,
    },
    /// Several processes need a fingerprint of the problem, and none was set.
    Unidentified,
    /// A hook, a brancher or the question has not stated its
    /// [parameters](crate::Hook::parameters), so it is unknown whether all processes and journals
    /// have the same.
    Unstated {
        /// The hook, the brancher or the question.
        part: String,
    },
    /// The objective has no [name](crate::Objective::named), so it is unknown whether all processes
    /// and journals have the same.
    Unnamed,
    /// Choices, states or values cannot be serialized so that they can be read again.
    Unsuitable {
        /// The error of the serializer.
        reason: String,
    },
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::Options { reason } => write!(f, "options of the cluster: {reason}"),
            ClusterError::Connect { reason } => {
                write!(f, "the processes were not connected: {reason}")
            }
            ClusterError::Cancelled { reason } => write!(f, "cancelled while waiting: {reason}"),
            ClusterError::PeerLost { reason } => {
                write!(f, "another process of the cluster is lost: {reason}")
            }
            ClusterError::Panicked { worker, message } => {
                write!(f, "worker {worker} has panicked: {message}")
            }
            ClusterError::Journal { worker, reason } => {
                write!(f, "the journal of worker {worker}: {reason}")
            }
            ClusterError::OtherProgram { worker, reason } => {
                write!(f, "worker {worker} runs another program: {reason}")
            }
            ClusterError::Unidentified => f.write_str(
                "several processes need a fingerprint of the problem, to compare it: call \
                `problem`",
            ),
            ClusterError::Unstated { part } => write_unstated(f, part),
            ClusterError::Unnamed => f.write_str(UNNAMED),
            ClusterError::Unsuitable { reason } => {
                write!(f, "cannot be sent to another process: {reason}")
            }
        }
    }
}

impl std::error::Error for ClusterError {}

/// The reason why a run ends without an answer, which a worker sends to all others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Abort {
    /// Code of the caller has panicked.
    Panicked(String),
    /// The journal cannot be read or written.
    Journal(String),
    /// Choices, states or values cannot be serialized.
    Unsuitable(String),
    /// A message of worker `by` cannot be deserialized.
    Undecodable { by: usize, reason: String },
}

impl Abort {
    /// Converts the failure of a worker into an error.
    pub(super) fn into_error(self, worker: usize) -> ClusterError {
        match self {
            Abort::Panicked(message) => ClusterError::Panicked { worker, message },
            Abort::Journal(reason) => ClusterError::Journal { worker, reason },
            Abort::Unsuitable(reason) => ClusterError::Unsuitable { reason },
            Abort::Undecodable { by, reason } => ClusterError::OtherProgram { worker: by, reason },
        }
    }
}

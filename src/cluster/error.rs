//! Why a run on a cluster gave no answer.

use std::fmt;

use crate::checkpoint::write_unstated;

/// Why a cluster was not set up, or a run on it gave no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// The options are not such as [`Cluster::from_args`](super::Cluster::from_args) takes.
    Options {
        /// What is wrong with them.
        reason: String,
    },
    /// The processes could not be connected.
    Connect {
        /// What the network said.
        reason: String,
    },
    /// The run was [cancelled](crate::Limits::cancel) before all processes were connected.
    Cancelled {
        /// The processes that it waited for.
        reason: String,
    },
    /// Another process has died, or cannot be reached any more: the run is lost, but for what is in
    /// a journal.
    PeerLost {
        /// What the network said.
        reason: String,
    },
    /// Code of the caller, such as a hook, has panicked in another process.
    Panicked {
        /// The number of the worker, from 0, over all processes.
        worker: usize,
        /// What it said.
        message: String,
    },
    /// A journal could not be read or written.
    Journal {
        /// The number of the worker, from 0, over all processes.
        worker: usize,
        /// Which file, and what is wrong.
        reason: String,
    },
    /// What came from another process is not what this one would have sent: it runs another
    /// program, or another problem.
    OtherProgram {
        /// The number of the worker, from 0, over all processes.
        worker: usize,
        /// What is different.
        reason: String,
    },
    /// Several processes are to work on one problem, and nothing tells it from another one of the
    /// same type.
    Unidentified,
    /// A hook or a brancher has not stated its [parameters](crate::Hook::parameters): whether all
    /// processes and journals have the same is not known.
    Unstated {
        /// Which one.
        part: String,
    },
    /// Choices, states or values cannot be written so that they can be read again.
    Unsuitable {
        /// What happened when it was tried.
        reason: String,
    },
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::Options { reason } => write!(f, "options of the cluster: {reason}"),
            ClusterError::Connect { reason } => write!(f, "the processes were not connected: {reason}"),
            ClusterError::Cancelled { reason } => write!(f, "cancelled while waiting: {reason}"),
            ClusterError::PeerLost { reason } => write!(f, "another process of the cluster is lost: {reason}"),
            ClusterError::Panicked { worker, message } => write!(f, "worker {worker} has panicked: {message}"),
            ClusterError::Journal { worker, reason } => write!(f, "the journal of worker {worker}: {reason}"),
            ClusterError::OtherProgram { worker, reason } => {
                write!(f, "worker {worker} does not run the same: {reason}")
            }
            ClusterError::Unidentified => f.write_str(
                "several processes need a fingerprint of the problem, to notice that one has another: call `problem`",
            ),
            ClusterError::Unstated { part } => write_unstated(f, part),
            ClusterError::Unsuitable { reason } => write!(f, "cannot be sent from process to process: {reason}"),
        }
    }
}

impl std::error::Error for ClusterError {}

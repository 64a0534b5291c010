//! The connection between a search and its [journal](crate::cluster::journal): recovery at the
//! start, and records while it runs.

use std::collections::VecDeque;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::messages::{Task, encode};
use crate::checkpoint::{Fingerprint, LoadError, Lock, SaveError, decode};
use crate::cluster::error::{Abort, ClusterError};
use crate::cluster::journal::{Journal, Recovered, RunId, TaskId, lock_directory, recover};
use crate::problem::Problem;
use crate::search::executor::check_subtree;
use crate::search::{Frontier, Subtree};

/// The directory of the journals of a search, and its fingerprint.
#[derive(Clone, Debug)]
pub(super) struct JournalLocation {
    pub(super) directory: PathBuf,
    pub(super) fingerprint: Fingerprint,
}

/// The state in which a run begins.
pub(super) struct StartingPoint<C> {
    /// The unexplored part of the tree.
    pub(super) tasks: Vec<Task<C>>,
    /// The results of earlier runs.
    pub(super) results: Frontier<C>,
}

impl<C> StartingPoint<C> {
    /// Creates the state of a new search: the whole tree.
    pub(super) fn whole() -> Self {
        let task = Task { id: initial_task(0), subtrees: VecDeque::from([Subtree::whole()]) };
        StartingPoint { tasks: vec![task], results: Frontier::of(VecDeque::new()) }
    }
}

/// Returns the identity of an initial task. No worker of this run creates a task with the same one.
fn initial_task(number: u64) -> TaskId {
    TaskId { worker: u32::MAX, number }
}

/// The writer of the journal of this process.
pub(super) struct JournalWriter {
    journal: Journal,
    /// The lock of the directory, held by process 0 until the run has ended. It excludes other
    /// clusters.
    _lock: Option<Lock>,
}

/// The journal of a started run, the state in which it begins, and the statistics of the recovery,
/// if there were earlier runs.
pub(super) type StartedJournal<C> = (JournalWriter, StartingPoint<C>, Option<Recovered>);

fn journal_error(error: impl ToString) -> ClusterError {
    ClusterError::Journal { worker: 0, reason: error.to_string() }
}

/// Returns the reason why data are invalid, without the prefix that all messages of this error
/// have.
fn bare_reason(error: LoadError) -> String {
    match error {
        LoadError::Inconsistent { reason } => reason,
        error => error.to_string(),
    }
}

fn abort(error: SaveError) -> Abort {
    Abort::Journal(error.to_string())
}

impl JournalWriter {
    /// Recovers the earlier runs and begins the next one, as process 0. `revisit` receives the
    /// results of the earlier runs.
    pub(super) fn begin<P: Problem<Choice: Serialize + DeserializeOwned>>(
        location: &JournalLocation,
        problem: &P,
        revisit: impl FnOnce(&mut Frontier<P::Choice>),
    ) -> Result<StartedJournal<P::Choice>, ClusterError> {
        let mut done: Frontier<P::Choice> = Frontier::of(VecDeque::new());
        let lock = lock_directory(&location.directory).map_err(journal_error)?;
        let recovery = recover(
            &location.directory,
            &location.fingerprint,
            |results| {
                let results: Frontier<P::Choice> = decode(results)?;
                results.validate()?;
                if results.subtrees().len() > 0 {
                    return Err(format!(
                        "found {} subtrees among the results of explored parts, expected none",
                        results.subtrees().len()
                    ));
                }
                results.check(problem).map_err(bare_reason)?;
                done.absorb(results);
                Ok(())
            },
            |task| {
                let subtrees: VecDeque<Subtree<P::Choice>> = decode(task)?;
                subtrees
                    .iter()
                    .try_for_each(|subtree| check_subtree(problem, subtree))
                    .map_err(bare_reason)?;
                Ok(subtrees)
            },
        );
        let recovery = recovery.map_err(journal_error)?;
        let recovered = recovery.found_run.then_some(recovery.stats);
        let mut start = StartingPoint::whole();
        if recovery.found_run {
            start.results = done;
            let tasks = (0..).zip(recovery.tasks);
            start.tasks = tasks
                .map(|(number, (_, subtrees))| Task { id: initial_task(number), subtrees })
                .collect();
        }
        revisit(&mut start.results);
        // If a hook infers fewer choices than in an earlier run, the recorded path of a solution
        // may end at a node above the solution. The subtree of that node is searched again.
        let (again, results) = std::mem::take(&mut start.results).part();
        start.results = results;
        if !again.is_empty() {
            start.tasks.push(Task { id: initial_task(start.tasks.len() as u64), subtrees: again });
        }
        let (results, tasks) =
            serialized(&start.results, &start.tasks).map_err(|abort| abort.into_error(0))?;
        let journal = Journal::begin(recovery.directory, results, tasks).map_err(journal_error)?;
        Ok((JournalWriter { journal, _lock: Some(lock) }, start, recovered))
    }

    /// Joins the run that process 0 has begun and described in its [payload](Self::payload).
    pub(super) fn join(
        location: &JournalLocation,
        payload: &[u8],
        process: usize,
    ) -> Result<Self, Abort> {
        let run: RunId = decode(payload).map_err(|reason| Abort::Undecodable { by: 0, reason })?;
        let journal =
            Journal::join(&location.directory, &location.fingerprint, run, process as u32);
        let journal = journal.map_err(abort)?;
        Ok(JournalWriter { journal, _lock: None })
    }

    /// Returns the data that the other processes need to join.
    pub(super) fn payload(&self) -> Vec<u8> {
        postcard::to_allocvec(&self.journal.run()).unwrap_or_default()
    }

    /// Records a slice of a task: its results and its remaining tasks.
    pub(super) fn record<C: Serialize>(
        &self,
        task: TaskId,
        results: &Frontier<C>,
        remaining: &[Task<C>],
    ) -> Result<(), Abort> {
        let (results, remaining) = serialized(results, remaining)?;
        self.journal.append(task, &results, &remaining).map_err(abort)
    }
}

/// Serialized results and tasks.
type Serialized = (Vec<u8>, Vec<(TaskId, Vec<u8>)>);

fn serialized<C: Serialize>(results: &Frontier<C>, tasks: &[Task<C>]) -> Result<Serialized, Abort> {
    let tasks = tasks.iter().map(|task| Ok((task.id, encode(&task.subtrees)?)));
    Ok((encode(results)?, tasks.collect::<Result<_, _>>()?))
}

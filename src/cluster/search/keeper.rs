//! What a search leaves in its [journal](crate::cluster::journal), and how it goes on from there.

use std::collections::VecDeque;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::news::Halt;
use super::task::Task;
use crate::checkpoint::{Fingerprint, Lock, decode};
use crate::cluster::error::ClusterError;
use crate::cluster::journal::{
    Journal, JournalError, Recovered, Run, TaskId, lock_directory, recover,
};
use crate::problem::Problem;
use crate::search::{Frontier, Subtree, check_subtree};

/// Where the journals of a search are.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) directory: PathBuf,
    pub(super) fingerprint: Fingerprint,
}

/// Where a search begins, or goes on.
pub(super) struct Beginning<C> {
    /// What is left of the tree.
    pub(super) tasks: Vec<Task<C>>,
    /// What was explored before.
    pub(super) account: Frontier<C>,
}

impl<C> Beginning<C> {
    /// With the whole tree.
    pub(super) fn whole() -> Self {
        let task = Task { id: first(0), subtrees: VecDeque::from([Subtree::whole()]) };
        Beginning { tasks: vec![task], account: Frontier::of(VecDeque::new()) }
    }
}

/// The name of a task that no worker of this run has made.
fn first(number: u64) -> TaskId {
    TaskId { worker: u32::MAX, number }
}

/// Writes what the workers of this process have done.
pub(super) struct Keeper {
    journal: Journal,
    /// Of the whole directory, in process 0, until the run has ended.
    _lock: Option<Lock>,
}

/// The journal of a run that has begun, where the run begins, and what was found of earlier runs.
pub(super) type Begun<C> = (Keeper, Beginning<C>, Option<Recovered>);

fn failed(error: JournalError) -> ClusterError {
    ClusterError::Journal { worker: 0, reason: error.to_string() }
}

fn unsuitable(error: postcard::Error) -> ClusterError {
    ClusterError::Unsuitable { reason: error.to_string() }
}

impl Keeper {
    /// Reads what is there and begins the next run, as process 0; `revisit` gets what was explored.
    pub(super) fn begin<P: Problem<Choice: Serialize + DeserializeOwned>>(
        place: &Place,
        problem: &P,
        revisit: impl FnOnce(&mut Frontier<P::Choice>),
    ) -> Result<Begun<P::Choice>, ClusterError> {
        let mut done: Frontier<P::Choice> = Frontier::of(VecDeque::new());
        let lock = lock_directory(&place.directory).map_err(failed)?;
        let recovery = recover(&place.directory, &place.fingerprint, |account| {
            done.absorb(decode(account)?);
            Ok(())
        });
        let recovery = recovery.map_err(failed)?;
        let recovered = recovery.account.is_some().then_some(recovery.figures);
        let unsound = |reason| ClusterError::Journal { worker: 0, reason };
        let mut beginning = Beginning::whole();
        if let Some(account) = &recovery.account {
            beginning.account = decode(account).map_err(unsound)?;
            beginning.account.absorb(done);
            let numbered = (0..).zip(&recovery.tasks);
            let tasks = numbered.map(|(number, (_, bytes))| {
                Ok(Task { id: first(number), subtrees: decode(bytes)? })
            });
            beginning.tasks = tasks.collect::<Result<_, String>>().map_err(unsound)?;
            let subtrees = beginning.tasks.iter().flat_map(|task| &task.subtrees);
            let checked = beginning.account.check(problem);
            let checked = checked.and_then(|()| {
                subtrees.into_iter().try_for_each(|own| check_subtree(problem, own))
            });
            checked.map_err(|error| unsound(error.to_string()))?;
        }
        revisit(&mut beginning.account);
        // A path to a solution that is none any more, as a hook takes less away now, is one to be
        // searched again.
        let (again, account) = std::mem::take(&mut beginning.account).part();
        beginning.account = account;
        if !again.is_empty() {
            beginning.tasks.push(Task { id: first(beginning.tasks.len() as u64), subtrees: again });
        }
        let account = postcard::to_allocvec(&beginning.account).map_err(unsuitable)?;
        let tasks = written(&beginning.tasks).map_err(unsuitable)?;
        let journal = recovery.directory.begin(account, tasks).map_err(failed)?;
        Ok((Keeper { journal, _lock: Some(lock) }, beginning, recovered))
    }

    /// Joins the run that process 0 has begun, which it has [told](Self::word).
    pub(super) fn join(place: &Place, word: &[u8], process: usize) -> Result<Self, Halt> {
        let run: Run = decode(word).map_err(|reason| Halt::Garbled { by: 0, reason })?;
        let journal = Journal::join(&place.directory, &place.fingerprint, run, process as u32);
        let journal = journal.map_err(|error| Halt::Journal(error.to_string()))?;
        Ok(Keeper { journal, _lock: None })
    }

    /// What the others are to be told.
    pub(super) fn word(&self) -> Vec<u8> {
        postcard::to_allocvec(&self.journal.run()).unwrap_or_default()
    }

    /// A task was run for a while, which came to `account`; these are what is left of it.
    pub(super) fn keep<C: Serialize>(
        &self,
        task: TaskId,
        account: &Frontier<C>,
        rest: &[Task<C>],
    ) -> Result<(), Halt> {
        let unsuitable = |error: postcard::Error| Halt::Unsuitable(error.to_string());
        let account = postcard::to_allocvec(account).map_err(unsuitable)?;
        let rest = written(rest).map_err(unsuitable)?;
        self.journal
            .finished(task, &account, &rest)
            .map_err(|error| Halt::Journal(error.to_string()))
    }
}

fn written<C: Serialize>(tasks: &[Task<C>]) -> Result<Vec<(TaskId, Vec<u8>)>, postcard::Error> {
    tasks.iter().map(|task| Ok((task.id, postcard::to_allocvec(&task.subtrees)?))).collect()
}

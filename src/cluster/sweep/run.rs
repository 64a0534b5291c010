//! A sweep on all workers: its start, and its answers or errors.

use std::any::{Any, type_name};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::OnCluster;
use super::exchange::Exchange;
use super::journal::{JournalPlan, LayerId, LayerJournal};
use super::worker::Worker;
use crate::checkpoint::Fingerprint;
use crate::cluster::error::{Abort, ClusterError};
use crate::cluster::handshake::{Handshake, property};
use crate::cluster::runtime::panic_message;
use crate::limits::{Limits, Stop};
use crate::plug::executor::{Question, SweepRun, SweepSettings, SweepStats, hash};
use crate::plug::{ContourProblem, Executor, SweepHooks};
use crate::report::Report;

/// The reason why a worker has no answer.
enum WorkerError {
    /// A failure here or elsewhere, which all workers know.
    Failed(ClusterError),
    /// A panic in this worker, which all others know.
    Panicked(Box<dyn Any + Send>),
}

/// Returns the handshake: the properties that all processes must agree on.
fn handshake<P: ContourProblem>(
    problem: &P,
    first_states: &str,
    limits: &Limits,
    question: &str,
    fingerprint: Option<&Fingerprint>,
    journal: Option<&JournalPlan>,
) -> Handshake {
    let cells = problem.cells();
    let Limits { nodes, depth, states, bytes, .. } = limits;
    Handshake::new(
        [
            ("problem", type_name::<P>().to_owned()),
            ("fingerprint", property(fingerprint)),
            ("number of cells", cells.to_string()),
            ("sum of first states", first_states.to_owned()),
            ("question", question.to_owned()),
            (
                "limits",
                format!("{nodes:?} nodes, {depth:?} cells, {states:?} states, {bytes:?} bytes"),
            ),
            ("journal", property(journal.map(|journal| &journal.fingerprint))),
            // The hash of a state, which determines its owner, depends on the machine.
            (
                "machine",
                format!(
                    "{} bits, {}",
                    usize::BITS,
                    if cfg!(target_endian = "big") { "big" } else { "little" }
                ),
            ),
        ],
        Vec::new(),
    )
}

/// The maximal number of states of each layer by which instances are compared: problems of one type
/// may be different boards.
const PROBE_SIZE: usize = 8;

/// Returns a hash of the first few states of each layer.
fn probe<P: ContourProblem>(problem: &P) -> u64 {
    let (mut sum, mut states) = (0_u64, vec![problem.start()]);
    for cell in 0..problem.cells() {
        if problem.fits(cell).is_err() {
            break;
        }
        let mut next = Vec::with_capacity(PROBE_SIZE);
        for state in states {
            problem.step(cell, state, &mut |state, _| {
                if next.len() < PROBE_SIZE {
                    next.push(state);
                }
            });
        }
        sum = next.iter().fold(sum.rotate_left(5), |sum, state| sum.rotate_left(7) ^ hash(state));
        states = next;
    }
    sum
}

impl<P, H> Executor<P, H> for OnCluster<'_>
where
    P: ContourProblem<State: Serialize + DeserializeOwned>,
    H: SweepHooks<P>,
{
    type Answer<T> = Result<T, ClusterError>;
    type Sweeper = Worker;
    type Error = ClusterError;

    fn execute<T: Send>(
        self,
        settings: SweepSettings<'_, P, H>,
        question: &Question,
        work: impl Fn(SweepRun<'_, '_, P, H, Worker>) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), ClusterError> {
        let OnCluster { cluster, journal, fingerprint, traffic } = self;
        let of_journal = || journal.as_ref().map(|plan| plan.fingerprint.clone());
        let fingerprint =
            fingerprint.map(|problem| settings.fingerprint(problem)).or_else(of_journal);
        let SweepSettings { problem, hooks, limits, mut watcher, .. } = settings;
        let (cells, claims) = (problem.cells(), hooks.claims());
        cluster.require_fingerprint(fingerprint.as_ref(), journal.is_some())?;
        let question_text = match question.text() {
            Err(part) if cluster.needs_identities(journal.is_some()) => {
                return Err(ClusterError::Unstated { part });
            }
            Ok(text) | Err(text) => text,
        };
        let inputs: Vec<_> =
            (0..cluster.local_workers()).map(|index| (watcher.take(), index == 0)).collect();
        let results = cluster.run(
            limits.cancel.as_ref(),
            inputs,
            |transport, capabilities, (watcher, is_first_here)| {
                let exchange = Exchange::new(transport, capabilities, traffic.clone());
                let mut worker = Worker::new(exchange, is_first_here);
                let mut stats = SweepStats::new(limits.clone(), 1, watcher, cells, claims.clone());
                // A panic is caught, so that this worker can broadcast it.
                let worked = catch_unwind(AssertUnwindSafe(|| {
                    // All others wait for the handshake, so it is sent even if the problem panics
                    // here.
                    let probed =
                        catch_unwind(AssertUnwindSafe(|| format!("{:016x}", probe(problem))));
                    let first_states = probed.as_deref().unwrap_or("a panic");
                    let agreed = worker.exchange.shake_hands(&handshake(
                        problem,
                        first_states,
                        &limits,
                        &question_text,
                        fingerprint.as_ref(),
                        journal.as_ref(),
                    ));
                    if let Err(panic) = probed {
                        resume_unwind(panic);
                    }
                    agreed?;
                    let (own, peers) = (worker.exchange.index(), worker.exchange.peers());
                    let journal = journal.clone().map(|plan| LayerJournal::new(plan, own, peers));
                    worker.journal = journal
                        .transpose()
                        .map_err(|reason| worker.exchange.abort(Abort::Journal(reason)))?;
                    let result = stats.record_reads(|stats| {
                        let sweeper = &mut worker;
                        work(SweepRun { problem, hooks: &hooks, stats, sweeper, question })
                    });
                    close(&mut worker, stats, result, question.reads_labels)
                }));
                match worked {
                    Ok(Ok(answer)) => Ok(Ok(answer)),
                    Err(panic) => {
                        worker.exchange.abort(Abort::Panicked(panic_message(&*panic)));
                        Ok(Err(WorkerError::Panicked(panic)))
                    }
                    // After a lost connection, the run ends without a further round, because not
                    // all peers could take part in it.
                    Ok(Err(_)) => match worker.exchange.take_failure() {
                        Some(error @ ClusterError::PeerLost { .. }) => Err(error),
                        Some(error) => Ok(Err(WorkerError::Failed(error))),
                        None => Err(ClusterError::PeerLost {
                            reason: "the sweep has stopped without a reason".to_owned(),
                        }),
                    },
                }
            },
        )?;
        let (mut answer, mut failure) = (None, None);
        for result in results {
            match result {
                Ok(own) => answer = answer.or(Some(own)),
                Err(WorkerError::Failed(error)) => failure = failure.or(Some(error)),
                Err(WorkerError::Panicked(panic)) => resume_unwind(panic),
            }
        }
        let no_worker = || ClusterError::PeerLost { reason: "there was no worker".to_owned() };
        failure.map_or_else(|| answer.ok_or_else(no_worker), Err)
    }

    fn answer<T>(result: Result<T, ClusterError>) -> Result<T, ClusterError> {
        result
    }
}

/// The last message of a worker.
#[derive(Serialize, Deserialize)]
pub(super) struct Closing {
    /// The time of this worker. All workers report that of worker 0.
    pub(super) elapsed: Duration,
    pub(super) unsaved: Option<String>,
    pub(super) saved: Option<LayerId>,
    /// Whether this worker knows of a read of an incumbent.
    pub(super) read_incumbent: bool,
}

/// Performs the last round, which makes the reports of all workers equal.
fn close<T>(
    worker: &mut Worker,
    stats: SweepStats<'_>,
    result: Result<T, Stop>,
    reads_labels: bool,
) -> Result<(Result<T, Stop>, Report), Stop> {
    let stop = result.as_ref().err().copied().unwrap_or(Stop::Exhausted);
    let mut report = stats.report(stop, reads_labels);
    let saved = worker.journal.as_ref().and_then(LayerJournal::saved);
    let mut all = worker.exchange.all_gather(Closing {
        elapsed: report.elapsed,
        unsaved: report.unsaved.clone(),
        saved,
        read_incumbent: report.read_incumbent,
    })?;
    if let Some(journal) = &mut worker.journal {
        journal.learn(all.iter().map(|closing| closing.saved));
    }
    if all.iter().any(|closing| closing.read_incumbent) {
        report.add_read_in_sweep();
    }
    report.elapsed = all[0].elapsed;
    report.unsaved = all.iter_mut().find_map(|closing| closing.unsaved.take());
    Ok((result, report))
}

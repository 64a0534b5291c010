//! A run of a search on all workers: start, handshake, the combination of their results, and the
//! questions that it answers.

use std::any::type_name;
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::ClusterSearch;
use super::journal_writer::{JournalLocation, JournalWriter, StartingPoint};
use super::messages::{Halt, encode};
use super::progress::ProgressTracker;
use super::query::{AnyQuery, BestQuery, CountQuery, Query};
use super::worker::{Worker, WorkerResult};
use crate::brancher::{Brancher, is_nondeterministic};
use crate::checkpoint::{Fingerprint, decode};
use crate::cluster::error::{Abort, ClusterError};
use crate::cluster::handshake::{Handshake, property};
use crate::hook::{Hooks, Node};
use crate::incumbent::{Objective, ObjectiveValue};
use crate::limits::{Limits, Stop};
use crate::outcome::{Count, Found, Optimum, Outcome, Uniqueness};
use crate::problem::{Branch, Problem};
use crate::report::Report;
use crate::search::executor::{OfferedValues, Origin, existence, optimum};
use crate::search::{Extract, Frontier, Search};

/// The combined result of a run.
struct RunResult<'p, P: Problem, B, H> {
    results: Frontier<P::Choice>,
    report: Report,
    origin: Origin<'p, P, B, H>,
    /// The values that were offered to the incumbents of all processes before the run.
    offered: OfferedValues,
}

/// The data of a worker for all others.
#[derive(Serialize, Deserialize)]
struct Payload {
    /// The description of the run for processes that join the journal; empty if there is no
    /// journal, and in all processes but the first.
    run: Vec<u8>,
    /// The values that were offered to the incumbent of the process.
    offered: OfferedValues,
}

impl<'p, P, B, H, X> ClusterSearch<'p, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + Serialize + DeserializeOwned> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
{
    /// Lets the workers of all processes search, and combines their results. In process 0,
    /// `recovered` receives the results of earlier runs before this one begins.
    fn execute<Q: Query<P>>(
        self,
        query: impl Fn() -> Q,
        recovered: impl FnOnce(&Origin<'p, P, B, H>, &mut Frontier<P::Choice>),
    ) -> Result<(RunResult<'p, P, B, H>, X), ClusterError> {
        let ClusterSearch { search, cluster, slice, trace, journal, fingerprint, on_recovery } =
            self;
        let problem = fingerprint.or_else(|| journal.as_ref().map(|(_, problem)| problem.clone()));
        let (question, offered) = {
            // This precedes the recovery, which gives the best value of earlier runs to the
            // incumbent. If the objective was used before, the incumbent may have that value
            // already, and it is removed from `offered` below.
            let query = query();
            (query.name(), query.offered())
        };
        if question.is_none() && cluster.needs_identities(journal.is_some()) {
            return Err(ClusterError::Unnamed);
        }
        let question = question.unwrap_or_else(|| Q::NAME.to_owned());
        let identity = |problem| search.fingerprint(problem).with_question(question.clone());
        let fingerprint = problem.map(identity);
        cluster.require_fingerprint(fingerprint.as_ref(), journal.is_some())?;
        let location = journal.map(|(directory, problem)| JournalLocation {
            directory,
            fingerprint: identity(problem),
        });
        let Search { problem, brancher, hooks, extract, settings, .. } = search;
        let (mut limits, watcher) = (settings.limits, settings.watcher);
        // The limit applies to the process, and each of its workers may use an even share.
        limits.bytes = limits.bytes.map(|bytes| bytes / cluster.local_workers() as u64);
        let origin = || Origin { problem, brancher: brancher.clone(), hooks: hooks.clone() };
        // This precedes the connection of the processes, so that no process writes into a journal
        // while it is read.
        let (journal_writer, start) = match &location {
            Some(location) if cluster.is_first() => {
                let (journal_writer, start, recovered) =
                    JournalWriter::begin(location, problem, |results| {
                        recovered(&origin(), results)
                    })?;
                if let (Some(callback), Some(recovered)) = (on_recovery, recovered) {
                    callback(&recovered);
                }
                (Some(journal_writer), start)
            }
            _ => (None, StartingPoint::whole()),
        };
        let offered = offered.without(&start.results.best);
        let run = journal_writer.as_ref().map_or_else(Vec::new, JournalWriter::payload);
        let payload = encode(&Payload { run, offered }).map_err(|abort| abort.into_error(0))?;
        let handshake = handshake(
            problem,
            question,
            &limits,
            (fingerprint.as_ref(), location.as_ref()),
            payload,
        );
        let journal_writer: OnceLock<JournalWriter> =
            journal_writer.map_or_else(OnceLock::new, OnceLock::from);
        // One worker of each process joins the journal, the first that holds this lock. The lock
        // protects no data: `journal_writer` is a cell of its own.
        let joining = Mutex::new(());
        let interval = watcher.as_ref().map(|watcher| watcher.every);
        // Only one worker takes each of these values. The locks are held only to take them, so that
        // a poisoned lock is still valid.
        let (watcher, start) = (Mutex::new(watcher), Mutex::new(Some(start)));
        let inputs = (0..cluster.local_workers()).map(|_| (origin(), query())).collect();
        let worker_results = cluster.run(
            limits.cancel.as_ref(),
            inputs,
            |mut transport, [work, broadcast], (origin, query)| {
                let (payloads, early) = handshake.exchange(&mut transport, &broadcast)?;
                let (mut offered, mut run) = (OfferedValues::default(), Vec::new());
                for (worker, payload) in payloads.iter().enumerate() {
                    let payload: Payload = decode(payload)
                        .map_err(|reason| ClusterError::OtherProgram { worker, reason })?;
                    offered.merge(payload.offered);
                    if worker == 0 {
                        run = payload.run;
                    }
                }
                let (own, peers, local) =
                    (transport.index(), transport.peers(), cluster.local_workers());
                let joined: Result<(), Abort> = location.as_ref().map_or(Ok(()), |location| {
                    let _guard = joining.lock().unwrap_or_else(PoisonError::into_inner);
                    if journal_writer.get().is_none() {
                        let _ = journal_writer.set(JournalWriter::join(
                            location,
                            &run,
                            cluster.process(),
                        )?);
                    }
                    Ok(())
                });
                // The first worker of each process reports progress.
                let is_reporter = own.is_multiple_of(local);
                let watcher =
                    watcher.lock().unwrap_or_else(PoisonError::into_inner).take_if(|_| is_reporter);
                let start =
                    start.lock().unwrap_or_else(PoisonError::into_inner).take_if(|_| own == 0);
                let nodes = limits.nodes.map(|nodes| share_of(nodes, own, peers));
                let mut worker = Worker {
                    origin,
                    query,
                    transport,
                    work: Some(work),
                    broadcast,
                    slice,
                    limits: Limits { nodes, ..limits.clone() },
                    began: Instant::now(),
                    tasks: VecDeque::new(),
                    offered,
                    results: Frontier::of(VecDeque::new()),
                    all_results: (0..peers).map(|_| None).collect(),
                    halt: None,
                    panic: None,
                    last_task: 0,
                    random: Rng::with_seed(own as u64),
                    progress: ProgressTracker::new((own, peers, local), interval, watcher),
                    journal_writer: journal_writer.get(),
                    trace: trace.as_ref(),
                };
                match (joined, start) {
                    (Err(abort), _) => worker.halt(abort),
                    (Ok(()), Some(start)) => worker.begin(start),
                    (Ok(()), None) => {}
                }
                worker.run(early)
            },
        )?;
        let offered =
            worker_results.first().map_or_else(OfferedValues::default, |end| end.offered.clone());
        let (results, report) = combine(worker_results, &origin(), &limits)?;
        Ok((RunResult { results, report, origin: origin(), offered }, extract))
    }
}

/// Returns the handshake: the properties that all processes must agree on.
fn handshake<P: Problem<Choice: Serialize>>(
    problem: &P,
    question: String,
    limits: &Limits,
    (fingerprint, location): (Option<&Fingerprint>, Option<&JournalLocation>),
    payload: Vec<u8>,
) -> Handshake {
    let properties = [
        ("question", question),
        ("problem", type_name::<P>().to_owned()),
        ("fingerprint", property(fingerprint)),
        ("first choices", probe(problem)),
        ("limit of depth", format!("{:?}", limits.depth)),
        ("journal", property(location.map(|location| &location.fingerprint))),
    ];
    Handshake::new(properties, payload)
}

/// The maximum number of nodes on the path, and of choices at each of them, by which instances are
/// compared.
const PROBE_SIZE: usize = 64;

/// Returns a checksum of the first choices along one path from the root, because problems of one
/// type may be different instances.
fn probe<P: Problem<Choice: Serialize>>(problem: &P) -> String {
    let mut hasher = crc32fast::Hasher::new();
    let mut state = problem.root();
    for _ in 0..PROBE_SIZE {
        let mut cursor = match problem.branch(&state) {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => cursor,
            Branch::Solution | Branch::DeadEnd => break,
        };
        let drawn = std::iter::from_fn(|| problem.next(&state, &mut cursor));
        let choices: Vec<P::Choice> = drawn.take(PROBE_SIZE).collect();
        choices.iter().for_each(|choice| hasher.update(&encode(choice).unwrap_or_default()));
        hasher.update(&(choices.len() as u64).to_le_bytes());
        let Some(choice) = choices.last() else { break };
        // The state is discarded, so nothing needs to be undone.
        let _ = problem.apply(&mut state, choice);
    }
    format!("{:08x}", hasher.finalize())
}

/// Returns the share of a limit for one of several workers.
fn share_of(limit: u64, worker: usize, workers: usize) -> u64 {
    let (worker, workers) = (worker as u64, workers as u64);
    limit / workers + u64::from(worker < limit % workers)
}

/// Combines the results of all workers, which every worker of this process has received.
fn combine<P, B, H>(
    worker_results: Vec<WorkerResult<P::Choice>>,
    origin: &Origin<'_, P, B, H>,
    limits: &Limits,
) -> Result<(Frontier<P::Choice>, Report), ClusterError>
where
    P: Problem<Choice: Clone>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
{
    let (mut results, mut longest) = (Vec::new(), Duration::ZERO);
    // If there are several reasons to halt, all processes choose the same one.
    let mut halts = Vec::new();
    for worker_result in worker_results {
        let WorkerResult { own, results: all, halt, panic, elapsed, .. } = worker_result;
        longest = longest.max(elapsed);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        halts.extend(halt);
        if results.is_empty() || own == 0 {
            results = all;
        }
    }
    let halt = halts.into_iter().min_by_key(|(worker, halt)| halt.rank(*worker));
    let halt = match halt {
        None => None,
        Some((_, Halt::Stop(stop))) => Some(stop),
        Some((worker, Halt::Abort(abort))) => return Err(abort.into_error(worker)),
    };
    let mut whole = Frontier::of(VecDeque::new());
    results.into_iter().for_each(|results| whole.absorb(results));
    if whole.report().is_none() {
        // No worker was allowed to visit a node: the report of an empty run is needed.
        let empty_run = origin.search(limits.clone()).frontier(&mut whole).count();
        drop(empty_run);
    }
    let Some(mut report) = whole.report().cloned() else {
        unreachable!("every run leaves a report")
    };
    report.elapsed = longest;
    // Results do not contain this property, because all workers have the same brancher.
    report.brancher_is_nondeterministic |= is_nondeterministic(&origin.brancher);
    report.stop = match halt {
        _ if whole.counted.is_none() => Stop::CountOverflow,
        Some(stop) => stop,
        None if whole.truncated => Stop::DepthLimit,
        None => Stop::Exhausted,
    };
    Ok((whole, report))
}

impl<'p, P, B, H, X> ClusterSearch<'p, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + Serialize + DeserializeOwned> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
{
    /// Counts the solutions, like [`Search::count`](crate::Search::count).
    ///
    /// # Errors
    /// Returns an error if a process is lost, runs another program, or panics: see
    /// [`ClusterError`].
    ///
    /// # Panics
    /// Panics if the problem, a hook or other code of the caller panics in this process.
    pub fn count(self) -> Result<Outcome<Count>, ClusterError> {
        let (run_result, _) = self.execute(|| CountQuery, |_, _| {})?;
        let count = run_result.results.counted.unwrap_or(Count::TOO_MANY);
        Ok(Outcome::new(count, run_result.report))
    }

    /// Finds out whether there is a solution, like [`Search::exists`](crate::Search::exists).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn exists(self) -> Result<Outcome<Found<()>>, ClusterError> {
        let (run_result, _) = self.execute(|| AnyQuery, |_, _| {})?;
        let RunResult { results, report, .. } = run_result;
        let found = (!results.best.is_empty()).then_some(());
        Ok(existence(Outcome::new(Found::new(found, &report), report)))
    }

    /// Finds out whether there is no solution, exactly one, or more, like
    /// [`Search::is_unique`](crate::Search::is_unique). Each worker stops at its second solution.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn is_unique(mut self) -> Result<Outcome<Uniqueness>, ClusterError> {
        let settings = &mut self.search.settings;
        settings.limits = std::mem::take(&mut settings.limits).at_most_solutions(2);
        self.count().map(Outcome::of_count)
    }

    /// Finds a solution, an arbitrary one, like [`Search::first`](crate::Search::first).
    ///
    /// Each process visits the solution again to return it. If a hook compares with an incumbent to
    /// which only some processes were offered a value, it may cut the solution off, or not infer
    /// it, in some of them: their outcome is then [unknown](crate::Found::Unknown).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn first(self) -> Result<Outcome<Found<X::Output>>, ClusterError>
    where
        X: Extract<P>,
    {
        let (run_result, mut extract) = self.execute(|| AnyQuery, |_, _| {})?;
        let RunResult { mut results, report, origin, .. } = run_result;
        let mut solution = None;
        results.best.truncate(1);
        origin.revisit_solutions(&mut results, |node| solution = Some(extract.extract(node)));
        Ok(Outcome::new(Found::new(solution, &report), report))
    }
}

impl<'p, P, B, H, X> ClusterSearch<'p, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + Serialize + DeserializeOwned> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
    X: Extract<P>,
{
    /// Finds the best solution by `objective`, like [`Search::best`](crate::Search::best). Among
    /// equally good ones the choice is arbitrary, but the same in all processes.
    ///
    /// All workers share one incumbent: a better value is known everywhere after one or two slices.
    /// The number of nodes [varies](crate::Report::nondeterministic_parts), because the pruning by
    /// bounds depends on timing.
    ///
    /// ```
    /// use secateurs::cluster::Cluster;
    /// use secateurs::{Objective, Search};
    /// use secateurs_problems::fire_net::FireNetBoard;
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// let outcome = Search::new(&board).on(&Cluster::threads(2)).best(&placed)?;
    /// assert_eq!(outcome.proven(), Some(&5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count). Also returns [`ClusterError::Unnamed`] if there are several
    /// processes or a journal, and the objective has no [name](Objective::named).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn best<V, F>(
        self,
        objective: &Objective<P, V, F>,
    ) -> Result<Outcome<Optimum<V, X::Output>>, ClusterError>
    where
        V: ObjectiveValue + Send + Sync + Serialize + DeserializeOwned,
        F: Fn(&P, &P::State) -> V + Sync,
    {
        // The best value of earlier runs is known from the start.
        let recovered = |origin: &Origin<'_, P, B, H>, results: &mut _| {
            origin.earlier_best(results, objective, &mut |_: &Node<'_, P>| ());
        };
        let (run_result, mut extract) = self.execute(|| BestQuery::new(objective), recovered)?;
        let RunResult { mut results, mut report, origin, offered } = run_result;
        let best = origin.earlier_best(&mut results, objective, &mut extract);
        // Each process has known the values that were offered to any of them in this run.
        results.offered.remove_all(&offered);
        results.offered.remove_known(&objective.id());
        if let Some(reason) = results.offered.conflict() {
            report.add_conflict(reason);
        }
        // `best` may be worse than the incumbent: the caller may have offered a better value.
        Ok(optimum(objective, best, report))
    }
}

//! Searches on a cluster: [`ClusterSearch`].
//!
//! The tree is one task at first. Each worker takes a task, searches it for a *slice* (so many
//! nodes as take some 20 ms), adds up what it has found, and sends what is left, in one piece or in
//! several, to workers chosen at random. There is no coordinator: that nothing is left to do
//! anywhere is noticed by the same progress tracking that ends a loop of a dataflow.
//!
//! What travels is a [`Subtree`](crate::search::Subtree): a path and the siblings untried along it,
//! some hundred bytes. A solution that is better than all before is told to everybody, and their
//! bounds cut off more from then on.

mod best;
mod keeper;
mod news;
mod progress;
mod quest;
mod slice;
mod task;
mod trace;
mod worker;

use std::any::type_name;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::ClusterError;
use super::greeting::Greeting;
use super::journal::Recovered;
use super::machines::Cluster;
use crate::brancher::{Brancher, ProblemOrder};
use crate::checkpoint::Fingerprint;
use crate::hook::{Hooks, Node};
use crate::limits::{Limits, Stop};
use crate::outcome::{Count, Found, Outcome};
use crate::problem::{Branch, Problem};
use crate::report::Report;
use crate::search::walk::Walk;
use crate::search::{Choices, Extract, Frontier, Search, Settings};
use keeper::{Beginning, Keeper, Place};
use news::Halt;
use progress::Watch;
use quest::{Any, HowMany, Quest};
use slice::Slice;
use trace::Trace;
use worker::{End, Origin, SLICE, Worker};

/// A search on a [cluster](Cluster), made by [`Search::on`].
///
/// All processes of the cluster make the same search and run the same operation, and all get the
/// same outcome.
#[must_use = "a search does nothing until one of its terminal operations is called"]
pub struct ClusterSearch<'p, P: Problem, B = ProblemOrder, H = (), X = Choices> {
    search: Search<'p, P, B, H, X>,
    cluster: &'p Cluster,
    slice: Slice,
    trace: Option<Trace>,
    /// Where the journals are, and which problem it is.
    journal: Option<(PathBuf, Fingerprint)>,
    /// Which problem it is, for other processes.
    fingerprint: Option<Fingerprint>,
    on_recovery: Option<OnRecovery<'p>>,
}

type OnRecovery<'p> = Box<dyn FnOnce(&Recovered) + 'p>;

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches on a cluster: in many threads, in several processes, on several hosts.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::cluster::Cluster;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits();
    /// let cluster = Cluster::from_args(["-w", "2"])?; // or those of the command line
    /// let outcome = Search::new(&queens).on(&cluster).count()?;
    /// assert_eq!(outcome.exact(), Some(724));
    /// assert_eq!(outcome.report().nodes(), 35_539);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Limits
    ///
    /// Those of time, of depth and from outside hold as they do elsewhere, and stop all processes.
    /// Each worker has its share of a limit of nodes: never more are visited, but the run stops
    /// when one of the shares is used up. Of solutions, each worker may visit so many before all
    /// have stopped.
    pub fn on(self, cluster: &'p Cluster) -> ClusterSearch<'p, P, B, H, X> {
        ClusterSearch {
            search: self,
            cluster,
            slice: Slice::of_length(SLICE),
            trace: None,
            journal: None,
            fingerprint: None,
            on_recovery: None,
        }
    }
}

impl<'p, P: Problem, B, H, X> ClusterSearch<'p, P, B, H, X> {
    /// About how long a worker searches before it listens to others and sends on what it has left:
    /// 20 ms unless said otherwise. The larger the cluster, the longer it should be, as every slice
    /// is known of everywhere.
    pub fn slice(mut self, length: Duration) -> Self {
        self.slice = Slice::of_length(length);
        self
    }

    /// The same in nodes, at least 1, whatever they cost.
    pub fn budget(mut self, nodes: u64) -> Self {
        self.slice = Slice::of_nodes(nodes);
        self
    }

    /// Says which problem it is, by a digest of all that it depends on. Several processes compare
    /// it before they begin, and refuse to work on different problems; without it, and without a
    /// [journal](Self::journal), they refuse to begin.
    pub fn problem(mut self, fingerprint: Fingerprint) -> Self {
        self.fingerprint = Some(fingerprint);
        self
    }

    /// Keeps a journal in a directory, and goes on from what is there: so a search outlasts its
    /// processes. The problem is that of the fingerprint; the hooks and the operation are added to
    /// it.
    ///
    /// Each process writes what it has done, slice by slice, into a file of its own. When a process
    /// dies, timely ends all of them. All are started again then, with the same program and
    /// arguments, but as many processes as one likes; process 0 reads all files, so that the
    /// directory must be one that all share, or be collected before. Each node is counted once,
    /// whatever has died when. A search that has come to its end gives its answer at once. Process
    /// 0 locks the directory before it connects, and until the run has ended: another cluster that
    /// begins there gets an error at once.
    ///
    /// A slice costs a record of some hundred bytes, and a call of the system; nothing is flushed
    /// to the disk by force, and need not be, as what is missing is done again.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::checkpoint::Fingerprint;
    /// use secateurs::cluster::Cluster;
    /// use secateurs::problems::queens::Queens;
    ///
    /// # let directory = std::env::temp_dir().join(format!("secateurs-doc-journal-{}", std::process::id()));
    /// let queens = Queens::new(9)?.bits();
    /// for threads in [2, 1] {
    ///     let cluster = Cluster::threads(threads);
    ///     let search = Search::new(&queens).on(&cluster).journal(&directory, Fingerprint::new("queens", &9));
    ///     assert_eq!(search.count()?.exact(), Some(352)); // at once, the second time
    /// }
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn journal(mut self, directory: impl Into<PathBuf>, problem: Fingerprint) -> Self {
        self.journal = Some((directory.into(), problem));
        self
    }

    /// Calls `callback`, in the first process, when the search goes on from a
    /// [journal](Self::journal), with what was read of it.
    pub fn on_recovery(mut self, callback: impl FnOnce(&Recovered) + 'p) -> Self {
        self.on_recovery = Some(Box::new(callback));
        self
    }

    /// Writes what each slice of this process was, as CSV: the worker, nodes visited, microseconds,
    /// tasks that waited at its end, bytes sent. What cannot be written is left out.
    ///
    /// # Errors
    /// If not even the first line can be written.
    pub fn trace(mut self, out: impl Write + Send + 'static) -> io::Result<Self> {
        self.trace = Some(Trace::new(Box::new(out))?);
        Ok(self)
    }
}

/// A run that has come to an end.
struct Ended<'p, P: Problem, B, H> {
    account: Frontier<P::Choice>,
    report: Report,
    origin: Origin<'p, P, B, H>,
}

impl<'p, P, B, H, X> ClusterSearch<'p, P, B, H, X>
where
    P: Problem<Choice: Clone + Send + Serialize + DeserializeOwned> + Sync,
    B: Brancher<P> + Clone + Send,
    H: Hooks<P> + Clone + Send,
{
    /// Counts the solutions, as [`Search::count`] does.
    ///
    /// # Errors
    /// If a process is lost, runs another program, or panics: see [`ClusterError`].
    ///
    /// # Panics
    /// If the problem, a hook or another part that is not of this crate panics in this process.
    pub fn count(self) -> Result<Outcome<Count>, ClusterError> {
        let (ended, _) = self.go(|| HowMany, |_, _| {})?;
        let count = ended.account.counted().unwrap_or(Count::TOO_MANY);
        Ok(Outcome::new(count, ended.report))
    }

    /// Whether there is a solution, as [`Search::exists`] says.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// # Panics
    /// As [`count`](Self::count).
    pub fn exists(self) -> Result<Outcome<Found<()>>, ClusterError> {
        let (ended, _) = self.go(|| Any, |_, _| {})?;
        let Ended { account, report, .. } = ended;
        let found = (!account.best.is_empty() || report.credited() > 0).then_some(());
        Ok(Outcome::new(Found::new(found, &report), report))
    }

    /// A solution, any of them; see [`Search::first`].
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
        let (ended, mut extract) = self.go(|| Any, |_, _| {})?;
        let Ended { mut account, report, origin } = ended;
        let mut solution = None;
        account.best.truncate(1);
        revisit(&origin, &mut account, |node| solution = Some(extract.extract(node)));
        Ok(Outcome::new(Found::new(solution, &report), report))
    }

    /// Lets all workers of all processes search, and puts together what they have explored. In
    /// process 0, `recovered` gets what was explored by earlier runs, before this one begins.
    fn go<Q: Quest<P>>(
        self,
        quest: impl Fn() -> Q,
        recovered: impl FnOnce(&Origin<'p, P, B, H>, &mut Frontier<P::Choice>),
    ) -> Result<(Ended<'p, P, B, H>, X), ClusterError> {
        let ClusterSearch { search, cluster, slice, trace, journal, fingerprint, on_recovery } =
            self;
        let problem = fingerprint.or_else(|| journal.as_ref().map(|(_, problem)| problem.clone()));
        let identity = |problem| search.fingerprint(problem).with_question(quest().name());
        let fingerprint = problem.map(identity);
        cluster.needs(fingerprint.as_ref(), journal.is_some())?;
        let place =
            journal.map(|(directory, problem)| Place { directory, fingerprint: identity(problem) });
        let Search { problem, brancher, hooks, extract, settings, .. } = search;
        let Settings { limits, watcher, .. } = settings;
        let origin = || Origin { problem, brancher: brancher.clone(), hooks: hooks.clone() };
        // Before the processes are connected: nobody writes into a journal while it is read.
        let (keeper, beginning) = match &place {
            Some(place) if cluster.is_first() => {
                let (keeper, beginning, recovered) =
                    Keeper::begin(place, problem, |account| recovered(&origin(), account))?;
                if let (Some(callback), Some(recovered)) = (on_recovery, recovered) {
                    callback(&recovered);
                }
                (Some(keeper), beginning)
            }
            _ => (None, Beginning::whole()),
        };
        let word = keeper.as_ref().map_or_else(Vec::new, Keeper::word);
        let greeting = greeting::<P, Q>(
            problem,
            &quest(),
            &limits,
            (fingerprint.as_ref(), place.as_ref()),
            word,
        );
        let keeper: OnceLock<Keeper> = keeper.map_or_else(OnceLock::new, OnceLock::from);
        let joining = Mutex::new(());
        let every = watcher.as_ref().map(|watcher| watcher.every);
        let (watcher, beginning) = (Mutex::new(watcher), Mutex::new(Some(beginning)));
        let inputs = (0..cluster.local_workers()).map(|_| (origin(), quest())).collect();
        let ends = cluster.run(
            limits.cancel.as_ref(),
            inputs,
            |mut post, [work, news], (origin, quest)| {
                let (words, early) = greeting.exchange(&mut post, &news)?;
                let (own, peers, local) = (post.own(), post.peers(), cluster.local_workers());
                let joined = place.as_ref().map_or(Ok(()), |place| {
                    let _one_at_a_time = joining.lock().unwrap_or_else(PoisonError::into_inner);
                    if keeper.get().is_none() {
                        let _ = keeper.set(Keeper::join(place, &words[0], cluster.process())?);
                    }
                    Ok(())
                });
                // The first of each process tells who wants to know.
                let tells = own.is_multiple_of(local);
                let watcher =
                    watcher.lock().unwrap_or_else(PoisonError::into_inner).take_if(|_| tells);
                let beginning =
                    beginning.lock().unwrap_or_else(PoisonError::into_inner).take_if(|_| own == 0);
                let nodes = limits.nodes.map(|nodes| share_of(nodes, own, peers));
                let mut worker = Worker {
                    origin,
                    quest,
                    post,
                    work: Some(work),
                    news,
                    slice,
                    limits: Limits { nodes, ..limits.clone() },
                    began: Instant::now(),
                    tasks: VecDeque::new(),
                    account: Frontier::of(VecDeque::new()),
                    others: (0..peers).map(|_| None).collect(),
                    halt: None,
                    panic: None,
                    numbered: 0,
                    random: Rng::with_seed(own as u64),
                    watch: Watch::new((own, peers, local), every, watcher),
                    keeper: keeper.get(),
                    trace: trace.as_ref(),
                };
                match (joined, beginning) {
                    (Err(halt), _) => worker.halt(halt),
                    (Ok(()), Some(beginning)) => worker.begin(beginning),
                    (Ok(()), None) => {}
                }
                worker.run(early)
            },
        )?;
        let (account, report) = sum_up(ends, &origin(), &limits)?;
        Ok((Ended { account, report, origin: origin() }, extract))
    }
}

/// What must be the same in all processes.
fn greeting<P: Problem<Choice: Serialize>, Q: Quest<P>>(
    problem: &P,
    quest: &Q,
    limits: &Limits,
    (fingerprint, place): (Option<&Fingerprint>, Option<&Place>),
    word: Vec<u8>,
) -> Greeting {
    let same = [
        ("operation", quest.name()),
        ("problem", type_name::<P>().to_owned()),
        ("fingerprint", fingerprint.map_or_else(|| "none".to_owned(), Fingerprint::to_string)),
        ("first choices", probe(problem)),
        ("limit of depth", format!("{:?}", limits.depth)),
        ("journal", place.map_or_else(|| "none".to_owned(), |place| place.fingerprint.to_string())),
    ];
    Greeting::new(same, word)
}

/// So many choices of a node, and nodes of a path, are looked at to see whether it is the same
/// problem.
const PROBED: usize = 64;

/// A checksum of the first choices along one path from the root: problems of one type may be
/// different instances.
fn probe<P: Problem<Choice: Serialize>>(problem: &P) -> String {
    let mut hasher = crc32fast::Hasher::new();
    let mut state = problem.root();
    for _ in 0..PROBED {
        let mut cursor = match problem.branch(&state) {
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => cursor,
            Branch::Solution | Branch::DeadEnd => break,
        };
        let drawn = std::iter::from_fn(|| problem.next(&state, &mut cursor));
        let choices: Vec<P::Choice> = drawn.take(PROBED).collect();
        choices
            .iter()
            .for_each(|choice| hasher.update(&postcard::to_allocvec(choice).unwrap_or_default()));
        hasher.update(&(choices.len() as u64).to_le_bytes());
        let Some(choice) = choices.last() else { break };
        // The state is thrown away: nothing is to be undone.
        let _ = problem.apply(&mut state, choice);
    }
    format!("{:08x}", hasher.finalize())
}

/// The share of a limit that one of several workers has.
fn share_of(limit: u64, worker: usize, workers: usize) -> u64 {
    let (worker, workers) = (worker as u64, workers as u64);
    limit / workers + u64::from(worker < limit % workers)
}

/// What all workers have explored, of which those of this process each know it all.
fn sum_up<P, B, H>(
    ends: Vec<End<P::Choice>>,
    origin: &Origin<'_, P, B, H>,
    limits: &Limits,
) -> Result<(Frontier<P::Choice>, Report), ClusterError>
where
    P: Problem<Choice: Clone>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
{
    let (mut accounts, mut longest) = (Vec::new(), Duration::ZERO);
    // Of several reasons, for all processes the same.
    let mut halts = Vec::new();
    for end in ends {
        let End { own, accounts: all, halt, panic, elapsed } = end;
        longest = longest.max(elapsed);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        halts.extend(halt);
        if accounts.is_empty() || own == 0 {
            accounts = all;
        }
    }
    let halt = halts.into_iter().min_by_key(|(worker, halt)| halt.rank(*worker));
    let halt = match halt {
        None => None,
        Some((_, Halt::Stop(stop))) => Some(stop),
        Some((worker, Halt::Panic(message))) => {
            return Err(ClusterError::Panicked { worker, message });
        }
        Some((worker, Halt::Journal(reason))) => {
            return Err(ClusterError::Journal { worker, reason });
        }
        Some((_, Halt::Unsuitable(reason))) => return Err(ClusterError::Unsuitable { reason }),
        Some((_, Halt::Garbled { by, reason })) => {
            return Err(ClusterError::OtherProgram { worker: by, reason });
        }
    };
    let mut whole = Frontier::of(VecDeque::new());
    accounts.into_iter().for_each(|account| whole.absorb(account));
    if whole.report().is_none() {
        // Nobody was allowed to visit a node: there is an account of that as well.
        let none = origin.search(limits.clone()).frontier(&mut whole).count();
        drop(none);
    }
    let Some(mut report) = whole.report().cloned() else {
        unreachable!("every run leaves a report")
    };
    report.elapsed = longest;
    // It is not sent: all have the same brancher.
    report.brancher_memory = report.brancher_memory.max(origin.brancher.memory());
    report.stop = match halt {
        _ if whole.counted().is_none() => Stop::CountOverflow,
        Some(stop) => stop,
        None if whole.is_truncated() => Stop::DepthLimit,
        None => Stop::Exhausted,
    };
    Ok((whole, report))
}

/// Calls `visit` with the nodes of the best solutions that were found.
fn revisit<P, B, H>(
    origin: &Origin<'_, P, B, H>,
    account: &mut Frontier<P::Choice>,
    visit: impl FnMut(&Node<'_, P>),
) where
    P: Problem<Choice: Clone>,
    B: Brancher<P> + Clone,
    H: Hooks<P> + Clone,
{
    if account.best.is_empty() {
        return;
    }
    let search = origin.search(Limits::new()).frontier(account);
    let (mut walk, _) = search.walk(None);
    walk.revisit_best(visit);
}

impl<P: Problem, B, H, X> fmt::Debug for ClusterSearch<'_, P, B, H, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterSearch")
            .field("cluster", &self.cluster)
            .field("slice", &self.slice)
            .finish_non_exhaustive()
    }
}

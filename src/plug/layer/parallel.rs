//! One layer by several threads: each owns the states of its part, of the old layer and of the new.
//!
//! A thread takes its states through the cell. What comes out and belongs to another part is sent
//! there in batches; between its own states it merges what the others send. So no table is shared,
//! and the same states come together as with one thread, in another order.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::Layer;
use super::successors::{BLOCK, Successor, Successors, expand_sharded, merge};
use crate::limits::Stop;
use crate::memory::{headroom, is_available};
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::step::{Clock, StepCount};
use crate::plug::step::{InsertError, POLL, StepError, Task};

/// States sent at a time, unless there are many threads.
const BATCH: usize = 1 << 11;
/// States that a thread gathers for all others together, about. Of each pair of threads one gathers
/// for the other: without this, many threads would need memory by the square.
const GATHERED: usize = 1 << 14;
/// Batches that may wait for a thread. More wait with the sender, who merges its own in the
/// meantime.
const WAITING: usize = 64;
/// How long a thread whose batches nobody takes waits for one that is meant for itself, before it
/// tries again.
const PATIENCE: Duration = Duration::from_micros(100);

/// What a new thread takes up: the stack that the standard library gives it, and what is set up
/// before it runs.
const STACK: usize = (2 << 20) + (1 << 16);
/// Stacks are mapped, and so are blocks of this size by the usual allocators. A smaller one may
/// come from memory that the process already has, which says nothing about what can be mapped.
const MAPPED: usize = 33 << 20;
/// The share of a limit of memory that may be on its way between threads.
const SHARE: usize = 16;

/// States sent at a time by each of so many threads.
fn batch(threads: usize) -> usize {
    BATCH.min(GATHERED / threads).max(1)
}

/// States for which a batch has room.
fn batch_room(threads: usize) -> usize {
    batch(threads) + 4 * BLOCK
}

/// Whether so many threads can have a stack, and `each` bytes to work with. The system says so when
/// a thread is started, but the standard library aborts if memory runs out just after that.
pub(crate) fn has_stacks(threads: usize, each: usize, max_bytes: usize) -> bool {
    let bytes = threads.saturating_mul(STACK.saturating_add(each));
    is_available(bytes.saturating_add(headroom(max_bytes)).max(MAPPED).min(max_bytes))
}

/// What may be on its way between threads.
pub(crate) struct Exchange {
    /// Batches that may wait for a thread.
    waiting: usize,
    /// Bytes of all batches, if as many wait as may.
    pub(crate) bytes: usize,
    /// Bytes that a thread needs to begin with.
    pub(crate) first: usize,
}

impl Exchange {
    /// As much as fits into a small share of so many bytes; none if that is too little.
    pub(crate) fn within<P: ContourProblem>(threads: usize, max_bytes: usize) -> Option<Self> {
        let successor = size_of::<Successor<P::State, P::Label>>();
        // Each thread fills a batch for each other one, and its receiver has taken out one more.
        let bytes =
            |waiting: usize| threads * (waiting + 1 + threads) * batch_room(threads) * successor;
        let waiting = (1..=WAITING).rev().find(|&waiting| bytes(waiting) <= max_bytes / SHARE)?;
        let bytes = if max_bytes == usize::MAX { 0 } else { bytes(waiting) };
        Some(Exchange { waiting, bytes, first: threads * batch_room(threads) * successor })
    }
}

/// What a thread has gathered for another one. Their sources are places in the sender's part of the
/// old layer, which all may read: values do not travel.
struct Batch<P: ContourProblem> {
    sender: usize,
    successors: Successors<P>,
}

/// Lets threads work only when all of them have been started: a table that grows meanwhile could
/// take the memory that the start of a thread needs, which aborts without it. Nothing here
/// allocates.
#[derive(Default)]
struct Gate {
    /// Threads that have arrived, or [`OPEN`](Gate::OPEN).
    arrived: Mutex<usize>,
    changed: Condvar,
}

impl Gate {
    const OPEN: usize = usize::MAX;

    /// Waits until the gate is open.
    fn pass(&self) {
        let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
        *arrived += 1;
        self.changed.notify_all();
        while *arrived != Self::OPEN {
            arrived = self.changed.wait(arrived).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for so many threads, and opens the gate.
    fn open(&self, threads: usize) {
        let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
        while *arrived < threads {
            arrived = self.changed.wait(arrived).unwrap_or_else(PoisonError::into_inner);
        }
        *arrived = Self::OPEN;
        self.changed.notify_all();
    }
}

/// Makes a layer by as many threads as there are parts. `None` if the system has no more threads:
/// nothing is made then.
pub(crate) fn advance<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    clock: &Clock,
    cell: usize,
    from: &[Layer<P::State, A::Value>],
    into: &mut [Layer<P::State, A::Value>],
    exchange: &Exchange,
    count: &mut StepCount,
) -> Option<Result<(), Stop>> {
    let (stopping, gate) = (AtomicBool::new(false), &Gate::default());
    let (senders, receivers): (Vec<_>, Vec<_>) =
        from.iter().map(|_| sync_channel(exchange.waiting)).unzip();
    let hooks = count.entered.len();
    let results: Option<Vec<(StepCount, Result<(), Stop>)>> = thread::scope(|scope| {
        let parts = into.iter_mut().zip(receivers).enumerate();
        let workers: Vec<_> = parts
            .map(|(own, (into, inbox))| {
                let mut outboxes: Vec<Option<SyncSender<Batch<P>>>> =
                    senders.iter().cloned().map(Some).collect();
                // Or else the own inbox would never be closed.
                outboxes[own] = None;
                let worker = Worker {
                    task,
                    clock,
                    cell,
                    own,
                    from,
                    into,
                    inbox,
                    outboxes,
                    batches: vec![Vec::new(); senders.len()],
                    count: StepCount::new(hooks),
                    error: StepError::default(),
                    stopping: &stopping,
                };
                let started = thread::Builder::new().spawn_scoped(scope, move || {
                    gate.pass();
                    worker.run()
                });
                if started.is_err() {
                    // The others come to their end without the states of this one.
                    stopping.store(true, Ordering::Relaxed);
                }
                started.ok()
            })
            .collect();
        drop(senders);
        gate.open(workers.iter().flatten().count());
        let results = workers.into_iter().map(|worker| {
            worker.map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        // All of them, so that all are joined, even if one has not been started.
        let results: Vec<_> = results.collect();
        results.into_iter().collect()
    });
    let results = results?;
    for (part, _) in &results {
        count.add(part);
    }
    Some(results.into_iter().try_for_each(|(_, result)| result))
}

struct Worker<'a, P: ContourProblem, H, A: Algebra<P>> {
    task: Task<'a, P, H, A>,
    clock: &'a Clock,
    cell: usize,
    own: usize,
    from: &'a [Layer<P::State, A::Value>],
    into: &'a mut Layer<P::State, A::Value>,
    inbox: Receiver<Batch<P>>,
    outboxes: Vec<Option<SyncSender<Batch<P>>>>,
    batches: Vec<Successors<P>>,
    count: StepCount,
    error: StepError,
    stopping: &'a AtomicBool,
}

impl<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>> Worker<'_, P, H, A> {
    fn run(mut self) -> (StepCount, Result<(), Stop>) {
        let emptied = self.into.restart(self.from[self.own].len()).map_err(Stop::from);
        let result = emptied.and_then(|()| self.work());
        if result.is_err() {
            self.stopping.store(true, Ordering::Relaxed);
        }
        // Inboxes of threads that are still at work must not fill up: all that is left is taken
        // out, and merged if it counts.
        self.outboxes.clear();
        let result = result.and_then(|()| {
            while let Ok(batch) = self.inbox.recv() {
                self.take_in(&batch);
                self.error.check().inspect_err(|_| self.stopping.store(true, Ordering::Relaxed))?;
            }
            Ok(())
        });
        while self.inbox.recv().is_ok() {}
        (self.count, result)
    }

    fn work(&mut self) -> Result<(), Stop> {
        let (task, cell, shards) = (self.task, self.cell, self.from.len());
        // States are put into these where that cannot fail without an abort.
        let mut successors = Vec::new();
        let reserved = successors.try_reserve_exact(4 * BLOCK);
        let mut batches = self.batches.iter_mut();
        reserved
            .and_then(|()| {
                batches.try_for_each(|batch| batch.try_reserve_exact(batch_room(shards)))
            })
            .map_err(|_| Stop::MemoryLimit)?;
        let batch = batch(shards);
        let from = &self.from[self.own];
        for (block, sources) in from.entries().chunks(BLOCK).enumerate() {
            let states = (sources.iter().map(|source| source.0), block * BLOCK);
            expand_sharded(
                task,
                task.problem,
                cell,
                states,
                (&mut successors, &mut self.batches),
                &mut self.count,
            );
            let own = &mut self.batches[self.own];
            let merged = merge(task.algebra, cell, from.entries(), own, self.into, &mut self.count);
            own.clear();
            self.error = self.error.or(merged);
            for other in 0..shards {
                if self.batches[other].len() >= batch {
                    self.send(other, batch_room(shards));
                }
            }
            if block % POLL == 0 {
                if self.stopping.load(Ordering::Relaxed) {
                    return Ok(());
                }
                while let Ok(batch) = self.inbox.try_recv() {
                    self.take_in(&batch);
                }
                self.clock.check()?;
            }
            self.error.check()?;
        }
        for other in 0..shards {
            self.send(other, 0);
        }
        // What was taken in while sending may have been the last that came.
        self.error.check()
    }

    /// Sends what was gathered for another one, and makes room for so many states more.
    fn send(&mut self, other: usize, room: usize) {
        if self.batches[other].is_empty() {
            return;
        }
        let Some(outbox) = self.outboxes[other].clone() else { return };
        let mut next = Vec::new();
        if next.try_reserve_exact(room).is_err() || !is_available(self.into.headroom()) {
            self.error.insert = Some(InsertError::Memory);
        }
        let successors = std::mem::replace(&mut self.batches[other], next);
        let mut batch = Batch { sender: self.own, successors };
        while let Err(TrySendError::Full(back)) = outbox.try_send(batch) {
            batch = back;
            if let Ok(batch) = self.inbox.recv_timeout(PATIENCE) {
                self.take_in(&batch);
            }
        }
    }

    /// Merges what another thread has sent.
    fn take_in(&mut self, batch: &Batch<P>) {
        if self.error.insert.is_some() {
            // The layer comes to nothing, and may have no index any more.
            return;
        }
        let sources = self.from[batch.sender].entries();
        let merged = merge(
            self.task.algebra,
            self.cell,
            sources,
            &batch.successors,
            self.into,
            &mut self.count,
        );
        self.error = self.error.or(merged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plug::algebra::{Counting, Overflow};

    /// Does not step: a thread has nothing of its own to do.
    struct Idle;

    impl ContourProblem for Idle {
        type State = u32;
        type Label = ();

        fn cells(&self) -> usize {
            1
        }
        fn start(&self) -> u32 {
            0
        }
        fn step(&self, _: usize, _: u32, _: &mut impl FnMut(u32, ())) {}
        fn accept(&self, _: u32) -> bool {
            true
        }
    }

    fn batch_of(states: Vec<u32>) -> Batch<Idle> {
        let successors = states
            .into_iter()
            .map(|state| crate::plug::layer::successors::Successor { state, label: (), source: 0 });
        Batch { sender: 1, successors: successors.collect() }
    }

    #[test]
    fn an_overflow_in_the_last_batch_that_comes_is_noticed() -> Result<(), Overflow> {
        let from = [Layer::new(), Layer::from_entries(vec![(0, u64::MAX)])];
        let (mut into, stopping) = (Layer::new(), AtomicBool::new(false));
        let task = Task { problem: &Idle, hooks: &(), algebra: &Counting::<u64>::new() };
        let (to_other, others) = sync_channel(1);
        let (to_own, inbox) = sync_channel(0);
        to_other.send(batch_of(Vec::new())).map_err(|_| Overflow)?;
        let result = thread::scope(|scope| {
            scope.spawn(move || {
                // It is taken in while the thread waits for the other one, whose inbox is full, to
                // take what is left.
                let sent = to_own.send(batch_of(vec![7, 7]));
                drop((sent, to_own, others));
            });
            let worker = Worker {
                task,
                clock: &Clock::new(&crate::Limits::new()),
                cell: 0,
                own: 0,
                from: &from,
                into: &mut into,
                inbox,
                outboxes: vec![None, Some(to_other)],
                batches: vec![Vec::new(), batch_of(vec![1]).successors],
                count: StepCount::new(0),
                error: StepError::default(),
                stopping: &stopping,
            };
            worker.run().1
        });
        assert_eq!(result, Err(Stop::CountOverflow));
        Ok(())
    }

    #[test]
    fn many_threads_send_little_at_a_time() {
        assert_eq!([1, 2, 8, 64, usize::MAX].map(batch), [BATCH, BATCH, BATCH, 256, 1]);
    }
}

//! The step from one layer to the next by several threads. Each owns one shard of the old layer and
//! one of the new.
//!
//! A thread expands the states of its shard. Successors that belong to another shard are sent to
//! its owner in batches; between its own states the thread merges the batches it receives. No table
//! is shared, and the same states are merged as with one thread, in another order.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::Layer;
use super::part::PartStep;
use super::successors::{BLOCK, Successor, Successors};
use crate::incumbent::reading::ThreadReads;
use crate::limits::Stop;
use crate::memory::{headroom, is_available};
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::step::{Clock, StepCount, Task};

/// The size of a batch in states, unless there are many threads.
const BATCH: usize = 1 << 11;
/// The approximate number of states that a thread holds in the batches of all other threads
/// together. There is a batch for each ordered pair of threads; without this bound the memory would
/// grow with the square of the number of threads.
const BUFFERED: usize = 1 << 14;
/// The capacity of a thread's inbox in batches. If it is full, the sender keeps the batch and
/// merges its own inbox meanwhile.
const INBOX_CAPACITY: usize = 64;
/// The time that a sender waits on its own inbox before it retries a full one.
const RETRY_INTERVAL: Duration = Duration::from_micros(100);

/// Bytes of a new thread: the stack that the standard library gives it, and its bookkeeping.
const STACK: usize = (2 << 20) + (1 << 16);
/// The usual allocators map a block of this size, as the system maps a stack. A smaller block may
/// come from memory that the process already has, so that its success says nothing about what can
/// be mapped.
const MAPPED_BLOCK: usize = 33 << 20;
/// Batches in transit may take at most the memory limit divided by this number.
const TRANSIT_SHARE: usize = 16;

/// Returns the size of a batch in states.
fn batch(threads: usize) -> usize {
    BATCH.min(BUFFERED / threads).max(1)
}

/// Returns the capacity of a batch in states. A block may overshoot the size of the batch.
fn batch_capacity(threads: usize) -> usize {
    batch(threads) + 4 * BLOCK
}

/// Returns whether the system has memory for this many threads, each with its stack and the
/// `start_bytes` that it allocates first. At most `max_bytes` are probed. An error at the start of
/// a thread would be reported, but if memory runs out just after that, the standard library aborts.
pub(crate) fn has_stacks(threads: usize, start_bytes: usize, max_bytes: usize) -> bool {
    let bytes = threads.saturating_mul(STACK.saturating_add(start_bytes));
    is_available(bytes.saturating_add(headroom(max_bytes)).max(MAPPED_BLOCK).min(max_bytes))
}

/// The bounds of what is in transit between threads.
pub(crate) struct Exchange {
    /// The capacity of an inbox in batches.
    inbox_capacity: usize,
    /// Bytes of all batches if all inboxes are full.
    pub(crate) bytes: usize,
    /// Bytes that each thread allocates at its start.
    pub(crate) start_bytes: usize,
}

impl Exchange {
    /// Chooses the largest inboxes that fit into a small share of `max_bytes`. Returns `None` if
    /// there is no room even for the smallest.
    pub(crate) fn within<P: ContourProblem>(threads: usize, max_bytes: usize) -> Option<Self> {
        let successor = size_of::<Successor<P::State, P::Label>>();
        // Each thread fills one batch for each thread, and has taken one more out of its inbox. The
        // batch that a thread retries to send is not counted.
        let bytes = |inbox_capacity: usize| {
            threads * (inbox_capacity + 1 + threads) * batch_capacity(threads) * successor
        };
        let inbox_capacity = (1..=INBOX_CAPACITY)
            .rev()
            .find(|&inbox_capacity| bytes(inbox_capacity) <= max_bytes / TRANSIT_SHARE)?;
        Some(Exchange {
            inbox_capacity,
            bytes: bytes(inbox_capacity),
            start_bytes: threads * batch_capacity(threads) * successor,
        })
    }
}

/// Successors sent to another thread. Their sources are positions in the sender's shard of the old
/// layer, which all threads may read: values are not sent.
struct Batch<P: ContourProblem> {
    sender: usize,
    successors: Successors<P>,
}

/// A barrier that holds back the threads until all of them have started. Otherwise the growing
/// table of one thread could take the memory that the start of another needs, which would abort.
/// Nothing here allocates.
#[derive(Default)]
struct StartBarrier {
    /// The number of threads at the barrier, or [`OPEN`](StartBarrier::OPEN). The mutex protects
    /// only this number; the condition variable signals every change of it.
    arrived: Mutex<usize>,
    changed: Condvar,
}

impl StartBarrier {
    const OPEN: usize = usize::MAX;

    /// Waits until the barrier is open.
    fn pass(&self) {
        let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
        *arrived += 1;
        self.changed.notify_all();
        while *arrived != Self::OPEN {
            arrived = self.changed.wait(arrived).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for this many threads, then opens the barrier.
    fn open(&self, threads: usize) {
        let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
        while *arrived < threads {
            arrived = self.changed.wait(arrived).unwrap_or_else(PoisonError::into_inner);
        }
        *arrived = Self::OPEN;
        self.changed.notify_all();
    }
}

/// Computes the next layer by one thread for each shard. Returns `None`, with the layer unusable,
/// if the system could not start all threads.
pub(crate) fn advance<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    clock: &Clock,
    cell: usize,
    from: &[Layer<P::State, A::Value>],
    into: &mut [Layer<P::State, A::Value>],
    exchange: &Exchange,
    count: &mut StepCount,
) -> Option<Result<(), Stop>> {
    let (stopping, barrier) = (AtomicBool::new(false), &StartBarrier::default());
    let (senders, receivers): (Vec<_>, Vec<_>) =
        from.iter().map(|_| sync_channel(exchange.inbox_capacity)).unzip();
    let hooks = count.dropped_by_enter.len();
    let reads = &ThreadReads::default();
    let results: Option<Vec<(StepCount, Result<(), Stop>)>> = thread::scope(|scope| {
        let parts = into.iter_mut().zip(receivers).enumerate();
        let workers: Vec<_> = parts
            .map(|(own, (into, inbox))| {
                let mut outboxes: Vec<Option<SyncSender<Batch<P>>>> =
                    senders.iter().cloned().map(Some).collect();
                // A sender to its own inbox would keep that inbox open forever.
                outboxes[own] = None;
                let parts = (own, from.len());
                let part = PartStep::new(task, (clock, hooks), cell, parts, &from[own], into);
                let worker = Worker { part, from, inbox, outboxes, stopping: &stopping };
                let started = thread::Builder::new().spawn_scoped(scope, move || {
                    barrier.pass();
                    reads.collect(|| worker.run())
                });
                if started.is_err() {
                    // The others finish early, and the layer is discarded.
                    stopping.store(true, Ordering::Relaxed);
                }
                started.ok()
            })
            .collect();
        drop(senders);
        barrier.open(workers.iter().flatten().count());
        let results = workers.into_iter().map(|worker| {
            worker.map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        // Collects all results first, so that every thread is joined even if one could not be
        // started.
        let results: Vec<_> = results.collect();
        results.into_iter().collect()
    });
    let results = results?;
    for (part, _) in &results {
        count.add(part);
    }
    Some(results.into_iter().try_for_each(|(_, result)| result))
}

/// A thread and its shards.
struct Worker<'a, P: ContourProblem, H, A: Algebra<P>> {
    part: PartStep<'a, P, H, A>,
    /// All shards of the old layer.
    from: &'a [Layer<P::State, A::Value>],
    inbox: Receiver<Batch<P>>,
    outboxes: Vec<Option<SyncSender<Batch<P>>>>,
    /// Tells the other threads to stop. All accesses are relaxed: the flag carries no data, and a
    /// thread that sees it late only does work that is discarded.
    stopping: &'a AtomicBool,
}

impl<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>> Worker<'_, P, H, A> {
    fn run(mut self) -> (StepCount, Result<(), Stop>) {
        let restarted = self.part.into.restart(self.part.from.len());
        let result = restarted.and_then(|()| self.work());
        if result.is_err() {
            self.stopping.store(true, Ordering::Relaxed);
        }
        // This inbox must not fill up while other threads still send to it, so this thread receives
        // until all senders are gone. It merges the batches if the result is still valid.
        self.outboxes.clear();
        let result = result.and_then(|()| {
            while let Ok(batch) = self.inbox.recv() {
                self.merge_batch(&batch);
                self.part.check().inspect_err(|_| self.stopping.store(true, Ordering::Relaxed))?;
            }
            Ok(())
        });
        while self.inbox.recv().is_ok() {}
        (self.part.count, result)
    }

    fn work(&mut self) -> Result<(), Stop> {
        let shards = self.from.len();
        // These buffers are reserved up front, because pushing to them later would abort if memory
        // ran out.
        let PartStep { buffer, by_part, .. } = &mut self.part;
        let reserved = buffer.try_reserve_exact(4 * BLOCK);
        let mut batches = by_part.iter_mut();
        reserved
            .and_then(|()| {
                batches.try_for_each(|batch| batch.try_reserve_exact(batch_capacity(shards)))
            })
            .map_err(|_| Stop::MemoryLimit)?;
        while let Some(is_checked) = self.part.expand()? {
            for other in 0..shards {
                if self.part.by_part[other].len() >= batch(shards) {
                    self.send(other, batch_capacity(shards));
                }
            }
            if is_checked {
                if self.stopping.load(Ordering::Relaxed) {
                    return Ok(());
                }
                while let Ok(batch) = self.inbox.try_recv() {
                    self.merge_batch(&batch);
                }
            }
            self.part.check()?;
        }
        for other in 0..shards {
            self.send(other, 0);
        }
        // The last batch may have been merged while sending.
        self.part.check()
    }

    /// Sends the batch for another thread, and reserves room for `room` states in the next.
    fn send(&mut self, other: usize, room: usize) {
        if self.part.by_part[other].is_empty() {
            return;
        }
        let Some(outbox) = self.outboxes[other].clone() else { return };
        let mut next = Vec::new();
        if next.try_reserve_exact(room).is_err() || !is_available(self.part.into.headroom()) {
            self.part.error.insert = Some(Stop::MemoryLimit);
        }
        let successors = std::mem::replace(&mut self.part.by_part[other], next);
        let mut batch = Batch { sender: self.part.own, successors };
        while let Err(TrySendError::Full(back)) = outbox.try_send(batch) {
            batch = back;
            if let Ok(batch) = self.inbox.recv_timeout(RETRY_INTERVAL) {
                self.merge_batch(&batch);
            }
        }
    }

    /// Merges a batch from another thread.
    fn merge_batch(&mut self, batch: &Batch<P>) {
        self.part.merge_successors(self.from[batch.sender].entries(), &batch.successors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plug::algebra::Counting;

    /// A problem in which all states are dead ends, so that the thread has no work of its own.
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
        let successors = states.into_iter().map(|state| Successor { state, label: (), source: 0 });
        Batch { sender: 1, successors: successors.collect() }
    }

    /// Calls `act` with the first of the threads that share `from`, which sends nothing.
    fn with_first<T>(
        from: &[Layer<u32, u64>],
        inbox: Receiver<Batch<Idle>>,
        act: impl FnOnce(Worker<'_, Idle, (), Counting<u64>>) -> T,
    ) -> T {
        let (clock, mut into) = (Clock::new(&crate::Limits::new()), Layer::new());
        let task = Task { problem: &Idle, hooks: &(), algebra: &Counting::<u64>::new() };
        let parts = (0, from.len());
        act(Worker {
            part: PartStep::new(task, (&clock, 0), 0, parts, &from[0], &mut into),
            from,
            inbox,
            outboxes: from.iter().map(|_| None).collect(),
            stopping: &AtomicBool::new(false),
        })
    }

    #[test]
    fn an_overflow_in_the_last_batch_is_reported() {
        let from = [Layer::new(), Layer::from_entries(vec![(0, u64::MAX)])];
        let (to_other, other_inbox) = sync_channel(1);
        let (to_own, inbox) = sync_channel(0);
        assert!(to_other.send(batch_of(Vec::new())).is_ok());
        let result = thread::scope(|scope| {
            scope.spawn(move || {
                // The batch is merged while the thread waits for the other one, whose inbox is
                // full.
                let sent = to_own.send(batch_of(vec![7, 7]));
                drop((sent, to_own, other_inbox));
            });
            with_first(&from, inbox, |mut worker| {
                worker.outboxes[1] = Some(to_other);
                worker.part.by_part[1] = batch_of(vec![1]).successors;
                worker.run().1
            })
        });
        assert_eq!(result, Err(Stop::CountOverflow));
    }

    #[test]
    fn an_overflow_in_a_batch_after_the_own_work_is_reported() {
        let from = [Layer::new(), Layer::from_entries(vec![(0, u64::MAX)])];
        let (to_own, inbox) = sync_channel(1);
        assert!(to_own.send(batch_of(vec![7, 7])).is_ok());
        drop(to_own);
        let result = with_first(&from, inbox, |worker| worker.run().1);
        assert_eq!(result, Err(Stop::CountOverflow));
    }

    #[test]
    fn no_batch_is_merged_into_a_layer_that_has_lost_its_index() {
        let from = [Layer::new(), Layer::from_entries(vec![(0, 1)])];
        let (_, inbox) = sync_channel(1);
        let states = with_first(&from, inbox, |mut worker| {
            worker.part.error.insert = Some(Stop::MemoryLimit);
            worker.merge_batch(&batch_of(vec![7]));
            worker.part.into.len()
        });
        assert_eq!(states, 0);
    }

    #[test]
    fn batches_shrink_with_the_number_of_threads() {
        assert_eq!([1, 2, 8, 64, usize::MAX].map(batch), [BATCH, BATCH, BATCH, 256, 1]);
    }
}

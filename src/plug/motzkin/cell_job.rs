//! The computation of a layer block by block, by one thread or several: [`CellJob`] and
//! [`Workers`].

use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

use super::fill_layer::{FillJob, Filled, Segments};
use super::numbers::{Block, FixedWidthAlgebra, Table, capacity_bytes};
use crate::limits::Stop;
use crate::plug::step::Clock;

/// The number of blocks of a layer for each thread: blocks of the same number of words take
/// different times.
const BLOCKS_PER_THREAD: usize = 16;
/// The least number of blocks of a large layer. Twice as many would save a fiftieth of the memory
/// of exact simple paths on 16×16 vertices, and take a tenth more time.
const MIN_BLOCKS: usize = 32;
/// The least number of words of a block, which take about ten microseconds.
const MIN_BLOCK_WORDS: usize = 1 << 13;

/// The number of words of new memory that are written between two checks of the clock.
pub(super) const WORDS_PER_POLL: usize = 1 << 18;

/// The computation of a layer from the previous one, which several threads may share.
///
/// The blocks of the new layer are divided into a share for each thread. Each thread takes the
/// blocks of its own share, whose numbers are often in the cache of its core, from the last one to
/// the first, and then blocks of others, from the beginning of their shares. So blocks that take
/// longer, or a thread that starts late or not at all, leave no other thread idle.
///
/// A block depends on old blocks of about the same ranks, and on some of lower ranks. So most old
/// blocks are no longer needed when few new ones have been filled beyond them. A thread releases
/// an old block when no block that is left depends on it, and the last thread that does so leaves
/// it to be reused.
pub(super) struct CellJob<N: FixedWidthAlgebra> {
    segments: Segments,
    algebra: N,
    clock: Clock,
    /// The first left half of each new block, followed by the number of left halves.
    firsts: Vec<usize>,
    /// For each new block, the old blocks on which it depends.
    dependencies: Vec<Vec<u32>>,
    /// Protects the list of blocks and the unused memory; it is not held during the work. A
    /// poisoned lock is harmless, because no operation leaves the queue inconsistent.
    queue: Mutex<Queue<N::Value>>,
}

/// The blocks of a layer that no thread has taken, those that are complete, and unused memory.
#[derive(Debug)]
struct Queue<V> {
    /// The blocks of each thread's share that no thread has taken.
    shares: Vec<Range<usize>>,
    /// For each old block, the number of blocks that no thread has taken and that depend on it.
    dependents: Vec<u32>,
    /// The complete blocks.
    new: Vec<Option<Vec<V>>>,
    spare: Vec<Vec<V>>,
    /// The bytes that are allocated: the old table, the complete blocks, those under construction,
    /// and unused ones.
    bytes: usize,
    peak_bytes: usize,
}

impl<V> Queue<V> {
    /// Takes a block for a thread.
    fn take(&mut self, own: usize, dependencies: &[Vec<u32>]) -> Option<usize> {
        let threads = self.shares.len();
        let block = (0..threads).find_map(|distance| {
            let share = &mut self.shares[(own + distance) % threads];
            if distance == 0 { share.next_back() } else { share.next() }
        })?;
        dependencies[block].iter().for_each(|&old| self.dependents[old as usize] -= 1);
        Some(block)
    }

    /// Releases a thread's references to old blocks on which neither `block` nor any block that is
    /// left depends.
    fn release(&mut self, old: &mut [Block<V>], block: Option<usize>, dependencies: &[Vec<u32>]) {
        let needed = block.map_or(&[][..], |block| &dependencies[block]);
        for (number, old) in (0..).zip(old) {
            // A block that was released before is empty.
            if self.dependents[number as usize] == 0 && !old.is_empty() && !needed.contains(&number)
            {
                self.spare.extend(Arc::into_inner(std::mem::take(old)));
            }
        }
    }

    /// Returns memory for a number of words: the smallest unused block that suffices, or a new one
    /// in place of one that does not.
    fn allocate(&mut self, words: usize) -> Result<Vec<V>, TryReserveError> {
        let fitting = self.spare.iter().enumerate().filter(|(_, spare)| spare.capacity() >= words);
        if let Some((index, _)) = fitting.min_by_key(|(_, spare)| spare.capacity()) {
            return Ok(self.spare.swap_remove(index));
        }
        if let Some(spare) = self.spare.pop() {
            self.bytes -= capacity_bytes(&spare);
        }
        let mut block = Vec::new();
        // Blocks of other layers are a little larger or smaller.
        block.try_reserve_exact(words + words / 32)?;
        self.bytes += capacity_bytes(&block);
        self.peak_bytes = self.peak_bytes.max(self.bytes);
        Ok(block)
    }

    /// Prevents threads from taking further blocks.
    fn close(&mut self) {
        self.shares.fill(0..0);
    }
}

/// A new layer, and the memory that its computation left.
pub(super) struct NewLayer<V> {
    /// `None` if the layer is not complete.
    pub(super) table: Option<Table<V>>,
    pub(super) spare: Vec<Vec<V>>,
    pub(super) peak_bytes: usize,
}

impl<N: FixedWidthAlgebra> CellJob<N> {
    /// Creates the computation of the layer with these segments. Its blocks begin where one of the
    /// first `aligned` plugs changes.
    pub(super) fn new(
        segments: Segments,
        (algebra, clock): (N, Clock),
        aligned: usize,
        threads: usize,
    ) -> Self {
        let blocks = MIN_BLOCKS.max(BLOCKS_PER_THREAD * threads);
        let words = (segments.words() / blocks).max(MIN_BLOCK_WORDS);
        // Waking a thread takes about as long as filling a block of the least size.
        let threads = threads.min(segments.words() / (2 * MIN_BLOCK_WORDS)).max(1);
        Self::in_blocks(segments, (algebra, clock), (words, aligned), threads)
    }

    /// Creates a computation like [`new`](Self::new), in blocks of at least `words` words.
    fn in_blocks(
        segments: Segments,
        (algebra, clock): (N, Clock),
        (words, aligned): (usize, usize),
        threads: usize,
    ) -> Self {
        let firsts = segments.divide(words, aligned);
        let dependencies = segments.dependencies(&firsts);
        let blocks = dependencies.len();
        let shares = (0..threads)
            .map(|thread| blocks * thread / threads..blocks * (thread + 1) / threads)
            .collect();
        let mut dependents = Vec::new();
        for &old in dependencies.iter().flatten() {
            let length = dependents.len().max(old as usize + 1);
            dependents.resize(length, 0);
            dependents[old as usize] += 1;
        }
        let new = (0..blocks).map(|_| None).collect();
        let queue = Queue { shares, dependents, new, spare: Vec::new(), bytes: 0, peak_bytes: 0 };
        CellJob { segments, algebra, clock, firsts, dependencies, queue: Mutex::new(queue) }
    }

    /// Returns the bytes that the old and the new table need at the same time, without those of
    /// unused blocks; `is_old_needed` if the old table has to be kept.
    pub(super) fn needed_bytes(&self, old: &[Block<N::Value>], is_old_needed: bool) -> usize {
        let bytes = |words: usize| words.saturating_mul(size_of::<N::Value>());
        let mut live: usize = old.iter().map(|block| capacity_bytes(block)).sum();
        if is_old_needed || self.threads() > 1 {
            return live.saturating_add(bytes(self.segments.words()));
        }
        let (mut peak, mut released) = (live, 0);
        let mut dependents = self.queue().dependents.clone();
        for (range, dependencies) in self.firsts.windows(2).zip(&self.dependencies).rev() {
            let needed = bytes(self.segments.words_of(&(range[0]..range[1])));
            live += needed.saturating_sub(released);
            released = released.saturating_sub(needed);
            peak = peak.max(live);
            for &block in dependencies {
                dependents[block as usize] -= 1;
                if dependents[block as usize] == 0 {
                    released += capacity_bytes(&old[block as usize]);
                }
            }
        }
        peak
    }

    /// Returns the number of threads that can share the work.
    pub(super) fn threads(&self) -> usize {
        self.queue().shares.len()
    }

    fn queue(&self) -> MutexGuard<'_, Queue<N::Value>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills blocks until none is left. The thread `own` may release its references to blocks of
    /// the old table.
    fn work(&self, own: usize, mut old: Vec<Block<N::Value>>) -> Filled {
        let mut filled = Filled::default();
        loop {
            let (block, lefts, memory) = {
                let mut queue = self.queue();
                let taken = queue.take(own, &self.dependencies);
                queue.release(&mut old, taken, &self.dependencies);
                let Some(block) = taken else { return filled };
                let lefts = self.firsts[block]..self.firsts[block + 1];
                let memory = queue.allocate(self.segments.words_of(&lefts));
                (block, lefts, memory)
            };
            let words = self.segments.words_of(&lefts);
            let result = memory.map_err(|_| Stop::MemoryLimit).and_then(|mut new| {
                // A block may be too small for a check of the clock within it.
                self.clock.check()?;
                new.truncate(words);
                while new.len() < words {
                    new.resize(words.min(new.len() + WORDS_PER_POLL), N::ZERO);
                    self.clock.check()?;
                }
                let Self { segments, algebra, clock, .. } = self;
                let job = FillJob { segments, clock, algebra: *algebra, old: &old };
                Ok((job.run(lefts, &mut new), new))
            });
            match result {
                Ok((part, new)) => {
                    filled = filled.and(part);
                    let mut queue = self.queue();
                    queue.new[block] = Some(new);
                    if part.stop.is_some() {
                        queue.close();
                    }
                }
                Err(stop) => {
                    filled = filled.and(Filled::stopped(stop));
                    self.queue().close();
                }
            }
        }
    }

    /// Computes the layer, with `spare` blocks of memory. With several threads, the calling thread
    /// runs `meanwhile` first, if given, and then helps.
    pub(super) fn run(
        self,
        old: Vec<Block<N::Value>>,
        spare: Vec<Vec<N::Value>>,
        workers: &Workers<N>,
        meanwhile: Option<impl FnOnce()>,
    ) -> (NewLayer<N::Value>, Filled) {
        let mut bytes: usize = old.iter().map(|block| capacity_bytes(block)).sum();
        bytes += spare.iter().map(capacity_bytes).sum::<usize>();
        {
            let mut queue = self.queue();
            (queue.bytes, queue.peak_bytes, queue.spare) = (bytes, bytes, spare);
            // No block may depend on the last old ones.
            queue.dependents.resize(old.len(), 0);
        }
        let helpers = workers.list.iter().take(self.threads() - 1);
        let job = Arc::new(self);
        helpers.clone().for_each(|worker| worker.send(&job, &old));
        if helpers.len() > 0
            && let Some(meanwhile) = meanwhile
        {
            meanwhile();
        }
        let own = job.work(0, old);
        let filled = helpers.map(Worker::result).fold(own, Filled::and);
        (job.take_layer(filled.stop.is_none()), filled)
    }

    /// Takes the new layer, if it is complete, and the unused memory.
    fn take_layer(&self, is_complete: bool) -> NewLayer<N::Value> {
        let mut queue = self.queue();
        let (mut spare, peak_bytes) = (std::mem::take(&mut queue.spare), queue.peak_bytes);
        let blocks: Vec<_> = queue.new.drain(..).flatten().collect();
        let table = if is_complete {
            Some(Table::new(blocks))
        } else {
            spare.extend(blocks);
            None
        };
        NewLayer { table, spare, peak_bytes }
    }
}

/// The threads of a sweep beside the calling one. They live as long as the sweep.
pub(super) struct Workers<N: FixedWidthAlgebra> {
    list: Vec<Worker<N>>,
    /// Whether the system has been asked for threads.
    are_started: bool,
}

/// A thread that waits for jobs.
struct Worker<N: FixedWidthAlgebra> {
    jobs: Sender<Job<N>>,
    results: Receiver<Filled>,
}

/// A job, and references to the blocks of the old table for a thread.
type Job<N> = (Arc<CellJob<N>>, Vec<Block<<N as FixedWidthAlgebra>::Value>>);

impl<N: FixedWidthAlgebra> Workers<N> {
    pub(super) fn new() -> Self {
        Workers { list: Vec::new(), are_started: false }
    }

    pub(super) fn are_started(&self) -> bool {
        self.are_started
    }

    /// Starts the threads, or fewer if the system refuses.
    pub(super) fn start<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, threads: usize)
    where
        N: 'scope,
    {
        self.are_started = true;
        let start = |own| {
            let (jobs, received) = channel::<Job<N>>();
            let (send_result, results) = channel();
            let work = move || {
                while let Ok((job, old)) = received.recv() {
                    let filled = job.work(own, old);
                    // The caller takes the layer out of the job, which need not exist any more.
                    drop(job);
                    if send_result.send(filled).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().spawn_scoped(scope, work).ok()?;
            Some(Worker { jobs, results })
        };
        self.list = (1..threads).map_while(start).collect();
    }
}

impl<N: FixedWidthAlgebra> Worker<N> {
    fn send(&self, job: &Arc<CellJob<N>>, old: &[Block<N::Value>]) {
        // If the thread has panicked, `result` says so.
        let _ = self.jobs.send((Arc::clone(job), old.to_vec()));
    }

    fn result(&self) -> Filled {
        // If the thread has panicked, the layer is discarded, and the scope of the threads panics.
        self.results.recv().unwrap_or_else(|_| Filled::stopped(Stop::Interrupted))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::limits::Limits;
    use crate::plug::algebra::{Counting, Limbs, Modulo};
    use crate::plug::motzkin::fill_layer::tests::Cell;
    use crate::plug::motzkin::test_boards;

    /// Returns the job of a cell, whose blocks are aligned to the cut of the next cell.
    fn job<N: FixedWidthAlgebra>(
        (cell, next): (&Cell, &Cell),
        algebra: N,
        old: &Table<N::Value>,
        (words, threads): (Option<usize>, usize),
    ) -> CellJob<N> {
        let aligned = cell.plan.new.cut.min(next.plan.old.cut);
        let segments = cell.segments(old);
        let algebra = (algebra, Clock::new(&Limits::new()));
        match words {
            Some(words) => CellJob::in_blocks(segments, algebra, (words, aligned), threads),
            None => CellJob::new(segments, algebra, aligned, threads),
        }
    }

    /// Compares all layers, in blocks of at least `words` words, with those that are computed at
    /// once.
    fn check_layers(cells: &[Cell], words: usize, threads: usize, is_old_needed: bool) {
        let modulo = &Modulo::new([1_000_003]).expect("not 0");
        let mut expected = vec![[1]];
        let mut layer = Table::new(vec![expected.clone()]);
        let mut spare = Vec::new();
        thread::scope(|scope| {
            let mut workers = Workers::new();
            workers.start(scope, threads);
            for (cell, next) in cells.iter().zip(&cells[1..]) {
                let at_once;
                (expected, at_once) = cell.fill(modulo, &expected);
                let job = job((cell, next), modulo, &layer, (Some(words), threads));
                let old = if is_old_needed { layer.clone() } else { layer };
                let memory = std::mem::take(&mut spare);
                let (new, filled) = job.run(old.into_blocks(), memory, &workers, None::<fn()>);
                (layer, spare) = (new.table.expect("no limit"), new.spare);
                assert!(layer.values().eq(&expected), "{threads} threads");
                assert_eq!(filled.states, at_once.states, "{threads} threads");
            }
        });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Tiny blocks, unlike the combinations of whole sweeps, whose small layers are one block.
        #[test]
        fn blocks_of_any_size_compute_the_same_layers(
            (lines, width) in (2..7_usize, 2..7_usize),
            obstacle in any::<prop::sample::Index>(),
            kind in 0..4_usize,
            (words, threads) in (1..40_usize, 1..4_usize),
            is_old_needed in any::<bool>(),
        ) {
            let cell = obstacle.index(lines * width);
            // Paths need the corners.
            let obstacle = (cell != 0 && cell + 1 != lines * width)
                .then_some((cell / width, cell % width));
            let board = &test_boards::all((lines, width), obstacle.as_slice())[kind];
            let cells = Cell::first_cells(board, board.len());
            check_layers(&cells, words, threads, is_old_needed);
        }
    }

    fn cells() -> Vec<Cell> {
        Cell::first_cells(&test_boards::paths((14, 13), &[], true), 3 * 13)
    }

    #[test]
    fn old_blocks_on_which_nothing_depends_are_released_at_once() {
        let cells = cells();
        let (cell, next) = (&cells[30], &cells[31]);
        let modulo = &Modulo::new([7]).expect("not 0");
        let old = Table::new(vec![vec![[1]; cell.old_words()]]);
        let job = job((cell, next), modulo, &old, (None, 1));
        let more = [old.into_blocks(), vec![Arc::new(vec![[1]; 1_000_000])]].concat();
        let (new, _) = job.run(more, Vec::new(), &Workers::new(), None::<fn()>);
        assert!(new.table.is_some());
    }

    #[test]
    fn every_thread_reports_overflows() {
        let cells = cells();
        let (cell, next) = (&cells[30], &cells[31]);
        for threads in 1..=3 {
            let old = Table::new(vec![vec![Limbs::<1>::from(1 << 63); cell.old_words()]]);
            let job = job((cell, next), Counting::<Limbs<1>>::new(), &old, (None, threads));
            assert_eq!(job.threads(), threads, "{} words", cell.old_words());
            thread::scope(|scope| {
                let mut workers = Workers::new();
                workers.start(scope, threads);
                let (_, filled) = job.run(old.into_blocks(), Vec::new(), &workers, None::<fn()>);
                assert!(filled.overflow, "{threads} threads");
            });
        }
    }

    #[test]
    fn one_thread_needs_less_memory_than_for_two_tables_if_it_may_release_the_old_one() {
        let (cells, modulo) = (cells(), &Modulo::new([7]).expect("not 0"));
        let mut layer = Table::new(vec![vec![[1]]]);
        for (cell, next) in cells.iter().zip(&cells[1..]) {
            let job = job((cell, next), modulo, &layer, (None, 1));
            let needed = job.needed_bytes(layer.blocks(), false);
            let both = job.needed_bytes(layer.blocks(), true);
            assert!(needed <= both, "{needed}, {both}");
            let workers = &Workers::new();
            let is_large = cell.old_words() > 1 << 17;
            let (new, _) = job.run(layer.into_blocks(), Vec::new(), workers, None::<fn()>);
            layer = new.table.expect("no limit");
            // A block may take a little more than its words.
            let peak = new.peak_bytes;
            assert!(peak <= needed + needed / 8, "{peak}, predicted {needed}");
            assert!(!is_large || needed < both - both / 16, "{needed}, {both}");
        }
    }

    #[test]
    fn threads_take_blocks_of_others_and_release_old_ones_until_the_queue_is_closed() {
        let shares = vec![0..2, 2..4];
        let new = vec![None, None, None, None];
        let (dependencies, dependents) = (vec![vec![0], vec![0, 1], vec![1], vec![1]], vec![2, 3]);
        let mut queue =
            Queue { shares, dependents, new, spare: Vec::new(), bytes: 0, peak_bytes: 0 };
        let mut old: Vec<Block<u8>> = vec![Arc::new(vec![1]), Arc::new(vec![2])];
        for (block, released) in [(1, 0), (0, 0), (2, 1)] {
            assert_eq!(queue.take(0, &dependencies), Some(block));
            queue.release(&mut old, Some(block), &dependencies);
            assert_eq!(queue.spare.len(), released, "{block}");
        }
        assert_eq!(queue.spare, [[1]]);
        queue.close();
        assert_eq!(queue.take(1, &dependencies), None);
        assert_eq!(queue.dependents, [0, 1]);
    }
}

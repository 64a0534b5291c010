//! Joining two half sweeps: [`Joint`], [`join_with_image`] and [`join`].

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::limits::{Limits, Stop, thread_count};
use crate::memory::block_bytes;
use crate::plug::algebra::Overflow;
use crate::plug::sorting::sort_cancellable;
use crate::plug::step::{Clock, MAX_THREADS, POLL_STATES};

/// The rule by which a state of the near half and a state of the far half make a complete solution.
///
/// Not every state of one half is compared with every state of the other. The *key* of a state
/// consists of the properties that must agree in any case: which vertices of the boundary are used,
/// and how many edges they lack. A state fits only states whose key is the partner of its own.
/// Within two groups of states whose keys are partners,
/// [`count_completions`](Joint::count_completions) may be faster than a trial of all pairs.
///
/// ```
/// use secateurs::plug::Overflow;
/// use secateurs::plug::meet_in_the_middle::{Joint, join_with_image};
///
/// /// Columns in which a domino lies across the middle of the board: the same for both halves.
/// struct Across;
///
/// impl Joint<u32> for Across {
///     type Key = u32;
///
///     fn key(&self, across: u32) -> u32 {
///         across
///     }
///     fn partner(&self, across: u32) -> u32 {
///         across
///     }
///     fn count_completions<V: Copy + Into<u128>>(
///         &self,
///         _: u32,
///         near: &[(u32, V)],
///         far: &[(u32, V)],
///     ) -> Result<u128, Overflow> {
///         let ways = |ends: &[(u32, V)]| ends.iter().map(|&(_, ways)| ways.into()).sum::<u128>();
///         ways(near).checked_mul(ways(far)).ok_or(Overflow)
///     }
/// }
///
/// // The upper half of a board of 2 rows and 2 columns: the domino lies in it, or two lie across.
/// let near: Vec<(u32, u64)> = vec![(0b00, 1), (0b11, 1)];
/// assert_eq!(join_with_image(&Across, near, 1), Ok(2));
/// ```
///
/// # If an implementation lies
///
/// If `partner` is not its own inverse, or two states fit whose keys are not partners, the answer
/// is wrong.
pub trait Joint<S: Copy>: Sync {
    /// The properties that must agree.
    type Key: Copy + Ord + Send + Sync;

    /// Returns the key of a state.
    fn key(&self, state: S) -> Self::Key;

    /// Returns the key that a state of the other half must have to fit a state with this key.
    fn partner(&self, key: Self::Key) -> Self::Key;

    /// Returns the number of complete solutions made of near states with this key and far states
    /// with its partner: the sum, over all pairs that fit, of the product of their values. The
    /// value of a state is its number of partial solutions.
    ///
    /// # Errors
    /// Returns [`Overflow`] if the number does not fit.
    fn count_completions<V: Copy + Into<u128>>(
        &self,
        key: Self::Key,
        near: &[(S, V)],
        far: &[(S, V)],
    ) -> Result<u128, Overflow>;
}

/// The memory that a join may take in addition to the states, shared by its threads.
///
/// Relaxed suffices for its atomics: no other data is published through the counters and the flag.
#[derive(Debug)]
pub(super) struct JoinMemory {
    max_bytes: usize,
    used: AtomicUsize,
    peak: AtomicUsize,
    is_exhausted: AtomicBool,
}

impl JoinMemory {
    pub(super) fn new(max_bytes: usize) -> Self {
        JoinMemory {
            max_bytes,
            used: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            is_exhausted: AtomicBool::new(false),
        }
    }

    /// Returns the bytes that may still be taken.
    pub(super) fn remaining(&self) -> usize {
        self.max_bytes - self.used.load(Ordering::Relaxed)
    }

    /// Returns the peak of the bytes in use.
    pub(super) fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Reserves bytes until the result is dropped. Returns `None` if there are not so many left.
    pub(super) fn reserve(&self, bytes: usize) -> Option<Reservation<'_>> {
        let add = |used: usize| used.checked_add(bytes).filter(|&used| used <= self.max_bytes);
        let before = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        self.peak.fetch_max(before + bytes, Ordering::Relaxed);
        Some(Reservation { bytes, memory: self })
    }

    /// Returns an empty vector with room for this many items, and its bytes. Returns `None` if
    /// there are not so many left or the system has no memory.
    pub(super) fn allocate<T>(&self, items: usize) -> Option<(Vec<T>, Reservation<'_>)> {
        let reservation = self.reserve(block_bytes(items.saturating_mul(size_of::<T>())))?;
        let mut vec = Vec::new();
        vec.try_reserve_exact(items).ok()?;
        Some((vec, reservation))
    }

    /// Records that the join needs more memory than there is, so that it stops with
    /// [`Stop::MemoryLimit`]. Returns the only error that [`Joint::count_completions`] can return.
    pub(super) fn exhaust(&self) -> Overflow {
        self.is_exhausted.store(true, Ordering::Relaxed);
        Overflow
    }
}

/// A reservation of bytes, released when it is dropped.
#[derive(Debug)]
pub(super) struct Reservation<'a> {
    bytes: usize,
    memory: &'a JoinMemory,
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Joins the near half with the far half, given by states of the same type, and returns the number
/// of complete solutions. 0 threads stand for the number that the machine runs in parallel; numbers
/// above 128 are reduced to 128.
///
/// Both halves are sorted by key, and partners are joined group by group.
///
/// # Errors
/// Returns [`Overflow`] if the number of complete solutions is 2¹²⁸ or more, or if
/// [`Joint::count_completions`] does.
pub fn join<S, V, J>(
    joint: &J,
    mut near: Vec<(S, V)>,
    mut far: Vec<(S, V)>,
    threads: usize,
) -> Result<u128, Overflow>
where
    S: Copy + Send + Sync,
    V: Copy + Into<u128> + Send + Sync,
    J: Joint<S>,
{
    let threads = thread_count(threads, MAX_THREADS);
    let (clock, memory) = (Clock::new(&Limits::new()), JoinMemory::new(usize::MAX));
    let joined = sort(joint, &mut near, threads, &clock)
        .and_then(|()| sort(joint, &mut far, threads, &clock))
        .and_then(|()| join_sorted(joint, &near, &far, threads, (&clock, &memory)));
    joined.map_err(|_| Overflow)
}

/// Joins the near half with its own image, and returns the number of complete solutions. `ends` are
/// the states of the near half; those of the far half are the same, seen in the image.
/// [`Joint::count_completions`] is called once for two keys that are partners, with either of them
/// as the near one. Its result must therefore not change if the two groups are swapped.
///
/// # Errors
/// Returns [`Overflow`] if the number of complete solutions is 2¹²⁸ or more, or if
/// [`Joint::count_completions`] does.
pub fn join_with_image<S, V, J>(
    joint: &J,
    ends: Vec<(S, V)>,
    threads: usize,
) -> Result<u128, Overflow>
where
    S: Copy + Send + Sync,
    V: Copy + Into<u128> + Send + Sync,
    J: Joint<S>,
{
    let threads = thread_count(threads, MAX_THREADS);
    let limits = (&Clock::new(&Limits::new()), &JoinMemory::new(usize::MAX));
    join_within(joint, ends, threads, limits).map_err(|_| Overflow)
}

/// Joins like [`join_with_image`], within limits of time and memory.
pub(super) fn join_within<S, V, J>(
    joint: &J,
    mut ends: Vec<(S, V)>,
    threads: usize,
    limits: (&Clock, &JoinMemory),
) -> Result<u128, Stop>
where
    S: Copy + Send + Sync,
    V: Copy + Into<u128> + Send + Sync,
    J: Joint<S>,
{
    sort(joint, &mut ends, threads, limits.0)?;
    join_sorted(joint, &ends, &ends, threads, limits)
}

/// Sorts states by key.
fn sort<S: Copy + Send, V: Send, J: Joint<S>>(
    joint: &J,
    ends: &mut [(S, V)],
    threads: usize,
    clock: &Clock,
) -> Result<(), Stop> {
    let compare = |end: &(S, V), other: &(S, V)| joint.key(end.0).cmp(&joint.key(other.0));
    sort_cancellable(ends, threads, &compare, &|| clock.check())
}

/// A key, and the range of the states with this key.
type Group<K> = (K, usize, usize);
/// The groups of a half, and the bytes that they take.
type Groups<'a, K> = (Vec<Group<K>>, Reservation<'a>);

/// Returns the groups of states with equal keys, and the bytes that they take.
fn groups<'a, S: Copy, V, J: Joint<S>>(
    joint: &J,
    ends: &[(S, V)],
    (clock, memory): (&Clock, &'a JoinMemory),
) -> Result<Groups<'a, J::Key>, Stop> {
    // Groups are counted first, so that the list need not grow.
    let (mut count, mut last) = (0, None);
    for_each_key(joint, ends, clock, |_, key| {
        count += usize::from(last != Some(key));
        last = Some(key);
    })?;
    let (mut groups, reservation) =
        memory.allocate::<Group<J::Key>>(count).ok_or(Stop::MemoryLimit)?;
    for_each_key(joint, ends, clock, |index, key| match groups.last_mut() {
        Some((last, _, to)) if *last == key => *to = index + 1,
        _ => groups.push((key, index, index + 1)),
    })?;
    Ok((groups, reservation))
}

/// Calls `visit` with the index and the key of each state.
fn for_each_key<S: Copy, V, J: Joint<S>>(
    joint: &J,
    ends: &[(S, V)],
    clock: &Clock,
    mut visit: impl FnMut(usize, J::Key),
) -> Result<(), Stop> {
    for (index, end) in ends.iter().enumerate() {
        if index % POLL_STATES == 0 {
            clock.check()?;
        }
        visit(index, joint.key(end.0));
    }
    Ok(())
}

/// The number of groups that a thread takes at a time.
const GROUPS_PER_TASK: usize = 16;

fn join_sorted<S, V, J>(
    joint: &J,
    near: &[(S, V)],
    far: &[(S, V)],
    threads: usize,
    limits: (&Clock, &JoinMemory),
) -> Result<u128, Stop>
where
    S: Copy + Send + Sync,
    V: Copy + Into<u128> + Send + Sync,
    J: Joint<S>,
{
    let (clock, memory) = limits;
    let is_image = std::ptr::eq(near, far);
    let (near_groups, _near_bytes) = groups(joint, near, limits)?;
    let (far_groups, _far_bytes) = groups(joint, if is_image { &[] } else { far }, limits)?;
    let far_groups = if is_image { &near_groups } else { &far_groups };
    // The first group that no thread has taken. Relaxed suffices: the additions hand out disjoint
    // ranges of data that no thread changes, and the sums are returned by joining the threads.
    let next = AtomicUsize::new(0);
    let work = || -> Result<u128, Stop> {
        let mut sum = 0_u128;
        loop {
            let first = next.fetch_add(GROUPS_PER_TASK, Ordering::Relaxed);
            if first >= near_groups.len() {
                return Ok(sum);
            }
            for &(key, from, to) in near_groups[first..].iter().take(GROUPS_PER_TASK) {
                let partner = joint.partner(key);
                if is_image && partner < key {
                    continue; // counted with the two keys swapped
                }
                let Ok(found) = far_groups.binary_search_by_key(&partner, |group| group.0) else {
                    continue;
                };
                let (_, far_from, far_to) = far_groups[found];
                let times = if is_image && partner != key { 2 } else { 1 };
                let count =
                    joint.count_completions(key, &near[from..to], &far[far_from..far_to]).ok();
                let new_sum = count
                    .and_then(|count| count.checked_mul(times))
                    .and_then(|count| sum.checked_add(count));
                let Some(new_sum) = new_sum else {
                    // The other threads find no further groups.
                    next.store(near_groups.len(), Ordering::Relaxed);
                    clock.check()?;
                    let is_exhausted = memory.is_exhausted.load(Ordering::Relaxed);
                    return Err(if is_exhausted { Stop::MemoryLimit } else { Stop::CountOverflow });
                };
                sum = new_sum;
            }
            clock.check()?;
        }
    };
    let parts: Vec<Result<u128, Stop>> = thread::scope(|scope| {
        let threads = threads.min(near_groups.len().div_ceil(GROUPS_PER_TASK));
        // Idle threads take the next groups: if some threads cannot be started, the others take
        // more.
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let own = work();
        let others = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        std::iter::once(own).chain(others).collect()
    });
    parts
        .into_iter()
        .try_fold(0_u128, |sum, part| sum.checked_add(part?).ok_or(Stop::CountOverflow))
}

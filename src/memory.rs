//! Accounting of heap memory: block sizes, growth of collections, and probes of the free memory.

use std::hint::black_box;
use std::mem::needs_drop;

use crate::limits::Stop;
use crate::problem::Problem;

/// The bytes that must stay free after a table has grown, for small allocations whose failure
/// aborts.
const HEADROOM: usize = 1 << 20;

/// Returns the bytes that an allocation of `bytes` bytes takes up, including the overhead of the
/// allocator: one word, padding to a multiple of 16, and a minimum of 32. An empty block takes
/// none.
///
/// [`Algebra::heap_bytes`](crate::plug::Algebra::heap_bytes) and
/// [`Problem::heap_bytes`](crate::Problem::heap_bytes) return sums of such sizes. They are those of
/// the usual allocators of 64-bit systems; others differ by a few bytes per block.
///
/// ```
/// let list: Vec<u64> = Vec::with_capacity(100);
/// assert_eq!(secateurs::block_bytes(list.capacity() * size_of::<u64>()), 816);
/// assert_eq!(secateurs::block_bytes(0), 0);
/// ```
#[must_use]
#[inline]
pub const fn block_bytes(bytes: usize) -> usize {
    if bytes == 0 {
        return 0;
    }
    let block = bytes.saturating_add(8 + 15) & !15;
    if block < 32 { 32 } else { block }
}

/// Returns the heap bytes of a vector, without those that its items own: the
/// [`block_bytes`] of its capacity.
#[must_use]
#[inline]
pub const fn vec_bytes<T>(vec: &Vec<T>) -> usize {
    block_bytes(vec.capacity().saturating_mul(size_of::<T>()))
}

/// Returns whether the system can provide `bytes` at once, by allocating and freeing them.
pub(crate) fn is_available(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let available = probe.try_reserve_exact(bytes).is_ok();
    // The compiler may remove an unused allocation and assume that it succeeds.
    black_box(&mut probe);
    available
}

/// Returns the capacity to which a full collection of `len` items should grow: twice as much, or as
/// much as the limit allows. `used` bytes of `max_bytes` are in use, including the collection. The
/// old and the new memory exist at the same time during growth, so the new memory must fit beside
/// `used`. Returns `None` if the collection cannot grow by more than a sixteenth: it would be
/// copied too often.
pub(crate) fn grown<T>(len: usize, used: usize, max_bytes: usize) -> Option<usize> {
    grown_items(size_of::<T>(), len, used, max_bytes)
}

/// Like [`grown`], for items that take `bytes` each, also elsewhere.
pub(crate) fn grown_items(
    bytes: usize,
    len: usize,
    used: usize,
    max_bytes: usize,
) -> Option<usize> {
    let room = max_bytes.saturating_sub(used) / bytes.max(1);
    let capacity = len.saturating_mul(2).max(64).min(room);
    (capacity > len + len / 16).then_some(capacity)
}

/// Makes room for one more item of a vector that [may grow](grown). Returns the bytes that were
/// added, or `None` if there is no room.
#[cfg(feature = "plug")]
pub(crate) fn reserve_one<T>(items: &mut Vec<T>, used: usize, max_bytes: usize) -> Option<usize> {
    let (length, capacity) = (items.len(), items.capacity());
    if length < capacity {
        return Some(0);
    }
    items.try_reserve_exact(grown::<T>(length, used, max_bytes)? - length).ok()?;
    Some((items.capacity() - capacity) * size_of::<T>())
}

/// Returns the bytes that a state owns.
#[inline]
pub(crate) fn heap_bytes<P: Problem>(problem: &P, state: &P::State) -> usize {
    if const { needs_drop::<P::State>() } { problem.heap_bytes(state) } else { 0 }
}

/// The bytes that a structure uses of those that it may use.
#[derive(Debug)]
pub(crate) struct Budget {
    used: usize,
    max_bytes: usize,
    /// The number of used bytes from which the free memory is probed again.
    next_probe: usize,
}

impl Budget {
    pub(crate) fn new(used: usize, max_bytes: usize) -> Self {
        Budget { used, max_bytes, next_probe: 0 }
    }

    /// Returns the bytes that are in use.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Counts a block of memory whose size is about to change. If it grows, both must fit.
    #[inline]
    pub(crate) fn resize(&mut self, from: usize, to: usize) -> Result<(), Stop> {
        if to > from {
            let with_both = self.used.saturating_add(to);
            if with_both > self.max_bytes {
                return Err(Stop::MemoryLimit);
            }
            if with_both > self.next_probe {
                self.probe(to)?;
            }
        }
        self.used = self.used.saturating_sub(from) + to;
        Ok(())
    }

    /// Makes room for `more` items of a vector: for twice as many as it has, if so many fit.
    #[inline]
    pub(crate) fn reserve<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), Stop> {
        if items.capacity() - items.len() >= more { Ok(()) } else { self.grow(items, more) }
    }

    #[cold]
    fn grow<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), Stop> {
        let (len, size) = (items.len(), size_of::<T>().max(1));
        // Growing by less than a sixteenth would copy it too often.
        let least = len.saturating_add(more.max(len / 16));
        // The overhead of a block is smaller than the smallest block.
        let free = self.max_bytes.saturating_sub(self.used).saturating_sub(block_bytes(1));
        let room = free / size;
        let capacity = (2 * len).min(room).max(least);
        self.resize(vec_bytes(items), block_bytes(capacity.saturating_mul(size)))?;
        items.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)
    }

    /// Checks that the system has a block, and a reserve for small ones beside it.
    #[cold]
    fn probe(&mut self, block: usize) -> Result<(), Stop> {
        let reserve = headroom(self.max_bytes);
        if !is_available(block.saturating_add(reserve)) {
            return Err(Stop::MemoryLimit);
        }
        self.next_probe = self.used.saturating_add(block) + reserve / 2;
        Ok(())
    }
}

/// Returns the bytes to probe for after growth under a memory limit. They are few under a small
/// limit, because a probe adds to the memory of the process while it lasts.
pub(crate) fn headroom(max_bytes: usize) -> usize {
    HEADROOM.min(max_bytes / 32)
}

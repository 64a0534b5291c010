//! Accounting of heap memory: the size of a block, and whether the system has room for more.

use std::hint::black_box;

/// Memory that must be left after a table has grown, for small allocations that cannot fail without
/// an abort.
const HEADROOM: usize = 1 << 20;

/// Returns the bytes that an allocation of so many bytes takes up, with what the allocator adds: a
/// word of its own, and padding to a multiple of 16. An empty block takes none.
///
/// This is what [`Algebra::heap_bytes`](crate::plug::Algebra::heap_bytes) and
/// [`Problem::heap_bytes`](crate::Problem::heap_bytes) add up. It is the layout of the usual
/// allocators of 64-bit systems; others differ by a few bytes a block.
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

/// Returns the bytes of heap of a vector, not counting what its items own.
#[inline]
pub(crate) const fn vec_bytes<T>(vec: &Vec<T>) -> usize {
    block_bytes(vec.capacity().saturating_mul(size_of::<T>()))
}

/// Returns whether the system could provide so many bytes at once. They are given back unused.
pub(crate) fn is_available(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let available = probe.try_reserve_exact(bytes).is_ok();
    // The compiler may remove an allocation that is not used, and take it for granted that it
    // succeeds.
    black_box(&mut probe);
    available
}

/// Returns the capacity to which a collection of `len` items, which is full, should grow: twice as
/// much, or as much as the limit allows. While it grows, its old and its new memory are there at
/// once. `used` bytes of `max_bytes` are taken up, by the collection as well. `None` if it cannot
/// grow by a sixteenth, as it would be copied again and again.
pub(crate) fn grown<T>(len: usize, used: usize, max_bytes: usize) -> Option<usize> {
    let room = max_bytes.saturating_sub(used) / size_of::<T>().max(1);
    let capacity = len.saturating_mul(2).max(64).min(room);
    (capacity > len + len / 16).then_some(capacity)
}

/// Returns the headroom to leave under a limit of memory: little under a small one, as probes count
/// while they last.
pub(crate) fn headroom(max_bytes: usize) -> usize {
    HEADROOM.min(max_bytes / 32)
}

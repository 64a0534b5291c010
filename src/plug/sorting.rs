//! Sorting that can be cancelled: sorting millions of states takes longer than the time in which a
//! cancellation has to be noticed.

use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::limits::Stop;

/// The most items that the standard library sorts in one call, which takes some milliseconds.
const PIECE: usize = 1 << 15;
/// The number of comparisons with a pivot between two calls of `check_stop`.
const POLL: usize = 1 << 14;
/// The pivot is the median of this many items.
const SAMPLE: usize = 31;

/// Sorts by quicksort (Hoare, 1962) with several threads; the standard library sorts small pieces.
/// The order of equal items is unspecified. `check_stop` is called now and then; its error ends the
/// sorting, and the slice then holds the same items in an unspecified order.
pub(crate) fn sort_cancellable<T: Send>(
    items: &mut [T],
    threads: usize,
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
    check_stop: &(impl Fn() -> Result<(), Stop> + Sync),
) -> Result<(), Stop> {
    if threads < 2 || items.len() <= PIECE {
        return sort_in_current_thread(items, compare, check_stop);
    }
    check_stop()?;
    let (less, equal) = partition(items, compare, check_stop)?;
    let (low, rest) = items.split_at_mut(less);
    let high = &mut rest[equal..];
    let share =
        (low.len() as u128 * threads as u128 / (low.len() + high.len()).max(1) as u128) as usize;
    let share = share.clamp(1, threads - 1);
    // The mutex hands the slice to whichever closure call comes first: the spawned thread's, or, if
    // that could not be started, the one below. There is no contention.
    let low = Mutex::new(Some(low));
    let sort_low = || {
        let low = low.lock().unwrap_or_else(PoisonError::into_inner).take();
        low.map_or(Ok(()), |low| sort_cancellable(low, share, compare, check_stop))
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new().spawn_scoped(scope, sort_low);
        let high = sort_cancellable(high, threads - share, compare, check_stop);
        let low = match worker {
            Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => sort_low(),
        };
        low.and(high)
    })
}

/// Sorts like [`sort_cancellable`], but in the current thread only: items need not be `Send`.
pub(crate) fn sort_in_current_thread<T>(
    mut items: &mut [T],
    compare: &impl Fn(&T, &T) -> Ordering,
    check_stop: &impl Fn() -> Result<(), Stop>,
) -> Result<(), Stop> {
    loop {
        check_stop()?;
        if items.len() <= PIECE {
            items.sort_unstable_by(compare);
            return Ok(());
        }
        let (less, equal) = partition(items, compare, check_stop)?;
        let (low, rest) = items.split_at_mut(less);
        let high = &mut rest[equal..];
        // The loop continues with the larger part, so that the recursion depth is logarithmic
        // however bad the pivots are.
        let (smaller, larger) = if low.len() < high.len() { (low, high) } else { (high, low) };
        sort_in_current_thread(smaller, compare, check_stop)?;
        items = larger;
    }
}

/// Partitions the items by a pivot: smaller items to the front, greater ones to the back. There
/// must be at least `SAMPLE` items. Returns the number of smaller items and that of equal ones,
/// which is at least 1.
fn partition<T>(
    items: &mut [T],
    compare: &impl Fn(&T, &T) -> Ordering,
    check_stop: &impl Fn() -> Result<(), Stop>,
) -> Result<(usize, usize), Stop> {
    // The sample is taken at regular intervals and moved to the front.
    let step = items.len() / SAMPLE;
    (1..SAMPLE).for_each(|index| items.swap(index, index * step));
    items[..SAMPLE].sort_unstable_by(compare);
    items.swap(0, SAMPLE / 2);
    let (mut less, mut unknown, mut greater) = (0, 0, items.len() - 1);
    let Some((pivot, rest)) = items.split_first_mut() else { return Ok((0, 0)) };
    let mut since_poll = 0;
    while unknown < greater {
        match compare(&rest[unknown], pivot) {
            Ordering::Less => {
                rest.swap(less, unknown);
                less += 1;
                unknown += 1;
            }
            Ordering::Equal => unknown += 1,
            Ordering::Greater => {
                greater -= 1;
                rest.swap(unknown, greater);
            }
        }
        since_poll += 1;
        if since_poll == POLL {
            since_poll = 0;
            check_stop()?;
        }
    }
    // The last of the smaller items changes places with the pivot.
    items.swap(0, less);
    Ok((less, greater - less + 1))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    /// Returns random numbers, numbers with few different values, equal ones, ascending and
    /// descending ones.
    fn numbers(length: usize) -> Vec<Vec<u64>> {
        let mut random = fastrand::Rng::with_seed(7);
        let mut drawn = |most| (0..length).map(|_| random.u64(..=most)).collect();
        let (any, few, two) = (drawn(u64::MAX), drawn(9), drawn(1));
        let ascending = (0..length as u64).collect();
        vec![any, few, two, vec![5; length], ascending, (0..length as u64).rev().collect()]
    }

    #[test]
    fn agrees_with_the_standard_library() {
        for length in [0, 1, 2, PIECE, PIECE + 1, 3 * PIECE + 77] {
            for numbers in numbers(length) {
                let mut expected = numbers.clone();
                expected.sort_unstable();
                for threads in [1, 2, 5] {
                    let mut sorted = numbers.clone();
                    assert_eq!(
                        sort_cancellable(&mut sorted, threads, &u64::cmp, &|| Ok(())),
                        Ok(())
                    );
                    assert!(sorted == expected, "{length} numbers with {threads} threads");
                }
            }
        }
    }

    #[test]
    fn cancellation_at_any_time_loses_no_item() {
        let numbers = &numbers(2 * PIECE)[0];
        let (mut expected, polls) = (numbers.clone(), AtomicUsize::new(0));
        expected.sort_unstable();
        let count = || {
            polls.fetch_add(1, Relaxed);
            Ok(())
        };
        assert_eq!(sort_cancellable(&mut numbers.clone(), 1, &u64::cmp, &count), Ok(()));
        let polls = polls.into_inner();
        assert!(polls > 4, "{polls}");
        for last in 0..polls {
            let (mut sorted, left) = (numbers.clone(), AtomicUsize::new(last));
            let check_stop =
                || if left.fetch_sub(1, Relaxed) == 0 { Err(Stop::Cancelled) } else { Ok(()) };
            assert_eq!(
                sort_cancellable(&mut sorted, 1, &u64::cmp, &check_stop),
                Err(Stop::Cancelled)
            );
            sorted.sort_unstable();
            assert!(sorted == expected);
        }
    }
}

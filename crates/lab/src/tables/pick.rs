//! The choice of contenders and instances to show if there are too many.

use std::cmp::Reverse;

use crate::comparison::{Compared, Comparison};

/// The chosen items, and a note if some were left out.
pub(crate) struct Picked<T> {
    pub(crate) items: Vec<T>,
    pub(crate) note: Option<String>,
}

/// Chooses at most `most` contenders in their order: the base, those with the fewest nodes, and
/// some of the others up to the one with the most.
pub(crate) fn contenders(comparison: &Comparison, most: usize) -> Picked<&Compared> {
    let all = comparison.contenders();
    if all.len() <= most {
        return Picked { items: all.iter().collect(), note: None };
    }
    let median = |index: usize| all[index].sizes().map_or(f64::INFINITY, |sizes| sizes.median);
    let medians: Vec<f64> = (0..all.len()).map(median).collect();
    let mut ranked: Vec<usize> = (1..all.len()).collect();
    ranked.sort_by(|&one, &other| medians[one].total_cmp(&medians[other]));
    let fewest = (2 * most / 3).min(most.saturating_sub(2));
    let (first, rest) = ranked.split_at(fewest.min(ranked.len()));
    let mut indices = vec![0];
    indices.extend(first);
    indices.extend(evenly(rest.len(), most - indices.len()).into_iter().map(|place| rest[place]));
    indices.sort_unstable();
    let note = format!(
        "{} of {} contenders: the base, the {} with the fewest nodes, and some of the others up to \
         the one with the most.",
        indices.len(),
        all.len(),
        first.len()
    );
    Picked { items: indices.into_iter().map(|index| &all[index]).collect(), note: Some(note) }
}

/// Chooses the indices of at most `most` instances, evenly spaced from the first to the last.
pub(crate) fn instances(comparison: &Comparison, most: usize) -> Picked<usize> {
    let all = comparison.instances().len();
    let items = evenly(all, most);
    let note = (all > most)
        .then(|| format!("{} of {all} instances, evenly from the first to the last.", items.len()));
    Picked { items, note }
}

/// Returns the indices of the `most` greatest values in ascending order, or all of them if there
/// are no more. Of equal values, the first ones are chosen.
pub(crate) fn greatest(values: &[u64], most: usize) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..values.len()).collect();
    // The sort is stable, so that equal values keep their order.
    indices.sort_by_key(|&index| Reverse(values[index]));
    indices.truncate(most);
    indices.sort_unstable();
    indices
}

/// Returns `most` evenly spaced indices below `count`, including the first and the last, or all of
/// them if there are no more.
pub(crate) fn evenly(count: usize, most: usize) -> Vec<usize> {
    match most {
        _ if count <= most => (0..count).collect(),
        0 => Vec::new(),
        1 => vec![count - 1],
        _ => (0..most).map(|place| place * (count - 1) / (most - 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{evenly, greatest};

    #[test]
    fn the_greatest_values_are_chosen_in_their_order() {
        assert_eq!(greatest(&[0, 0, 7, 0, 9], 2), [2, 4]);
        assert_eq!(greatest(&[0, 5, 0, 0, 9], 4), [0, 1, 2, 4]);
        assert_eq!(greatest(&[3, 1], 5), [0, 1]);
        assert_eq!((greatest(&[3], 0), greatest(&[], 3)), (vec![], vec![]));
    }

    #[test]
    fn evenly_spaced_indices_include_the_first_and_the_last() {
        assert_eq!(evenly(3, 5), [0, 1, 2]);
        assert_eq!(evenly(9, 3), [0, 4, 8]);
        assert_eq!(evenly(10, 1), [9]);
        assert_eq!((evenly(10, 0), evenly(0, 3)), (vec![], vec![]));
        for (count, most) in [(100, 7), (8, 7), (65_536, 200)] {
            let picked = evenly(count, most);
            assert_eq!((picked.len(), picked[0], picked[most - 1]), (most, 0, count - 1));
            assert!(picked.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}

//! Disjunctive constraints: tasks that do not overlap.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::networks::Constraint::Disjunctive;
use crate::oracle::{Domains, assert_counts, check_constraint, domains, every, fixpoint};

/// Domains, and tasks given by the index of their start and their duration.
fn tasks() -> impl Strategy<Value = (Domains, Vec<(usize, i32)>)> {
    domains(5).prop_flat_map(|domains| {
        let duration = prop_oneof![1 => Just(0), 4 => 1..=3, 1 => 4..=80];
        let task = (0..domains.len(), duration.clone());
        let tasks = prop_oneof![
            3 => prop::collection::vec(duration, domains.len())
                .prop_map(|durations| durations.into_iter().enumerate().collect()),
            1 => prop::collection::vec(task, 0..=4),
        ];
        (Just(domains), tasks)
    })
}

/// Domains with wider windows, each with the duration of its task. The windows are about as long as
/// all tasks together, so that most of these instances are neither trivial nor infeasible.
fn windows() -> impl Strategy<Value = Vec<(BTreeSet<i32>, i32)>> {
    let window = prop_oneof![
        8 => (0..7, 0..12).prop_map(|(first, width)| (first..=first + width).collect()),
        1 => prop::collection::btree_set(0..18, 1..=6),
        1 => prop::collection::btree_set(-70..90, 2..=3),
    ];
    let duration = prop_oneof![1 => Just(0), 12 => 1..=6];
    prop::collection::vec((window, duration), 3..=6)
}

/// An earliest start, a latest end, and a duration.
type Window = (i32, i32, i32);

/// Returns the earliest end of a set of tasks by its definition, the maximum over its subsets.
fn earliest_end(set: &[Window]) -> Option<i32> {
    let subset_end = |subset: usize| {
        let members = || (0..set.len()).filter(move |place| subset >> place & 1 == 1);
        let start = members().map(|place| set[place].0).min()?;
        Some(start + members().map(|place| set[place].2).sum::<i32>())
    };
    (1..1 << set.len()).filter_map(subset_end).max()
}

/// Applies each rule once to every set of tasks. Returns the new windows, or `None` if a set does
/// not fit.
fn apply_rules(windows: &[Window]) -> Option<Vec<Window>> {
    let mut narrowed = windows.to_vec();
    for (task, &(start, end, duration)) in windows.iter().enumerate() {
        for subset in 1_usize..1 << windows.len() {
            let set: Vec<Window> = (0..windows.len())
                .filter(|place| subset >> place & 1 == 1)
                .map(|place| windows[place])
                .collect();
            let (Some(set_end), Some(deadline), Some(last_start)) = (
                earliest_end(&set),
                set.iter().map(|window| window.1).max(),
                set.iter().map(|window| window.1 - window.2).max(),
            ) else {
                continue;
            };
            if set_end > deadline {
                return None;
            }
            if subset >> task & 1 == 1 {
                continue;
            }
            let with_task = [&set[..], &[(start, end, duration)]].concat();
            let edge = earliest_end(&with_task) > Some(deadline);
            let precedences = start + duration > last_start
                && set.iter().all(|window| start + duration > window.1 - window.2);
            if edge || precedences {
                narrowed[task].0 = narrowed[task].0.max(set_end);
            }
            if set_end > end - duration {
                narrowed[task].1 = narrowed[task].1.min(last_start);
            }
        }
    }
    Some(narrowed)
}

/// Applies the rules in both directions of time until they prune no more.
fn naive_fixpoint(windows: &[(BTreeSet<i32>, i32)]) -> Option<Domains> {
    let mirrored = |windows: Vec<Window>| -> Vec<Window> {
        windows.into_iter().map(|(start, end, duration)| (-end, -start, duration)).collect()
    };
    let mut domains: Domains = windows.iter().map(|window| window.0.clone()).collect();
    loop {
        let now = domains
            .iter()
            .zip(windows)
            .map(|(starts, &(_, duration))| {
                Some((*starts.first()?, starts.last()? + duration, duration))
            })
            .collect::<Option<Vec<Window>>>()?;
        let forward = apply_rules(&now)?;
        let backward = mirrored(apply_rules(&mirrored(now.clone()))?);
        let before = domains.clone();
        for (starts, narrowed) in domains.iter_mut().zip(forward.iter().zip(&backward)) {
            for &(start, end, duration) in [narrowed.0, narrowed.1] {
                starts.retain(|&value| start <= value && value <= end - duration);
            }
        }
        if domains == before {
            return Some(domains);
        }
    }
}

proptest! {
    #[test]
    fn tasks_agree_with_brute_force((domains, tasks) in tasks()) {
        check_constraint(&domains, &Disjunctive(tasks), false)?;
    }

    #[test]
    fn all_rules_prune_as_stated_for_every_set(windows in windows()) {
        let domains: Domains = windows.iter().map(|window| window.0.clone()).collect();
        let tasks = every(&domains).into_iter().zip(windows.iter().map(|window| window.1));
        let network = Disjunctive(tasks.collect()).network(&domains);
        prop_assert_eq!(fixpoint(&network), naive_fixpoint(&windows));
    }
}

#[test]
fn tasks_at_the_ends_of_the_range_do_not_overflow() {
    let at = |first: i32| first..=first + 2;
    let (min, max) = (i32::MIN, i32::MAX);
    for (starts, durations, solutions) in [
        ([at(min), at(min), at(max - 2)], [1, 2, max], 12),
        ([at(min), at(-1), at(max - 2)], [max, max, max], 4),
        ([at(max - 2), at(max - 2), at(max - 2)], [1, 1, max], 2),
        ([at(max - 2), at(max - 2), at(min)], [0, 0, max], 27),
    ] {
        let tasks = durations.into_iter().enumerate().collect();
        assert_counts(&starts, [(Disjunctive(tasks), solutions)]);
    }
}

#[test]
fn tasks_without_duration_lie_beside_others_only() {
    let counts = [
        (vec![], 25),
        (vec![(0, 9)], 25),
        (vec![(0, 0), (1, 0)], 25),
        // One value out of five lies strictly within a task of duration 2, unless it starts at 4.
        (vec![(0, 2), (1, 0)], 21),
        (vec![(0, 2), (0, 0), (1, 0), (1, 0)], 21),
        (vec![(0, 1), (0, 1)], 0),
    ];
    assert_counts(&[0..=4, 0..=4], counts.map(|(tasks, count)| (Disjunctive(tasks), count)));
}

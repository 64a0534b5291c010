//! Cumulative constraints: tasks that share a resource.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::networks::Constraint::{Cumulative, CumulativeVariable};
use crate::oracle::{Domains, assert_counts, bounds, check_constraint, domains, fixpoint};

/// The index of a start, a duration, and a demand.
type IndexedTask = (usize, i32, i32);

/// Domains, tasks, and a capacity.
fn tasks() -> impl Strategy<Value = (Domains, Vec<IndexedTask>, i32)> {
    domains(5).prop_flat_map(|domains| {
        let duration = prop_oneof![1 => Just(0), 6 => 1..=4, 1 => 5..=80];
        let task = (0..domains.len(), duration.clone(), 0..=4);
        let tasks = prop_oneof![
            3 => prop::collection::vec((duration, 0..=4), domains.len()).prop_map(|tasks| {
                let tasks = tasks.into_iter().enumerate();
                tasks.map(|(index, (duration, demand))| (index, duration, demand)).collect()
            }),
            1 => prop::collection::vec(task, 0..=5),
        ];
        (Just(domains), tasks, 0..=6)
    })
}

/// The possible starts of a task, its duration, and its demand.
type Window = (BTreeSet<i32>, i32, i32);

/// Windows that overlap much, and a capacity: some with compulsory parts, and some that are wider
/// but contain too much work.
fn windows() -> impl Strategy<Value = (Vec<Window>, i32)> {
    let window = |first, width| {
        (0..first, width)
            .prop_map(|(first, width)| (first..=first + width).collect::<BTreeSet<i32>>())
    };
    let starts = prop_oneof![
        8 => window(5, 0..6),
        1 => prop::collection::btree_set(0..12, 1..=5),
        1 => prop::collection::btree_set(-70..90, 2..=3),
    ];
    let duration = prop_oneof![1 => Just(0), 12 => 1..=6];
    let compulsory = prop::collection::vec((starts, duration, 0..=4), 3..=6);
    let overloaded = prop::collection::vec((window(3, 3..6), 2..=3, 2..=3), 4..=7);
    (prop_oneof![compulsory, overloaded], 3..=6)
}

/// Returns whether each set of tasks has at most as much work as fits between its earliest start
/// and its latest end.
fn no_set_is_overloaded(ends: &[(i32, i32, i32, i32)], capacity: i32) -> bool {
    (1_usize..1 << ends.len()).all(|subset| {
        let members = || ends.iter().enumerate().filter(move |(place, _)| subset >> place & 1 == 1);
        let start = members().map(|(_, task)| task.0).min();
        let end = members().map(|(_, task)| task.1 + task.2).max();
        let work: i32 = members().map(|(_, task)| task.2 * task.3).sum();
        start.zip(end).is_some_and(|(start, end)| work <= capacity * (end - start))
    })
}

/// Applies the rules, stated for each unit of time and each set, until they prune no more.
fn naive_fixpoint(windows: &[Window], capacity: i32) -> Option<Domains> {
    let mut domains: Domains = windows.iter().map(|window| window.0.clone()).collect();
    loop {
        // The smallest and the largest start, the duration, and the demand.
        let tasks = domains
            .iter()
            .zip(windows)
            .map(|(starts, &(_, duration, demand))| {
                Some((*starts.first()?, *starts.last()?, duration, demand))
            })
            .collect::<Option<Vec<_>>>()?;
        let profile = |time: i32, except: usize| -> i32 {
            tasks
                .iter()
                .enumerate()
                .filter(|&(place, &(min, max, duration, _))| {
                    place != except && max <= time && time < min + duration
                })
                .map(|(_, task)| task.3)
                .sum()
        };
        let too_high = (-80..100).any(|time| profile(time, usize::MAX) > capacity);
        if too_high || !no_set_is_overloaded(&tasks, capacity) {
            return None;
        }
        let before = domains.clone();
        for (place, starts) in domains.iter_mut().enumerate() {
            let (min, max, duration, demand) = tasks[place];
            let fits = |start: &i32| {
                demand == 0
                    || (*start..*start + duration)
                        .all(|time| profile(time, place) + demand <= capacity)
            };
            let first = (min..=max).find(fits);
            let last = (min..=max).rev().find(fits);
            starts.retain(|&start| first <= Some(start) && Some(start) <= last);
        }
        if domains == before {
            return Some(domains);
        }
    }
}

fn check_rules(windows: &[Window], capacity: i32) -> Result<(), TestCaseError> {
    let domains = windows.iter().map(|window| window.0.clone()).collect();
    let tasks = windows.iter().enumerate();
    let tasks: Vec<IndexedTask> =
        tasks.map(|(index, &(_, duration, demand))| (index, duration, demand)).collect();
    let found = fixpoint(&Cumulative(tasks, capacity).network(&domains));
    let stated = naive_fixpoint(windows, capacity);
    let mut demands: Vec<i32> = windows.iter().map(|window| window.2).collect();
    demands.sort_unstable_by(|one, other| other.cmp(one));
    if demands.get(1).is_none_or(|second| demands[0] + second <= capacity) {
        prop_assert_eq!(found, stated);
    } else if let Some(found) = found {
        // Tasks that exclude each other are also disjunctive, which may prune more.
        let stated = stated.expect("the rules prune no more than the constraint");
        prop_assert!(found.iter().zip(&stated).all(|(found, stated)| found.is_subset(stated)));
    }
    Ok(())
}

/// Starts, durations and demands of up to three tasks, and capacities; several of them few values.
fn variable_tasks() -> impl Strategy<Value = Domains> {
    let starts = prop_oneof![
        (0..5, 0..5).prop_map(|(first, width)| (first..=first + width).collect::<BTreeSet<i32>>()),
        prop::collection::btree_set(-70..90, 1..=3),
    ];
    let number = || {
        prop_oneof![
            2 => (0..=4).prop_map(|value| BTreeSet::from([value])),
            1 => prop::collection::btree_set(-1..=5, 1..=3),
        ]
    };
    let tasks = prop::collection::vec((starts, number(), number()), 0..=3);
    (tasks, prop::collection::btree_set(-1..=6, 1..=3)).prop_map(|(tasks, capacity)| {
        let mut domains = vec![capacity];
        for (start, duration, demand) in tasks {
            domains.extend([start, duration, demand]);
        }
        domains
    })
}

/// The remaining bounds of a second task and of the capacity, beside a first task from 2 to 6 with
/// demand 2.
#[test]
fn durations_demands_and_capacities_are_pruned() {
    for (start, duration, demand, capacity, expected) in [
        // Before the first task, or after it.
        (0..=1, 1..=9, 2..=3, 3..=3, [(0, 1), (1, 2), (2, 3), (3, 3)]),
        (0..=9, 3..=9, 2..=3, 0..=3, [(6, 9), (3, 9), (2, 3), (2, 3)]),
        // At the same time.
        (1..=2, 3..=9, 0..=9, 0..=5, [(1, 2), (3, 9), (0, 3), (2, 5)]),
        (3..=3, 2..=2, 3..=9, 0..=8, [(3, 3), (2, 2), (3, 6), (5, 8)]),
    ] {
        let domains = [2..=2, 4..=4, 2..=2, start, duration, demand, capacity];
        let tasks = CumulativeVariable(vec![[0, 1, 2], [3, 4, 5]], 6);
        let left = fixpoint(&tasks.network(&domains.clone().map(Iterator::collect).to_vec()));
        assert_eq!(left.map(|left| bounds(&left[3..])), Some(expected.to_vec()), "{domains:?}");
    }
}

proptest! {
    #[test]
    fn tasks_of_variables_match_brute_force(domains in variable_tasks()) {
        let tasks = (1..domains.len()).step_by(3).map(|start| [start, start + 1, start + 2]);
        check_constraint(&domains, &CumulativeVariable(tasks.collect(), 0), false)?;
    }

    #[test]
    fn tasks_agree_with_brute_force((domains, tasks, capacity) in tasks()) {
        check_constraint(&domains, &Cumulative(tasks, capacity), false)?;
    }

    #[test]
    fn the_rules_prune_as_stated_for_every_time_and_set((windows, capacity) in windows()) {
        check_rules(&windows, capacity)?;
    }
}

#[test]
fn tasks_at_the_ends_of_the_range_do_not_overflow() {
    let at = |first: i32| first..=first + 2;
    let (min, max) = (i32::MIN, i32::MAX);
    for (starts, tasks, capacity, solutions) in [
        ([at(min), at(min), at(max - 2)], [(0, 1, 3), (1, 2, 3), (2, max, 3)], 4, 12),
        ([at(min), at(-1), at(max - 2)], [(0, max, 1), (1, max, 1), (2, max, 1)], 1, 4),
        ([at(max - 2), at(max - 2), at(max - 2)], [(0, 1, 1), (1, 1, 1), (2, max, 2)], 2, 5),
        // The work of the third task and the capacity during its window are nearly 2⁶¹.
        ([at(0), at(0), at(0)], [(0, 1, max), (1, 1, max), (2, (1 << 29) - 8, max)], max, 2),
    ] {
        assert_counts(&starts, [(Cumulative(tasks.to_vec(), capacity), solutions)]);
    }
}

#[test]
fn tasks_that_take_nothing_or_too_much() {
    let tasks = [
        (vec![], 0, 25),
        (vec![(0, 3, 0), (1, 0, 9)], 0, 25),
        (vec![(0, 1, 1)], 0, 0),
        (vec![(0, 1, 3), (1, 1, 3)], 5, 20),
        // Two tasks with the same start.
        (vec![(0, 1, 3), (0, 2, 2)], 5, 25),
        (vec![(0, 1, 3), (0, 2, 3)], 5, 0),
        (vec![(0, 1, 3), (0, 2, 2), (1, 1, 2)], 5, 20),
    ];
    let counts = tasks.map(|(tasks, capacity, count)| (Cumulative(tasks, capacity), count));
    assert_counts(&[0..=4, 0..=4], counts);
}

//! The programs of the example `first_programs`, against known values and enumeration.

#[allow(dead_code, reason = "its `main` is not called here")]
#[path = "../../../../examples/first_programs.rs"]
mod programs;

use proptest::prelude::*;

use crate::support::sizes::sized;

/// The same answers by trying every colouring, every round trip and every set of items.
mod by_enumeration {
    pub fn colourings(neighbours: &[Vec<usize>], colours: u64) -> u128 {
        let vertices = neighbours.len() as u32;
        let colour = |code: u64, vertex: usize| code / colours.pow(vertex as u32) % colours;
        let is_proper = |&code: &u64| {
            neighbours.iter().enumerate().all(|(vertex, others)| {
                others.iter().all(|&other| colour(code, vertex) != colour(code, other))
            })
        };
        (0..colours.pow(vertices)).filter(is_proper).count() as u128
    }

    pub fn travelling_salesman(distances: &[Vec<u32>], trip: &mut Vec<usize>) -> u32 {
        if trip.len() == distances.len() {
            let legs = trip.windows(2).map(|leg| distances[leg[0]][leg[1]]);
            return legs.sum::<u32>() + distances[trip[trip.len() - 1]][trip[0]];
        }
        let mut best = u32::MAX;
        for city in 0..distances.len() {
            if !trip.contains(&city) {
                trip.push(city);
                best = best.min(travelling_salesman(distances, trip));
                trip.pop();
            }
        }
        best
    }

    pub fn knapsack(items: &[(u64, u64)], room: u64) -> u64 {
        let sets = (0_u32..1 << items.len()).map(|set| {
            let taken = items.iter().enumerate().filter(|(item, _)| set >> item & 1 == 1);
            taken.fold((0, 0), |sum, (_, item)| (sum.0 + item.0, sum.1 + item.1))
        });
        sets.filter(|load| load.0 <= room).map(|load| load.1).max().unwrap_or(0)
    }
}

#[test]
fn golomb_rulers_and_costas_arrays_have_the_known_values() {
    for (marks, length) in (4..).zip([6, 11, 17, 25, 34, 44]).take(sized(5, 6)) {
        assert_eq!(programs::golomb(marks), Some(length), "{marks} marks");
    }
    for (order, count) in (1..).zip([1, 2, 4, 12, 40, 116, 200, 444]).take(sized(7, 8)) {
        assert_eq!(programs::costas(order), Some(count), "order {order}");
    }
}

#[test]
fn colourings_have_the_known_counts() {
    for (length, colours) in (3..9).flat_map(|length| [(length, 2), (length, 3), (length, 4)]) {
        let cycle: Vec<Vec<usize>> =
            (0..length).map(|i| vec![(i + 1) % length, (i + length - 1) % length]).collect();
        // The chromatic polynomial of a cycle.
        let sign = if length % 2 == 0 { 1 } else { -1 };
        let expected = i128::pow(colours - 1, length as u32) + sign * (colours - 1);
        let counted = programs::colourings(&cycle, colours as u8).map(|count| count as i128);
        assert_eq!(counted, Some(expected), "{colours} colours of {length} vertices");
    }
    let petersen: Vec<Vec<usize>> = (0..10)
        .map(|i| match i {
            0..5 => vec![(i + 1) % 5, (i + 4) % 5, i + 5],
            _ => vec![5 + (i + 2) % 5, 5 + (i + 3) % 5, i - 5],
        })
        .collect();
    assert_eq!(programs::colourings(&petersen, 3), Some(120));
}

proptest! {
    #[test]
    fn random_instances_have_the_answers_of_enumeration(
        edges in prop::collection::vec((0..7_usize, 0..7_usize), 0..14),
        points in prop::collection::vec((0..50_u32, 0..50_u32), 1..7),
        items in prop::collection::vec((0..20_u64, 0..20_u64), 0..10),
        room in 0..80_u64,
    ) {
        let mut neighbours = vec![Vec::new(); 7];
        for (one, other) in edges.into_iter().filter(|(one, other)| one != other) {
            neighbours[one].push(other);
            neighbours[other].push(one);
        }
        let expected = by_enumeration::colourings(&neighbours, 3);
        prop_assert_eq!(programs::colourings(&neighbours, 3), Some(expected));
        let distance = |&(x, y): &(u32, u32), &(to_x, to_y): &(u32, u32)| {
            to_x.abs_diff(x) + to_y.abs_diff(y)
        };
        let distances: Vec<Vec<u32>> = points
            .iter()
            .map(|from| points.iter().map(|to| distance(from, to)).collect())
            .collect();
        let expected = by_enumeration::travelling_salesman(&distances, &mut vec![0]);
        prop_assert_eq!(programs::travelling_salesman(&distances), Some(expected));
        let expected = by_enumeration::knapsack(&items, room);
        prop_assert_eq!(programs::knapsack(&items, room), Some(expected));
    }
}

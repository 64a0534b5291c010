//! The programs of the example `first_programs`, against known values and hand-written recursions.

#[allow(dead_code, reason = "its `main` is not called here")]
#[path = "../../../../examples/first_programs.rs"]
mod programs;

use proptest::prelude::*;

/// The same programs, written by hand.
mod by_hand {
    pub fn golomb(marks: u32) -> u32 {
        // Sets of distances are bit masks: `from_last` has the distances from the last mark to all
        // marks, `used` has those between any two marks.
        fn place(left: u32, length: u32, from_last: u64, used: u64, best: &mut u32) {
            if left == 0 {
                *best = length;
                return;
            }
            for step in 1..64 - length {
                let new = from_last << step;
                if length + step < *best && new & used == 0 {
                    place(left - 1, length + step, new | 1, used | new, best);
                }
            }
        }
        let mut best = 64;
        place(marks - 1, 0, 1, 0, &mut best);
        best
    }

    pub fn costas(order: usize) -> u128 {
        // `seen` has, by distance of columns, the differences of rows as a bit mask. Bit 8 is the
        // difference 0. It is set from the start, because no two rows may be equal.
        fn place(order: usize, rows: &mut Vec<usize>, seen: [u32; 8]) -> u128 {
            let column = rows.len();
            if column == order {
                return 1;
            }
            let mut count = 0;
            'rows: for row in 0..order {
                let mut seen = seen;
                for gap in 1..=column {
                    let difference = 1 << (8 + row - rows[column - gap]);
                    if seen[gap] & difference != 0 {
                        continue 'rows;
                    }
                    seen[gap] |= difference;
                }
                rows.push(row);
                count += place(order, rows, seen);
                rows.pop();
            }
            count
        }
        place(order, &mut Vec::new(), [1 << 8; 8])
    }

    pub fn colourings(neighbours: &[Vec<usize>], colours: u8) -> u128 {
        fn paint(neighbours: &[Vec<usize>], colours: u8, vertex: usize, colour: &mut [u8]) -> u128 {
            if vertex == neighbours.len() {
                return 1;
            }
            let mut count = 0;
            for own in 1..=colours {
                if neighbours[vertex].iter().all(|&other| colour[other] != own) {
                    colour[vertex] = own;
                    count += paint(neighbours, colours, vertex + 1, colour);
                    colour[vertex] = 0;
                }
            }
            count
        }
        paint(neighbours, colours, 0, &mut vec![0; neighbours.len()])
    }

    pub fn travelling_salesman(distances: &[Vec<u32>]) -> u32 {
        fn visit(distances: &[Vec<u32>], at: usize, visited: u32, length: u32, best: &mut u32) {
            if visited.count_ones() as usize == distances.len() {
                *best = (*best).min(length + distances[at][0]);
                return;
            }
            let mut next: Vec<usize> =
                (0..distances.len()).filter(|city| visited >> city & 1 == 0).collect();
            next.sort_by_key(|&city| distances[at][city]);
            for city in next {
                let length = length + distances[at][city];
                if length < *best {
                    visit(distances, city, visited | 1 << city, length, best);
                }
            }
        }
        let mut best = u32::MAX;
        visit(distances, 0, 1, 0, &mut best);
        best
    }

    pub fn knapsack(items: &[(u64, u64)], room: u64) -> u64 {
        fn pack(items: &[(u64, u64)], room: u64, value: u64, best: &mut u64) {
            *best = value.max(*best);
            let [(weight, worth), rest @ ..] = items else {
                return;
            };
            if value + items.iter().map(|item| item.1).sum::<u64>() <= *best {
                return;
            }
            if *weight <= room {
                pack(rest, room - weight, value + worth, best);
            }
            pack(rest, room, value, best);
        }
        let mut best = 0;
        pack(items, room, 0, &mut best);
        best
    }
}

#[test]
fn golomb_rulers_and_costas_arrays_have_the_known_values() {
    for (marks, length) in (4..).zip([6, 11, 17, 25, 34]) {
        assert_eq!(programs::golomb(marks), Some(length), "{marks} marks");
        assert_eq!(by_hand::golomb(marks), length, "{marks} marks");
    }
    for (order, count) in (1..).zip([1, 2, 4, 12, 40, 116, 200]) {
        assert_eq!(programs::costas(order), Some(count), "order {order}");
        assert_eq!(by_hand::costas(order), count, "order {order}");
    }
}

#[test]
#[ignore = "seconds: cargo test --release --test problems -- --ignored first_programs"]
fn larger_golomb_rulers_and_costas_arrays_have_the_known_values() {
    assert_eq!((programs::golomb(9), by_hand::golomb(9)), (Some(44), 44));
    assert_eq!((programs::costas(8), by_hand::costas(8)), (Some(444), 444));
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
    fn random_instances_have_the_answers_of_the_hand_written_recursions(
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
        prop_assert_eq!(
            programs::colourings(&neighbours, 3),
            Some(by_hand::colourings(&neighbours, 3))
        );
        let distance = |&(x, y): &(u32, u32), &(to_x, to_y): &(u32, u32)| {
            to_x.abs_diff(x) + to_y.abs_diff(y)
        };
        let distances: Vec<Vec<u32>> = points
            .iter()
            .map(|from| points.iter().map(|to| distance(from, to)).collect())
            .collect();
        prop_assert_eq!(
            programs::travelling_salesman(&distances),
            Some(by_hand::travelling_salesman(&distances))
        );
        prop_assert_eq!(programs::knapsack(&items, room), Some(by_hand::knapsack(&items, room)));
    }
}

//! Tests of the state code and the matchings against naive models.

use proptest::prelude::*;

use super::cycles::{Contraction, form_one_cycle, matching_count, rank, unrank};
use super::dense_mates::{Degrees, DenseMates, Matching};
use crate::plug::code::{PathEnds, Role};

/// Paths as lists of vertices; every vertex of the frontier is in one, alone if it has no edge.
#[derive(Clone, Debug)]
struct Paths(Vec<Vec<usize>>);

impl Paths {
    fn alone(width: usize) -> Self {
        Paths((0..width).map(|vertex| vec![vertex]).collect())
    }

    fn link(&self, a: usize, b: usize) -> Option<Paths> {
        let path_ending_in = |vertex: usize| {
            self.0
                .iter()
                .position(|path| path.first() == Some(&vertex) || path.last() == Some(&vertex))
        };
        let (one, other) = (path_ending_in(a)?, path_ending_in(b)?);
        if one == other {
            return None;
        }
        let (mut one, mut other) = (self.0[one].clone(), self.0[other].clone());
        let rest = self.0.iter().filter(|path| !path.contains(&a) && !path.contains(&b)).cloned();
        if one.last() != Some(&a) {
            one.reverse();
        }
        if other.first() != Some(&b) {
            other.reverse();
        }
        one.extend(other);
        Some(Paths(rest.chain([one]).collect()))
    }

    fn degrees(&self) -> Degrees {
        let mut degrees = Degrees::default();
        for path in self.0.iter().filter(|path| path.len() > 1) {
            for (index, vertex) in path.iter().enumerate() {
                let is_end = index == 0 || index + 1 == path.len();
                *(if is_end { &mut degrees.ends } else { &mut degrees.full }) |= 1 << vertex;
            }
        }
        degrees
    }

    fn mate(&self, end: usize) -> usize {
        let path =
            self.0.iter().find(|path| path.contains(&end)).expect("every vertex is in a path");
        path[0] + path[path.len() - 1] - end
    }
}

/// Checks that a state describes these paths.
fn check(state: DenseMates, paths: &Paths, width: usize) {
    assert_eq!(state.degrees(width), paths.degrees());
    let unpacked = state.unpack(width);
    assert_eq!(unpacked.degrees(), paths.degrees());
    for end in (0..width).filter(|end| paths.degrees().ends >> end & 1 != 0) {
        assert_eq!(unpacked.mate(end), paths.mate(end), "of {end} in {paths:?}");
    }
    for position in 0..width {
        let bit = |set: u32| set >> position & 1 != 0;
        let role = match (bit(paths.degrees().ends), bit(paths.degrees().full)) {
            (true, _) => Role::End(paths.mate(position)),
            (false, true) => Role::Inner,
            (false, false) => Role::Untouched,
        };
        assert_eq!(unpacked.role(position), role, "of {position} in {paths:?}");
    }
    assert_eq!(unpacked.pack(width), state);
}

proptest! {
    #[test]
    fn dense_mates_agree_with_lists_of_paths(
        width in 2..=DenseMates::MAX_WIDTH,
        links in prop::collection::vec((0..64_usize, 0..64_usize), 0..40),
        place in 0..64_usize,
        turn in 0..64_usize,
    ) {
        let (mut state, mut paths) = (DenseMates::NONE, Paths::alone(width));
        let links = links.into_iter().map(|(a, b)| (a % width, b % width));
        for (a, b) in links.filter(|(a, b)| a != b) {
            let linked = paths.link(a, b);
            let unpacked = state.unpack(width).link(a, b);
            prop_assert_eq!(unpacked.is_some(), linked.is_some());
            if let (Some(unpacked), Some(linked)) = (unpacked, linked) {
                (state, paths) = (unpacked.pack(width), linked);
                check(state, &paths, width);
            }
        }

        // An additional untouched vertex may enter and leave.
        let wider = state.widened(width, width + 1);
        prop_assert_eq!(wider.degrees(width + 1), paths.degrees());
        prop_assert_eq!(wider.without(width + 1, width), state);

        // A vertex in which no path ends may leave.
        let place = place % width;
        if paths.degrees().ends >> place & 1 == 0 {
            let name = |vertex: usize| if vertex > place { vertex - 1 } else { vertex };
            let without = |path: &Vec<usize>| -> Vec<usize> {
                path.iter().filter(|&&vertex| vertex != place).map(|&vertex| name(vertex)).collect()
            };
            let rest = paths.0.iter().map(without).filter(|path| !path.is_empty());
            check(state.without(width, place), &Paths(rest.collect()), width - 1);
        }

        // The positions may be rotated.
        let names: Vec<u8> = (0..width).map(|vertex| ((vertex + turn) % width) as u8).collect();
        let turned = |path: &Vec<usize>| path.iter().map(|&v| usize::from(names[v])).collect();
        let turned = Paths(paths.0.iter().map(turned).collect());
        check(state.unpack(width).renamed(&names).pack(width), &turned, width);
    }

    #[test]
    fn contraction_agrees_with_the_sum_over_all_pairs(
        pairs in 1..=4_usize,
        a in prop::collection::vec(0..9_u64, 105),
        b in prop::collection::vec(0..9_u64, 105),
    ) {
        let points = 2 * pairs;
        let (a, b) = (&a[..matching_count(points)], &b[..matching_count(points)]);
        prop_assert_eq!(contraction().sum(points, a, b), Some(sum_over_all_pairs(points, a, b)));
    }
}

fn contraction() -> Contraction {
    Contraction::new(None, usize::MAX)
}

fn sum_over_all_pairs(points: usize, a: &[u64], b: &[u64]) -> u128 {
    let weighted = |weights: &[u64]| -> Vec<(Matching, u64)> {
        let positive = (0..).zip(weights).filter(|&(_, &weight)| weight > 0);
        positive.map(|(number, &weight)| (unrank(number, points), weight)).collect()
    };
    let (a, b) = (weighted(a), weighted(b));
    let mut sum = 0;
    for (p, a) in &a {
        for (q, b) in &b {
            sum += if form_one_cycle(p, q, points) { u128::from(a * b) } else { 0 };
        }
    }
    sum
}

#[test]
fn unrank_inverts_rank() {
    for points in (2..=10).step_by(2) {
        for number in 0..matching_count(points) {
            let mates = unrank(number, points);
            assert!(
                (0..points).all(|point| usize::from(mates[usize::from(mates[point])]) == point)
            );
            assert_eq!(rank(&mates, points), number);
        }
    }
}

#[test]
fn every_matching_closes_with_the_same_number_of_others() {
    for (points, partners) in [(2, 1), (4, 2), (6, 8), (8, 48), (10, 384)] {
        let ones = vec![1_u128; matching_count(points)];
        assert_eq!(
            contraction().sum(points, &ones, &ones),
            Some(partners * matching_count(points) as u128)
        );
    }
}

/// Tables exist for at most 14 points.
#[test]
fn contraction_works_without_a_table() {
    let points = 16;
    let (mut a, mut b) = (vec![0; matching_count(points)], vec![0; matching_count(points)]);
    a[1_000_000] = 3;
    let chosen: Vec<usize> = (0..60).map(|index| index * 9973).collect();
    for &number in &chosen {
        b[number] = 1 + number as u64 % 7;
    }
    assert_eq!(contraction().sum(points, &a, &b), Some(sum_over_all_pairs(points, &a, &b)));
}

#[test]
fn contraction_without_memory_for_a_table_gives_the_same_sum() {
    let points = 8;
    let (a, b): (Vec<u64>, Vec<u64>) =
        (0..matching_count(points) as u64).map(|n| (n % 5, n % 7)).unzip();
    let expected = sum_over_all_pairs(points, &a, &b);
    let mut stopped = 0;
    for max_bytes in (0..8).map(|doublings| 32 << doublings) {
        let contraction = Contraction::new(None, max_bytes);
        match contraction.sum(points, &a, &b) {
            Some(sum) => assert_eq!(sum, expected, "within {max_bytes} bytes"),
            None => stopped += 1,
        }
        assert!(contraction.memory().peak() <= max_bytes);
    }
    assert!((1..8).contains(&stopped), "{stopped} of 8 limits are too low");
}

#[test]
fn widths_up_to_the_maximum_fit() {
    assert!(DenseMates::check_width(DenseMates::MAX_WIDTH).is_ok());
    assert!(DenseMates::check_width(DenseMates::MAX_WIDTH + 1).is_err());
    assert!(DenseMates::check_width(usize::MAX).is_err());
}

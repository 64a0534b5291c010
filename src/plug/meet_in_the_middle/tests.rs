//! Tests of matchings, their numbers and their contraction against naive models.

use super::cycles::{Contraction, form_one_cycle, matching_count, rank, unrank};
use super::dense_mates::Matching;

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

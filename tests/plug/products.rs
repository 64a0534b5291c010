//! Sums of products: the reliability of networks against the enumeration of their states.

use std::time::Duration;

use proptest::prelude::*;
use secateurs::checkpoint::Fingerprint;
use secateurs::plug::algebra::SumOfProducts;
use secateurs::plug::{ContourProblem, Sweep, SweepCheckpoint};
use secateurs::{Limits, Stop};
use secateurs_problems::catalogue::graphs::{Connecting, IndependentSets};
use secateurs_problems::graph::{Graph, Order};

use crate::support::scratch::Directory;

/// The edges of a network, each with the number of 8 cases in which it works.
type Lines = Vec<((usize, usize), u32)>;

/// Counts, of 8 cases for each edge, those in which a network connects vertices 0 and 1.
fn connecting_cases(lines: &Lines) -> u64 {
    let cases = |set: u32| {
        let mut reached = 1_u32;
        let working = || (0..).zip(lines).filter(|(edge, _)| set >> edge & 1 == 1);
        for _ in lines {
            for (_, &((one, other), _)) in working() {
                if reached >> one & 1 == 1 || reached >> other & 1 == 1 {
                    reached |= 1 << one | 1 << other;
                }
            }
        }
        let factor = |(edge, &(_, works)): (u32, &((usize, usize), u32))| {
            u64::from(if set >> edge & 1 == 1 { works } else { 8 - works })
        };
        u64::from(reached >> 1 & 1) * (0..).zip(lines).map(factor).product::<u64>()
    };
    (0..1 << lines.len()).map(cases).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn reliability_agrees_with_enumeration(
        lines in prop::collection::vec(((0..5_usize, 0..5_usize), 0..=8_u32), 0..8),
    ) {
        let graph = Graph::multigraph(5, lines.iter().map(|&(ends, _)| ends)).expect("a graph");
        let expected = connecting_cases(&lines);
        let expected = Some(expected).filter(|&cases| cases > 0);
        for order in [Order::as_given(&graph), Order::narrowest(&graph)] {
            let connecting = Connecting::new(&order, &[0, 1]).expect("vertices");
            let edges: Vec<usize> = order.edges().collect();
            let works = |cell: usize| i64::from(lines[edges[cell]].1);
            let weight =
                |cell: usize, taken: bool| if taken { works(cell) } else { 8 - works(cell) };
            let reliability = SumOfProducts::new(weight).parameters(&edges);
            let directory = Directory::new();
            let hour = Duration::from_secs(3600);
            let file = || SweepCheckpoint::new(directory.file(), hour, Fingerprint::new("", &()));
            let half = Limits::new().depth(connecting.cells() / 2);
            let (mut stopped, mut resumed) = (file(), file());
            let begun = Sweep::new(&connecting).limits(half).checkpoint(&mut stopped);
            drop(begun.expect("a new file").run(&reliability).expect("saved"));
            let resumed = Sweep::new(&connecting).resume(&mut resumed).expect("a saved sweep");
            for outcome in [
                Sweep::new(&connecting).run(&reliability),
                Sweep::new(&connecting).threads(2).run(&reliability),
                resumed.run(&reliability).expect("saved"),
                Sweep::new(&connecting).retain_layers().expect("no limit").run(&reliability),
            ] {
                let sum = outcome.total().map(|sum| u64::try_from(sum).expect("64 bits"));
                prop_assert_eq!(sum, expected);
            }
        }
    }
}

#[test]
fn weights_of_one_count_and_negative_ones_overflow() {
    let graph = Graph::grid(&[4, 4]).expect("a graph");
    let sets = IndependentSets::new(&Order::narrowest(&graph));
    let sum = |weight: fn(usize, bool) -> i64| Sweep::new(&sets).run(&SumOfProducts::new(weight));
    let number = |number: u64| Some(number.into());
    assert_eq!(sum(|_, _| 1).total().cloned(), number(1234));
    // 2 to the power of 16 for the empty set only.
    assert_eq!(sum(|_, taken| if taken { 0 } else { 2 }).total().cloned(), number(1 << 16));
    assert_eq!(sum(|_, _| 0).total(), None);
    let nothing = SumOfProducts::new(|_, _| 0);
    let retained = Sweep::new(&sets).retain_layers().expect("no limit").run(&nothing);
    assert!(retained.total().is_none() && retained.is_proven_empty());
    assert_eq!(sum(|_, _| -1).stop(), Stop::CountOverflow);
    let large = sum(|_, taken| if taken { 0 } else { i64::MAX });
    assert_eq!(large.total().map(|sum| sum.bits()), Some(16 * 63));
}

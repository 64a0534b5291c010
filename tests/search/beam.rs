//! Beam search against breadth-first search.

use proptest::prelude::*;
use secateurs::{Effect, Search, Stop};

use crate::support::trees::trees_of;

proptest! {
    #[test]
    fn a_beam_keeps_the_best_nodes_of_each_level_and_reports_the_others(
        tree in trees_of(1..5, 0..7),
        beam in 1..4usize,
    ) {
        let key = |path: &Vec<u32>| path.iter().sum::<u32>();
        // A beam search by hand.
        let (mut level, mut expected, mut dropped) = (vec![Vec::new()], Vec::new(), 0);
        while !level.is_empty() {
            expected.extend(level.iter().filter(|path| tree.is_solution(path)).cloned());
            let mut inner: Vec<Vec<u32>> =
                level.into_iter().filter(|path| tree.children(path) > 0).collect();
            inner.sort_by_key(key);
            dropped += inner.len().saturating_sub(beam);
            inner.truncate(beam);
            let children = |path: &Vec<u32>| {
                let path = path.clone();
                (0..tree.children(&path)).map(move |child| [path.as_slice(), &[child]].concat())
            };
            level = inner.iter().flat_map(children).collect();
        }
        let mut search = Search::new(&tree).beam(beam, |_, path: &Vec<u32>| key(path)).solutions();
        let found: Vec<_> = search.by_ref().collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(search.stop(), Stop::Exhausted);
        let report = search.report();
        if dropped == 0 {
            prop_assert_eq!((report.effect(), report.conflicts().len()), (Effect::Preserving, 0));
        } else {
            prop_assert_eq!(report.effect(), Effect::Lossy);
            let nodes = if dropped == 1 { "node" } else { "nodes" };
            prop_assert_eq!(report.conflicts(), [format!("the beam dropped {dropped} {nodes}")]);
        }
    }
}

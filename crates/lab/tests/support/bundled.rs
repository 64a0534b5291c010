//! Bundled comparisons: their node counts, and the differences from published ones.

use secateurs::Limits;
use secateurs_lab::{Comparison, Quantity, bundled};
use secateurs_problems::fire_net::FireNetPrunings;

/// Returns the node counts by instance and contender.
pub fn nodes(comparison: &Comparison) -> Vec<Vec<u64>> {
    let instances = 0..comparison.instances().len();
    instances
        .map(|index| {
            comparison
                .contenders()
                .iter()
                .map(|contender| contender.runs()[index].nodes())
                .collect()
        })
        .collect()
}

/// Returns the largest relative difference from published node counts, and their number.
pub fn deviation_from_published(comparison: &Comparison) -> (f64, usize) {
    let mut shares = Vec::new();
    for contender in comparison.contenders() {
        for known in
            contender.references().iter().filter(|known| *known.quantity() == Quantity::Nodes)
        {
            for (name, run) in comparison.instances().iter().zip(contender.runs()) {
                shares.extend(
                    known.of(name).zip(run.size()).map(|(known, size)| (size / known - 1.0).abs()),
                );
            }
        }
    }
    (shares.iter().copied().fold(0.0, f64::max), shares.len())
}

/// Compares the contenders of Table 4, except the first `skipped`, on the two large boards of
/// Rocket Mania.
pub fn compare_large_boards(skipped: usize) -> Comparison {
    let large = bundled::paper_cases()
        .enumerate()
        .filter(|(index, _)| [2, 5].contains(index))
        .map(|(_, case)| case);
    bundled::rocket_mania(large, bundled::table_4().skip(skipped))
        .rounds(1)
        .run()
        .expect("all agree")
}

/// Compares estimates of 8×8 by `probes` probes, without prunings and with prunings 1 and 2. The
/// first must be within `most` of the published number. The second is only bounded, because one
/// probe dominates its estimate.
pub fn check_estimates(limit: u64, probes: u64, most: f64) {
    let boards = bundled::article_boards(8).skip(5);
    let comparison = bundled::fire_net(boards, [FireNetPrunings::NONE, FireNetPrunings::of(1..=2)])
        .limits(Limits::new().nodes(limit))
        .probes(probes)
        .rounds(1)
        .run()
        .expect("no answer is wrong");
    let [none, ordered] = comparison.contenders() else { panic!("two sets") };
    assert_eq!((none.estimated(), ordered.unreliably_estimated()), (1, 1));
    let (deviation, compared) = deviation_from_published(&comparison);
    assert!(deviation < most && compared == 1, "3.71e9 nodes are estimated, to {deviation}");
    let bound = ordered.runs()[0].at_least();
    assert!(bound > limit as f64 && bound < 1.45e6, "1.44e6 nodes are {bound} at least");
}

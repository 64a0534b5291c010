//! The modules of the example `audit`, which refer to one another and to names in this module by
//! `super`.

#[path = "../../examples/audit/boards.rs"]
pub mod boards;
#[path = "../../examples/audit/fire_net.rs"]
pub mod fire_net;
#[path = "../../examples/audit/items.rs"]
pub mod items;
#[path = "../../examples/audit/queens.rs"]
pub mod queens;
#[path = "../../examples/audit/readings.rs"]
pub mod readings;
#[path = "../../examples/audit/rocket_mania.rs"]
pub mod rocket_mania;

use items::{Broken, Item, Sample};
use prunings::{Budget, RIGHT};
use secateurs::lab::{Coverage, Instances};
use secateurs::problems::fire_net::FireNetBoard;

/// A sample of a few small boards.
pub const SAMPLE: Sample =
    Sample { small: 2, boards: 60, size: 4, seed: 1, nodes: 500, share: 1.0 };

/// Checks that the audit passes every sound item, and that each item gives it something to check.
pub fn check_right(right: Vec<Item>, sample: Sample) {
    for Item { name, says, audit } in right {
        let coverage =
            audit(sample).unwrap_or_else(|Broken { what, .. }| panic!("{name} ({says}): {what}"));
        assert!(coverage.instances >= sample.boards, "{name}: {coverage}");
        let checked = coverage.cuts.checked + coverage.tightenings.checked + coverage.nodes.checked;
        assert!(checked + coverage.pairs.checked > 0, "{name}: {coverage}");
    }
}

/// Checks that the audit refutes every unsound item.
pub fn check_wrongly(wrongly: Vec<Item>, sample: Sample) {
    for Item { name, says, audit } in wrongly {
        let Err(Broken { what, before }) = audit(sample) else {
            panic!("{name} ({says}) was not found to be wrong")
        };
        assert!(report.contains("instance"), "{name}: {report}");
        assert!(coverage.instances < 2_500, "{name}: {coverage}");
    }
}

/// Audits the sound prunings of fire-net on `instances` boards, and checks that the audit of each
/// makes more than `least` checks.
pub fn check_right_prunings<B: Iterator<Item = FireNetBoard>>(
    boards: impl Fn() -> B,
    instances: u64,
    least: u64,
) {
    for (name, _, check) in SOUND {
        let audit = Instances::new(boards()).smaller(boards::smaller);
        let coverage = audit.audit(|board| check(board, Budget::nodes(300)));
        let coverage = coverage.unwrap_or_else(|unsound| panic!("{name}: {unsound}"));
        println!("{name}: {coverage}");
        assert_eq!(coverage.instances, instances);
        let checked = coverage.cuts.checked + coverage.tightenings.checked + coverage.nodes.checked;
        assert!(checked > least, "{name} has nothing to do: {coverage}");
    }
}

/// Returns all boards of a size, each with a bunker on each square in turn.
pub fn with_a_bunker(rows: usize, columns: usize) -> impl Iterator<Item = FireNetBoard> {
    boards::all(rows, columns).flat_map(|board| boards::with_a_bunker(&board).collect::<Vec<_>>())
}

//! What the example `audit` calls right is right on small boards, and what it calls wrong is found to be wrong.

use items::{Broken, Item, Sample};
use secateurs::lab::Coverage;

#[path = "../examples/audit/boards.rs"]
mod boards;
#[path = "../examples/audit/fire_net.rs"]
mod fire_net;
#[path = "../examples/audit/items.rs"]
mod items;
#[path = "../examples/audit/prunings.rs"]
mod prunings;
#[path = "../examples/audit/queens.rs"]
mod queens;
#[path = "../examples/audit/readings.rs"]
mod readings;
#[path = "../examples/audit/rocket_mania.rs"]
mod rocket_mania;

fn check(right: Vec<Item>, wrongly: Vec<Item>, sample: Sample) {
    for Item { name, says, audit } in right {
        let coverage = audit(sample).unwrap_or_else(|Broken { what, .. }| panic!("{name} ({says}): {what}"));
        assert!(coverage.instances >= sample.boards, "{name}: {coverage}");
        let checked = coverage.cuts.checked + coverage.tightenings.checked + coverage.nodes.checked;
        assert!(checked + coverage.pairs.checked > 0, "{name}: {coverage}");
    }
    for Item { name, says, audit } in wrongly {
        let Err(Broken { what, before }) = audit(sample) else { panic!("{name} ({says}) was not found to be wrong") };
        assert!(what.contains("instance"), "{name}: {what}");
        assert!(before.instances < 2_500, "{name}: {before}");
    }
}

const SAMPLE: Sample = Sample { small: 2, boards: 60, size: 4, seed: 1, nodes: 500, share: 1.0 };

#[test]
fn fire_net() {
    check(fire_net::right(), fire_net::wrongly(), Sample { small: 3, boards: 200, size: 8, nodes: 150, ..SAMPLE });
}

#[test]
fn rocket_mania() {
    check(rocket_mania::right(), rocket_mania::wrongly(), Sample { size: 3, ..SAMPLE });
}

#[test]
fn queens() {
    check(queens::right(), queens::wrongly(), Sample { small: 6, size: 6, ..SAMPLE });
}

#[test]
fn a_share_of_it() {
    let coverage = |share| {
        let items = rocket_mania::right();
        let all = items.iter().find(|item| item.name == "all").expect("an item");
        (all.audit)(Sample { share, ..SAMPLE }).unwrap_or_else(|broken| panic!("{}", broken.what))
    };
    let (all, some): (Coverage, Coverage) = (coverage(1.0), coverage(0.2));
    assert!(all.left_out == 0 && some.left_out > 0, "{some}");
    assert!(some.cuts.checked < all.cuts.checked && some.cuts.of == all.cuts.of, "{some}");
}

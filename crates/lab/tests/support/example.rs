//! The modules of the command `audit`, which refer to each other and to these names by `super`.

#[path = "../../../cli/src/audit/boards.rs"]
pub mod boards;
#[path = "../../../cli/src/audit/fire_net.rs"]
pub mod fire_net;
#[path = "../../../cli/src/audit/items.rs"]
pub mod items;
#[path = "../../../cli/src/audit/queens.rs"]
pub mod queens;
#[path = "../../../cli/src/audit/readings.rs"]
pub mod readings;
#[path = "../../../cli/src/audit/rocket_mania.rs"]
pub mod rocket_mania;

use items::{Finding, Item, Sample};

/// A few small boards.
pub const SAMPLE: Sample<'static> = Sample {
    small: 2,
    boards: 60,
    size: 4,
    seed: 1,
    nodes: 500,
    share: 1.0,
    progress: None,
    deadline: None,
    cancel: None,
};

/// Audits sound items: all of them pass, and have at least ten actions to check.
pub fn check_sound(items: Vec<Item>, sample: Sample<'_>) {
    for Item { name, description, audit } in items {
        let coverage = audit(sample)
            .unwrap_or_else(|Finding { report, .. }| panic!("{name} ({description}): {report}"));
        assert!(coverage.instances >= sample.boards, "{name}: {coverage}");
        let checked = coverage.cuts.checked + coverage.tightenings.checked + coverage.nodes.checked;
        assert!(checked + coverage.pairs.checked >= 10, "{name}: {coverage}");
    }
}

/// Audits unsound items: a violation of each is found.
pub fn check_unsound(items: Vec<Item>, sample: Sample<'_>) {
    for Item { name, description, audit } in items {
        let Err(Finding { report, coverage }) = audit(sample) else {
            panic!("{name} ({description}) was not found to be wrong")
        };
        assert!(report.contains("instance"), "{name}: {report}");
        assert!(coverage.instances < 2_500, "{name}: {coverage}");
    }
}

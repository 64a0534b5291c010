//! The command `secateurs audit` accepts its sound prunings on small boards, and rejects its
//! unsound ones.

use secateurs_lab::{Coverage, GapReason};

use crate::shared::example::items::Sample;
use crate::shared::example::{SAMPLE, check_sound, check_unsound, fire_net, queens, rocket_mania};
use crate::support::sizes::sized;

#[test]
fn fire_net_items_are_classified_correctly() {
    let full = Sample { small: 3, boards: 200, size: 8, nodes: 150, ..SAMPLE };
    check_sound(
        fire_net::sound(),
        sized(Sample { boards: 20, size: 5, nodes: 300, ..SAMPLE }, full),
    );
    // The first three fail on boards of six cells.
    let unsound = fire_net::unsound().into_iter().take(sized(3, usize::MAX)).collect();
    check_unsound(unsound, Sample { small: 3, ..SAMPLE });
}

#[test]
fn rocket_mania_items_are_classified_correctly() {
    let sample = Sample { size: 3, ..SAMPLE };
    check_sound(rocket_mania::sound(), sample);
    check_unsound(rocket_mania::unsound(), sample);
}

#[test]
fn queens_items_are_classified_correctly() {
    let sample = Sample { small: 6, size: 6, ..SAMPLE };
    check_sound(queens::sound(), sample);
    check_unsound(queens::unsound(), sample);
}

#[test]
fn a_share_checks_some_of_the_actions() {
    let coverage = |share| {
        let items = rocket_mania::sound();
        let all = items.iter().find(|item| item.name == "all").expect("an item");
        (all.audit)(Sample { share, ..SAMPLE })
            .unwrap_or_else(|finding| panic!("{}", finding.report))
    };
    let (all, some): (Coverage, Coverage) = (coverage(1.0), coverage(0.2));
    assert!(
        all.unchecked(GapReason::LeftOut) == 0 && some.unchecked(GapReason::LeftOut) > 0,
        "{some}"
    );
    assert!(some.cuts.checked < all.cuts.checked && some.cuts.of == all.cuts.of, "{some}");
}

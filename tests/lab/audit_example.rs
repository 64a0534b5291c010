//! The example `audit` finds its sound prunings sound on small boards, and its unsound ones
//! unsound.

use secateurs::lab::Coverage;

use crate::shared::example::items::Sample;
use crate::shared::example::{SAMPLE, check_right, check_wrongly, fire_net, queens, rocket_mania};

#[test]
fn fire_net() {
    check_right(fire_net::right(), Sample { boards: 10, ..SAMPLE });
    // The first three are found to be wrong on boards of six cells.
    let wrongly = fire_net::wrongly().into_iter().take(3).collect();
    check_wrongly(wrongly, Sample { small: 3, ..SAMPLE });
}

#[test]
fn rocket_mania() {
    let sample = Sample { size: 3, ..SAMPLE };
    check_right(rocket_mania::right(), sample);
    check_wrongly(rocket_mania::wrongly(), sample);
}

#[test]
fn queens() {
    let sample = Sample { small: 6, size: 6, ..SAMPLE };
    check_right(queens::right(), sample);
    check_wrongly(queens::wrongly(), sample);
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

//! Audits of the prunings of fire-net, sound and unsound.

use crate::shared::example::items::Sample;
use crate::shared::example::{
    SAMPLE, boards, check_sound, check_sound_prunings, check_unsound, fire_net, with_a_bunker,
};

#[test]
#[ignore = "expensive: cargo test --release -p secateurs-lab --test expensive -- --ignored"]
fn audits_of_fire_net_find_the_unsound_prunings() {
    let sample = Sample { small: 3, boards: 200, size: 8, nodes: 150, ..SAMPLE };
    check_sound(fire_net::sound(), sample);
    check_unsound(fire_net::unsound(), sample);
}

#[test]
#[ignore = "expensive: cargo test --release -p secateurs-lab --test expensive -- --ignored"]
fn sound_prunings_pass_the_audit() {
    let small = || boards::all(2, 3).chain(boards::all(3, 3)).chain(with_a_bunker(2, 3));
    let boards = || small().chain(boards::random(100, 6, 1));
    // The number of boards. Half of all squares of the 2 × 3 boards are free for a bunker.
    check_sound_prunings(boards, 64 + 512 + 64 * 6 / 2 + 100, 100);
}

//! Packings of boxes with pentominoes.

use secateurs_problems::InstanceError;

use crate::shared::pentominoes::{all_pentominoes, pentominoes};

/// The counts of Haselgrove and Haselgrove (1960).
#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn pentominoes_in_boxes_match_the_known_counts() -> Result<(), InstanceError> {
    assert_eq!(pentominoes(3, 20)?, (Some(2), Some(8)));
    assert_eq!(pentominoes(4, 15)?, (Some(368), Some(1472)));
    assert_eq!(pentominoes(15, 4)?, (Some(368), Some(1472)));
    Ok(())
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn pentominoes_in_larger_boxes_match_the_known_counts() -> Result<(), InstanceError> {
    assert_eq!(pentominoes(5, 12)?, (Some(1010), Some(4040)));
    assert_eq!(pentominoes(6, 10)?, (Some(2339), Some(9356)));
    Ok(())
}

/// Counts all packings, without the symmetry hook.
#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn all_pentominoes_in_a_box_match_the_known_count() -> Result<(), InstanceError> {
    assert_eq!(all_pentominoes(4, 15)?, Some(1472));
    Ok(())
}

//! Pentominoes in boxes.

use secateurs::{Effect, Hook, Search};
use secateurs_cover::Cover;
use secateurs_problems::InstanceError;
use secateurs_problems::packing::{Packing, PackingBoard};

/// Returns the number of representatives and of all solutions.
pub fn counts(cover: &Cover, hook: impl Hook<Cover>) -> (Option<u128>, Option<u128>) {
    let outcome = Search::new(cover).hooks((hook,)).count();
    assert_eq!(outcome.effect(), Effect::Representatives);
    (outcome.representatives(), outcome.exact())
}

/// Returns the number of packings of a box, up to symmetry and in all.
pub fn pentominoes(
    rows: usize,
    columns: usize,
) -> Result<(Option<u128>, Option<u128>), InstanceError> {
    let packing = Packing::pentominoes(PackingBoard::rectangle(rows, columns)?)?;
    Ok(counts(packing.cover(), packing.symmetry()))
}

/// Returns the number of all packings of a box, without the hook.
pub fn all_pentominoes(rows: usize, columns: usize) -> Result<Option<u128>, InstanceError> {
    let packing = Packing::pentominoes(PackingBoard::rectangle(rows, columns)?)?;
    Ok(Search::new(packing.cover()).count().exact())
}

//! What can be audited, on which instances, and what comes of it.

use secateurs::lab::{Coverage, Instances, Unsound, Violation};

/// Which instances, and how much of each.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// All boards up to this size.
    pub small: usize,
    /// So many at random ...
    pub boards: u64,
    /// ... up to this size, ...
    pub size: usize,
    /// ... from this seed.
    pub seed: u64,
    /// A search of a random board ends after so many nodes.
    pub nodes: u64,
    /// The share of what hooks do that is looked at.
    pub share: f64,
}

/// Searches of small boards come to their end.
pub const TO_THE_END: u64 = 1_000_000;

/// Something that did not keep its promise, with the smallest board that was found.
pub struct Broken {
    pub what: String,
    /// What was looked at before.
    pub before: Box<Coverage>,
}

impl<I> From<Unsound<I>> for Broken {
    fn from(unsound: Unsound<I>) -> Self {
        Broken { what: unsound.to_string(), before: Box::new(unsound.coverage()) }
    }
}

/// A pruning that can be audited.
pub struct Item {
    pub name: &'static str,
    pub says: &'static str,
    pub audit: Box<dyn Fn(Sample) -> Result<Coverage, Broken>>,
}

impl Item {
    pub fn new(
        name: &'static str,
        says: &'static str,
        audit: impl Fn(Sample) -> Result<Coverage, Broken> + 'static,
    ) -> Self {
        Item { name, says, audit: Box::new(audit) }
    }
}

/// All small instances, and then random ones; `audit` is told how many nodes a search may have.
pub fn audit_on<I, S: IntoIterator<Item = I>>(
    sample: Sample,
    small: impl IntoIterator<Item = I>,
    random: impl IntoIterator<Item = I>,
    smaller: impl Fn(&I) -> S,
    show: impl Fn(&I) -> String,
    audit: impl Fn(&I, u64) -> Result<Coverage, Violation>,
) -> Result<Coverage, Broken> {
    let mut whole =
        Instances::shown(small, &show).smaller(&smaller).audit(|board| audit(board, TO_THE_END))?;
    let random =
        Instances::shown(random, &show).smaller(&smaller).audit(|board| audit(board, sample.nodes));
    match random {
        Ok(coverage) => {
            whole += coverage;
            Ok(whole)
        }
        Err(unsound) => {
            whole += unsound.coverage();
            Err(Broken { before: Box::new(whole), ..unsound.into() })
        }
    }
}

//! The items that can be audited, the sample of instances, and the findings.

use std::time::Instant;

use secateurs::Cancel;
use secateurs_lab::{self, Coverage, Instances, Violation};

/// The instances to audit, and the effort for each.
#[derive(Clone, Copy)]
pub struct Sample<'p> {
    /// The maximal size of the small boards, all of which are audited.
    pub small: usize,
    /// The number of random boards.
    pub boards: u64,
    /// The maximal size of random boards.
    pub size: usize,
    /// The seed of random boards.
    pub seed: u64,
    /// The node limit of a search of a random board.
    pub nodes: u64,
    /// The share of the actions of hooks that is checked.
    pub share: f64,
    /// Called after each instance with the coverage so far.
    pub progress: Option<&'p dyn Fn(&Coverage)>,
    /// The time from which on no further board is audited.
    pub deadline: Option<Instant>,
    /// Stops the audits when it is set.
    pub cancel: Option<&'static Cancel>,
}

impl Sample<'_> {
    /// Returns whether no further board is to be audited.
    pub fn is_stopped(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A node limit that no search of a small board reaches.
pub const UNLIMITED: u64 = 1_000_000;

/// A violation on a shrunk board.
pub struct Finding {
    pub report: String,
    /// The coverage of the boards before.
    pub coverage: Box<Coverage>,
}

impl<I> From<secateurs_lab::Unsound<I>> for Finding {
    fn from(unsound: secateurs_lab::Unsound<I>) -> Self {
        Finding { report: unsound.to_string(), coverage: Box::new(unsound.coverage().clone()) }
    }
}

/// A function that audits a pruning on a sample.
type AuditOn = Box<dyn Fn(Sample<'_>) -> Result<Coverage, Finding>>;

/// A pruning that can be audited.
pub struct Item {
    pub name: &'static str,
    pub description: &'static str,
    pub audit: AuditOn,
}

impl Item {
    pub fn new(
        name: &'static str,
        description: &'static str,
        audit: impl Fn(Sample<'_>) -> Result<Coverage, Finding> + 'static,
    ) -> Self {
        Item { name, description, audit: Box::new(audit) }
    }
}

/// Audits all small instances, and then random ones. `audit` receives an instance and a node limit.
pub fn audit_on<I, S: IntoIterator<Item = I>>(
    sample: Sample<'_>,
    small: impl IntoIterator<Item = I>,
    random: impl IntoIterator<Item = I>,
    smaller: impl Fn(&I) -> S,
    show: impl Fn(&I) -> String,
    audit: impl Fn(&I, u64) -> Result<Coverage, Violation>,
) -> Result<Coverage, Finding> {
    let small = small.into_iter().take_while(|_| !sample.is_stopped());
    let random = random.into_iter().take_while(|_| !sample.is_stopped());
    let report_progress = |before: &Coverage, coverage: &Coverage| {
        if let Some(progress) = sample.progress {
            let mut total = before.clone();
            total += coverage.clone();
            progress(&total);
        }
    };
    let mut total = Instances::shown(small, &show)
        .smaller(&smaller)
        .progress(|coverage| report_progress(&Coverage::default(), coverage))
        .audit(|board| audit(board, UNLIMITED))?;
    let random = Instances::shown(random, &show)
        .smaller(&smaller)
        .progress(|coverage| report_progress(&total, coverage))
        .audit(|board| audit(board, sample.nodes));
    match random {
        Ok(coverage) => {
            total += coverage;
            Ok(total)
        }
        Err(unsound) => {
            total += unsound.coverage().clone();
            Err(Finding { coverage: Box::new(total), ..Finding::from(unsound) })
        }
    }
}

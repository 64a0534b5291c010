//! The coverage of an audit: how much it has checked.

use std::fmt;
use std::ops::AddAssign;

/// A number of checked items out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Share {
    /// The number of checked items.
    pub checked: u64,
    /// The total number of items.
    pub of: u64,
}

impl Share {
    /// Adds one item.
    pub(super) fn add(&mut self, checked: bool) {
        self.checked += u64::from(checked);
        self.of += 1;
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Share) {
        self.checked += other.checked;
        self.of += other.of;
    }
}

/// Prints `12`, or `12 of 345` if not all were checked.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Share { checked, of } = self;
        if checked == of { write!(f, "{of}") } else { write!(f, "{checked} of {of}") }
    }
}

/// The coverage of an audit: what it has checked, and what it has not. Coverages of several
/// instances are added with `+=`.
///
/// The result of an audit without a violation is only as meaningful as its coverage. `Display`
/// describes it in words:
///
/// ```
/// use secateurs::lab::Audit;
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(6)?.bits();
/// let coverage = Audit::of_count(&queens).hook(Queens::mirror()).run()?;
/// assert_eq!(coverage.to_string(), "1 instance: 3 cuts checked, exhaustive");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Coverage {
    /// The number of instances.
    pub instances: u64,
    /// Nodes or states cut off by hooks. Those without a checkable claim are not counted as
    /// checked.
    pub cuts: Share,
    /// Actions by which a hook tightened a state of a search, or replaced a state of a sweep.
    pub tightenings: Share,
    /// Nodes of trees, or states of layers, at which bounds, keys or dominance relations were
    /// checked.
    pub nodes: Share,
    /// Pairs of states one of which dominates the other. If only a sample of the states was
    /// compared, the total is an estimate.
    pub pairs: Share,
    /// Not checked: omitted at random, because only a [share](super::Audit::share) was requested or
    /// a group was sampled.
    pub left_out: u64,
    /// Not checked: the subtree exceeds the limits.
    pub too_large: u64,
    /// Not checked: the hook claims nothing about the action.
    pub unclaimed: u64,
    /// Not checked: the subtree has nothing better than a value known before the search began, such
    /// as one from an earlier search with the same objective.
    pub known_before: u64,
    /// Checked only for existence: actions of hooks that keep representatives, if neither the
    /// [orbits](super::Audit::orbits) nor the [orbit sizes](crate::Hook::orbit) are known.
    pub without_orbits: u64,
    /// Checked only with random weights: actions of sweep hooks that keep an optimum, if no
    /// [weight](super::SweepAudit::weight) is given.
    pub by_drawn_weights: u64,
    /// Losses that may be compensated elsewhere, in a part of the tree that was not reached before
    /// the search was stopped.
    pub unsettled: u64,
    /// Searches, walks and counts that were stopped by a limit.
    pub unfinished: u64,
}

impl Coverage {
    /// Creates an empty coverage of one instance.
    pub(super) fn of_one() -> Self {
        Coverage { instances: 1, ..Coverage::default() }
    }

    /// Returns whether everything was checked on every instance. False if there are no instances.
    #[must_use]
    pub fn is_exhaustive(&self) -> bool {
        let is_complete = |share: Share| share.checked == share.of;
        let unchecked = [
            self.left_out,
            self.too_large,
            self.unclaimed,
            self.known_before,
            self.without_orbits,
            self.by_drawn_weights,
            self.unsettled,
            self.unfinished,
        ];
        [self.cuts, self.tightenings, self.nodes, self.pairs].into_iter().all(is_complete)
            && unchecked == [0; 8]
            && self.instances > 0
    }
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Coverage) {
        self.instances += other.instances;
        self.cuts += other.cuts;
        self.tightenings += other.tightenings;
        self.nodes += other.nodes;
        self.pairs += other.pairs;
        self.left_out += other.left_out;
        self.too_large += other.too_large;
        self.unclaimed += other.unclaimed;
        self.known_before += other.known_before;
        self.without_orbits += other.without_orbits;
        self.by_drawn_weights += other.by_drawn_weights;
        self.unsettled += other.unsettled;
        self.unfinished += other.unfinished;
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.instances == 0 {
            return f.write_str("no instances: nothing was checked");
        }
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        write!(f, "{} instance{}: ", self.instances, plural(self.instances))?;
        let kinds = [
            (self.cuts, "cut"),
            (self.tightenings, "tightening"),
            (self.nodes, "node"),
            (self.pairs, "dominated pair"),
        ];
        let present = kinds.iter().filter(|(share, _)| share.of > 0);
        let present: Vec<String> =
            present.map(|(share, name)| format!("{share} {name}{}", plural(share.of))).collect();
        match present.split_last() {
            None => f.write_str("nothing to check")?,
            Some((last, [])) => write!(f, "{last} checked")?,
            Some((last, others)) => write!(f, "{} and {last} checked", others.join(", "))?,
        }
        if self.is_exhaustive() {
            return f.write_str(", exhaustive");
        }
        let reasons = [
            (self.left_out, "left out at random"),
            (self.too_large, "too large to search"),
            (self.unclaimed, "without a claim"),
            (self.known_before, "no better than a value known before"),
            (self.without_orbits, "with unknown orbits"),
            (self.by_drawn_weights, "only with random weights"),
            (self.unsettled, "lost, possibly compensated in a part that was not searched"),
            (self.unfinished, "stopped by a limit"),
        ];
        let reasons = reasons.iter().filter(|(count, _)| *count > 0);
        let reasons: Vec<String> =
            reasons.map(|(count, reason)| format!("{count} {reason}")).collect();
        if reasons.is_empty() {
            f.write_str(", sampled")
        } else {
            write!(f, "; not exhaustive: {}", reasons.join(", "))
        }
    }
}

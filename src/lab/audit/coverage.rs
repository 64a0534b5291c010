//! What an audit has looked at.

use std::fmt;
use std::ops::AddAssign;

/// How many of how many were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Share {
    /// How many were checked.
    pub checked: u64,
    /// How many there were.
    pub of: u64,
}

impl Share {
    /// One more, checked or not.
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

/// `12`, or `12 of 345` if not all were checked.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Share { checked, of } = self;
        if checked == of { write!(f, "{of}") } else { write!(f, "{checked} of {of}") }
    }
}

/// What an audit has looked at, and what not. Those of several instances add up by `+=`.
///
/// An audit that finds nothing is worth what it has looked at. `Display` says it in plain words:
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
    /// Instances.
    pub instances: u64,
    /// Nodes or states that were cut off by hooks of which something was checked.
    pub cuts: Share,
    /// Times that a hook tightened a state of a search, or replaced one of a sweep.
    pub tightenings: Share,
    /// Nodes of trees, or states of layers, at which bounds, keys or a dominance were looked at.
    pub nodes: Share,
    /// Pairs of states of which one dominates the other. Where not all states were compared, how
    /// many there are is an estimate.
    pub pairs: Share,
    /// Of what was not checked: left out at random, as only a [share](super::Audit::share) was
    /// asked for.
    pub left_out: u64,
    /// Of what was not checked: what has more below it than the limits allow.
    pub too_large: u64,
    /// Of what was not checked: actions of hooks that claim nothing about them.
    pub unclaimed: u64,
    /// Of what was not checked: what has nothing below it that is better than a value that was
    /// known before the search began, as from another search with the same objective.
    pub known_before: u64,
    /// Of what was checked: actions of hooks that keep representatives, of which is only known that
    /// some solution is left, as nobody told [which belong together](super::Audit::orbits), or [how
    /// many](crate::Hook::orbit).
    pub without_orbits: u64,
    /// Of what was checked: actions of hooks of a sweep that keep an optimum, of which it was only
    /// seen that it was not lost by weights that were drawn at random, as [none was
    /// given](super::SweepAudit::weight).
    pub by_drawn_weights: u64,
    /// Losses of which it is not known whether something as good was left elsewhere, as the search
    /// was stopped.
    pub unsettled: u64,
    /// Searches, walks and totals that were not taken to their end, for a limit.
    pub unfinished: u64,
}

impl Coverage {
    /// Nothing yet, on one instance.
    pub(super) fn of_one() -> Self {
        Coverage { instances: 1, ..Coverage::default() }
    }

    /// Whether everything there was to check was checked, on every instance; of no instances,
    /// nothing was.
    #[must_use]
    pub fn is_exhaustive(&self) -> bool {
        let whole = |share: Share| share.checked == share.of;
        let left = [
            self.left_out,
            self.too_large,
            self.unclaimed,
            self.known_before,
            self.without_orbits,
            self.by_drawn_weights,
            self.unsettled,
            self.unfinished,
        ];
        [self.cuts, self.tightenings, self.nodes, self.pairs].into_iter().all(whole)
            && left == [0; 8]
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
        let met = kinds.iter().filter(|(share, _)| share.of > 0);
        let met: Vec<String> =
            met.map(|(share, name)| format!("{share} {name}{}", plural(share.of))).collect();
        match met.split_last() {
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
            (self.unclaimed, "by hooks that claim nothing"),
            (self.known_before, "no better than a value known before"),
            (self.without_orbits, "of which orbits are not known"),
            (self.by_drawn_weights, "by weights drawn at random"),
            (
                self.unsettled,
                "lost where the search was stopped before it could find as good elsewhere",
            ),
            (self.unfinished, "not taken to the end for a limit"),
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

//! The coverage of an audit: how much it has checked, and what is missing.

use std::error::Error;
use std::fmt;
use std::ops::AddAssign;

use super::violation::write_block;

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

/// A random sampler with a fixed probability.
pub(super) struct Sampler {
    share: f64,
    random: fastrand::Rng,
}

impl Sampler {
    pub(super) fn new(share: f64, seed: u64) -> Self {
        Sampler { share, random: fastrand::Rng::with_seed(seed) }
    }

    /// Returns whether to include the next item.
    pub(super) fn draw(&mut self) -> bool {
        self.share >= 1.0 || self.random.f64() < self.share
    }
}

/// The reason for a [`Gap`]. `Display` completes the phrase "3 checks are …".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum GapReason {
    /// Omitted at random, because only a [share](super::Audit::share) was requested, or a large
    /// group was sampled.
    LeftOut,
    /// The subtree exceeds the limits.
    TooLarge,
    /// A part of the subtree is beyond the depth limit.
    BeyondDepth,
    /// The hook claims nothing about the action.
    Unclaimed,
    /// The subtree has nothing better than a value known before the search began, such as one from
    /// an earlier search with the same objective.
    KnownBefore,
    /// Checked only for existence: an action of a hook that keeps representatives, if neither the
    /// [symmetries](super::Audit::symmetries) or [orbits](super::Audit::orbits) nor the [orbit
    /// sizes](secateurs::Hook::orbit), whose sum must be the number of solutions, are known. Or an
    /// orbit without a visited solution, if hooks have [credited](secateurs::NodeMut::credit)
    /// solutions of unknown orbits.
    WithoutOrbits,
    /// Compared only in number: an action that changes the state, or the tree of a brancher, after
    /// which solutions [print](super::Audit::show) otherwise than before. They may be the same
    /// ones, reached in another way, or others in their place. Audits with an objective compare the
    /// values of solutions, and do so only for hooks that claim to preserve all.
    InNumber,
    /// Checked only with random weights: an action of a sweep hook that keeps an optimum, if no
    /// [weight](super::SweepAudit::weight) is given.
    RandomWeights,
    /// A loss that may be compensated elsewhere: in a part of the tree that was not reached before
    /// the search was stopped, or by one of the solutions that hooks have
    /// [credited](secateurs::NodeMut::credit).
    Unsettled,
    /// A search, walk or count was stopped by a limit.
    Unfinished,
    /// The instances are only a [part](super::Instances::part_of_all) of those that the claim is
    /// about.
    Instances,
    /// A sweep whose states may not [fit](secateurs::plug::ContourProblem::fits) into their type.
    StateTooWide,
    /// The audit was given nothing to check, such as a hook, a bound or a brancher.
    NoSubject,
}

impl GapReason {
    /// Returns what to do to close the gap.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        match self {
            GapReason::LeftOut => "raise `share`; of large groups, only a sample is compared",
            GapReason::TooLarge => "raise `limits`, or give `best_below`",
            GapReason::BeyondDepth => "raise the depth of `limits`",
            GapReason::Unclaimed => "let the hook, and the hooks next to it, claim more than lossy",
            GapReason::KnownBefore => "use a new objective",
            GapReason::WithoutOrbits => "give `symmetries` or `orbits`, or the hook's orbit sizes",
            GapReason::InNumber => "let `show` print a solution alike on all ways to it",
            GapReason::RandomWeights => "give `weight`",
            GapReason::Unsettled => {
                "raise `nodes`; audit hooks apart from those that credit solutions"
            }
            GapReason::Unfinished => "raise `limits`, and `nodes` if given",
            GapReason::Instances => "audit more or larger instances",
            GapReason::StateTooWide => "use a wider state type, or sweep along the shorter side",
            GapReason::NoSubject => "add what is to be audited, such as a `hook`",
        }
    }
}

impl fmt::Display for GapReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            GapReason::LeftOut => "left out at random",
            GapReason::TooLarge => "too large to search",
            GapReason::BeyondDepth => "beyond the depth limit",
            GapReason::Unclaimed => "without a claim",
            GapReason::KnownBefore => "no better than a value known before",
            GapReason::WithoutOrbits => "with unknown orbits",
            GapReason::InNumber => "compared only in number",
            GapReason::RandomWeights => "only with random weights",
            GapReason::Unsettled => {
                "lost, possibly compensated in a part that was not searched or by a credited \
                 solution"
            }
            GapReason::Unfinished => "stopped by a limit",
            GapReason::Instances => "restricted to some instances",
            GapReason::StateTooWide => "with states that may not fit into their type",
            GapReason::NoSubject => "without a subject",
        })
    }
}

/// Checks of one subject that are missing for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Gap {
    /// The reason.
    pub reason: GapReason,
    /// The subject of the checks: the name of a hook, key or relation, or the search that was
    /// stopped.
    pub subject: String,
    /// The number of missing checks.
    pub count: u64,
    /// The first of the [instances](super::Instances) with such a gap, as they print it; `None` for
    /// an audit of a single instance.
    pub instance: Option<String>,
}

/// The coverage of an audit: what it has checked, and what it has not. Coverages of several
/// instances are added with `+=`.
///
/// The result of an audit without a violation is only as meaningful as its coverage: a test should
/// demand that the audit was [exhaustive](Coverage::exhaustive). `Display` describes the coverage
/// in words:
///
/// ```
/// use secateurs_lab::Audit;
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(6)?.bits();
/// let coverage = Audit::of_count(&queens).hook(Queens::mirror()).run()?;
/// assert_eq!(coverage.to_string(), "1 instance: 3 cuts checked, exhaustive");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[must_use = "an audit that was cut short has proved nothing: call `exhaustive`"]
pub struct Coverage {
    /// The number of instances.
    pub instances: u64,
    /// Nodes or states cut off by hooks. Those without a checkable claim are not counted as
    /// checked.
    pub cuts: Share,
    /// Actions by which a hook tightened a state of a search, or replaced a state of a sweep.
    pub tightenings: Share,
    /// Nodes of trees, or states of layers, at which bounds, keys or dominance relations were
    /// checked, and solutions that were compared with their images under symmetries, or with those
    /// in the tree of a brancher.
    pub nodes: Share,
    /// Pairs of a dominating and a dominated state. If only a sample of the states was
    /// compared, the total is an estimate.
    pub pairs: Share,
    gaps: Vec<Gap>,
}

impl Coverage {
    /// Creates an empty coverage of one instance.
    pub(super) fn of_one() -> Self {
        Coverage { instances: 1, ..Coverage::default() }
    }

    /// Counts a cut or a tightening.
    pub(super) fn add_action(&mut self, is_cut: bool, is_checked: bool) {
        let kind = if is_cut { &mut self.cuts } else { &mut self.tightenings };
        kind.add(is_checked);
    }

    /// Returns the gaps: what was not checked, in the order of discovery.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Returns the number of checks that are missing for this reason.
    #[must_use]
    pub fn unchecked(&self, reason: GapReason) -> u64 {
        self.gaps.iter().filter(|gap| gap.reason == reason).map(|gap| gap.count).sum()
    }

    /// Returns whether everything was checked on every instance, except what [`close`](Self::close)
    /// was called for. False if there are no instances.
    #[must_use]
    pub fn is_exhaustive(&self) -> bool {
        self.gaps.is_empty() && self.instances > 0
    }

    /// Fails unless everything was checked on every instance: if the audit was cut short by a limit
    /// or a sample, if something could not be checked, or if the audit was given nothing to check.
    ///
    /// A hook that never cuts passes, because it may have nothing to cut on some instances. A test
    /// of a hook on small instances should also demand that [`cuts`](Coverage::cuts) or
    /// [`tightenings`](Coverage::tightenings) are not zero, in the sum over all instances.
    ///
    /// ```
    /// use secateurs::Limits;
    /// use secateurs_lab::Audit;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(6)?.bits();
    /// let audit = || Audit::of_count(&queens).hook(Queens::mirror());
    /// audit().run()?.exhaustive()?;
    ///
    /// let cut_short = audit().limits(Limits::new().nodes(10)).run()?.exhaustive().unwrap_err();
    /// assert_eq!(cut_short.to_string(), "\
    /// the audit was not exhaustive
    ///   `mirror`: 3 with unknown orbits; give `symmetries` or `orbits`, or the hook's orbit sizes
    ///   `the number of solutions`: 1 stopped by a limit; raise `limits`, and `nodes` if given");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the gaps: what was not checked and why, on which instance first, and how to close
    /// each gap.
    pub fn exhaustive(&self) -> Result<(), NotExhaustive> {
        if self.is_exhaustive() { Ok(()) } else { Err(NotExhaustive(Box::new(self.clone()))) }
    }

    /// Adds missing checks, if there are any.
    pub(super) fn omit(&mut self, reason: GapReason, subject: &str, count: u64) {
        if count > 0 {
            match self.gap_mut(reason, subject) {
                Some(gap) => gap.count += count,
                None => {
                    let subject = subject.to_owned();
                    self.gaps.push(Gap { reason, subject, count, instance: None });
                }
            }
        }
    }

    /// Asserts in debug builds that there is a gap if checks are missing. Called at the end of an
    /// audit, since [`is_exhaustive`](Self::is_exhaustive) reads the gaps only.
    pub(super) fn assert_explained(&self) {
        let shares = [self.cuts, self.tightenings, self.nodes, self.pairs];
        let is_complete = shares.iter().all(|share| share.checked == share.of);
        debug_assert!(is_complete || !self.gaps.is_empty(), "missing checks without a gap");
    }

    fn gap_mut(&mut self, reason: GapReason, subject: &str) -> Option<&mut Gap> {
        self.gaps.iter_mut().find(|gap| gap.reason == reason && gap.subject == subject)
    }

    /// Removes the gaps of this reason. The caller asserts that nothing is missing, for example
    /// because another check has covered it, or because a hook does nothing after the limit.
    pub fn close(&mut self, reason: GapReason) {
        self.gaps.retain(|gap| gap.reason != reason);
    }

    /// Sets the instance of gaps that have none.
    pub(super) fn locate(&mut self, instance: impl FnOnce() -> String) {
        if self.gaps.iter().any(|gap| gap.instance.is_none()) {
            let instance = instance();
            for gap in &mut self.gaps {
                gap.instance.get_or_insert_with(|| instance.clone());
            }
        }
    }
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Coverage) {
        self.instances += other.instances;
        self.cuts += other.cuts;
        self.tightenings += other.tightenings;
        self.nodes += other.nodes;
        self.pairs += other.pairs;
        for gap in other.gaps {
            match self.gap_mut(gap.reason, &gap.subject) {
                Some(known) => known.count += gap.count,
                None => self.gaps.push(gap),
            }
        }
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
        let mut reasons: Vec<GapReason> = self.gaps.iter().map(|gap| gap.reason).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let words: Vec<String> = reasons
            .into_iter()
            .map(|reason| format!("{} {reason}", self.unchecked(reason)))
            .collect();
        write!(f, "; not exhaustive: {}", words.join(", "))
    }
}

/// The error of an [audit that was not exhaustive](Coverage::exhaustive). `Display` prints a line
/// for each [`Gap`]. `Debug` prints the same, because failing tests print errors with `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct NotExhaustive(Box<Coverage>);

impl fmt::Display for NotExhaustive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the audit was not exhaustive")?;
        if self.0.instances == 0 {
            f.write_str(": there are no instances")?;
        }
        for Gap { reason, subject, count, instance } in &self.0.gaps {
            write!(f, "\n  `{subject}`: {count} {reason}; {}", reason.remedy())?;
            if let Some(instance) = instance {
                f.write_str("\n")?;
                write_block(f, "    ", "first on", instance)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for NotExhaustive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for NotExhaustive {}

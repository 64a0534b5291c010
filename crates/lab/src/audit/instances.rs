//! Audits of many instances, and shrinking of an instance with a violation.

use std::error::Error;
use std::fmt::{self, Display};

use super::coverage::{Coverage, GapReason};
use super::violation::{Violation, write_block};

/// An instance with a violation. The audit finds none on any instance that is one step smaller.
///
/// `Display` prints the violation and then the instance. `Debug` prints the same, because failing
/// tests print errors with `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Unsound<I>(Box<Details<I>>);

/// The fields of [`Unsound`], boxed to keep errors small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Details<I> {
    instance: I,
    shown: String,
    violation: Violation,
    before: Coverage,
}

impl<I> Unsound<I> {
    /// Returns the instance.
    pub fn instance(&self) -> &I {
        &self.0.instance
    }

    /// Returns the violation.
    pub fn violation(&self) -> &Violation {
        &self.0.violation
    }

    /// Returns the coverage of the instances before the first one with a violation.
    pub fn coverage(&self) -> &Coverage {
        &self.0.before
    }
}

impl<I> fmt::Display for Unsound<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.0.violation)?;
        write_block(f, "  ", "instance", &self.0.shown)
    }
}

impl<I> fmt::Debug for Unsound<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<I> Error for Unsound<I> {}

/// A function that returns the instances that are one step smaller.
type Smaller<'a, I> = Box<dyn Fn(&I) -> Vec<I> + 'a>;

/// A sequence of instances to audit until one has a violation. That instance is then shrunk while a
/// violation remains (*delta debugging*, Zeller and Hildebrandt 2002).
///
/// ```
/// use secateurs::{Effect, Node, Verdict, hook};
/// use secateurs_lab::{Audit, Instances};
/// use secateurs_problems::queens::{BitQueens, Queens};
///
/// // A mirror that forgets the middle column, which for odd sizes is its own image.
/// let left_half = |size: usize| {
///     hook::admit("left half", Effect::OptimumOnly, move |node: &Node<BitQueens>, &choice| {
///         Verdict::prune_if(node.depth() == 0 && choice >= 1 << (size / 2))
///     })
/// };
/// let audit = |&size: &usize| {
///     let queens = Queens::new(size).expect("a size").bits();
///     Audit::of_count(&queens).hook(left_half(size)).run()
/// };
/// let found = Instances::new([8_usize, 7, 6]).smaller(|&size| size.checked_sub(1)).audit(audit);
/// assert!(found.is_ok()); // some solution remains on each of them …
/// let found = Instances::new([7_usize, 1]).smaller(|&size| size.checked_sub(1)).audit(audit);
/// assert_eq!(found.unwrap_err().to_string(), "\
/// `left half` (optimum only): all solutions were lost
///   cut off: BitState { columns: 1, left: 2, right: 0 }
///   reached by: [1]
///   instance: 1"); // … but not on the board of one square
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is audited until `audit` is called"]
pub struct Instances<'a, I, N> {
    instances: N,
    smaller: Smaller<'a, I>,
    show: Box<dyn Fn(&I) -> String + 'a>,
    part: Option<String>,
    progress: Box<dyn FnMut(&Coverage) + 'a>,
}

impl<'a, I: 'a, N: IntoIterator<Item = I>> Instances<'a, I, N> {
    /// Creates a sequence of instances that are printed with `Display`.
    pub fn new(instances: N) -> Self
    where
        I: Display,
    {
        Self::shown(instances, I::to_string)
    }

    /// Creates a sequence of instances that are printed by `show`.
    pub fn shown(instances: N, show: impl Fn(&I) -> String + 'a) -> Self {
        Instances {
            instances,
            smaller: Box::new(|_| Vec::new()),
            show: Box::new(show),
            part: None,
            progress: Box::new(|_| {}),
        }
    }

    /// Declares that the instances are only a part of those that the claim is about, such as random
    /// ones, or those up to a maximal size. The coverage is then [not
    /// exhaustive](Coverage::exhaustive), even if everything was checked on each of them.
    ///
    /// ```
    /// use secateurs_lab::{Audit, Instances};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let boards = Instances::new(1..=6_usize).part_of_all("up to 6 rows");
    /// let coverage = boards.audit(|&size| {
    ///     let queens = Queens::new(size).expect("a size").bits();
    ///     Audit::of_count(&queens).hook(Queens::mirror()).run()
    /// });
    /// assert_eq!(coverage?.exhaustive().unwrap_err().to_string(), "\
    /// the audit was not exhaustive
    ///   `up to 6 rows`: 1 restricted to some instances; audit more or larger instances");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn part_of_all(mut self, description: impl Into<String>) -> Self {
        self.part = Some(description.into());
        self
    }

    /// Sets a function that is called after each instance with the coverage so far. To follow the
    /// audit of a single instance, use [`Audit::progress`](super::Audit::progress).
    pub fn progress(mut self, callback: impl FnMut(&Coverage) + 'a) -> Self {
        self.progress = Box::new(callback);
        self
    }

    /// Sets a function that returns the instances one step smaller than a given one, such as a
    /// board without one of its rows. They are tried in order. Every sequence of steps must be
    /// finite.
    pub fn smaller<S: IntoIterator<Item = I>>(mut self, smaller: impl Fn(&I) -> S + 'a) -> Self {
        self.smaller = Box::new(move |instance| smaller(instance).into_iter().collect());
        self
    }

    /// Calls `audit` with each instance until it returns an error, and adds up the coverage. The
    /// closure may itself run several audits of an instance and return the sum of their coverage.
    ///
    /// # Errors
    /// Returns the shrunk instance if `audit` returns an error for some instance.
    pub fn audit(
        self,
        audit: impl Fn(&I) -> Result<Coverage, Violation>,
    ) -> Result<Coverage, Unsound<I>> {
        let Instances { instances, smaller, show, part, mut progress } = self;
        let mut total = Coverage::default();
        for instance in instances {
            match audit(&instance) {
                Ok(mut coverage) => {
                    coverage.instances = 1;
                    coverage.locate(|| show(&instance));
                    total += coverage;
                    progress(&total);
                }
                Err(violation) => {
                    let mut smallest = (instance, violation);
                    let step = |instance: &I| {
                        smaller(instance).into_iter().find_map(|smaller| {
                            let violation = audit(&smaller).err()?;
                            Some((smaller, violation))
                        })
                    };
                    while let Some(next) = step(&smallest.0) {
                        smallest = next;
                    }
                    let (instance, violation) = smallest;
                    let shown = show(&instance);
                    return Err(Unsound(Box::new(Details {
                        instance,
                        shown,
                        violation,
                        before: total,
                    })));
                }
            }
        }
        if let Some(part) = part {
            total.omit(GapReason::Instances, &part, 1);
        }
        Ok(total)
    }
}

impl<I, N> fmt::Debug for Instances<'_, I, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instances").finish_non_exhaustive()
    }
}

/// Audits instances that implement `Display`, and shrinks the first one with a violation; see
/// [`Instances`].
///
/// # Errors
/// Returns the shrunk instance if `audit` returns an error for some instance.
pub fn audit_all<I: Display, S: IntoIterator<Item = I>>(
    instances: impl IntoIterator<Item = I>,
    smaller: impl Fn(&I) -> S,
    audit: impl Fn(&I) -> Result<Coverage, Violation>,
) -> Result<Coverage, Unsound<I>> {
    Instances::new(instances).smaller(smaller).audit(audit)
}

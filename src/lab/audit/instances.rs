//! Audits of many instances, and the smallest on which one fails.

use std::error::Error;
use std::fmt::{self, Display};

use super::coverage::Coverage;
use super::violation::{Violation, write_block};

/// An instance on which something breaks its promise, such that it does not on any that is one step
/// smaller.
///
/// `Display` prints the violation, and then the instance; so does `Debug`, which is what failing
/// tests print.
#[derive(Clone, PartialEq, Eq)]
pub struct Unsound<I>(Box<Found<I>>);

/// What is inside, in a box: errors are to be small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found<I> {
    instance: I,
    shown: String,
    violation: Violation,
    before: Coverage,
}

impl<I> Unsound<I> {
    /// The instance.
    pub fn instance(&self) -> &I {
        &self.0.instance
    }

    /// What happens on it.
    pub fn violation(&self) -> &Violation {
        &self.0.violation
    }

    /// What was looked at on the instances before the first on which something was broken.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.0.before
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

/// What is a step smaller than an instance.
type Smaller<'a, I> = Box<dyn Fn(&I) -> Vec<I> + 'a>;

/// Instances that are audited one after another, until something is broken on one; that one is then
/// made smaller and smaller, as long as it is still broken (Zeller and Hildebrandt 2002 call it
/// *delta debugging*).
///
/// ```
/// use secateurs::lab::{Audit, Instances};
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::{Effect, Node, Verdict, hook};
///
/// // A mirror that forgets that the middle column of odd sizes is its own image.
/// let left_half = |size: usize| hook::admit("left half", Effect::OptimumOnly, move |node: &Node<BitQueens>, &choice| {
///     Verdict::prune_if(node.depth() == 0 && choice >= 1 << (size / 2))
/// });
/// let audit = |&size: &usize| {
///     let queens = Queens::new(size).expect("a size").bits();
///     Audit::of_count(&queens).hook(left_half(size)).run()
/// };
/// let found = Instances::new([8_usize, 7, 6]).smaller(|&size| size.checked_sub(1)).audit(audit);
/// assert!(found.is_ok()); // something is left on each of them …
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
}

impl<'a, I: 'a, N: IntoIterator<Item = I>> Instances<'a, I, N> {
    /// These instances, which are printed as they display themselves.
    pub fn new(instances: N) -> Self
    where
        I: Display,
    {
        Self::shown(instances, I::to_string)
    }

    /// These instances, which are printed in another way.
    pub fn shown(instances: N, show: impl Fn(&I) -> String + 'a) -> Self {
        Instances { instances, smaller: Box::new(|_| Vec::new()), show: Box::new(show) }
    }

    /// `smaller` gives what is a step smaller than an instance: a board without one of its rows,
    /// say. What is tried first is better put first. Steps must come to an end.
    pub fn smaller<S: IntoIterator<Item = I>>(mut self, smaller: impl Fn(&I) -> S + 'a) -> Self {
        self.smaller = Box::new(move |instance| smaller(instance).into_iter().collect());
        self
    }

    /// Calls `audit` with each instance: it may audit several things, and add up what was looked
    /// at.
    ///
    /// # Errors
    /// The smallest instance that was found, on which `audit` gives an error.
    pub fn audit(
        self,
        audit: impl Fn(&I) -> Result<Coverage, Violation>,
    ) -> Result<Coverage, Unsound<I>> {
        let Instances { instances, smaller, show } = self;
        let mut whole = Coverage::default();
        for instance in instances {
            match audit(&instance) {
                Ok(coverage) => whole += Coverage { instances: 1, ..coverage },
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
                    return Err(Unsound(Box::new(Found {
                        instance,
                        shown,
                        violation,
                        before: whole,
                    })));
                }
            }
        }
        Ok(whole)
    }
}

impl<I, N> fmt::Debug for Instances<'_, I, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instances").finish_non_exhaustive()
    }
}

/// Audits [`Instances`] that display themselves: in one call.
///
/// # Errors
/// The smallest instance that was found.
pub fn audit_all<I: Display, S: IntoIterator<Item = I>>(
    instances: impl IntoIterator<Item = I>,
    smaller: impl Fn(&I) -> S,
    audit: impl Fn(&I) -> Result<Coverage, Violation>,
) -> Result<Coverage, Unsound<I>> {
    Instances::new(instances).smaller(smaller).audit(audit)
}

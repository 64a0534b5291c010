//! Violations found by audits: which subject violated its claim, how, and where.

use std::error::Error;
use std::fmt::{self, Debug, Write};

use secateurs::Effect;

/// The result of a check: an error if the claim is violated.
pub(crate) type Checked = Result<(), Violation>;

/// The way in which a claim was violated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// A preserving hook lost solutions.
    Solutions {
        /// The number of lost solutions, or 1 if they are known to exist but too many to count.
        count: u128,
        /// One of them, if one was visited.
        one: Option<String>,
    },
    /// A hook credited more solutions than exist, or tightened a state so that it has more
    /// solutions than before.
    Surplus {
        /// The number of spurious solutions.
        count: u128,
    },
    /// A hook tightened a state so that it has a better solution than before.
    Gained {
        /// The best value before; `None` if there was no solution.
        before: Option<String>,
        /// The best value after.
        after: String,
    },
    /// All solutions of an orbit were lost by a hook that claims to keep one.
    Orbit {
        /// The key of the orbit.
        orbit: String,
    },
    /// All best solutions were lost by a hook that claims to keep one.
    Optimum {
        /// Their value.
        optimum: String,
        /// The best value that was found elsewhere, if any.
        found: Option<String>,
    },
    /// All solutions were lost by a hook that claims to keep one.
    Existence,
    /// The orbit sizes do not add up to the number of solutions.
    OrbitSizes {
        /// Their sum.
        counted: u128,
        /// The number of solutions.
        solutions: u128,
    },
    /// A permutation that is claimed to be a symmetry maps a solution to an assignment that is no
    /// solution, or to a solution of another value.
    NotSymmetric {
        /// Those pairs of the solution that the permutation changes, with their images.
        permutation: String,
        /// The pairs of the image.
        image: String,
        /// The value of the image, and that of the solution; `None` if the image is no solution.
        value: Option<String>,
    },
    /// Undoing a choice did not restore the state.
    NotRestored {
        /// The choice.
        choice: String,
    },
    /// A solution at or below a node beats its bound: the bound is not admissible.
    Beaten {
        /// The bound.
        bound: String,
        /// The value of the solution.
        best: String,
    },
    /// A bound that is claimed to be monotone became better along a path.
    BetterBelow {
        /// The bound of a node.
        above: String,
        /// The bound of a child of that node.
        below: String,
    },
    /// A key identifies states that are not equivalent.
    Joined {
        /// A description of the subtree of one of them.
        one: String,
        /// A description of the subtree of the other one.
        other: String,
    },
    /// A state dominates another one that leads to something better.
    Dominated {
        /// A description of the subtree of the dominating state.
        better: String,
        /// A description of the subtree of the dominated state.
        worse: String,
    },
    /// A type system gives two nodes of a depth with equal states, or one node at two calls,
    /// different types.
    Types {
        /// The type of one of them.
        one: String,
        /// The type of the other one.
        other: String,
    },
    /// A merged state of a diagram allows less than one of its parts.
    Merged {
        /// The best value that the part reaches.
        part: String,
        /// The best value that the merged state reaches.
        merged: String,
    },
    /// A state of a diagram is in a wrong layer: that of a child is not later than that of its
    /// parent, or that of a merged state differs from that of its parts.
    Misplaced {
        /// The layer.
        layer: String,
        /// The expected layer.
        expected: String,
    },
    /// The first state dominates a second one, which dominates a third one, but the first does not
    /// dominate the third.
    NotTransitive,
    /// None of the three conditions that exclude cycles of dominance holds; see
    /// [`hook::Dominance`](secateurs::hook::Dominance#what-dominates-must-mean).
    Cycle,
    /// The key of a state of a sweep is less than that of a state that it dominates.
    KeyTooSmall,
    /// Two states of a layer have the same key, so that the one kept depends on their order.
    SameKey,
    /// A hook of a sweep that claims to keep labels replaced a state by one with other words of
    /// labels.
    Labels,
    /// A constraint that claims to depend on the state alone has kept a node and rejected another
    /// one with an equal state.
    ReadsPath,
    /// A hook that claims that a better solution remains for each lost one has lost a best one.
    NotBetter {
        /// The best value of the lost solutions.
        lost: String,
        /// The best value that was found or offered.
        best: String,
    },
    /// The hooks cannot be combined, so nothing is claimed about their answer.
    Conflict {
        /// The reasons: which hooks cannot be combined.
        reasons: Vec<String>,
    },
}

impl Loss {
    /// Returns the loss of an optimum, instead of which another value was found, or none.
    pub(super) fn optimum<V: Debug>(optimum: &V, found: Option<&V>) -> Self {
        let found = found.map(|found| format!("{found:?}"));
        Loss::Optimum { optimum: format!("{optimum:?}"), found }
    }

    /// Returns the gain of a value that is better than the one before.
    pub(super) fn gained<V: Debug>(before: Option<&V>, after: &V) -> Self {
        let before = before.map(|before| format!("{before:?}"));
        Loss::Gained { before, after: format!("{after:?}") }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Solutions { count, one } => {
                match count {
                    1 => f.write_str("a solution was lost")?,
                    _ => write!(f, "{count} solutions were lost")?,
                }
                // Texts of several lines are shown as exhibits instead.
                match one.as_ref().filter(|one| !one.contains('\n')) {
                    Some(one) if *count == 1 => write!(f, ": {one}"),
                    Some(one) => write!(f, ", among them {one}"),
                    None => Ok(()),
                }
            }
            Loss::Surplus { count } => write!(f, "counted {count} spurious solutions"),
            Loss::Gained { before: Some(before), after } => write!(
                f,
                "the best value below was {before} and is now {after}, which no solution has"
            ),
            Loss::Gained { before: None, after } => {
                write!(f, "there was no solution below, and now there is one of value {after}")
            }
            Loss::Orbit { orbit } => write!(f, "no representative of the orbit {orbit} is left"),
            Loss::Optimum { optimum, found: Some(found) } => {
                write!(f, "the optimum {optimum} was lost, and the best value found is {found}")
            }
            Loss::Optimum { optimum, found: None } => {
                write!(f, "the optimum {optimum} was lost, and no solution was found")
            }
            Loss::Existence => f.write_str("all solutions were lost"),
            Loss::OrbitSizes { counted, solutions } => write!(
                f,
                "the orbit sizes add up to {counted}, but the number of solutions is {solutions}"
            ),
            Loss::NotSymmetric { value: None, .. } => {
                f.write_str("a permutation maps a solution to an image that is no solution")
            }
            Loss::NotSymmetric { value: Some(value), .. } => {
                write!(f, "a permutation maps a solution to one of another value: {value}")
            }
            Loss::NotRestored { choice } => {
                write!(f, "undoing the choice {choice} did not restore the state")
            }
            Loss::Beaten { bound, best } => {
                write!(f, "the bound is {bound}, but there is a solution of value {best} below")
            }
            Loss::BetterBelow { above, below } => write!(
                f,
                "the bound is claimed to be monotone, but is {above} at a node and {below} at its \
                 child"
            ),
            Loss::Joined { one, other } => write!(
                f,
                "states that differ are identified: below one {one}, below the other {other}"
            ),
            Loss::Dominated { better, worse } => write!(
                f,
                "the dominating state is not as good: below it {better}, below the dominated state \
                 {worse}"
            ),
            Loss::Merged { part, merged } => write!(
                f,
                "the merged state allows less than its part: below the part {part}, below the \
                 merged state {merged}"
            ),
            Loss::Types { one, other } => {
                write!(f, "the type of a state is {one} at one node and {other} at another call")
            }
            Loss::Misplaced { layer, expected } => {
                write!(f, "the layer of a state is {layer}, expected {expected}")
            }
            Loss::NotTransitive => f.write_str(
                "the relation is not transitive: the first state dominates the second, the second \
                 dominates the third, but the first does not dominate the third",
            ),
            Loss::Cycle => f.write_str(
                "the dominance may be cyclic: a dominating state needs more choices than the \
                 dominated one, is not always better, and a state is dominated by its ancestor, so \
                 that each of two states may be cut off because of the other",
            ),
            Loss::KeyTooSmall => {
                f.write_str("the first state covers the second, but its key is smaller")
            }
            Loss::SameKey => f.write_str(
                "two states of a layer have the same key, so the one kept depends on their order",
            ),
            Loss::Labels => f.write_str(
                "a state is replaced by one with other words of labels, or other ends, although \
                 the hook claims to keep labels",
            ),
            Loss::ReadsPath => f.write_str(
                "states that print alike are kept and rejected, although the constraint claims to \
                 depend on the state alone",
            ),
            Loss::NotBetter { lost, best } => write!(
                f,
                "a solution of value {lost} was lost, and the best one found has the value {best}, \
                 although the hook claims that a better one remains"
            ),
            Loss::Conflict { reasons } => {
                write!(f, "nothing is claimed about the answer: {}", reasons.join("; "))
            }
        }
    }
}

/// A state that is printed as evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exhibit {
    /// Its role in the violation, such as `cut off`.
    pub role: &'static str,
    /// The printed state.
    pub state: String,
    /// The choices that lead to the state; empty if unknown.
    pub path: String,
}

impl Exhibit {
    pub(super) fn new(
        role: &'static str,
        state: impl Into<String>,
        path: impl Into<String>,
    ) -> Self {
        Exhibit { role, state: state.into(), path: path.into() }
    }
}

/// A violated claim of a hook, a bound, a key, a dominance relation, or the problem's undo.
///
/// `Display` prints several lines: the subject and the loss, then states and the paths to them.
/// `Debug` prints the same, because tests that fail with this error, or unwrap it, print it with
/// `Debug`.
///
/// ```
/// use secateurs::{Effect, Node, Verdict, hook};
/// use secateurs_lab::Audit;
/// use secateurs_problems::queens::{BitQueens, Queens};
///
/// let queens = Queens::new(5)?.bits();
/// let no_corner = hook::admit("no corner", Effect::Preserving, |node: &Node<BitQueens>, &choice| {
///     Verdict::prune_if(node.depth() == 0 && choice == 1)
/// });
/// let violation = Audit::of_count(&queens)
///     .show(|_, state| format!("columns {:05b}", state.columns()))
///     .hook(no_corner)
///     .run()
///     .unwrap_err();
/// assert_eq!(violation.to_string(), "\
/// `no corner` (preserving): 2 solutions were lost, among them columns 11111
///   cut off: columns 00001
///   reached by: [1]");
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Violation(Box<Details>);

/// The fields of [`Violation`], boxed to keep errors small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    subject: String,
    effect: Option<Effect>,
    loss: Loss,
    exhibits: Vec<Exhibit>,
    others: Vec<String>,
}

impl Violation {
    pub(super) fn new(subject: impl Into<String>, loss: Loss, exhibits: Vec<Exhibit>) -> Self {
        Violation(Box::new(Details {
            subject: subject.into(),
            effect: None,
            loss,
            exhibits,
            others: Vec::new(),
        }))
    }

    /// Sets the claim of the hook.
    pub(super) fn with_effect(mut self, effect: Effect) -> Self {
        self.0.effect = Some(effect);
        self
    }

    /// Sets the other hooks that caused equivalent losses before.
    pub(super) fn with_others(mut self, others: Vec<String>) -> Self {
        self.0.others = others;
        self
    }

    /// Adds an exhibit.
    pub(super) fn with_exhibit(mut self, exhibit: Exhibit) -> Self {
        self.0.exhibits.push(exhibit);
        self
    }

    /// Creates the violation of a wrong count. It names a hook that keeps representatives, or
    /// otherwise the first one.
    pub(super) fn of_count(hooks: &[(String, Effect)], counted: u128, solutions: u128) -> Self {
        let representatives = hooks.iter().find(|(_, effect)| *effect == Effect::Representatives);
        let (hook, effect) = representatives
            .or(hooks.first())
            .cloned()
            .unwrap_or((String::new(), Effect::Preserving));
        let others =
            hooks.iter().map(|(name, _)| name).filter(|name| **name != hook).cloned().collect();
        Violation::new(hook, Loss::OrbitSizes { counted, solutions }, Vec::new())
            .with_effect(effect)
            .with_others(others)
    }

    /// Returns the name of the hook, bound, key or dominance relation; `undo` for the problem's
    /// undo.
    #[must_use]
    pub fn hook(&self) -> &str {
        &self.0.subject
    }

    /// Returns the claim of the hook; `None` if the subject is not a hook.
    #[must_use]
    pub fn effect(&self) -> Option<Effect> {
        self.0.effect
    }

    /// Returns how the claim was violated.
    #[must_use]
    pub fn loss(&self) -> &Loss {
        &self.0.loss
    }

    /// Returns the states that show the violation. For a tightening, these are the states before
    /// and after.
    #[must_use]
    pub fn exhibits(&self) -> &[Exhibit] {
        &self.0.exhibits
    }

    /// Returns the choices that lead to the first exhibit; empty if there is none.
    #[must_use]
    pub fn path(&self) -> &str {
        self.0.exhibits.first().map_or("", |exhibit| &exhibit.path)
    }

    /// Returns the other hooks that had cut off equivalent solutions before. The claims of all of
    /// them cannot hold together, so the error may be in any of them.
    #[must_use]
    pub fn others(&self) -> &[String] {
        &self.0.others
    }
}

/// Writes `head: text`, or the text on indented lines of its own if it has several lines.
pub(super) fn write_block(
    f: &mut fmt::Formatter<'_>,
    indent: &str,
    head: &str,
    text: &str,
) -> fmt::Result {
    let text = text.trim_end_matches('\n');
    write!(f, "{indent}{head}:")?;
    if !text.contains('\n') {
        return write!(f, " {text}");
    }
    text.lines().try_for_each(|line| write!(f, "\n{indent}  {line}"))
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { subject, effect, loss, exhibits, others } = &*self.0;
        write!(f, "`{subject}`")?;
        if let Some(effect) = effect {
            write!(f, " ({effect})")?;
        }
        write!(f, ": {loss}")?;
        for (index, exhibit) in exhibits.iter().enumerate() {
            f.write_char('\n')?;
            write_block(f, "  ", exhibit.role, &exhibit.state)?;
            // A path shared by consecutive exhibits is printed once.
            if exhibits.get(index + 1).is_none_or(|next| next.path != exhibit.path)
                && !exhibit.path.is_empty()
            {
                f.write_char('\n')?;
                write_block(f, "  ", "reached by", &exhibit.path)?;
            }
        }
        if !others.is_empty() {
            write!(f, "\n  together with: `{}`", others.join("`, `"))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Violation {}

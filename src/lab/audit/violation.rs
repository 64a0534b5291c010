//! What an audit finds: who broke which promise, and where.

use std::error::Error;
use std::fmt::{self, Write};

use crate::hook::Effect;

/// How a promise was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// Solutions were lost, by a hook that claims to lose none.
    Solutions {
        /// How many.
        count: u128,
        /// One of them, if it was seen.
        one: Option<String>,
    },
    /// More solutions were credited than there are, or there are more below what a hook left of a
    /// state than there were.
    Surplus {
        /// How many more.
        count: u128,
    },
    /// Below what a hook left of a state there is a better solution than there was.
    Gained {
        /// The best value before, if there was any solution.
        before: Option<String>,
        /// The best value after.
        after: String,
    },
    /// All solutions of an orbit were lost, by a hook that claims to leave one of each.
    Orbit {
        /// What is common to its solutions.
        orbit: String,
    },
    /// All best solutions were lost, by a hook that claims to leave one.
    Optimum {
        /// Their value.
        optimum: String,
        /// The best value that was found elsewhere, if any was.
        found: Option<String>,
    },
    /// All solutions were lost, by a hook that claims to leave one.
    Existence,
    /// The sizes of orbits do not add up to the number of solutions.
    OrbitSizes {
        /// What they add up to.
        counted: u128,
        /// How many solutions there are.
        solutions: u128,
    },
    /// Taking back a choice did not restore the state.
    NotRestored {
        /// The choice.
        choice: String,
    },
    /// A bound is beaten by a solution below the node: it is not admissible.
    Beaten {
        /// What the bound says.
        bound: String,
        /// The value of the solution.
        best: String,
    },
    /// A bound that is claimed to be monotone has become better along a path.
    BetterBelow {
        /// What it says of a node.
        above: String,
        /// What it says of a child of that node.
        below: String,
    },
    /// A key joins states of different futures.
    Joined {
        /// What lies below one of them.
        one: String,
        /// What lies below the other one.
        other: String,
    },
    /// A state is said to dominate another one below which there is something better.
    Dominated {
        /// What lies below the dominating state.
        better: String,
        /// What lies below the dominated one.
        worse: String,
    },
    /// One state dominates another one, and that a third one, but the first does not dominate the
    /// third.
    NotTransitive,
    /// None of the three conditions holds that keep matches from leading round in a circle; see
    /// [`hook::Dominance`](crate::hook::Dominance#what-dominates-must-mean).
    Circle,
    /// The key of a state of a sweep is less than that of a state that it dominates.
    KeyTooSmall,
    /// Different states of a layer have the same key: which of them is kept depends on their order.
    SameKey,
    /// Words of labels differ between a state of a sweep and the one that replaces it, by a hook
    /// that claims to keep labels.
    Labels,
    /// The hooks do not hold beside each other, so that nothing is claimed of their answer.
    Conflict {
        /// Which does not hold beside which.
        reasons: Vec<String>,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Solutions { count, one } => {
                match count {
                    1 => f.write_str("a solution was lost")?,
                    _ => write!(f, "{count} solutions were lost")?,
                }
                // Pictures of several lines are for those who ask.
                match one.as_ref().filter(|one| !one.contains('\n')) {
                    Some(one) if *count == 1 => write!(f, ": {one}"),
                    Some(one) => write!(f, ", among them {one}"),
                    None => Ok(()),
                }
            }
            Loss::Surplus { count } => write!(f, "{count} solutions are counted that there are not"),
            Loss::Gained { before: Some(before), after } => {
                write!(f, "the best value below was {before}, and is {after} now: something is found that there is not")
            }
            Loss::Gained { before: None, after } => {
                write!(f, "there was no solution below, and now there is one of value {after}")
            }
            Loss::Orbit { orbit } => write!(f, "no representative is left of the orbit {orbit}"),
            Loss::Optimum { optimum, found: Some(found) } => {
                write!(f, "the optimum {optimum} was lost, and the best that is found is {found}")
            }
            Loss::Optimum { optimum, found: None } => write!(f, "the optimum {optimum} was lost, and nothing is found"),
            Loss::Existence => f.write_str("all solutions were lost"),
            Loss::OrbitSizes { counted, solutions } => {
                write!(f, "the sizes of orbits add up to {counted}, but there are {solutions} solutions")
            }
            Loss::NotRestored { choice } => write!(f, "taking back the choice {choice} did not restore the state"),
            Loss::Beaten { bound, best } => write!(f, "it says {bound}, but below there is a solution of value {best}"),
            Loss::BetterBelow { above, below } => {
                write!(f, "it is claimed to be monotone, but says {above}, and {below} one step further down")
            }
            Loss::Joined { one, other } => write!(f, "it joins states that differ: below one {one}, below the other {other}"),
            Loss::Dominated { better, worse } => {
                write!(f, "what is said to be better is not: below it {better}, below the other one {worse}")
            }
            Loss::NotTransitive => {
                f.write_str("it is not transitive: the first state dominates the second, that the third, but not the first the third")
            }
            Loss::Circle => f.write_str(
                "a match takes more choices to reach than what it matches, is not always better, and a state is dominated \
                 by its ancestor: states may be cut off each for the sake of the other",
            ),
            Loss::KeyTooSmall => f.write_str("the first state covers the second, but its key is less"),
            Loss::SameKey => f.write_str("two states of a layer have the same key: which is kept depends on their order"),
            Loss::Labels => f.write_str(
                "a state is replaced by one with other words of labels, or other ends, though labels are said to be kept",
            ),
            Loss::Conflict { reasons } => write!(f, "nothing is claimed of the answer: {}", reasons.join("; ")),
        }
    }
}

/// A state that is shown as evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exhibit {
    /// What part it plays, such as `cut off`.
    pub role: &'static str,
    /// The state, printed.
    pub state: String,
    /// The choices that lead there; empty if they are not known.
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

/// A promise that was broken: of a hook, a bound, a key, a dominance, or of the problem's undo.
///
/// `Display` takes some lines: who it was and what was lost, then the states and the paths to them.
/// `Debug` is the same, as it is what a test prints that ends with this error, or unwraps it.
///
/// ```
/// use secateurs::lab::Audit;
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::{Effect, Node, Verdict, hook};
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
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Violation(Box<Inside>);

/// What is inside, in a box: errors are to be small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inside {
    who: String,
    effect: Option<Effect>,
    loss: Loss,
    exhibits: Vec<Exhibit>,
    others: Vec<String>,
}

impl Violation {
    pub(super) fn new(who: impl Into<String>, loss: Loss, exhibits: Vec<Exhibit>) -> Self {
        Violation(Box::new(Inside {
            who: who.into(),
            effect: None,
            loss,
            exhibits,
            others: Vec::new(),
        }))
    }

    /// The same, by a hook that claims this effect.
    pub(super) fn of_effect(mut self, effect: Effect) -> Self {
        self.0.effect = Some(effect);
        self
    }

    /// The same, after others had done the same.
    pub(super) fn after_others(mut self, others: Vec<String>) -> Self {
        self.0.others = others;
        self
    }

    /// The same, with one more exhibit.
    pub(super) fn showing(mut self, exhibit: Exhibit) -> Self {
        self.0.exhibits.push(exhibit);
        self
    }

    /// The hooks together have counted wrongly.
    pub(super) fn of_count(hooks: &[(String, Effect)], counted: u128, solutions: u128) -> Self {
        let representatives = hooks.iter().find(|(_, effect)| *effect == Effect::Representatives);
        let (hook, effect) = representatives
            .or(hooks.first())
            .cloned()
            .unwrap_or((String::new(), Effect::Preserving));
        let others =
            hooks.iter().map(|(name, _)| name).filter(|name| **name != hook).cloned().collect();
        Violation::new(hook, Loss::OrbitSizes { counted, solutions }, Vec::new())
            .of_effect(effect)
            .after_others(others)
    }

    /// Who it was: the name of the hook, of the bound, the key or the dominance; `undo` for the
    /// problem's undo.
    #[must_use]
    pub fn hook(&self) -> &str {
        &self.0.who
    }

    /// What the hook claims; `None` if it is no hook.
    #[must_use]
    pub fn effect(&self) -> Option<Effect> {
        self.0.effect
    }

    /// What was lost.
    #[must_use]
    pub fn loss(&self) -> &Loss {
        &self.0.loss
    }

    /// The states that show it. Of a hook that tightened one, that before and that after.
    #[must_use]
    pub fn exhibits(&self) -> &[Exhibit] {
        &self.0.exhibits
    }

    /// The choices that lead to the first state that is shown; empty if there is none.
    #[must_use]
    pub fn path(&self) -> &str {
        self.0.exhibits.first().map_or("", |exhibit| &exhibit.path)
    }

    /// The first state that is shown: of a hook, what was cut off, or is to be tightened; empty if
    /// there is none.
    #[must_use]
    pub fn state(&self) -> &str {
        self.0.exhibits.first().map_or("", |exhibit| &exhibit.state)
    }

    /// Other hooks that had cut off solutions as good before: the claims of all of them together do
    /// not hold, and it may be one of those that is wrong.
    #[must_use]
    pub fn others(&self) -> &[String] {
        &self.0.others
    }
}

/// `head: ` and the text behind it, or in lines of its own if it has several.
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
        let Inside { who, effect, loss, exhibits, others } = &*self.0;
        write!(f, "`{who}`")?;
        if let Some(effect) = effect {
            write!(f, " ({effect})")?;
        }
        write!(f, ": {loss}")?;
        for (index, exhibit) in exhibits.iter().enumerate() {
            f.write_char('\n')?;
            write_block(f, "  ", exhibit.role, &exhibit.state)?;
            // The path of several states in a row is said once.
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

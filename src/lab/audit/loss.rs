//! What is lost, or broken, by something that does not keep its promise.

use std::fmt;

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

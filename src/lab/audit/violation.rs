//! What an audit finds, and what it has looked at.

use std::error::Error;
use std::fmt;
use std::ops::AddAssign;

use crate::hook::Effect;

/// How a cut broke what its hook claims.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// Solutions were lost, by a hook that claims to lose none.
    Solutions {
        /// How many.
        count: u128,
        /// The state of one of them.
        one: String,
    },
    /// More solutions were credited than there are, or there are more below what the hook left of a state than there were.
    Surplus {
        /// How many more.
        count: u128,
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
        /// The best value that was found, if any was.
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
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Solutions { count: 1, one } => write!(f, "a solution was lost: {one}"),
            Loss::Solutions { count, one } => write!(f, "{count} solutions were lost, among them {one}"),
            Loss::Surplus { count } => write!(f, "{count} solutions are counted that there are not"),
            Loss::Orbit { orbit } => write!(f, "no representative is left of the orbit {orbit}"),
            Loss::Optimum { optimum, found: Some(found) } => {
                write!(f, "the optimum {optimum} was lost, and the best found is {found}")
            }
            Loss::Optimum { optimum, found: None } => write!(f, "the optimum {optimum} was lost, and nothing is found"),
            Loss::Existence => f.write_str("all solutions were lost"),
            Loss::OrbitSizes { counted, solutions } => {
                write!(f, "the sizes of orbits add up to {counted}, but there are {solutions} solutions")
            }
        }
    }
}

/// A cut that broke what its hook claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub(super) hook: String,
    pub(super) effect: Effect,
    pub(super) path: String,
    pub(super) before: String,
    pub(super) after: Option<String>,
    pub(super) loss: Loss,
}

impl Violation {
    /// The hooks together have counted wrongly.
    pub(super) fn of_count(hooks: &[(String, Effect)], counted: u128, solutions: u128) -> Self {
        let representatives = hooks.iter().find(|(_, effect)| *effect == Effect::Representatives);
        let (hook, effect) = representatives.or(hooks.first()).cloned().unwrap_or((String::new(), Effect::Preserving));
        let loss = Loss::OrbitSizes { counted, solutions };
        Violation { hook, effect, path: "[]".to_owned(), before: "the whole tree".to_owned(), after: None, loss }
    }

    /// The name of the hook.
    #[must_use]
    pub fn hook(&self) -> &str {
        &self.hook
    }

    /// What it claims.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The choices that lead to what was cut off.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The state that was cut off, or tightened.
    #[must_use]
    pub fn state(&self) -> &str {
        &self.before
    }

    /// What the hook made of the state, if it did not cut it off.
    #[must_use]
    pub fn tightened(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// What was lost.
    #[must_use]
    pub fn loss(&self) -> &Loss {
        &self.loss
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { hook, effect, path, before, after, loss } = self;
        write!(f, "`{hook}` ({effect}): {loss}, ")?;
        match after {
            None => write!(f, "when it cut off {before}")?,
            Some(after) => write!(f, "when it tightened {before} to {after}")?,
        }
        write!(f, ", reached by {path}")
    }
}

impl Error for Violation {}

/// What an audit has looked at. Those of several instances add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// Instances.
    pub instances: u64,
    /// Cuts that were checked.
    pub cuts: u64,
    /// Times that a hook tightened a state, which were checked.
    pub tightenings: u64,
    /// Cuts and tightenings that were not checked, as there is more below them than the limits allow, or because their hook
    /// claims nothing ([`Effect::Lossy`]).
    pub unchecked: u64,
}

impl Coverage {
    /// Whether every cut and every tightening was checked.
    #[must_use]
    pub fn is_exhaustive(&self) -> bool {
        self.unchecked == 0
    }
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Coverage) {
        self.instances += other.instances;
        self.cuts += other.cuts;
        self.tightenings += other.tightenings;
        self.unchecked += other.unchecked;
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Coverage { instances, cuts, tightenings, unchecked } = self;
        write!(f, "{cuts} cuts and {tightenings} tightenings checked on {instances} instances")?;
        if *unchecked > 0 { write!(f, ", {unchecked} not checked") } else { Ok(()) }
    }
}

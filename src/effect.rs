//! The claims of hooks as plain data: [`Effect`], [`Constraint`], [`Substitute`] and
//! [`HookMemory`].
//!
//! This file depends only on [digests](crate::Digest), so that [reports](crate::Report) and
//! [hooks](crate::hook) can both use it.

use std::fmt;

use crate::digest::Digest;

/// The name of a hook that is switched off.
pub(crate) const OFF: &str = "off";

/// The claim of a hook about what its cuts preserve. The author of the hook makes it, and the
/// outcome of every run carries it.
///
/// It is a claim about the solutions of the run: those of the problem that satisfy all
/// [constraints](Constraint) among the hooks.
///
/// The variants are ordered from the strongest claim to the weakest. A `match` may be exhaustive:
/// these four decide what an outcome proves, and no variant will be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effect {
    /// No solution is lost. The hook only cuts off parts of the tree without solutions, or parts
    /// whose solutions it [credits](crate::NodeMut::credit).
    Preserving,
    /// At least one solution of every orbit of some symmetry remains. A count is a count of
    /// representatives, unless the hook gives [orbit sizes](crate::Hook::orbit). The claim includes
    /// that the symmetry respects the objective: all solutions of an orbit have the same value, so
    /// an optimum remains an optimum.
    Representatives,
    /// At least one best solution remains, or the incumbent is already as good. A count is a lower
    /// bound.
    OptimumOnly,
    /// Nothing is claimed. Even an optimum is only the best solution found.
    Lossy,
}

impl Effect {
    /// Returns whether a run that exhausts the tree without finding a solution has proved that
    /// there is none. This also requires that no hook and no brancher has
    /// [read](crate::Incumbent::declared) an incumbent.
    #[must_use]
    pub fn keeps_existence(self) -> bool {
        self < Effect::Lossy
    }

    /// Returns whether a run that exhausts the tree has proved its best solution optimal. Under
    /// [`Effect::Representatives`] the objective must give all solutions of an orbit the same
    /// value.
    #[must_use]
    pub fn keeps_optimum(self) -> bool {
        self < Effect::Lossy
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Effect::Preserving => "preserving",
            Effect::Representatives => "representatives",
            Effect::OptimumOnly => "optimum only",
            Effect::Lossy => "lossy",
        })
    }
}

/// The claim of a hook that it is a *constraint*: it does not prune a given set of solutions, but
/// defines which nodes belong to the tree, and so which solutions there are. See
/// [`Hook::constraint`](crate::Hook::constraint).
///
/// The variants state what a verdict may depend on, which decides [what can be combined with
/// it](crate::hook#constraints).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Constraint {
    /// The verdict is a function of the state alone (and of the choice, if the hook decides before
    /// it), and of nothing in the state that a key of the run leaves out: states that a
    /// [memo](crate::hook::Memo) or a [diagram](crate::diagram::DiagramProblem::key) takes for
    /// equivalent get the same verdicts. In particular, it does not depend on the value so far.
    State,
    /// The verdict may depend on everything: on the whole state, and on the path to it.
    Path,
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Constraint::State => "constraint of states",
            Constraint::Path => "constraint of paths",
        })
    }
}

/// The data about the search that a hook or a brancher stores in itself, and on which its cuts or
/// children depend, besides the node itself and possibly an incumbent. See
/// [`Hook::memory`](crate::Hook::memory) and [`Brancher::memory`](crate::Brancher::memory).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum HookMemory {
    /// Nothing: decisions depend on the node only. Scratch memory and statistics do not count.
    Nothing,
    /// Data about the current path, such as a trail that `enter` extends and `leave` shortens.
    #[default]
    Path,
    /// Data about the current path, and facts learnt from completely searched subtrees, such as the
    /// absence of solutions.
    Searched,
    /// Visited nodes, whether or not their subtrees have been searched; no data about the path.
    Visited,
    /// Data about the current path, and visited nodes.
    PathAndVisited,
}

impl HookMemory {
    /// Returns whether it includes data about the current path, so that walks that jump between
    /// nodes must replay paths.
    #[must_use]
    pub fn follows_path(self) -> bool {
        matches!(self, HookMemory::Path | HookMemory::Searched | HookMemory::PathAndVisited)
    }

    /// Returns the memory of a wrapper that stores data about the path besides this memory.
    #[must_use]
    pub fn with_path(self) -> Self {
        match self {
            HookMemory::Nothing => HookMemory::Path,
            HookMemory::Visited => HookMemory::PathAndVisited,
            follows_path => follows_path,
        }
    }

    /// Returns whether it includes visited nodes.
    pub(crate) fn includes_visited(self) -> bool {
        self >= HookMemory::Visited
    }
}

/// The place of the substitute of a solution that a hook of [`Effect::OptimumOnly`] or
/// [`Effect::Representatives`] loses: a solution that is as good, or one of the same orbit. It
/// decides [which hooks can be combined](crate::hook#hooks-together) with this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Substitute {
    /// The substitute is already known: the hook loses no solution that beats its
    /// [incumbent](crate::Hook::incumbent). A value that was not offered to the incumbent of the
    /// run's objective is not known: a hook that compares with such a value makes the run claim
    /// that worse solutions are the best, or that there are none.
    Known,
    /// The substitute is at or below the same node. The hook only tightens states: it leaves at
    /// least one of the best solutions at or below each state that it receives, and prunes no node
    /// that has a solution at or below it.
    Below,
    /// The substitute is below another choice of the same node. The hook does not
    /// [admit](crate::Hook::admit) a choice that leads to solutions only if it admits another one
    /// of that node that leads to their substitutes. It prunes no node that has been entered and
    /// has a solution at or below it.
    Sibling,
    /// The substitute is at or below another node, which precedes the node that was cut off in this
    /// order.
    Elsewhere(SubstituteOrder),
}

/// The well-founded order in which substitutes [precede](Substitute::Elsewhere) the solutions that
/// are lost. Hooks that state the same order can be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SubstituteOrder {
    /// An unstated order, which is not shared with any other hook. If the hook or the brancher
    /// remembers [visited nodes](HookMemory::Visited), it is assumed to be the depth-first order.
    Unstated,
    /// The depth-first order: the substitute is in a subtree that comes earlier in the tree. The
    /// claim holds only in a single-threaded [depth-first](crate::search::DepthFirst) search; other
    /// runs are lossy.
    DepthFirst,
    /// The number of choices that are left: the substitute is at or below a node that the hook
    /// itself has [visited](HookMemory::Visited) and kept, and needs at most as many choices below
    /// it as the lost solution needs below the node that was cut off.
    ///
    /// A hook that does not remember visited nodes cannot name such a node. Its claim counts as
    /// [`SubstituteOrder::Unstated`]: two such hooks could each lose a solution in favour of the
    /// one that the other loses, with as many choices.
    FewerChoices,
    /// The order of values: the substitute is strictly better than the lost solution, by the
    /// objective of the run. A substitute that is only as good does not suffice, because two hooks
    /// could each lose one of two solutions in favour of the other. Without an objective, it counts
    /// as [`SubstituteOrder::Unstated`].
    BetterValue,
}

/// The claims that a hook makes about itself, as a report keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Claim {
    pub(crate) name: String,
    pub(crate) effect: Effect,
    pub(crate) constraint: Option<Constraint>,
    /// The digest of its parameters, if it has stated them.
    pub(crate) parameters: Option<Digest>,
    pub(crate) stats: Vec<(String, u64)>,
    /// The number of cuts that also cut off all later siblings.
    pub(crate) sibling_cuts: u64,
    /// Whether the hook compares with an incumbent.
    pub(crate) by_incumbent: bool,
    pub(crate) memory: HookMemory,
}

impl Claim {
    /// Creates the claim of a hook that is no constraint and does not compare with an incumbent.
    pub(crate) fn new(
        name: impl Into<String>,
        effect: Effect,
        parameters: Option<Digest>,
        memory: HookMemory,
    ) -> Self {
        Claim {
            name: name.into(),
            effect,
            constraint: None,
            parameters,
            stats: Vec::new(),
            sibling_cuts: 0,
            by_incumbent: false,
            memory,
        }
    }

    /// Returns whether nothing is known that tells the hooks of two claims apart.
    pub(crate) fn may_be_same(&self, other: &Self) -> bool {
        self.name == other.name
            && self.effect == other.effect
            && self.constraint == other.constraint
            && self.parameters.zip(other.parameters).is_none_or(|(one, other)| one == other)
    }
}

/// Returns whether the constraints among two sets of claims may be the same.
pub(crate) fn have_equal_constraints<'c, I>(one: I, other: I) -> bool
where
    I: IntoIterator<Item = &'c Claim>,
{
    let constraints = |claims: I| -> Vec<&Claim> {
        claims.into_iter().filter(|claim| claim.constraint.is_some()).collect()
    };
    let (one, other) = (constraints(one), constraints(other));
    let are_in = |some: &[&Claim], all: &[&Claim]| {
        some.iter().all(|claim| all.iter().any(|own| own.may_be_same(claim)))
    };
    are_in(&one, &other) && are_in(&other, &one)
}

#[cfg(test)]
mod tests {
    use super::HookMemory::{self, Nothing, Path, PathAndVisited, Searched, Visited};

    #[test]
    fn a_wrapper_that_follows_the_path_keeps_the_other_memory() {
        let all = [Nothing, Path, Searched, Visited, PathAndVisited];
        let wrapped = all.map(HookMemory::with_path);
        assert_eq!(wrapped, [Path, Path, Searched, PathAndVisited, PathAndVisited]);
    }
}

//! Hooks: prunings, symmetry breakers, inferences and observers that are plugged into a search.
//!
//! A hook is asked before each step ([`admit`](Hook::admit)) and after it ([`enter`](Hook::enter)),
//! and is told when a node is left ([`leave`](Hook::leave)). It answers with a [`Verdict`] and
//! claims, by its [`Effect`], what its cuts preserve; the outcome of the run carries the claim.
//!
//! Hooks are combined as tuples, asked from left to right, and the first that prunes is the one
//! whose cut is counted: put the cheap ones first. The empty tuple costs nothing. `Option<H>`,
//! `&mut H` and `Box<dyn Hook<P>>` are hooks as well, and so is a vector of hooks a *set* of them,
//! for choosing at run time ([`BoxedHook`] for several threads). Calls and cuts are counted, by
//! depth, by the engine; a hook does not count itself.
//!
//! # Ready-made hooks
//!
//! | to | use | effect |
//! |---|---|---|
//! | prune subtrees that cannot beat the incumbent | [`Bound`], from [`Objective::bound`](crate::Objective::bound) | optimum only |
//! | prune paths that leave the order of the children too often | [`Discrepancies`] | lossy, unless it prunes nothing |
//! | prune states that another state dominates | [`Dominance`] | optimum only |
//! | take only representatives of the first choices | [`FirstChoices`], such as [`Queens::mirror`](crate::problems::queens::Queens::mirror) | representatives, orbits known |
//! | find one solution of each orbit of a group of symmetries | [`LexLeader`], from a [`SymmetryGroup`] | representatives, orbits known |
//! | prune states that are equivalent to one without solutions | [`Memo::failed`] | preserving |
//! | count equivalent states without searching them again | [`Memo::counted`] | preserving |
//! | prune states that were visited on another path | [`Memo::visited`] | representatives |
//!
//! # Hooks together
//!
//! Each hook claims by its [`Effect`] what its cuts preserve if it is alone. Hooks that lose
//! solutions also say why these are not missed: where the [`Substitute`] of a lost solution is. By
//! that, the engine decides whether two claims hold beside each other; if they do not, the run is
//! [`Effect::Lossy`], and its report [says why](crate::Report::conflicts).
//!
//! | | known | below | elsewhere | representatives |
//! |---|---|---|---|---|
//! | [known](Substitute::Known), or elsewhere and [better](SubstituteOrder::BetterValue) | yes | yes | yes | yes |
//! | [below](Substitute::Below) | yes | yes | no | no |
//! | [elsewhere](Substitute::Elsewhere), in another order | yes | no | if both state the same order | no |
//! | [representatives](Effect::Representatives) | yes | no | no | no |
//!
//! Preserving hooks hold beside all others, unless they [do not tolerate](Hook::tolerates) some, as
//! those do that learn from what was not found.
//!
//! Why this is right, for a run that is searched to its end, and finds something better than what
//! is known at the beginning (if it does not, there is nothing to prove):
//!
//! - *Known*, and *elsewhere and better*, lose no best solution at all: incumbents only get better,
//!   and a best solution has no better one. So whatever holds without such a hook holds beside it.
//! - *Below*: each such hook leaves, of the best solutions at or below a node as it finds it, at
//!   least one at or below that node. By induction over the order in which hooks tighten a state,
//!   one is left when all have.
//! - *Elsewhere*: follow a best solution that is lost to its substitute, and that to its own if it
//!   is lost as well. Each precedes the one before it in the order that all these hooks state,
//!   which has no infinite descent, so the last one is not lost.
//! - *Elsewhere* beside *below*: a hook of the kind *below* may take the substitute away, further
//!   up, for the sake of the solution that was lost.
//! - *Representatives* beside *below* or *elsewhere*: either may lose just what the other one has
//!   kept. Beside *known*: all solutions of an orbit have the same value, so all of the best orbit
//!   are there.
//!
//! ```
//! use secateurs::problems::queens::Queens;
//! use secateurs::{Effect, Search, Verdict, hook};
//!
//! // A pruning in one line: no queen in a corner.
//! let no_corner = hook::admit("no corner", Effect::Lossy, |node, &square| {
//!     Verdict::prune_if(node.depth() == 0 && square == 1)
//! });
//! let outcome = Search::new(&Queens::new(8)?.bits()).hooks((no_corner,)).count();
//! assert_eq!(outcome.exact(), None); // it is lossy, and says so
//! assert_eq!(outcome.at_least(), 88);
//! # Ok::<(), secateurs::problems::InstanceError>(())
//! ```

mod bound;
mod boxed;
mod closure;
mod discrepancy;
mod dominance;
mod forward;
mod memo;
mod node;
mod probing;
mod set;
mod symmetry;
mod table;

pub use bound::Bound;
pub use boxed::{BoxedHook, CloneHook};
pub use closure::{Admit, Enter, Watch, admit, enter, watch};
pub use discrepancy::Discrepancies;
pub(crate) use discrepancy::NAME as DISCREPANCIES;
pub use dominance::Dominance;
pub(crate) use forward::OFF;
pub use memo::Memo;
pub(crate) use node::Steps;
pub use node::{Node, NodeMut, Path};
pub(crate) use probing::Probing;
pub use set::Hooks;
#[cfg(feature = "lab")]
pub(crate) use set::sealed::Sealed;
pub(crate) use set::{Claim, Terms, claims, combine};
pub use symmetry::{FirstChoices, LexLeader, Permutation, SymmetryError, SymmetryGroup};

use std::fmt;

use crate::digest::Digest;
use crate::incumbent::IncumbentId;
use crate::problem::Problem;

/// What a hook says of a node: search it or cut it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub enum Verdict {
    /// Search on.
    Keep,
    /// Cut the node off, with all that lies below it.
    Prune,
}

impl Verdict {
    /// [`Verdict::Prune`] if `condition` holds.
    #[inline]
    pub fn prune_if(condition: bool) -> Self {
        if condition { Verdict::Prune } else { Verdict::Keep }
    }

    /// [`Verdict::Keep`] if `condition` holds.
    #[inline]
    pub fn keep_if(condition: bool) -> Self {
        Self::prune_if(!condition)
    }
}

/// What the cuts of a hook preserve: a claim of whoever wrote the hook, carried by the outcome of
/// every run.
///
/// The order is from the strongest claim to the weakest. These are all: what an outcome proves is
/// decided by them, and a `match` may be exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effect {
    /// No solution is lost: only parts of the tree without solutions are cut off, or parts whose
    /// solutions are [credited](NodeMut::credit).
    Preserving,
    /// At least one solution of every orbit of some symmetry remains. A count is a count of the
    /// representatives, unless the hook gives [orbit sizes](Hook::orbit). An optimum is one if all
    /// solutions of an orbit have the same value: that the symmetry respects the objective as well
    /// is part of the claim.
    Representatives,
    /// At least one best solution remains, or one as good as the incumbent is known already. A
    /// count is a lower bound.
    OptimumOnly,
    /// Nothing is promised: even an optimum is only the best that was found.
    Lossy,
}

impl Effect {
    /// Whether a run that exhausts the tree has proved that there is no solution if it has found
    /// none. A hook that compares with a [known incumbent](Hook::incumbent) must not have cut off
    /// or taken away anything then.
    #[must_use]
    pub fn keeps_existence(self) -> bool {
        self < Effect::Lossy
    }

    /// Whether a run that exhausts the tree has proved its best solution optimal. Under
    /// [`Effect::Representatives`] the objective must not tell the solutions of an orbit apart.
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

/// On what else than the path to a node the cuts of a hook depend, or the children that a brancher
/// gives: see [`Hook::memory`] and [`Brancher::memory`](crate::Brancher::memory).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum HookMemory {
    /// On nothing else, but for an incumbent.
    #[default]
    Path,
    /// On what was learnt from subtrees that were searched to their end, such as that there is no
    /// solution.
    Searched,
    /// On nodes that were met, whether or not what is below them has been searched.
    Visited,
}

/// The place of the solution that stands for one that a hook of [`Effect::OptimumOnly`] loses. It
/// decides [which hooks](crate::hook#hooks-together) can be combined with this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Substitute {
    /// It is known: nothing is lost that beats the hook's [incumbent](Hook::incumbent).
    Known,
    /// At or below the same node: the hook tightens states only, and of the best solutions at or
    /// below each state that it finds, it leaves one. It prunes no node that has a solution at or
    /// below it.
    Below,
    /// At or below another node, which precedes the one that was cut off in this order.
    Elsewhere(SubstituteOrder),
}

/// The well-founded order in which the substitutes of lost solutions
/// [precede](Substitute::Elsewhere) them. Hooks of the same order can be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SubstituteOrder {
    /// One that is not stated, and that no other hook keeps to. If the hook remembers [what it has
    /// met](HookMemory::Visited), it is taken to be the order of the search.
    Unstated,
    /// That of a depth-first search: the substitute is in a subtree that comes earlier in the tree.
    /// The claim holds in a [depth-first](crate::search::DepthFirst) search by one thread only.
    DepthFirst,
    /// That of the number of choices from the node where a solution was lost, or from that of its
    /// substitute, to the solution: no more than the lost one needs.
    FewerChoices,
    /// That of values: the substitute is better, and not just as good.
    BetterValue,
}

/// A pruning, an inference or an observer plugged into a search.
///
/// Every method but [`name`](Hook::name) has a default; a hook that overrides nothing keeps
/// everything. The engine calls, for each child of a node:
///
/// 1. `admit` with the parent and the choice, before the step is taken;
/// 2. `enter` with the child, after it; here the state may be tightened;
/// 3. `leave` with the child when all below it is done, before the step is undone.
///
/// The root is entered and left as well. `leave` is called exactly for the nodes whose `enter`
/// returned [`Verdict::Keep`], and in exact reverse order; a hook that prunes in `enter` must first
/// take back what it did to *itself* there (what it did to the state is the problem's to undo).
/// When a path is replayed, `enter` is called along it and a verdict to prune cuts nothing off,
/// though the hook that gave it is not told of leaving, as ever; a node that was replayed, or whose
/// subtree is not searched to its end for another reason, is left by
/// [`leave_unfinished`](Hook::leave_unfinished).
///
/// A run that ends before the tree is exhausted, by a limit, a visitor or an iterator that is
/// dropped, does not leave the nodes on which it stands. A hook that is lent to another run (`&mut
/// hook`) must therefore start afresh when it enters a node of depth 0.
///
/// # If an implementation lies
///
/// The outcome says what the hook claims. A hook that claims [`Effect::Preserving`] and cuts off a
/// solution makes a wrong count that is reported as exact; one that tightens the state in a way
/// that the problem's undo does not take back makes later siblings start from a wrong state, which
/// [`Search::check_undo`](crate::Search::check_undo) finds. Both, and all other claims, are put to
/// the test by an [`Audit`](crate::lab::Audit): a line in a test of yours.
pub trait Hook<P: Problem> {
    /// A short name, unique among the hooks of a run, for reports.
    fn name(&self) -> &str;

    /// What the cuts of this hook preserve. Must not change during a run. Default:
    /// [`Effect::Preserving`].
    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    /// Returns a digest of all data that this hook's cuts depend on, beside the problem, the path
    /// and an incumbent: limits, weights, seeds, switches. Must not change during a run.
    ///
    /// Files and processes know by it that they belong together: a search with a hook that returns
    /// `None` can neither be saved nor run on a cluster of several processes. Default:
    /// [`Digest::NONE`] for a type without data, and `None` for others.
    ///
    /// A parameter that is left out is not compared: a search that is resumed with another value of
    /// it may then claim a wrong answer.
    fn parameters(&self) -> Option<Digest> {
        Digest::of_unit(self)
    }

    /// Returns the place of the solutions that stand for those that this hook loses, if its effect
    /// is [`Effect::OptimumOnly`]. Must not change during a run. Default: known, if the hook
    /// compares with an [incumbent](Self::incumbent), and otherwise elsewhere, in an order of its
    /// own.
    fn substitute(&self) -> Substitute {
        match self.incumbent() {
            Some(_) => Substitute::Known,
            None => Substitute::Elsewhere(SubstituteOrder::Unstated),
        }
    }

    /// Whether this hook's claim still holds beside another hook of the given effect, if the
    /// [rule for hooks together](crate::hook#hooks-together) does not exclude it. Default: yes.
    ///
    /// A run in which some hook does not tolerate another is reported as [`Effect::Lossy`], with
    /// the names of both.
    fn tolerates(&self, other: Effect) -> bool {
        let _ = other;
        true
    }

    /// The incumbent that this hook compares with, if its claim is that what it cuts off does not
    /// beat that one.
    ///
    /// Such a cut says nothing of other questions: a run for the [`best`](crate::Search::best) by
    /// another objective is lossy, and one for the [`first`](crate::Search::first) solution does
    /// not prove that there is none if the hook has cut anything off, or has
    /// [said](NodeMut::tightened_by_incumbent) that it took something away from a state. Default:
    /// none.
    ///
    /// A hook that reads an incumbent without naming it here is noticed, and the run proves less
    /// for it; one that does reads it by a [declared](crate::Incumbent::declared) handle.
    fn incumbent(&self) -> Option<IncumbentId> {
        None
    }

    /// Whether this hook remembers in itself on which path the walk stands (a trail of its own that
    /// `enter` extends and `leave` shortens). Default: `true`, which is always right.
    ///
    /// Where the walk jumps from node to node, as breadth-first search does, such a hook is led
    /// along the path by replay, which costs a step or more a node, up to the depth of the tree. If
    /// neither a hook nor the brancher follows the path, nothing is replayed: each node is then
    /// entered once, and left before its children are drawn.
    fn follows_path(&self) -> bool {
        true
    }

    /// What this hook remembers beside the path. Must not change during a run. Default:
    /// [`HookMemory::Path`].
    ///
    /// Parts of a tree that are searched by different walks, one after another or at the same time,
    /// do not share what their hooks remember. A hook that remembers therefore cuts off less, and
    /// the report [says so](crate::Report::nondeterministic_parts); solutions left by one that
    /// keeps [representatives](Effect::Representatives) of what it has [met](HookMemory::Visited)
    /// are then no longer one an orbit.
    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }

    /// Says how much memory the hook may take up for what it remembers. Called before each run,
    /// with [`usize::MAX`] if its [memory](crate::Limits::memory) is not limited. Default: does
    /// nothing.
    ///
    /// Called only of a hook that [remembers](Hook::memory) more than the path. If it takes up
    /// more, the run exceeds its limit by as much.
    fn limit_memory(&self, bytes: usize) {
        let _ = bytes;
    }

    /// Before the step: may `choice` be taken at `node`? Default: yes.
    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        let _ = (node, choice);
        Verdict::Keep
    }

    /// How many choices from the root down [`admit_first`](Hook::admit_first) is asked about. Must
    /// not change during a run. Default: 0.
    fn first_choices(&self) -> usize {
        0
    }

    /// Before the step, at depths below [`first_choices`](Hook::first_choices) only, and before
    /// [`admit`](Hook::admit): may `choice` be taken at `node`? Default: yes.
    ///
    /// For hooks that have a say near the root alone, such as static symmetry breaking. The engine
    /// asks outside its hot loop, so that further down the hook costs one comparison a choice,
    /// shared by all hooks.
    fn admit_first(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        let _ = (node, choice);
        Verdict::Keep
    }

    /// After the step: is the node worth searching? May tighten its state. Default: keep.
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let _ = node;
        Verdict::Keep
    }

    /// The node is left, in exact reverse order of entering; all below it that no hook has cut off
    /// has been searched.
    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// The node is left, in exact reverse order of entering, while something below it is still to
    /// be searched: later, by another walk, or by this one when it has been led back here. Default:
    /// what [`leave`](Hook::leave) does.
    ///
    /// A hook that takes the leaving of a node for a proof of what there is below it must override
    /// this, and learn nothing.
    fn leave_unfinished(&mut self, node: &Node<'_, P>) {
        self.leave(node);
    }

    /// How many solutions the solution at `node` stands for, if this hook keeps
    /// [`Effect::Representatives`] and knows; asked at every solution of such a hook only. 0 if it
    /// is no representative, and has only come this far because another hook decided about it
    /// later: the count is then that of the others. Default: not known.
    fn orbit(&self, node: &Node<'_, P>) -> Option<u64> {
        let _ = node;
        None
    }

    /// Figures of the hook's own for the report, such as the entries of a table and its evictions.
    /// Default: none.
    fn stats(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}

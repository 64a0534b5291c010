//! Hooks: prunings, symmetry breakers, inferences and observers that are plugged into a search.
//!
//! The engine calls a hook before each choice ([`admit`](Hook::admit)), after it
//! ([`enter`](Hook::enter)), and when it leaves a node ([`leave`](Hook::leave)). The hook answers
//! with a [`Verdict`], and its [`Effect`] claims what its cuts preserve; the outcome of the run
//! carries the claim.
//!
//! [`Search::hook`](crate::Search::hook), [`admit`](crate::Search::admit),
//! [`enter`](crate::Search::enter), [`constraint`](crate::Search::constraint) and
//! [`watch`](crate::Search::watch) append one hook to a search;
//! [`Search::hooks`](crate::Search::hooks) plugs in a set of them at once, and
//! [`configure`](crate::Search::configure) states more about the last one.
//!
//! Hooks are combined as tuples. They are called from left to right, and the first one that prunes
//! is credited with the cut: put cheap hooks first. The empty tuple costs nothing. `Option<H>`,
//! `&mut H` and `Box<dyn Hook<P>>` are hooks as well; a vector of hooks is a *set* of them for a
//! choice at run time ([`BoxedHook`] for several threads). The engine counts calls and cuts by
//! depth, so that a hook need not count them. An [`Observer`] sees what a whole set of hooks does.
//!
//! Read `mod.rs` for the trait [`Hook`], `node` for what a hook sees of the search, `set` for
//! tuples and the rule for combinations, `closure` and `delegate` for other forms of hooks,
//! `observed` for observers, and then the ready-made ones.
//!
//! # Ready-made hooks
//!
//! | to | use | effect |
//! |---|---|---|
//! | prune subtrees that cannot beat the incumbent | [`Bound`], [`ChoiceBound`] | optimum only |
//! | the same for children in the order of a bound | [`OrderedBound`] | optimum only |
//! | by a relaxed diagram | [`RelaxedBound`](crate::diagram::RelaxedBound) | optimum only |
//! | prune paths that deviate too often from the order | [`Discrepancies`] | lossy, if it prunes |
//! | prune states that another state dominates | [`Dominance`] | optimum only |
//! | prune states with an undecided variable that has no value left | [`ForwardChecking`] | preserving |
//! | keep representatives of the first choices | [`FirstChoices`] | representatives, orbits known |
//! | keep one solution per orbit of a group | [`LexLeader`] | representatives, orbits known |
//! | prune states that are equivalent to one without solutions | [`Memo::failed`] | preserving |
//! | count equivalent states without searching them again | [`Memo::counted`] | preserving |
//! | prune states that were visited on another path | [`Memo::visited`] | representatives |
//!
//! # Hooks together
//!
//! The [`Effect`] of a hook claims what its cuts preserve if it is alone. A hook that loses
//! solutions also states the [`Substitute`] of a lost solution: the reason why it is not missed.
//! From these the engine decides whether two claims can be combined; if they cannot, the run is
//! [`Effect::Lossy`], and its report [says why](crate::Report::conflicts).
//!
//! | | known | below | elsewhere | representatives |
//! |---|---|---|---|---|
//! | [known](Substitute::Known), or elsewhere and [better][better] | yes | yes | yes | yes |
//! | [below](Substitute::Below) | yes | yes | no | no |
//! | [elsewhere](Substitute::Elsewhere), in another order | yes | no | if in the same order | no |
//! | [representatives](Effect::Representatives) | yes | no | no | no |
//!
//! [better]: SubstituteOrder::BetterValue
//!
//! A run that does not ask for the best has no values that all hooks compare: *better* is then an
//! order of its own for each hook.
//!
//! A [sibling](Substitute::Sibling) counts as *elsewhere* in an order of its own, with one
//! addition: hooks that learn the absence of solutions from searched subtrees may tolerate it, and
//! *below* as well. [`Memo::failed`] does.
//!
//! The brancher counts as a hook whose substitute is known if it [names its
//! incumbent](crate::Brancher::incumbent), and elsewhere in an order of its own if not: in the
//! [depth-first](SubstituteOrder::DepthFirst) order if it remembers visited nodes.
//!
//! Preserving hooks can be combined with all others, unless they [do not
//! tolerate](Hook::tolerates) some: a subtree in which other hooks have lost all solutions teaches
//! nothing.
//!
//! Proof, for a run that exhausts the tree and finds something better than what was known when it
//! began (otherwise there is nothing to prove):
//!
//! - *Known*, and *elsewhere with a better value*, lose no best solution at all: incumbents only
//!   improve, and a best solution has no better one. Whatever holds without such a hook holds with
//!   it.
//! - *Below*: of the best solutions at or below a node as it finds it, each such hook leaves at
//!   least one at or below that node. By induction over the order in which hooks tighten a state,
//!   one is left after all of them.
//! - *Elsewhere*: follow a lost best solution to its substitute, that one to its own substitute if
//!   it is lost as well, and so on. Each precedes the one before in the order that all these hooks
//!   state. That order has no infinite descent, so the last one is not lost. The orders of
//!   [depth-first search](SubstituteOrder::DepthFirst) and of values are strict. [Fewer
//!   choices](SubstituteOrder::FewerChoices) allow ties: as many choices as before may be left. But
//!   the substitute is then below a node that the hook has visited and kept, as all hooks before it
//!   have, so that only a later hook of the set can have pruned that node. After as many ties as
//!   there are hooks, the substitute is pruned strictly below such a node, with fewer choices left.
//! - *Elsewhere* with *below*: a *below* hook may remove the substitute, at an ancestor, in favour
//!   of the solution that was lost.
//! - *Representatives* with *below* or *elsewhere*: either may lose exactly what the other one has
//!   kept. With *known*: all solutions of an orbit have the same value, so the whole best orbit is
//!   still there.
//! - *Sibling*, or *below*, with what is learnt from subtrees in which no solution was found: such
//!   a subtree has none at all, so the lesson is true. Suppose a node was left that has a solution
//!   at or below it, and let no earlier lesson be false. Each *below* hook leaves such a solution
//!   to the node as it tightens it. If the solution is below a choice, then either the choice was
//!   admitted, or the hook that did not admit it has admitted another one that leads to a solution.
//!   A hook that prunes that child on entering credits its solutions, and no lesson prunes it,
//!   because all are true. So it was searched otherwise, and by induction over the height of the
//!   subtree, a solution was found there. Either is noticed.
//! - Lessons with a substitute *elsewhere*, which includes most symmetries: a solution may be lost
//!   below a node in favour of one below another node that is searched later, and whose state is
//!   the equivalent one. The lesson prunes it:
//!
//! ```
//! use secateurs::hook::Memo;
//! use secateurs::{Effect, Search, Substitute, Successors, Verdict};
//!
//! // Two different bits. The exchange of 0 and 1 maps each solution to the other one.
//! let pairs = Successors::new(
//!     (0, 0),
//!     |&(length, sum): &(i32, i32)| length == 2 && sum == 1,
//!     |(length, sum)| (0..if length < 2 { 2 } else { 0 }).map(move |bit| (length + 1, sum + bit)),
//! );
//! // The key is equal for the states after 0 and after 1.
//! let key = |_: &_, &(length, sum): &(i32, i32)| (length, (2 * sum - length).abs());
//! let memo = || Memo::failed("failed", key);
//! assert_eq!(Search::new(&pairs).hook(memo()).exists().exists(), Some(true));
//!
//! // Keeps 10 and not 01. Nothing is left after 0, and the memo would prune the state after 1.
//! let outcome = Search::new(&pairs)
//!     .admit("larger", Effect::Representatives, |node, &state| {
//!         Verdict::prune_if(node.path().get(0) == Some(&(1, 0)) && state == (2, 1))
//!     })
//!     .hook(memo())
//!     .count();
//! assert_eq!((outcome.at_least(), outcome.effect()), (0, Effect::Lossy));
//!
//! // Keeps 10 as well, but decides at the root: the solution that is lost is below a sibling.
//! let outcome = Search::new(&pairs)
//!     .admit("larger", Effect::Representatives, |_, &state| Verdict::prune_if(state == (1, 0)))
//!     .configure(|hook| hook.substitute(Substitute::Sibling))
//!     .hook(memo())
//!     .count();
//! assert_eq!(outcome.representatives(), Some(1));
//! ```
//!
//! # Constraints
//!
//! A hook that is a [constraint](Hook::constraint) is no pruning: it defines the solutions. The
//! claims of all other hooks then refer to the solutions that satisfy all constraints. Most of
//! these claims were made for the problem alone. They still hold in these combinations; in others,
//! the run is lossy:
//!
//! | beside a constraint | [of states](Constraint::State) | [of paths](Constraint::Path) |
//! |---|---|---|
//! | preserving, without memory or with that of the [path](HookMemory::Path) | yes | yes |
//! | substitute [known](Substitute::Known), such as a bound | yes | yes |
//! | equal states: [`Memo`], [diagrams](crate::diagram) | yes | no |
//! | other facts about [searched](HookMemory::Searched) or [visited](HookMemory::Visited) nodes | no | no |
//! | other substitutes, such as dominance | no | no |
//! | other representatives, such as symmetries | no | no |
//! | [credits](NodeMut::credit), except those of a [`Memo`] | no | no |
//! | another constraint | yes | yes |
//!
//! A hook can state that its claim [respects](Hook::respects) a constraint nevertheless.
//!
//! Proof:
//!
//! - *Preserving* without memory of other subtrees: what it cuts off has no solution of the
//!   problem, and therefore none that satisfies the constraint.
//! - *Known*: it loses only what does not beat the incumbent. A bound that is optimistic for all
//!   solutions is optimistic for fewer.
//! - *Equal states*: the claim is that states of equal keys have equivalent subtrees. By induction
//!   from their leaves, a constraint of states keeps the same nodes of both. A constraint of paths
//!   may reject a solution below the state that is searched, and allow its counterpart below the
//!   other one, or the reverse: then the credits of a memo are no lower bound either.
//! - *Other facts, substitutes and symmetries*: a state or solution stands for a different one. The
//!   constraint may reject the former and allow the latter.
//! - *Credits* that do not come from the searched part of this tree count solutions of the problem,
//!   among which the constraint may reject some.
//!
//! If a symmetry or a dominance does respect the constraint, make the constraint part of the
//! problem: let [`Problem::next`] leave out what it forbids.
//!
//! ```
//! use secateurs::{Constraint, Effect, Search};
//! use secateurs_problems::queens::Queens;
//!
//! // Solutions whose first queen is not in a corner.
//! let queens = Queens::new(8)?.bits();
//! let no_corner = || {
//!     Search::new(&queens).constraint("no corner", Constraint::Path, |node| {
//!         node.path().get(0).is_none_or(|&square| square != 1 && square != 1 << 7)
//!     })
//! };
//! assert_eq!(no_corner().count().exact(), Some(84));
//! // The hook keeps one of two mirror images of a solution of the problem, whatever else is asked.
//! let mirrored = no_corner().hook(Queens::mirror()).count();
//! assert_eq!((mirrored.exact(), mirrored.effect()), (None, Effect::Lossy));
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```

/// Defines the builder method `parameters` of a type whose closures may capture data.
macro_rules! parameters_of_captures {
    () => {
        /// Sets the digest of the data that the closures depend on; see
        /// [`Hook::parameters`](crate::Hook::parameters). Closures that capture nothing and read
        /// nothing else, such as a static, do not need it.
        #[must_use]
        pub fn parameters(mut self, data: &(impl std::hash::Hash + ?Sized)) -> Self {
            self.parameters = Some(crate::digest::Digest::of(data));
            self
        }
    };
}
pub(crate) use parameters_of_captures;

/// Defines the claims of a hook or a brancher that prunes by the bounds that do not beat its
/// incumbent, and remembers nothing else.
macro_rules! claims_of_a_bound {
    () => {
        fn effect(&self) -> crate::hook::Effect {
            crate::hook::Effect::OptimumOnly
        }

        fn incumbent(&self) -> Option<crate::incumbent::IncumbentId> {
            Some(self.incumbent.id())
        }

        fn memory(&self) -> crate::hook::HookMemory {
            crate::hook::HookMemory::Nothing
        }
    };
}
pub(crate) use claims_of_a_bound;

mod adaptors;
mod bound;
mod closure;
mod delegate;
mod dominance;
mod front;
mod memo;
mod node;
mod ready_made;
mod set;
mod symmetry;
mod table;

use std::fmt;

pub use adaptors::{Observed, Observer};
pub use bound::{Bound, ChoiceBound, OrderedBound};
pub use closure::{Admit, Constrained, Enter, Watch, admit, constraint, enter, watch};
pub use dominance::{Criteria, Dominance, Pairwise};
pub use memo::Memo;
pub(crate) use node::Steps;
pub use node::{Node, NodeMut, Path};
pub(crate) use ready_made::DISCREPANCIES;
pub use ready_made::{Discrepancies, ForwardChecking};
pub(crate) use set::{AdmitCut, StrategyLoss, Terms, claims, combine};
pub use set::{Append, Hooks, Last};
pub use symmetry::{FirstChoices, LexLeader, Permutation, SymmetryError, SymmetryGroup};

use crate::digest::Digest;
pub(crate) use crate::effect::{Claim, OFF};
pub use crate::effect::{Constraint, Effect, HookMemory, Substitute, SubstituteOrder};
use crate::incumbent::IncumbentId;
use crate::problem::Problem;

/// A hook's decision about a node: keep or prune.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use]
pub enum Verdict {
    /// Search the node.
    Keep,
    /// Prune the node with its whole subtree.
    Prune,
    /// Prune the node and its later siblings, those that the brancher has not drawn yet: the loop
    /// over the children ends. Return it from [`admit`](Hook::admit) if the brancher draws the
    /// children in an order that the hook knows, such as the order of a bound. Returned from
    /// [`enter`](Hook::enter), it means [`Prune`](Verdict::Prune).
    ///
    /// The hook claims of the siblings what it claims of the node, without being asked about them.
    /// The claim depends on the brancher, which the engine does not check; an
    /// [audit](https://docs.rs/secateurs-lab) does.
    ///
    /// A division of the tree may have drawn some of the siblings before and given them to another
    /// walk. That walk asks the hook about them, in the order of the brancher, so the division
    /// costs only work, and the report [lists](crate::Report::nondeterministic_parts) the hook.
    /// A division draws all children of a node before a hook is asked, so their
    /// number must be finite even without this verdict.
    ///
    /// The choice counts as one cut; its siblings do not count.
    /// [`HookReport::sibling_cuts`](crate::HookReport::sibling_cuts) is the number of such cuts.
    PruneSiblings,
}

impl Verdict {
    /// Returns [`Verdict::Prune`] if `condition` holds.
    #[inline]
    pub fn prune_if(condition: bool) -> Self {
        if condition { Verdict::Prune } else { Verdict::Keep }
    }

    /// Returns [`Verdict::PruneSiblings`] if `condition` holds.
    #[inline]
    pub fn prune_siblings_if(condition: bool) -> Self {
        if condition { Verdict::PruneSiblings } else { Verdict::Keep }
    }

    /// Returns whether the node is pruned, alone or with its later siblings.
    #[must_use]
    #[inline]
    pub fn prunes(self) -> bool {
        self != Verdict::Keep
    }

    /// Returns [`Verdict::Keep`] if `condition` holds.
    #[inline]
    pub fn keep_if(condition: bool) -> Self {
        Self::prune_if(!condition)
    }
}

/// A pruning, an inference or an observer plugged into a search.
///
/// Every method but [`name`](Hook::name) has a default; a hook that overrides nothing keeps every
/// node. For each child of a node, the engine calls:
///
/// 1. `admit` with the parent and the choice, before the choice is applied;
/// 2. `enter` with the child; here the hook may tighten the state;
/// 3. `leave` with the child when its subtree is done, before the choice is undone.
///
/// The root is entered and left as well. A node is left only if its `enter` returned
/// [`Verdict::Keep`], in reverse order. A hook that prunes in `enter` must first revert
/// what it changed in *itself* for that node; the problem's `undo` reverts the state.
///
/// A walk *replays* a path to return to a node: it calls `enter` of every hook along the path. If a
/// hook prunes then, because an incumbent has improved meanwhile, what is left of the node's
/// subtree is cut off, without being counted as a cut. A hook that [remembers](Hook::memory) more
/// than the path may only have recognised the node itself; its verdict cuts nothing off. As always,
/// the hook that pruned does not leave the node. A node that was replayed, or whose subtree is not
/// searched to its end for another reason, is left by
/// [`leave_unfinished`](Hook::leave_unfinished).
///
/// A run that ends before the tree is exhausted (at a limit, by its visitor, or because an iterator
/// is dropped) does not leave the nodes of the current path. A hook that serves several runs
/// (`&mut hook`) must therefore reset itself when it enters a node of depth 0.
///
/// # If an implementation lies
///
/// The outcome repeats the hook's claim. A hook that claims [`Effect::Preserving`] and prunes a
/// solution makes a wrong count that is reported as exact; if that is meant, it is a
/// [constraint](Self::constraint), and must say so. A hook that tightens the state in a way
/// that the problem's `undo` does not revert makes later siblings start from a wrong state;
/// [`Search::check_undo`](crate::Search::check_undo) detects it. An
/// [audit](https://docs.rs/secateurs-lab) tests both claims and all others, in one line of a test.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a hook for the problem `{P}`",
    label = "not a hook",
    note = "a closure becomes a hook with `Search::admit`, `enter`, `constraint` or `watch`, or \
            with the functions of these names in `secateurs::hook`",
    note = "the hook must be for the same problem type as the search"
)]
pub trait Hook<P: Problem> {
    /// Returns a short name for reports, unique among the hooks of a run.
    fn name(&self) -> &str;

    /// Returns what the cuts of this hook preserve. Must not change during a run. Default:
    /// [`Effect::Preserving`].
    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    /// Returns whether this hook is a *constraint*, and what its verdicts depend on. Must not
    /// change during a run. Default: `None`, it is a pruning, an inference or an observer.
    ///
    /// A constraint defines the solutions of the run instead of preserving given ones: the tree
    /// consists of the nodes that it keeps. Its [effect](Self::effect) is then
    /// [`Effect::Preserving`], because none of *these* solutions is lost. Its verdicts must not
    /// depend on what other hooks prune or tighten. A [frontier](crate::search::Frontier) must be
    /// continued with the same constraints: otherwise nothing is claimed, not even that a solution
    /// which was found satisfies them. See [constraints](crate::hook#constraints) for what can be
    /// combined with it, and [`hook::constraint`](crate::hook::constraint) for a constraint from a
    /// closure.
    fn constraint(&self) -> Option<Constraint> {
        None
    }

    /// Returns whether this hook's claim also holds for the solutions that satisfy a constraint of
    /// the given kind. Must not change during a run. Default: the [rule](crate::hook#constraints)
    /// for what the hook claims and remembers, which is right for claims that were made for the
    /// problem alone.
    ///
    /// Override it for a hook that compares states only by a key that contains all that constraints
    /// of states read, as [`Memo`] does, or if you know that all constraints of the run respect the
    /// claim: for example, that images of a solution under a symmetry all satisfy them.
    fn respects(&self, constraint: Constraint) -> bool {
        let _ = constraint;
        match self.effect() {
            Effect::Lossy => true,
            Effect::Preserving => self.memory() <= HookMemory::Path,
            Effect::Representatives => false,
            Effect::OptimumOnly => self.substitute() == Substitute::Known,
        }
    }

    /// Returns a digest of all data that this hook's cuts depend on, beside the problem, the path
    /// and an incumbent: limits, weights, seeds, switches. Must not change during a run.
    ///
    /// Saved searches and the processes of a cluster compare it to detect a different search: a
    /// search with a hook that returns `None` can be neither saved nor run by several processes.
    /// Default: [the digest of its type](Digest::of_zero_sized) for a type without data, `None` for
    /// others.
    ///
    /// A parameter that is missing from the digest is not compared: a search that is resumed with
    /// another value of it may claim a wrong answer.
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns the place of the solutions that stand for those that this hook loses, if its effect
    /// is [`Effect::OptimumOnly`] or [`Effect::Representatives`]. Must not change during a run.
    /// Default: known, if the hook compares with an [incumbent](Self::incumbent), and otherwise
    /// elsewhere, in an order of its own.
    fn substitute(&self) -> Substitute {
        match self.incumbent() {
            Some(_) => Substitute::Known,
            None => Substitute::Elsewhere(SubstituteOrder::Unstated),
        }
    }

    /// Returns whether this hook's claim still holds in combination with a hook of the given effect
    /// and [substitute](Self::substitute). It can only restrict the [rule for
    /// combinations](crate::hook#hooks-together). Default: `true`.
    ///
    /// A run in which a hook does not tolerate another one is reported as [`Effect::Lossy`], with
    /// the names of both.
    fn tolerates(&self, other: Effect, substitute: Substitute) -> bool {
        let _ = (other, substitute);
        true
    }

    /// Returns the incumbent that this hook compares with, if it prunes what does not beat it.
    /// Default: none.
    ///
    /// Such cuts prove nothing about other questions. A run for the [`best`](crate::Search::best)
    /// by another objective is lossy. A run for the [`first`](crate::Search::first) solution does
    /// not prove that there is none, and a [`count`](crate::Search::count) is not exact, if the
    /// hook pruned a node, or [read](crate::Incumbent::declared) the incumbent to tighten a state.
    ///
    /// A hook that names its incumbent reads it through a [declared](crate::Incumbent::declared)
    /// handle. The engine records all reads: if a hook reads an incumbent that nothing names, the
    /// run proves less.
    fn incumbent(&self) -> Option<IncumbentId> {
        None
    }

    /// Returns what this hook stores about the search in itself. Must not change during a run.
    /// Default: [`HookMemory::Path`], which is correct for a hook that remembers neither searched
    /// subtrees nor visited nodes.
    ///
    /// Walks that jump between nodes, such as breadth-first search, replay the path of each node
    /// for a hook that [follows the path](HookMemory::follows_path); this costs between one step
    /// and the depth of the tree per node. If neither a hook nor the brancher follows the path,
    /// nothing is replayed: each node is entered once, and left before its children are generated.
    ///
    /// Subtrees that are searched by different walks, one after another or in parallel, do not
    /// share the memory of their hooks. A hook that remembers therefore prunes less, which the
    /// report [says](crate::Report::nondeterministic_parts). Solutions left by a hook that keeps
    /// [representatives](Effect::Representatives) of what it has [visited](HookMemory::Visited) are
    /// then no longer one per orbit.
    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }

    /// Limits the memory of this hook to `bytes`; [`usize::MAX`] means no limit. Default: does
    /// nothing.
    ///
    /// Called before each run for every hook that [remembers](Hook::memory) more than the path. A
    /// hook that takes more makes the run exceed its [memory limit](crate::Limits::memory) by as
    /// much.
    fn limit_memory(&self, bytes: usize) {
        let _ = bytes;
    }

    /// Decides whether `choice` may be applied at `node`. Default: keep.
    ///
    /// Called for nodes at depths below [`admit_levels`](Hook::admit_levels). It is called again
    /// for a choice that was admitted and not entered, if a limit, a save or a donation to another
    /// thread came between: a hook that remembers choices must admit it again. Otherwise solutions
    /// are lost, and the outcome repeats a false claim.
    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        let _ = (node, choice);
        Verdict::Keep
    }

    /// Returns the number of levels, counted from the root, for which [`admit`](Hook::admit) is
    /// called. Must not change during a run. Default: [`usize::MAX`], every level.
    ///
    /// For hooks that decide only near the root, such as static symmetry breaking: on deeper
    /// levels, all hooks with such a limit together cost one comparison per choice. The compiler
    /// can see that a hook always has a limit if this method is inlined and returns, for example,
    /// `self.levels.min(usize::MAX - 1)`.
    #[inline]
    fn admit_levels(&self) -> usize {
        usize::MAX
    }

    /// Decides whether to search `node`, and may tighten its state. Default: keep.
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let _ = node;
        Verdict::Keep
    }

    /// Leaves a node, in reverse order of entering. Its subtree has been searched, except for what
    /// hooks pruned.
    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// Leaves a node, in reverse order of entering, while a part of its subtree is still to be
    /// searched, by another walk or by this one after a replay. Default: calls
    /// [`leave`](Hook::leave). Like `leave`, it is not called if this hook returned a verdict to
    /// prune when it entered or replayed the node.
    ///
    /// A hook that learns from `leave` what the subtree contains must override this method and
    /// learn nothing in it.
    fn leave_unfinished(&mut self, node: &Node<'_, P>) {
        self.leave(node);
    }

    /// Returns the number of solutions that the solution at `node` represents, if this hook keeps
    /// [`Effect::Representatives`] and knows it. Default: unknown.
    ///
    /// 0 means that the solution is no representative and was reached only because another hook
    /// decided later: the count is then that of the other solutions. Called at every solution, for
    /// hooks with that effect only.
    fn orbit(&self, node: &Node<'_, P>) -> Option<u64> {
        let _ = node;
        None
    }

    /// Returns named statistics for the report, such as the entries and evictions of a table.
    /// Default: none.
    fn stats(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}

/// A boxed hook that can be cloned and sent to another thread.
///
/// A vector of `Box<dyn Hook<P>>` is a set of hooks as well, but
/// [`Search::threads`](crate::Search::threads) clones the hooks for each worker, which a `dyn Hook`
/// does not support.
///
/// ```
/// use secateurs::hook::{self, BoxedHook};
/// use secateurs::{Effect, Search, Verdict};
/// use secateurs_problems::queens::{BitQueens, Queens};
///
/// let queens = Queens::new(8)?.bits();
/// let count = |mirrored: bool, corners: bool| {
///     let mut hooks: Vec<BoxedHook<'_, BitQueens>> = Vec::new();
///     if mirrored {
///         hooks.push(Box::new(Queens::mirror()));
///     }
///     if !corners {
///         hooks.push(Box::new(hook::admit("no corner", Effect::Lossy, |node, &square: &u64| {
///             Verdict::prune_if(node.depth() == 0 && square == 1)
///         })));
///     }
///     Search::new(&queens).hooks(hooks).threads(2).count()
/// };
/// assert_eq!(count(true, true).exact(), Some(92));
/// assert_eq!(count(false, false).at_least(), 88);
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
pub type BoxedHook<'h, P> = Box<dyn CloneHook<P> + 'h>;

/// A hook that can be cloned into a box. Implemented for every hook that is `Clone` and `Send`.
///
/// See [`BoxedHook`].
pub trait CloneHook<P: Problem>: Hook<P> + Send {
    /// Returns a boxed clone.
    #[must_use]
    fn clone_box<'h>(&self) -> BoxedHook<'h, P>
    where
        Self: 'h;
}

impl<P: Problem, H: Hook<P> + Clone + Send> CloneHook<P> for H {
    fn clone_box<'h>(&self) -> BoxedHook<'h, P>
    where
        Self: 'h,
    {
        Box::new(self.clone())
    }
}

impl<'h, P: Problem + 'h> Clone for BoxedHook<'h, P> {
    fn clone(&self) -> Self {
        // `self.clone_box()` would recurse: the box implements `CloneHook` itself.
        (**self).clone_box()
    }
}

impl<P: Problem> fmt::Debug for dyn CloneHook<P> + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CloneHook").field(&self.name()).finish()
    }
}

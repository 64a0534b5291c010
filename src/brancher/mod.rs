//! The rule for the children of a node and their order: the trait [`Brancher`] and the ready-made
//! branchers [`ProblemOrder`], [`Sorted`], [`SortedByBound`], [`NextWithin`], [`MiddleOut`] and
//! [`Shuffled`]. An `Option<B>` is a brancher that can be switched off.
//!
//! # Variables
//!
//! If the states of a problem decide [`Variables`](crate::Variables), [`Branching`] chooses the
//! next variable by one order and its values by another:
//!
//! | to | use |
//! |---|---|
//! | decide the variable with the fewest values first | [`SmallestDomain`] |
//! | decide the variable with the most constraints first | [`MostConstrained`] |
//! | weigh both | [`DomainOverDegree`] |
//! | decide the variable with the smallest key first | [`SmallestKey::by`] |
//! | break ties by the problem's order, by a key, at random | `first_tie` and `last_tie`, a tuple as key, `random_ties` |
//! | keep the problem's order | [`InputOrder`] |
//! | decide variables with a single value before all others | [`ForcedFirst`] |
//! | try the values in the problem's order | [`Branching::by`] |
//! | by a key, or in random order | [`Sorted::over`] and [`Shuffled::over`] a `Branching` |
//! | from the middle outwards | [`MiddleOut::over`] a `Branching` |
//! | the least constraining value first | [`least_constraining`] |

/// Defines methods of a wrapper that forward to its `inner` brancher or order.
macro_rules! as_inner {
    (enter, leave) => {
        #[inline]
        fn enter(&mut self, node: &Node<'_, P>) {
            self.inner.enter(node);
        }

        #[inline]
        fn leave(&mut self, node: &Node<'_, P>) {
            self.inner.leave(node);
        }
    };
    ($($method:ident -> $answer:ty),*) => {
        $(fn $method(&self) -> $answer {
            self.inner.$method()
        })*
    };
}
pub(crate) use as_inner;

mod bounded;
mod branching;
mod ordering;
mod variable_keys;

pub use bounded::{BoundedChildren, NextWithin, SortedByBound};
pub use branching::{
    Branching, ForcedFirst, InputOrder, LeastConstraining, ValueOrder, VariableOrder,
    least_constraining,
};
pub use ordering::{Children, MiddleOut, Shuffled, Sorted};
pub use variable_keys::{
    Degree, DomainOverDegree, DomainSize, MostConstrained, Quotient, SizeOverDegree,
    SmallestDomain, SmallestKey, VariableKey,
};

use std::any::type_name;
use std::borrow::Cow;

use crate::digest::Digest;
use crate::effect::Claim;
use crate::hook::{Effect, HookMemory, Node};
use crate::incumbent::IncumbentId;
use crate::problem::{Branch, Problem};
use crate::report::{Cuts, Report};

/// The branching rule of a search: it chooses the next variable and the order in which its values
/// are tried. A search has exactly one.
///
/// [`ProblemOrder`] asks the problem itself. Another brancher may reorder the children
/// ([`Sorted`], [`SortedByBound`], [`Shuffled`]) or branch on something else altogether, such as
/// the smallest free segment of a fire-net board, as long as it generates the same solutions in
/// total, or [declares](Brancher::effect) that it does not.
///
/// `Option<B>` is a brancher that can be switched off: `None` is the order of the problem.
///
/// ```
/// use secateurs::Search;
/// use secateurs::brancher::Shuffled;
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.bits();
/// for shuffled in [false, true] {
///     let order = shuffled.then(|| Shuffled::new(7));
///     assert_eq!(Search::new(&queens).brancher(order).count().exact(), Some(92));
/// }
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// # If an implementation lies
///
/// The brancher defines the tree: a missing child is not searched, a repeated child is searched
/// twice, and the engine cannot detect either. The outcome repeats what the brancher
/// [claims](Brancher::effect). An [audit](https://docs.rs/secateurs-lab) tests the claim.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a brancher for the problem `{P}`",
    label = "not a brancher",
    note = "to order the children by a key, use `Search::sorted`; by a bound, \
            `Objective::sorted`",
    note = "an order of variables becomes a brancher by `Branching::by`"
)]
pub trait Brancher<P: Problem> {
    /// The position among a node's children.
    type Cursor;

    /// Returns whether the node is a solution, and the cursor of its first child; see
    /// [`Problem::branch`].
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor>;

    /// Returns the next child of the node; see [`Problem::next`].
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice>;

    /// Returns the name by which files identify the brancher. Default: the name of its type, which
    /// may change with the compiler and when code is moved; such a file is then rejected.
    fn name(&self) -> Cow<'static, str> {
        type_name::<Self>().into()
    }

    /// Returns a digest of all data that its tree depends on, beside the problem and the path, such
    /// as a seed; see [`Hook::parameters`](crate::Hook::parameters). Default: [the digest of its
    /// type](Digest::of_zero_sized) for a type without data, `None` for others.
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns what the tree of this brancher preserves of all solutions: a claim that the outcome
    /// repeats, like the effect of a [hook](crate::Hook::effect). Must not change during a run.
    /// Default: [`Effect::Preserving`]. A brancher that leaves children out, such as a greedy one,
    /// is [`Effect::Lossy`]. A brancher that keeps [`Effect::Representatives`] cannot state orbit
    /// sizes, which makes counts partial. If it loses solutions because of nodes that it has
    /// [visited](HookMemory::Visited), the run is lossy except in [depth-first
    /// order](crate::SubstituteOrder::DepthFirst).
    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    /// Returns what this brancher stores about the search in itself, such as weights that grow with
    /// each conflict; see [`Hook::memory`](crate::Hook::memory). Must not change during a run.
    /// Default: [`HookMemory::Path`], which is correct for a brancher that remembers neither
    /// searched subtrees nor visited nodes.
    ///
    /// Parts of a tree that are searched by different walks do not share this memory. They may then
    /// have other nodes than in a single walk, which the report
    /// [says](crate::Report::nondeterministic_parts), but the same solutions.
    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }

    /// Returns the incumbent that this brancher compares with, if it leaves out children that do
    /// not beat it. Its [effect](Brancher::effect) is then [`Effect::OptimumOnly`], and it must
    /// lose solutions for no other reason. Default: none.
    ///
    /// A brancher that names its incumbent can be combined with the same hooks as a
    /// [bound](crate::Objective::bound). It reads the incumbent through a
    /// [declared](crate::Incumbent::declared) handle, because other reads weaken the proof. A run
    /// that does not ask for the best by that incumbent's objective proves no count. Once the
    /// brancher has left out a child, such a run does not prove either that there is no solution. A
    /// wrapper must forward this method: if nothing names an incumbent that was read, the run
    /// proves less.
    fn incumbent(&self) -> Option<IncumbentId> {
        None
    }

    /// Returns the numbers of children that this brancher has left out because they do not beat its
    /// incumbent, by their depth, as [`Cuts::admit`](crate::Cuts::admit). If it also leaves out all
    /// later siblings of a child, they count as one. The report lists them as the cuts of a hook
    /// before all others, whose name is [`Report::BRANCHER`](crate::Report::BRANCHER). Default:
    /// none. A wrapper should forward this method: otherwise the cuts appear in no report.
    fn cuts(&self) -> &[Cuts] {
        &[]
    }

    /// Called when a node has been entered and kept by every hook, before
    /// [`branch`](Brancher::branch); also called when a path is replayed.
    #[inline]
    fn enter(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// Called when an entered node is left, before the hooks leave it and before the undo.
    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }
}

/// Returns whether the tree of `brancher` depends on how it is divided among several walks.
pub(crate) fn is_nondeterministic<P: Problem>(brancher: &impl Brancher<P>) -> bool {
    brancher.memory() > HookMemory::Path || brancher.incumbent().is_some()
}

/// Returns the claim of a brancher that leaves out children, in the form of a hook's.
pub(crate) fn claim_of_pruning<P: Problem>(brancher: &impl Brancher<P>) -> Claim {
    let (effect, parameters) = (brancher.effect(), brancher.parameters());
    Claim {
        by_incumbent: brancher.incumbent().is_some(),
        ..Claim::new(Report::BRANCHER, effect, parameters, brancher.memory())
    }
}

/// The identity of a brancher, as far as it is known.
#[derive(Clone, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct BrancherId {
    name: String,
    effect: Effect,
    parameters: Option<Digest>,
}

impl BrancherId {
    pub(crate) fn of<P: Problem>(brancher: &impl Brancher<P>) -> Self {
        let (name, effect) = (brancher.name().into_owned(), brancher.effect());
        BrancherId { name, effect, parameters: brancher.parameters() }
    }

    /// Returns whether nothing is known that tells the branchers apart.
    pub(crate) fn may_be_same(&self, other: &Self) -> bool {
        (&self.name, self.effect) == (&other.name, other.effect)
            && self.parameters.zip(other.parameters).is_none_or(|(one, other)| one == other)
    }
}

/// The name of [`ProblemOrder`].
const PROBLEM_ORDER_NAME: &str = "problem order";

/// The brancher that takes the children in the order of the problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemOrder;

impl<P: Problem> Brancher<P> for ProblemOrder {
    type Cursor = P::Cursor;

    fn name(&self) -> Cow<'static, str> {
        PROBLEM_ORDER_NAME.into()
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<P::Cursor> {
        node.problem().branch(node.state())
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut P::Cursor) -> Option<P::Choice> {
        node.problem().next(node.state(), cursor)
    }
}

/// The position among the children of a node: the cursor of `Option<B>`, of the problem (`C`) or of
/// the brancher (`K`).
#[derive(Clone, Debug)]
pub struct OptionCursor<C, K>(Position<C, K>);

#[derive(Clone, Debug)]
enum Position<C, K> {
    OfProblem(C),
    OfBrancher(K),
}

/// `None` orders children like [`ProblemOrder`], but its parameters differ from those of any
/// `Some`, so that a wrapper over `None` is not mistaken for one over `Some`.
impl<P: Problem, B: Brancher<P>> Brancher<P> for Option<B> {
    type Cursor = OptionCursor<P::Cursor, B::Cursor>;

    fn name(&self) -> Cow<'static, str> {
        self.as_ref().map_or_else(|| Brancher::<P>::name(&ProblemOrder), Brancher::name)
    }

    fn parameters(&self) -> Option<Digest> {
        self.as_ref().map_or(Some(Digest::OFF), Brancher::parameters)
    }

    fn effect(&self) -> Effect {
        self.as_ref().map_or_else(|| Brancher::<P>::effect(&ProblemOrder), Brancher::effect)
    }

    fn memory(&self) -> HookMemory {
        self.as_ref().map_or_else(|| Brancher::<P>::memory(&ProblemOrder), Brancher::memory)
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        self.as_ref().and_then(Brancher::incumbent)
    }

    fn cuts(&self) -> &[Cuts] {
        self.as_ref().map_or(&[], Brancher::cuts)
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        match self {
            None => {
                let branch = ProblemOrder.branch(node);
                branch.map(|cursor| OptionCursor(Position::OfProblem(cursor)))
            }
            Some(brancher) => {
                let branch = brancher.branch(node);
                branch.map(|cursor| OptionCursor(Position::OfBrancher(cursor)))
            }
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice> {
        match (self, &mut cursor.0) {
            (Some(brancher), Position::OfBrancher(cursor)) => brancher.next(node, cursor),
            (_, Position::OfProblem(cursor)) => ProblemOrder.next(node, cursor),
            // The brancher was switched off after the cursor was made, which the engine never does.
            (None, Position::OfBrancher(_)) => None,
        }
    }

    #[inline]
    fn enter(&mut self, node: &Node<'_, P>) {
        if let Some(brancher) = self {
            brancher.enter(node);
        }
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        if let Some(brancher) = self {
            brancher.leave(node);
        }
    }
}

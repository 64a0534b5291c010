//! Sets of hooks (tuples, and vectors for a choice at run time), and the effect of a combination.

use std::fmt;

use super::delegate::Probe;
use super::{
    Claim, Constraint, Effect, Hook, HookMemory, Node, NodeMut, Substitute, SubstituteOrder,
    Verdict,
};
use crate::digest::Digest;
use crate::incumbent::IncumbentId;
use crate::problem::Problem;

/// The cut of a hook that did not admit a choice.
#[derive(Clone, Copy, Debug)]
pub struct AdmitCut {
    /// The index of the hook.
    pub(crate) hook: usize,
    /// Whether the later siblings are cut off as well.
    pub(crate) siblings: bool,
}

impl AdmitCut {
    /// Returns the cut that `verdict` of the hook at this index means, if it prunes.
    #[inline]
    fn of(hook: usize, verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Keep => None,
            Verdict::Prune => Some(AdmitCut { hook, siblings: false }),
            Verdict::PruneSiblings => Some(AdmitCut { hook, siblings: true }),
        }
    }
}

/// A set of hooks that are called in order: a tuple of up to twelve hooks, or a vector of hooks.
///
/// The kernel is compiled for each tuple type, with every hook inlined; a `Vec<Box<dyn Hook<P>>>`
/// costs an indirect call per hook.
///
/// This trait is implemented by this crate only; implement [`Hook`] instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of hooks for this problem",
    label = "not a tuple of hooks, and not a vector of hooks",
    note = "plug in a single hook with `Search::hook`, or as a tuple of one: `hooks((hook,))`",
    note = "a tuple has at most twelve hooks, each of which implements `Hook<{P}>`"
)]
pub trait Hooks<P: Problem>: sealed::Sealed {
    /// These hooks during walks that exhaust no subtree: each is a `Probe`.
    #[doc(hidden)]
    type Probing: Hooks<P>;

    /// Returns the hooks for walks that exhaust no subtree.
    #[doc(hidden)]
    fn probing(self) -> Self::Probing;

    /// Whether nothing observes the nodes that are entered and left: there are no hooks, and the
    /// run is not recorded.
    #[doc(hidden)]
    const EMPTY: bool = false;

    /// Returns the number of levels, counted from the root, where the engine calls
    /// [`admit_near_root`](Hooks::admit_near_root) in place of [`admit`](Hooks::admit).
    #[doc(hidden)]
    fn limited_levels(&self) -> usize;

    /// Calls `admit` of each hook whose [levels](Hook::admit_levels) include the node, and returns
    /// the first cut.
    #[doc(hidden)]
    fn admit_near_root(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<AdmitCut>;

    /// Calls `admit` of each hook without a limit of levels, and returns the first cut. `limited`
    /// states whether [`limited_levels`](Hooks::limited_levels) is positive; if it is not, boxed
    /// hooks need not be asked for their levels, which would be an indirect call each.
    #[doc(hidden)]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice, limited: bool) -> Option<AdmitCut>;

    /// Calls `enter` of each hook and returns the index of the hook that prunes, if any, after the
    /// hooks before it have left the node.
    #[doc(hidden)]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize>;

    /// Calls `enter` of every hook whatever the verdicts, and adds the indices of the hooks that
    /// prune to `pruned`.
    #[doc(hidden)]
    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>);

    /// Calls `leave_unfinished` in reverse order, except for the hooks that pruned on the replay.
    #[doc(hidden)]
    fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]);

    /// Calls `leave` of the hooks below index `end`, in reverse order.
    #[doc(hidden)]
    fn leave_before(&mut self, node: &Node<'_, P>, end: usize);

    /// Calls `leave` of every hook, in reverse order.
    #[doc(hidden)]
    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        self.leave_before(node, usize::MAX);
    }

    /// Observes a solution at `node`, which has been entered. Only the sets of hooks that record a
    /// run override it.
    #[doc(hidden)]
    #[inline]
    fn solution(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// Returns the number of solutions that the one at `node` represents, by the hooks that keep
    /// representatives.
    #[doc(hidden)]
    fn orbit(&self, node: &Node<'_, P>) -> Option<u128>;

    /// Calls `visit` with each hook in order.
    #[doc(hidden)]
    fn each(&self, visit: &mut dyn FnMut(&dyn Hook<P>));
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// A set of hooks to which one of type `I` can be appended: a tuple of fewer than twelve hooks, or
/// a vector of hooks of that type. See [`Search::hook`](crate::Search::hook).
///
/// This trait is implemented by this crate only.
#[diagnostic::on_unimplemented(
    message = "the hooks of this search have no room for another one of type `{I}`",
    label = "no room for this hook",
    note = "a tuple has at most twelve hooks, and a vector has hooks of one type",
    note = "for more hooks, plug in a vector of `hook::BoxedHook` with `Search::hooks`"
)]
pub trait Append<I>: sealed::Sealed {
    /// The set with one more hook.
    type Appended;

    /// Appends `hook`, which is called after the others.
    #[must_use]
    fn append(self, hook: I) -> Self::Appended;
}

impl<H> Append<H> for Vec<H> {
    type Appended = Self;

    fn append(mut self, hook: H) -> Self {
        self.push(hook);
        self
    }
}

/// A set of hooks that has a last one: a tuple of at least one hook, or a vector. See
/// [`Search::configure`](crate::Search::configure).
///
/// This trait is implemented by this crate only.
#[diagnostic::on_unimplemented(
    message = "this search has no hook to configure",
    note = "plug in a hook before, for example with `Search::admit`"
)]
pub trait Last: sealed::Sealed {
    /// The type of the last hook.
    type Hook;

    /// Replaces the last hook, if there is one, by what `change` returns for it.
    #[must_use]
    fn map_last(self, change: impl FnOnce(Self::Hook) -> Self::Hook) -> Self;
}

impl<H> Last for Vec<H> {
    type Hook = H;

    fn map_last(mut self, change: impl FnOnce(H) -> H) -> Self {
        let last = self.pop().map(change);
        self.extend(last);
        self
    }
}

/// Returns the claim of each hook of a set.
pub(crate) fn claims<P: Problem>(hooks: &impl Hooks<P>) -> Vec<Claim> {
    let mut claims = Vec::new();
    hooks.each(&mut |hook| {
        claims.push(Claim {
            constraint: hook.constraint(),
            stats: hook.stats(),
            by_incumbent: hook.incumbent().is_some(),
            ..Claim::new(hook.name(), hook.effect(), hook.parameters(), hook.memory())
        });
    });
    claims
}

/// The conditions of a run on which the effect of a combination depends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// The incumbent of the objective, if the run optimises.
    pub(crate) incumbent: Option<IncumbentId>,
    /// Whether a single walk visits all nodes in depth-first order.
    pub(crate) depth_first: bool,
    /// The claim about the solutions that the strategy loses by itself.
    pub(crate) strategy: Option<StrategyLoss>,
}

/// The claim of a strategy that leaves out nodes, as a hook of [`Effect::OptimumOnly`] does.
///
/// It is public because it appears in the trait that seals strategies, but not exported.
#[derive(Clone, Copy, Debug)]
pub struct StrategyLoss {
    /// The reason for leaving out nodes, as the subject of a conflict.
    pub(crate) name: &'static str,
    /// The incumbent of the objective by which the strategy compares nodes.
    pub(crate) incumbent: IncumbentId,
    /// The digest of that objective, and whether it holds in other processes.
    pub(crate) objective: (Digest, bool),
    pub(crate) substitute: Substitute,
}

impl From<StrategyLoss> for Claim {
    fn from(loss: StrategyLoss) -> Claim {
        let parameters = Some(loss.objective.0);
        Claim::new(loss.name, Effect::OptimumOnly, parameters, HookMemory::Visited)
    }
}

/// The claim of a hook, or of the brancher, about the solutions that it loses.
struct Loss {
    name: String,
    effect: Effect,
    substitute: Substitute,
    constraint: Option<Constraint>,
    /// Whether it [respects](Hook::respects) constraints of states, and those of paths.
    respects: [bool; 2],
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constraint {
            Some(constraint) => write!(f, "{} ({constraint})", self.name),
            None => write!(f, "{} ({})", self.name, self.effect),
        }
    }
}

impl Loss {
    /// Returns the conflict with the order of the search if substitutes come earlier in depth-first
    /// order, and the search has another one.
    fn conflict_of_order(&self, terms: Terms) -> Option<String> {
        let is_claimed = matches!(self.effect, Effect::Representatives | Effect::OptimumOnly)
            && self.substitute == Substitute::Elsewhere(SubstituteOrder::DepthFirst);
        let name = &self.name;
        (is_claimed && !terms.depth_first)
            .then(|| format!("{name} holds in a depth-first search by one thread only"))
    }

    /// Returns whether both claims hold if both hooks prune: the
    /// [rule](crate::hook#hooks-together).
    fn is_compatible_with(&self, other: &Loss) -> bool {
        use Substitute::{Below, Elsewhere};
        match (self.constraint, other.constraint) {
            (Some(_), Some(_)) => return true,
            (Some(constraint), None) => return other.respects[constraint as usize],
            (None, Some(constraint)) => return self.respects[constraint as usize],
            (None, None) => {}
        }
        let loses_no_best = |loss: &Loss| {
            matches!(loss.substitute, Substitute::Known | Elsewhere(SubstituteOrder::BetterValue))
        };
        match (self.effect, other.effect) {
            (Effect::Preserving | Effect::Lossy, _) | (_, Effect::Preserving | Effect::Lossy) => {
                true
            }
            (Effect::Representatives, Effect::Representatives) => false,
            (Effect::Representatives, Effect::OptimumOnly) => loses_no_best(other),
            (Effect::OptimumOnly, Effect::Representatives) => loses_no_best(self),
            (Effect::OptimumOnly, Effect::OptimumOnly)
                if loses_no_best(self) || loses_no_best(other) =>
            {
                true
            }
            (Effect::OptimumOnly, Effect::OptimumOnly) => match (self.substitute, other.substitute)
            {
                (Below, Below) => true,
                (Elsewhere(one), Elsewhere(other)) => {
                    one == other && one != SubstituteOrder::Unstated
                }
                _ => false,
            },
        }
    }
}

/// Returns the substitute that a hook or a brancher with this memory can rely on, if it states this
/// one.
fn provable_substitute(stated: Substitute, memory: HookMemory, terms: Terms) -> Substitute {
    use SubstituteOrder::{BetterValue, DepthFirst, FewerChoices, Unstated};
    let Substitute::Elsewhere(order) = stated else { return stated };
    Substitute::Elsewhere(match order {
        Unstated if memory.includes_visited() => DepthFirst,
        // Without an objective, two hooks may compare by different values.
        BetterValue if terms.incumbent.is_none() => Unstated,
        // Without a node that it has kept, a tie has no end.
        FewerChoices if !memory.includes_visited() => Unstated,
        order => order,
    })
}

/// The advice for a claim about another objective than that of the run.
const USE_ITS_OBJECTIVE: &str = "make it from the objective of the run";

/// Returns what to do about two hooks of which the first cannot be combined with the second,
/// because it does not [tolerate](Hook::tolerates) it or because the claims of both exclude each
/// other.
fn way_out(one: &Loss, other: &Loss) -> &'static str {
    use Effect::{OptimumOnly, Preserving, Representatives};
    use Substitute::{Elsewhere, Known, Sibling};
    if one.constraint.is_some() || other.constraint.is_some() {
        return "leave out one of them, or let the problem leave out what the constraint forbids";
    }
    let have_places =
        [one, other].iter().all(|loss| matches!(loss.substitute, Elsewhere(_) | Sibling));
    let have_bound = [one, other].iter().any(|loss| loss.substitute == Known);
    match (one.effect, other.effect) {
        (Preserving, Representatives) => {
            "leave out one of them: a memo needs no symmetry if equivalent states have equal keys"
        }
        (Representatives, Representatives) => {
            "leave out one of them, or make one hook of both symmetries"
        }
        (Representatives, OptimumOnly) | (OptimumOnly, Representatives) if !have_bound => {
            "leave out one of them: a symmetry can be combined with bounds"
        }
        (Preserving | Representatives, OptimumOnly)
        | (OptimumOnly, Preserving | Representatives) => {
            "leave out one of them: beside a bound, a dominance with its key replaces a memo"
        }
        (OptimumOnly, OptimumOnly) if have_places => {
            "leave out one of them, or state an order in which the substitutes of both come first"
        }
        _ => "leave out one of them",
    }
}

/// Returns the effect of a set of hooks together with the brancher. If the claims conflict, the
/// effect is lossy, and the reasons are returned as well.
pub(crate) fn combine<P: Problem>(
    hooks: &impl Hooks<P>,
    (mut effect, memory, brancher_incumbent): (Effect, HookMemory, Option<IncumbentId>),
    terms: Terms,
) -> (Effect, Vec<String>) {
    let substitute = match brancher_incumbent {
        Some(_) => Substitute::Known,
        None => Substitute::Elsewhere(SubstituteOrder::Unstated),
    };
    let brancher = Loss {
        name: "the brancher".to_owned(),
        effect,
        substitute: provable_substitute(substitute, memory, terms),
        constraint: None,
        respects: [matches!(effect, Effect::Preserving | Effect::Lossy)
            || substitute == Substitute::Known; 2],
    };
    let mut conflicts = Vec::new();
    conflicts.extend(brancher.conflict_of_order(terms));
    let mut losses = vec![brancher];
    let is_of_another_objective = |own: Option<IncumbentId>| {
        terms.incumbent.is_some() && own.is_some() && own != terms.incumbent
    };
    if is_of_another_objective(brancher_incumbent) {
        conflicts.push(format!(
            "the brancher compares with the incumbent of another objective: {USE_ITS_OBJECTIVE}"
        ));
    }
    hooks.each(&mut |hook| {
        let name = format!("`{}`", hook.name());
        effect = effect.max(hook.effect());
        let loss = Loss {
            name,
            effect: hook.effect(),
            substitute: provable_substitute(hook.substitute(), hook.memory(), terms),
            constraint: hook.constraint(),
            respects: [Constraint::State, Constraint::Path].map(|kind| hook.respects(kind)),
        };
        let name = &loss.name;
        conflicts.extend(loss.conflict_of_order(terms));
        if hook.constraint().is_some() && hook.effect() != Effect::Preserving {
            conflicts.push(format!("{name} is a constraint, so its effect must be preserving"));
        }
        if is_of_another_objective(hook.incumbent()) {
            conflicts.push(format!(
                "{name} compares with the incumbent of another objective: {USE_ITS_OBJECTIVE}"
            ));
        }
        losses.push(loss);
    });
    if let Some(StrategyLoss { name, incumbent, substitute, .. }) = terms.strategy {
        effect = effect.max(Effect::OptimumOnly);
        if is_of_another_objective(Some(incumbent)) {
            conflicts.push(format!(
                "{name} compares by the values of another objective: {USE_ITS_OBJECTIVE}"
            ));
        }
        let own = Loss {
            name: name.to_owned(),
            effect: Effect::OptimumOnly,
            substitute,
            constraint: None,
            respects: [true, false],
        };
        for other in losses.iter().filter(|other| !own.is_compatible_with(other)) {
            conflicts.push(format!(
                "{name} cannot be combined with {other}: leave it out, or choose another strategy"
            ));
        }
        losses.push(own);
    }
    let mut index = 0;
    hooks.each(&mut |hook| {
        index += 1;
        let own = &losses[index];
        for (place, other) in losses.iter().enumerate().filter(|&(place, _)| place != index) {
            // A conflict of two hooks is reported once.
            let is_tolerated = hook.tolerates(other.effect, other.substitute);
            if !is_tolerated || (place < index && !own.is_compatible_with(other)) {
                conflicts.push(format!(
                    "{} cannot be combined with {other}: {}",
                    own.name,
                    way_out(own, other)
                ));
            }
        }
    });
    if !conflicts.is_empty() {
        effect = Effect::Lossy;
    }
    (effect, conflicts)
}

/// Returns the number of levels of a hook if it has a limit, otherwise 0. A limit of 0 levels
/// counts as 1, because 0 states that no hook has a limit.
#[inline]
fn limit_of_levels<P: Problem>(hook: &impl Hook<P>) -> usize {
    match hook.admit_levels() {
        usize::MAX => 0,
        levels => levels.max(1),
    }
}

/// Calls `admit` of a hook if its levels include the node.
fn admit_near_root<P: Problem>(
    hook: &mut impl Hook<P>,
    node: &Node<'_, P>,
    choice: &P::Choice,
) -> Verdict {
    if node.depth() < hook.admit_levels() { hook.admit(node, choice) } else { Verdict::Keep }
}

/// Calls `admit` of a hook if it has no limit of levels.
#[inline]
fn admit_unlimited<P: Problem>(
    hook: &mut impl Hook<P>,
    node: &Node<'_, P>,
    choice: &P::Choice,
) -> Verdict {
    if hook.admit_levels() == usize::MAX { hook.admit(node, choice) } else { Verdict::Keep }
}

/// Returns `orbit` multiplied by the orbit size of `hook`, if that keeps representatives.
#[inline]
fn orbit_with<P: Problem>(orbit: u128, hook: &impl Hook<P>, node: &Node<'_, P>) -> Option<u128> {
    match hook.effect() {
        Effect::Representatives => orbit.checked_mul(u128::from(hook.orbit(node)?)),
        _ => Some(orbit),
    }
}

macro_rules! hooks_for_tuple {
    ($($hook:ident $index:tt),*; $($reverse:tt),*) => {
        impl<$($hook),*> sealed::Sealed for ($($hook,)*) {}

        #[allow(unused_variables, clippy::unused_unit)]
        impl<P: Problem, $($hook: Hook<P>),*> Hooks<P> for ($($hook,)*) {
            const EMPTY: bool = <[usize]>::is_empty(&[$($index),*]);

            type Probing = ($(Probe<$hook>,)*);

            fn probing(self) -> Self::Probing {
                ($(Probe(self.$index),)*)
            }

            #[inline]
            fn limited_levels(&self) -> usize {
                let levels = 0;
                $( let levels = levels.max(limit_of_levels(&self.$index)); )*
                levels
            }

            #[inline]
            fn admit_near_root(
                &mut self,
                node: &Node<'_, P>,
                choice: &P::Choice,
            ) -> Option<AdmitCut> {
                $(
                    let verdict = admit_near_root(&mut self.$index, node, choice);
                    if let Some(cut) = AdmitCut::of($index, verdict) {
                        return Some(cut);
                    }
                )*
                None
            }

            #[inline]
            fn admit(
                &mut self,
                node: &Node<'_, P>,
                choice: &P::Choice,
                limited: bool,
            ) -> Option<AdmitCut> {
                if limited {
                    $(
                        let verdict = admit_unlimited(&mut self.$index, node, choice);
                        if let Some(cut) = AdmitCut::of($index, verdict) {
                            return Some(cut);
                        }
                    )*
                } else {
                    $(
                        let verdict = self.$index.admit(node, choice);
                        if let Some(cut) = AdmitCut::of($index, verdict) {
                            return Some(cut);
                        }
                    )*
                }
                None
            }

            #[inline]
            fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
                $(
                    if self.$index.enter(node).prunes() {
                        self.leave_before(&node.as_node(), $index);
                        return Some($index);
                    }
                )*
                None
            }

            fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
                $(
                    if self.$index.enter(node).prunes() {
                        pruned.push($index);
                    }
                )*
            }

            fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]) {
                $(
                    if !pruned.contains(&$reverse) {
                        self.$reverse.leave_unfinished(node);
                    }
                )*
            }

            #[inline]
            fn leave_before(&mut self, node: &Node<'_, P>, end: usize) {
                $(
                    if $reverse < end {
                        self.$reverse.leave(node);
                    }
                )*
            }

            #[inline]
            fn orbit(&self, node: &Node<'_, P>) -> Option<u128> {
                let orbit = 1;
                $( let orbit = orbit_with(orbit, &self.$index, node)?; )*
                Some(orbit)
            }

            fn each(&self, visit: &mut dyn FnMut(&dyn Hook<P>)) {
                $( visit(&self.$index); )*
            }
        }
    };
}

/// Implements the traits of sets for a tuple of at least one hook, and [`Append`] for the tuple
/// without the last one.
macro_rules! traits_of_tuple {
    ($($hook:ident $index:tt)* ; $last:ident $place:tt; $($reverse:tt),*) => {
        hooks_for_tuple!($($hook $index,)* $last $place; $($reverse),*);

        impl<$($hook,)* I> Append<I> for ($($hook,)*) {
            type Appended = ($($hook,)* I,);

            fn append(self, hook: I) -> Self::Appended {
                ($(self.$index,)* hook,)
            }
        }

        #[allow(non_snake_case)]
        impl<$($hook,)* I> Last for ($($hook,)* I,) {
            type Hook = I;

            fn map_last(self, change: impl FnOnce(I) -> I) -> Self {
                let ($($hook,)* last,) = self;
                ($($hook,)* change(last),)
            }
        }
    };
}

hooks_for_tuple!(;);
traits_of_tuple!(; A 0; 0);
traits_of_tuple!(A 0; B 1; 1, 0);
traits_of_tuple!(A 0 B 1; C 2; 2, 1, 0);
traits_of_tuple!(A 0 B 1 C 2; D 3; 3, 2, 1, 0);
traits_of_tuple!(A 0 B 1 C 2 D 3; E 4; 4, 3, 2, 1, 0);
traits_of_tuple!(A 0 B 1 C 2 D 3 E 4; F 5; 5, 4, 3, 2, 1, 0);
traits_of_tuple!(A 0 B 1 C 2 D 3 E 4 F 5; G 6; 6, 5, 4, 3, 2, 1, 0);
traits_of_tuple!(A 0 B 1 C 2 D 3 E 4 F 5 G 6; H 7; 7, 6, 5, 4, 3, 2, 1, 0);
traits_of_tuple!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7; J 8; 8, 7, 6, 5, 4, 3, 2, 1, 0);
traits_of_tuple!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 J 8; K 9; 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
traits_of_tuple!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 J 8 K 9; L 10; 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
traits_of_tuple!(
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 J 8 K 9 L 10; M 11;
    11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
);

impl<H> sealed::Sealed for Vec<H> {}

impl<P: Problem, H: Hook<P>> Hooks<P> for Vec<H> {
    type Probing = Vec<Probe<H>>;

    fn probing(self) -> Self::Probing {
        self.into_iter().map(Probe).collect()
    }

    fn limited_levels(&self) -> usize {
        self.iter().map(limit_of_levels).max().unwrap_or(0)
    }

    fn admit_near_root(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<AdmitCut> {
        let mut hooks = self.iter_mut().enumerate();
        hooks.find_map(|(index, hook)| AdmitCut::of(index, admit_near_root(hook, node, choice)))
    }

    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice, limited: bool) -> Option<AdmitCut> {
        let mut hooks = self.iter_mut().enumerate();
        if limited {
            hooks.find_map(|(index, hook)| AdmitCut::of(index, admit_unlimited(hook, node, choice)))
        } else {
            hooks.find_map(|(index, hook)| AdmitCut::of(index, hook.admit(node, choice)))
        }
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        let cut = self.iter_mut().position(|hook| hook.enter(node).prunes())?;
        self.leave_before(&node.as_node(), cut);
        Some(cut)
    }

    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
        for (index, hook) in self.iter_mut().enumerate() {
            if hook.enter(node).prunes() {
                pruned.push(index);
            }
        }
    }

    fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]) {
        for (index, hook) in self.iter_mut().enumerate().rev() {
            if !pruned.contains(&index) {
                hook.leave_unfinished(node);
            }
        }
    }

    fn leave_before(&mut self, node: &Node<'_, P>, end: usize) {
        let end = end.min(self.len());
        for hook in self[..end].iter_mut().rev() {
            hook.leave(node);
        }
    }

    fn orbit(&self, node: &Node<'_, P>) -> Option<u128> {
        self.iter().try_fold(1, |orbit, hook| orbit_with(orbit, hook, node))
    }

    fn each(&self, visit: &mut dyn FnMut(&dyn Hook<P>)) {
        for hook in self {
            visit(hook);
        }
    }
}

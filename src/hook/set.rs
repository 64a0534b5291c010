//! Hooks together: tuples of them, and vectors for choosing at run time.

use super::{Claim, Effect, Hook, HookMemory, Node, NodeMut, Substitute, SubstituteOrder, Verdict};
use crate::incumbent::IncumbentId;
use crate::problem::Problem;

/// A set of hooks that are asked in order: a tuple of up to twelve hooks, or a vector of hooks.
///
/// The kernel is compiled anew for each tuple type, with every hook inlined; a `Vec<Box<dyn
/// Hook<P>>>` costs an indirect call a hook.
///
/// This trait is implemented by this crate only; implement [`Hook`] instead.
pub trait Hooks<P: Problem>: sealed::Sealed {
    /// How many choices from the root down [`admit_first`](Hooks::admit_first) is to be asked about
    /// in place of [`admit`](Hooks::admit).
    #[doc(hidden)]
    fn first_choices(&self) -> usize;

    /// Asks each hook whether the choice, one of the first, may be taken; the index of the one that
    /// prunes, if any.
    #[doc(hidden)]
    fn admit_first(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize>;

    /// Asks each hook whether the choice may be taken; the index of the one that prunes, if any.
    #[doc(hidden)]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize>;

    /// Lets each hook enter the node; the index of the one that prunes, after those before it have
    /// left again.
    #[doc(hidden)]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize>;

    /// Lets each hook enter the node whatever it says; adds the indices of those that prune to
    /// `pruned`.
    #[doc(hidden)]
    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>);

    /// Lets every hook but those that pruned on the replay leave a node that is not searched to its
    /// end, in reverse order.
    #[doc(hidden)]
    fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]);

    /// Lets the hooks below index `end` leave the node, in reverse order.
    #[doc(hidden)]
    fn leave_before(&mut self, node: &Node<'_, P>, end: usize);

    /// Lets every hook leave the node, in reverse order.
    #[doc(hidden)]
    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        self.leave_before(node, usize::MAX);
    }

    /// [`admit`](Hooks::admit), of the first choices as well, by the hooks that take part in
    /// [probes](super::Probing).
    #[doc(hidden)]
    fn probe_admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize>;

    /// [`enter`](Hooks::enter) for the hooks that take part in probes.
    #[doc(hidden)]
    fn probe_enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize>;

    /// Lets the hooks below index `end` that take part in probes leave the node, of which nothing
    /// is to be learnt.
    #[doc(hidden)]
    fn probe_leave(&mut self, node: &Node<'_, P>, end: usize);

    /// A solution is visited at `node`, which has been entered. For sets that record; others need
    /// not know.
    #[doc(hidden)]
    #[inline]
    fn solution(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// How many solutions the one at `node` stands for, by the hooks that keep representatives.
    #[doc(hidden)]
    fn orbit(&self, node: &Node<'_, P>) -> Option<u128>;

    /// Calls `visit` with each hook in order.
    #[doc(hidden)]
    fn each(&self, visit: &mut dyn FnMut(&dyn Hook<P>));
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// What each hook of a set says of itself.
pub(crate) fn claims<P: Problem>(hooks: &impl Hooks<P>) -> Vec<Claim> {
    let mut claims = Vec::new();
    hooks.each(&mut |hook| {
        claims.push(Claim {
            name: hook.name().to_owned(),
            effect: hook.effect(),
            stats: hook.stats(),
            by_incumbent: hook.incumbent().is_some(),
            memory: hook.memory(),
        });
    });
    claims
}

/// What a run asks of its hooks, beside their claims.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// What the brancher claims.
    pub(crate) brancher: Effect,
    /// The incumbent of what is optimised, if anything is.
    pub(crate) incumbent: Option<IncumbentId>,
    /// Whether one walk visits the nodes in the order of a depth-first search.
    pub(crate) depth_first: bool,
}

/// The claim of a hook, or of the brancher, about the solutions that it loses.
struct Loss {
    name: String,
    effect: Effect,
    substitute: Substitute,
}

impl Loss {
    /// Whether the claims of both hold if both cut off: the [rule](crate::hook#hooks-together).
    fn holds_beside(&self, other: &Loss) -> bool {
        use Substitute::{Below, Elsewhere};
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

/// The effect of a set of hooks, and the reasons why it is weaker than the weakest of its parts, if
/// it is.
pub(crate) fn combine<P: Problem>(hooks: &impl Hooks<P>, terms: Terms) -> (Effect, Vec<String>) {
    let mut effect = terms.brancher;
    let unstated = Substitute::Elsewhere(SubstituteOrder::Unstated);
    let mut losses = vec![Loss { name: "the brancher".to_owned(), effect, substitute: unstated }];
    let mut conflicts = Vec::new();
    hooks.each(&mut |hook| {
        let name = format!("`{}`", hook.name());
        effect = effect.max(hook.effect());
        let substitute = match hook.substitute() {
            Substitute::Elsewhere(SubstituteOrder::Unstated)
                if hook.memory() == HookMemory::Visited =>
            {
                Substitute::Elsewhere(SubstituteOrder::DepthFirst)
            }
            substitute => substitute,
        };
        let by_order = substitute == Substitute::Elsewhere(SubstituteOrder::DepthFirst);
        if by_order && hook.effect() == Effect::OptimumOnly && !terms.depth_first {
            conflicts.push(format!("{name} holds in a depth-first search by one thread only"));
        }
        if terms.incumbent.is_some()
            && hook.incumbent().is_some_and(|own| Some(own) != terms.incumbent)
        {
            conflicts.push(format!("{name} compares with the incumbent of another objective"));
        }
        losses.push(Loss { name, effect: hook.effect(), substitute });
    });
    let mut index = 0;
    hooks.each(&mut |hook| {
        index += 1;
        let own = &losses[index];
        for (place, other) in losses.iter().enumerate().filter(|&(place, _)| place != index) {
            // That of two hooks which exclude each other is said once.
            if !hook.tolerates(other.effect) || (place < index && !own.holds_beside(other)) {
                conflicts.push(format!(
                    "{} does not hold beside {} ({})",
                    own.name, other.name, other.effect
                ));
            }
        }
    });
    if !conflicts.is_empty() {
        effect = Effect::Lossy;
    }
    (effect, conflicts)
}

/// Whether `hook` lets one of the first choices be taken.
fn admit_first<P: Problem>(
    hook: &mut impl Hook<P>,
    node: &Node<'_, P>,
    choice: &P::Choice,
) -> Verdict {
    if node.depth() < hook.first_choices() && hook.admit_first(node, choice) == Verdict::Prune {
        return Verdict::Prune;
    }
    hook.admit(node, choice)
}

/// Whether `hook` takes part in probes: one that remembers what it has met would take every later
/// probe for a repetition.
#[inline]
fn takes_part<P: Problem>(hook: &impl Hook<P>) -> bool {
    hook.memory() < HookMemory::Visited
}

/// `orbit` times the orbit size that `hook` gives, if it is one that keeps representatives.
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

        #[allow(unused_variables)]
        impl<P: Problem, $($hook: Hook<P>),*> Hooks<P> for ($($hook,)*) {
            #[inline]
            fn first_choices(&self) -> usize {
                let first = 0;
                $( let first = first.max(self.$index.first_choices()); )*
                first
            }

            fn admit_first(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
                $(
                    if admit_first(&mut self.$index, node, choice) == Verdict::Prune {
                        return Some($index);
                    }
                )*
                None
            }

            #[inline]
            fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
                $(
                    if self.$index.admit(node, choice) == Verdict::Prune {
                        return Some($index);
                    }
                )*
                None
            }

            #[inline]
            fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
                $(
                    if self.$index.enter(node) == Verdict::Prune {
                        self.leave_before(&node.as_node(), $index);
                        return Some($index);
                    }
                )*
                None
            }

            fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
                $(
                    if self.$index.enter(node) == Verdict::Prune {
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
            fn probe_admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
                $(
                    if takes_part(&self.$index) && admit_first(&mut self.$index, node, choice) == Verdict::Prune {
                        return Some($index);
                    }
                )*
                None
            }

            #[inline]
            fn probe_enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
                $(
                    if takes_part(&self.$index) && self.$index.enter(node) == Verdict::Prune {
                        self.probe_leave(&node.as_node(), $index);
                        return Some($index);
                    }
                )*
                None
            }

            #[inline]
            fn probe_leave(&mut self, node: &Node<'_, P>, end: usize) {
                $(
                    if $reverse < end && takes_part(&self.$reverse) {
                        self.$reverse.leave_unfinished(node);
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

hooks_for_tuple!(;);
hooks_for_tuple!(A 0; 0);
hooks_for_tuple!(A 0, B 1; 1, 0);
hooks_for_tuple!(A 0, B 1, C 2; 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3; 3, 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4; 4, 3, 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5; 5, 4, 3, 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6; 6, 5, 4, 3, 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7; 7, 6, 5, 4, 3, 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8; 8, 7, 6, 5, 4, 3, 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9; 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10; 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
hooks_for_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11; 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);

impl<H> sealed::Sealed for Vec<H> {}

impl<P: Problem, H: Hook<P>> Hooks<P> for Vec<H> {
    fn first_choices(&self) -> usize {
        self.iter().map(Hook::first_choices).max().unwrap_or(0)
    }

    fn admit_first(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        self.iter_mut().position(|hook| admit_first(hook, node, choice) == Verdict::Prune)
    }

    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        self.iter_mut().position(|hook| hook.admit(node, choice) == Verdict::Prune)
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        let cut = self.iter_mut().position(|hook| hook.enter(node) == Verdict::Prune)?;
        self.leave_before(&node.as_node(), cut);
        Some(cut)
    }

    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
        for (index, hook) in self.iter_mut().enumerate() {
            if hook.enter(node) == Verdict::Prune {
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

    fn probe_admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<usize> {
        self.iter_mut()
            .position(|hook| takes_part(hook) && admit_first(hook, node, choice) == Verdict::Prune)
    }

    fn probe_enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        let cut = self
            .iter_mut()
            .position(|hook| takes_part(hook) && hook.enter(node) == Verdict::Prune)?;
        self.probe_leave(&node.as_node(), cut);
        Some(cut)
    }

    fn probe_leave(&mut self, node: &Node<'_, P>, end: usize) {
        let end = end.min(self.len());
        for hook in self[..end].iter_mut().rev().filter(|hook| takes_part(*hook)) {
            hook.leave_unfinished(node);
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

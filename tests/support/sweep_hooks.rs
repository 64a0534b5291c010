//! Hooks of sweeps that are made of closures.

use secateurs::plug::{ContourProblem, SweepHook, Thinning};
use secateurs::{Digest, Effect, Verdict};

/// A function that decides about a state.
pub type Enter<'a, P> =
    Box<dyn Fn(&P, usize, &mut <P as ContourProblem>::State) -> Verdict + Sync + 'a>;
/// A function that examines a layer.
pub type Thin<'a, P> =
    Box<dyn Fn(&P, usize, &mut Thinning<'_, <P as ContourProblem>::State>) + Sync + 'a>;

/// A hook that decides about states, or about layers.
pub struct TestHook<'a, P: ContourProblem> {
    pub name: &'static str,
    pub effect: Effect,
    pub is_constraint: bool,
    pub keeps_labels: bool,
    pub parameters: Digest,
    pub enter: Enter<'a, P>,
    pub thin: Thin<'a, P>,
}

impl<'a, P: ContourProblem> TestHook<'a, P> {
    /// Creates a hook without parameters that decides about each state.
    pub fn entering(
        name: &'static str,
        effect: Effect,
        enter: impl Fn(&P, usize, &mut P::State) -> Verdict + Sync + 'a,
    ) -> Self {
        let (is_constraint, keeps_labels, parameters) = (false, true, Digest::NONE);
        let thin: Thin<'a, P> = Box::new(|problem, cell, layer| KeepAll.thin(problem, cell, layer));
        let enter: Enter<'a, P> = Box::new(enter);
        TestHook { name, effect, is_constraint, keeps_labels, parameters, enter, thin }
    }

    /// Creates a hook without parameters that examines each layer.
    pub fn thinning(
        name: &'static str,
        effect: Effect,
        thin: impl Fn(&P, usize, &mut Thinning<'_, P::State>) + Sync + 'a,
    ) -> Self {
        let hook = TestHook::entering(name, effect, |_, _, _| Verdict::Keep);
        TestHook { thin: Box::new(thin), ..hook }
    }
}

impl<P: ContourProblem> SweepHook<P> for TestHook<'_, P> {
    fn name(&self) -> &str {
        self.name
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn is_constraint(&self) -> bool {
        self.is_constraint
    }
    fn keeps_labels(&self) -> bool {
        self.keeps_labels
    }
    fn parameters(&self) -> Option<Digest> {
        Some(self.parameters)
    }
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Verdict {
        (self.enter)(problem, cell, state)
    }
    fn thin(&self, problem: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        (self.thin)(problem, cell, layer);
    }
}

/// A hook with the defaults, which does not examine layers.
struct KeepAll;

impl<P: ContourProblem> SweepHook<P> for KeepAll {
    fn name(&self) -> &str {
        "keep all"
    }
}

//! [`ForwardChecking`]: a hook for problems whose states decide variables.

use super::{Hook, HookMemory, NodeMut, Verdict};
use crate::digest::Digest;
use crate::variables::Variables;

/// A hook that prunes a node if an undecided variable has no value left (*forward checking*;
/// Haralick and Elliott 1980).
///
/// The problem must keep the [values that are left](Variables::values_left) up to date: each choice
/// removes the values that it excludes from the other variables. The hook looks at all of them,
/// whereas the problem itself sees an empty domain only when it branches on that variable. Every
/// cut preserves all solutions. The time per node is linear in the number of undecided variables.
///
/// To decide a variable at once that has a single value left, use the order
/// [`ForcedFirst`](crate::brancher::ForcedFirst) beside this hook.
///
/// See [`Variables`] for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForwardChecking;

impl<P: Variables> Hook<P> for ForwardChecking {
    fn name(&self) -> &str {
        "forward checking"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let (problem, state) = (node.problem(), node.state());
        let mut undecided = problem.undecided(state);
        Verdict::prune_if(undecided.any(|variable| problem.values_left(state, variable) == 0))
    }
}

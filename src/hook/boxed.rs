//! Boxed hooks that can be cloned, for sets of hooks that are chosen at run time.

use std::fmt;

use super::Hook;
use crate::problem::Problem;

/// A boxed hook that can be cloned and sent to another thread.
///
/// A vector of `Box<dyn Hook<P>>` is a set of hooks as well, but
/// [`Search::threads`](crate::Search::threads) clones the hooks for each worker, which a `dyn Hook`
/// does not support.
///
/// ```
/// use secateurs::hook::{self, BoxedHook};
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::{Effect, Search, Verdict};
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
/// # Ok::<(), secateurs::problems::InstanceError>(())
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

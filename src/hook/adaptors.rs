//! An adaptor of sets of hooks: [`Observed`] reports their calls to an [`Observer`].

use super::set::sealed::Sealed;
use super::{AdmitCut, Hook, Hooks, Node, NodeMut};
use crate::problem::Problem;

/// An observer of a search: it sees each step of the walk, and which hook cut it off.
///
/// A [hook](Hook) that observes sees only its own calls: neither a node that an earlier hook has
/// cut off, nor the cuts of later ones. An observer is plugged in [around](Observed) the hooks, and
/// sees the verdict of all of them. The run and its report are the same as without it. Use it to
/// draw or log a tree, to trace a run, or to teach.
///
/// Every method has a default that does nothing. Hooks are numbered from 0, in the order in which
/// they are called. Random probes, by which the size of a tree is
/// [estimated](crate::search::estimate), are not observed.
///
/// ```
/// use secateurs::hook::{Observed, Observer};
/// use secateurs::{Node, Search};
/// use secateurs_problems::queens::{BitQueens, Queens};
///
/// /// The depths at which a hook has cut off a child.
/// #[derive(Default)]
/// struct Depths(Vec<usize>);
///
/// impl Observer<BitQueens> for Depths {
///     fn not_admitted(&mut self, parent: &Node<BitQueens>, _: &u64, hook: usize, _: bool) {
///         assert_eq!(hook, 0);
///         self.0.push(parent.depth() + 1);
///     }
/// }
///
/// let queens = Queens::new(5)?.bits();
/// let mut depths = Depths::default();
/// let hooks = Observed::new(&mut depths, (Queens::mirror(),));
/// assert_eq!(Search::new(&queens).hooks(hooks).count().exact(), Some(10));
/// assert_eq!(depths.0, [2, 1, 1]);
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
pub trait Observer<P: Problem> {
    /// Called when the observer is plugged in, with the names of the hooks.
    fn begin(&mut self, hooks: &[&str]) {
        let _ = hooks;
    }

    /// Called when all hooks have admitted a child of `parent`.
    #[inline]
    fn admitted(&mut self, parent: &Node<'_, P>, choice: &P::Choice) {
        let _ = (parent, choice);
    }

    /// Called when a hook has not admitted a child of `parent`. If `with_siblings`, it cut off the
    /// [later siblings](crate::Verdict::PruneSiblings) as well.
    #[inline]
    fn not_admitted(
        &mut self,
        parent: &Node<'_, P>,
        choice: &P::Choice,
        hook: usize,
        with_siblings: bool,
    ) {
        let _ = (parent, choice, hook, with_siblings);
    }

    /// Called when a node has been entered, with its state as the hooks have left it. `cut` is the
    /// hook that cut it off, if any.
    #[inline]
    fn entered(&mut self, node: &Node<'_, P>, cut: Option<usize>) {
        let _ = (node, cut);
    }

    /// Called when a node on the path to an unexplored subtree has been entered again.
    fn replayed(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// Called at a solution, after its node was entered.
    #[inline]
    fn solution(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// Called when a node that was kept, or replayed, is left. `is_finished` states whether its
    /// subtree has been searched, except for what hooks pruned; otherwise a part of it is still to
    /// be searched after a replay.
    #[inline]
    fn left(&mut self, node: &Node<'_, P>, is_finished: bool) {
        let _ = (node, is_finished);
    }
}

impl<P: Problem, O: Observer<P>> Observer<P> for &mut O {
    fn begin(&mut self, hooks: &[&str]) {
        (**self).begin(hooks);
    }

    #[inline]
    fn admitted(&mut self, parent: &Node<'_, P>, choice: &P::Choice) {
        (**self).admitted(parent, choice);
    }

    #[inline]
    fn not_admitted(
        &mut self,
        parent: &Node<'_, P>,
        choice: &P::Choice,
        hook: usize,
        with_siblings: bool,
    ) {
        (**self).not_admitted(parent, choice, hook, with_siblings);
    }

    #[inline]
    fn entered(&mut self, node: &Node<'_, P>, cut: Option<usize>) {
        (**self).entered(node, cut);
    }

    fn replayed(&mut self, node: &Node<'_, P>) {
        (**self).replayed(node);
    }

    #[inline]
    fn solution(&mut self, node: &Node<'_, P>) {
        (**self).solution(node);
    }

    #[inline]
    fn left(&mut self, node: &Node<'_, P>, is_finished: bool) {
        (**self).left(node, is_finished);
    }
}

/// A set of hooks whose calls are reported to an [`Observer`].
///
/// If both are `Clone`, the set can be used by several threads, each with its own clone of the
/// observer. A mutable reference to an observer cannot be cloned: a search with it has one thread.
#[derive(Clone, Debug)]
pub struct Observed<O, H> {
    observer: O,
    hooks: H,
}

impl<O, H> Observed<O, H> {
    /// Plugs the observer in around a set of hooks: a tuple or a vector, `()` if there are none.
    pub fn new<P: Problem>(mut observer: O, hooks: H) -> Self
    where
        O: Observer<P>,
        H: Hooks<P>,
    {
        let mut names = Vec::new();
        hooks.each(&mut |hook| names.push(hook.name().to_owned()));
        observer.begin(&names.iter().map(String::as_str).collect::<Vec<_>>());
        Observed { observer, hooks }
    }

    // The calls at each node are always inlined: otherwise V8 makes a call per node, with the node
    // written to memory, which takes a quarter of the time of 12-queens in a browser.
    #[inline(always)]
    fn observe_admission<P: Problem>(
        &mut self,
        node: &Node<'_, P>,
        choice: &P::Choice,
        cut: Option<AdmitCut>,
    ) -> Option<AdmitCut>
    where
        O: Observer<P>,
    {
        match cut {
            None => self.observer.admitted(node, choice),
            Some(AdmitCut { hook, siblings }) => {
                self.observer.not_admitted(node, choice, hook, siblings);
            }
        }
        cut
    }
}

impl<O, H> Sealed for Observed<O, H> {}

impl<P: Problem, O: Observer<P>, H: Hooks<P>> Hooks<P> for Observed<O, H> {
    /// Random probes are not observed.
    type Probing = H::Probing;

    fn probing(self) -> H::Probing {
        self.hooks.probing()
    }

    #[inline(always)]
    fn limited_levels(&self) -> usize {
        self.hooks.limited_levels()
    }

    #[inline]
    fn admit_near_root(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Option<AdmitCut> {
        let cut = self.hooks.admit_near_root(node, choice);
        self.observe_admission(node, choice, cut)
    }

    #[inline(always)]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice, limited: bool) -> Option<AdmitCut> {
        let cut = self.hooks.admit(node, choice, limited);
        self.observe_admission(node, choice, cut)
    }

    #[inline(always)]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Option<usize> {
        let cut = self.hooks.enter(node);
        self.observer.entered(&node.as_node(), cut);
        cut
    }

    fn replay(&mut self, node: &mut NodeMut<'_, P>, pruned: &mut Vec<usize>) {
        self.hooks.replay(node, pruned);
        self.observer.replayed(&node.as_node());
    }

    fn leave_unfinished(&mut self, node: &Node<'_, P>, pruned: &[usize]) {
        self.observer.left(node, false);
        self.hooks.leave_unfinished(node, pruned);
    }

    fn leave_before(&mut self, node: &Node<'_, P>, end: usize) {
        self.hooks.leave_before(node, end);
    }

    #[inline(always)]
    fn leave(&mut self, node: &Node<'_, P>) {
        self.observer.left(node, true);
        self.hooks.leave(node);
    }

    #[inline(always)]
    fn solution(&mut self, node: &Node<'_, P>) {
        self.observer.solution(node);
        self.hooks.solution(node);
    }

    #[inline(always)]
    fn orbit(&self, node: &Node<'_, P>) -> Option<u128> {
        self.hooks.orbit(node)
    }

    fn each(&self, visit: &mut dyn FnMut(&dyn Hook<P>)) {
        self.hooks.each(visit);
    }
}

//! Symmetry of covers: options of which others are as good.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;

use super::Cover;
use crate::digest::Digest;
use crate::hook::{Effect, Hook, Node, NodeMut, Verdict};

/// A hook that strikes out, at the root, options that others stand for, and knows for how many each
/// of these stands.
///
/// It asks a closure for the *factor* of each option: 0 strikes the option out, since one that is
/// kept stands for it; a factor k keeps the option and says that it stands for k options, itself
/// included. The product of the factors of the options chosen is the number of solutions that a
/// solution stands for, so that the outcome's [`exact`](crate::Outcome::exact) is the full count.
/// Below the root the hook costs nothing but a call a node.
///
/// This is what Knuth does by hand when he leaves options out of a problem to break its symmetry:
/// for a piece of a packing, all of its placements but one of each orbit.
/// [`LangfordCover::reversal`](crate::problems::langford::LangfordCover::reversal) is one ready
/// made.
///
/// ```
/// use secateurs::Search;
/// use secateurs::cover::{Cover, Representatives};
///
/// // A square of four corners and two dominoes: turning it by a quarter turns upright dominoes into lying ones.
/// let cover: Cover = "a b c d\na b\nc d\na c\nb d\n".parse()?;
/// let quarter = Representatives::new("quarter", |_, option| match option {
///     0 => 2, // it stands for "a c"
///     2 => 0,
///     _ => 1,
/// });
/// let outcome = Search::new(&cover).hooks((quarter,)).count();
/// assert_eq!((outcome.representatives(), outcome.exact()), (Some(1), Some(2)));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// # What the closure must keep to
///
/// There has to be a way to assign each option of factor 0 to one that is kept, such that just k
/// options, itself included, are assigned to one of factor k, and that equally many solutions
/// contain an option and the one it is assigned to. The usual reason is a symmetry of the whole
/// problem. Every solution must contain as many options whose factor is not 1 as every other:
/// usually just one, as all such options have one primary item in common. If it does not hold, the
/// count is wrong and the outcome cannot tell.
///
/// [`representatives`](crate::Outcome::representatives) is the number of *orbits* only if no
/// symmetry other than the identity leaves one of the options of factor k as it is.
#[derive(Clone)]
pub struct Representatives<F> {
    name: Cow<'static, str>,
    factor: F,
    parameters: Option<Digest>,
}

impl<F: Fn(&Cover, usize) -> u64> Representatives<F> {
    /// Asks `factor(cover, option)` for the factor of each option.
    pub fn new(name: impl Into<Cow<'static, str>>, factor: F) -> Self {
        let parameters = Digest::of_unit(&factor);
        Representatives { name: name.into(), factor, parameters }
    }

    /// States the data that the closure has captured: see [`Hook::parameters`]. Closures that
    /// capture nothing have no parameters.
    #[must_use]
    pub fn parameters(mut self, data: &(impl Hash + ?Sized)) -> Self {
        self.parameters = Some(Digest::of(data));
        self
    }
}

impl<F: Fn(&Cover, usize) -> u64> Hook<Cover> for Representatives<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        self.parameters
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn follows_path(&self) -> bool {
        false
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, Cover>) -> Verdict {
        if node.path().is_empty() {
            strike_out(&self.factor, node);
        }
        Verdict::Keep
    }

    fn orbit(&self, node: &Node<'_, Cover>) -> Option<u64> {
        let cover = node.problem();
        node.path().iter().map(|&option| (self.factor)(cover, option)).try_fold(1, u64::checked_mul)
    }
}

#[cold]
fn strike_out(factor: &impl Fn(&Cover, usize) -> u64, node: &mut NodeMut<'_, Cover>) {
    let cover = node.problem();
    for option in (0..cover.options()).filter(|&option| factor(cover, option) == 0) {
        cover.strike(node.state_mut(), option);
    }
}

impl<F> fmt::Debug for Representatives<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Representatives").field("name", &self.name).finish_non_exhaustive()
    }
}

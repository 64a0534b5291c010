//! Symmetry of covers: options that represent equivalent ones.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;

use secateurs::Digest;
use secateurs::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};

use super::Cover;

/// A hook that removes, at the root, options that others represent, and knows how many options each
/// remaining one represents.
///
/// A closure returns the *factor* of each option. Factor 0 removes the option, because a remaining
/// one represents it. Factor k keeps the option, and states that it represents k options, itself
/// included. The product of the factors of the chosen options is the number of solutions that a
/// solution represents, so that the outcome's [`exact`](secateurs::Outcome::exact) is the full
/// count. Below the root, the hook costs one trivial call per node.
///
/// Knuth does the same by hand when he removes options to break the symmetry of a problem: of the
/// placements of one piece of a packing, he keeps one of each orbit. `LangfordCover::reversal` of
/// [`secateurs-problems`](https://docs.rs/secateurs-problems) is a ready-made example.
///
/// ```
/// use secateurs::Search;
/// use secateurs_cover::{Cover, Representatives};
///
/// // Two dominoes on a square of four cells: a quarter turn makes upright dominoes lie flat.
/// let cover: Cover = "a b c d\na b\nc d\na c\nb d\n".parse()?;
/// let quarter = Representatives::new("quarter", |_, option| match option {
///     0 => 2, // it represents "a c"
///     2 => 0,
///     _ => 1,
/// });
/// let outcome = Search::new(&cover).hooks((quarter,)).count();
/// assert_eq!((outcome.representatives(), outcome.exact()), (Some(1), Some(2)));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// # Contract of the closure
///
/// A *special* option is one whose factor is not 1.
///
/// - The special options form classes. One option of a class of k options has factor k, and
///   represents the class; the others have factor 0.
/// - No solution contains two options of one class.
/// - Let S be all special options of a solution. The number of solutions whose special options are
///   exactly S does not change if an option of S is replaced by another one of its class.
///
/// Then it does not change either if all options of S are replaced by their representatives, and
/// the counts add up. If every solution has at most one special option, for example because they
/// share a primary item, it is enough that a symmetry of the cover maps the options of a class to
/// each other, and each option that is not special to one that is not.
///
/// If one of these does not hold, the count may be wrong, and the search cannot detect it. An
/// [audit](https://docs.rs/secateurs-lab) of a small cover does.
///
/// [`representatives`](secateurs::Outcome::representatives) is the number of *orbits* only if no
/// symmetry other than the identity fixes an option whose factor is above 1.
#[derive(Clone)]
pub struct Representatives<F> {
    name: Cow<'static, str>,
    factor: F,
    parameters: Option<Digest>,
}

impl<F: Fn(&Cover, usize) -> u64> Representatives<F> {
    /// Creates a hook whose factor of each option is `factor(cover, option)`.
    pub fn new(name: impl Into<Cow<'static, str>>, factor: F) -> Self {
        let parameters = Digest::of_zero_sized(&factor);
        Representatives { name: name.into(), factor, parameters }
    }

    /// Sets the data that the closure captures: see [`Hook::parameters`]. A closure that captures
    /// nothing needs no parameters.
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

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, Cover>) -> Verdict {
        if node.path().is_empty() {
            remove_represented(&self.factor, node);
        }
        Verdict::Keep
    }

    fn orbit(&self, node: &Node<'_, Cover>) -> Option<u64> {
        let cover = node.problem();
        node.path().iter().map(|&option| (self.factor)(cover, option)).try_fold(1, u64::checked_mul)
    }
}

#[cold]
fn remove_represented(factor: &impl Fn(&Cover, usize) -> u64, node: &mut NodeMut<'_, Cover>) {
    let cover = node.problem();
    for option in (0..cover.options()).filter(|&option| factor(cover, option) == 0) {
        cover.remove_option(node.state_mut(), option);
    }
}

impl<F> fmt::Debug for Representatives<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Representatives").field("name", &self.name).finish_non_exhaustive()
    }
}

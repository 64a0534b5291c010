//! Whether there is a solution at all: [`Feasible`].

use std::borrow::Cow;

use super::{Algebra, Overflow};
use crate::hook::Effect;
use crate::plug::profile::ContourProblem;

/// Whether a state can be reached: that it is in the layer says it all, so that values take no
/// memory.
///
/// As an algebra this is that of truth values, with "or" for merging and "and" for extending, less
/// "false", for which there is no state. Dominance may drop whatever it says is dominated.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::Feasible;
///
/// let outcome = Sweep::new(&Row(1000)).run(&Feasible);
/// assert!(outcome.total().is_some() && !outcome.is_proven_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Feasible;

impl<P: ContourProblem> Algebra<P> for Feasible {
    type Value = ();

    fn name(&self) -> Cow<'static, str> {
        "existence".into()
    }
    #[inline]
    fn one(&self) {}
    #[inline]
    fn extend(&self, (): &(), _: usize, _: P::Label) -> Result<(), Overflow> {
        Ok(())
    }
    #[inline]
    fn merge(&self, (): &mut (), (): ()) -> Result<(), Overflow> {
        Ok(())
    }
    fn reads_labels(&self) -> bool {
        false
    }
    fn tolerates(&self) -> Effect {
        Effect::OptimumOnly
    }
    #[inline]
    fn covers(&self, (): &(), (): &()) -> bool {
        true
    }
}

//! Pruning 1: a contour without a lit plug.

use super::super::contour::Contour;
use super::super::profile::Fuses;
use crate::hook::Verdict;
use crate::plug::SweepHook;
use crate::plug::code::Word;

/// Pruning 1: drop a contour of which no plug is lit.
///
/// *Statement.* No solution goes through it. *Proof.* Fire reaches a rocket along a path of fuses from a match; behind the
/// contour lies the match, ahead lies the rocket, so that the path crosses the contour, and where it does so for the last
/// time but behind which all is connected to the match, the plug is lit. ∎
#[derive(Clone, Copy, Debug)]
pub struct Extinguished;

impl<W: Word> SweepHook<Fuses<'_, W>> for Extinguished {
    fn name(&self) -> &str {
        "1: extinguished"
    }

    #[inline]
    fn enter(&self, _: &Fuses<'_, W>, _: usize, contour: &mut Contour<W>) -> Verdict {
        Verdict::keep_if(contour.is_lit())
    }
}

//! Pruning 1: a contour without a lit plug.

use super::super::profile::Fuses;
use crate::hook::Verdict;
use crate::plug::SweepHook;
use crate::plug::code::{Labels, Word};

/// Pruning 1: drop a contour of which no plug is lit.
///
/// *Statement.* No solution goes through it. *Proof.* Fire reaches a rocket along a path of fuses
/// from a match. The match is behind the contour, the rocket ahead of it or beside one of its
/// plugs; so the path comes to a plug of the contour. Up to the first one it runs behind the
/// contour, and so that plug is connected to the match there: it is lit. ∎
#[derive(Clone, Copy, Debug)]
pub struct Extinguished;

impl<W: Word, const BITS: u32> SweepHook<Fuses<'_, W, BITS>> for Extinguished {
    fn name(&self) -> &str {
        "1: extinguished"
    }

    #[inline]
    fn enter(&self, _: &Fuses<'_, W, BITS>, _: usize, contour: &mut Labels<W, BITS>) -> Verdict {
        Verdict::keep_if(contour.has(Labels::<W, BITS>::RESERVED))
    }
}

//! Pruning 2: unlit plugs that are connected to no other.

use super::super::profile::Fuses;
use crate::hook::Verdict;
use crate::plug::SweepHook;
use crate::plug::code::{Labels, Word};

/// Pruning 2: delete an unlit plug that no other plug is connected to.
///
/// *Statement.* The contour without the plug has the same solutions, with the same rockets.
/// *Proof.* Behind the plug there is neither fire nor a way to any other plug. A path of fire that
/// went in there would have to come back the same way. So no path of fire without repetition uses
/// it, and fire spreads alike with it and without. ∎ The labels ahead, the turns of the blocks, do
/// not depend on the plugs: they are the same as well.
///
/// This is the strongest of the four: it merges contours by the dozen.
#[derive(Clone, Copy, Debug)]
pub struct LonePlugs;

impl<W: Word, const BITS: u32> SweepHook<Fuses<'_, W, BITS>> for LonePlugs {
    fn name(&self) -> &str {
        "2: lone plugs"
    }

    #[inline]
    fn enter(&self, _: &Fuses<'_, W, BITS>, _: usize, contour: &mut Labels<W, BITS>) -> Verdict {
        let before = *contour;
        // Labels are numbered from 1 without gaps.
        for label in 1..Labels::<W, BITS>::RESERVED {
            match before.count_of(label) {
                0 => break,
                1 => *contour = contour.relabelled(label, 0),
                _ => {}
            }
        }
        if *contour != before {
            *contour = contour.canonical();
        }
        Verdict::Keep
    }
}

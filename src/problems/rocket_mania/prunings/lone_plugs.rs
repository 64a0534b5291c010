//! Pruning 2: unlit plugs that are connected to no other.

use super::super::contour::Contour;
use super::super::profile::Fuses;
use crate::hook::Verdict;
use crate::plug::SweepHook;
use crate::plug::code::Word;

/// Pruning 2: delete an unlit plug that no other plug is connected to.
///
/// *Statement.* The contour without the plug has the same solutions, with the same rockets. *Proof.* Behind the plug there
/// is neither fire nor a way to any other plug. A path of fire that went in there would have to come back the same way. So
/// no path of fire without repetition uses it, and fire spreads alike with it and without. ∎ The labels ahead, the turns of
/// the blocks, do not depend on the plugs: they are the same as well.
///
/// This is the strongest of the four: it merges contours by the dozen.
#[derive(Clone, Copy, Debug)]
pub struct LonePlugs;

impl<W: Word> SweepHook<Fuses<'_, W>> for LonePlugs {
    fn name(&self) -> &str {
        "2: lone plugs"
    }

    #[inline]
    fn enter(&self, fuses: &Fuses<'_, W>, _: usize, contour: &mut Contour<W>) -> Verdict {
        let mut labels = contour.labels();
        // Labels seen once, and those seen again; those of no plug and of lit ones are never alone.
        let never_alone = 1 | 1_u32 << Contour::<W>::LIT;
        let (mut seen, mut again) = (never_alone, never_alone);
        for &label in &labels[..fuses.plugs()] {
            again |= seen & 1 << label;
            seen |= 1 << label;
        }
        if seen != again {
            labels.iter_mut().filter(|label| again >> **label & 1 == 0).for_each(|label| *label = 0);
            *contour = Contour::pack(&labels[..fuses.plugs()]);
        }
        Verdict::Keep
    }
}

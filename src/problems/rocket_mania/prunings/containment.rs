//! Full dominance: contours that are contained in another one.

use std::cmp::Reverse;

use super::super::profile::Fuses;
use super::plugs;
use crate::plug::StateDominance;
use crate::plug::code::{Labels, Word};

/// A contour is contained in another one if its plugs, the connections between them and the lit
/// ones among them are all there as well: the relation behind full dominance.
///
/// *Statement.* What the contained contour can still reach, the other one can reach by the same
/// turns of the blocks ahead. *Proof.* A path of fire from a match to a rocket crosses the contour
/// a number of times. Its parts ahead of the contour are the same for the other one, whose plugs
/// are all that these parts need; its parts behind it connect plugs, or a match and a plug, and so
/// there are such parts in the other one. ∎ It is the strongest relation of this kind that looks at
/// the contour alone: [`Outshone`](super::Outshone) is a special case.
///
/// It is tested in two steps. That plugs and lit plugs are contained is seen at once, on bits, and
/// settles most pairs; then [connections](Labels::is_contained_in) are looked at, component by
/// component.
#[derive(Clone, Copy, Debug)]
pub struct Containment;

impl<W: Word, const BITS: u32> StateDominance<Fuses<'_, W, BITS>> for Containment {
    /// The plugs that there are and those that are lit, as bits of one word, and the contour.
    type Form = (u64, Labels<W, BITS>);
    /// How many plugs are lit; how many there are; how few components; the word. A contour that is
    /// contained in another one has no more lit plugs and no more plugs, and if it has as many,
    /// more components.
    type Key = (u32, u32, Reverse<usize>, Reverse<Labels<W, BITS>>);

    fn form(&self, _: &Fuses<'_, W, BITS>, _: usize, contour: Labels<W, BITS>) -> Self::Form {
        let (plugs, lit) = plugs(contour);
        (u64::from(lit) << 32 | u64::from(plugs), contour)
    }

    fn key(&self, contour: Labels<W, BITS>, &(bits, _): &Self::Form) -> Self::Key {
        let (lit, plugs) = ((bits >> 32) as u32, bits as u32);
        (lit.count_ones(), plugs.count_ones(), Reverse(contour.components()), Reverse(contour))
    }

    #[inline]
    fn covers(&self, (better, having): &Self::Form, (worse, wanted): &Self::Form) -> bool {
        worse & !better == 0 && wanted.is_contained_in(*having)
    }
}

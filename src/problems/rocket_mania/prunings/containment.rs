//! Full dominance: contours that are contained in another one.

use std::cmp::Reverse;

use super::super::profile::Fuses;
use crate::plug::Dominance;
use crate::plug::code::{Labels, Word};

/// A contour is contained in another one if its plugs, the connections between them and the lit ones among them are all
/// there as well: the relation behind full dominance.
///
/// *Statement.* What the contained contour can still reach, the other one can reach by the same turns of the blocks ahead.
/// *Proof.* A path of fire from a match to a rocket crosses the contour a number of times. Its parts ahead of the contour are
/// the same for the other one, whose plugs are all that these parts need; its parts behind it connect plugs, or a match and
/// a plug, and so there are such parts in the other one. ∎ It is the strongest relation of this kind that looks at the
/// contour alone: [`Outshone`](super::Outshone) is a special case.
///
/// It is tested on a matrix of bits. The row of a plug has the plugs that it is connected to, itself included, and the
/// matches if it is lit; containment is that of all rows at once, which the compiler turns into a few wide instructions.
#[derive(Clone, Copy, Debug)]
pub struct Containment;

/// Plugs and connections of a contour.
#[derive(Clone, Debug)]
pub struct Connections {
    connected: [u32; MOST_PLUGS],
    /// Plugs that are lit, and connections in all: what is contained in something else has fewer of either, or as many.
    size: (u32, u32),
}

/// The most plugs that a word holds with labels for all of them: 25 in a `u128`.
const MOST_PLUGS: usize = 25;
/// The bit of the matches in a row.
const MATCHES: u32 = 1 << 31;

impl<W: Word, const BITS: u32> Dominance<Fuses<'_, W, BITS>> for Containment {
    type Form = Connections;
    /// How many plugs are lit, then how many connections there are, then the word.
    type Key = ((u32, u32), Reverse<Labels<W, BITS>>);

    fn form(&self, _: &Fuses<'_, W, BITS>, _: usize, contour: Labels<W, BITS>) -> Connections {
        let mut labels = [0; MOST_PLUGS];
        labels.iter_mut().enumerate().take(contour.len()).for_each(|(plug, label)| *label = contour.get(plug));
        let mut members = [0_u32; 32];
        for (plug, &label) in labels.iter().enumerate() {
            members[usize::from(label & 31)] |= 1 << plug;
        }
        let lit = members[usize::from(Labels::<W, BITS>::RESERVED)];
        members[usize::from(Labels::<W, BITS>::RESERVED)] |= MATCHES;
        members[0] = 0;
        let connected = labels.map(|label| members[usize::from(label & 31)]);
        let size = (lit.count_ones(), connected.iter().map(|row| row.count_ones()).sum());
        Connections { connected, size }
    }

    fn key(&self, contour: Labels<W, BITS>, form: &Connections) -> Self::Key {
        (form.size, Reverse(contour))
    }

    #[inline]
    fn covers(&self, better: &Connections, worse: &Connections) -> bool {
        let missing =
            better.connected.iter().zip(&worse.connected).fold(0, |missing, (have, want)| missing | want & !have);
        missing == 0
    }
}

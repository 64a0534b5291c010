//! Pruning 4: unlit plugs at rockets that stay unlit.

use super::super::profile::Fuses;
use crate::hook::Verdict;
use crate::plug::SweepHook;
use crate::plug::code::{Labels, Word};

/// Pruning 4: in the last column, delete an unlit plug that leads to a rocket if it is connected to
/// no plug that is still open: none that leads to a cell that is still to come.
///
/// *Statement.* The contour without the plug has the same solutions, with the same rockets.
/// *Proof.* Fire would have to come from ahead of the contour, by an open plug connected to this
/// one, and there is none. Nor does fire go through it to anywhere but the rocket. ∎
#[derive(Clone, Copy, Debug)]
pub struct UnlitRockets;

impl<W: Word, const BITS: u32> SweepHook<Fuses<'_, W, BITS>> for UnlitRockets {
    fn name(&self) -> &str {
        "4: unlit rockets"
    }

    #[inline]
    fn enter(
        &self,
        fuses: &Fuses<'_, W, BITS>,
        cell: usize,
        contour: &mut Labels<W, BITS>,
    ) -> Verdict {
        if !fuses.is_last(cell) {
            return Verdict::Keep;
        }
        let before = *contour;
        // Plugs 1 to here lead to rockets; plug 0 and those further on are open.
        let here = fuses.place(cell).0 as u32 + 1;
        let finished = W::low_ones(BITS * (here + 1)) & !W::low_ones(BITS);
        let (finished, open) = (
            Labels::<W, BITS>::from_word(before.word() & finished),
            Labels::<W, BITS>::from_word(before.word() & !finished),
        );
        // Labels are numbered from 1 without gaps.
        for label in (1..Labels::<W, BITS>::RESERVED).take_while(|&label| before.has(label)) {
            if finished.has(label) && !open.has(label) {
                *contour = contour.relabelled(label, 0);
            }
        }
        if *contour != before {
            *contour = contour.canonical();
        }
        Verdict::Keep
    }
}

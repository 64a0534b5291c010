//! Pruning 4: unlit plugs at rockets that stay unlit.

use super::super::contour::Contour;
use super::super::profile::Fuses;
use crate::hook::Verdict;
use crate::plug::SweepHook;
use crate::plug::code::Word;

/// Pruning 4: in the last column, delete an unlit plug that leads to a rocket if it is connected to no plug that is still
/// open: none that leads to a cell that is still to come.
///
/// *Statement.* The contour without the plug has the same solutions, with the same rockets. *Proof.* Fire would have to come
/// from ahead of the contour, by an open plug connected to this one, and there is none. Nor does fire go through it to
/// anywhere but the rocket. ∎
#[derive(Clone, Copy, Debug)]
pub struct UnlitRockets;

impl<W: Word> SweepHook<Fuses<'_, W>> for UnlitRockets {
    fn name(&self) -> &str {
        "4: unlit rockets"
    }

    #[inline]
    fn enter(&self, fuses: &Fuses<'_, W>, cell: usize, contour: &mut Contour<W>) -> Verdict {
        if !fuses.is_last(cell) {
            return Verdict::Keep;
        }
        let mut labels = contour.labels();
        let plugs = fuses.plugs();
        // Plugs 1 to here lead to rockets; plug 0 and those further on are open.
        let here = fuses.place(cell).0 + 1;
        let open = labels[here + 1..plugs].iter().fold(1 << labels[0], |open, label| open | 1_u32 << label);
        let stay = open | 1 | 1 << Contour::<W>::LIT;
        if labels[1..=here].iter().any(|label| stay >> label & 1 == 0) {
            labels[1..=here].iter_mut().filter(|label| stay >> **label & 1 == 0).for_each(|label| *label = 0);
            *contour = Contour::pack(&labels[..plugs]);
        }
        Verdict::Keep
    }
}

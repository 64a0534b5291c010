//! The prunings of Rocket Mania: the four of Chen Danqi (2008), each with its own switch, and full
//! dominance.
//!
//! | # | prunes | kind | effect | type |
//! |---|---|---|---|---|
//! | 1 | a contour without a lit plug | filter | preserving | [`Extinguished`] |
//! | 2 | an unlit plug connected to no other plug | canonicaliser | preserving | [`LonePlugs`] |
//! | 3 | outshone by the contour with most lit plugs | dominance | optimum only | [`outshone`] |
//! | 4 | an unlit plug at an unlit rocket | canonicaliser | preserving | [`UnlitRockets`] |
//! | – | a contour contained in another contour | dominance | optimum only | [`Containment`] |
//!
//! Each is exact, alone and in any combination with the others.

use std::cmp::Reverse;

use secateurs::hook::Verdict;
use secateurs::plug::code::{Labels, Word};
use secateurs::plug::{BestState, StateDominance, SweepHook};

use super::fuses::Fuses;
use crate::Selection;

/// A set of the prunings 1 to 4.
pub type RocketPrunings = Selection<4>;

/// Pruning 1: drops a contour without a lit plug.
///
/// *Statement.* No solution passes through such a contour. *Proof.* Fire reaches a rocket along a
/// path of fuses from a match. The match lies behind the contour; the rocket lies ahead of it or
/// beside one of its plugs. So the path crosses the contour at some plug. Up to the first such plug
/// it runs behind the contour, which connects this plug to the match: the plug is lit. ∎
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

/// Pruning 2: deletes an unlit plug that is connected to no other plug.
///
/// *Statement.* The contour without the plug has the same solutions, with the same rockets.
/// *Proof.* Behind the plug there is neither fire nor a connection to another plug. A path of fire
/// that entered there would have to return through the same plug. So no simple path of fire uses
/// it, and fire spreads equally with and without it. ∎ The labels of the later steps, which are
/// the turns of the blocks, do not depend on the plugs, so they are the same as well.
///
/// This is the strongest of the four: it often merges dozens of contours into one.
#[derive(Clone, Copy, Debug)]
pub struct LonePlugs;

impl<W: Word, const BITS: u32> SweepHook<Fuses<'_, W, BITS>> for LonePlugs {
    fn name(&self) -> &str {
        "2: lone plugs"
    }

    #[inline]
    fn enter(&self, _: &Fuses<'_, W, BITS>, _: usize, contour: &mut Labels<W, BITS>) -> Verdict {
        delete_components(contour, |before, label| before.count_of(label) == 1);
        Verdict::Keep
    }
}

/// Pruning 4: in the last column, deletes an unlit plug that leads to a rocket if it is connected
/// to no *open* plug. A plug is open if it leads to an unprocessed cell.
///
/// *Statement.* The contour without the plug has the same solutions, with the same rockets.
/// *Proof.* Fire could only come from ahead of the contour, through an open plug connected to this
/// one, and there is none. Fire through this plug would reach nothing but the rocket. ∎
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
        if !fuses.is_in_last_column(cell) {
            return Verdict::Keep;
        }
        // Plugs 1 to `last` lead to rockets; plug 0 and the later ones are open.
        let last = fuses.place(cell).0 as u32 + 1;
        let finished_bits = W::low_ones(BITS * (last + 1)) & !W::low_ones(BITS);
        let (finished, open) = (
            Labels::<W, BITS>::from_word(contour.word() & finished_bits),
            Labels::<W, BITS>::from_word(contour.word() & !finished_bits),
        );
        delete_components(contour, |_, label| finished.has(label) && !open.has(label));
        Verdict::Keep
    }
}

/// Deletes the unlit plugs for whose label `is_deleted` returns true. Its arguments are the
/// original contour and the label.
#[inline]
fn delete_components<W: Word, const BITS: u32>(
    contour: &mut Labels<W, BITS>,
    is_deleted: impl Fn(Labels<W, BITS>, u8) -> bool,
) {
    let before = *contour;
    // Labels are numbered from 1 without gaps.
    for label in (1..Labels::<W, BITS>::RESERVED).take_while(|&label| before.has(label)) {
        if is_deleted(before, label) {
            *contour = contour.relabelled(label, 0);
        }
    }
    if *contour != before {
        *contour = contour.canonical();
    }
}

/// The dominance relation of [`outshone`]: a contour is outshone by another one if all of its
/// plugs are lit there.
///
/// *Statement.* Every rocket that the outshone contour can still reach is reached from the other
/// contour by the same turns of the blocks ahead. *Proof.* On a path of fire from a match to a
/// rocket, consider the plug of the outshone contour at which the path last crosses the contour.
/// This plug is lit in the other contour, and the rest of the path lies ahead. If the path ends at
/// a rocket whose plug is part of the contour, that plug is lit in the other contour as well. ∎
#[derive(Clone, Copy, Debug)]
pub struct Outshone;

impl<W: Word, const BITS: u32> StateDominance<Fuses<'_, W, BITS>> for Outshone {
    /// The plugs of the contour, and the lit ones among them.
    type Form = (u32, u32);
    /// The number of lit plugs. Ties are broken in favour of the smallest word, so that the choice
    /// does not depend on the order of the contours. The paper does not say how it breaks ties.
    /// With prunings 1 to 3, this sweep has as many contours as the paper on the paper's boards 1,
    /// 2, 4 and 5, and fewer on its other six boards:
    ///
    /// | board | here | the paper |
    /// |---|---|---|
    /// | 3 | 9989 | 11,451 |
    /// | 6 | 115,761 | 155,049 |
    /// | 7 | 62,417 | 67,473 |
    /// | 8 | 6213 | 7741 |
    /// | 9 | 19,684 | 24,856 |
    /// | 10 | 6031 | 6079 |
    ///
    /// The paper seems to count contours before pruning 3 drops them. Counted like this, boards 2,
    /// 3 and 6 have 8758, 14,995 and 142,211 contours here, which agrees only on board 2. With the
    /// same way of counting and ties broken in favour of the fewest plugs and then of the largest
    /// word, boards 1 to 5 have the paper's numbers, with prunings 1 to 3 and with all four, but
    /// board 6 has 161,878.
    ///
    /// This key breaks the second law of [`StateDominance`]: among contours with equally many lit
    /// plugs, one may cover another one of greater key. So slightly more contours are kept than
    /// necessary; no solution is lost.
    type Key = (u32, Reverse<Labels<W, BITS>>);

    fn form(&self, _: &Fuses<'_, W, BITS>, _: usize, contour: Labels<W, BITS>) -> Self::Form {
        plugs(contour)
    }

    fn key(&self, contour: Labels<W, BITS>, &(_, lit): &Self::Form) -> Self::Key {
        (lit.count_ones(), Reverse(contour))
    }

    fn covers(&self, better: &Self::Form, worse: &Self::Form) -> bool {
        worse.0 & !better.1 == 0
    }
}

/// Pruning 3: takes the contour with the most lit plugs of each layer, and drops every contour that
/// is [outshone](Outshone) by it.
pub fn outshone() -> BestState<Outshone> {
    BestState::new("3: outshone", Outshone)
}

/// The dominance relation of full dominance: a contour is contained in another one if its plugs,
/// the connections between them and the lit ones among them all exist there as well.
///
/// *Statement.* Every rocket that the contained contour can still reach is reached from the other
/// contour by the same turns of the blocks ahead. *Proof.* A path of fire from a match to a rocket
/// crosses the contour a number of times. Its parts ahead of the contour exist for the other
/// contour as well, since that has all plugs that these parts need. Its parts behind the contour
/// connect two plugs, or a match and a plug, which the other contour connects as well. ∎ This is
/// the strongest relation of this kind that depends on the contour alone: [`Outshone`] is a special
/// case.
///
/// The test has two steps. A comparison of bits tells whether plugs and lit plugs are contained,
/// which settles most pairs. Only then are the [connections](Labels::is_contained_in) compared,
/// component by component.
#[derive(Clone, Copy, Debug)]
pub struct Containment;

impl<W: Word, const BITS: u32> StateDominance<Fuses<'_, W, BITS>> for Containment {
    /// The plugs and the lit plugs as bits of one word, and the contour.
    type Form = (u64, Labels<W, BITS>);
    /// The numbers of lit plugs, of plugs and (reversed) of components, then the word. A contour
    /// that is contained in another one has at most as many lit plugs and plugs, and if it has
    /// equally many, more components.
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
    fn covers(
        &self,
        (better, better_contour): &Self::Form,
        (worse, worse_contour): &Self::Form,
    ) -> bool {
        worse & !better == 0 && worse_contour.is_contained_in(*better_contour)
    }
}

/// Returns the plugs of a contour, and the lit ones among them, as sets of bits.
fn plugs<W: Word, const BITS: u32>(contour: Labels<W, BITS>) -> (u32, u32) {
    let lit = Labels::<W, BITS>::RESERVED;
    (0..contour.len()).fold((0, 0), |(plugs, lit_plugs), plug| {
        let label = contour.get(plug);
        (plugs | u32::from(label != 0) << plug, lit_plugs | u32::from(label == lit) << plug)
    })
}

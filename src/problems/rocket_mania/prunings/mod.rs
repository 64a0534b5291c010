//! The prunings of Rocket Mania: the four of Chen Danqi (2008), each on its own switch, and full
//! dominance.
//!
//! | # | what | kind | effect | where |
//! |---|---|---|---|---|
//! | 1 | a contour without a lit plug | filter | preserving | [`Extinguished`] |
//! | 2 | an unlit plug connected to no other | canonicaliser | preserving | [`LonePlugs`] |
//! | 3 | outshone by the contour with the most lit plugs | dominance | optimum only | [`outshone`] |
//! | 4 | an unlit plug at a rocket that stays unlit | canonicaliser | preserving | [`UnlitRockets`] |
//! | – | contained in any other contour | dominance | optimum only | [`Containment`] |
//!
//! Each is exact, alone and together with any of the others.

mod containment;
mod extinguished;
mod lone_plugs;
mod outshone;
mod unlit_rockets;

pub use containment::Containment;
pub use extinguished::Extinguished;
pub use lone_plugs::LonePlugs;
pub use outshone::{Outshone, outshone};
pub use unlit_rockets::UnlitRockets;

use crate::plug::code::{Labels, Word};
pub use crate::problems::ParseSelectionError as ParsePruningsError;
use crate::problems::Selection;

/// A set of the prunings 1 to 4.
pub type Prunings = Selection<4>;

/// The plugs of a contour, and those of them that are lit, as sets of bits.
fn plugs<W: Word, const BITS: u32>(contour: Labels<W, BITS>) -> (u32, u32) {
    let lit = Labels::<W, BITS>::RESERVED;
    (0..contour.len()).fold((0, 0), |(plugs, shining), plug| {
        let label = contour.get(plug);
        (plugs | u32::from(label != 0) << plug, shining | u32::from(label == lit) << plug)
    })
}

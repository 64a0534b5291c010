//! Counting in numbers that grow: a layer in which a number does not fit is computed again in wider
//! ones.
//!
//! A layer is as large as its values, and most layers of a sweep need few bits. So values begin
//! with one word. If a sum does not fit, the layer before it still exists; its values are widened,
//! and the cell is swept again. A [`Ladder`] lists the types of the values, and climbs from one to
//! the next with any [`WideningSweep`]: one with hash tables or one with dense tables.

use crate::limits::Stop;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::algebra::{Limbs, Storable, Widen};

macro_rules! ladder {
    ($widest:ty) => { ($widest,) };
    ($narrow:ty, $($wider:ty),+) => { ($narrow, ladder!($($wider),+)) };
}

/// The numbers of a count up to 128 bits. Two words rather than a `u128`, whose alignment would add
/// padding to the entries of a hash table.
pub(crate) type UpTo128Bits = ladder!(u64, Limbs<2>);

/// The numbers of a count of any size.
#[cfg(feature = "bigint")]
pub(crate) type Unlimited = ladder!(u64, u128, Limbs<4>, Limbs<8>, Natural);

macro_rules! ladder_of_limbs {
    ($($limbs:literal)+) => { ladder!($(Limbs<$limbs>),+) };
}

/// The numbers of a count in dense tables, whose values own no heap.
pub(crate) type UpTo4096Bits = ladder_of_limbs!(1 2 3 4 6 8 12 16 24 32 48 64);

/// A sweep that counts in numbers of several types.
pub(crate) trait WideningSweep {
    /// The last complete layer, with values of the type `V`.
    type Layer<V>;
}

/// The part of a [`WideningSweep`] that has values of the type `V`. The total has the type `T`.
pub(crate) trait SweepIn<V, T>: WideningSweep {
    /// Sweeps to the end, or until a number does not fit: from this layer or, if there is none,
    /// from the first one or a saved one.
    fn sweep(&mut self, layer: Option<Self::Layer<V>>) -> Result<Swept<Self::Layer<V>, T>, Stop>;

    /// Returns the layer with wider values. If that fails, the layer is saved as it is.
    fn widen<W: Storable>(&mut self, layer: Self::Layer<V>) -> Result<Self::Layer<W>, Stop>
    where
        V: Widen<W>;
}

/// The end of a sweep in numbers of one type.
pub(crate) enum Swept<L, T> {
    Total(T),
    /// A number did not fit in the cell after this layer.
    TooNarrow(L),
    /// The saved layer has wider numbers.
    WiderValues,
}

/// The types of the values of a sweep, from narrow to wide: `(narrowest, ladder of the others)`, or
/// `(widest,)`.
pub(crate) trait Types {
    type Narrowest: Storable;
    /// The number of types.
    const TYPES: u32;
}

impl<V: Storable> Types for (V,) {
    type Narrowest = V;
    const TYPES: u32 = 1;
}

impl<V: Storable, L: Types> Types for (V, L) {
    type Narrowest = V;
    const TYPES: u32 = 1 + L::TYPES;
}

/// [`Types`] in which a sweep can count.
pub(crate) trait Ladder<R: WideningSweep, T>: Types {
    /// Sweeps to the end, from this layer if there is one, and otherwise from where the sweep
    /// begins. The values begin with the narrowest type; whenever a number does not fit, the next
    /// type follows.
    fn climb(run: &mut R, layer: Option<R::Layer<Self::Narrowest>>) -> Result<T, Stop>;
}

impl<R: SweepIn<V, T>, V: Storable, T> Ladder<R, T> for (V,) {
    fn climb(run: &mut R, layer: Option<R::Layer<V>>) -> Result<T, Stop> {
        match run.sweep(layer)? {
            Swept::Total(total) => Ok(total),
            Swept::TooNarrow(_) | Swept::WiderValues => Err(Stop::CountOverflow),
        }
    }
}

impl<R, V, L, T> Ladder<R, T> for (V, L)
where
    R: SweepIn<V, T>,
    V: Storable + Widen<L::Narrowest>,
    L: Ladder<R, T>,
{
    fn climb(run: &mut R, layer: Option<R::Layer<V>>) -> Result<T, Stop> {
        match run.sweep(layer)? {
            Swept::Total(total) => Ok(total),
            Swept::TooNarrow(layer) => {
                let wider = run.widen(layer)?;
                L::climb(run, Some(wider))
            }
            Swept::WiderValues => L::climb(run, None),
        }
    }
}

//! Numbers of solutions by weight, as a polynomial: [`Polynomial`].

use std::fmt;

use smallvec::SmallVec;

use super::definition::{MAX_WORDS, Overflow};
use super::limbs::add_limbs;
use super::natural::Natural;
use crate::memory::block_bytes;

/// The number of limbs of a polynomial that owns no heap.
const INLINE: usize = 4;

/// A polynomial whose coefficients are natural numbers of any size: the coefficient of degree `d`
/// is a number of solutions of weight `d`. Only the terms up to some degree may be known.
///
/// Coefficients are stored from the first that is not 0 to the last, each in as many words as the
/// largest of them needs.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::{CountByWeight, Natural};
///
/// // Sets of squares of a row of which no two are neighbours, by their number of squares.
/// let taken = |_: usize, taken: bool| i64::from(taken);
/// let outcome = Sweep::new(&Row(5)).run(&CountByWeight::new(taken));
/// let polynomial = outcome.total().ok_or("stopped")?;
/// assert_eq!(polynomial.to_string(), "1 + 5 x + 6 x^2 + x^3");
/// assert_eq!(polynomial.coefficient(2), Some(Natural::from(6_u32)));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone)]
pub struct Polynomial {
    /// The degree of the first stored coefficient. That coefficient is not 0, nor is the last one.
    low: u32,
    /// Coefficients of this degree and above are unknown, unless it is [`UNLIMITED`].
    end: u32,
    /// The number of limbs of a coefficient.
    width: usize,
    /// The limbs of the coefficients, those of a coefficient in little-endian order.
    limbs: SmallVec<[u64; INLINE]>,
}

/// The `end` of a polynomial all of whose terms are known. No term has this degree or a higher one.
pub(super) const UNLIMITED: u32 = u32::MAX;

impl Polynomial {
    /// Creates the polynomial 1, of which the terms below degree `end` are known; `end` is not 0.
    pub(super) fn one(end: u32) -> Self {
        Polynomial { low: 0, end, width: 1, limbs: SmallVec::from_slice(&[1]) }
    }

    getters! {
        self;
        /// Returns whether all known coefficients are 0.
        is_zero -> bool: self.limbs.is_empty();

        /// Returns the highest degree whose coefficient is known, or `None` if all are.
        limit -> Option<u32>: (self.end != UNLIMITED).then(|| self.end.saturating_sub(1));
    }

    /// Returns the coefficient of a degree, or `None` if it is above the
    /// [limit](Polynomial::limit).
    #[must_use]
    pub fn coefficient(&self, degree: u32) -> Option<Natural> {
        if degree >= self.end && self.end != UNLIMITED {
            return None;
        }
        let index = degree.checked_sub(self.low).map(|index| index as usize);
        let limbs = index.and_then(|index| self.limbs.chunks_exact(self.width).nth(index));
        Some(Natural::from_limbs(limbs.unwrap_or(&[])))
    }

    /// Returns the degrees whose coefficients are known and not 0, and these coefficients, from the
    /// lowest degree to the highest.
    pub fn terms(&self) -> impl Iterator<Item = (u32, Natural)> + '_ {
        let coefficients = self.limbs.chunks_exact(self.width).zip(self.low..);
        let terms = coefficients.filter(|(limbs, _)| limbs.iter().any(|&limb| limb != 0));
        terms.map(|(limbs, degree)| (degree, Natural::from_limbs(limbs)))
    }

    /// Returns the bytes of heap that the polynomial owns.
    pub(super) fn heap_bytes(&self) -> usize {
        if self.limbs.spilled() { heap_of(self.limbs.capacity()) } else { 0 }
    }

    /// Returns the number of stored coefficients.
    fn len(&self) -> usize {
        if self.width == 1 { self.limbs.len() } else { self.limbs.len() / self.width }
    }

    /// Drops the terms of degree `end` and above.
    pub(super) fn truncate(&mut self, end: u32) {
        if end >= self.end {
            return;
        }
        self.end = end;
        let len = self.len_below(end.saturating_sub(self.low) as usize);
        self.limbs.truncate(len * self.width);
    }

    /// Returns the number of coefficients up to the last one that is not 0 among the first `most`.
    fn len_below(&self, most: usize) -> usize {
        if most >= self.len() {
            return self.len();
        }
        let last = self.limbs[..most * self.width].iter().rposition(|&limb| limb != 0);
        last.map_or(0, |last| last / self.width + 1)
    }

    /// Returns the product with `x^degree`, of which the terms below degree `end` are known at
    /// most.
    pub(super) fn shifted(&self, degree: u32, end: u32) -> Result<Self, Overflow> {
        let mut product = Polynomial { low: 0, end, width: 1, limbs: SmallVec::new() };
        product.add_shifted(self, degree)?;
        Ok(product)
    }

    /// Adds the product of `other` and `x^degree`. Only those terms are known that are known in
    /// both.
    pub(super) fn add_shifted(&mut self, other: &Self, degree: u32) -> Result<(), Overflow> {
        self.truncate(other.end.saturating_add(degree));
        let Some(low) = other.low.checked_add(degree) else {
            return if self.end == UNLIMITED { Err(Overflow) } else { Ok(()) };
        };
        let len = other.len_below(self.end.saturating_sub(low) as usize);
        if self.end == UNLIMITED && len < other.len() {
            return Err(Overflow);
        }
        if len == 0 {
            return Ok(());
        }
        if self.is_zero() {
            let addend = &other.limbs[..len * other.width];
            let mut limbs = SmallVec::new();
            limbs.try_reserve_exact(addend.len()).map_err(|_| Overflow)?;
            limbs.extend_from_slice(addend);
            (self.low, self.width, self.limbs) = (low, other.width, limbs);
            return Ok(());
        }
        let (new_low, new_len) = self.range_with(self.len(), low, len);
        let new_len = usize::try_from(new_len).map_err(|_| Overflow)?;
        self.relayout(new_low, new_len, self.width.max(other.width))?;
        let start = (low - new_low) as usize;
        for (index, addend) in other.limbs.chunks_exact(other.width).take(len).enumerate() {
            let at = (start + index) * self.width;
            if add(&mut self.limbs[at..at + self.width], addend) {
                let width = self.width + 1;
                self.relayout(new_low, self.len(), width)?;
                self.limbs[(start + index) * width + width - 1] = 1;
            }
        }
        Ok(())
    }

    /// Returns the lowest degree and the number of coefficients from there on that are stored if
    /// `len` coefficients from `low` on are added to the first `own_len` of these.
    fn range_with(&self, own_len: usize, low: u32, len: usize) -> (u32, u64) {
        let end = u64::from(self.low) + own_len as u64;
        let end = end.max(u64::from(low) + len as u64);
        let low = low.min(self.low);
        (low, end - u64::from(low))
    }

    /// Returns an upper bound of the bytes of heap that [`add_shifted`](Polynomial::add_shifted)
    /// allocates while both polynomials exist: 0 if it is going to fail before it allocates.
    pub(super) fn heap_to_add_shifted(&self, other: &Self, degree: u32) -> usize {
        let Some(low) = other.low.checked_add(degree) else { return 0 };
        // Terms beyond the limit are dropped, and take no memory.
        let end = self.end.min(other.end.saturating_add(degree));
        let own_len = self.len().min(end.saturating_sub(self.low) as usize);
        let len = other.len().min(end.saturating_sub(low) as usize);
        if own_len == 0 || len == 0 {
            return other.heap_bytes();
        }
        let (new_low, new_len) = self.range_with(own_len, low, len);
        let width = self.width.max(other.width);
        let bytes_of = |width: usize| match usize::try_from(new_len) {
            Ok(len) => match len.checked_mul(width) {
                Some(limbs) if limbs <= MAX_WORDS => heap_of(limbs),
                _ => 0,
            },
            Err(_) => 0,
        };
        // First the range and the width of both, then one more limb for a carry. The coefficients
        // before the second step are freed only after it.
        let is_first_needed =
            (new_low, new_len, width) != (self.low, self.len() as u64, self.width);
        let first = if is_first_needed { bytes_of(width) } else { 0 };
        first.saturating_add(bytes_of(width + 1))
    }

    /// Stores `len` coefficients from degree `low` on, in `width` limbs each. All three only grow
    /// the range and the coefficients. Fails if they are more than [`MAX_WORDS`] limbs or do not
    /// fit into memory, because the degrees are too far apart.
    fn relayout(&mut self, low: u32, len: usize, width: usize) -> Result<(), Overflow> {
        if (low, len, width) == (self.low, self.len(), self.width) {
            return Ok(());
        }
        let offset = (self.low - low) as usize;
        // The exact capacity: coefficients are added now and then, and there are many polynomials.
        let mut limbs: SmallVec<[u64; INLINE]> = SmallVec::new();
        let size = len.checked_mul(width).filter(|&size| size <= MAX_WORDS).ok_or(Overflow)?;
        limbs.try_reserve_exact(size).map_err(|_| Overflow)?;
        limbs.resize(offset * width, 0);
        if width == self.width {
            limbs.extend_from_slice(&self.limbs);
        } else {
            for coefficient in self.limbs.chunks_exact(self.width) {
                limbs.extend_from_slice(coefficient);
                limbs.resize(limbs.len() + width - self.width, 0);
            }
        }
        limbs.resize(size, 0);
        (self.low, self.width, self.limbs) = (low, width, limbs);
        Ok(())
    }
}

/// Returns the bytes of heap of a polynomial of this many limbs.
fn heap_of(limbs: usize) -> usize {
    if limbs > INLINE { block_bytes(limbs * size_of::<u64>()) } else { 0 }
}

/// Adds a number to one of at least as many limbs, and returns whether the sum does not fit.
#[inline]
fn add(into: &mut [u64], addend: &[u64]) -> bool {
    let (low, high) = into.split_at_mut(addend.len());
    let mut carry = add_limbs(low, addend);
    for into in high {
        (*into, carry) = into.overflowing_add(u64::from(carry));
    }
    carry
}

impl PartialEq for Polynomial {
    /// Compares the known terms, and which terms are known.
    fn eq(&self, other: &Self) -> bool {
        self.end == other.end && self.terms().eq(other.terms())
    }
}

impl Eq for Polynomial {}

impl fmt::Display for Polynomial {
    /// Writes the terms, such as `1 + 5 x + 6 x^2 + O(x^3)`; the last one stands for those that are
    /// unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = self.terms().map(|(degree, number)| (false, number.to_string(), degree));
        write_terms(f, terms, " ")?;
        match self.end {
            UNLIMITED if self.is_zero() => f.write_str("0"),
            UNLIMITED => Ok(()),
            end if self.is_zero() => write!(f, "O(x^{end})"),
            end => write!(f, " + O(x^{end})"),
        }
    }
}

/// Writes a sum of terms, each given by whether it is negative, its absolute coefficient and its
/// degree. `times` separates a coefficient from a power of x.
pub(crate) fn write_terms(
    f: &mut fmt::Formatter<'_>,
    terms: impl Iterator<Item = (bool, String, u32)>,
    times: &str,
) -> fmt::Result {
    for (index, (is_negative, coefficient, degree)) in terms.enumerate() {
        f.write_str(match (is_negative, index) {
            (false, 0) => "",
            (false, _) => " + ",
            (true, 0) => "-",
            (true, _) => " - ",
        })?;
        match degree {
            0 => f.write_str(&coefficient)?,
            _ if coefficient == "1" => f.write_str("x")?,
            _ => write!(f, "{coefficient}{times}x")?,
        }
        if degree > 1 {
            write!(f, "^{degree}")?;
        }
    }
    Ok(())
}

impl fmt::Debug for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Polynomial({self})")
    }
}

#[cfg(feature = "serde")]
mod serde_impls {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    use super::{MAX_WORDS, Polynomial, SmallVec};

    impl Serialize for Polynomial {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            (self.low, self.end, self.width, &self.limbs[..]).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Polynomial {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let (low, end, width, limbs) =
                <(u32, u32, usize, Vec<u64>)>::deserialize(deserializer)?;
            let is_zero = |coefficient: &[u64]| coefficient.iter().all(|&limb| limb == 0);
            let is_valid = width > 0 && limbs.len() <= MAX_WORDS && limbs.len() % width == 0 && {
                let mut coefficients = limbs.chunks_exact(width);
                let end_of_terms = u64::from(low) + coefficients.len() as u64;
                limbs.is_empty()
                    || end_of_terms <= u64::from(end)
                        && !coefficients.next().is_some_and(is_zero)
                        && !coefficients.next_back().is_some_and(is_zero)
            };
            if !is_valid {
                return Err(D::Error::custom("found no polynomial: zeros at its ends or too long"));
            }
            Ok(Polynomial { low, end, width, limbs: SmallVec::from_vec(limbs) })
        }
    }
}

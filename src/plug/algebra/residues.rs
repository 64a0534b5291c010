//! Reconstructing a number from its remainders: [`Residues`].

use std::fmt;

use super::count::Modulo;
use super::count::multiply;
use super::natural::Natural;

/// A number known by its remainders modulo several others: the Chinese remainder theorem (Sunzi,
/// 3rd century; in this mixed-radix form, Garner, 1959).
///
/// [`Sweep::count_by_residues`](crate::plug::Sweep::count_by_residues) counts in this way; use this
/// type for remainders from elsewhere.
///
/// Remainders never bound a number: 7 modulo 10 may be 7, 17 or 27. The result is therefore either
/// [proven](Residues::at_most), by a bound that the caller knows, or only the
/// [least](Residues::least) number with these remainders. Further moduli that have
/// [confirmed](Residues::confirmations) it make it likely, but prove nothing.
///
/// ```
/// use secateurs::plug::algebra::{Natural, ResiduesError, Residues};
///
/// let mut residues = Residues::new();
/// for (modulus, residue) in [(3, 2), (5, 3), (7, 2)] {
///     residues.add(modulus, residue)?; // Sunzi's own numbers
/// }
/// assert_eq!(residues.least(), &Natural::from(23_u64));
/// assert_eq!(residues.at_most(&Natural::from(104_u64)), Some(&Natural::from(23_u64)));
/// assert_eq!(residues.at_most(&Natural::from(105_u64)), None);
/// assert_eq!(residues.confirmations(), 0);
/// residues.add(11, 1)?;
/// assert_eq!((residues.least(), residues.confirmations()), (&Natural::from(23_u64), 1));
/// # Ok::<(), ResiduesError>(())
/// ```
///
/// # Serialization
///
/// With the feature `serde`, the serialized form is the sequence of the moduli, each with its
/// remainder. They are [added](Residues::add) one by one when they are deserialized, with the same
/// errors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Pairs", into = "Pairs"))]
pub struct Residues {
    moduli: Vec<u64>,
    /// The least number with all these remainders.
    least: Natural,
    product: Natural,
    confirmations: usize,
}

impl Residues {
    /// Creates an empty set of remainders. Its least number is 0.
    #[must_use]
    pub fn new() -> Self {
        Residues {
            moduli: Vec::new(),
            least: Natural::from(0_u32),
            product: Natural::from(1_u32),
            confirmations: 0,
        }
    }

    /// Adds the remainder `residue` of the number modulo `modulus`. Takes time proportional to the
    /// number of moduli so far. The remainder modulo 1 is always 0 and changes nothing.
    ///
    /// # Errors
    /// Returns an error if the modulus is 0 or has a common factor with an earlier one, or if the
    /// remainder is not less than the modulus. The set is unchanged then.
    pub fn add(&mut self, modulus: u64, residue: u64) -> Result<(), ResiduesError> {
        if residue >= modulus {
            return Err(ResiduesError::NotARemainder { modulus, residue });
        }
        if let Some(&earlier) =
            self.moduli.iter().find(|&&earlier| greatest_common_divisor(earlier, modulus) > 1)
        {
            return Err(ResiduesError::CommonFactor { modulus, earlier });
        }
        // It is no evidence, so it must not count as a confirmation.
        if modulus == 1 {
            return Ok(());
        }
        let remainder = |number: &Natural| number.remainder(modulus).unwrap_or(0);
        let (least, product) = (remainder(&self.least), remainder(&self.product));
        // The least multiple of the product that leads to the new remainder is added (Garner).
        let missing = if residue >= least { residue - least } else { modulus - (least - residue) };
        let times = multiply(missing, inverse(product, modulus), modulus);
        self.confirmations = if times == 0 { self.confirmations + 1 } else { 0 };
        self.least += &(&self.product * &Natural::from(times));
        self.product *= &Natural::from(modulus);
        self.moduli.push(modulus);
        Ok(())
    }

    /// Adds the `N` remainders that a sweep with the algebra [`Modulo`] has counted, one for each
    /// of its moduli.
    ///
    /// # Errors
    /// Returns the errors of [`add`](Residues::add). The remainders before the refused one remain
    /// added.
    pub fn add_all<const N: usize>(
        &mut self,
        modulo: &Modulo<N>,
        residues: &[u64; N],
    ) -> Result<(), ResiduesError> {
        modulo
            .moduli()
            .iter()
            .zip(residues)
            .try_for_each(|(&modulus, &residue)| self.add(modulus, residue))
    }

    /// Returns the number if it is proven: if it is known to be at most `bound`, and the product of
    /// the moduli is greater than that. Returns `None` if the product is too small, or if no number
    /// up to the bound has these remainders: the bound is then wrong.
    #[must_use]
    pub fn at_most(&self, bound: &Natural) -> Option<&Natural> {
        (self.product > *bound && self.least <= *bound).then_some(&self.least)
    }

    /// Returns the least number with these remainders. All others are greater by a multiple of the
    /// [product](Residues::product) of the moduli.
    #[must_use]
    pub fn least(&self) -> &Natural {
        &self.least
    }

    /// Returns the moduli in the order in which they were added.
    pub(crate) fn moduli(&self) -> &[u64] {
        &self.moduli
    }

    /// Returns the product of the moduli.
    #[must_use]
    pub fn product(&self) -> &Natural {
        &self.product
    }

    /// Returns how many of the last moduli, not counting 1, have not changed the
    /// [least](Residues::least) number. If the true number were another one, a modulus near 2⁶³
    /// would leave the least number unchanged with a probability of about 1 in 2⁶³.
    #[must_use]
    pub fn confirmations(&self) -> usize {
        self.confirmations
    }
}

impl Default for Residues {
    fn default() -> Self {
        Self::new()
    }
}

/// The serialized form of [`Residues`]: moduli and remainders, in the order in which they were
/// added.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Pairs(Vec<(u64, u64)>);

#[cfg(feature = "serde")]
impl From<Residues> for Pairs {
    fn from(residues: Residues) -> Self {
        let Residues { moduli, least, .. } = residues;
        let pair = |modulus| Some((modulus, least.remainder(modulus)?));
        Pairs(moduli.into_iter().filter_map(pair).collect())
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Pairs> for Residues {
    type Error = ResiduesError;

    fn try_from(Pairs(pairs): Pairs) -> Result<Self, ResiduesError> {
        let mut residues = Residues::new();
        for (modulus, residue) in pairs {
            residues.add(modulus, residue)?;
        }
        Ok(residues)
    }
}

/// The error of a remainder that cannot be added to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResiduesError {
    /// The remainder is not less than the modulus.
    NotARemainder {
        /// The modulus.
        modulus: u64,
        /// The remainder.
        residue: u64,
    },
    /// Two moduli have a common factor.
    CommonFactor {
        /// The modulus.
        modulus: u64,
        /// The earlier modulus.
        earlier: u64,
    },
}

impl fmt::Display for ResiduesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotARemainder { modulus, residue } => {
                write!(f, "expected a remainder less than the modulus {modulus}, found {residue}")
            }
            Self::CommonFactor { modulus, earlier } => {
                write!(
                    f,
                    "expected a modulus without a factor in common with the earlier {earlier}, \
                     found {modulus}"
                )
            }
        }
    }
}

impl std::error::Error for ResiduesError {}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns the inverse of `number` modulo `modulus`, if they are coprime, by the extended Euclidean
/// algorithm.
fn inverse(number: u64, modulus: u64) -> u64 {
    let (mut remainders, mut factors) =
        ((i128::from(modulus), i128::from(number)), (0_i128, 1_i128));
    while remainders.1 > 0 {
        let quotient = remainders.0 / remainders.1;
        remainders = (remainders.1, remainders.0 - quotient * remainders.1);
        factors = (factors.1, factors.0 - quotient * factors.1);
    }
    factors.0.rem_euclid(i128::from(modulus)) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::count::large_primes;
    use super::*;

    proptest! {
        #[test]
        fn residues_determine_the_number(limbs: [u64; 4], spare in 0_usize..3) {
            let number = Natural::from(super::super::limbs::Limbs::from_limbs(limbs));
            let mut residues = Residues::new();
            for prime in large_primes().take(5 + spare) {
                residues.add(prime, number.remainder(prime).unwrap()).unwrap();
            }
            prop_assert_eq!(residues.at_most(&number), Some(&number));
            prop_assert!(residues.confirmations() >= spare);
            // The bound proves the number; a bound that is not below the product proves nothing.
            prop_assert_eq!(residues.at_most(residues.product()), None);
        }

        #[test]
        fn coprime_moduli_are_accepted(
            moduli in prop::collection::vec(1_u64..40, 1..6),
            number: u64,
        ) {
            let mut residues = Residues::new();
            let mut product = 1;
            for modulus in moduli {
                let coprime = greatest_common_divisor(product, modulus) == 1;
                prop_assert_eq!(residues.add(modulus, number % modulus).is_ok(), coprime);
                product *= if coprime { modulus } else { 1 };
            }
            prop_assert_eq!(residues.least(), &Natural::from(number % product));
        }
    }

    #[test]
    fn invalid_remainders_are_refused() {
        let mut residues = Residues::new();
        assert_eq!(
            residues.add(0, 0),
            Err(ResiduesError::NotARemainder { modulus: 0, residue: 0 })
        );
        assert_eq!(residues.add(u64::MAX, 7), Ok(()));
        assert_eq!(
            residues.add(15, 7),
            Err(ResiduesError::CommonFactor { modulus: 15, earlier: u64::MAX })
        );
        assert_eq!(residues.add(u64::MAX - 1, 9), Ok(()));
        assert_eq!(residues.least().remainder(u64::MAX), Some(7));
        assert_eq!(residues.least().remainder(u64::MAX - 1), Some(9));
        // A bound that is too low is detected.
        assert_eq!(residues.at_most(&Natural::from(6_u32)), None);
    }

    #[test]
    fn a_remainder_modulo_1_confirms_nothing() {
        let mut residues = Residues::new();
        residues.add(1, 0).unwrap();
        assert_eq!(residues.confirmations(), 0);
        residues.add(10, 7).unwrap();
        residues.add(3, 1).unwrap();
        let before = residues.clone();
        assert_eq!((residues.least(), residues.confirmations()), (&Natural::from(7_u32), 1));
        residues.add(1, 0).unwrap();
        assert_eq!(residues, before);
        assert_eq!(
            residues.add(1, 1),
            Err(ResiduesError::NotARemainder { modulus: 1, residue: 1 })
        );
    }

    #[cfg(feature = "serde")]
    proptest! {
        #[test]
        fn residues_round_trip(moduli in prop::collection::vec(1_u64..40, 0..6), number: u64) {
            let mut residues = Residues::new();
            for modulus in moduli {
                // A modulus with a common factor is refused.
                let _ = residues.add(modulus, number % modulus);
            }
            let bytes = postcard::to_allocvec(&residues).unwrap();
            prop_assert_eq!(postcard::from_bytes(&bytes), Ok(residues));
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn forged_residues_are_refused() {
        let read = |pairs: &[(u64, u64)]| {
            postcard::from_bytes::<Residues>(&postcard::to_allocvec(pairs).unwrap())
        };
        assert_eq!(read(&[(3, 2), (5, 3), (7, 2)]).unwrap().least(), &Natural::from(23_u32));
        let forged: [&[(u64, u64)]; 5] =
            [&[(0, 0)], &[(3, 3)], &[(5, u64::MAX)], &[(3, 1), (3, 1)], &[(4, 1), (7, 2), (6, 1)]];
        for pairs in forged {
            assert!(read(pairs).is_err(), "{pairs:?}");
        }
    }
}

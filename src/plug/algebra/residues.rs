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
        // It is no evidence, so it must not count as a confirmation.
        if modulus == 1 {
            return Ok(());
        }
        let Some(inverse) = self.product.inverse(modulus) else {
            let has_common_factor =
                |earlier: &u64| Natural::from(*earlier).inverse(modulus).is_none();
            let earlier = self.moduli.iter().copied().find(has_common_factor).unwrap_or(modulus);
            return Err(ResiduesError::CommonFactor { modulus, earlier });
        };
        let least = self.least.remainder(modulus).unwrap_or(0);
        // The least multiple of the product that leads to the new remainder is added (Garner).
        let missing = if residue >= least { residue - least } else { modulus - (least - residue) };
        let times = multiply(missing, inverse, modulus);
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

    getters! {
        self;
        /// Returns the product of the moduli.
        product -> &Natural: &self.product;

        /// Returns how many of the last moduli, not counting 1, have not changed the
        /// [least](Residues::least) number. If the true number were another one, a modulus near 2⁶³
        /// would leave the least number unchanged with a probability of about 1 in 2⁶³.
        confirmations -> usize: self.confirmations;
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

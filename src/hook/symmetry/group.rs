//! Permutations of (variable, value) pairs, and the groups that they generate.

use std::error::Error;
use std::fmt;

use rustc_hash::FxHashSet;

/// A permutation of the pairs of `variables` variables and `values` values, both counted from 0.
///
/// It maps the statement "variable v has value w" to its image under a symmetry of solutions. It
/// may exchange variables, values, or both at once: transposing a board turns "the queen of row r
/// is in column c" into "the queen of row c is in column r".
///
/// ```
/// use secateurs::hook::{Permutation, SymmetryError};
///
/// let transpose = Permutation::new(8, 8, |row, column| (column, row))?;
/// assert_eq!(transpose.apply(2, 5), (5, 2));
/// let squash = Permutation::new(8, 8, |row, column| (row, column / 2));
/// assert_eq!(squash, Err(SymmetryError::Twice { pair: (0, 0) }));
/// # Ok::<(), SymmetryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Permutation {
    variables: usize,
    values: usize,
    /// The code of the image of each pair, indexed by the code of the pair: variable × values +
    /// value.
    image: Vec<u32>,
}

impl Permutation {
    /// Creates the permutation that maps each pair to `image(variable, value)`. If variables have
    /// different numbers of values, use the largest number, and map the pairs that do not exist to
    /// themselves.
    ///
    /// Cost: time and memory proportional to the number of pairs.
    ///
    /// # Errors
    ///
    /// Returns [`SymmetryError::Outside`] if an image is no pair, [`SymmetryError::Twice`] if a
    /// pair is the image of two others, and [`SymmetryError::TooManyPairs`] if there are 2³² pairs
    /// or more.
    pub fn new(
        variables: usize,
        values: usize,
        mut image: impl FnMut(usize, usize) -> (usize, usize),
    ) -> Result<Self, SymmetryError> {
        let pairs = pairs(variables, values)?;
        let mut hit = vec![false; pairs];
        let mut codes = Vec::with_capacity(pairs);
        for variable in 0..variables {
            for value in 0..values {
                let pair = image(variable, value);
                if pair.0 >= variables || pair.1 >= values {
                    return Err(SymmetryError::Outside { pair, variables, values });
                }
                let code = pair.0 * values + pair.1;
                if std::mem::replace(&mut hit[code], true) {
                    return Err(SymmetryError::Twice { pair });
                }
                // Fits: codes are less than the number of pairs.
                codes.push(code as u32);
            }
        }
        Ok(Permutation { variables, values, image: codes })
    }

    /// Creates the permutation from the list of the images of (0, 0), (0, 1), …, (1, 0), and so on.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`new`](Self::new), and [`SymmetryError::Length`] if the list does not
    /// have one image per pair.
    pub fn from_images(
        variables: usize,
        values: usize,
        images: &[(usize, usize)],
    ) -> Result<Self, SymmetryError> {
        let expected = pairs(variables, values)?;
        if images.len() != expected {
            return Err(SymmetryError::Length { found: images.len(), expected });
        }
        Self::new(variables, values, |variable, value| images[variable * values + value])
    }

    /// Creates the identity.
    ///
    /// # Errors
    ///
    /// Returns [`SymmetryError::TooManyPairs`] if there are 2³² pairs or more.
    pub fn identity(variables: usize, values: usize) -> Result<Self, SymmetryError> {
        Self::new(variables, values, |variable, value| (variable, value))
    }

    /// Returns the image of a pair.
    ///
    /// # Panics
    ///
    /// Panics if there is no such pair.
    #[must_use]
    #[inline]
    pub fn apply(&self, variable: usize, value: usize) -> (usize, usize) {
        assert!(
            variable < self.variables && value < self.values,
            "there is no pair ({variable}, {value}) of {} variables and {} values",
            self.variables,
            self.values
        );
        let code = self.image[variable * self.values + value] as usize;
        (code / self.values, code % self.values)
    }

    /// Returns the permutation that applies `self` and then `next`, which must be of the same size.
    fn then(&self, next: &Permutation) -> Permutation {
        let image = self.image.iter().map(|&code| next.image[code as usize]).collect();
        Permutation { variables: self.variables, values: self.values, image }
    }
}

/// Returns the number of pairs, or an error if a code does not fit into 32 bits.
fn pairs(variables: usize, values: usize) -> Result<usize, SymmetryError> {
    match variables.checked_mul(values) {
        Some(pairs) if u32::try_from(pairs).is_ok() => Ok(pairs),
        _ => Err(SymmetryError::TooManyPairs { variables, values }),
    }
}

/// A group of permutations of (variable, value) pairs.
///
/// ```
/// use secateurs::hook::{Permutation, SymmetryError, SymmetryGroup};
///
/// let turn = Permutation::new(5, 5, |row, column| (column, 4 - row))?;
/// let flip = Permutation::new(5, 5, |row, column| (row, 4 - column))?;
/// let square = SymmetryGroup::generate(5, 5, &[turn, flip], 100)?;
/// assert_eq!(square.order(), 8);
/// # Ok::<(), SymmetryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymmetryGroup {
    variables: usize,
    values: usize,
    /// All elements but the identity.
    others: Vec<Permutation>,
}

impl SymmetryGroup {
    /// Creates the group that `generators` generate: all compositions of them. (These include the
    /// inverses, because some power of each permutation is its inverse.)
    ///
    /// Cost: time proportional to the product of the order of the group, the number of generators
    /// and the number of pairs. Memory: four bytes per element and pair, and twice as much during
    /// the call.
    ///
    /// # Errors
    ///
    /// Returns [`SymmetryError::Size`] if a generator has other numbers of variables or values,
    /// [`SymmetryError::TooLarge`] if the group has more than `limit` elements, and
    /// [`SymmetryError::TooManyPairs`] if there are 2³² pairs or more.
    pub fn generate(
        variables: usize,
        values: usize,
        generators: &[Permutation],
        limit: usize,
    ) -> Result<Self, SymmetryError> {
        for generator in generators {
            if (generator.variables, generator.values) != (variables, values) {
                return Err(SymmetryError::Size {
                    found: (generator.variables, generator.values),
                    expected: (variables, values),
                });
            }
        }
        let mut elements = vec![Permutation::identity(variables, values)?];
        let mut known: FxHashSet<Permutation> = elements.iter().cloned().collect();
        let mut next = 0;
        while next < elements.len() {
            if elements.len() > limit {
                return Err(SymmetryError::TooLarge { limit });
            }
            for generator in generators {
                let product = elements[next].then(generator);
                if known.insert(product.clone()) {
                    elements.push(product);
                }
            }
            next += 1;
        }
        elements.remove(0);
        Ok(SymmetryGroup { variables, values, others: elements })
    }

    getters! {
        self;
        /// Returns the number of elements, the identity included.
        order -> usize: self.others.len() + 1;
        /// Returns the number of variables.
        variables -> usize: self.variables;
        /// Returns the number of values.
        values -> usize: self.values;
        /// Returns the elements other than the identity, in the order in which they were generated.
        others -> &[Permutation]: &self.others;
    }
}

/// An invalid permutation or group. Pairs consist of a variable and a value, both counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymmetryError {
    /// An image is not among the pairs.
    Outside {
        /// The image.
        pair: (usize, usize),
        /// The number of variables.
        variables: usize,
        /// The number of values.
        values: usize,
    },
    /// Two pairs have the same image: not a permutation.
    Twice {
        /// The image.
        pair: (usize, usize),
    },
    /// A list of images is too short or too long.
    Length {
        /// The number of images.
        found: usize,
        /// The number of pairs.
        expected: usize,
    },
    /// A permutation has other numbers of variables and values than its group.
    Size {
        /// Variables and values of the permutation.
        found: (usize, usize),
        /// Variables and values of the group.
        expected: (usize, usize),
    },
    /// The group has more elements than the limit allows.
    TooLarge {
        /// The largest number of elements.
        limit: usize,
    },
    /// There are 2³² pairs or more.
    TooManyPairs {
        /// The number of variables.
        variables: usize,
        /// The number of values.
        values: usize,
    },
}

impl fmt::Display for SymmetryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymmetryError::Outside { pair, variables, values } => {
                write!(
                    f,
                    "found the image {pair:?}, expected a variable below {variables} and a value \
                     below {values}"
                )
            }
            SymmetryError::Twice { pair } => {
                write!(f, "found {pair:?} as the image of two pairs, expected a permutation")
            }
            SymmetryError::Length { found, expected } => {
                write!(f, "found a list of {found} images, expected {expected}, one per pair")
            }
            SymmetryError::Size { found, expected } => write!(
                f,
                "found a permutation of {} variables and {} values, expected {} and {}",
                found.0, found.1, expected.0, expected.1
            ),
            SymmetryError::TooLarge { limit } => {
                write!(f, "found a group of more than {limit} elements, expected at most {limit}")
            }
            SymmetryError::TooManyPairs { variables, values } => {
                write!(
                    f,
                    "found {variables} variables of {values} values, expected fewer than 2^32 pairs"
                )
            }
        }
    }
}

impl Error for SymmetryError {}

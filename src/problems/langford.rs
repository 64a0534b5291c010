//! Langford pairs: twice the numbers 1 to n in a row, such that between the two k there are k others.
//!
//! C. Dudley Langford saw his son make such a row of coloured blocks, 3 1 2 1 3 2, and asked for others (1958). There are
//! some exactly if n or n + 1 is a multiple of 4 (Davies 1959); how many is known to n = 28, by searching (sequence A014552
//! of the OEIS, which takes a row and its reversal for one).
//!
//! As an exact cover, the numbers and the places are items, and an option puts a number into two places.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::problems::langford::Langford;
//!
//! let langford = Langford::new(7)?;
//! let pairs = langford.cover();
//! let outcome = Search::new(pairs.cover()).hooks((pairs.reversal(),)).count();
//! assert_eq!((outcome.representatives(), outcome.exact()), (Some(26), Some(52)));
//!
//! let pairs = Langford::new(3)?.cover();
//! let outcome = Search::new(pairs.cover()).first();
//! assert_eq!(outcome.solution().map(|options| pairs.row(options)), Some(vec![3, 1, 2, 1, 3, 2]));
//! # Ok::<(), secateurs::problems::langford::LangfordError>(())
//! ```

use std::error::Error;
use std::fmt;

use crate::cover::{Cover, CoverBuilder, CoverError, Representatives};
use crate::hook::Hook;

/// The problem of pairing the numbers 1 to n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Langford {
    numbers: usize,
}

impl Langford {
    /// The largest n. (There are about n² options.)
    pub const MAX_NUMBERS: usize = 1000;

    /// Pairs of the numbers 1 to `numbers`. There is one row of no numbers.
    ///
    /// # Errors
    ///
    /// If there are more than [`MAX_NUMBERS`](Self::MAX_NUMBERS).
    pub fn new(numbers: usize) -> Result<Self, LangfordError> {
        if numbers > Self::MAX_NUMBERS {
            return Err(LangfordError::TooMany { numbers, most: Self::MAX_NUMBERS });
        }
        Ok(Langford { numbers })
    }

    /// The largest number, n.
    #[must_use]
    pub fn numbers(self) -> usize {
        self.numbers
    }

    /// Whether this row of 2n numbers is as asked: every number is in it twice, k others between the two k.
    #[must_use]
    pub fn is_solution(self, row: &[usize]) -> bool {
        let is_pair = |number| {
            let places: Vec<usize> = (0..row.len()).filter(|&place| row[place] == number).collect();
            matches!(places[..], [first, second] if second - first == number + 1)
        };
        row.len() == 2 * self.numbers && (1..=self.numbers).all(is_pair)
    }

    /// The problem as an exact cover.
    #[must_use]
    pub fn cover(self) -> LangfordCover {
        let pairs: Vec<(usize, usize)> = (1..=self.numbers)
            .flat_map(|number| (0..(2 * self.numbers).saturating_sub(number + 1)).map(move |first| (number, first)))
            .collect();
        match build(self.numbers, &pairs) {
            Ok(cover) => LangfordCover { langford: self, cover, pairs },
            Err(error) => unreachable!("numbers and places have names of their own, and there are few: {error}"),
        }
    }
}

fn build(numbers: usize, pairs: &[(usize, usize)]) -> Result<Cover, CoverError> {
    let mut builder = CoverBuilder::new();
    for number in 1..=numbers {
        builder.primary(&number.to_string())?;
    }
    for place in 1..=2 * numbers {
        builder.primary(&format!("s{place}"))?;
    }
    for &(number, first) in pairs {
        let second = first + number + 1;
        builder.option_of([number - 1, numbers + first, numbers + second].map(|item| (item, None)))?;
    }
    Ok(builder.build())
}

/// Langford pairs as an exact cover: what [`Langford::cover`] gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LangfordCover {
    langford: Langford,
    cover: Cover,
    /// The number of each option, and the first of its two places, from 0.
    pairs: Vec<(usize, usize)>,
}

impl LangfordCover {
    /// The cover, to be searched.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The row that these options make, with a 0 in places that they leave open.
    ///
    /// # Panics
    ///
    /// If there is no option of one of these numbers.
    #[must_use]
    pub fn row(&self, options: &[usize]) -> Vec<usize> {
        let mut row = vec![0; 2 * self.langford.numbers];
        for &option in options {
            let (number, first) = self.pairs[option];
            row[first] = number;
            row[first + number + 1] = number;
        }
        row
    }

    /// A hook that finds one of each row and its reversal, and counts it twice.
    ///
    /// The first of two like numbers stays in the left half: of the largest odd number, whose pair is never its own
    /// mirror image (as Knuth does it: 2022, 7.2.2.1, exercise 15).
    #[must_use]
    pub fn reversal(&self) -> impl Hook<Cover> + fmt::Debug + '_ {
        let numbers = self.langford.numbers;
        let special = numbers - usize::from(numbers.is_multiple_of(2) && numbers > 0);
        Representatives::new("reversal", move |_, option| {
            let (number, first) = self.pairs[option];
            let mirrored = 2 * numbers - 1 - (first + number + 1);
            match number == special {
                true if first < mirrored => 2,
                true => 0,
                false => 1,
            }
        })
    }
}

/// What is wrong with a problem of Langford pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LangfordError {
    /// There are more numbers than there may be.
    TooMany {
        /// The number asked for.
        numbers: usize,
        /// The most that there may be.
        most: usize,
    },
}

impl fmt::Display for LangfordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LangfordError::TooMany { numbers, most } => {
                write!(f, "found {numbers} numbers to be paired, expected at most {most}")
            }
        }
    }
}

impl Error for LangfordError {}

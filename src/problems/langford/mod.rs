//! Langford pairs: twice the numbers 1 to n in a row, such that between the two k there are k
//! others.
//!
//! C. Dudley Langford saw his son make such a row of coloured blocks, 3 1 2 1 3 2, and asked for
//! others (1958). There are some exactly if n or n + 1 is a multiple of 4 (Davies 1959); how many
//! is known to n = 28, by searching (sequence A014552 of the OEIS, which takes a row and its
//! reversal for one).
//!
//! As an [exact cover](Langford::cover), the numbers and the places are items, and an option puts a
//! number into two places. As a [network](Langford::network), the variable of a number is the first
//! of its places, and one all-different constraint says everything. The cover branches on places as
//! well as on numbers: for eleven numbers up to reversal, it takes 223,510 nodes, the network
//! 405,515 with forward checking and 117,839 with arc consistency, all three in about the same
//! time.
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

mod cover;
mod network;

use std::error::Error;
use std::fmt;

pub use cover::LangfordCover;
pub use network::{LangfordNetwork, Reversal};

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

    /// Whether this row of 2n numbers is as asked: every number is in it twice, k others between
    /// the two k.
    #[must_use]
    pub fn is_solution(self, row: &[usize]) -> bool {
        let is_pair = |number| {
            let places: Vec<usize> = (0..row.len()).filter(|&place| row[place] == number).collect();
            matches!(places[..], [first, second] if second - first == number + 1)
        };
        row.len() == 2 * self.numbers && (1..=self.numbers).all(is_pair)
    }

    /// Where the first of two like numbers may be, from 0.
    fn firsts(self, number: usize) -> std::ops::Range<usize> {
        0..(2 * self.numbers).saturating_sub(number + 1)
    }

    /// The largest odd number, whose pair is never its own mirror image, so that it tells a row
    /// from its reversal (Knuth 2022, 7.2.2.1, exercise 15). 0 if there is none.
    fn special(self) -> usize {
        self.numbers - usize::from(self.numbers.is_multiple_of(2) && self.numbers > 0)
    }

    /// Where the first of two like numbers is in the reversed row.
    fn mirrored(self, number: usize, first: usize) -> usize {
        2 * self.numbers - 1 - (first + number + 1)
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

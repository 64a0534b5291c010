//! A set of numbered prunings, for switching them on and off at run time.

use std::fmt;
use std::str::FromStr;

use secateurs::ParseError;

/// A set of the prunings 1 to `MOST`. A `MOST` of more than 15 does not compile.
///
/// ```
/// use secateurs_problems::Selection;
///
/// type Prunings = Selection<10>;
/// let prunings: Prunings = "1-3,5".parse()?;
/// assert_eq!(prunings.iter().collect::<Vec<_>>(), [1, 2, 3, 5]);
/// assert_eq!(prunings.to_string(), "1-3,5");
/// assert_eq!("all".parse(), Ok(Prunings::ALL));
/// assert!("0-4".parse::<Prunings>().is_err());
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selection<const MOST: usize>(u16);

impl<const MOST: usize> Selection<MOST> {
    /// The empty set.
    pub const NONE: Self = {
        assert!(MOST <= 15, "a selection has at most 15 prunings");
        Selection(0)
    };
    /// The set of all prunings.
    pub const ALL: Self = Selection(u16::MAX >> (15 - MOST) & !1);

    /// Creates the set of the given numbers. Numbers outside 1 to `MOST` are ignored.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = usize>) -> Self {
        let known = numbers.into_iter().filter(|number| (1..=MOST).contains(number));
        Selection(known.fold(Self::NONE.0, |set, number| set | 1 << number))
    }

    /// Returns whether the set contains the pruning of this number.
    #[must_use]
    pub fn contains(self, number: usize) -> bool {
        number <= MOST && self.0 & 1 << number != 0
    }

    /// Returns the numbers in the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (1..=MOST).filter(move |&number| self.contains(number))
    }
}

impl<const MOST: usize> Default for Selection<MOST> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<const MOST: usize> fmt::Display for Selection<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return f.pad("none");
        }
        let mut parts = Vec::new();
        let mut number = 1;
        while number <= MOST {
            let first = number;
            while self.contains(number) {
                number += 1;
            }
            match number - first {
                0 => number += 1,
                1 => parts.push(first.to_string()),
                _ => parts.push(format!("{first}-{}", number - 1)),
            }
        }
        f.pad(&parts.join(","))
    }
}

impl<const MOST: usize> FromStr for Selection<MOST> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim() {
            "all" => return Ok(Self::ALL),
            "none" => return Ok(Self::NONE),
            _ => {}
        }
        let mut set = 0;
        for part in text.split(',') {
            let part = part.trim();
            let error = || {
                ParseError::new(format_args!(
                    "found {part:?}, expected `all`, `none`, or numbers from 1 to {MOST} \
                     such as `1` or `1-{MOST}`"
                ))
            };
            // `str::parse` would also accept a sign.
            let number = |word: &str| {
                (1..=MOST).find(|known| known.to_string() == word.trim()).ok_or_else(error)
            };
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(error());
            }
            for number in first..=last {
                set |= 1 << number;
            }
        }
        Ok(Selection(set))
    }
}

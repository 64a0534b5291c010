//! A choice among the ten prunings, for switching them on and off at run time.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A set of the prunings 1 to 10.
///
/// ```
/// use secateurs::problems::fire_net::Prunings;
///
/// let prunings: Prunings = "1-3,5".parse()?;
/// assert_eq!(prunings.iter().collect::<Vec<_>>(), [1, 2, 3, 5]);
/// assert_eq!(prunings.to_string(), "1-3,5");
/// assert_eq!("all".parse(), Ok(Prunings::ALL));
/// assert!("0-4".parse::<Prunings>().is_err());
/// # Ok::<(), secateurs::problems::fire_net::ParsePruningsError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prunings(u16);

impl Prunings {
    /// None of them.
    pub const NONE: Prunings = Prunings(0);
    /// All ten.
    pub const ALL: Prunings = Prunings(0b111_1111_1110);

    /// Those of the given numbers; numbers that no pruning has are left out.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = usize>) -> Self {
        let known = numbers.into_iter().filter(|number| (1..=10).contains(number));
        Prunings(known.fold(0, |set, number| set | 1 << number))
    }

    /// Whether the pruning of this number is among them.
    #[must_use]
    pub fn contains(self, number: usize) -> bool {
        number <= 10 && self.0 & 1 << number != 0
    }

    /// Their numbers, in increasing order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (1..=10).filter(move |&number| self.contains(number))
    }
}

impl fmt::Display for Prunings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Prunings::NONE {
            return f.pad("none");
        }
        let mut parts = Vec::new();
        let mut number = 1;
        while number <= 10 {
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

impl FromStr for Prunings {
    type Err = ParsePruningsError;

    fn from_str(text: &str) -> Result<Prunings, ParsePruningsError> {
        match text.trim() {
            "all" => return Ok(Prunings::ALL),
            "none" => return Ok(Prunings::NONE),
            _ => {}
        }
        let mut set = 0;
        for part in text.split(',') {
            let part = part.trim();
            let error = || ParsePruningsError { found: part.to_owned() };
            // Not `parse`, which would take a sign, too.
            let number = |word: &str| (1..=10u16).find(|known| known.to_string() == word.trim()).ok_or_else(error);
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(error());
            }
            for number in first..=last {
                set |= 1 << number;
            }
        }
        Ok(Prunings(set))
    }
}

/// What was given does not say which prunings are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePruningsError {
    found: String,
}

impl fmt::Display for ParsePruningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {:?}, expected `all`, `none`, or numbers from 1 to 10 such as `1-5` or `1,2,5`", self.found)
    }
}

impl Error for ParsePruningsError {}

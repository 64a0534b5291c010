//! What is wrong with an item or an option.

use std::error::Error;
use std::fmt;

/// Why an item or an option cannot be added to a cover. Options are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CoverError {
    /// A name of an item or of a colour is empty, or has a character in it that separates names in
    /// texts.
    Name {
        /// The name.
        name: String,
        /// White space, `:` or `|`; `None` if the name is empty.
        found: Option<char>,
    },
    /// There is an item of this name already.
    SecondItem {
        /// The name.
        name: String,
    },
    /// An option names an item that there is not.
    UnknownItem {
        /// The option, if it is one that names it.
        option: Option<usize>,
        /// The name, or the number that was given in place of a name.
        name: String,
    },
    /// An item is in an option twice.
    Twice {
        /// The option.
        option: usize,
        /// The name of the item.
        name: String,
    },
    /// A primary item is given a colour.
    ColouredPrimary {
        /// The option.
        option: usize,
        /// The name of the item.
        name: String,
        /// The colour.
        colour: String,
    },
    /// An option has no items.
    EmptyOption {
        /// The option.
        option: usize,
    },
    /// There are more items, options or members of options than can be numbered.
    TooLarge {
        /// What there are too many of.
        what: &'static str,
        /// The most that there may be.
        most: usize,
    },
}

impl CoverError {
    /// The number of the option that is wrong, if it is an option.
    #[must_use]
    pub fn option(&self) -> Option<usize> {
        match *self {
            CoverError::UnknownItem { option, .. } => option,
            CoverError::Twice { option, .. }
            | CoverError::ColouredPrimary { option, .. }
            | CoverError::EmptyOption { option } => Some(option),
            CoverError::Name { .. }
            | CoverError::SecondItem { .. }
            | CoverError::TooLarge { .. } => None,
        }
    }

    /// What is wrong, for a message that says in other words where.
    pub(super) fn without_option(&self) -> impl fmt::Display {
        What(self)
    }
}

struct What<'e>(&'e CoverError);

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            CoverError::Name { name, found: Some(found) } => {
                write!(
                    f,
                    "found {found:?} in the name {name:?}, expected no white space, ':' or '|' in a name"
                )
            }
            CoverError::Name { found: None, .. } => {
                write!(f, "found an empty name, expected one character at least")
            }
            CoverError::SecondItem { name } => {
                write!(f, "found a second item {name:?}, expected items of different names")
            }
            CoverError::UnknownItem { name, .. } => {
                write!(f, "found {name:?}, expected the name of an item")
            }
            CoverError::Twice { name, .. } => {
                write!(
                    f,
                    "found the item {name:?} for the second time, expected it once in an option"
                )
            }
            CoverError::ColouredPrimary { name, colour, .. } => write!(
                f,
                "found the colour {colour:?} of the primary item {name:?}, expected colours of secondary items only"
            ),
            CoverError::EmptyOption { .. } => {
                write!(f, "found an option without items, expected one at least")
            }
            CoverError::TooLarge { what, most } => {
                write!(f, "found more {what} than expected: at most {most}")
            }
        }
    }
}

impl fmt::Display for CoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.option() {
            Some(option) => write!(f, "option {option}: {}", self.without_option()),
            None => self.without_option().fmt(f),
        }
    }
}

impl Error for CoverError {}

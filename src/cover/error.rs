//! Errors of items and options that cannot be added to a cover.

use std::error::Error;
use std::fmt;

/// An item or an option that cannot be added to a cover. Options are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CoverError {
    /// The name of an item or of a colour is empty, or contains a separator of the text format.
    Name {
        /// The name.
        name: String,
        /// White space, `:` or `|`; `None` if the name is empty.
        found: Option<char>,
    },
    /// An item of this name exists already.
    SecondItem {
        /// The name.
        name: String,
    },
    /// An option names an item that does not exist.
    UnknownItem {
        /// The option, if an option names the item.
        option: Option<usize>,
        /// The name of the item, or its number if the option was given by numbers.
        name: String,
    },
    /// An option contains an item twice.
    Twice {
        /// The option.
        option: usize,
        /// The name of the item.
        name: String,
    },
    /// An option gives a colour to a primary item.
    ColouredPrimary {
        /// The option.
        option: usize,
        /// The name of the item.
        name: String,
        /// The name of the colour.
        colour: String,
    },
    /// An option has no items.
    EmptyOption {
        /// The option.
        option: usize,
    },
    /// The number of items, options or members of options exceeds the limit.
    TooLarge {
        /// The plural of the things of which there are too many.
        what: &'static str,
        /// The largest number allowed.
        most: usize,
    },
}

impl CoverError {
    /// Returns the number of the faulty option, if the error is about an option.
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

    /// Displays the error without the number of the option, for messages that give another
    /// position.
    pub(super) fn without_option(&self) -> impl fmt::Display {
        WithoutOption(self)
    }
}

struct WithoutOption<'e>(&'e CoverError);

impl fmt::Display for WithoutOption<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            CoverError::Name { name, found: Some(found) } => write!(
                f,
                "found {found:?} in the name {name:?}, expected a name without white space, ':' \
                 and '|'"
            ),
            CoverError::Name { found: None, .. } => {
                write!(f, "found an empty name, expected at least one character")
            }
            CoverError::SecondItem { name } => {
                write!(f, "found a second item {name:?}, expected items with different names")
            }
            CoverError::UnknownItem { name, .. } => {
                write!(f, "found {name:?}, expected the name of an item")
            }
            CoverError::Twice { name, .. } => {
                write!(f, "found the item {name:?} twice, expected it at most once in an option")
            }
            CoverError::ColouredPrimary { name, colour, .. } => write!(
                f,
                "found the colour {colour:?} of the primary item {name:?}, expected colours of \
                 secondary items only"
            ),
            CoverError::EmptyOption { .. } => {
                write!(f, "found an option without items, expected at least one")
            }
            CoverError::TooLarge { what, most } => {
                write!(f, "found too many {what}, expected at most {most}")
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

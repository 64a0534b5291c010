//! Building covers: [`CoverBuilder`], and the errors of items and options that cannot be added.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;

use super::Cover;
use super::tables::{NO_COLOUR, StoredMember, Tables};

/// The largest number of items, of options and of members of options: they fit into 32 bits, and
/// the number of options of an item stays below `COVERED`, which marks covered items in the tables.
const MAX_COUNT: usize = 1 << 28;

/// A builder that collects items and options and makes a [`Cover`] of them.
///
/// A method that fails returns a [`CoverError`] and leaves the builder unchanged. A panic
/// of an iterator that is passed to a method leaves it unchanged as well.
///
/// ```
/// use secateurs::Search;
/// use secateurs_cover::{Cover, CoverError};
///
/// // Knuth's example of colours.
/// let mut builder = Cover::builder();
/// for name in ["p", "q", "r"] {
///     builder.primary(name)?;
/// }
/// for name in ["x", "y"] {
///     builder.secondary(name)?;
/// }
/// builder.option(["p", "q", "x", "y:A"])?;
/// builder.option(["p", "r", "x:A", "y"])?;
/// builder.option(["p", "x:B"])?;
/// builder.option(["q", "x:A"])?;
/// builder.option(["r", "y:B"])?;
/// let cover = builder.build();
///
/// let outcome = Search::new(&cover).count();
/// assert_eq!(outcome.exact(), Some(1)); // options 1 and 3: both give x the colour A
/// assert!(cover.is_solution(&[1, 3]));
/// # Ok::<(), CoverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoverBuilder {
    names: Vec<Box<str>>,
    is_primary: Vec<bool>,
    is_preferred: Vec<bool>,
    numbers: HashMap<Box<str>, u32>,
    colours: Vec<Box<str>>,
    colour_numbers: HashMap<Box<str>, u32>,
    starts: Vec<u32>,
    members: Vec<StoredMember>,
    /// For each item, the number of the last option that contains it, plus one.
    last: Vec<u32>,
}

impl Cover {
    /// Creates an empty builder.
    #[must_use]
    pub fn builder() -> CoverBuilder {
        CoverBuilder::new()
    }
}

impl CoverBuilder {
    /// Creates a builder without items and options.
    #[must_use]
    pub fn new() -> Self {
        CoverBuilder {
            names: Vec::new(),
            is_primary: Vec::new(),
            is_preferred: Vec::new(),
            numbers: HashMap::new(),
            colours: Vec::new(),
            colour_numbers: HashMap::new(),
            // Each option has a start, and the last one an end.
            starts: vec![0],
            members: Vec::new(),
            last: Vec::new(),
        }
    }

    /// Adds a primary item, which must be covered exactly once, and returns its number.
    ///
    /// # Errors
    ///
    /// [`CoverError::Name`], [`CoverError::SecondItem`] and [`CoverError::TooLarge`].
    pub fn primary(&mut self, name: &str) -> Result<usize, CoverError> {
        self.item(name, true)
    }

    /// Adds a secondary item, which may be covered at most once, or several times in one colour,
    /// and returns its number.
    ///
    /// # Errors
    ///
    /// The same as of [`primary`](Self::primary).
    pub fn secondary(&mut self, name: &str) -> Result<usize, CoverError> {
        self.item(name, false)
    }

    fn item(&mut self, name: &str, is_primary: bool) -> Result<usize, CoverError> {
        check_name(None, name)?;
        check_room(None, "items", self.names.len())?;
        if self.numbers.contains_key(name) {
            return Err(CoverError::SecondItem { name: name.to_owned() });
        }
        let number = self.names.len();
        self.numbers.insert(name.into(), number as u32);
        self.names.push(name.into());
        self.is_primary.push(is_primary);
        self.is_preferred.push(false);
        self.last.push(0);
        Ok(number)
    }

    /// Prefers a primary item: the search branches on a preferred item as long as one is not
    /// covered, unless some item has a single option left. This is Knuth's sharp preference; see
    /// [`prefer_marked`](Self::prefer_marked). Preferring a secondary item has no effect.
    ///
    /// # Errors
    ///
    /// [`CoverError::UnknownItem`].
    pub fn prefer(&mut self, name: &str) -> Result<&mut Self, CoverError> {
        let unknown = || CoverError::UnknownItem { option: None, name: name.to_owned() };
        let item = *self.numbers.get(name).ok_or_else(unknown)? as usize;
        self.is_preferred[item] = self.is_primary[item];
        Ok(self)
    }

    /// [Prefers](Self::prefer) all primary items whose names begin with `#`, as Knuth's programs
    /// do.
    pub fn prefer_marked(&mut self) -> &mut Self {
        let items = self.is_primary.iter().zip(&self.names);
        for (preferred, (&is_primary, name)) in self.is_preferred.iter_mut().zip(items) {
            *preferred |= is_primary && name.starts_with('#');
        }
        self
    }

    /// Adds an option, given by the names of its items, or by `name:colour` for an item with a
    /// colour, and returns its number.
    ///
    /// # Errors
    ///
    /// Any [`CoverError`] except [`CoverError::SecondItem`]. [`CoverError::Name`] is about the name
    /// of a colour.
    pub fn option<I>(&mut self, members: I) -> Result<usize, CoverError>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        self.add_option(|builder| {
            for member in members {
                let (name, colour) = match member.as_ref().split_once(':') {
                    Some((name, colour)) => (name, Some(colour)),
                    None => (member.as_ref(), None),
                };
                let unknown = || CoverError::UnknownItem {
                    option: Some(builder.options()),
                    name: name.to_owned(),
                };
                let item = *builder.numbers.get(name).ok_or_else(unknown)?;
                builder.member(item, colour)?;
            }
            Ok(())
        })
    }

    /// Adds an option, given by the numbers of its items and the names of their colours, and
    /// returns its number. This is faster than [`option`](Self::option).
    ///
    /// # Errors
    ///
    /// The same as of [`option`](Self::option).
    pub fn option_of<'a, I>(&mut self, members: I) -> Result<usize, CoverError>
    where
        I: IntoIterator<Item = (usize, Option<&'a str>)>,
    {
        self.add_option(|builder| {
            for (item, colour) in members {
                if item >= builder.names.len() {
                    return Err(CoverError::UnknownItem {
                        option: Some(builder.options()),
                        name: item.to_string(),
                    });
                }
                builder.member(item as u32, colour)?;
            }
            Ok(())
        })
    }

    /// Returns the number of options added so far.
    #[must_use]
    pub fn options(&self) -> usize {
        self.starts.len() - 1
    }

    /// Builds the cover, in time and memory linear in the number of items and of members of
    /// options.
    #[must_use]
    pub fn build(self) -> Cover {
        // The tables need memory themselves.
        drop((self.numbers, self.last));
        let tables = Tables::new(&self.is_primary, &self.is_preferred, &self.starts, &self.members);
        Cover {
            names: self.names,
            is_primary: self.is_primary,
            colours: self.colours,
            starts: self.starts,
            members: self.members,
            tables,
        }
    }

    /// Adds the option whose members `add` adds, or nothing if that fails or panics.
    fn add_option(
        &mut self,
        add: impl FnOnce(&mut Self) -> Result<(), CoverError>,
    ) -> Result<usize, CoverError> {
        let option = self.options();
        check_room(Some(option), "options", option)?;
        let unfinished = UnfinishedOption { old_colours: self.colours.len(), builder: self };
        add(unfinished.builder)?;
        unfinished.finish()
    }

    /// Adds a member to the current option.
    fn member(&mut self, item: u32, colour: Option<&str>) -> Result<(), CoverError> {
        let (option, index) = (self.options(), item as usize);
        let name = || self.names[index].to_string();
        check_room(Some(option), "members of options", self.members.len())?;
        if self.last[index] == option as u32 + 1 {
            return Err(CoverError::Twice { option, name: name() });
        }
        let colour = match colour {
            None => NO_COLOUR,
            Some(colour) if self.is_primary[index] => {
                return Err(CoverError::ColouredPrimary {
                    option,
                    name: name(),
                    colour: colour.to_owned(),
                });
            }
            Some(colour) => self.colour(colour)?,
        };
        self.last[index] = option as u32 + 1;
        self.members.push(StoredMember { item, colour });
        Ok(())
    }

    /// Returns the number of a colour of the current option, which may be new.
    fn colour(&mut self, name: &str) -> Result<u32, CoverError> {
        if let Some(&number) = self.colour_numbers.get(name) {
            return Ok(number);
        }
        check_name(Some(self.options()), name)?;
        self.colours.push(name.into());
        let number = self.colours.len() as u32;
        self.colour_numbers.insert(name.into(), number);
        Ok(number)
    }
}

impl Default for CoverBuilder {
    fn default() -> Self {
        CoverBuilder::new()
    }
}

/// An option that is being added. When it is dropped without being finished, because of an error or
/// a panic of the caller's iterator, its members and new colours are removed again.
struct UnfinishedOption<'b> {
    builder: &'b mut CoverBuilder,
    /// The number of colours before this option.
    old_colours: usize,
}

impl UnfinishedOption<'_> {
    /// Completes the option and returns its number.
    fn finish(mut self) -> Result<usize, CoverError> {
        let option = self.builder.options();
        if self.builder.members.len() == self.start() {
            return Err(CoverError::EmptyOption { option });
        }
        self.builder.starts.push(self.builder.members.len() as u32);
        self.old_colours = self.builder.colours.len();
        Ok(option)
    }

    /// Returns the index of the first member that belongs to no finished option.
    fn start(&self) -> usize {
        self.builder.starts.last().map_or(0, |&start| start as usize)
    }
}

impl Drop for UnfinishedOption<'_> {
    fn drop(&mut self) {
        let start = self.start();
        let CoverBuilder { members, last, colours, colour_numbers, .. } = &mut *self.builder;
        // The next option gets the number of this one, so `last` must not contain it. The numbers
        // that it has replaced need not be restored: `last` is only compared with the number of the
        // current option.
        for member in members.drain(start..) {
            last[member.item as usize] = 0;
        }
        for colour in colours.drain(self.old_colours..) {
            colour_numbers.remove(&colour);
        }
    }
}

/// Checks that `count` can grow by one. `option` is the current one, if the members of an option
/// are counted, or options.
fn check_room(option: Option<usize>, what: &'static str, count: usize) -> Result<(), CoverError> {
    if count < MAX_COUNT {
        Ok(())
    } else {
        Err(CoverError::TooLarge { option, what, most: MAX_COUNT })
    }
}

/// Checks the name of an item, or of a colour in `option`.
fn check_name(option: Option<usize>, name: &str) -> Result<(), CoverError> {
    let found = name.chars().find(|&c| c.is_whitespace() || c == ':' || c == '|');
    if name.is_empty() || found.is_some() {
        return Err(CoverError::Name { option, name: name.to_owned(), found });
    }
    Ok(())
}

/// An item or an option that cannot be added to a cover. Options are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CoverError {
    /// The name of an item or of a colour is empty, or contains a separator of the text format.
    Name {
        /// The option, if it is the name of a colour.
        option: Option<usize>,
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
        /// The option that exceeds it, unless there are too many items.
        option: Option<usize>,
        /// `items`, `options` or `members of options`.
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
            CoverError::Name { option, .. }
            | CoverError::UnknownItem { option, .. }
            | CoverError::TooLarge { option, .. } => option,
            CoverError::Twice { option, .. }
            | CoverError::ColouredPrimary { option, .. }
            | CoverError::EmptyOption { option } => Some(option),
            CoverError::SecondItem { .. } => None,
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
            CoverError::Name { name, found: Some(found), .. } => write!(
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
            CoverError::TooLarge { what, most, .. } => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_options_are_reported_with_the_number_of_the_option() {
        assert_eq!(check_room(Some(3), "options", MAX_COUNT - 1), Ok(()));
        let error = check_room(Some(3), "options", MAX_COUNT).expect_err("too many");
        assert_eq!(error.option(), Some(3));
        assert_eq!(
            error.to_string(),
            "option 3: found too many options, expected at most 268435456"
        );
        assert_eq!(
            error.without_option().to_string(),
            "found too many options, expected at most 268435456"
        );
    }
}

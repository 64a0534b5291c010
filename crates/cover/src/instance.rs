//! Covers, with their items, options, and tables for the search: [`Cover`].

use std::fmt;

use super::tables::{NO_COLOUR, StoredMember, Tables};

/// An item in an option, with its colour if it has one; see [`Cover::members`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member<'c> {
    /// The number of the item.
    pub item: usize,
    /// The name of the item.
    pub name: &'c str,
    /// The name of the colour that the option gives to the item, if any.
    pub colour: Option<&'c str>,
}

impl fmt::Display for Member<'_> {
    /// Writes `name` or `name:colour`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.colour.map_or(Ok(()), |colour| write!(f, ":{colour}"))
    }
}

/// An exact cover problem with colours: items, and options to choose such that every primary item
/// is in exactly one of them.
///
/// A cover is made by a [builder](Cover::builder) or parsed from a text with [`str::parse`]. Items
/// and options are numbered from 0 in the order in which they are given. The choices of this
/// [`Problem`](secateurs::Problem) are numbers of options, so that the path of a solution is the
/// list of chosen options; [`members`](Cover::members) and [`Cover::option`] return their items.
/// See the [module](super) for the meaning of colours, the order of the search and its costs.
///
/// ```
/// use secateurs::Search;
/// use secateurs_cover::Cover;
///
/// // Knuth's first example.
/// let cover: Cover = "a b c d e f g\n c e\n a d g\n b c f\n a d f\n b g\n d e g\n".parse()?;
/// let outcome = Search::new(&cover).first();
/// let solution = outcome.solution().ok_or("no solution")?;
/// let chosen: Vec<String> = solution.iter().map(|&option| cover.option(option)).collect();
/// assert_eq!(chosen, ["a d f", "b g", "c e"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    pub(super) names: Vec<Box<str>>,
    pub(super) is_primary: Vec<bool>,
    pub(super) colours: Vec<Box<str>>,
    /// The index of the first member of each option, and the end of the last one.
    pub(super) starts: Vec<u32>,
    pub(super) members: Vec<StoredMember>,
    pub(super) tables: Tables,
}

impl Cover {
    /// Returns the number of items, primary and secondary.
    #[must_use]
    pub fn items(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of options.
    #[must_use]
    pub fn options(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the name of an item.
    ///
    /// # Panics
    ///
    /// If there is no item with this number.
    #[must_use]
    pub fn name(&self, item: usize) -> &str {
        &self.names[item]
    }

    /// Returns whether an item is primary: whether it must be covered exactly once.
    ///
    /// # Panics
    ///
    /// If there is no item with this number.
    #[must_use]
    pub fn is_primary(&self, item: usize) -> bool {
        self.is_primary[item]
    }

    /// Returns the number of the item with this name, in time linear in the number of items.
    #[must_use]
    pub fn item(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|item| **item == *name)
    }

    /// Returns the members of an option in the order in which they were given.
    ///
    /// # Panics
    ///
    /// If there is no option with this number.
    pub fn members(
        &self,
        option: usize,
    ) -> impl ExactSizeIterator<Item = Member<'_>> + DoubleEndedIterator {
        self.stored(option).iter().map(|&StoredMember { item, colour }| Member {
            item: item as usize,
            name: &self.names[item as usize],
            colour: (colour != NO_COLOUR).then(|| &*self.colours[colour as usize - 1]),
        })
    }

    /// Returns an option as a line of text: its members, separated by spaces.
    ///
    /// # Panics
    ///
    /// If there is no option with this number.
    #[must_use]
    pub fn option(&self, option: usize) -> String {
        let members: Vec<String> = self.members(option).map(|member| member.to_string()).collect();
        members.join(" ")
    }

    /// Returns whether these options are a solution: every primary item is in exactly one of them,
    /// and every secondary item in at most one, or in several that all give it the same colour. An
    /// option without primary items, or with a number out of range, is in no solution. The time is
    /// linear in the number of items and of members of these options.
    ///
    /// This verifies an answer independently: it uses the options as given, not the tables of the
    /// search.
    #[must_use]
    pub fn is_solution(&self, options: &[usize]) -> bool {
        let mut covering_colours: Vec<Option<u32>> = vec![None; self.items()];
        for &option in options {
            if option >= self.options() || !self.has_primary(option) {
                return false;
            }
            for &StoredMember { item, colour } in self.stored(option) {
                let before = covering_colours[item as usize].replace(colour);
                if before.is_some_and(|before| colour == NO_COLOUR || before != colour) {
                    return false;
                }
            }
        }
        covering_colours
            .iter()
            .zip(&self.is_primary)
            .all(|(colour, &is_primary)| colour.is_some() || !is_primary)
    }

    /// Returns whether an option contains a primary item, so that it may be chosen.
    pub(super) fn has_primary(&self, option: usize) -> bool {
        self.stored(option).iter().any(|member| self.is_primary(member.item as usize))
    }

    pub(super) fn stored(&self, option: usize) -> &[StoredMember] {
        &self.members[self.starts[option] as usize..self.starts[option + 1] as usize]
    }
}

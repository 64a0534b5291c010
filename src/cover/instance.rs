//! [`Cover`]: items, options, and the tables that the search reads.

use std::fmt;

use super::tables::{NO_COLOUR, StoredMember, Tables};

/// An item in an option, perhaps with a colour: what [`Cover::members`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member<'c> {
    /// The number of the item.
    pub item: usize,
    /// Its name.
    pub name: &'c str,
    /// The name of the colour that the option gives to the item, if it gives one.
    pub colour: Option<&'c str>,
}

impl fmt::Display for Member<'_> {
    /// Writes `name` or `name:colour`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.colour.map_or(Ok(()), |colour| write!(f, ":{colour}"))
    }
}

/// Items and options, of which options are to be chosen such that every primary item is in exactly
/// one of them.
///
/// Made by a [builder](Cover::builder) or read from a text with [`str::parse`]. Items and options
/// are numbered from 0 in the order in which they were given. As a [`Problem`](crate::Problem), its
/// choices are numbers of options, and so the path of a solution says which ones were chosen;
/// [`members`](Cover::members) and [`Cover::option`] say what is in them. See the [module](super)
/// for what colours mean, for the order of the search and for what it costs.
///
/// ```
/// use secateurs::Search;
/// use secateurs::cover::Cover;
///
/// // Knuth's first example.
/// let cover: Cover = "a b c d e f g\n c e\n a d g\n b c f\n a d f\n b g\n d e g\n".parse()?;
/// let outcome = Search::new(&cover).first();
/// let chosen: Vec<String> = outcome.solution().into_iter().flatten().map(|&option| cover.option(option)).collect();
/// assert_eq!(chosen, ["a d f", "b g", "c e"]);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    pub(super) names: Vec<Box<str>>,
    pub(super) is_primary: Vec<bool>,
    pub(super) colours: Vec<Box<str>>,
    /// Where the members of each option begin, and where those of the last one end.
    pub(super) starts: Vec<u32>,
    pub(super) members: Vec<StoredMember>,
    pub(super) tables: Tables,
}

impl Cover {
    /// The number of items, primary and secondary.
    #[must_use]
    pub fn items(&self) -> usize {
        self.names.len()
    }

    /// The number of options.
    #[must_use]
    pub fn options(&self) -> usize {
        self.starts.len() - 1
    }

    /// The name of an item.
    ///
    /// # Panics
    ///
    /// If there is no item of this number.
    #[must_use]
    pub fn name(&self, item: usize) -> &str {
        &self.names[item]
    }

    /// Whether an item is primary: to be covered exactly once.
    ///
    /// # Panics
    ///
    /// If there is no item of this number.
    #[must_use]
    pub fn is_primary(&self, item: usize) -> bool {
        self.is_primary[item]
    }

    /// The number of the item of this name. Cost: linear in the number of items.
    #[must_use]
    pub fn item(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|item| **item == *name)
    }

    /// What is in an option, in the order in which it was given.
    ///
    /// # Panics
    ///
    /// If there is no option of this number.
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

    /// An option as a line of text: its members with a space between them.
    ///
    /// # Panics
    ///
    /// If there is no option of this number.
    #[must_use]
    pub fn option(&self, option: usize) -> String {
        let members: Vec<String> = self.members(option).map(|member| member.to_string()).collect();
        members.join(" ")
    }

    /// Whether these options are a solution: every primary item is in exactly one of them, every
    /// secondary item in at most one, or in several that all give it the same colour. An option
    /// without primary items is in no solution, and neither is one that there is not. Cost: linear
    /// in the number of items and of members of these options.
    ///
    /// This looks at what was given, not at the tables of the search: it checks an answer.
    #[must_use]
    pub fn is_solution(&self, options: &[usize]) -> bool {
        let mut held: Vec<Option<u32>> = vec![None; self.items()];
        for &option in options {
            if option >= self.options()
                || !self.stored(option).iter().any(|member| self.is_primary(member.item as usize))
            {
                return false;
            }
            for &StoredMember { item, colour } in self.stored(option) {
                let before = held[item as usize].replace(colour);
                if before.is_some_and(|before| colour == NO_COLOUR || before != colour) {
                    return false;
                }
            }
        }
        held.iter().zip(&self.is_primary).all(|(held, &is_primary)| held.is_some() || !is_primary)
    }

    pub(super) fn stored(&self, option: usize) -> &[StoredMember] {
        &self.members[self.starts[option] as usize..self.starts[option + 1] as usize]
    }
}

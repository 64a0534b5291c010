//! Covers with multiplicities and costs: [`MultiCover`].

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

use super::Cover;
use super::tables::{NO_COLOUR, Tables};

/// A cover in which a primary item may be covered several times, and options have costs.
///
/// Each primary item has a *multiplicity*, a range u..=v: a solution is a set of options such that
/// at least u and at most v of them contain the item, and such that no colours contradict each
/// other. Initially every multiplicity is 1..=1 and every cost 0, so that the solutions are those
/// of the [`Cover`]. This is the problem MCC of Knuth (*The Art of Computer Programming* 4B, 2022,
/// 7.2.2.1, Algorithm M), with the costs of his Algorithm C$.
///
/// ```
/// use secateurs::Search;
/// use secateurs_cover::{Cover, MultiCover};
///
/// // Each of two towns must be reached from at least one place, and hears at most two.
/// let cover: Cover = "north south\n north\n north south\n south\n".parse()?;
/// let mut stations = MultiCover::new(cover);
/// for item in 0..2 {
///     stations.set_multiplicity(item, 1..=2)?;
/// }
/// for (option, cost) in [(0, 3), (1, 8), (2, 4)] {
///     stations.set_cost(option, cost)?;
/// }
/// assert_eq!(Search::new(&stations).count().exact(), Some(5));
///
/// let (cost, bound) = stations.minimise_cost();
/// let outcome = Search::new(&stations).hook(bound).best(&cost);
/// assert_eq!(outcome.proven(), Some(&7)); // options 0 and 2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It can also be parsed from a [text](#impl-FromStr-for-MultiCover) with multiplicities and costs.
///
/// # The tree
///
/// A node branches on the first primary item, among those that must still be covered, with the
/// fewest children: k − n + 1 for an item that must be covered n more times and has k options left.
/// A child chooses one of the options and rejects those before it, so that each set of
/// options is found once: under its first option in the list (Knuth's *tweaking*). A node at which
/// every item is covered often enough is a solution. Its children choose one more of the options
/// that remain, and again reject those before it. If all multiplicities are 1..=1, the tree is that
/// of the cover.
///
/// A [`MultiChoice`](super::MultiChoice) carries the item, so the order in which siblings are tried
/// does not matter: any [`Brancher`](secateurs::Brancher) that reorders children keeps the
/// solutions.
///
/// Like [`Cover`], it never chooses options without primary items.
///
/// A node takes time linear in the number of primary items, and a step time linear in the number of
/// members of the options that it removes. The fast paths of [`Cover`] for forced items do not
/// exist here; search a cover without multiplicities and costs [itself](MultiCover::cover).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiCover {
    pub(super) cover: Cover,
    /// The smallest and the largest number of options that cover each slot.
    pub(super) least: Vec<u32>,
    pub(super) most: Vec<u32>,
    pub(super) costs: Vec<u64>,
    /// The sum of all costs.
    total_cost: u64,
    /// For each item, if it is secondary, its options and the colours that they give it.
    pub(super) colourings: Vec<Vec<(u32, u32)>>,
}

impl MultiCover {
    /// Creates the problem in which every primary item of `cover` is to be covered once, and every
    /// option costs nothing.
    #[must_use]
    pub fn new(cover: Cover) -> Self {
        let slots = cover.tables.items.len();
        let mut colourings = vec![Vec::new(); cover.items()];
        for option in (0..cover.options()).filter(|&option| cover.has_primary(option)) {
            for member in cover.stored(option) {
                if !cover.is_primary(member.item as usize) {
                    colourings[member.item as usize].push((option as u32, member.colour));
                }
            }
        }
        MultiCover {
            least: vec![1; slots],
            most: vec![1; slots],
            costs: vec![0; cover.options()],
            total_cost: 0,
            colourings,
            cover,
        }
    }

    /// Sets how many options may cover a primary item.
    ///
    /// # Errors
    ///
    /// [`MultiCoverError::NotPrimary`], and [`MultiCoverError::Multiplicity`] if the range is empty
    /// or its end is 0. Nothing is changed then.
    pub fn set_multiplicity(
        &mut self,
        item: usize,
        multiplicity: RangeInclusive<u32>,
    ) -> Result<&mut Self, MultiCoverError> {
        let slot = match self.cover.tables.slots.get(item) {
            None | Some(&Tables::NO_SLOT) => return Err(MultiCoverError::NotPrimary { item }),
            Some(&slot) => slot as usize,
        };
        if multiplicity.is_empty() || *multiplicity.end() == 0 {
            return Err(MultiCoverError::Multiplicity { item, multiplicity });
        }
        (self.least[slot], self.most[slot]) = multiplicity.into_inner();
        Ok(self)
    }

    /// Sets the cost of an option.
    ///
    /// # Errors
    ///
    /// [`MultiCoverError::UnknownOption`], and [`MultiCoverError::TotalCost`] if the costs of all
    /// options together exceed [`u64::MAX`]. Nothing is changed then.
    pub fn set_cost(&mut self, option: usize, cost: u64) -> Result<&mut Self, MultiCoverError> {
        let Some(old) = self.costs.get_mut(option) else {
            return Err(MultiCoverError::UnknownOption { option });
        };
        let total = (self.total_cost - *old).checked_add(cost);
        self.total_cost = total.ok_or(MultiCoverError::TotalCost { option })?;
        *old = cost;
        Ok(self)
    }

    /// Returns the items and options, without multiplicities and costs.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// Returns whether this is a plain cover: every multiplicity is 1..=1 and every cost 0.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let is_once = |limits: &[u32]| limits.iter().all(|&limit| limit == 1);
        is_once(&self.least) && is_once(&self.most) && self.costs.iter().all(|&cost| cost == 0)
    }

    /// Returns how many options may cover an item, or `None` if the item is secondary.
    ///
    /// # Panics
    ///
    /// If there is no item with this number.
    #[must_use]
    pub fn multiplicity(&self, item: usize) -> Option<RangeInclusive<u32>> {
        let slot = self.cover.tables.slots[item];
        let slot = (slot != Tables::NO_SLOT).then_some(slot as usize)?;
        Some(self.least[slot]..=self.most[slot])
    }

    /// Returns the cost of an option.
    ///
    /// # Panics
    ///
    /// If there is no option with this number.
    #[must_use]
    pub fn cost(&self, option: usize) -> u64 {
        self.costs[option]
    }

    /// Returns whether these options, each given once, are a solution. The time is linear in the
    /// number of items and of members of these options, except for sorting the options.
    ///
    /// Like [`Cover::is_solution`], this uses the options as given, not the tables of the search.
    #[must_use]
    pub fn is_solution(&self, options: &[usize]) -> bool {
        let cover = &self.cover;
        let mut distinct = options.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let is_possible = |&option: &usize| option < cover.options() && cover.has_primary(option);
        if distinct.len() < options.len() || !options.iter().all(is_possible) {
            return false;
        }
        let mut times = vec![0; cover.items()];
        let mut colours = vec![NO_COLOUR; cover.items()];
        for member in options.iter().flat_map(|&option| cover.stored(option)) {
            let item = member.item as usize;
            let is_repeated = times[item] > 0 && !cover.is_primary(item);
            if is_repeated && (member.colour == NO_COLOUR || member.colour != colours[item]) {
                return false;
            }
            times[item] += 1;
            colours[item] = member.colour;
        }
        (0..cover.items()).all(|item| {
            self.multiplicity(item).is_none_or(|multiplicity| multiplicity.contains(&times[item]))
        })
    }
}

/// A multiplicity or a cost that cannot be set. Items and options are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MultiCoverError {
    /// There is no primary item with this number.
    NotPrimary {
        /// The number.
        item: usize,
    },
    /// The range is empty, or its end is 0.
    Multiplicity {
        /// The number of the item.
        item: usize,
        /// The range.
        multiplicity: RangeInclusive<u32>,
    },
    /// There is no option with this number.
    UnknownOption {
        /// The number.
        option: usize,
    },
    /// The sum of all costs exceeds [`u64::MAX`].
    TotalCost {
        /// The option whose cost exceeds it.
        option: usize,
    },
}

impl fmt::Display for MultiCoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MultiCoverError::NotPrimary { item } => {
                write!(f, "found the item {item}, expected the number of a primary item")
            }
            MultiCoverError::Multiplicity { item, multiplicity } => write!(
                f,
                "item {item}: found the multiplicity {}:{}, expected u:v with u at most v and v at \
                 least 1",
                multiplicity.start(),
                multiplicity.end()
            ),
            MultiCoverError::UnknownOption { option } => {
                write!(f, "found the option {option}, expected the number of an option")
            }
            MultiCoverError::TotalCost { option } => write!(
                f,
                "option {option}: found costs with a sum above {}, expected smaller ones",
                u64::MAX
            ),
        }
    }
}

impl Error for MultiCoverError {}

//! The 0/1 knapsack problem: items of greatest total value that fit into a knapsack.
//!
//! [`Knapsack`] decides one item after another: it tries to take the item, if it fits, and then to
//! leave it. Every node at which all items are decided is a solution. Items of most value per
//! weight come first, unless there are [classes](Knapsack::new) of heavier and lighter items.
//! [`Knapsack::relaxation`] is the bound of Dantzig (1957), for [`Objective::bound`].
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::knapsack::Knapsack;
//!
//! // Capacity 10; items as pairs of weight and value.
//! let knapsack = Knapsack::new(10, [(6, 13), (5, 8), (4, 7), (3, 5)])?;
//! let value = Knapsack::objective();
//! let bound = value.bound("relaxation", Knapsack::relaxation);
//! let outcome = Search::new(&knapsack).hooks((bound,)).best(&value);
//! assert_eq!(outcome.proven(), Some(&20)); // weights 6 and 4
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use secateurs::diagram::DiagramProblem;
use secateurs::text::{parse_number, tokens};
use secateurs::{Branch, Objective, ParseError, Problem};

use super::{InstanceError, formats};

/// An instance: a capacity, and items in the order in which they are decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knapsack {
    capacity: u64,
    items: Vec<Item>,
    /// The classes of items, the heaviest first.
    classes: Vec<Class>,
}

/// A class of items of similar weights, with what is left when it is begun.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    /// The index of its first item.
    start: usize,
    /// The sums of the first items of the class, from none of them on.
    own: Vec<Item>,
    /// The items of this class and of the lighter ones, by value per weight.
    items: Vec<Item>,
    /// The sums of the first of these, from none of them on, with the number of those of the class.
    sums: Vec<(Item, usize)>,
}

/// An item that may be put into the knapsack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// The capacity that the item takes, from 0.
    pub weight: u64,
    /// The gain from taking the item, from 0.
    pub value: u64,
}

/// A partly filled knapsack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filling {
    /// The number of items decided: the next one to decide has this index.
    pub decided: usize,
    /// The capacity left.
    pub room: u64,
    /// The value of the items taken.
    pub value: u64,
}

/// The largest sum of weights and of values, which leaves room for the arithmetic of bounds.
const MAX_SUM: u64 = 1 << 62;

impl Item {
    const NONE: Item = Item { weight: 0, value: 0 };

    fn plus(self, other: Item) -> Item {
        Item { weight: self.weight + other.weight, value: self.value + other.value }
    }

    fn minus(self, other: Item) -> Item {
        Item { weight: self.weight - other.weight, value: self.value - other.value }
    }

    /// Returns the order of two items by value per weight, the greatest first. Items of weight 0
    /// come before all others.
    fn by_density(&self, other: &Item) -> Ordering {
        let product = |value: u64, weight: u64| u128::from(value) * u128::from(weight);
        // With a weight of 0, both products may be 0, so that the item would equal all others.
        let weightless = (self.weight > 0).cmp(&(other.weight > 0));
        weightless.then(product(other.value, self.weight).cmp(&product(self.value, other.weight)))
    }
}

/// The fewest items of a class but the heaviest one, and the number of the next lighter items that
/// a gap between classes exceeds.
const CLASS_ITEMS: usize = 16;
/// The greatest number of classes.
const CLASSES: usize = 32;

/// Returns the least weight of each class but the lightest one, in ascending order.
fn class_weights(items: &[Item]) -> Vec<u64> {
    let mut weights: Vec<u64> = items.iter().map(|item| item.weight).collect();
    weights.sort_unstable();
    let fewest = CLASS_ITEMS.max(items.len().div_ceil(CLASSES));
    let mut gaps: Vec<u64> =
        weights.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0).collect();
    gaps.sort_unstable();
    // Weights that occur often differ by nothing: there, a usual gap is none between classes.
    let usual = gaps.get(gaps.len().saturating_sub(1) / 2).copied().unwrap_or(0);
    let mut starts = vec![0];
    for index in CLASS_ITEMS..weights.len() {
        let lighter = weights[index - 1];
        let gap = weights[index] - lighter;
        let spread = lighter - weights[index - CLASS_ITEMS];
        let is_apart = gap > lighter / 8 && gap > spread.max(usual);
        if is_apart && index >= starts[starts.len() - 1] + fewest {
            starts.push(index);
        }
    }
    starts[1..].iter().map(|&start| weights[start]).collect()
}

impl Knapsack {
    /// Creates an instance of items with `(weight, value)`, sorted by classes of weights, the
    /// heaviest first, and in each class by value per weight, the greatest first. Items of weight 0
    /// come first in their class; ties keep their order. Takes memory proportional to the number of
    /// items times that of classes, of which there are at most 32.
    ///
    /// A class begins at a weight that exceeds the next lighter one by more than an eighth, by more
    /// than the 16 next lighter ones differ, and by more than the median gap between different
    /// weights, if the class of the lighter ones has at least 16 items and a 32nd of all. Uniformly
    /// random weights are almost always one class. With several classes, the bound of a knapsack is
    /// weak until the number of heavy items is decided: they leave gaps that only lighter items
    /// fill (Jooken, Leyman and De Causmaecker 2022).
    ///
    /// # Errors
    ///
    /// Returns an error if the sum of all weights or that of all values is more than 2⁶².
    pub fn new(
        capacity: u64,
        items: impl IntoIterator<Item = (u64, u64)>,
    ) -> Result<Self, InstanceError> {
        let item = |(weight, value)| Item { weight, value };
        let mut items: Vec<Item> = items.into_iter().map(item).collect();
        let sums: [fn(&Item) -> u64; 2] = [|item| item.weight, |item| item.value];
        for (name, field) in ["weights", "values"].into_iter().zip(sums) {
            let sum = items.iter().map(|item| u128::from(field(item))).sum::<u128>();
            if sum > u128::from(MAX_SUM) {
                return Err(InstanceError::new(format_args!(
                    "found {name} with the sum {sum}, expected at most 2^62"
                )));
            }
        }
        let least = class_weights(&items);
        let class_of = |item: &Item| least.partition_point(|&least| least <= item.weight);
        items.sort_by(|one, other| {
            class_of(other).cmp(&class_of(one)).then_with(|| one.by_density(other))
        });
        let classes = (0..=least.len()).rev().map(|class| {
            let start = items.partition_point(|item| class_of(item) > class);
            let mut items = items[start..].to_vec();
            items.sort_by(Item::by_density);
            let mut own = vec![Item::NONE];
            let mut sums = vec![(Item::NONE, 0)];
            for &item in &items {
                if class_of(&item) == class {
                    own.push(own[own.len() - 1].plus(item));
                }
                sums.push((sums[sums.len() - 1].0.plus(item), own.len() - 1));
            }
            Class { start, own, items, sums }
        });
        let classes = classes.collect();
        Ok(Knapsack { capacity, items, classes })
    }

    /// Creates an instance of `items` items whose weights are uniformly random from 1 to `largest`
    /// and whose values exceed them by a tenth of `largest`, with a capacity of half the weights:
    /// the *strongly correlated* instances of Pisinger (2005), which are difficult. A `largest` of
    /// 0 is treated as 1.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than 2²⁰ items, or if the sum of all values is more than
    /// 2⁶².
    pub fn strongly_correlated(
        items: usize,
        largest: u64,
        seed: u64,
    ) -> Result<Self, InstanceError> {
        InstanceError::check_most(items, "items", 1 << 20)?;
        let mut random = fastrand::Rng::with_seed(seed);
        let largest = largest.clamp(1, MAX_SUM);
        let weights = (0..items).map(|_| random.u64(1..=largest));
        let items: Vec<_> = weights.map(|weight| (weight, weight + largest / 10)).collect();
        Self::new(items.iter().fold(0, |sum: u64, item| sum.saturating_add(item.0)) / 2, items)
    }

    /// Returns the capacity.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Returns the items in the order in which they are decided.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns the objective: the value of the items taken, to be maximised.
    #[must_use]
    pub fn objective() -> Objective<Self, u64, fn(&Self, &Filling) -> u64> {
        let value: fn(&Self, &Filling) -> u64 = |_, filling| filling.value;
        Objective::maximise(value).named("value")
    }

    /// Returns the best value that could be reached if an item could be taken in part, rounded
    /// down: no solution below `filling` has a greater one (Dantzig 1957). Takes time logarithmic
    /// in the number of items.
    #[must_use]
    pub fn relaxation(&self, filling: &Filling) -> u64 {
        let Filling { decided, room, value } = *filling;
        let class = self.classes.partition_point(|class| class.start <= decided);
        let Class { start, own, items, sums } = &self.classes[class - 1];
        // The sum of those of the first items by value per weight that are not decided.
        let left = |&(sum, number): &(Item, usize)| sum.minus(own[number.min(decided - start)]);
        // The items that fit come first.
        let fitting = sums[1..].partition_point(|sums| left(sums).weight <= room);
        let sum = left(&sums[fitting]);
        let value = value + sum.value;
        let part = items.get(fitting).map_or(0, |item| {
            let room = room - sum.weight;
            u128::from(item.value) * u128::from(room) / u128::from(item.weight)
        });
        // A part of the value fits into the type of the value.
        value + u64::try_from(part).expect("less than the value of the item")
    }
}

impl Problem for Knapsack {
    type State = Filling;
    type Cursor = Option<bool>; // the next choice
    type Choice = bool; // whether to take the item
    type Undo = ();

    fn root(&self) -> Filling {
        Filling { decided: 0, room: self.capacity, value: 0 }
    }

    fn branch(&self, filling: &Filling) -> Branch<Option<bool>> {
        match self.items.get(filling.decided) {
            None => Branch::Solution,
            Some(item) => Branch::Inner(Some(item.weight <= filling.room)),
        }
    }

    fn next(&self, _: &Filling, cursor: &mut Option<bool>) -> Option<bool> {
        let choice = cursor.take();
        if choice == Some(true) {
            *cursor = Some(false);
        }
        choice
    }

    fn apply(&self, filling: &mut Filling, &take: &bool) {
        if take {
            let item = self.items[filling.decided];
            filling.room -= item.weight;
            filling.value += item.value;
        }
        filling.decided += 1;
    }

    fn accepts_saved(&self, filling: &Filling, &take: &bool) -> bool {
        let item = self.items.get(filling.decided);
        item.is_some_and(|item| !take || item.weight <= filling.room)
    }

    fn undo(&self, filling: &mut Filling, &take: &bool, (): ()) {
        filling.decided -= 1;
        if take {
            let item = self.items[filling.decided];
            filling.room += item.weight;
            filling.value -= item.value;
        }
    }
}

/// Of states that have decided the same items, one with more room dominates one with less. A merged
/// state has the greatest room.
impl DiagramProblem for Knapsack {
    fn layer(&self, filling: &Filling) -> usize {
        filling.decided
    }

    fn key(&self, _: &Filling) -> impl Hash + Eq {}

    fn resources(&self, filling: &Filling) -> impl AsRef<[u64]> + Hash + Eq {
        [filling.room]
    }

    fn merge(&self, filling: &mut Filling, other: &Filling) {
        filling.room = filling.room.max(other.room);
        filling.value = filling.value.max(other.value);
    }

    fn rank(&self, filling: &Filling) -> u64 {
        filling.room
    }
}

/// Reads a line `CAPACITY` and then lines `WEIGHT VALUE`; or the format of Pisinger (2005), which
/// has a line `ITEMS CAPACITY`, or one for each of these numbers, lines `VALUE WEIGHT`, and perhaps
/// a last line of a solution, 0 or 1 for each item, unless there are two items, for which it looks
/// like a third one; or that of Jooken et al. (2022), which has a line `ITEMS`, lines `INDEX VALUE
/// WEIGHT` with indices from 0 or 1 on, and a line `CAPACITY`. The first two lines tell the formats
/// apart. `#` begins a comment.
impl FromStr for Knapsack {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        formats::read(text, "a knapsack", Self::read)
    }
}

impl Knapsack {
    fn read(text: &str) -> Result<Self, ParseError> {
        let mut rows: Vec<(usize, Vec<u64>)> = Vec::new();
        let mut end = 1;
        for (number, line) in (1..).zip(text.lines()) {
            end = number + 1;
            let line = line.split('#').next().unwrap_or_default();
            let numbers = tokens(line).map(|(column, token)| {
                parse_number::<u64>(token).ok_or_else(|| {
                    let message =
                        format!("found `{token}`, expected digits only, for an integer below 2^64");
                    ParseError::at(number, column, message)
                })
            });
            let numbers = numbers.collect::<Result<Vec<u64>, _>>()?;
            rows.extend((!numbers.is_empty()).then_some((number, numbers)));
        }
        let wrong = |&(number, ref found): &(usize, Vec<u64>), expected: &str| {
            let message = format!("found {} numbers, expected {expected}", found.len());
            ParseError::in_line(number, message)
        };
        let sizes: Vec<usize> = rows.iter().take(2).map(|(_, numbers)| numbers.len()).collect();
        let (columns, count, mut capacity, header) = match sizes[..] {
            [] => return Err(ParseError::new("found no number, expected the capacity")),
            [1, 1] => ("a value and a weight", Some(rows[0].1[0]), Some(rows[1].1[0]), 2),
            [1, 3] => ("an index, a value and a weight", Some(rows[0].1[0]), None, 1),
            [1, ..] => ("a weight and a value", None, Some(rows[0].1[0]), 1),
            [2, ..] => ("a value and a weight", Some(rows[0].1[0]), Some(rows[0].1[1]), 1),
            _ => return Err(wrong(&rows[0], "`CAPACITY` or `ITEMS CAPACITY`")),
        };
        let mut items: Vec<(u64, u64)> = Vec::new();
        let mut first_index = 0;
        for (place, row) in (1..).zip(&rows).skip(header) {
            let are_read = count == Some(items.len() as u64);
            match (&row.1[..], capacity) {
                (&[last], None) if are_read => capacity = Some(last),
                (&[index, value, weight], None) => {
                    if items.is_empty() {
                        first_index = index.min(1);
                    }
                    let expected = first_index + items.len() as u64;
                    if index != expected {
                        let message = format!("found the index {index}, expected {expected}");
                        return Err(ParseError::in_line(row.0, message));
                    }
                    items.push((weight, value));
                }
                // A solution, which is not needed. That of two items could also be a third item.
                (taken, Some(_))
                    if are_read
                        && place == rows.len()
                        && taken.len() != 2
                        && taken.len() == items.len()
                        && taken.iter().all(|&taken| taken <= 1) => {}
                (&[value, weight], Some(_)) if count.is_some() => items.push((weight, value)),
                (&[weight, value], Some(_)) => items.push((weight, value)),
                _ => return Err(wrong(row, columns)),
            }
        }
        if let Some(count) = count.filter(|&count| count != items.len() as u64) {
            let message =
                format!("found the end of the text after {} items, expected {count}", items.len());
            return Err(ParseError::in_line(end, message));
        }
        let capacity = capacity.ok_or_else(|| {
            ParseError::in_line(end, "found the end of the text, expected the capacity")
        })?;
        Ok(Self::new(capacity, items)?)
    }
}

/// Writes the first format that [`FromStr`] reads.
impl fmt::Display for Knapsack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.capacity)?;
        self.items.iter().try_for_each(|item| writeln!(f, "{} {}", item.weight, item.value))
    }
}

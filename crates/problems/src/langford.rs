//! Langford pairs: two copies of each number from 1 to n in a row, such that there are k numbers
//! between the two copies of k.
//!
//! C. Dudley Langford saw his son make such a row of coloured blocks, 3 1 2 1 3 2, and asked for
//! others (1958). Rows exist if and only if n or n + 1 is a multiple of 4 (Davies 1959). Their
//! number is known up to n = 28, by search (sequence A014552 of the OEIS, which counts a row and
//! its reversal once).
//!
//! As an [exact cover](Langford::cover), the numbers and the places are items, and an option puts a
//! number into two places. As a [network](Langford::network), the variable of a number is its first
//! place, and there is a single all-different constraint. The cover branches on places as well as
//! on numbers. For eleven numbers up to reversal, the cover takes 223,510 nodes; the network takes
//! 405,515 with forward checking and 117,839 with arc consistency. All three take about the same
//! time.
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::langford::Langford;
//!
//! let langford = Langford::new(7)?;
//! let pairs = langford.cover();
//! let outcome = Search::new(pairs.cover()).hooks((pairs.reversal(),)).count();
//! assert_eq!((outcome.representatives(), outcome.exact()), (Some(26), Some(52)));
//!
//! let pairs = Langford::new(3)?.cover();
//! let outcome = Search::new(pairs.cover()).first();
//! assert_eq!(outcome.solution().map(|options| pairs.row(options)), Some(vec![2, 3, 1, 2, 1, 3]));
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```

use std::fmt;

use secateurs::Digest;
use secateurs::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};
use secateurs_cover::{Cover, CoverBuilder, CoverError, Representatives};
use secateurs_csp::{Assignment, Model, ModelError, Network};

use crate::InstanceError;

/// The problem of pairing the numbers 1 to n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Langford {
    numbers: usize,
}

impl Langford {
    /// The largest n. The exact cover has about 1.5 n² options.
    pub const MAX_NUMBERS: usize = 1000;

    /// Creates the problem for the numbers 1 to `numbers`. For 0 there is one solution, the empty
    /// row.
    ///
    /// # Errors
    ///
    /// Returns an error if `numbers` is more than [`MAX_NUMBERS`](Self::MAX_NUMBERS).
    pub fn new(numbers: usize) -> Result<Self, InstanceError> {
        InstanceError::check_most(numbers, "numbers to be paired", Self::MAX_NUMBERS)?;
        Ok(Langford { numbers })
    }

    /// Returns whether a row is a solution: it has 2n numbers, each number twice, and k numbers
    /// between the two copies of k.
    #[must_use]
    pub fn is_solution(self, row: &[usize]) -> bool {
        let is_pair = |number| {
            let places: Vec<usize> = (0..row.len()).filter(|&place| row[place] == number).collect();
            matches!(places[..], [first, second] if second - first == number + 1)
        };
        row.len() == 2 * self.numbers && (1..=self.numbers).all(is_pair)
    }

    /// Returns the possible places of the first copy of a number, from 0.
    fn first_places(self, number: usize) -> std::ops::Range<usize> {
        0..(2 * self.numbers).saturating_sub(number + 1)
    }

    /// Returns the largest odd number, or 0 if there is none. The pair of an odd number is never
    /// its own mirror image, so its place distinguishes a row from its reversal (Knuth 2022,
    /// 7.2.2.1, exercise 15).
    fn largest_odd(self) -> usize {
        self.numbers - usize::from(self.numbers.is_multiple_of(2) && self.numbers > 0)
    }

    /// Returns the place of the first copy of a number in the reversed row.
    fn mirrored(self, number: usize, first: usize) -> usize {
        2 * self.numbers - 1 - (first + number + 1)
    }

    /// Returns the problem as an exact cover.
    #[must_use]
    pub fn cover(self) -> LangfordCover {
        // A search that tries the places in the middle first finds a row nearly without dead ends.
        let from_middle = |number| {
            let places = self.first_places(number).len();
            let middle = places / 2;
            (0..places).map(move |step| match step % 2 {
                0 => middle + step / 2,
                _ => middle - step.div_ceil(2),
            })
        };
        let pairs: Vec<(usize, usize)> = (1..=self.numbers)
            .flat_map(|number| from_middle(number).map(move |first| (number, first)))
            .collect();
        let cover = build_cover(self.numbers, &pairs)
            .expect("the items have different names, and 1.5 million options fit");
        LangfordCover { langford: self, cover, pairs }
    }

    /// Returns the problem as a constraint network.
    #[must_use]
    pub fn network(self) -> LangfordNetwork {
        let model = self.model().expect("a thousand variables of two thousand values fit");
        LangfordNetwork { langford: self, network: model.build() }
    }

    fn model(self) -> Result<Model, ModelError> {
        let mut model = Model::new();
        let mut places = Vec::with_capacity(2 * self.numbers);
        for number in 1..=self.numbers {
            let first = model.variable(0..self.first_places(number).end as i32)?;
            places.extend([(first, 0), (first, number as i32 + 1)]);
        }
        model.all_different_shifted(places)?;
        Ok(model)
    }
}

fn build_cover(numbers: usize, pairs: &[(usize, usize)]) -> Result<Cover, CoverError> {
    let mut builder = CoverBuilder::new();
    for number in 1..=numbers {
        builder.primary(&number.to_string())?;
    }
    for place in 1..=2 * numbers {
        builder.primary(&format!("s{place}"))?;
    }
    for &(number, first) in pairs {
        let second = first + number + 1;
        builder
            .option_of([number - 1, numbers + first, numbers + second].map(|item| (item, None)))?;
    }
    Ok(builder.build())
}

/// Langford pairs as an exact cover, created by [`Langford::cover`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LangfordCover {
    langford: Langford,
    cover: Cover,
    /// For each option, its number and the first of its two places, from 0.
    pairs: Vec<(usize, usize)>,
}

impl LangfordCover {
    /// Returns the cover to be searched.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// Returns the row that these options make, with 0 in places that they leave open.
    ///
    /// # Panics
    ///
    /// Panics if there is no option with one of these numbers.
    #[must_use]
    pub fn row(&self, options: &[usize]) -> Vec<usize> {
        let mut row = vec![0; 2 * self.langford.numbers];
        for &option in options {
            let (number, first) = self.pairs[option];
            row[first] = number;
            row[first + number + 1] = number;
        }
        row
    }

    /// Creates a hook that finds one of each row and its reversal, and counts it twice.
    ///
    /// It keeps the pair of the largest odd number, which is never its own mirror image, in the
    /// left half (Knuth 2022, 7.2.2.1, exercise 15).
    #[must_use]
    pub fn reversal(&self) -> impl Hook<Cover> + Clone + Send + fmt::Debug + '_ {
        let langford = self.langford;
        Representatives::new("reversal", move |_, option| {
            let (number, first) = self.pairs[option];
            match number == langford.largest_odd() {
                true if first < langford.mirrored(number, first) => 2,
                true => 0,
                false => 1,
            }
        })
        .parameters(&())
    }
}

/// Langford pairs as a network, created by [`Langford::network`].
///
/// There is one variable per number, in ascending order: the place of its first copy, from 0. The
/// second copy of k is k + 1 places behind the first. All places are different: this is one
/// all-different constraint that has each variable twice, with two shifts.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Ascending, Branching, Propagate, SmallestDomain};
/// use secateurs_problems::langford::Langford;
///
/// let pairs = Langford::new(7)?.network();
/// let order = Branching::new(SmallestDomain::last_tie(), Ascending);
/// let hooks = (pairs.reversal(), Propagate::full());
/// let outcome = Search::new(pairs.network()).hooks(hooks).brancher(order).count();
/// assert_eq!((outcome.representatives(), outcome.exact()), (Some(26), Some(52)));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LangfordNetwork {
    langford: Langford,
    network: Network,
}

impl LangfordNetwork {
    /// Returns the network to be searched.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the row of a solution; `None` if the assignment belongs to another network.
    #[must_use]
    pub fn row(&self, solution: &Assignment) -> Option<Vec<usize>> {
        let mut row = vec![0; 2 * self.langford.numbers];
        for (number, &first) in (1..).zip(solution.values()) {
            let first = usize::try_from(first).ok()?;
            for place in [first, first.checked_add(number + 1)?] {
                *row.get_mut(place)? = number;
            }
        }
        self.langford.is_solution(&row).then_some(row)
    }

    /// Creates a hook that finds one of each row and its reversal, and counts it twice. It keeps
    /// the pair of the largest odd number in the left half, as the hook of the
    /// [cover](LangfordCover::reversal) does.
    #[must_use]
    pub fn reversal(&self) -> Reversal {
        Reversal { langford: self.langford }
    }
}

/// The hook of [`LangfordNetwork::reversal`].
#[derive(Clone, Copy, Debug)]
pub struct Reversal {
    langford: Langford,
}

impl Hook<Network> for Reversal {
    fn name(&self) -> &str {
        "reversal"
    }

    /// The only parameter, n, is that of the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    /// Removes the places in the right half at the root, and so in the whole tree.
    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let (langford, number) = (self.langford, self.langford.largest_odd());
        // For n = 0 there is no variable: the index wraps to one beyond all others.
        let variable = node.problem().variables().nth(number.wrapping_sub(1));
        let Some(variable) = variable.filter(|_| node.depth() == 0) else { return Verdict::Keep };
        let is_left = |first: i32| (first as usize) < langford.mirrored(number, first as usize);
        Verdict::prune_if(node.state_mut().retain(variable, is_left).is_err())
    }

    fn orbit(&self, _: &Node<'_, Network>) -> Option<u64> {
        Some(if self.langford.numbers == 0 { 1 } else { 2 })
    }
}

//! The rank of each word in a dense table, computed from its two halves: [`Ranking`].

use rustc_hash::FxHashMap;

use super::contour::WordRules;

/// The ranking of the words of a layer.
///
/// Words are numbered in lexicographic order, plug 0 first, `.` before `(` before `)`. A word is
/// cut in two. Its rank is the number of words with an earlier left half, plus the rank of its
/// right half among those that match the left half. The latter depends only on the *class* of the
/// left half: the height at the cut and the [colour balance](WordRules::colour_balance).
///
/// So the words with the same left half are consecutive in the table and form a *segment*, which
/// contains the right halves of one class in order. The order of words does not depend on the cut,
/// and neither does the table.
///
/// The right halves are not stored: they are needed only to make a plan, and would take more memory
/// than the plan.
#[derive(Debug)]
pub(super) struct Ranking {
    rules: WordRules,
    pub(super) cut: usize,
    /// All left halves, in order.
    pub(super) lefts: Vec<Left>,
    /// The number of right halves of each class.
    sizes: Vec<u32>,
}

/// A left half of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) word: u64,
    /// The height at its end.
    pub(super) height: u8,
    /// Its colour balance.
    balance: i8,
}

/// A word, by the index of its left half and the place of its right half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Halves {
    left: u32,
    class: u32,
    index: u32,
}

impl Right {
    /// Returns the halves of the word whose left half is empty.
    pub(super) fn with_empty_left(&self) -> Halves {
        // The empty half is the first one.
        Halves { left: 0, class: self.class, index: self.index }
    }
}

/// Returns the index in `rights` of each right half.
pub(super) fn right_indices(rights: &[Right]) -> FxHashMap<u64, u32> {
    (0..).zip(rights).map(|(number, right)| (right.word, number)).collect()
}

/// A right half of a word. It determines the height at its beginning, because all words of a layer
/// end at the same height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Right {
    pub(super) word: u64,
    /// The height at its beginning.
    pub(super) height: u8,
    pub(super) class: u32,
    /// Its position within its class.
    pub(super) index: u32,
}

/// Extends `word`, which ends at `height`, by all sequences of symbols at plugs `from..to` that the
/// rules allow, whose height never falls below 0, and whose final height is at most
/// `max_final_height`. Calls `visit` with each extended word, in lexicographic order, and its final
/// height.
fn walk(
    rules: &WordRules,
    (from, to): (usize, usize),
    (word, height): (u64, usize),
    max_final_height: usize,
    visit: &mut impl FnMut(u64, usize),
) {
    if height > max_final_height + (to - from) {
        return;
    }
    if from == to {
        visit(word, height);
        return;
    }
    let before = if from == 0 { 0 } else { word >> (2 * (from - 1)) & 3 };
    for (symbol, after) in [(0, Some(height)), (1, Some(height + 1)), (2, height.checked_sub(1))] {
        if let Some(after) = after.filter(|_| rules.allows(from, before, symbol)) {
            walk(
                rules,
                (from + 1, to),
                (word | symbol << (2 * from), after),
                max_final_height,
                visit,
            );
        }
    }
}

impl Ranking {
    /// Creates the ranking of the words that obey these rules, cut before plug `cut`, which must
    /// not separate the two [fresh](WordRules::fresh) plugs. Returns it with its right halves.
    ///
    /// `max_loose_ends` must be at least the number of loose ends of the words. If it is greater,
    /// some left halves have no matching right half. Two rankings whose rules differ only to the
    /// right of the cut, or in the number of loose ends, have the same left halves if they have the
    /// same `max_loose_ends`.
    pub(super) fn with_rights(
        rules: WordRules,
        cut: usize,
        max_loose_ends: usize,
    ) -> (Self, Vec<Right>) {
        debug_assert!(
            rules.fresh.is_none_or(|fresh| fresh + 1 != cut),
            "two fresh plugs on two sides of the cut"
        );
        debug_assert!(
            rules.loose_ends <= max_loose_ends,
            "{} loose ends, at most {max_loose_ends}",
            rules.loose_ends
        );
        let mut ranking = Ranking { rules, cut, lefts: Vec::new(), sizes: Vec::new() };
        let rest = rules.plugs - cut;
        walk(&rules, (0, cut), (0, 0), rest + max_loose_ends, &mut |word, height| {
            ranking.lefts.push(Left {
                word,
                height: height as u8,
                balance: rules.colour_balance(word) as i8,
            });
        });
        ranking.lefts.shrink_to_fit();
        let rights;
        (ranking.sizes, rights) = ranking.list_rights();
        (ranking, rights)
    }

    /// Returns the number of right halves of each class, and all right halves, by height at the cut
    /// and then in order.
    pub(super) fn list_rights(&self) -> (Vec<u32>, Vec<Right>) {
        let mut sizes = vec![0; (self.rules.plugs + 2) * self.balances()];
        let mut rights = Vec::with_capacity(self.count_rights());
        self.for_each_right(|class, height, word| {
            let index = sizes[class];
            sizes[class] += 1;
            rights.push(Right { word, height: height as u8, class: class as u32, index });
        });
        (sizes, rights)
    }

    /// Calls `visit` with the class of each right half, its height at the cut, and the half itself,
    /// by this height and then in order.
    fn for_each_right(&self, mut visit: impl FnMut(usize, usize, u64)) {
        let rules = &self.rules;
        for height in 0..=self.cut {
            let plugs = (self.cut, rules.plugs);
            walk(rules, plugs, (0, height), rules.loose_ends, &mut |word, end| {
                if end == rules.loose_ends {
                    let class = self.class(height, rules.colour_balance(word));
                    visit(class.unwrap_or(0), height, word);
                }
            });
        }
    }

    /// Returns whether a left half has a [twin](WordRules::twins).
    pub(super) fn has_twin(&self, left: usize) -> bool {
        self.rules.twin(self.lefts[left].word).is_some()
    }

    /// Returns the size of the ranking in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lefts.capacity() * size_of::<Left>() + self.sizes.capacity() * size_of::<u32>()
    }

    /// Returns the number of right halves.
    pub(super) fn count_rights(&self) -> usize {
        self.sizes.iter().map(|&size| size as usize).sum()
    }

    /// Returns the size of the list of right halves in bytes.
    pub(super) fn rights_bytes(&self) -> usize {
        self.count_rights() * size_of::<Right>()
    }

    /// Returns the number of classes.
    pub(super) fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the number of colour balances of right halves.
    #[inline]
    fn balances(&self) -> usize {
        if self.rules.black.is_some() { 2 * self.rules.plugs + 1 } else { 1 }
    }

    /// Returns the class of the right halves that begin at this height and have this colour
    /// balance; `None` if no right half can.
    #[inline]
    fn class(&self, height: usize, balance: i32) -> Option<usize> {
        let balances = self.balances();
        let balance = usize::try_from(balance + (balances / 2) as i32).ok()?;
        (height <= self.rules.plugs + 1 && balance < balances)
            .then_some(height * balances + balance)
    }

    /// Returns the class of the right halves that match a left half, in a layer with this colour
    /// balance.
    #[inline]
    pub(super) fn class_of(&self, left: usize, balance: i32) -> Option<usize> {
        let left = &self.lefts[left];
        self.class(usize::from(left.height), balance - i32::from(left.balance))
    }

    /// Returns the number of words in a segment of this class.
    pub(super) fn size(&self, class: Option<usize>) -> usize {
        class.map_or(0, |class| self.sizes[class] as usize)
    }

    /// Returns the rank of the first word of each segment, followed by the number of words.
    pub(super) fn bases(&self, balance: i32) -> Vec<usize> {
        let mut base = 0;
        let mut bases = Vec::with_capacity(self.lefts.len() + 1);
        bases.push(0);
        for left in 0..self.lefts.len() {
            base += self.size(self.class_of(left, balance));
            bases.push(base);
        }
        bases
    }

    /// Returns the index in `lefts` of each left half.
    pub(super) fn left_indices(&self) -> FxHashMap<u64, u32> {
        (0..).zip(&self.lefts).map(|(number, left)| (left.word, number)).collect()
    }

    /// Returns the halves of the word whose right half is empty.
    pub(super) fn with_empty_right(&self, left: usize) -> Halves {
        // The empty half is the first of its class.
        let class = self.class(self.rules.loose_ends, 0).unwrap_or(0);
        Halves { left: left as u32, class: class as u32, index: 0 }
    }

    /// Returns the rank of a word in a layer with this colour balance, if the layer contains the
    /// word.
    pub(super) fn rank(&self, halves: Halves, balance: i32) -> Option<usize> {
        let left = halves.left as usize;
        let fits = self.class_of(left, balance) == Some(halves.class as usize);
        fits.then(|| self.bases(balance)[left] + halves.index as usize)
    }

    /// Calls `visit` with the words of a layer, in the order of their ranks, segment by segment: a
    /// left half and the right halves that match it. The words of a layer may take as much memory
    /// as its table, so they are not collected.
    pub(super) fn for_each_segment<E>(
        &self,
        balance: i32,
        mut visit: impl FnMut(u64, &[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut of_class = vec![Vec::new(); self.classes()];
        self.for_each_right(|class, _, word| of_class[class].push(word));
        (0..self.lefts.len()).try_for_each(|left| {
            let class = self.class_of(left, balance);
            visit(self.lefts[left].word, class.map_or(&[], |class| &of_class[class]))
        })
    }
}

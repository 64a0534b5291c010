//! How to make a layer from the one before: [`CellPlan`].

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::contour::{Shape, bits, bits_before};
use super::problem::{CellRule, FINISHED, step};
use super::ranking::Ranking;
use crate::memory::block_bytes;
use crate::plug::code::Parentheses;

/// All that the plan of a cell depends on. Cells in different rows often have it in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CellPlanKey {
    pub(super) old: Shape,
    pub(super) new: Shape,
    pub(super) low: usize,
    pub(super) rule: CellRule,
}

/// How to make a layer from the one before, of all balances. No word is looked at any more: what
/// goes where was found out for the half of the word in which the cell is, with the [`step`] that
/// every problem of paths shares.
#[derive(Debug)]
pub(super) struct CellPlan {
    pub(super) cut: usize,
    pub(super) old: Arc<Ranking>,
    pub(super) new: Arc<Ranking>,
    pub(super) work: Work,
    /// The word that becomes [`FINISHED`] in the cell, if any.
    pub(super) finishing: Option<u64>,
    /// Bytes that the plan takes up, beside its rankings, with those of
    /// [`Segments`](super::fill_layer::Segments) made from it.
    pub(super) bytes: usize,
}

#[derive(Debug)]
pub(super) enum Work {
    /// The cell is in the right half: every segment becomes one of the same left half.
    InRight {
        /// By the class of the new segment.
        recipes: Vec<Recipe>,
        /// For each left half, the left halves that are like it but for a `(` in place of a `)`,
        /// with the height to which that one leads.
        flipped: Vec<SmallVec<[(u8, u32); 4]>>,
    },
    /// The cell is in the left half: segments are added as they are.
    InLeft {
        /// For each left half, those that it is made from, with a height if a `)` of the right half
        /// is flipped.
        sources: Vec<SmallVec<[(u32, u8); 4]>>,
        /// By class of the old segment and height: where in the new segment each entry goes, if in
        /// its right half the first `)` that leads down from this height becomes `(`. [`NOWHERE`]
        /// if there is none: then the left half's `(` that leads up to this height is a loose end.
        flips: FxHashMap<(usize, u8), Vec<u32>>,
    },
}

/// PlanCache with fewer halves of words are small.
const SMALL: usize = 1 << 10;
/// About the most bytes that a small plan takes up for each half of a word.
const SMALL_HALF: usize = 128;

/// The place of an entry that goes to no place: beyond the end of every segment.
pub(super) const NOWHERE: u32 = u32::MAX;

/// How to make a segment from the one of the same left half. Entries are named by their places in
/// the segments, targets first.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    /// Nothing comes here.
    pub(super) zero: Vec<u32>,
    /// One entry comes here.
    pub(super) copy: Vec<[u32; 2]>,
    /// Two entries are added here.
    pub(super) sum: Vec<[u32; 3]>,
    /// Two entries are added, and the sum goes to two places.
    pub(super) twin: Vec<[u32; 4]>,
    /// What is still to be added.
    pub(super) add: Vec<[u32; 2]>,
    /// By height: what comes from a segment whose left half has a `(` that leads up to this height,
    /// in place of a `)`.
    pub(super) crossing: Vec<(u8, Vec<[u32; 2]>)>,
}

/// RankingCache that were made, by shape, cut and most loose ends: after one cell the words are cut as
/// before the next one, more often than not.
#[derive(Debug, Default)]
pub(super) struct RankingCache {
    rankings: FxHashMap<(Shape, usize, usize), Arc<Ranking>>,
    /// Bytes that they take up.
    bytes: usize,
}

impl RankingCache {
    /// The rankings before and after a cell, with words cut at the same plug. If the cell is to the
    /// right of the cut, they have the same left halves, even if a path enters in the cell.
    fn get(&mut self, key: &CellPlanKey, cut: usize) -> [Arc<Ranking>; 2] {
        let max_loose_ends = key.old.loose_ends.max(key.new.loose_ends);
        [key.old, key.new].map(|shape| {
            let ranking = self.rankings.entry((shape, cut, max_loose_ends));
            Arc::clone(ranking.or_insert_with(|| {
                let ranking = Ranking::new(shape, cut, max_loose_ends);
                self.bytes += ranking.bytes();
                Arc::new(ranking)
            }))
        })
    }

    pub(super) fn clear(&mut self) {
        *self = RankingCache::default();
    }

    /// Bytes that the rankings take up.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Bytes of heap of small vectors, one beside the other.
fn small_vectors<T>(vectors: &Vec<SmallVec<[T; 4]>>) -> usize {
    let spilled = vectors.iter().filter(|vector| vector.spilled());
    let spilled: usize =
        spilled.map(|vector| block_bytes(vector.capacity() * size_of::<T>())).sum();
    vectors.capacity() * size_of::<SmallVec<[T; 4]>>() + spilled
}

fn vector<T>(vector: &Vec<T>) -> usize {
    block_bytes(vector.capacity() * size_of::<T>())
}

impl Recipe {
    fn bytes(&self) -> usize {
        let crossing: usize = self.crossing.iter().map(|(_, pairs)| vector(pairs)).sum();
        let sums = vector(&self.sum) + vector(&self.twin) + vector(&self.add);
        size_of::<Recipe>()
            + vector(&self.zero)
            + vector(&self.copy)
            + sums
            + vector(&self.crossing)
            + crossing
    }
}

impl CellPlan {
    /// Bytes that the plan and its rankings take up.
    pub(super) fn bytes_with_rankings(&self) -> usize {
        self.bytes + self.old.bytes() + self.new.bytes()
    }

    fn made(cut: usize, [old, new]: [Arc<Ranking>; 2], work: Work, finishing: Option<u64>) -> Self {
        let halves = new.lefts.len() + new.rights.len();
        let bytes = match &work {
            // Adding up small plans would take longer than carrying them out: an upper bound will
            // do.
            _ if halves < SMALL => SMALL_HALF * halves + new.classes() * size_of::<Recipe>(),
            Work::InRight { recipes, flipped } => {
                recipes.iter().map(Recipe::bytes).sum::<usize>() + small_vectors(flipped)
            }
            Work::InLeft { sources, flips } => {
                small_vectors(sources) + flips.values().map(vector).sum::<usize>()
            }
        };
        let segments =
            (old.lefts.len() + new.lefts.len()) * (size_of::<usize>() + size_of::<Option<usize>>());
        CellPlan { cut, old, new, work, finishing, bytes: bytes + segments }
    }

    #[inline] // Compiled only in crates that call it.
    pub(super) fn new(key: &CellPlanKey, rankings: &mut RankingCache) -> Self {
        let (plugs, middle) = (key.old.plugs, key.old.middle());
        // Both cells, this one and the one before, must be on one side of the cut.
        let fresh = key.old.fresh.unwrap_or(key.low);
        let (first, last) = (key.low.min(fresh), key.low.max(fresh) + 2);
        let right = first.min(middle);
        let left = last.max(middle).min(plugs);
        if key.rule.entrance.is_some() || middle - right <= left.saturating_sub(middle) {
            Self::in_right(key, right, rankings)
        } else {
            Self::in_left(key, left, rankings)
        }
    }

    /// The cell is to the right of the cut. What happens there to a right half depends on the
    /// height only: it is tried with a left half of nothing but `(`.
    #[inline] // Compiled only in crates that call it.
    fn in_right(key: &CellPlanKey, cut: usize, rankings: &mut RankingCache) -> Self {
        let [old, new] = rankings.get(key, cut);
        let numbers = new.right_numbers();
        let mut sources: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); new.rights.len()];
        let mut crossing: FxHashMap<(usize, u8), Vec<[u32; 2]>> = FxHashMap::default();
        let mut finishing = None;
        for right in &old.rights {
            let opens = bits_before(usize::from(right.height)) & 0x5555_5555_5555_5555;
            step(key.rule, key.low, Parentheses::from_word(right.word | opens), &mut |word, _| {
                if word == FINISHED {
                    finishing = Some(right.word);
                    return;
                }
                let left = word.word() & bits_before(cut);
                let target = numbers.get(&(word.word() & !left));
                debug_assert!(target.is_some(), "{word} is not in the layer");
                let Some(&target) = target else { return };
                if left == opens {
                    sources[target as usize].push(right.index);
                } else {
                    let height = (left ^ opens).trailing_zeros() / 2 + 1;
                    let place = new.rights[target as usize];
                    crossing
                        .entry((place.class as usize, height as u8))
                        .or_default()
                        .push([place.index, right.index]);
                }
            });
        }
        let mut recipes = vec![Recipe::default(); new.classes()];
        let mut waiting: FxHashMap<(usize, [u32; 2]), u32> = FxHashMap::default();
        for (right, sources) in new.rights.iter().zip(&sources) {
            let (class, target) = (right.class as usize, right.index);
            let recipe = &mut recipes[class];
            match sources[..] {
                [] => recipe.zero.push(target),
                [source] => recipe.copy.push([target, source]),
                [first, second] => match waiting.remove(&(class, [first, second])) {
                    Some(twin) => recipe.twin.push([twin, target, first, second]),
                    None => {
                        waiting.insert((class, [first, second]), target);
                    }
                },
                [first, second, ref rest @ ..] => {
                    recipe.sum.push([target, first, second]);
                    recipe.add.extend(rest.iter().map(|&source| [target, source]));
                }
            }
        }
        for ((class, [first, second]), target) in waiting {
            recipes[class].sum.push([target, first, second]);
        }
        for ((class, height), pairs) in crossing {
            recipes[class].crossing.push((height, pairs));
        }
        let flipped = flipped(&old);
        Self::made(cut, [old, new], Work::InRight { recipes, flipped }, finishing)
    }

    /// The cell is to the left of the cut. What happens there to a left half is tried with a right
    /// half of nothing but `)`: as many as the left half needs, or as there are plugs. The `(` that
    /// they leave without a mate are loose ends with every right half. Of the others, some are
    /// loose ends with some right halves, which [`flips`] leaves out.
    #[inline] // Compiled only in crates that call it.
    fn in_left(key: &CellPlanKey, cut: usize, rankings: &mut RankingCache) -> Self {
        let [old, new] = rankings.get(key, cut);
        let numbers = new.left_numbers();
        let mut sources: Vec<SmallVec<[(u32, u8); 4]>> = vec![SmallVec::new(); new.lefts.len()];
        let mut finishing = None;
        for (number, left) in old.lefts.iter().enumerate() {
            let height = usize::from(left.height);
            let end = (cut + height).min(key.old.plugs);
            let closes = (bits_before(end) & !bits_before(cut)) & 0xaaaa_aaaa_aaaa_aaaa;
            step(key.rule, key.low, Parentheses::from_word(left.word | closes), &mut |word, _| {
                if word == FINISHED {
                    finishing = Some(left.word);
                    return;
                }
                let after = word.word() & bits_before(cut);
                let target = numbers.get(&after);
                debug_assert!(target.is_some(), "{word} is not in the layer");
                let Some(&target) = target else { return };
                let changed = (word.word() & !bits_before(cut)) ^ closes;
                let flipped = changed.trailing_zeros() as usize / 2;
                let height = if changed == 0 { 0 } else { cut + height - flipped };
                sources[target as usize].push((number as u32, height as u8));
            });
        }
        // Those that are as they were come first, so that they can be added two at a time.
        sources.iter_mut().for_each(|sources| sources.sort_by_key(|&(_, height)| height));
        let flips = flips(&old, &new, cut);
        Self::made(cut, [old, new], Work::InLeft { sources, flips }, finishing)
    }
}

/// For each left half, those that have a `(` where it has a `)`, matched in the right half, with
/// the height to which the `(` leads.
fn flipped(ranking: &Ranking) -> Vec<SmallVec<[(u8, u32); 4]>> {
    let numbers = ranking.left_numbers();
    let mut flipped = vec![SmallVec::new(); ranking.lefts.len()];
    for (source, left) in ranking.lefts.iter().enumerate() {
        // From the end back: a `(` that leads to a height for the last time.
        let (mut height, mut wanted) = (usize::from(left.height), usize::from(left.height));
        let mut rest = left.word;
        while rest != 0 {
            let top = 63 - rest.leading_zeros();
            rest &= !(1 << top);
            if !top.is_multiple_of(2) {
                height += 1;
                continue;
            }
            if height == wanted {
                // Without height 2 there would be no second `(` around it.
                let target = if height >= 2 {
                    numbers.get(&(left.word ^ bits(top as usize / 2)))
                } else {
                    None
                };
                if let Some(&target) = target {
                    flipped[target as usize].push((height as u8, source as u32));
                }
                wanted -= 1;
            }
            height -= 1;
        }
    }
    flipped
}

/// For each class of right halves and each height: where right halves go whose first `)` leading
/// down from this height becomes `(`, and which begin two lower. Right halves that do not come down
/// from this height go [`NOWHERE`].
fn flips(old: &Ranking, new: &Ranking, cut: usize) -> FxHashMap<(usize, u8), Vec<u32>> {
    let numbers = new.right_numbers();
    let mut flips: FxHashMap<(usize, u8), Vec<u32>> = FxHashMap::default();
    for right in &old.rights {
        let (mut height, mut wanted) = (right.height, right.height);
        let mut rest = right.word & !bits_before(cut);
        while rest != 0 {
            let bottom = rest.trailing_zeros();
            rest &= rest - 1;
            if bottom.is_multiple_of(2) {
                height += 1;
                continue;
            }
            if height == wanted && height >= 2 {
                let target = numbers.get(&(right.word ^ bits(bottom as usize / 2)));
                debug_assert!(target.is_some(), "a right half is missing");
                let place = target.map_or(NOWHERE, |&target| new.rights[target as usize].index);
                let class = right.class as usize;
                let places = flips.entry((class, height));
                let places = places.or_insert_with(|| vec![NOWHERE; old.size(Some(class))]);
                places[right.index as usize] = place;
                wanted -= 1;
            } else if height == wanted {
                wanted = wanted.saturating_sub(1);
            }
            height -= 1;
        }
    }
    flips
}

//! The computation of a layer from the previous one: [`CellPlan`].

use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::{Array, SmallVec};

use super::contour::{WordRules, bits, bits_before};
use super::problem::{CellRule, FINISHED, step};
use super::ranking::{Halves, Ranking, Right, right_indices};
use crate::memory::block_bytes;
use crate::plug::code::Parentheses;

/// The data that determine the plan of a cell. Cells in different rows often have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CellPlanKey {
    pub(super) old: WordRules,
    pub(super) new: WordRules,
    pub(super) low: usize,
    pub(super) rule: CellRule,
    /// The pieces of the transitions that exist.
    pub(super) kept: u32,
}

/// The plug at which words are cut for a cell, and the side on which the cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellCut {
    /// The cell is to the right.
    Before(usize),
    /// The cell is to the left.
    After(usize),
}

impl CellPlanKey {
    fn cut(&self) -> CellCut {
        let (plugs, middle) = (self.old.plugs, self.old.middle());
        // Both this cell and the previous one must be on one side of the cut.
        let fresh = self.old.fresh.unwrap_or(self.low);
        let (first, last) = (self.low.min(fresh), self.low.max(fresh) + 2);
        let cut_before = first.min(middle);
        let cut_after = last.max(middle).min(plugs);
        // A path that enters changes the heights of all right halves and so the segments: these
        // correspond only if the cell is in the right half. Otherwise, the cut closer to the middle
        // is better.
        let is_closer = middle - cut_before <= cut_after.saturating_sub(middle);
        if self.rule.entrance.is_some() || is_closer {
            CellCut::Before(cut_before)
        } else {
            CellCut::After(cut_after)
        }
    }

    /// Calls `emit` with each successor of a word of the old layer that belongs to the new layer,
    /// and with [`FINISHED`] if the word becomes that.
    fn step(&self, word: u64, mut emit: impl FnMut(u64)) {
        step(self.rule, self.low, Parentheses::from_word(word), &mut |next, piece| {
            let is_new = next == FINISHED || !self.new.is_second_twin(next.word());
            if is_new && piece.is_in(self.kept) {
                emit(next.word());
            }
        });
    }

    /// Returns the number of plugs before the cut.
    pub(super) fn plugs_before_cut(&self) -> usize {
        match self.cut() {
            CellCut::Before(cut) | CellCut::After(cut) => cut,
        }
    }
}

/// The computation of a layer from the previous one, for layers of every colour balance. Executing
/// a plan decodes no word: the effect of the cell was computed for each half word that contains the
/// cell, with the [`step`] that all problems of paths share.
#[derive(Debug)]
pub(super) struct CellPlan {
    pub(super) old: Arc<Ranking>,
    pub(super) new: Arc<Ranking>,
    pub(super) work: Work,
    /// The word that becomes [`FINISHED`] in the cell, if there is one.
    pub(super) finishing: Option<Halves>,
    /// The size of the plan in bytes, without its rankings.
    pub(super) bytes: usize,
}

/// The work of a plan, by the half of the word that contains the cell.
#[derive(Debug)]
pub(super) enum Work {
    /// The cell is in the right half: every segment is computed from the segment of the same left
    /// half.
    InRight {
        /// The recipes, by the class of the new segment.
        recipes: Vec<Recipe>,
        /// For each left half, the left halves that have a `(` in place of one of its `)`, with the
        /// height that this `(` reaches.
        flipped: Grouped<(u8, u32)>,
    },
    /// The cell is in the left half: whole segments are added.
    InLeft {
        /// For each left half, its source segments. If a `)` of the right half flips, the second
        /// number is the height from which this `)` descends; otherwise it is 0.
        sources: Grouped<(u32, u8)>,
        /// By class of the old segment and height: the position in the new segment of each entry,
        /// if in its right half the first `)` that descends from this height becomes `(`.
        /// [`NOWHERE`] if there is no such `)`: then the `(` of the left half that reaches this
        /// height is a loose end.
        flips: FxHashMap<(usize, u8), Vec<u32>>,
    },
}

/// A list for each left half.
#[derive(Debug)]
pub(super) struct Grouped<T> {
    /// The end of each list in `items`.
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Grouped<T> {
    fn new<A: Array<Item = T>>(lists: &[SmallVec<A>]) -> Self {
        let mut end = 0;
        let ends = lists.iter().map(|list| {
            end += list.len() as u32;
            end
        });
        Grouped { ends: ends.collect(), items: lists.concat() }
    }

    /// Returns the list of a left half.
    #[inline]
    pub(super) fn of(&self, left: usize) -> &[T] {
        let begin = left.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[begin as usize..self.ends[left] as usize]
    }

    fn bytes(&self) -> usize {
        vector_bytes(&self.ends) + vector_bytes(&self.items)
    }
}

/// Plans with fewer half words than this are small.
const SMALL_PLAN: usize = 1 << 10;
/// An upper bound of the bytes of a small plan per half word.
const SMALL_PLAN_BYTES_PER_HALF: usize = 128;

/// The position of an entry that is dropped: beyond the end of every segment.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The computation of a segment from the segment of the same left half. Entries are positions in
/// the segments, targets first. In `copy` and `sum`, targets with a [twin](WordRules::twins) come
/// first.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    /// Targets without a source.
    pub(super) zero: Vec<u32>,
    /// Targets with one source.
    pub(super) copy: Vec<[u32; 2]>,
    /// The number of targets with a twin in `copy`.
    pub(super) copied_twins: usize,
    /// Targets with two sources.
    pub(super) sum: Vec<[u32; 3]>,
    /// The number of targets with a twin in `sum`.
    pub(super) summed_twins: usize,
    /// Further sources of targets that already have a sum.
    pub(super) add: Vec<[u32; 2]>,
    /// By height: targets and their sources in the segments of other left halves, which have a `(`
    /// that reaches this height in place of a `)`.
    pub(super) crossing: Vec<(u8, Vec<[u32; 2]>)>,
}

/// The rankings made so far, by rules, cut and maximal number of loose ends: the words after a cell
/// are usually cut at the same plug as before the next cell.
#[derive(Debug, Default)]
pub(super) struct RankingCache {
    rankings: FxHashMap<RankingKey, Arc<Ranking>>,
    /// The right halves of the rankings of the last plan. The next plan usually needs one of them.
    rights: Vec<(RankingKey, Rights)>,
}

/// The rules, the cut and the maximal number of loose ends of a ranking.
type RankingKey = (WordRules, usize, usize);

/// All right halves of a ranking.
type Rights = Arc<[Right]>;

impl RankingCache {
    /// Returns the rankings before and after a cell, with words cut at the same plug. If the cell
    /// is to the right of the cut, both have the same left halves, even if a path enters in the
    /// cell.
    fn get(&mut self, key: &CellPlanKey, cut: usize) -> [(Arc<Ranking>, Rights); 2] {
        let max_loose_ends = key.old.loose_ends.max(key.new.loose_ends);
        let keys = [key.old, key.new].map(|rules| (rules, cut, max_loose_ends));
        let rankings = keys.map(|key| match self.rankings.entry(key) {
            Entry::Occupied(ranking) => {
                let known = self.rights.iter().find(|(known, _)| *known == key);
                let known = known.map(|(_, rights)| Arc::clone(rights));
                let rights = known.unwrap_or_else(|| ranking.get().list_rights().1.into());
                (Arc::clone(ranking.get()), rights)
            }
            Entry::Vacant(vacant) => {
                let (ranking, rights) = Ranking::with_rights(key.0, key.1, key.2);
                (Arc::clone(vacant.insert(Arc::new(ranking))), rights.into())
            }
        });
        self.rights = keys.into_iter().zip(rankings.iter().map(|(_, r)| Arc::clone(r))).collect();
        rankings
    }

    /// Drops all rankings except those that a plan holds, and all right halves.
    pub(super) fn drop_unused(&mut self) {
        self.rankings.retain(|_, ranking| Arc::strong_count(ranking) > 1);
        self.rights.clear();
    }

    /// Returns the total size in bytes of the rankings, and of the right halves that are kept.
    pub(super) fn bytes(&self) -> usize {
        let rankings: usize = self.rankings.values().map(|ranking| ranking.bytes()).sum();
        let rights: usize = self.rights.iter().map(|(_, rights)| size_of_val(&rights[..])).sum();
        rankings + rights
    }
}

fn vector_bytes<T>(vector: &Vec<T>) -> usize {
    block_bytes(vector.capacity() * size_of::<T>())
}

impl Recipe {
    /// Returns the positions of the targets with a [twin](WordRules::twins).
    pub(super) fn targets_with_twins(&self) -> impl Iterator<Item = usize> {
        let copied = self.copy[..self.copied_twins].iter().map(|&[target, _]| target as usize);
        let summed = self.sum[..self.summed_twins].iter().map(|&[target, ..]| target as usize);
        copied.chain(summed)
    }

    /// Releases unused capacity: plans are kept for the whole sweep.
    fn shrink_to_fit(&mut self) {
        self.zero.shrink_to_fit();
        self.copy.shrink_to_fit();
        self.sum.shrink_to_fit();
        self.add.shrink_to_fit();
        self.crossing.shrink_to_fit();
        self.crossing.iter_mut().for_each(|(_, pairs)| pairs.shrink_to_fit());
    }

    fn bytes(&self) -> usize {
        let crossing: usize = self.crossing.iter().map(|(_, pairs)| vector_bytes(pairs)).sum();
        let sums = vector_bytes(&self.sum) + vector_bytes(&self.add);
        size_of::<Recipe>()
            + vector_bytes(&self.zero)
            + vector_bytes(&self.copy)
            + sums
            + vector_bytes(&self.crossing)
            + crossing
    }
}

impl CellPlan {
    /// Returns the size in bytes of the [`Segments`](super::fill_layer::Segments) that are made
    /// from the plan while it is in use.
    pub(super) fn segment_bytes(&self) -> usize {
        let place = size_of::<(u32, Range<usize>)>();
        self.old.lefts.len() * place + self.new.lefts.len() * size_of::<usize>()
    }

    fn with_work([old, new]: [Arc<Ranking>; 2], work: Work, finishing: Option<Halves>) -> Self {
        let halves = new.lefts.len() + new.count_rights();
        let bytes = match &work {
            // Measuring a small plan would take longer than executing it; an upper bound suffices.
            _ if halves < SMALL_PLAN => {
                SMALL_PLAN_BYTES_PER_HALF * halves + new.classes() * size_of::<Recipe>()
            }
            Work::InRight { recipes, flipped } => {
                recipes.iter().map(Recipe::bytes).sum::<usize>() + flipped.bytes()
            }
            Work::InLeft { sources, flips } => {
                sources.bytes() + flips.values().map(vector_bytes).sum::<usize>()
            }
        };
        CellPlan { old, new, work, finishing, bytes }
    }

    #[inline] // Compiled only in crates that call it.
    pub(super) fn new(key: &CellPlanKey, cache: &mut RankingCache) -> Self {
        match key.cut() {
            CellCut::Before(cut) => Self::in_right(key, cut, cache),
            CellCut::After(cut) => Self::in_left(key, cut, cache),
        }
    }

    /// Creates the plan of a cell to the right of the cut. Its effect on a right half depends only
    /// on the height at the cut, so it is computed with the simplest left half of this height: as
    /// many `(`, followed by empty plugs.
    #[inline] // Compiled only in crates that call it.
    fn in_right(key: &CellPlanKey, cut: usize, cache: &mut RankingCache) -> Self {
        let [(old, old_rights), (new, new_rights)] = cache.get(key, cut);
        let indices = right_indices(&new_rights);
        let mut sources: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); new_rights.len()];
        let mut crossing: FxHashMap<(usize, u8), Vec<[u32; 2]>> = FxHashMap::default();
        let mut finishing = None;
        for (right, half) in with_twins(&key.old, old_rights.iter(), |right| right.word) {
            let opens = bits_before(usize::from(right.height)) & 0x5555_5555_5555_5555;
            key.step(half | opens, |word| {
                if word == FINISHED.word() {
                    finishing = Some(right.with_empty_left());
                    return;
                }
                let left = word & bits_before(cut);
                let Some(target) = find(&indices, word & !left) else { return };
                if left == opens {
                    sources[target as usize].push(right.index);
                } else {
                    let height = (left ^ opens).trailing_zeros() / 2 + 1;
                    let place = new_rights[target as usize];
                    crossing
                        .entry((place.class as usize, height as u8))
                        .or_default()
                        .push([place.index, right.index]);
                }
            });
        }
        let mut recipes = vec![Recipe::default(); new.classes()];
        for has_twin in [true, false] {
            for (right, sources) in new_rights.iter().zip(&sources) {
                if key.new.twin(right.word).is_some() != has_twin {
                    continue;
                }
                let target = right.index;
                let recipe = &mut recipes[right.class as usize];
                match sources[..] {
                    [] => recipe.zero.push(target),
                    [source] => recipe.copy.push([target, source]),
                    [first, second, ref rest @ ..] => {
                        recipe.sum.push([target, first, second]);
                        recipe.add.extend(rest.iter().map(|&source| [target, source]));
                    }
                }
            }
            if has_twin {
                for recipe in &mut recipes {
                    recipe.copied_twins = recipe.copy.len();
                    recipe.summed_twins = recipe.sum.len();
                }
            }
        }
        for ((class, height), pairs) in crossing {
            recipes[class].crossing.push((height, pairs));
        }
        recipes.iter_mut().for_each(Recipe::shrink_to_fit);
        let flipped = flipped(&old);
        Self::with_work([old, new], Work::InRight { recipes, flipped }, finishing)
    }

    /// Creates the plan of a cell to the left of the cut. Its effect on a left half is computed
    /// with a right half that begins with as many `)` as the left half needs, or as many as fit. A
    /// `(` without a mate there is a loose end with every right half. Other `(` are loose ends with
    /// some right halves, which [`flips`] leaves out.
    #[inline] // Compiled only in crates that call it.
    fn in_left(key: &CellPlanKey, cut: usize, cache: &mut RankingCache) -> Self {
        let [(old, old_rights), (new, new_rights)] = cache.get(key, cut);
        let indices = new.left_indices();
        let mut sources: Vec<SmallVec<[(u32, u8); 4]>> = vec![SmallVec::new(); new.lefts.len()];
        let mut finishing = None;
        for (number, half) in with_twins(&key.old, 0..old.lefts.len(), |&left| old.lefts[left].word)
        {
            let left = &old.lefts[number];
            let height = usize::from(left.height);
            let end = (cut + height).min(key.old.plugs);
            let closes = (bits_before(end) & !bits_before(cut)) & 0xaaaa_aaaa_aaaa_aaaa;
            key.step(half | closes, |word| {
                if word == FINISHED.word() {
                    finishing = Some(old.with_empty_right(number));
                    return;
                }
                let Some(target) = find(&indices, word & bits_before(cut)) else { return };
                let changed = (word & !bits_before(cut)) ^ closes;
                let flipped = changed.trailing_zeros() as usize / 2;
                let height = if changed == 0 { 0 } else { cut + height - flipped };
                sources[target as usize].push((number as u32, height as u8));
            });
        }
        // Sources without a flip come first, so that they can be added two at a time.
        sources.iter_mut().for_each(|sources| sources.sort_by_key(|&(_, height)| height));
        let sources = Grouped::new(&sources);
        let flips = flips(&old, &old_rights, &new_rights, cut);
        Self::with_work([old, new], Work::InLeft { sources, flips }, finishing)
    }
}

/// Returns the index of a half word. The layer has one.
fn find(indices: &FxHashMap<u64, u32>, half: u64) -> Option<u32> {
    let index = indices.get(&half);
    debug_assert!(index.is_some(), "{} is not in the layer", Parentheses::from_word(half));
    index.copied()
}

/// Returns the half words of a layer, each with its word, and followed by its twin, if any.
fn with_twins<H: Copy>(
    rules: &WordRules,
    halves: impl Iterator<Item = H>,
    word: impl Fn(&H) -> u64,
) -> impl Iterator<Item = (H, u64)> {
    halves.flat_map(move |half| {
        let word = word(&half);
        [Some(word), rules.twin(word)].into_iter().flatten().map(move |word| (half, word))
    })
}

/// Calls `visit` with the plug of each parenthesis that has no mate in its half of the word, from
/// the cut outwards, and with the height on the side of the plug that faces the cut. The height at
/// the cut is `height`.
#[inline]
fn for_each_unmatched(half: u64, mut height: u8, is_left: bool, mut visit: impl FnMut(usize, u8)) {
    let (mut wanted, mut rest) = (height, half);
    while rest != 0 {
        let bit = if is_left { 63 - rest.leading_zeros() } else { rest.trailing_zeros() };
        rest &= !(1 << bit);
        // The even bits are those of `(`, which find their mates to the right.
        if bit.is_multiple_of(2) != is_left {
            height += 1;
            continue;
        }
        if height == wanted {
            visit(bit as usize / 2, height);
            wanted -= 1;
        }
        height -= 1;
    }
}

/// Returns for each left half those that have a `(` in place of one of its `)`, with a mate in the
/// right half, and the height that the `(` reaches.
fn flipped(ranking: &Ranking) -> Grouped<(u8, u32)> {
    let indices = ranking.left_indices();
    let mut flipped: Vec<SmallVec<[(u8, u32); 4]>> = vec![SmallVec::new(); ranking.lefts.len()];
    for (source, left) in ranking.lefts.iter().enumerate() {
        for_each_unmatched(left.word, left.height, true, |plug, height| {
            // Joining two `(` requires a second `(` around this one, and so a height of at least 2.
            if height >= 2
                && let Some(&target) = indices.get(&(left.word ^ bits(plug)))
            {
                flipped[target as usize].push((height, source as u32));
            }
        });
    }
    Grouped::new(&flipped)
}

/// Returns for each class of right halves and each height the target position of each right half if
/// its first `)` that descends from this height becomes `(`, so that the half begins two lower;
/// [`NOWHERE`] for right halves that do not descend from this height.
fn flips(
    old: &Ranking,
    old_rights: &[Right],
    new_rights: &[Right],
    cut: usize,
) -> FxHashMap<(usize, u8), Vec<u32>> {
    let indices = right_indices(new_rights);
    let mut flips: FxHashMap<(usize, u8), Vec<u32>> = FxHashMap::default();
    for right in old_rights {
        for_each_unmatched(right.word & !bits_before(cut), right.height, false, |plug, height| {
            if height >= 2 {
                let target = find(&indices, right.word ^ bits(plug));
                let place = target.map_or(NOWHERE, |target| new_rights[target as usize].index);
                let class = right.class as usize;
                let places = flips.entry((class, height));
                let places = places.or_insert_with(|| vec![NOWHERE; old.size(Some(class))]);
                places[right.index as usize] = place;
            }
        });
    }
    flips
}

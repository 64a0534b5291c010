//! The execution of a plan on a table of numbers, by one thread or several.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::cell_plan::{CellPlan, NOWHERE, Recipe, Work};
use super::contour::LayerRules;
use super::numbers::FixedWidthAlgebra;
use super::ranking::Ranking;
use crate::limits::Stop;
use crate::plug::step::Clock;

/// Each thread must have at least this number of words: starting one takes as long as about ten
/// thousand words.
const WORDS_PER_THREAD: usize = 1 << 14;
/// The number of words between two checks of the clock, about a tenth of a millisecond.
const POLL_INTERVAL: usize = 1 << 14;

/// The beginnings and classes of the segments of two layers.
pub(super) struct Segments {
    pub(super) old_bases: Vec<usize>,
    pub(super) new_bases: Vec<usize>,
    old_classes: Vec<Option<usize>>,
    new_classes: Vec<Option<usize>>,
}

impl Segments {
    pub(super) fn new(plan: &CellPlan, old: &LayerRules, new: &LayerRules) -> Self {
        let classes = |ranking: &Ranking, balance| {
            ranking.lefts.iter().map(|left| ranking.class_after(left, balance)).collect()
        };
        Segments {
            old_bases: plan.old.bases(old.colour_balance),
            new_bases: plan.new.bases(new.colour_balance),
            old_classes: classes(&plan.old, old.colour_balance),
            new_classes: classes(&plan.new, new.colour_balance),
        }
    }

    /// Returns the number of words of the new layer.
    pub(super) fn words(&self) -> usize {
        self.new_bases.last().copied().unwrap_or(0)
    }

    fn old<'a, V>(&self, table: &'a [V], left: usize) -> &'a [V] {
        &table[self.old_bases[left]..self.old_bases[left + 1]]
    }
}

/// The result of executing a plan.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filled {
    /// Whether a number overflowed.
    pub(super) overflow: bool,
    /// The number of words with a value above 0.
    pub(super) states: usize,
    /// The reason to stop if the layer is not complete.
    pub(super) stop: Option<Stop>,
}

/// Returns the number of threads to use for a layer of `words` words, at most `threads`.
pub(super) fn useful_threads(threads: usize, words: usize) -> usize {
    threads.min(words / WORDS_PER_THREAD).max(1)
}

/// Computes the new layer from the old one, unless the clock stops it. With several threads, the
/// calling thread runs `meanwhile` first, if given, and then helps.
pub(super) fn fill_layer<N: FixedWidthAlgebra>(
    (plan, segments, clock): (&CellPlan, &Segments, &Clock),
    algebra: N,
    old: &[N::Value],
    new: &mut [N::Value],
    threads: usize,
    meanwhile: Option<impl FnOnce()>,
) -> Filled {
    let job = FillJob { plan, segments, clock, algebra, old };
    let lefts = plan.new.lefts.len();
    let threads = useful_threads(threads, new.len());
    if threads == 1 {
        return job.run(0..lefts, new);
    }
    let (mut rest, mut first) = (new, 0);
    let mut parts = Vec::with_capacity(threads);
    for part in 1..=threads {
        let begin = segments.new_bases[first];
        let wanted = (segments.words() as u128 * part as u128 / threads as u128) as usize;
        let end = segments.new_bases.partition_point(|&base| base < wanted).clamp(first, lefts);
        let end = if part == threads { lefts } else { end };
        let (own, others) = std::mem::take(&mut rest).split_at_mut(segments.new_bases[end] - begin);
        parts.push((first..end, own));
        (rest, first) = (others, end);
    }
    // Each worker takes one part. This thread does all parts that remain, as the system may refuse
    // to start threads. The lock protects the list of parts only; it is not held during the work. A
    // poisoned lock is harmless, because `pop` cannot leave the list inconsistent.
    let parts = Mutex::new(parts);
    let work = || {
        let part = parts.lock().unwrap_or_else(PoisonError::into_inner).pop();
        part.map(|(range, own)| job.run(range, own))
    };
    let made: Vec<Filled> = thread::scope(|scope| {
        let others = if meanwhile.is_none() { threads - 1 } else { threads };
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let workers: Vec<_> = (0..others).filter_map(start).collect();
        if let Some(meanwhile) = meanwhile {
            meanwhile();
        }
        let own: Vec<Filled> = std::iter::from_fn(work).collect();
        let others = workers
            .into_iter()
            .filter_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        others.chain(own).collect()
    });
    made.into_iter().fold(Filled::default(), |all, part| Filled {
        overflow: all.overflow | part.overflow,
        states: all.states + part.states,
        stop: all.stop.or(part.stop),
    })
}

/// The inputs that all parts of a layer share.
struct FillJob<'a, N: FixedWidthAlgebra> {
    plan: &'a CellPlan,
    segments: &'a Segments,
    clock: &'a Clock,
    algebra: N,
    old: &'a [N::Value],
}

impl<N: FixedWidthAlgebra> Clone for FillJob<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N: FixedWidthAlgebra> Copy for FillJob<'_, N> {}

impl<N: FixedWidthAlgebra> FillJob<'_, N> {
    /// Computes the segments of a range of left halves into `new`.
    fn run(self, lefts: Range<usize>, new: &mut [N::Value]) -> Filled {
        let mut made = Filled::default();
        let (mut rest, mut since_poll) = (new, 0);
        for left in lefts {
            let length = self.segments.new_bases[left + 1] - self.segments.new_bases[left];
            since_poll += length;
            if since_poll >= POLL_INTERVAL {
                since_poll = 0;
                made.stop = self.clock.check().err();
                if made.stop.is_some() {
                    break;
                }
            }
            let segment;
            (segment, rest) = std::mem::take(&mut rest).split_at_mut(length);
            let Some(class) = self.segments.new_classes[left].filter(|_| length > 0) else {
                continue;
            };
            made.overflow |= match &self.plan.work {
                Work::InRight { recipes, flipped } => {
                    self.apply_recipe(left, &recipes[class], &flipped[left], segment)
                }
                Work::InLeft { sources, flips } => {
                    let mut overflow = self.add_segments(&sources[left], segment);
                    for &(source, height) in sources[left].iter().filter(|(_, height)| *height > 0)
                    {
                        let class = self.segments.old_classes[source as usize];
                        if let Some(places) = class.and_then(|class| flips.get(&(class, height))) {
                            let entries = self.segments.old(self.old, source as usize);
                            for (&place, entry) in places.iter().zip(entries) {
                                // `NOWHERE` is beyond the segment, so `get_mut` returns `None`.
                                if let Some(into) = segment.get_mut(place as usize) {
                                    overflow |= self.algebra.add(into, entry);
                                } else {
                                    debug_assert_eq!(place, NOWHERE, "a place beyond the segment");
                                }
                            }
                        }
                    }
                    overflow
                }
            };
            made.states += segment.iter().filter(|value| !N::is_zero(value)).count();
        }
        made
    }

    /// Computes a segment with a cell to the right of the cut. Returns whether a number overflowed.
    #[inline]
    fn apply_recipe(
        self,
        left: usize,
        recipe: &Recipe,
        flipped: &[(u8, u32)],
        segment: &mut [N::Value],
    ) -> bool {
        let old = self.segments.old(self.old, left);
        let mut overflow = false;
        for &target in &recipe.zero {
            segment[target as usize] = N::ZERO;
        }
        for &[target, source] in &recipe.copy {
            segment[target as usize] = old[source as usize];
        }
        for &[target, one, other] in &recipe.sum {
            let (sum, carry) = self.algebra.sum(&old[one as usize], &old[other as usize]);
            segment[target as usize] = sum;
            overflow |= carry;
        }
        for &[target, twin, one, other] in &recipe.twin {
            let (sum, carry) = self.algebra.sum(&old[one as usize], &old[other as usize]);
            segment[target as usize] = sum;
            segment[twin as usize] = sum;
            overflow |= carry;
        }
        for &[target, source] in &recipe.add {
            overflow |= self.algebra.add(&mut segment[target as usize], &old[source as usize]);
        }
        for (height, pairs) in &recipe.crossing {
            for &(_, source) in flipped.iter().filter(|(to, _)| to == height) {
                let old = self.segments.old(self.old, source as usize);
                for &[target, source] in pairs {
                    overflow |=
                        self.algebra.add(&mut segment[target as usize], &old[source as usize]);
                }
            }
        }
        overflow
    }

    /// Computes a segment with a cell to the left of the cut, as the sum of its unflipped sources.
    /// Returns whether a number overflowed.
    #[inline]
    fn add_segments(self, sources: &[(u32, u8)], segment: &mut [N::Value]) -> bool {
        let same = sources.partition_point(|&(_, height)| height == 0);
        let entries = |source: usize| self.segments.old(self.old, sources[source].0 as usize);
        let mut overflow = false;
        match same {
            0 => segment.fill(N::ZERO),
            1 => segment.copy_from_slice(entries(0)),
            _ => {
                for ((into, one), other) in segment.iter_mut().zip(entries(0)).zip(entries(1)) {
                    let carry;
                    (*into, carry) = self.algebra.sum(one, other);
                    overflow |= carry;
                }
            }
        }
        for source in 2..same {
            for (into, entry) in segment.iter_mut().zip(entries(source)) {
                overflow |= self.algebra.add(into, entry);
            }
        }
        overflow
    }
}

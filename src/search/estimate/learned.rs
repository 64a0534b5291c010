//! Stratified sampling that learns the sizes of subtrees by type.
//!
//! The strata of a level are the types of a *type system* (Lelis, Zilles and Holte 2013): the nodes
//! of a type should have subtrees of similar size. Like a [probe of Chen's](super::stratified), a
//! probe descends level by level. It differs in three ways:
//!
//! - Nodes of a stratum are kept with a probability proportional to the nodes that they are
//!   expected to stand for: their weight times the mean size of the subtrees of their type,
//!   according to earlier probes. Dividing the weight by that probability leaves the estimate
//!   unbiased, whatever was learnt. A node whose probability would exceed one is kept with its own
//!   weight (Fearnhead and Clifford 2003), and the others are drawn by systematic sampling.
//! - If types are many for the nodes that may be entered, neighbouring types are merged.
//! - If they are few, strata that are expected to have many nodes keep several.
//!
//! Pilot probes, each larger than the one before, find out whether types are many or few. The
//! *measure* of a node is its weight times the expected size of its subtree.

use std::collections::BTreeMap;

use super::moments::{Largest, Sums};
use super::stratified::{Candidate, Representative, Sampler, Select, Stratify};
use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::strategies::node_arena::NodeArena;

/// The pilot probes end when one of them enters more than one in this many of the nodes that the
/// run may enter. More probes that are smaller have larger errors, as rare types are merged.
const PILOT_SHARE: u64 = 8;

/// The largest number of strata per level in the first pilot probe.
const FIRST_STRATA: usize = 4;

/// The smallest number of probes after the pilot probes.
const LEAST_PROBES: u64 = 3;

/// The least expected size of a subtree, as a part of the mean at its depth.
const LEAST_EXPECTED: f64 = 0.1;

/// Sums over the representatives of a type in all probes so far.
#[derive(Clone, Copy, Default)]
struct SubtreeSums {
    representatives: f64,
    /// The sum of the weights.
    weight: f64,
    /// The sum of weight times number of descendants.
    below: f64,
}

impl SubtreeSums {
    fn add(&mut self, weight: f64, below: f64) {
        self.representatives += 1.0;
        self.weight += weight;
        self.below += below;
    }
}

/// A representative in the current probe.
struct Kept<K> {
    /// Its type.
    key: K,
    /// The index of its parent among the representatives of the level above.
    parent: usize,
    weight: f64,
    /// Whether it was drawn among others, for which it stands as well.
    is_drawn: bool,
}

/// The representatives of one level of the current probe.
struct Level<K> {
    kept: Vec<Kept<K>>,
    /// The weight of the children of each.
    children: Vec<f64>,
}

/// Chooses a limited number of representatives per level, by weight and expected size.
pub(super) struct ByExpectedSize<K> {
    /// The mean number of representatives per stratum.
    width: usize,
    /// The largest number of strata per level. Neighbours are merged to satisfy it.
    max_strata: usize,
    /// The largest number of types of a level so far.
    types_seen: usize,
    /// Whether the probe has left out a candidate.
    is_partial: bool,
    /// Candidates of the next level, with their ids.
    candidates: Vec<(Candidate<K>, usize)>,
    /// The levels below the root of the current probe.
    levels: Vec<Level<K>>,
    /// The sums by depth and type, and by depth.
    types: BTreeMap<(usize, K), SubtreeSums>,
    depths: Vec<SubtreeSums>,
    /// By depth, the numbers of nodes that drawn representatives stand for, with their descendants.
    drawn: Vec<Largest>,
}

impl<K: Ord + Clone> ByExpectedSize<K> {
    pub(super) fn new() -> Self {
        ByExpectedSize {
            width: 1,
            max_strata: FIRST_STRATA,
            types_seen: 0,
            is_partial: false,
            candidates: Vec::new(),
            levels: Vec::new(),
            types: BTreeMap::new(),
            depths: Vec::new(),
            drawn: Vec::new(),
        }
    }

    /// Returns the expected number of descendants of a node of a type, which is positive. Only the
    /// ratios between types of one depth matter.
    fn expected(&self, depth: usize, key: &K) -> f64 {
        let Some(all) = self.depths.get(depth).filter(|all| all.below > 0.0) else { return 1.0 };
        let mean = all.below / all.weight;
        let seen = self.types.get(&(depth, key.clone())).copied().unwrap_or_default();
        // The mean over the depth counts as one more representative. The minimum bounds the factor
        // by which a weight grows if subtrees of the type prove to be larger than those seen.
        let own = if seen.weight > 0.0 { seen.below / seen.weight } else { 0.0 };
        let share = seen.representatives / (seen.representatives + 1.0);
        (own * share + mean * (1.0 - share)).max(mean * LEAST_EXPECTED)
    }

    /// Learns from a complete probe.
    fn learn(&mut self) {
        let mut below: Vec<f64> = Vec::new();
        for (index, level) in self.levels.drain(..).enumerate().rev() {
            let depth = index + 1;
            let mut sums = level.children;
            for (sum, below) in sums.iter_mut().zip(below) {
                *sum += below;
            }
            let depths = self.depths.len().max(depth + 1);
            self.depths.resize(depths, SubtreeSums::default());
            self.drawn.resize(depths, Largest::default());
            let parents = level.kept.iter().map(|kept| kept.parent + 1).max().unwrap_or(0);
            below = vec![0.0; parents];
            for (kept, sum) in level.kept.into_iter().zip(sums) {
                if kept.is_drawn {
                    self.drawn[depth].add(kept.weight + sum);
                }
                self.depths[depth].add(kept.weight, sum);
                self.types.entry((depth, kept.key)).or_default().add(kept.weight, sum);
                below[kept.parent] += sum;
            }
        }
    }
}

/// Returns the measure at which a candidate is certain to be kept, so that `count` candidates are
/// kept. Candidates are kept with probability `measure / threshold`, at most 1.
fn threshold(measures: &[f64], count: usize) -> f64 {
    if measures.len() <= count {
        return 0.0;
    }
    let mut ascending = measures.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    // The sums up to each measure: beside a large one, subtraction would lose the small ones.
    let sums: Vec<f64> = ascending
        .iter()
        .scan(0.0, |sum, measure| {
            *sum += measure;
            Some(*sum)
        })
        .collect();
    let largest_first = ascending.iter().zip(&sums).rev().take(count).enumerate();
    for (certain, (&largest, &rest)) in largest_first {
        let threshold = rest / (count - certain) as f64;
        if largest < threshold {
            return threshold;
        }
    }
    sums[sums.len() - count - 1]
}

/// Merges consecutive sets into at most `max` groups. Takes the sizes of the sets, of which there
/// are `count`, and returns those of the groups.
fn merged(sets: impl Iterator<Item = usize>, count: usize, max: usize) -> Vec<usize> {
    if count <= max {
        return sets.collect();
    }
    let mut groups = vec![0; max];
    for (index, size) in sets.enumerate() {
        groups[index * max / count] += size;
    }
    groups
}

impl<K: Ord + Clone> Select<K> for ByExpectedSize<K> {
    fn offer<C>(
        &mut self,
        candidate: Candidate<K>,
        choice: C,
        arena: &mut NodeArena<C>,
        _: &mut fastrand::Rng,
    ) {
        let id = arena.push(candidate.parent.0, choice);
        self.candidates.push((candidate, id));
    }

    fn next_level(&mut self, children: &[f64], random: &mut fastrand::Rng) -> Vec<Representative> {
        if let Some(level) = self.levels.last_mut() {
            level.children.extend_from_slice(children);
        }
        if self.candidates.is_empty() {
            self.learn();
            return Vec::new();
        }
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_by(|(a, _), (b, _)| a.stratum.cmp(&b.stratum));
        let depth = self.levels.len() + 1;
        let same = |(a, _): &(Candidate<K>, _), (b, _): &(Candidate<K>, _)| a.stratum == b.stratum;
        let types = candidates.chunk_by(same).count();
        self.types_seen = self.types_seen.max(types);
        let strata = merged(candidates.chunk_by(same).map(<[_]>::len), types, self.max_strata);
        let mut rest = &candidates[..];
        let strata: Vec<_> =
            strata.into_iter().map(|len| rest.split_off(..len).unwrap_or(&[])).collect();
        let measure = |(candidate, _): &(Candidate<K>, usize)| {
            candidate.weight * self.expected(depth, &candidate.stratum)
        };
        let measures: Vec<f64> = candidates.iter().map(measure).collect();
        // Representatives beyond the first of each stratum.
        let more_per_measure =
            (self.width - 1) as f64 * strata.len() as f64 / measures.iter().sum::<f64>();
        let mut measures = &measures[..];
        let mut level = Vec::new();
        for stratum in strata {
            let measures = measures.split_off(..stratum.len()).unwrap_or(&[]);
            let count =
                ((more_per_measure * measures.iter().sum::<f64>()) as usize).saturating_add(1);
            let threshold = threshold(measures, count);
            let mut position = random.f64();
            let mut added = 0;
            for (index, ((candidate, id), measure)) in stratum.iter().zip(measures).enumerate() {
                let mut weight = candidate.weight;
                let is_drawn = *measure < threshold;
                if is_drawn {
                    position += measure / threshold;
                    // Rounding must not leave a stratum without a representative.
                    if position < 1.0 && (added > 0 || index + 1 < stratum.len()) {
                        self.is_partial = true;
                        continue;
                    }
                    position -= 1.0;
                    weight *= threshold / measure;
                }
                added += 1;
                let key = candidate.stratum.clone();
                let kept = Kept { key, parent: candidate.parent.1, weight, is_drawn };
                level.push((Representative { id: *id, weight }, kept));
            }
        }
        level.sort_unstable_by_key(|(representative, _)| representative.id);
        let (level, kept) = level.into_iter().unzip();
        self.levels.push(Level { kept, children: Vec::new() });
        level
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, S: Stratify<P, B, H, Stratum: Clone>>
    Sampler<'_, '_, P, B, H, S, ByExpectedSize<S::Stratum>>
{
    /// Makes probes that enter about `nodes` nodes in all. The pilot probes learn the sizes of
    /// subtrees by type, and the cost of a probe. The estimate is the mean over the probes that
    /// follow, whose number is fixed by then. If a limit stops the run during the pilot probes, the
    /// estimate is the mean over those; later, over the probes made since. There is none if the
    /// limit falls within the very first probe, or within the first one after the pilot probes.
    pub(super) fn run_within(&mut self, nodes: u64, sums: &mut Sums) -> Stop {
        let stop = self.visit(|sampler| {
            let cost = loop {
                let before = sampler.probe_meter.visited();
                sampler.select.is_partial = false;
                sampler.probe(sums)?;
                let visited = sampler.probe_meter.visited();
                let cost = (visited - before).max(1);
                if cost > nodes / PILOT_SHARE || visited > nodes / 3 {
                    break cost;
                }
                if !sampler.select.is_partial {
                    // The whole tree is known: the probes that follow keep all nodes as well.
                    sampler.select.max_strata = usize::MAX;
                    sampler.select.width = usize::MAX;
                    break nodes;
                }
                if sampler.select.types_seen > sampler.select.max_strata {
                    sampler.select.max_strata *= 2;
                } else {
                    sampler.select.width *= 2;
                }
            };
            // The cost of a probe depends on its result. The pilot probes, which end when one is
            // expensive, are therefore not part of the estimate.
            *sums = Sums::default();
            sampler.select.drawn.clear();
            let left = nodes.saturating_sub(sampler.probe_meter.visited());
            for _ in 0..(left / cost).max(LEAST_PROBES) {
                sampler.probe(sums)?;
            }
            Ok(())
        });
        sums.drawn = std::mem::take(&mut self.select.drawn);
        stop
    }
}

#[cfg(test)]
mod tests {
    use super::threshold;

    #[test]
    fn a_threshold_keeps_as_many_candidates_as_are_wanted_beside_very_large_ones() {
        for (large, small, count) in [(1e17, 1.0, 2), (1e16, 0.9, 3), (1.0, 1.0, 5), (3.0, 1.0, 1)]
        {
            let measures: Vec<f64> = [large].into_iter().chain([small; 1000]).collect();
            let threshold = threshold(&measures, count);
            let kept: f64 = measures.iter().map(|measure| (measure / threshold).min(1.0)).sum();
            assert!((kept - count as f64).abs() < 1e-9, "{kept} of {count} beside {large}");
        }
        assert_eq!(threshold(&[1.0, 2.0], 2), 0.0);
    }
}

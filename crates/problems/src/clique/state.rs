//! Cliques with their coloured candidates: [`CliqueState`].

use secateurs::vec_bytes;

use super::refinement::{Classes, Target};
use super::{BITS, Cliques};

/// A choice: a vertex that may extend a clique, with its colour among the candidates.
///
/// It is meaningful only at the node that it was created at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    // `Cliques::MAX_VERTICES` fits in 16 bits.
    rank: u16,
    colour: u16,
    /// The target of the colouring. It decides which candidates come before this one, so a
    /// candidate leads to the same child after the incumbent has improved.
    target: Target,
}

impl Candidate {
    /// Returns its position in the order in which vertices are coloured, from 0;
    /// [`Cliques::vertex`] returns its vertex.
    #[must_use]
    #[inline]
    pub fn rank(self) -> usize {
        self.rank.into()
    }

    /// Returns its colour, from 1: an upper bound for the number of vertices that a clique takes
    /// from this candidate and those tried after it.
    #[must_use]
    #[inline]
    pub fn colour(self) -> usize {
        self.colour.into()
    }
}

/// A state: a clique and its coloured candidates.
///
/// Sets and candidates of the ancestors are kept below those of the node, as on a stack, so that an
/// undo truncates the vectors and restores nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliqueState {
    /// The levels from the root to the node.
    levels: Vec<Level>,
    /// For each level, the candidates to try in ascending order of (colour, rank).
    coloured: Vec<Candidate>,
    /// For each level, the set of its candidates, by rank.
    sets: Vec<u64>,
    buffers: Buffers,
}

/// The colouring of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    /// The index of the first candidate in `coloured`.
    start: usize,
    target: Target,
    /// The number of colours.
    colours: u16,
    /// Whether all vertices of the clique are in the one that is tried first.
    is_guided: bool,
}

/// The buffers for colouring. Their contents have no meaning between two calls, so all buffers are
/// equal, and a clone begins with empty ones.
#[derive(Debug, Default)]
struct Buffers {
    uncoloured: Vec<u64>,
    class: Vec<u64>,
    classes: Classes,
}

impl Clone for Buffers {
    fn clone(&self) -> Self {
        Buffers::default()
    }
}

impl PartialEq for Buffers {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Buffers {}

impl CliqueState {
    /// Creates the empty clique, whose candidates are all vertices.
    pub(super) fn root(cliques: &Cliques, vertices: Vec<u64>) -> Self {
        let mut state = CliqueState {
            levels: Vec::new(),
            coloured: Vec::new(),
            sets: vertices,
            buffers: Buffers::default(),
        };
        let is_guided = !cliques.guide.is_empty();
        let colours = state.colour(cliques, 0, 0, Target::NONE, is_guided);
        state.levels.push(Level { start: 0, target: Target::NONE, colours, is_guided });
        state
    }

    /// Returns the number of vertices of the clique.
    #[must_use]
    #[inline]
    pub fn size(&self) -> usize {
        self.levels.len() - 1
    }

    /// Returns the candidates to try, in ascending order of their colours. The last one is tried
    /// first.
    ///
    /// These are all candidates, unless a [refined bound](super::ColouringBound::refined) has
    /// pruned some.
    #[must_use]
    #[inline]
    pub fn candidates(&self) -> &[Candidate] {
        &self.coloured[self.level().start..]
    }

    /// Returns the number of colours of the candidates, those that a refined bound has pruned
    /// included: an upper bound for the number of vertices that a clique takes from them.
    #[must_use]
    #[inline]
    pub fn colours(&self) -> usize {
        self.level().colours.into()
    }

    #[inline]
    fn level(&self) -> Level {
        self.levels[self.levels.len() - 1]
    }

    /// Returns the range of the candidates to try.
    #[inline]
    pub(super) fn listed(&self) -> (usize, usize) {
        (self.level().start, self.coloured.len())
    }

    #[inline]
    pub(super) fn candidate(&self, index: usize) -> Candidate {
        self.coloured[index]
    }

    /// Returns whether the candidate is one of this node, for the target that it was created with.
    pub(super) fn can_extend(&self, cliques: &Cliques, candidate: Candidate) -> bool {
        let mut state = self.clone();
        state.aim(cliques, candidate.target);
        state.candidates().contains(&candidate)
    }

    /// Returns the number of heap bytes that the state owns.
    pub(super) fn heap_bytes(&self) -> usize {
        let Buffers { uncoloured, class, classes } = &self.buffers;
        let buffers = vec_bytes(uncoloured) + vec_bytes(class) + classes.heap_bytes();
        vec_bytes(&self.levels) + vec_bytes(&self.coloured) + vec_bytes(&self.sets) + buffers
    }

    /// Colours the candidates anew, unless they have been coloured for this target.
    #[inline]
    pub(super) fn aim(&mut self, cliques: &Cliques, target: Target) {
        let Level { start, target: old, is_guided, .. } = self.level();
        if target != old {
            self.coloured.truncate(start);
            let set = self.sets.len() - cliques.words;
            let colours = self.colour(cliques, set, self.size(), target, is_guided);
            self.levels.pop();
            self.levels.push(Level { start, target, colours, is_guided });
        }
    }

    /// Adds the vertex of a candidate to the clique, and colours the remaining candidates for the
    /// same target.
    #[inline]
    pub(super) fn extend(&mut self, cliques: &Cliques, candidate: Candidate) {
        let (level, start) = (self.level(), self.coloured.len());
        let parent = self.sets.len() - cliques.words;
        let mut listed = level.start;
        if candidate.target != level.target {
            // The candidate is from a walk that knew another incumbent: list those before it again.
            listed = start;
            self.colour(cliques, parent, self.size(), candidate.target, level.is_guided);
        }
        self.sets.extend_from_within(parent..);
        let set = &mut self.sets[parent + cliques.words..];
        for (word, neighbours) in set.iter_mut().zip(cliques.row(candidate.rank())) {
            *word &= neighbours;
        }
        // All cliques with this candidate and one tried before it are in the subtrees of those.
        // Such candidates are few, since those that the bound prunes come last.
        let tried = self.coloured[listed..].iter().rev();
        for &tried in tried.take_while(|tried| tried.rank != candidate.rank) {
            set[tried.rank() / BITS] &= !(1 << (tried.rank() % BITS));
        }
        self.coloured.truncate(start);
        let set = parent + cliques.words;
        let target = level.target;
        let is_guided = level.is_guided && cliques.guides(candidate.rank());
        let colours = self.colour(cliques, set, self.size() + 1, target, is_guided);
        self.levels.push(Level { start, target, colours, is_guided });
    }

    /// Removes the last vertex from the clique.
    #[inline]
    pub(super) fn shrink(&mut self, cliques: &Cliques) {
        self.coloured.truncate(self.level().start);
        self.levels.pop();
        self.sets.truncate(self.sets.len() - cliques.words);
    }

    /// Colours the set that begins at `set`, for a clique of `size` vertices, and appends the
    /// candidates to try: if the clique `is_guided`, the last one is of the clique that is tried
    /// first. Returns the number of colours.
    #[inline]
    fn colour(
        &mut self,
        cliques: &Cliques,
        set: usize,
        size: usize,
        target: Target,
        is_guided: bool,
    ) -> u16 {
        let start = self.coloured.len();
        let colours = match target.is_none() {
            true => self.colour_greedily::<false>(cliques, set, size, target),
            false => self.colour_greedily::<true>(cliques, set, size, target),
        };
        let listed = &mut self.coloured[start..];
        let is_guide = |candidate: &Candidate| cliques.guides(candidate.rank());
        if is_guided && let Some(guide) = listed.iter().rposition(is_guide) {
            listed[guide..].rotate_left(1);
            // Those that are tried after it are of any colour.
            listed[listed.len() - 1].colour = colours;
        }
        colours
    }

    /// Colours one class after the other (San Segundo et al. 2011). A class takes the first
    /// uncoloured vertex, then each next one that is not adjacent to the class. If `REFINES`,
    /// candidates are appended only if their colours exceed the number that the target needs, and
    /// the classes up to this number do not absorb them.
    #[inline]
    fn colour_greedily<const REFINES: bool>(
        &mut self,
        cliques: &Cliques,
        set: usize,
        size: usize,
        target: Target,
    ) -> u16 {
        let CliqueState { coloured, sets, buffers, .. } = self;
        let Buffers { uncoloured, class, classes } = buffers;
        let set = &sets[set..set + cliques.words];
        // Words behind the last non-empty one are skipped.
        let end = set.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        if class.len() < end {
            class.resize(cliques.words, 0);
            uncoloured.resize(cliques.words, 0);
        }
        let (uncoloured, class) = (&mut uncoloured[..end], &mut class[..end]);
        uncoloured.copy_from_slice(&set[..end]);
        let mut first = 0;
        let mut colour = 0;
        let insufficient = if REFINES { target.insufficient(size) } else { 0 };
        if REFINES {
            let begin = set[..end].iter().position(|&word| word != 0).unwrap_or(0);
            classes.clear(begin..end);
        }
        loop {
            while first < end && uncoloured[first] == 0 {
                first += 1;
            }
            if first == end {
                return colour;
            }
            colour += 1;
            let is_kept = REFINES && colour <= insufficient;
            if is_kept {
                classes.open(uncoloured);
            }
            let listed = coloured.len();
            class[first..].copy_from_slice(&uncoloured[first..]);
            for word in first..end {
                while class[word] != 0 {
                    let bit = class[word] & class[word].wrapping_neg();
                    uncoloured[word] ^= bit;
                    class[word] ^= bit;
                    let rank = word * BITS + bit.trailing_zeros() as usize;
                    if REFINES && !is_kept && classes.absorb(cliques, rank, target) {
                        continue;
                    }
                    let row = &cliques.row(rank)[word..end];
                    for (class, neighbours) in class[word..].iter_mut().zip(row) {
                        *class &= !neighbours;
                    }
                    if !is_kept {
                        #[allow(
                            clippy::cast_possible_truncation,
                            reason = "MAX_VERTICES fits in 16 bits"
                        )]
                        coloured.push(Candidate { rank: rank as u16, colour, target });
                    }
                }
            }
            if is_kept {
                classes.close(uncoloured);
            } else if REFINES && coloured.len() == listed {
                // All candidates of this colour were absorbed.
                colour -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::Graph;
    use secateurs::Problem;

    use super::super::Refinement;
    use super::*;

    /// Returns the size of a maximum clique of a set of ranks below 64.
    fn largest(cliques: &Cliques, set: u64) -> usize {
        if set == 0 {
            return 0;
        }
        let rank = set.trailing_zeros() as usize;
        let rest = set & (set - 1);
        largest(cliques, rest).max(1 + largest(cliques, rest & cliques.row(rank)[0]))
    }

    /// Of the candidates that are not listed and those that are, up to each of them, a clique takes
    /// no more than the colour.
    #[test]
    fn colours_bound_the_cliques_of_pruned_and_listed_candidates() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut absorbed = [0, 0];
        for _ in 0..1000 {
            let (vertices, percent) = (random.usize(1..=24), random.u32(40..=95));
            let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
            let edges: Vec<_> = pairs.filter(|_| random.u32(..100) < percent).collect();
            let cliques = Cliques::new(&Graph::from_edges(vertices, edges).expect("a graph"))
                .expect("a small graph");
            let all = (1_u64 << vertices) - 1;
            for (refinement, absorbed) in
                [Refinement::Recolouring, Refinement::InfraChromatic].into_iter().zip(&mut absorbed)
            {
                let root = cliques.root();
                let insufficient = random.usize(0..=root.colours());
                let mut state = root.clone();
                state.aim(&cliques, Target::new(insufficient, refinement));
                let listed = state.candidates();
                let set = |listed: &[Candidate]| {
                    listed.iter().fold(0, |set, candidate| set | 1 << candidate.rank())
                };
                let pruned = all & !set(listed);
                assert!(largest(&cliques, pruned) <= insufficient.min(state.colours()));
                for (index, candidate) in listed.iter().enumerate() {
                    let tried = pruned | set(&listed[..=index]);
                    assert!(largest(&cliques, tried) <= candidate.colour());
                    assert!(candidate.colour() > insufficient);
                }
                let above =
                    root.candidates().iter().filter(|one| one.colour() > insufficient).count();
                *absorbed += above - listed.len();
            }
        }
        assert!(absorbed[0] > 30 && absorbed[1] > 2 * absorbed[0], "{absorbed:?}");
    }
}

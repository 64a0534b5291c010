//! The tree of cliques: candidates as sets of bits, coloured at each step.

use super::{BITS, Cliques};
use crate::memory::vec_bytes;
use crate::problem::{Branch, Problem};

/// A vertex that may join a clique, with its colour among the other candidates: a choice.
///
/// It belongs to the node at which it was drawn, and says nothing elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    rank: u32,
    colour: u32,
}

impl Candidate {
    /// Its place in the order in which vertices are coloured, from 0; [`Cliques::vertex`] makes a
    /// vertex of it.
    #[must_use]
    #[inline]
    pub fn rank(self) -> usize {
        self.rank as usize
    }

    /// Its colour, from 1: no clique takes more than so many vertices from it and the candidates
    /// that come after it.
    #[must_use]
    #[inline]
    pub fn colour(self) -> usize {
        self.colour as usize
    }
}

/// A clique with the candidates that may join it, coloured.
///
/// What belongs to the cliques above it is kept below its own, so that a step back drops what is on
/// top and restores nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliqueState {
    /// For each depth, where its candidates begin in `coloured`.
    starts: Vec<usize>,
    /// For each depth, its candidates in ascending order of colours and, of the same colour, of
    /// ranks.
    coloured: Vec<Candidate>,
    /// For each depth, the set of its candidates, by rank.
    sets: Vec<u64>,
    /// Room for colouring: empty sets in between.
    uncoloured: Vec<u64>,
    class: Vec<u64>,
}

impl CliqueState {
    /// How many vertices the clique has.
    #[must_use]
    #[inline]
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// The candidates, in ascending order of colours: the last is tried first.
    #[must_use]
    #[inline]
    pub fn candidates(&self) -> &[Candidate] {
        &self.coloured[self.start()..]
    }

    /// How many colours the candidates have: no clique takes more of them.
    #[must_use]
    #[inline]
    pub fn colours(&self) -> usize {
        self.candidates().last().map_or(0, |candidate| candidate.colour())
    }

    #[inline]
    fn start(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Colours the set on top, one colour after the other (San Segundo et al. 2011): of all that
    /// have none, the first vertex gets the colour, and then each that is not joined to those
    /// before it.
    #[inline]
    fn colour(&mut self, cliques: &Cliques) {
        let CliqueState { starts, coloured, sets, uncoloured, class } = self;
        starts.push(coloured.len());
        let set = &sets[sets.len() - cliques.words..];
        // Beyond the last word that has any, there is nothing to be done.
        let end = set.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        let (uncoloured, class) = (&mut uncoloured[..end], &mut class[..end]);
        uncoloured.copy_from_slice(&set[..end]);
        let mut first = 0;
        let mut colour = 0;
        loop {
            while first < end && uncoloured[first] == 0 {
                first += 1;
            }
            if first == end {
                break;
            }
            colour += 1;
            class[first..].copy_from_slice(&uncoloured[first..]);
            for word in first..end {
                while class[word] != 0 {
                    let bit = class[word] & class[word].wrapping_neg();
                    uncoloured[word] ^= bit;
                    class[word] ^= bit;
                    let rank = word * BITS + bit.trailing_zeros() as usize;
                    let row = &cliques.row(rank)[word..end];
                    for (class, neighbours) in class[word..].iter_mut().zip(row) {
                        *class &= !neighbours;
                    }
                    #[allow(
                        clippy::cast_possible_truncation,
                        reason = "there are not so many vertices"
                    )]
                    coloured.push(Candidate { rank: rank as u32, colour });
                }
            }
        }
    }
}

/// Where a node stands among its candidates: those from `start` to before `end` are still to be
/// tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Untried {
    start: usize,
    end: usize,
}

impl Problem for Cliques {
    type State = CliqueState;
    type Cursor = Untried;
    type Choice = Candidate;
    /// A step adds to the state, and what it adds is on top.
    type Undo = ();

    fn root(&self) -> CliqueState {
        let mut sets = vec![u64::MAX; self.words];
        if let Some(last) = sets.last_mut()
            && !self.vertices().is_multiple_of(BITS)
        {
            *last = (1 << (self.vertices() % BITS)) - 1;
        }
        let empty = vec![0; self.words];
        let mut state = CliqueState {
            starts: Vec::new(),
            coloured: Vec::new(),
            sets,
            uncoloured: empty.clone(),
            class: empty,
        };
        state.colour(self);
        state
    }

    #[inline]
    fn branch(&self, state: &CliqueState) -> Branch<Untried> {
        let (start, end) = (state.start(), state.coloured.len());
        if start == end { Branch::Solution } else { Branch::SolutionInner(Untried { start, end }) }
    }

    #[inline]
    fn next(&self, state: &CliqueState, untried: &mut Untried) -> Option<Candidate> {
        if untried.start == untried.end {
            return None;
        }
        untried.end -= 1;
        Some(state.coloured[untried.end])
    }

    fn can_apply(&self, state: &CliqueState, choice: &Candidate) -> bool {
        state.candidates().contains(choice)
    }

    fn heap_bytes(&self, state: &CliqueState) -> usize {
        let sets = vec_bytes(&state.sets) + vec_bytes(&state.uncoloured) + vec_bytes(&state.class);
        vec_bytes(&state.starts) + vec_bytes(&state.coloured) + sets
    }

    #[inline]
    fn apply(&self, state: &mut CliqueState, choice: &Candidate) {
        let above = state.sets.len() - self.words;
        state.sets.extend_from_within(above..);
        let set = &mut state.sets[above + self.words..];
        for (word, neighbours) in set.iter_mut().zip(self.row(choice.rank())) {
            *word &= neighbours;
        }
        // Those tried before it have had all cliques with it. They are few: most are cut off, and
        // these come last.
        let tried = state.coloured[state.starts[state.starts.len() - 1]..].iter().rev();
        for &tried in tried.take_while(|tried| tried.rank != choice.rank) {
            set[tried.rank() / BITS] &= !(1 << (tried.rank() % BITS));
        }
        state.colour(self);
    }

    #[inline]
    fn undo(&self, state: &mut CliqueState, _: &Candidate, (): ()) {
        let start = state.start();
        state.coloured.truncate(start);
        state.starts.pop();
        state.sets.truncate(state.sets.len() - self.words);
    }
}

//! Independent sets: sets of vertices of a graph, no two of which are adjacent, and the maximum
//! independent set problem.
//!
//! [`IndependentSets`] decides one vertex after another: it takes it, or leaves it. Vertices that
//! are adjacent to a taken one are skipped. States with the same remaining vertices have the same
//! continuations, so that the problem suits [diagrams](secateurs::diagram) (Bergman, Cire, van
//! Hoeve and Hooker 2014). For dense graphs, a search for a [clique](super::clique) of the
//! complement is faster.
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::graph::Graph;
//! use secateurs_problems::independent_set::IndependentSets;
//!
//! // Kings that do not attack each other.
//! let kings = IndependentSets::new(&Graph::king(7, 7)?)?;
//! let size = IndependentSets::size();
//! let search = Search::new(&kings).diagrams(&size, 50).rough(IndependentSets::bound);
//! let outcome = search.best(&size);
//! assert_eq!(outcome.proven(), Some(&16));
//! let set = outcome.solution().map(|choices| IndependentSets::taken(choices));
//! assert!(set.is_some_and(|set| kings.is_independent(&set) && set.len() == 16));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::hash::Hash;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::graph::Graph;
use secateurs::diagram::DiagramProblem;
use secateurs::{Branch, Objective, Problem};

use super::InstanceError;
use super::clique::least_degree_last;

/// The number of bits of a word.
const BITS: usize = u64::BITS as usize;

/// A set of ranks.
type Set = SmallVec<[u64; 4]>;

/// The tree of all independent sets of a graph, each of them once.
///
/// For n vertices, the problem takes n²/8 bytes, and a step takes time proportional to n/64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndependentSets {
    /// The vertex of each rank. Vertices are decided in the order of their ranks.
    vertices: Vec<u32>,
    /// For each rank, the ranks of the vertex and its neighbours.
    closed: Vec<Set>,
}

/// The vertices that are still to be decided, and the number of those taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Remaining {
    ranks: Set,
    taken: usize,
}

impl Remaining {
    /// Returns the number of vertices that were taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Returns the number of vertices that are still to be decided.
    #[must_use]
    pub fn undecided(&self) -> usize {
        self.ranks.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the lowest rank.
    fn first(&self) -> Option<usize> {
        first(&self.ranks)
    }
}

/// A decision about a vertex of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Decision {
    /// The vertex, counted from 0.
    pub vertex: usize,
    /// Whether it is taken.
    pub is_taken: bool,
}

impl IndependentSets {
    /// The largest number of vertices, for which the adjacency matrix takes 128 MiB.
    pub const MAX_VERTICES: usize = 1 << 15;

    /// Creates the tree of the independent sets of a graph. Parallel edges make no difference.
    ///
    /// In the order of decisions, the last vertex has least degree, the one before it has least
    /// degree in the rest of the graph, and so on (Matula and Beck 1983). But if a relaxed diagram
    /// from the root has a tighter bound in another order, that one is used. Eight are tried, if
    /// there are 35 to 1448 vertices: the next vertex is always one that is free in the fewest
    /// states of the layer (Bergman, Cire, van Hoeve and Hooker 2014), and ties are broken in
    /// different ways. The same graph gives the same order. Takes time proportional to n² for n
    /// vertices.
    ///
    /// # Errors
    ///
    /// Returns an error if the graph has more than [`MAX_VERTICES`](Self::MAX_VERTICES), or a loop:
    /// a vertex with a loop is in no independent set.
    pub fn new(graph: &Graph) -> Result<Self, InstanceError> {
        let number = graph.vertices();
        if let Some((vertex, _)) = graph.edges().find(|&(one, other)| one == other) {
            return Err(InstanceError::new(format_args!(
                "found a loop at vertex {vertex} (counted from 0), expected edges between \
                 different vertices"
            )));
        }
        if number > Self::MAX_VERTICES {
            return Err(InstanceError::new(format_args!(
                "found a graph of {number} vertices, expected at most {} to search for \
                 independent sets",
                Self::MAX_VERTICES
            )));
        }
        let graph = &graph.simple();
        let mut vertices = least_degree_last(graph);
        let mut closed = closed_neighbourhoods(graph, &vertices);
        let width = MAX_LAYER_WIDTH
            .min(LAYER_WORK / (number * number).max(1))
            .min(number.saturating_pow(3) / VERTICES_CUBED_PER_STATE);
        if width >= 2 {
            let fewest_states = |layer: &[(usize, Set)], undecided: &[usize]| {
                let states = |rank| layer.iter().filter(|(_, free)| has(free, rank)).count();
                (0..undecided.len()).min_by_key(|&place| states(undecided[place])).unwrap_or(0)
            };
            let (_, mut bound) = relaxed(&closed, width, |_, _| 0);
            let (mut tied, mut random) = (vertices.clone(), fastrand::Rng::with_seed(1));
            for _ in 0..ORDERS {
                let (ranks, other) =
                    relaxed(&closed_neighbourhoods(graph, &tied), width, fewest_states);
                if other < bound {
                    bound = other;
                    vertices = ranks.into_iter().map(|rank| tied[rank]).collect();
                }
                random.shuffle(&mut tied);
            }
            closed = closed_neighbourhoods(graph, &vertices);
        }
        Ok(IndependentSets { vertices, closed })
    }

    /// Returns the objective: the number of vertices taken, to be maximised.
    #[must_use]
    pub fn size() -> Objective<Self, usize, fn(&Self, &Remaining) -> usize> {
        let taken: fn(&Self, &Remaining) -> usize = |_, remaining| remaining.taken;
        Objective::maximise(taken).named("size")
    }

    /// Returns the number of taken vertices plus the number of cliques into which the remaining
    /// ones are partitioned greedily: no independent set at or below `remaining` is larger.
    ///
    /// Takes time proportional to the number of remaining vertices times n/64.
    #[must_use]
    pub fn bound(&self, remaining: &Remaining) -> usize {
        let mut rest = remaining.ranks.clone();
        let mut cliques = remaining.taken;
        while let Some(start) = first(&rest) {
            cliques += 1;
            rest[start / BITS] &= !(1 << (start % BITS));
            // The vertices that are adjacent to all of the clique so far.
            let mut common = rest.clone();
            retain(&mut common, &self.closed[start]);
            while let Some(next) = first(&common) {
                rest[next / BITS] &= !(1 << (next % BITS));
                common[next / BITS] &= !(1 << (next % BITS));
                retain(&mut common, &self.closed[next]);
            }
        }
        cliques
    }

    /// Returns the vertices that a solution takes, in ascending order.
    #[must_use]
    pub fn taken(choices: &[Decision]) -> Vec<usize> {
        let taken = choices.iter().filter(|decision| decision.is_taken);
        let mut vertices: Vec<usize> = taken.map(|decision| decision.vertex).collect();
        vertices.sort_unstable();
        vertices
    }

    /// Returns whether these are distinct vertices of the graph, no two of which are adjacent.
    #[must_use]
    pub fn is_independent(&self, vertices: &[usize]) -> bool {
        let mut remaining = self.root();
        vertices.iter().all(|vertex| {
            let rank = self.vertices.iter().position(|&known| known as usize == *vertex);
            let is_free = rank.is_some_and(|rank| has(&remaining.ranks, rank));
            if let Some(rank) = rank {
                remove(&mut remaining.ranks, &self.closed[rank]);
            }
            is_free
        })
    }
}

/// The number of orders that are tried, which break ties in different ways.
const ORDERS: usize = 8;

/// The most states times their vertices that are looked at to try an order.
const LAYER_WORK: usize = 1 << 22;

/// The most states of a layer that are kept to find an order.
const MAX_LAYER_WIDTH: usize = 128;

/// To find an order, a layer keeps at most one state for each 20,000 of the cube of the number of
/// vertices. The search of a small graph takes less than the orders would: on random graphs of 60
/// and 80 vertices with a density of 0.2, this saves half of all instructions, although the trees
/// become somewhat larger.
const VERTICES_CUBED_PER_STATE: usize = 20_000;

/// Returns, for each rank, the ranks of the vertex and its neighbours.
fn closed_neighbourhoods(graph: &Graph, vertices: &[u32]) -> Vec<Set> {
    let mut rank_of = vec![0; vertices.len()];
    let mut closed = vec![Set::from_elem(0, vertices.len().div_ceil(BITS)); vertices.len()];
    for (rank, &vertex) in vertices.iter().enumerate() {
        rank_of[vertex as usize] = rank;
        closed[rank][rank / BITS] |= 1 << (rank % BITS);
    }
    for (one, other) in graph.edges() {
        let (one, other) = (rank_of[one], rank_of[other]);
        for (from, to) in [(one, other), (other, one)] {
            closed[from][to / BITS] |= 1 << (to % BITS);
        }
    }
    closed
}

/// Makes a relaxed diagram from the root. Returns the order in which `choose` has decided the
/// ranks, and the bound. `choose` gets a layer, as the numbers of taken vertices with the free
/// ranks, and the undecided ranks, and returns the place of one of these. Layers are reduced to
/// `width` states, at least 2: the last one is the union of those that have taken the fewest
/// vertices.
fn relaxed(
    closed: &[Set],
    width: usize,
    choose: impl Fn(&[(usize, Set)], &[usize]) -> usize,
) -> (Vec<usize>, usize) {
    let mut order = Vec::with_capacity(closed.len());
    let mut undecided: Vec<usize> = (0..closed.len()).collect();
    let mut layer = vec![(0_usize, full(closed.len()))];
    while !undecided.is_empty() {
        let next = undecided.remove(choose(&layer, &undecided));
        order.push(next);
        let mut states = FxHashMap::default();
        for (taken, mut free) in layer {
            if has(&free, next) {
                free[next / BITS] &= !(1 << (next % BITS));
                let mut without_neighbours = free.clone();
                remove(&mut without_neighbours, &closed[next]);
                let most = states.entry(without_neighbours).or_insert(0);
                *most = taken.saturating_add(1).max(*most);
            }
            let most = states.entry(free).or_insert(0);
            *most = taken.max(*most);
        }
        layer = states.into_iter().map(|(free, taken)| (taken, free)).collect();
        layer.sort_unstable_by(|one, other| other.cmp(one));
        for (_, free) in layer.split_off(width.min(layer.len())) {
            layer[width - 1].1.iter_mut().zip(&free).for_each(|(word, other)| *word |= other);
        }
    }
    (order, layer.first().map_or(0, |&(taken, _)| taken))
}

/// Returns the set of all ranks below `number`.
fn full(number: usize) -> Set {
    let mut ranks = Set::from_elem(u64::MAX, number.div_ceil(BITS));
    if !number.is_multiple_of(BITS)
        && let Some(last) = ranks.last_mut()
    {
        *last >>= BITS - number % BITS;
    }
    ranks
}

/// Returns the least rank in a set.
fn first(set: &Set) -> Option<usize> {
    let word = set.iter().position(|&word| word != 0)?;
    Some(word * BITS + set[word].trailing_zeros() as usize)
}

/// Returns whether a set has a rank.
fn has(set: &Set, rank: usize) -> bool {
    set[rank / BITS] >> (rank % BITS) & 1 == 1
}

/// Removes the ranks of `other` from a set.
fn remove(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word &= !other);
}

/// Removes the ranks from a set that are not in `other`.
fn retain(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

impl Problem for IndependentSets {
    type State = Remaining;
    type Cursor = Option<bool>; // the next choice
    type Choice = Decision;
    type Undo = Set; // the ranks before

    fn root(&self) -> Remaining {
        Remaining { ranks: full(self.vertices.len()), taken: 0 }
    }

    fn branch(&self, remaining: &Remaining) -> Branch<Option<bool>> {
        match remaining.ranks.iter().all(|&word| word == 0) {
            true => Branch::Solution,
            false => Branch::Inner(Some(true)),
        }
    }

    fn next(&self, remaining: &Remaining, cursor: &mut Option<bool>) -> Option<Decision> {
        let is_taken = cursor.take()?;
        *cursor = is_taken.then_some(false);
        Some(Decision { vertex: self.vertices[remaining.first()?] as usize, is_taken })
    }

    fn apply(&self, remaining: &mut Remaining, decision: &Decision) -> Set {
        let before = remaining.ranks.clone();
        if let Some(rank) = remaining.first() {
            if decision.is_taken {
                remove(&mut remaining.ranks, &self.closed[rank]);
                remaining.taken += 1;
            } else {
                remaining.ranks[rank / BITS] &= !(1 << (rank % BITS));
            }
        }
        before
    }

    fn accepts_saved(&self, remaining: &Remaining, decision: &Decision) -> bool {
        remaining.first().is_some_and(|rank| self.vertices[rank] as usize == decision.vertex)
    }

    fn undo(&self, remaining: &mut Remaining, decision: &Decision, before: Set) {
        remaining.ranks = before;
        remaining.taken -= usize::from(decision.is_taken);
    }

    fn heap_bytes(&self, remaining: &Remaining) -> usize {
        let heap = if remaining.ranks.spilled() { remaining.ranks.capacity() * 8 } else { 0 };
        secateurs::block_bytes(heap)
    }
}

/// States are equal if the same vertices remain. A merged state has the union of the remaining
/// vertices.
impl DiagramProblem for IndependentSets {
    fn layer(&self, remaining: &Remaining) -> usize {
        remaining.first().unwrap_or(self.vertices.len())
    }

    fn key(&self, remaining: &Remaining) -> impl Hash + Eq {
        &remaining.ranks
    }

    fn merge(&self, remaining: &mut Remaining, other: &Remaining) {
        remaining.ranks.iter_mut().zip(&other.ranks).for_each(|(word, other)| *word |= other);
        remaining.taken = remaining.taken.max(other.taken);
    }

    fn rank(&self, remaining: &Remaining) -> u64 {
        remaining.undecided() as u64
    }
}

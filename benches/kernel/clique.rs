//! Maximum clique against a recursion written by hand: random graphs of one word and of several.

use std::hint::black_box;

use secateurs::plug::graph::Graph;
use secateurs::problems::clique::Cliques;
use secateurs::{Limits, Problem};

use crate::support::{self, Clock, Contender};

/// Vertices, edges of a hundred pairs, graphs, rounds.
const GRAPHS: [(usize, u32, u64, usize); 4] = [(64, 80, 500, 9), (200, 70, 1, 9), (500, 40, 1, 9), (1200, 30, 1, 5)];

/// What one would write by hand after San Segundo et al. (2011): sets of bits, and candidates whose colours are too low
/// not even listed.
#[derive(Clone)]
struct Recursion {
    words: usize,
    rows: Vec<u64>,
    size: usize,
    best: usize,
    nodes: u64,
    /// A vertex and its colour, one list on top of the other.
    listed: Vec<(u32, u32)>,
    sets: Vec<u64>,
    uncoloured: Vec<u64>,
    class: Vec<u64>,
}

impl Recursion {
    fn new(graph: &Graph, cliques: &Cliques) -> Self {
        let number = graph.vertices();
        let words = number.div_ceil(64);
        // The order of the vertices is the same, so that the trees are.
        let mut rank = vec![0; number];
        for &candidate in cliques.root().candidates() {
            rank[cliques.vertex(candidate)] = candidate.rank();
        }
        let mut rows = vec![0; number * words];
        for (one, other) in graph.edges() {
            for (from, to) in [(rank[one], rank[other]), (rank[other], rank[one])] {
                rows[from * words + to / 64] |= 1 << (to % 64);
            }
        }
        let mut sets = vec![0; words];
        (0..number).for_each(|vertex| sets[vertex / 64] |= 1 << (vertex % 64));
        let (uncoloured, class) = (vec![0; words], vec![0; words]);
        Recursion { words, rows, size: 0, best: 0, nodes: 0, listed: Vec::new(), sets, uncoloured, class }
    }

    fn colour(&mut self, set: usize) {
        let Recursion { words, rows, listed, sets, uncoloured, class, .. } = self;
        let words = *words;
        let needed = self.best.saturating_sub(self.size);
        uncoloured.copy_from_slice(&sets[set..set + words]);
        let mut colour = 0;
        let mut first = 0;
        loop {
            while first < words && uncoloured[first] == 0 {
                first += 1;
            }
            if first == words {
                return;
            }
            colour += 1;
            class[first..].copy_from_slice(&uncoloured[first..]);
            for word in first..words {
                while class[word] != 0 {
                    let bit = class[word] & class[word].wrapping_neg();
                    let vertex = word * 64 + bit.trailing_zeros() as usize;
                    uncoloured[word] ^= bit;
                    class[word] ^= bit;
                    let row = &rows[vertex * words + word..(vertex + 1) * words];
                    class[word..].iter_mut().zip(row).for_each(|(class, joined)| *class &= !joined);
                    if colour > needed {
                        listed.push((vertex as u32, colour as u32));
                    }
                }
            }
        }
    }

    fn search(&mut self) {
        self.nodes += 1;
        let set = self.sets.len() - self.words;
        let start = self.listed.len();
        self.colour(set);
        while self.listed.len() > start {
            let (vertex, colour) = self.listed[self.listed.len() - 1];
            if self.size + colour as usize <= self.best {
                break;
            }
            self.listed.pop();
            let vertex = vertex as usize;
            self.sets.extend_from_within(set..set + self.words);
            let row = &self.rows[vertex * self.words..(vertex + 1) * self.words];
            let child = &mut self.sets[set + self.words..];
            child.iter_mut().zip(row).for_each(|(word, joined)| *word &= joined);
            let has_any = child.iter().any(|&word| word != 0);
            self.size += 1;
            if has_any {
                self.search();
            } else {
                self.nodes += 1;
                self.best = self.best.max(self.size);
            }
            self.size -= 1;
            self.sets.truncate(set + self.words);
            self.sets[set + vertex / 64] &= !(1 << (vertex % 64));
        }
        self.listed.truncate(start);
    }
}

/// Sizes and nodes of them all.
#[inline(never)]
fn recursion(graphs: &[Recursion]) -> (Vec<usize>, u64) {
    let search = |graph: &Recursion| {
        let mut graph = graph.clone();
        graph.search();
        (graph.best, graph.nodes)
    };
    let (sizes, nodes): (_, Vec<u64>) = graphs.iter().map(search).unzip();
    (sizes, nodes.iter().sum())
}

/// The same by the engine.
#[inline(never)]
fn engine(graphs: &[Cliques]) -> (Vec<usize>, u64) {
    let search = |graph: &Cliques| {
        let outcome = graph.maximum(Limits::new());
        (*outcome.proven().expect("no limit"), outcome.report().nodes())
    };
    let (sizes, nodes): (_, Vec<u64>) = graphs.iter().map(search).unzip();
    (sizes, nodes.iter().sum())
}

fn random(vertices: usize, percent: u32, seed: u64) -> Graph {
    let mut random = fastrand::Rng::with_seed(seed);
    let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
    let edges: Vec<(usize, usize)> = pairs.filter(|_| random.u32(..100) < percent).collect();
    Graph::from_edges(vertices, edges).expect("a small graph")
}

pub fn run() {
    for (vertices, percent, number, rounds) in GRAPHS {
        let graphs: Vec<Graph> = (1..=number).map(|seed| random(vertices, percent, seed)).collect();
        let cliques: Vec<Cliques> = graphs.iter().map(|graph| Cliques::new(graph).expect("a small graph")).collect();
        let rivals: Vec<Recursion> =
            graphs.iter().zip(&cliques).map(|(graph, cliques)| Recursion::new(graph, cliques)).collect();
        let (expected, nodes) = engine(&cliques);
        let others = recursion(&rivals).1;
        let contenders = [
            Contender::new("recursion", 1.0, || recursion(black_box(&rivals)).0),
            Contender::new("engine", 1.5, || engine(black_box(&cliques)).0),
        ];
        let title =
            format!("{number} × {vertices} vertices, {percent} % of edges, {nodes} nodes (recursion: {others})");
        support::ratios(&title, Clock::Processor, rounds, &expected, &contenders);
    }
}

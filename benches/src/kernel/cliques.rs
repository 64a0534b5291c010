//! Maximum clique by the engine and by a hand-written recursion, on random graphs whose sets of
//! vertices take one machine word or several.

use secateurs::plug::graph::Graph;
use secateurs::{Limits, Problem, Search};
use secateurs_problems::clique::{Cliques, ColouringBound};

use crate::group::{Group, RunResult};

/// A hand-written recursion after San Segundo et al. (2011), on bit sets. Candidates whose colour
/// is too low for an improvement are not listed. Others may be recoloured (San Segundo et al. 2013,
/// BBMCR).
#[derive(Clone)]
struct Recursion {
    recolours: bool,
    /// The number of machine words of a set of vertices.
    words: usize,
    /// The adjacency matrix: by vertex, the set of its neighbours.
    rows: Vec<u64>,
    /// The number of vertices of the clique of the current node.
    size: usize,
    best: usize,
    nodes: u64,
    /// Vertices with their colours, the list of each node on top of that of its parent.
    listed: Vec<(u32, u32)>,
    /// The candidates of each node, on top of those of its parent.
    sets: Vec<u64>,
    uncoloured: Vec<u64>,
    class: Vec<u64>,
    /// If candidates are recoloured, the classes of the colours that are not listed.
    classes: Vec<u64>,
}

impl Recursion {
    fn new(graph: &Graph, cliques: &Cliques, recolours: bool) -> Self {
        let number = graph.vertices();
        let words = number.div_ceil(64);
        // The engine's order of vertices, so that both search the same tree.
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
        Recursion {
            recolours,
            words,
            rows,
            size: 0,
            best: 0,
            nodes: 0,
            listed: Vec::new(),
            sets,
            uncoloured,
            class,
            classes: Vec::new(),
        }
    }

    /// Colours the vertices of a set greedily, and lists those whose colour allows an improvement,
    /// in ascending order of colours.
    fn colour(&mut self, set: usize) {
        let Recursion { recolours, words, rows, listed, sets, uncoloured, class, classes, .. } =
            self;
        let (recolours, words) = (*recolours, *words);
        let needed = self.best.saturating_sub(self.size);
        uncoloured.copy_from_slice(&sets[set..set + words]);
        classes.clear();
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
            if recolours && colour <= needed {
                classes.resize(colour * words, 0);
            }
            let before = listed.len();
            class[first..].copy_from_slice(&uncoloured[first..]);
            for word in first..words {
                while class[word] != 0 {
                    let bit = class[word] & class[word].wrapping_neg();
                    let vertex = word * 64 + bit.trailing_zeros() as usize;
                    uncoloured[word] ^= bit;
                    class[word] ^= bit;
                    if recolours && colour > needed && recolour(classes, rows, words, vertex) {
                        continue;
                    }
                    let row = &rows[vertex * words + word..(vertex + 1) * words];
                    class[word..].iter_mut().zip(row).for_each(|(class, joined)| *class &= !joined);
                    if colour > needed {
                        listed.push((vertex as u32, colour as u32));
                    } else if recolours {
                        classes[(colour - 1) * words + word] |= bit;
                    }
                }
            }
            if recolours && colour > needed && listed.len() == before {
                colour -= 1;
            }
        }
    }

    /// Searches the node whose candidates are the last set.
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

/// Moves a vertex to a class with a single neighbour of it, and that neighbour to a later class
/// without neighbours of its own. Returns whether there are such classes.
fn recolour(classes: &mut [u64], rows: &[u64], words: usize, vertex: usize) -> bool {
    let row = |vertex: usize| &rows[vertex * words..(vertex + 1) * words];
    let number = classes.len() / words;
    for one in 0..number {
        let mut neighbours = 0;
        let mut single = 0;
        for (word, (class, row)) in classes[one * words..].iter().zip(row(vertex)).enumerate() {
            let common = class & row;
            if common != 0 {
                neighbours += if common & (common - 1) == 0 { 1 } else { 2 };
                single = word * 64 + common.trailing_zeros() as usize;
                if neighbours > 1 {
                    break;
                }
            }
        }
        if neighbours > 1 {
            continue;
        }
        if neighbours == 1 {
            let is_free = |&other: &usize| {
                classes[other * words..]
                    .iter()
                    .zip(row(single))
                    .all(|(class, row)| class & row == 0)
            };
            let Some(other) = (one + 1..number).find(is_free) else { continue };
            for (class, vertex) in [(one, single), (other, single)] {
                classes[class * words + vertex / 64] ^= 1 << (vertex % 64);
            }
        }
        classes[one * words + vertex / 64] ^= 1 << (vertex % 64);
        return true;
    }
    false
}

/// Random graphs of one size and density, prepared for both contenders.
pub struct Graphs {
    cliques: Vec<Cliques>,
    rivals: Vec<Recursion>,
}

impl Graphs {
    fn random(sample: Sample, recolours: bool) -> Self {
        let Sample { vertices, percent, graphs, .. } = sample;
        let graphs: Vec<Graph> = (1..=graphs).map(|seed| random(vertices, percent, seed)).collect();
        let cliques = graphs.iter().map(|graph| Cliques::new(graph).expect("a small graph"));
        let cliques: Vec<Cliques> = cliques.collect();
        let rivals = graphs.iter().zip(&cliques);
        let rivals =
            rivals.map(|(graph, cliques)| Recursion::new(graph, cliques, recolours)).collect();
        Graphs { cliques, rivals }
    }

    /// Runs the recursion on all graphs.
    fn by_hand(&self) -> RunResult {
        RunResult::sum(self.rivals.iter().map(by_hand))
    }
}

/// The parameters of random graphs, and the expected results, added up over the graphs.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    vertices: usize,
    /// The share of pairs of vertices that are edges.
    percent: u32,
    graphs: u64,
    clique_sizes: u128,
    nodes: u64,
}

/// The samples that are measured, from one machine word per set of vertices to nineteen.
pub const SAMPLES: [Sample; 4] = [
    Sample { vertices: 64, percent: 80, graphs: 500, clique_sizes: 8310, nodes: 130_787 },
    Sample { vertices: 200, percent: 70, graphs: 1, clique_sizes: 18, nodes: 122_412 },
    Sample { vertices: 500, percent: 40, graphs: 1, clique_sizes: 11, nodes: 76_887 },
    Sample { vertices: 1200, percent: 30, graphs: 1, clique_sizes: 10, nodes: 707_214 },
];

/// Returns a graph in which each pair of vertices is an edge with a probability of `percent` / 100.
pub(crate) fn random(vertices: usize, percent: u32, seed: u64) -> Graph {
    let mut random = fastrand::Rng::with_seed(seed);
    let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
    let edges: Vec<(usize, usize)> = pairs.filter(|_| random.u32(..100) < percent).collect();
    Graph::from_edges(vertices, edges).expect("a small graph")
}

fn by_hand(rival: &Recursion) -> RunResult {
    let mut recursion = rival.clone();
    recursion.search();
    RunResult { answer: Some(recursion.best as u128), nodes: Some(recursion.nodes) }
}

/// Returns the group of the largest cliques of random graphs by the plain bound.
pub fn group(sample: Sample) -> Group<Graphs> {
    fn plain(cliques: &Cliques) -> RunResult {
        let size = Cliques::size();
        Search::new(cliques).hooks((ColouringBound::new(size.incumbent()),)).best(&size).into()
    }
    let name =
        format!("kernel/cliques of {} vertices, {} % edges", sample.vertices, sample.percent);
    Group::new(name, Graphs::random(sample, false), sample.clique_sizes, sample.nodes)
        .contender("recursion", Graphs::by_hand)
        .contender("engine", |graphs| RunResult::sum(graphs.cliques.iter().map(plain)))
        .limit(1.5)
}

/// The samples for refined bounds. The nodes are those of the recursion that recolours.
pub const REFINED_SAMPLES: [(Sample, u64); 3] = [
    (Sample { vertices: 130, percent: 90, graphs: 1, clique_sizes: 35, nodes: 18_082 }, 6226),
    (Sample { vertices: 200, percent: 80, graphs: 1, clique_sizes: 25, nodes: 800_845 }, 329_208),
    (Sample { vertices: 500, percent: 50, graphs: 1, clique_sizes: 13, nodes: 611_554 }, 418_031),
];

/// Returns the group of the largest cliques of random graphs by refined bounds. `nodes` are those
/// of the engine.
pub fn refined((sample, nodes): (Sample, u64)) -> Group<Graphs> {
    let name = format!(
        "kernel/refined cliques of {} vertices, {} % edges",
        sample.vertices, sample.percent
    );
    Group::new(name, Graphs::random(sample, true), sample.clique_sizes, sample.nodes)
        .contender("recursion that recolours", Graphs::by_hand)
        .contender("engine, infra-chromatic", |graphs| {
            RunResult::sum(graphs.cliques.iter().map(|graph| graph.maximum(Limits::new()).into()))
        })
        .nodes(nodes)
        .limit(0.9)
}

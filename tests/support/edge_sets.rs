//! Exhaustive search on small graphs, as an oracle that does not use frontiers.

use proptest::prelude::*;
use secateurs_problems::graph::Graph;

/// The number of sets of edges of each kind, found by examining all sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeSetCounts {
    pub hamiltonian_cycles: u128,
    pub simple_cycles: u128,
    /// The paths between two different vertices, by the numbers of the vertices.
    pub hamiltonian_paths: Vec<Vec<u128>>,
    pub simple_paths: Vec<Vec<u128>>,
    pub trees: u128,
    pub forests: u128,
    pub connected: u128,
    pub two_factors: u128,
    pub matchings: u128,
    pub perfect_matchings: u128,
}

impl EdgeSetCounts {
    pub fn of(graph: &Graph) -> Self {
        let vertices = graph.vertices();
        let edges: Vec<(usize, usize)> = graph.edges().collect();
        assert!(edges.len() <= 17, "too many sets");
        let table = vec![vec![0; vertices]; vertices];
        let mut counts = EdgeSetCounts {
            hamiltonian_paths: table.clone(),
            simple_paths: table,
            ..EdgeSetCounts::default()
        };
        for set in 0u32..1 << edges.len() {
            counts.examine(vertices, &chosen(&edges, set).collect::<Vec<_>>());
        }
        counts
    }

    /// Counts one set of edges for every kind that it belongs to.
    fn examine(&mut self, vertices: usize, chosen: &[(usize, usize)]) {
        let mut degree = vec![0; vertices];
        chosen.iter().flat_map(|&(one, other)| [one, other]).for_each(|end| degree[end] += 1);
        let (_, cycles) = components(vertices, chosen);
        let components = vertices - (chosen.len() - cycles);
        let touched = degree.iter().filter(|&&degree| degree > 0).count();
        // The components with an edge.
        let edge_components = components - (vertices - touched);
        let ends: Vec<usize> = (0..vertices).filter(|&vertex| degree[vertex] == 1).collect();
        let is_paths_and_cycles = degree.iter().all(|&degree| degree <= 2);
        if is_paths_and_cycles && edge_components == 1 && ends.is_empty() {
            self.simple_cycles += 1;
            self.hamiltonian_cycles += u128::from(touched == vertices);
        }
        if let (true, 1, &[from, to]) = (is_paths_and_cycles, edge_components, &ends[..]) {
            for (from, to) in [(from, to), (to, from)] {
                self.simple_paths[from][to] += 1;
                self.hamiltonian_paths[from][to] += u128::from(touched == vertices);
            }
        }
        self.two_factors += u128::from(degree.iter().all(|&degree| degree == 2));
        self.trees += u128::from(components == 1 && cycles == 0);
        self.connected += u128::from(components == 1);
        self.forests += u128::from(cycles == 0);
        if degree.iter().all(|&degree| degree <= 1) {
            self.matchings += 1;
            self.perfect_matchings += u128::from(touched == vertices);
        }
    }

    /// Returns the number of undirected Hamiltonian paths with any ends.
    pub fn hamiltonian_paths_anywhere(&self) -> u128 {
        // A graph of one vertex has a path without edges.
        let alone = u128::from(self.hamiltonian_paths.len() == 1);
        alone + self.hamiltonian_paths.iter().flatten().sum::<u128>() / 2
    }
}

/// Returns the edges of a set.
fn chosen(edges: &[(usize, usize)], set: u32) -> impl Iterator<Item = (usize, usize)> {
    let is_chosen = move |edge: &usize| set >> edge & 1 == 1;
    (0..edges.len()).filter(is_chosen).map(|edge| edges[edge])
}

/// Returns the component of each vertex, and the number of edges that close a cycle.
fn components(vertices: usize, edges: &[(usize, usize)]) -> (Vec<usize>, usize) {
    let mut component: Vec<usize> = (0..vertices).collect();
    let mut cycles = 0;
    for &(one, other) in edges {
        let (from, to) = (component[one], component[other]);
        cycles += usize::from(from == to);
        component.iter_mut().filter(|name| **name == from).for_each(|name| *name = to);
    }
    (component, cycles)
}

/// Counts the sets of pairwise non-adjacent vertices.
pub fn independent_sets(graph: &Graph) -> u128 {
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    let is_independent =
        |set: u32| edges.iter().all(|&(one, other)| set >> one & set >> other & 1 == 0);
    (0u32..1 << graph.vertices()).filter(|&set| is_independent(set)).count() as u128
}

/// Counts the sets of vertices of which each vertex is a member or a neighbour.
pub fn dominating_sets(graph: &Graph) -> u128 {
    let around =
        |vertex: usize| graph.neighbours(vertex).fold(1 << vertex, |set, next| set | 1 << next);
    let around: Vec<u32> = (0..graph.vertices()).map(around).collect();
    let dominates = |set: u32| around.iter().all(|around| set & around != 0);
    (0u32..1 << graph.vertices()).filter(|&set| dominates(set)).count() as u128
}

/// Counts the colourings in this number of colours by deletion and contraction (Whitney, 1932).
pub fn colourings(vertices: usize, edges: &[(usize, usize)], colours: u8) -> i128 {
    match edges {
        [] => i128::from(colours).pow(vertices as u32),
        [(one, other), ..] if one == other => 0,
        [(one, other), rest @ ..] => {
            let moved = |at: usize| if at == *other { *one } else { at };
            let contracted: Vec<(usize, usize)> =
                rest.iter().map(|&(a, b)| (moved(a), moved(b))).collect();
            let has_loop = contracted.iter().any(|(a, b)| a == b);
            let less = if has_loop { 0 } else { colourings(vertices - 1, &contracted, colours) };
            colourings(vertices, rest, colours) - less
        }
    }
}

/// Counts the sets of edges that connect the terminals, and the trees among the sets that contain
/// them.
pub fn connecting(graph: &Graph, terminals: &[usize]) -> [u128; 2] {
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    let mut counts = [0; 2];
    for set in 0u32..1 << edges.len() {
        let chosen: Vec<_> = chosen(&edges, set).collect();
        let (component, cycles) = components(graph.vertices(), &chosen);
        let ends = chosen.iter().flat_map(|&(one, other)| [one, other]);
        let touched: Vec<usize> = terminals.iter().copied().chain(ends).collect();
        let is_one =
            |all: &[usize]| all.windows(2).all(|two| component[two[0]] == component[two[1]]);
        counts[0] += u128::from(is_one(terminals));
        // Without terminals, only the set without edges counts as a tree.
        let is_tree = cycles == 0 && is_one(&touched) && (!terminals.is_empty() || set == 0);
        counts[1] += u128::from(is_tree);
    }
    counts
}

/// Counts the simple paths and the Hamiltonian paths between every two vertices, by walking all of
/// them.
pub fn walks(graph: &Graph) -> [Vec<Vec<u128>>; 2] {
    fn walk(graph: &Graph, at: usize, visited: u32, simple: &mut [u128], hamiltonian: &mut [u128]) {
        for next in graph.neighbours(at).filter(|&next| visited >> next & 1 == 0) {
            let visited = visited | 1 << next;
            simple[next] += 1;
            hamiltonian[next] += u128::from(visited.count_ones() as usize == graph.vertices());
            walk(graph, next, visited, simple, hamiltonian);
        }
    }
    let mut tables = [(); 2].map(|()| vec![vec![0; graph.vertices()]; graph.vertices()]);
    let [simple, hamiltonian] = &mut tables;
    for from in 0..graph.vertices() {
        walk(graph, from, 1 << from, &mut simple[from], &mut hamiltonian[from]);
    }
    tables
}

/// Counts the simple and the Hamiltonian cycles. A cycle is counted at its last edge, as a path
/// over earlier edges between the ends of that edge.
pub fn cycles(graph: &Graph) -> [u128; 2] {
    let mut counts = [0; 2];
    for (last, (one, other)) in graph.edges().enumerate() {
        let before = Graph::from_edges(graph.vertices(), graph.edges().take(last))
            .expect("a part of a graph");
        for (count, table) in counts.iter_mut().zip(walks(&before)) {
            *count += table[one][other];
        }
    }
    counts
}

/// Generates graphs of at most `vertices` vertices and `edges` edges, in any order.
pub fn graphs(vertices: usize, edges: usize) -> impl Strategy<Value = Graph> {
    (0..=vertices).prop_flat_map(move |vertices| {
        let all: Vec<(usize, usize)> =
            (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to))).collect();
        let most = all.len().min(edges);
        let chosen = prop::sample::subsequence(all, 0..=most).prop_shuffle();
        chosen.prop_map(move |edges| Graph::from_edges(vertices, edges).expect("a small graph"))
    })
}

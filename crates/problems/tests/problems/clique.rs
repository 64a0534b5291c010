//! Maximum clique: known graphs, brute force, and the report of the bound.

use std::ops::{ControlFlow, RangeInclusive};
use std::time::Duration;

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::search::Frontier;
use secateurs::{Effect, Limits, Objective, Optimum, Search, Stop};
use secateurs_problems::clique::{
    Candidate, CliqueState, Cliques, ColouringBound, Refinement, Size,
};
use secateurs_problems::graph::Graph;

fn cliques(graph: &Graph) -> Cliques {
    Cliques::new(graph).expect("a small graph")
}

/// Returns the cliques of a graph, for one of two seeds with a large one first.
fn perhaps_guided(graph: &Graph, seed: u64) -> Cliques {
    if seed.is_multiple_of(2) { cliques(graph) } else { cliques(graph).guided(seed) }
}

/// Returns the graph of the pairs that satisfy `is_joined`.
fn graph(vertices: usize, is_joined: impl Fn(usize, usize) -> bool) -> Graph {
    let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
    Graph::from_edges(vertices, pairs.filter(|&(from, to)| is_joined(from, to)))
        .expect("a small graph")
}

fn random(vertices: usize, percent: u32, seed: u64) -> Graph {
    let mut random = fastrand::Rng::with_seed(seed);
    let joined: Vec<bool> = (0..vertices * vertices).map(|_| random.u32(..100) < percent).collect();
    graph(vertices, |from, to| joined[from * vertices + to])
}

fn complement(of: &Graph) -> Graph {
    graph(of.vertices(), |from, to| of.neighbours(from).all(|other| other != to))
}

/// Returns the graph of words of `bits` bits; edges join words with at least this Hamming distance.
fn hamming(bits: u32, distance: u32) -> Graph {
    graph(1 << bits, |one, other| (one ^ other).count_ones() >= distance)
}

/// Returns the subgraph of [`hamming`] on the words of Hamming weight `ones`.
fn johnson(bits: u32, ones: u32, distance: u32) -> Graph {
    let words: Vec<usize> =
        (0..1 << bits).filter(|word: &usize| word.count_ones() == ones).collect();
    graph(words.len(), |one, other| (words[one] ^ words[other]).count_ones() >= distance)
}

/// Returns Keller's graph (Keller 1930, Corrádi and Szabó 1990) of words of digits from 0 to 3.
/// Edges join words that differ in at least two places, in one of them by 2.
fn keller(digits: u32) -> Graph {
    graph(1 << (2 * digits), |one, other| {
        let difference = |digit: u32| ((one >> (2 * digit)) + 4 - (other >> (2 * digit) & 3)) & 3;
        let differences: Vec<usize> = (0..digits).map(difference).collect();
        differences.contains(&2)
            && differences.iter().filter(|&&difference| difference != 0).count() >= 2
    })
}

/// Returns the subgraph induced by the neighbours of a vertex, as in the DIMACS graphs of Keller.
fn neighbourhood(of: &Graph, vertex: usize) -> Graph {
    let kept: Vec<usize> = of.neighbours(vertex).collect();
    graph(kept.len(), |one, other| of.neighbours(kept[one]).any(|joined| joined == kept[other]))
}

const REFINEMENTS: [Option<Refinement>; 3] =
    [None, Some(Refinement::Recolouring), Some(Refinement::InfraChromatic)];

/// Creates the bound with or without a refinement.
fn bound(size: &Size, refinement: Option<Refinement>) -> ColouringBound {
    let bound = ColouringBound::new(size.incumbent());
    match refinement {
        Some(refinement) => bound.refined(refinement),
        None => bound,
    }
}

/// Searches for a maximum clique with this bound.
fn maximum(cliques: &Cliques, refinement: Option<Refinement>) -> (usize, u64) {
    let size = Cliques::size();
    let outcome = Search::new(cliques).hooks((bound(&size, refinement),)).best(&size);
    (*outcome.proven().expect("no limit"), outcome.report().nodes())
}

/// Returns the size of a maximum clique, and checks all claims of the result.
fn omega(graph: &Graph) -> usize {
    let cliques = cliques(graph);
    let outcome = cliques.maximum(Limits::new());
    let size = *outcome.proven().expect("no limit");
    let clique = outcome.solution().expect("an optimum comes with a clique");
    assert_eq!(clique.len(), size);
    assert!(cliques.is_clique(clique) && clique.is_sorted());
    for (place, &one) in clique.iter().enumerate() {
        assert!(
            clique[..place]
                .iter()
                .all(|&other| graph.neighbours(one).any(|joined| joined == other))
        );
    }
    assert_eq!((outcome.effect(), outcome.stop()), (Effect::OptimumOnly, Stop::Exhausted));
    size
}

#[test]
fn small_complete_and_edgeless_graphs() {
    assert_eq!(omega(&Graph::path(0).expect("no graph")), 0);
    assert_eq!(omega(&Graph::path(1).expect("a vertex")), 1);
    for vertices in [2, 63, 64, 65, 1500] {
        assert_eq!(omega(&Graph::from_edges(vertices, []).expect("no edges")), 1);
    }
    for vertices in [2, 3, 63, 64, 65, 128, 129, 400] {
        let complete = Graph::complete(vertices).expect("a complete graph");
        assert_eq!(omega(&complete), vertices);
        // Each vertex has its own colour, so the search visits one path.
        assert_eq!(cliques(&complete).maximum(Limits::new()).report().nodes(), vertices as u64 + 1);
    }
    assert_eq!(omega(&Graph::cycle(5).expect("a cycle")), 2);
    assert_eq!(omega(&Graph::king(9, 9).expect("a board")), 4);
    let cliques = cliques(&Graph::cycle(4).expect("a cycle"));
    assert!(cliques.is_clique(&[]) && cliques.is_clique(&[2]) && cliques.is_clique(&[3, 0]));
    assert!(!cliques.is_clique(&[0, 2]) && !cliques.is_clique(&[4]) && !cliques.is_clique(&[1, 1]));
}

#[test]
fn published_graphs_have_the_published_sizes() {
    for (name, graph, vertices, edges, size) in [
        ("hamming6-2", hamming(6, 2), 64, 1824, 32),
        ("hamming6-4", hamming(6, 4), 64, 704, 4),
        ("hamming8-4", hamming(8, 4), 256, 20864, 16),
        ("johnson8-2-4", johnson(8, 2, 4), 28, 210, 4),
        ("johnson8-4-4", johnson(8, 4, 4), 70, 1855, 14),
        ("keller4", neighbourhood(&keller(4), 0), 171, 9435, 11),
    ] {
        assert_eq!((graph.vertices(), graph.edge_count()), (vertices, edges), "{name}");
        assert_eq!(omega(&graph), size, "{name}");
        for refinement in REFINEMENTS {
            assert_eq!(maximum(&cliques(&graph), refinement).0, size, "{name}, {refinement:?}");
        }
    }
    // Keller's graph is vertex-transitive, so a neighbourhood has a clique of one vertex less.
    assert_eq!(omega(&keller(3)), 5);
    assert_eq!(omega(&neighbourhood(&keller(3), 0)), 4);
    // A queen and its four orthogonal neighbours attack each other. A row has only four squares.
    assert_eq!(omega(&Graph::queen(4, 4).expect("a board")), 5);
    for side in 5..9 {
        // Queens in a row, and n queens that do not attack each other.
        let queens = Graph::queen(side, side).expect("a board");
        assert_eq!(omega(&queens), side);
        assert_eq!(omega(&complement(&queens)), side);
    }
}

#[test]
fn graphs_of_a_thousand_vertices_are_solved() {
    // A clique hidden in a sparse graph. Its vertices are in all words of the bit sets.
    let mut edges: Vec<(usize, usize)> = random(1200, 3, 5).edges().collect();
    let hidden: Vec<usize> = (0..40).map(|number| 29 * number + 7).collect();
    edges.extend(
        (0..40)
            .flat_map(|to| (0..to).map(move |from| (from, to)))
            .map(|(from, to)| (hidden[from], hidden[to])),
    );
    edges.sort_unstable();
    edges.dedup();
    let graph = Graph::from_edges(1200, edges).expect("a graph");
    assert_eq!(omega(&graph), 40);
    assert_eq!(cliques(&graph).maximum(Limits::new()).solution(), Some(&hidden));
    assert_eq!(omega(&Graph::grid(&[100, 100]).expect("a grid")), 2);
}

/// Counts, by size, the cliques that extend a clique of `size` vertices by some of `candidates`.
fn brute_force(graph: &Graph, size: usize, candidates: &[usize], counts: &mut Vec<u128>) {
    counts.resize(counts.len().max(size + 1), 0);
    counts[size] += 1;
    for (place, &vertex) in candidates.iter().enumerate() {
        let joined = |&other: &usize| graph.neighbours(vertex).any(|joined| joined == other);
        let left: Vec<usize> = candidates[place + 1..].iter().copied().filter(joined).collect();
        brute_force(graph, size + 1, &left, counts);
    }
}

/// Returns the numbers of cliques by size, from size 0.
fn clique_counts(graph: &Graph) -> Vec<u128> {
    let mut counts = Vec::new();
    brute_force(graph, 0, &(0..graph.vertices()).collect::<Vec<_>>(), &mut counts);
    counts
}

/// Returns the size of a maximum clique by Bron and Kerbosch (1973), without colours or bounds.
fn bron_kerbosch(joined: &[Vec<bool>], size: usize, open: Vec<usize>, done: Vec<usize>) -> usize {
    let open_neighbours = |of: usize| open.iter().filter(|&&other| joined[of][other]).count();
    let Some(pivot) =
        open.iter().chain(&done).copied().max_by_key(|&vertex| open_neighbours(vertex))
    else {
        return size;
    };
    let (mut open, mut done, mut best) = (open.clone(), done.clone(), 0);
    for vertex in open.clone().into_iter().filter(|&vertex| !joined[pivot][vertex]) {
        let neighbours = |list: &[usize]| {
            list.iter().copied().filter(|&other| joined[vertex][other]).collect::<Vec<_>>()
        };
        best = best.max(bron_kerbosch(joined, size + 1, neighbours(&open), neighbours(&done)));
        open.retain(|&other| other != vertex);
        done.push(vertex);
    }
    best
}

fn brute_force_omega(graph: &Graph) -> usize {
    let vertices = graph.vertices();
    let mut joined = vec![vec![false; vertices]; vertices];
    for (one, other) in graph.edges() {
        (joined[one][other], joined[other][one]) = (true, true);
    }
    bron_kerbosch(&joined, 0, (0..vertices).collect(), Vec::new())
}

#[test]
fn random_graphs_agree_with_bron_and_kerbosch() {
    for (vertices, percent, seed) in
        [(64, 50, 1), (65, 60, 2), (100, 50, 3), (130, 40, 4), (200, 30, 5), (300, 20, 6)]
    {
        let graph = random(vertices, percent, seed);
        let expected = brute_force_omega(&graph);
        assert_eq!(omega(&graph), expected, "{vertices} vertices, {percent} %");
        for refinement in REFINEMENTS {
            let found = maximum(&cliques(&graph), refinement).0;
            assert_eq!(found, expected, "{vertices} vertices, {percent} %, {refinement:?}");
        }
    }
}

#[test]
fn tighter_bounds_search_fewer_nodes() {
    let nodes = |vertices, percent| {
        let cliques = cliques(&random(vertices, percent, 1));
        REFINEMENTS.map(|refinement| maximum(&cliques, refinement).1)
    };
    assert_eq!(nodes(110, 85), [13_682, 7107, 3006]);
    assert_eq!(nodes(120, 80), [12_037, 6584, 2928]);
    assert_eq!(nodes(200, 50), [8953, 6444, 4460]);
}

#[test]
fn report_has_the_cuts_of_the_bound_and_its_incumbent() {
    let cliques = cliques(&random(80, 60, 9));
    let size = Cliques::size();
    let bound = || ColouringBound::new(size.incumbent());
    let search = || Search::new(&cliques).hooks((bound(),));
    let outcome = search().best(&size);
    let colouring = outcome.report().hook("colouring").expect("it is there").clone();
    let (admit, enter) = colouring
        .cuts_by_depth()
        .iter()
        .fold((0, 0), |(admit, enter), cuts| (admit + cuts.admit, enter + cuts.enter));
    assert!(admit > 0 && enter > 0 && colouring.cuts() == admit + enter);
    assert_eq!(colouring.effect(), Effect::OptimumOnly);

    // The bound prunes cliques that do not beat the incumbent, so other questions stay open. An
    // incumbent above the number of colours prunes even the empty clique.
    assert_eq!(search().count().exact(), None);
    size.incumbent().offer(81);
    let first = search().first();
    assert!(first.exists().is_none() && first.report().nodes() == 1);
    // Another objective stays open as well.
    let fewest = Objective::minimise(|_: &Cliques, state: &CliqueState| state.size());
    let other = search().best(&fewest);
    assert_eq!((other.proven(), other.effect()), (None, Effect::Lossy));
}

#[test]
fn stopped_searches_give_lower_bounds() {
    let cliques = cliques(&random(150, 70, 3));
    let whole = cliques.maximum(Limits::new());
    let omega = *whole.proven().expect("no limit");
    let mut least = 0;
    for nodes in [1, 10, 100, 1000, whole.report().nodes() - 1] {
        let outcome = cliques.maximum(Limits::new().nodes(nodes));
        assert_eq!(
            (outcome.proven(), outcome.stop(), outcome.report().nodes()),
            (None, Stop::NodeLimit, nodes)
        );
        let Optimum::BestSoFar { value, solution: Some(clique) } = outcome.value() else {
            panic!("{outcome:?}")
        };
        assert!(
            cliques.is_clique(clique) && clique.len() == *value && (least..=omega).contains(value)
        );
        least = *value;
    }
    assert_eq!(cliques.maximum(Limits::new().nodes(0)).value(), &Optimum::Unknown);
    assert_eq!(cliques.maximum(Limits::new().time(Duration::ZERO)).stop(), Stop::TimeLimit);
}

/// Runs with node limits on split frontiers, which share an incumbent as threads do. Returns the
/// result of the merged frontier.
fn in_parts(cliques: &Cliques, refinement: Option<Refinement>, nodes: u64) -> Option<usize> {
    let size = Cliques::size();
    let bound = bound(&size, refinement);
    let mut open = vec![Frontier::new()];
    let mut done: Option<Frontier<Candidate>> = None;
    while let Some(mut frontier) = open.pop() {
        frontier.check(cliques).expect("its own choices");
        let limits = Limits::new().nodes(nodes);
        let search = Search::new(cliques).hooks((bound.clone(),)).limits(limits);
        let _ = search.extract(Cliques::clique).frontier(&mut frontier).best(&size);
        if !frontier.is_exhausted() {
            open.extend(frontier.split(3));
        } else if let Some(done) = &mut done {
            done.merge(frontier);
        } else {
            done = Some(frontier);
        }
    }
    let mut done = done.expect("the last frontier is exhausted");
    let search = Search::new(cliques).hooks((bound,)).extract(Cliques::clique);
    let outcome = search.frontier(&mut done).best(&size);
    let clique = outcome.solution().expect("an optimum comes with a clique");
    assert!(cliques.is_clique(clique) && Some(&clique.len()) == outcome.proven());
    outcome.proven().copied()
}

/// The number of vertices of a graph and the percentage of pairs with an edge: this percentage for
/// small graphs, and a lower one for those whose rows have several words.
fn sizes(percent: RangeInclusive<u32>) -> impl Strategy<Value = (usize, u32)> {
    prop_oneof![4 => (0..40_usize, percent), 1 => (65..100_usize, 0..=25_u32)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn tree_has_every_clique_once(vertices in 0..14_usize, percent in 0..=100_u32, seed: u64) {
        let graph = random(vertices, percent, seed);
        let cliques = perhaps_guided(&graph, seed);
        let expected = clique_counts(&graph);
        let outcome = Search::new(&cliques).check_undo().count();
        prop_assert_eq!(outcome.exact(), Some(expected.iter().sum()));
        let levels = outcome.report().levels();
        let by_size: Vec<u128> = levels.iter().map(|level| level.solutions.into()).collect();
        prop_assert_eq!(&by_size, &expected);
        let search = Search::new(&cliques).extract(Cliques::clique);
        let mut all: Vec<Vec<usize>> = search.solutions().collect();
        prop_assert!(all.iter().all(|clique| cliques.is_clique(clique)));
        all.sort();
        all.dedup();
        prop_assert_eq!(all.len() as u128, expected.iter().sum::<u128>());
        // The tree does not depend on the order of the children.
        let shuffled = Search::new(&cliques).brancher(Shuffled::new(seed)).count();
        prop_assert_eq!(shuffled.report().levels(), outcome.report().levels());
        prop_assert_eq!(omega(&graph), expected.len() - 1);
    }

    /// Refined bounds order the candidates by the incumbent. Walks that know different incumbents
    /// must still divide all cliques among them.
    #[test]
    fn bounds_lose_no_larger_clique_in_any_search(
        (vertices, percent) in sizes(30..=97),
        seed: u64,
        nodes in 2..30_u64,
    ) {
        let graph = random(vertices, percent, seed);
        let omega = brute_force_omega(&graph);
        let cliques = perhaps_guided(&graph, seed);
        for refinement in REFINEMENTS {
            // Returns a search, and its objective with or without an incumbent.
            let start = |offered: Option<usize>| {
                let size = Cliques::size();
                offered.into_iter().for_each(|offered| _ = size.incumbent().offer(offered));
                let hooks = (bound(&size, refinement),);
                (Search::new(&cliques).hooks(hooks).extract(Cliques::clique), size)
            };
            let (search, size) = start(None);
            let whole = search.check_undo().best(&size);
            prop_assert_eq!(whole.proven(), Some(&omega));
            let (search, size) = start(Some(omega));
            let again = search.best(&size);
            prop_assert_eq!(again.value(), &Optimum::NoneBetter { value: omega });
            let (search, size) = start(omega.checked_sub(1));
            prop_assert_eq!(search.breadth_first().best(&size).proven().copied(), Some(omega));
            let colours = |_: &Cliques, state: &CliqueState| state.size() + state.colours();
            let (search, size) = start(None);
            let best_first = search.best_first(&size, colours).open_nodes(nodes as usize);
            prop_assert_eq!(best_first.best(&size).proven().copied(), Some(omega));
            let (search, size) = start(None);
            let shuffled = search.brancher(Shuffled::new(seed)).check_undo();
            prop_assert_eq!(shuffled.best(&size).proven().copied(), Some(omega));
            let (search, size) = start(None);
            prop_assert_eq!(search.threads(2).best(&size).proven().copied(), Some(omega));
            let (search, size) = start(None);
            let in_order = search.threads(2).in_order().best(&size);
            prop_assert_eq!(in_order.proven(), Some(&omega));
            let clique = in_order.solution().expect("an optimum comes with a clique");
            prop_assert!(cliques.is_clique(clique) && clique.len() == omega);
            prop_assert!(refinement.is_some() || Some(clique) == whole.solution());
            prop_assert_eq!(in_parts(&cliques, refinement, nodes), Some(omega));
        }
        // Each hook colours the candidates anew.
        let size = Cliques::size();
        let hooks = REFINEMENTS.map(|refinement| bound(&size, refinement));
        let together = Search::new(&cliques).hooks(<(_, _, _)>::from(hooks)).check_undo();
        prop_assert_eq!(together.best(&size).proven().copied(), Some(omega));
    }

    /// The colours of the candidates are a proper colouring, so they bound the size of a clique.
    #[test]
    fn colours_are_proper(vertices in 1..150_usize, percent in 0..=100_u32, seed: u64) {
        let cliques = cliques(&random(vertices, percent, seed));
        let mut nodes = 0;
        let _ = Search::new(&cliques).for_each(|node| {
            let candidates = node.state().candidates();
            assert_eq!(candidates.last().map_or(0, |last| last.colour()), node.state().colours());
            let key = |candidate: &Candidate| (candidate.colour(), candidate.rank());
            assert!(candidates.is_sorted_by_key(key));
            for class in candidates.chunk_by(|one, other| one.colour() == other.colour()) {
                let vertices = class.iter().map(|&candidate| cliques.vertex(candidate));
                let class: Vec<usize> = vertices.collect();
                assert!(class.windows(2).all(|pair| !cliques.is_clique(pair)));
                assert!(!cliques.is_clique(&class) || class.len() == 1);
            }
            nodes += 1;
            if nodes == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
}

#[test]
fn public_types_are_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    shared::<Cliques>();
    shared::<CliqueState>();
    shared::<Candidate>();
    shared::<ColouringBound>();
}

/// A planted clique, in a graph whose other vertices have as many neighbours.
#[test]
fn a_clique_that_degrees_do_not_show_is_tried_first() {
    let mut rng = fastrand::Rng::with_seed(3);
    // Vertices of equal remainders are not adjacent; the first 50 ones are.
    let (vertices, size) = (200, 50);
    let is_near: Vec<bool> = (0..vertices * vertices).map(|_| rng.u32(..100) < 90).collect();
    let graph = graph(vertices, |one, other| {
        let is_planted = one < size && other < size;
        is_planted || (one % size != other % size && is_near[one * vertices + other])
    });
    let cliques = cliques(&graph).guided(1);
    let mut sizes = Search::new(&cliques).solutions().map(|path| path.len()).take(size + 1);
    assert!(sizes.by_ref().eq(0..=size));
    let outcome = cliques.maximum(Limits::new().nodes(30_000));
    assert_eq!(outcome.proven(), Some(&size));
    assert_eq!(outcome.solution(), Some(&(0..size).collect()));
}

//! Each problem of the catalogue on the widest boards and frontiers that it promises.

use fastrand::Rng;
use secateurs::plug::algebra::Natural;
use secateurs::plug::code::Word;
use secateurs::plug::meet_in_the_middle::{DenseMates, MeetSplit};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs_problems::catalogue::graphs::{
    Colourings, Connecting, DominatingSets, HamiltonianCycles, HamiltonianPaths, IndependentSets,
    Matchings, SimpleCycles, SimplePaths, Spanning, SpanningSubgraphs, Terminals,
};
use secateurs_problems::catalogue::{
    BlackAndWhite, ConnectedSubsets, Dimers, Grid, GridIndependentSets, ManhattanWiring, Paths,
    SpanningForests, Strands, TwoFactorsByLoops, connected_subsets, domino_tilings,
    hamiltonian_cycles, hamiltonian_paths, independent_sets, monomer_dimer, simple_cycles,
    simple_paths, spanning_forests, spanning_trees, two_factors,
};
use secateurs_problems::graph::{Graph, Order, VertexPlan};

use secateurs::{Limits, Stop};
use secateurs_problems::rocket_mania::{Fuses, Mode};

use crate::grids::with_obstacles;
use crate::shared::widest::{
    band, check_mirrored, check_refused, check_widest, count_within, sparse_band,
};
use crate::support::sizes::sized;

/// Returns the number of random boards, and the largest number of states in a layer.
fn few() -> (usize, u64) {
    sized((8, 1000), (100, 1 << 16))
}

#[test]
fn masks_of_64_places() {
    check_widest("independent sets", 64, few(), independent_sets);
    check_widest("domino tilings", 64, few(), domino_tilings);
    check_widest("matchings", 64, few(), monomer_dimer);
}

#[test]
fn masks_of_128_places() {
    check_widest("independent sets", 128, few(), GridIndependentSets::<u128>::new);
    check_widest("domino tilings", 128, few(), Dimers::<u128>::tilings);
    check_widest("matchings", 128, few(), Dimers::<u128>::matchings);
}

#[test]
fn parentheses_of_32_plugs() {
    check_widest("Hamiltonian cycles", 31, few(), hamiltonian_cycles);
    check_widest("simple cycles", 31, few(), simple_cycles);
    check_widest("Hamiltonian paths", 31, few(), hamiltonian_paths);
    check_widest("simple paths", 31, few(), simple_paths);
    check_widest("two-factors", 31, few(), two_factors);
    check_widest("two-factors by loops", 31, few(), TwoFactorsByLoops::new);
    check_widest("paths between any cells", 31, few(), Paths::simple);
    check_widest("Hamiltonian paths between any cells", 31, few(), Paths::hamiltonian);
}

#[test]
fn parentheses_of_64_plugs() {
    for (name, problem) in [
        ("Hamiltonian cycles", hamiltonian_cycles as fn(&Grid) -> Strands),
        ("simple cycles", simple_cycles),
        ("Hamiltonian paths", hamiltonian_paths),
        ("simple paths", simple_paths),
        ("two-factors", two_factors),
    ] {
        check_widest(name, 63, few(), |grid| problem(grid).with_word::<u128>());
    }
    let by_loops = |grid: &Grid| TwoFactorsByLoops::new(grid).with_word::<u128>();
    check_widest("two-factors by loops", 63, few(), by_loops);
    let wide = |grid: &Grid| Paths::simple(grid).with_word::<u128>();
    check_widest("paths between any cells", 63, few(), wide);
    let wide = |grid: &Grid| Paths::hamiltonian(grid).with_word::<u128>();
    check_widest("Hamiltonian paths between any cells", 63, few(), wide);
    check_widest("wires", 63, few(), |grid| wiring(grid).with_word::<u128>());
}

/// The numbers of solutions with states of 64 bits, of 128 bits, and of 128 bits on two threads.
fn check_words<P: ContourProblem, V: ContourProblem>(grid: &Grid, narrow: &P, wide: &V) {
    let count = Sweep::new(narrow).count().exact();
    assert_eq!(Sweep::new(wide).count().exact(), count, "{grid}");
    assert_eq!(Sweep::new(wide).threads(2).count().exact(), count, "{grid}");
}

#[test]
fn the_word_does_not_change_the_count() {
    let mut rng = Rng::with_seed(128);
    for _ in 0..40 {
        let (rows, columns) = (rng.usize(1..=6), rng.usize(1..=6));
        let grid = with_obstacles(rows, columns, |_| rng.usize(0..8) == 0);
        for problem in
            [hamiltonian_cycles, simple_cycles, hamiltonian_paths, simple_paths, two_factors]
        {
            check_words(&grid, &problem(&grid), &problem(&grid).with_word::<u128>());
        }
        let loops = TwoFactorsByLoops::new(&grid).exactly(2);
        check_words(&grid, &loops, &loops.clone().with_word::<u128>());
        for paths in [Paths::simple(&grid), Paths::hamiltonian(&grid)] {
            check_words(&grid, &paths, &paths.clone().with_word::<u128>());
        }
        check_words(&grid, &domino_tilings(&grid), &Dimers::<u128>::tilings(&grid));
        check_words(&grid, &monomer_dimer(&grid), &Dimers::<u128>::matchings(&grid));
        check_words(&grid, &independent_sets(&grid), &GridIndependentSets::<u128>::new(&grid));
        check_words(&grid, &spanning_trees(&grid), &SpanningForests::<u128, 5>::trees(&grid));
        check_words(&grid, &connected_subsets(&grid), &ConnectedSubsets::<u128>::new(&grid));
        let colours = BlackAndWhite::new(&grid);
        check_words(&grid, &colours, &colours.clone().with_word::<u128, 5>());
    }
}

/// The words of a dense table have one plug less.
#[test]
fn dense_tables_of_31_plugs() {
    for problem in [hamiltonian_cycles, simple_cycles, hamiltonian_paths, simple_paths, two_factors]
    {
        let mut rng = Rng::with_seed(30);
        let counted = std::iter::repeat_with(|| {
            let strands = problem(&sparse_band(30, &mut rng));
            let count = Sweep::new(&strands).limits(Limits::new().states(100)).count().exact();
            count.map(|count| (strands, count))
        });
        let (strands, count) = counted.flatten().next().expect("a board of few states");
        assert_eq!(Sweep::new(&strands).dense().count().exact(), Some(count));
        let outcome = Sweep::new(&problem(&band(31, 31))).dense().count();
        assert_eq!(outcome.stop(), Stop::StateTooWide);
    }
}

/// The terminals are the first two and the last two cells of the first row of the band, or of the
/// column that is its mirror image.
fn wiring(grid: &Grid) -> ManhattanWiring {
    let last = grid.columns() - 1;
    let places = [0, 1, last - 1, last];
    let of_row = |line: usize| places.map(|place| (line, place));
    let of_column = |line: usize| places.map(|place| (place, line));
    let lines = (0..last).flat_map(|line| [of_row(line), of_column(line)]);
    let is_free =
        |cells: &[(usize, usize); 4]| cells.iter().all(|&(row, column)| grid.is_free(row, column));
    let [a, b, c, d] = lines.into_iter().find(is_free).expect("a row or a column");
    ManhattanWiring::new(grid, [[a, d], [b, c]]).expect("free cells")
}

#[test]
fn two_wires_of_32_plugs() {
    check_widest("wires", 31, few(), wiring);
}

#[test]
fn labels_of_every_width() {
    check_widest("spanning trees", 14, few(), spanning_trees);
    check_widest("spanning forests", 14, few(), spanning_forests);
    check_widest("forests, 5 bits", 25, few(), SpanningForests::<u128, 5>::forests);
    let trees = SpanningForests::<u128, 5>::trees;
    check_widest("trees, 5 bits", 25, sized((2, 1 << 10), (24, 1 << 16)), trees);
    check_widest("connected subsets", 16, few(), connected_subsets);
    check_widest("connected subsets, 128 bits", 27, few(), ConnectedSubsets::<u128>::new);
    check_widest("two colours", 12, sized((8, 1 << 13), (100, 1 << 16)), BlackAndWhite::new);
    let wide = |grid: &Grid| BlackAndWhite::new(grid).with_word::<u128, 5>();
    check_widest("two colours, 5 bits", 20, (4, 1 << 14), wide);
}

/// Checks the full bands of two and three rows.
fn check_bands<P: ContourProblem>(name: &str, side: usize, problem: impl Fn(&Grid) -> P) {
    for rows in [2, 3] {
        check_mirrored(name, u64::MAX, &band(side, rows), &problem);
    }
    check_refused(name, &problem(&band(side + 1, side + 1)));
}

/// A code of few labels is at its limit on a narrow board.
#[test]
fn bands_at_the_limit_of_few_labels() {
    check_bands("trees, 2 bits", 2, SpanningForests::<u64, 2>::trees);
    check_bands("forests, 2 bits", 2, SpanningForests::<u64, 2>::forests);
    check_bands("trees, 3 bits", 6, SpanningForests::<u64, 3>::trees);
    check_bands("forests, 3 bits", 6, SpanningForests::<u64, 3>::forests);
    check_bands("trees, 32 bits", 8, SpanningForests::<u32, 4>::trees);
    check_bands("forests, 32 bits", 8, SpanningForests::<u32, 4>::forests);
    check_bands("forests, 5 bits of 32", 6, SpanningForests::<u32, 5>::forests);
    check_bands("connected subsets, 32 bits", 8, ConnectedSubsets::<u32>::new);
}

/// Returns a ring with a few chords and an order of its edges that begins with a perfect matching
/// of the vertices (or all but one), so that all vertices are in the frontier at once.
fn ring(vertices: usize, rng: &mut Rng) -> (Graph, Vec<(usize, usize)>) {
    let sides =
        |first: usize| (first..vertices).step_by(2).map(|from| (from, (from + 1) % vertices));
    let mut first: Vec<_> = sides(0).take(vertices / 2).collect();
    let mut rest: Vec<_> = sides(1).collect();
    if vertices % 2 == 1 {
        first.push((vertices - 2, vertices - 1));
        rest = sides(1).take(vertices / 2 - 1).chain([(vertices - 1, 0)]).collect();
    }
    for _ in 0..rng.usize(1..=3) {
        let (a, b) = (rng.usize(0..vertices), rng.usize(0..vertices));
        let is_known = first.iter().chain(&rest).any(|&edge| edge == (a, b) || edge == (b, a));
        if a != b && !is_known {
            rest.insert(rng.usize(0..=rest.len()), (a, b));
        }
    }
    let edges: Vec<_> = first.into_iter().chain(rest).collect();
    (Graph::from_edges(vertices, edges.iter().copied()).expect("a graph"), edges)
}

/// Returns the order of a graph that takes these edges one after the other.
fn order<'g>(graph: &'g Graph, edges: &[(usize, usize)]) -> Order<'g> {
    let number = |&(a, b): &(usize, usize)| {
        graph.edges().position(|edge| edge == (a.min(b), a.max(b))).expect("an edge")
    };
    let numbers: Vec<usize> = edges.iter().map(number).collect();
    Order::of_edges(graph, &numbers).expect("all edges")
}

/// Checks a problem with all of its `slots` slots in use against the same problem with the
/// narrowest frontier, and that it refuses another slot.
fn check_ring<P: ContourProblem>(name: &str, slots: usize, problem: impl Fn(&Order<'_>) -> P) {
    let mut rng = Rng::with_seed(slots as u64);
    let mut checked = 0;
    for _ in 0..100 {
        let (graph, edges) = ring(slots, &mut rng);
        if let Some(count) = count_within(1 << 12, &problem(&order(&graph, &edges))) {
            let narrow = count_within(u64::MAX, &problem(&Order::narrowest(&graph)));
            assert_eq!(Some(count), narrow, "{name}: {edges:?}");
            checked += 1;
        }
        if checked == 8 {
            break;
        }
    }
    assert_eq!(checked, 8, "{name}");
    let (graph, edges) = ring(slots + 1, &mut rng);
    check_refused(name, &problem(&order(&graph, &edges)));
}

#[test]
fn labels_of_all_vertices_of_a_ring() {
    for kind in [Spanning::Trees, Spanning::Forests, Spanning::Connected] {
        check_ring("3 bits", 6, |order| SpanningSubgraphs::<u64, 3>::with_word(order, kind));
        check_ring("4 bits of 32", 8, |order| SpanningSubgraphs::<u32, 4>::with_word(order, kind));
        check_ring("4 bits", 14, |order| SpanningSubgraphs::<u64, 4>::with_word(order, kind));
    }
    let kind = Spanning::Trees;
    check_ring("5 bits", 25, |order| SpanningSubgraphs::<u128, 5>::with_word(order, kind));
}

#[test]
fn mates_of_all_vertices_of_a_ring() {
    check_ring("cycles, 32 bits", 8, HamiltonianCycles::<u32>::with_word);
    check_ring("cycles", 16, HamiltonianCycles::new);
    check_ring("cycles, 128 bits", 25, HamiltonianCycles::<u128>::with_word);
    check_ring("simple cycles, 32 bits", 8, SimpleCycles::<u32>::with_word);
    check_ring("simple cycles", 16, SimpleCycles::new);
    check_ring("paths, 32 bits", 8, HamiltonianPaths::<u32>::anywhere_with_word);
    check_ring("paths", 16, HamiltonianPaths::anywhere);
    check_ring("paths between", 16, |order| {
        HamiltonianPaths::between(order, 0, 15).expect("two vertices")
    });
    check_ring("simple paths, 32 bits", 8, |order| {
        SimplePaths::<u32>::with_word(order, 0, 7).expect("two vertices")
    });
    check_ring("simple paths", 16, |order| SimplePaths::new(order, 0, 15).expect("two vertices"));
}

/// Checks sets and matchings whose states have a bit for each of this many vertices, the most that
/// fit into the word, and one more.
fn check_bits<W: Word>(bits: usize) {
    // In a complete graph, a set has at most one vertex.
    let complete = |vertices| Graph::complete(vertices).expect("a graph");
    let sets = |graph: &Graph| IndependentSets::<W>::with_word(&Order::as_given(graph));
    assert_eq!(count_within(1_000, &sets(&complete(bits))), Some((bits as u32 + 1).into()));
    check_refused("independent sets", &sets(&complete(bits + 1)));

    // All vertices of a ring but the last six have a leaf, which leaves no choice. The last six
    // enter the frontier before the others leave.
    let comb = |spine: usize| {
        let leaves = (0..spine - 6).map(|vertex| (vertex, spine + vertex));
        let pairs = (spine - 6..spine).step_by(2).map(|vertex| (vertex, vertex + 1));
        let others = (0..spine).filter(|&vertex| vertex < spine - 6 || (spine - vertex) % 2 == 1);
        let ring = pairs.chain(others.map(|vertex| (vertex, (vertex + 1) % spine)));
        leaves.chain(ring).collect::<Vec<_>>()
    };
    for (slots, fits) in [(bits, true), (bits + 1, false)] {
        let edges = comb(slots);
        let graph = Graph::from_edges(2 * slots - 6, edges.iter().copied()).expect("a graph");
        let matchings = Matchings::<W>::with_word(&order(&graph, &edges)).perfect();
        assert_eq!(matchings.frontier().slots(), slots);
        if fits {
            assert_eq!(count_within(100, &matchings), Some(1_u32.into()));
        } else {
            check_refused("matchings", &matchings);
        }
    }
}

#[test]
fn bits_of_all_vertices_of_the_frontier() {
    check_bits::<u32>(32);
    check_bits::<u64>(64);
    check_bits::<u128>(128);
}

/// Returns a random block; most cells of high boards are empty, since there are few states then.
fn random_block(rows: usize, rng: &mut Rng) -> char {
    let is_empty = rows > 13 && rng.usize(0..4) > 0;
    if is_empty { '.' } else { rng.choice(*b"..--LLT").map_or('.', char::from) }
}

/// Returns the counts of fuses on a random board and on the board upside down, with labels of four
/// bits in 64 (if they fit) and of five bits in 128.
fn fuse_counts(rows: usize, rng: &mut Rng) -> Vec<Option<u128>> {
    let lines: Vec<String> =
        (0..rows).map(|_| (0..2).map(|_| random_block(rows, rng)).collect()).collect();
    let upside_down: Vec<String> = lines.iter().rev().cloned().collect();
    let few = || Limits::new().states(1 << 14);
    let count = |lines: &[String]| {
        let case = &Mode::Plus.cases(&lines.join("\n")).expect("a board")[0];
        let wide = Sweep::new(&Fuses::<u128, 5>::new(case)).limits(few()).count();
        let narrow = Sweep::new(&Fuses::<u64, 4>::new(case)).limits(few()).count();
        assert_eq!(narrow.stop() == Stop::StateTooWide, rows > 13);
        if rows > 13 { vec![wide.exact()] } else { vec![narrow.exact(), wide.exact()] }
    };
    [count(&lines), count(&upside_down)].concat()
}

#[test]
fn fuses_of_as_many_rows_as_fit() {
    for rows in [13, 24] {
        let mut rng = Rng::with_seed(rows as u64);
        let mut checked = 0;
        for _ in 0..200 {
            let counts = fuse_counts(rows, &mut rng);
            let known: Vec<u128> = counts.into_iter().flatten().collect();
            assert!(known.windows(2).all(|pair| pair[0] == pair[1]), "{known:?}");
            checked += usize::from(known.len() > 1);
            if checked == 8 {
                break;
            }
        }
        assert_eq!(checked, 8, "{rows} rows");
    }
    let case = &Mode::Plus.cases(&"-\n".repeat(25)).expect("a board")[0];
    check_refused("fuses", &Fuses::<u128, 5>::new(case));
}

#[test]
fn terminals_of_a_ring_with_all_vertices_in_the_frontier() {
    for kind in [Terminals::Connected, Terminals::Trees] {
        let few = |order: &Order<'_>| {
            Connecting::<u64, 3>::with_word(order, &[0, 5], kind).expect("vertices")
        };
        check_ring("terminals, 3 bits", 6, few);
        let many = |order: &Order<'_>| {
            Connecting::<u64, 4>::with_word(order, &[0, 7, 13], kind).expect("vertices")
        };
        check_ring("terminals", 14, many);
    }
    check_ring("Steiner trees, 5 bits", 25, |order| {
        let all: Vec<usize> = (0..25).collect();
        Connecting::<u128, 5>::with_word(order, &all, Terminals::Trees).expect("vertices")
    });
}

/// Checks a problem of the vertices of a star, which are all in the frontier at its centre but for
/// the last leaf. Only the centre and three leaves may have other labels than `label`.
fn check_star<P: ContourProblem<Label: PartialEq>>(
    name: &str,
    slots: usize,
    (label, count): (P::Label, u128),
    problem: impl Fn(&Order<'_>) -> P,
) {
    let star = |leaves: usize| {
        let edges = (0..leaves).map(|leaf| (leaf, leaves));
        Graph::from_edges(leaves + 1, edges).expect("a graph")
    };
    let few = |order: &Order<'_>| {
        let (vertices, label) = (order.vertices(), &label);
        let centre = vertices.len() - 1;
        problem(order).only(move |cell, other| {
            vertices[cell] < 3 || vertices[cell] == centre || other == *label
        })
    };
    let (graph, wide) = (star(slots), star(slots + 1));
    let order = Order::as_given(&graph);
    assert_eq!(VertexPlan::new(&order).slots(), slots, "{name}");
    assert_eq!(count_within(1 << 16, &few(&order)), Some(Natural::from(count)), "{name}");
    check_refused(name, &few(&Order::as_given(&wide)));
}

#[test]
fn vertices_of_a_star_at_the_limit() {
    // Any of three leaves and not the centre, or the centre and none of the leaves.
    check_star("independent sets, 32 bits", 32, (false, 8 + 1), IndependentSets::<u32>::with_word);
    check_star("independent sets", 64, (false, 8 + 1), IndependentSets::new);
    check_star("independent sets, 128 bits", 128, (false, 9), IndependentSets::<u128>::with_word);
    // The centre and any of three leaves, or all leaves.
    check_star("dominating sets, 32 bits", 32, (true, 8 + 1), DominatingSets::<u32>::with_word);
    check_star("dominating sets", 64, (true, 8 + 1), DominatingSets::new);
    check_star("dominating sets, 128 bits", 128, (true, 9), DominatingSets::<u128>::with_word);
    // Two colours of the centre, and for each two of each of three leaves.
    check_star("colourings", 16, (0, 2 * 8), |order| Colourings::new(order, 3));
    let wide = |order: &Order<'_>| Colourings::<u128, 5>::with_word(order, 30);
    check_star("colourings, 5 bits", 25, (0, 29 * 29 * 29 * 29), wide);
}

/// Checks the band of this many rows, and returns the count.
fn band_count<P: ContourProblem>(
    name: &str,
    (side, rows): (usize, usize),
    problem: impl Fn(&Grid) -> P,
) -> Natural {
    check_mirrored(name, u64::MAX, &band(side, rows), problem).expect("no limit")
}

#[test]
#[ignore = "half a minute: cargo test --release --test catalogue -- --ignored widest"]
fn full_bands_at_the_limit_of_labels() {
    let forests = [2, 3].map(|rows| band_count("forests", (14, rows), spanning_forests));
    assert_eq!(forests, [448_727_347_200_u128, 22_505_463_603_889_302_698].map(Natural::from));
    for rows in [2, 3] {
        band_count("trees", (14, rows), spanning_trees);
        band_count("connected subsets", (16, rows), connected_subsets);
        band_count("two colours", (12, rows), BlackAndWhite::new);
    }
}

/// A band of three rows has too many states, and so has a band of problems that may skip cells.
#[test]
#[ignore = "a second, in release mode: cargo test --release --test catalogue -- --ignored widest"]
fn full_bands_of_32_parentheses() {
    assert_eq!(band_count("cycles", (31, 2), hamiltonian_cycles), Natural::from(1_u32));
    // A Fibonacci number, as on a ladder.
    assert_eq!(band_count("two-factors", (31, 2), two_factors), Natural::from(832_040_u32));
}

/// Half a turn maps the middle row of three to itself: the frontier of a half has as many vertices
/// as dense mates hold.
#[test]
#[ignore = "a second, in release mode: cargo test --release --test catalogue -- --ignored widest"]
fn halves_of_cycles_that_meet_in_nineteen_vertices() {
    const WIDTH: usize = DenseMates::MAX_WIDTH;
    let vertices = 3 * WIDTH;
    let grid = Graph::grid(&[3, WIDTH]).expect("a grid");
    // An odd number of vertices has a cycle only with diagonals.
    let diagonals = [4, 11].map(|column| (column, WIDTH + column + 1));
    let turned = diagonals.map(|(from, to)| (vertices - 1 - to, vertices - 1 - from));
    let edges = grid.edges().chain(diagonals).chain(turned);
    let graph = Graph::from_edges(vertices, edges).expect("a graph");
    let image: Vec<usize> = (0..vertices).rev().collect();
    let split =
        MeetSplit::new(graph.edges(), &image, &(0..WIDTH).collect::<Vec<_>>()).expect("a symmetry");
    assert_eq!(split.half().width(), WIDTH);
    let narrow = Sweep::new(&HamiltonianCycles::new(&Order::narrowest(&graph))).count().exact();
    println!("{narrow:?} cycles");
    assert!(narrow > Some(0));
    assert_eq!(split.cycles().count().exact(), narrow);
}

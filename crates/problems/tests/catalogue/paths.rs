//! Paths and loops of the catalogue, against plain enumeration, and the parsers of the original
//! tasks.

use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;
use secateurs::plug::algebra::{Best, CountByWeight, Counting, Natural, Polynomial, Weight};
use secateurs::plug::motzkin::{PathPiece, Side, finished};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Direction, Outcome, Total};
use secateurs_problems::catalogue::{
    Drawing, EdgeWeights, Grid, Paths, Strands, TwoFactorsByLoops, formula_1, hamiltonian_cycles,
    hamiltonian_paths, simple_cycles, simple_paths, tonys_tour, two_factors,
};

use crate::grids::{Cell, free_cells, grids, neighbours};
use crate::support::problems::count;

/// A set of edges, each with its cells in order.
type Edges = BTreeSet<[Cell; 2]>;

fn edge(a: Cell, b: Cell) -> [Cell; 2] {
    [a.min(b), a.max(b)]
}

fn edges_of(path: &[Cell]) -> Edges {
    path.windows(2).map(|pair| edge(pair[0], pair[1])).collect()
}

/// Calls `visit` with every extension of a path, itself included.
fn walk(grid: &Grid, path: &mut Vec<Cell>, visit: &mut impl FnMut(&[Cell])) {
    visit(path);
    let last = path[path.len() - 1];
    for next in neighbours(grid, last).collect::<Vec<_>>() {
        if !path.contains(&next) {
            path.push(next);
            walk(grid, path, visit);
            path.pop();
        }
    }
}

/// Returns the edges of the paths from a cell to those that satisfy `is_end`: of all such paths,
/// and of those through all free cells.
fn paths_from(grid: &Grid, start: Cell, is_end: impl Fn(Cell) -> bool) -> [Vec<Edges>; 2] {
    let all = free_cells(grid).len();
    let mut paths = [Vec::new(), Vec::new()];
    if grid.is_free(start.0, start.1) {
        walk(grid, &mut vec![start], &mut |path| {
            if is_end(path[path.len() - 1]) {
                paths[0].push(edges_of(path));
                paths[1].extend((path.len() == all).then(|| edges_of(path)));
            }
        });
    }
    paths
}

/// Returns all loops: paths of more than two cells from the smallest cell of the loop back to it.
fn all_loops(grid: &Grid) -> BTreeSet<Edges> {
    let mut loops = BTreeSet::new();
    for start in free_cells(grid) {
        walk(grid, &mut vec![start], &mut |path| {
            let last = path[path.len() - 1];
            if path.len() > 2
                && path.iter().all(|&cell| start <= cell)
                && neighbours(grid, last).any(|cell| cell == start)
            {
                let mut edges = edges_of(path);
                edges.insert(edge(start, last));
                loops.insert(edges);
            }
        });
    }
    loops
}

/// Returns all sets of loops through all free cells, with their numbers of loops, as exact covers
/// by loops.
fn all_two_factors(grid: &Grid) -> Vec<(usize, Edges)> {
    let loops: Vec<(BTreeSet<Cell>, Edges)> = all_loops(grid)
        .into_iter()
        .map(|edges| (edges.iter().flatten().copied().collect(), edges))
        .collect();
    fn cover(
        left: &BTreeSet<Cell>,
        loops: &[(BTreeSet<Cell>, Edges)],
        count: usize,
        chosen: &Edges,
        found: &mut Vec<(usize, Edges)>,
    ) {
        let Some(first) = left.first() else { return found.push((count, chosen.clone())) };
        for (cells, edges) in loops {
            if cells.contains(first) && cells.is_subset(left) {
                let chosen = chosen.union(edges).copied().collect();
                cover(&left.difference(cells).copied().collect(), loops, count + 1, &chosen, found);
            }
        }
    }
    let mut found = Vec::new();
    cover(&free_cells(grid).into_iter().collect(), &loops, 0, &Edges::new(), &mut found);
    found
}

/// Returns the edges of all solutions of a problem, from their drawings, after checking that labels
/// agree on their edges: the path enters one cell and leaves another by each edge.
fn drawn<P: ContourProblem<Label = PathPiece>>(grid: &Grid, problem: &P) -> Vec<Edges> {
    let solutions = Sweep::new(problem).solutions().expect("a small board");
    sorted(solutions.map(|labels| {
        let count_sides = |has: fn(&PathPiece, Side) -> bool| {
            let sides = [Side::Low, Side::High].into_iter();
            sides.map(|side| labels.iter().filter(|piece| has(piece, side)).count()).sum::<usize>()
        };
        let edges: Edges = Drawing::new(grid, &labels).edges().map(|[a, b]| edge(a, b)).collect();
        let length: i64 = labels.iter().map(|piece| piece.length()).sum();
        let found = [
            count_sides(|piece, side| piece.came_by(side)),
            count_sides(|piece, side| piece.goes_by(side)),
            usize::try_from(length).expect("not negative"),
        ];
        assert_eq!(found, [edges.len(); 3]);
        edges
    }))
}

fn sorted(edges: impl IntoIterator<Item = Edges>) -> Vec<Edges> {
    let mut edges: Vec<Edges> = edges.into_iter().collect();
    edges.sort();
    edges
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// On boards too large to enumerate their paths.
    #[test]
    fn paths_between_corners_are_paths_between_two_cells(grid in grids(6, 30)) {
        let corner = (grid.rows() - 1, grid.columns() - 1);
        let simple = Paths::simple(&grid).between((0, 0), corner);
        prop_assert_eq!(count(&simple_paths(&grid)), count(&simple));
        let hamiltonian = Paths::hamiltonian(&grid).between(corner, (0, 0));
        prop_assert_eq!(count(&hamiltonian_paths(&grid)), count(&hamiltonian));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn paths_between_any_cells_agree_with_enumeration(grid in grids(12, 12)) {
        // Each path in one direction: from the smaller end.
        let (mut simple, mut hamiltonian) = (Vec::new(), Vec::new());
        for start in free_cells(&grid) {
            let [of_start, all_cells] = paths_from(&grid, start, |end| start <= end);
            simple.extend(of_start);
            hamiltonian.extend(all_cells);
        }
        prop_assert_eq!(drawn(&grid, &Paths::simple(&grid)), sorted(simple));
        prop_assert_eq!(drawn(&grid, &Paths::hamiltonian(&grid)), sorted(hamiltonian));
    }

    #[test]
    fn paths_between_two_cells_agree_with_enumeration(
        grid in grids(8, 16),
        one: prop::sample::Index,
        other: prop::sample::Index,
    ) {
        let [one, other] = [one, other].map(|index| {
            let index = index.index(grid.cells());
            (index / grid.columns(), index % grid.columns())
        });
        let [simple, hamiltonian] = paths_from(&grid, one, |end| end == other);
        let problem = Paths::simple(&grid).between(one, other);
        prop_assert_eq!(drawn(&grid, &problem), sorted(simple));
        let problem = Paths::hamiltonian(&grid).between(one, other);
        prop_assert_eq!(drawn(&grid, &problem), sorted(hamiltonian));
        let corner = (grid.rows() - 1, grid.columns() - 1);
        let [simple, hamiltonian] = paths_from(&grid, (0, 0), |end| end == corner);
        prop_assert_eq!(drawn(&grid, &simple_paths(&grid)), sorted(simple));
        prop_assert_eq!(drawn(&grid, &hamiltonian_paths(&grid)), sorted(hamiltonian));
    }

    #[test]
    fn paths_from_a_cell_agree_with_enumeration(
        grid in grids(8, 16),
        row in 0_usize..6,
        column in 0_usize..6,
        limit in 0_u32..12,
    ) {
        let start = (row % (grid.rows() + 1), column % (grid.columns() + 1));
        let [simple, hamiltonian] = paths_from(&grid, start, |_| true);
        let problem = Paths::simple(&grid).from(start);
        prop_assert_eq!(drawn(&grid, &problem), sorted(simple.clone()));
        prop_assert_eq!(
            drawn(&grid, &Paths::hamiltonian(&grid).from(start)),
            sorted(hamiltonian)
        );

        let outcome = Sweep::new(&problem).run(&CountByWeight::new(problem.length()).up_to(limit));
        for length in 0..=limit {
            let walks = simple.iter().filter(|edges| edges.len() == length as usize).count();
            let counted = outcome.total().and_then(|walks| walks.coefficient(length));
            prop_assert_eq!(counted.unwrap_or_default(), Natural::from(walks as u64));
        }
        // Every bound of a length holds, also for paths between any cells and between two.
        let last = (grid.rows() - 1, grid.columns() - 1);
        for paths in [Paths::simple(&grid), Paths::simple(&grid).between(start, last)] {
            let all = Sweep::new(&paths).run(&CountByWeight::new(paths.length()));
            let short = Sweep::new(&paths).run(&CountByWeight::new(paths.length()).up_to(limit));
            let terms = |outcome: &Outcome<Total<Polynomial>>| -> Vec<_> {
                let terms = outcome.total().into_iter().flat_map(Polynomial::terms);
                terms.filter(|&(length, _)| length <= limit).collect()
            };
            prop_assert_eq!(terms(&all), terms(&short));
        }
    }

    #[test]
    fn loops_agree_with_enumeration(grid in grids(8, 16)) {
        let loops = all_loops(&grid);
        let factors = all_two_factors(&grid);
        prop_assert_eq!(drawn(&grid, &simple_cycles(&grid)), sorted(loops.iter().cloned()));
        let all = free_cells(&grid).len();
        let hamiltonian = loops.iter().filter(|edges| edges.len() == all);
        prop_assert_eq!(drawn(&grid, &hamiltonian_cycles(&grid)), sorted(hamiltonian.cloned()));
        let all_factors = factors.iter().map(|(_, edges)| edges.clone());
        prop_assert_eq!(drawn(&grid, &two_factors(&grid)), sorted(all_factors));
        let by_loops = TwoFactorsByLoops::new(&grid);
        prop_assert_eq!(drawn(&grid, &by_loops), drawn(&grid, &two_factors(&grid)));
        for loops in 0..=all / 4 + 1 {
            let expected = factors.iter().filter(|&&(count, _)| count == loops);
            let expected = expected.map(|(_, edges)| edges.clone());
            let problem = by_loops.clone().exactly(u32::try_from(loops).unwrap());
            prop_assert_eq!(drawn(&grid, &problem), sorted(expected));
        }
    }

    #[test]
    fn best_paths_and_loops_agree_with_enumeration(grid in grids(8, 16), seed: u64) {
        let mut random = fastrand::Rng::with_seed(seed);
        let costs: Vec<i32> = (0..2 * grid.cells()).map(|_| random.i32(-9..=9)).collect();
        let cost = |(row, column): Cell, (below, _): Cell| {
            costs[2 * (row * grid.columns() + column) + (below - row)]
        };
        let weights = EdgeWeights::new(&grid, cost);
        let worth = |edges: &Edges| edges.iter().map(|&[a, b]| i64::from(cost(a, b))).sum::<i64>();

        let loops = all_loops(&grid);
        let cycles = simple_cycles(&grid);
        let best = Sweep::new(&cycles).run(&Best::maximise(&weights));
        prop_assert_eq!(best.total().copied(), loops.iter().map(worth).max());
        prop_assert_eq!(best.is_proven_empty(), loops.is_empty());

        let all = free_cells(&grid).len();
        let cycles = hamiltonian_cycles(&grid);
        let best = Sweep::new(&cycles).run(&Best::minimise(&weights));
        let hamiltonian = loops.iter().filter(|edges| edges.len() == all);
        prop_assert_eq!(best.total().copied(), hamiltonian.map(worth).min());

        let paths = simple_paths(&grid);
        let best = Sweep::new(&paths).run(&Best::minimise(&weights));
        let between = Paths::simple(&grid).between((0, 0), (grid.rows() - 1, grid.columns() - 1));
        let best_between = Sweep::new(&between).run(&Best::minimise(&weights));
        prop_assert_eq!(best.total(), best_between.total());
        let listed = drawn(&grid, &between);
        prop_assert_eq!(best.total().copied(), listed.iter().map(worth).min());
    }

    #[test]
    fn original_boards_are_parsed_with_any_line_ends(
        grid in grids(8, 40),
        crlf: bool,
        final_newline: bool,
    ) {
        let mut text = format!("{} {}\n{grid}", grid.rows(), grid.columns());
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        if !final_newline {
            text.truncate(text.trim_end().len());
        }
        prop_assert_eq!(formula_1(&text), Ok(grid.clone()));
        let both = format!("{0}\n{0}\n0 0\n", text.trim_end()).replace('*', "#");
        prop_assert_eq!(tonys_tour(&both), Ok(vec![grid.clone(), grid]));
    }

    #[test]
    fn any_text_is_parsed_or_refused_with_a_line(text in "[0-3 .*#\r\n]{0,30}") {
        for error in [
            formula_1(&text).err().map(|error| error.to_string()),
            tonys_tour(&text).err().map(|error| error.to_string()),
            text.parse::<EdgeWeights>().err().map(|error| error.to_string()),
        ] {
            prop_assert!(error.is_none_or(|error| error.starts_with("line ")));
        }
    }
}

#[test]
fn paths_between_any_cells_have_known_counts() {
    let square = |side| Grid::new(side, side).unwrap();
    // Hamiltonian paths between any two cells: OEIS A096969, halved. One cell has a path without an
    // edge.
    let any: Vec<u128> = (1..=7).map(|side| count(&Paths::hamiltonian(&square(side)))).collect();
    assert_eq!(any, [1, 4, 20, 276, 4324, 229_348, 13_535_280]);
    // Hamiltonian paths between two corners along a side: OEIS A000532.
    let along = |side| {
        count(&Paths::hamiltonian(&square(side)).between((side - 1, 0), (side - 1, side - 1)))
    };
    assert_eq!((1..=8).map(along).collect::<Vec<_>>(), [1, 1, 2, 8, 86, 1770, 88_418, 8_934_966]);
    // Self-avoiding walks in the plane: OEIS A001411.
    let walks = Paths::simple(&square(17)).from((8, 8));
    let outcome = Sweep::new(&walks).run(&CountByWeight::new(walks.length()).up_to(8));
    let numbers = outcome.total().into_iter().flat_map(Polynomial::terms);
    let numbers: Vec<String> = numbers.map(|(_, number)| number.to_string()).collect();
    assert_eq!(numbers, ["1", "4", "12", "36", "100", "284", "780", "2172", "5916"]);
    // Simple paths between any two cells, and single cells.
    let simple: Vec<u128> = (1..=4).map(|side| count(&Paths::simple(&square(side)))).collect();
    assert_eq!(simple, [1, 4 + 12, 9 + 322, 16 + 14_248]);
}

#[test]
fn a_path_of_a_single_cell_has_its_own_label_and_picture() {
    let row: Grid = "...".parse().unwrap();
    let paths = Paths::simple(&row);
    let picture = |labels: &[PathPiece]| paths.draw(labels).to_string();
    let pictures: BTreeSet<String> = Sweep::new(&paths)
        .retain_layers()
        .unwrap()
        .solutions()
        .map(|labels| picture(&labels))
        .collect();
    let single = ["● · ·\n", "· ● ·\n", "· · ●\n"];
    let longer = ["╶─╴ ·\n", "· ╶─╴\n", "╶───╴\n"];
    assert_eq!(pictures, single.into_iter().chain(longer).map(str::to_owned).collect());
    let cell: Grid = ".".parse().unwrap();
    for only in [simple_paths(&cell), hamiltonian_paths(&cell)] {
        assert_eq!(Sweep::new(&only).first().solution(), Some(&vec![PathPiece::ALONE]));
    }
}

#[test]
fn paths_to_obstacles_or_cells_outside_the_board_do_not_exist() {
    let grid: Grid = "..\n.*\n".parse().unwrap();
    for ends in [((1, 1), (0, 0)), ((0, 0), (2, 0)), ((5, 5), (5, 5)), ((1, 1), (1, 1))] {
        assert_eq!(count(&Paths::simple(&grid).between(ends.0, ends.1)), 0, "{ends:?}");
    }
    assert_eq!(count(&Paths::simple(&grid).between((0, 0), (0, 0))), 1);
    assert_eq!(count(&Paths::hamiltonian(&grid).between((0, 0), (0, 0))), 0);
    assert_eq!(count(&Paths::hamiltonian(&"*.*".parse().unwrap()).between((0, 1), (0, 1))), 1);
}

#[test]
fn boards_of_obstacles_have_no_path_and_the_empty_two_factor() {
    let obstacles: Grid = "**\n**\n".parse().unwrap();
    assert_eq!(count(&Paths::simple(&obstacles)), 0);
    assert_eq!(count(&TwoFactorsByLoops::new(&obstacles)), 1);
    assert_eq!(count(&TwoFactorsByLoops::new(&obstacles).exactly(0)), 1);
    assert_eq!(count(&TwoFactorsByLoops::new(&obstacles).exactly(1)), 0);
}

#[test]
fn two_factors_are_counted_by_their_number_of_loops() {
    let factors = TwoFactorsByLoops::new(&Grid::new(4, 4).unwrap());
    let (mut ends, _) = Sweep::new(&factors).ends(&Counting::<u64>::new()).into_parts();
    ends.sort_by_key(|(state, _)| state.loops());
    assert_eq!(
        ends.iter().map(|&(state, ways)| (state.loops(), ways)).collect::<Vec<_>>(),
        [(1, 6), (2, 7), (3, 4), (4, 1)]
    );
    let large = Grid::new(6, 6).unwrap();
    assert_eq!(count(&TwoFactorsByLoops::new(&large).exactly(1)), 1072);
}

#[test]
fn formula_1_has_the_answers_of_the_original_task() {
    assert_eq!(count(&hamiltonian_cycles(&formula_1("4 4\n**..\n....\n....\n....").unwrap())), 2);
    assert_eq!(count(&hamiltonian_cycles(&formula_1("4 4\n....\n....\n....\n....").unwrap())), 6);
}

#[test]
fn pipes_have_the_answer_of_the_original_task() {
    // Lines end in CR LF, and an empty line follows.
    let plan = "4 3\r\n#######\r\n# 2 3 #\r\n#1#9#1#\r\n# 2 3 #\r\n#1#7#1#\r\n# 5 3 #\r\n\
                #1#9#1#\r\n# 2 3 #\r\n#######\r\n\r\n";
    let weights: EdgeWeights = plan.parse().unwrap();
    assert_eq!((weights.grid().rows(), weights.grid().columns()), (4, 3));
    let cycles = hamiltonian_cycles(weights.grid());
    let mut all = Sweep::new(&cycles).solutions().unwrap();
    let least = Sweep::new(&cycles).best(Direction::Minimise, &weights);
    assert_eq!(least.proven(), Some(&28));
    let labels = least.solution().expect("a loop");
    assert!(all.any(|other| other == *labels));
    let worth = labels
        .iter()
        .enumerate()
        .map(|(cell, &piece)| Weight::<Strands>::label(&weights, cell, piece));
    assert_eq!(worth.sum::<i64>(), 28);
}

#[test]
fn no_board_is_a_list_of_boards() {
    assert_eq!(tonys_tour(""), Ok(Vec::new()));
    assert_eq!(tonys_tour("0 0"), Ok(Vec::new()));
}

#[test]
fn drawings_show_paths_loops_and_obstacles() {
    let grid: Grid = "...\n.*.\n...\n".parse().unwrap();
    let outcome = Sweep::new(&hamiltonian_cycles(&grid)).first();
    let drawing = Drawing::new(&grid, outcome.solution().unwrap());
    assert_eq!(drawing.to_string(), "┌───┐\n│ * │\n└───┘\n");
    assert_eq!(drawing.edges().count(), 8);
    let svg = drawing.svg("A loop & more");
    assert_eq!(svg.matches("<polyline").count(), 1);
    assert_eq!(svg.matches("class=\"cell wall\"").count(), 1);
    assert!(svg.contains("<title>A loop &amp; more</title>"));

    let path = Paths::simple(&grid).between((0, 1), (1, 0));
    let ways = Sweep::new(&path).solutions().unwrap();
    let texts: BTreeSet<String> = ways.map(|way| Drawing::new(&grid, &way).to_string()).collect();
    assert_eq!(
        texts,
        BTreeSet::from(["┌─╴ ·\n╵ * ·\n· · ·\n".to_owned(), "· ╶─┐\n╷ * │\n└───┘\n".to_owned()])
    );
}

/// Returns the cells in which the region of some state changes, and the number of regions.
fn region_changes(rows: usize, columns: usize) -> (Vec<usize>, usize) {
    let cycles = hamiltonian_cycles(&Grid::new(rows, columns).expect("a board"));
    let mut layer = HashSet::from([cycles.start()]);
    let (mut changes, mut regions) = (Vec::new(), HashSet::new());
    for cell in 0..cycles.cells() {
        let mut next = HashSet::new();
        let mut stays = true;
        for state in layer {
            let before = cell.checked_sub(1).and_then(|before| cycles.region(before, state));
            cycles.step(cell, state, &mut |after, _| {
                let region = cycles.region(cell, after);
                stays &= before.is_none() || after == finished() || region == before;
                regions.insert(region);
                next.insert(after);
            });
        }
        if !stays {
            changes.push(cell);
        }
        layer = next;
    }
    (changes, regions.len())
}

#[test]
fn regions_stay_for_the_length_of_a_line() {
    let (at, regions) = region_changes(8, 6);
    assert!(at.len() <= 8 && at.windows(2).all(|pair| pair[1] - pair[0] >= 6), "{at:?}");
    assert!(regions > 8, "{regions}");
    let (at, _) = region_changes(5, 4);
    assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= 4), "{at:?}");
}

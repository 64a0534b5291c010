//! Mazes: the parser, text and pictures, and both searches against an independent flood fill.

use proptest::prelude::*;
use secateurs::hook::Dominance;
use secateurs::{Effect, Found, Objective, Search, Stop};
use secateurs_problems::maze::{Maze, Mouse, MouseMemory, Step, StepOrder};

use crate::shared::maze::{check_large_mazes, check_path, distances};
use crate::support::sizes::sized;

fn mazes() -> impl Strategy<Value = String> {
    (1..12usize, 1..12usize, 0.0..0.6f64)
        .prop_filter("room for start and goal", |(rows, columns, _)| rows * columns > 1)
        .prop_flat_map(|(rows, columns, walls)| {
            let squares = prop::collection::vec(prop::bool::weighted(walls), rows * columns);
            (squares, Just(columns), any::<prop::sample::Index>(), any::<prop::sample::Index>())
        })
        .prop_map(|(walls, columns, start, goal)| {
            let mut squares: Vec<char> =
                walls.iter().map(|&wall| if wall { '#' } else { '.' }).collect();
            let start = start.index(squares.len());
            let goal = (start + 1 + goal.index(squares.len() - 1)) % squares.len();
            squares[start] = 'S';
            squares[goal] = 'G';
            squares.chunks(columns).flat_map(|row| row.iter().chain(&['\n'])).collect()
        })
}

proptest! {
    #[test]
    fn both_searches_agree_with_flood_fill(text in mazes()) {
        let maze: Maze = text.parse().unwrap();
        let (distances, goal) = distances(&text);
        let shortest = distances[goal.0][goal.1];
        let depth_first = Search::new(&maze).hooks((maze.closed_set(),)).first();
        let breadth_first = Search::new(&maze).hooks((maze.closed_set(),)).breadth_first().first();
        prop_assert_eq!(breadth_first.solution().map(Vec::len), shortest);
        prop_assert_eq!(breadth_first.is_proven_none(), shortest.is_none());
        prop_assert_eq!(depth_first.is_proven_none(), shortest.is_none());
        for outcome in [&depth_first, &breadth_first] {
            if let Some(path) = outcome.solution() {
                check_path(&maze, path);
            }
        }
        // Without a path to the goal, every reachable square is visited once. With one, squares
        // behind the goal may be missed, because the mouse stops there.
        let reached = distances.iter().flatten().filter(|steps| steps.is_some()).count() as u64;
        for outcome in [
            Search::new(&maze).hooks((maze.closed_set(),)).count(),
            Search::new(&maze).hooks((maze.closed_set(),)).breadth_first().count(),
        ] {
            let entries = outcome.report().hook("closed set").and_then(|hook| hook.stat("entries"));
            prop_assert!(entries.unwrap() <= reached);
            prop_assert!(entries.unwrap() == reached || shortest.is_some());
            prop_assert_eq!(outcome.representatives(), Some(u128::from(shortest.is_some())));
            // A count of one path is not exact, because the closed set drops others. Zero is exact.
            prop_assert_eq!(outcome.exact(), if shortest.is_some() { None } else { Some(0) });
        }
    }

    #[test]
    fn the_mouse_remembers_a_way_to_the_goal_from_each_visited_square(
        text in mazes(),
        breadth_first: bool,
    ) {
        let maze: Maze = text.parse().unwrap();
        let (rows, columns) = (maze.rows(), maze.columns());
        let mut memory = MouseMemory::new(&maze);
        let mut visited = vec![false; rows * columns];
        let search = Search::new(&maze).hooks((maze.closed_set(),)).watch("memory", |node| {
            memory.visit(node);
            visited[node.state().square()] = true;
        });
        let outcome = if breadth_first { search.breadth_first().first() } else { search.first() };
        prop_assert_eq!(memory.route(&maze), None);
        let Some(path) = outcome.solution() else { return Ok(()) };
        memory.follow(&maze, path);
        prop_assert_eq!(memory.route(&maze), Some(path.clone()));

        let mut without_walls = maze.clone();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |at| (row, at))) {
            if !maze.is_open(row, column) {
                prop_assert!(maze.starting_at(row, column).is_err());
                without_walls = without_walls.without_wall(row, column).unwrap();
            } else if maze.goal() != (row, column) {
                prop_assert!(maze.without_wall(row, column).is_err());
                let moved = maze.starting_at(row, column).unwrap();
                let route = memory.route(&moved);
                prop_assert_eq!(route.is_some(), visited[row * columns + column]);
                if let Some(route) = route {
                    check_path(&moved, &route);
                }
            }
        }
        prop_assert_eq!(memory.route(&without_walls), Some(path.clone()));
    }

    #[test]
    fn dominance_proves_the_shortest_path_depth_first(text in mazes()) {
        let maze: Maze = text.parse().unwrap();
        let (distances, goal) = distances(&text);
        let steps = Objective::minimise(|_: &Maze, mouse: &Mouse| mouse.steps());
        let bound = steps.bound("steps made", |_: &Maze, mouse: &Mouse| mouse.steps());
        let square = |_: &Maze, mouse: &Mouse| mouse.square();
        let detour = Dominance::new("detour", square, |_, mouse| mouse.steps(), |a, b| a <= b);
        let outcome = Search::new(&maze).hooks((bound, detour)).best(&steps);
        prop_assert_eq!(outcome.proven().copied(), distances[goal.0][goal.1]);
        prop_assert_eq!(outcome.is_proven_infeasible(), distances[goal.0][goal.1].is_none());
        prop_assert_eq!(outcome.effect(), Effect::OptimumOnly);
    }

    #[test]
    fn display_and_parse_round_trip(
        text in mazes(),
        spaces: bool,
        crlf: bool,
        final_newline: bool,
    ) {
        let maze: Maze = text.parse().unwrap();
        prop_assert_eq!(maze.to_string(), text.clone());
        let mut other = if spaces { text.replace('.', " ") } else { text };
        if crlf {
            other = other.replace('\n', "\r\n");
        }
        if !final_newline {
            other.truncate(other.trim_end_matches(['\r', '\n']).len());
        }
        prop_assert_eq!(other.parse::<Maze>(), Ok(maze));
    }
}

#[test]
fn trailing_blank_lines_are_ignored() {
    let maze: Maze = "S \r\n G\r\n\r\n\n".parse().unwrap();
    assert_eq!((maze.rows(), maze.columns(), maze.start(), maze.goal()), (2, 2, (0, 0), (1, 1)));
    assert!(maze.is_open(0, 1) && !maze.is_open(2, 0) && !maze.is_open(0, 2));
}

#[test]
fn steps_are_tried_up_right_down_left() {
    let maze: Maze = "...\n.S.\n..G".parse().unwrap();
    let depth_first = Search::new(&maze).hooks((maze.closed_set(),)).first();
    assert_eq!(depth_first.solution(), Some(&vec![Step::Up, Step::Right, Step::Down, Step::Down]));
    let breadth_first = Search::new(&maze).hooks((maze.closed_set(),)).breadth_first().first();
    assert_eq!(breadth_first.solution(), Some(&vec![Step::Right, Step::Down]));
    assert_eq!(maze.draw(&[Step::Right, Step::Down]), "...\n.S*\n..G\n");
    for step in Step::ALL {
        assert_eq!(step.reversed().reversed(), step);
    }
}

#[test]
fn the_order_of_steps_decides_which_path_is_found_first() {
    let maze: Maze = "...\n.S.\n..G".parse().unwrap();
    let first = |order: &str| {
        let order: StepOrder = order.parse().unwrap();
        let search = Search::new(&maze).brancher(order.brancher()).hooks((maze.closed_set(),));
        search.first().solution().cloned().unwrap()
    };
    assert_eq!(first("up,right,down,left")[0], Step::Up);
    assert_eq!(first("right,down,left,up"), [Step::Right, Step::Down]);
    assert_eq!(first("down,right,left,up"), [Step::Down, Step::Right]);
    assert_eq!(first("left,down,right,up"), [Step::Left, Step::Down, Step::Right, Step::Right]);
}

#[test]
fn an_order_of_steps_names_each_step_once() {
    let default = StepOrder::default();
    assert_eq!(default.to_string(), "up,right,down,left");
    assert_eq!(default.steps(), Step::ALL);
    for order in ["left,up,down,right", "down,left,right,up"] {
        assert_eq!(order.parse::<StepOrder>().unwrap().to_string(), order);
    }
}

#[test]
fn visited_squares_are_marked_unless_they_are_on_the_path() {
    let maze: Maze = "..#\nS.#\n.G.\n..#".parse().unwrap();
    let mut memory = MouseMemory::new(&maze);
    let search = Search::new(&maze).hooks((maze.closed_set(),));
    let outcome = search.watch("memory", |node| memory.visit(node)).breadth_first().first();
    let path = outcome.solution().unwrap();
    assert_eq!(memory.draw(&maze, path), "::#\nS*#\n:G.\n..#\n");
    assert_eq!(maze.draw(path), "..#\nS*#\n.G.\n..#\n");
    assert_eq!(memory.svg(&maze, path).matches("\"cell tint\"").count(), 3);
    assert_eq!(maze.svg(path).matches("\"cell tint\"").count(), 0);
    assert_eq!(memory.step(0), Some(Step::Down));
    assert_eq!((memory.step(3), memory.step(99)), (None, None));
}

#[test]
fn without_walls_all_squares_are_open() {
    let maze: Maze = "S#\n#G".parse().unwrap();
    assert_eq!(maze.without_walls().to_string(), "S.\n.G\n");
}

#[test]
fn paths_end_before_a_wall() {
    let maze: Maze = "S#G".parse().unwrap();
    for step in Step::ALL {
        assert_eq!(maze.squares(&[step, step]).collect::<Vec<_>>(), [(0, 0)]);
    }
    let none = Search::new(&maze).hooks((maze.closed_set(),)).first();
    assert_eq!(none.value(), &Found::None);
    assert_eq!(none.stop(), Stop::Exhausted);
}

#[test]
fn breadth_first_finds_a_shorter_path_in_the_bundled_maze() {
    let maze: Maze = include_str!("../../../cli/data/maze.txt").parse().unwrap();
    let depth_first = Search::new(&maze).hooks((maze.closed_set(),)).first();
    let breadth_first = Search::new(&maze).hooks((maze.closed_set(),)).breadth_first().first();
    assert_eq!(depth_first.solution().map(Vec::len), Some(198));
    assert_eq!(breadth_first.solution().map(Vec::len), Some(66));
}

#[test]
fn pictures_show_every_square_and_the_path() {
    let maze: Maze = "S.#\n..G".parse().unwrap();
    let svg = maze.svg(&[Step::Right, Step::Down, Step::Right]);
    assert_eq!(svg.matches("class=\"cell wall\"").count(), 1);
    assert_eq!(svg.matches("class=\"cell soft\"").count(), 4);
    assert_eq!(svg.matches("class=\"cell ").count(), 6, "each square once");
    assert_eq!(svg.matches("<polyline").count(), 1);
    assert_eq!(maze.svg(&[]).matches("<polyline").count(), 0);
}

#[test]
fn pictures_of_large_mazes_merge_equal_neighbours() {
    // 1,000 columns: the path leads along the upper row; the lower row is wall up to the middle.
    let upper = format!("S{}G", ".".repeat(998));
    let lower = format!("{}{}", "#".repeat(500), ".".repeat(500));
    let maze: Maze = format!("{upper}\n{lower}").parse().unwrap();
    let svg = maze.svg(&[Step::Right; 999]);
    let runs: Vec<&str> = svg.lines().filter(|line| line.contains("class=\"cell ")).collect();
    assert_eq!(runs.len(), 3, "{runs:?}");
    assert!(runs[0].contains("cell soft\" x=\"8\" y=\"8\" width=\"32000\""));
    assert!(runs[1].contains("cell wall\" x=\"8\" y=\"40\" width=\"16000\""));
    assert!(runs[2].contains("cell \" x=\"16008\" y=\"40\" width=\"16000\""));
}

#[test]
fn large_mazes_are_solved_without_deep_recursion() {
    check_large_mazes(sized(250, 1000));
}

#[test]
fn a_memory_has_no_route_for_mazes_of_other_sizes() {
    let maze: Maze = "S.G\n...".parse().unwrap();
    let mut memory = MouseMemory::new(&maze);
    memory.follow(&maze, &[Step::Right, Step::Right]);
    assert_eq!(memory.route(&maze).map(|route| route.len()), Some(2));
    assert_eq!(memory.route(&"S.\n.G\n..".parse().unwrap()), None);
    assert_eq!(memory.route(&"S.G".parse().unwrap()), None);
}

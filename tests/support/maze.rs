//! Mazes: distances by flood fill, checks of paths, and large mazes.

use std::collections::VecDeque;

use secateurs::Search;
use secateurs_problems::maze::{Maze, Step};

/// Returns the distance from the start to every square, computed by flood fill on the text of a
/// maze, and the square of the goal.
pub fn distances(text: &str) -> (Vec<Vec<Option<usize>>>, (usize, usize)) {
    let squares: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let mut distances = vec![vec![None; squares[0].len()]; squares.len()];
    let find = |mark| {
        let row = squares.iter().position(|row| row.contains(&mark)).expect("a mark");
        (row, squares[row].iter().position(|&found| found == mark).expect("a mark"))
    };
    let (start, goal) = (find('S'), find('G'));
    distances[start.0][start.1] = Some(0);
    let mut queue = VecDeque::from([start]);
    while let Some((row, column)) = queue.pop_front() {
        let next = distances[row][column].map(|steps: usize| steps + 1);
        for (down, right) in [(0, 1), (1, 0), (0, usize::MAX), (usize::MAX, 0)] {
            let (row, column) = (row.wrapping_add(down), column.wrapping_add(right));
            let open = squares
                .get(row)
                .and_then(|line| line.get(column))
                .is_some_and(|&square| square != '#');
            if open && distances[row][column].is_none() {
                distances[row][column] = next;
                queue.push_back((row, column));
            }
        }
    }
    (distances, goal)
}

/// Checks that a path leads from start to goal over open, adjacent, different squares.
pub fn check_path(maze: &Maze, path: &[Step]) {
    let squares: Vec<_> = maze.squares(path).collect();
    assert_eq!(squares.len(), path.len() + 1, "no step leads into a wall");
    assert_eq!((squares[0], squares[path.len()]), (maze.start(), maze.goal()));
    for pair in squares.windows(2) {
        assert_eq!(pair[0].0.abs_diff(pair[1].0) + pair[0].1.abs_diff(pair[1].1), 1);
    }
    let mut once = squares.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), squares.len(), "no square twice");
    assert!(squares.iter().all(|&(row, column)| maze.is_open(row, column)));
}

/// Returns the text of a perfect maze, which has exactly one path between any two squares: the
/// worst case for backtracking.
fn perfect(side: usize) -> String {
    let width = 2 * side + 1;
    let mut squares = vec!['#'; width * width];
    let mut random = fastrand::Rng::with_seed(1950);
    let mut stack = vec![(0usize, 0usize)];
    squares[width + 1] = 'S';
    while let Some(&(row, column)) = stack.last() {
        let mut ahead = Vec::new();
        for (down, right) in [(0, 1), (1, 0), (0, usize::MAX), (usize::MAX, 0)] {
            let (next_row, next_column) = (row.wrapping_add(down), column.wrapping_add(right));
            if next_row < side
                && next_column < side
                && squares[(2 * next_row + 1) * width + 2 * next_column + 1] == '#'
            {
                ahead.push((next_row, next_column));
            }
        }
        if ahead.is_empty() {
            stack.pop();
            continue;
        }
        let (next_row, next_column) = ahead[random.usize(..ahead.len())];
        squares[(row + next_row + 1) * width + column + next_column + 1] = '.';
        squares[(2 * next_row + 1) * width + 2 * next_column + 1] = '.';
        stack.push((next_row, next_column));
    }
    squares[(width - 2) * width + width - 2] = 'G';
    squares.chunks(width).flat_map(|row| row.iter().chain(&['\n'])).collect()
}

/// Solves an empty maze and a perfect one of about `side` rows and columns, depth-first and
/// breadth-first.
pub fn check_large_mazes(side: usize) {
    let mut empty = vec![vec!['.'; side]; side];
    empty[0][0] = 'S';
    empty[side - 1][side - 1] = 'G';
    let empty: String = empty.into_iter().flat_map(|row| row.into_iter().chain(['\n'])).collect();
    for text in [empty, perfect(side / 2)] {
        let maze: Maze = text.parse().unwrap();
        let (distances, goal) = distances(&text);
        let depth_first = Search::new(&maze).hooks((maze.closed_set(),)).first();
        let breadth_first = Search::new(&maze).hooks((maze.closed_set(),)).breadth_first().first();
        check_path(&maze, depth_first.solution().unwrap());
        check_path(&maze, breadth_first.solution().unwrap());
        assert_eq!(breadth_first.solution().map(Vec::len), distances[goal.0][goal.1]);
    }
}

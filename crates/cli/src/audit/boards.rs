//! Boards for audits. There are all small boards of fire-net, random ones and shrunk ones, with
//! drawings of their states, and the images of boards of queens.

// The tests and the example use different parts of this module.
#![allow(dead_code)]

use secateurs_problems::fire_net::{BoundKind, FireNetBoard, State};
use secateurs_problems::queens::{LookBackQueens, RowByRow};

/// Returns the value to maximise: the number of bunkers.
pub fn placed(_: &FireNetBoard, state: &State) -> usize {
    FireNetBoard::placed(state)
}

/// Returns the size of the largest placement on the candidates of a state, by matching rather than
/// by searching.
pub fn best_below(board: &FireNetBoard, state: &State) -> Option<usize> {
    let mut state = state.clone();
    state.exclude_passed(board);
    Some(BoundKind::Matching.at(board, &state))
}

/// Returns all boards of this size, without bunkers.
pub fn all(rows: usize, columns: usize) -> impl Iterator<Item = FireNetBoard> {
    (0..1_u64 << (rows * columns)).map(move |walls| {
        FireNetBoard::new(rows, columns, |row, column| walls >> (row * columns + column) & 1 == 1)
    })
}

/// Returns the board with one bunker, on each possible cell in turn.
pub fn with_a_bunker(board: &FireNetBoard) -> impl Iterator<Item = FireNetBoard> + use<'_> {
    (0..board.cells()).filter_map(|cell| board.with_bunkers([cell]).ok())
}

/// Returns random boards of all sizes up to `size` rows and columns, with few and with many walls.
/// Half of them have bunkers.
pub fn random(count: u64, size: usize, seed: u64) -> impl Iterator<Item = FireNetBoard> {
    (0..count).filter_map(move |index| {
        let (number, size) = (index as usize, size.max(1));
        let (rows, columns) = (1 + number % size, 1 + number / size % size);
        let empty = 0.5 + 0.05 * (index % 10) as f64;
        let seed = seed.wrapping_add(index);
        let board = FireNetBoard::random(rows, columns, empty, seed).ok()?;
        Some(if index % 2 == 0 { board } else { board.with_random_bunkers(1 + number % 3, seed) })
    })
}

/// Returns the boards that are one step smaller: without a row, a column or a bunker, or with one
/// more wall.
pub fn smaller(board: &FireNetBoard) -> Vec<FireNetBoard> {
    let (rows, columns, bunkers) = (board.rows(), board.columns(), board.bunkers());
    let is_wall = |row, column| board.is_wall(board.cell(row, column));
    let keep_bunkers =
        |board: FireNetBoard, moved: &dyn Fn(usize, usize) -> Option<(usize, usize)>| {
            let places = bunkers.iter().filter_map(|&cell| moved(cell / columns, cell % columns));
            let cells: Vec<usize> = places.map(|(row, column)| board.cell(row, column)).collect();
            // Without a row or column, two bunkers may see each other. Then the board is dropped.
            board.with_bunkers(cells).ok().filter(|board| board.cells() > 0)
        };
    let shifted = |index: usize, removed: usize| {
        (index != removed).then_some(index - usize::from(index > removed))
    };
    let without_row = (0..rows).filter_map(|removed| {
        let board = FireNetBoard::new(rows - 1, columns, |row, column| {
            is_wall(row + usize::from(row >= removed), column)
        });
        keep_bunkers(board, &|row, column| Some((shifted(row, removed)?, column)))
    });
    let without_column = (0..columns).filter_map(|removed| {
        let board = FireNetBoard::new(rows, columns - 1, |row, column| {
            is_wall(row, column + usize::from(column >= removed))
        });
        keep_bunkers(board, &|row, column| Some((row, shifted(column, removed)?)))
    });
    let without_bunker = bunkers.iter().filter_map(|removed| {
        let board = FireNetBoard::new(rows, columns, is_wall);
        board.with_bunkers(bunkers.iter().copied().filter(|cell| cell != removed)).ok()
    });
    let free = (0..board.cells()).filter(|&cell| !board.is_wall(cell) && !bunkers.contains(&cell));
    let with_wall = free.filter_map(|walled| {
        let wall = |row, column| is_wall(row, column) || board.cell(row, column) == walled;
        keep_bunkers(FireNetBoard::new(rows, columns, wall), &|row, column| Some((row, column)))
    });
    without_row.chain(without_column).chain(without_bunker).chain(with_wall).collect()
}

/// Draws a state as a board: `B` a bunker, `X` a wall, `.` a candidate, `:` any other empty cell.
pub fn draw(board: &FireNetBoard, state: &State) -> String {
    let mut state = state.clone();
    state.exclude_passed(board);
    let symbol = |cell| match () {
        () if board.is_wall(cell) => 'X',
        () if state.bunkers().contains(&cell) => 'B',
        () if state.is_candidate(cell) => '.',
        () => ':',
    };
    let row = |row| {
        (0..board.columns()).map(|column| symbol(board.cell(row, column))).collect::<String>()
    };
    (0..board.rows()).map(row).collect::<Vec<_>>().join("\n")
}

/// Returns the least image of a solution, given by its columns, under the first `symmetries`
/// symmetries that preserve the given queens.
pub fn least_image(queens: &LookBackQueens, columns: &[usize], symmetries: u8) -> Vec<usize> {
    let size = columns.len();
    let reflect = |index: usize, is_reflected: bool| {
        if is_reflected { size - 1 - index } else { index }
    };
    // The bits of a symmetry: 1 reverses the columns, 2 reverses the rows, 4 transposes the board.
    let images = (0..symmetries).map(|symmetry| {
        let mut image = vec![0; size];
        for (row, &column) in columns.iter().enumerate() {
            let (row, column) =
                (reflect(row, symmetry & 2 != 0), reflect(column, symmetry & 1 != 0));
            let (row, column) = if symmetry & 4 != 0 { (column, row) } else { (row, column) };
            image[row] = column;
        }
        image
    });
    let is_solution =
        |image: &Vec<usize>| queens.given().iter().all(|&(row, column)| image[row] == column);
    images.filter(is_solution).min().unwrap_or_default()
}

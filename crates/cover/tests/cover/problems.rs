//! Problems as exact covers, compared with known counts and with other models.

use std::collections::BTreeSet;

use secateurs::{ParseError, Search};
use secateurs_cover::{Cover, Representatives};
use secateurs_lab::Audit;
use secateurs_problems::InstanceError;
use secateurs_problems::packing::{Packing, PackingBoard, PackingPiece as Piece, Polyomino};
use secateurs_problems::queens::{CoverQueens, Queens, QueensBoard};

use crate::shared::pentominoes::{all_pentominoes, counts, pentominoes};
use crate::support::sizes::sized;

type AnyError = Box<dyn std::error::Error>;

#[test]
fn queens_match_the_known_counts() -> Result<(), InstanceError> {
    let known = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14_200, 73_712, 365_596];
    for (size, &expected) in known.iter().enumerate().take(sized(13, 15)) {
        let queens = Queens::new(size)?.cover();
        assert_eq!(Search::new(queens.cover()).count().exact(), Some(expected), "{size} queens");
    }
    let queens = Queens::new(6)?.cover();
    assert_eq!(Search::new(queens.cover()).check_undo().count().exact(), Some(4));
    for options in Search::new(queens.cover()).solutions() {
        assert!(queens.cover().is_solution(&options));
        let board = queens.board(&options);
        assert!(board.queens().len() == 6 && board.attack().is_none());
    }
    Ok(())
}

/// Compares the tree of the organ-pipe order with the tree of rows and columns in input order.
#[test]
fn organ_pipe_order_saves_nodes() -> Result<(), AnyError> {
    let queens = Queens::new(10)?.cover();
    let text = queens.cover().to_string();
    let (items, options) = text.split_once('\n').ok_or("no items")?;
    let (primary, secondary) = items.split_once(" | ").ok_or("no secondary items")?;
    let mut primary: Vec<&str> = primary.split(' ').collect();
    primary.sort_by_key(|name| (name.starts_with('c'), name[1..].parse().unwrap_or(0_usize)));
    let in_order: Cover = format!("{} | {secondary}\n{options}", primary.join(" ")).parse()?;
    let (organ_pipe, in_order) =
        (Search::new(queens.cover()).count(), Search::new(&in_order).count());
    assert_eq!((organ_pipe.exact(), in_order.exact()), (Some(724), Some(724)));
    assert!(organ_pipe.report().nodes() * 10 < in_order.report().nodes() * 9);
    Ok(())
}

#[test]
fn boards_respect_given_queens_and_the_size_limit() -> Result<(), InstanceError> {
    let attacked = QueensBoard::new(5)?.with_queen(0, 0)?.with_queen(0, 3)?;
    assert!(Search::new(attacked.cover()?.cover()).first().is_proven_none());
    assert_eq!(
        QueensBoard::new(CoverQueens::MAX_SIZE + 1)?.cover().expect_err("too large").to_string(),
        "a board of 513 rows and columns is too large: expected at most 512"
    );
    let queens = QueensBoard::new(20)?.with_queen(3, 12)?.cover()?;
    let first = Search::new(queens.cover()).extract(|node| node.path().to_vec()).first();
    let board = first.solution().map(|options| queens.board(options));
    assert!(
        board.is_some_and(|board| board.queens().contains(&(3, 12)) && board.attack().is_none())
    );
    Ok(())
}

/// The counts of Haselgrove and Haselgrove (1960).
#[test]
fn pentominoes_in_a_box_match_the_known_counts() -> Result<(), ParseError> {
    let known = [(3, 20, 2), (4, 15, 368), (15, 4, 368), (5, 12, 1010), (6, 10, 2339)];
    for (rows, columns, number) in known.into_iter().take(sized(1, 5)) {
        assert_eq!(pentominoes(rows, columns)?, (Some(number), Some(4 * number)));
    }
    Ok(())
}

/// Counts all packings, without the symmetry hook.
#[test]
fn all_pentominoes_in_a_box_match_the_known_count() -> Result<(), ParseError> {
    let (rows, columns, number) = sized((3, 20, 8), (4, 15, 1472));
    assert_eq!(all_pentominoes(rows, columns)?, Some(number));
    Ok(())
}

/// Scott (1958) counted the packings of the square with a hole of four cells in the middle, up to
/// the eight symmetries of the square.
#[test]
fn pentominoes_around_a_hole_match_the_known_counts() -> Result<(), AnyError> {
    let row = "........\n".repeat(3);
    let board: PackingBoard = format!("{row}...##...\n...##...\n{row}").parse()?;
    let packing = Packing::pentominoes(board)?;
    assert_eq!(counts(packing.cover(), packing.symmetry()), (Some(65), Some(520)));
    Ok(())
}

/// Compares the counts up to symmetry with the numbers of orbits, which are found by applying every
/// symmetry to every packing.
#[test]
fn symmetry_counts_the_orbits_of_the_packings() -> Result<(), AnyError> {
    let tetrominoes = || -> Result<Vec<Piece>, ParseError> {
        let shapes = Polyomino::free(4)?.into_iter().enumerate();
        Ok(shapes.map(|(index, shape)| Piece::at_most_once(index.to_string(), shape)).collect())
    };
    let trominoes = |supply: fn(&str, Polyomino) -> Piece| -> Result<Vec<Piece>, ParseError> {
        Ok(vec![supply("I", "###".parse()?), supply("V", "##\n#.".parse()?)])
    };
    let any_number: fn(&str, Polyomino) -> Piece = |name, shape| Piece::any_number(name, shape);
    let mut pieces_once = Polyomino::free(4)?.into_iter().enumerate();
    let once: Vec<Piece> =
        pieces_once.by_ref().map(|(index, shape)| Piece::once(index.to_string(), shape)).collect();
    for (board, pieces) in [
        ("", tetrominoes()?),
        ("....\n....\n....\n....", tetrominoes()?),
        ("...\n...\n...", trominoes(any_number)?),
        ("....\n....\n....", trominoes(any_number)?),
        (".....\n.###.\n.#.#.\n.###.\n.....", trominoes(any_number)?),
        (".....\n.....\n.....\n.....\n#####", once.clone()),
        ("......\n......\n......\n#....#", once),
    ] {
        let packing = Packing::new(board.parse()?, pieces)?;
        let (rows, columns) = (packing.board().rows(), packing.board().columns());
        let image_of = |bits: u8, (row, column): (usize, usize)| {
            let row = if bits & 1 != 0 { rows - 1 - row } else { row };
            let column = if bits & 2 != 0 { columns - 1 - column } else { column };
            if bits & 4 != 0 { (column, row) } else { (row, column) }
        };
        // A packing is a set of pieces, and a piece a set of squares.
        type Pieces = BTreeSet<BTreeSet<(usize, usize)>>;
        let image = |bits: u8, pieces: &Pieces| -> Pieces {
            let piece =
                |squares: &BTreeSet<_>| squares.iter().map(|&at| image_of(bits, at)).collect();
            pieces.iter().map(piece).collect()
        };
        let mut all = BTreeSet::new();
        for options in Search::new(packing.cover()).solutions() {
            assert!(!packing.draw(&options).contains('.'));
            let pieces = options.into_iter().map(|option| packing.cells(option).collect());
            assert!(all.insert(Pieces::from_iter(pieces)), "each packing is found once");
        }
        // Turns and reflections may change the size of the board or move its holes; such images are
        // not packings of this board. Of the others, one is the least of each orbit.
        let symmetries = if rows == columns { 0..8 } else { 0..4 };
        let is_least = |pieces: &&Pieces| {
            let mut images = symmetries.clone().map(|bits| image(bits, pieces));
            images.all(|image| image >= **pieces || !all.contains(&image))
        };
        let orbits = all.iter().filter(is_least).count() as u128;
        let expected = (Some(orbits), Some(all.len() as u128));
        assert_eq!(counts(packing.cover(), packing.symmetry()), expected, "{board}");
    }
    Ok(())
}

#[test]
fn free_polyominoes_match_the_known_counts() -> Result<(), ParseError> {
    let numbers: Vec<usize> = (1..=8)
        .map(|cells| Polyomino::free(cells).map(|all| all.len()))
        .collect::<Result<_, _>>()?;
    assert_eq!(numbers, [1, 1, 2, 5, 12, 35, 108, 369]);
    // The twelve named pentominoes are all free pentominoes.
    let mut named: Vec<Polyomino> = Polyomino::pentominoes()
        .iter()
        .flat_map(|(_, shape)| shape.orientations().into_iter().next())
        .collect();
    named.sort();
    assert_eq!(named, Polyomino::free(5)?);
    assert_eq!(
        Polyomino::pentominoes().iter().map(|(_, shape)| shape.orientations().len()).sum::<usize>(),
        63
    );
    let error = Polyomino::free(0).expect_err("no cells").to_string();
    assert_eq!(error, "found a shape without squares, expected at least one");
    assert!(Polyomino::free(11).is_err());
    Ok(())
}

#[test]
fn malformed_boards_and_shapes_are_refused() -> Result<(), ParseError> {
    assert!(PackingBoard::rectangle(usize::MAX, 3).is_err());
    let domino: Polyomino = "##".parse()?;
    let twice = Packing::new(
        PackingBoard::rectangle(2, 2)?,
        vec![Piece::once("d", domino.clone()), Piece::once("d", domino)],
    );
    let error = twice.expect_err("the same name twice").to_string();
    assert!(error.starts_with("in the names of the pieces: "), "{error}");
    // A board of holes has one packing, the empty one.
    let holes = Packing::new("##\n##\n".parse()?, vec![])?;
    assert_eq!(counts(holes.cover(), holes.symmetry()), (Some(1), Some(1)));
    assert_eq!("..\n#.\n\n".parse::<PackingBoard>()?.to_string(), "..\n#.\n");
    Ok(())
}

/// Boards and shapes that are too large are refused at once, without time and memory proportional
/// to their size.
#[test]
fn excessive_sizes_are_refused() -> Result<(), ParseError> {
    let too_large = |rows: usize, columns: usize| {
        format!(
            "found {rows} rows and {columns} columns, \
             expected a board or shape of at most 10000 squares"
        )
    };
    for (rows, columns) in [(usize::MAX, 0), (0, usize::MAX), (10_001, 1), (1 << 40, 1 << 40)] {
        let error = PackingBoard::rectangle(rows, columns).expect_err("a size that is too large");
        assert_eq!(error.to_string(), too_large(rows, columns));
    }
    assert_eq!(PackingBoard::rectangle(10_000, 1)?.squares(), 10_000);
    for far in [usize::MAX, 1 << 40, 10_000] {
        let error = Polyomino::new([(0, 0), (far, 0)]).expect_err("a shape that is too large");
        assert_eq!(error.to_string(), too_large(far.saturating_add(1), 1));
    }
    assert!(Polyomino::new([(0, 0), (100, 100)]).is_err());
    // Only the extent of a shape counts, not its position.
    let moved = Polyomino::new([(usize::MAX, usize::MAX), (usize::MAX, usize::MAX - 1)])?;
    assert_eq!(moved, "##".parse()?);
    assert_eq!(Polyomino::new([(0, 0), (99, 99)])?.to_string().len(), 101 * 100);
    Ok(())
}

/// The names of pieces are checked for every kind of supply.
#[test]
fn pieces_with_unusable_names_are_refused() -> Result<(), ParseError> {
    let domino: Polyomino = "##".parse()?;
    let supplies: [fn(&str, Polyomino) -> Piece; 3] = [
        |name, shape| Piece::once(name, shape),
        |name, shape| Piece::at_most_once(name, shape),
        |name, shape| Piece::any_number(name, shape),
    ];
    for supply in supplies {
        for names in [&["d", "d"][..], &[""], &["d\n"]] {
            let pieces = names.iter().map(|name| supply(name, domino.clone())).collect();
            let packing = Packing::new(PackingBoard::rectangle(2, 2)?, pieces);
            let error = packing.expect_err("unusable names").to_string();
            assert!(error.starts_with("in the names of the pieces: "), "{names:?}: {error}");
        }
    }
    Ok(())
}

/// Options that the hook removes at the root stay removed on all levels of a breadth-first search.
#[test]
fn symmetry_works_in_breadth_first_search() -> Result<(), ParseError> {
    let packing = Packing::pentominoes(PackingBoard::rectangle(3, 20)?)?;
    let outcome = Search::new(packing.cover()).hooks((packing.symmetry(),)).breadth_first().count();
    assert_eq!((outcome.representatives(), outcome.exact()), (Some(2), Some(8)));
    Ok(())
}

#[test]
fn pictures_show_every_piece() -> Result<(), AnyError> {
    let packing = Packing::pentominoes(PackingBoard::rectangle(3, 20)?)?;
    let outcome = Search::new(packing.cover()).first();
    let options = outcome.solution().ok_or("no packing")?;
    let drawing = packing.draw(options);
    for piece in packing.pieces() {
        assert_eq!(drawing.matches(piece.name()).count(), 5, "{drawing}");
    }
    let svg = packing.svg(options);
    assert_eq!(svg.matches("<text").count(), 12);
    assert!(svg.ends_with("</svg>\n"));
    Ok(())
}

#[test]
fn drawings_have_the_rows_of_the_board_even_without_columns() -> Result<(), AnyError> {
    for (rows, columns) in [(5, 0), (0, 5), (0, 0), (2, 3)] {
        let packing = Packing::new(PackingBoard::rectangle(rows, columns)?, vec![])?;
        assert_eq!(packing.draw(&[]), packing.board().to_string());
    }
    Ok(())
}

#[test]
fn pieces_that_touch_have_different_backgrounds() -> Result<(), AnyError> {
    let monomino: Polyomino = "#".parse()?;
    let pieces = ["A", "B", "C"].map(|name| Piece::once(name, monomino.clone()));
    let packing = Packing::new(PackingBoard::rectangle(1, 3)?, pieces.to_vec())?;
    // The options of each square are those of A, B and C.
    let soft = |options: &[usize]| packing.svg(options).matches("\"cell soft\"").count();
    assert_eq!((soft(&[0, 4, 8]), soft(&[4, 0, 8]), soft(&[0, 8])), (1, 2, 0));
    Ok(())
}

#[test]
fn factors_of_several_levels_multiply() -> Result<(), AnyError> {
    let cover: Cover = "a b\na\na\na\nb\nb\n".parse()?;
    let one_of_each = Representatives::new("one of each", |_, option| [3, 0, 0, 2, 0][option]);
    assert_eq!(counts(&cover, one_of_each), (Some(1), Some(6)));
    Ok(())
}

/// The special options are symmetric one by one, but which of them go together matters: the pairs
/// "p x", "q y" and "p y", "q x" are the only solutions.
#[test]
fn an_audit_detects_representatives_that_depend_on_each_other() -> Result<(), AnyError> {
    let cover: Cover = "p q x y\np x\np y\nq y\nq x\n".parse()?;
    let dependent = Representatives::new("dependent", |_, option| [2, 0, 2, 0][option]);
    assert_eq!(counts(&cover, dependent.clone()), (Some(1), Some(4)));
    let violation = Audit::of_count(&cover).hook(dependent).run().unwrap_err();
    assert_eq!(violation.hook(), "dependent");
    println!("{violation}");
    Ok(())
}

//! Knight's tour: a path of knight's moves that visits every square of a board once. Prints a tour
//! with its proof of existence or not, writes its picture, and measures the prunings on all closed
//! tours of a small board.
//!
//! Run it with `cargo run --release --example solve_knights_tour`, or with a file that has one line
//! with the rows, the columns and the row and column of the start: `8 8 1 1`. `secateurs
//! knights-tour` has more options.

use std::error::Error;
use std::fs;

use secateurs::hook::BoxedHook;
use secateurs::{Limits, Search};
use secateurs_problems::knights_tour::{
    DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity, TourAnswer, TourBoard, TourSearch,
};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok("8 8 1 1".to_owned()), fs::read_to_string)?;
    let numbers: Vec<usize> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let [rows, columns, row, column] = numbers[..] else {
        return Err("expected four numbers: rows, columns, and the start".into());
    };
    let (row, column) = (row.wrapping_sub(1), column.wrapping_sub(1));

    let solved = TourSearch::new(TourBoard::new(rows, columns)?).starting_at(row, column)?.solve();
    match solved.answer() {
        TourAnswer::Tour(tour) => {
            println!("{tour}\n{} nodes", solved.nodes());
            fs::write("target/knights_tour.svg", tour.to_svg())?;
            println!("picture: target/knights_tour.svg\n");
        }
        TourAnswer::None(reason) => println!("none: {reason}\n"),
        other => println!("not decided: {other:?}\n"),
    }

    // All closed tours of 5×6, in both directions, with one more pruning at a time.
    let tours = KnightsTour::closed(TourBoard::new(5, 6)?);
    for prunings in 0..=4 {
        let all: Vec<BoxedHook<KnightsTour>> = vec![
            Box::new(Parity),
            Box::new(DeadEnds),
            Box::new(OneExit),
            Box::new(DisconnectedRest::default()),
        ];
        let hooks: Vec<_> = all.into_iter().take(prunings).collect();
        let limits = Limits::new().nodes(1_000_000);
        let outcome = Search::new(&tours).hooks(hooks).limits(limits).count();
        println!("{outcome} tours of 5×6, {} nodes", outcome.report().nodes());
        for hook in outcome.report().hooks() {
            println!("  {} has cut off {}", hook.name(), hook.cuts());
        }
    }
    Ok(())
}

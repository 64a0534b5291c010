//! Queens: one in every row of a board, so that no two attack each other. Prints the number of ways
//! to complete a board and one of them, writes its picture, and measures what each level of
//! propagation cuts off.
//!
//! Run it with `cargo run --release --example solve_queens`, or with a file: a square of `.` and
//! `Q`. `secateurs queens` has more models and options.

use std::error::Error;
use std::fs;

use secateurs::Search;
use secateurs_csp::{Assignment, Propagate};
use secateurs_problems::queens::QueensBoard;

const BOARD: &str = "\
........
..Q.....
........
......Q.
........
........
........
........
";

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(BOARD.to_owned()), fs::read_to_string)?;
    let given: QueensBoard = text.parse()?;
    let network = given.network();

    let outcome = Search::new(&network).hook(Propagate::full()).extract(Assignment::of).first();
    match outcome.solution().and_then(|solution| given.completed(solution)) {
        Some(board) => {
            println!("{board}");
            fs::write("target/queens.svg", board.svg(&given))?;
            println!("picture: target/queens.svg\n");
        }
        None => println!("none, proven: {}\n", outcome.is_proven_none()),
    }

    let levels = [Propagate::backward(), Propagate::forward(), Propagate::full()];
    for (name, propagate) in ["backward checking", "forward checking", "full"].iter().zip(levels) {
        let outcome = Search::new(&network).hook(propagate).count();
        let report = outcome.report();
        println!("{outcome} solutions, {name}: {} nodes", report.nodes());
        for hook in report.hooks() {
            println!("  {} has cut off {}", hook.name(), hook.cuts());
        }
    }
    Ok(())
}

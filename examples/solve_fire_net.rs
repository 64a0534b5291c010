//! Fire-net: as many bunkers as possible on a board with walls, so that no two see each other along
//! a row or a column. Prints the placement and its proof, writes a picture, and measures what each
//! pruning of the article cuts off.
//!
//! Run it with `cargo run --release --example solve_fire_net`, or with a file: the size of the
//! board, then its rows, `.` for an empty cell and `X` for a wall. `secateurs fire-net` has more
//! options.

use std::error::Error;
use std::fs;

use secateurs::Limits;
use secateurs_problems::fire_net::{FireNetBoard, FireNetPrunings, FireNetSettings};

const BOARD: &str = "\
5
..X..
.....
X..X.
...X.
.X...
";

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(BOARD.to_owned()), fs::read_to_string)?;
    let board: FireNetBoard = text.parse()?;

    let outcome = FireNetSettings::default().solve(&board);
    let solution = outcome.solution().ok_or("no placement")?;
    let placement = board.with_bunkers(solution.iter().copied())?;
    println!("{placement}");
    match outcome.proven() {
        Some(bunkers) => println!("{bunkers} bunkers, in {} nodes", outcome.report().nodes()),
        None => println!("not proven: {}", outcome.stop()),
    }
    fs::write("target/fire_net.svg", placement.svg(&board))?;
    println!("picture: target/fire_net.svg\n");

    // The article's search, with more of its prunings at a time.
    for last in [0, 1, 2, 3, 4, 10] {
        let settings = FireNetSettings::article(FireNetPrunings::of(1..=last));
        let outcome = settings.limits(Limits::new().nodes(1_000_000)).solve(&board);
        let report = outcome.report();
        println!("prunings up to {last}: {} nodes, {}", report.nodes(), report.stop());
        for hook in outcome.report().hooks().iter().filter(|hook| hook.cuts() > 0) {
            println!("  {} has cut off {}", hook.name(), hook.cuts());
        }
    }
    Ok(())
}

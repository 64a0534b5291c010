//! A long run of a problem of your own: the number of ways to place queens on a board. Its size is
//! predicted; it runs in two threads, and is saved in a file, from which it continues after a kill
//! or a limit.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use secateurs::checkpoint::Fingerprint;
use secateurs::search::Checkpoint;
use secateurs::{Branch, CopyProblem, Limits, Search};

/// Queens on a board, row by row.
struct Queens(u32);

impl CopyProblem for Queens {
    type State = [u32; 4]; // the number of rows, and the attacked columns: straight and slanting
    type Cursor = u32; // the columns to try, as bits
    type Choice = u32; // a column, as a bit

    fn root(&self) -> [u32; 4] {
        [0; 4]
    }
    fn branch(&self, &[row, straight, left, right]: &[u32; 4]) -> Branch<u32> {
        if row == self.0 {
            return Branch::Solution;
        }
        Branch::Inner(!(straight | left | right) & ((1 << self.0) - 1))
    }
    fn next(&self, _: &[u32; 4], columns: &mut u32) -> Option<u32> {
        let column = *columns & columns.wrapping_neg();
        *columns &= !column;
        (column != 0).then_some(column)
    }
    fn apply(&self, [row, straight, left, right]: [u32; 4], &column: &u32) -> [u32; 4] {
        [row + 1, straight | column, (left | column) << 1, (right | column) >> 1]
    }
    /// Refuses a choice from a damaged file that `next` does not return in this state.
    fn accepts_saved(&self, state: &[u32; 4], column: &u32) -> bool {
        match self.branch(state) {
            Branch::Inner(columns) => column.count_ones() == 1 && columns & column != 0,
            _ => false,
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let queens = Queens(10);
    let estimate = Search::new(&queens).estimate(10_000, 1);
    let nodes = estimate.nodes().ok_or("no probe was made")?;
    println!("about {:.0} nodes", nodes.mean);

    // What identifies the problem in the file: its name, and all that it depends on.
    let problem = || Fingerprint::new("queens", &queens.0);
    let file = std::env::temp_dir().join(format!("your_long_run-{}", std::process::id()));
    let checkpoint = || {
        Checkpoint::new(&file, Duration::from_secs(10), problem())
            .on_error(|error| eprintln!("not saved: {error}"))
    };

    // The first run stops at a limit, as a killed one would at any moment.
    let mut saved = checkpoint();
    let limits = Limits::new().nodes(20_000);
    let outcome = Search::new(&queens).limits(limits).checkpoint(&mut saved)?.threads(2).count();
    println!("stopped by a {}, after {} nodes", outcome.stop(), outcome.report().nodes());

    // The second one continues.
    let mut saved = checkpoint();
    let outcome = Search::new(&queens).resume(&mut saved)?.threads(2).count();
    println!("{outcome} ways, {} nodes", outcome.report().nodes());
    std::fs::remove_file(&file)?;
    Ok(())
}

fn main() -> ExitCode {
    // Not by `Debug`, as a `main` that returns the error would: the text of an error names the
    // file, and what differs in it.
    run().map_or_else(
        |error| {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

//! Rocket Mania: turn the blocks of a board so that fire gets from a match on the left to as many
//! rockets as possible on the right. Prints the best rotation and its proof, writes a picture, and
//! measures what each pruning of the sweep drops.
//!
//! Run it with `cargo run --release --example solve_rocket_mania`, or with a file of cases: the row
//! of the match, then the board of `-`, `L`, `T`, `+` and `.`. `secateurs rocket-mania` has more
//! options.

use std::error::Error;
use std::fs;

use secateurs_problems::rocket_mania::{Case, Mode, RocketPrunings, RocketSettings};

const CASE: &str = "\
3
L-T-LL.L
.L--LT--
T+LL+.TL
--LT-LTL
L..-TLLL
";

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(CASE.to_owned()), fs::read_to_string)?;
    let cases: Vec<Case> = Mode::Single.cases(&text)?;
    for (number, case) in (1..).zip(&cases) {
        let outcome = RocketSettings::default().solve(case);
        let Some(rockets) = outcome.proven() else {
            println!("case {number}: {}", outcome.stop());
            continue;
        };
        println!("case {number}: {rockets} rockets, {} contours", outcome.report().nodes());
        let rotation = outcome.solution().ok_or("no rotation")?;
        println!("{}", case.draw(rotation));
        let picture = format!("target/rocket_mania-{number}.svg");
        fs::write(&picture, case.svg(rotation))?;
        println!("picture: {picture}\n");

        // With one more pruning at a time.
        for last in 0..=4 {
            let settings =
                RocketSettings::default().prunings(RocketPrunings::of(1..=last)).dominance(None);
            let outcome = settings.rockets(case);
            println!("prunings up to {last}: {} contours", outcome.report().nodes());
            for hook in outcome.report().hooks().iter().filter(|hook| hook.cuts() > 0) {
                println!("  {} has dropped {}", hook.name(), hook.cuts());
            }
        }
    }
    Ok(())
}

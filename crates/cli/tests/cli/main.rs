//! Tests of the command lines of `secateurs` and of the examples: answers, outputs and figures of
//! the README and the guide, exit codes, bad input that is refused, output at a limit, and runs
//! that are killed or interrupted and resumed.
//!
//! The programs must have been built. `cargo test` builds them; `cargo test --package
//! secateurs-cli` builds only the command, uses the existing examples, and refuses them if a source
//! has changed since.

mod answers;
#[cfg(target_os = "linux")]
mod conventions;
mod documentation;
#[cfg(target_os = "linux")]
mod memory;
mod options;
mod processes;
mod programs;
mod run;
#[cfg(target_os = "linux")]
mod situations;
#[macro_use]
mod transcript;

mod output_matches_the_transcript {
    transcripts! {
        "crates/cli/tests/transcripts";
        audit, clique, coloring, compare, count, cover, fire_net, first_programs, graph_count,
        job_shop, knights_count, knights_tour, maze, optimise, puzzles, queens, rocket_mania, solve,
        sudoku, tree, your_comparison, your_contour_problem, your_long_run, your_optimum, your_problem,
    }
}

mod expensive_output_matches_the_transcript {
    transcripts! {
        "crates/cli/tests/expensive";
        #[ignore = "ten seconds: cargo build --release --examples && \
                    cargo test --release --package secateurs-cli -- --ignored"]
        audit,
        #[ignore = "half a minute: cargo build --release --examples && \
                    cargo test --release --package secateurs-cli -- --ignored"]
        compare,
    }
}

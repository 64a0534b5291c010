//! Searches and sweeps on clusters, the scripts around them, and simulations of larger ones.

#[path = "../simulation/costs.rs"]
mod costs;
#[path = "../simulation/model.rs"]
mod model;
#[path = "../simulation/rounds.rs"]
mod rounds;
#[path = "../simulation/search.rs"]
#[allow(dead_code, reason = "the example uses all of it")]
mod search;
#[path = "../simulation/sweep.rs"]
#[allow(dead_code, reason = "the example uses all of it")]
mod sweep;
#[path = "../simulation/trace.rs"]
#[allow(dead_code, reason = "the example uses all of it")]
mod trace;
#[path = "../simulation/tree.rs"]
#[allow(dead_code, reason = "the example uses all of it")]
mod tree;

#[path = "../../../tests/plug/automata.rs"]
#[allow(dead_code, reason = "the tests of sweeps use all of it")]
mod automata;
mod combinations;
#[cfg(target_os = "linux")]
mod conventions;
mod events;
mod processes;
#[cfg(target_os = "linux")]
mod scripts;
mod searches;
#[path = "../../../tests/support"]
#[allow(dead_code, reason = "other tests use the rest")]
mod shared {
    pub mod known;
    pub mod sweep_hooks;
    pub mod sweeps;
}
mod simulation;
#[cfg(unix)]
mod start_up;
#[path = "../../../tests/support/mod.rs"]
mod support;
mod sweeps;

#[path = "../../../crates/cli/tests/cli/programs.rs"]
#[rustfmt::skip] // Formatted with the package that it belongs to.
mod programs;
#[cfg(target_os = "linux")]
#[path = "../../../crates/cli/tests/cli/run.rs"]
#[allow(dead_code, reason = "the tests of the other examples use all of it")]
#[rustfmt::skip] // As above.
mod run;
#[cfg(target_os = "linux")]
#[path = "../../../crates/cli/tests/cli/situations.rs"]
#[allow(dead_code, reason = "the tests of the other examples use all of it")]
#[rustfmt::skip] // As above.
mod situations;
#[macro_use]
#[path = "../../../crates/cli/tests/cli/transcript.rs"]
#[rustfmt::skip] // As above.
mod transcript;

mod output_matches_the_transcript {
    transcripts! {
        "examples/cluster/tests/transcripts";
        cluster_clique, cluster_count, cluster_queens,
    }
}

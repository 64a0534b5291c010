//! Tests of the bundled problems against known values and independent searches.

mod clique;
mod coloring;
mod fire_net;
mod fire_net_boards;
mod fire_net_prunings;
mod first_programs;
mod formats;
mod job_shop;
mod knapsack;
mod knights_models;
mod knights_tour;
mod knights_tour_rules;
mod maze;
mod queens;
mod queens_network;
mod refusals;
mod rocket_mania;
mod sudoku;
mod variables;
#[path = "../../../../tests/support"]
#[allow(dead_code, reason = "other tests use the rest")]
mod shared {
    pub mod fire_net;
    pub mod knights_tour;
    pub mod known;
    pub mod maze;
    pub mod queens_network;
    pub mod rocket_mania;
}
#[path = "../../../../tests/support/mod.rs"]
mod support;

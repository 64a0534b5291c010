//! Ratios of processor times of interleaved runs, with their promised limits.
//!
//! `cargo bench --bench ratios` compares all groups; `cargo bench --bench ratios -- kernel plug`
//! compares those whose names contain one of these words. A ratio over its limit is marked, but
//! does not fail the run, because it may be due to other load on the machine. With `--test`, each
//! contender runs once and only its answer is checked.

use std::process::ExitCode;

use secateurs_benches::Clock::{Processor, Wall};
use secateurs_benches::plug::Side;
use secateurs_benches::queens::Size;
use secateurs_benches::{
    Group, Ratios, branch_and_bound, cover, csp, first_programs, kernel, plug, threads,
};
use secateurs_cover::Cover;

fn main() -> ExitCode {
    let mut ratios = Ratios::from_arguments();
    ratios.compare(15, Processor, &kernel::queens::group(Size::N14));
    ratios.compare(11, Processor, &kernel::estimates::group(Size::N14));
    ratios.compare(9, Processor, &branch_and_bound::golomb_10());
    ratios.compare(9, Processor, &branch_and_bound::salesman_15());
    ratios.compare(9, Processor, &first_programs::knapsack());
    ratios.compare(9, Processor, &first_programs::colourings());
    ratios.compare(9, Processor, &first_programs::payments_of_30());
    ratios.compare(9, Processor, &first_programs::assignments());
    ratios.compare(9, Processor, &first_programs::nearly_empty_nodes());
    ratios.compare(9, Processor, &first_programs::two_way_contour_tree());
    ratios.compare(9, Processor, &first_programs::contour_tree_of_loops());
    ratios.compare(9, Processor, &first_programs::best_first());
    ratios.compare(9, Processor, &first_programs::sorted_children());
    for group in first_programs::memoised_pegs() {
        ratios.compare(9, Processor, &group);
    }
    for group in first_programs::dominated_tours() {
        ratios.compare(9, Processor, &group);
    }
    ratios.compare(15, Processor, &csp::queens::by_hand(Size::N13));
    for side in [Side::N12, Side::N14] {
        ratios.compare(7, Processor, &plug::sweeps(side));
    }
    for group in plug::threads(Side::N16) {
        ratios.compare(3, Wall, &group);
    }
    for rival in ["dlx-rs", "exact-covers"] {
        let pair = |group: Group<Cover>| group.only([rival, "secateurs"]);
        for group in cover::n_queens(Size::N13) {
            ratios.compare(5, Processor, &pair(group));
        }
        ratios.compare(5, Processor, &pair(cover::langford_11()));
        ratios.compare(3, Processor, &pair(cover::pentominoes_6_by_10()));
    }
    ratios.compare(7, Wall, &threads::n_queens(Size::N15));
    ratios.compare(7, Wall, &threads::large_tree());
    ratios.compare(7, Wall, &threads::clique_500());
    ratios.finish()
}

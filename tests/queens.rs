//! n-queens: known counts and tree sizes, three models against each other and against brute force.

use secateurs::problems::queens::{Effort, Queens};
use secateurs::{Problem, Report, Search};

/// A000170: all solutions, from n = 1.
const SOLUTIONS: [u128; 12] = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200];

/// n, solutions, placements, squares tested, pairs compared.
const TREES: [(usize, u128, u64, u64, u64); 11] = [
    (4, 2, 16, 60, 84),
    (5, 10, 53, 220, 405),
    (6, 4, 152, 894, 2_016),
    (7, 40, 551, 3_584, 9_297),
    (8, 92, 2_056, 15_720, 46_752),
    (9, 352, 8_393, 72_378, 243_009),
    (10, 724, 35_538, 348_150, 1_297_558),
    (11, 2_680, 166_925, 1_806_706, 7_416_541),
    (12, 14_200, 856_188, 10_103_868, 45_396_914),
    (13, 73_712, 4_674_889, 59_815_314, 292_182_579),
    (14, 365_596, 27_358_552, 377_901_398, 1_995_957_888),
];

fn size(n: usize) -> Queens {
    Queens::new(n).expect("a board of at most 64 columns")
}

fn count(problem: &impl Problem) -> (Option<u128>, Report) {
    let outcome = Search::new(problem).count();
    (outcome.exact(), outcome.report().clone())
}

#[test]
fn all_solutions_on_bit_masks() {
    for (n, solutions) in (1..).zip(SOLUTIONS) {
        assert_eq!(count(&size(n).bits()).0, Some(solutions), "n = {n}");
    }
}

#[test]
fn all_solutions_of_the_other_models() {
    for (n, &solutions) in (1..).zip(&SOLUTIONS[..9]) {
        assert_eq!(count(&size(n).marks()).0, Some(solutions), "marks, n = {n}");
        assert_eq!(count(&size(n).lookback()).0, Some(solutions), "lookback, n = {n}");
        let completion = size(n).board().bits().expect("a small board");
        assert_eq!(count(&completion).0, Some(solutions), "nothing to complete, n = {n}");
    }
}

fn tree_sizes(largest: usize) {
    for (n, solutions, placed, attempts, pair_tests) in TREES.into_iter().filter(|tree| tree.0 <= largest) {
        let (marked, looked) = (Effort::new(), Effort::new());
        let runs = [
            ("bits", count(&size(n).bits())),
            ("marks", count(&size(n).marks().counting(&marked))),
            ("lookback", count(&size(n).lookback().counting(&looked))),
        ];
        for (model, (counted, report)) in runs {
            assert_eq!(counted, Some(solutions), "{model}, n = {n}");
            assert_eq!(report.nodes() - 1, placed, "{model}, n = {n}");
            // Every square of the next row is tested at every node but the solutions.
            assert_eq!((report.nodes() - report.solutions()) * n as u64, attempts, "{model}, n = {n}");
        }
        assert_eq!((marked.attempts(), marked.pair_tests()), (attempts, 0), "n = {n}");
        assert_eq!((looked.attempts(), looked.pair_tests()), (attempts, pair_tests), "n = {n}");
    }
}

#[test]
fn tree_sizes_to_10() {
    tree_sizes(10);
}

/// `cargo test --release --test queens -- --ignored tree_sizes_to_14`
#[test]
#[ignore = "billions of pair tests"]
fn tree_sizes_to_14() {
    tree_sizes(14);
}

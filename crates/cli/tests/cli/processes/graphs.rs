//! Counts of the problems on graphs, however they are counted, and the identity of saved ones.

use super::Scratch;

#[test]
fn problems_on_graphs_have_the_same_count_however_they_are_counted() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("layers")).expect("a directory");
    for (number, problem) in [
        "simple-cycles --king 4x4 --directed",
        "hamiltonian-paths --knight 5x5 --from 0 --directed",
        "simple-paths --grid 5x5 --from 12",
        "two-factors --grid 6x6",
        "edge-covers --grid 5x5",
        "rooted-forests --grid 4x4 --table hash",
        "rooted-forests --grid 4x4 --terminals 0,5,15",
        "steiner-trees --grid 4x4 --terminals 0,5,15",
        "connecting-sets --grid 4x4 --terminals 0,5,15",
        "dominating-sets --grid 5x5",
        "connected-sets --grid 5x5",
        "connected-dominating-sets --grid 5x5",
        "colourings --grid 5x5 --colours 4",
    ]
    .into_iter()
    .enumerate()
    {
        let line = format!("graph-count {problem} --answer-only");
        let answer = scratch.shell.answer(&line);
        let saved = format!("saved-{number}");
        scratch.shell.run(&format!("{line} --nodes 40 --checkpoint {saved}")).assert_code(3);
        for way in [
            "--threads 2",
            "--residues",
            "--memory 256K --spill layers",
            &format!("--resume {saved}"),
        ] {
            assert_eq!(scratch.shell.answer(&format!("{line} {way}")), answer, "{line} {way}");
        }
        let modulo = scratch.shell.answer(&format!("{line} --modulo 1000003"));
        let number: u128 = answer.trim().parse().expect("a number");
        assert_eq!(modulo.trim(), (number % 1_000_003).to_string(), "{line}");
        // Neither has sets of edges of the graph: without roots, forests have edges to the apex.
        if !problem.starts_with("colourings") && !problem.ends_with("--table hash") {
            let sizes = scratch.shell.answer(&format!("{line} --by-length"));
            let sizes = sizes.lines().map(|line| line.split_once(' ').expect("two numbers").1);
            let sum: u128 = sizes.map(|number| number.parse::<u128>().expect("a number")).sum();
            assert_eq!(sum, number, "{line}");
        }
    }
}

#[test]
fn a_checkpoint_of_other_terminals_directions_or_cells_is_refused() {
    let scratch = Scratch::new();
    for (number, (same, others)) in [
        (
            "graph-count steiner-trees --grid 4x4 --terminals 0,5",
            &[
                "graph-count steiner-trees --grid 4x4 --terminals 0,6",
                "graph-count connecting-sets --grid 4x4 --terminals 0,5",
            ][..],
        ),
        (
            "graph-count colourings --grid 4x4 --colours 4",
            &["graph-count colourings --grid 4x4 --colours 5"],
        ),
        (
            "count simple-cycles 6 6 --through 2,2",
            &["count simple-cycles 6 6 --through 2,3", "count simple-cycles 6 6"],
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let file = format!("saved-{number}");
        scratch.shell.run(&format!("{same} --nodes 40 --checkpoint {file}")).assert_code(3);
        let others: Vec<String> =
            others.iter().map(|other| format!("{other} --resume {file}")).collect();
        let refused: Vec<(&str, &str)> =
            others.iter().map(|line| (line.as_str(), "saved-")).collect();
        scratch.assert_refused_without_change(&file, &refused);
        let answer = scratch.shell.answer(&format!("{same} --answer-only"));
        scratch
            .shell
            .assert_answer(&format!("{same} --answer-only --resume {file}"), answer.trim());
    }
}

//! Counts of the problems on graphs, however they are counted, and the identity of saved ones.

use std::collections::BTreeSet;
use std::fs;

use super::Scratch;

/// A set of elements, each as the line that is printed for it.
type Set = BTreeSet<String>;
type Sets = BTreeSet<Set>;

/// Returns the blocks of lines that a command prints before the number of sets.
fn blocks(scratch: &Scratch, line: &str) -> Vec<Vec<String>> {
    let text = scratch.shell.answer(line);
    let mut blocks: Vec<&str> = text.split("\n\n").collect();
    // The number, the graph and the diagram.
    blocks.truncate(blocks.len() - 3);
    blocks.into_iter().map(|block| block.lines().map(str::to_owned).collect()).collect()
}

/// Returns the sets that a command lists.
fn listed(scratch: &Scratch, line: &str) -> Sets {
    let blocks = blocks(scratch, &format!("{line} --list 1000"));
    let elements = |block: Vec<String>| block.into_iter().filter(|line| line != "the empty set");
    let sets: Sets = blocks.iter().map(|block| elements(block.clone()).collect()).collect();
    assert_eq!(sets.len(), blocks.len(), "{line}: no set is listed twice");
    let number = scratch.shell.answer(&format!("{line} --answer-only"));
    assert_eq!(number.trim(), sets.len().to_string(), "{line}");
    sets
}

/// Checks each operation on the sets of the first problem, with those of the second one, among all
/// sets. Items are given with the lines of their elements.
fn check_operations(problems: [&str; 3], items: [(&str, &[&str]); 2]) {
    let lines = problems.map(|problem| format!("graph-count {problem} --grid 2x3"));
    let [first, second, all] = lines.each_ref().map(String::as_str);
    let scratch = Scratch::new();
    let others = listed(&scratch, &format!("{second} --save others"));
    let sets = listed(&scratch, first);
    let universe: Set =
        listed(&scratch, &format!("{all} --then size=1")).into_iter().flatten().collect();
    let every = listed(&scratch, all);
    let check = |operation: &str, from: &Sets, keeps: &dyn Fn(&Set) -> bool| {
        let expected: Sets = from.iter().filter(|set| keeps(set)).cloned().collect();
        let found = listed(&scratch, &format!("{first} --then {operation}"));
        assert_eq!(found, expected, "{first} --then {operation}");
    };
    let [(one, of_one), (other, of_other)] = items;
    let has = |set: &Set, elements: &[&str]| elements.iter().any(|&element| set.contains(element));
    check(&format!("with={one},{other}"), &sets, &|set| has(set, of_one) && has(set, of_other));
    check(&format!("without={one},{other}"), &sets, &|s| !has(s, of_one) && !has(s, of_other));
    let both = [of_one, of_other].concat();
    let within = |set: &Set| set.iter().all(|element| both.contains(&element.as_str()));
    check(&format!("within={one},{other}"), &sets, &within);
    check("size=2", &sets, &|set| set.len() == 2);
    check("size=..=1", &sets, &|set| set.len() <= 1);
    check("weight=1..=2", &sets, &|set| (1..=2).contains(&set.len()));
    let is_proper = |one: &Set, other: &Set| one != other && one.is_subset(other);
    check("maximal", &sets, &|set| !sets.iter().any(|other| is_proper(set, other)));
    check("minimal", &sets, &|set| !sets.iter().any(|other| is_proper(other, set)));
    check("complements", &every, &|set| sets.contains(&(&universe - set)));
    check("hitting-sets", &every, &|set| sets.iter().all(|other| !set.is_disjoint(other)));
    check("hitting-sets --then minimal --then complements", &every, &|set| {
        let set = &universe - set;
        let hits = |set: &Set| sets.iter().all(|other| !set.is_disjoint(other));
        let without = |element: &String| &set - &Set::from([element.clone()]);
        hits(&set) && !set.iter().any(|element| hits(&without(element)))
    });
    check("union=others", &every, &|set| sets.contains(set) || others.contains(set));
    check("intersection=others", &sets, &|set| others.contains(set));
    check("difference=others", &sets, &|set| !others.contains(set));
    check("symmetric-difference=others", &every, &|set| sets.contains(set) != others.contains(set));
    check("subsets-of=others", &sets, &|set| others.iter().any(|other| set.is_subset(other)));
    check("supersets-of=others", &sets, &|set| others.iter().any(|other| other.is_subset(set)));
    let loaded = listed(&scratch, &format!("{all} --load others --then size=2.."));
    assert_eq!(loaded, others.into_iter().filter(|set| set.len() >= 2).collect());
    // Totals of a family are those of a sweep.
    let with_family = format!("{first} --then size=0..");
    for ways in ["", "--by-length", "--modulo 7", "--probability 0.25"] {
        let answers = [first, &with_family]
            .map(|line| scratch.shell.answer(&format!("{line} {ways} --answer-only")));
        assert_eq!(answers[0], answers[1], "{first} {ways}");
    }
}

#[test]
fn operations_on_families_of_edges_agree_with_plain_sets() {
    check_operations(
        ["matchings", "edge-covers", "edge-sets"],
        [("0-1", &["0 1"]), ("4", &["1 4", "3 4", "4 5"])],
    );
}

#[test]
fn operations_on_families_of_vertices_agree_with_plain_sets() {
    check_operations(
        ["independent-sets", "connected-sets", "vertex-sets"],
        [("0", &["0"]), ("5", &["5"])],
    );
}

#[test]
fn listed_sets_of_vertices_are_those_of_the_problem() {
    let scratch = Scratch::new();
    let list = |problem: &str| listed(&scratch, &format!("graph-count {problem} --grid 2x3"));
    let edges = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)];
    let has = |set: &Set, vertex: i32| set.contains(&vertex.to_string());
    let mut expected = list("vertex-sets");
    assert_eq!(expected.len(), 64);
    expected.retain(|set| edges.iter().all(|&(one, other)| !has(set, one) || !has(set, other)));
    assert_eq!(list("independent-sets"), expected);
    let mut expected = list("vertex-sets");
    expected.retain(|set| {
        let is_next = |v, &(a, b): &(i32, i32)| v == a && has(set, b) || v == b && has(set, a);
        (0..6).all(|v| has(set, v) || edges.iter().any(|edge| is_next(v, edge)))
    });
    assert_eq!(list("dominating-sets"), expected);
}

#[test]
fn a_family_of_all_sets_has_the_limits_of_the_run_unless_one_is_loaded() {
    let scratch = Scratch::new();
    let all = "graph-count edge-sets --grid 100x100 --order as-given";
    for line in [format!("{all} --memory 100K"), format!("{all} --memory 100K --list 1")] {
        let finished = scratch.shell.run(&line);
        finished.assert_code(3);
        assert!(finished.stdout.starts_with("unknown\n"), "{line}: {}", finished.stdout);
        let message = "stopped in the family of all sets: memory limit; try a higher limit";
        assert!(finished.stderr.contains(message), "{line}: {}", finished.stderr);
    }
    let board = "--grid 100x100 --order as-given --memory 100K";
    scratch.shell.answer(&format!("{all} --then within=0-1 --save small"));
    let loaded = format!("graph-count edge-sets {board} --load small --answer-only");
    scratch.shell.assert_answer(&loaded, "2");
}

#[test]
fn parallel_edges_are_told_apart_by_their_numbers() {
    let scratch = Scratch::new();
    scratch.write("streets", "a b\na-b c\nb a\na b # the third one\na a\n");
    let line = "graph-count edge-sets streets --multigraph --then size=1";
    let all = listed(&scratch, line).into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(all, ["a a", "a b #1", "a b #4", "a-b c", "b a"]);
    for (item, expected) in [
        ("#4", &["a b #4"][..]),
        ("a-b", &["a-b c"]),
        ("b-a", &["a b #1", "a b #4", "b a"]),
        ("b", &["a b #1", "a b #4", "b a"]),
        ("a-b-c", &["a-b c"]),
    ] {
        let found = listed(&scratch, &format!("{line} --then with={item}"));
        assert_eq!(found.into_iter().flatten().collect::<Vec<_>>(), expected, "{item}");
    }
    let directed = "graph-count edge-sets streets --directed --then with=b-a";
    let found = listed(&scratch, &format!("{directed} --then size=1"));
    assert_eq!(found.into_iter().flatten().collect::<Vec<_>>(), ["b a"]);
}

#[test]
fn sets_come_in_the_order_of_the_weights_in_the_third_column() {
    let scratch = Scratch::new();
    let weights = [("a b", 5), ("b c", -2), ("c d", 1), ("a d", 3), ("a c", -7)];
    let file = "a b 5 # heavy\n\nb c -2\nc d\nd a 3\na c -7\n";
    fs::write(scratch.path("weights"), file).expect("a file");
    let sets = listed(&scratch, "graph-count spanning-forests weights --then weight=..");
    let weight = |set: &Set| -> i64 {
        let of = |line: &String| weights.iter().find(|(edge, _)| line == edge).expect("an edge").1;
        set.iter().map(of).sum()
    };
    let mut expected: Vec<i64> = sets.iter().map(weight).collect();
    expected.sort_unstable();
    for option in ["--lightest", "--heaviest"] {
        let blocks = blocks(&scratch, &format!("graph-count spanning-forests weights {option} 99"));
        let mut found: Vec<i64> = Vec::new();
        for block in blocks {
            let shown = block[0].strip_prefix("# weight ").expect("a weight");
            let set: Set =
                block[1..].iter().filter(|line| *line != "the empty set").cloned().collect();
            assert!(sets.contains(&set), "{set:?}");
            assert_eq!(shown, weight(&set).to_string());
            found.push(weight(&set));
        }
        assert_eq!(found, expected, "{option}");
        expected.reverse();
    }
    let refused = |line: &str, message: &str| {
        let finished = scratch.shell.run(line);
        finished.assert_code(2);
        assert!(finished.stderr.contains(message), "{line}: {}", finished.stderr);
    };
    refused("graph-count independent-sets weights --heaviest 1", "found weights of edges");
    let most = i64::MAX;
    scratch.write("heavy", format!("a b {most}\nb c {most}\n"));
    refused("graph-count spanning-trees heavy --heaviest 1", "beyond 64 bits");
    scratch.write("words", "New York\nNew York City\n");
    refused(
        "graph-count matchings words",
        "line 2, column 10: found \"City\", expected the weight",
    );
    scratch.write("lists", "1 2 3\n2 3 1\n");
    for (line, message) in [
        ("matchings lists", "line 1, column 5: found \"3\", expected the end of the line, because"),
        ("matchings lists --list 1", "--heaviest, --lightest and --then weight=A..=B use weights"),
        ("edge-sets lists --save saved", "line 1, column 5: found \"3\", expected the end"),
    ] {
        refused(&format!("graph-count {line}"), message);
    }
    scratch.write("lists", "1 2 3\n2 3 1 4\n");
    refused(
        "graph-count matchings lists --lightest 1",
        "line 2, column 7: found \"4\", expected the end of the line after the weight",
    );
    let within = listed(&scratch, "graph-count spanning-forests weights --then weight=-2..=4");
    assert_eq!(within, sets.into_iter().filter(|set| (-2..=4).contains(&weight(set))).collect());
}

#[test]
fn a_family_is_loaded_only_with_its_graph_and_order() {
    let scratch = Scratch::new();
    scratch.shell.answer("graph-count matchings --grid 3x3 --save saved");
    let other = "expected a family of the same graph and order";
    let bytes = scratch.read("saved");
    scratch.write("short", &bytes[..bytes.len() - 9]);
    scratch.write("text", "0 1\n");
    for (line, message) in [
        ("edge-sets --grid 3x4 --load saved", other),
        ("edge-sets --king 3x3 --load saved", other),
        ("vertex-sets --grid 3x3 --load saved", other),
        ("edge-sets --grid 3x3 --order numbered --load saved", other),
        ("matchings --grid 2x3 --then union=saved", other),
        ("matchings --grid 3x3 --load saved", "expected it with edge-sets and vertex-sets only"),
        ("edge-sets --grid 3x3 --load short", "short: truncated"),
        ("edge-sets --grid 3x3 --load text", "text: not a saved run"),
        ("edge-sets --grid 3x3 --load none", "none: cannot be read"),
        ("edge-sets --grid 3x3 --save none/saved", "none/saved"),
    ] {
        let finished = scratch.shell.run(&format!("graph-count {line}"));
        finished.assert_code(2);
        assert!(finished.stderr.contains(message), "{line}: {}", finished.stderr);
    }
    assert_eq!(scratch.read("saved"), bytes);
}

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

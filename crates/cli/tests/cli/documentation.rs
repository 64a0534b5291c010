//! Figures and lists of the README and of the guide are those of the programs.

use std::collections::BTreeSet;
use std::fs;

use crate::options;
use crate::programs::repository;
use crate::run::Shell;
use crate::transcript;

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the names of the programs in a directory: files `NAME.rs`.
pub fn programs(directory: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(repository().join(directory)).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let names = sources.filter_map(|path| path.file_stem().map(|name| name.to_owned()));
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

/// Returns the subcommands of `secateurs`, as its help lists them.
pub fn subcommands() -> BTreeSet<String> {
    let help = Shell::in_repository().answer("secateurs --help");
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let rows = list.lines().map_while(|line| line.split_whitespace().next());
    rows.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_page_of_the_programs_lists_all_and_the_readme_states_their_number() {
    let commands = subcommands();
    let mut expected: BTreeSet<String> = programs("examples");
    expected.insert("four_steps".to_owned());
    let of_clusters = programs("examples/cluster");
    expected.extend(of_clusters.into_iter().filter(|name| name.starts_with("cluster_")));
    // Its sources are in the directory `simulation`.
    expected.insert("cluster_simulation".to_owned());
    expected.extend(commands.iter().map(|name| format!("secateurs {name}")));
    let page = read("docs/examples.md");
    let (_, table) = page.split_once("| command | shows |\n|---|---|\n").expect("a table");
    let first_cells = table.lines().map_while(|row| row.strip_prefix("| ")?.split(" | ").next());
    let first_items = page.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next());
    let quoted = |cell: &str| -> Vec<String> {
        let parts = cell.split('`').skip(1).step_by(2);
        let name = |part: &str| match part.strip_prefix("secateurs ") {
            Some(rest) => Some(format!("secateurs {}", rest.split(' ').next()?)),
            None => part.split(' ').next().map(str::to_owned),
        };
        parts.filter_map(name).collect()
    };
    let listed: BTreeSet<String> =
        first_cells.flat_map(quoted).chain(first_items.map(str::to_owned)).collect();
    assert_eq!(listed, expected, "the programs of docs/examples.md (left) and those that exist");
    let number = format!("`secateurs`, with {} subcommands", commands.len());
    assert!(read("README.md").contains(&number), "expected in README.md: {number}");
}

#[test]
fn the_table_of_options_is_that_of_the_programs() {
    let names: Vec<String> = subcommands().into_iter().collect();
    options::assert_documented(&names.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Asserts that a page contains a text, in which `{}` stands for what a command prints. Line breaks
/// count as spaces.
fn assert_quotes(page: &str, text: &str, command: &str) {
    let answer = Shell::in_repository().answer(command);
    let expected = text.replace("{}", answer.trim_end());
    let shown = read(page).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains(&expected), "$ {command}\nexpected in {page}: {expected}");
}

#[test]
fn quoted_answers_are_those_of_the_programs() {
    assert_quotes(
        "README.md",
        "which counts the {} Hamiltonian cycles of a chessboard",
        "count hamiltonian-cycles 8 8 --answer-only",
    );
}

#[test]
#[ignore = "ten seconds: cargo build --release --examples && \
            cargo test --release --package secateurs-cli -- --ignored"]
fn quoted_answers_of_large_searches_are_those_of_the_programs() {
    let cluster = "docs/cluster.md";
    let quotes = [
        ("namespaces: {}, expected {}", "queens 15 --answer-only"),
        ("cluster_queens 16 --answer-only --journal queens-16 {}", "queens 16 --answer-only"),
        ("fault-drill --seed 1 {} --", "queens 16 --answer-only"),
    ];
    for (text, command) in quotes {
        assert_quotes(cluster, text, command);
    }
    let report = Shell::in_repository().answer("queens 16");
    assert!(report.contains("1 141 190 303"), "expected in {report}");
}

/// Returns the number of crates that a package depends on with these features.
fn dependencies(package: &str, features: &str) -> usize {
    let cargo = env!("CARGO");
    let output = std::process::Command::new(cargo)
        .args(["tree", "--offline", "--locked", "--package", package])
        .args(["--edges", "normal,build", "--prefix", "none", "--features", features])
        .current_dir(repository())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let crates = String::from_utf8(output.stdout).expect("text");
    // Crates that occur again are marked. The package itself does not count.
    crates.lines().map(|line| line.trim_end_matches(" (*)")).collect::<BTreeSet<_>>().len() - 1
}

#[test]
fn the_readmes_state_the_number_of_dependencies() {
    assert_eq!(dependencies("secateurs", ""), 3);
    assert_eq!(dependencies("secateurs", "plug"), 3);
    let states = |page: &str, sentence: &str| {
        let shown = read(page).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(sentence), "{page}: expected {sentence:?}");
    };
    states("README.md", "It depends on three small crates, also with `plug`.");
    for satellite in ["secateurs-csp", "secateurs-cover", "secateurs-lab"] {
        assert_eq!(dependencies(satellite, ""), 3 + 1);
    }
    assert_eq!(dependencies("secateurs-problems", ""), 3 + 3 + 5);
    states(
        "README.md",
        "They need no further crate, except for `secateurs-problems`, which needs five.",
    );
    states(
        "crates/lab/README.md",
        "the lab depends on no crate that secateurs does not need itself",
    );
}

/// Returns the text that a picture carries in a chunk `iTXt`, which `tests/pages/pictures.mjs`
/// writes: the text that the picture shows.
fn text_of_picture(path: &str) -> String {
    let bytes = fs::read(repository().join(path)).expect("a picture");
    let mut chunks = &bytes[8..];
    while let [a, b, c, d, rest @ ..] = chunks {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let (chunk, next) = rest.split_at(length + 4);
        if let Some(text) = chunk.strip_prefix(b"iTXtText\0\0\0\0\0") {
            return String::from_utf8(text.to_vec()).expect("text");
        }
        chunks = &next[4..];
    }
    panic!("{path} carries no text: take it by `node tests/pages/screenshots.mjs docs`")
}

/// The transcript is compared with the output of its command by an expensive test, and the pictures
/// with pages by `tests/pages`.
#[test]
fn the_chart_of_the_readme_is_that_of_the_transcript() {
    let transcript = read("crates/cli/tests/expensive/compare.trycmd");
    let (_, rows) =
        transcript.split_once("\n$ secateurs compare\n").expect("the command of the README");
    // The name of a contender and its median, which are separated from others by two spaces.
    let pair = |row: &str| {
        let mut cells = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        Some(format!("{}\n{}", cells.next()?, cells.next()?))
    };
    let rows = rows.lines().skip(1).take_while(|row| !row.starts_with("The prunings:"));
    let bars: Vec<String> = rows.filter_map(pair).collect();
    assert!(bars.len() > 10, "{bars:?}");
    for picture in ["docs/nodes.png", "docs/nodes-dark.png"] {
        let text = text_of_picture(picture);
        assert!(text.ends_with(&bars.join("\n")), "{picture}: {text}\nexpected: {bars:?}");
    }
    let median = |name: &str| {
        let bar = bars.iter().find_map(|bar| bar.strip_prefix(&format!("{name}\n")));
        bar.expect("a bar").trim_start().replace("≥ ", "at least ").replace("≈ ", "about ")
    };
    let (none, four, ten) = (median("none"), median("1-4"), median("1-10"));
    let described =
        format!("alt=\"Bars: {none} nodes without prunings, {four} with four, {ten} with ten\"");
    assert!(read("README.md").contains(&described), "expected in README.md: {described}");
}

/// The page that repeats the results of the articles. Its blocks of commands are transcripts.
const ARTICLES: &str = "docs/from-the-articles.md";

#[test]
fn the_page_of_the_articles_shows_what_its_commands_print() {
    transcript::check(ARTICLES);
}

#[test]
#[ignore = "a minute: cargo build --release --examples && \
            cargo test --release --package secateurs-cli -- --ignored"]
fn the_page_of_the_articles_shows_what_its_expensive_commands_print() {
    // A transcript skips blocks that are marked like this.
    let page = read(ARTICLES).replace("```console,ignore\n", "```console\n");
    let copy = "target/from-the-articles.md";
    fs::write(repository().join(copy), page).expect("a copy of the page");
    transcript::check(copy);
}

/// Returns the numbers of three and more digits in a text, in which a single space may separate
/// groups of digits.
fn numbers(text: &str) -> BTreeSet<String> {
    let mut joined = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_separator = character == ' '
            && joined.ends_with(|before: char| before.is_ascii_digit())
            && characters.peek().is_some_and(char::is_ascii_digit);
        if !is_separator {
            joined.push(character);
        }
    }
    let runs = joined.split(|character: char| !character.is_ascii_digit());
    runs.filter(|run| run.len() >= 3).map(str::to_owned).collect()
}

#[test]
fn numbers_in_the_text_about_the_articles_are_those_of_its_transcripts() {
    let page = read(ARTICLES);
    let (mut text, mut transcripts) = (String::new(), String::new());
    let mut is_transcript = false;
    for line in page.lines() {
        if let Some(language) = line.strip_prefix("```") {
            is_transcript = !is_transcript;
            let expected: &[&str] =
                if is_transcript { &["console", "console,ignore"] } else { &[""] };
            assert!(expected.contains(&language), "{line}: expected a transcript");
        } else {
            let part = if is_transcript { &mut transcripts } else { &mut text };
            *part += line;
            part.push('\n');
        }
    }
    // Years, numbers of problems, and the largest board of an article.
    let mut known = numbers("1519, 2006, 2008, 2019, 2125, 2126, 100");
    known.extend(numbers(&transcripts));
    let found = numbers(&text);
    let unknown: Vec<_> = found.difference(&known).collect();
    assert!(unknown.is_empty(), "numbers that no transcript of {ARTICLES} has: {unknown:?}");
}

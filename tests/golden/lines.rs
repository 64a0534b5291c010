//! Lines of JavaScript, HTML and style sheets end at 100 columns.

use std::fs;
use std::path::{Path, PathBuf};

const COLUMNS: usize = 100;
const EXTENSIONS: [&str; 4] = ["css", "html", "js", "mjs"];
/// Folders of files that are not in the repository.
const GENERATED: [&str; 2] = ["node_modules", "target"];

/// Returns the files with one of the extensions, in the folder and the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !GENERATED.iter().any(|name| path.ends_with(name)) {
                found.extend(files(&path));
            }
        } else if EXTENSIONS.iter().any(|&known| path.extension().is_some_and(|own| own == known)) {
            found.push(path);
        }
    }
    found
}

#[test]
fn no_line_of_a_script_style_sheet_or_page_is_longer_than_100_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all: Vec<PathBuf> =
        ["crates", "tests"].iter().flat_map(|&top| files(&root.join(top))).collect();
    for extension in EXTENSIONS {
        let has_extension = |path: &PathBuf| path.extension().is_some_and(|own| own == extension);
        assert!(all.iter().any(has_extension), "found no file `*.{extension}`");
    }
    let mut long = Vec::new();
    for path in &all {
        let text = fs::read_to_string(path).expect("a text");
        for (index, line) in text.lines().enumerate() {
            let columns = line.chars().count();
            if columns > COLUMNS {
                long.push(format!("{}:{}: {columns} columns", path.display(), index + 1));
            }
        }
    }
    assert!(long.is_empty(), "expected at most {COLUMNS} columns:\n{}", long.join("\n"));
}

//! Graph files, with a warning about what is ignored.

use std::path::Path;

use secateurs_problems::dimacs;
use secateurs_problems::graph::Graph;

use super::Failure;

/// Reads a graph in the DIMACS format from a file, or from `default` without one. If the file has
/// more than a graph, such as weights, prints a warning on standard error.
pub fn read(file: Option<&Path>, default: &str) -> Result<Graph, Failure> {
    let text = super::read(file, default)?;
    let read = dimacs::read(&text).map_err(|error| super::with_input_name(file, error))?;
    if let Some(note) = read.ignored {
        let name = file.map(|file| format!("{}: ", file.display())).unwrap_or_default();
        eprintln!("warning: {name}{note}");
    }
    Ok(read.graph)
}

//! The answer of a search for a maximum clique, as text.

use secateurs::Optimum;

/// Returns the size ω, and the vertices in the numbering of DIMACS files, which begins with 1.
pub fn texts(optimum: Optimum<usize, Vec<usize>>) -> (String, String) {
    let (size, clique) = match optimum {
        Optimum::Proven { value, solution } => (value.to_string(), solution),
        Optimum::BestSoFar { value, solution } => (format!("at least {value}"), solution),
        // The search stopped before its first node; every graph has the empty clique.
        Optimum::NoneBetter { .. } | Optimum::Infeasible | Optimum::Unknown => {
            ("at least 0".to_owned(), None)
        }
    };
    let vertices: Vec<String> =
        clique.unwrap_or_default().iter().map(|vertex| (vertex + 1).to_string()).collect();
    let vertices =
        if vertices.is_empty() { "the empty clique".to_owned() } else { vertices.join(" ") };
    (size, vertices)
}

//! Tests of decision diagrams: bounds from relaxed diagrams, and searches by diagrams.

mod automaton;
mod bound;
mod models;
mod search;

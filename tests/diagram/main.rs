//! Tests of decision diagrams: bounds from relaxed diagrams, and searches by diagrams.

mod automaton;
mod bound;
mod instalments;
mod layers;
mod models;
mod search;
mod thresholds;

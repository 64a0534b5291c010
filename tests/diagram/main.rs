//! Tests of decision diagrams: bounds from relaxed diagrams.

mod automaton;
mod bound;

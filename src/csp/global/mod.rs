//! Global constraints: methods of [`Model`](super::Model) that state a propagator on many
//! variables.

mod circuit;
mod components;
mod linear;
mod matching;
mod table;

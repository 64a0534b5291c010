//! Global constraints: propagators on many variables, each with the method of
//! [`Model`](super::Model) that states it.
//!
//! - `linear`: sums, and variables that state whether a sum lies in a range.
//! - `table`: tables of allowed or forbidden rows.
//! - `matching`: all-different constraints, propagated as a whole; and the strongly connected
//!   components of a graph, which `circuit` uses as well.
//! - `precedence`: one of two tasks before the other, with a variable that says which.
//! - `circuit`: successors that form one circuit.

mod circuit;
mod linear;
mod matching;
mod precedence;
mod table;

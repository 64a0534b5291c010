//! Global constraints: propagators on many variables, each with the method of
//! [`Model`](super::Model) that states it.
//!
//! - `linear`: sums.
//! - `table`: tables of allowed or forbidden rows.
//! - `matching`: all-different constraints as a whole, and the strongly connected components that
//!   they share with `circuit`, circuits.

mod circuit;
mod linear;
mod matching;
mod table;

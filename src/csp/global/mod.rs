//! Global constraints: propagators on many variables, each with the method of
//! [`Model`](super::Model) that states it.
//!
//! - `linear`: sums.
//! - `table`: tables of allowed or forbidden rows.
//! - `matching`: all-different constraints as a whole; `circuit`: circuits. Both use the strongly
//!   connected components of `components`.

mod circuit;
mod components;
mod linear;
mod matching;
mod table;

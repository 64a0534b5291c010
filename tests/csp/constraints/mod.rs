//! Global constraints, compared with brute force at every level of propagation, and with known
//! counts.

mod circuit;
mod known;
mod linear;
mod matching;
mod oracle;
mod precedence;
mod table;

//! The constraints on many variables: against brute force, at every level of propagation, and known counts.

#[path = "constraints/circuit.rs"]
mod circuit;
#[path = "constraints/known.rs"]
mod known;
#[path = "constraints/linear.rs"]
mod linear;
#[path = "constraints/matching.rs"]
mod matching;
#[path = "constraints/oracle.rs"]
mod oracle;
#[path = "constraints/table.rs"]
mod table;

//! The constraints on many variables: against brute force, at every level of propagation, and known counts.

#[path = "constraints/circuit.rs"]
mod circuit;
#[path = "constraints/linear.rs"]
mod linear;
#[path = "constraints/oracle.rs"]
mod oracle;

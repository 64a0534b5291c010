//! The constraints on many variables: against brute force, at every level of propagation, and known
//! counts.

mod circuit;
mod known;
mod linear;
mod matching;
mod oracle;
mod table;

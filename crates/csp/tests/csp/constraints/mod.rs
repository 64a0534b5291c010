//! Global constraints, compared with brute force at every level of propagation, and with known
//! counts.

mod arithmetic;
mod bounds_matching;
mod circuit;
mod combined;
mod conditional;
mod counting;
mod cumulative;
mod disjunctive;
mod functional;
mod known;
mod lexicographic;
mod linear;
mod matching;
mod oracle;
mod precedence;
mod regular;
mod table;

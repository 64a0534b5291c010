//! Paths and loops on grids: known values, brute force, and the two tables against each other.

mod brute;
mod dense;
pub mod entrances;
mod profiles;

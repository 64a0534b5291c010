//! Paths and loops on grids: known values, brute force, and sweeps in dense tables against sweeps
//! in hash tables.

mod dense;
pub mod entrances;
mod restricted;

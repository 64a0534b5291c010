//! A comparison for other programs: CSV and JSON.

mod csv;
mod json;

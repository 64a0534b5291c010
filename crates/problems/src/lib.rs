//! Model problems for [`secateurs`], with their hooks, parsers, text output and pictures.
//!
//! Begin with a small one: [`maze`] (a plain problem), [`langford`] or [`magic_square`] (an exact
//! cover or a constraint network). [`clique`] and [`coloring`] have bounds and branchers of their
//! own. [`queens`], [`knights_tour`] and [`fire_net`] have sets of prunings; [`rocket_mania`] and
//! the [`catalogue`] are contour problems. [`sudoku`] and [`packing`] are puzzles, [`knapsack`],
//! [`independent_set`], [`max_2sat`], [`tardiness`], [`tsptw`] and [`job_shop`] are optimisation
//! problems. [`graph`] has graphs and orders of their edges, and [`dimacs`] reads graphs. `picture`
//! and `selection` are shared helpers.
//!
//! # Features
//!
//! `networks`, which is on by default: models that are constraint networks or exact covers. Without
//! it, neither [`secateurs_csp`] nor [`secateurs_cover`] is compiled. `serde`: searches and sweeps
//! of the problems in frontiers and checkpoints. `bigint`: counts by determinants.

#![cfg_attr(docsrs, feature(doc_cfg))]

use std::error::Error;
use std::fmt;

use secateurs::ParseError;

pub mod catalogue;
pub mod clique;
#[cfg(feature = "networks")]
pub mod coloring;
pub mod dimacs;
pub mod fire_net;
mod formats;
pub mod graph;
pub mod independent_set;
#[cfg(feature = "networks")]
pub mod job_shop;
pub mod knapsack;
pub mod knights_tour;
#[cfg(feature = "networks")]
pub mod langford;
#[cfg(feature = "networks")]
pub mod magic_square;
pub mod max_2sat;
pub mod maze;
#[cfg(feature = "networks")]
pub mod packing;
mod picture;
pub mod queens;
pub mod rocket_mania;
mod selection;
mod small_set;
#[cfg(feature = "networks")]
pub mod sudoku;
pub mod tardiness;
pub mod tsptw;

pub use selection::Selection;

/// The error for arguments that describe no instance of a problem. Its message says what was found
/// and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceError(Box<str>);

impl InstanceError {
    /// Creates an error with a message of the form "found …, expected …".
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        InstanceError(message.to_string().into())
    }

    /// Creates an error about the cell in this row and column (from 0).
    pub(crate) fn at(row: usize, column: usize, message: impl fmt::Display) -> Self {
        let (row, column) = (row.saturating_add(1), column.saturating_add(1));
        Self::new(format_args!("row {row}, column {column}: {message}"))
    }

    /// Returns an error if more things of a kind are `found` than an instance may have.
    pub(crate) fn check_most(found: usize, kind: &str, most: usize) -> Result<(), Self> {
        if found > most {
            return Err(Self::new(format_args!("found {found} {kind}, expected at most {most}")));
        }
        Ok(())
    }
}

/// Returns an error unless a cell (from 0) is on a square board with this side.
fn check_cell(row: usize, column: usize, side: usize) -> Result<(), InstanceError> {
    if row < side && column < side {
        return Ok(());
    }
    let (row, column) = (row.saturating_add(1), column.saturating_add(1));
    let expected = format!("expected both from 1 to {side}");
    Err(InstanceError::new(format_args!("found row {row}, column {column}, {expected}")))
}

/// Writes rows of numbers, right-aligned.
fn write_numbers(f: &mut fmt::Formatter<'_>, numbers: &[usize], columns: usize) -> fmt::Result {
    let width = numbers.iter().max().map_or(1, |most| most.to_string().len());
    for row in numbers.chunks(columns) {
        let row: Vec<String> = row.iter().map(|number| format!("{number:>width$}")).collect();
        writeln!(f, "{}", row.join(" "))?;
    }
    Ok(())
}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for InstanceError {}

impl From<InstanceError> for ParseError {
    /// Reports a text that is well formed but describes no instance.
    fn from(error: InstanceError) -> ParseError {
        ParseError::new(error)
    }
}

/// Runs the code of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

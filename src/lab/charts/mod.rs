//! Charts of a comparison, as SVG that takes its colours from the page.

mod axis;
mod canvas;
mod depths;
mod legend;
mod rows;
mod scatter;

pub(super) use canvas::style;
pub(super) use depths::cuts_by_depth;
pub(super) use rows::{Quantity, nodes, quantiles};
pub(super) use scatter::time_against_nodes;

use super::tables::Table;

/// A chart with what belongs to it.
pub(super) struct Chart {
    /// Its id in the page.
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// What is to be seen, in a sentence or two.
    pub(super) caption: String,
    pub(super) svg: String,
    /// The figures that are drawn.
    pub(super) figures: Table,
}

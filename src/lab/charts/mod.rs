//! Charts of a comparison, as SVG that takes its colours from the page.

mod axis;
mod canvas;
mod depths;
mod rows;
mod scatter;

pub(super) use canvas::{Chart, style};
pub(super) use depths::cuts_by_depth;
pub(super) use rows::{Quantity, nodes, quantiles};
pub(super) use scatter::time_against_nodes;

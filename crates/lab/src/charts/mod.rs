//! Charts of a comparison, as SVG that takes its colours from the page.
//!
//! - `canvas.rs`: the drawing area, legends, [`Chart`] and the logarithmic axis.
//! - `rows.rs`: bars and boxes, one row for each contender.
//! - `scatter.rs`: time against nodes.
//! - `depths.rs`: nodes and cuts by depth.

mod canvas;
mod depths;
mod rows;
mod scatter;

pub(super) use canvas::{Chart, style};
pub(super) use depths::cuts_by_depth;
pub(super) use rows::{Quantity, nodes, quantiles};
pub(super) use scatter::time_against_nodes;

//! A scatter chart of time against nodes, both logarithmic.

use super::canvas::{
    Anchor, Canvas, Chart, Colour, Legend, LogAxis, SERIES, add_note, draw, fitted, header,
    width_of,
};
use crate::comparison::{Compared, Comparison};
use crate::tables::text::{count, tick as format_tick, time};
use crate::tables::{Table, pick};

const WIDTH: i32 = 900;
/// The field of the chart: left, top, right, bottom.
const FIELD: (i32, i32, i32, i32) = (80, 12, 880, 412);
/// The total height, including the labels below the field.
const HEIGHT: i32 = 460;
/// The maximal number of contenders if there is only one instance, so that each has one point.
const MAX_POINTS: usize = 24;
/// The maximal number of instances of each contender.
const MAX_INSTANCES: usize = 300;

/// One run.
struct Point {
    /// The index among the shown contenders.
    contender: usize,
    nodes: f64,
    seconds: f64,
    limited: bool,
}

/// Draws a point for each run: its nodes and its time.
pub(crate) fn time_against_nodes(comparison: &Comparison) -> Chart {
    let is_single_instance = comparison.instances().len() == 1;
    let picked = pick::contenders(comparison, if is_single_instance { MAX_POINTS } else { SERIES });
    let shown = picked.items;
    let instances = pick::instances(comparison, MAX_INSTANCES);
    let mut points = Vec::new();
    for (contender, own) in shown.iter().enumerate() {
        points.extend(instances.items.iter().map(|&index| {
            let run = &own.runs()[index];
            let (nodes, seconds) = (run.nodes() as f64, run.seconds().median);
            Point { contender, nodes, seconds, limited: run.is_limited() }
        }));
    }
    let (left, top, right, bottom) = FIELD;
    let node_axis = LogAxis::new(points.iter().map(|point| point.nodes), left, right);
    let time_axis = LogAxis::new(points.iter().map(|point| point.seconds), bottom, top);
    let names: Vec<String> = shown.iter().map(|contender| fitted(contender.name(), 180)).collect();
    let legend = Legend::new(
        names.iter().enumerate().map(|(row, name)| (Colour::Series(row), &**name)),
        WIDTH,
    );
    let svg =
        draw(WIDTH, HEIGHT + if is_single_instance { 0 } else { legend.height() }, |canvas| {
            let label_areas = grid(canvas, &node_axis, &time_axis);
            let places: Vec<(i32, i32)> = points
                .iter()
                .map(|point| (node_axis.at(point.nodes), time_axis.at(point.seconds)))
                .collect();
            for (point, &place) in points.iter().zip(&places) {
                let colour = if is_single_instance {
                    Colour::Series(0)
                } else {
                    Colour::Series(point.contender)
                };
                canvas.dot(place, if points.len() > 100 { 3 } else { 5 }, point.limited, colour);
            }
            if is_single_instance {
                OccupiedAreas::new(&places, label_areas).draw_names(canvas, &names, &places);
            } else {
                legend.draw(canvas, HEIGHT);
            }
        });
    let mut caption =
        "Each point is a run: visited nodes to the right, time upwards, both axes logarithmic. \
         Along each diagonal line, the time per node is constant."
            .to_owned();
    if points.iter().any(|point| point.limited) {
        caption.push_str(" Rings are runs that reached a limit.");
    }
    add_note(&mut caption, &picked.note);
    add_note(&mut caption, &instances.note);
    Chart {
        id: "chart-time",
        title: "Time against nodes",
        caption,
        svg,
        data: data_table(&shown, comparison),
    }
}

fn data_table(shown: &[&Compared], comparison: &Comparison) -> Table {
    let instances = pick::instances(comparison, 40);
    let mut rows = vec![header(&["contender", "instance", "nodes", "time", "ns/node"])];
    for contender in shown {
        for &index in &instances.items {
            let run = &contender.runs()[index];
            rows.push(vec![
                contender.name().to_owned(),
                comparison.instances()[index].clone(),
                count(run.nodes() as f64),
                time(run.seconds().median),
                format!("{:.1}", run.nanoseconds_per_node()),
            ]);
        }
    }
    Table { title: "time and nodes", rows, notes: instances.note.into_iter().collect() }
}

/// A rectangle: left, top, right, bottom.
type Area = (i32, i32, i32, i32);

/// Draws the lines and ticks of the field. Returns the areas that text occupies.
fn grid(canvas: &Canvas<'_>, node_axis: &LogAxis, time_axis: &LogAxis) -> Vec<Area> {
    let (left, top, right, bottom) = FIELD;
    canvas.ticks(node_axis, format_tick, (top, bottom));
    for tick in time_axis.ticks() {
        let y = time_axis.at(tick);
        canvas.line(&[(left, y), (right, y)], 1, Colour::Rule);
        canvas.text(&time(tick), (left - 8, y), Anchor::Right, Colour::Faint);
    }
    canvas.text("nodes", (right, bottom + 34), Anchor::Right, Colour::Ink);
    canvas.frame((left, top), (right, bottom), Colour::Faint);
    draw_times_per_node(canvas, node_axis, time_axis)
}

/// Draws diagonal lines on which a node takes 1 ns, 10 ns, 100 ns, and so on. Returns the areas
/// that text occupies.
fn draw_times_per_node(canvas: &Canvas<'_>, node_axis: &LogAxis, time_axis: &LogAxis) -> Vec<Area> {
    let (left, top, right, bottom) = FIELD;
    let mut label_areas = Vec::new();
    for exponent in -9..=2 {
        let seconds = 10_f64.powi(exponent);
        // Both axes are logarithmic, so the line is straight: it connects the first and the last
        // pixel inside the field.
        let inside: Vec<(i32, i32)> = node_axis
            .samples(left, right)
            .map(|(x, nodes)| (x, time_axis.at(nodes * seconds)))
            .filter(|&(_, y)| y > top && y < bottom)
            .collect();
        let (Some(&first), Some(&last)) = (inside.first(), inside.last()) else { continue };
        canvas.line(&[first, last], 1, Colour::Rule);
        // The label is placed where the line leaves the field on the right, if that is not too
        // close to a corner.
        if last.0 > right - 8 && (top + 20..bottom - 30).contains(&last.1) {
            let (label, middle) =
                (format!("{} per node", power_of_ten_time(exponent)), last.1 + 14);
            canvas.text(&label, (right - 6, middle), Anchor::Right, Colour::Faint);
            label_areas.push((right - 6 - width_of(&label), middle - 8, right - 6, middle + 8));
        }
    }
    label_areas
}

/// Formats a power of ten of a second.
fn power_of_ten_time(exponent: i32) -> String {
    let unit = ["ns", "µs", "ms", "s"][((exponent + 9) / 3).clamp(0, 3) as usize];
    format!("{} {unit}", 10_u32.pow((exponent + 9) as u32 % 3))
}

/// The areas that text and points occupy, so that labels do not overlap them.
struct OccupiedAreas(Vec<Area>);

impl OccupiedAreas {
    fn new(points: &[(i32, i32)], mut occupied: Vec<Area>) -> Self {
        occupied.extend(points.iter().map(|&(x, y)| (x - 6, y - 6, x + 6, y + 6)));
        OccupiedAreas(occupied)
    }

    fn is_free(&self, (left, top, right, bottom): Area) -> bool {
        left >= FIELD.0
            && right <= FIELD.2
            && top >= FIELD.1
            && bottom <= FIELD.3
            && self
                .0
                .iter()
                .all(|area| right < area.0 || left > area.2 || bottom < area.1 || top > area.3)
    }

    /// Draws each name next to its point if there is room: to the right, to the left, or somewhat
    /// higher or lower with a connecting line.
    fn draw_names(mut self, canvas: &Canvas<'_>, names: &[String], points: &[(i32, i32)]) {
        for (name, &(x, y)) in names.iter().zip(points) {
            let width = width_of(name);
            let heights = [0, -16, 16, -32, 32, -48, 48, -64, 64, -80, 80, -96, 96];
            let places =
                heights.into_iter().flat_map(|dy| [(x + 12, y + dy), (x - 12 - width, y + dy)]);
            let area = |&(left, middle): &(i32, i32)| (left, middle - 8, left + width, middle + 8);
            let Some((left, middle)) = places.into_iter().find(|place| self.is_free(area(place)))
            else {
                continue;
            };
            if middle != y {
                let end = if left > x { left - 2 } else { left + width + 2 };
                canvas.line(&[(x, y), (end, middle)], 1, Colour::Faint);
            }
            canvas.text(name, (left, middle), Anchor::Left, Colour::Ink);
            self.0.push(area(&(left, middle)));
        }
    }
}

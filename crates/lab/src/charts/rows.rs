//! Charts with a row for each contender on a logarithmic axis: nodes as bars, quantiles over
//! instances as boxes.

use super::canvas::{
    Anchor, Canvas, Chart, Colour, LogAxis, add_note, draw, fitted, header, width_of,
};
use crate::comparison::{Compared, Comparison};
use crate::measured::Quantiles;
use crate::tables::text::row;
use crate::tables::{Table, pick, text};

/// The maximal number of contenders.
const MAX_ROWS: usize = 24;
const WIDTH: i32 = 900;
/// The maximal width of a name.
const MAX_NAME_WIDTH: i32 = 230;
/// The width of the numbers to the right of the bars.
const NUMBERS_WIDTH: i32 = 190;
const ROW_HEIGHT: i32 = 24;
const TOP: i32 = 8;

/// A format of numbers.
type Format = fn(f64) -> String;

/// The rows of the shown contenders, and the axis below them.
struct Rows<'c> {
    shown: Vec<&'c Compared>,
    names: Vec<String>,
    note: Option<String>,
    axis: LogAxis,
    tick: Format,
}

impl<'c> Rows<'c> {
    fn new(
        comparison: &'c Comparison,
        numbers: impl Fn(&Compared) -> Vec<f64>,
        tick: Format,
    ) -> Self {
        let picked = pick::contenders(comparison, MAX_ROWS);
        let shown = picked.items;
        let names: Vec<String> =
            shown.iter().map(|contender| fitted(contender.name(), MAX_NAME_WIDTH)).collect();
        let left = names.iter().map(|name| width_of(name)).max().unwrap_or(0) + 20;
        let axis = LogAxis::new(
            shown.iter().flat_map(|contender| numbers(contender)),
            left,
            WIDTH - NUMBERS_WIDTH,
        );
        Rows { shown, names, note: picked.note, axis, tick }
    }

    /// Draws the axis and the names, and then each row by `paint`, which receives the vertical
    /// middle of the row.
    fn draw(&self, paint: impl Fn(&Canvas<'_>, &Compared, i32)) -> String {
        let bottom = TOP + ROW_HEIGHT * self.shown.len() as i32;
        draw(WIDTH, bottom + 28, |canvas| {
            canvas.ticks(&self.axis, self.tick, (TOP, bottom));
            for (row, contender) in self.shown.iter().enumerate() {
                let middle = TOP + ROW_HEIGHT * row as i32 + ROW_HEIGHT / 2;
                canvas.text(
                    &self.names[row],
                    (self.axis.at(0.0) - 10, middle),
                    Anchor::Right,
                    Colour::Ink,
                );
                paint(canvas, contender, middle);
            }
        })
    }
}

/// Draws the nodes of each contender: of the only instance, or the median over several.
pub(crate) fn nodes(comparison: &Comparison) -> Chart {
    let median = |contender: &Compared| contender.sizes().map_or(0.0, |sizes| sizes.median);
    let rows = Rows::new(comparison, |contender| vec![median(contender)], text::tick);
    let svg = rows.draw(|canvas, contender, middle| {
        let size = median(contender);
        let (from, to) = ((rows.axis.at(0.0), middle - 8), (rows.axis.at(size), middle + 8));
        match Certainty::of(contender) {
            Certainty::Counted => canvas.bar(from, to, Colour::Series(0)),
            Certainty::Estimated => canvas.hatched(from, to, Colour::Series(0)),
            Certainty::AtLeast => canvas.frame(from, to, Colour::Series(0)),
        }
        canvas.text(&bar_label(contender), (to.0 + 6, middle), Anchor::Left, Colour::Ink);
    });
    let mut caption = match comparison.instances().len() {
        1 => "Nodes that each contender visits. The axis is logarithmic: equal lengths are equal \
              factors."
            .to_owned(),
        _ => "Nodes that each contender visits, as the median over the instances. The axis is \
              logarithmic."
            .to_owned(),
    };
    let any = |certainty| comparison.contenders().iter().any(|own| Certainty::of(own) == certainty);
    if any(Certainty::Estimated) {
        caption.push_str(" Hatched bars are based on estimates.");
    }
    if any(Certainty::AtLeast) {
        caption.push_str(
            " Empty bars are lower bounds: a limit was reached, and there is no reliable estimate.",
        );
    }
    let row = |contender: &&Compared| {
        vec![contender.name().to_owned(), bar_label(contender), comparison.marked_ratio(contender)]
    };
    let table =
        [header(&["contender", "nodes", "of base"])].into_iter().chain(rows.shown.iter().map(row));
    add_note(&mut caption, &rows.note);
    Chart {
        id: "chart-nodes",
        title: "Nodes",
        caption,
        svg,
        data: Table { title: "nodes", rows: table.collect(), notes: Vec::new() },
    }
}

/// The certainty of the median of a contender's sizes.
#[derive(PartialEq)]
enum Certainty {
    Counted,
    Estimated,
    AtLeast,
}

impl Certainty {
    fn of(contender: &Compared) -> Self {
        let medians = contender
            .sizes()
            .zip(contender.upper_sizes())
            .map(|(least, most)| (least.median, most.median));
        match medians {
            Some((least, most)) if least != most => Certainty::AtLeast,
            _ if contender.estimated() > 0 => Certainty::Estimated,
            _ => Certainty::Counted,
        }
    }
}

/// Returns the text at the end of a bar.
fn bar_label(contender: &Compared) -> String {
    let median = contender.sizes().map_or(0.0, |sizes| sizes.median);
    match (Certainty::of(contender), contender.runs()) {
        (Certainty::Estimated | Certainty::AtLeast, [run]) if run.estimate().is_some() => {
            text::size(run)
        }
        (Certainty::Counted, _) => text::count(median),
        (Certainty::Estimated, _) => text::approximate(median),
        (Certainty::AtLeast, _) => text::at_least(median),
    }
}

/// The quantity whose quantiles are drawn.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Quantity {
    Nodes,
    Seconds,
}

/// Draws quantiles over the instances, as boxes.
pub(crate) fn quantiles(comparison: &Comparison, quantity: Quantity) -> Chart {
    let quantiles_of = |contender: &Compared| match quantity {
        Quantity::Nodes => contender.sizes(),
        Quantity::Seconds => contender.seconds(),
    };
    let (format, tick): (Format, Format) = match quantity {
        Quantity::Nodes if comparison.contenders().iter().any(|own| own.estimated() > 0) => {
            (text::rough, text::tick)
        }
        Quantity::Nodes => (text::count, text::tick),
        Quantity::Seconds => (text::time, text::time),
    };
    let ends = |contender: &Compared| {
        quantiles_of(contender).map_or_else(Vec::new, |own| vec![own.least, own.greatest])
    };
    let rows = Rows::new(comparison, ends, tick);
    let svg = rows.draw(|canvas, contender, middle| {
        if let Some(own) = quantiles_of(contender) {
            draw_box(canvas, &rows.axis, &own, middle);
            let text = format!("{} … {}", format(own.median), format(own.greatest));
            canvas.text(&text, (rows.axis.at(own.greatest) + 6, middle), Anchor::Left, Colour::Ink);
        }
    });
    let quantile_row = |contender: &&Compared| {
        let numbers = quantiles_of(contender).map(|own| own.numbers().map(format));
        row(contender.name(), numbers.into_iter().flatten())
    };
    let titles = header(&["contender", "minimum", "25 %", "median", "75 %", "90 %", "maximum"]);
    let table = [titles].into_iter().chain(rows.shown.iter().map(quantile_row)).collect();
    let (id, title, what) = match quantity {
        Quantity::Nodes => ("chart-nodes-over-instances", "Nodes over the instances", "Nodes"),
        Quantity::Seconds => {
            ("chart-time-over-instances", "Time over the instances", "Median times")
        }
    };
    let mut caption = format!(
        "{what} of the {} instances. The box spans the quartiles, with the median as a line \
         across; the thin line spans the minimum and the maximum, with a mark at 90 %. The numbers \
         are the median and the maximum.",
        comparison.instances().len()
    );
    let limited = comparison.contenders().iter().any(|contender| match quantity {
        Quantity::Nodes => contender.unknown_sizes() > 0,
        Quantity::Seconds => contender.limited() > 0,
    });
    if limited {
        caption.push_str(match quantity {
            Quantity::Nodes => {
                " If a limit was reached without a reliable estimate, the size is a lower bound."
            }
            Quantity::Seconds => " If a limit was reached, the time is a lower bound.",
        });
    }
    add_note(&mut caption, &rows.note);
    Chart {
        id,
        title,
        caption,
        svg,
        data: Table { title: "quantiles", rows: table, notes: Vec::new() },
    }
}

/// Draws a box plot of quantiles.
fn draw_box(canvas: &Canvas<'_>, axis: &LogAxis, quantiles: &Quantiles, middle: i32) {
    let colour = Colour::Series(0);
    let [least, lower, median, upper, decile, greatest] =
        quantiles.numbers().map(|number| axis.at(number));
    canvas.line(&[(least, middle), (greatest, middle)], 2, colour);
    canvas.line(&[(decile, middle - 5), (decile, middle + 5)], 2, colour);
    canvas.bar((lower, middle - 7), (upper.max(lower + 1), middle + 7), colour);
    canvas.line(&[(median, middle - 10), (median, middle + 10)], 3, Colour::Ink);
}

//! Charts with a row for each contender on a logarithmic axis: nodes as bars, quantiles over
//! instances as boxes.

use super::axis::LogAxis;
use super::canvas::{Anchor, Canvas, Chart, Colour, draw, fitted, width_of};
use crate::lab::comparison::{Compared, Comparison};
use crate::lab::measured::Quantiles;
use crate::lab::tables::{Table, pick, text};
use crate::report::table::header;

/// Contenders that are drawn.
const ROWS: usize = 24;
const WIDTH: i32 = 900;
/// The width of the widest name.
const NAME: i32 = 230;
/// The width of the numbers beyond the bars.
const NUMBERS: i32 = 190;
const ROW: i32 = 24;
const TOP: i32 = 8;

/// How numbers are written.
type Written = fn(f64) -> String;

/// A row for each of some contenders, and the axis below.
struct Rows<'c> {
    shown: Vec<&'c Compared>,
    names: Vec<String>,
    note: Option<String>,
    axis: LogAxis,
    tick: Written,
}

impl<'c> Rows<'c> {
    fn new(
        comparison: &'c Comparison,
        numbers: impl Fn(&Compared) -> Vec<f64>,
        tick: Written,
    ) -> Self {
        let picked = pick::contenders(comparison, ROWS);
        let shown: Vec<&Compared> =
            picked.indices.iter().map(|&index| &comparison.contenders[index]).collect();
        let names: Vec<String> =
            shown.iter().map(|contender| fitted(contender.name(), NAME)).collect();
        let left = names.iter().map(|name| width_of(name)).max().unwrap_or(0) + 20;
        let axis = LogAxis::new(
            shown.iter().flat_map(|contender| numbers(contender)),
            left,
            WIDTH - NUMBERS,
        );
        Rows { shown, names, note: picked.note, axis, tick }
    }

    /// The axis and the names, and then each row by `paint`, which is given the height of its
    /// middle.
    fn draw(&self, paint: impl Fn(&Canvas<'_>, &Compared, i32)) -> String {
        let bottom = TOP + ROW * self.shown.len() as i32;
        draw(WIDTH, bottom + 28, |canvas| {
            let mut free_from = i32::MIN;
            for tick in self.axis.ticks() {
                let (x, label) = (self.axis.at(tick), (self.tick)(tick));
                canvas.line(&[(x, TOP), (x, bottom)], 1, Colour::Rule);
                let half = width_of(&label) / 2;
                if x - half > free_from {
                    canvas.text(&label, (x, bottom + 14), Anchor::Middle, Colour::Faint);
                    free_from = x + half + 8;
                }
            }
            for (row, contender) in self.shown.iter().enumerate() {
                let middle = TOP + ROW * row as i32 + ROW / 2;
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

    fn caption(&self, mut caption: String) -> String {
        if let Some(note) = &self.note {
            caption.push_str(" Shown are ");
            caption.push_str(note);
        }
        caption
    }
}

/// Nodes of each contender: of one instance, its own; of several, the median.
pub(in crate::lab) fn nodes(comparison: &Comparison) -> Chart {
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
        canvas.text(&number(contender), (to.0 + 6, middle), Anchor::Left, Colour::Ink);
    });
    let mut caption = match comparison.instances().len() {
        1 => "Nodes that each contender visits; the axis is logarithmic, so that equal lengths are equal factors."
            .to_owned(),
        _ => "Nodes that each contender visits, the median over the instances; the axis is logarithmic.".to_owned(),
    };
    if comparison
        .contenders()
        .iter()
        .any(|contender| Certainty::of(contender) == Certainty::Estimated)
    {
        caption.push_str(" Hatched bars rest on estimates.");
    }
    if comparison
        .contenders()
        .iter()
        .any(|contender| Certainty::of(contender) == Certainty::AtLeast)
    {
        caption.push_str(
            " Empty bars are lower bounds: a limit was reached, and there is no reliable estimate.",
        );
    }
    let figure = |contender: &&Compared| {
        vec![contender.name().to_owned(), number(contender), comparison.marked_ratio(contender)]
    };
    let table = [header(&["contender", "nodes", "of base"])]
        .into_iter()
        .chain(rows.shown.iter().map(figure));
    Chart {
        id: "chart-nodes",
        title: "Nodes",
        caption: rows.caption(caption),
        svg,
        figures: Table { title: "nodes", rows: table.collect(), notes: Vec::new() },
    }
}

/// What is known of the median of a contender's sizes.
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

/// The number at a bar.
fn number(contender: &Compared) -> String {
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

/// Of what quantiles are drawn.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::lab) enum Quantity {
    Nodes,
    Seconds,
}

/// Quantiles over the instances, as boxes.
pub(in crate::lab) fn quantiles(comparison: &Comparison, quantity: Quantity) -> Chart {
    let of = |contender: &Compared| match quantity {
        Quantity::Nodes => contender.sizes(),
        Quantity::Seconds => contender.seconds(),
    };
    let (label, tick): (Written, Written) = match quantity {
        Quantity::Nodes if comparison.contenders().iter().any(|own| own.estimated() > 0) => {
            (text::rough, text::tick)
        }
        Quantity::Nodes => (text::count, text::tick),
        Quantity::Seconds => (text::time, text::time),
    };
    let ends = |contender: &Compared| {
        of(contender).map_or_else(Vec::new, |own| vec![own.least, own.greatest])
    };
    let rows = Rows::new(comparison, ends, tick);
    let svg = rows.draw(|canvas, contender, middle| {
        if let Some(own) = of(contender) {
            boxed(canvas, &rows.axis, &own, middle);
            let text = format!("{} … {}", label(own.median), label(own.greatest));
            canvas.text(&text, (rows.axis.at(own.greatest) + 6, middle), Anchor::Left, Colour::Ink);
        }
    });
    let figure = |contender: &&Compared| {
        let numbers = of(contender).map(|own| {
            [
                own.least,
                own.lower_quartile,
                own.median,
                own.upper_quartile,
                own.upper_decile,
                own.greatest,
            ]
            .map(label)
        });
        [contender.name().to_owned()].into_iter().chain(numbers.into_iter().flatten()).collect()
    };
    let titles =
        header(&["contender", "least", "quarter", "median", "three quarters", "90 %", "most"]);
    let table = [titles].into_iter().chain(rows.shown.iter().map(figure)).collect();
    let (id, title, what) = match quantity {
        Quantity::Nodes => ("chart-nodes-over-instances", "Nodes over the instances", "Nodes"),
        Quantity::Seconds => {
            ("chart-time-over-instances", "Time over the instances", "Median times")
        }
    };
    let mut caption = format!(
        "{what} of the {} instances: the box has the middle half of them, with the median as a line across; the thin line goes \
         from the least to the most, with a mark at 90 %. Written are the median and the most.",
        comparison.instances().len()
    );
    let limited = comparison.contenders().iter().any(|contender| match quantity {
        Quantity::Nodes => contender.unknown_sizes() > 0,
        Quantity::Seconds => contender.limited() > 0,
    });
    if limited {
        caption.push_str(match quantity {
            Quantity::Nodes => {
                " Where a limit was reached and there is no reliable estimate, it is a lower bound."
            }
            Quantity::Seconds => " Where a limit was reached, it is what was taken by then.",
        });
    }
    Chart {
        id,
        title,
        caption: rows.caption(caption),
        svg,
        figures: Table { title: "quantiles", rows: table, notes: Vec::new() },
    }
}

fn boxed(canvas: &Canvas<'_>, axis: &LogAxis, own: &Quantiles, middle: i32) {
    let colour = Colour::Series(0);
    let [least, lower, median, upper, decile, greatest] = [
        own.least,
        own.lower_quartile,
        own.median,
        own.upper_quartile,
        own.upper_decile,
        own.greatest,
    ]
    .map(|number| axis.at(number));
    canvas.line(&[(least, middle), (greatest, middle)], 2, colour);
    canvas.line(&[(decile, middle - 5), (decile, middle + 5)], 2, colour);
    canvas.bar((lower, middle - 7), (upper.max(lower + 1), middle + 7), colour);
    canvas.line(&[(median, middle - 10), (median, middle + 10)], 3, Colour::Ink);
}

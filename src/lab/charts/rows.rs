//! Charts with a row for each strategy on a logarithmic axis: nodes as bars, quantiles over instances as boxes.

use super::Chart;
use super::axis::LogAxis;
use super::canvas::{Anchor, Canvas, Colour, draw, fitted, width_of};
use crate::lab::comparison::{Compared, Comparison};
use crate::lab::quantiles::Quantiles;
use crate::lab::tables::{Table, pick, text};
use crate::report::table::header;

/// Strategies that are drawn.
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

/// A row for each of some strategies, and the axis below.
struct Rows<'c> {
    shown: Vec<&'c Compared>,
    names: Vec<String>,
    note: Option<String>,
    axis: LogAxis,
    tick: Written,
}

impl<'c> Rows<'c> {
    fn new(comparison: &'c Comparison, numbers: impl Fn(&Compared) -> Vec<f64>, tick: Written) -> Self {
        let picked = pick::strategies(comparison, ROWS);
        let shown: Vec<&Compared> = picked.indices.iter().map(|&index| &comparison.strategies[index]).collect();
        let names: Vec<String> = shown.iter().map(|strategy| fitted(strategy.name(), NAME)).collect();
        let left = names.iter().map(|name| width_of(name)).max().unwrap_or(0) + 20;
        let axis = LogAxis::new(shown.iter().flat_map(|strategy| numbers(strategy)), left, WIDTH - NUMBERS);
        Rows { shown, names, note: picked.note, axis, tick }
    }

    /// The axis and the names, and then each row by `paint`, which is given the height of its middle.
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
            for (row, strategy) in self.shown.iter().enumerate() {
                let middle = TOP + ROW * row as i32 + ROW / 2;
                canvas.text(&self.names[row], (self.axis.at(0.0) - 10, middle), Anchor::Right, Colour::Ink);
                paint(canvas, strategy, middle);
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

/// Nodes of each strategy: of one instance, its own; of several, the median.
pub(in crate::lab) fn nodes(comparison: &Comparison) -> Chart {
    let median = |strategy: &Compared| strategy.sizes().map_or(0.0, |sizes| sizes.median);
    let rows = Rows::new(comparison, |strategy| vec![median(strategy)], text::tick);
    let svg = rows.draw(|canvas, strategy, middle| {
        let size = median(strategy);
        let (from, to) = ((rows.axis.at(0.0), middle - 8), (rows.axis.at(size), middle + 8));
        match Certainty::of(strategy) {
            Certainty::Counted => canvas.bar(from, to, Colour::Series(0)),
            Certainty::Estimated => canvas.hatched(from, to, Colour::Series(0)),
            Certainty::AtLeast => canvas.frame(from, to, Colour::Series(0)),
        }
        canvas.text(&number(strategy), (to.0 + 6, middle), Anchor::Left, Colour::Ink);
    });
    let mut caption = match comparison.instances().len() {
        1 => "Nodes that each strategy visits; the axis is logarithmic, so that equal lengths are equal factors."
            .to_owned(),
        _ => "Nodes that each strategy visits, the median over the instances; the axis is logarithmic.".to_owned(),
    };
    if comparison.strategies().iter().any(|strategy| Certainty::of(strategy) == Certainty::Estimated) {
        caption.push_str(" Hatched bars rest on estimates.");
    }
    if comparison.strategies().iter().any(|strategy| Certainty::of(strategy) == Certainty::AtLeast) {
        caption.push_str(" Empty bars are lower bounds: a limit was reached, and there is no reliable estimate.");
    }
    let figure =
        |strategy: &&Compared| vec![strategy.name().to_owned(), number(strategy), comparison.marked_ratio(strategy)];
    let table = [header(&["strategy", "nodes", "of base"])].into_iter().chain(rows.shown.iter().map(figure));
    Chart {
        id: "chart-nodes",
        title: "Nodes",
        caption: rows.caption(caption),
        svg,
        figures: Table { title: "nodes", rows: table.collect(), notes: Vec::new() },
    }
}

/// What is known of the median of a strategy's sizes.
#[derive(PartialEq)]
enum Certainty {
    Counted,
    Estimated,
    AtLeast,
}

impl Certainty {
    fn of(strategy: &Compared) -> Self {
        let medians = strategy.sizes().zip(strategy.greatest_sizes()).map(|(least, most)| (least.median, most.median));
        match medians {
            Some((least, most)) if least != most => Certainty::AtLeast,
            _ if strategy.estimated() > 0 => Certainty::Estimated,
            _ => Certainty::Counted,
        }
    }
}

/// The number at a bar.
fn number(strategy: &Compared) -> String {
    let median = strategy.sizes().map_or(0.0, |sizes| sizes.median);
    match (Certainty::of(strategy), strategy.runs()) {
        (Certainty::Estimated | Certainty::AtLeast, [run]) if run.estimate().is_some() => text::size(run),
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
    let of = |strategy: &Compared| match quantity {
        Quantity::Nodes => strategy.sizes(),
        Quantity::Seconds => strategy.seconds(),
    };
    let (label, tick): (Written, Written) = match quantity {
        Quantity::Nodes if comparison.strategies().iter().any(|own| own.estimated() > 0) => (text::rough, text::tick),
        Quantity::Nodes => (text::count, text::tick),
        Quantity::Seconds => (text::time, text::time),
    };
    let ends = |strategy: &Compared| of(strategy).map_or_else(Vec::new, |own| vec![own.least, own.greatest]);
    let rows = Rows::new(comparison, ends, tick);
    let svg = rows.draw(|canvas, strategy, middle| {
        if let Some(own) = of(strategy) {
            boxed(canvas, &rows.axis, &own, middle);
            let text = format!("{} … {}", label(own.median), label(own.greatest));
            canvas.text(&text, (rows.axis.at(own.greatest) + 6, middle), Anchor::Left, Colour::Ink);
        }
    });
    let figure = |strategy: &&Compared| {
        let numbers = of(strategy).map(|own| {
            [own.least, own.lower_quartile, own.median, own.upper_quartile, own.upper_decile, own.greatest].map(label)
        });
        [strategy.name().to_owned()].into_iter().chain(numbers.into_iter().flatten()).collect()
    };
    let titles = header(&["strategy", "least", "quarter", "median", "three quarters", "90 %", "most"]);
    let table = [titles].into_iter().chain(rows.shown.iter().map(figure)).collect();
    let (id, title, what) = match quantity {
        Quantity::Nodes => ("chart-nodes-over-instances", "Nodes over the instances", "Nodes"),
        Quantity::Seconds => ("chart-time-over-instances", "Time over the instances", "Median times"),
    };
    let mut caption = format!(
        "{what} of the {} instances: the box has the middle half of them, with the median as a line across; the thin line goes \
         from the least to the most, with a mark at 90 %. Written are the median and the most.",
        comparison.instances().len()
    );
    let limited = comparison.strategies().iter().any(|strategy| match quantity {
        Quantity::Nodes => strategy.unknown_sizes() > 0,
        Quantity::Seconds => strategy.limited() > 0,
    });
    if limited {
        caption.push_str(match quantity {
            Quantity::Nodes => " Where a limit was reached and there is no reliable estimate, it is a lower bound.",
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
    let [least, lower, median, upper, decile, greatest] =
        [own.least, own.lower_quartile, own.median, own.upper_quartile, own.upper_decile, own.greatest]
            .map(|number| axis.at(number));
    canvas.line(&[(least, middle), (greatest, middle)], 2, colour);
    canvas.line(&[(decile, middle - 5), (decile, middle + 5)], 2, colour);
    canvas.bar((lower, middle - 7), (upper.max(lower + 1), middle + 7), colour);
    canvas.line(&[(median, middle - 10), (median, middle + 10)], 3, Colour::Ink);
}

//! A drawing area with the shapes that the charts use, the colours shared with the page, legends,
//! and the logarithmic axis.

use std::fmt::Write;

use plotters::coord::Shift;
use plotters::element::{Circle, Drawable, PathElement, PointCollection, Rectangle, Text};
use plotters::prelude::{DrawingArea, IntoDrawingArea, IntoFont, RGBColor, SVGBackend, ShapeStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, TextStyle};

use crate::tables::Table;
use crate::tables::text::one_line;

/// A colour of the page. The SVG contains the colours of light pages. On the page, the style sheet
/// replaces them by custom properties, which have other values on dark pages.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Colour {
    Ink,
    Faint,
    Rule,
    Series(usize),
}

/// The number of distinguishable series.
pub(super) const SERIES: usize = 8;

/// The custom properties with their light values, as in the style sheet of the page.
const PALETTE: [(&str, u32); 3 + SERIES] = [
    ("ink", 0x33_32_2e),
    ("faint", 0x6d_6a_60),
    ("rule", 0xdc_d7_c8),
    ("series-0", 0x2f_6f_8f),
    ("series-1", 0xb5_53_2a),
    ("series-2", 0x4c_7a_3d),
    ("series-3", 0x7a_4f_9a),
    ("series-4", 0xa0_79_12),
    ("series-5", 0x9c_3f_63),
    ("series-6", 0x35_80_7a),
    ("series-7", 0x6d_6a_60),
];

/// Returns the style sheet that gives the charts the colours of the page.
pub(crate) fn style() -> String {
    let mut style = String::new();
    for (property, colour) in PALETTE {
        for attribute in ["fill", "stroke"] {
            // Writing to a string does not fail.
            let _ = writeln!(
                style,
                ".chart [{attribute}=\"#{colour:06X}\"] {{ {attribute}: var(--{property}); }}"
            );
        }
    }
    style
}

impl Colour {
    fn rgb(self) -> RGBColor {
        let index = match self {
            Colour::Ink => 0,
            Colour::Faint => 1,
            Colour::Rule => 2,
            Colour::Series(series) => 3 + series % SERIES,
        };
        let [_, red, green, blue] = PALETTE[index].1.to_be_bytes();
        RGBColor(red, green, blue)
    }

    fn filled(self) -> ShapeStyle {
        self.rgb().filled()
    }

    fn stroked(self, width: u32) -> ShapeStyle {
        self.rgb().stroke_width(width)
    }
}

/// The horizontal position of a text relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// The font size in pixels.
const FONT_SIZE: f64 = 13.0;

/// Estimates the width of a text in pixels. Characters from U+1100 on, such as Chinese ones, are as
/// wide as the font size.
pub(super) fn width_of(text: &str) -> i32 {
    let ems: f64 = text.chars().map(|char| if char < '\u{1100}' { 0.58 } else { 1.0 }).sum();
    (ems * FONT_SIZE).ceil() as i32
}

/// Cuts a name to one line of at most this estimated width in pixels.
pub(super) fn fitted(name: &str, width: i32) -> String {
    let max_chars = (f64::from(width) / (0.58 * FONT_SIZE)) as usize;
    (2..=max_chars)
        .rev()
        .map(|chars| one_line(name, chars))
        .find(|line| width_of(line) <= width)
        .unwrap_or_else(|| "…".to_owned())
}

/// The drawing area.
pub(super) struct Canvas<'a>(DrawingArea<SVGBackend<'a>, Shift>);

impl Canvas<'_> {
    fn draw<E>(&self, element: &E)
    where
        for<'e> &'e E: PointCollection<'e, (i32, i32)>,
        for<'a> E: Drawable<SVGBackend<'a>>,
    {
        self.0.draw(element).expect("shapes are written to memory");
    }

    pub(super) fn bar(&self, from: (i32, i32), to: (i32, i32), colour: Colour) {
        self.draw(&Rectangle::new([from, to], colour.filled()));
    }

    pub(super) fn frame(&self, from: (i32, i32), to: (i32, i32), colour: Colour) {
        self.draw(&Rectangle::new([from, to], colour.stroked(1)));
    }

    /// Draws a frame filled with diagonal lines.
    pub(super) fn hatched(
        &self,
        (left, top): (i32, i32),
        (right, bottom): (i32, i32),
        colour: Colour,
    ) {
        self.frame((left, top), (right, bottom), colour);
        let height = bottom - top;
        for start in (left - height..right).step_by(6) {
            // The line rises to the right from `start` at the lower edge, clipped to the frame.
            let below = (left - start).max(0);
            let above = height.min(right - start);
            if below < above {
                self.line(
                    &[(start + below, bottom - below), (start + above, bottom - above)],
                    1,
                    colour,
                );
            }
        }
    }

    pub(super) fn line(&self, points: &[(i32, i32)], width: u32, colour: Colour) {
        self.draw(&PathElement::new(points.to_vec(), colour.stroked(width)));
    }

    pub(super) fn dot(&self, centre: (i32, i32), radius: i32, hollow: bool, colour: Colour) {
        let style = if hollow { colour.stroked(2) } else { colour.filled() };
        self.draw(&Circle::new(centre, radius, style));
    }

    /// Draws a text, vertically centred at the point.
    pub(super) fn text(&self, text: &str, at: (i32, i32), anchor: Anchor, colour: Colour) {
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        // The backend divides font sizes by 1.24.
        let font = ("system-ui, sans-serif", FONT_SIZE * 1.24).into_font();
        let colour = colour.rgb();
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(horizontal, VPos::Center));
        self.draw(&Text::new(text.to_owned(), at, style));
    }

    /// Draws the ticks of a horizontal axis from `top` to `bottom`, with as many labels as there is
    /// room for.
    pub(super) fn ticks(
        &self,
        axis: &LogAxis,
        format: fn(f64) -> String,
        (top, bottom): (i32, i32),
    ) {
        let mut free_from = i32::MIN;
        for tick in axis.ticks() {
            let (x, label) = (axis.at(tick), format(tick));
            self.line(&[(x, top), (x, bottom)], 1, Colour::Rule);
            let half = width_of(&label) / 2;
            if x - half > free_from {
                self.text(&label, (x, bottom + 14), Anchor::Middle, Colour::Faint);
                free_from = x + half + 8;
            }
        }
    }
}

/// Draws an SVG with this view box, and without a width and height, which the page sets.
pub(super) fn draw(width: i32, height: i32, paint: impl FnOnce(&Canvas<'_>)) -> String {
    let mut svg = String::new();
    paint(&Canvas(
        SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area(),
    ));
    svg
}

/// The height of a row of a legend.
const LEGEND_ROW_HEIGHT: i32 = 24;
/// The maximal width of a name.
const MAX_LEGEND_NAME_WIDTH: i32 = 230;

/// A legend: colours with their names, in as many rows as necessary.
pub(super) struct Legend {
    keys: Vec<Key>,
    rows: i32,
}

struct Key {
    colour: Colour,
    name: String,
    left: i32,
    row: i32,
}

impl Legend {
    pub(super) fn new<'n>(names: impl Iterator<Item = (Colour, &'n str)>, width: i32) -> Self {
        let (mut left, mut row) = (10, 0);
        let mut keys = Vec::new();
        for (colour, name) in names {
            let name = fitted(name, MAX_LEGEND_NAME_WIDTH);
            let key_width = 20 + width_of(&name) + 18;
            if left > 10 && left + key_width > width {
                (left, row) = (10, row + 1);
            }
            keys.push(Key { colour, name, left, row });
            left += key_width;
        }
        Legend { keys, rows: row + 1 }
    }

    pub(super) fn height(&self) -> i32 {
        LEGEND_ROW_HEIGHT * self.rows + 6
    }

    pub(super) fn draw(&self, canvas: &Canvas<'_>, top: i32) {
        for Key { colour, name, left, row } in &self.keys {
            let middle = top + LEGEND_ROW_HEIGHT / 2 + LEGEND_ROW_HEIGHT * row;
            canvas.bar((*left, middle - 7), (left + 14, middle + 7), *colour);
            canvas.text(name, (left + 20, middle), Anchor::Left, Colour::Ink);
        }
    }
}

/// A chart with its caption and data.
pub(crate) struct Chart {
    /// The id of its element in the page.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// An explanation of one or two sentences.
    pub(crate) caption: String,
    pub(crate) svg: String,
    /// The data of the chart.
    pub(crate) data: Table,
}

/// Returns a row of titles.
pub(super) fn header(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// Adds the note on what was picked, if there is one.
pub(super) fn add_note(caption: &mut String, note: &Option<String>) {
    if let Some(note) = note {
        caption.push_str(" The chart shows ");
        caption.push_str(note);
    }
}

/// A logarithmic axis between two pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogAxis {
    least: f64,
    greatest: f64,
    /// The pixels of the least and of the greatest number.
    from: i32,
    to: i32,
}

impl LogAxis {
    /// Creates an axis that covers these numbers, from half the minimum to 1.25 times the maximum.
    /// Numbers that are not positive and finite are ignored.
    pub(super) fn new(numbers: impl Iterator<Item = f64>, from: i32, to: i32) -> Self {
        let positive = numbers.filter(|number| number.is_finite() && *number > 0.0);
        let (least, greatest) = positive
            .fold((f64::INFINITY, 0.0_f64), |(least, greatest), number| {
                (least.min(number), greatest.max(number))
            });
        let (least, greatest) = if least > greatest { (1.0, 1.0) } else { (least, greatest) };
        // These are at least as far apart as 2 and 5, so there is a tick between them.
        LogAxis { least: least / 2.0, greatest: greatest * 1.25, from, to }
    }

    /// Returns the pixel of a number. Numbers beyond an end of the axis are placed at that end.
    pub(super) fn at(&self, number: f64) -> i32 {
        let share = (number.max(self.least) / self.least).ln() / (self.greatest / self.least).ln();
        self.from + (share.min(1.0) * f64::from(self.to - self.from)).round() as i32
    }

    /// Returns every fourth pixel from `from` to `to`, each with its number.
    pub(super) fn samples(self, from: i32, to: i32) -> impl Iterator<Item = (i32, f64)> {
        let number = move |pixel: i32| {
            let share = f64::from(pixel - self.from) / f64::from(self.to - self.from);
            self.least * (share * (self.greatest / self.least).ln()).exp()
        };
        (from..=to).step_by(4).map(move |pixel| (pixel, number(pixel)))
    }

    /// Returns at most about ten round numbers along the axis.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let (first, last) =
            (self.least.log10().floor() as i32, self.greatest.log10().ceil() as i32);
        let decades = (self.greatest / self.least).log10();
        let factors: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let step = (decades / 7.0).ceil().max(1.0) as i32;
        let exponents = (first..=last).filter(|exponent| exponent.rem_euclid(step) == 0);
        let ticks = exponents
            .flat_map(|exponent| factors.iter().map(move |factor| factor * 10_f64.powi(exponent)));
        ticks.filter(|tick| (self.least..=self.greatest).contains(tick)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::LogAxis;

    #[test]
    fn equal_ratios_have_equal_lengths_and_outliers_are_clamped() {
        let axis = LogAxis::new([1.0, 10.0, 1e6].into_iter(), 100, 800);
        let step = axis.at(100.0) - axis.at(10.0);
        assert!((axis.at(1e6) - axis.at(1e5) - step).abs() <= 1);
        assert!(axis.at(1.0) > 100 && axis.at(1e6) < 800);
        assert_eq!((axis.at(0.0), axis.at(1e300)), (100, 800));
    }

    #[test]
    fn axes_of_any_range_have_between_one_and_nine_ticks() {
        for (least, greatest) in [
            (1.0, 1.0),
            (4.1, 4.1),
            (3.0, 4.0),
            (1.0, 1e3),
            (5e-9, 1e4),
            (1.0, 1e60),
            (2.5e-7, 3e-7),
        ] {
            let axis = LogAxis::new([least, greatest].into_iter(), 0, 500);
            let ticks = axis.ticks();
            assert!((1..=9).contains(&ticks.len()), "{least} to {greatest}: {ticks:?}");
            assert!(ticks.windows(2).all(|pair| axis.at(pair[0]) < axis.at(pair[1])));
        }
        assert!(LogAxis::new([].into_iter(), 0, 10).ticks().len() < 9);
        assert!(
            LogAxis::new([f64::NAN, 0.0, -1.0, f64::INFINITY].into_iter(), 0, 10).at(1.0) <= 10
        );
    }
}

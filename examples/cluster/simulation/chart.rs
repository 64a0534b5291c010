//! A chart of efficiency by the number of workers, as an SVG.

use std::path::Path;

use plotters::prelude::{
    BLACK, ChartBuilder, Circle, IntoDrawingArea, IntoLogRange, LineSeries, PathElement, RGBColor,
    SVGBackend, WHITE,
};
use plotters::style::Color;

/// A line of the chart: its name, and its points, each a number of workers and their efficiency.
#[derive(Debug)]
pub struct Line {
    pub name: &'static str,
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [RGBColor; 2] = [RGBColor(0x2f, 0x6f, 0x8f), RGBColor(0xb5, 0x53, 0x2a)];

/// Draws the lines into a file.
pub fn draw(file: &Path, title: &str, lines: &[Line]) -> Result<(), Box<dyn std::error::Error>> {
    let max_workers =
        lines.iter().flat_map(|line| &line.points).map(|&(workers, _)| workers).fold(2.0, f64::max);
    let area = SVGBackend::new(file, (720, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d((1.0..max_workers * 1.2).log_scale().base(2.0), 0.0..1.05)?;
    chart
        .configure_mesh()
        .x_desc("workers")
        .y_desc("efficiency")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .draw()?;
    for (line, colour) in lines.iter().zip(COLOURS.into_iter().cycle()) {
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), colour.stroke_width(2)))?
            .label(line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart
            .draw_series(line.points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
    }
    chart.configure_series_labels().border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}

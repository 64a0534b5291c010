//! A chart of nodes and cuts by depth: a panel for each contender, with the cuts of each hook
//! stacked.

use secateurs::{HookReport, Report};

use super::canvas::{
    Anchor, Canvas, Chart, Colour, Legend, SERIES, add_note, draw, fitted, width_of,
};
use crate::comparison::{Compared, Comparison};
use crate::tables::text::{count, depths as depths_of};
use crate::tables::{Table, pick};

/// The maximal number of contenders.
const MAX_PANELS: usize = 12;
/// The number of panels in a row.
const PANELS_PER_ROW: usize = 3;
/// The width and height of a panel.
const PANEL_SIZE: (i32, i32) = (300, 170);
/// The maximal number of bars. More depths are grouped into bands.
const MAX_BANDS: usize = 40;

/// The counts of a depth, or a band of depths: nodes that were not cut off, and the cuts of each
/// hook.
#[derive(Clone, Default)]
struct Band {
    kept: u64,
    cuts: Vec<u64>,
}

impl Band {
    fn sum(&self) -> u64 {
        self.cuts.iter().fold(self.kept, |sum, &cuts| sum.saturating_add(cuts))
    }
}

/// Returns the bands of a contender, summed over all instances.
fn bands_of(contender: &Compared, hooks: &[&str], band_size: usize, bands: usize) -> Vec<Band> {
    // The last entry is for hooks without a colour of their own.
    let mut counts = vec![Band { kept: 0, cuts: vec![0; hooks.len() + 1] }; bands];
    for run in contender.runs() {
        let report = run.report();
        for (depth, level) in report.levels().iter().enumerate() {
            let kept = &mut counts[depth / band_size].kept;
            *kept = kept.saturating_add(level.nodes);
        }
        for hook in report.hooks() {
            let place = hooks.iter().position(|name| *name == hook.name()).unwrap_or(hooks.len());
            let cuts = hook.cuts_by_depth().iter().enumerate();
            for (depth, cuts) in cuts.filter(|(_, cuts)| cuts.sum() > 0) {
                let band = &mut counts[depth / band_size];
                band.cuts[place] = band.cuts[place].saturating_add(cuts.sum());
                // In a search, the number of nodes includes those cut off on entering. Only sweeps
                // report their peak memory.
                if report.peak_bytes().is_none() {
                    band.kept = band.kept.saturating_sub(cuts.enter);
                }
            }
        }
    }
    counts
}

/// Draws nodes and cuts by depth: kept nodes at the bottom, and the cuts of each hook above.
pub(crate) fn cuts_by_depth(comparison: &Comparison) -> Chart {
    let hook_count = comparison.hook_names(usize::MAX).1;
    // Hooks that never cut are omitted, to save colours and space in the legend.
    let (hooks, _) = comparison.cutting_hooks(SERIES - 1);
    let picked = pick::contenders(comparison, MAX_PANELS);
    let shown = picked.items;
    let deepest = |contender: &&Compared| {
        let reports = contender.runs().iter().map(|run| run.report());
        reports.map(|report| report.levels().len().max(depths_with_cuts(report))).max().unwrap_or(0)
    };
    let depths = shown.iter().map(deepest).max().unwrap_or(0).max(1);
    let band_size = depths.div_ceil(MAX_BANDS).max(1);
    let bands = depths.div_ceil(band_size);
    let profiles: Vec<Vec<Band>> =
        shown.iter().map(|contender| bands_of(contender, &hooks, band_size, bands)).collect();
    let has_other_hooks =
        profiles.iter().flatten().any(|band| band.cuts.last().is_some_and(|&cuts| cuts > 0));
    let mut names = vec!["kept"];
    names.extend(&hooks);
    names.extend(has_other_hooks.then_some("other hooks"));
    let width = PANEL_SIZE.0 * PANELS_PER_ROW as i32;
    let legend =
        Legend::new(names.iter().enumerate().map(|(place, &name)| (colour(place), name)), width);
    let (rows, top) = (shown.len().div_ceil(PANELS_PER_ROW) as i32, legend.height());
    let svg = draw(width, top + PANEL_SIZE.1 * rows, |canvas| {
        legend.draw(canvas, 0);
        for (index, (contender, profile)) in shown.iter().zip(&profiles).enumerate() {
            let corner = (
                PANEL_SIZE.0 * (index % PANELS_PER_ROW) as i32,
                top + PANEL_SIZE.1 * (index / PANELS_PER_ROW) as i32,
            );
            panel(canvas, corner, contender.name(), profile, depths);
        }
    });
    let mut caption =
        "By depth, from left to right: nodes that were kept, and above them the cuts of each hook. \
         Each panel has its own linear scale, with its maximum at the top."
            .to_owned();
    if band_size > 1 {
        caption.push_str(&format!(" A bar is the sum of {band_size} depths."));
    }
    add_note(&mut caption, &picked.note);
    if has_other_hooks {
        caption.push_str(&format!(
            " Of {hook_count} hooks, those with the most cuts have their own colours."
        ));
    }
    let titles = ["contender", "depth"].into_iter().chain(names).map(str::to_owned).collect();
    let mut table: Vec<Vec<String>> = vec![titles];
    for (contender, profile) in shown.iter().zip(&profiles) {
        for (index, band) in profile.iter().enumerate().filter(|(_, band)| band.sum() > 0) {
            let (first, end) = (index * band_size, depths.min((index + 1) * band_size));
            let cuts = band.cuts.iter().take(hooks.len() + usize::from(has_other_hooks));
            let numbers =
                [band.kept].into_iter().chain(cuts.copied()).map(|number| count(number as f64));
            let title = [contender.name().to_owned(), depths_of(first, end)];
            table.push(title.into_iter().chain(numbers).collect());
        }
    }
    Chart {
        id: "chart-depths",
        title: "Nodes and cuts by depth",
        caption,
        svg,
        data: Table { title: "nodes and cuts by depth", rows: table, notes: Vec::new() },
    }
}

/// Returns the number of depths down to the last one with a cut.
fn depths_with_cuts(report: &Report) -> usize {
    let depths = |hook: &HookReport| {
        hook.cuts_by_depth().iter().rposition(|cuts| cuts.sum() > 0).map_or(0, |depth| depth + 1)
    };
    report.hooks().iter().map(depths).max().unwrap_or(0)
}

/// Returns the colour of the kept nodes for place 0, and otherwise that of a hook.
fn colour(place: usize) -> Colour {
    if place == 0 { Colour::Rule } else { Colour::Series(place - 1) }
}

fn panel(
    canvas: &Canvas<'_>,
    (left, top): (i32, i32),
    name: &str,
    profile: &[Band],
    depths: usize,
) {
    let (right, bottom) = (left + PANEL_SIZE.0 - 14, top + PANEL_SIZE.1 - 24);
    let (from, ceiling) = (left + 10, top + 34);
    let greatest = profile.iter().map(Band::sum).max().unwrap_or(0).max(1);
    let number = count(greatest as f64);
    canvas.text(
        &fitted(name, right - from - width_of(&number) - 12),
        (from, top + 12),
        Anchor::Left,
        Colour::Ink,
    );
    canvas.text(&number, (right, top + 12), Anchor::Right, Colour::Faint);
    canvas.line(&[(from, ceiling), (right, ceiling)], 1, Colour::Rule);
    let width = f64::from(right - from) / profile.len() as f64;
    let height =
        |sum: u64| (sum as f64 / greatest as f64 * f64::from(bottom - ceiling)).round() as i32;
    for (index, band) in profile.iter().enumerate() {
        let x = |index: usize| from + (width * index as f64).round() as i32;
        let (start, end) = (x(index), x(index + 1) - i32::from(width >= 4.0));
        let mut sum = 0_u64;
        for (place, &nodes) in [band.kept].iter().chain(&band.cuts).enumerate() {
            let above = sum.saturating_add(nodes);
            let (low, high) = (bottom - height(sum), bottom - height(above));
            if high < low {
                canvas.bar((start, high), (end.max(start + 1), low), colour(place));
            }
            sum = above;
        }
    }
    canvas.line(&[(from, bottom), (right, bottom)], 1, Colour::Faint);
    canvas.text("0", (from, bottom + 11), Anchor::Left, Colour::Faint);
    let last = format!("depth {}", depths - 1);
    canvas.text(&last, (right, bottom + 11), Anchor::Right, Colour::Faint);
}

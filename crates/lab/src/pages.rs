//! HTML pages. Each is a single self-contained file with light and dark colours.
//!
//! This file has the page of a comparison, with a description, tables and charts, and the frame
//! that comparisons and recordings share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::charts::{self, Chart, Quantity};
use crate::compact::compact;
use crate::comparison::{Compared, Comparison};
use crate::tables::text::{count, one_line, time};
use crate::tables::{Section, Table};

const STYLE: &str = include_str!("pages/comparison.css");
const SCRIPT: &str = include_str!("pages/comparison.js");

/// The maximal number of characters of a name.
const MAX_NAME_CHARS: usize = 200;
/// The maximal number of contenders in the first table. If there are more, the complete table
/// follows after the charts.
const MAX_CONTENDERS: usize = 30;
/// The maximal number of instances that are listed by name.
const MAX_LISTED: usize = 200;

impl Comparison {
    /// Returns the comparison as a self-contained HTML page: a description, the tables, and charts
    /// of nodes, of cuts by depth, of time against nodes, and, with several instances, of quantiles
    /// over them. The page follows the reader's light or dark mode, and has the data of each chart
    /// as a table; both can be saved, as SVG and as CSV. The name of each contender is a link to
    /// its row.
    ///
    /// If there are very many contenders or instances, some are chosen, and the page says which.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_lab::{Compare, Contender};
    /// use secateurs_problems::queens::{BitQueens, Queens};
    ///
    /// let comparison = Compare::of("6 queens", Queens::new(6)?.bits())
    ///     .contender(Contender::new("all", |queens: &BitQueens, limits| {
    ///         Search::new(queens).limits(limits).count()
    ///     }))
    ///     .run()?;
    /// assert!(comparison.html().starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn html(&self) -> String {
        let several = self.instances().len() > 1;
        let mut charts = vec![
            charts::nodes(self),
            charts::time_against_nodes(self),
            charts::cuts_by_depth(self),
        ];
        if several {
            charts.insert(1, charts::quantiles(self, Quantity::Nodes));
            charts.insert(2, charts::quantiles(self, Quantity::Seconds));
        }
        let other_sections =
            [Section::Nodes, Section::Times, Section::Stats, Section::Cuts, Section::Depths];
        let complete_summary =
            (self.contenders().len() > MAX_CONTENDERS).then_some(Section::Summary);
        let mut tables: Vec<Table> = complete_summary
            .into_iter()
            .chain(other_sections)
            .map(|section| self.section(section))
            .collect();
        tables.retain(|table| !table.is_empty());
        let title = one_line(self.title(), MAX_NAME_CHARS);
        let body = html! {
            h1 { (title) }
            (self.description())
            p.finding { (self.finding()) }
            (table(&self.summary(MAX_CONTENDERS), true))
            @for chart in &charts { (figure(chart)) }
            h2 { "More tables" }
            @for other in &tables {
                details { summary { (capitalised(other.title())) } (table(other, false)) }
            }
        };
        page(&title, &format!("{STYLE}{}", charts::style()), &body, &[SCRIPT])
    }

    fn description(&self) -> Markup {
        let (contenders, instances) = (self.contenders().len(), self.instances().len());
        let limits = self.setup.limits.join(", ");
        html! {
            p {
                (counted(contenders, "contender", "contenders")) " on "
                @if let [instance] = self.instances() { (one_line(instance, MAX_NAME_CHARS)) }
                @else { (instances) " instances" }
                @if self.rounds() == 1 { ", each run once" }
                @else {
                    ", each run " @if self.is_cancelled() { "up to " } (self.rounds())
                    " times, in turns with the others"
                }
                @if limits.is_empty() { "." } @else { ", to a limit of " (limits) "." }
                " All proven answers agree."
                @if contenders > 1 {
                    " The others are compared with the base, “"
                    (one_line(self.contenders()[0].name(), MAX_NAME_CHARS)) "”."
                }
            }
            @if instances > 1 {
                details {
                    summary { "The instances" }
                    ul {
                        @for instance in self.instances().iter().take(MAX_LISTED) {
                            li { (one_line(instance, MAX_NAME_CHARS)) }
                        }
                        @if instances > MAX_LISTED {
                            li {
                                "… and " (instances - MAX_LISTED)
                                " more, which are in the CSV and JSON"
                            }
                        }
                    }
                }
            }
        }
    }

    /// Describes the contenders with the fewest nodes and the least time.
    fn finding(&self) -> String {
        let [base, others @ ..] = self.contenders() else { return String::new() };
        // Returns the contender with the least ratio to the base, if it is less than 1.
        let least = |key: &dyn Fn(&Compared) -> Option<f64>| {
            // Contenders without a proven answer on every instance are not eligible.
            let is_proven =
                |own: &&Compared| own.runs().iter().all(|run| run.answer().proven().is_some());
            let eligible = others.iter().filter(is_proven);
            let eligible = eligible.filter_map(|own| key(own).map(|value| (own, value)));
            eligible
                .min_by(|one, other| one.1.total_cmp(&other.1))
                .filter(|(_, value)| *value < 1.0)
        };
        let name = |contender: &Compared| one_line(contender.name(), MAX_NAME_CHARS);
        if others.is_empty() {
            let sizes = base.sizes().map_or(0.0, |sizes| sizes.median);
            let seconds = base.seconds().map_or(0.0, |seconds| seconds.median);
            let nodes = if sizes == 1.0 { "node" } else { "nodes" };
            let (sizes, time) = (count(sizes), time(seconds));
            return format!("“{}” visits {sizes} {nodes} in {time}.", name(base));
        }
        // The ratios of a contender that reached limits cover only the easier instances, so it is
        // not eligible either.
        let node_ratio = |own: &Compared| self.ratio(own).filter(|_| own.unknown_sizes() == 0);
        let time_ratio = |own: &Compared| {
            self.time_ratio_or_bound(own).filter(|_| own.limited() == 0).map(|(_, ratio)| ratio)
        };
        let (nodes, seconds) = (least(&node_ratio), least(&time_ratio));
        if let (Some((fewest, _)), Some((fastest, _))) = (nodes, seconds)
            && fewest.name() == fastest.name()
        {
            return format!(
                "“{}” visits the fewest nodes ({} of the base) and takes the least time ({} of the \
                 base).",
                name(fewest),
                self.marked_ratio(fewest),
                self.marked_time_ratio(fewest)
            );
        }
        let sentence =
            |least: Option<(&Compared, String)>, is_unknown, does: &str, less: &str| match least {
                Some((own, ratio)) => format!("“{}” {does}: {ratio} of the base.", name(own)),
                None if is_unknown => {
                    format!("It is unknown which contender {does}, because runs reached a limit.")
                }
                None => format!("No contender {less} than the base."),
            };
        let nodes = sentence(
            nodes.map(|(own, _)| (own, self.marked_ratio(own))),
            others.iter().any(|own| node_ratio(own).is_none()),
            "visits the fewest nodes",
            "visits fewer nodes",
        );
        let seconds = sentence(
            seconds.map(|(own, _)| (own, self.marked_time_ratio(own))),
            others.iter().any(|own| time_ratio(own).is_none()),
            "takes the least time",
            "takes less time",
        );
        format!("{nodes} {seconds}")
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

fn capitalised(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns a table. If its rows `are_linked`, the name of each is a link to the row, so that the
/// address of the page can refer to it.
fn table(table: &Table, are_linked: bool) -> Markup {
    let cell = |text: &String| one_line(text, MAX_NAME_CHARS);
    let id = |row: usize| are_linked.then(|| format!("contender-{row}"));
    let name = |row: usize, text: &String| match id(row) {
        Some(id) => html! { a href=(format!("#{id}")) { (cell(text)) } },
        None => html! { (cell(text)) },
    };
    html! {
        // A focusable region can be scrolled by keyboard.
        div.scroll tabindex="0" role="region" aria-label=(table.title()) {
            table {
                @if let [titles, rows @ ..] = table.rows() {
                    thead { tr { @for title in titles { th scope="col" { (cell(title)) } } } }
                    tbody {
                        @for (index, row) in rows.iter().enumerate() {
                            tr id=[id(index + 1)] {
                                @for (column, text) in row.iter().enumerate() {
                                    @if column == 0 {
                                        th scope="row" { span { (name(index + 1, text)) } }
                                    }
                                    @else { td { (cell(text)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
        @for note in table.notes() { p.faint { (note) } }
    }
}

fn figure(chart: &Chart) -> Markup {
    let label = format!("{}. {}", chart.title, chart.caption);
    html! {
        figure id=(chart.id) {
            h2 { (chart.title) }
            div.scroll.chart tabindex="0" role="img" aria-label=(label) {
                (maud::PreEscaped(&chart.svg))
            }
            figcaption { (chart.caption) }
            details { summary { "Data" } (table(&chart.data, false)) }
        }
    }
}

/// Colours and fonts, as custom properties with light and dark values.
const FRAME_STYLE: &str = include_str!("pages/style.css");

/// Returns a page. The scripts are placed at the end of the body, without comments. They must not
/// contain `</script`.
pub(crate) fn page(title: &str, style: &str, body: &Markup, scripts: &[&str]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Without an icon, browsers request one and log an error.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(compact(FRAME_STYLE))) (PreEscaped(compact(style))) }
            }
            body {
                (body)
                @for script in scripts { script { (PreEscaped(compact(script))) } }
            }
        }
    };
    page.into_string()
}

/// Returns a hidden element with data for a script, which reads it by its id.
pub(crate) fn data(id: &str, value: &impl serde::Serialize) -> Markup {
    let json = serde_json::to_string(value).expect("numbers and names always make JSON");
    // The data must not contain the end of the element or the start of a comment.
    let json = json.replace('<', "\\u003c");
    html! { script id=(id) type="application/json" { (PreEscaped(json)) } }
}

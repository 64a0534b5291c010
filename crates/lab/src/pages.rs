//! HTML pages. Each is a single self-contained file with light and dark colours.
//!
//! This file has the page of a comparison, with a description, tables and charts, and the frame
//! that comparisons and recordings share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::charts::{self, Chart, Quantity};
use crate::compact::compact;
use crate::comparison::{Compared, Comparison, geometric_mean};
use crate::measured::{Measured, Quantiles};
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
        let name = |contender: &Compared| one_line(contender.name(), MAX_NAME_CHARS);
        if others.is_empty() {
            return format!("“{}” {}.", name(base), effort(base));
        }
        let nodes =
            Ranking::new(base, others, |run| !run.trial.is_limited(), |run| run.nodes() as f64);
        let seconds =
            Ranking::new(base, others, |run| !run.is_limited(), |run| run.seconds().median);
        if let (Some(fewest), Some(fastest)) = (nodes.best, seconds.best)
            && fewest.name() == fastest.name()
        {
            return format!(
                "{}“{}” visits the fewest nodes ({} of the base) and takes the least time ({} of \
                 the base).",
                if nodes.is_partial { nodes.scope() } else { seconds.scope() },
                name(fewest),
                self.marked_ratio(fewest),
                self.marked_time_ratio(fewest)
            );
        }
        let sentence =
            |ranking: &Ranking<'_>, ratio: &dyn Fn(&Compared) -> String, does, less| match ranking
                .best
            {
                Some(best) => {
                    let (scope, name, ratio) = (ranking.scope(), name(best), ratio(best));
                    format!("{scope}“{name}” {does}: {ratio} of the base.")
                }
                None if ranking.is_unknown => {
                    format!("It is unknown which contender {does}, because runs reached a limit.")
                }
                None => {
                    let those = if ranking.is_partial {
                        " that proved all answers within the limits"
                    } else {
                        ""
                    };
                    format!("No contender{those} {less} than the base.")
                }
            };
        let nodes = sentence(
            &nodes,
            &|own| self.marked_ratio(own),
            "visits the fewest nodes",
            "visits fewer nodes",
        );
        let seconds = sentence(
            &seconds,
            &|own| self.marked_time_ratio(own),
            "takes the least time",
            "takes less time",
        );
        format!("{nodes} {seconds}")
    }
}

/// The best contender by the geometric mean of a quantity over all instances.
struct Ranking<'c> {
    /// The best contender other than the base, if it is better than the base.
    best: Option<&'c Compared>,
    /// Whether some contenders are not ranked, because a limit or a lossy hook has left an answer
    /// unproven.
    is_partial: bool,
    /// Whether limits have left a quantity of the base or of another contender unknown.
    is_unknown: bool,
}

impl<'c> Ranking<'c> {
    /// Ranks contenders by a quantity of their runs, which is a lower bound unless it `is_known`.
    fn new(
        base: &Compared,
        others: &'c [Compared],
        is_known: fn(&Measured) -> bool,
        quantity: fn(&Measured) -> f64,
    ) -> Self {
        let mean = |own: &Compared| geometric_mean(own.runs().iter().map(quantity));
        let is_ranked = |own: &&Compared| {
            own.runs().iter().all(|run| is_known(run) && run.answer().proven().is_some())
        };
        let ranked = others.iter().filter(is_ranked).filter_map(|own| Some((own, mean(own)?)));
        let least = ranked.min_by(|one, other| one.1.total_cmp(&other.1));
        Ranking {
            best: least.filter(|&(_, least)| Some(least) < mean(base)).map(|(own, _)| own),
            is_partial: !others.iter().all(|own| is_ranked(&own)),
            is_unknown: [base]
                .into_iter()
                .chain(others)
                .any(|own| !own.runs().iter().all(is_known)),
        }
    }

    /// Returns the beginning of a sentence about the best contender.
    fn scope(&self) -> &'static str {
        if self.is_partial {
            "Of the contenders that proved all answers within the limits, "
        } else {
            ""
        }
    }
}

/// Describes the nodes and the time of the runs of a contender.
fn effort(contender: &Compared) -> String {
    let runs = contender.runs();
    let median = |quantity: fn(&Measured) -> f64| {
        Quantiles::of(runs.iter().map(quantity)).map_or(0.0, |quantiles| quantiles.median)
    };
    let nodes = median(|run| run.nodes() as f64);
    let unit = if nodes == 1.0 { "node" } else { "nodes" };
    let time = time(median(|run| run.seconds().median));
    let visits = format!("visits {} {unit} in {time}", count(nodes));
    match (runs, contender.limited()) {
        ([_], 0) => visits,
        ([run], _) if run.trial.is_limited() => {
            format!("{visits} and reaches a limit ({})", run.report().stop())
        }
        ([_], _) => format!("{visits} and reaches a limit in a later round"),
        (_, 0) => format!("{visits}, as medians over the instances"),
        (_, limited) => format!(
            "{visits}, as medians over the instances, and reaches a limit on {limited} of {}",
            runs.len()
        ),
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

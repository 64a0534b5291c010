//! A comparison as one page: what was compared, tables, and charts.

use maud::{Markup, html};

use super::page;
use crate::lab::charts::{self, Chart, Quantity};
use crate::lab::comparison::{Compared, Comparison};
use crate::lab::tables::text::{count, one_line, time};
use crate::lab::tables::{Section, Table};

const STYLE: &str = include_str!("comparison.css");

/// A name on the page has at most so many characters.
const NAME: usize = 200;
/// The first table has so many contenders; a longer one comes after the charts.
const CONTENDERS: usize = 30;
/// So many instances are listed by their names.
const LISTED: usize = 200;

impl Comparison {
    /// As one page that needs nothing from elsewhere: what was compared, the tables, and charts of
    /// nodes, of cuts by depth, of time against nodes, and, if there are several instances, of
    /// quantiles over them. It is light or dark as its reader wants, and has the figures of each
    /// chart as a table.
    ///
    /// Of very many contenders or instances some are shown, and the page says which.
    ///
    /// ```
    /// use secateurs::lab::{Compare, Contender};
    /// use secateurs::problems::queens::{BitQueens, Queens};
    /// use secateurs::Search;
    ///
    /// let comparison = Compare::of("6 queens", Queens::new(6)?.bits())
    ///     .contender(Contender::new("all", |queens: &BitQueens, limits| Search::new(queens).limits(limits).count()))
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
        let more =
            [Section::Nodes, Section::Times, Section::Figures, Section::Cuts, Section::Depths];
        let long = (self.contenders().len() > CONTENDERS).then_some(Section::Summary);
        let mut tables: Vec<Table> =
            long.into_iter().chain(more).map(|section| self.section(section)).collect();
        tables.retain(|table| !table.is_empty());
        let title = one_line(self.title(), NAME);
        let body = html! {
            h1 { (title) }
            (self.what_was_compared())
            p.finding { (self.finding()) }
            (table(&self.summary(CONTENDERS)))
            @for chart in &charts { (figure(chart)) }
            h2 { "More tables" }
            @for more in &tables {
                details { summary { (capital(more.title())) } (table(more)) }
            }
        };
        page(&title, &format!("{STYLE}{}", charts::style()), &body, &[])
    }

    fn what_was_compared(&self) -> Markup {
        let (contenders, instances) = (self.contenders().len(), self.instances().len());
        let limits = self.setup.limits.join(", ");
        html! {
            p {
                (counted(contenders, "contender", "contenders")) " on "
                @if let [instance] = self.instances() { (one_line(instance, NAME)) } @else { (instances) " instances" }
                ", " @if self.rounds() == 1 { "each run once" } @else { "each run " (self.rounds()) " times, in turns with the others" }
                @if limits.is_empty() { "." } @else { ", to a limit of " (limits) "." }
                " All proven answers agree."
                @if contenders > 1 { " The base, with which the others are compared, is “" (one_line(self.contenders()[0].name(), NAME)) "”." }
            }
            @if instances > 1 {
                details {
                    summary { "The instances" }
                    ul {
                        @for instance in self.instances().iter().take(LISTED) { li { (one_line(instance, NAME)) } }
                        @if instances > LISTED { li { "… and " (instances - LISTED) " more, all of which are in the CSV and JSON" } }
                    }
                }
            }
        }
    }

    /// The best of all, in words.
    fn finding(&self) -> String {
        let [base, others @ ..] = self.contenders() else { return String::new() };
        let least = |key: &dyn Fn(&Compared) -> Option<f64>| {
            // Nothing is won by a wrong answer, or by a part of one.
            let proven =
                |own: &&Compared| own.runs().iter().all(|run| run.answer().proven().is_some());
            let known =
                others.iter().filter(proven).filter_map(|own| key(own).map(|value| (own, value)));
            known.min_by(|one, other| one.1.total_cmp(&other.1)).filter(|(_, value)| *value < 1.0)
        };
        let name = |contender: &Compared| one_line(contender.name(), NAME);
        if others.is_empty() {
            let sizes = base.sizes().map_or(0.0, |sizes| sizes.median);
            let seconds = base.seconds().map_or(0.0, |seconds| seconds.median);
            return format!("“{}” visits {} nodes in {}.", name(base), count(sizes), time(seconds));
        }
        // One that came to limits has ratios over other instances, and easier ones: it cannot be
        // said to be the best.
        let node_share = |own: &Compared| self.ratio(own).filter(|_| own.unknown_sizes() == 0);
        let time_share = |own: &Compared| {
            self.time_share(own).filter(|_| own.limited() == 0).map(|(_, share)| share)
        };
        let (nodes, seconds) = (least(&node_share), least(&time_share));
        if let (Some((fewest, _)), Some((fastest, _))) = (nodes, seconds)
            && fewest.name() == fastest.name()
        {
            return format!(
                "“{}” visits the fewest nodes, {} of those of the base, and takes the least time, {} of that of the base.",
                name(fewest),
                self.marked_ratio(fewest),
                self.marked_time_ratio(fewest)
            );
        }
        let nodes = match nodes {
            Some((own, _)) => {
                format!(
                    "“{}” visits the fewest nodes: {} of those of the base.",
                    name(own),
                    self.marked_ratio(own)
                )
            }
            None if others.iter().any(|own| node_share(own).is_none()) => {
                "Which visits the fewest nodes is not known, as runs came to a limit.".to_owned()
            }
            None => "None visits fewer nodes than the base.".to_owned(),
        };
        let seconds = match seconds {
            Some((own, _)) => {
                format!(
                    "“{}” takes the least time: {} of that of the base.",
                    name(own),
                    self.marked_time_ratio(own)
                )
            }
            None if others.iter().any(|own| time_share(own).is_none()) => {
                "Which takes the least time is not known, as runs came to a limit.".to_owned()
            }
            None => "None takes less time than the base.".to_owned(),
        };
        format!("{nodes} {seconds}")
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

fn capital(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn table(table: &Table) -> Markup {
    let cell = |text: &String| one_line(text, NAME);
    html! {
        // Reached by keyboard, it can be scrolled.
        div.scroll tabindex="0" role="region" aria-label=(table.title()) {
            table {
                @if let [titles, rows @ ..] = table.rows() {
                    thead { tr { @for title in titles { th scope="col" { (cell(title)) } } } }
                    tbody {
                        @for row in rows {
                            tr {
                                @for (column, text) in row.iter().enumerate() {
                                    @if column == 0 { th scope="row" { span { (cell(text)) } } } @else { td { (cell(text)) } }
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
    html! {
        figure id=(chart.id) {
            h2 { (chart.title) }
            div.scroll.chart tabindex="0" role="img" aria-label=(format!("{}. {}", chart.title, chart.caption)) {
                (maud::PreEscaped(&chart.svg))
            }
            figcaption { (chart.caption) }
            details { summary { "The figures" } (table(&chart.figures)) }
        }
    }
}

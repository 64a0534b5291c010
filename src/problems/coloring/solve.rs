//! The chromatic number: bounds, and one colour less until that is refuted.

use std::fmt;

use super::greedy::{NONE, smallest_free};
use super::parts::{Core, Part};
use super::{Coloring, Dsatur};
use crate::clock::Instant;
use crate::csp::{Assignment, Propagate};
use crate::limits::{Limits, Stop};
use crate::outcome::Found;
use crate::report::Report;
use crate::search::Search;

/// What is known of the number of colours that a graph takes: bounds, which are one number if it is
/// proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chromatic {
    at_least: usize,
    at_most: usize,
    colours: Vec<usize>,
    clique: Vec<usize>,
    report: Option<Report>,
}

impl Chromatic {
    /// The chromatic number, if it is proven.
    #[must_use]
    pub fn proven(&self) -> Option<usize> {
        (self.at_least == self.at_most).then_some(self.at_most)
    }

    /// So many colours are needed.
    #[must_use]
    pub fn at_least(&self) -> usize {
        self.at_least
    }

    /// So many colours are enough: [`colours`](Self::colours) has that many.
    #[must_use]
    pub fn at_most(&self) -> usize {
        self.at_most
    }

    /// A proper colouring with the fewest colours that were found: the colour of each vertex, from
    /// 0.
    #[must_use]
    pub fn colours(&self) -> &[usize] {
        &self.colours
    }

    /// A clique, in ascending order: the vertices from which the search started.
    #[must_use]
    pub fn clique(&self) -> &[usize] {
        &self.clique
    }

    /// The account of all searches together; `None` if the bounds met without any. Its stop is that
    /// of the last one.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// The limit at which the search was stopped, if the number is not proven.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        self.report.as_ref().map(Report::stop).filter(|_| self.proven().is_none())
    }
}

impl fmt::Display for Chromatic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.proven() {
            Some(number) => write!(f, "{number}"),
            None => write!(f, "at least {}, at most {}", self.at_least, self.at_most),
        }
    }
}

impl Coloring {
    /// The fewest colours that the graph can be coloured with, and how, or what is known of it when
    /// a limit is reached.
    ///
    /// Begins with the bounds, then searches for a colouring with one colour less than the best so
    /// far. Each search is made simpler first: vertices of fewer neighbours than colours go, and
    /// each connected part of the rest is searched by itself, from a clique on, with [`Dsatur`] and
    /// forward checking. When a part cannot be coloured, or the colours are as few as a clique has
    /// vertices, the number is proven.
    ///
    /// Limits are those of all searches together; the bounds, which take seconds for graphs of a
    /// million edges, are not limited. Deciding between 3 and 4 colours is NP-complete (Stockmeyer
    /// 1973): searches of a hundred vertices may take ages. A graph without vertices takes no
    /// colours.
    #[must_use]
    // Inlined so that its search is compiled only for those who call it.
    #[inline]
    pub fn chromatic_number(&self, limits: &Limits) -> Chromatic {
        let clique = self.clique();
        let colours = self.greedy();
        let at_most = number_of(&colours);
        let mut chromatic =
            Chromatic { at_least: clique.len(), at_most, colours, clique, report: None };
        let began = Instant::now();
        while chromatic.at_least < chromatic.at_most {
            match self.with_colours(chromatic.at_most - 1, limits, began, &mut chromatic.report) {
                Found::Solution(colours) => {
                    chromatic.at_most = number_of(&colours);
                    chromatic.colours = colours;
                }
                Found::None => chromatic.at_least = chromatic.at_most,
                Found::Unknown => break,
            }
        }
        chromatic
    }

    /// A colouring with so many colours.
    // Inlined so that its search is compiled only for those who call it.
    #[inline]
    fn with_colours(
        &self,
        number: usize,
        limits: &Limits,
        began: Instant,
        report: &mut Option<Report>,
    ) -> Found<Vec<usize>> {
        let mut colours = vec![NONE; self.graph().vertices()];
        let core = Core::new(self.graph(), number);
        for Part { graph, vertices } in core.parts(self.graph()) {
            let part = Coloring::new(graph);
            let Ok(network) = part.network(number, &part.clique()) else { return Found::Unknown };
            let mut left = limits.clone();
            left.nodes = limits
                .nodes
                .map(|nodes| nodes.saturating_sub(report.as_ref().map_or(0, Report::nodes)));
            left.time = limits.time.map(|time| time.saturating_sub(began.elapsed()));
            let search = Search::new(&network)
                .hooks((Propagate::forward(),))
                .brancher(Dsatur::new(part.graph()));
            let (found, account) = search.limits(left).extract(Assignment::of).first().into_parts();
            let stop = account.stop();
            let mut total = match report.take() {
                Some(total) => total + account,
                None => account,
            };
            total.stop = stop;
            *report = Some(total);
            match found {
                Found::Solution(assignment) => {
                    for (&vertex, &colour) in vertices.iter().zip(assignment.values()) {
                        colours[vertex] = colour as usize;
                    }
                }
                Found::None => return Found::None,
                Found::Unknown => return Found::Unknown,
            }
        }
        let mut buffer = Vec::new();
        for &vertex in core.peeled.iter().rev() {
            let taken = self.graph().neighbours(vertex).map(|other| colours[other]);
            colours[vertex] = smallest_free(taken, &mut buffer);
        }
        Found::Solution(colours)
    }
}

/// How many colours there are, if they are numbered from 0 without gaps.
fn number_of(colours: &[usize]) -> usize {
    colours.iter().max().map_or(0, |&colour| colour + 1)
}

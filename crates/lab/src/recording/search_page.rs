//! The page of a recorded search.

use maud::{Markup, html};
use secateurs::Problem;
use serde_json::json;

use super::log::{NodeOutcome, OutcomeCode};
use super::pack::{Packed, pack};
use super::search::Recording;
use crate::pages::{data, page};
use crate::tables::pick::evenly;
use crate::tables::text;

const STYLE: &str = concat!(include_str!("page/common.css"), include_str!("page/tree.css"));
const SCRIPTS: [&str; 8] = [
    include_str!("page/decode.js"),
    include_str!("page/pictures.js"),
    include_str!("page/outcomes.js"),
    include_str!("page/tree.js"),
    include_str!("page/outline.js"),
    include_str!("page/icicle.js"),
    include_str!("page/charts.js"),
    include_str!("page/main.js"),
];

/// The size in bytes above which pictures are omitted from the compressed recording.
const MAX_BYTES: usize = 4_500_000;

/// The maximal number of improvements that are drawn.
const MAX_IMPROVEMENTS: usize = 500;

const OVERVIEW: &str =
    "The whole tree: depth increases downwards, and each node is as wide as its subtree";
const USAGE: &str = "Click, or use the arrow keys, Home, End and Enter in the outline. Bars and \
    numbers show the size of the subtree of each node.";

impl<P: Problem> Recording<'_, P> {
    /// Returns the recording as a self-contained HTML page.
    ///
    /// The page has an overview of the whole tree, and an outline that can be folded by mouse and
    /// keyboard, with the largest subtrees unfolded first. Nodes are coloured by their outcome, and
    /// the legend counts them. Subtrees without solutions can be hidden. The selected node shows
    /// its path and the picture of its state, and its number is in the address of the page, as a
    /// link. Below are the nodes by depth, and the best value over time.
    ///
    /// If two runs were recorded, their trees are side by side. Nodes of equal labels on the path
    /// from the root correspond to each other: each says how the other run differs there, and
    /// subtrees in which both runs agree can be hidden.
    ///
    /// A page of a million nodes has two to four megabytes. If pictures make it larger than 4.5
    /// megabytes, those of the smallest subtrees are omitted, and the page says so.
    ///
    /// ```
    /// use secateurs::{Node, Search};
    /// use secateurs_lab::Recording;
    /// use secateurs_problems::queens::{BitQueens, Queens, RowByRow};
    ///
    /// let queens = Queens::new(6)?.bits();
    /// let draw = |node: &Node<'_, BitQueens>| node.problem().svg(node.path().iter());
    /// let mut recording = Recording::new().picture(draw);
    /// let outcome = Search::new(&queens).hooks(recording.of((Queens::mirror(),))).count();
    /// recording.ended(outcome.report());
    /// let page = recording.html("Six queens");
    /// assert!(page.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    ///
    /// Time: one or two seconds for a million nodes.
    #[must_use]
    pub fn html(&self, title: &str) -> String {
        let log = &self.log;
        let packed = pack(log, MAX_BYTES);
        // The nodes, value and microseconds of each. The value is a string, because numbers in a
        // script have only 53 bits.
        let improvements = evenly(log.improvements.len(), MAX_IMPROVEMENTS)
            .into_iter()
            .map(|index| log.improvements[index])
            .map(|best| (best.nodes, best.value.to_string(), best.microseconds));
        let about = json!({
            "hooks": self.hooks,
            "runs": self.runs,
            "entered": log.entered,
            "pictures": self.picture.is_some(),
            "improvements": improvements.collect::<Vec<_>>(),
            "allImprovements": log.improvements.len(),
        });
        let body = html! {
            h1 { (title) }
            (self.summary(&packed))
            ul #legend aria-label="Outcomes of nodes" {}
            div .overview {
                h2 { "The tree" }
                span {
                    label { input #hide type="checkbox"; " Hide subtrees without solutions" }
                    " "
                    label #compared hidden {
                        input #differences type="checkbox";
                        " Hide subtrees in which both runs agree"
                    }
                    " "
                    label { input #zoom type="checkbox"; " Show only the selected subtree" }
                }
            }
            canvas #icicle role="img" aria-label=(OVERVIEW) {}
            p .faint { (USAGE) }
            div .halves {
                div #tree role="tree" tabindex="0" aria-label="The tree" {}
                section #detail aria-live="polite" {
                    h2 #name { "No node is selected" }
                    p #outcome {}
                    p #facts .faint {}
                    p #other hidden {}
                    ol #path aria-label="The path from the root" {}
                    button #copy type="button" hidden { "Copy the path" }
                    figure #state {}
                }
            }
            h2 { "Nodes by depth, including children that were not admitted" }
            table #histogram {}
            @if !log.improvements.is_empty() {
                h2 { "Best value by entered nodes" }
                figure #incumbent {}
            }
            noscript {
                p .notice { "The tree is drawn by a script, which is disabled in this browser." }
            }
            (data("about", &about))
            script #recording type="text/plain" { (packed.text) }
        };
        page(title, STYLE, &body, &SCRIPTS)
    }

    /// Describes what is in the recording, and what is missing.
    fn summary(&self, packed: &Packed) -> Markup {
        let log = &self.log;
        let is_cut =
            |outcome: &&OutcomeCode| matches!(outcome.outcome(), NodeOutcome::NotAdmitted(_));
        let cuts = log.outcomes.iter().filter(is_cut).count() as u64 + log.missing_cuts;
        html! {
            p {
                (counted(log.entered, "node was", "nodes were")) " entered, and "
                (counted(cuts, "child was", "children were")) " not admitted."
                @if !log.sibling_cuts.is_empty() {
                    " Later siblings, which are not shown, were cut off with "
                    (counted(log.sibling_cuts.len() as u64, "of these", "of these")) "."
                }
                @match &self.ended {
                    Some((stop, effect)) => {
                        " The " (if self.runs.len() > 1 { "last run" } else { "run" }) " ended: "
                        (stop) ". Effect of its hooks: " (effect) "."
                    }
                    None => { " It is unknown how the run ended." }
                }
            }
            @if log.missing_nodes + log.missing_cuts > 0 {
                p #truncated .notice data-missing=(log.missing_nodes + log.missing_cuts) {
                    "The recording is incomplete: " (grouped(log.missing_nodes)) " nodes and "
                    (grouped(log.missing_cuts)) " children that were not admitted are missing"
                    @if log.unplaced > 0 {
                        "; " (grouped(log.unplaced))
                        " of these nodes because the walk did not reach them from their parent"
                    }
                    "."
                }
            }
            @if log.without_picture + packed.pictures_left_out as u64 > 0 {
                p #unpictured .notice {
                    @if log.without_picture > 0 {
                        (counted(log.without_picture, "node has", "nodes have"))
                        " no picture, because the pictures took too much memory. "
                    }
                    @if packed.pictures_left_out > 0 {
                        (counted(packed.pictures_left_out as u64, "node has", "nodes have"))
                        " no picture, because the page would be too large. "
                        "Nodes with the largest subtrees have one."
                    }
                }
            }
        }
    }
}

/// Formats a count with the singular or plural of its noun.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Formats a number with no-break spaces between groups of three digits.
fn grouped(number: u64) -> String {
    text::grouped(number).replace(' ', "\u{a0}")
}

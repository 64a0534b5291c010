//! The page of a recording.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::node_outcome::{NodeOutcome, OutcomeCode};
use super::pack::{Packed, pack};
use super::search::Recording;
use crate::lab::pages::{data, page};
use crate::lab::tables::pick::evenly;
use crate::problem::Problem;

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

/// Pictures are left out of pages that would be larger.
const PAGE: usize = 4_500_000;

/// So many improvements are drawn.
const IMPROVEMENTS: usize = 500;

/// What the script has to know of the recording beside its nodes.
#[derive(serde::Serialize)]
struct About<'r> {
    nodes: usize,
    steps: usize,
    incomplete: usize,
    hooks: &'r [String],
    entered: u64,
    pictures: bool,
    /// Nodes, value and microseconds of each. The value is a text: in a script, numbers have 53
    /// bits.
    improvements: Vec<(u64, String, u64)>,
    #[serde(rename = "allImprovements")]
    all_improvements: usize,
}

impl<P: Problem> Recording<'_, P> {
    /// The recording as a page: one file that needs nothing else, to be opened in a browser.
    ///
    /// The tree is drawn as a whole, and as an outline that unfolds, by mouse and by keyboard, with
    /// the largest subtrees unfolded first; nodes are coloured by what became of them, and the
    /// legend counts them. The node that is chosen shows its path and the picture of its state.
    /// Below are the nodes by depth, and the best value over time.
    ///
    /// A page of a million nodes has two to four megabytes. Where pictures make it larger than 4.5
    /// megabytes, those of the smallest subtrees are left out, and the page says so.
    ///
    /// ```
    /// use secateurs::lab::Recording;
    /// use secateurs::problems::queens::{BitQueens, Queens, RowByRow};
    /// use secateurs::{Node, Search};
    ///
    /// let queens = Queens::new(6)?.bits();
    /// let mut recording = Recording::new().picture(|node: &Node<'_, BitQueens>| node.problem().svg(node.path().iter()));
    /// let outcome = Search::new(&queens).hooks(recording.of((Queens::mirror(),))).count();
    /// recording.ended(outcome.report());
    /// let page = recording.html("Six queens");
    /// assert!(page.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    ///
    /// Cost: a second or two for a million nodes.
    #[must_use]
    pub fn html(&self, title: &str) -> String {
        let log = &self.log;
        let packed = pack(log, PAGE);
        let about = About {
            nodes: log.depths.len(),
            steps: packed.steps,
            incomplete: log.incomplete.len(),
            hooks: &self.hooks,
            entered: log.entered,
            pictures: self.picture.is_some(),
            improvements: evenly(log.improvements.len(), IMPROVEMENTS)
                .into_iter()
                .map(|index| log.improvements[index])
                .map(|one| (one.nodes, one.value.to_string(), one.microseconds))
                .collect(),
            all_improvements: log.improvements.len(),
        };
        let about = match data("about", &about) {
            Ok(about) => about,
            Err(error) => unreachable!("numbers and names always make JSON: {error}"),
        };
        let body = html! {
            h1 { (title) }
            (self.summary(&packed))
            ul #legend aria-label="What became of nodes" {}
            div .overview {
                h2 { "The tree" }
                label { input #zoom type="checkbox"; " Only what is below the node that is chosen now" }
            }
            canvas #icicle role="img" aria-label="The tree as a whole: depth goes down, and each node is as wide as its subtree" {}
            p .faint { "Click, or use the arrow keys, Home, End and Enter in the outline. Bars and numbers say how much is below a node." }
            div .halves {
                div #tree role="tree" tabindex="0" aria-label="The tree" {}
                section #detail aria-live="polite" {
                    h2 #name { "No node is chosen" }
                    p #outcome {}
                    p #facts .faint {}
                    ol #path aria-label="The path from the root" {}
                    button #copy type="button" hidden { "Copy the path" }
                    figure #state {}
                }
            }
            h2 { "Nodes, and children that were not admitted, by depth" }
            table #histogram {}
            @if !log.improvements.is_empty() {
                h2 { "The best value, by nodes entered" }
                figure #incumbent {}
            }
            noscript { p .notice { "The tree is drawn by a script of this page, which this browser does not run." } }
            (about)
            script #recording type="text/plain" { (packed.text) }
        };
        page(title, STYLE, &body, &SCRIPTS)
    }

    /// What is in the recording, and what is not.
    fn summary(&self, packed: &Packed) -> Markup {
        let log = &self.log;
        let is_cut =
            |outcome: &&OutcomeCode| matches!(outcome.outcome(), NodeOutcome::NotAdmitted(_));
        let cuts = log.outcomes.iter().filter(is_cut).count() as u64 + log.missing_cuts;
        html! {
            p {
                (counted(log.entered, "node was", "nodes were")) " entered, and "
                (counted(cuts, "child was", "children were")) " not admitted."
                @match &self.ended {
                    Some((stop, effect)) => { " The run ended: " (stop) ". What its hooks preserve: " (effect) "." }
                    None => { " How the run ended is not known." }
                }
            }
            @if log.missing_nodes + log.missing_cuts > 0 {
                p #truncated .notice data-missing=(log.missing_nodes + log.missing_cuts) {
                    "This is not all of it: " (grouped(log.missing_nodes)) " nodes and " (grouped(log.missing_cuts))
                    " children that were not admitted are not in the recording"
                    @if log.unplaced > 0 {
                        "; " (grouped(log.unplaced)) " of the nodes as the walk jumped, and did not come to them from the node above"
                    }
                    "."
                }
            }
            @if log.without_picture + packed.pictures_left_out as u64 > 0 {
                p #unpictured .notice {
                    (grouped(log.without_picture + packed.pictures_left_out as u64))
                    " nodes have no picture here, for lack of room: those of the largest subtrees do."
                }
            }
        }
    }
}

/// So many of something.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A number with spaces between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        let _ = write!(text, "{digit}");
    }
    text
}

//! The page of a recording.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use maud::{Markup, html};

use super::Recording;
use super::fate::{Code, Fate};
use super::interner::Interner;
use super::log::{Log, NONE};
use super::varint;
use crate::lab::page::{data, page};
use crate::problem::Problem;

const STYLE: &str = concat!(include_str!("page/common.css"), include_str!("page/tree.css"));
const SCRIPTS: [&str; 8] = [
    include_str!("page/decode.js"),
    include_str!("page/pictures.js"),
    include_str!("page/fates.js"),
    include_str!("page/tree.js"),
    include_str!("page/outline.js"),
    include_str!("page/icicle.js"),
    include_str!("page/charts.js"),
    include_str!("page/main.js"),
];

/// Pictures are left out of pages that would be larger.
const PAGE: usize = 4_500_000;

/// What the script has to know of the recording beside its nodes.
#[derive(serde::Serialize)]
struct About<'r> {
    nodes: usize,
    steps: usize,
    incomplete: usize,
    hooks: &'r [String],
    entered: u64,
    pictures: bool,
    improvements: Vec<(u64, i64, u64)>,
}

/// The recording as text in a page, with the pictures of nodes with so many nodes in their subtree or more.
struct Packed {
    text: String,
    steps: usize,
    /// How many nodes have a picture in the recording, and none in the page.
    pictures_left_out: usize,
}

impl<P: Problem> Recording<'_, P> {
    /// The recording as a page: one file that needs nothing else, to be opened in a browser.
    ///
    /// The tree is drawn as a whole, and as an outline that unfolds, by mouse and by keyboard, with the largest subtrees
    /// unfolded first; nodes are coloured by what became of them, and the legend counts them. The node that is chosen shows its
    /// path and the picture of its state. Below are the nodes by depth, and the best value over time.
    ///
    /// A page of a million nodes has two to four megabytes. Where pictures make it larger than 4.5 megabytes, those of the
    /// smallest subtrees are left out, and the page says so.
    ///
    /// ```
    /// use secateurs::lab::Recording;
    /// use secateurs::problems::queens::{Queens, RowByRow};
    /// use secateurs::{Node, Search};
    ///
    /// let queens = Queens::new(6)?.bits();
    /// let mut recording = Recording::new().picture(|node: &Node<_>| node.problem().svg(node.path().iter()));
    /// let outcome = Search::new(&queens).hooks(recording.of((Queens::mirror(),))).count();
    /// recording.ended(outcome.report());
    /// let page = recording.html("Six queens");
    /// assert!(page.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    ///
    /// Cost: a second or two for a million nodes.
    #[must_use]
    pub fn html(&self, title: &str) -> String {
        let log = &self.log;
        let mut packed = pack(log, &[], 1);
        if packed.text.len() > PAGE {
            packed = pack_what_fits(log, packed);
        }
        let about = About {
            nodes: log.depths.len(),
            steps: packed.steps,
            incomplete: log.incomplete.len(),
            hooks: &self.hooks,
            entered: log.entered,
            pictures: self.picture.is_some(),
            improvements: log.improvements.iter().map(|one| (one.nodes, one.value, one.microseconds)).collect(),
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
                    p #fate {}
                    p #facts .faint {}
                    ol #path aria-label="The path from the root" {}
                    button #copy type="button" hidden { "Copy the path" }
                    figure #state {}
                }
            }
            h2 { "Nodes by depth" }
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
        let is_cut = |fate: &&Code| matches!(fate.fate(), Fate::NotAdmitted(_));
        let cuts = log.fates.iter().filter(is_cut).count() as u64 + log.missing_cuts;
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

/// By node: how many nodes there are in its subtree, itself included.
fn subtree_sizes(log: &Log) -> Vec<u32> {
    let mut sizes = vec![1; log.depths.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut close = |open: &mut Vec<usize>, depth: usize| {
        while open.len() > depth {
            if let (Some(node), above) = (open.pop(), open.last()) {
                if let Some(&above) = above {
                    sizes[above] += sizes[node];
                }
            }
        }
    };
    for (node, &depth) in log.depths.iter().enumerate() {
        close(&mut open, depth as usize);
        open.push(node);
    }
    close(&mut open, 0);
    sizes
}

/// Leaves pictures of the smallest subtrees out until the rest fits, or none is left.
fn pack_what_fits(log: &Log, mut packed: Packed) -> Packed {
    let sizes = subtree_sizes(log);
    let mut sorted = sizes.clone();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    let mut kept = sorted.len();
    while packed.text.len() > PAGE && kept > 0 {
        // A little less than what would fit if all pictures took up the same.
        kept = (kept as f64 * (0.8 * PAGE as f64 / packed.text.len() as f64).min(0.5)) as usize;
        // The picture of a node needs that of the one above, whose subtree is larger.
        let least = sorted.get(kept).map_or(u32::MAX, |&size| size.saturating_add(1));
        packed = pack(log, &sizes, least);
    }
    packed
}

/// Numbers things anew in the order in which they come, so that only what is used is kept.
struct Renumbered(Vec<u32>, Vec<u32>);

impl Renumbered {
    fn new(count: usize) -> Self {
        Renumbered(vec![NONE; count], Vec::new())
    }

    fn number(&mut self, old: u32) -> u32 {
        let known = &mut self.0[old as usize];
        if *known == NONE {
            *known = self.1.len() as u32;
            self.1.push(old);
        }
        *known
    }
}

/// The recording without the pictures of nodes with fewer than `least` nodes in their subtree.
fn pack(log: &Log, sizes: &[u32], least: u32) -> Packed {
    let (mut steps, mut edits) = (Interner::default(), Renumbered::new(log.pictures.edits().len()));
    let [mut labels, mut lines, mut edit_bytes, mut parts, mut shape, mut fates, mut step_bytes, mut incomplete] =
        [const { Vec::new() }; 8];
    let mut pictures_left_out = 0;
    let mut above = 0_u64;
    for node in 0..log.depths.len() {
        let (label, mut edit) = log.step_parts.all()[log.steps[node] as usize];
        if edit != NONE && least > 1 && sizes[node] < least {
            (edit, pictures_left_out) = (NONE, pictures_left_out + 1);
        }
        let edit = if edit == NONE { 0 } else { edits.number(edit) + 1 };
        let (step, new) = steps.number(&(label, edit));
        if new {
            varint::put(if label == NONE { 0 } else { u64::from(label) + 1 }, &mut parts);
            varint::put(u64::from(edit), &mut parts);
        }
        varint::put(u64::from(step), &mut step_bytes);
        let depth = u64::from(log.depths[node]);
        varint::put(above - depth, &mut shape);
        above = depth + 1;
        varint::put(u64::from(log.fates[node].0), &mut fates);
    }
    let mut used = Renumbered::new(log.pictures.lines().len());
    for &edit in &edits.1 {
        let renumbered = renumber(&log.pictures.edits()[edit as usize], &mut used);
        varint::put(renumbered.len() as u64, &mut edit_bytes);
        edit_bytes.extend(renumbered);
    }
    used.1.iter().for_each(|&line| put_text(&mut lines, &log.pictures.lines()[line as usize]));
    log.labels.all().iter().for_each(|label| put_text(&mut labels, label));
    let mut before = 0;
    let mut missing_below = log.incomplete.clone();
    missing_below.sort_unstable();
    for node in missing_below {
        varint::put(u64::from(node - before), &mut incomplete);
        before = node;
    }
    let sections = [labels, lines, edit_bytes, parts, shape, fates, step_bytes, incomplete];
    Packed { text: compressed(&sections), steps: steps.all().len(), pictures_left_out }
}

/// The same edit with other numbers of lines.
fn renumber(mut edit: &[u8], lines: &mut Renumbered) -> Vec<u8> {
    let mut out = Vec::with_capacity(edit.len());
    while !edit.is_empty() {
        let [stay, go, come] = [(); 3].map(|()| varint::take(&mut edit));
        [stay, go, come].into_iter().for_each(|part| varint::put(part, &mut out));
        for _ in 0..come {
            let line = varint::take(&mut edit) as u32;
            varint::put(u64::from(lines.number(line)), &mut out);
        }
    }
    out
}

/// Adds a text, which is a line.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend(text.as_bytes());
    out.push(b'\n');
}

/// Sections, each with its length before it, compressed, as text.
pub(super) fn compressed(sections: &[Vec<u8>]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = sections.iter().try_for_each(|section| {
        let mut length = Vec::new();
        varint::put(section.len() as u64, &mut length);
        encoder.write_all(&length)?;
        encoder.write_all(section)
    });
    match written.and_then(|()| encoder.finish()) {
        Ok(bytes) => STANDARD.encode(bytes),
        Err(error) => unreachable!("writing to memory does not fail: {error}"),
    }
}

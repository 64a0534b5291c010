//! The page of a sweep.

use maud::html;

use super::encoding::put_number;
use super::pack::{compressed, put_text};
use super::pictures::Pictures;
use super::search_page::counted;
use super::sweep::SweepRecording;
use crate::lab::pages::{data, page};
use crate::plug::ContourProblem;
use crate::report::{Cuts, Report};

const STYLE: &str = concat!(include_str!("page/common.css"), include_str!("page/contour.css"));
const SCRIPTS: [&str; 4] = [
    include_str!("page/decode.js"),
    include_str!("page/pictures.js"),
    include_str!("page/outcomes.js"),
    include_str!("page/contour.js"),
];

/// What the script has to know of the sweep beside its pictures.
#[derive(serde::Serialize)]
struct About<'r> {
    hooks: Vec<&'r str>,
    layers: Vec<Layer>,
    pictures: bool,
}

/// A layer, as the report has it.
#[derive(serde::Serialize)]
struct Layer {
    states: u64,
    transitions: u64,
    merged: u64,
    /// By hook: transitions dropped, and states dropped of the complete layer.
    cuts: Vec<(u64, u64)>,
    kept: usize,
}

impl<P: ContourProblem> SweepRecording<'_, P> {
    /// The recording and the report of its sweep as a page: one file that needs nothing else, to be
    /// opened in a browser.
    ///
    /// Layers are bars, with the states that are left and, on top, what each hook has dropped. The
    /// layer that is chosen tells its figures and lists the states that were kept, and the state
    /// that is chosen is drawn. All can be done by mouse and by keyboard.
    ///
    /// ```
    /// use secateurs::lab::SweepRecording;
    /// use secateurs::plug::Sweep;
    /// use secateurs::problems::catalogue::{Grid, Strands, simple_paths};
    ///
    /// let paths = simple_paths(&Grid::new(5, 5)?);
    /// let recording = SweepRecording::new().picture(Strands::state_svg);
    /// let outcome = Sweep::new(&paths).hooks(recording.of(())).count();
    /// let page = recording.html("Paths from corner to corner", &paths, outcome.report());
    /// assert!(page.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn html(&self, title: &str, profile: &P, report: &Report) -> String {
        let mut pictures = Pictures::default();
        let (mut labels, mut edits) = (Vec::new(), Vec::new());
        let mut layers = Vec::new();
        for (cells, level) in report.levels().iter().enumerate() {
            let states = if cells == 0 { vec![profile.start()] } else { self.states(cells) };
            for (index, &state) in states.iter().enumerate() {
                put_text(&mut labels, &code(&format!("{state:?}")));
                if let Some(picture) = &self.picture {
                    // The first state of a layer stands on that of the layer before, and the others
                    // on the first.
                    let depth = cells + usize::from(index > 0);
                    let edit = pictures.add(depth, || picture(profile, cells, state));
                    put_number(edit.map_or(0, |edit| u64::from(edit) + 1), &mut edits);
                }
            }
            if states.is_empty() {
                pictures.repeat(cells);
            }
            let by_hook = |hook: &crate::report::HookReport| {
                let cuts: Cuts = hook.cuts_by_depth().get(cells).copied().unwrap_or_default();
                (cuts.admit, cuts.enter)
            };
            layers.push(Layer {
                states: level.nodes,
                transitions: level.transitions,
                merged: level.merged,
                cuts: report.hooks().iter().map(by_hook).collect(),
                kept: states.len(),
            });
        }
        let (mut lines, mut all_edits) = (Vec::new(), Vec::new());
        pictures.lines().iter().for_each(|line| put_text(&mut lines, line));
        for edit in pictures.edits() {
            put_number(edit.len() as u64, &mut all_edits);
            all_edits.extend(edit);
        }
        let text = compressed(&[labels, lines, all_edits, edits]);
        let hooks = report.hooks().iter().map(crate::report::HookReport::name).collect();
        let about = match data("about", &About { hooks, layers, pictures: self.picture.is_some() })
        {
            Ok(about) => about,
            Err(error) => unreachable!("numbers and names always make JSON: {error}"),
        };
        let body = html! {
            h1 { (title) }
            p {
                (counted(report.nodes(), "state", "states")) " in "
                (counted(report.levels().len() as u64, "layer", "layers")) ". The sweep ended: " (report.stop())
                ". What its hooks preserve: " (report.effect()) "."
            }
            ul #legend aria-label="What became of states" {}
            h2 #layers-name { "Layers: states after each cell" }
            p .faint { "Choose a layer by a click or by the arrow keys; on top of the states left is what each hook has dropped." }
            div #layers role="listbox" tabindex="0" aria-orientation="horizontal" aria-labelledby="layers-name" {}
            div .halves {
                section {
                    h2 #name { "No layer is chosen" }
                    p #facts aria-live="polite" {}
                    table #cuts {}
                    h2 #states-name { "States" }
                    p #sampled .faint {}
                    div #states role="listbox" tabindex="0" aria-labelledby="states-name" {}
                }
                section #detail {
                    h2 #code { "No state is chosen" }
                    figure #state {}
                }
            }
            noscript { p .notice { "The layers are drawn by a script of this page, which this browser does not run." } }
            (about)
            script #recording type="text/plain" { (text) }
        };
        page(title, STYLE, &body, &SCRIPTS)
    }
}

/// What is within the brackets of a type with one field, on one line: all else says the same of
/// every state.
fn code(debug: &str) -> String {
    let inside = debug.split_once('(').filter(|(name, _)| name.chars().all(char::is_alphanumeric));
    let inside = inside.and_then(|(_, inside)| inside.strip_suffix(')'));
    inside.unwrap_or(debug).replace(['\n', '\r'], " ")
}

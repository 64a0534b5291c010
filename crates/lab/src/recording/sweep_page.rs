//! The page of a recorded sweep.

use maud::html;
use secateurs::plug::ContourProblem;
use secateurs::{Cuts, Report};
use serde_json::json;

use super::pack::{Section, compressed};
use super::pictures::Pictures;
use super::search_page::counted;
use super::sweep::SweepRecording;
use crate::pages::{data, page};

const STYLE: &str = concat!(include_str!("page/common.css"), include_str!("page/contour.css"));
const SCRIPTS: [&str; 5] = [
    include_str!("page/decode.js"),
    include_str!("page/pictures.js"),
    include_str!("page/outcomes.js"),
    include_str!("page/layers.js"),
    include_str!("page/contour.js"),
];

impl<P: ContourProblem> SweepRecording<'_, P> {
    /// Returns the recording with the report of its sweep as a self-contained HTML page.
    ///
    /// Layers are drawn as bars of the remaining states, and above them the states dropped by each
    /// hook. The selected layer shows its counts and lists its sampled states, and the selected
    /// state is drawn. The page can be used by mouse and keyboard.
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs_lab::SweepRecording;
    /// use secateurs_problems::catalogue::{Grid, Strands, simple_paths};
    ///
    /// let paths = simple_paths(&Grid::new(5, 5)?);
    /// let recording = SweepRecording::new().picture(Strands::state_svg);
    /// let outcome = Sweep::new(&paths).hooks(recording.of(())).count();
    /// let page = recording.html("Paths from corner to corner", &paths, outcome.report());
    /// assert!(page.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn html(&self, title: &str, problem: &P, report: &Report) -> String {
        let mut pictures = Pictures::default();
        let (mut labels, mut edits) = (Vec::new(), Vec::new());
        let mut layers = Vec::new();
        for (cells, level) in report.levels().iter().enumerate() {
            let states = if cells == 0 { vec![problem.start()] } else { self.states(cells) };
            for (index, &state) in states.iter().enumerate() {
                labels.push(code(&format!("{state:?}")));
                if let Some(picture) = &self.picture {
                    // The picture of the first state of a layer is an edit of that of the previous
                    // layer, and the others are edits of the first.
                    let depth = cells + usize::from(index > 0);
                    let edit = pictures.add(depth, || picture(problem, cells, state));
                    edits.push(edit.map_or(0, |edit| edit + 1));
                }
            }
            if states.is_empty() {
                pictures.repeat(cells);
            }
            // For each hook, the dropped transitions, and the states dropped from the complete
            // layer.
            let cuts = report.hooks().iter().map(|hook| {
                let cuts: Cuts = hook.cuts_by_depth().get(cells).copied().unwrap_or_default();
                (cuts.admit, cuts.enter)
            });
            layers.push(json!({
                "states": level.nodes,
                "transitions": level.transitions,
                "merged": level.merged,
                "cuts": cuts.collect::<Vec<_>>(),
                "kept": states.len(),
            }));
        }
        let text = compressed(&[
            Section::texts(labels.iter().map(String::as_str)),
            Section::texts(pictures.lines().iter().map(String::as_str)),
            Section::edits(pictures.edits().iter().map(Vec::as_slice)),
            Section::Numbers(edits),
        ]);
        let hooks: Vec<&str> = report.hooks().iter().map(secateurs::HookReport::name).collect();
        let about = json!({"hooks": hooks, "layers": layers, "pictures": self.picture.is_some()});
        let body = html! {
            h1 { (title) }
            p {
                (counted(report.nodes(), "state", "states")) " in "
                (counted(report.levels().len() as u64, "layer", "layers"))
                ". The sweep ended: " (report.stop())
                ". Effect of its hooks: " (report.effect()) "."
            }
            ul #legend aria-label="Outcomes of states" {}
            h2 #layers-name { "Layers: states after each cell" }
            p .faint {
                "Select a layer by mouse or by the arrow keys. "
                "Above the remaining states are those dropped by each hook."
            }
            div #layers role="listbox" tabindex="0"
                aria-orientation="horizontal" aria-labelledby="layers-name" {}
            div .halves {
                section {
                    h2 #name { "No layer is selected" }
                    p #facts aria-live="polite" {}
                    table #cuts {}
                    h2 #states-name { "States" }
                    p #sampled .faint {}
                    div #states role="listbox" tabindex="0" aria-labelledby="states-name" {}
                }
                section #detail {
                    h2 #code { "No state is selected" }
                    figure #state {}
                }
            }
            noscript {
                p .notice { "The layers are drawn by a script, which is disabled in this browser." }
            }
            (data("about", &about))
            script #recording type="text/plain" { (text) }
        };
        page(title, STYLE, &body, &SCRIPTS)
    }
}

/// Shortens the `Debug` output of a state to one line. Of a tuple struct, only the part in
/// parentheses is kept, because its name is the same for all states.
fn code(debug: &str) -> String {
    let inside = debug.split_once('(').filter(|(name, _)| name.chars().all(char::is_alphanumeric));
    let inside = inside.and_then(|(_, inside)| inside.strip_suffix(')'));
    inside.unwrap_or(debug).replace(['\n', '\r'], " ")
}

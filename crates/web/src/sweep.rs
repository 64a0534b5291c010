//! Sweeps, whose layers a page shows one after another.

use std::rc::Rc;

use secateurs::plug::algebra::Best;
use secateurs::plug::{Antichain, BestState, ContourProblem, Sweep};
use secateurs::{Limits, Report};
use secateurs_lab::SweepRecording;
use secateurs_problems::catalogue::{Grid, Strands, hamiltonian_cycles as cycles};
use secateurs_problems::rocket_mania::{
    Case, Containment, Extinguished, Fuses, LonePlugs, Mode, RocketSettings, Rockets, UnlitRockets,
    outshone,
};
use serde::Serialize;

use crate::search::{Progress, Run};
use crate::settings::Settings;
use crate::tree::Tree;

/// The number of states of each layer that the page can show.
const STATES: usize = 24;
/// The most states of a layer.
const MOST_STATES: u64 = 2_000_000;

/// Returns the limits of a sweep.
fn limits() -> Limits {
    Limits::new().states(MOST_STATES).memory(128 << 20)
}

/// A layer of a sweep.
#[derive(Serialize)]
pub struct Layer {
    states: u64,
    transitions: u64,
    merged: u64,
    /// For each hook, the number of dropped transitions, and of states dropped from the complete
    /// layer.
    cuts: Vec<(u64, u64)>,
    /// The sampled states.
    labels: Vec<String>,
}

/// Returns the run of a sweep. `sweep` runs it, and returns its answer and report.
fn run<P: ContourProblem + 'static>(
    problem: &'static P,
    picture: impl Fn(&P, usize, P::State) -> String + 'static,
    solution: Option<String>,
    sweep: impl Fn(&SweepRecording<'static, P>, Limits) -> (String, Report) + 'static,
) -> Run {
    let recording: &'static SweepRecording<'static, P> =
        Box::leak(Box::new(SweepRecording::new().state_limit(STATES)));
    let states = move |cells| match cells {
        0 => vec![problem.start()],
        _ => recording.states(cells),
    };
    let tree = Rc::new(Tree::new(true));
    let names = Rc::clone(&tree);
    let advance = move |_| {
        let (answer, report) = sweep(recording, limits());
        *names.hooks.borrow_mut() =
            report.hooks().iter().map(|hook| hook.name().to_owned()).collect();
        let layer = |(cells, level): (usize, &secateurs::Level)| Layer {
            states: level.nodes,
            transitions: level.transitions,
            merged: level.merged,
            cuts: report
                .hooks()
                .iter()
                .map(|hook| hook.cuts_by_depth().get(cells).copied().unwrap_or_default())
                .map(|cuts| (cuts.admit, cuts.enter))
                .collect(),
            labels: states(cells).iter().map(|state| code(&format!("{state:?}"))).collect(),
        };
        let mut progress = Progress::new(&report, answer, Some(report.stop()));
        progress.layers = report.levels().iter().enumerate().map(layer).collect();
        progress
    };
    Run {
        advance: Box::new(advance),
        tree,
        look: Box::new(move |path| match path[..] {
            [cells, index] => Some(picture(problem, cells, *states(cells).get(index)?)),
            _ => solution.clone(),
        }),
        estimate: Box::new(|_, _| None),
    }
}

/// Shortens the `Debug` output of a state to the part in parentheses.
fn code(debug: &str) -> String {
    let inside = debug.split_once('(').filter(|(name, _)| name.chars().all(char::is_alphanumeric));
    inside.and_then(|(_, inside)| inside.strip_suffix(')')).unwrap_or(debug).to_owned()
}

/// Counts Hamiltonian cycles.
pub fn hamiltonian_cycles(settings: &Settings) -> Result<Run, String> {
    let (rows, columns) = (settings.within("rows", 1..=14)?, settings.within("columns", 1..=14)?);
    let grid = Grid::new(rows, columns).map_err(|error| error.to_string())?;
    let strands: &'static Strands = Box::leak(Box::new(cycles(&grid)));
    Ok(run(strands, Strands::state_svg, None, move |recording, limits| {
        let outcome = Sweep::new(strands).hooks(recording.of(())).limits(limits).count();
        (outcome.to_string(), outcome.report().clone())
    }))
}

/// Rotates blocks of fuse so that as many rockets as possible are lit.
pub fn rocket_mania(settings: &Settings) -> Result<Run, String> {
    let mode = if settings.get("matches") == "all" { Mode::Plus } else { Mode::Single };
    let rows = settings.get("board").replace('/', "\n");
    let row = settings.get("match");
    let text = format!("{}\n{rows}\n", if mode == Mode::Plus { "1" } else { row });
    let mut cases = Mode::Single.cases(&text).map_err(|error| format!("board: {error}"))?;
    let case = cases.pop().ok_or("there is no board")?;
    let case = if mode == Mode::Plus { case.with_all_matches() } else { case };
    let case: &'static Case = Box::leak(Box::new(case));
    let fuses: &'static Fuses<'static> = Box::leak(Box::new(Fuses::new(case)));
    let on = ["1", "2", "4", "3", "best", "full"].map(|name| settings.is_on(name));
    let solved = RocketSettings::default().limits(limits()).solve(case);
    let solution =
        solved.solution().filter(|_| solved.proven().is_some()).map(|rotation| case.svg(rotation));
    Ok(run(fuses, Fuses::state_svg, solution, move |recording, limits| {
        let hooks = (
            on[0].then_some(Extinguished),
            on[1].then_some(LonePlugs),
            on[2].then_some(UnlitRockets),
            on[3].then(outshone),
            on[4].then(|| BestState::new("dominance: best", Containment)),
            on[5].then(|| Antichain::new("dominance: full", Containment)),
        );
        let outcome = Sweep::new(fuses)
            .hooks(recording.of(hooks))
            .limits(limits)
            .run(&Best::maximise(Rockets));
        let answer = match outcome.total() {
            Some(rockets) => format!("{rockets} rockets"),
            None if outcome.is_proven_empty() => "no rocket".to_owned(),
            None => "not known".to_owned(),
        };
        (answer, outcome.report().clone())
    }))
}

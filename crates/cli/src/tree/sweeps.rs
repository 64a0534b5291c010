//! Recordings of sweeps.

use secateurs::plug::algebra::Best;
use secateurs::plug::{Antichain, BestState, ContourProblem, Sweep};
use secateurs::{Report, Stop};
use secateurs_lab::SweepRecording;
use secateurs_problems::catalogue::{
    Grid, Strands, hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths,
};
use secateurs_problems::rocket_mania::{
    Containment, DominanceScope, Extinguished, Fuses, LonePlugs, Mode, Rockets, UnlitRockets,
    outshone,
};

use super::summary::{self, counted};
use super::{Board, Output, RocketMania};
use crate::support::progress::Bar;
use crate::support::{self, Failure};

const CASES: &str = include_str!("../../data/rocket_mania.txt");

/// Creates a recording with the options of the command line.
fn recording<'f, P: ContourProblem>(
    output: &Output,
    picture: impl Fn(&P, usize, P::State) -> String + Sync + 'f,
) -> SweepRecording<'f, P> {
    let recording = SweepRecording::new().state_limit(output.record_states);
    if output.no_pictures { recording } else { recording.picture(picture) }
}

/// The kinds of paths and cycles on a board.
#[derive(Clone, Copy)]
pub enum StrandsKind {
    HamiltonianCycles,
    HamiltonianPaths,
    SimpleCycles,
    SimplePaths,
}

pub fn strands(kind: StrandsKind, options: &Board, output: &Output) -> Result<(), Failure> {
    let grid = match options.file.as_deref() {
        Some(path) => support::read(Some(path), "")?
            .parse()
            .map_err(|error| support::with_input_name(Some(path), error))?,
        None => Grid::new(options.rows, options.columns.unwrap_or(options.rows))?,
    };
    let (strands, name) = match kind {
        StrandsKind::HamiltonianCycles => (hamiltonian_cycles(&grid), "Hamiltonian cycles"),
        StrandsKind::HamiltonianPaths => {
            (hamiltonian_paths(&grid), "Hamiltonian paths from corner to corner")
        }
        StrandsKind::SimpleCycles => (simple_cycles(&grid), "Simple cycles"),
        StrandsKind::SimplePaths => (simple_paths(&grid), "Simple paths from corner to corner"),
    };
    let recording = recording(output, Strands::state_svg);
    let sweep = Sweep::new(&strands).hooks(recording.of(())).limits(output.limits());
    let outcome = Bar::new(false).watch_sweep(sweep).count();
    let title = format!("{name} of {} × {} cells", grid.rows(), grid.columns());
    write(
        &title,
        &outcome.to_string(),
        || recording.html(&title, &strands, outcome.report()),
        outcome.report(),
        output,
    )
}

pub fn rocket_mania(options: &RocketMania, output: &Output) -> Result<(), Failure> {
    let path = options.file.as_deref();
    let mode = if options.plus { Mode::Plus } else { Mode::Single };
    let cases = mode
        .cases(&support::read(path, CASES)?)
        .map_err(|error| support::with_input_name(path, error))?;
    if cases.is_empty() {
        return Err("found no case, expected the row of a match, then a board".into());
    }
    let case = options.case.checked_sub(1).and_then(|index| cases.get(index));
    let case =
        case.ok_or_else(|| format!("--case {}: expected 1 to {}", options.case, cases.len()))?;
    let fuses = Fuses::<u64>::new(case);
    let recording =
        recording(output, |fuses: &Fuses<'_>, cells, contour| fuses.state_svg(cells, contour));
    let on = |number| options.prunings.contains(number);
    let has_dominance = |scope| options.dominance == Some(scope);
    let hooks = (
        on(1).then_some(Extinguished),
        on(2).then_some(LonePlugs),
        on(4).then_some(UnlitRockets),
        on(3).then(outshone),
        has_dominance(DominanceScope::Best).then(|| BestState::new("dominance: best", Containment)),
        has_dominance(DominanceScope::Full).then(|| Antichain::new("dominance: full", Containment)),
    );
    let sweep = Sweep::new(&fuses).hooks(recording.of(hooks)).limits(output.limits());
    let outcome = Bar::new(false).watch_sweep(sweep).run(&Best::maximise(Rockets));
    if outcome.stop() == Stop::StateTooWide {
        return Err(format!(
            "case {}: a board of {} rows is too high, expected 13 at most",
            options.case,
            case.board().rows()
        )
        .into());
    }
    let (rows, columns) = (case.board().rows(), case.board().columns());
    let title = format!(
        "Rocket Mania, case {}: {rows} × {columns} blocks, prunings {}",
        options.case, options.prunings
    );
    let rockets = match (outcome.total(), outcome.is_proven_empty()) {
        (Some(rockets), _) => counted(&rockets.to_string(), "rocket"),
        (None, true) => "no rocket".to_owned(),
        (None, false) => "not known".to_owned(),
    };
    write(
        &title,
        &rockets,
        || recording.html(&title, &fuses, outcome.report()),
        outcome.report(),
        output,
    )
}

/// Writes the page of a sweep, and prints a summary.
fn write(
    title: &str,
    answer: &str,
    page: impl FnOnce() -> String,
    report: &Report,
    output: &Output,
) -> Result<(), Failure> {
    let bytes = summary::save(output, page)?;
    if output.answer_only {
        support::print(format_args!("{answer}\n"))?;
        return support::check_complete(report.stop());
    }
    let mut text = format!("{title}: {answer}\n\n{:>11}  states left\n", report.nodes());
    // A hook that was switched off is named `off`.
    for hook in report.hooks().iter().filter(|hook| hook.name() != "off") {
        text += &format!("{:>11}  cut by {}\n", hook.cuts(), hook.name());
    }
    let layers = report.levels().len().saturating_sub(1);
    text += &format!("\nThe sweep: {layers} cells, {}.\n", report.stop());
    text += &format!("The page: {} ({bytes} bytes).\n", output.html.display());
    support::print(text)?;
    support::check_complete(report.stop())
}

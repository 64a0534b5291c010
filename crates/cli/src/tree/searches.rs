//! Recordings of searches.

use std::cell::RefCell;
use std::ops::ControlFlow;

use secateurs::hook;
use secateurs::search::Search;
use secateurs::{Direction, Effect, Node, Objective, Problem, Report, Stop, Verdict};
use secateurs_csp::{Ascending, Branching, Propagate, SmallestDomain};
use secateurs_lab::Recording;
use secateurs_problems::Selection;
use secateurs_problems::fire_net::{self, FireNetSettings};
use secateurs_problems::knights_tour::{self, DeadEnds, DisconnectedRest, OneExit, Parity};
use secateurs_problems::maze::{self, MouseMemory};
use secateurs_problems::queens::{self, BitQueens, RowByRow};
use secateurs_problems::sudoku;

use super::summary::{self, counted, solutions};
use super::{FireNet, KnightsTour, Maze, Output, Queens, Sudoku};
use crate::support::progress::Bar;
use crate::support::{self, Failure};

const FIRE_NET: &str = "5\n..X..\n.....\nX...X\n.....\n..X..\n";
const MAZE: &str = include_str!("../../data/maze.txt");
const SUDOKU: &str = include_str!("../../data/sudoku.txt");

/// The prunings of knight's tours.
pub type TourPrunings = Selection<4>;

/// Creates a recording with the options of the command line.
fn recording<'f, P: Problem>(
    output: &Output,
    picture: impl Fn(&Node<'_, P>) -> String + 'f,
) -> Recording<'f, P> {
    let recording = Recording::new().node_limit(output.record_nodes);
    if output.no_pictures { recording } else { recording.picture(picture) }
}

pub fn fire_net(options: &FireNet, output: &Output) -> Result<(), Failure> {
    let path = options.file.as_deref();
    let board: fire_net::FireNetBoard = support::read(path, FIRE_NET)?
        .parse()
        .map_err(|error| support::with_input_name(path, error))?;
    let settings = |prunings| {
        let settings = match options.branch {
            fire_net::FireNetBranching::Cells => FireNetSettings::article(prunings),
            branching => FireNetSettings::default().branching(branching).prunings(prunings),
        };
        settings.limits(output.limits())
    };
    let label = |board: &fire_net::FireNetBoard, choice: &fire_net::Choice| match *choice {
        fire_net::Choice::Next(cell) | fire_net::Choice::Place(cell) => {
            let (row, column) = board.position(cell);
            format!("bunker at {},{}", row + 1, column + 1)
        }
        // Numbered as by `fire-net --segments`.
        fire_net::Choice::LeaveEmpty(segment) => {
            let rows = board.segments().along(fire_net::Axis::Row);
            match segment.checked_sub(rows) {
                None => format!("row segment {} empty", segment + 1),
                Some(column) => format!("column segment {} empty", column + 1),
            }
        }
    };
    let mut recording = recording(output, |node: &Node<'_, fire_net::FireNetBoard>| {
        node.problem().state_svg(node.state())
    })
    .label(label)
    .value(Direction::Maximise, |node: &Node<'_, fire_net::FireNetBoard>| {
        node.state().placed() as i64
    });
    let mut run = |prunings| {
        let settings: FireNetSettings = settings(prunings);
        let placed = Objective::maximise(|_: &fire_net::FireNetBoard, state: &fire_net::State| {
            state.placed()
        });
        let search = settings.search(&board, placed.incumbent());
        let search = search.hooks(recording.of(settings.hooks(placed.incumbent())));
        let incumbent = placed.incumbent().clone();
        let best = move || incumbent.get().map(|bunkers| bunkers.to_string());
        // The bar appears on terminals only, and without the fraction done, which would need
        // replays.
        let outcome = Bar::new(false).watch(search, best, false).best(&placed);
        recording.ended(outcome.report());
        outcome
    };
    let outcome = run(options.prunings);
    let reports: Vec<Report> = [outcome.report().clone()]
        .into_iter()
        .chain(options.beside.map(|prunings| run(prunings).into_parts().1))
        .collect();
    let answer = match (outcome.proven(), outcome.best_so_far()) {
        (Some(bunkers), _) => format!("{}, proved", counted(&bunkers.to_string(), "bunker")),
        (None, Some(bunkers)) => format!("at least {}", counted(&bunkers.to_string(), "bunker")),
        (None, None) => "nothing was found".to_owned(),
    };
    let beside = options.beside.map(|prunings| format!(", and {prunings} beside them"));
    let title = format!(
        "Fire-net on {} × {} cells, prunings {}{}",
        board.rows(),
        board.columns(),
        options.prunings,
        beside.unwrap_or_default()
    );
    summary::write(&title, &answer, &recording, &reports, output)
}

pub fn queens(options: &Queens, output: &Output) -> Result<(), Failure> {
    let size = options.size;
    let queens = queens::Queens::new(size)?.bits();
    let draw = queens.svgs();
    let picture = |node: &Node<'_, BitQueens>| draw(BitQueens::columns(node.path().iter()));
    let mut recording = recording(output, picture)
        .label(|_, choice| format!("column {}", BitQueens::column(choice) + 1));
    let mut run = |mirror: bool| {
        let search = Search::new(&queens).limits(output.limits());
        let search = search.hooks(recording.of((mirror.then(queens::Queens::mirror),)));
        let outcome = Bar::new(false).watch(search, || None, false).count();
        recording.ended(outcome.report());
        outcome
    };
    let outcome = run(options.mirror);
    let reports: Vec<Report> = [outcome.report().clone()]
        .into_iter()
        .chain(options.beside.then(|| run(false).into_parts().1))
        .collect();
    summary::write(&format!("{size} queens"), &solutions(&outcome), &recording, &reports, output)
}

pub fn knights_tour(options: &KnightsTour, output: &Output) -> Result<(), Failure> {
    let board =
        knights_tour::TourBoard::new(options.rows, options.columns.unwrap_or(options.rows))?;
    let mut problem = match options.closed {
        true => knights_tour::KnightsTour::closed(board),
        false => knights_tour::KnightsTour::open(board),
    };
    if let Some((row, column)) = options.start {
        problem = problem.starting_at(row, column)?;
    }
    let mut recording = recording(output, |node: &Node<'_, knights_tour::KnightsTour>| {
        node.problem().svg(node.state())
    })
    .label(move |_, &square| format!("to {},{}", board.row(square) + 1, board.column(square) + 1));
    let on = |number| options.prunings.contains(number);
    let hooks = (
        on(1).then_some(Parity),
        on(2).then_some(DeadEnds),
        on(3).then_some(OneExit),
        on(4).then(DisconnectedRest::default),
    );
    let search = Search::new(&problem).brancher(options.rule.brancher()).limits(output.limits());
    let search = search.hooks(recording.of(hooks));
    let mut tours = 0_u64;
    let outcome = Bar::new(false).watch(search, || None, false).for_each(|_| {
        tours += 1;
        if options.all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    recording.ended(outcome.report());
    // A closed tour is found in both directions.
    let tours = if options.closed { tours.div_ceil(2) } else { tours };
    let tours = counted(&tours.to_string(), "tour");
    let answer = match outcome.stop() {
        Stop::Exhausted | Stop::Satisfied => tours,
        _ => format!("at least {tours}"),
    };
    let title = format!("Knight's tours of a {board} board, prunings {}", options.prunings);
    summary::write(&title, &answer, &recording, &[outcome.report().clone()], output)
}

pub fn maze(options: &Maze, output: &Output) -> Result<(), Failure> {
    let path = options.file.as_deref();
    let maze: maze::Maze = support::read(path, MAZE)?
        .parse()
        .map_err(|error| support::with_input_name(path, error))?;
    let memory = RefCell::new(MouseMemory::new(&maze));
    let mut recording = recording(output, |node: &Node<'_, maze::Maze>| {
        let steps: Vec<maze::Step> = node.path().iter().copied().collect();
        memory.borrow().svg(node.problem(), &steps)
    })
    .label(|_, step| step.to_string());
    let mut run = |again: bool| {
        // In the first run, the mouse remembers a square as soon as it tries a step there.
        let recall = |node: &Node<'_, maze::Maze>, &step: &maze::Step| {
            if !again {
                memory.borrow_mut().visit(node);
                return Verdict::Keep;
            }
            Verdict::keep_if(memory.borrow().step(node.state().square()) == Some(step))
        };
        let (name, effect) = match again {
            false => ("visited", Effect::Preserving),
            true => ("memory", Effect::Representatives),
        };
        let hooks = ((!again).then(|| maze.closed_set()), hook::admit(name, effect, recall));
        let search = Search::new(&maze).brancher(options.order.brancher()).limits(output.limits());
        let search = search.hooks(recording.of(hooks));
        let outcome = Bar::new(false).watch(search, || None, false).first();
        recording.ended(outcome.report());
        outcome
    };
    let outcome = run(false);
    let mut reports = vec![outcome.report().clone()];
    if let Some(steps) = outcome.solution().filter(|_| options.again) {
        memory.borrow_mut().follow(&maze, steps);
        reports.push(run(true).into_parts().1);
    }
    let answer = match outcome.solution() {
        Some(steps) => counted(&steps.len().to_string(), "step"),
        None if outcome.is_proven_none() => "no path".to_owned(),
        None => "unknown".to_owned(),
    };
    let title = format!("A maze of {} × {} squares", maze.rows(), maze.columns());
    summary::write(&title, &answer, &recording, &reports, output)
}

pub fn sudoku(options: &Sudoku, output: &Output) -> Result<(), Failure> {
    let path = options.file.as_deref();
    let board: sudoku::Sudoku = support::read(path, SUDOKU)?
        .parse()
        .map_err(|error| support::with_input_name(path, error))?;
    let (network, side) = (board.network(), board.side());
    let mut recording = recording(output, |node| board.state_svg(node.problem(), node.state()))
        .label(move |_, decision: &secateurs_csp::Decision| {
            let cell = decision.variable().index();
            // The text is `variable INDEX`, and then the relation and the value.
            let text = decision.to_string();
            let relation_and_value = text.splitn(3, ' ').last().unwrap_or_default();
            format!("{},{} {relation_and_value}", cell / side + 1, cell % side + 1)
        });
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    let search = Search::new(&network).brancher(order).limits(output.limits());
    let search = search.hooks(recording.of((Propagate::full(),)));
    let outcome = Bar::new(false).watch(search, || None, false).count();
    recording.ended(outcome.report());
    let title = format!("Sudoku of {side} × {side} cells");
    summary::write(&title, &solutions(&outcome), &recording, &[outcome.report().clone()], output)
}

//! The problems: their instances, branchers, hooks and pictures.

use std::ops::ControlFlow;
use std::rc::Rc;

use secateurs::brancher::{MiddleOut, Shuffled};
use secateurs::hook::{BoxedHook, Memo};
use secateurs::search::{Choices, Strategy};
use secateurs::{
    Brancher, Direction, Effect, Hook, Incumbent, Node, Objective, ProblemOrder, Search, Stop,
    Verdict, hook,
};
use secateurs_csp::{Ascending, Branching, Decision, Domains, Network, Propagate, SmallestDomain};
use secateurs_problems::fire_net::{
    self, BoundKind, BranchOn, Cells, FireNetBoard, FireNetBranching, FireNetPrunings,
    FireNetSettings, Scope, SmallestSegment, maximum_matching,
};
use secateurs_problems::knights_tour::{
    DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity, Rule, TourBoard,
};
use secateurs_problems::maze::{Maze, Step, StepOrder};
use secateurs_problems::queens::{BitQueens, BitState, Queens, RowByRow};
use secateurs_problems::rocket_mania::RocketBoard;
use secateurs_problems::sudoku::Sudoku;

use crate::boards;
use crate::readings;
use crate::search::{Advance, Model, Progress, Run, Seen};
use crate::settings::Settings;
use crate::sweep;

/// Begins a run.
pub fn start(settings: &Settings) -> Result<Run, String> {
    match settings.get("problem") {
        "queens" => queens(settings),
        "fire-net" => fire_net(settings),
        "knights-tour" => knights_tour(settings),
        "maze" => maze(settings),
        "sudoku" => sudoku(settings),
        "rocket-mania" => sweep::rocket_mania(settings),
        "hamiltonian-cycles" => sweep::hamiltonian_cycles(settings),
        other => Err(format!("there is no problem {other:?}")),
    }
}

/// Returns a random board of the problem, with slashes between its rows.
pub fn random_board(settings: &Settings) -> Result<String, String> {
    let (rows, columns) = (settings.within("rows", 1..=40)?, settings.within("columns", 1..=40)?);
    let seed = settings.read("seed")?;
    let board = match settings.get("problem") {
        "rocket-mania" => {
            RocketBoard::random(rows, columns, seed).map_err(|error| error.to_string())?.to_string()
        }
        _ => {
            let walls = settings.within("density", 0..=100)? as f64 / 100.0;
            let board = FireNetBoard::random(rows, columns, 1.0 - walls, seed);
            let board = board.map_err(|error| error.to_string())?.to_string();
            board.lines().skip(1).collect::<Vec<_>>().join("/")
        }
    };
    Ok(board.trim_end().replace('\n', "/"))
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// A wrong form of [`Queens::mirror`]: on a board of odd size, it forgets the middle column.
pub fn left_half<P: RowByRow>() -> impl Hook<P> {
    let admit = |node: &Node<'_, P>, choice: &P::Choice| {
        Verdict::prune_if(node.depth() == 0 && P::column(choice) >= node.problem().size() / 2)
    };
    hook::admit("left half", Effect::Representatives, admit)
}

fn queens(settings: &Settings) -> Result<Run, String> {
    match settings.get("order") {
        "middle" => queens_in_order(settings, || MiddleOut::over(ProblemOrder)),
        "shuffled" => {
            let seed = settings.read("seed")?;
            queens_in_order(settings, move || Shuffled::new(seed))
        }
        _ => queens_in_order(settings, || ProblemOrder),
    }
}

fn queens_in_order<B: Brancher<BitQueens> + 'static>(
    settings: &Settings,
    brancher: impl Fn() -> B + 'static,
) -> Result<Run, String> {
    let size = settings.within("size", 1..=20)?;
    let problem = leak(Queens::new(size).map_err(|error| error.to_string())?.bits());
    let on = ["mirror", "lex-leader", "memo", "left-half"].map(|name| settings.is_on(name));
    let draw = problem.svgs();
    Ok(Model {
        problem,
        brancher: Box::new(brancher),
        hooks: Box::new(move |_| {
            let lex_leader = on[1].then(|| Queens::lex_leader(problem).ok()).flatten();
            let memo = || Memo::counted("memo", |_: &BitQueens, state: &BitState| *state);
            (on[0].then(Queens::mirror), lex_leader, on[2].then(memo), on[3].then(left_half))
        }),
        label: Rc::new(|_, choice| format!("column {}", BitQueens::column(choice) + 1)),
        value: None,
        picture: Box::new(move |node| draw(BitQueens::columns(node.path().iter()))),
    }
    .run(settings))
}

/// The objective of fire-net.
pub type Bunkers = Objective<FireNetBoard, usize, fn(&FireNetBoard, &fire_net::State) -> usize>;

/// Creates the objective of fire-net: the number of bunkers.
pub fn most_bunkers() -> Bunkers {
    Objective::maximise(boards::placed as fn(&FireNetBoard, &fire_net::State) -> usize)
}

/// Reads a board of fire-net, whose rows follow each other.
fn fire_net_board(settings: &Settings) -> Result<FireNetBoard, String> {
    let rows: Vec<&str> = settings.get("board").split('/').collect();
    let columns = rows.first().map_or(0, |row| row.chars().count());
    let text = format!("{} {columns}\n{}\n", rows.len(), rows.join("\n"));
    text.parse().map_err(|error| format!("board: {error}"))
}

fn fire_net(settings: &Settings) -> Result<Run, String> {
    let board = leak(fire_net_board(settings)?);
    let prunings = FireNetPrunings::of((1..=10).filter(|n| settings.is_on(&n.to_string())));
    let scope = if settings.get("scope") == "every" { Scope::EveryNode } else { Scope::Root };
    let bound = BoundKind::ALL.into_iter().find(|kind| settings.is_on(&kind.to_string()));
    let branching: FireNetBranching = settings.read("order")?;
    let chosen = FireNetSettings::article(prunings).scope(scope).bound(bound).branching(branching);
    let wrong: Vec<&str> = readings::WRONG
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| settings.is_on(&format!("wrong-{name}")))
        .collect();
    let objective = leak(most_bunkers());
    let (known, optimum) = (settings.read("best").ok(), maximum_matching(board).len());
    let model = Model {
        problem: board,
        brancher: Box::new(move || match branching {
            FireNetBranching::Segments => BranchOn::Segments(SmallestSegment::new()),
            FireNetBranching::Matching => BranchOn::Segments(SmallestSegment::matched_first()),
            FireNetBranching::Cells => BranchOn::Cells(Cells {
                listed: prunings.contains(1),
                increasing: prunings.contains(2),
            }),
        }),
        hooks: Box::new(move |is_run| {
            let other = Incumbent::new(Direction::Maximise);
            if let Some(known) = known {
                other.offer(known);
            }
            let mut hooks = chosen.hooks(if is_run { objective.incumbent() } else { &other });
            let wrong = wrong.iter().filter_map(|name| readings::wrong(name));
            hooks.extend(wrong.map(|hook| Box::new(hook) as BoxedHook<'static, FireNetBoard>));
            hooks
        }),
        label: Rc::new(|board: &FireNetBoard, choice: &fire_net::Choice| match *choice {
            fire_net::Choice::Next(cell) | fire_net::Choice::Place(cell) => {
                let (row, column) = board.position(cell);
                format!("bunker at {},{}", row + 1, column + 1)
            }
            fire_net::Choice::LeaveEmpty(segment) => format!("segment {} empty", segment + 1),
        }),
        value: Some((objective.incumbent(), fire_net::State::placed)),
        picture: Box::new(move |node: &Node<'_, FireNetBoard>| board.state_svg(node.state())),
    };
    let strategy = settings.get("strategy").to_owned();
    let is_depth_first = !["breadth", "best"].contains(&&*strategy);
    Ok(model.run_by(
        settings,
        is_depth_first,
        move |search| match &*strategy {
            "breadth" => improve(search.breadth_first(), objective, optimum),
            "best" => {
                let bound = |board: &_, state: &_| boards::best_below(board, state).unwrap_or(0);
                improve(search.best_first(objective, bound), objective, optimum)
            }
            _ => improve(search, objective, optimum),
        },
        move |search| improve(search, objective, optimum),
    ))
}

/// Returns a function that continues a search for the most bunkers.
fn improve<B, S>(
    search: Search<'static, FireNetBoard, B, Seen<FireNetBoard, FireNetHooks>, Choices, S>,
    objective: &'static Bunkers,
    optimum: usize,
) -> Advance
where
    B: Brancher<FireNetBoard> + 'static,
    S: Strategy<FireNetBoard, B, Seen<FireNetBoard, FireNetHooks>> + 'static,
{
    let mut search = search.extract(|_: &Node<'_, FireNetBoard>| ()).improvements(objective);
    let mut bests = Vec::new();
    Box::new(move |nodes| {
        let stop = search.advance(nodes, |(value, ())| {
            bests.push(value);
            ControlFlow::Continue(())
        });
        let stop = (stop != Stop::NodeLimit).then_some(stop);
        let best = objective.incumbent().get();
        let answer = match (best, stop) {
            (None, _) => "nothing yet".to_owned(),
            (Some(best), Some(_)) if search.is_proven() => match optimum {
                optimum if optimum == best => format!("{best} bunkers, proved"),
                _ => format!("{best} bunkers, and the prunings claim a proof, but {optimum} fit"),
            },
            (Some(best), _) => format!("at least {best} bunkers"),
        };
        let mut progress = Progress::new(&search.report(), answer, stop);
        progress.bests.clone_from(&bests);
        progress
    })
}

type FireNetHooks = Vec<BoxedHook<'static, FireNetBoard>>;

fn knights_tour(settings: &Settings) -> Result<Run, String> {
    let (rows, columns) = (settings.within("rows", 1..=16)?, settings.within("columns", 1..=16)?);
    let board = TourBoard::new(rows, columns).map_err(|error| error.to_string())?;
    let mut tour = match settings.get("kind") {
        "closed" => KnightsTour::closed(board),
        _ => KnightsTour::open(board),
    };
    if settings.get("start") != "any" {
        tour = tour.starting_at(0, 0).map_err(|error| error.to_string())?;
    }
    let rule: Rule = settings.read("order")?;
    let names = ["parity", "dead-ends", "one-exit", "rest"];
    let on = names.map(|name| settings.is_on(name));
    Ok(Model {
        problem: leak(tour),
        brancher: Box::new(move || rule.brancher()),
        hooks: Box::new(move |_| {
            let rest = on[3].then(DisconnectedRest::default);
            (on[0].then_some(Parity), on[1].then_some(DeadEnds), on[2].then_some(OneExit), rest)
        }),
        label: Rc::new(move |_, &square| {
            format!("to {},{}", board.row(square) + 1, board.column(square) + 1)
        }),
        value: None,
        picture: Box::new(|node: &Node<'_, KnightsTour>| node.problem().svg(node.state())),
    }
    .run(settings))
}

fn maze(settings: &Settings) -> Result<Run, String> {
    let maze: &'static Maze = leak(settings.board()?);
    let order: StepOrder = settings.read("order")?;
    let is_closed = settings.is_on("closed-set");
    Ok(Model {
        problem: maze,
        brancher: Box::new(move || order.brancher()),
        hooks: Box::new(move |_| (is_closed.then(|| maze.closed_set()),)),
        label: Rc::new(|_, step: &Step| step.to_string()),
        value: None,
        picture: Box::new(|node: &Node<'_, Maze>| {
            let steps: Vec<Step> = node.path().iter().copied().collect();
            node.problem().svg(&steps)
        }),
    }
    .run(settings))
}

fn sudoku(settings: &Settings) -> Result<Run, String> {
    let board: &'static Sudoku = leak(settings.board()?);
    let (network, side): (&'static Network, _) = (leak(board.network()), board.side());
    let is_smallest = settings.get("order") != "input";
    let level = settings.get("level").to_owned();
    Ok(Model {
        problem: network,
        brancher: Box::new(move || {
            is_smallest.then(|| Branching::new(SmallestDomain::first_tie(), Ascending))
        }),
        hooks: Box::new(move |_| {
            (match &*level {
                "backward" => Propagate::backward(),
                "forward" => Propagate::forward(),
                "arc" => Propagate::arc_consistency(),
                _ => Propagate::full(),
            },)
        }),
        label: Rc::new(move |_, decision: &Decision| {
            let cell = decision.variable().index();
            // The text is `variable INDEX`, and then the relation and the value.
            let text = decision.to_string();
            let relation_and_value = text.splitn(3, ' ').last().unwrap_or_default();
            format!("{},{} {relation_and_value}", cell / side + 1, cell % side + 1)
        }),
        value: None,
        picture: Box::new(move |node: &Node<'_, Network>| {
            let domains: &Domains = node.state();
            board.state_svg(network, domains)
        }),
    }
    .run(settings))
}

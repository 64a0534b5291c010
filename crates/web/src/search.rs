//! Searches that a page runs step by step: [`Model`] and [`Run`].

use std::hash::Hash;
use std::ops::ControlFlow;
use std::rc::Rc;

use secateurs::hook::{Observed, Observer};
use secateurs::search::Strategy;
use secateurs::{Brancher, Hooks, Limits, Node, Problem, Report, Search, Stop};
use serde::Serialize;

use crate::prefix::Prefixed;
use crate::settings::Settings;
use crate::sweep::Layer;
use crate::tree::{Label, Tree, Value, Watch};

/// The most bytes that a search may use.
const MOST_BYTES: u64 = 128 << 20;

/// The most nodes that the probes of an estimate may enter, and the depth at which they end.
/// A tree without end has no size.
const MOST_PROBED: u64 = 10_000_000;
const DEEPEST: usize = 10_000;

/// A function that draws a state.
pub type Picture<P> = Box<dyn Fn(&Node<'_, P>) -> String>;

/// A problem with its brancher and hooks, and how the page shows it. The problem is leaked: each
/// run has an instance of the program of its own, whose memory is freed as a whole.
pub struct Model<P: Problem + 'static, B, H> {
    /// The instance.
    pub problem: &'static P,
    /// Creates the brancher.
    pub brancher: Box<dyn Fn() -> B>,
    /// Creates the hooks that are switched on, for the run itself if `true`, and otherwise for
    /// searches beside it, which may know another best value.
    pub hooks: Box<dyn Fn(bool) -> H>,
    /// Describes a step.
    pub label: Label<P>,
    /// The value of a solution, to be maximised; `None` if all solutions count.
    pub value: Option<Value<P>>,
    /// Draws a state.
    pub picture: Picture<P>,
}

/// A set of hooks that is observed.
pub type Seen<P, H> = Observed<Watch<P>, H>;

/// The progress of a run.
#[derive(Serialize)]
pub struct Progress {
    nodes: u64,
    solutions: u64,
    depth: usize,
    /// The names of the hooks, and the numbers of their cuts.
    hooks: Vec<(String, u64)>,
    effect: String,
    conflicts: Vec<String>,
    /// The answer so far, or the final one.
    answer: String,
    /// The reason why the run has ended, if it has.
    pub stop: Option<String>,
    /// The values of the improvements so far.
    pub bests: Vec<usize>,
    /// The layers of a sweep.
    pub layers: Vec<Layer>,
}

impl Progress {
    /// Describes a run by its report.
    pub fn new(report: &Report, answer: String, stop: Option<Stop>) -> Self {
        let hooks = report.hooks().iter().filter(|hook| !hook.is_off());
        Progress {
            nodes: report.nodes(),
            solutions: report.solutions(),
            depth: report.depth(),
            hooks: hooks.map(|hook| (hook.name().to_owned(), hook.cuts())).collect(),
            effect: report.effect().to_string(),
            conflicts: report.conflicts().to_vec(),
            answer,
            stop: stop.map(|stop| stop.to_string()),
            bests: Vec::new(),
            layers: Vec::new(),
        }
    }
}

/// An estimate of the number of nodes, with its 90 % interval if the estimate is reliable.
#[derive(Serialize)]
pub struct Size {
    mean: f64,
    interval: Option<(f64, f64)>,
    probes: u64,
}

/// A function that continues a search for so many nodes.
pub type Advance = Box<dyn FnMut(u64) -> Progress>;

/// A search that a page runs step by step.
pub struct Run {
    /// Continues the search.
    pub advance: Advance,
    /// The tree so far.
    pub tree: Rc<Tree>,
    /// Draws the node at the end of a path, given by indices among siblings.
    pub look: Box<dyn Fn(Vec<usize>) -> Option<String>>,
    /// Estimates the size of the tree from so many random probes.
    pub estimate: Box<dyn Fn(u64, u64) -> Option<Size>>,
}

impl<P, B, H> Model<P, B, H>
where
    P: Problem<State: Clone, Choice: Clone + Eq + Hash> + 'static,
    B: Brancher<P> + 'static,
    H: Hooks<P> + 'static,
{
    /// Begins to count the solutions, or to search for the first one.
    pub fn run(self, settings: &Settings) -> Run {
        let is_first = settings.get("goal") == "first";
        let breadth_first = settings.get("strategy") == "breadth";
        self.run_by(
            settings,
            !breadth_first,
            move |search| match breadth_first {
                true => solutions(search.breadth_first(), is_first),
                false => solutions(search, is_first),
            },
            move |search| solutions(search, is_first),
        )
    }

    /// Begins a search. `advance` gets the whole search, `below` one below a node.
    pub fn run_by(
        self,
        settings: &Settings,
        is_depth_first: bool,
        advance: impl FnOnce(Search<'static, P, B, Seen<P, H>>) -> Advance,
        below: impl FnOnce(Search<'static, P, Prefixed<B>, Seen<P, H>>) -> Advance,
    ) -> Run {
        let path = settings.path("below");
        let is_whole = settings.get("below").is_empty();
        let tree = Rc::new(Tree::new(is_depth_first || !is_whole));
        let watch = Watch::new(Rc::clone(&tree), Rc::clone(&self.label), self.value);
        let search = Search::new(self.problem)
            .hooks(Observed::new(watch, (self.hooks)(true)))
            .limits(Limits::new().memory(MOST_BYTES));
        let inner = (self.brancher)();
        let known = self.value.map(|(incumbent, _)| incumbent).zip(settings.read("incumbent").ok());
        let advance = match is_whole {
            true => advance(search.brancher(inner)),
            false => below(search.brancher(Prefixed { inner, path, known, ends: false })),
        };
        let model = Rc::new(self);
        let looking = Rc::clone(&model);
        Run {
            advance,
            tree,
            look: Box::new(move |path| looking.look(path)),
            estimate: Box::new(move |probes, seed| model.estimate(probes, seed)),
        }
    }

    fn look(&self, path: Vec<usize>) -> Option<String> {
        let mut draw = Draw { depth: path.len(), picture: &self.picture, drawn: None };
        let brancher = Prefixed { inner: (self.brancher)(), path, known: None, ends: true };
        let hooks = Observed::new(&mut draw, (self.hooks)(false));
        let _ = Search::new(self.problem).brancher(brancher).hooks(hooks).count();
        draw.drawn
    }

    fn estimate(&self, probes: u64, seed: u64) -> Option<Size> {
        let search = Search::new(self.problem)
            .brancher((self.brancher)())
            .hooks((self.hooks)(false))
            .limits(Limits::new().nodes(MOST_PROBED).depth(DEEPEST));
        let estimate = search.estimate(probes, seed);
        // Otherwise the estimate is that of another tree.
        let is_same = estimate.left_out().chain(estimate.unlearned()).next().is_none();
        if !is_same || estimate.stop() != Stop::Satisfied {
            return None;
        }
        let mean = estimate.nodes()?.mean;
        let interval = estimate.interval().filter(|_| estimate.is_reliable());
        Some(Size { mean, interval, probes: estimate.probes() })
    }
}

/// Returns a function that continues a search for all solutions, or for the first one.
fn solutions<P, B, H, S>(
    search: Search<'static, P, B, H, secateurs::search::Choices, S>,
    is_first: bool,
) -> Advance
where
    P: Problem + 'static,
    B: Brancher<P> + 'static,
    H: Hooks<P> + 'static,
    S: Strategy<P, B, H> + 'static,
{
    let mut solutions = search.extract(|_: &Node<'_, P>| ()).solutions();
    Box::new(move |nodes| {
        let visit = |()| if is_first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let stop = match solutions.advance(nodes, visit) {
            Stop::NodeLimit => None,
            Stop::Paused => Some(Stop::Satisfied),
            stop => Some(stop),
        };
        let counted = solutions.counted();
        let answer = match (counted.exact(), stop) {
            _ if is_first && stop == Some(Stop::Satisfied) => "found".to_owned(),
            (Some(0), _) if is_first => "there is none".to_owned(),
            (None, None) => counted.at_least().to_string(),
            _ => counted.to_string(),
        };
        Progress::new(counted.report(), answer, stop)
    })
}

/// An observer that draws the node at the end of the path that a search follows.
struct Draw<'a, P: Problem> {
    depth: usize,
    picture: &'a dyn Fn(&Node<'_, P>) -> String,
    drawn: Option<String>,
}

impl<P: Problem> Observer<P> for Draw<'_, P> {
    fn entered(&mut self, node: &Node<'_, P>, _: Option<usize>) {
        if node.depth() == self.depth {
            self.drawn = Some((self.picture)(node));
        }
    }
}

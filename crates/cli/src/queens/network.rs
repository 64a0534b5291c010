//! The constraint network: levels of propagation, and orders of rows and columns.

use clap::{Args, ValueEnum};
use secateurs::brancher::Shuffled;
use secateurs::hook::HookMemory;
use secateurs::{Brancher, Digest, Node, Search, Stop};
use secateurs_csp::{
    Ascending, Branching, CentreOut, Decision, DomainOverDegree, InputOrder, Network, Propagate,
    SmallestDomain, SwappedOrder, Variable, VariableOrder, WeightedDegree, Weights,
    least_constraining, weighted_degree,
};
use secateurs_lab::{NodeOutcome, Recording};
use secateurs_problems::queens::QueensBoard;

use crate::queens::{Arguments, answer_with};
use crate::support::{self, Failure};

/// The options of the constraint network.
#[derive(Args)]
pub struct Options {
    /// Level of propagation after each queen [--model csp; default: forward].
    #[arg(long, value_enum)]
    propagation: Option<Level>,
    /// Order of rows [--model csp; default: smallest].
    #[arg(long, value_enum)]
    order: Option<Order>,
    /// Order of the columns of a row [--model csp; default: ascending].
    #[arg(long, value_enum)]
    values: Option<Values>,
    /// Print the first nodes of the tree, as many as this, instead of the answer: the queen placed,
    /// and the board after propagation, with `Q` for a queen, `.` for a square that is left to its
    /// row and `x` for an excluded one [--model csp; default: 20 nodes].
    #[arg(long, value_name = "NODES", group = "question", num_args = 0..=1,
        default_missing_value = "20", value_parser = traced_nodes,
        conflicts_with_all = ["svg", "threads", "nodes", "progress", "checkpoint", "resume",
            "answer_only"])]
    trace: Option<usize>,
}

/// Reads the number of nodes to trace.
fn traced_nodes(text: &str) -> Result<usize, String> {
    // Reading a picture takes time linear in the number of nodes before it.
    const MAX: usize = 10_000;
    match support::positive(text)? {
        nodes if nodes > MAX => Err(format!("expected a whole number from 1 to {MAX}")),
        nodes => Ok(nodes),
    }
}

impl Options {
    /// Returns one of the options that were given, if any was.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--propagation", self.propagation.is_some()),
            ("--order", self.order.is_some()),
            ("--values", self.values.is_some()),
            ("--trace", self.trace.is_some()),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }

    /// Describes these options, for the fingerprint of a saved search.
    pub fn description(&self, seed: u64) -> String {
        fn name<V: ValueEnum>(value: Option<V>) -> String {
            value
                .and_then(|value| Some(value.to_possible_value()?.get_name().to_owned()))
                .unwrap_or_default()
        }
        let values = match self.values {
            Some(Values::Random) => format!("random {seed}"),
            values => name(values),
        };
        format!("{} {} {values}", name(self.propagation), name(self.order))
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Level {
    /// Check a queen against those placed: plain backtracking.
    Backward,
    /// Exclude the squares that a queen attacks.
    Forward,
    /// Forward, but go on when a row has no square left, until it is the row's turn: the program
    /// of the article.
    ForwardWithoutWipeOutTest,
    /// Forward, and exclude the squares that would leave some row without squares.
    ArcConsistency,
    /// All propagation that the constraints offer.
    Full,
}

impl From<Level> for Propagate {
    fn from(level: Level) -> Self {
        match level {
            Level::Backward => Propagate::backward(),
            Level::Forward => Propagate::forward(),
            Level::ForwardWithoutWipeOutTest => Propagate::forward().without_wipe_out_test(),
            Level::ArcConsistency => Propagate::arc_consistency(),
            Level::Full => Propagate::full(),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    /// From the top down.
    Input,
    /// The row with the fewest free squares; ties go to the uppermost.
    Smallest,
    /// The row with the fewest free squares; ties go to the lowest.
    SmallestLast,
    /// The row with the fewest free squares; ties go to the first in an array of rows whose swaps
    /// are never undone.
    Swapped,
    /// The same with ties going to the last in the array.
    SwappedLast,
    /// The row with the fewest free squares per constraint shared with another open row.
    DomainDegree,
    /// The same, where each conflict increases the weight of its constraint.
    Weighted,
}

#[derive(Clone, Copy, ValueEnum)]
enum Values {
    /// From left to right.
    Ascending,
    /// From the middle outwards.
    CentreOut,
    /// First the column that excludes the fewest free squares of other rows.
    LeastConstraining,
    /// In random order; see --seed.
    Random,
}

/// The selected order of rows.
#[derive(Clone)]
enum Rows {
    Input(InputOrder),
    Smallest(SmallestDomain),
    Swapped(SwappedOrder),
    Degree(DomainOverDegree),
    Weighted(WeightedDegree),
}

impl Rows {
    fn new(order: Order, weights: &Weights) -> Self {
        match order {
            Order::Input => Rows::Input(InputOrder),
            Order::Smallest => Rows::Smallest(SmallestDomain::first_tie()),
            Order::SmallestLast => Rows::Smallest(SmallestDomain::last_tie()),
            Order::Swapped => Rows::Swapped(SwappedOrder::first_tie()),
            Order::SwappedLast => Rows::Swapped(SwappedOrder::last_tie()),
            Order::DomainDegree => Rows::Degree(DomainOverDegree::first_tie()),
            Order::Weighted => Rows::Weighted(weighted_degree(weights)),
        }
    }

    /// Returns the name of the order, and the order.
    fn order(&self) -> (&str, &dyn VariableOrder<Network>) {
        match self {
            Rows::Input(order) => ("input", order),
            Rows::Smallest(order) => ("smallest", order),
            Rows::Swapped(order) => ("swapped", order),
            Rows::Degree(order) => ("degree", order),
            Rows::Weighted(order) => ("weighted", order),
        }
    }
}

impl VariableOrder<Network> for Rows {
    fn parameters(&self) -> Option<Digest> {
        let (name, order) = self.order();
        Digest::all([Some(Digest::of(name)), order.parameters()])
    }

    fn memory(&self) -> HookMemory {
        self.order().1.memory()
    }

    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        match self {
            Rows::Input(order) => order.choose(node),
            Rows::Smallest(order) => order.choose(node),
            Rows::Swapped(order) => order.choose(node),
            Rows::Degree(order) => order.choose(node),
            Rows::Weighted(order) => order.choose(node),
        }
    }
}

/// Answers by the network.
pub fn answer(board: &QueensBoard, arguments: &Arguments) -> Result<(), Failure> {
    let order = arguments.network.order.unwrap_or(Order::Smallest);
    let network = &board.network();
    match arguments.network.values.unwrap_or(Values::Ascending) {
        Values::Ascending => answer_in_order(
            network,
            |weights| Branching::new(Rows::new(order, weights), Ascending),
            board,
            arguments,
        ),
        Values::CentreOut => answer_in_order(
            network,
            |weights| Branching::new(Rows::new(order, weights), CentreOut),
            board,
            arguments,
        ),
        Values::LeastConstraining => {
            let order = |weights: &Weights| least_constraining(Rows::new(order, weights));
            answer_in_order(network, order, board, arguments)
        }
        Values::Random => {
            let random = |weights: &Weights| {
                Shuffled::over(Branching::new(Rows::new(order, weights), Ascending), arguments.seed)
            };
            answer_in_order(network, random, board, arguments)
        }
    }
}

/// Answers by searches of the network. Each search gets a new order and new weights of constraints.
fn answer_in_order<B: Brancher<Network> + Clone + Send>(
    network: &Network,
    order: impl Fn(&Weights) -> B,
    board: &QueensBoard,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let level = arguments.network.propagation.unwrap_or(Level::Forward);
    let is_weighted = matches!(arguments.network.order, Some(Order::Weighted));
    let columns = |node: &Node<'_, Network>| {
        let column = |row| node.state().value(row).and_then(|column| usize::try_from(column).ok());
        // At a solution every variable has a value.
        network.variables().map(|row| column(row).unwrap_or_default()).collect::<Vec<usize>>()
    };
    let parts = || {
        let (weights, propagate) = (Weights::new(network), Propagate::from(level));
        let propagate = if is_weighted { propagate.with_weights(&weights) } else { propagate };
        (propagate, order(&weights))
    };
    if let Some(nodes) = arguments.network.trace {
        let (propagate, order) = parts();
        return trace(network, propagate, order, nodes, board, arguments);
    }
    let search = || {
        let (propagate, order) = parts();
        let search = Search::new(network).limits(arguments.run.limits());
        search.hooks((propagate,)).brancher(order).extract(columns)
    };
    answer_with(search, board, arguments)
}

/// Prints the first nodes of the tree with the domains after propagation.
fn trace<B: Brancher<Network>>(
    network: &Network,
    propagate: Propagate,
    order: B,
    nodes: usize,
    board: &QueensBoard,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let mut recording = Recording::new()
        .node_limit(nodes)
        .label(|_, decision: &Decision| match *decision {
            Decision::Is(row, column) => format!("row {}, column {}", row.index() + 1, column + 1),
            other => other.to_string(),
        })
        .picture(|node| domains(node, board));
    let limits = arguments.run.limits().nodes(nodes as u64);
    let search = Search::new(network).limits(limits).hooks(recording.of((propagate,)));
    let outcome = search.brancher(order).count();
    recording.ended(outcome.report());
    for node in recording.nodes() {
        let choice = node.label().map_or(String::new(), |label| format!(": {label}"));
        let end = match node.outcome() {
            NodeOutcome::Solution => ", a solution".to_owned(),
            NodeOutcome::DeadEnd => ", a dead end".to_owned(),
            NodeOutcome::NotKept(hook) => format!(", cut by {}", recording.hooks()[hook]),
            _ => String::new(),
        };
        let picture = node.picture().unwrap_or_default();
        support::print(format_args!("depth {}{choice}{end}\n{picture}\n", node.depth()))?;
    }
    match outcome.stop() {
        Stop::NodeLimit => support::print("The tree goes on; --trace NODES prints more of it.\n"),
        stop => support::check_complete(stop),
    }
}

/// Formats the board of a node, and names each row that has no square left.
fn domains(node: &Node<'_, Network>, board: &QueensBoard) -> String {
    let domains = node.state();
    let rows = node.problem().variables().map(|row| {
        let is_placed = |column| {
            !domains.is_open(row) || board.queens().contains(&(row.index(), column as usize))
        };
        let square = |column| match domains.contains(row, column) {
            true if is_placed(column) => 'Q',
            true => '.',
            false => 'x',
        };
        let squares: String = (0..board.size() as i32).map(square).collect();
        let without = format!("  row {} has no square left", row.index() + 1);
        format!("{squares}{}\n", if domains.is_wiped_out(row) { &without } else { "" })
    });
    rows.collect()
}

//! Predictions of tree sizes against full counts: `cargo test --release --test predictions --
//! --ignored --nocapture` prints a table by method.

// Compiling these tests takes far longer than running them: without optimisation there are none.
#![cfg(any(not(debug_assertions), clippy))]

mod time_left;
#[path = "../support"]
mod shared {
    pub mod golomb;
    pub mod random_networks;
}

use secateurs::brancher::Brancher;
use secateurs::hook::Hooks;
use secateurs::search::estimate::Estimate;
use secateurs::{Direction, Incumbent, Limits, Node, Problem, Search};
use secateurs_csp::{
    Ascending, Branching, Halves, InputOrder, Network, Propagate, SmallestDomain, Variable,
    minimise,
};
use secateurs_problems::fire_net::{FireNetBoard, FireNetPrunings, FireNetSettings};
use secateurs_problems::knapsack::Knapsack;

use crate::shared::golomb::golomb_ruler;
use crate::shared::random_networks::{coloring, latin};

/// A way to estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Knuth,
    Chen,
    Learned,
    /// With the type system of the kind of tree.
    Typed,
}

const METHODS: [Method; 4] = [Method::Knuth, Method::Chen, Method::Learned, Method::Typed];

/// A tree that was counted, and estimates of it with a method, a budget of nodes and a seed.
struct Tree {
    kind: &'static str,
    size: u64,
    sample: Box<dyn Fn(Method, u64, u64) -> Estimate>,
}

/// The sizes of trees in the table.
const SIZES: std::ops::RangeInclusive<u64> = 100_000..=30_000_000;

/// Counts a tree; `None` if its size is outside the range.
fn tree<P, B, H>(
    kind: &'static str,
    search: impl Fn() -> Search<'static, P, B, H> + 'static,
    types: Option<fn(&Node<'_, P>, i64) -> u64>,
    optimum: i64,
) -> Option<Tree>
where
    P: Problem + 'static,
    B: Brancher<P> + 'static,
    H: Hooks<P> + 'static,
{
    let limits = Limits::new().nodes(SIZES.end() + 1);
    let size = search().limits(limits).count().into_parts().1.nodes();
    let sample = move |method, budget: u64, seed| match method {
        Method::Knuth => {
            let pilot = search().estimate(256, seed + 1_000_000);
            let probes = budget * 256 / pilot.visited();
            search().estimate(probes.max(2), seed)
        }
        Method::Chen => {
            search().limits(Limits::new().nodes(budget)).estimate_stratified(u64::MAX, seed)
        }
        Method::Learned => search().estimate_within(budget, seed),
        Method::Typed => match types {
            Some(types) => search().estimate_within_by(budget, seed, |node| types(node, optimum)),
            None => search().estimate_within(budget, seed),
        },
    };
    SIZES.contains(&size).then(|| Tree { kind, size, sample: Box::new(sample) })
}

/// Returns fire-net boards with the article's prunings 1–2 to 1–5, ten for each set. Bounds compare
/// with the optimum.
fn fire_nets() -> Vec<Tree> {
    let of_prunings = |last: usize| {
        let trees = (0..).filter_map(move |seed| {
            let side = [6, 7, 8, 9, 10][seed as usize % 5] + if last > 2 { 1 } else { 0 };
            let density = [0.6, 0.7, 0.8][seed as usize % 3];
            let seed = seed + 1000 * last as u64;
            let board = leak(FireNetBoard::random(side, side, density, seed).expect("a board"));
            let &optimum = FireNetSettings::default().solve(board).proven()?;
            tree("fire-net", move || fire_net(board, optimum, last), None, 0)
        });
        trees.take(10)
    };
    (2..=5).flat_map(of_prunings).collect()
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Returns the search of a fire-net board with the article's prunings up to `last`, from the known
/// optimum.
fn fire_net(
    board: &'static FireNetBoard,
    optimum: usize,
    last: usize,
) -> Search<
    'static,
    FireNetBoard,
    impl Brancher<FireNetBoard> + Clone + Send,
    impl Hooks<FireNetBoard> + Clone + Send,
> {
    let known = Incumbent::new(Direction::Maximise);
    known.offer(optimum);
    FireNetSettings::article(FireNetPrunings::of(1..=last)).search(board, &known)
}

/// Returns the search of a network by full propagation, the smallest domain first.
fn by_smallest_domain(
    network: &'static Network,
) -> Search<
    'static,
    Network,
    impl Brancher<Network> + Clone + Send + use<>,
    impl Hooks<Network> + Clone + Send + use<>,
> {
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    Search::new(network).hooks((Propagate::full(),)).brancher(order)
}

/// Returns the search of a network by full propagation and by halves of domains.
fn by_halves(
    network: &'static Network,
) -> Search<
    'static,
    Network,
    impl Brancher<Network> + Clone + Send + use<>,
    impl Hooks<Network> + Clone + Send + use<>,
> {
    Search::new(network).hooks((Propagate::full(),)).brancher(Halves::new(InputOrder))
}

/// Returns the search for a ruler whose last mark is below a limit.
fn shorter_ruler(
    network: &'static Network,
    length: Variable,
    limit: i32,
) -> Search<
    'static,
    Network,
    impl Brancher<Network> + Clone + Send + use<>,
    impl Hooks<Network> + Clone + Send + use<>,
> {
    let (shortest, shorter) = minimise(length);
    let _ = shortest.incumbent().offer(limit);
    let hooks = (shorter, Propagate::full());
    Search::new(network).hooks(hooks).brancher(Halves::new(InputOrder))
}

/// The remaining domains: the sum of the logarithms of their sizes.
fn remaining(node: &Node<'_, Network>, _: i64) -> u64 {
    let domains = node.state();
    let bits: f64 =
        domains.open_variables().map(|variable| (domains.size(variable) as f64).log2()).sum();
    (2.0 * bits) as u64
}

/// Returns ten networks of colourings and ten of Latin squares.
fn networks() -> Vec<Tree> {
    let mut colorings = Vec::new();
    let mut squares = Vec::new();
    for seed in 0.. {
        if colorings.len() < 10 {
            let density = [0.3, 0.4, 0.5][seed as usize % 3];
            let network = leak(coloring(20 + seed as usize % 10, density, 4, seed));
            let search = move || by_smallest_domain(network);
            colorings.extend(tree("network", search, Some(remaining), 0));
        }
        if squares.len() < 10 {
            let network = leak(latin(6, 6 + seed as usize % 6, seed));
            let search = move || by_halves(network);
            squares.extend(tree("network", search, Some(remaining), 0));
        }
        if colorings.len() == 10 && squares.len() == 10 {
            break;
        }
    }
    colorings.into_iter().chain(squares).collect()
}

/// The gap between the bound and the optimum, and the room, both by powers of two.
fn gap_and_room(node: &Node<'_, Knapsack>, optimum: i64) -> u64 {
    let gap = node.problem().relaxation(node.state()).saturating_sub(optimum as u64);
    u64::from((1 + gap).ilog2() * 64 + (1 + node.state().room).ilog2())
}

/// Returns trees of branch and bound with a fixed incumbent: Golomb rulers and knapsacks.
fn bounds() -> Vec<Tree> {
    let mut trees = Vec::new();
    for marks in 7..=9 {
        for limit in 25..=60 {
            if trees.len() == 6 {
                break;
            }
            let (network, length) = golomb_ruler(marks);
            let network = leak(network);
            let search = move || shorter_ruler(network, length, limit);
            trees.extend(tree("bound", search, Some(remaining), 0));
        }
    }
    for seed in 0.. {
        let items = 20 + seed as usize % 30;
        let knapsack = Knapsack::strongly_correlated(items, 1000, seed).expect("small sums");
        let knapsack = leak(knapsack);
        let value = Knapsack::objective();
        let bound = value.bound("relaxation", Knapsack::relaxation);
        let limits = Limits::new().nodes(*SIZES.end());
        let Some(&optimum) =
            Search::new(knapsack).hooks((bound,)).limits(limits).best(&value).proven()
        else {
            continue;
        };
        trees.extend(tree(
            "bound",
            move || {
                let value = Knapsack::objective();
                let _ = value.incumbent().offer(optimum);
                Search::new(knapsack).hooks((value.bound("relaxation", Knapsack::relaxation),))
            },
            Some(gap_and_room),
            optimum as i64,
        ));
        if trees.len() == 20 {
            return trees;
        }
    }
    unreachable!("the loop returns")
}

/// The results of a method on a kind of trees.
#[derive(Default)]
struct Score {
    estimates: u32,
    within_two: u32,
    covered: u32,
    log_width: f64,
    cost: f64,
}

impl Score {
    fn add(&mut self, estimate: &Estimate, size: u64, budget: u64) {
        let size = size as f64;
        self.estimates += 1;
        self.cost += estimate.visited() as f64 / budget as f64;
        let ratio = estimate.nodes().map_or(0.0, |nodes| nodes.mean / size);
        self.within_two += u32::from((0.5..=2.0).contains(&ratio));
        if let Some((from, to)) = estimate.interval() {
            self.covered += u32::from((from..=to).contains(&size));
            self.log_width += (to / from).ln();
        }
    }

    fn percent(&self, number: u32) -> f64 {
        100.0 * f64::from(number) / f64::from(self.estimates)
    }

    fn print(&self, kind: &str, method: Method) {
        let estimates = f64::from(self.estimates);
        println!(
            "| {kind} | {method:?} | {:.0} % | {:.0} % | {:.1} | {:.2} % |",
            self.percent(self.within_two),
            self.percent(self.covered),
            (self.log_width / estimates).exp(),
            self.cost / estimates
        );
    }

    /// Asserts that the guide has these shares in the row of the method and a column of its table.
    fn assert_documented(&self, column: &str, method: Method) {
        let page = include_str!("../../docs/comparing-prunings.md");
        let cells = |line: &'static str| line.split('|').map(str::trim).collect::<Vec<_>>();
        let label = match method {
            Method::Knuth => "| `estimate` (Knuth)",
            Method::Chen => "| `estimate_stratified` (Chen)",
            Method::Learned => "| `estimate_within` |",
            Method::Typed => "| `estimate_within_by`",
        };
        let line = |start| cells(page.lines().find(|line| line.starts_with(start)).expect("a row"));
        let place = line("| method | fire-net").iter().position(|&cell| cell == column);
        let percents = [self.within_two, self.covered].map(|number| self.percent(number));
        let shares = format!("{:.0} %, {:.0} %", percents[0], percents[1]);
        assert_eq!(line(label)[place.expect("a column")], shares, "{column}, {method:?}");
    }
}

#[test]
#[ignore = "minutes: cargo test --release --test predictions -- --ignored --nocapture"]
fn estimates_are_near_and_intervals_contain_the_size() {
    const SEEDS: u64 = 3;
    println!("| trees | method | within 2 | covered | width | nodes |");
    println!("|---|---|---:|---:|---:|---:|");
    let mut all: [Score; METHODS.len()] = Default::default();
    for trees in [networks as fn() -> Vec<Tree>, bounds, fire_nets] {
        let trees: Vec<Tree> = trees();
        let kind = trees[0].kind;
        for (method, all) in METHODS.into_iter().zip(&mut all) {
            let mut score = Score::default();
            for tree in &trees {
                let budget = (tree.size / 100).min(1_000_000);
                for seed in 0..SEEDS {
                    let estimate = (tree.sample)(method, budget, seed);
                    score.add(&estimate, tree.size, budget);
                    all.add(&estimate, tree.size, budget);
                }
            }
            score.print(kind, method);
            let column = match kind {
                "network" => "networks",
                "bound" => "branch and bound",
                other => other,
            };
            // No types of fire-net boards are supplied.
            if (column, method) != ("fire-net", Method::Typed) {
                score.assert_documented(column, method);
            }
            if method == Method::Typed {
                let (within, covered) =
                    (score.percent(score.within_two), score.percent(score.covered));
                assert!(within >= 80.0 && (70.0..=97.0).contains(&covered), "{kind}");
            }
        }
    }
    for (method, score) in METHODS.into_iter().zip(&all) {
        score.print("all", method);
        score.assert_documented("all", method);
        let (within, covered) = (score.percent(score.within_two), score.percent(score.covered));
        if method == Method::Typed {
            assert!(within >= 88.0 && (84.0..=96.0).contains(&covered));
        }
    }
}

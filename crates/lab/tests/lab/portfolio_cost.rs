//! Portfolios of ten strategies against the best strategy in hindsight.

use std::time::Instant;

use secateurs::brancher::Brancher;
use secateurs::hook::Hooks;
use secateurs::{Count, Direction, Incumbent, Limits, Problem, Search};
use secateurs_csp::{
    Ascending, Branching, CentreOut, DomainOverDegree, Halves, InputOrder, Network, Propagate,
    SmallestDomain,
};
use secateurs_lab::{Portfolio, PortfolioCost, PortfolioOutcome};
use secateurs_problems::fire_net::{FireNetBoard, FireNetPrunings, FireNetSettings};

use crate::support::random_networks::{coloring, latin};

/// The numbers of nodes that the best strategy may need.
const SIZES: std::ops::RangeInclusive<u64> = 500_000..=8_000_000;

/// A strategy is stopped when it has visited this many times the nodes of the best one so far.
const MULTIPLE: u64 = 2;

/// The number of portfolios with different seeds. For their times, the best strategy runs in turn.
const TURNS: u64 = 3;

/// Runs a strategy alone, and returns its nodes and seconds if it ended within the limits.
type Alone = Box<dyn Fn(Limits) -> Option<(u64, f64)>>;

type Added = Portfolio<'static, Count>;

/// An instance with its strategies.
struct Instance {
    kind: &'static str,
    /// Add one strategy to a portfolio.
    entrants: Vec<Box<dyn Fn(Added) -> Added>>,
    /// Run one strategy alone.
    alone: Vec<Alone>,
}

/// The costs of a portfolio and of the best strategy, in nodes or seconds.
#[derive(Clone, Copy, Default)]
struct Costs {
    raced: f64,
    best: f64,
}

impl Costs {
    fn add(&mut self, other: Costs) {
        self.raced += other.raced;
        self.best += other.best;
    }

    fn ratio(&self) -> f64 {
        self.raced / self.best
    }
}

/// Returns a result and the seconds that it took.
fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let began = Instant::now();
    let result = run();
    (result, began.elapsed().as_secs_f64())
}

impl Instance {
    fn new(kind: &'static str) -> Self {
        Instance { kind, entrants: Vec::new(), alone: Vec::new() }
    }

    fn strategy<P, B, H>(
        mut self,
        search: impl Fn() -> Search<'static, P, B, H> + Copy + 'static,
    ) -> Self
    where
        P: Problem<Choice: Clone> + 'static,
        B: Brancher<P> + 'static,
        H: Hooks<P> + 'static,
    {
        let name = self.alone.len().to_string();
        self.entrants.push(Box::new(move |portfolio| {
            portfolio.strategy(name.clone(), search, |search| search.count())
        }));
        self.alone.push(Box::new(move |limits| {
            let (outcome, seconds) = timed(|| search().limits(limits).count());
            outcome.stop().is_exhausted().then_some((outcome.report().nodes(), seconds))
        }));
        self
    }

    /// Runs all strategies with a cost.
    fn race(&self, cost: PortfolioCost, seed: u64) -> PortfolioOutcome<Count> {
        let empty = Portfolio::new().cost(cost).seed(seed);
        let raced = self.entrants.iter().fold(empty, |all, add| add(all)).run();
        assert!(raced.outcome().stop().is_exhausted());
        raced
    }

    /// Returns the costs in nodes and in seconds, if the numbers of nodes are in the range.
    fn costs(&self, seed: u64) -> Option<(Costs, Costs)> {
        // Strategies that are far from the best need not end.
        let mut fewest = u64::MAX;
        let mut ended = Vec::new();
        for (index, alone) in self.alone.iter().enumerate() {
            let nodes = MULTIPLE.saturating_mul(fewest).min(2 * SIZES.end());
            if let Some((nodes, seconds)) = alone(Limits::new().nodes(nodes)) {
                fewest = fewest.min(nodes);
                ended.push((index, seconds));
            }
            if fewest < *SIZES.start() {
                return None;
            }
        }
        let &(fastest, _) = ended.iter().min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        if fewest > *SIZES.end() {
            return None;
        }
        let (mut nodes, mut seconds) = (Costs::default(), Costs::default());
        for turn in 0..TURNS {
            let seed = seed + 1_000_000 * turn;
            let raced = self.race(PortfolioCost::Nodes, seed).total_cost();
            nodes.add(Costs { raced, best: fewest as f64 });
            let best = self.alone[fastest](Limits::new())?.1;
            let (_, raced) = timed(|| self.race(PortfolioCost::Time, seed));
            seconds.add(Costs { raced, best });
        }
        Some((nodes, seconds))
    }
}

/// Returns a network with ten combinations of a variable order and a value order.
fn orders(kind: &'static str, network: Network) -> Instance {
    let network: &'static Network = Box::leak(Box::new(network));
    macro_rules! strategies {
        ($($brancher:expr),*) => {
            Instance::new(kind)$(.strategy(move || {
                Search::new(network).hooks((Propagate::full(),)).brancher($brancher)
            }))*
        };
    }
    strategies!(
        Branching::new(InputOrder, Ascending),
        Branching::new(SmallestDomain::first_tie(), Ascending),
        Branching::new(SmallestDomain::last_tie(), Ascending),
        Branching::new(DomainOverDegree::first_tie(), Ascending),
        Branching::new(InputOrder, CentreOut),
        Branching::new(SmallestDomain::first_tie(), CentreOut),
        Halves::new(InputOrder),
        Halves::new(SmallestDomain::first_tie()),
        Halves::new(SmallestDomain::last_tie()),
        Halves::new(DomainOverDegree::first_tie())
    )
}

/// Returns a fire-net board with ten sets of prunings, whose bounds compare with the optimum.
fn prunings(seed: u64) -> Option<Instance> {
    let side = [9, 10, 11][seed as usize % 3];
    let density = [0.6, 0.7, 0.8][seed as usize / 3 % 3];
    let board = FireNetBoard::random(side, side, density, seed).expect("a board");
    let optimum = *FireNetSettings::default().solve(&board).proven()?;
    let board: &'static FireNetBoard = Box::leak(Box::new(board));
    let sets: [fn() -> FireNetPrunings; 10] = [
        || FireNetPrunings::of(1..=5),
        || FireNetPrunings::of([1, 2, 3, 5]),
        || FireNetPrunings::of([1, 2, 4, 5]),
        || FireNetPrunings::of(1..=4),
        || FireNetPrunings::of([1, 2, 5]),
        || FireNetPrunings::of([1, 2, 4]),
        || FireNetPrunings::of(1..=3),
        || FireNetPrunings::of(1..=2),
        || FireNetPrunings::of([1, 3]),
        || FireNetPrunings::of(1..=1),
    ];
    Some(sets.into_iter().fold(Instance::new("fire-net"), |instance, set| {
        instance.strategy(move || {
            let known = Incumbent::new(Direction::Maximise);
            known.offer(optimum);
            FireNetSettings::article(set()).search(board, &known)
        })
    }))
}

#[test]
#[ignore = "minutes: cargo test --release -p secateurs-lab --test lab -- --ignored portfolio"]
fn portfolios_cost_little_more_than_the_best_strategy() {
    type Family = fn(u64) -> Option<Instance>;
    let families: [(usize, Family); 3] = [
        (17, |seed| {
            let density = [0.3, 0.4, 0.5][seed as usize % 3];
            Some(orders("colouring", coloring(24 + seed as usize % 10, density, 4, seed)))
        }),
        (16, |seed| Some(orders("Latin square", latin(6, 4 + seed as usize % 6, seed)))),
        (17, prunings),
    ];
    println!("| instances | number | nodes | seconds | worst, nodes |");
    println!("|---|---:|---:|---:|---:|");
    let (mut all_nodes, mut all_seconds) = (Costs::default(), Costs::default());
    for (number, family) in families {
        let (mut nodes, mut seconds) = (Costs::default(), Costs::default());
        let (mut found, mut worst) = (0, 0.0_f64);
        let mut kind = "";
        for seed in 0.. {
            let Some(instance) = family(seed) else { continue };
            let Some((of_nodes, of_seconds)) = instance.costs(seed) else { continue };
            kind = instance.kind;
            nodes.add(of_nodes);
            seconds.add(of_seconds);
            worst = worst.max(of_nodes.ratio());
            found += 1;
            if found == number {
                break;
            }
        }
        all_nodes.add(nodes);
        all_seconds.add(seconds);
        println!(
            "| {kind} | {number} | {:.2} | {:.2} | {worst:.2} |",
            nodes.ratio(),
            seconds.ratio()
        );
    }
    println!("| all | 50 | {:.2} | {:.2} | |", all_nodes.ratio(), all_seconds.ratio());
    let nodes = all_nodes.ratio();
    assert!(nodes <= 1.3, "{nodes}");
}

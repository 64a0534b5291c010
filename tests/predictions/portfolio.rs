//! Portfolios of ten strategies against the best strategy in hindsight.

use secateurs::brancher::Brancher;
use secateurs::csp::{
    Ascending, Branching, CentreOut, DomainOverDegree, Halves, InputOrder, Network, Propagate,
    SmallestDomain,
};
use secateurs::hook::Hooks;
use secateurs::problems::fire_net::{FireNetBoard, FireNetPrunings, FireNetSettings};
use secateurs::search::{Portfolio, PortfolioCost};
use secateurs::{Count, Direction, Incumbent, Limits, Problem, Search};

use crate::{coloring, latin};

/// The numbers of nodes that the best strategy may need.
const SIZES: std::ops::RangeInclusive<u64> = 30_000..=400_000;

/// Runs a strategy alone, and returns its nodes and seconds if it ended within the limits.
type Alone = Box<dyn Fn(Limits) -> Option<(u64, f64)>>;

type Added = Portfolio<'static, Count>;

/// An instance with its strategies.
struct Instance {
    kind: &'static str,
    /// Add one strategy to a portfolio.
    entrants: Vec<Box<dyn Fn(Added) -> Added>>,
    /// Run one strategy alone, and return its nodes and seconds, unless it reaches the limits.
    alone: Vec<Alone>,
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
            let outcome = search().limits(limits).count();
            let (nodes, elapsed) = (outcome.report().nodes(), outcome.report().elapsed());
            outcome.stop().is_exhausted().then_some((nodes, elapsed.as_secs_f64()))
        }));
        self
    }

    /// Returns the fewest nodes and the fewest seconds of a strategy, if both are in the range.
    fn best_in_hindsight(&self) -> Option<(u64, f64)> {
        // Strategies that are far from the best need not end.
        let mut best = (*SIZES.end(), f64::MAX);
        for alone in &self.alone {
            if let Some((nodes, seconds)) = alone(Limits::new().nodes(2 * best.0)) {
                best = (best.0.min(nodes), best.1.min(seconds));
            }
        }
        (SIZES.contains(&best.0) && best.1 < f64::MAX).then_some(best)
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
    let side = [7, 8, 9][seed as usize % 3];
    let density = [0.6, 0.7, 0.8][seed as usize / 3 % 3];
    let board = FireNetBoard::random(side, side, density, seed).expect("a board");
    let optimum = *FireNetSettings::default().solve(&board).proven()?;
    let board: &'static FireNetBoard = Box::leak(Box::new(board));
    let sets: [fn() -> FireNetPrunings; 10] = [
        || FireNetPrunings::of(1..=1),
        || FireNetPrunings::of(1..=2),
        || FireNetPrunings::of(1..=3),
        || FireNetPrunings::of(1..=4),
        || FireNetPrunings::of(1..=5),
        || FireNetPrunings::of([1, 3]),
        || FireNetPrunings::of([1, 2, 4]),
        || FireNetPrunings::of([1, 2, 5]),
        || FireNetPrunings::of([1, 2, 3, 5]),
        || FireNetPrunings::of([1, 2, 4, 5]),
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
#[ignore = "expensive: cargo test --release --test predictions portfolio -- --ignored --nocapture"]
fn portfolios_cost_little_more_than_the_best_strategy() {
    type Family = fn(u64) -> Option<Instance>;
    let families: [(usize, Family); 3] = [
        (17, |seed| {
            let density = [0.3, 0.4, 0.5][seed as usize % 3];
            Some(orders("colouring", coloring(20 + seed as usize % 10, density, 4, seed)))
        }),
        (16, |seed| Some(orders("Latin square", latin(6, 6 + seed as usize % 6, seed)))),
        (17, prunings),
    ];
    println!("| instances | number | nodes | seconds | worst, nodes |");
    println!("|---|---:|---:|---:|---:|");
    let mut all = [0.0; 4];
    for (number, family) in families {
        let mut sums = [0.0; 4];
        let (mut found, mut worst) = (0, 0.0_f64);
        let mut kind = "";
        for seed in 0.. {
            let Some(instance) = family(seed) else { continue };
            let Some((nodes, seconds)) = instance.best_in_hindsight() else { continue };
            kind = instance.kind;
            let run = |cost| {
                let empty = Search::<Network>::portfolio().cost(cost).seed(seed);
                let raced = instance.entrants.iter().fold(empty, |all, add| add(all)).run();
                assert!(raced.outcome().stop().is_exhausted());
                raced.total_cost()
            };
            let raced_nodes = run(PortfolioCost::Nodes);
            worst = worst.max(raced_nodes / nodes as f64);
            let figures = [raced_nodes, nodes as f64, run(PortfolioCost::Time), seconds];
            (0..4).for_each(|place| sums[place] += figures[place]);
            found += 1;
            if found == number {
                break;
            }
        }
        (0..4).for_each(|place| all[place] += sums[place]);
        let [nodes, best_nodes, seconds, best_seconds] = sums;
        println!(
            "| {kind} | {number} | {:.2} | {:.2} | {worst:.2} |",
            nodes / best_nodes,
            seconds / best_seconds
        );
    }
    let (nodes, seconds) = (all[0] / all[1], all[2] / all[3]);
    println!("| all | 50 | {nodes:.2} | {seconds:.2} | |");
    assert!(nodes <= 1.3, "{nodes}");
}

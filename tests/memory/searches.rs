//! Memory limits of searches.

use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use secateurs::checkpoint::Fingerprint;
use secateurs::diagram::{AdditiveValue, DiagramProblem};
use secateurs::hook::{self, Dominance, Memo};
use secateurs::search::{Checkpoint, Frontier};
use secateurs::{
    Branch, CopyProblem, Effect, Limits, Node, Objective, Problem, Search, Stop, Verdict,
    block_bytes,
};
use secateurs_csp::{Model, Propagate};
use secateurs_problems::graph::Graph;
use secateurs_problems::independent_set::IndependentSets;
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::max_2sat::MaxTwoSat;
use secateurs_problems::sudoku::Sudoku;
use secateurs_problems::tardiness::Tardiness;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::scratch::Directory;
use crate::shared::endless::{Words, value};
use crate::{assert_at_most, assert_out_of_memory, assert_within, growth};

const MIB: usize = 1 << 20;

fn limited(problem: &Words, limit: usize) -> Search<'_, Words> {
    Search::new(problem).limits(Limits::new().memory(limit as u64))
}

#[test]
fn the_cuts_counted_at_each_depth_are_included_in_the_limit() {
    crate::alone();
    let problem = Words { tail: 0 };
    let limit = 16 * MIB;
    // Each hook cuts off one letter at each node of a path without an end.
    let but = |letter: u8| {
        hook::admit("but", Effect::Lossy, move |_: &Node<'_, Words>, &next: &u8| {
            Verdict::prune_if(next == letter)
        })
    };
    let search = || limited(&problem, limit).hooks((1..8).map(but).collect::<Vec<_>>());
    assert_out_of_memory("seven hooks", limit, || search().count().stop());
    assert_out_of_memory("seven hooks, breadth first", limit, || {
        search().breadth_first().count().stop()
    });
    let longest = Objective::maximise_for(&problem, |_, _| 0_u8);
    longest.incumbent().offer(7);
    let order = longest.next_within(|problem, state, cursor, to_beat| {
        std::iter::from_fn(|| problem.next(state, cursor))
            .find(|letter| to_beat.is_beaten_by(letter))
    });
    assert_out_of_memory("a brancher that leaves out children", limit, || {
        limited(&problem, limit).brancher(order).best(&longest).stop()
    });
}

#[test]
fn breadth_first_search_includes_open_nodes_and_their_states_in_the_limit() {
    crate::alone();
    for (tail, limit) in [(0, 4 * MIB), (0, 16 * MIB), (1000, 16 * MIB)] {
        let problem = Words { tail };
        assert_out_of_memory(&format!("breadth first, {tail} bytes more a state"), limit, || {
            limited(&problem, limit).breadth_first().count().stop()
        });
    }
}

#[test]
fn best_first_search_includes_open_nodes_in_the_limit() {
    crate::alone();
    let problem = Words { tail: 0 };
    let objective = Objective::maximise(value);
    for limit in [4 * MIB, 16 * MIB] {
        // Among equal bounds, the deepest node comes first. Then few nodes are open, and the search
        // may stay below the limit.
        let limits = Limits::new().memory(limit as u64).nodes(20_000);
        let search = Search::new(&problem).limits(limits);
        let search = search.best_first(&objective, |_: &Words, _: &_| u32::MAX);
        let (stop, grown) = growth(|| search.count().stop());
        assert!(matches!(stop, Stop::MemoryLimit | Stop::NodeLimit), "{stop}");
        assert_at_most("best first, equal bounds", limit, grown);
        // With pseudorandom bounds, many nodes are open.
        let search = || limited(&problem, limit).best_first(&objective, value);
        let (stop, grown) = growth(|| search().count().stop());
        assert_eq!(stop, Stop::MemoryLimit);
        assert_within("best first", limit, grown);
    }
}

#[test]
fn memos_evict_entries_rather_than_exceed_their_share() {
    crate::alone();
    let problem = Words { tail: 0 };
    for limit in [MIB, 4 * MIB] {
        for threads in [1, 2] {
            let key = |_: &Words, (word, _): &(Vec<u8>, Vec<u8>)| word.clone();
            let memo = Memo::counted("words", key).heap_bytes(|word| block_bytes(word.capacity()));
            let limits = Limits::new().memory(limit as u64).depth(9).nodes(300_000);
            let search = Search::new(&problem).limits(limits).hooks((memo,));
            let ((stop, evictions), grown) = growth(|| {
                let outcome = search.threads(threads).count();
                let stats = outcome.report().hooks()[0].stats().to_vec();
                (
                    outcome.stop(),
                    stats
                        .into_iter()
                        .find(|(name, _)| name == "evictions")
                        .map_or(0, |stat| stat.1),
                )
            });
            assert_eq!(stop, Stop::NodeLimit);
            assert!(evictions > 0, "{evictions} evictions, {grown} bytes");
            assert_at_most(&format!("memo, {threads} threads"), limit, grown);
            assert!(grown >= limit / 8, "made use of {grown} bytes under a limit of {limit}");
        }
    }
}

#[test]
fn dominance_and_open_nodes_share_the_limit() {
    crate::alone();
    let problem = Words { tail: 0 };
    let limit = 8 * MIB;
    let key = |_: &Words, (word, _): &(Vec<u8>, Vec<u8>)| {
        word.iter().rev().take(4).map(|&letter| u64::from(letter)).sum::<u64>()
    };
    let summary = |_: &Words, (word, _): &(Vec<u8>, Vec<u8>)| [word.len() as u64; 4];
    let never = |_: &[u64; 4], _: &[u64; 4]| false;
    let dominance = Dominance::new("words", key, summary, never);
    let search = limited(&problem, limit).hooks((dominance,));
    assert_out_of_memory("dominance, breadth first", limit, || {
        search.breadth_first().count().stop()
    });
}

#[test]
fn the_stack_is_included_in_the_limit() {
    crate::alone();
    let problem = Words { tail: 0 };
    assert_out_of_memory("depth first", MIB, || limited(&problem, MIB).count().stop());
}

/// The cover has 46,656 options of four items.
#[test]
fn the_cover_of_a_large_sudoku_takes_few_bytes_per_member() {
    crate::alone();
    // The cover is dropped before another test measures the growth of the process.
    let (options, grown) = growth(|| Sudoku::blank(6, 6).expect("a board").cover().options());
    assert_eq!(options, 36 * 36 * 36);
    println!("a cover of {options} options: grew by {grown} bytes");
    assert!(grown <= 10 * MIB, "grew by {grown} bytes");
}

/// Runs a search by diagrams out of memory: one whose open nodes are lost, one that leaves them to
/// a frontier, and one that also saves them meanwhile.
fn assert_diagrams_within<P, V, F>(name: &str, problem: &P, objective: fn() -> Objective<P, V, F>)
where
    V: AdditiveValue + Send + Sync,
    P: DiagramProblem<
            State: Send,
            Choice: Clone + fmt::Debug + Send + Serialize + DeserializeOwned,
        > + Sync,
    F: Fn(&P, &P::State) -> V + Clone + Send + Sync,
{
    let limit = 2 * MIB;
    for threads in [1, 2] {
        for kept in ["nothing", "a frontier", "a checkpoint"] {
            let directory = Directory::new();
            let value = objective();
            let limits = Limits::new().memory(limit as u64);
            let search = Search::new(problem).limits(limits).diagrams(&value, 2);
            let mut frontier = Frontier::new();
            let fingerprint = Fingerprint::new(name, &[""]);
            // Saves as often as possible, so that it does so on any machine.
            let mut checkpoint = Checkpoint::new(directory.file(), Duration::ZERO, fingerprint);
            assert_out_of_memory(
                &format!("{name}, {threads} threads, {kept}"),
                limit,
                || match kept {
                    "nothing" => search.threads(threads).best(&value).stop(),
                    "a frontier" => {
                        search.frontier(&mut frontier).threads(threads).best(&value).stop()
                    }
                    _ => {
                        let search = search.checkpoint(&mut checkpoint).expect("a new file");
                        search.threads(threads).best(&value).stop()
                    }
                },
            );
        }
    }
}

/// Deep nodes with two children, and nodes with many.
#[test]
fn search_by_diagrams_includes_in_the_limit_what_a_frontier_gets() {
    crate::alone();
    let mut random = fastrand::Rng::with_seed(1);
    let pairs = (0..220).flat_map(|one| (0..one).map(move |other| (other, one)));
    let graph = Graph::from_edges(220, pairs.filter(|_| random.u8(..5) == 0)).expect("a graph");
    let sets = IndependentSets::new(&graph).expect("a graph");
    assert_diagrams_within("independent sets", &sets, IndependentSets::size);
    let jobs = Tardiness::generate(50, 1).expect("jobs");
    assert_diagrams_within("tardiness", &jobs, Tardiness::objective);
}

/// Returns what a search by wide diagrams returns and by how many bytes it grew.
fn by_wide_diagrams<P, F>(
    problem: &P,
    value: &Objective<P, u64, F>,
    rough: impl Fn(&P, &P::State) -> u64,
    (width, cut_width, limit): (usize, usize, usize),
) -> (Stop, usize)
where
    P: DiagramProblem<Choice: Clone>,
    F: Fn(&P, &P::State) -> u64 + Clone,
{
    growth(|| {
        let search = Search::new(problem).limits(Limits::new().memory(limit as u64).nodes(200_000));
        search.diagrams(value, width).cut_width(cut_width).rough(rough).best(value).stop()
    })
}

#[test]
fn wide_diagrams_of_bounds_are_included_in_the_limit_while_they_are_compiled() {
    crate::alone();
    // Each state owns up to 480 bytes.
    let clauses = MaxTwoSat::generate(120, 400, 1).expect("clauses");
    for limit in [MIB, 4 * MIB] {
        let (weight, shape) = (MaxTwoSat::objective(), (1_000, 12, limit));
        let (stop, grown) = by_wide_diagrams(&clauses, &weight, MaxTwoSat::bound, shape);
        assert_eq!(stop, Stop::MemoryLimit);
        assert_within("clauses", limit, grown);
    }
    // Most of the memory is that of arcs.
    let jobs = Tardiness::generate(25, 1).expect("jobs");
    let (tardiness, shape) = (Tardiness::objective(), (600, 12, 2 * MIB));
    let (stop, grown) = by_wide_diagrams(&jobs, &tardiness, |_, _| 0, shape);
    assert_eq!(stop, Stop::MemoryLimit);
    assert_within("jobs", 2 * MIB, grown);
}

/// A tree of three leaves. In a relaxed diagram, they merge to a node with a child in each of many
/// layers, far apart.
struct Fan;

impl Fan {
    const LAYERS: usize = 20_000;
    const MERGED: usize = 3;
}

impl CopyProblem for Fan {
    type State = (usize, usize);
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> (usize, usize) {
        (0, 0)
    }
    fn branch(&self, &(layer, _): &(usize, usize)) -> Branch<usize> {
        if layer > 1 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, &state: &(usize, usize), cursor: &mut usize) -> Option<usize> {
        let children = match state {
            (0, _) => 3,
            (_, Self::MERGED) => Self::LAYERS,
            _ => 0,
        };
        *cursor += 1;
        (*cursor <= children).then_some(*cursor - 1)
    }
    fn apply(&self, (layer, leaf): (usize, usize), &choice: &usize) -> (usize, usize) {
        if layer == 0 { (1, choice) } else { (2 + choice, leaf) }
    }
}

impl DiagramProblem for Fan {
    fn layer(&self, &(layer, _): &(usize, usize)) -> usize {
        layer * (usize::MAX / (Self::LAYERS + 2))
    }
    fn key(&self, state: &(usize, usize)) -> impl Hash + Eq {
        *state
    }
    fn merge(&self, state: &mut (usize, usize), _: &(usize, usize)) {
        state.1 = Self::MERGED;
    }
}

#[test]
fn a_diagram_of_many_layers_that_are_far_apart_is_included_in_the_limit() {
    crate::alone();
    for limit in [MIB, 4 * MIB] {
        let value = Objective::maximise(|_: &Fan, &(_, leaf)| leaf as u64);
        value.incumbent().offer(2);
        let (stop, grown) = by_wide_diagrams(&Fan, &value, |_, _| 3, (2, 1, limit));
        assert_eq!(stop, Stop::MemoryLimit);
        assert_within("fan", limit, grown);
    }
}

#[test]
fn the_tables_that_reduce_wide_layers_are_included_in_the_limit() {
    crate::alone();
    let knapsack = Knapsack::strongly_correlated(300, 100_000, 1).expect("a size");
    for limit in [MIB, 3 * MIB] {
        let value = Knapsack::objective();
        let shape = (4_000, 12, limit);
        let (_, grown) = by_wide_diagrams(&knapsack, &value, Knapsack::relaxation, shape);
        assert_at_most("knapsack", limit, grown);
        let (_, grown) = growth(|| {
            let search = Search::new(&knapsack).limits(Limits::new().memory(limit as u64));
            search.restricted(&value, 4_000).best(&value).stop()
        });
        assert_at_most("restricted knapsack", limit, grown);
    }
}

/// Calls that prune nothing must leave nothing behind.
#[test]
fn forbidden_rows_need_no_memory_for_each_node() {
    crate::alone();
    let mut model = Model::new();
    // The search decides the others first: each wakes the rows by a value of `x` that is in none.
    let others = model.variables(7, 2..=9).expect("small");
    let [x, y] = model.variables(2, 0..=9).expect("small")[..] else { unreachable!() };
    model.forbidden(&[x, y], [[0, 0], [1, 1]]).expect("rows of two");
    model.all_different(&others).expect("few");
    for &other in &others {
        model.different(x, other).expect("two variables");
    }
    let network = model.build();
    let (outcome, grown) = growth(|| {
        let limits = Limits::new().nodes(200_000);
        Search::new(&network).hook(Propagate::full()).limits(limits).count()
    });
    assert!(outcome.report().nodes() > 50_000, "{}", outcome.report().nodes());
    assert!(grown < 128 << 10, "grew by {grown} bytes");
}

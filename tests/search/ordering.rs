//! Value ordering: the adapters against sorting by hand.

use std::cell::RefCell;
use std::cmp::Reverse;

use proptest::prelude::*;
use secateurs::brancher::{Branching, MiddleOut, ProblemOrder, Shuffled, SmallestDomain, Sorted};
use secateurs::hook::{ForwardChecking, HookMemory, Memo};
use secateurs::{
    Assignments, Branch, Brancher, Effect, Node, Objective, Problem, Report, Search, ToBeat,
    Verdict,
};

use crate::shared::claiming::Only;
use crate::shared::words::Words;

fn words(problem: &Words, brancher: impl Brancher<Words>) -> Vec<Vec<u32>> {
    Search::new(problem).brancher(brancher).solutions().collect()
}

#[test]
fn smallest_key_first_and_ties_in_the_inner_order() {
    let problem = Words::of(20, 1);
    let by_last_digit = Sorted::by(|_: &Node<'_, Words>, letter: &u32| letter % 3);
    let mut expected: Vec<u32> = (0..20).collect();
    expected.sort_by_key(|letter| letter % 3);
    assert_eq!(words(&problem, by_last_digit).concat(), expected);
    // Over an inner order: descending, then stable by the same key.
    let descending = Sorted::by(|_: &Node<'_, Words>, &letter: &u32| Reverse(letter));
    let both = Sorted::over(descending, |_: &Node<'_, Words>, letter: &u32| letter % 3);
    let mut expected: Vec<u32> = (0..20).rev().collect();
    expected.sort_by_key(|letter| letter % 3);
    assert_eq!(words(&problem, both).concat(), expected);
}

#[test]
fn the_key_is_computed_once_per_child_at_its_parent() {
    let problem = Words::of(3, 2);
    let calls = RefCell::new(Vec::new());
    let order = Sorted::by(|node: &Node<'_, Words>, &letter: &u32| {
        calls.borrow_mut().push((node.state().clone(), letter));
        letter
    });
    assert_eq!(Search::new(&problem).brancher(order).count().exact(), Some(9));
    let calls = calls.into_inner();
    assert_eq!(calls.len(), 3 + 9);
    assert_eq!(calls[..4], [(vec![], 0), (vec![], 1), (vec![], 2), (vec![0], 0)]);
}

#[test]
fn random_ties_stay_within_equal_keys() {
    let problem = Words::of(30, 1);
    let order =
        |seed| Sorted::by(|_: &Node<'_, Words>, letter: &u32| letter / 10).random_ties(seed);
    let mut firsts = Vec::new();
    for seed in 0..50 {
        let drawn = words(&problem, order(seed)).concat();
        assert!(drawn.is_sorted_by_key(|letter| letter / 10), "{drawn:?}");
        assert_eq!(drawn, words(&problem, order(seed)).concat(), "seed {seed} twice");
        firsts.push(drawn[0]);
    }
    firsts.sort_unstable();
    firsts.dedup();
    assert!(firsts.len() >= 8, "{firsts:?}");
}

#[test]
fn shuffled_orders_differ_between_nodes_and_seeds() {
    let problem = Words::of(6, 2);
    let drawn = words(&problem, Shuffled::new(1));
    let second: Vec<Vec<u32>> =
        drawn.chunks(6).map(|chunk| chunk.iter().map(|word| word[1]).collect()).collect();
    assert!(second.iter().any(|order| *order != second[0]), "{second:?}");
    assert_ne!(drawn, words(&problem, Shuffled::new(2)));
}

#[test]
fn children_are_tried_from_the_middle_outwards() {
    let drawn = |letters| words(&Words::of(letters, 1), MiddleOut::over(ProblemOrder)).concat();
    assert!(drawn(0).is_empty());
    assert_eq!(drawn(1), [0]);
    assert_eq!(drawn(2), [0, 1]);
    assert_eq!(drawn(5), [2, 3, 1, 4, 0]);
    assert_eq!(drawn(10), [4, 5, 3, 6, 2, 7, 1, 8, 0, 9]);
    // The middle is that of the inner order.
    let descending = Sorted::by(|_: &Node<'_, Words>, &letter: &u32| Reverse(letter));
    let problem = Words::of(4, 1);
    assert_eq!(words(&problem, MiddleOut::over(descending)).concat(), [2, 1, 3, 0]);
}

/// The order of the problem, with the claims of a brancher that prunes and has a memory. It records
/// the words at which it is entered (`true`) and left.
struct Recording<'r>(&'r RefCell<Vec<(bool, Vec<u32>)>>);

impl Brancher<Words> for Recording<'_> {
    type Cursor = u32;

    fn branch(&mut self, node: &Node<'_, Words>) -> Branch<u32> {
        node.problem().branch(node.state())
    }
    fn next(&mut self, node: &Node<'_, Words>, cursor: &mut u32) -> Option<u32> {
        node.problem().next(node.state(), cursor)
    }
    fn effect(&self) -> Effect {
        Effect::Representatives
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }
    fn enter(&mut self, node: &Node<'_, Words>) {
        self.0.borrow_mut().push((true, node.state().clone()));
    }
    fn leave(&mut self, node: &Node<'_, Words>) {
        self.0.borrow_mut().push((false, node.state().clone()));
    }
}

#[test]
fn adapters_repeat_the_claims_of_the_inner_brancher_and_call_it_at_each_node() {
    let problem = Words::of(3, 2);
    let cheapest = cheapest();
    let within = || within(&cheapest);
    let (calls, expected) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let _ = Search::new(&problem).brancher(Recording(&expected)).count();
    expected.borrow_mut().sort();
    assert_eq!(expected.borrow().len(), 2 * 13);
    macro_rules! check {
        ($adapt:expr, $own_memory:expr, $memory:expr, $effect:expr) => {
            let recording = $adapt(Recording(&calls));
            assert_eq!((recording.memory(), recording.effect()), ($memory, $effect));
            let _ = Search::new(&problem).brancher(recording).count();
            calls.borrow_mut().sort();
            assert_eq!(calls.take(), *expected.borrow());
            assert_eq!(Brancher::<Words>::memory(&$adapt(ProblemOrder)), $own_memory);
            let pruning = $adapt(within());
            assert_eq!(pruning.effect(), Effect::OptimumOnly);
            assert_eq!(pruning.incumbent(), Some(cheapest.incumbent().id()));
        };
    }
    let bounded = || cheapest.sorted(|_, _, _| 0);
    use Effect::{Lossy, Representatives};
    use HookMemory::{Nothing, Path, PathAndVisited, Visited};
    check!(|inner| Sorted::over(inner, descending), Nothing, Visited, Representatives);
    check!(MiddleOut::over, Nothing, Visited, Representatives);
    check!(|inner| Shuffled::over::<Words>(inner, 1), Path, PathAndVisited, Representatives);
    check!(|inner| bounded().over(inner), Nothing, Visited, Lossy);
    assert_eq!(Brancher::<Words>::memory(&within()), Nothing);
    // The report lists the children that the inner brancher leaves out.
    let cuts = |report: &Report| report.hook(Report::BRANCHER).expect("listed").cuts();
    let search = || Search::new(&problem);
    let sorted = search().brancher(Sorted::over(within(), descending)).best(&cheapest);
    let middle_out = search().brancher(MiddleOut::over(within())).best(&cheapest);
    let shuffled = search().brancher(Shuffled::over(within(), 1)).best(&cheapest);
    for report in [sorted.report(), middle_out.report(), shuffled.report()] {
        assert!(cuts(report) > 0);
    }
}

fn descending(_: &Node<'_, Words>, &letter: &u32) -> Reverse<u32> {
    Reverse(letter)
}

proptest! {
    /// Every child is tried once in any order. The order at a node does not depend on how the walk
    /// reached it.
    #[test]
    fn every_child_is_tried_exactly_once(letters in 0_u32..12, length in 0_usize..4, seed: u64) {
        let problem = Words::of(letters, length);
        let mut shuffled = words(&problem, Shuffled::new(seed));
        prop_assert_eq!(&shuffled, &words(&problem, Shuffled::new(seed)));
        let by_breadth: Vec<Vec<u32>> = Search::new(&problem)
            .brancher(Shuffled::new(seed))
            .breadth_first()
            .solutions()
            .collect();
        prop_assert_eq!(&shuffled, &by_breadth);
        let over =
            Shuffled::over(Sorted::by(|_: &Node<'_, Words>, &letter: &u32| Reverse(letter)), seed);
        let mut sorted = words(&problem, over.clone());
        prop_assert_eq!(&sorted, &words(&problem, over));
        shuffled.sort();
        sorted.sort();
        let plain: Vec<Vec<u32>> = Search::new(&problem).solutions().collect();
        prop_assert_eq!(&shuffled, &plain);
        prop_assert_eq!(&sorted, &plain);
    }
}

/// The sum of the letters that come after the first one.
fn cost(word: &[u32]) -> u32 {
    word.iter().skip(1).sum()
}

#[test]
fn children_are_sorted_by_their_bounds_and_left_out_if_they_cannot_win() {
    let problem = Words::of(3, 2);
    let smallest = Objective::minimise_for(&problem, |_, word| cost(word) + 1);
    let tried = RefCell::new(Vec::new());
    let order = smallest.sorted(|_, word, letter| match word.len() {
        0 => 2 - letter, // the largest letter first
        _ => letter + 1,
    });
    let outcome = Search::new(&problem)
        .brancher(order)
        .watch("tried", |node| tried.borrow_mut().push(node.state().clone()))
        .best(&smallest);
    assert_eq!((outcome.proven(), outcome.solution()), (Some(&1), Some(&vec![2, 0])));
    // [2, 1] and [2, 2] are left out by the incumbent 1, and so is [1], whose bound is 1.
    // [0], whose bound is 2, is left out together with it.
    assert_eq!(tried.into_inner(), [vec![], vec![2], vec![2, 0]]);
    assert_eq!(outcome.report().effect(), Effect::OptimumOnly);
    assert!(outcome.report().conflicts().is_empty());
    let cuts = outcome.report().hook(secateurs::Report::BRANCHER).expect("listed");
    assert_eq!(cuts.cuts_by_depth().iter().map(|cuts| cuts.admit).collect::<Vec<_>>(), [0, 1, 1]);
}

/// Returns the next letter whose bound, its own cost and 1 for each later letter, beats the
/// incumbent; letters are in ascending order.
fn cheap_letter(
    problem: &Words,
    word: &[u32],
    letter: &mut u32,
    to_beat: &ToBeat<'_, u32>,
) -> Option<u32> {
    let rest = problem.length.map_or(0, |length| length - word.len() - 1) as u32;
    let next = *letter;
    let is_wanted =
        next < problem.letters && to_beat.is_beaten_by(&(price(word) + next + 1 + rest));
    *letter += 1;
    is_wanted.then_some(next)
}

fn price(word: &[u32]) -> u32 {
    word.iter().map(|letter| letter + 1).sum()
}

/// The objective of the least price.
type Cheapest = Objective<Words, u32, fn(&Words, &Vec<u32>) -> u32>;

fn cheapest() -> Cheapest {
    Objective::minimise(|_, word| price(word))
}

/// Returns the order of the letters by which the price beats the incumbent.
fn within(cheapest: &Cheapest) -> impl Brancher<Words, Cursor = u32> + Clone + Send + use<> {
    cheapest.next_within(|words: &Words, word: &Vec<u32>, letter: &mut u32, to_beat: &_| {
        cheap_letter(words, word, letter, to_beat)
    })
}

#[test]
fn a_problem_that_sees_what_to_beat_generates_no_child_that_cannot_win() {
    let problem = Words::of(4, 3);
    let search = |threads: usize| {
        let cheapest = cheapest();
        let search = Search::new(&problem).brancher(within(&cheapest));
        match threads {
            1 => search.best(&cheapest),
            _ => search.threads(threads).best(&cheapest),
        }
    };
    let outcome = search(1);
    assert_eq!((outcome.proven(), outcome.solution()), (Some(&3), Some(&vec![0, 0, 0])));
    let report = outcome.report();
    // After the first word, one child is rejected at each of its nodes.
    assert_eq!(report.nodes(), 4);
    let cuts = report.hook(secateurs::Report::BRANCHER).expect("listed");
    assert_eq!((cuts.cuts(), cuts.effect()), (3, Effect::OptimumOnly));
    assert_eq!(
        cuts.cuts_by_depth().iter().map(|cuts| cuts.admit).collect::<Vec<_>>(),
        [0, 1, 1, 1]
    );
    assert_eq!(search(2).proven(), Some(&3));
    let least = cheapest();
    let checked = Search::new(&problem).brancher(within(&least)).check_undo().best(&least);
    assert_eq!(checked.report().hooks(), report.hooks());
    // The order answers no other question.
    let least = cheapest();
    let order = || within(&least);
    let count = Search::new(&problem).brancher(order()).count();
    assert_eq!((count.exact(), count.at_least()), (None, 64));
    least.incumbent().offer(5);
    let count = Search::new(&problem).brancher(order()).count();
    assert_eq!((count.exact(), count.at_least()), (None, 4));
    let other = Objective::maximise_for(&problem, |_, word| price(word));
    assert_eq!(Search::new(&problem).brancher(order()).best(&other).proven(), None);
}

#[test]
fn what_to_beat_is_a_tie_while_ties_are_wanted() {
    let problem = Words::of(3, 2);
    let least = cheapest();
    let search = Search::new(&problem).brancher(within(&least));
    let in_order = search.threads(2).in_order().best(&least);
    assert_eq!((in_order.proven(), in_order.solution()), (Some(&2), Some(&vec![0, 0])));
    assert!(ToBeat::nothing().is_beaten_by(&u32::MAX));
}

#[test]
fn a_bound_keeps_the_inner_order_of_equal_children() {
    let problem = Words::of(6, 1);
    let descending = Sorted::by(|_: &Node<'_, Words>, &letter: &u32| Reverse(letter));
    for direction in [secateurs::Direction::Minimise, secateurs::Direction::Maximise] {
        let value = Objective::new(direction, |_: &Words, _: &Vec<u32>| 0);
        let order = value.sorted(|_, _, letter| letter % 2).over(descending.clone());
        let expected = match direction {
            secateurs::Direction::Minimise => [4, 2, 0, 5, 3, 1],
            secateurs::Direction::Maximise => [5, 3, 1, 4, 2, 0],
        };
        assert_eq!(words(&problem, order).concat(), expected);
    }
}

#[test]
fn an_order_by_a_bound_proves_what_a_bound_proves() {
    let problem = Words::of(3, 3);
    let largest = Objective::maximise_for(&problem, |_, word| word.iter().sum::<u32>());
    let order = || largest.sorted(|_, word, letter| word.iter().sum::<u32>() + letter + 4);
    let other = Objective::maximise_for(&problem, |_, word| word.len());
    // Other questions are not answered.
    assert_eq!(Search::new(&problem).brancher(order()).count().exact(), None);
    let offered = |value| {
        let largest = Objective::maximise_for(&problem, |_, word| word.iter().sum::<u32>());
        largest.incumbent().offer(value);
        let order = largest.sorted(|_, word, letter| word.iter().sum::<u32>() + letter + 4);
        let none =
            Search::new(&problem)
                .brancher(order)
                .enter("none", Effect::Preserving, |node| Verdict::prune_if(node.depth() == 3));
        none.exists().exists()
    };
    // Nothing is left out for the value 0.
    assert_eq!((offered(0), offered(5)), (Some(false), None));
    assert_eq!(Search::new(&problem).brancher(order()).best(&other).proven(), None);
    // A hook that keeps representatives can be combined with the order. A hook that learns from the
    // absence of solutions cannot.
    let half =
        |node: &Node<'_, Words>, &letter: &u32| Verdict::prune_if(node.depth() == 0 && letter == 0);
    let search = || Search::new(&problem).brancher(order());
    let halved = search().admit("half", Effect::Representatives, half).best(&largest);
    assert_eq!(halved.proven(), Some(&6));
    let memo = Memo::failed("memo", |_: &Words, word: &Vec<u32>| word.clone());
    let learned = search().hook(memo).best(&largest);
    assert_eq!((learned.proven(), learned.best_so_far()), (None, Some(&6)));
    // The order of the problem, with a claim to keep representatives only.
    let representing = Only {
        effect: Effect::Representatives,
        memory: HookMemory::Path,
        keeps: |_: &Node<'_, Words>, _: &u32| true,
    };
    let lossy = Search::new(&problem).brancher(order().over(representing)).best(&largest);
    assert_eq!((lossy.proven(), lossy.best_so_far()), (None, Some(&6)));
    // The inner brancher may leave out the optimum, because it compares with another incumbent.
    let mixed = || order().over(other.sorted(|_, _, _| 3));
    assert_eq!(mixed().effect(), Effect::Lossy);
    assert_eq!(Search::new(&problem).brancher(mixed()).best(&largest).proven(), None);
    let stacked = order().over(order());
    assert_eq!(Search::new(&problem).brancher(stacked).best(&largest).none_better(), Some(&6));
    let parts = Search::new(&problem).brancher(order()).threads(2).best(&largest);
    assert_eq!(parts.none_better(), Some(&6));
    let name = secateurs::Report::BRANCHER;
    assert!(parts.report().nondeterministic_parts().iter().all(|&part| part == name));
}

/// The vertices of a graph that have no colour, and the colours that each vertex may have, as bits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Coloured {
    open: u8,
    allowed: [u8; 7],
}

impl Coloured {
    fn vertices(self) -> impl Iterator<Item = usize> {
        (0..7).filter(move |vertex| self.open >> vertex & 1 != 0)
    }

    fn colours(self, vertex: usize) -> impl Iterator<Item = u32> {
        (0..4).filter(move |colour| self.allowed[vertex] >> colour & 1 != 0)
    }

    fn with(mut self, graph: &[[bool; 7]; 7], vertex: usize, colour: u32) -> Self {
        self.open &= !(1 << vertex);
        for (other, row) in graph.iter().enumerate() {
            if graph[vertex][other] || row[vertex] {
                self.allowed[other] &= !(1 << colour);
            }
        }
        self
    }

    /// Counts the colourings and the nodes of a recursion with forward checking, if `checks`, and
    /// the smallest domain first, if `smallest`.
    fn count(self, graph: &[[bool; 7]; 7], checks: bool, smallest: bool) -> (u128, u64) {
        let left = |&vertex: &usize| self.colours(vertex).count();
        let next = match smallest {
            true => self.vertices().min_by_key(left),
            false => self.vertices().next(),
        };
        if checks && self.vertices().any(|vertex| left(&vertex) == 0) {
            return (0, 1);
        }
        let Some(vertex) = next else { return (1, 1) };
        self.colours(vertex)
            .map(|colour| self.with(graph, vertex, colour).count(graph, checks, smallest))
            .fold((0, 1), |(solutions, nodes), (more, below)| (solutions + more, nodes + below))
    }
}

proptest! {
    #[test]
    fn assignments_have_the_trees_of_a_recursion(
        graph: [[bool; 7]; 7],
        open in 0..=0x7f_u8,
        allowed in prop::array::uniform7(0..16_u8),
    ) {
        let root = Coloured { open, allowed };
        let colourings = Assignments::new(
            root,
            Coloured::vertices,
            Coloured::colours,
            |coloured, vertex, colour| coloured.with(&graph, vertex, colour),
        );
        for (checks, smallest) in [(false, false), (true, false), (false, true), (true, true)] {
            let order = smallest.then(|| Branching::by(SmallestDomain::first_tie()));
            let outcome = Search::new(&colourings)
                .hooks((checks.then_some(ForwardChecking),))
                .brancher(order)
                .check_undo()
                .count();
            let (solutions, nodes) = root.count(&graph, checks, smallest);
            prop_assert_eq!(outcome.exact(), Some(solutions));
            prop_assert_eq!(outcome.report().nodes(), nodes);
        }
    }
}

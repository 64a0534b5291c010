//! Orders of variables and values over the defaults of `Variables`, and the cuts that bounded
//! branchers report.

use secateurs::brancher::{
    Branching, DomainOverDegree, ForcedFirst, InputOrder, MostConstrained, ValueOrder,
    least_constraining,
};
use secateurs::hook::{Effect, ForwardChecking, Hook};
use secateurs::{
    Assignments, Branch, Brancher, CopyProblem, Digest, Node, Objective, Problem, Search,
    Successors, ToBeat, Variables, Verdict,
};

/// The open vertices of a star whose centre 0 is adjacent to 1 and 2, and the colours that each
/// vertex may have, as bits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Star {
    open: u8,
    allowed: [u8; 3],
}

/// Returns the colourings of the star.
fn star(allowed: [u8; 3]) -> impl Variables<State = Star, Choice = (usize, u8), Variable = usize> {
    Assignments::new(
        Star { open: 0b111, allowed },
        |star| (0..3).filter(move |vertex| star.open >> vertex & 1 != 0),
        |star, vertex| (0..3).filter(move |colour| star.allowed[vertex] >> colour & 1 != 0),
        |mut star, vertex: usize, colour| {
            star.open &= !(1 << vertex);
            for other in if vertex == 0 { vec![1, 2] } else { vec![0] } {
                star.allowed[other] &= !(1 << colour);
            }
            star
        },
    )
}

/// Returns the choices at the root, in the order of a brancher.
fn choices_at_the_root<P: Problem<Choice: Copy>>(
    problem: &P,
    brancher: impl Brancher<P>,
) -> Vec<P::Choice> {
    let mut choices = Vec::new();
    let record = |_: &Node<'_, P>, choice: &P::Choice| {
        choices.push(*choice);
        Verdict::Prune
    };
    let outcome =
        Search::new(problem).brancher(brancher).admit("record", Effect::Preserving, record).count();
    assert_eq!(outcome.report().nodes(), 1);
    choices
}

#[test]
fn removed_values_are_by_default_the_difference_that_a_choice_makes() {
    let problem = star([0b111, 0b011, 0b001]);
    let root = problem.root();
    assert_eq!([0, 1, 2].map(|colour| problem.removed_values(&root, &(0, colour))), [5, 4, 3]);
    let order = least_constraining(InputOrder);
    assert_eq!(choices_at_the_root(&problem, order), [(0, 2), (0, 1), (0, 0)]);
}

#[test]
fn all_variables_are_constrained_alike_by_default() {
    let problem = star([0b111, 0b011, 0b001]);
    let root = problem.root();
    assert_eq!([0, 1, 2].map(|vertex| problem.dynamic_degree(&root, vertex)), [1; 3]);
    // The smallest domain.
    let order = Branching::by(DomainOverDegree::first_tie());
    assert_eq!(choices_at_the_root(&problem, order), [(2, 0)]);
    let order = Branching::by(MostConstrained::first_tie());
    assert_eq!(choices_at_the_root(&problem, order), [(0, 0), (0, 1), (0, 2)]);
}

#[test]
fn variables_with_one_value_or_none_are_forced() {
    for (allowed, expected) in [
        ([0b111, 0b011, 0b001], vec![(2, 0)]),
        ([0b111, 0b000, 0b001], vec![]),
        ([0b111, 0b010, 0b000], vec![(1, 1)]),
        ([0b110, 0b011, 0b011], vec![(0, 1), (0, 2)]),
    ] {
        let order = Branching::by(ForcedFirst::over(InputOrder));
        assert_eq!(choices_at_the_root(&star(allowed), order), expected, "{allowed:?}");
    }
}

/// Three variables with one value each and different degrees.
struct Degrees([u64; 3]);

impl CopyProblem for Degrees {
    type State = u8;
    type Cursor = Option<usize>;
    type Choice = usize;

    fn root(&self) -> u8 {
        0b111
    }
    fn branch(&self, open: &u8) -> Branch<Option<usize>> {
        self.undecided(open).next().map_or(Branch::Solution, |first| Branch::Inner(Some(first)))
    }
    fn next(&self, _: &u8, variable: &mut Option<usize>) -> Option<usize> {
        variable.take()
    }
    fn apply(&self, open: u8, variable: &usize) -> u8 {
        open & !(1 << variable)
    }
}

impl Variables for Degrees {
    type Variable = usize;

    fn undecided(&self, open: &u8) -> impl Iterator<Item = usize> {
        let open = *open;
        (0..3).filter(move |variable| open >> variable & 1 != 0)
    }
    fn values_left(&self, _: &u8, _: usize) -> usize {
        1
    }
    fn values(&self, _: &u8, variable: usize) -> Option<usize> {
        Some(variable)
    }
    fn dynamic_degree(&self, _: &u8, variable: usize) -> u64 {
        self.0[variable]
    }
}

#[test]
fn the_largest_degree_comes_first() {
    let problem = Degrees([1, 5, 3]);
    for order in [
        Search::new(&problem)
            .brancher(Branching::by(MostConstrained::first_tie()))
            .solutions()
            .next(),
        Search::new(&problem)
            .brancher(Branching::by(DomainOverDegree::last_tie()))
            .solutions()
            .next(),
    ] {
        assert_eq!(order, Some(vec![1, 2, 0]));
    }
}

/// Tries the only value of a variable, and states no parameters.
struct OneValue;

/// Tries the only value of a variable, and has data.
struct OneOf(#[allow(dead_code, reason = "the size of the order matters")] u8);

macro_rules! one_value {
    ($($order:ty),+) => {$(
        impl ValueOrder<Degrees> for $order {
            type Cursor = Option<usize>;

            fn start(&mut self, _: &Node<'_, Degrees>, variable: usize) -> Option<usize> {
                Some(variable)
            }
            fn next(&mut self, _: &Node<'_, Degrees>, cursor: &mut Option<usize>) -> Option<usize> {
                cursor.take()
            }
        }
    )+};
}

one_value!(OneValue, OneOf);

#[test]
fn orders_and_hooks_without_data_have_no_parameters() {
    assert_eq!(ValueOrder::<Degrees>::parameters(&OneValue), Some(Digest::NONE));
    assert_eq!(ValueOrder::<Degrees>::parameters(&OneOf(1)), None);
    assert_eq!(Hook::<Degrees>::parameters(&ForwardChecking), Some(Digest::NONE));
    assert_eq!(Hook::<Degrees>::name(&ForwardChecking), "forward checking");
    let mut nodes = 0;
    let outcome =
        Search::new(&Degrees([1; 3])).watch("look", |_: &Node<'_, Degrees>| nodes += 1).count();
    assert_eq!(outcome.report().hooks()[0].name(), "look");
    assert_eq!(nodes, outcome.report().nodes());
}

/// Sums of digits up to 3, of three digits; only sums of `goal` are solutions.
fn digits(goal: u32) -> impl Problem<State = (u32, u32), Choice = (u32, u32)> {
    Successors::new(
        (0, 0),
        move |&(digits, sum)| digits == 3 && sum == goal,
        |(digits, sum)| {
            let digit = |digit| (digits + 1, sum + digit);
            if digits < 3 { (0..4).map(digit).collect() } else { Vec::new() }
        },
    )
}

#[test]
fn a_brancher_that_rejects_no_child_does_not_weaken_a_proof() {
    for (known, is_proven) in [(10, true), (3, false)] {
        let problem = digits(10); // there is none
        let sum = Objective::minimise_for(&problem, |_, &(_, sum)| sum);
        sum.incumbent().offer(known);
        let next = |problem: &_, state: &_, cursor: &mut _, to_beat: &ToBeat<'_, u32>| {
            let child = Problem::next(problem, state, cursor)?;
            let &(_, sum): &(u32, u32) = &child;
            to_beat.is_beaten_by(&sum).then_some(child)
        };
        let outcome = Search::new(&problem).brancher(sum.next_within(next)).first();
        assert_eq!(outcome.is_proven_none(), is_proven, "{known}");
    }
}

#[test]
fn a_sorting_brancher_reports_each_child_that_it_leaves_out() {
    let problem = digits(9);
    let sum = Objective::minimise_for(&problem, |_, &(_, sum)| sum);
    sum.incumbent().offer(2);
    let bounded = sum.sorted(|_, _, &(_, sum)| sum);
    let outcome = Search::new(&problem).brancher(bounded).best(&sum);
    // Of four children each, those of sums 0 and 1 are kept.
    let levels: Vec<u64> = outcome.report().levels().iter().map(|level| level.nodes).collect();
    assert_eq!(levels, [1, 2, 3, 4]);
    let cuts: Vec<u64> =
        outcome.report().hooks()[0].cuts_by_depth().iter().map(|cuts| cuts.admit).collect();
    assert_eq!(cuts, [0, 2, 5, 8]); // by the depth of the child
}

//! The audit of searches catches what is wrong with bounds, symmetries, keys, dominance and undo, and lets what is right pass.

use std::cell::RefCell;
use std::iter;

use secateurs::csp::symmetry::ValuePrecedence;
use secateurs::csp::{
    Ascending, Branching, Domains, Memory, Model, Network, Propagate, Propagator, SmallestDomain, Variable, Wipeout,
    maximise,
};
use secateurs::hooks::{LexLeader, Memo, Permutation, SymmetryGroup};
use secateurs::lab::{Audit, Coverage, Loss, Violation, audit_all};
use secateurs::problems::fire_net::{Board, Bound, DegreeOne, Scope, SmallestSegment, State, UpperBound};
use secateurs::problems::queens::{BitQueens, Queens, RowByRow};
use secateurs::{Branch, Effect, Hook, Limits, Node, NodeMut, Objective, Problem, Verdict, hook};

#[path = "../examples/audit/boards.rs"]
mod boards;

use boards::{best_below, placed, smaller};

/// A bound that takes a state with one bunker for worse than it is.
fn too_low(board: &Board, state: &State) -> usize {
    best_below(board, state).unwrap_or(0).saturating_sub(usize::from(state.placed() == 1))
}

#[test]
fn an_inadmissible_bound() {
    // As a bound, on any board.
    let board = Board::empty(2, 2);
    let objective = Objective::maximise(placed);
    let violation = Audit::of_best(&board, &objective).bound("too low", too_low).run().expect_err("too low");
    assert_eq!(*violation.loss(), Loss::Beaten { bound: "1".to_owned(), best: "2".to_owned() });
    assert_eq!(violation.path(), "[Next(0)]");
    let violation = Audit::of_best(&board, &objective).best_below(best_below).bound("too low", too_low).run();
    assert!(matches!(violation.expect_err("too low").loss(), Loss::Beaten { .. }));
    // As a hook, where it does harm.
    let small = boards::all(2, 2).chain(boards::all(2, 3)).chain(boards::all(3, 3));
    let found = audit_all(small, smaller, |board| {
        let objective = Objective::maximise(placed);
        Audit::of_best(board, &objective).hook(objective.bound("too low", too_low)).run()
    });
    let found = found.expect_err("too low");
    assert!(matches!(found.violation().loss(), Loss::Optimum { .. }), "{found}");
    // The right one passes as both.
    let coverage = audit_all(boards::all(2, 3), smaller, |board| {
        let objective = Objective::maximise(placed);
        let right = |board: &Board, state: &State| best_below(board, state).unwrap_or(0);
        Audit::of_best(board, &objective).monotone_bound("exact", right).hook(objective.bound("exact", right)).run()
    });
    let coverage = coverage.expect("admissible and monotone");
    assert!(coverage.is_exhaustive() && coverage.nodes.checked > 64 && coverage.cuts.checked > 64, "{coverage}");
}

#[test]
fn a_bound_that_is_said_to_be_monotone() {
    let board = Board::empty(2, 2);
    let objective = Objective::maximise(placed);
    let jumps = |_: &Board, state: &State| if state.placed() == 1 { 9 } else { 8 };
    assert!(Audit::of_best(&board, &objective).bound("jumps", jumps).run().is_ok());
    let violation = Audit::of_best(&board, &objective).monotone_bound("jumps", jumps).run().expect_err("it jumps");
    assert_eq!(*violation.loss(), Loss::BetterBelow { above: "8".to_owned(), below: "9".to_owned() });
}

/// Where a symmetry takes a square of a board of a size.
type Symmetry = fn(usize, usize, usize) -> (usize, usize);

/// The columns of a solution and of all its images; the least of them.
fn least_image(images: &[Symmetry]) -> impl Fn(&[usize]) -> Vec<usize> {
    let images = images.to_vec();
    move |columns| {
        let size = columns.len();
        let image = |image: &Symmetry| {
            let mut turned = vec![0; size];
            for (row, &column) in columns.iter().enumerate() {
                let (row, column) = image(size, row, column);
                turned[row] = column;
            }
            turned
        };
        images.iter().map(image).chain(iter::once(columns.to_vec())).min().unwrap_or_default()
    }
}

const MIRROR: [Symmetry; 1] = [|size, row, column| (row, size - 1 - column)];

/// Queens as lists of columns: the state says which solution it is.
#[derive(Clone, Debug)]
struct Columns {
    size: usize,
    /// Whether undoing a queen in this column forgets to take it away.
    leaks_at: Option<usize>,
}

impl Columns {
    fn new(size: usize) -> Self {
        Columns { size, leaks_at: None }
    }
}

impl Problem for Columns {
    type State = Vec<usize>;
    type Cursor = usize;
    type Choice = usize;
    type Undo = ();
    fn root(&self) -> Vec<usize> {
        Vec::new()
    }
    fn branch(&self, state: &Vec<usize>) -> Branch<usize> {
        if state.len() == self.size { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, state: &Vec<usize>, cursor: &mut usize) -> Option<usize> {
        let is_safe = |column: usize| {
            state.iter().rev().zip(1..).all(|(&other, rows)| other != column && other.abs_diff(column) != rows)
        };
        let column = (*cursor..self.size).find(|&column| is_safe(column))?;
        *cursor = column + 1;
        Some(column)
    }
    fn apply(&self, state: &mut Vec<usize>, &column: &usize) {
        state.push(column);
    }
    fn undo(&self, state: &mut Vec<usize>, &column: &usize, (): ()) {
        if self.leaks_at != Some(column) || state.len() != self.size {
            state.pop();
        }
    }
}

/// A mirror that forgets the middle column, where the first queen may stand as well.
fn left_half_only(size: usize) -> impl Hook<Columns> {
    hook::admit("left half", Effect::Representatives, move |node: &Node<'_, Columns>, &column: &usize| {
        Verdict::prune_if(node.depth() == 0 && column >= size / 2)
    })
}

/// The mirror that remembers it.
fn left_half_and_middle(size: usize) -> impl Hook<Columns> {
    hook::admit("left half and middle", Effect::Representatives, move |node: &Node<'_, Columns>, &column: &usize| {
        Verdict::prune_if(node.depth() == 0 && column >= size.div_ceil(2))
    })
}

fn audit_mirror<H: Hook<Columns>>(size: usize, mirror: impl Fn(usize) -> H) -> Result<Coverage, Violation> {
    let queens = Columns::new(size);
    let least = least_image(&MIRROR);
    Audit::of_count(&queens).orbits(move |_, columns| least(columns)).hook(mirror(size)).run()
}

#[test]
fn a_mirror_that_forgets_the_middle_column() {
    let even =
        audit_all([4, 6, 8], |_| None, |&size| audit_mirror(size, left_half_only)).expect("right for even sizes");
    assert!(even.cuts.checked > 0 && even.is_exhaustive());
    let smaller = |&size: &usize| (size > 1).then(|| size - 1);
    let found = audit_all([9], smaller, |&size| audit_mirror(size, left_half_only)).expect_err("wrong for odd sizes");
    assert!(matches!(found.violation().loss(), Loss::Orbit { .. }), "{found}");
    assert_eq!(found.instance() % 2, 1);
    let all = audit_all(1..=8, |_| None, |&size| audit_mirror(size, left_half_and_middle)).expect("right");
    assert!(all.is_exhaustive());
    // And the one that comes with the problem, which says how many each solution stands for.
    let all = audit_all(
        1..=8,
        |_| None,
        |&size| {
            let queens = Queens::new(size).expect("a size").bits();
            Audit::of_count(&queens).hook(Queens::mirror()).run()
        },
    );
    assert!(all.expect("right").is_exhaustive());
}

#[test]
fn a_lex_leader_with_a_wrong_permutation() {
    let lex = |symmetries: &[Permutation]| {
        let group = SymmetryGroup::generate(6, 6, symmetries, 8).expect("a group");
        LexLeader::new(group, |_: &BitQueens, path, choice| (path.len(), BitQueens::column(choice)))
    };
    let queens = Queens::new(6).expect("a size").bits();
    // Not a symmetry of the board.
    let shift = Permutation::new(6, 6, |row, column| (row, (column + 1) % 6)).expect("a permutation");
    let violation = Audit::of_count(&queens).hook(lex(&[shift])).run().expect_err("no symmetry");
    assert!(matches!(violation.loss(), Loss::OrbitSizes { .. } | Loss::Existence), "{violation}");
    // With orbits, it is seen which is lost.
    let columns = Columns::new(6);
    let shift = Permutation::new(6, 6, |row, column| (row, (column + 1) % 6)).expect("a permutation");
    let group = SymmetryGroup::generate(6, 6, &[shift], 8).expect("a group");
    let leader = LexLeader::new(group, |_: &Columns, path, &column| (path.len(), column));
    let least = least_image(&MIRROR);
    let violation = Audit::of_count(&columns).orbits(move |_, state| least(state)).hook(leader).run();
    assert!(matches!(violation.expect_err("no symmetry").loss(), Loss::Orbit { .. }));
    // The right ones pass.
    let turn = Permutation::new(6, 6, |row, column| (column, 5 - row)).expect("a permutation");
    let flip = Permutation::new(6, 6, |row, column| (row, 5 - column)).expect("a permutation");
    assert!(Audit::of_count(&queens).hook(lex(&[turn, flip])).run().expect("symmetries").is_exhaustive());
}

#[allow(clippy::ptr_arg, reason = "a state is what it is")]
fn sorted(_: &Columns, state: &Vec<usize>) -> Vec<usize> {
    let mut columns = state.clone();
    columns.sort_unstable();
    columns
}

#[test]
fn a_memo_key_that_omits_part_of_the_state() {
    let queens = Columns::new(6);
    // Columns alone do not say which diagonals are attacked.
    for memo in [Memo::counted("columns", sorted), Memo::failed("columns", sorted)] {
        let violation = Audit::of_count(&queens).hook(memo).run().expect_err("a key that joins different states");
        assert_eq!(violation.hook(), "columns");
    }
    let violation = Audit::of_count(&queens).key("columns", sorted).run().expect_err("it joins");
    assert!(matches!(violation.loss(), Loss::Joined { .. }) && violation.exhibits().len() == 2, "{violation}");
    let violation = Audit::of_count(&queens).key_of_failures("columns", sorted).run().expect_err("it joins");
    assert!(matches!(violation.loss(), Loss::Joined { .. }), "{violation}");
    // Columns with diagonals do.
    let attacked = |_: &Columns, state: &Vec<usize>| {
        let mut all: Vec<(usize, isize, isize)> = state
            .iter()
            .rev()
            .zip(1..)
            .map(|(&column, rows)| (column, column as isize + rows, column as isize - rows))
            .collect();
        all.sort_unstable();
        (state.len(), all)
    };
    let memo = Memo::counted("attacked", attacked);
    Audit::of_count(&queens)
        .key("attacked", attacked)
        .key_of_failures("too", attacked)
        .hook(memo)
        .run()
        .expect("sound");
}

#[test]
fn a_key_is_held_to_the_best_value_where_there_is_an_objective() {
    let board = Board::empty(2, 3);
    let objective = Objective::maximise(placed);
    let audit = || Audit::of_best(&board, &objective);
    let left = |_: &Board, state: &State| state.candidates();
    assert!(matches!(audit().key("left", left).run().expect_err("it joins").loss(), Loss::Joined { .. }));
    audit().key("best", best_below).run().expect("that is what is to be common");
}

#[test]
fn an_undo_that_leaks() {
    let leaky = Columns { leaks_at: Some(3), ..Columns::new(6) };
    let all = hook::admit("none", Effect::Preserving, |_: &Node<'_, Columns>, _: &usize| Verdict::Keep);
    let violation = Audit::of_count(&leaky).hook(all).run().expect_err("it leaks");
    assert_eq!(violation.hook(), "undo");
    assert!(matches!(violation.loss(), Loss::NotRestored { choice } if choice == "3"), "{violation}");
    let [was, is] = violation.exhibits() else { panic!("two states") };
    assert_eq!((was.role, is.role), ("it was", "it is now"));
    assert_eq!(was.path, is.path);
    // In the tree without hooks, and below a cut, it is not taken for a mistake of a hook.
    let violation = Audit::of_count(&leaky).key("all", |_, state| state.clone()).run().expect_err("it leaks");
    assert_eq!(violation.hook(), "undo");
    let cut = hook::admit("all", Effect::Representatives, |_: &Node<'_, Columns>, _: &usize| Verdict::Prune);
    assert_eq!(Audit::of_count(&leaky).hook(cut).run().expect_err("it leaks").hook(), "undo");
    assert!(Audit::of_count(&Columns::new(6)).run().is_ok());
}

#[test]
fn a_hook_that_tightens_more_than_undo_restores() {
    let queens = Columns::new(4);
    let once = RefCell::new(false);
    let swaps = hook::enter("swaps", Effect::Lossy, |node: &mut NodeMut<'_, Columns>| {
        if node.depth() == 2 && !once.replace(true) {
            node.state_mut().swap(0, 1);
        }
        Verdict::Keep
    });
    assert_eq!(Audit::of_count(&queens).hook(swaps).run().expect_err("not restored").hook(), "undo");
}

/// Items of weight and value, taken or left one after another.
struct Knapsack(Vec<(usize, usize)>, usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Load {
    decided: usize,
    room: usize,
    value: usize,
}

impl Problem for Knapsack {
    type State = Load;
    type Cursor = u8;
    type Choice = bool;
    type Undo = Load;
    fn root(&self) -> Load {
        Load { decided: 0, room: self.1, value: 0 }
    }
    fn branch(&self, load: &Load) -> Branch<u8> {
        if load.decided == self.0.len() { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, load: &Load, cursor: &mut u8) -> Option<bool> {
        *cursor += 1;
        match *cursor {
            1 => Some(false),
            2 => (self.0[load.decided].0 <= load.room).then_some(true),
            _ => None,
        }
    }
    fn apply(&self, load: &mut Load, &take: &bool) -> Load {
        let before = load.clone();
        let (weight, value) = self.0[load.decided];
        load.decided += 1;
        if take {
            load.room -= weight;
            load.value += value;
        }
        before
    }
    fn undo(&self, load: &mut Load, _: &bool, before: Load) {
        *load = before;
    }
}

#[test]
fn a_dominance() {
    let knapsack = Knapsack(vec![(3, 4), (4, 5), (2, 3), (5, 8), (1, 1), (2, 2)], 9);
    let value = Objective::maximise(|_: &Knapsack, load: &Load| load.value);
    let audit = |dominates: fn(&Load, &Load) -> bool| {
        let group = |_: &Knapsack, load: &Load| load.decided;
        Audit::of_best(&knapsack, &value).dominance("load", group, |_, load| load.clone(), dominates).run()
    };
    let coverage = audit(|a, b| a.room >= b.room && a.value >= b.value).expect("sound");
    assert!(coverage.pairs.checked > 100, "{coverage}");
    let violation = audit(|a, b| a.value >= b.value).expect_err("room matters");
    assert!(matches!(violation.loss(), Loss::Dominated { .. }), "{violation}");
    let violation = audit(|a, b| a.room == b.room + 1 && a.value >= b.value).expect_err("two steps are none");
    assert_eq!(*violation.loss(), Loss::NotTransitive);
    assert_eq!(violation.exhibits().len(), 3);
    // Without an objective, all that matters is whether there is a solution, and there always is.
    let group = |_: &Knapsack, load: &Load| load.decided;
    Audit::of_count(&knapsack).dominance("any", group, |_, _| (), |_, _| true).run().expect("there always is one");
}

/// Reaches 3 from 0 by steps up, and may go down from 2 to 1 once.
struct Detour;

impl Problem for Detour {
    type State = (u8, bool);
    type Cursor = u8;
    type Choice = u8;
    type Undo = (u8, bool);
    fn root(&self) -> (u8, bool) {
        (0, false)
    }
    fn branch(&self, state: &(u8, bool)) -> Branch<u8> {
        if state.0 == 3 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, state: &(u8, bool), cursor: &mut u8) -> Option<u8> {
        *cursor += 1;
        match *cursor {
            1 => Some(state.0 + 1),
            2 => (*state == (2, false)).then_some(1),
            _ => None,
        }
    }
    fn apply(&self, state: &mut (u8, bool), &to: &u8) -> (u8, bool) {
        let before = *state;
        *state = (to, state.1 || to < state.0);
        before
    }
    fn undo(&self, state: &mut (u8, bool), _: &u8, before: (u8, bool)) {
        *state = before;
    }
}

#[test]
fn a_dominance_that_leads_in_a_circle() {
    // Each state has a solution below it; but 1 is no nearer to it than 2, and comes before it on the path.
    let circle = Audit::of_count(&Detour).dominance("any", |_, _| (), |_, state| state.0, |_, _| true).run();
    assert_eq!(*circle.expect_err("a circle").loss(), Loss::Circle);
    let nearer = Audit::of_count(&Detour).dominance("nearer", |_, _| (), |_, state| state.0, |a, b| a >= b).run();
    assert!(nearer.expect("what is nearer is as good").pairs.checked > 0);
}

/// What is wrong with a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    /// It takes one value too much away.
    TakesTooMuch,
    /// It never looks whether it holds.
    Blind,
}

/// `x` is less than `y`.
#[derive(Debug)]
struct Less {
    variables: [Variable; 2],
    flaw: Flaw,
}

impl Propagator for Less {
    fn name(&self) -> &str {
        "less"
    }
    fn scope(&self) -> &[Variable] {
        &self.variables
    }
    fn holds(&self, values: &[i32]) -> bool {
        values[0] < values[1]
    }
    fn propagate(&self, domains: &mut Domains, _: &mut Memory) -> Result<(), Wipeout> {
        let [x, y] = self.variables;
        if self.flaw == Flaw::Blind {
            return Ok(());
        }
        if let Some(most) = domains.max(y) {
            domains.at_most(x, most - 1 - i32::from(self.flaw == Flaw::TakesTooMuch))?;
        }
        if let Some(least) = domains.min(x) {
            domains.at_least(y, least + 1)?;
        }
        Ok(())
    }
}

fn chain(flaw: Flaw) -> Network {
    let mut model = Model::new();
    let variables = model.variables(4, 0..8).expect("small");
    for pair in variables.windows(2) {
        model.propagator(Less { variables: [pair[0], pair[1]], flaw }).expect("known");
    }
    model.build()
}

#[test]
fn a_propagator_of_ones_own() {
    for level in [Propagate::backward(), Propagate::forward(), Propagate::arc_consistency(), Propagate::full()] {
        let coverage = Audit::of_count(&chain(Flaw::None)).hook(level).run().expect("right");
        assert!(coverage.is_exhaustive() && coverage.tightenings.checked + coverage.cuts.checked > 0, "{coverage}");
    }
    let violation = Audit::of_count(&chain(Flaw::TakesTooMuch)).hook(Propagate::full()).run().expect_err("wrong");
    assert_eq!(violation.hook(), "full propagation");
    assert!(matches!(violation.loss(), Loss::Solutions { .. }), "{violation}");
    assert_eq!(violation.exhibits().len(), 2);
    let violation = Audit::of_count(&chain(Flaw::Blind)).hook(Propagate::full()).run().expect_err("wrong");
    assert!(matches!(violation.loss(), Loss::Surplus { .. }), "{violation}");
}

#[test]
fn values_that_do_not_beat_the_incumbent_are_no_loss() {
    let things = [(6, 10), (3, 5), (4, 7), (2, 3)];
    let mut model = Model::new();
    let taken = model.variables(things.len(), 0..=1).expect("small");
    let worth = model.variable(0..=25).expect("small");
    let terms = |of: fn((i64, i64)) -> i64| taken.iter().zip(things).map(move |(&taken, thing)| (of(thing), taken));
    model.linear(terms(|(weight, _)| weight), ..=10).expect("known");
    model.linear(terms(|(_, worth)| worth).chain([(-1, worth)]), 0..=0).expect("known");
    let network = model.build();
    let (most, better) = maximise(worth);
    let coverage = Audit::of_best(&network, &most).hook(better).hook(Propagate::full()).run().expect("sound");
    assert!(coverage.is_exhaustive() && coverage.tightenings.checked > 0, "{coverage}");
    // One that asks for much more is not.
    let (most, _) = maximise(worth);
    let mut incumbent = most.incumbent().clone();
    let greedy = hook::enter("much better", Effect::OptimumOnly, move |node: &mut NodeMut<'_, Network>| {
        let bound = incumbent.latest().map_or(0, |best| best + 9);
        Verdict::prune_if(node.state_mut().at_least(worth, bound).is_err())
    });
    let violation = Audit::of_best(&network, &most).own_hook(Propagate::full).hook(greedy).run();
    assert!(matches!(violation.expect_err("too greedy").loss(), Loss::Optimum { .. }));
}

/// A ring of countries in three colours, the last of which the first country may not have, if so.
fn ring(one_is_special: bool) -> (Network, Vec<Variable>) {
    let mut model = Model::new();
    let countries = model.variables(6, 0..3).expect("small");
    for index in 0..6 {
        model.different(countries[index], countries[(index + 1) % 6]).expect("known");
    }
    if one_is_special {
        model.restrict(countries[0], |colour| colour < 2).expect("known");
    }
    (model.build(), countries)
}

#[test]
fn values_that_may_be_exchanged() {
    let audit = |one_is_special| {
        let (network, countries) = ring(one_is_special);
        let order = || Branching::new(SmallestDomain::first_tie(), Ascending);
        let orbit = move |network: &Network, domains: &Domains| {
            // Colours by their first country.
            let assignment = network.assignment(domains).expect("a solution");
            let mut names: Vec<i32> = Vec::new();
            let name = |&colour: &i32| {
                names.iter().position(|&name| name == colour).unwrap_or_else(|| {
                    names.push(colour);
                    names.len() - 1
                })
            };
            assignment.values().iter().map(name).collect::<Vec<_>>()
        };
        Audit::of_count(&network)
            .own_hook(Propagate::forward)
            .brancher(order)
            .orbits(orbit)
            .hook(ValuePrecedence::new(&countries, 0..3))
            .run()
    };
    let coverage = audit(false).expect("right");
    assert!(coverage.is_exhaustive() && coverage.tightenings.checked > 0, "{coverage}");
    assert!(audit(true).is_err());
}

#[test]
fn hooks_beside_a_brancher_of_the_problem() {
    let coverage = audit_all(boards::all(3, 3), smaller, |board| {
        let objective = Objective::maximise(placed);
        Audit::of_best(board, &objective)
            .brancher(SmallestSegment::new)
            .hook(DegreeOne::new(Scope::EveryNode))
            .hook(UpperBound::new(Bound::Segments, objective.incumbent().clone()))
            .run()
    });
    assert!(coverage.expect("sound").is_exhaustive());
}

#[test]
fn several_wrong_hooks_are_told_apart() {
    // The first is right: it keeps the left half, beside which the second one loses the rest.
    let queens = Columns::new(6);
    let no_one = hook::admit("not in column 1", Effect::Preserving, |_: &Node<'_, Columns>, &column: &usize| {
        Verdict::prune_if(column == 1)
    });
    let audit = Audit::of_count(&queens).hook(left_half_and_middle(6)).hook(no_one).run();
    assert_eq!(audit.expect_err("the second is wrong").hook(), "not in column 1");
    // Two that lose all best together: both are named.
    let board = Board::empty(1, 2);
    let objective = Objective::maximise(placed);
    let not = |cell: usize| {
        hook::enter(format!("not {cell}"), Effect::OptimumOnly, move |node: &mut NodeMut<'_, Board>| {
            Verdict::prune_if(node.state().bunkers() == [cell])
        })
    };
    let violation = Audit::of_best(&board, &objective).hook(not(0)).hook(not(1)).run().expect_err("nothing is left");
    assert_eq!((violation.hook(), violation.others()), ("not 1", &["not 0".to_owned()][..]), "{violation}");
    assert!(Audit::of_best(&board, &Objective::maximise(placed)).hook(not(0)).run().is_ok());
}

#[test]
fn a_symmetry_that_the_objective_does_not_respect() {
    let queens = Columns::new(6);
    let sum = Objective::minimise(|_: &Columns, columns: &Vec<usize>| columns.iter().sum::<usize>());
    assert!(Audit::of_best(&queens, &sum).hook(left_half_and_middle(6)).run().is_ok());
    let first = Objective::maximise(|_: &Columns, columns: &Vec<usize>| columns[0]);
    let violation = Audit::of_best(&queens, &first).hook(left_half_and_middle(6)).run().expect_err("the right half");
    assert_eq!((violation.hook(), violation.effect()), ("left half and middle", Some(Effect::Representatives)));
    assert!(matches!(violation.loss(), Loss::Optimum { .. }), "{violation}");
}

#[test]
fn claims_hold_only_as_far_as_those_of_the_hooks_beside() {
    let queens = Columns::new(6);
    let least = || least_image(&MIRROR);
    let only = |effect| {
        hook::enter("only from column 1", effect, |node: &mut NodeMut<'_, Columns>| {
            Verdict::prune_if(node.state().first().is_some_and(|&column| column != 1))
        })
    };
    // The mirror counts on orbits that somebody else is free to cut off.
    for effect in [Effect::OptimumOnly, Effect::Lossy] {
        let least = least();
        let audit = Audit::of_count(&queens).orbits(move |_, columns| least(columns));
        let coverage = audit.hook(left_half_and_middle(6)).hook(only(effect)).run().expect("as is claimed");
        assert_eq!(coverage.is_exhaustive(), effect == Effect::OptimumOnly, "{coverage}");
    }
    let least = least();
    let audit = Audit::of_count(&queens).orbits(move |_, columns| least(columns));
    let violation = audit.hook(left_half_and_middle(6)).hook(only(Effect::Preserving)).run().expect_err("too much");
    assert_eq!(violation.hook(), "only from column 1");
}

#[test]
fn what_was_lost_is_shown() {
    let queens = Columns::new(4);
    let draw = |_: &Columns, columns: &Vec<usize>| {
        columns.iter().map(|&column| format!("{}Q", ".".repeat(column))).collect::<Vec<_>>().join("\n")
    };
    let no_one = hook::admit("not in column 1", Effect::Preserving, |node: &Node<'_, Columns>, &column: &usize| {
        Verdict::prune_if(node.depth() == 0 && column == 1)
    });
    let violation = Audit::of_count(&queens).show(draw).hook(no_one).run().expect_err("one is lost");
    assert_eq!(
        violation.to_string(),
        "`not in column 1` (preserving): a solution was lost\n  cut off: .Q\n  reached by: [1]\n  \
         lost:\n    .Q\n    ...Q\n    Q\n    ..Q"
    );
}

#[test]
fn hooks_that_do_not_hold_beside_each_other() {
    let queens = Queens::new(5).expect("a size").bits();
    let leader = Queens::lex_leader(&queens).expect("a group");
    let violation = Audit::of_count(&queens).hook(Queens::mirror()).hook(leader).run().expect_err("two symmetries");
    assert!(matches!(violation.loss(), Loss::Conflict { reasons } if reasons.len() == 2), "{violation}");
}

#[test]
fn a_memo_beside_a_preserving_hook() {
    let queens = Columns::new(7);
    let ahead = hook::enter("a free column ahead", Effect::Preserving, |node: &mut NodeMut<'_, Columns>| {
        let (size, state) = (node.problem().size, node.state());
        Verdict::prune_if(state.len() < size && node.problem().next(state, &mut 0).is_none())
    });
    let memo = Memo::counted("all", |_: &Columns, state: &Vec<usize>| state.clone());
    let coverage = Audit::of_count(&queens).hook(memo).hook(ahead).run().expect("sound");
    assert!(coverage.cuts.checked > 0 && coverage.is_exhaustive());
}

#[test]
fn what_is_not_checked_is_counted() {
    let queens = Columns::new(8);
    let second = |effect| {
        hook::admit("second half", effect, |node: &Node<'_, Columns>, &column: &usize| {
            Verdict::prune_if(node.depth() == 1 && column >= 4)
        })
    };
    // Too large.
    let coverage = Audit::of_count(&queens).limits(Limits::new().nodes(10)).hook(second(Effect::OptimumOnly)).run();
    let coverage = coverage.expect("nothing is known");
    assert!(!coverage.is_exhaustive() && coverage.too_large > 0, "{coverage}");
    // Nothing is claimed.
    let coverage = Audit::of_count(&queens).hook(second(Effect::Lossy)).run().expect("nothing is claimed");
    assert_eq!((coverage.unclaimed, coverage.cuts.checked), (coverage.cuts.of, 0), "{coverage}");
    // A share.
    let share = |share| Audit::of_count(&queens).share(share, 7).hook(second(Effect::OptimumOnly)).run();
    let coverage = share(0.5).expect("something is left");
    assert_eq!(coverage.left_out + coverage.cuts.checked, coverage.cuts.of);
    assert!(coverage.left_out > 3 && coverage.cuts.checked > 3, "{coverage}");
    assert!(coverage.to_string().contains("left out at random"), "{coverage}");
    assert!(share(1.0).expect("something is left").is_exhaustive());
    // An end before the end.
    let coverage = Audit::of_count(&queens).nodes(30).hook(second(Effect::OptimumOnly)).run().expect("not known");
    assert_eq!(coverage.unfinished, 1, "{coverage}");
}

#[test]
fn a_value_that_is_known_before_is_no_loss() {
    let board = Board::empty(3, 3);
    let objective = Objective::maximise(placed);
    objective.incumbent().offer(3);
    let bound = UpperBound::new(Bound::Cells, objective.incumbent().clone());
    assert!(Audit::of_best(&board, &objective).hook(bound).run().is_ok());
}

#[test]
fn an_inference_may_be_held_to_more_than_it_claims() {
    // It cuts off one of two placements that are as good.
    let board = Board::empty(1, 2);
    let not_first = || {
        hook::enter("not first", Effect::OptimumOnly, |node: &mut NodeMut<'_, Board>| {
            Verdict::prune_if(node.state().bunkers() == [0])
        })
    };
    let objective = Objective::maximise(placed);
    assert!(Audit::of_best(&board, &objective).hook(not_first()).run().is_ok());
    let objective = Objective::maximise(placed);
    assert!(Audit::of_best(&board, &objective).locally().hook(not_first()).run().is_err());
}

#[test]
fn the_empty_tree_has_nothing_to_check() {
    let queens = Columns::new(0);
    let coverage = Audit::of_count(&queens).run().expect("nothing");
    assert_eq!(coverage.to_string(), "1 instance: nothing to check, exhaustive");
}

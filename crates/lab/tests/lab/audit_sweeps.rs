//! Audits of sweeps find unsound filters, canonicalisers and dominances, and accept sound ones.

use proptest::prelude::*;
use secateurs::plug::code::{Labels, Parentheses};
use secateurs::plug::{Antichain, BestState, ContourProblem, StateDominance, SweepHook, Thinning};
use secateurs::{Direction, Effect, Limits, Verdict};
use secateurs_lab::{Coverage, GapReason, Instances, Loss, SweepAudit, Violation};
use secateurs_problems::catalogue::{
    Grid, SpanningForests, connected_subsets, hamiltonian_cycles, spanning_trees,
};
use secateurs_problems::rocket_mania::{
    Block, Case, Containment, Extinguished, Fuses, LonePlugs, Matches, Mode, Outshone, RocketBoard,
    Rockets, UnlitRockets, outshone,
};

use crate::knapsack::Knapsack;
use crate::support::sweeps::Steps;

/// A hook from a closure.
struct Closure<F> {
    name: &'static str,
    effect: Effect,
    keeps_labels: bool,
    enter: F,
}

impl<P: ContourProblem, F: Fn(&P, usize, &mut P::State) -> Verdict + Sync> SweepHook<P>
    for Closure<F>
{
    fn name(&self) -> &str {
        self.name
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn keeps_labels(&self) -> bool {
        self.keeps_labels
    }
    fn enter(&self, problem: &P, cell: usize, state: &mut P::State) -> Verdict {
        (self.enter)(problem, cell, state)
    }
}

fn preserving<P: ContourProblem, F: Fn(&P, usize, &mut P::State) -> Verdict + Sync>(
    name: &'static str,
    enter: F,
) -> Closure<F> {
    Closure { name, effect: Effect::Preserving, keeps_labels: true, enter }
}

#[test]
fn a_canonicaliser_that_merges_components_is_unsound() {
    let merge = || {
        preserving("merge", |_: &SpanningForests, _, state: &mut Labels<u64>| {
            if state.has(2) {
                *state = state.relabelled(2, 1).canonical();
            }
            Verdict::Keep
        })
    };
    let boards =
        [(1, 3), (2, 2), (3, 3)].map(|(rows, columns)| Grid::new(rows, columns).expect("small"));
    let found = Instances::new(boards.clone())
        .audit(|grid| SweepAudit::new(&spanning_trees(grid)).hook(merge()).run())
        .expect_err("components matter");
    assert_eq!(found.violation().hook(), "merge");
    assert!(matches!(found.violation().loss(), Loss::Joined { .. }), "{found}");
    assert_eq!(found.violation().exhibits().len(), 2);
    // Renumbering components changes nothing, because all states are canonical already.
    let renumber = || {
        preserving("renumber", |_: &SpanningForests, _, state: &mut Labels<u64>| {
            *state = state.canonical();
            Verdict::Keep
        })
    };
    let right = Instances::new(boards)
        .audit(|grid| SweepAudit::new(&spanning_trees(grid)).hook(renumber()).run());
    assert!(right.expect("no change").is_exhaustive());
}

#[test]
fn a_canonicaliser_that_changes_pairs_of_ends_is_unsound() {
    let cycles = hamiltonian_cycles(&Grid::new(4, 4).expect("small"));
    let forgets = preserving("forgets", |_: &_, _, state: &mut Parentheses<u64>| {
        // This ignores which ends belong together.
        if state.to_string().contains("()()") {
            *state = state.to_string().replace("()()", "(())").parse().expect("a word");
        }
        Verdict::Keep
    });
    let violation = SweepAudit::new(&cycles).hook(forgets).run().expect_err("the pairs matter");
    assert!(matches!(violation.loss(), Loss::Joined { .. } | Loss::Labels), "{violation}");
}

#[test]
fn a_mirror_that_claims_to_keep_labels_is_unsound() {
    // Sets of squares, no two of which are neighbours, in a row of even length. Each step decides
    // the next square from both ends.
    let pairs = Steps::new(4, (false, false), |_, last: (bool, bool), emit| {
        for next in [(false, false), (false, true), (true, false), (true, true)] {
            if !(next.0 && last.0 || next.1 && last.1) {
                emit(next, next);
            }
        }
    });
    let pairs = pairs.accepting(|last| last != (true, true));
    let mirror = |keeps_labels| Closure {
        name: "mirror",
        effect: Effect::Preserving,
        keeps_labels,
        enter: |_: &_, _: usize, state: &mut (bool, bool)| {
            *state = (state.0.min(state.1), state.0.max(state.1));
            Verdict::Keep
        },
    };
    let coverage = SweepAudit::new(&pairs).hook(mirror(false)).run().expect("as many ways");
    assert!(coverage.is_exhaustive());
    let violation = SweepAudit::new(&pairs).hook(mirror(true)).run().expect_err("other words");
    assert_eq!(*violation.loss(), Loss::Labels, "{violation}");
}

#[test]
fn filters_are_checked_by_counts_and_by_weights() {
    let subsets = connected_subsets(&Grid::new(3, 3).expect("small"));
    let at_most = |components: usize, effect| Closure {
        name: "few components",
        effect,
        keeps_labels: true,
        enter: move |_: &_, _, state: &mut Labels<u64>| {
            Verdict::prune_if(state.components() > components)
        },
    };
    let audit =
        |components| SweepAudit::new(&subsets).hook(at_most(components, Effect::Preserving)).run();
    assert!(audit(2).expect("there are two at most").is_exhaustive());
    let violation = audit(1).expect_err("two may join");
    assert!(matches!(violation.loss(), Loss::Solutions { one: Some(_), .. }), "{violation}");
    // A claim about the best weight fails for random weights, holds for a weight that prefers small
    // sets, and fails for one that does not.
    let best = || SweepAudit::new(&subsets).hook(at_most(1, Effect::OptimumOnly));
    assert!(matches!(best().run().expect_err("some weight").loss(), Loss::Optimum { .. }));
    let taken = |_: usize, taken: bool| i64::from(taken);
    let smallest = best().weight(Direction::Minimise, taken).run().expect("one cell is enough");
    assert!(smallest.is_exhaustive());
    let corners = |cell: usize, taken: bool| {
        if cell == 1 || cell == 4 || cell == 3 { -3 * i64::from(taken) } else { i64::from(taken) }
    };
    assert!(best().weight(Direction::Maximise, corners).run().is_err());
}

fn case(text: &str) -> Case {
    Mode::Single.cases(text).expect("a case").remove(0)
}

/// A wrong dominance: it ignores which plugs are lit.
struct IgnoresFire;

impl StateDominance<Fuses<'_>> for IgnoresFire {
    type Form = Labels<u64>;
    type Key = (usize, std::cmp::Reverse<Labels<u64>>);
    fn form(&self, _: &Fuses<'_>, _: usize, contour: Labels<u64>) -> Labels<u64> {
        contour
    }
    fn key(&self, contour: Labels<u64>, _: &Labels<u64>) -> Self::Key {
        (
            (0..contour.len()).filter(|&plug| contour.get(plug) != 0).count(),
            std::cmp::Reverse(contour),
        )
    }
    fn covers(&self, better: &Labels<u64>, worse: &Labels<u64>) -> bool {
        (0..worse.len()).all(|plug| worse.get(plug) == 0 || better.get(plug) != 0)
    }
}

fn fuses_audit<'a>(fuses: &'a Fuses<'a>) -> SweepAudit<'a, Fuses<'a>> {
    SweepAudit::new(fuses)
        .weight(Direction::Maximise, Rockets)
        .show(|_, _, contour| contour.to_string())
}

#[test]
fn a_dominance_that_ignores_lit_plugs_is_unsound() {
    let case = case("1\nLTL\nT-L\n");
    let fuses = Fuses::<u64>::new(&case);
    let violation =
        fuses_audit(&fuses).dominance("ignores fire", IgnoresFire).run().expect_err("fire matters");
    assert!(matches!(violation.loss(), Loss::Dominated { .. }), "{violation}");
    let weakly = fuses_audit(&fuses).by_weight_alone().dominance("ignores fire", IgnoresFire).run();
    assert!(matches!(weakly.expect_err("fire matters").loss(), Loss::Dominated { .. }));
    // In hooks of both kinds.
    let antichain = Antichain::new("antichain", IgnoresFire);
    let violation = fuses_audit(&fuses).hook(antichain).run().expect_err("fire matters");
    assert_eq!((violation.hook(), violation.effect()), ("antichain", Some(Effect::OptimumOnly)));
    assert!(fuses_audit(&fuses).hook(BestState::new("best", IgnoresFire)).run().is_err());
}

fn audit_rocket_mania(case: &Case) -> Result<Coverage, Violation> {
    let fuses = Fuses::<u64>::new(case);
    let audit = || fuses_audit(&fuses);
    let full = || Antichain::new("full", Containment);
    let mut total = audit().hook(Extinguished).run()?;
    total += audit().hook(LonePlugs).run()?;
    total += audit().hook(UnlitRockets).run()?;
    total += audit().hook(outshone()).run()?;
    total += audit().hook(full()).dominance("contained", Containment).run()?;
    let filters = audit().hook(Extinguished).hook(LonePlugs).hook(UnlitRockets);
    total += filters.hook(outshone()).hook(full()).run()?;
    Ok(total)
}

#[test]
fn the_prunings_of_rocket_mania_pass() {
    let coverage = audit_rocket_mania(&case("2\nLT-\nTLT\nL.L\n")).expect("sound");
    for checks in [coverage.cuts, coverage.tightenings, coverage.pairs] {
        assert!(checks.checked > 10, "{coverage}");
    }
}

#[test]
fn the_paper_violates_the_law_of_keys() {
    // Among contours with equally many lit plugs, the paper does not prefer the one with the most
    // plugs.
    let case = case("2\nLT-\nTLT\nL.L\n");
    let fuses = Fuses::<u64>::new(&case);
    let violation =
        fuses_audit(&fuses).dominance("outshone", Outshone).run().expect_err("keys rise");
    assert_eq!(*violation.loss(), Loss::KeyTooSmall, "{violation}");
}

/// A layer of this board has more states than are compared in pairs.
#[test]
fn an_audit_is_exhaustive_after_its_gaps_are_closed() {
    let mut coverage = audit_rocket_mania(&case("1\nT-T\nTL.\nLT.\n")).expect("sound");
    assert!(coverage.nodes.checked < coverage.nodes.of);
    assert!(coverage.unchecked(GapReason::LeftOut) > 0 && !coverage.is_exhaustive());
    coverage.close(GapReason::LeftOut);
    assert!(coverage.is_exhaustive());
}

fn any_case() -> impl Strategy<Value = Case> {
    let block = prop::sample::select(vec!['.', '-', 'L', 'T', '+']);
    (1..=3_usize, 1..=3_usize, any::<bool>()).prop_flat_map(move |(rows, columns, all)| {
        prop::collection::vec(block.clone(), rows * columns).prop_map(move |blocks| {
            let line = |row: &[char]| {
                row.iter().map(|&block| Block::from_char(block).expect("a block")).collect()
            };
            let lines: Vec<Vec<Block>> = blocks.chunks(columns).map(line).collect();
            let board = RocketBoard::new(&lines).expect("a board");
            Case::new(board, if all { Matches::All } else { Matches::One(0) }).expect("a case")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48, failure_persistence: None, ..ProptestConfig::default()
    })]
    #[test]
    fn the_prunings_of_rocket_mania_pass_on_random_boards(case in any_case()) {
        let mut coverage = audit_rocket_mania(&case)?;
        // The pairs of a large layer are a sample.
        coverage.close(GapReason::LeftOut);
        coverage.exhaustive()?;
    }
}

/// The relation `better >= worse` with a flaw: none (0), keys fall (1), two rooms share a key (2),
/// not transitive (3), or reversed (4).
struct Flawed(u8);

impl StateDominance<Knapsack> for Flawed {
    type Form = u32;
    type Key = u32;
    fn form(&self, _: &Knapsack, _: usize, room: u32) -> u32 {
        room
    }
    fn key(&self, room: u32, _: &u32) -> u32 {
        match self.0 {
            0 => room,
            1 => 100 - room,
            2 => room / 2,
            _ => room,
        }
    }
    fn covers(&self, better: &u32, worse: &u32) -> bool {
        match self.0 {
            3 => better > worse && better - worse <= 2,
            4 => worse > better,
            _ => better >= worse,
        }
    }
}

#[test]
fn each_law_of_dominance_is_checked() {
    let knapsack = Knapsack(vec![5, 2, 1, 1, 4, 3], 11);
    let audit = |flaw| SweepAudit::new(&knapsack).dominance("more room", Flawed(flaw)).run();
    let coverage = audit(0).expect("right");
    assert!(coverage.is_exhaustive() && coverage.pairs.checked > 50, "{coverage}");
    let loss = |flaw| audit(flaw).expect_err("flawed").loss().clone();
    assert_eq!(loss(1), Loss::KeyTooSmall);
    assert_eq!(loss(2), Loss::SameKey);
    assert_eq!(loss(3), Loss::NotTransitive);
    assert!(matches!(loss(4), Loss::KeyTooSmall | Loss::Dominated { .. }));
    let hook = SweepAudit::new(&knapsack).hook(Antichain::new("more room", Flawed(0))).run();
    assert!(hook.expect("right").pairs.checked > 10);
}

/// A hook that drops all but one state of a layer, without naming a dominating state.
struct KeepsOne {
    effect: Effect,
    is_constraint: bool,
}

impl SweepHook<Knapsack> for KeepsOne {
    fn name(&self) -> &str {
        "keeps one"
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn is_constraint(&self) -> bool {
        self.is_constraint
    }
    fn thin(&self, _: &Knapsack, _: usize, layer: &mut Thinning<'_, u32>) {
        let states = layer.states();
        let most = states.iter().max();
        for index in (0..states.len()).filter(|&index| Some(&states[index]) != most) {
            layer.drop(index);
        }
    }
}

#[test]
fn dropping_all_but_one_state_is_checked_against_the_claim() {
    let knapsack = Knapsack(vec![5, 2, 1, 1, 4, 3], 11);
    let keeps_one =
        |effect, is_constraint| SweepAudit::new(&knapsack).hook(KeepsOne { effect, is_constraint });
    let audit = |effect| keeps_one(effect, false);
    let violation = audit(Effect::Preserving).run().expect_err("solutions are lost");
    assert!(matches!(violation.loss(), Loss::Solutions { .. }), "{violation}");
    let violation = audit(Effect::OptimumOnly).run().expect_err("of some weights the best is lost");
    assert!(matches!(violation.loss(), Loss::Optimum { .. }), "{violation}");
    let count = |_: usize, taken: bool| i64::from(taken);
    assert!(audit(Effect::OptimumOnly).weight(Direction::Minimise, count).run().is_ok());
    let coverage = audit(Effect::Lossy).run().expect("nothing is claimed");
    // Each of 42 dropped states, and the whole sweep once, whatever the number of weights.
    assert_eq!(coverage.unchecked(GapReason::Unclaimed), 43, "{coverage}");
    assert!(!coverage.is_exhaustive(), "{coverage}");
    // A constraint defines the solutions, so that there is nothing to check its cuts against.
    let coverage = keeps_one(Effect::Preserving, true).run().expect("nothing is claimed");
    assert_eq!((coverage.cuts.checked, coverage.cuts.of), (0, 42), "{coverage}");
    assert_eq!(coverage.unchecked(GapReason::Unclaimed), 42, "{coverage}");
}

#[test]
fn states_that_are_too_wide_are_a_gap_of_their_own() {
    let case = case(&format!("1\n{}", "L\n".repeat(40)));
    let fuses = Fuses::<u64>::new(&case);
    assert!(fuses.fits(0).is_err());
    let coverage = SweepAudit::new(&fuses).run().expect("nothing is checked");
    assert_eq!(coverage.unchecked(GapReason::Unfinished), 0);
    let error = coverage.exhaustive().expect_err("nothing is checked").to_string();
    assert!(
        error.ends_with(
            "`the sweep without hooks`: 1 with states that may not fit into their type; \
             use a wider state type, or sweep along the shorter side"
        ),
        "{error}"
    );
}

#[test]
fn unchecked_sweeps_and_actions_are_counted() {
    let trees = spanning_trees(&Grid::new(4, 4).expect("small"));
    let audit = SweepAudit::new(&trees).limits(Limits::new().states(3));
    let coverage = audit.run().expect("too large");
    assert_eq!((coverage.unchecked(GapReason::Unfinished), coverage.is_exhaustive()), (1, false));
    let knapsack = Knapsack(vec![5, 2, 1, 1, 4, 3], 11);
    let hook = || Antichain::new("more room", Flawed(0));
    let coverage = SweepAudit::new(&knapsack).share(0.3, 1).hook(hook()).run().expect("right");
    assert!(coverage.unchecked(GapReason::LeftOut) > 0 && coverage.pairs.checked > 0, "{coverage}");
    // A problem without cells.
    assert!(SweepAudit::new(&Knapsack(vec![], 3)).hook(hook()).run().is_ok());
}

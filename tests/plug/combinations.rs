//! Random automata and boards with known solutions, swept with random combinations of hooks,
//! tables, threads, limits, files and questions. A run may claim less than the truth, but never
//! more.
//!
//! Each hook keeps exactly what its claim says, and otherwise removes as much as it can.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

use expect_test::expect_file;
use fastrand::Rng;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use secateurs::checkpoint::Fingerprint;
use secateurs::plug::algebra::{
    Best, BestK, CountByWeight, Counting, Modulo, Natural, Optima, Polynomial, Weight,
};
use secateurs::plug::motzkin::{DenseSweep, MotzkinProblem};
use secateurs::plug::{
    Algebra, Both, ContourProblem, Family, FamilyError, Saved, Sweep, SweepCheckpoint, SweepHook,
    Thinning,
};
use secateurs::{
    Digest, Direction, Effect, Incumbent, Limits, Outcome, Total, Uniqueness, Verdict,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::automata::Automaton;
use crate::motzkin::entrances::{self, Board};
use crate::support::scratch::Directory;
use crate::support::seeds::{self, NO_HOOK, Trial, coverage};

#[path = "combinations/any_problem.rs"]
mod any_problem;
#[path = "combinations/few_labels.rs"]
mod few_labels;

use any_problem::{AnyProblem, Pair, may_meet};

/// The maximum number of solutions of a trial.
const MAX_SOLUTIONS: usize = 400;

const STATES: u8 = 6;

/// Returns a random automaton of so many cells. The labels of the steps of a state are distinct.
fn random_automaton(cells: usize, rng: &mut Rng) -> Automaton {
    let states = rng.u8(1..=STATES);
    let density = rng.f64();
    let mut step = |from| {
        let labels = (0..4).filter(|_| rng.f64() < density).collect::<Vec<u8>>();
        labels.into_iter().map(|label| (from, rng.u8(0..states), label)).collect::<Vec<_>>()
    };
    let steps = (0..cells).map(|_| (0..STATES).flat_map(&mut step).collect()).collect();
    let accepted = rng.u8(..);
    Automaton::new(steps, (0..STATES).filter(|state| accepted >> state & 1 == 1).collect())
}

/// Returns two random automata on the same cells, of which not all labels may meet.
fn random_pair(rng: &mut Rng) -> Pair {
    let cells = rng.usize(0..=4);
    let pair = Both::new(random_automaton(cells, rng), random_automaton(cells, rng));
    pair.expect("as many cells").only(may_meet)
}

/// Returns a weight of labels in cells. Weights are less than 4, so that there are many ties.
fn random_weight<L: Hash>(salt: u64) -> impl Fn(usize, L) -> i64 + Copy + Sync {
    move |cell, label| {
        let digest = Digest::of(&(salt, cell, label));
        i64::from(std::hash::Hasher::finish(&digest) as u8 % 4)
    }
}

/// A weight of labels with a lower bound of the weight that a state still gains.
struct BoundedWeight<'a, S, F> {
    weight: F,
    /// The least weights to go, after each cell.
    to_go: &'a [BTreeMap<S, i64>],
    /// The number by which bounds are below the least weight.
    slack: i64,
}

impl<P, F> Weight<P> for BoundedWeight<'_, P::State, F>
where
    P: ContourProblem<State: Small>,
    F: Fn(usize, P::Label) -> i64 + Sync,
{
    fn label(&self, cell: usize, label: P::Label) -> i64 {
        (self.weight)(cell, label)
    }
    fn least_to_go(&self, cell: usize, state: P::State) -> i64 {
        self.to_go[cell][&state].saturating_sub(self.slack)
    }
}

/// A solution: its labels, the states after each cell, and its weight.
#[derive(Clone, Debug)]
struct Word<S, L> {
    labels: Vec<L>,
    states: Vec<S>,
    weight: i64,
}

/// All solutions, enumerated one by one.
struct Truth<S, L> {
    words: Vec<Word<S, L>>,
    direction: Direction,
    /// After each cell, the reachable states, each with the index of its set of label sequences to
    /// the end, and with the number of these sequences.
    classes: Vec<BTreeMap<S, (usize, usize)>>,
    /// After each cell, the least weight of the label sequences from each reachable state to the
    /// end, or `i64::MAX` if there are none.
    to_go: Vec<BTreeMap<S, i64>>,
    /// For the indexes of two sets, whether the second contains the first.
    is_subset: BTreeSet<(usize, usize)>,
}

/// A state or a label of the problems under test.
trait Small: Copy + Ord + Hash + Debug + Send + Sync {}
impl<T: Copy + Ord + Hash + Debug + Send + Sync> Small for T {}

impl<S: Small, L: Copy + Debug + Hash + PartialEq> Truth<S, L> {
    /// Enumerates all solutions. Returns `None` if there are too many.
    fn of<P: ContourProblem<State = S, Label = L>>(
        problem: &P,
        salt: u64,
        rng: &mut Rng,
    ) -> Option<Self> {
        let mut words = Vec::new();
        let mut classes = vec![BTreeMap::new(); problem.cells()];
        let mut to_go = vec![BTreeMap::new(); problem.cells()];
        let weight = random_weight(salt);
        let mut stack = vec![(Vec::new(), Vec::<S>::new())];
        let mut steps = 0;
        while let Some((labels, states)) = stack.pop() {
            let cell = labels.len();
            let state = states.last().copied().unwrap_or_else(|| problem.start());
            if cell == problem.cells() {
                if problem.accept(state) {
                    let weight =
                        labels.iter().enumerate().map(|(cell, &label)| weight(cell, label));
                    words.push(Word { weight: weight.sum(), labels, states });
                }
                continue;
            }
            problem.step(cell, state, &mut |next, label| {
                let (mut labels, mut states) = (labels.clone(), states.clone());
                labels.push(label);
                states.push(next);
                stack.push((labels, states));
            });
            steps += 1;
            if words.len() > MAX_SOLUTIONS || steps > 50 * MAX_SOLUTIONS {
                return None;
            }
        }
        let mut sets: Vec<BTreeSet<String>> = Vec::new();
        let mut known = BTreeMap::new();
        let last = reachable_states(problem, problem.cells()).into_iter();
        // The label sequences from each state to the end, with multiplicity.
        let mut ends: BTreeMap<S, Vec<String>> = last
            .map(|state| {
                (state, if problem.accept(state) { vec![String::new()] } else { Vec::new() })
            })
            .collect();
        let mut least: BTreeMap<S, i64> = reachable_states(problem, problem.cells())
            .into_iter()
            .map(|state| (state, if problem.accept(state) { 0 } else { i64::MAX }))
            .collect();
        for cell in (0..problem.cells()).rev() {
            let before = reachable_states(problem, cell).into_iter().map(|state| {
                let mut of_state = i64::MAX;
                problem.step(cell, state, &mut |next, label| {
                    of_state = of_state.min(least[&next].saturating_add(weight(cell, label)));
                });
                (state, of_state)
            });
            let before = before.collect();
            to_go[cell] = std::mem::replace(&mut least, before);
            for (&state, words) in &mut ends {
                words.sort();
                let number = *known.entry(words.clone()).or_insert_with(|| {
                    sets.push(words.iter().cloned().collect());
                    sets.len() - 1
                });
                classes[cell].insert(state, (number, words.len()));
            }
            let before = reachable_states(problem, cell).into_iter().map(|state| {
                let mut words = Vec::new();
                problem.step(cell, state, &mut |next, label| {
                    words.extend(ends[&next].iter().map(|end| format!("{label:?} {end}")));
                });
                (state, words)
            });
            ends = before.collect();
        }
        let pairs = (0..sets.len()).flat_map(|one| (0..sets.len()).map(move |other| (one, other)));
        let is_subset = pairs.filter(|&(one, other)| sets[one].is_subset(&sets[other])).collect();
        let direction = if rng.bool() { Direction::Maximise } else { Direction::Minimise };
        Some(Truth { words, direction, classes, to_go, is_subset })
    }

    fn best(&self) -> Option<i64> {
        let weights = self.words.iter().map(|word| word.weight);
        match self.direction {
            Direction::Maximise => weights.max(),
            Direction::Minimise => weights.min(),
        }
    }

    /// Returns the weights, best first.
    fn ranked(&self) -> Vec<i64> {
        let mut weights: Vec<i64> = self.words.iter().map(|word| word.weight).collect();
        weights.sort_unstable();
        if self.direction == Direction::Maximise {
            weights.reverse();
        }
        weights
    }

    /// Returns a random set of states to cut off, such that `keeps` accepts the remaining
    /// solutions: a maximal set or a part of one. Equivalent states are cut off together.
    fn cuts(&self, rng: &mut Rng, keeps: impl Fn(&[usize]) -> bool) -> BTreeSet<(usize, S)> {
        let mut groups: Vec<(usize, usize)> = Vec::new();
        for (cell, classes) in self.classes.iter().enumerate() {
            let numbers: BTreeSet<usize> = classes.values().map(|&(number, _)| number).collect();
            groups.extend(numbers.into_iter().map(|number| (cell, number)));
        }
        rng.shuffle(&mut groups);
        let share = rng.f64();
        let mut cut = BTreeSet::new();
        let mut left: Vec<usize> = (0..self.words.len()).collect();
        for (cell, number) in groups {
            let is_cut = |state: &S| self.classes[cell][state].0 == number;
            let rest: Vec<usize> = left
                .iter()
                .copied()
                .filter(|&word| !is_cut(&self.words[word].states[cell]))
                .collect();
            if rng.f64() < share && keeps(&rest) {
                left = rest;
                cut.extend(
                    self.classes[cell]
                        .keys()
                        .filter(|&state| is_cut(state))
                        .map(|&state| (cell, state)),
                );
            }
        }
        cut
    }
}

/// Returns the reachable states after this number of cells.
fn reachable_states<P: ContourProblem<State: Ord>>(
    problem: &P,
    cells: usize,
) -> BTreeSet<P::State> {
    (0..cells).fold(BTreeSet::from([problem.start()]), |layer, cell| {
        let mut next = BTreeSet::new();
        for state in layer {
            problem.step(cell, state, &mut |state, _| {
                next.insert(state);
            });
        }
        next
    })
}

/// A hook given by tables.
#[derive(Clone, Debug)]
struct TableHook<S> {
    name: String,
    effect: Effect,
    keeps_labels: bool,
    keeps_best_of_layer: bool,
    is_constraint: bool,
    /// Whether states are cut off when the layer is complete, or as they arise.
    when_complete: bool,
    cut: BTreeSet<(usize, S)>,
    replaced: BTreeMap<(usize, S), S>,
    /// Its value is read before a state is cut off.
    incumbent: Option<Incumbent<i64>>,
    /// Pairs of a worse state and a better one.
    covered: BTreeSet<(usize, S, S)>,
}

impl<S: Small> TableHook<S> {
    fn cuts(&self, cell: usize, state: S) -> bool {
        let is_known = |incumbent: &Incumbent<i64>| incumbent.get().is_some();
        self.cut.contains(&(cell, state)) && self.incumbent.as_ref().is_none_or(is_known)
    }
}

impl<P: ContourProblem<State: Small>> SweepHook<P> for TableHook<P::State> {
    fn name(&self) -> &str {
        &self.name
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(&self.cut, &self.replaced, &self.covered)))
    }
    fn is_constraint(&self) -> bool {
        self.is_constraint
    }
    fn keeps_labels(&self) -> bool {
        self.keeps_labels
    }
    fn keeps_best_of_layer(&self) -> bool {
        self.keeps_best_of_layer
    }
    fn enter(&self, _: &P, cell: usize, state: &mut P::State) -> Verdict {
        if let Some(&other) = self.replaced.get(&(cell, *state)) {
            *state = other;
        }
        Verdict::prune_if(!self.when_complete && self.cuts(cell, *state))
    }
    fn thin(&self, _: &P, cell: usize, layer: &mut Thinning<'_, P::State>) {
        let states = layer.states();
        // Sorted, because the order of the states in a layer depends on the table and the threads.
        let places: BTreeMap<P::State, usize> = states.iter().copied().zip(0..).collect();
        for (&state, &place) in &places {
            if self.when_complete && self.cuts(cell, state) {
                layer.drop(place);
            }
        }
        for &(at, worse, better) in &self.covered {
            if let (true, Some(&worse), Some(&better)) =
                (at == cell, places.get(&worse), places.get(&better))
            {
                layer.dominate(worse, better);
            }
        }
    }
}

const KINDS: [&str; 10] = [
    "constraint",
    "no solution",
    "equal words",
    "equally many words",
    "representatives",
    "one of the best",
    "dominance",
    "lossy",
    "lossy, other words",
    "reads an incumbent",
];

/// Creates a hook of a kind that keeps what it claims to keep, and no more.
fn hook<S: Small, L: Copy + Debug + Hash + PartialEq>(
    kind: usize,
    truth: &Truth<S, L>,
    rng: &mut Rng,
) -> TableHook<S> {
    let mut hook = TableHook {
        name: format!("{} {}", KINDS[kind], rng.u16(..)),
        effect: Effect::Preserving,
        keeps_labels: true,
        keeps_best_of_layer: false,
        is_constraint: false,
        when_complete: rng.bool(),
        cut: BTreeSet::new(),
        replaced: BTreeMap::new(),
        incumbent: None,
        covered: BTreeSet::new(),
    };
    let all = truth.words.len();
    let mut replace =
        |rng: &mut Rng, are_alike: &dyn Fn((usize, usize), (usize, usize)) -> bool| {
            for (cell, classes) in truth.classes.iter().enumerate() {
                // All are replaced by one of them; a substitute is never replaced itself.
                let mut into: Vec<(S, (usize, usize))> = Vec::new();
                for (&state, &class) in classes {
                    match into.iter().find(|&&(_, other)| are_alike(class, other)) {
                        Some(&(other, _)) if rng.bool() => {
                            let _ = hook.replaced.insert((cell, state), other);
                        }
                        _ => into.push((state, class)),
                    }
                }
            }
        };
    match KINDS[kind] {
        "constraint" => {
            hook.is_constraint = true;
            let share = rng.f64() * rng.f64();
            for (cell, classes) in truth.classes.iter().enumerate() {
                let seed = rng.u64(..);
                // Equivalent states are treated alike.
                let is_cut = |number: usize| Rng::with_seed(seed ^ number as u64).f64() < share;
                let cut = classes.iter().filter(|&(_, &(number, _))| is_cut(number));
                hook.cut.extend(cut.map(|(&state, _)| (cell, state)));
            }
        }
        "no solution" => hook.cut = truth.cuts(rng, |left| left.len() == all),
        "equal words" => replace(rng, &|one, other| one.0 == other.0),
        "equally many words" => {
            replace(rng, &|one, other| one.1 == other.1);
            hook.keeps_labels = false;
        }
        "representatives" => {
            hook.effect = Effect::Representatives;
            let modulus = rng.u64(1..4);
            let orbit = |word: &Word<S, L>| (word.weight, hash_of(word) % modulus);
            let orbits: BTreeSet<_> = truth.words.iter().map(orbit).collect();
            let orbits_of = |words: &[usize]| {
                words.iter().map(|&word| orbit(&truth.words[word])).collect::<BTreeSet<_>>()
            };
            hook.cut = truth.cuts(rng, |left| orbits_of(left).len() == orbits.len());
        }
        "one of the best" => {
            hook.effect = Effect::OptimumOnly;
            let best = truth.best();
            let is_best = |&word: &usize| Some(truth.words[word].weight) == best;
            hook.cut = truth.cuts(rng, |left| all == 0 || left.iter().any(is_best));
        }
        "dominance" => {
            hook.effect = Effect::OptimumOnly;
            hook.keeps_best_of_layer = true;
            let share = rng.f64();
            for (cell, classes) in truth.classes.iter().enumerate() {
                for (&worse, (one, _)) in classes {
                    for (&better, (other, _)) in classes {
                        if worse != better
                            && truth.is_subset.contains(&(*one, *other))
                            && rng.f64() < share
                        {
                            hook.covered.insert((cell, worse, better));
                        }
                    }
                }
            }
        }
        "reads an incumbent" => {
            if rng.bool() {
                hook.effect = Effect::OptimumOnly;
            }
            let incumbent = Incumbent::new(truth.direction);
            incumbent.offer(0);
            hook.incumbent = Some(if rng.bool() { incumbent.declared() } else { incumbent });
            hook.cut = truth.cuts(rng, |_| true);
        }
        lossy => {
            hook.effect = Effect::Lossy;
            hook.cut = truth.cuts(rng, |_| true);
            hook.keeps_labels = lossy == "lossy";
            for (cell, classes) in truth.classes.iter().enumerate().filter(|_| lossy != "lossy") {
                let states: Vec<S> = classes.keys().copied().collect();
                for &state in &states {
                    hook.replaced.insert((cell, state), states[rng.usize(0..states.len())]);
                }
            }
        }
    }
    hook
}

/// Returns a hash of the labels of a solution.
fn hash_of<S, L: Debug>(word: &Word<S, L>) -> u64 {
    std::hash::Hasher::finish(&Digest::of(&format!("{:?}", word.labels)))
}

const TABLES: [&str; 5] = ["hash table", "saved", "dense table", "dense, saved", "spilled"];

/// The index of the sweeps with layers on disk.
const SPILLED: usize = 4;

const QUESTIONS: [&str; 13] = [
    "count",
    "count of any size",
    "count by residues",
    "count modulo",
    "exists",
    "is unique",
    "best",
    "all of the best",
    "k best",
    "count and best",
    "by weight",
    "by weight, with a limit",
    "retained",
];

/// The claims of an outcome.
#[derive(Debug, Default)]
struct Claims {
    count: Option<u128>,
    at_least: u128,
    modulo: Option<(u64, u64)>,
    is_none: bool,
    exists: Option<bool>,
    best: Option<i64>,
    ties: Option<(i64, u128)>,
    ranked: Option<Vec<i64>>,
    by_weight: Option<Polynomial>,
    /// The limit of weight to which the claim that there is no solution refers.
    limit: Option<u32>,
    /// Violations of any claim, such as labels that are not those of a solution.
    errors: Vec<String>,
}

impl Claims {
    fn learn_number(&mut self, uniqueness: Uniqueness) {
        match uniqueness {
            Uniqueness::None => self.is_none = true,
            Uniqueness::One => self.count = Some(1),
            Uniqueness::Several => self.at_least = 2,
            Uniqueness::Unknown => {}
        }
    }

    fn is_within_limit<S, L>(&self, word: &Word<S, L>) -> bool {
        self.limit.is_none_or(|limit| word.weight <= i64::from(limit))
    }

    fn check<S: Small, L: Copy + Debug + Hash + PartialEq>(
        self,
        truth: &Truth<S, L>,
    ) -> Result<bool, String> {
        let words = truth.words.len() as u128;
        let best = truth.best();
        let ties = best.map(|best| {
            (best, truth.words.iter().filter(|word| word.weight == best).count() as u128)
        });
        let ranked = truth.ranked();
        let right = [
            self.count.is_none_or(|count| count == words),
            self.at_least <= words,
            self.modulo
                .is_none_or(|(modulus, rest)| words % u128::from(modulus) == u128::from(rest)),
            !self.is_none || !truth.words.iter().any(|word| self.is_within_limit(word)),
            self.exists.is_none_or(|exists| exists == (words > 0)),
            self.best.is_none() || self.best == best,
            self.ties.is_none() || self.ties == ties,
            self.ranked.as_ref().is_none_or(|first| ranked.starts_with(first)),
            self.by_weight.as_ref().is_none_or(|by_weight| {
                let of = |weight| truth.words.iter().filter(|word| word.weight == weight).count();
                (0..24).all(|weight: u32| {
                    let known = self.limit.is_none_or(|limit| weight <= limit);
                    let expected = known.then(|| Natural::from(of(i64::from(weight)) as u64));
                    by_weight.coefficient(weight) == expected
                })
            }),
            self.errors.is_empty(),
        ];
        let proves = self.count.is_some()
            || self.modulo.is_some()
            || self.is_none
            || self.exists.is_some()
            || self.best.is_some()
            || self.ties.is_some()
            || self.ranked.is_some()
            || self.by_weight.is_some();
        match right.contains(&false) {
            true => Err(format!("{self:?}, but the weights of all solutions are {ranked:?}")),
            false => Ok(proves),
        }
    }
}

/// The answer of one instalment.
type Answer<T> = Result<T, Box<dyn Error>>;

/// The configuration of a run: at once, or in instalments through a file.
struct Run<'a> {
    limits: Limits,
    threads: usize,
    /// For each instalment except the last, its limit, and the threads of the next one.
    instalments: Option<Vec<(Limits, usize)>>,
    /// The states in memory of a sweep with layers on disk.
    spilled: Option<usize>,
    directory: &'a Directory,
}

impl Run<'_> {
    fn random<'a>(
        rng: &mut Rng,
        cells: usize,
        is_saved: bool,
        directory: &'a Directory,
    ) -> Run<'a> {
        let limits = match rng.u32(0..8) {
            0 => Limits::new().states(rng.u64(0..8)),
            1 => Limits::new().depth(rng.usize(0..=cells + 1)),
            2 => Limits::new().nodes(rng.u64(0..40)),
            3 => Limits::new().memory(rng.u64(0..1 << 14)),
            _ => Limits::new(),
        };
        // A count by residues passes the first cells again, so it stops there by its states only.
        let limit = |rng: &mut Rng| match rng.bool() {
            true => Limits::new().depth(rng.usize(0..=cells)),
            false => Limits::new().nodes(rng.u64(0..20)),
        };
        let instalments =
            (0..rng.usize(0..4)).map(|_| (limit(&mut *rng), rng.usize(1..4))).collect();
        let instalments = is_saved.then_some(instalments);
        Run { limits, threads: rng.usize(1..4), instalments, spilled: None, directory }
    }

    /// Runs all instalments and returns the outcome of the last one.
    fn saved<T>(
        &self,
        mut sweep: impl FnMut(Limits, usize, &mut SweepCheckpoint, bool) -> Answer<T>,
    ) -> T {
        let file = || {
            SweepCheckpoint::new(
                self.directory.file(),
                Duration::ZERO,
                Fingerprint::new("a problem", &()),
            )
        };
        let mut threads = self.threads;
        let mut is_begun = false;
        for (limits, next) in self.instalments.iter().flatten() {
            let limits = limits.clone();
            let _ = sweep(limits, threads, &mut file(), is_begun).expect("a file of its own");
            (is_begun, threads) = (true, *next);
        }
        let last =
            sweep(self.limits.clone(), threads, &mut file(), is_begun).expect("a file of its own");
        std::fs::remove_file(self.directory.file()).expect("the file");
        last
    }
}

type Hooks<S> = (Option<TableHook<S>>, Option<TableHook<S>>, Option<TableHook<S>>);

/// Runs an algebra at once or in instalments. A file of it is refused by one with other weights.
fn total<P, A>(
    problem: &P,
    hooks: &Hooks<P::State>,
    run: &Run<'_>,
    [algebra, other]: [&A; 2],
) -> Outcome<Total<A::Value>>
where
    P: ContourProblem<State: Small + Serialize + DeserializeOwned>,
    A: Algebra<P, Value: Serialize + DeserializeOwned>,
{
    let sweep =
        |limits, threads| Sweep::new(problem).hooks(hooks.clone()).limits(limits).threads(threads);
    if let Some(states) = run.spilled {
        let sweep = Sweep::new(problem).limits(run.limits.clone()).spill(&run.directory.0);
        return sweep.states_in_memory(states).run(algebra).expect("files");
    }
    if run.instalments.is_none() {
        return sweep(run.limits.clone(), run.threads).run(algebra);
    }
    // A sweep of no cell saves no values.
    let is_other = algebra.parameters() != other.parameters() && problem.cells() > 0;
    run.saved(|limits, threads, file, is_begun| {
        if is_begun && is_other {
            let refused = sweep(limits.clone(), threads).resume(file)?.run(other);
            assert!(refused.is_err(), "resumed with other weights");
        }
        let sweep = sweep(limits, threads);
        let saved = if is_begun { sweep.resume(file)? } else { sweep.checkpoint(file)? };
        Ok(saved.run(algebra)?)
    })
}

/// Asks a sweep at once, with layers on disk, or in instalments.
macro_rules! answer {
    ($problem:expr, $hooks:expr, $run:expr, $question:ident($($argument:expr)?) $($then:tt)*) => {{
        let (hooks, run): (&Hooks<_>, &Run<'_>) = ($hooks, $run);
        let sweep = |limits, threads| {
            Sweep::new($problem).hooks(hooks.clone()).limits(limits).threads(threads)
        };
        if let Some(states) = run.spilled {
            let sweep = Sweep::new($problem).limits(run.limits.clone()).spill(&run.directory.0);
            let answer = sweep.states_in_memory(states).$question($($argument)?)$($then)*;
            answer.expect("files")
        } else if run.instalments.is_none() {
            sweep(run.limits.clone(), run.threads).$question($($argument)?)$($then)*
        } else {
            run.saved(|limits, threads, file, is_begun| {
                let sweep = sweep(limits, threads);
                let saved = if is_begun { sweep.resume(file)? } else { sweep.checkpoint(file)? };
                Ok(saved.$question($($argument)?)$($then)*?)
            })
        }
    }};
}

fn ask<P>(
    problem: &P,
    truth: &Truth<P::State, P::Label>,
    salt: u64,
    hooks: &Hooks<P::State>,
    run: &Run<'_>,
    question: usize,
    rng: &mut Rng,
) -> Claims
where
    P: ContourProblem<
            State: Small + Serialize + DeserializeOwned,
            Label: Copy + Debug + Hash + PartialEq,
        >,
{
    let salts = [salt, !salt];
    let weight = random_weight::<P::Label>(salt);
    let mut claims = Claims::default();
    let direction = truth.direction;
    match QUESTIONS[question] {
        "count" if rng.bool() => {
            let counted = answer!(problem, hooks, run, count());
            (claims.count, claims.at_least) = (counted.exact(), counted.at_least());
        }
        "count" => {
            let counted = total(problem, hooks, run, [&Counting::<u128>::new(); 2]);
            (claims.count, claims.is_none) = (counted.total().copied(), counted.is_proven_empty());
        }
        of @ ("count of any size" | "count by residues") => {
            let counted = match rng.bool() {
                _ if of == "count by residues" => answer!(problem, hooks, run, count_by_residues()),
                true => answer!(problem, hooks, run, count_natural()),
                false => total(problem, hooks, run, [&Counting::<Natural>::new(); 2]),
            };
            claims.count =
                counted.total().map(|count| count.to_string().parse().expect("a small number"));
            claims.is_none = counted.is_proven_empty();
        }
        "count modulo" => {
            let modulus = rng.u64(1..20);
            let counted =
                answer!(problem, hooks, run, count_modulo(modulus).expect("a modulus above 0"));
            claims.modulo = counted.total().map(|&rest| (modulus, rest));
            claims.is_none = counted.is_proven_empty();
        }
        "exists" => {
            let found = answer!(problem, hooks, run, exists());
            claims.exists = found.exists();
        }
        "is unique" => claims.learn_number(*answer!(problem, hooks, run, is_unique()).value()),
        "best" => {
            let [best, other] = salts.map(|salt| {
                Best::new(direction, random_weight::<P::Label>(salt)).parameters(&salt)
            });
            let found = total(problem, hooks, run, [&best, &other]);
            (claims.best, claims.is_none) = (found.total().copied(), found.is_proven_empty());
        }
        "all of the best" => {
            let [best, other] = salts.map(|salt| {
                Optima::new(direction, random_weight::<P::Label>(salt)).parameters(&salt)
            });
            let found = total(problem, hooks, run, [&best, &other]);
            claims.ties = found.total().map(|tied| (tied.weight, tied.ways));
            claims.is_none = found.is_proven_empty();
        }
        "k best" => {
            let number = rng.usize(1..6);
            let [best, other] = salts.map(|salt| {
                BestK::new(direction, number, random_weight::<P::Label>(salt)).parameters(&salt)
            });
            let found = total(problem, hooks, run, [&best, &other]);
            (claims.ranked, claims.is_none) = (found.total().cloned(), found.is_proven_empty());
        }
        "count and best" => {
            let [both, other] = salts.map(|salt| {
                let best = Best::new(direction, random_weight::<P::Label>(salt));
                (Counting::<u64>::new(), best.parameters(&salt))
            });
            let found = total(problem, hooks, run, [&both, &other]);
            if let Some(&(count, best)) = found.total() {
                (claims.count, claims.best) = (Some(u128::from(count)), Some(best));
            }
            claims.is_none = found.is_proven_empty();
        }
        "by weight" => {
            // The count of the pair has no limit, although the other algebra has one.
            let limit = rng.u32(0..12);
            let [both, other] = salts.map(|salt| {
                let by_weight = CountByWeight::new(random_weight::<P::Label>(salt)).up_to(limit);
                (Counting::<u64>::new(), by_weight.parameters(&salt))
            });
            let found = total(problem, hooks, run, [&both, &other]);
            claims.is_none = found.is_proven_empty();
            if let Some((count, by_weight)) = found.total() {
                claims.count = Some(u128::from(*count));
                (claims.by_weight, claims.limit) = (Some(by_weight.clone()), Some(limit));
            }
        }
        "by weight, with a limit" => {
            let slack = rng.i64(0..3);
            let limit = rng.bool().then(|| rng.u32(0..12));
            let [by_weight, other] = salts.map(|salt| {
                let weight = random_weight::<P::Label>(salt);
                let weight = BoundedWeight { weight, to_go: &truth.to_go, slack };
                CountByWeight::new(weight).up_to(limit.unwrap_or(u32::MAX)).parameters(&salt)
            });
            let found = total(problem, hooks, run, [&by_weight, &other]);
            (claims.by_weight, claims.limit) = (found.total().cloned(), limit);
            claims.is_none = found.is_proven_empty();
        }
        _ => claims = ask_retained(problem, truth, weight, hooks, run),
    }
    claims
}

/// The solutions as sets: each cell has an element for each label.
struct Elements<L> {
    labels: Vec<L>,
    universe: usize,
    sets: BTreeSet<Vec<usize>>,
}

impl<L: Copy + PartialEq> Elements<L> {
    fn of<S>(truth: &Truth<S, L>) -> Self {
        let mut elements = Elements { labels: Vec::new(), universe: 0, sets: BTreeSet::new() };
        for &label in truth.words.iter().flat_map(|word| &word.labels) {
            if !elements.labels.contains(&label) {
                elements.labels.push(label);
            }
        }
        elements.universe = truth.classes.len() * (elements.labels.len() + 1);
        let sets = truth.words.iter().map(|word| {
            let labels = word.labels.iter().enumerate();
            labels.map(|(cell, &label)| elements.at(cell, label)).collect()
        });
        elements.sets = sets.collect();
        elements
    }

    /// Returns the element of a label in a cell: one for all labels that are in no solution.
    fn at(&self, cell: usize, label: L) -> usize {
        let index = self.labels.iter().position(|&other| other == label);
        cell * (self.labels.len() + 1) + index.unwrap_or(self.labels.len())
    }
}

/// Asks all questions of retained layers.
fn ask_retained<P>(
    problem: &P,
    truth: &Truth<P::State, P::Label>,
    weight: impl Fn(usize, P::Label) -> i64 + Copy + Sync,
    hooks: &Hooks<P::State>,
    run: &Run<'_>,
) -> Claims
where
    P: ContourProblem<State: Small, Label: Copy + Debug + Hash + PartialEq>,
{
    let mut claims = Claims::default();
    let sweep =
        || Sweep::new(problem).hooks(hooks.clone()).limits(run.limits.clone()).threads(run.threads);
    let elements = Elements::of(truth);
    let element = |cell, label| [elements.at(cell, label)];
    let wrong = |family: Result<Family, FamilyError>| {
        let wrong =
            family.ok().filter(|family| family.sets().collect::<BTreeSet<_>>() != elements.sets);
        wrong.map(|family| format!("the family {family}"))
    };
    claims.errors.extend(wrong(sweep().family(elements.universe, element)));
    let Ok(retained) = sweep().retain_layers() else { return claims };
    claims.errors.extend(wrong(retained.family(elements.universe, element)));
    let count = retained.count();
    (claims.count, claims.at_least) = (count.exact(), count.at_least());
    let first = retained.first();
    (claims.exists, claims.is_none) = (first.exists(), first.is_proven_none());
    let best = retained.best(truth.direction, weight);
    claims.best = best.proven().copied();
    claims.is_none |= best.is_proven_infeasible();
    let is_word = |labels: &[P::Label]| truth.words.iter().any(|word| word.labels == labels);
    let gives_labels = retained.solutions().report().effect();
    if gives_labels < Effect::Lossy {
        let all: Vec<Vec<P::Label>> = retained.solutions().collect();
        if let Some(wrong) = all.iter().find(|labels| !is_word(labels)) {
            claims.errors.push(format!("{wrong:?} is no solution"));
        }
        if gives_labels == Effect::Preserving && all.len() != truth.words.len() {
            claims.errors.push(format!("{} solutions", all.len()));
        }
        if let Some(found) = first.solution().filter(|labels| !is_word(labels)) {
            claims.errors.push(format!("{found:?} is no solution"));
        }
        if let (Some(found), Some(&value)) = (best.solution(), best.best_so_far()) {
            let own: i64 = found.iter().enumerate().map(|(cell, &label)| weight(cell, label)).sum();
            if own != value || !is_word(found) {
                claims.errors.push(format!("{found:?} of weight {value}"));
            }
        }
        if let Ok(samples) = retained.samples(7) {
            for sample in samples.take(3) {
                if !is_word(&sample) {
                    claims.errors.push(format!("the sample {sample:?} is no solution"));
                }
            }
        }
    }
    let by_weight = retained.run(&CountByWeight::new(weight));
    claims.by_weight = by_weight.total().cloned();
    claims.is_none |= by_weight.is_proven_empty();
    if let Ok(ranked) = retained.ranked(truth.direction, weight) {
        let is_complete = ranked.report().effect() == Effect::Preserving;
        let weights: Vec<i64> = ranked.take(4).map(|(weight, _)| weight).collect();
        claims.ranked = is_complete.then_some(weights);
    }
    claims
}

/// Begins a file, or resumes from it.
fn begin<'p, 'c, P: MotzkinProblem>(
    sweep: DenseSweep<'p, P>,
    file: &'c mut SweepCheckpoint,
    is_begun: bool,
) -> Result<DenseSweep<'p, P, Saved<'c>>, Box<dyn Error>> {
    Ok(if is_begun { sweep.resume(file)? } else { sweep.checkpoint(file)? })
}

/// Asks a question of a dense table.
fn ask_dense(problem: &Board, run: &Run<'_>, question: usize, rng: &mut Rng) -> Claims {
    let mut claims = Claims::default();
    let sweep = |limits, threads| Sweep::new(problem).limits(limits).threads(threads).dense();
    macro_rules! answer {
        ($question:ident($($argument:expr)?)) => {
            match run.instalments {
                None => sweep(run.limits.clone(), run.threads).$question($($argument)?),
                Some(_) => run.saved(|limits, threads, file, is_begun| {
                    Ok(begin(sweep(limits, threads), file, is_begun)?.$question($($argument)?)?)
                }),
            }
        };
    }
    match question % 6 {
        0 => {
            let outcome = answer!(count());
            (claims.count, claims.at_least) = (outcome.exact(), outcome.at_least());
        }
        way @ (1 | 2) => {
            let outcome =
                if way == 1 { answer!(count_natural()) } else { answer!(count_by_residues()) };
            claims.count =
                outcome.total().map(|count| count.to_string().parse().expect("a small number"));
            claims.is_none = outcome.is_proven_empty();
        }
        3 => claims.exists = answer!(exists()).exists(),
        4 => claims.learn_number(*answer!(is_unique()).value()),
        _ => {
            let modulus = rng.u64(1..20);
            let modulo = Modulo::new([modulus]).expect("not 0");
            let outcome = answer!(count_moduli(&modulo));
            claims.modulo = outcome.total().map(|&[rest]| (modulus, rest));
            claims.is_none = outcome.is_proven_empty();
        }
    }
    claims
}

/// Creates hooks of these kinds, and removes the solutions that their constraints reject: the
/// claims of the other hooks refer to those that are left.
fn hooks_of<S: Small, L: Copy + Debug + Hash + PartialEq>(
    kinds: &[usize],
    truth: &mut Truth<S, L>,
    rng: &mut Rng,
) -> Hooks<S> {
    let mut made: Vec<Option<TableHook<S>>> = vec![None; kinds.len()];
    for is_constraint in [true, false] {
        for (place, &kind) in kinds.iter().enumerate() {
            if (KINDS[kind] == "constraint") == is_constraint {
                made[place] = Some(hook(kind, truth, rng));
            }
        }
        let rejects = |hook: &TableHook<S>, word: &Word<S, L>| {
            let mut passed = word.states.iter().enumerate();
            hook.is_constraint && passed.any(|(cell, &state)| hook.cut.contains(&(cell, state)))
        };
        truth.words.retain(|word| !made.iter().flatten().any(|hook| rejects(hook, word)));
    }
    let mut hooks = made.into_iter().flatten();
    (hooks.next(), hooks.next(), hooks.next())
}

/// Sweeps a problem in a random configuration and checks the claims of the outcome. Returns `None`
/// if there are too many solutions.
fn trial(
    problem: &AnyProblem,
    rng: &mut Rng,
    directory: &Directory,
) -> Result<Option<Trial>, String> {
    let salt = rng.u64(..);
    let Some(mut truth) = Truth::of(problem, salt, rng) else { return Ok(None) };
    let board = match problem {
        AnyProblem::Board(board) => Some(board),
        _ => None,
    };
    let table = match rng.usize(0..if board.is_some() { TABLES.len() } else { 3 }) {
        2 => SPILLED,
        4 => 2,
        table => table,
    };
    let question = rng.usize(0..QUESTIONS.len());
    let is_retained = QUESTIONS[question] == "retained";
    let is_saved = table % 2 == 1 && !is_retained;
    let mut run = Run::random(rng, problem.cells(), is_saved, directory);
    run.spilled = (table == SPILLED && !is_retained).then(|| rng.usize(1..5));
    let (kinds, claims) = match board.filter(|_| (2..SPILLED).contains(&table)) {
        Some(board) => (Vec::new(), ask_dense(board, &run, question, rng)),
        None => {
            // Layers on disk cannot be combined with hooks.
            let hooks = if table == SPILLED { 0 } else { rng.usize(0..=3) };
            let kinds: Vec<usize> = (0..hooks).map(|_| rng.usize(0..KINDS.len())).collect();
            let hooks = hooks_of(&kinds, &mut truth, rng);
            (kinds, ask(problem, &truth, salt, &hooks, &run, question, rng))
        }
    };
    let names: Vec<&'static str> = kinds.iter().map(|&kind| KINDS[kind]).collect();
    let describe =
        |error| format!("{} of a {}, {names:?}: {error}", QUESTIONS[question], TABLES[table]);
    let proves = claims.check(&truth).map_err(describe)?;
    let alone = kinds.is_empty().then_some(NO_HOOK);
    let rows = names.into_iter().chain(alone).chain([TABLES[table]]).collect();
    Ok(Some(Trial { rows, question: QUESTIONS[question], proves }))
}

/// Returns the trial of a seed; every third seed is a board with a rule for each cell, and every
/// fifth of the others a program on labels of few bits, every seventh of those left a restricted
/// pair of automata.
fn trial_of(seed: u64, directory: &Directory) -> Result<Option<Trial>, String> {
    let mut rng = Rng::with_seed(seed);
    let problem = if seed.is_multiple_of(3) {
        let bytes: [u8; 32] = std::array::from_fn(|_| rng.u8(..));
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let board = entrances::small_boards().new_tree(&mut runner).expect("a board").current();
        AnyProblem::Board(board)
    } else if seed.is_multiple_of(5) {
        let program = few_labels::random_program(&mut rng);
        AnyProblem::Program(program.map_err(|error| format!("seed {seed}: {error}"))?)
    } else if seed.is_multiple_of(7) {
        AnyProblem::Pair(random_pair(&mut rng))
    } else {
        let cells = rng.usize(0..=5);
        AnyProblem::Automaton(random_automaton(cells, &mut rng))
    };
    trial(&problem, &mut rng, directory)
        .map_err(|error| format!("seed {seed}: {error}\n{problem:?}"))
}

/// Tries the seeds and returns the coverage table.
fn try_seeds(seeds: impl Iterator<Item = u64>) -> String {
    let directory = Directory::new();
    let rows: Vec<&str> = KINDS.into_iter().chain([NO_HOOK]).chain(TABLES).collect();
    // Neither layers on disk nor dense ones can be combined with hooks.
    let can_meet = |one: &str, other: &str| {
        KINDS.contains(&one) && (KINDS.contains(&other) || TABLES[..2].contains(&other))
    };
    coverage(seeds, |seed| trial_of(seed, &directory), &rows, QUESTIONS, can_meet)
}

#[test]
fn no_combination_claims_more_than_the_truth() {
    println!("{}", try_seeds(seeds::from_zero(2_000)));
}

/// Asks all questions of some automata with hooks of these kinds. Returns those that are answered,
/// and the reasons why others are not.
fn proofs_of(kinds: &[usize], directory: &Directory) -> String {
    let names: Vec<&str> = kinds.iter().map(|&kind| KINDS[kind]).collect();
    let (mut proven, mut reasons) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..12 {
        let rng = &mut Rng::with_seed(seed);
        let automaton = random_automaton(rng.usize(1..=4), rng);
        for (question, name) in QUESTIONS.into_iter().enumerate() {
            let Some(mut truth) = Truth::of(&automaton, seed, rng) else { continue };
            let (limits, instalments, spilled) = (Limits::new(), None, None);
            let run = Run { limits, threads: 1, instalments, spilled, directory };
            let mut hooks = hooks_of(kinds, &mut truth, rng);
            // The names are those of the kinds, in order.
            for (place, hook) in [&mut hooks.0, &mut hooks.1].into_iter().flatten().enumerate() {
                hook.name = format!("{} {place}", names[place]);
            }
            let claims = ask(&automaton, &truth, seed, &hooks, &run, question, rng);
            let answers = claims.check(&truth);
            let failed = |error| panic!("seed {seed}, {names:?}, {name}: {error}");
            if answers.unwrap_or_else(failed) {
                proven.insert(name);
            }
            let sweep = || Sweep::new(&automaton).hooks(hooks.clone());
            let best = Best::new(truth.direction, random_weight(seed));
            for report in
                [sweep().count().report(), sweep().first().report(), sweep().run(&best).report()]
            {
                reasons.extend(report.conflicts().iter().cloned());
            }
        }
    }
    let proven: Vec<&str> = QUESTIONS.into_iter().filter(|of| proven.contains(of)).collect();
    let reasons: String = reasons.iter().map(|reason| format!("\n    {reason}")).collect();
    format!("{}: {}{reasons}\n", names.join(" + "), proven.join(", "))
}

/// `UPDATE_EXPECT=1` writes the file anew.
#[test]
fn each_pair_of_hooks_answers_the_questions_that_are_listed() {
    let directory = Directory::new();
    let alone = (0..KINDS.len()).map(|kind| vec![kind]);
    let pairs = (0..KINDS.len()).flat_map(|one| (one..KINDS.len()).map(move |of| vec![one, of]));
    let lines = alone.chain(pairs).map(|kinds| proofs_of(&kinds, &directory));
    expect_file!["combinations/pairs.txt"].assert_eq(&lines.collect::<String>());
}

/// With `MINUTES=30`, the test runs for that time.
#[test]
#[ignore = "minutes: cargo test --release --test plug -- --ignored --nocapture no_combination"]
fn no_combination_of_many_claims_more_than_the_truth() {
    println!("{}", try_seeds(seeds::from_zero(200_000)));
}

//! Random automata and boards with known solutions, swept with random combinations of hooks,
//! tables, threads, limits, files and questions. A run may claim less than the truth, but never
//! more.
//!
//! Each hook keeps exactly what its claim says, and otherwise removes as much as it can.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::hash::Hasher;
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

use crate::automata::random_automaton;
use crate::erased::Erased;
use crate::motzkin::entrances::{self, Board};
use crate::support::scratch::Directory;
use crate::support::seeds::{self, NO_HOOK, Trial, coverage};

/// The maximum number of solutions of a trial.
const MAX_SOLUTIONS: usize = 400;

/// Returns a weight of labels in cells. Weights are less than 4, so that there are many ties.
fn random_weight(salt: u64) -> impl Fn(usize, u8) -> i64 + Copy + Sync {
    move |cell, label| i64::from(Digest::of(&(salt, cell, label)).finish() as u8 % 4)
}

/// A weight of labels with a lower bound of the weight that a state still gains.
struct BoundedWeight<'a, F> {
    weight: F,
    /// The least weights to go, after each cell.
    to_go: &'a [BTreeMap<u128, i64>],
    /// The number by which bounds are below the least weight.
    slack: i64,
}

impl<'p, F: Fn(usize, u8) -> i64 + Sync> Weight<Erased<'p>> for BoundedWeight<'_, F> {
    fn label(&self, cell: usize, label: u8) -> i64 {
        (self.weight)(cell, label)
    }
    fn least_to_go(&self, cell: usize, state: u128) -> i64 {
        self.to_go[cell][&state].saturating_sub(self.slack)
    }
}

/// A solution: its labels, the states after each cell, and its weight.
#[derive(Clone, Debug)]
struct Word {
    labels: Vec<u8>,
    states: Vec<u128>,
    weight: i64,
}

/// All solutions, enumerated one by one.
struct Truth {
    words: Vec<Word>,
    direction: Direction,
    /// After each cell, the reachable states, each with the index of its set of label sequences to
    /// the end, and with the number of these sequences.
    classes: Vec<BTreeMap<u128, (usize, usize)>>,
    /// After each cell, the least weight of the label sequences from each reachable state to the
    /// end, or `i64::MAX` if there are none.
    to_go: Vec<BTreeMap<u128, i64>>,
    /// For the indexes of two sets, whether the second contains the first.
    is_subset: BTreeSet<(usize, usize)>,
}

impl Truth {
    /// Enumerates all solutions. Returns `None` if there are too many.
    fn of(problem: &Erased<'_>, salt: u64, rng: &mut Rng) -> Option<Self> {
        let (cells, weight) = (problem.cells(), random_weight(salt));
        let mut words = Vec::new();
        let mut stack = vec![(Vec::new(), Vec::new())];
        let mut steps = 0;
        while let Some((labels, states)) = stack.pop() {
            let cell = labels.len();
            let state = states.last().copied().unwrap_or_else(|| problem.start());
            if cell == cells {
                if problem.accept(state) {
                    let weights =
                        labels.iter().enumerate().map(|(cell, &label)| weight(cell, label));
                    words.push(Word { weight: weights.sum(), labels, states });
                }
                continue;
            }
            problem.step(cell, state, &mut |next, label| {
                stack.push(([&labels[..], &[label]].concat(), [&states[..], &[next]].concat()));
            });
            steps += 1;
            if words.len() > MAX_SOLUTIONS || steps > 50 * MAX_SOLUTIONS {
                return None;
            }
        }
        // The reachable states before each cell and after the last one.
        let mut layers = vec![BTreeSet::from([problem.start()])];
        for cell in 0..cells {
            let mut next = BTreeSet::new();
            layers[cell].iter().for_each(|&state| {
                problem.step(cell, state, &mut |state, _| _ = next.insert(state));
            });
            layers.push(next);
        }
        let mut sets: Vec<BTreeSet<Vec<u8>>> = Vec::new();
        let mut known = BTreeMap::new();
        let mut classes = vec![BTreeMap::new(); cells];
        let mut to_go = vec![BTreeMap::new(); cells];
        // The label sequences from each state to the end, with multiplicity, and the least weight.
        let end = |&state: &u128| match problem.accept(state) {
            true => (state, (vec![Vec::new()], 0)),
            false => (state, (Vec::new(), i64::MAX)),
        };
        let mut ends: BTreeMap<u128, (Vec<Vec<u8>>, i64)> = layers[cells].iter().map(end).collect();
        for cell in (0..cells).rev() {
            for (&state, (words, least)) in &mut ends {
                words.sort();
                let number = *known.entry(words.clone()).or_insert_with(|| {
                    sets.push(words.iter().cloned().collect());
                    sets.len() - 1
                });
                classes[cell].insert(state, (number, words.len()));
                to_go[cell].insert(state, *least);
            }
            let before = layers[cell].iter().map(|&state| {
                let (mut words, mut least) = (Vec::new(), i64::MAX);
                problem.step(cell, state, &mut |next, label| {
                    let (ends, to_go) = &ends[&next];
                    words.extend(ends.iter().map(|end| [&[label], &end[..]].concat()));
                    least = least.min(to_go.saturating_add(weight(cell, label)));
                });
                (state, (words, least))
            });
            ends = before.collect();
        }
        let pairs = (0..sets.len()).flat_map(|one| (0..sets.len()).map(move |other| (one, other)));
        let is_subset = pairs.filter(|&(one, other)| sets[one].is_subset(&sets[other])).collect();
        let direction = if rng.bool() { Direction::Maximise } else { Direction::Minimise };
        Some(Truth { words, direction, classes, to_go, is_subset })
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
    fn cuts(&self, rng: &mut Rng, keeps: impl Fn(&[usize]) -> bool) -> BTreeSet<(usize, u128)> {
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
            let is_cut = |state: &u128| self.classes[cell][state].0 == number;
            let mut rest = left.clone();
            rest.retain(|&word| !is_cut(&self.words[word].states[cell]));
            if rng.f64() < share && keeps(&rest) {
                left = rest;
                let states = self.classes[cell].keys().filter(|&state| is_cut(state));
                cut.extend(states.map(|&state| (cell, state)));
            }
        }
        cut
    }
}

/// A hook given by tables.
#[derive(Clone, Debug)]
struct TableHook {
    name: String,
    effect: Effect,
    keeps_labels: bool,
    keeps_best_of_layer: bool,
    is_constraint: bool,
    /// Whether states are cut off when the layer is complete, or as they arise.
    when_complete: bool,
    cut: BTreeSet<(usize, u128)>,
    replaced: BTreeMap<(usize, u128), u128>,
    /// Its value is read before a state is cut off.
    incumbent: Option<Incumbent<i64>>,
    /// Pairs of a worse state and a better one.
    covered: BTreeSet<(usize, u128, u128)>,
}

impl TableHook {
    fn cuts(&self, cell: usize, state: u128) -> bool {
        let is_known = |incumbent: &Incumbent<i64>| incumbent.get().is_some();
        self.cut.contains(&(cell, state)) && self.incumbent.as_ref().is_none_or(is_known)
    }
}

impl<'p> SweepHook<Erased<'p>> for TableHook {
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
    fn enter(&self, _: &Erased<'p>, cell: usize, state: &mut u128) -> Verdict {
        if let Some(&other) = self.replaced.get(&(cell, *state)) {
            *state = other;
        }
        Verdict::prune_if(!self.when_complete && self.cuts(cell, *state))
    }
    fn thin(&self, _: &Erased<'p>, cell: usize, layer: &mut Thinning<'_, u128>) {
        let states = layer.states();
        // Sorted, because the order of the states in a layer depends on the table and the threads.
        let places: BTreeMap<u128, usize> = states.iter().copied().zip(0..).collect();
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
fn hook(kind: usize, truth: &Truth, rng: &mut Rng) -> TableHook {
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
                let mut into: Vec<(u128, (usize, usize))> = Vec::new();
                for (&state, &class) in classes {
                    match into.iter().find(|&&(_, other)| are_alike(class, other)) {
                        Some(&(other, _)) if rng.bool() => {
                            hook.replaced.insert((cell, state), other);
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
            let orbit = |word: &Word| (word.weight, hash_of(word) % modulus);
            let orbits: BTreeSet<_> = truth.words.iter().map(orbit).collect();
            let orbits_of = |words: &[usize]| {
                words.iter().map(|&word| orbit(&truth.words[word])).collect::<BTreeSet<_>>()
            };
            hook.cut = truth.cuts(rng, |left| orbits_of(left).len() == orbits.len());
        }
        "one of the best" => {
            hook.effect = Effect::OptimumOnly;
            let best = truth.ranked().first().copied();
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
                let states: Vec<u128> = classes.keys().copied().collect();
                for &state in &states {
                    hook.replaced.insert((cell, state), states[rng.usize(0..states.len())]);
                }
            }
        }
    }
    hook
}

/// Returns a hash of the labels of a solution.
fn hash_of(word: &Word) -> u64 {
    Digest::of(&format!("{:?}", word.labels)).finish()
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
    /// Returns the total, after learning whether there is no solution.
    fn learn<V: Clone>(&mut self, found: Outcome<Total<V>>) -> Option<V> {
        self.is_none = found.is_proven_empty();
        found.total().cloned()
    }

    fn learn_number(&mut self, uniqueness: Uniqueness) {
        match uniqueness {
            Uniqueness::None => self.is_none = true,
            Uniqueness::One => self.count = Some(1),
            Uniqueness::Several => self.at_least = 2,
            Uniqueness::Unknown => {}
        }
    }

    /// Compares with the weights of all solutions, best first. Returns whether anything is claimed.
    fn check(self, weights: &[i64]) -> Result<bool, String> {
        let number = weights.len() as u128;
        let best = weights.first().copied();
        let of_weight = |weight| weights.iter().filter(|&&other| other == weight).count() as u64;
        let is_known = |weight: i64| self.limit.is_none_or(|limit| weight <= i64::from(limit));
        // Whether each kind of claim is made, and whether it is right.
        let claims = [
            self.count.map(|count| count == number),
            self.modulo.map(|(modulus, rest)| number % u128::from(modulus) == u128::from(rest)),
            self.is_none.then(|| !weights.iter().any(|&weight| is_known(weight))),
            self.exists.map(|exists| exists == (number > 0)),
            self.best.map(|found| Some(found) == best),
            self.ties.map(|(tied, ways)| Some(tied) == best && ways == of_weight(tied).into()),
            self.ranked.as_ref().map(|first| weights.starts_with(first)),
            self.by_weight.as_ref().map(|by_weight| {
                (0..24).all(|weight: u32| {
                    let weight_of = i64::from(weight);
                    let expected = is_known(weight_of).then(|| of_weight(weight_of).into());
                    by_weight.coefficient(weight) == expected
                })
            }),
        ];
        let is_wrong = self.at_least > number || !self.errors.is_empty();
        match is_wrong || claims.contains(&Some(false)) {
            true => Err(format!("{self:?}, but the weights of all solutions are {weights:?}")),
            false => Ok(claims.contains(&Some(true))),
        }
    }
}

fn small(count: Natural) -> u128 {
    u128::try_from(&count).expect("a small number")
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

type Hooks = (Option<TableHook>, Option<TableHook>, Option<TableHook>);

/// Asks a sweep at once, with layers on disk, or in instalments.
macro_rules! answer {
    ($problem:expr, $hooks:expr, $run:expr, $question:ident($($argument:expr)?) $($then:tt)*) => {{
        let (hooks, run): (&Hooks, &Run<'_>) = ($hooks, $run);
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

/// Runs an algebra at once or in instalments. A file of it is refused by one with other weights.
fn total<'p, A: Algebra<Erased<'p>, Value: Serialize + DeserializeOwned>>(
    problem: &Erased<'p>,
    hooks: &Hooks,
    run: &Run<'_>,
    [algebra, other]: [&A; 2],
) -> Outcome<Total<A::Value>> {
    if run.instalments.is_none() {
        return answer!(problem, hooks, run, run(algebra));
    }
    let sweep =
        |limits, threads| Sweep::new(problem).hooks(hooks.clone()).limits(limits).threads(threads);
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

fn ask(
    problem: &Erased<'_>,
    truth: &Truth,
    salt: u64,
    hooks: &Hooks,
    run: &Run<'_>,
    question: usize,
    rng: &mut Rng,
) -> Claims {
    // The total of an algebra made of the salt, and of one with other weights.
    macro_rules! total {
        ($of:expr) => {{
            let [algebra, other] = [salt, !salt].map($of);
            total(problem, hooks, run, [&algebra, &other])
        }};
    }
    let mut claims = Claims::default();
    let direction = truth.direction;
    match QUESTIONS[question] {
        "count" if rng.bool() => {
            let counted = answer!(problem, hooks, run, count());
            (claims.count, claims.at_least) = (counted.exact(), counted.at_least());
        }
        "count" => {
            claims.count = claims.learn(total(problem, hooks, run, [&Counting::<u128>::new(); 2]));
        }
        of @ ("count of any size" | "count by residues") => {
            let counted = match rng.bool() {
                _ if of == "count by residues" => answer!(problem, hooks, run, count_by_residues()),
                true => answer!(problem, hooks, run, count_natural()),
                false => total(problem, hooks, run, [&Counting::<Natural>::new(); 2]),
            };
            claims.count = claims.learn(counted).map(small);
        }
        "count modulo" => {
            let modulus = rng.u64(1..20);
            let counted =
                answer!(problem, hooks, run, count_modulo(modulus).expect("a modulus above 0"));
            claims.modulo = claims.learn(counted).map(|rest| (modulus, rest));
        }
        "exists" => {
            let found = answer!(problem, hooks, run, exists());
            claims.exists = found.exists();
        }
        "is unique" => claims.learn_number(*answer!(problem, hooks, run, is_unique()).value()),
        "best" => {
            claims.best = claims.learn(total!(|salt| {
                Best::new(direction, random_weight(salt)).parameters(&salt)
            }));
        }
        "all of the best" => {
            let found = claims.learn(total!(|salt| {
                Optima::new(direction, random_weight(salt)).parameters(&salt)
            }));
            claims.ties = found.map(|tied| (tied.weight, tied.ways));
        }
        "k best" => {
            let number = rng.usize(1..6);
            claims.ranked = claims.learn(total!(|salt| {
                BestK::new(direction, number, random_weight(salt)).parameters(&salt)
            }));
        }
        "count and best" => {
            let found = claims.learn(total!(|salt| {
                let best = Best::new(direction, random_weight(salt));
                (Counting::<u64>::new(), best.parameters(&salt))
            }));
            (claims.count, claims.best) = found.map(|(count, best)| (count.into(), best)).unzip();
        }
        "by weight" => {
            // The count of the pair has no limit, although the other algebra has one.
            let limit = rng.u32(0..12);
            let found = claims.learn(total!(|salt| {
                let by_weight = CountByWeight::new(random_weight(salt)).up_to(limit);
                (Counting::<u64>::new(), by_weight.parameters(&salt))
            }));
            claims.limit = found.is_some().then_some(limit);
            (claims.count, claims.by_weight) =
                found.map(|(count, by_weight)| (count.into(), by_weight)).unzip();
        }
        "by weight, with a limit" => {
            let slack = rng.i64(0..3);
            claims.limit = rng.bool().then(|| rng.u32(0..12));
            let limit = claims.limit.unwrap_or(u32::MAX);
            claims.by_weight = claims.learn(total!(|salt| {
                let weight = random_weight(salt);
                let weight = BoundedWeight { weight, to_go: &truth.to_go, slack };
                CountByWeight::new(weight).up_to(limit).parameters(&salt)
            }));
        }
        _ => claims = ask_retained(problem, truth, random_weight(salt), hooks, run),
    }
    claims
}

/// Asks all questions of retained layers.
fn ask_retained(
    problem: &Erased<'_>,
    truth: &Truth,
    weight: impl Fn(usize, u8) -> i64 + Copy + Sync,
    hooks: &Hooks,
    run: &Run<'_>,
) -> Claims {
    let mut claims = Claims::default();
    let sweep =
        || Sweep::new(problem).hooks(hooks.clone()).limits(run.limits.clone()).threads(run.threads);
    // The solutions as sets: each cell has an element for each label.
    let universe = truth.classes.len() << 8;
    let element = |cell: usize, label: u8| [cell << 8 | usize::from(label)];
    let sets: BTreeSet<Vec<usize>> = truth
        .words
        .iter()
        .map(|word| {
            (0..).zip(&word.labels).flat_map(|(cell, &label)| element(cell, label)).collect()
        })
        .collect();
    let wrong = |family: Result<Family, FamilyError>| {
        let wrong = family.ok().filter(|family| family.sets().collect::<BTreeSet<_>>() != sets);
        wrong.map(|family| format!("the family {family}"))
    };
    claims.errors.extend(wrong(sweep().family(universe, element)));
    let Ok(retained) = sweep().retain_layers() else { return claims };
    claims.errors.extend(wrong(retained.family(universe, element)));
    let count = retained.count();
    (claims.count, claims.at_least) = (count.exact(), count.at_least());
    let first = retained.first();
    (claims.exists, claims.is_none) = (first.exists(), first.is_proven_none());
    let best = retained.best(truth.direction, weight);
    claims.best = best.proven().copied();
    claims.is_none |= best.is_proven_infeasible();
    let is_word = |labels: &[u8]| truth.words.iter().any(|word| word.labels == labels);
    let gives_labels = retained.solutions().report().effect();
    if gives_labels < Effect::Lossy {
        let all: Vec<Vec<u8>> = retained.solutions().collect();
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
            claims.count = claims.learn(outcome).map(small);
        }
        3 => claims.exists = answer!(exists()).exists(),
        4 => claims.learn_number(*answer!(is_unique()).value()),
        _ => {
            let modulus = rng.u64(1..20);
            let modulo = Modulo::new([modulus]).expect("not 0");
            let outcome = answer!(count_moduli(&modulo));
            claims.modulo = claims.learn(outcome).map(|[rest]| (modulus, rest));
        }
    }
    claims
}

/// Creates hooks of these kinds, and removes the solutions that their constraints reject: the
/// claims of the other hooks refer to those that are left.
fn hooks_of(kinds: &[usize], truth: &mut Truth, rng: &mut Rng) -> Hooks {
    let mut made: Vec<Option<TableHook>> = vec![None; kinds.len()];
    for is_constraint in [true, false] {
        for (place, &kind) in kinds.iter().enumerate() {
            if (KINDS[kind] == "constraint") == is_constraint {
                made[place] = Some(hook(kind, truth, rng));
            }
        }
        let rejects = |hook: &TableHook, word: &Word| {
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
    problem: &Erased<'_>,
    board: Option<&Board>,
    rng: &mut Rng,
    directory: &Directory,
) -> Result<Option<Trial>, String> {
    let salt = rng.u64(..);
    let Some(mut truth) = Truth::of(problem, salt, rng) else { return Ok(None) };
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
    let proves = claims.check(&truth.ranked()).map_err(describe)?;
    let alone = kinds.is_empty().then_some(NO_HOOK);
    let rows = names.into_iter().chain(alone).chain([TABLES[table]]).collect();
    Ok(Some(Trial { rows, question: QUESTIONS[question], proves }))
}

/// Returns the trial of a seed; every third seed is a board with a rule for each cell, and every
/// seventh of the others a pair of automata, of whose pairs of labels two thirds may meet.
fn trial_of(seed: u64, directory: &Directory) -> Result<Option<Trial>, String> {
    let mut rng = Rng::with_seed(seed);
    if seed.is_multiple_of(3) {
        let bytes: [u8; 32] = std::array::from_fn(|_| rng.u8(..));
        let of_board = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), of_board);
        let board = entrances::small_boards().new_tree(&mut runner).expect("a board").current();
        return trial(&Erased(&board), Some(&board), &mut rng, directory)
            .map_err(|error| format!("seed {seed}: {error}\n{board:?}"));
    }
    let is_pair = seed.is_multiple_of(7);
    let cells = rng.usize(0..=if is_pair { 4 } else { 5 });
    let [one, other] = [(); 2].map(|()| random_automaton(cells, 4, &mut rng));
    let may_meet =
        |cell: usize, (one, other): (u8, u8)| !(usize::from(one ^ other) + cell).is_multiple_of(3);
    let pair = Both::new(&one, &other).expect("as many cells").only(may_meet);
    let problem = if is_pair { Erased(&pair) } else { Erased(&one) };
    trial(&problem, None, &mut rng, directory)
        .map_err(|error| format!("seed {seed}: {error}\n{one:?}\n{other:?}"))
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
        let automaton = random_automaton(rng.usize(1..=4), 4, rng);
        let automaton = Erased(&automaton);
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
            let answers = claims.check(&truth.ranked());
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

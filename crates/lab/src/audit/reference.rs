//! The audited problem with its objective, and searches of it without the audited hooks.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::BuildHasher;
use std::rc::Rc;
use std::time::Duration;

use rustc_hash::FxBuildHasher;
use secateurs::hook::{Permutation, SymmetryGroup};
use secateurs::{
    Constraint, Direction, Hook, Instant, Limits, Node, ObjectiveValue, Path, Problem, Search, Stop,
};

use super::below_prefix::BelowPrefix;
use super::observed_brancher::{AnyBrancher, ObservedBrancher, Observer};
use super::violation::{Exhibit, Loss, Violation};

/// A problem whose states and choices an audit can keep, compare and print.
pub(super) trait Auditable:
    Problem<State: Clone + PartialEq, Choice: Clone + Debug>
{
}

impl<P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>> Auditable for P {}

/// A vector of boxed hooks.
pub(super) type BoxedHooks<'a, P> = Vec<Box<dyn Hook<P> + 'a>>;

/// A function that creates a hook.
pub(super) type HookFactory<'a, P> = Box<dyn Fn() -> Box<dyn Hook<P> + 'a> + 'a>;

pub(super) type StateText<'a, P> = Box<dyn Fn(&P, &<P as Problem>::State) -> String + 'a>;
pub(super) type Value<'a, P, V> = Box<dyn Fn(&P, &<P as Problem>::State) -> V + 'a>;
pub(super) type BestBelow<'a, P, V> = Box<dyn Fn(&P, &<P as Problem>::State) -> Option<V> + 'a>;

/// The question of the audited search.
pub(super) struct Question<'a, P: Problem, V> {
    /// The direction of the objective; `None` if solutions are counted.
    pub(super) direction: Option<Direction>,
    /// The value of a solution.
    pub(super) value: Value<'a, P, V>,
    /// The best value at or below a state, by a method other than searching.
    pub(super) best_below: Option<BestBelow<'a, P, V>>,
    /// A text that is equal for solutions of the same orbit, and different for others.
    pub(super) orbit: Option<StateText<'a, P>>,
}

impl<P: Problem, V: Ord> Question<'_, P, V> {
    /// Returns whether a value is better than the known one. True if none is known.
    pub(super) fn is_better(&self, value: &V, known: Option<&V>) -> bool {
        known.is_none_or(|known| {
            self.direction.is_some_and(|direction| direction.is_better(value, known))
        })
    }
}

/// The problem with its question, its brancher, its own hooks, and the way its states are printed.
pub(super) struct Reference<'a, P: Problem, V> {
    pub(super) problem: &'a P,
    pub(super) question: Question<'a, P, V>,
    /// The factories of the hooks that belong to the problem.
    pub(super) problem_hooks: Vec<HookFactory<'a, P>>,
    /// Whether solutions are searched below merged states, to which constraints do not apply.
    pub(super) merges: Cell<bool>,
    /// The path to the states below which solutions are searched, for constraints that read it.
    pub(super) prefix: RefCell<Vec<P::Choice>>,
    /// The factory of the brancher.
    pub(super) brancher: Box<dyn Fn() -> AnyBrancher<'a, P> + 'a>,
    /// Whether the audit examines this brancher; otherwise the order of children is the problem's.
    pub(super) audits_brancher: bool,
    pub(super) show: StateText<'a, P>,
    /// Shows states in full; used if `show` does not show the difference between two states.
    pub(super) debug: StateText<'a, P>,
    pub(super) symmetries: Option<Symmetries<'a, P>>,
    pub(super) meter: AuditMeter<'a>,
    /// The limits of each reference search.
    pub(super) limits: Limits,
}

/// The symmetries of the solutions.
pub(super) struct Symmetries<'a, P: Problem> {
    pub(super) group: Rc<SymmetryGroup>,
    pub(super) assignment: Assignment<'a, P>,
}

/// The pairs of variables and values that a solution consists of.
pub(super) type Pairs = Vec<(usize, usize)>;

/// A function that returns the sorted pairs of a solution.
pub(super) type Assignment<'a, P> = Rc<dyn Fn(&P, &<P as Problem>::State) -> Pairs + 'a>;

/// Returns the sorted image of an assignment.
pub(super) fn image(permutation: &Permutation, pairs: &[(usize, usize)]) -> Pairs {
    let mut image: Pairs =
        pairs.iter().map(|&(variable, value)| permutation.apply(variable, value)).collect();
    image.sort_unstable();
    image
}

/// The progress of an [audit](super::Audit::progress).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AuditProgress {
    /// The time since the audit was started.
    pub elapsed: Duration,
    /// The nodes visited so far, by the audited search and by all reference searches.
    pub nodes: u64,
    /// The actions of hooks examined so far.
    pub actions: u64,
}

type Callback<'a> = Box<dyn FnMut(&AuditProgress) + 'a>;

/// A counter of the nodes and actions of an audit, which reports them at intervals.
pub(super) struct AuditMeter<'a> {
    start: Instant,
    nodes: Cell<u64>,
    actions: Cell<u64>,
    /// The time of the next report, since the start.
    next_report: Cell<Duration>,
    pub(super) interval: Duration,
    pub(super) callback: Option<RefCell<Callback<'a>>>,
}

impl AuditMeter<'_> {
    pub(super) fn new() -> Self {
        AuditMeter {
            start: Instant::now(),
            nodes: Cell::new(0),
            actions: Cell::new(0),
            next_report: Cell::new(Duration::ZERO),
            interval: Duration::ZERO,
            callback: None,
        }
    }

    /// Restarts the clock.
    pub(super) fn start(&mut self) {
        self.start = Instant::now();
        self.next_report.set(self.interval);
    }

    pub(super) fn count_action(&self) {
        self.actions.set(self.actions.get() + 1);
    }

    pub(super) fn count_node(&self) {
        let nodes = self.nodes.get() + 1;
        self.nodes.set(nodes);
        let Some(callback) = &self.callback else { return };
        // Reading the clock may cost more than a node.
        if !nodes.is_multiple_of(64) {
            return;
        }
        let elapsed = self.start.elapsed();
        if elapsed >= self.next_report.get() {
            self.next_report.set(elapsed + self.interval);
            callback.borrow_mut()(&AuditProgress { elapsed, nodes, actions: self.actions.get() });
        }
    }
}

/// The reason why the subtree of a state is unknown.
pub(super) enum Unknown {
    /// The subtree exceeds the limits.
    TooLarge,
    /// The best value does not beat a value known before the search began.
    KnownBefore,
    /// The number of solutions is known, but not whether they are the same ones.
    Identity,
    /// Undo does not restore states, or the symmetries are wrong.
    Refuted(Violation),
}

/// The solutions of a subtree.
#[derive(Default)]
pub(super) struct Solutions {
    pub(super) count: u128,
    /// One of them, as text.
    pub(super) one: Option<String>,
    /// How often each text occurs, by its hash.
    pub(super) texts: HashMap<u64, u128>,
}

impl Solutions {
    /// Adds a solution, and its text if it is given.
    pub(super) fn add(&mut self, text: Option<String>) {
        self.count += 1;
        if let Some(text) = text {
            *self.texts.entry(FxBuildHasher.hash_one(text)).or_default() += 1;
        }
    }

    /// Returns whether a text occurs here more often than in `others`.
    pub(super) fn exceed(&self, others: &Self) -> bool {
        let known = |text| others.texts.get(text).copied().unwrap_or(0);
        self.texts.iter().any(|(text, &times)| times > known(text))
    }
}

/// Returns `None` if the result is unknown, and the violation if there is one.
pub(super) fn known<T>(result: Result<T, Unknown>) -> Result<Option<T>, Violation> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Unknown::TooLarge | Unknown::KnownBefore | Unknown::Identity) => Ok(None),
        Err(Unknown::Refuted(violation)) => Err(violation),
    }
}

/// Returns the choices of a path, followed by `last`, as text.
pub(super) fn describe<C: Debug>(path: Path<'_, C>, last: Option<&C>) -> String {
    format!("{:?}", path.iter().chain(last).collect::<Vec<_>>())
}

impl<'a, P: Auditable, V: ObjectiveValue> Reference<'a, P, V> {
    /// Creates the hooks that belong to the problem.
    pub(super) fn problem_hooks(&self) -> BoxedHooks<'a, P> {
        self.problem_hooks.iter().map(|make| make()).collect()
    }

    /// Creates the hooks that belong to the problem, for a search below the end of the prefix.
    fn problem_hooks_below(&self) -> BoxedHooks<'a, P> {
        let prefix = self.prefix.borrow();
        let mut hooks = self.problem_hooks();
        if self.merges.get() {
            hooks.retain(|hook| hook.constraint().is_none());
        }
        if !prefix.is_empty() {
            let below = |hook: Box<dyn Hook<P> + 'a>| -> Box<dyn Hook<P> + 'a> {
                match hook.constraint() {
                    Some(Constraint::Path) => Box::new(BelowPrefix::new(hook, prefix.clone())),
                    _ => hook,
                }
            };
            hooks = hooks.into_iter().map(below).collect();
        }
        hooks
    }

    pub(super) fn show(&self, state: &P::State) -> String {
        (self.show)(self.problem, state)
    }

    /// Creates the violation for an undo that has not restored a state.
    pub(super) fn undo_violation(
        &self,
        node: &Node<'_, P>,
        before: &P::State,
        choice: Option<&P::Choice>,
    ) -> Violation {
        let choice = choice
            .map_or_else(|| "that led to the node".to_owned(), |choice| format!("{choice:?}"));
        let path = describe(node.path(), None);
        let mut exhibits = vec![
            Exhibit::new("it was", self.show(before), path.clone()),
            Exhibit::new("it is now", self.show(node.state()), path.clone()),
        ];
        // Pictures may leave out what differs.
        if exhibits[0].state == exhibits[1].state {
            let debug = |state| (self.debug)(self.problem, state);
            exhibits.push(Exhibit::new("it was, in full", debug(before), path.clone()));
            exhibits.push(Exhibit::new("it is now, in full", debug(node.state()), path));
        }
        Violation::new("undo", Loss::NotRestored { choice }, exhibits)
    }

    /// Calls `visit` with the state of each solution at or below `state`. Returns their number.
    pub(super) fn solutions_below(
        &self,
        state: &P::State,
        visit: &mut dyn FnMut(&P::State),
    ) -> Result<u128, Unknown> {
        self.solutions_by((self.brancher)(), state, visit)
    }

    /// Calls `visit` with the state of each solution at or below `state` in the tree of `brancher`.
    /// Returns their number.
    pub(super) fn solutions_by(
        &self,
        brancher: AnyBrancher<'_, P>,
        state: &P::State,
        visit: &mut dyn FnMut(&P::State),
    ) -> Result<u128, Unknown> {
        let violation = RefCell::new(None);
        let observed = ObservedBrancher::new(
            brancher,
            UndoObserver { reference: self, violation: &violation },
        );
        let mut count = 0;
        let stop = Search::new(self.problem)
            .brancher(observed)
            .hooks(self.problem_hooks_below())
            .limits(self.limits.clone())
            .for_each_below(state.clone(), |node| {
                count += 1;
                visit(node.state());
            });
        match violation.into_inner() {
            Some(violation) => Err(Unknown::Refuted(violation)),
            None if stop == Stop::Exhausted => Ok(count),
            None => Err(Unknown::TooLarge),
        }
    }

    /// Returns the number of solutions at or below a state, and one of them as text. The texts of
    /// all are recorded only if the solutions are to be identified.
    pub(super) fn count_below(
        &self,
        state: &P::State,
        identify: bool,
    ) -> Result<Solutions, Unknown> {
        let mut solutions = Solutions::default();
        self.solutions_below(state, &mut |state| {
            solutions.add(identify.then(|| self.show(state)));
            solutions.one.get_or_insert_with(|| self.show(state));
        })?;
        Ok(solutions)
    }

    /// Returns the best value of the solutions at or below a state.
    pub(super) fn best_below(&self, state: &P::State) -> Result<Option<V>, Unknown> {
        self.best_by(&*self.brancher, state)
    }

    /// Returns the same, by another brancher.
    pub(super) fn best_by<'b>(
        &self,
        brancher: &dyn Fn() -> AnyBrancher<'b, P>,
        state: &P::State,
    ) -> Result<Option<V>, Unknown> {
        let Question { value, best_below, .. } = &self.question;
        if let Some(best_below) = best_below {
            return Ok(best_below(self.problem, state));
        }
        let mut best = None;
        self.solutions_by(brancher(), state, &mut |state| {
            let value = value(self.problem, state);
            if self.question.is_better(&value, best.as_ref()) {
                best = Some(value);
            }
        })?;
        Ok(best)
    }

    /// Returns the orbits of the solutions at or below a state, with the number of solutions of
    /// each.
    pub(super) fn orbits_below(&self, state: &P::State) -> Result<HashMap<String, u128>, Unknown> {
        let mut orbits = HashMap::new();
        self.solutions_below(state, &mut |state| {
            if let Some(orbit) = &self.question.orbit {
                *orbits.entry(orbit(self.problem, state)).or_default() += 1;
            }
        })?;
        Ok(orbits)
    }

    /// Checks that each symmetry maps each solution to one of equal value. Returns the number of
    /// solutions.
    pub(super) fn check_symmetries(
        &self,
        Symmetries { group, assignment }: &Symmetries<'a, P>,
    ) -> Result<u64, Unknown>
    where
        V: Debug,
    {
        let mut solutions: HashMap<Pairs, (P::State, V)> = HashMap::new();
        let mut order: Vec<Pairs> = Vec::new();
        self.solutions_below(&self.problem.root(), &mut |state| {
            let pairs = assignment(self.problem, state);
            let value = (self.question.value)(self.problem, state);
            order.push(pairs.clone());
            solutions.insert(pairs, (state.clone(), value));
        })?;
        for solution in &order {
            let (state, value) = &solutions[solution];
            for permutation in group.others() {
                let image = image(permutation, solution);
                let wrong_value = match solutions.get(&image) {
                    Some((_, found)) if found == value => continue,
                    Some((_, found)) => Some(format!("{found:?}, not {value:?}")),
                    None => None,
                };
                let moves: Vec<String> = solution
                    .iter()
                    .map(|&pair| (pair, permutation.apply(pair.0, pair.1)))
                    .filter(|(pair, to)| pair != to)
                    .map(|(pair, to)| format!("{pair:?} → {to:?}"))
                    .collect();
                let exhibits = vec![
                    Exhibit::new("solution", self.show(state), ""),
                    Exhibit::new("permutation", moves.join(", "), ""),
                    Exhibit::new("image", format!("{image:?}"), ""),
                ];
                let loss = Loss::NotSymmetric {
                    permutation: moves.join(", "),
                    image: format!("{image:?}"),
                    value: wrong_value,
                };
                return Err(Unknown::Refuted(Violation::new("the symmetries", loss, exhibits)));
            }
        }
        Ok(order.len() as u64)
    }
}

/// An observer that records the first undo that does not restore the state.
struct UndoObserver<'r, 'a, P: Problem, V> {
    reference: &'r Reference<'a, P, V>,
    violation: &'r RefCell<Option<Violation>>,
}

impl<P: Auditable, V: ObjectiveValue> Observer<P> for UndoObserver<'_, '_, P, V> {
    fn enter(&mut self, _: &Node<'_, P>) {
        self.reference.meter.count_node();
    }
    fn solution(&mut self, _: &Node<'_, P>) {}
    fn undo_failed(&mut self, node: &Node<'_, P>, before: &P::State, choice: Option<&P::Choice>) {
        self.violation
            .borrow_mut()
            .get_or_insert_with(|| self.reference.undo_violation(node, before, choice));
    }
    fn is_done(&self) -> bool {
        self.violation.borrow().is_some()
    }
}

//! Audits of searches: [`Audit`].

use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::rc::Rc;

use super::audited_hook::{AuditedHook, Visits};
use super::checks::{BoundCheck, Common, DominanceCheck, KeyCheck};
use super::coverage::Coverage;
use super::ledger::{Ledger, Sampler};
use super::observed_brancher::{AnyBrancher, ErasedCursors, ObservedBrancher};
use super::reference::{Hooks, Question, Reference, Unknown};
use super::violation::{Loss, Violation};
use super::walk::{Checks, walk};

use crate::brancher::{Brancher, ProblemOrder};
use crate::hook::{Effect, Hook, Node, Terms, combine};
use crate::incumbent::{IncumbentId, Objective};
use crate::limits::{Limits, Stop};
use crate::problem::Problem;
use crate::search::Search;

/// What is cut off is searched up to so many nodes, unless told otherwise.
const NODES: u64 = 1_000_000;

type Watching<'a, P, V> = ObservedBrancher<'a, P, Visits<'a, P, V>>;

/// The search that is audited: what it has counted, if it says so, and why it ended.
type Run<'a, P, V> =
    Box<dyn FnOnce(Watching<'a, P, V>, Hooks<'a, P>, Limits) -> (Option<u128>, Stop) + 'a>;

/// An audit of a search that is being set up: a problem, what is asked about it, and what is put to
/// the test.
///
/// The search runs with the hooks as ever; but what a hook cuts off, and what it takes away from a
/// state, is searched too, without any hook that is audited. A hook breaks its claim:
///
/// | claim | it is broken if |
/// |---|---|
/// | [`Preserving`](crate::Effect::Preserving) | a solution is lost, or more are credited than there are |
/// | [`Representatives`](crate::Effect::Representatives) | all solutions of an [orbit](Audit::orbits) are lost, or the sizes of the orbits do not add up to the number of solutions; where there is an objective, all best solutions |
/// | [`OptimumOnly`](crate::Effect::OptimumOnly) | all best solutions are lost, unless as good a value was known; where there is no objective, all solutions |
/// | [`Lossy`](crate::Effect::Lossy) | never: it claims nothing |
/// | all but `Lossy` | something comes of a state that was tightened, or is credited, that was not there before: more solutions, or, where there is an objective, better ones |
///
/// The cut that is reported is the one with which the claim was broken: before it, something was
/// left. Where other hooks had done the same before, they are [named as well](Violation::others).
/// Hooks that do not hold [beside each other](Hook::tolerates) are a violation by themselves:
/// nobody claims anything of their answer. Beside a lossy hook, only those are checked that claim
/// to lose nothing.
///
/// In each audit, undoing must restore the state, at every node that is met.
///
/// ```
/// use secateurs::{Effect, Node, Verdict, hook};
/// use secateurs::lab::{Audit, Loss};
/// use secateurs::problems::queens::{BitQueens, Queens};
///
/// let queens = Queens::new(6)?.bits();
/// let coverage = Audit::of_count(&queens).hook(Queens::mirror()).run()?;
/// assert!(coverage.is_exhaustive());
///
/// // No solution has queens in two corners. Does none have one in a corner?
/// let queens = Queens::new(5)?.bits();
/// let no_corner = hook::admit("no corner", Effect::Preserving, |node: &Node<BitQueens>, choice| match node.depth() {
///     0 if *choice == 1 => Verdict::Prune,
///     _ => Verdict::Keep,
/// });
/// let violation = Audit::of_count(&queens).hook(no_corner).run().unwrap_err();
/// assert_eq!((violation.hook(), violation.path()), ("no corner", "[1]"));
/// assert!(matches!(violation.loss(), Loss::Solutions { count: 2, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Beside hooks, what hooks are made of can be put to the test, against every node of the tree
/// without hooks: a [bound](Audit::bound), a [key](Audit::key), a [relation of
/// dominance](Audit::dominance). That says more, and of the thing itself, where an audit of a hook
/// says only whether it happened to do harm.
///
/// # Cost
///
/// For each cut, the tree below it without hooks, so that all cuts together cost no more than a
/// search of the whole tree without hooks; for each time that a state is tightened, the same, which
/// may be many times over. For large instances there are [`best_below`](Audit::best_below),
/// [`share`](Audit::share), [`limits`](Audit::limits) and [`nodes`](Audit::nodes); what was not
/// checked for them is in the [`Coverage`]. A bound, a key or a dominance costs the whole tree, and
/// for keys and dominances a copy of each state, or each group.
#[must_use = "nothing is audited until it is run"]
pub struct Audit<'a, P: Problem, V = ()> {
    reference: Reference<'a, P, V>,
    run: Run<'a, P, V>,
    incumbent: Option<IncumbentId>,
    known: Box<dyn Fn() -> Option<V> + 'a>,
    hooks: Hooks<'a, P>,
    /// What is held against the tree without hooks.
    pub(super) checks: Checks<'a, P, V>,
    share: (f64, u64),
    locally: bool,
    nodes: Option<u64>,
}

impl<'a, P: Problem<State: Debug>, V> Audit<'a, P, V> {
    fn new(problem: &'a P, question: Question<'a, P, V>, run: Run<'a, P, V>) -> Self {
        Audit {
            reference: Reference {
                problem,
                question,
                own: Vec::new(),
                brancher: Box::new(|| Box::new(ErasedCursors::new(ProblemOrder))),
                show: Box::new(|_, state| format!("{state:?}")),
                limits: Limits::new().nodes(NODES),
            },
            run,
            incumbent: None,
            known: Box::new(|| None),
            hooks: Vec::new(),
            checks: Vec::new(),
            share: (1.0, 0),
            locally: false,
            nodes: None,
        }
    }
}

impl<'a, P> Audit<'a, P>
where
    P: Problem<State: Clone + Debug + PartialEq, Choice: Clone + Debug>,
{
    /// Of a search that counts, or looks for a solution.
    pub fn of_count(problem: &'a P) -> Self {
        let run = move |brancher: Watching<'a, P, ()>, hooks: Hooks<'a, P>, limits| {
            let outcome =
                Search::new(problem).brancher(brancher).hooks(hooks).limits(limits).count();
            (outcome.exact(), outcome.stop())
        };
        let question =
            Question { direction: None, value: Box::new(|_, _| ()), best_below: None, orbit: None };
        Audit::new(problem, question, Box::new(run))
    }

    /// Tells which solutions belong to the same orbit: those that have the same key, such as the
    /// least of all images of a solution, and no others. Without this, hooks that keep
    /// representatives are only expected to leave a solution if there is one, and to know how many
    /// there are; if they do not say how many, the audit is [not
    /// exhaustive](Coverage::without_orbits).
    pub fn orbits<K: Debug>(mut self, key: impl Fn(&P, &P::State) -> K + 'a) -> Self {
        let key = move |problem: &P, state: &P::State| format!("{:?}", key(problem, state));
        self.reference.question.orbit = Some(Box::new(key));
        self
    }
}

impl<'a, P, V> Audit<'a, P, V>
where
    P: Problem<State: Clone + Debug + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug,
{
    /// Of a search for the best value. The bounds that are audited compare with the incumbent of
    /// this objective, and nobody has used it before: a value that is known already excuses what is
    /// no better, which is then [not checked](Coverage::known_before).
    ///
    /// ```
    /// use secateurs::Objective;
    /// use secateurs::lab::Audit;
    /// use secateurs::problems::fire_net::{FireNetBoard, DegreeOne, Scope, TooFewCells};
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// let coverage = Audit::of_best(&board, &placed)
    ///     .hook(DegreeOne::new(Scope::EveryNode))
    ///     .hook(TooFewCells::new(placed.incumbent().clone()))
    ///     .run()?;
    /// assert!(coverage.is_exhaustive());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_best<F: Fn(&P, &P::State) -> V>(
        problem: &'a P,
        objective: &'a Objective<P, V, F>,
    ) -> Self {
        let run = move |brancher: Watching<'a, P, V>, hooks: Hooks<'a, P>, limits| {
            let search = Search::new(problem).brancher(brancher).hooks(hooks).limits(limits);
            (None, search.extract(|_: &Node<'_, P>| ()).best(objective).stop())
        };
        let incumbent = objective.incumbent();
        let value = Box::new(|problem: &P, state: &P::State| objective.value(problem, state));
        let question = Question {
            direction: Some(incumbent.direction()),
            value,
            best_below: None,
            orbit: None,
        };
        let mut audit = Audit::new(problem, question, Box::new(run));
        audit.incumbent = Some(incumbent.id());
        audit.known = Box::new(|| incumbent.peek());
        audit
    }

    /// Tells the best value of the solutions below a state, that one included, by another method
    /// than searching them all: `None` if there is no solution. With this, large instances can be
    /// audited. It must be right: what is lost is measured by it.
    pub fn best_below(mut self, best: impl Fn(&P, &P::State) -> Option<V> + 'a) -> Self {
        self.reference.question.best_below = Some(Box::new(best));
        self
    }

    /// Adds a hook, behind those that there are.
    pub fn hook(mut self, hook: impl Hook<P> + 'a) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Adds a hook that belongs to the problem, without which its solutions are not what they are,
    /// or not to be found: propagation in a [network](crate::csp), say. It is not audited, and
    /// asked before all that are. What is cut off by others is searched with it: with a new one
    /// each time, that takes the state for the root of a tree.
    ///
    /// ```
    /// use secateurs::csp::symmetry::ValuePrecedence;
    /// use secateurs::csp::{Model, Propagate};
    /// use secateurs::lab::Audit;
    ///
    /// // Four countries in three colours, the last of which is not for the first country: are colours interchangeable?
    /// let mut model = Model::new();
    /// let countries = model.variables(4, 0..3)?;
    /// for pair in countries.windows(2) {
    ///     model.different(pair[0], pair[1])?;
    /// }
    /// let free = model.clone().build();
    /// model.restrict(countries[0], |colour| colour < 2)?;
    /// let bound = model.build();
    /// let audit = |network| {
    ///     Audit::of_count(network)
    ///         .own_hook(Propagate::full)
    ///         .hook(ValuePrecedence::new(&countries, 0..3))
    ///         .run()
    /// };
    /// assert!(audit(&free).is_ok());
    /// assert!(audit(&bound).is_err());
    /// # Ok::<(), secateurs::csp::ModelError>(())
    /// ```
    pub fn own_hook<H: Hook<P> + 'a>(mut self, make: impl Fn() -> H + 'a) -> Self {
        self.reference.own.push(Box::new(move || Box::new(make())));
        self
    }

    /// Lets a brancher decide on the children of each node, also of what is cut off: a new one for
    /// each search, that takes the state for the root of a tree. It is the brancher that says what
    /// a solution is.
    pub fn brancher<B: Brancher<P> + 'a>(mut self, make: impl Fn() -> B + 'a) -> Self {
        self.reference.brancher =
            Box::new(move || Box::new(ErasedCursors::new(make())) as AnyBrancher<'a, P>);
        self
    }

    /// Prints states in another way than by `Debug`: a board as a board, say, which may take
    /// several lines.
    pub fn show(mut self, show: impl Fn(&P, &P::State) -> String + 'a) -> Self {
        self.reference.show = Box::new(show);
        self
    }

    /// What is searched below each cut at most, and of the whole tree, in place of a million nodes:
    /// a cut below which there is more is not checked, and counted as such.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.reference.limits = limits;
        self
    }

    /// Checks only a random share of what the hooks do, from 0 to 1, drawn from this seed. Losses
    /// are still real; but which of several hooks is named is chance.
    pub fn share(mut self, share: f64, seed: u64) -> Self {
        self.share = (share, seed);
        self
    }

    /// Ends the audited search after so many nodes. What was lost may then have been left
    /// elsewhere, so that nothing is known of it, except of hooks that claim to lose nothing, and
    /// of all hooks that are held to [more](Audit::locally).
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Holds hooks to more than they claim: whenever one cuts off or takes away all best solutions
    /// of a subtree, it is broken, unless these were no better than the best value found by then.
    /// Bounds and inferences keep to that. A dominance or a symmetry does not: it counts on what is
    /// left elsewhere.
    ///
    /// No search has to come to its end for that. Without an objective it changes nothing.
    pub fn locally(mut self) -> Self {
        self.locally = true;
        self
    }

    /// Searches, and checks all that the hooks do.
    ///
    /// # Errors
    /// What was broken; of several things, the first: bounds, keys and dominances come before
    /// hooks.
    pub fn run(self) -> Result<Coverage, Violation>
    where
        V: 'a,
    {
        let Audit { reference, run, incumbent, known, hooks, mut checks, share, locally, nodes } =
            self;
        let reference = Rc::new(reference);
        let mut coverage = walk(&reference, &mut checks)?;
        if hooks.is_empty() && !checks.is_empty() {
            return Ok(coverage);
        }
        let brancher = (reference.brancher)();
        let mut watched = reference.own_hooks();
        let are_all_counted = watched.iter().all(|own| own.effect() == Effect::Preserving);
        let together = watched
            .iter()
            .chain(&hooks)
            .map(|hook| hook.effect())
            .fold(brancher.effect(), Effect::max);
        let sampler = Sampler::new(share.0, share.1);
        let ledger = Ledger::new(Rc::clone(&reference), sampler, locally, together, known());
        let ledger = Rc::new(RefCell::new(ledger));
        let claims: Vec<_> =
            hooks.iter().map(|hook| (hook.name().to_owned(), hook.effect())).collect();
        for hook in hooks {
            watched.push(Box::new(AuditedHook { hook, ledger: Rc::clone(&ledger) }));
        }
        let (_, reasons) =
            combine(&watched, Terms { brancher: brancher.effect(), incumbent, depth_first: true });
        if !reasons.is_empty() {
            return Err(Violation::new(
                "the hooks together",
                Loss::Conflict { reasons },
                Vec::new(),
            ));
        }
        let limits = nodes.map_or(Limits::new(), |nodes| Limits::new().nodes(nodes));
        let (counted, stop) =
            run(ObservedBrancher::new(brancher, Visits(Rc::clone(&ledger))), watched, limits);
        let Some(ledger) = Rc::into_inner(ledger) else {
            unreachable!("the run has dropped its hooks")
        };
        let judged = ledger.into_inner().settle(stop == Stop::Exhausted, known().as_ref())?;
        coverage += Coverage { instances: 0, ..judged };
        // Whatever counts representatives claims to know what each of them stands for. (If it is a
        // hook of the problem that keeps them, there is nothing to hold that against.)
        if let Some(counted) = counted.filter(|_| are_all_counted) {
            match reference.solutions_below(&reference.problem.root(), &mut |_| {}) {
                Ok(solutions) if counted != solutions => {
                    return Err(Violation::of_count(&claims, counted, solutions));
                }
                // The sizes of orbits say whether one is missing.
                Ok(_) => coverage.without_orbits = 0,
                Err(Unknown::TooLarge | Unknown::KnownBefore) => coverage.unfinished += 1,
                Err(Unknown::Leak(violation)) => return Err(violation),
            }
        }
        Ok(coverage)
    }
}

/// # What hooks are made of
impl<'a, P, V> Audit<'a, P, V>
where
    P: Problem<State: Clone + Debug + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug + 'a,
{
    /// Holds a bound against every node of the tree without hooks: no solution at or below a node
    /// may be better than it says there. (It is then *admissible*, or optimistic.)
    ///
    /// ```
    /// use secateurs::Objective;
    /// use secateurs::lab::Audit;
    /// use secateurs::problems::fire_net::{FireNetBoard, BoundKind, State};
    ///
    /// let board: FireNetBoard = "2 3\n...\n.X.\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// for bound in BoundKind::ALL {
    ///     Audit::of_best(&board, &placed).bound(bound.to_string(), move |board, state| bound.at(board, state)).run()?;
    /// }
    /// let rows = |board: &FireNetBoard, state: &State| board.rows().max(state.placed()); // forgets that walls split rows
    /// let violation = Audit::of_best(&board, &placed).bound("rows", rows).run().unwrap_err();
    /// assert_eq!(violation.loss().to_string(), "it says 2, but below there is a solution of value 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bound<F: Fn(&P, &P::State) -> V + 'a>(
        mut self,
        name: impl Into<String>,
        bound: F,
    ) -> Self {
        self.checks.push(Box::new(BoundCheck::new(name.into(), bound, false)));
        self
    }

    /// Holds a [bound](Audit::bound) against the tree of which it is claimed as well that it never
    /// becomes better from a node to its child. (It is then *monotone*, or consistent.)
    pub fn monotone_bound<F: Fn(&P, &P::State) -> V + 'a>(
        mut self,
        name: impl Into<String>,
        bound: F,
    ) -> Self {
        self.checks.push(Box::new(BoundCheck::new(name.into(), bound, true)));
        self
    }

    /// Holds a key against the tree without hooks: all states of the same key must have equally
    /// many solutions at or below them, or, if there is an objective, the same best value. This is
    /// what [`Memo::counted`](crate::hook::Memo::counted) and
    /// [`Memo::visited`](crate::hook::Memo::visited) ask of a key, and transposition tables.
    ///
    /// ```
    /// use secateurs::lab::Audit;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(5)?.bits();
    /// Audit::of_count(&queens).key("all attacked squares", |_, state| *state).run()?;
    /// // Columns alone forget the diagonals.
    /// let violation = Audit::of_count(&queens).key("columns", |_, state| state.columns()).run().unwrap_err();
    /// assert_eq!(violation.hook(), "columns");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn key<K, F>(mut self, name: impl Into<String>, key: F) -> Self
    where
        K: Hash + Eq + 'a,
        F: Fn(&P, &P::State) -> K + 'a,
    {
        self.checks.push(Box::new(KeyCheck::new(name.into(), key, Common::Future)));
        self
    }

    /// Holds a key against the tree without hooks, of which less is asked: states of the same key
    /// must either all have a solution at or below them, or none. This is enough for
    /// [`Memo::failed`](crate::hook::Memo::failed).
    pub fn key_of_failures<K, F>(mut self, name: impl Into<String>, key: F) -> Self
    where
        K: Hash + Eq + 'a,
        F: Fn(&P, &P::State) -> K + 'a,
    {
        self.checks.push(Box::new(KeyCheck::new(name.into(), key, Common::Failure)));
        self
    }

    /// Holds a relation of dominance against the tree without hooks; it is given as to
    /// [`hook::Dominance`](crate::hook::Dominance), which says what it must mean: it is transitive,
    /// what dominates has below it something at least as good (or just a solution, if there is no
    /// objective), and one of the conditions holds by which matches do not lead round in a circle.
    /// Whether a summary dominates itself, or two different ones each other, is free.
    ///
    /// Of each group, all pairs of 40 states are looked at, or of 40 that are drawn if there are
    /// more; the coverage has how many [pairs](crate::lab::Coverage::pairs) one of which dominates
    /// the other.
    ///
    /// ```
    /// use secateurs::lab::Audit;
    /// use secateurs::problems::queens::Queens;
    ///
    /// // In the same row, who attacks no more squares can do no less.
    /// let queens = Queens::new(5)?.bits();
    /// let row = |_: &_, state: &secateurs::problems::queens::BitState| state.columns().count_ones();
    /// let attacked = |_: &_, state: &secateurs::problems::queens::BitState| *state;
    /// let fewer = Audit::of_count(&queens).dominance("fewer columns", row, attacked, |a, b| a.columns() & !b.columns() == 0);
    /// assert!(fewer.run().is_err()); // there are diagonals as well
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    pub fn dominance<K, D, G, S, C>(
        mut self,
        name: impl Into<String>,
        group: G,
        summary: S,
        dominates: C,
    ) -> Self
    where
        K: Hash + Eq + 'a,
        D: 'a,
        G: Fn(&P, &P::State) -> K + 'a,
        S: Fn(&P, &P::State) -> D + 'a,
        C: Fn(&D, &D) -> bool + 'a,
    {
        self.checks.push(Box::new(DominanceCheck::new(name.into(), group, summary, dominates)));
        self
    }
}

impl<P: Problem, V> Debug for Audit<'_, P, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hooks: Vec<_> = self.hooks.iter().map(|hook| hook.name()).collect();
        f.debug_struct("Audit")
            .field("hooks", &hooks)
            .field("checks", &self.checks.len())
            .finish_non_exhaustive()
    }
}

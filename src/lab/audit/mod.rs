//! Is a pruning sound? [`Audit`] searches what it cuts off.

mod audited;
mod below;
mod ledger;
mod smallest;
mod violation;

pub use smallest::{Unsound, audit_all};
pub use violation::{Coverage, Loss, Violation};

use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::rc::Rc;

use audited::{Audited, Visits};
use below::solutions_below;
use ledger::{Ledger, Question};

use crate::hook::{Hook, Node};
use crate::incumbent::Objective;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::search::Search;

/// What is cut off is searched up to so many nodes, unless told otherwise.
const NODES: u64 = 1_000_000;

/// Hooks as an audit has them.
type Hooks<'a, P> = Vec<Box<dyn Hook<P> + 'a>>;

/// What an audited search has counted, if it says so.
type Run<'a, P> = Box<dyn FnOnce(Hooks<'a, P>) -> Option<u128> + 'a>;

/// An audit that is being set up: a problem, what is asked about it, and the hooks whose claims are put to the test.
///
/// The search runs with the hooks as ever; but what a hook cuts off, and what it takes away from a state, is searched too,
/// without any hook. A hook breaks its claim:
///
/// - [`Preserving`](crate::Effect::Preserving): if a solution is lost;
/// - [`Representatives`](crate::Effect::Representatives): if all solutions of an [orbit](Audit::orbits) are lost, or if the
///   sizes of the orbits do not add up to the number of solutions;
/// - [`OptimumOnly`](crate::Effect::OptimumOnly): if all best solutions are lost, or, of a search that just
///   [counts](Audit::of_count), all solutions;
/// - [`Lossy`](crate::Effect::Lossy) claims nothing.
///
/// The cut that is reported is the one with which it was broken: before it, something was left.
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
/// Cost: for each cut, the tree below it without hooks, so that all cuts together cost no more than a search of the whole
/// tree without hooks; for each time that a state is tightened, the same, which may be many times over.
#[must_use = "nothing is audited until it is run"]
pub struct Audit<'a, P: Problem, V = ()> {
    problem: &'a P,
    question: Question<'a, P, V>,
    run: Run<'a, P>,
    hooks: Hooks<'a, P>,
    limits: Limits,
}

impl<'a, P: Problem> Audit<'a, P> {
    /// Of a search that counts.
    pub fn of_count(problem: &'a P) -> Self {
        let run = |hooks: Hooks<'a, P>| Search::new(problem).hooks(hooks).count().exact();
        Audit {
            problem,
            question: Question::Count { orbit: None },
            run: Box::new(run),
            hooks: Vec::new(),
            limits: Limits::new().nodes(NODES),
        }
    }

    /// Tells which solutions belong to the same orbit: those that have the same key, such as the least of all images
    /// of a solution, and no others. Without this, hooks that keep representatives are only expected to leave a
    /// solution if there is one.
    pub fn orbits<K: Debug>(mut self, key: impl Fn(&P, &P::State) -> K + 'a) -> Self {
        let key = move |problem: &P, state: &P::State| format!("{:?}", key(problem, state));
        self.question = Question::Count { orbit: Some(Box::new(key)) };
        self
    }
}

impl<'a, P: Problem, V: Ord + Clone> Audit<'a, P, V> {
    /// Of a search for the best value. The objective, with the bounds that compare with its incumbent, must be new.
    pub fn of_best<F: Fn(&P, &P::State) -> V>(problem: &'a P, objective: &'a Objective<P, V, F>) -> Self {
        let run = |hooks: Hooks<'a, P>| {
            let _ = Search::new(problem).hooks(hooks).extract(|_: &Node<'_, P>| ()).best(objective);
            None
        };
        let direction = objective.incumbent().direction();
        let value = Box::new(|problem: &P, state: &P::State| objective.value(problem, state));
        Audit {
            problem,
            question: Question::Optimum { direction, value, below: None },
            run: Box::new(run),
            hooks: Vec::new(),
            limits: Limits::new().nodes(NODES),
        }
    }

    /// Tells the best value of the solutions below a state, that one included, by another method than searching them all:
    /// `None` if there is no solution. With this, large instances can be audited.
    pub fn best_below(mut self, best: impl Fn(&P, &P::State) -> Option<V> + 'a) -> Self {
        if let Question::Optimum { below, .. } = &mut self.question {
            *below = Some(Box::new(best));
        }
        self
    }
}

impl<'a, P, V> Audit<'a, P, V>
where
    P: Problem<State: Clone + Debug + PartialEq, Choice: Debug>,
    V: Ord + Clone + Debug + 'a,
{
    /// Adds a hook, behind those that there are.
    pub fn hook(mut self, hook: impl Hook<P> + 'a) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// What is searched below each cut at most, in place of a million nodes: a cut below which there is more is not
    /// checked, and counted as such.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Searches, and checks all that the hooks do.
    ///
    /// # Errors
    /// The cut with which a hook broke its claim; of several, the first.
    pub fn run(self) -> Result<Coverage, Violation> {
        let Audit { problem, question, run, hooks, limits } = self;
        let ledger = Rc::new(RefCell::new(Ledger::new(question, limits.clone())));
        let watch = |hook| Box::new(Audited { hook, ledger: Rc::clone(&ledger) }) as Box<dyn Hook<P> + 'a>;
        let mut watched: Hooks<'a, P> = hooks.into_iter().map(watch).collect();
        let claims: Vec<_> = watched.iter().map(|hook| (hook.name().to_owned(), hook.effect())).collect();
        watched.push(Box::new(Visits(Rc::clone(&ledger))));
        let counted = run(watched);
        let Some(ledger) = Rc::into_inner(ledger) else { unreachable!("the run has dropped its hooks") };
        let coverage = ledger.into_inner().settle()?;
        // Whatever counts representatives claims to know what each of them stands for.
        let solutions = counted.and_then(|_| solutions_below(problem, &problem.root(), &limits, |_| {}));
        match (counted, solutions) {
            (Some(counted), Some(solutions)) if counted != solutions => {
                Err(Violation::of_count(&claims, counted, solutions))
            }
            _ => Ok(coverage),
        }
    }
}

impl<P: Problem, V> Debug for Audit<'_, P, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hooks: Vec<_> = self.hooks.iter().map(|hook| hook.name()).collect();
        f.debug_struct("Audit").field("hooks", &hooks).field("limits", &self.limits).finish_non_exhaustive()
    }
}

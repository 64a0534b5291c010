//! Optimising the value of a variable: branch and bound on its domain.
//!
//! No separate bound function is needed: a hook prunes the values that do not beat the incumbent
//! from the domain of the variable, and propagation derives the consequences. (Constraint programs
//! have done so since Van Hentenryck 1989; branch and bound is due to Land and Doig 1960.)

use secateurs::hook::{Effect, Hook, HookMemory, NodeMut, Verdict};
use secateurs::{Digest, Direction, Incumbent, IncumbentId, Objective};

use super::{Domains, Network, Variable};

/// Minimises `variable`: returns the objective for [`Search::best`](secateurs::Search::best), and
/// the hook that prunes values which do not beat the incumbent.
///
/// Put the hook *before* [`Propagate`](super::Propagate), which then derives the consequences of
/// the pruned values.
///
/// A *Golomb ruler* has marks whose distances are all different, and is as short as possible:
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Assignment, Model, Propagate, minimise};
///
/// let mut model = Model::new();
/// let marks = model.variables(5, 0..=20)?;
/// model.restrict(marks[0], |value| value == 0)?;
/// let mut distances = Vec::new();
/// for (index, &mark) in marks.iter().enumerate() {
///     for &before in &marks[..index] {
///         let distance = model.variable(1..=20)?;
///         model.linear([(1, mark), (-1, before), (-1, distance)], 0..=0)?;
///         distances.push(distance);
///     }
/// }
/// model.all_different(&distances)?;
/// let network = model.build();
///
/// let (length, shorter) = minimise(marks[4]);
/// let outcome = Search::new(&network)
///     .hooks((shorter, Propagate::full()))
///     .extract(Assignment::of)
///     .best(&length);
/// assert_eq!(outcome.proven(), Some(&11));
/// let ruler = outcome.solution().ok_or("no solution")?;
/// assert_eq!(ruler.of_variables(&marks).collect::<Vec<_>>(), [0, 1, 4, 9, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// The run panics if the network has no such variable.
#[must_use]
pub fn minimise(variable: Variable) -> (Objective<Network, i32, VariableValue>, BeatIncumbent) {
    optimise(Direction::Minimise, variable)
}

/// Maximises `variable`; see [`minimise`].
///
/// A knapsack: which items have the largest total worth if they may weigh at most 10 together?
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Model, Propagate, maximise};
///
/// let items = [(6, 10), (3, 5), (4, 7), (2, 3)]; // weight and worth
/// let mut model = Model::new();
/// let taken = model.variables(items.len(), 0..=1)?;
/// let worth = model.variable(0..=100)?;
/// let terms = |of: fn((i64, i64)) -> i64| {
///     taken.iter().zip(items).map(move |(&variable, item)| (of(item), variable))
/// };
/// model.linear(terms(|(weight, _)| weight), ..=10)?;
/// model.linear(terms(|(_, worth)| worth).chain([(-1, worth)]), 0..=0)?;
/// let network = model.build();
///
/// let (most, better) = maximise(worth);
/// let outcome = Search::new(&network).hooks((better, Propagate::full())).best(&most);
/// assert_eq!(outcome.proven(), Some(&17));
/// # Ok::<(), secateurs_csp::ModelError>(())
/// ```
///
/// # Panics
///
/// The run panics if the network has no such variable.
#[must_use]
pub fn maximise(variable: Variable) -> (Objective<Network, i32, VariableValue>, BeatIncumbent) {
    optimise(Direction::Maximise, variable)
}

pub(super) fn optimise(
    direction: Direction,
    variable: Variable,
) -> (Objective<Network, i32, VariableValue>, BeatIncumbent) {
    let value: VariableValue = Box::new(move |_, domains| domains.min(variable).unwrap_or(0));
    // A boxed closure has no path, so that the objective would have no name.
    let name = format!("variable {}", variable.index());
    let objective = Objective::new(direction, value).named(name);
    let incumbent = objective.incumbent().clone().declared();
    (objective, BeatIncumbent { variable, incumbent })
}

/// The value of a variable at a solution, which [`minimise`] and [`maximise`] compare.
pub type VariableValue = Box<dyn Fn(&Network, &Domains) -> i32 + Send + Sync>;

/// The hook that prunes the values of a variable that do not beat the incumbent; made by
/// [`minimise`] and [`maximise`]. Clones share the incumbent.
///
/// If the hook has pruned a value, a run that asks for something other than the best solution and
/// finds none does not prove that there is none: see [`Hook::incumbent`].
///
/// Each node costs one atomic load and, if the incumbent has a value, time linear in the words of
/// one domain.
#[derive(Clone, Debug)]
pub struct BeatIncumbent {
    variable: Variable,
    incumbent: Incumbent<i32>,
}

impl Hook<Network> for BeatIncumbent {
    fn name(&self) -> &str {
        "better than the incumbent"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(self.variable, self.incumbent.direction())))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let direction = self.incumbent.direction();
        let Some(&best) = self.incumbent.current() else { return Verdict::Keep };
        let domains = node.state_mut();
        if domains.is_wiped_out(self.variable) {
            // This domain was empty before: the incumbent is not the reason for pruning.
            return Verdict::Keep;
        }
        let step = i32::from(!self.incumbent.accepts_ties());
        let pruned = match direction {
            Direction::Minimise => {
                best.checked_sub(step).map(|bound| domains.at_most(self.variable, bound))
            }
            Direction::Maximise => {
                best.checked_add(step).map(|bound| domains.at_least(self.variable, bound))
            }
        };
        match pruned {
            Some(Ok(changed)) => {
                if changed {
                    self.incumbent.record();
                }
                Verdict::Keep
            }
            // No integer beats the smallest or the largest `i32`.
            Some(Err(_)) | None => {
                self.incumbent.record();
                Verdict::Prune
            }
        }
    }
}

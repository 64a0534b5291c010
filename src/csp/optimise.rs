//! Optimising the value of a variable: branch and bound through its domain.
//!
//! The bound needs no function of its own: what does not beat the incumbent is taken away from the
//! domain of the variable, and propagation finds out what follows from that. (So do constraint
//! programs since Van Hentenryck 1989; as a branch and bound it goes back to Land and Doig 1960.)

use super::{Domains, Network, Variable};
use crate::digest::Digest;
use crate::hook::{Effect, Hook, NodeMut, Verdict};
use crate::incumbent::{Direction, Incumbent, IncumbentId, Objective};

/// To find the solution in which `variable` is as small as it can be: the objective for
/// [`Search::best`](crate::Search::best), and the hook that leaves the variable nothing but better
/// values.
///
/// The hook goes *before* [`Propagate`](super::Propagate), which then follows up what it takes
/// away.
///
/// A *Golomb ruler* has marks whose distances are all different, and is as short as possible:
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Assignment, Model, Propagate, minimise};
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
/// let ruler = outcome.solution().ok_or("there is one")?;
/// assert_eq!(ruler.of_variables(&marks).collect::<Vec<_>>(), [0, 1, 4, 9, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// The run panics if the network that is searched has no such variable.
#[must_use]
pub fn minimise(variable: Variable) -> (Objective<Network, i32, ValueOf>, Better) {
    optimise(Direction::Minimise, variable)
}

/// To find the solution in which `variable` is as large as it can be; see [`minimise`].
///
/// A knapsack: which things to take, if they may weigh 10 together?
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Model, Propagate, maximise};
///
/// let things = [(6, 10), (3, 5), (4, 7), (2, 3)]; // weight and worth
/// let mut model = Model::new();
/// let taken = model.variables(things.len(), 0..=1)?;
/// let worth = model.variable(0..=100)?;
/// let terms = |of: fn((i64, i64)) -> i64| taken.iter().zip(things).map(move |(&variable, thing)| (of(thing), variable));
/// model.linear(terms(|(weight, _)| weight), ..=10)?;
/// model.linear(terms(|(_, worth)| worth).chain([(-1, worth)]), 0..=0)?;
/// let network = model.build();
///
/// let (most, better) = maximise(worth);
/// let outcome = Search::new(&network).hooks((better, Propagate::full())).best(&most);
/// assert_eq!(outcome.proven(), Some(&17));
/// # Ok::<(), secateurs::csp::ModelError>(())
/// ```
///
/// # Panics
///
/// The run panics if the network that is searched has no such variable.
#[must_use]
pub fn maximise(variable: Variable) -> (Objective<Network, i32, ValueOf>, Better) {
    optimise(Direction::Maximise, variable)
}

fn optimise(
    direction: Direction,
    variable: Variable,
) -> (Objective<Network, i32, ValueOf>, Better) {
    let value: ValueOf = Box::new(move |_, domains| domains.min(variable).unwrap_or(0));
    let objective = Objective::new(direction, value);
    let incumbent = objective.incumbent().clone().declared();
    (objective, Better { variable, incumbent })
}

/// The value of a variable at a solution: what [`minimise`] and [`maximise`] compare.
pub type ValueOf = Box<dyn Fn(&Network, &Domains) -> i32 + Send + Sync>;

/// The hook that takes from the domain of a variable all values that do not beat the incumbent;
/// made by [`minimise`] and [`maximise`]. Clones compare with the same incumbent.
///
/// Where the best solution is not what is asked for, a run that has found nothing is no proof that
/// there is nothing, if the hook has taken any value away: see [`Hook::incumbent`].
///
/// Cost: one atomic load a node and, if there is an incumbent, the words of one domain.
#[derive(Clone, Debug)]
pub struct Better {
    variable: Variable,
    incumbent: Incumbent<i32>,
}

impl Hook<Network> for Better {
    fn name(&self) -> &str {
        "better than the incumbent"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.variable))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn follows_path(&self) -> bool {
        false
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        let direction = self.incumbent.direction();
        let Some(&best) = self.incumbent.latest() else { return Verdict::Keep };
        let domains = node.state_mut();
        if domains.is_wiped_out(self.variable) {
            // That there is no solution is not for the incumbent to say.
            return Verdict::Keep;
        }
        let step = i32::from(!self.incumbent.accepts_ties());
        let left = match direction {
            Direction::Minimise => {
                best.checked_sub(step).map(|bound| domains.at_most(self.variable, bound))
            }
            Direction::Maximise => {
                best.checked_add(step).map(|bound| domains.at_least(self.variable, bound))
            }
        };
        match left {
            Some(Ok(changed)) => {
                if changed {
                    node.tightened_by_incumbent();
                }
                Verdict::Keep
            }
            Some(Err(_)) => {
                // On a replay, the verdict counts for nothing, and what is below fails for this.
                node.tightened_by_incumbent();
                Verdict::Prune
            }
            // No integer is better than the smallest or the largest that there is.
            None => Verdict::Prune,
        }
    }
}

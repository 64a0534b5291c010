//! Constraints on any number of variables: the [`Propagator`] trait.

use std::fmt::Debug;

use crate::Variable;
use crate::domains::{Change, Domains, Pruned, Wipeout};
use crate::possible_rows::PossibleRows;
use crate::variable::{Ends, Layout};

/// Memory that a propagator keeps from call to call. Backtracking does *not* restore it.
#[derive(Clone, Debug, Default)]
pub struct PropagatorScratch {
    /// Words of its own, empty at first. Use them for buffers, to save allocations, and for hints
    /// that are verified before use, such as the matching found by the last call.
    pub words: Vec<u64>,
    calls_again: bool,
    pub(super) possible_rows: Option<Box<PossibleRows>>,
    /// The memory of the constraints of which this one consists.
    pub(super) parts: Vec<PropagatorScratch>,
}

impl PropagatorScratch {
    /// Requests that the propagator is woken by its own changes in this call, although it is
    /// [idempotent](Propagator::is_idempotent): it has stopped before its fixpoint.
    pub fn call_again(&mut self) {
        self.calls_again = true;
    }

    /// Returns whether another call was requested, and withdraws the request.
    pub(super) fn take_request(&mut self) -> bool {
        std::mem::take(&mut self.calls_again)
    }
}

/// A constraint on any number of variables, with its pruning.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{
///     Domains, Model, Propagate, Propagator, PropagatorScratch, Variable, Wipeout,
/// };
///
/// /// The first variable is the maximum of the others.
/// #[derive(Debug)]
/// struct Largest(Vec<Variable>);
///
/// impl Propagator for Largest {
///     fn name(&self) -> &str {
///         "largest"
///     }
///     fn scope(&self) -> &[Variable] {
///         &self.0
///     }
///     fn holds(&self, values: &[i32]) -> bool {
///         values[1..].iter().max() == Some(&values[0])
///     }
///     fn propagate(
///         &self,
///         domains: &mut Domains,
///         _: &mut PropagatorScratch,
///     ) -> Result<(), Wipeout> {
///         let (largest, others) = (self.0[0], &self.0[1..]);
///         if let Some(bound) = others.iter().filter_map(|&other| domains.max(other)).max() {
///             domains.at_most(largest, bound)?;
///         }
///         if let Some(bound) = domains.max(largest) {
///             for &other in others {
///                 domains.at_most(other, bound)?;
///             }
///         }
///         Ok(())
///     }
/// }
///
/// let mut model = Model::new();
/// let variables = model.variables(3, 1..=4)?;
/// model.propagator(Largest(variables))?;
/// let network = model.build();
/// assert_eq!(Search::new(&network).hooks((Propagate::full(),)).count().exact(), Some(16));
/// assert_eq!(Search::new(&network).count().exact(), Some(16)); // without any propagation
/// # Ok::<(), secateurs_csp::ModelError>(())
/// ```
///
/// # Contract
///
/// - [`holds`](Propagator::holds) defines the constraint. The other methods may prune only values
///   that are in no satisfying assignment, and
///   [`propagate_negation`](Propagator::propagate_negation) those that are in no other one. If they
///   prune more, solutions are lost, and a count that is reported as exact is wrong.
/// - All pruning uses the methods of [`Domains`], so that backtracking undoes it.
/// - [`PropagatorScratch`] is the only memory between calls, and must not change the result of a
///   call. Otherwise the tree depends on what was searched before, and a run that is resumed or
///   spread over threads has another tree.
/// - Pruning may be incomplete: weak propagation makes a search slow, never wrong, since
///   assignments are checked by `holds` unless propagation at one of the levels has done so. But if
///   *all* variables of the scope are assigned, `propagate` must decide whether the constraint
///   holds, and return a [`Wipeout`] if it does not. The default does. An implementation that
///   breaks this rule makes the search report assignments that are not solutions.
pub trait Propagator: Debug + Send + Sync {
    /// Returns the name of this kind of constraint, for reports and error messages.
    fn name(&self) -> &str;

    /// Returns the variables of the constraint, the same ones at every call. A variable may occur
    /// more than once.
    fn scope(&self) -> &[Variable];

    /// Returns whether the constraint holds if `values[i]` is the value of the variable
    /// `scope()[i]`.
    fn holds(&self, values: &[i32]) -> bool;

    /// Prunes values that are in no satisfying assignment, at least those that are cheap to find.
    ///
    /// It is called again whenever the domain of a variable of the scope changes (see
    /// [`wake`](Propagator::wake)), until a fixpoint is reached. The default calls
    /// [`propagate_last`](Propagator::propagate_last) as soon as all variables but one are
    /// assigned.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if the constraint cannot hold: pass on the one from a method of [`Domains`], or
    /// name any variable of the scope.
    fn propagate(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        match sole_open(self.scope(), domains) {
            // Without a `propagate` of its own, the constraint has nothing that it could call.
            Some(last) if self.propagates_last() => retain(self, domains, last, true),
            Some(last) => self.propagate_last(domains, last, scratch),
            None => Ok(()),
        }
    }

    /// Forward checking: prunes the values of `last` with which the constraint does not hold. All
    /// other variables of the scope are assigned. The default calls
    /// [`propagate`](Propagator::propagate) if it [does this](Propagator::propagates_last), and
    /// otherwise [`holds`](Propagator::holds) for each value.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    fn propagate_last(
        &self,
        domains: &mut Domains,
        last: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        if self.propagates_last() {
            self.propagate(domains, scratch)
        } else {
            retain(self, domains, last, true)
        }
    }

    /// Returns whether [`propagate`](Propagator::propagate) prunes enough for forward checking once
    /// all variables but one are assigned, so that no value need be tested. Default: `false`. If it
    /// returns `true` and `propagate` prunes less, the search finds the same solutions in more
    /// nodes.
    fn propagates_last(&self) -> bool {
        false
    }

    /// Returns `Some(true)` if the constraint holds for all remaining values, `Some(false)` if it
    /// holds for none, and `None` if neither is known: for constraints
    /// [under a condition](crate::Model::reify). If all variables are assigned, it must be known.
    ///
    /// The call may prune values that are in no satisfying assignment; the caller undoes that. The
    /// default calls [`propagate`](Propagator::propagate), to find out whether it fails, and
    /// returns `Some(true)` only if all variables are assigned.
    fn entailment(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Option<bool> {
        probe(self, domains, scratch)
    }

    /// Prunes values that are in satisfying assignments only, because the constraint is required
    /// *not* to hold: for constraints [under a condition](crate::Model::reify). It is called only
    /// while [`entailment`](Propagator::entailment) returns `None`.
    ///
    /// The default tests each value once all variables but one are assigned. An implementation
    /// must do so as well, and if [`is_idempotent`](Propagator::is_idempotent) returns `true`, a
    /// call after its own changes must have no effect.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if the constraint cannot be violated.
    fn propagate_negation(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let _ = scratch;
        match sole_open(self.scope(), domains) {
            Some(last) => retain(self, domains, last, false),
            None => Ok(()),
        }
    }

    /// Returns the changes of the variable `scope()[place]` that wake the propagator. Anything less
    /// than [`Wake::Any`] saves calls that would prune nothing. A rule that is too narrow weakens
    /// propagation but is not wrong, since every variant of [`Wake`] includes assignment:
    /// [`propagate`](Propagator::propagate) is called once the whole scope is assigned.
    fn wake(&self, place: usize) -> Wake {
        let _ = place;
        Wake::Any
    }

    /// Returns whether a second call of [`propagate`](Propagator::propagate) right after the first
    /// would prune nothing, so that the propagator's own changes need not wake it. A call that
    /// stops before its fixpoint says so by [`PropagatorScratch::call_again`]. Default: `false`.
    fn is_idempotent(&self) -> bool {
        false
    }

    /// Returns the approximate cost of a call: cheaper propagators are called first. Default: the
    /// number of variables.
    fn cost(&self) -> u32 {
        u32::try_from(self.scope().len()).unwrap_or(u32::MAX)
    }
}

/// Keeps the values of `last` with which the constraint holds or, if not `expected`, does not hold;
/// all other variables are assigned.
pub(super) fn retain<P: Propagator + ?Sized>(
    propagator: &P,
    domains: &mut Domains,
    last: Variable,
    expected: bool,
) -> Pruned {
    let scope = propagator.scope();
    let mut values = Vec::with_capacity(scope.len());
    for &variable in scope {
        // A constraint cannot hold if one of its variables has no value.
        values.push(domains.min(variable).ok_or(Wipeout(variable))?);
    }
    domains.retain(last, |value| {
        for (place, _) in scope.iter().enumerate().filter(|&(_, &variable)| variable == last) {
            values[place] = value;
        }
        propagator.holds(&values) == expected
    })?;
    Ok(())
}

/// Returns the only variable that is not assigned, or the first one if all are; `None` if several
/// are not, or if there are no variables.
pub(super) fn sole_open(scope: &[Variable], domains: &Domains) -> Option<Variable> {
    let mut open = scope.iter().filter(|&&variable| !domains.is_assigned(variable));
    match open.next() {
        Some(&last) => open.all(|&other| other == last).then_some(last),
        None => scope.first().copied(),
    }
}

/// The default entailment: the constraint is disentailed if propagation fails, and entailed if it
/// does not fail and all variables are assigned.
pub(super) fn probe<P: Propagator + ?Sized>(
    propagator: &P,
    domains: &mut Domains,
    scratch: &mut PropagatorScratch,
) -> Option<bool> {
    let is_assigned = propagator.scope().iter().all(|&variable| domains.is_assigned(variable));
    match propagator.propagate(domains, scratch) {
        Err(_) => Some(false),
        Ok(()) => is_assigned.then_some(true),
    }
}

/// Returns whether all variables of the scope are assigned and the constraint holds.
pub(super) fn holds(propagator: &dyn Propagator, domains: &Domains, values: &mut Vec<i32>) -> bool {
    values.clear();
    for &variable in propagator.scope() {
        match domains.value(variable) {
            Some(value) => values.push(value),
            None => return false,
        }
    }
    propagator.holds(values)
}

/// The changes of a variable that wake a propagator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wake {
    /// Any removal of a value.
    #[default]
    Any,
    /// A change of the smallest or the largest value.
    Bounds,
    /// A change of the smallest value, or the removal of all values but one.
    Min,
    /// A change of the largest value, or the removal of all values but one.
    Max,
    /// The removal of all values but one.
    Assigned,
}

/// Properties of a propagator, queried once instead of at every call.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallRule {
    /// Whether the propagator need not be woken by its own changes.
    pub(super) is_idempotent: bool,
    /// The class of propagators of similar cost; cheaper ones have smaller numbers.
    pub(super) class: u8,
    /// The work of a call, in words of domains.
    pub(super) work: u64,
}

impl CallRule {
    /// The number of classes.
    pub(super) const CLASSES: usize = 16;

    pub(super) fn of(propagator: &dyn Propagator, layout: &Layout) -> Self {
        let doublings = propagator.cost().max(1).ilog2().min(Self::CLASSES as u32 - 1);
        CallRule {
            class: doublings as u8,
            is_idempotent: propagator.is_idempotent(),
            work: propagator
                .scope()
                .iter()
                .map(|&variable| layout.work(variable))
                .sum::<u64>()
                .max(u64::from(propagator.cost()) / 8),
        }
    }
}

/// The events of a variable that wake a propagator, and the class of the propagator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waking {
    pub(super) events: Events,
    pub(super) class: u8,
}

/// A set of events: kinds of changes of a domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Events(u8);

impl Events {
    const ANY: u8 = 1;
    const MIN: u8 = 2;
    const MAX: u8 = 4;
    const ASSIGNED: u8 = 8;

    /// Returns the events that wake a propagator.
    pub(super) fn waking(wake: Wake) -> Self {
        Events(match wake {
            Wake::Any => Self::ANY,
            Wake::Bounds => Self::MIN | Self::MAX,
            Wake::Min => Self::MIN | Self::ASSIGNED,
            Wake::Max => Self::MAX | Self::ASSIGNED,
            Wake::Assigned => Self::ASSIGNED,
        })
    }

    /// Returns the events of a change of a word of `variable`. The word may have changed further
    /// since.
    #[inline]
    pub(super) fn of(domains: &Domains, variable: Variable, change: Change) -> Self {
        let word = change.word as usize;
        let now = domains.words[word];
        let slot = domains.layout.slot(variable);
        let (from_below, from_above, is_assigned);
        if slot.is_one_word() {
            let lost = change.before & !now;
            // The bits below the lowest one. Without any value left, every bound has changed.
            let below = |word: u64| !word & word.wrapping_sub(1);
            from_below = below(lost) < below(now);
            // No value is in both sets: the greater number has the higher bit.
            from_above = lost > now;
            is_assigned = now.is_power_of_two();
        } else if word == slot.ends() {
            let (before, now) = (Ends::of(change.before), Ends::of(now));
            from_below = before.low != now.low;
            from_above = before.high != now.high;
            is_assigned = now.low == now.high;
        } else {
            // Values between the ends were removed.
            return Events(Self::ANY);
        }
        let events = Self::ANY
            | if from_below { Self::MIN } else { 0 }
            | if from_above { Self::MAX } else { 0 }
            | if is_assigned { Self::ASSIGNED } else { 0 };
        Events(events)
    }

    #[inline]
    pub(super) fn union(self, other: Events) -> Events {
        Events(self.0 | other.0)
    }

    #[inline]
    pub(super) fn intersects(self, other: Events) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the set contains changes of bounds, but not any change.
    pub(super) fn are_of_bounds(self) -> bool {
        self.0 & (Self::MIN | Self::MAX) != 0 && self.0 & Self::ANY == 0
    }
}

/// Returns whether no value occurs twice.
pub(super) fn are_distinct<T: Ord>(values: impl IntoIterator<Item = T>) -> bool {
    let mut sorted: Vec<T> = values.into_iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|two| two[0] != two[1])
}

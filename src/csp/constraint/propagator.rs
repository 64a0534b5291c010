//! Constraints on any number of variables: the [`Propagator`] trait.

use std::fmt::Debug;

use crate::csp::Variable;
use crate::csp::domains::{Change, Domains, Wipeout};

/// What a propagator keeps from call to call: words of its own, empty at first, *not* restored when
/// a step is undone.
///
/// For buffers that are not to be allocated anew, and for hints that are checked before they are
/// believed, such as the matching that was found last.
pub type PropagatorScratch = Vec<u64>;

/// A constraint on any number of variables, and how it takes values away.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Domains, Model, Propagate, Propagator, PropagatorScratch, Variable, Wipeout};
///
/// /// The first variable is the largest of the others.
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
///     fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
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
/// # Ok::<(), secateurs::csp::ModelError>(())
/// ```
///
/// # What it must guarantee, and what happens if it lies
///
/// - [`holds`](Propagator::holds) says what the constraint *is*. The other methods only ever take
///   values away that are in no assignment for which it holds; if they take away more, solutions
///   are lost, and a count that is reported as exact is wrong.
/// - What is taken away is taken away by the methods of [`Domains`], and so comes back with the
///   step.
/// - Nothing else is remembered than [`PropagatorScratch`], which must not change what is found. Otherwise the
///   tree depends on what was searched before, and a run is not the same again when it is resumed
///   or spread over threads.
/// - It need not take away everything that it could: a network is never wrong for weak propagation,
///   only slow, since an assignment is checked by `holds` unless propagation at one of the levels
///   has done so. But with *all* of the scope assigned, `propagate` must find out whether the
///   constraint holds: it must then end in a [`Wipeout`] if it does not. The default does. This is
///   the one thing that, if it fails, makes an answer of what is none.
pub trait Propagator: Debug + Send + Sync {
    /// What kind of constraint it is, for reports and error messages.
    fn name(&self) -> &str;

    /// The variables that it is about. Must be the same at every call. A variable may be in it more
    /// than once.
    fn scope(&self) -> &[Variable];

    /// Whether the constraint holds if `values[i]` is the value of the variable `scope()[i]`.
    fn holds(&self, values: &[i32]) -> bool;

    /// Takes away values that are in no assignment for which the constraint holds, as far as that
    /// is quick to see.
    ///
    /// Called again when the domain of a variable in scope has changed (see
    /// [`wake`](Propagator::wake)), until nothing changes any more. Default: what
    /// [`propagate_last`](Propagator::propagate_last) does as soon as all variables but one are
    /// assigned.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if the constraint cannot hold: pass on that of a method of [`Domains`], or name
    /// any variable in scope.
    fn propagate(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        propagate_when_one_is_left(self, domains, scratch)
    }

    /// Forward checking: takes away those values of `last` with which the constraint does not hold;
    /// all other variables in scope are assigned. Default: asks [`holds`](Propagator::holds) for
    /// each value.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value is left.
    fn propagate_last(
        &self,
        domains: &mut Domains,
        last: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let _ = scratch;
        retain_supported(self, domains, last)
    }

    /// For which changes of the variables in scope it is to be called. Less than [`Wake::Any`]
    /// saves calls that would find nothing; if it says too little, propagation ends early, which is
    /// no more than weak as long as [`propagate`](Propagator::propagate) is called once all of the
    /// scope is assigned. Each of [`Wake`] sees to that.
    fn wake(&self) -> Wake {
        Wake::Any
    }

    /// Whether a second call of [`propagate`](Propagator::propagate) right after the first would
    /// find nothing more, so that it is not called again for what it has taken away itself.
    /// Default: no.
    fn is_idempotent(&self) -> bool {
        false
    }

    /// How much a call costs, roughly: cheaper propagators are called first. Default: the number of
    /// variables.
    fn cost(&self) -> u32 {
        u32::try_from(self.scope().len()).unwrap_or(u32::MAX)
    }
}

/// Takes away the values of `last` with which the constraint does not hold, all others being
/// assigned.
fn retain_supported<P: Propagator + ?Sized>(
    propagator: &P,
    domains: &mut Domains,
    last: Variable,
) -> Result<(), Wipeout> {
    let scope = propagator.scope();
    let mut values = Vec::with_capacity(scope.len());
    for &variable in scope {
        // Without a value there is nothing that could hold.
        values.push(domains.min(variable).ok_or(Wipeout(variable))?);
    }
    domains.retain(last, |value| {
        for (place, _) in scope.iter().enumerate().filter(|&(_, &variable)| variable == last) {
            values[place] = value;
        }
        propagator.holds(&values)
    })?;
    Ok(())
}

/// The default propagation: nothing until all variables but one are assigned.
fn propagate_when_one_is_left<P: Propagator + ?Sized>(
    propagator: &P,
    domains: &mut Domains,
    scratch: &mut PropagatorScratch,
) -> Result<(), Wipeout> {
    let Some(&first) = propagator.scope().first() else {
        return Ok(());
    };
    let mut last = None;
    for &variable in propagator.scope() {
        if !domains.is_assigned(variable)
            && last.replace(variable).is_some_and(|other| other != variable)
        {
            return Ok(());
        }
    }
    propagator.propagate_last(domains, last.unwrap_or(first), scratch)
}

/// Whether the constraint holds for the values of its scope, all of them assigned.
pub(in crate::csp) fn holds(
    propagator: &dyn Propagator,
    domains: &Domains,
    values: &mut Vec<i32>,
) -> bool {
    values.clear();
    for &variable in propagator.scope() {
        match domains.value(variable) {
            Some(value) => values.push(value),
            None => return false,
        }
    }
    propagator.holds(values)
}

/// For which changes of a variable in its scope a propagator is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wake {
    /// For any value that is taken away.
    #[default]
    Any,
    /// When its smallest or its largest value has changed.
    Bounds,
    /// When one value is left.
    Assigned,
}

/// What is asked of each propagator once, rather than at every change.
#[derive(Clone, Copy, Debug)]
pub(in crate::csp) struct WakeRule {
    pub(in crate::csp) wake: Wake,
    /// Whether it need not be called for what it has done itself.
    pub(in crate::csp) is_idempotent: bool,
}

impl WakeRule {
    pub(in crate::csp) fn of(propagator: &dyn Propagator) -> Self {
        WakeRule { wake: propagator.wake(), is_idempotent: propagator.is_idempotent() }
    }
}

impl Wake {
    /// Whether a change of a word of `variable` is one of these. More may have changed since then.
    #[inline]
    pub(in crate::csp) fn is_for(
        self,
        domains: &Domains,
        variable: Variable,
        change: Change,
    ) -> bool {
        match self {
            Wake::Any => true,
            Wake::Assigned => domains.is_assigned(variable),
            Wake::Bounds => {
                let (word, now) = (change.word as usize, domains.words[change.word as usize]);
                let lost = change.before & !now;
                let from_below = lost.trailing_zeros() < now.trailing_zeros();
                let from_above = lost.leading_zeros() < now.leading_zeros();
                let slot = domains.layout.slot(variable);
                if slot.is_one_word() {
                    return from_below || from_above;
                }
                let none = |words: &[u64]| words.iter().all(|&word| word == 0);
                from_below && none(&domains.words[slot.range().start..word])
                    || from_above && none(&domains.words[word + 1..slot.range().end])
            }
        }
    }
}

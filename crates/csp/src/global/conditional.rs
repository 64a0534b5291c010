//! Constraints under a condition: a variable states whether they hold (*reification*), or they hold
//! if it is 1 (*half reification*; Feydy, Somogyi and Stuckey 2011).
//!
//! Constraints of any kind are stated apart from the model, as parts of a single one. While the
//! condition is open, each part is asked whether it holds for all remaining values or for none. By
//! default it finds the latter by its own propagation, which is undone in the end. Restrictions of
//! variables are parts as well. They come first, because other parts may rely on them.

use std::slice;
use std::sync::Arc;

use crate::binary::{Clique, Pair, Relation};
use crate::model::Collected;
use crate::propagator::are_distinct;
use crate::propagator::{probe, retain, sole_open};
use crate::{
    Domain, Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake,
    Wipeout,
};

/// The value of a variable is in a set.
#[derive(Clone, Debug)]
struct Membership {
    scope: [Variable; 1],
    values: Domain,
}

impl Membership {
    /// Prunes the values that are not in the set or, if not `expected`, those that are. Returns
    /// whether there were any.
    fn retain(&self, domains: &mut Domains, expected: bool) -> Result<bool, Wipeout> {
        domains.retain(self.scope[0], |value| self.values.contains(value) == expected)
    }
}

impl Propagator for Membership {
    fn name(&self) -> &str {
        "membership"
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        self.values.contains(values[0])
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        self.retain(domains, true).map(|_| ())
    }

    fn entailment(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Option<bool> {
        match self.retain(domains, true) {
            Ok(false) => Some(true),
            Ok(true) => None,
            Err(_) => Some(false),
        }
    }

    fn propagate_negation(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        self.retain(domains, false).map(|_| ())
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

impl Pair {
    /// Returns whether a value of the variable at `side` has a value of the other variable with
    /// which the relation holds or, if not `expected`, does not hold.
    fn has_partner(&self, domains: &Domains, side: usize, value: i32, expected: bool) -> bool {
        let other = self.variables[1 - side];
        if let Relation::Different { .. } = self.relation {
            let equal = self.count_forbidden(domains, side, value) as usize;
            return if expected { domains.size(other) > equal } else { equal > 0 };
        }
        let mut others = domains.values(other);
        others.any(|other| self.holds(side, value, other) == expected)
    }
}

/// Arc consistency, as the network maintains it for relations without a condition.
impl Propagator for Pair {
    fn name(&self) -> &str {
        "relation of two variables"
    }

    fn scope(&self) -> &[Variable] {
        &self.variables
    }

    fn holds(&self, values: &[i32]) -> bool {
        self.relation.holds(values[0], values[1])
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        self.revise(domains, 0)?;
        self.revise(domains, 1)
    }

    fn entailment(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Option<bool> {
        let exists = |expected| {
            let mut values = domains.values(self.variables[0]);
            values.any(|value| self.has_partner(domains, 0, value, expected))
        };
        match (exists(true), exists(false)) {
            (true, true) => None,
            (holds, _) => Some(holds),
        }
    }

    fn propagate_negation(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        for (side, &variable) in self.variables.iter().enumerate() {
            let values = domains.values(variable);
            let lost: Vec<i32> =
                values.filter(|&value| !self.has_partner(domains, side, value, false)).collect();
            domains.retain(variable, |value| lost.binary_search(&value).is_err())?;
        }
        Ok(())
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

/// All-different constraints by pairs, as the network propagates them without a condition.
#[derive(Clone, Debug)]
struct AllDifferent {
    scope: Vec<Variable>,
    clique: Clique,
}

impl Propagator for AllDifferent {
    fn name(&self) -> &str {
        "all different"
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let members = self.clique.members.iter();
        let shifted =
            members.zip(values).map(|(member, &value)| i64::from(value) + i64::from(member.1));
        are_distinct(shifted)
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        for (place, &variable) in (0..).zip(&self.scope) {
            if let Some(value) = domains.value(variable) {
                self.clique.revise(domains, place, value)?;
            }
        }
        Ok(())
    }

    fn entailment(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Option<bool> {
        probe_different(self, self.clique.members.iter().copied(), domains, scratch)
    }
}

/// Returns the entailment of an all-different constraint: as by default, but it is entailed as well
/// if no two members, each a variable and its shift, have a value in common.
pub(super) fn probe_different<P: Propagator>(
    propagator: &P,
    members: impl Iterator<Item = (Variable, i32)>,
    domains: &mut Domains,
    scratch: &mut PropagatorScratch,
) -> Option<bool> {
    let before = domains.trail_length();
    probe(propagator, domains, scratch).or_else(|| {
        // A value that was pruned is a common one.
        let is_disjoint = domains.trail_length() == before && {
            let values = members.flat_map(|(variable, shift)| {
                domains.values(variable).map(move |value| i64::from(value) + i64::from(shift))
            });
            are_distinct(values)
        };
        is_disjoint.then_some(true)
    })
}

/// A conjunction of constraints holds if, and only if `is_equivalence`, the indicator is 1.
#[derive(Clone, Debug)]
struct Conditional {
    is_equivalence: bool,
    /// The indicator, and the scopes of all parts.
    scope: Vec<Variable>,
    /// Each has a variable. Memberships come first.
    parts: Vec<Arc<dyn Propagator>>,
}

/// The state of a conjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conjunction {
    Holds,
    Fails,
    /// The only part that is not known to hold.
    One(usize),
    Open,
}

impl Conditional {
    fn new(indicator: Variable, is_equivalence: bool, collected: Collected) -> Self {
        let mut parts: Vec<Arc<dyn Propagator>> = Vec::new();
        for (variable, values) in collected.restrictions {
            parts.push(Arc::new(Membership { scope: [variable], values }));
        }
        for pair in collected.pairs {
            parts.push(Arc::new(pair));
        }
        for clique in collected.cliques {
            let scope = clique.members.iter().map(|member| member.0).collect();
            parts.push(Arc::new(AllDifferent { scope, clique }));
        }
        for propagator in collected.propagators {
            if !propagator.scope().is_empty() {
                parts.push(propagator);
            } else if !propagator.holds(&[]) {
                // A contradiction: the indicator has none of the values of an empty set.
                parts.push(Arc::new(Membership { scope: [indicator], values: Domain::default() }));
            }
        }
        let scopes = parts.iter().flat_map(|part| part.scope());
        let scope = [indicator].into_iter().chain(scopes.copied()).collect();
        Conditional { is_equivalence, scope, parts }
    }

    /// Returns the state of the conjunction, and leaves the domains as they are.
    ///
    /// Until the end, values remain pruned that a part excludes. If each other part holds for the
    /// values that are left, the conjunction is equivalent to that part.
    fn conjunction(&self, domains: &mut Domains, scratch: &mut [PropagatorScratch]) -> Conjunction {
        let start = domains.mark();
        let mut state = Conjunction::Holds;
        for (index, (part, scratch)) in self.parts.iter().zip(scratch).enumerate() {
            state = match (part.entailment(domains, scratch), state) {
                (Some(true), _) => state,
                (Some(false), _) => Conjunction::Fails,
                (None, Conjunction::Holds) => Conjunction::One(index),
                (None, _) => Conjunction::Open,
            };
            if state == Conjunction::Fails {
                break;
            }
        }
        domains.restore(start);
        state
    }

    /// Propagates with the memory of each part.
    fn propagate_with(&self, domains: &mut Domains, scratch: &mut [PropagatorScratch]) -> Pruned {
        let indicator = self.scope[0];
        let value = domains.value(indicator);
        match value {
            Some(1) => {
                let mut parts = self.parts.iter().zip(scratch);
                return parts.try_for_each(|(part, scratch)| part.propagate(domains, scratch));
            }
            Some(0) if !self.is_equivalence => return Ok(()),
            _ => {}
        }
        match (self.conjunction(domains, scratch), value) {
            (Conjunction::Fails, Some(0)) => Ok(()),
            (Conjunction::Fails, _) => domains.assign(indicator, 0).map(|_| ()),
            (Conjunction::Holds, _) if self.is_equivalence => {
                domains.assign(indicator, 1).map(|_| ())
            }
            (Conjunction::One(index), Some(0)) => {
                self.parts[index].propagate_negation(domains, &mut scratch[index])
            }
            (Conjunction::Open, Some(0)) => match sole_open(&self.scope, domains) {
                Some(last) => retain(self, domains, last, true),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

impl Propagator for Conditional {
    fn name(&self) -> &str {
        if self.is_equivalence { "reified" } else { "implied" }
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let mut rest = &values[1..];
        let mut hold = self.parts.iter().map(|part| {
            let (own, others) = rest.split_at(part.scope().len());
            rest = others;
            part.holds(own)
        });
        match values[0] {
            1 => hold.all(|holds| holds),
            0 => !self.is_equivalence || !hold.all(|holds| holds),
            _ => false,
        }
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        if self.parts.len() == 1 {
            // Mostly a reified sum, which takes less time without a second level of memory.
            return self.propagate_with(domains, slice::from_mut(scratch));
        }
        scratch.parts.resize_with(self.parts.len(), PropagatorScratch::default);
        self.propagate_with(domains, &mut scratch.parts)?;
        let requests = scratch.parts.iter_mut().map(PropagatorScratch::take_request);
        if requests.fold(false, |any, request| any | request) {
            scratch.call_again();
        }
        Ok(())
    }

    /// Both bounds may decide whether a constraint holds.
    fn wake(&self, place: usize) -> Wake {
        let mut place = match place.checked_sub(1) {
            Some(place) => place,
            None => return Wake::Assigned,
        };
        for part in &self.parts {
            match place.checked_sub(part.scope().len()) {
                Some(rest) => place = rest,
                None => {
                    return match part.wake(place) {
                        Wake::Min | Wake::Max => Wake::Bounds,
                        wake => wake,
                    };
                }
            }
        }
        Wake::Any
    }

    fn is_idempotent(&self) -> bool {
        match &self.parts[..] {
            [part] => part.is_idempotent() && !part.scope().contains(&self.scope[0]),
            _ => false,
        }
    }

    fn cost(&self) -> u32 {
        self.parts.iter().map(|part| part.cost()).fold(1, u32::saturating_add)
    }
}

impl Model {
    /// Requires that `indicator` is 1 if the constraints hold that `constraints` adds to the model,
    /// and 0 otherwise: *reification* (Van Hentenryck and Deville 1991).
    ///
    /// Constraints of any kind can be stated, several of them as well: `indicator` is 1 if all
    /// hold. Restrictions of variables are such constraints, and so are others under conditions of
    /// their own. Variables that `constraints` adds are variables of the model in any case.
    ///
    /// Restricts the indicator to 0 and 1. Under [full propagation](crate::Propagate::full), the
    /// constraints propagate as without a condition once the indicator is 1. It becomes 0 if the
    /// propagation of one of them would fail, and 1 if all are known to hold for all remaining
    /// values: sums by their bounds; memberships, relations of two variables,
    /// [tables](Self::table) and [counts](Self::count) exactly; all-different constraints, if no
    /// two variables have a common value; an [element](Self::element), if all that it may be are
    /// assigned; others, if all variables are assigned. If it is 0 and all but one of them are
    /// known to hold, sums, memberships and relations of two variables prune values that would make
    /// them hold; others do once one variable is left. A call takes as long as one of each
    /// constraint. A [`Propagator`] may have [rules](Propagator::entailment) of its own. The levels
    /// below prune nothing before all variables but one are assigned.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // Throws of three dice that have a sum of ten, or three different numbers, but not both.
    /// let mut model = Model::new();
    /// let dice = model.variables(3, 1..=6)?;
    /// let [ten, different] = model.variables(2, 0..=1)?[..] else { unreachable!() };
    /// model.reify(ten, |model| model.sum(&dice, 10..=10))?;
    /// model.reify(different, |model| model.all_different(&dice))?;
    /// model.different(ten, different)?;
    /// assert_eq!(model.build().solver().count().exact(), Some(27 + 120 - 2 * 18));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`], and those of `constraints`. The model is then as it was,
    /// except for new names of its variables.
    pub fn reify(
        &mut self,
        indicator: Variable,
        constraints: impl FnOnce(&mut Model) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        self.conditional(indicator, true, constraints)
    }

    /// Requires that the constraints hold that `constraints` adds to the model if `indicator` is 1:
    /// *half reification*. If it is 0, they may hold or not.
    ///
    /// Pruning and costs are those of [`reify`](Self::reify), except that the indicator never
    /// becomes 1, and nothing is pruned if it is 0.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // A shop opens at 8 or, on some days, at 10. Two visits of an hour each on days with late
    /// // opening are not at the same time.
    /// let mut model = Model::new();
    /// let visits = model.variables(2, 8..=11)?;
    /// let is_late = model.variable(0..=1)?;
    /// model.imply(is_late, |model| {
    ///     for &visit in &visits {
    ///         model.restrict(visit, |hour| hour >= 10)?;
    ///     }
    ///     model.all_different(&visits)
    /// })?;
    /// assert_eq!(model.build().solver().count().exact(), Some(4 * 4 + 2));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as of [`reify`](Self::reify).
    pub fn imply(
        &mut self,
        indicator: Variable,
        constraints: impl FnOnce(&mut Model) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        self.conditional(indicator, false, constraints)
    }

    fn conditional(
        &mut self,
        indicator: Variable,
        is_equivalence: bool,
        constraints: impl FnOnce(&mut Model) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        self.check([indicator])?;
        let stated = self.collect(constraints)?;
        self.restrict(indicator, |value| matches!(value, 0 | 1))?;
        self.propagator(Conditional::new(indicator, is_equivalence, stated))
    }
}

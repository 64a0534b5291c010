//! The levels of propagation, from backward checking to a fixpoint of all propagators, and the
//! queues of pending variables and propagators.

use crate::domains::{Bits, Change};
use crate::propagator::{CallRule, Events, holds};
use crate::rows::Rows;
use crate::trail::Propagation;
use crate::variable::NO_OWNER;
use crate::weights::Conflict;
use crate::{Domains, Network, Propagator, PropagatorScratch, Variable};

/// The extent of a propagation without conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completion {
    /// All changes are propagated.
    Fixpoint,
    /// The limit of work was reached. Changes remain to be propagated.
    Unfinished,
}

/// Buffers that are reused from node to node.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    variables: Queue,
    propagators: Queue<{ CallRule::CLASSES }>,
    instantiated: Vec<Variable>,
    masks: Vec<u64>,
    values: Vec<i32>,
    /// One entry for each propagator.
    propagator_scratch: Vec<PropagatorScratch>,
}

impl Buffers {
    /// Checks each constraint without open variables in which a variable was instantiated since the
    /// last call.
    pub(super) fn check_backward(
        &mut self,
        network: &Network,
        domains: &Domains,
    ) -> Result<(), Conflict> {
        let from = domains.propagated(Propagation::Backward);
        if from.is_none() && !self.constants_hold(network, domains) {
            return Err(Conflict::Unattributed);
        }
        self.check_instantiated(network, domains, from.unwrap_or(0))
    }

    /// Checks each constraint without open variables in which a variable was instantiated since the
    /// trail had length `from`.
    fn check_instantiated(
        &mut self,
        network: &Network,
        domains: &Domains,
        from: usize,
    ) -> Result<(), Conflict> {
        self.collect_instantiated(network, domains, from);
        for &variable in &self.instantiated {
            check_variable_backward(network, domains, variable, &mut self.values)?;
        }
        Ok(())
    }

    /// Prunes by each constraint with exactly one open variable in which a variable was
    /// instantiated since the last call.
    #[inline(never)]
    pub(super) fn check_forward(
        &mut self,
        network: &Network,
        domains: &mut Domains,
        wipe_out_test: bool,
    ) -> Result<(), Conflict> {
        if let Some(rows) = &network.rows
            && network.propagators.is_empty()
            && let Some(variable) = just_decided(domains)
        {
            // Measured: after a decision, this takes two thirds of the instructions.
            return check_rows_forward(rows, domains, variable, wipe_out_test);
        }
        self.check_changes_forward(network, domains, wipe_out_test)
    }

    /// Implements [`check_forward`](Self::check_forward) for any changes and constraints.
    #[inline(never)]
    fn check_changes_forward(
        &mut self,
        network: &Network,
        domains: &mut Domains,
        wipe_out_test: bool,
    ) -> Result<(), Conflict> {
        let from = match domains.propagated(Propagation::Forward) {
            Some(from) => from,
            None => {
                self.enter_root(network, domains)?;
                0
            }
        };
        let mut instantiated = 0;
        // Pruning below does not instantiate variables, so later changes need no visit.
        for index in from..domains.trail_length() {
            let change = domains.change(index);
            for bit in Bits(closed_by(network, domains, change)) {
                let variable =
                    Variable::new((change.word as usize - network.layout.open) * 64 + bit as usize);
                instantiated += 1;
                check_pairs_forward(network, domains, variable, wipe_out_test)?;
                self.check_propagators_forward(network, domains, variable)?;
            }
        }
        if instantiated > 1 {
            // Several variables were instantiated since the last call, because the hook was not
            // called at each node. They have not been checked against each other.
            return self.check_instantiated(network, domains, from);
        }
        Ok(())
    }

    /// Makes pairs of variables arc consistent and, if `full`, calls all propagators, until a
    /// fixpoint or the limit of work is reached.
    ///
    /// Bounds may converge so slowly that a fixpoint takes as many steps as there are values, and
    /// limits of time are checked between nodes only. The limit counts work instead of time, so
    /// that the tree is the same on every machine.
    pub(super) fn run_to_fixpoint(
        &mut self,
        network: &Network,
        domains: &mut Domains,
        full: bool,
    ) -> Result<Completion, Conflict> {
        self.variables.reset(network.len());
        self.propagators.reset(network.propagators.len());
        let level = if full { Propagation::Full } else { Propagation::ArcConsistency };
        let mut seen = match domains.propagated(level) {
            Some(seen) => seen,
            None => {
                self.enter_root(network, domains)?;
                network
                    .variables()
                    .for_each(|variable| self.variables.push(variable.index() as u32, 0));
                if full {
                    for (index, rule) in network.call_rules.iter().enumerate() {
                        self.propagators.push(index as u32, rule.class);
                    }
                }
                domains.trail_length()
            }
        };
        // The propagator that made the pending changes, if it is idempotent: its own changes do not
        // wake it.
        let mut caller = None;
        let mut work: u64 = 0;
        while work <= network.work_limit {
            for &change in domains.changes(seen) {
                let owner = network.layout.owner[change.word as usize];
                if owner != NO_OWNER {
                    let variable = Variable::new(owner as usize);
                    // A variable that is assigned is visited in any case, to be instantiated.
                    let supports_all = match &network.rows {
                        Some(rows) => rows.supports_all(domains, variable),
                        None => {
                            !network.is_revised_early[owner as usize]
                                && !domains.is_assigned(variable)
                        }
                    };
                    if !supports_all {
                        self.variables.push(owner, 0);
                    }
                    if full {
                        self.wake(network, domains, (variable, change), caller);
                    }
                }
            }
            caller = None;
            seen = domains.trail_length();
            if let Some(variable) = self.variables.pop() {
                work = work.saturating_add(network.work_of[variable as usize]);
                let variable = Variable::new(variable as usize);
                if domains.is_assigned(variable) {
                    domains.instantiate(variable);
                }
                let revision = self.revise_neighbours(network, domains, variable)?;
                work = work.saturating_add(revision);
                if !full && !domains.is_open(variable) {
                    self.check_propagators_forward(network, domains, variable)?;
                }
            } else if let Some(index) = self.propagators.pop() {
                work = work.saturating_add(network.call_rules[index as usize].work);
                let scratch = self.scratch_of(network, index);
                // A request may be left from a call that failed.
                let _ = scratch.take_request();
                let propagated = network.propagators[index as usize].propagate(domains, scratch);
                propagated.map_err(|_| Conflict::Propagator(index))?;
                let is_at_fixpoint =
                    network.call_rules[index as usize].is_idempotent && !scratch.take_request();
                caller = is_at_fixpoint.then_some(index);
            } else {
                return Ok(Completion::Fixpoint);
            }
        }
        Ok(Completion::Unfinished)
    }

    /// Schedules the propagators that wake for this change of a variable.
    #[inline]
    fn wake(
        &mut self,
        network: &Network,
        domains: &Domains,
        (variable, change): (Variable, Change),
        caller: Option<u32>,
    ) {
        let propagators = network.propagators_of.of(variable.index());
        if propagators.is_empty() {
            return;
        }
        let events = Events::of(domains, variable, change);
        for &(index, waking) in propagators {
            if waking.events.intersects(events) && caller != Some(index) {
                self.propagators.push(index, waking.class);
            }
        }
    }

    /// Collects the variables that were instantiated since the trail had length `from`.
    #[inline]
    fn collect_instantiated(&mut self, network: &Network, domains: &Domains, from: usize) {
        self.instantiated.clear();
        for &change in domains.changes(from) {
            let closed = Bits(closed_by(network, domains, change));
            let first = (change.word as usize).saturating_sub(network.layout.open) * 64;
            self.instantiated.extend(closed.map(|bit| Variable::new(first + bit as usize)));
        }
    }

    /// Returns whether the constraints without variables hold.
    fn constants_hold(&mut self, network: &Network, domains: &Domains) -> bool {
        let constants =
            network.propagators.iter().filter(|propagator| propagator.scope().is_empty());
        constants.into_iter().all(|constant| holds(&**constant, domains, &mut self.values))
    }

    /// Checks what no change will wake later: domains that are empty from the start, constraints
    /// without variables, and constraints on one variable.
    fn enter_root(&mut self, network: &Network, domains: &mut Domains) -> Result<(), Conflict> {
        if !self.constants_hold(network, domains) {
            return Err(Conflict::Unattributed);
        }
        // The buffers may come from a search of another network.
        self.propagator_scratch.clear();
        if network.variables().any(|variable| domains.size(variable) == 0) {
            return Err(Conflict::Unattributed);
        }
        for (index, propagator) in network.propagators.iter().enumerate() {
            if let [first, rest @ ..] = propagator.scope()
                && rest.iter().all(|variable| variable == first)
            {
                let index = index as u32;
                let propagated =
                    propagator.propagate_last(domains, *first, self.scratch_of(network, index));
                propagated.map_err(|_| Conflict::Propagator(index))?;
            }
        }
        Ok(())
    }

    #[inline]
    fn scratch_of(&mut self, network: &Network, propagator: u32) -> &mut PropagatorScratch {
        if self.propagator_scratch.len() != network.propagators.len() {
            self.propagator_scratch.clear();
            self.propagator_scratch.resize(network.propagators.len(), PropagatorScratch::default());
        }
        &mut self.propagator_scratch[propagator as usize]
    }

    /// Forward-checks the propagators of a variable that was instantiated.
    fn check_propagators_forward(
        &mut self,
        network: &Network,
        domains: &mut Domains,
        variable: Variable,
    ) -> Result<(), Conflict> {
        for &(index, _) in network.propagators_of.of(variable.index()) {
            let propagator = &*network.propagators[index as usize];
            match open_in_scope(propagator, domains) {
                Open::None => {
                    if !holds(propagator, domains, &mut self.values) {
                        return Err(Conflict::Propagator(index));
                    }
                }
                Open::One(last) => {
                    let propagated =
                        propagator.propagate_last(domains, last, self.scratch_of(network, index));
                    propagated.map_err(|_| Conflict::Propagator(index))?;
                }
                Open::More => {}
            }
        }
        Ok(())
    }

    /// Prunes the values of the neighbours of a variable that have no support in its domain.
    /// Returns the work that the [constant part](Network::work_of) does not include, in words of
    /// domains.
    fn revise_neighbours(
        &mut self,
        network: &Network,
        domains: &mut Domains,
        variable: Variable,
    ) -> Result<u64, Conflict> {
        if let Some(rows) = &network.rows {
            return if rows.revise(domains, variable, &mut self.masks) {
                Err(Conflict::Pairs(variable))
            } else {
                Ok(0)
            };
        }
        let mut work: u64 = 0;
        for &(index, side) in network.pairs_of.of(variable.index()) {
            let pair = &network.pairs[index as usize];
            work = work.saturating_add(pair.work(|variable| domains.size(variable) as u64));
            pair.revise(domains, side.into()).map_err(|_| Conflict::Pairs(variable))?;
        }
        if let Some(value) = domains.value(variable) {
            for &(index, place) in network.cliques_of.of(variable.index()) {
                let clique = &network.cliques[index as usize];
                work += clique.members.len() as u64;
                clique.revise(domains, place, value).map_err(|_| Conflict::Pairs(variable))?;
            }
        }
        Ok(work)
    }
}

/// Checks each constraint of `variable` without open variables.
#[inline]
fn check_variable_backward(
    network: &Network,
    domains: &Domains,
    variable: Variable,
    values: &mut Vec<i32>,
) -> Result<(), Conflict> {
    if !pairs_hold(network, domains, variable) {
        return Err(Conflict::Pairs(variable));
    }
    for &(index, _) in network.propagators_of.of(variable.index()) {
        let propagator = &*network.propagators[index as usize];
        let open = propagator.scope().iter().any(|&other| domains.is_open(other));
        if !open && !holds(propagator, domains, values) {
            return Err(Conflict::Propagator(index));
        }
    }
    Ok(())
}

/// Returns whether the last change was a decision that has not been propagated and violates a
/// constraint without open variables.
///
/// Branchers call this, so that a search without propagation is plain backtracking. With
/// propagation it is a single comparison.
#[inline]
pub(crate) fn last_decision_fails(network: &Network, domains: &Domains) -> bool {
    !domains.is_propagated() && {
        let closed =
            domains.changes(0).last().map_or(0, |&change| closed_by(network, domains, change));
        closed != 0 && unpropagated_decision_fails(network, domains, closed)
    }
}

#[cold]
fn unpropagated_decision_fails(network: &Network, domains: &Domains, closed: u64) -> bool {
    let word = domains.changes(0).last().map_or(0, |change| change.word as usize);
    let first = word.saturating_sub(network.layout.open) * 64;
    Bits(closed).any(|bit| {
        let variable = Variable::new(first + bit as usize);
        check_variable_backward(network, domains, variable, &mut Vec::new()).is_err()
    })
}

/// Returns the variables that were open before this change and no longer are, as bits of its word;
/// none if the word holds values.
#[inline]
fn closed_by(network: &Network, domains: &Domains, change: Change) -> u64 {
    let word = change.word as usize;
    if word < network.layout.open { 0 } else { change.before & !domains.words[word] }
}

/// The open variables of a scope.
enum Open {
    None,
    One(Variable),
    More,
}

fn open_in_scope(propagator: &dyn Propagator, domains: &Domains) -> Open {
    let mut open = Open::None;
    for &variable in propagator.scope() {
        if domains.is_open(variable) {
            match open {
                Open::One(other) if other != variable => return Open::More,
                _ => open = Open::One(variable),
            }
        }
    }
    open
}

/// Returns the variable of the last decision, if nothing else was changed since the last call of
/// forward checking or of a stronger level.
#[inline]
fn just_decided(domains: &Domains) -> Option<Variable> {
    let (from, open) = (domains.propagated(Propagation::Forward)?, domains.layout.open);
    let Change { word, before } = match *domains.changes(from) {
        [decision] => decision,
        [values, decision] if (values.word as usize) < open => decision,
        _ => return None,
    };
    let first = (word as usize).checked_sub(open)? * 64;
    let closed = before & !domains.words[word as usize];
    closed.is_power_of_two().then(|| Variable::new(first + closed.trailing_zeros() as usize))
}

/// Forward-checks the constraints of the rows of a variable that was instantiated.
#[inline(always)]
fn check_rows_forward(
    rows: &Rows,
    domains: &mut Domains,
    variable: Variable,
    wipe_out_test: bool,
) -> Result<(), Conflict> {
    let word = domains.words[variable.index()];
    let wiped = word == 0 || rows.check_forward(domains, variable, word.trailing_zeros());
    if wiped && wipe_out_test || word == 0 { Err(Conflict::Pairs(variable)) } else { Ok(()) }
}

/// Forward-checks the constraints on two variables of a variable that was instantiated.
fn check_pairs_forward(
    network: &Network,
    domains: &mut Domains,
    variable: Variable,
    wipe_out_test: bool,
) -> Result<(), Conflict> {
    if let Some(rows) = &network.rows {
        return check_rows_forward(rows, domains, variable, wipe_out_test);
    }
    let Some(value) = domains.value(variable) else { return Err(Conflict::Pairs(variable)) };
    for &(index, side) in network.pairs_of.of(variable.index()) {
        let checked = network.pairs[index as usize].check_forward(domains, side.into(), value);
        if wipe_out_test {
            checked.map_err(|_| Conflict::Pairs(variable))?;
        }
    }
    for &(index, place) in network.cliques_of.of(variable.index()) {
        let clique = &network.cliques[index as usize];
        if clique.check_forward(domains, place as usize, value, !wipe_out_test).is_some()
            && wipe_out_test
        {
            return Err(Conflict::Pairs(variable));
        }
    }
    Ok(())
}

/// Returns whether the constraints between `variable` and other instantiated variables hold.
fn pairs_hold(network: &Network, domains: &Domains, variable: Variable) -> bool {
    let Some(value) = domains.value(variable) else { return false };
    if let Some(rows) = &network.rows {
        return rows.check_backward(
            domains,
            variable,
            domains.words[variable.index()].trailing_zeros(),
        );
    }
    // An open variable may be assigned, but no decision has been taken about it.
    let decided =
        |other: Variable| if domains.is_open(other) { None } else { domains.value(other) };
    let relations_hold = network.pairs_of.of(variable.index()).iter().all(|&(index, side)| {
        let pair = &network.pairs[index as usize];
        decided(pair.variables[1 - usize::from(side)])
            .is_none_or(|other| pair.holds(side.into(), value, other))
    });
    relations_hold
        && network.cliques_of.of(variable.index()).iter().all(|&(index, place)| {
            let members = &network.cliques[index as usize].members;
            let taken = i64::from(value) + i64::from(members[place as usize].1);
            members.iter().enumerate().all(|(index, &(other, shift))| {
                index == place as usize
                    || decided(other)
                        .is_none_or(|other| i64::from(other) + i64::from(shift) != taken)
            })
        })
}

/// Pending numbers below a limit, each in one of `CLASSES` classes: the lowest class comes first,
/// and each class is first-in, first-out. Pushing a number that is pending has no effect.
///
/// In a chain of constraints, each of which moves the bounds of the next, a fixed order may call
/// each of them as often as there are constraints before it.
///
/// The classes are linked lists, so that neither end of a class needs memory of its own.
#[derive(Clone, Debug)]
pub(super) struct Queue<const CLASSES: usize = 1> {
    /// The number after each one that waits, [`LAST`], or [`NOT_IN`].
    next: Vec<u32>,
    /// The first and the last number of each class that is not empty.
    ends: [(u32, u32); CLASSES],
    /// The classes that are not empty, as bits.
    nonempty: u32,
}

/// The link of the last number of a class. The numbers are indices of variables or propagators, of
/// which there are fewer.
const LAST: u32 = u32::MAX;

/// The link of a number that does not wait.
const NOT_IN: u32 = u32::MAX - 1;

impl<const CLASSES: usize> Default for Queue<CLASSES> {
    fn default() -> Self {
        Queue { next: Vec::new(), ends: [(LAST, LAST); CLASSES], nonempty: 0 }
    }
}

impl<const CLASSES: usize> Queue<CLASSES> {
    /// Empties the queue, for numbers less than `size`.
    pub(super) fn reset(&mut self, size: usize) {
        if self.next.len() == size {
            while self.pop().is_some() {}
        } else {
            *self = Self { next: vec![NOT_IN; size], ..Self::default() };
        }
    }

    #[inline]
    pub(super) fn push(&mut self, number: u32, class: u8) {
        let link = &mut self.next[number as usize];
        if *link != NOT_IN {
            return;
        }
        *link = LAST;
        let (first, last) = &mut self.ends[usize::from(class)];
        if self.nonempty >> class & 1 == 0 {
            self.nonempty |= 1 << class;
            *first = number;
        } else {
            self.next[*last as usize] = number;
        }
        *last = number;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        let (first, _) = self.ends.get_mut(self.nonempty.trailing_zeros() as usize)?;
        let number = *first;
        *first = std::mem::replace(&mut self.next[number as usize], NOT_IN);
        if *first == LAST {
            self.nonempty &= self.nonempty - 1;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_returns_each_class_in_the_order_of_pushes() {
        let mut queue = Queue::<4>::default();
        queue.reset(200);
        for (number, class) in [(199, 1), (64, 0), (3, 1), (64, 0), (63, 0)] {
            queue.push(number, class);
        }
        assert_eq!(queue.pop(), Some(64));
        queue.push(2, 0);
        queue.push(64, 0);
        assert_eq!(std::iter::from_fn(|| queue.pop()).collect::<Vec<_>>(), [63, 2, 64, 199, 3]);
        queue.push(70, 3);
        queue.reset(200);
        assert_eq!(queue.pop(), None);
        queue.push(0, 2);
        assert_eq!(queue.pop(), Some(0));
    }
}

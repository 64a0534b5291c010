//! Regular constraints: the values of a sequence of variables form a word that an automaton
//! accepts.
//!
//! The automaton is unrolled into *layers* (Pesant 2004): layer k holds the states in which it may
//! be after k values. A forward pass computes the states that can be reached from the start. A
//! backward pass keeps those from which an accepting state can be reached, and the values with a
//! transition between two kept states. All other values are pruned.
//!
//! Layers are bit sets that each call computes anew, so that nothing is to be restored when the
//! search backtracks.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::domains::Bits;
use crate::propagator::are_distinct;
use crate::{Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wipeout};

/// The largest number of bits in all layers of a constraint: 2 GiB.
const MAX_BITS: u64 = 1 << 34;

/// A deterministic finite automaton that reads integers, for [`Model::regular`].
///
/// It may lack transitions: a value without a transition from the current state is rejected. Clones
/// share the tables.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The values of all transitions, in ascending order.
    values: Arc<[i32]>,
    /// For each state, the number of transitions from states before it; and that of all.
    offsets: Arc<[usize]>,
    /// The transitions by source and value: the index of the value, and the target.
    transitions: Arc<[(usize, usize)]>,
    start: usize,
    /// A bit set of states.
    accepting: Arc<[u64]>,
}

impl Automaton {
    /// Creates an automaton with states numbered from 0. A transition is a state, a value, and the
    /// next state. Repeated transitions are ignored.
    ///
    /// Time is linear, up to a logarithm, and memory is linear in the number of transitions. They
    /// do not depend on the number of states, which only serves to validate the others.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownState`] if a state is not less than `states`;
    /// [`ModelError::AmbiguousTransition`] if two transitions have the same state and value but
    /// different next states.
    pub fn new(
        states: usize,
        transitions: impl IntoIterator<Item = (usize, i32, usize)>,
        start: usize,
        accepting: impl IntoIterator<Item = usize>,
    ) -> Result<Self, ModelError> {
        let check = |state: usize, place: &dyn Fn() -> String| {
            if state < states {
                return Ok(());
            }
            Err(ModelError::UnknownState { place: place(), state, states })
        };
        let mut transitions: Vec<(usize, i32, usize)> = transitions.into_iter().collect();
        let accepting: BTreeSet<usize> = accepting.into_iter().collect();
        for (number, &transition) in (1_usize..).zip(&transitions) {
            let place = || format!("transition {number} {transition:?}");
            check(transition.0, &place)?;
            check(transition.2, &place)?;
        }
        check(start, &|| "the start".to_owned())?;
        for &state in &accepting {
            check(state, &|| "the list of accepting states".to_owned())?;
        }
        transitions.sort_unstable();
        transitions.dedup();
        for two in transitions.windows(2) {
            let ((state, value, one), (next_state, next_value, other)) = (two[0], two[1]);
            if (state, value) == (next_state, next_value) {
                return Err(ModelError::AmbiguousTransition {
                    state,
                    value,
                    targets: [one, other],
                });
            }
        }
        Ok(Self::from_sorted(&transitions, start, &accepting))
    }

    /// Numbers the values and the states that occur, so that memory depends on nothing else.
    fn from_sorted(
        transitions: &[(usize, i32, usize)],
        start: usize,
        accepting: &BTreeSet<usize>,
    ) -> Self {
        let values: BTreeSet<i32> = transitions.iter().map(|transition| transition.1).collect();
        let values: Vec<i32> = values.into_iter().collect();
        let states: BTreeSet<usize> =
            transitions.iter().flat_map(|&(from, _, to)| [from, to]).chain([start]).collect();
        let states: Vec<usize> = states.into_iter().collect();
        // The number of states or values before this one.
        let number = |state: usize| states.partition_point(|&other| other < state);
        let place = |value: i32| values.partition_point(|&other| other < value);
        let mut bits = vec![0; states.len().div_ceil(64)];
        for &state in accepting.iter().filter(|&state| states.binary_search(state).is_ok()) {
            insert(&mut bits, number(state));
        }
        let offset = |state: &usize| transitions.partition_point(|&(from, ..)| from < *state);
        Automaton {
            offsets: states.iter().map(offset).chain([transitions.len()]).collect(),
            transitions: transitions.iter().map(|&(_, by, to)| (place(by), number(to))).collect(),
            start: number(start),
            accepting: bits.into(),
            values: values.into(),
        }
    }

    /// Returns the number of states that occur.
    fn states(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the transitions from a state.
    #[inline]
    fn transitions_from(&self, state: usize) -> &[(usize, usize)] {
        &self.transitions[self.offsets[state]..self.offsets[state + 1]]
    }

    fn accepts(&self, word: &[i32]) -> bool {
        let end = word.iter().try_fold(self.start, |state, value| {
            let place = self.values.binary_search(value).ok()?;
            let transitions = self.transitions_from(state);
            let index = transitions.binary_search_by_key(&place, |&(place, _)| place).ok()?;
            Some(transitions[index].1)
        });
        end.is_some_and(|end| contains(&self.accepting, end))
    }
}

/// Returns whether a number is in a bit set.
#[inline]
fn contains(set: &[u64], number: usize) -> bool {
    set[number / 64] >> (number % 64) & 1 != 0
}

/// Adds a number to a bit set.
#[inline]
fn insert(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

/// A sequence of variables whose values form a word that the automaton accepts.
#[derive(Clone, Debug)]
struct Regular {
    variables: Vec<Variable>,
    automaton: Automaton,
}

impl Propagator for Regular {
    fn name(&self) -> &str {
        "regular"
    }

    fn scope(&self) -> &[Variable] {
        &self.variables
    }

    fn holds(&self, values: &[i32]) -> bool {
        self.automaton.accepts(values)
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let Some(&first) = self.variables.first() else { return Ok(()) };
        let automaton = &self.automaton;
        let layer_words = automaton.accepting.len();
        let value_words = automaton.values.len().div_ceil(64);
        let layers_words = (self.variables.len() + 1) * layer_words;
        scratch.words.clear();
        scratch.words.resize(layers_words + (self.variables.len() + 1) * value_words, 0);
        let (layers, value_sets) = scratch.words.split_at_mut(layers_words);
        // The remaining values of each variable, and those with a support for one of them.
        let (remaining, supported) = value_sets.split_at_mut(self.variables.len() * value_words);
        insert(layers, automaton.start);
        for (place, &variable) in self.variables.iter().enumerate() {
            let remaining = &mut remaining[place * value_words..][..value_words];
            for (index, &value) in automaton.values.iter().enumerate() {
                if domains.contains(variable, value) {
                    insert(remaining, index);
                }
            }
            let two = &mut layers[place * layer_words..][..2 * layer_words];
            let (layer, next) = two.split_at_mut(layer_words);
            for (index, &word) in layer.iter().enumerate() {
                for bit in Bits(word) {
                    for &(value, target) in automaton.transitions_from(index * 64 + bit as usize) {
                        if contains(remaining, value) {
                            insert(next, target);
                        }
                    }
                }
            }
        }
        let last = &mut layers[layers_words - layer_words..];
        let mut is_empty = true;
        for (states, &accepting) in last.iter_mut().zip(&*automaton.accepting) {
            *states &= accepting;
            is_empty &= *states == 0;
        }
        if is_empty {
            return Err(Wipeout(first));
        }
        for (place, &variable) in self.variables.iter().enumerate().rev() {
            let remaining = &remaining[place * value_words..][..value_words];
            let two = &mut layers[place * layer_words..][..2 * layer_words];
            let (layer, next) = two.split_at_mut(layer_words);
            supported.fill(0);
            for (index, word) in layer.iter_mut().enumerate() {
                for bit in Bits(*word) {
                    let mut is_kept = false;
                    for &(value, target) in automaton.transitions_from(index * 64 + bit as usize) {
                        if contains(remaining, value) && contains(next, target) {
                            insert(supported, value);
                            is_kept = true;
                        }
                    }
                    *word ^= u64::from(!is_kept) << bit;
                }
            }
            for (index, (&remaining, &supported)) in remaining.iter().zip(&*supported).enumerate() {
                for bit in Bits(remaining & !supported) {
                    domains.remove(variable, automaton.values[index * 64 + bit as usize])?;
                }
            }
        }
        Ok(())
    }

    fn propagates_last(&self) -> bool {
        true
    }

    /// Two places of a variable may need different values, which the next call notices.
    fn is_idempotent(&self) -> bool {
        are_distinct(&self.variables)
    }

    /// Two visits to each transition in each layer.
    fn cost(&self) -> u32 {
        let transitions = self.automaton.transitions.len() + self.automaton.values.len();
        u32::try_from(self.variables.len().saturating_mul(2 * transitions)).unwrap_or(u32::MAX)
    }
}

impl Model {
    /// Requires that the values of the variables, in this order, form a word that the automaton
    /// accepts. A variable may occur more than once.
    ///
    /// Restricts the variables to the values of transitions. [Full
    /// propagation](crate::Propagate::full) prunes every value that is in no accepted word of
    /// remaining values (Pesant 2004); if a variable occurs more than once, its value may differ
    /// from place to place in this word. A call visits the transitions of the states that can be
    /// reached, twice for each variable. The levels below prune nothing before all variables but
    /// one are assigned.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Automaton, Model, Propagate};
    ///
    /// // A week without three days of work (1) in a row. The state is the number of days worked
    /// // since the last day off (0).
    /// let off = (0..3).map(|worked| (worked, 0, 0));
    /// let work = (0..2).map(|worked| (worked, 1, worked + 1));
    /// let roster = Automaton::new(3, off.chain(work), 0, 0..3)?;
    /// let mut model = Model::new();
    /// let days = model.variables(7, 0..=1)?;
    /// model.regular(&days, &roster)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some(81));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`]; [`ModelError::AutomatonTooLarge`] if a set of the states
    /// that occur, for each variable and one more, takes more than 2 GiB.
    pub fn regular(
        &mut self,
        variables: &[Variable],
        automaton: &Automaton,
    ) -> Result<(), ModelError> {
        self.check(variables.iter().copied())?;
        let numbers = automaton.states().max(automaton.values.len()) as u64;
        let layers = variables.len() as u64 + 1;
        if numbers.div_ceil(64).saturating_mul(layers) > MAX_BITS / 64 {
            let (variables, states) = (variables.len(), automaton.states());
            return Err(ModelError::AutomatonTooLarge { variables, states, max: MAX_BITS });
        }
        for &variable in variables {
            self.restrict(variable, |value| automaton.values.binary_search(&value).is_ok())?;
        }
        self.propagator(Regular { variables: variables.to_vec(), automaton: automaton.clone() })
    }
}

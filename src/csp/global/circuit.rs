//! Circuits: successors that make one cycle through everything.
//!
//! Each place has a variable, and its value is the place that comes next (Lauriere 1978 stated
//! tours so). That all successors are different makes the places fall apart into cycles; that there
//! is but one is the *no subtour* constraint, propagated as Caseau and Laburthe did (1997): places
//! whose successors are known form chains, and the end of a chain must not go back to its beginning
//! before the chain holds every place. Besides, a place that can be reached from only one other is
//! reached from there.
//!
//! Whether every place can still be reached from every other is a constraint of its own, to be
//! added where it pays: see [`Model::circuit_connected`].
//!
//! All is read off the domains anew at each call, in time proportional to the words that they take:
//! with a chain of hundreds of places that is still less than what it would cost to keep the ends
//! of chains on the trail.

use super::components::{components, words_for};
use crate::csp::{Domains, Model, ModelError, Propagator, PropagatorScratch, Variable, Wipeout};

/// The successors of places 0, 1, 2, …, at least two of them, whose values are places.
#[derive(Clone, Debug)]
struct Circuit {
    successors: Vec<Variable>,
}

/// Whether from place 0 one comes through all places before one comes back to it.
pub(super) fn is_circuit(successors: &[i32]) -> bool {
    let mut place = 0;
    for step in 1..=successors.len() {
        match usize::try_from(successors[place]) {
            Ok(next) if next < successors.len() && (next != 0) == (step < successors.len()) => {
                place = next
            }
            _ => return false,
        }
    }
    true
}

/// No place.
const NONE: u64 = u64::MAX;

impl Propagator for Circuit {
    fn name(&self) -> &str {
        "circuit"
    }

    fn scope(&self) -> &[Variable] {
        &self.successors
    }

    fn holds(&self, values: &[i32]) -> bool {
        is_circuit(values)
    }

    fn propagate(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        self.keep_chains_open(domains, scratch)?;
        self.enter_each_place(domains, scratch)
    }

    /// The last place has no choice: it is the end of the one chain.
    fn propagate_last(
        &self,
        domains: &mut Domains,
        _: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        self.keep_chains_open(domains, scratch)
    }
}

impl Circuit {
    /// Takes the beginning of each chain away from its end, unless the chain holds all places.
    fn keep_chains_open(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let places = self.successors.len();
        scratch.clear();
        scratch.resize(places + places.div_ceil(64), 0);
        let (next, entered) = scratch.split_at_mut(places);
        for (next, &successor) in next.iter_mut().zip(&self.successors) {
            *next = NONE;
            if let Some(value) = domains.value(successor) {
                let value = value as usize;
                if entered[value / 64] >> (value % 64) & 1 != 0 {
                    return Err(Wipeout(successor));
                }
                entered[value / 64] |= 1 << (value % 64);
                *next = value as u64;
            }
        }
        let mut seen = 0;
        for start in (0..places).filter(|start| entered[start / 64] >> (start % 64) & 1 == 0) {
            let (mut end, mut length) = (start, 1);
            while next[end] != NONE {
                end = next[end] as usize;
                length += 1;
            }
            seen += length;
            if length < places {
                domains.remove(self.successors[end], start as i32)?;
            } else {
                domains.assign(self.successors[end], start as i32)?;
            }
        }
        // What is in no chain is in cycles.
        if seen == places || seen == 0 && self.is_one_cycle(next) {
            Ok(())
        } else {
            Err(Wipeout(self.successors[0]))
        }
    }

    /// Whether the one cycle that place 0 is in holds all places, each having a successor.
    fn is_one_cycle(&self, next: &[u64]) -> bool {
        let (mut place, mut length) = (next[0] as usize, 1);
        while place != 0 {
            place = next[place] as usize;
            length += 1;
        }
        length == next.len()
    }

    /// Where a place is a successor of one place only, it is that place's successor.
    fn enter_each_place(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let places = self.successors.len();
        let words = places.div_ceil(64);
        scratch.clear();
        scratch.resize(2 * words, 0);
        let (once, twice) = scratch.split_at_mut(words);
        for &successor in &self.successors {
            for_each_shifted(domains, successor, |word, values| {
                twice[word] |= once[word] & values;
                once[word] |= values;
            });
        }
        let mut any = false;
        for (index, (once, &twice)) in once.iter_mut().zip(&*twice).enumerate() {
            let all = u64::MAX >> (63 - (places - 1 - 64 * index).min(63));
            if *once != all {
                return Err(Wipeout(self.successors[0]));
            }
            *once &= !twice;
            any |= *once != 0;
        }
        if !any {
            return Ok(());
        }
        for &successor in &self.successors {
            if domains.is_assigned(successor) {
                continue;
            }
            let mut sole = None;
            for_each_shifted(domains, successor, |word, values| {
                let values = values & once[word];
                if values != 0 {
                    // Of two places that can only be reached from here one is not; the other will
                    // be missed at the next call.
                    sole = Some(64 * word + values.trailing_zeros() as usize);
                }
            });
            if let Some(sole) = sole {
                domains.assign(successor, sole as i32)?;
            }
        }
        Ok(())
    }
}

/// The values of a variable, which are not negative, in words of which the first begins with zero.
#[inline]
fn for_each_shifted(domains: &Domains, variable: Variable, mut take: impl FnMut(usize, u64)) {
    let (base, words) = domains.value_words(variable);
    let (first, shift) = (base as usize / 64, base as usize % 64);
    for (index, &word) in words.iter().enumerate() {
        take(first + index, word << shift);
        let rest = word.checked_shr(64 - shift as u32).unwrap_or(0);
        if rest != 0 {
            take(first + index + 1, rest);
        }
    }
}

impl Model {
    /// The variables are successors that form one circuit: the value of the variable at place *i*
    /// is the place that comes after *i*, and from place 0 one comes through all places before one
    /// comes back. Values that are no places are taken away, and so are places that would follow
    /// themselves, unless there is just one place. No places: it holds.
    ///
    /// Stated together with [`all_different`](Self::all_different) on the successors, which every
    /// level of propagation looks at. [Full propagation](crate::csp::Propagate::full) keeps chains
    /// of places from closing before they hold all places, and finds those that can be entered from
    /// one place only; a call costs time proportional to the memory of the domains. Levels below
    /// that see a subtour only when all successors but one are decided.
    ///
    /// For a path from anywhere to anywhere, add one more place that may follow, and be followed
    /// by, all others.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Model, Propagate};
    ///
    /// // Around five places there are 4! directed circuits.
    /// let mut model = Model::new();
    /// let successors = model.variables(5, 0..5)?;
    /// model.circuit(&successors)?;
    /// let network = model.build();
    /// assert_eq!(Search::new(&network).hooks((Propagate::full(),)).count().exact(), Some(24));
    /// # Ok::<(), secateurs::csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn circuit(&mut self, successors: &[Variable]) -> Result<(), ModelError> {
        self.check(successors.iter().copied())?;
        let places = successors.len() as i64;
        for (place, &successor) in (0..).zip(successors) {
            let follows =
                |value: i64| (0..places).contains(&value) && (value != place || places == 1);
            self.restrict(successor, |value| follows(value.into()))?;
        }
        if places > 1 {
            self.all_different(successors)?;
            self.propagator(Circuit { successors: successors.to_vec() })?;
        }
        Ok(())
    }
}

/// The successors of places, at least two of them, whose values are places.
#[derive(Clone, Debug)]
struct Connected {
    successors: Vec<Variable>,
}

impl Propagator for Connected {
    fn name(&self) -> &str {
        "connected circuit"
    }

    fn scope(&self) -> &[Variable] {
        &self.successors
    }

    fn holds(&self, values: &[i32]) -> bool {
        is_circuit(values)
    }

    /// With one successor each, places are strongly connected if they form one circuit.
    fn propagate(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let places = self.successors.len();
        scratch.resize(words_for(places), 0);
        let (count, _) = components(places, scratch, |place, from| {
            let value = domains.next_value(self.successors[place], from as i32)?;
            Some((value as usize, value as u64 + 1))
        });
        if count == 1 { Ok(()) } else { Err(Wipeout(self.successors[0])) }
    }

    /// What is left of it is for the circuit itself to say.
    fn propagate_last(
        &self,
        domains: &mut Domains,
        _: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        self.propagate(domains, scratch)
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    /// More than what looks at each variable once.
    fn cost(&self) -> u32 {
        u32::try_from(self.successors.len()).unwrap_or(u32::MAX).saturating_mul(8)
    }
}

impl Model {
    /// As [`circuit`](Self::circuit), and [full propagation](crate::csp::Propagate::full) also sees
    /// to it that every place can be reached from every other by values that are left: the places
    /// must form one strongly connected component.
    ///
    /// Where places lie in clusters with few ways between them, that refutes at once what takes a
    /// search without it. Where every place has many ways out, it finds next to nothing for its
    /// price: on all closed knight's tours of 6 × 6 the tree loses one node in seven hundred. A
    /// call costs time proportional to the values left.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Model, Propagate};
    ///
    /// // Twice ten places, and no way back from the second half to the first.
    /// let mut model = Model::new();
    /// let mut places = model.variables(10, 0..20)?;
    /// places.extend(model.variables(10, 10..20)?);
    /// model.circuit_connected(&places)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hooks((Propagate::full(),)).count();
    /// assert_eq!(outcome.exact(), Some(0));
    /// assert_eq!(outcome.report().nodes(), 1);
    /// # Ok::<(), secateurs::csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn circuit_connected(&mut self, successors: &[Variable]) -> Result<(), ModelError> {
        self.circuit(successors)?;
        if successors.len() > 1 {
            self.propagator(Connected { successors: successors.to_vec() })?;
        }
        Ok(())
    }
}

//! Circuits: successors that form one cycle through all places, or through some of them.
//!
//! The value of each place's variable is the next place (Lauriere 1978 stated tours in this way).
//! If no two places have the same successor, the places form cycles. The *no subtour* constraint
//! requires a single cycle, and is propagated as by Caseau and Laburthe (1997): places with known
//! successors form chains, and the end of a chain must not return to its beginning before the chain
//! contains every place. In addition, a place with a single possible predecessor is the successor
//! of that predecessor.
//!
//! Whether every place can be reached from every other is checked by a separate constraint, to be
//! added where it pays: see [`Model::circuit_connected`].
//!
//! Each call derives everything from the domains, in time linear in their number of words. For
//! chains of hundreds of places this is still cheaper than keeping the ends of chains on the trail.

use super::components::{components, words_for};
use crate::{Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wipeout};

/// The *no subtour* constraint on the successors of places 0, 1, 2, …. There are at least two
/// places, and all values of the successors are places.
#[derive(Clone, Debug)]
struct Circuit {
    successors: Vec<Variable>,
    /// Whether places that are their own successors are left out.
    is_partial: bool,
}

/// Returns whether all places that are not their own successors are on one circuit, if there are
/// such places.
fn is_subcircuit(successors: &[i32]) -> bool {
    let is_visited = |&place: &usize| usize::try_from(successors[place]) != Ok(place);
    let count = (0..successors.len()).filter(is_visited).count();
    let start = (0..successors.len()).find(is_visited);
    start.is_none_or(|start| is_cycle(successors, start, count))
}

/// Returns whether the path from `start` first returns to `start` after `count` steps, so that it
/// has visited `count` different places.
fn is_cycle(successors: &[i32], start: usize, count: usize) -> bool {
    let mut place = start;
    for step in 1..=count {
        match usize::try_from(successors[place]) {
            Ok(next) if next < successors.len() && (next != start) == (step < count) => {
                place = next
            }
            _ => return false,
        }
    }
    true
}

/// The mark of a place whose successor is not known yet.
const NONE: u64 = u64::MAX;

impl Propagator for Circuit {
    fn name(&self) -> &str {
        "circuit"
    }

    fn scope(&self) -> &[Variable] {
        &self.successors
    }

    fn holds(&self, values: &[i32]) -> bool {
        if self.is_partial { is_subcircuit(values) } else { is_cycle(values, 0, values.len()) }
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        self.prevent_subtours(domains, scratch)?;
        self.assign_sole_predecessors(domains, scratch)
    }

    /// If one successor is not assigned and there is no subtour, all places are in one chain, and
    /// [`prevent_subtours`](Self::prevent_subtours) assigns the last successor.
    fn propagate_last(
        &self,
        domains: &mut Domains,
        _: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Pruned {
        self.prevent_subtours(domains, scratch)
    }
}

impl Circuit {
    /// Removes the beginning of each chain from the successors of its end; assigns it instead if
    /// the chain contains all places. Fails if two places have the same successor or if there is a
    /// subtour.
    fn prevent_subtours(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let places = self.successors.len();
        scratch.words.clear();
        scratch.words.resize(places + places.div_ceil(64), 0);
        let (next, entered) = scratch.words.split_at_mut(places);
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
        // The places that cannot be left out.
        let is_visited = |&place: &usize| {
            let entry = entered[place / 64] >> (place % 64) & 1 != 0 && next[place] != place as u64;
            entry || !domains.contains(self.successors[place], place as i32)
        };
        let visited = if self.is_partial { (0..places).filter(is_visited).count() } else { places };
        let mut places_in_chains = 0;
        for start in (0..places).filter(|start| entered[start / 64] >> (start % 64) & 1 == 0) {
            let (mut end, mut length) = (start, 1);
            while next[end] != NONE {
                end = next[end] as usize;
                length += 1;
            }
            places_in_chains += length;
            if self.is_partial {
                // A place without predecessor and successor may be left out.
                if length > 1 && length < visited {
                    domains.remove(self.successors[end], start as i32)?;
                }
            } else if length < places {
                domains.remove(self.successors[end], start as i32)?;
            } else {
                domains.assign(self.successors[end], start as i32)?;
            }
        }
        if self.is_partial {
            return self.leave_out_others(next, visited, domains);
        }
        // Places that are not in chains are in cycles.
        if places_in_chains == places || places_in_chains == 0 && self.is_one_cycle(next) {
            Ok(())
        } else {
            Err(Wipeout(self.successors[0]))
        }
    }

    /// Leaves out all places that are not on a cycle, if there is one. Fails if one of the
    /// `visited` places, which cannot be left out, is not on it.
    fn leave_out_others(&self, next: &mut [u64], visited: usize, domains: &mut Domains) -> Pruned {
        for start in 0..next.len() {
            // Each step is taken once: the successor is forgotten.
            let (mut place, mut length) = (start, 0);
            while next[place] != NONE {
                place = std::mem::replace(&mut next[place], NONE) as usize;
                length += 1;
            }
            if place == start && length > 1 {
                if length < visited {
                    return Err(Wipeout(self.successors[start]));
                }
                for (place, &successor) in (0..).zip(&self.successors) {
                    if !domains.is_assigned(successor) {
                        domains.assign(successor, place)?;
                    }
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns whether the cycle through place 0 contains all places. `next` must be a permutation
    /// of the places: otherwise, the path from place 0 might never return to it.
    fn is_one_cycle(&self, next: &[u64]) -> bool {
        let (mut place, mut length) = (next[0] as usize, 1);
        while place != 0 {
            place = next[place] as usize;
            length += 1;
        }
        length == next.len()
    }

    /// Assigns each place that has a single possible predecessor to that predecessor. Fails if a
    /// place has none.
    fn assign_sole_predecessors(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Pruned {
        let places = self.successors.len();
        let words = places.div_ceil(64);
        scratch.words.clear();
        scratch.words.resize(2 * words, 0);
        let (once, twice) = scratch.words.split_at_mut(words);
        for &successor in &self.successors {
            for_each_word(domains, successor, |word, values| {
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
            for_each_word(domains, successor, |word, values| {
                let values = values & once[word];
                if values != 0 {
                    // If this place is the sole predecessor of two places, one of them becomes
                    // unreachable, which the next call detects.
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

/// Calls `visit` with the domain of a variable as the words of a bit set: bit *b* of word *i*
/// stands for the value 64 × *i* + *b*. `visit` gets *i* and the word; a word may come in two
/// pieces. No value may be negative.
#[inline]
fn for_each_word(domains: &Domains, variable: Variable, mut visit: impl FnMut(usize, u64)) {
    let base = i64::from(domains.layout.slot(variable).base);
    for (position, word) in domains.value_words(variable) {
        // Bits that stand for negative values, or for values beyond the places, are not set.
        let first = base + position as i64;
        let (index, shift) = (first.div_euclid(64), first.rem_euclid(64) as u32);
        let pieces = [word << shift, word.checked_shr(64 - shift).unwrap_or(0)];
        for (index, piece) in (index..).zip(pieces) {
            if piece != 0 {
                visit(index as usize, piece);
            }
        }
    }
}

impl Model {
    /// Requires that the variables are successors that form one circuit: the value of the variable
    /// at place *i* is the place after *i*, and the path from place 0 visits all places before it
    /// returns. Values that are not places are removed, and so are self-loops, unless there is
    /// exactly one place. Without places the constraint holds.
    ///
    /// States [`all_different`](Self::all_different) on the successors as well, which every level
    /// of propagation uses. [Full propagation](crate::Propagate::full) prevents chains of
    /// places from closing before they contain all places, and finds places with a single possible
    /// predecessor; a call takes time linear in the memory of the domains. The levels below notice
    /// a subtour only when all successors but one are decided.
    ///
    /// For a path with free ends, add one more place that may follow, and be followed by, all
    /// others.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// // Around five places there are 4! directed circuits.
    /// let mut model = Model::new();
    /// let successors = model.variables(5, 0..5)?;
    /// model.circuit(&successors)?;
    /// let network = model.build();
    /// assert_eq!(Search::new(&network).hooks((Propagate::full(),)).count().exact(), Some(24));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn circuit(&mut self, successors: &[Variable]) -> Result<(), ModelError> {
        self.add_circuit(successors, false)
    }

    /// Requires that the successors form one circuit through some of the places 0, 1, 2, …, or
    /// through none: `successors[i]` is the place after place *i*, and *i* itself if the circuit
    /// leaves it out.
    ///
    /// Restricts the successors to the places. [Full propagation](crate::Propagate::full) prevents
    /// circuits without a place that cannot be left out, as that of [`circuit`](Self::circuit)
    /// prevents subtours (Francis and Stuckey 2014); once there is a circuit, all other places are
    /// left out. Costs and other levels are those of [`circuit`](Self::circuit).
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // Circuits through some of 4 places: none, 6 through 2, 8 through 3, 6 through 4.
    /// let mut model = Model::new();
    /// let successors = model.variables(4, 0..4)?;
    /// model.subcircuit(&successors)?;
    /// assert_eq!(model.build().solver().count().exact(), Some(1 + 6 + 8 + 6));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn subcircuit(&mut self, successors: &[Variable]) -> Result<(), ModelError> {
        self.add_circuit(successors, true)
    }

    fn add_circuit(&mut self, successors: &[Variable], is_partial: bool) -> Result<(), ModelError> {
        self.check(successors.iter().copied())?;
        let places = successors.len() as i64;
        let allows_loops = is_partial || places == 1;
        for (place, &successor) in (0..).zip(successors) {
            let follows =
                |value: i64| (0..places).contains(&value) && (value != place || allows_loops);
            self.restrict(successor, |value| follows(value.into()))?;
        }
        if places > 1 {
            self.all_different(successors)?;
            self.propagator(Circuit { successors: successors.to_vec(), is_partial })?;
        }
        Ok(())
    }
}

/// The constraint that the remaining values connect every place with every other. There are at
/// least two places, and all values of the successors are places.
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
        is_cycle(values, 0, values.len())
    }

    /// Checks connectivity, and prunes nothing. This decides the constraint if all variables are
    /// assigned: places with one successor each are strongly connected exactly if they form one
    /// circuit.
    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let places = self.successors.len();
        scratch.words.resize(words_for(places), 0);
        let (count, _) = components(places, &mut scratch.words, |place, from| {
            let value = domains.next_value(self.successors[place], from as i32)?;
            Some((value as usize, value as u64 + 1))
        });
        if count == 1 { Ok(()) } else { Err(Wipeout(self.successors[0])) }
    }

    /// Checks connectivity, and leaves it to the [`Circuit`] constraint on the same successors to
    /// assign the last one.
    fn propagates_last(&self) -> bool {
        true
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    /// More expensive than propagators that visit each variable once.
    fn cost(&self) -> u32 {
        u32::try_from(self.successors.len()).unwrap_or(u32::MAX).saturating_mul(8)
    }
}

impl Model {
    /// Adds [`circuit`](Self::circuit) and requires under [full
    /// propagation](crate::Propagate::full) that every place can be reached from every other
    /// by remaining values: the places must form one strongly connected component.
    ///
    /// If the places lie in clusters with few edges between them, this refutes at once what
    /// otherwise takes a search. If every place has many possible successors, it is expensive and
    /// prunes very little: it removes one node in seven hundred from the tree of all closed
    /// knight's tours of 6 × 6. A call takes time linear in the number of remaining values.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
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
    /// # Ok::<(), secateurs_csp::ModelError>(())
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

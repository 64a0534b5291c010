//! The states that an operation reaches: [`Plan`].

use std::collections::BTreeMap;
use std::hash::Hash;

use super::node::{EMPTY, NO_ELEMENT, Node, POLL, reserve_one};
use crate::limits::Stop;
use crate::plug::layer::{Layer, Slot, hash};
use crate::plug::step::Clock;

/// A family in terms of others.
pub(super) enum Step<S> {
    /// The family has this number already.
    Known(u32),
    /// The sets of the family `lo`, and those of the family `hi` with this element added. The
    /// elements of both are larger.
    Split { element: u32, lo: S, hi: S },
}

/// The states that an operation reaches, in the order of their elements, and how each is made of
/// later ones.
///
/// A state waits in the list of its element until all states of smaller elements are expanded, as
/// often as these refer to it. Then the list is complete, and a table of its states alone, which
/// often fits into the caches, finds those that are equal. (Time-forward processing: Chiang and
/// others, 1995.) Nothing recurses.
pub(super) struct Plan {
    /// References below this number are numbers of families. Others are the sum of it and the
    /// position of a state.
    pub(super) base: u32,
    /// For each state, references to its halves. The first of position 0 refers to the start.
    pub(super) halves: Vec<[u32; 2]>,
    /// The elements of states, each with the position of its first state.
    pub(super) levels: Vec<(u32, usize)>,
    /// The bytes that `visit` took.
    visit_bytes: usize,
}

/// A plan under construction.
struct Expansion<S> {
    plan: Plan,
    /// The states of each element that was not reached yet, each with a place in the plan that
    /// refers to it: twice the position, plus 1 for the second half.
    waiting: BTreeMap<u32, Vec<(S, u32)>>,
    /// The bytes of the lists of states.
    waiting_bytes: usize,
    max_bytes: usize,
}

impl<S> Expansion<S> {
    fn bytes(&self) -> usize {
        self.plan.bytes() + self.waiting_bytes
    }

    /// Makes a place of the plan refer to a state, of which `step` is the step. `others` are bytes
    /// beside the plan.
    fn refer(&mut self, place: usize, state: S, step: &Step<S>, others: usize) -> Result<(), Stop> {
        match *step {
            Step::Known(number) => self.plan.halves[place / 2][place % 2] = number,
            Step::Split { element, .. } => {
                let used = self.bytes() + others;
                let list = self.waiting.entry(element).or_default();
                self.waiting_bytes += reserve_one(list, used, self.max_bytes)?;
                list.push((state, place as u32));
            }
        }
        Ok(())
    }
}

impl Plan {
    /// Finds the states that are reached from `start`. `step` expresses a state in terms of others.
    /// `visit` is called with each state in the order of positions, and with the bytes in use. It
    /// returns the bytes that it took.
    pub(super) fn new<S: Copy + Eq + Hash>(
        base: u32,
        start: S,
        step: impl Fn(S) -> Step<S>,
        (clock, max_bytes): (&Clock, usize),
        mut visit: impl FnMut(S, usize) -> Result<usize, Stop>,
    ) -> Result<Self, Stop> {
        let (halves, levels) = (vec![[EMPTY; 2]], Vec::new());
        let plan = Plan { base, halves, levels, visit_bytes: 0 };
        let mut expansion =
            Expansion { plan, waiting: BTreeMap::new(), waiting_bytes: 0, max_bytes };
        expansion.refer(0, start, &step(start), 0)?;
        let (mut table, mut steps): (Layer<S, ()>, usize) = (Layer::new(), 0);
        while let Some((element, list)) = expansion.waiting.pop_first() {
            let first = expansion.plan.halves.len();
            expansion.plan.levels.push((element, first));
            table.set_limits(usize::MAX, max_bytes.saturating_sub(expansion.bytes()), clock);
            table.restart(list.len() / 2)?;
            for &(state, place) in &list {
                steps += 1;
                if steps.is_multiple_of(POLL) {
                    clock.check()?;
                }
                let hashed = hash(&state);
                let position = match table.probe(&state, hashed) {
                    Slot::Occupied(index) => first + index,
                    Slot::Vacant(slot) => {
                        let position = expansion.plan.halves.len();
                        // Places and references are numbers of 32 bits.
                        if position >= ((u32::MAX - base) / 2) as usize {
                            return Err(Stop::StateLimit);
                        }
                        // The lists grow meanwhile.
                        table.set_max_bytes(max_bytes.saturating_sub(expansion.bytes()));
                        table.insert(slot, state, hashed, ())?;
                        let table_bytes = table.bytes();
                        expansion.plan.visit_bytes +=
                            visit(state, expansion.bytes() + table_bytes)?;
                        let used = expansion.bytes() + table_bytes;
                        reserve_one(&mut expansion.plan.halves, used, max_bytes)?;
                        expansion.plan.halves.push([EMPTY; 2]);
                        if let Step::Split { lo, hi, .. } = step(state) {
                            expansion.refer(2 * position, lo, &step(lo), table_bytes)?;
                            expansion.refer(2 * position + 1, hi, &step(hi), table_bytes)?;
                        }
                        position
                    }
                };
                let reference = base + position as u32;
                expansion.plan.halves[place as usize / 2][place as usize % 2] = reference;
            }
            expansion.waiting_bytes -= list.capacity() * size_of::<(S, u32)>();
        }
        Ok(expansion.plan)
    }

    /// Returns the bytes of the plan and those that `visit` took.
    pub(super) fn bytes(&self) -> usize {
        self.halves.capacity() * size_of::<[u32; 2]>()
            + self.levels.capacity() * size_of::<(u32, usize)>()
            + self.visit_bytes
    }

    /// Returns the number of the family that a reference stands for, once the states after it have
    /// numbers, which replace the references to their first halves.
    #[inline]
    pub(super) fn number(&self, reference: u32) -> u32 {
        match reference.checked_sub(self.base) {
            None => reference,
            Some(position) => self.halves[position as usize][0],
        }
    }
}

/// Returns the element of two families, given by their numbers and nodes, and the pairs of their
/// halves without it and with it.
#[inline]
pub(super) fn split_pair(
    (one, own): (u32, Node),
    (other, others): (u32, Node),
) -> (u32, (u32, u32), (u32, u32)) {
    let element = own.element.min(others.element);
    let halves = |number, node: Node| {
        let is_split = node.element == element && element != NO_ELEMENT;
        if is_split { (node.lo, node.hi) } else { (number, EMPTY) }
    };
    let ((lo, hi), (other_lo, other_hi)) = (halves(one, own), halves(other, others));
    (element, (lo, other_lo), (hi, other_hi))
}

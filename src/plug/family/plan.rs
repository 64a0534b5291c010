//! The states that an operation reaches: [`Plan`].

use std::collections::BTreeMap;
use std::hash::Hash;

use super::node::{EMPTY, NO_ELEMENT, Node, POLL};
use crate::limits::Stop;
use crate::memory::reserve_one;
use crate::plug::layer::{Layer, Slot, hash};
use crate::plug::step::Clock;

/// A family in terms of others.
pub(super) enum Step<S, const L: usize = 1> {
    /// The family has this number already.
    Known(u32),
    /// The sets of the families `lo`, and those of the family `hi` with this element added. The
    /// elements of all are larger.
    Split { element: u32, lo: [S; L], hi: S },
}

/// References to the families of which a state is made.
#[derive(Clone, Copy)]
pub(super) struct Halves<const L: usize> {
    /// First references to the families without the element; then the number of the state.
    pub(super) lo: [u32; L],
    pub(super) hi: u32,
}

/// The states that an operation reaches, in the order of their elements, and how each is made of
/// later ones.
///
/// A state waits in the list of its element until all states of smaller elements are expanded, as
/// often as these refer to it. Then the list is complete, and a table of its states alone, which
/// often fits into the caches, finds those that are equal. (Time-forward processing: Chiang and
/// others, 1995.) Nothing recurses.
pub(super) struct Plan<const L: usize = 1> {
    /// References below this number are numbers of families. Others are the sum of it and the
    /// position of a state.
    pub(super) base: u32,
    /// For each state, references to its halves. The first of position 0 refers to the start.
    pub(super) halves: Vec<Halves<L>>,
    /// The elements of states, each with the position of its first state.
    pub(super) levels: Vec<(u32, usize)>,
    /// The bytes that `visit` took.
    visit_bytes: usize,
}

/// A plan under construction.
struct Expansion<S, const L: usize> {
    plan: Plan<L>,
    /// The states of each element that was not reached yet, each with a place in the plan that
    /// refers to it: L + 1 times the position, plus the number of the half.
    waiting: BTreeMap<u32, Vec<(S, u32)>>,
    /// The bytes of the lists of states.
    waiting_bytes: usize,
    max_bytes: usize,
}

impl<S, const L: usize> Expansion<S, L> {
    fn bytes(&self) -> usize {
        self.plan.bytes() + self.waiting_bytes
    }

    /// Makes a place of the plan refer to a state, of which `step` is the step. `others` are bytes
    /// beside the plan.
    fn refer(
        &mut self,
        place: usize,
        state: S,
        step: &Step<S, L>,
        others: usize,
    ) -> Result<(), Stop> {
        match *step {
            Step::Known(number) => self.plan.set(place, number),
            Step::Split { element, .. } => {
                let used = self.bytes() + others;
                let list = self.waiting.entry(element).or_default();
                let added = reserve_one(list, used, self.max_bytes);
                self.waiting_bytes += added.ok_or(Stop::MemoryLimit)?;
                list.push((state, place as u32));
            }
        }
        Ok(())
    }
}

impl<const L: usize> Plan<L> {
    /// Finds the states that are reached from `start`. `step` expresses a state in terms of others;
    /// it is called with false when a state is met, and again with true if it has to be expanded.
    /// `visit` is called with each state in the order of positions, and with the bytes in use. It
    /// returns the bytes that it took.
    pub(super) fn new<S: Copy + Eq + Hash>(
        base: u32,
        start: S,
        step: impl Fn(S, bool) -> Step<S, L>,
        (clock, max_bytes): (&Clock, usize),
        mut visit: impl FnMut(S, usize) -> Result<usize, Stop>,
    ) -> Result<Self, Stop> {
        let nothing = Halves { lo: [EMPTY; L], hi: EMPTY };
        let (halves, levels) = (vec![nothing], Vec::new());
        let plan = Plan { base, halves, levels, visit_bytes: 0 };
        let mut expansion =
            Expansion { plan, waiting: BTreeMap::new(), waiting_bytes: 0, max_bytes };
        expansion.refer(0, start, &step(start, false), 0)?;
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
                        if position >= (u32::MAX - base) as usize / (L + 1) {
                            return Err(Stop::StateLimit);
                        }
                        // The lists grow meanwhile.
                        table.set_max_bytes(max_bytes.saturating_sub(expansion.bytes()));
                        table.insert(slot, state, hashed, ())?;
                        let table_bytes = table.bytes();
                        expansion.plan.visit_bytes +=
                            visit(state, expansion.bytes() + table_bytes)?;
                        let used = expansion.bytes() + table_bytes;
                        reserve_one(&mut expansion.plan.halves, used, max_bytes)
                            .ok_or(Stop::MemoryLimit)?;
                        expansion.plan.halves.push(nothing);
                        if let Step::Split { lo, hi, .. } = step(state, true) {
                            for (half, state) in lo.into_iter().chain([hi]).enumerate() {
                                let place = (L + 1) * position + half;
                                expansion.refer(place, state, &step(state, false), table_bytes)?;
                            }
                        }
                        position
                    }
                };
                let reference = base + position as u32;
                expansion.plan.set(place as usize, reference);
            }
            expansion.waiting_bytes -= list.capacity() * size_of::<(S, u32)>();
        }
        Ok(expansion.plan)
    }

    fn set(&mut self, place: usize, reference: u32) {
        let Halves { lo, hi } = &mut self.halves[place / (L + 1)];
        *lo.get_mut(place % (L + 1)).unwrap_or(hi) = reference;
    }

    /// Returns the bytes of the plan and those that `visit` took.
    pub(super) fn bytes(&self) -> usize {
        self.halves.capacity() * size_of::<Halves<L>>()
            + self.levels.capacity() * size_of::<(u32, usize)>()
            + self.visit_bytes
    }

    /// Returns the number of the family that a reference stands for, once the states after it have
    /// numbers, which replace the references to their first halves.
    #[inline]
    pub(super) fn number(&self, reference: u32) -> u32 {
        match reference.checked_sub(self.base) {
            None => reference,
            Some(position) => self.halves[position as usize].lo[0],
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

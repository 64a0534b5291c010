//! All-different constraints on at most 64 values, propagated as a whole by operations on words.
//!
//! The rules are those of `matching`, which describes them. A set of values is a word, and each
//! matched value also stands for its owner, the variable matched with it: the values of a variable
//! are then its neighbours in the graph. A search of this graph visits a node in a few operations,
//! however many neighbours it has (van Kessel and Quimper 2012), and its strongly connected
//! components are found by contracting the cycles of a path (Gabow 2000).

use super::difference::DifferentRule;
use crate::domains::Bits;
use crate::{Domains, PropagatorScratch, Pruned, Variable, Wipeout};

/// The number of bits of a word.
const VALUES: usize = 64;

/// At least two distinct variables whose values must be different, and are among the 64 values
/// from `first` on.
#[derive(Clone, Debug)]
pub(super) struct WordMatching {
    pub(super) variables: Vec<Variable>,
    pub(super) first: i32,
}

/// The variables with several values, in the order of the constraint, and their matching.
struct Graph {
    /// The number of variables; at most as many as values.
    len: usize,
    /// The index of each variable in the constraint.
    index: [u8; VALUES],
    domains: [u64; VALUES],
    /// The value matched with each variable, as a set, which is empty if there is none.
    matched: [u64; VALUES],
    /// The variable matched with each value in `taken`.
    owner: [u8; VALUES],
    taken: u64,
}

impl DifferentRule for WordMatching {
    const NAME: &str = "all different by matching";

    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn prune(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        // The matching of the last call.
        scratch.words.resize(self.variables.len(), 0);
        let mut graph = self.graph(domains, &scratch.words)?;
        for node in 0..graph.len {
            let index = usize::from(graph.index[node]);
            if graph.matched[node] == 0 && !graph.augment(node as u8) {
                return Err(Wipeout(self.variables[index]));
            }
            scratch.words[index] = graph.matched[node];
        }
        let kept = graph.consistent_values();
        for (node, &kept) in kept.iter().enumerate().take(graph.len) {
            if graph.domains[node] & !kept != 0 {
                let variable = self.variables[usize::from(graph.index[node])];
                domains.keep_word(variable, self.first, kept)?;
            }
        }
        Ok(())
    }
}

impl WordMatching {
    /// Returns the open variables, matched as in `last` as far as possible. Fails if there are more
    /// variables than values, or if all are assigned and two have the same value.
    fn graph(&self, domains: &Domains, last: &[u64]) -> Result<Graph, Wipeout> {
        let mut graph = Graph {
            len: 0,
            index: [0; VALUES],
            domains: [0; VALUES],
            matched: [0; VALUES],
            owner: [0; VALUES],
            taken: 0,
        };
        if self.variables.len() > VALUES {
            return Err(Wipeout(self.variables[0]));
        }
        let (mut assigned, mut is_repeated) = (0, false);
        for (index, (&variable, last)) in self.variables.iter().zip(last).enumerate() {
            let values = domains.mask_from(variable, self.first);
            if values.is_power_of_two() {
                is_repeated |= assigned & values != 0;
                assigned |= values;
                continue;
            }
            let node = graph.len;
            graph.len += 1;
            graph.index[node] = index as u8;
            graph.domains[node] = values;
            let matched = last & values & !graph.taken;
            graph.matched[node] = matched;
            if matched != 0 {
                graph.owner[matched.trailing_zeros() as usize] = node as u8;
                graph.taken |= matched;
            }
        }
        if graph.len == 0 && is_repeated { Err(Wipeout(self.variables[0])) } else { Ok(graph) }
    }
}

impl Graph {
    /// Matches a variable along an augmenting path. Returns whether there is one.
    fn augment(&mut self, start: u8) -> bool {
        let (mut seen, mut waiting) = (0, 0);
        // The variable from which each value in `seen` was reached.
        let mut reached_from = [0; VALUES];
        let mut node = start;
        loop {
            let reached = self.domains[usize::from(node)] & !seen;
            for value in Bits(reached) {
                reached_from[value as usize] = node;
            }
            seen |= reached;
            waiting |= reached;
            let free = reached & !self.taken;
            if free != 0 {
                let mut value = free.trailing_zeros() as usize;
                self.taken |= 1 << value;
                // Flips the path, from its end back to `start`.
                loop {
                    let taker = reached_from[value];
                    let old = std::mem::replace(&mut self.matched[usize::from(taker)], 1 << value);
                    self.owner[value] = taker;
                    if old == 0 {
                        return true;
                    }
                    value = old.trailing_zeros() as usize;
                }
            }
            if waiting == 0 {
                return false;
            }
            node = self.owner[waiting.trailing_zeros() as usize];
            waiting &= waiting - 1;
        }
    }

    /// Returns the values of each variable that are in some matching of all variables.
    fn consistent_values(&self) -> [u64; VALUES] {
        let domains = &self.domains[..self.len];
        // The free values, and the matched ones whose owners have a path to a free one.
        let mut open = domains.iter().fold(0, |all, values| all | values) & !self.taken;
        loop {
            let before = open;
            for (values, matched) in domains.iter().zip(&self.matched) {
                if values & open != 0 {
                    open |= matched;
                }
            }
            if open == before {
                break;
            }
        }
        // These values are needed by their owners. No owner has another value.
        let needed = self.taken & !open;
        let mut kept = [!needed; VALUES];
        self.for_each_component(needed, |component| {
            for value in Bits(component) {
                kept[usize::from(self.owner[value as usize])] = component;
            }
        });
        kept
    }

    /// Calls `visit` with each strongly connected component of the owners of these values, as the
    /// set of values of the component. The owners must have no other values.
    fn for_each_component(&self, values: u64, mut visit: impl FnMut(u64)) {
        // A path of contracted cycles: the values of each, the values that its owners have, and
        // the values of the cycles before it.
        let mut path = [(0_u64, 0_u64, 0_u64); VALUES];
        let mut unvisited = values;
        while unvisited != 0 {
            let mut depth = 0;
            let mut next = unvisited;
            let mut before = 0;
            loop {
                if next != 0 {
                    let value = next & next.wrapping_neg();
                    unvisited &= !value;
                    let owner = self.owner[value.trailing_zeros() as usize];
                    path[depth] = (value, self.domains[usize::from(owner)], before);
                    depth += 1;
                }
                let (cycle, neighbours, earlier) = path[depth - 1];
                next = neighbours & unvisited;
                before = earlier | cycle;
                if next != 0 {
                    continue;
                }
                if neighbours & earlier != 0 {
                    // The last cycle leads back to an earlier one.
                    depth -= 1;
                    let last = &mut path[depth - 1];
                    (last.0, last.1) = (last.0 | cycle, last.1 | neighbours);
                    continue;
                }
                visit(cycle);
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
        }
    }
}

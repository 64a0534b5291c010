//! The [`Problem`] of a network: variables in input order, values in ascending order.

use std::sync::Arc;

use super::branching::{Ascending, ValueOrder, Values};
use super::trail::Mark;
use super::{Decision, Domains, Network};
use crate::memory::vec_bytes;
use crate::problem::{Branch, Problem};

impl Problem for Network {
    type State = Domains;
    type Cursor = Values<<Ascending as ValueOrder>::Cursor>;
    type Choice = Decision;
    type Undo = Mark;

    fn root(&self) -> Domains {
        Domains::new(Arc::clone(&self.layout), self.words.clone())
    }

    fn branch(&self, domains: &Domains) -> Branch<Self::Cursor> {
        match domains.open().next() {
            None => self.leaf(domains),
            Some(variable) => {
                Values::branch(variable, Ascending.start(self, domains, variable), domains)
            }
        }
    }

    fn next(&self, domains: &Domains, cursor: &mut Self::Cursor) -> Option<Decision> {
        cursor.draw(self, domains, &mut Ascending)
    }

    fn can_apply(&self, domains: &Domains, decision: &Decision) -> bool {
        decision.variable().index() < self.len() && !decision.fails(domains)
    }

    fn heap_bytes(&self, domains: &Domains) -> usize {
        vec_bytes(&domains.words) + vec_bytes(&domains.trail)
    }

    #[inline]
    fn apply(&self, domains: &mut Domains, decision: &Decision) -> Mark {
        let mark = domains.mark();
        decision.take(domains);
        mark
    }

    #[inline]
    fn undo(&self, domains: &mut Domains, _: &Decision, mark: Mark) {
        domains.restore(mark);
    }
}

//! When propagators are called.

use super::Propagator;
use crate::csp::trail::Change;
use crate::csp::{Domains, Variable};

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
pub(in crate::csp) struct Calling {
    pub(in crate::csp) wake: Wake,
    /// Whether it need not be called for what it has done itself.
    pub(in crate::csp) is_idempotent: bool,
}

impl Calling {
    pub(in crate::csp) fn of(propagator: &dyn Propagator) -> Self {
        Calling { wake: propagator.wake(), is_idempotent: propagator.is_idempotent() }
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

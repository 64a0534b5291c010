//! Domains as bit masks, for propagators that look at many of them at once.

use super::{Domains, Variable};

impl Domains {
    /// Which of the 64 values from `first` on are left to a variable: the lowest bit stands for
    /// `first`.
    ///
    /// So that a propagator can join or compare many small domains by single instructions. Cost: a
    /// few of them.
    #[must_use]
    #[inline]
    pub fn mask_from(&self, variable: Variable, first: i32) -> u64 {
        let (base, words) = self.value_words(variable);
        // The first of the 64 bits, among those of the variable.
        let from = i64::from(first) - i64::from(base);
        if let (0, [word]) = (from, words) {
            return *word;
        }
        let word = |index: i64| {
            usize::try_from(index).ok().and_then(|index| words.get(index)).copied().unwrap_or(0)
        };
        let (index, shift) = (from.div_euclid(64), from.rem_euclid(64));
        let low = word(index) >> shift;
        if shift == 0 { low } else { low | word(index + 1) << (64 - shift) }
    }
}

#[cfg(test)]
mod tests {
    use crate::csp::Model;
    use crate::problem::Problem;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_mask_has_the_bits_of_the_values(
            values in prop::collection::vec(-150..150_i32, 0..12),
            first in prop_oneof![-300..300_i32, Just(i32::MIN), Just(i32::MAX)],
        ) {
            let mut model = Model::new();
            let variable = model.variable(values).expect("a narrow domain");
            let network = model.build();
            let domains = network.root();
            let expected = (0..64).filter(|&bit| {
                first.checked_add(bit).is_some_and(|value| domains.contains(variable, value))
            });
            prop_assert_eq!(domains.mask_from(variable, first), expected.fold(0, |mask, bit| mask | 1 << bit));
        }
    }
}

//! The tail of the distribution of probes, as far as the largest of them show it.
//!
//! If the sizes of subtrees follow a power law, so do those of probes: P(X > x) decreases like
//! x⁻ᵅ. A mean over such probes lacks what no probe has hit, and for α ≤ 2 its variance is
//! infinite, whatever the variance of the probes at hand. The largest probes tell α (Hill 1975, "A
//! simple general approach to inference about the tail of a distribution"): 1/α is the mean of
//! ln(x/u) over the probes x above a high threshold u. Random probes are an importance sampling of
//! the nodes of a tree, and importance sampling is diagnosed by this index (Vehtari, Simpson,
//! Gelman, Yao and Gabry 2024, "Pareto smoothed importance sampling", whose number of tail values
//! is used here).

/// The largest number of values in the tail.
const MAX_TAIL: usize = 1 << 10;

/// The number of standard errors that are added to the index for an upper limit of 90 %
/// confidence.
const MARGIN: f64 = 1.282;

/// A larger index than this is treated as this one, so that the missing part stays finite.
const MAX_INDEX: f64 = 0.95;

/// The largest of some positive numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Largest {
    /// The number of the numbers, the smaller ones included.
    count: u64,
    /// The largest ones, and up to as many others.
    values: Vec<f64>,
}

/// The tail of the distribution of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tail {
    /// The number of values that it is derived from.
    pub(super) values: usize,
    /// An upper limit of 1/α, of 90 % confidence.
    pub(super) index: f64,
    /// The expected part of the sum of n numbers that lies beyond the quantile 1 − 1/n of the power
    /// law, less the threshold of the tail, so that equal numbers have none. Without a tail, the
    /// sum of all numbers.
    pub(super) beyond: f64,
}

impl Largest {
    #[inline]
    pub(super) fn add(&mut self, value: f64) {
        self.count += 1;
        self.values.push(value);
        if self.values.len() > 2 * (MAX_TAIL + 1) {
            self.values.select_nth_unstable_by(MAX_TAIL, |one, other| other.total_cmp(one));
            self.values.truncate(MAX_TAIL + 1);
        }
    }

    /// Returns the tail; `None` without numbers.
    pub(super) fn tail(&self) -> Option<Tail> {
        if self.count == 0 {
            return None;
        }
        let most = (self.count as f64 / 5.0).min(3.0 * (self.count as f64).sqrt()) as usize;
        let values = most.min(MAX_TAIL);
        if values == 0 {
            // Too few numbers to see a tail: any part of the sum may be missing.
            return Some(Tail { values, index: 1.0, beyond: self.values.iter().sum() });
        }
        let mut largest = self.values.clone();
        let (above, &mut threshold, _) =
            largest.select_nth_unstable_by(values, |one, other| other.total_cmp(one));
        let logarithms: f64 = above.iter().map(|value| (value / threshold).ln()).sum();
        let tail = values as f64;
        let index = logarithms / tail * (1.0 + MARGIN / tail.sqrt());
        // The quantile that a number exceeds with probability p is u (M/n)^(1/α) p^(-1/α) above
        // the threshold u. This is n times its integral over p from 0 to 1/n.
        let bounded = index.min(MAX_INDEX);
        let beyond = threshold * (tail.powf(bounded) / (1.0 - bounded) - 1.0);
        Some(Tail { values, index, beyond })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail_of(values: impl IntoIterator<Item = f64>) -> Tail {
        let mut largest = Largest::default();
        values.into_iter().for_each(|value| largest.add(value));
        largest.tail().expect("some numbers")
    }

    #[test]
    fn the_index_of_a_power_law_is_found() {
        let mut random = fastrand::Rng::with_seed(1);
        for alpha in [0.8, 1.5, 3.0, 8.0] {
            for count in [1_000, 100_000] {
                let tail = tail_of((0..count).map(|_| (1.0 - random.f64()).powf(-1.0 / alpha)));
                assert!((0.9..1.4).contains(&(tail.index * alpha)), "{alpha}, {count}: {tail:?}");
            }
        }
    }

    #[test]
    fn only_the_largest_numbers_matter() {
        let values: Vec<f64> = (0..50_000_u32).map(|i| f64::from(i * 7_919 % 50_021)).collect();
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let [one, other] = [tail_of(values), tail_of(sorted)];
        // The sums of logarithms differ by rounding.
        assert_eq!(one.values, other.values);
        assert!((one.index / other.index - 1.0).abs() < 1e-9, "{one:?} {other:?}");
    }

    #[test]
    fn equal_numbers_have_no_tail_and_few_numbers_an_unknown_one() {
        for (count, values) in [(5, 1), (20, 4), (5_000, 212)] {
            let tail = tail_of((0..count).map(|_| 3.5));
            assert_eq!(tail, Tail { values, index: 0.0, beyond: 0.0 });
        }
        assert_eq!(tail_of([1.0, 2.0]), Tail { values: 0, index: 1.0, beyond: 3.0 });
        assert_eq!(tail_of([2.0]), Tail { values: 0, index: 1.0, beyond: 2.0 });
        assert!(Largest::default().tail().is_none());
    }
}

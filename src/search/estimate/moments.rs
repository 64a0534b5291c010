//! Running mean and variance of probes, and the tail of their distribution, as far as the largest
//! of them show it.
//!
//! If the sizes of subtrees follow a power law, so do those of probes: P(X > x) decreases like
//! x⁻ᵅ. A mean over such probes lacks what no probe has hit, and for α ≤ 2 its variance is
//! infinite, whatever the variance of the probes at hand. The largest probes tell α (Hill 1975, "A
//! simple general approach to inference about the tail of a distribution"): 1/α is the mean of
//! ln(x/u) over the probes x above a high threshold u. Random probes are an importance sampling of
//! the nodes of a tree, and importance sampling is diagnosed by this index (Vehtari, Simpson,
//! Gelman, Yao and Gabry 2024, "Pareto smoothed importance sampling", whose number of tail values
//! is used here).

/// Running mean and variance (Welford 1962, with weights as in West 1979). No large sums of squares
/// are subtracted from each other, so that little precision is lost if all numbers are nearly
/// equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moments {
    pub(super) count: u64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    spread: f64,
}

impl Moments {
    /// Adds the same number several times.
    #[inline]
    pub(super) fn add(&mut self, value: f64, times: u64) {
        if times == 0 {
            return;
        }
        self.count += times;
        let from_old = value - self.mean;
        self.mean += from_old * (times as f64 / self.count as f64);
        self.spread += from_old * (value - self.mean) * times as f64;
    }

    /// Returns the moments after adding zeros, up to `count` numbers in all.
    pub(super) fn padded_with_zeros(mut self, count: u64) -> Moments {
        self.add(0.0, count.saturating_sub(self.count));
        self
    }

    /// Returns the mean; `None` without numbers.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Returns the standard error of the mean, from the unbiased estimate of the variance; `None`
    /// for fewer than two numbers.
    pub(super) fn standard_error(&self) -> Option<f64> {
        Some((self.variance()? / self.count as f64).sqrt())
    }

    /// Returns the unbiased estimate of the variance of the numbers; `None` for fewer than two.
    pub(super) fn variance(&self) -> Option<f64> {
        let degrees = self.count.checked_sub(1).filter(|&degrees| degrees > 0)?;
        Some(self.spread / degrees as f64)
    }
}

/// The tree profile according to one probe.
#[derive(Clone, Debug, Default)]
pub(super) struct ProbeProfile {
    /// Nodes by depth.
    pub(super) nodes: Vec<f64>,
    /// Solutions at some depths, mostly none.
    pub(super) solutions: Vec<(usize, f64)>,
}

impl ProbeProfile {
    /// Resets the profile for a probe: one root, no solutions.
    pub(super) fn begin(&mut self) {
        self.nodes.clear();
        self.nodes.push(1.0);
        self.solutions.clear();
    }
}

/// The number of groups of probes, for [`Estimate::at_least`](super::Estimate::at_least).
pub(super) const GROUPS: usize = 10;

/// The sum over a group of probes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    probes: u64,
    nodes: f64,
}

impl Group {
    /// Returns the mean of the group; `None` without probes.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.probes > 0).then(|| self.nodes / self.probes as f64)
    }
}

/// The largest size that a probe may amount to. Beyond it, the squares in the variance would
/// overflow.
pub(super) const MAX_PROBE: f64 = 1e140;

/// A probe amounted to more than [`MAX_PROBE`].
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge;

/// The sums at one depth.
#[derive(Clone, Copy, Debug, Default)]
struct DepthSums {
    /// Over the probes that reached the depth.
    nodes: Moments,
    /// Over the probes that reached solutions at the depth.
    solutions: Moments,
}

/// The sums over all probes.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub(super) probes: u64,
    pub(super) nodes: Moments,
    /// Over the probes that reached solutions.
    solutions: Moments,
    by_depth: Vec<DepthSums>,
    /// The sums of ten groups of probes, whose sizes differ by at most one.
    pub(super) groups: [Group; GROUPS],
    /// The size according to the largest probe.
    pub(super) largest: f64,
    /// The sizes according to the largest probes.
    probes_tail: Largest,
    /// If the probes of strata learn: by depth, the numbers of nodes for which representatives
    /// stand that were drawn among others.
    pub(super) drawn: Vec<Largest>,
}

impl Sums {
    /// Adds the result at one depth, `nodes` nodes, of several probes. Depths must be added in
    /// order: `depth` is at most one below the deepest so far.
    #[inline]
    pub(super) fn add_level(&mut self, depth: usize, nodes: f64, probes: u64) {
        if depth == self.by_depth.len() {
            self.by_depth.push(DepthSums::default());
        }
        self.by_depth[depth].nodes.add(nodes, probes);
    }

    /// Adds a complete probe of a group, with the sum of its nodes.
    #[inline]
    pub(super) fn add_probe(
        &mut self,
        nodes: f64,
        solutions: &[(usize, f64)],
        group: usize,
    ) -> Result<(), TooLarge> {
        self.probes += 1;
        let group = &mut self.groups[group];
        group.probes += 1;
        group.nodes += nodes;
        self.nodes.add(nodes, 1);
        self.largest = self.largest.max(nodes);
        self.probes_tail.add(nodes);
        if !solutions.is_empty() {
            self.add_solutions(solutions);
        }
        if nodes <= MAX_PROBE { Ok(()) } else { Err(TooLarge) }
    }

    /// Adds a probe.
    pub(super) fn add(&mut self, profile: &ProbeProfile) -> Result<(), TooLarge> {
        for (depth, &nodes) in profile.nodes.iter().enumerate() {
            self.add_level(depth, nodes, 1);
        }
        let group = (self.probes % GROUPS as u64) as usize;
        self.add_probe(profile.nodes.iter().sum(), &profile.solutions, group)
    }

    fn add_solutions(&mut self, solutions: &[(usize, f64)]) {
        for &(depth, value) in solutions {
            self.by_depth[depth].solutions.add(value, 1);
        }
        self.solutions.add(solutions.iter().map(|&(_, value)| value).sum(), 1);
    }

    /// Returns the tail of the sizes; `None` without probes.
    pub(super) fn tail(&self) -> Option<Tail> {
        self.probes_tail.tail()
    }

    /// Returns the tail of the numbers of nodes that representatives stand for, at the depth where
    /// most is missing; `None` if no representative was drawn.
    pub(super) fn tail_of_drawn(&self) -> Option<Tail> {
        let tails = self.drawn.iter().filter_map(Largest::tail);
        tails.max_by(|one, other| one.beyond.total_cmp(&other.beyond))
    }

    /// Returns the moments of solutions over all probes.
    pub(super) fn solutions(&self) -> Moments {
        self.solutions.padded_with_zeros(self.probes)
    }

    /// Returns the moments of nodes and solutions by depth.
    pub(super) fn levels(&self) -> impl Iterator<Item = (Moments, Moments)> {
        let padded = |moments: &Moments| moments.padded_with_zeros(self.probes);
        self.by_depth.iter().map(move |sums| (padded(&sums.nodes), padded(&sums.solutions)))
    }
}

/// The largest number of values in the tail.
const MAX_TAIL: usize = 1 << 10;

/// The number of standard errors that are added to the index for an upper limit of 90 %
/// confidence.
const MARGIN: f64 = 1.282;

/// A larger index than this is treated as this one, so that the missing part stays finite. Any
/// index above 0.5 is a heavy tail; this only bounds what [`Sums::tail_of_drawn`] compares.
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

    fn naive(values: &[f64]) -> (f64, f64) {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (mean, (spread / (count - 1.0) / count).sqrt())
    }

    #[test]
    fn moments_match_the_textbook_formulas() {
        let values = [3.0, 0.0, 8.0, 1.5, 0.0, 0.0, 2.0];
        let mut all = Moments::default();
        let mut some = Moments::default();
        for value in values {
            all.add(value, 1);
            if value > 0.0 {
                some.add(value, 1);
            }
        }
        let (mean, error) = naive(&values);
        for moments in [all, some.padded_with_zeros(values.len() as u64)] {
            assert!((moments.mean().unwrap_or(f64::NAN) - mean).abs() < 1e-12);
            assert!((moments.standard_error().unwrap_or(f64::NAN) - error).abs() < 1e-12);
        }
    }

    #[test]
    fn large_equal_numbers_have_zero_error() {
        let mut moments = Moments::default();
        for _ in 0..1000 {
            moments.add(1e139 / 3.0, 1);
        }
        assert_eq!((moments.mean(), moments.standard_error()), (Some(1e139 / 3.0), Some(0.0)));
    }

    #[test]
    fn mean_needs_one_number_and_error_needs_two() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.standard_error()), (None, None));
        assert_eq!(moments.padded_with_zeros(3).mean(), Some(0.0));
        moments.add(2.0, 1);
        assert_eq!((moments.mean(), moments.standard_error()), (Some(2.0), None));
    }

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

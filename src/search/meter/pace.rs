//! [`Pace`]: the course of a run so far, from which the nodes that are left are estimated.
//!
//! The number of visited nodes divided by the explored share of the tree is the weighted backtrack
//! estimator of Kilby, Slaney, Thiébaux and Walsh (2006, "Estimating search tree size"): each leaf
//! counts with the probability that a random probe ends there, which is its share. It assumes that
//! the rest of the tree resembles the explored part. If the nodes per share change along the run,
//! the recent ones say more. [`Pace`] divides the explored share into blocks, and combines the
//! estimates from all blocks and from the recent half by the inverse of their variances, which
//! follow from the differences between the blocks.
//!
//! Siblings often have subtrees of very different sizes. An estimate of the whole tree from random
//! probes, less the visited nodes, is then far better. The logarithms of both are weighted by the
//! inverse of their variances. If they differ by more than their variances explain, the variance of
//! the result is larger by that factor (Birge 1932).

/// An estimate of what is left of a run, with its 90 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Remaining<T> {
    /// The estimate.
    pub estimate: T,
    /// The ends of the interval.
    pub interval: (T, T),
}

/// The number of blocks of equal share.
const BLOCKS: usize = 8;

/// The number of independent blocks that the blocks amount to. Neighbouring subtrees resemble each
/// other more than those that are far apart in the tree.
const INDEPENDENT: f64 = 3.0;

/// The quantile 0.95 of Student's t distribution for `BLOCKS` − 1 degrees of freedom.
const STUDENT: f64 = 1.895;

/// The most samples that are kept.
const MAX_SAMPLES: usize = 256;

/// The least standard error of the logarithm of a number that follows from explored shares: the
/// unexplored rest of a tree may differ from the explored part, however regular that is. On
/// n-queens and constraint networks, such numbers are wrong by factors of up to 3 after half of the
/// run.
const LEAST_SHARE_ERROR: f64 = 1.0;

/// The 95 % quantile of the normal distribution.
pub(super) const NORMAL: f64 = 1.645;

/// An estimate with its variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uncertain {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

/// The nodes at shares of the tree, as a run passed them.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// The explored share and the nodes, both increasing. The first sample is the beginning: a run
    /// that continues from a frontier begins with a share that it has not explored itself.
    samples: Vec<(f64, f64)>,
    /// Estimates of the logarithm of the size of the tree.
    pub(super) sizes: Vec<Uncertain>,
}

impl Pace {
    /// Adds a sample, and returns the estimated number of nodes that are left, once the samples
    /// suffice.
    pub(super) fn left(&mut self, share: f64, nodes: u64) -> Option<Remaining<f64>> {
        let nodes = nodes as f64;
        if self.samples.last().is_none_or(|&(known, _)| known < share) {
            if self.samples.len() == MAX_SAMPLES {
                let mut index = 0;
                self.samples.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
            }
            self.samples.push((share, nodes));
        }
        if share >= 1.0 {
            return Some(Remaining { estimate: 0.0, interval: (0.0, 0.0) });
        }
        let left =
            combined(&self.by_size(nodes).chain(self.by_share(share, nodes)).collect::<Vec<_>>())?;
        let (estimate, factor) = (left.mean.exp(), (NORMAL * left.variance.sqrt()).exp());
        (estimate > 0.0 && (estimate * factor).is_finite())
            .then_some(Remaining { estimate, interval: (estimate / factor, estimate * factor) })
    }

    /// Returns the logarithms of the numbers of nodes that are left by the estimates of the tree.
    /// An estimate that the run has exceeded is ignored.
    fn by_size(&self, nodes: f64) -> impl Iterator<Item = Uncertain> {
        self.sizes.iter().filter_map(move |size| {
            let all = size.mean.exp();
            let left = all - nodes;
            // The absolute error is that of the whole tree.
            let variance = size.variance * (all / left).powi(2);
            (left > 0.0).then(|| Uncertain { mean: left.ln(), variance })
        })
    }

    /// Returns the logarithm of the number of nodes that are left by the nodes per share.
    fn by_share(&self, share: f64, nodes: f64) -> Option<Uncertain> {
        if self.samples.len() <= BLOCKS {
            return None;
        }
        let blocks = self.blocks(share, nodes);
        let per_share = per_share(&blocks);
        let error = STUDENT / NORMAL * per_share.variance.sqrt() / per_share.mean;
        // If the nodes per share have changed, they may change again whenever the share doubles.
        let drift = (mean(&blocks[BLOCKS / 2..]) / mean(&blocks)).ln() * share.log2();
        let left = (per_share.mean * (1.0 - share)).ln();
        let variance = error.max(LEAST_SHARE_ERROR).powi(2) + drift * drift;
        (left.is_finite() && variance.is_finite()).then_some(Uncertain { mean: left, variance })
    }

    /// Returns the nodes of each block per unit of share.
    fn blocks(&self, share: f64, nodes: f64) -> [f64; BLOCKS] {
        let first = self.samples.first().copied().unwrap_or((0.0, 0.0));
        let width = (share - first.0) / BLOCKS as f64;
        let mut samples = self.samples.iter().peekable();
        let (mut before, mut last) = (first, first.1);
        std::array::from_fn(|block| {
            let end = first.0 + width * (block + 1) as f64;
            while let Some(&&sample) = samples.peek()
                && sample.0 < end
            {
                before = sample;
                samples.next();
            }
            let &after = samples.peek().copied().unwrap_or(&(share, nodes));
            let part = ((end - before.0) / (after.0 - before.0)).clamp(0.0, 1.0);
            let reached = before.1 + part * (after.1 - before.1);
            let grown = reached - last;
            last = reached;
            grown / width
        })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the variance of the mean of blocks.
fn variance_of_mean(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let count = values.len() as f64;
    squares / (count - 1.0) / (INDEPENDENT * count / BLOCKS as f64)
}

/// Predicts the nodes per unit of share in the rest of the tree from those of the blocks so far.
fn per_share(blocks: &[f64; BLOCKS]) -> Uncertain {
    let recent = &blocks[BLOCKS / 2..];
    let all = Uncertain { mean: mean(blocks), variance: variance_of_mean(blocks) };
    let late = Uncertain { mean: mean(recent), variance: variance_of_mean(recent) };
    let estimates = [all, late];
    // Blocks that are all equal, as in a regular tree, are certain.
    let least = 1e-12 * all.mean * all.mean;
    let weights = estimates.map(|estimate| 1.0 / estimate.variance.max(least));
    let sum: f64 = weights.iter().sum();
    let weighted = |of: &dyn Fn(&Uncertain) -> f64| {
        estimates.iter().zip(weights).map(|(one, weight)| of(one) * weight).sum::<f64>() / sum
    };
    let mean = weighted(&|one| one.mean);
    // They come from the same blocks, so their errors do not cancel each other.
    let variance = weighted(&|one| one.variance + (one.mean - mean).powi(2));
    Uncertain { mean, variance }
}

/// Returns the mean weighted by inverse variances, with a larger variance if the values differ by
/// more than their variances explain. `None` without values.
fn combined(values: &[Uncertain]) -> Option<Uncertain> {
    // A regular tree is certain.
    let variance = |value: &Uncertain| value.variance.max(1e-12);
    let weight: f64 = values.iter().map(|value| 1.0 / variance(value)).sum();
    let mean = values.iter().map(|value| value.mean / variance(value)).sum::<f64>() / weight;
    let squares: f64 =
        values.iter().map(|value| (value.mean - mean).powi(2) / variance(value)).sum();
    let freedom = values.len().checked_sub(1)?.max(1) as f64;
    Some(Uncertain { mean, variance: (squares / freedom).max(1.0) / weight })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(course: impl Fn(f64) -> f64, until: f64) -> Remaining<f64> {
        let mut pace = Pace::default();
        let shares = (1..=1_000).map(|step| until * f64::from(step) / 1_000.0);
        shares.filter_map(|share| pace.left(share, course(share) as u64)).last().expect("samples")
    }

    #[test]
    fn a_steady_run_is_predicted_exactly() {
        for until in [0.1, 0.5, 0.9] {
            let left = left(|share| 1e9 * share, until);
            let expected = 1e9 * (1.0 - until);
            assert!((left.estimate / expected - 1.0).abs() < 1e-3, "{left:?}");
            assert!(left.interval.0 < expected && expected < left.interval.1);
            assert!(left.interval.1 < 6.0 * left.estimate);
        }
    }

    #[test]
    fn recent_blocks_count_more_if_they_agree() {
        // An expensive beginning.
        let left = left(|share| if share < 0.1 { 1e10 * share } else { 9e8 + 1e9 * share }, 0.5);
        assert!((4.9e8..8e8).contains(&left.estimate), "{left:?}");
    }

    #[test]
    fn few_samples_predict_nothing_and_the_end_is_certain() {
        let mut pace = Pace::default();
        for step in 1..=BLOCKS {
            assert_eq!(pace.left(step as f64 / 100.0, 10), None);
        }
        let end = Remaining { estimate: 0.0, interval: (0.0, 0.0) };
        assert_eq!(pace.left(1.0, 1_000), Some(end));
    }

    #[test]
    fn an_accurate_estimate_outweighs_shares_until_it_is_exceeded() {
        let mut pace = Pace::default();
        pace.sizes.push(Uncertain { mean: 20_000_f64.ln(), variance: 1e-4 });
        let first = pace.left(0.0, 0).expect("an estimate");
        assert!((first.estimate - 20_000.0).abs() < 1.0, "{first:?}");
        let mut reports =
            (1..=40_u32).map(|step| pace.left(f64::from(step) / 100.0, 1_000 * u64::from(step)));
        // By shares, it would be 90,000.
        let tenth = reports.nth(9).flatten().expect("an estimate");
        assert!((9e3..1.1e4).contains(&tenth.estimate), "{tenth:?}");
        let last = reports.last().flatten().expect("shares");
        assert!((last.estimate / 60_000.0 - 1.0).abs() < 1e-3, "{last:?}");
    }

    #[test]
    fn different_values_increase_the_variance() {
        let value = |mean| Uncertain { mean, variance: 1.0 };
        assert!(combined(&[]).is_none());
        let alike = combined(&[value(1.0), value(1.0)]).expect("values");
        let apart = combined(&[value(-4.0), value(6.0)]).expect("values");
        assert!((alike.mean - 1.0).abs() < 1e-12 && (apart.mean - 1.0).abs() < 1e-12);
        assert!((alike.variance - 0.5).abs() < 1e-12 && (apart.variance - 25.0).abs() < 1e-12);
    }
}

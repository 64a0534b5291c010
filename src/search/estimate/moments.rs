//! What probes come to: mean and variance, kept up to date with each of them.

/// Mean and variance of numbers that come one at a time (Welford 1962): no large sums of squares
/// are subtracted from each other, so that hardly anything is lost where all numbers are nearly the
/// same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moments {
    count: u64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    spread: f64,
}

impl Moments {
    #[inline]
    pub(super) fn add(&mut self, value: f64) {
        self.count += 1;
        let from_old = value - self.mean;
        self.mean += from_old / self.count as f64;
        self.spread += from_old * (value - self.mean);
    }

    /// The same with zeros added, to `count` numbers in all: two sets of numbers joined as Chan,
    /// Golub and LeVeque (1979) do.
    pub(super) fn filled_up(self, count: u64) -> Moments {
        if self.count == 0 || count <= self.count {
            return Moments { count: count.max(self.count), ..self };
        }
        let (known, all) = (self.count as f64, count as f64);
        let between = known * ((all - known) / all);
        Moments {
            count,
            mean: self.mean * (known / all),
            spread: self.spread + self.mean * self.mean * between,
        }
    }

    /// `None` of no numbers.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The standard error of the mean, from the unbiased estimate of the variance; `None` of fewer
    /// than two numbers.
    pub(super) fn standard_error(&self) -> Option<f64> {
        let degrees = self.count.checked_sub(1).filter(|&degrees| degrees > 0)?;
        Some((self.spread / degrees as f64 / self.count as f64).sqrt())
    }
}

/// What one probe makes of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct ContourProblem {
    /// Nodes by depth.
    pub(super) nodes: Vec<f64>,
    /// Solutions at some depths. Most probes come to none.
    pub(super) solutions: Vec<(usize, f64)>,
}

impl ContourProblem {
    /// Before a probe: there is a root.
    pub(super) fn begin(&mut self) {
        self.nodes.clear();
        self.nodes.push(1.0);
        self.solutions.clear();
    }
}

/// Groups of probes, for a bound that holds whatever the tree is: see
/// [`Estimate::at_least`](super::Estimate::at_least).
pub(super) const GROUPS: usize = 10;

/// A group of probes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    probes: u64,
    nodes: f64,
}

impl Group {
    /// The mean of its probes, if there are any.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.probes > 0).then(|| self.nodes / self.probes as f64)
    }
}

/// What a probe may come to: beyond it, the squares that the variance is made of would overflow.
pub(super) const LARGEST: f64 = 1e140;

/// A probe came to more than can be reckoned with.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge;

/// What the probes that came to one depth came to there, less what the first of them did.
///
/// The squares of differences from one of the numbers are never more than about as many times as
/// large as what is wanted, the sum of the squared distances from the mean, as there are numbers:
/// of its 16 digits so many are lost as that number has.
#[derive(Clone, Copy, Debug)]
struct Reached {
    probes: u64,
    first: f64,
    sum: f64,
    squares: f64,
}

impl Reached {
    fn moments(&self) -> Moments {
        let count = self.probes as f64;
        let spread = (self.squares - self.sum * (self.sum / count)).max(0.0);
        Moments { count: self.probes, mean: self.first + self.sum / count, spread }
    }
}

/// What all probes together come to.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub(super) probes: u64,
    pub(super) nodes: Moments,
    /// Of the probes that came to solutions.
    solutions: Moments,
    nodes_by_depth: Vec<Reached>,
    solutions_by_depth: Vec<Moments>,
    /// The means of ten groups of probes, each as large as another but for one probe.
    pub(super) groups: [Group; GROUPS],
    /// What the largest probe came to.
    pub(super) largest: f64,
}

impl Sums {
    /// So many probes came to `nodes` nodes at a depth, which must not be deeper than the next one.
    #[inline]
    pub(super) fn reach(&mut self, depth: usize, nodes: f64, probes: u64) {
        match self.nodes_by_depth.get_mut(depth) {
            Some(reached) => {
                let from_first = nodes - reached.first;
                let times = probes as f64;
                reached.probes += probes;
                reached.sum += from_first * times;
                reached.squares += from_first * from_first * times;
            }
            None => {
                self.nodes_by_depth.push(Reached { probes, first: nodes, sum: 0.0, squares: 0.0 })
            }
        }
    }

    /// A probe of a group has come to its end, and to so many nodes in all.
    #[inline]
    pub(super) fn end(
        &mut self,
        nodes: f64,
        solutions: &[(usize, f64)],
        group: usize,
    ) -> Result<(), TooLarge> {
        self.probes += 1;
        let group = &mut self.groups[group];
        group.probes += 1;
        group.nodes += nodes;
        self.nodes.add(nodes);
        self.largest = self.largest.max(nodes);
        if !solutions.is_empty() {
            self.add_solutions(solutions);
        }
        if nodes <= LARGEST { Ok(()) } else { Err(TooLarge) }
    }

    /// Adds a probe.
    pub(super) fn add(&mut self, profile: &ContourProblem) -> Result<(), TooLarge> {
        for (depth, &nodes) in profile.nodes.iter().enumerate() {
            self.reach(depth, nodes, 1);
        }
        let group = (self.probes % GROUPS as u64) as usize;
        self.end(profile.nodes.iter().sum(), &profile.solutions, group)
    }

    fn add_solutions(&mut self, solutions: &[(usize, f64)]) {
        for &(depth, value) in solutions {
            if self.solutions_by_depth.len() <= depth {
                self.solutions_by_depth.resize(depth + 1, Moments::default());
            }
            self.solutions_by_depth[depth].add(value);
        }
        self.solutions.add(solutions.iter().map(|&(_, value)| value).sum());
    }

    /// Of all probes.
    pub(super) fn solutions(&self) -> Moments {
        self.solutions.filled_up(self.probes)
    }

    /// Nodes and solutions by depth.
    pub(super) fn levels(&self) -> impl Iterator<Item = (Moments, Moments)> {
        self.nodes_by_depth.iter().enumerate().map(|(depth, reached)| {
            let solutions = self.solutions_by_depth.get(depth).copied().unwrap_or_default();
            (reached.moments().filled_up(self.probes), solutions.filled_up(self.probes))
        })
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
    fn moments_are_those_of_the_textbook() {
        let values = [3.0, 0.0, 8.0, 1.5, 0.0, 0.0, 2.0];
        let mut all = Moments::default();
        let mut some = Moments::default();
        for value in values {
            all.add(value);
            if value > 0.0 {
                some.add(value);
            }
        }
        let (mean, error) = naive(&values);
        for moments in [all, some.filled_up(values.len() as u64)] {
            assert!((moments.mean().unwrap_or(f64::NAN) - mean).abs() < 1e-12);
            assert!((moments.standard_error().unwrap_or(f64::NAN) - error).abs() < 1e-12);
        }
    }

    #[test]
    fn equal_numbers_have_no_error_however_large() {
        let mut moments = Moments::default();
        for _ in 0..1000 {
            moments.add(1e139 / 3.0);
        }
        assert_eq!((moments.mean(), moments.standard_error()), (Some(1e139 / 3.0), Some(0.0)));
    }

    #[test]
    fn nothing_has_no_mean_and_one_number_no_error() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.standard_error()), (None, None));
        assert_eq!(moments.filled_up(3).mean(), Some(0.0));
        moments.add(2.0);
        assert_eq!((moments.mean(), moments.standard_error()), (Some(2.0), None));
    }
}

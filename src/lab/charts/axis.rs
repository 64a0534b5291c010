//! A logarithmic axis: positions of numbers, and ticks.

/// A logarithmic axis between two pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogAxis {
    least: f64,
    greatest: f64,
    /// The pixels of the least and of the greatest number.
    from: i32,
    to: i32,
}

impl LogAxis {
    /// Creates an axis that covers these numbers, from half the minimum to 1.25 times the maximum.
    /// Numbers that are not positive and finite are ignored.
    pub(super) fn new(numbers: impl Iterator<Item = f64>, from: i32, to: i32) -> Self {
        let positive = numbers.filter(|number| number.is_finite() && *number > 0.0);
        let (least, greatest) = positive
            .fold((f64::INFINITY, 0.0_f64), |(least, greatest), number| {
                (least.min(number), greatest.max(number))
            });
        let (least, greatest) = if least > greatest { (1.0, 1.0) } else { (least, greatest) };
        // These are at least as far apart as 2 and 5, so there is a tick between them.
        LogAxis { least: least / 2.0, greatest: greatest * 1.25, from, to }
    }

    /// Returns the pixel of a number. Numbers beyond an end of the axis are placed at that end.
    pub(super) fn at(&self, number: f64) -> i32 {
        let share = (number.max(self.least) / self.least).ln() / (self.greatest / self.least).ln();
        self.from + (share.min(1.0) * f64::from(self.to - self.from)).round() as i32
    }

    /// Returns every fourth pixel from `from` to `to`, each with its number.
    pub(super) fn samples(self, from: i32, to: i32) -> impl Iterator<Item = (i32, f64)> {
        let number = move |pixel: i32| {
            let share = f64::from(pixel - self.from) / f64::from(self.to - self.from);
            self.least * (share * (self.greatest / self.least).ln()).exp()
        };
        (from..=to).step_by(4).map(move |pixel| (pixel, number(pixel)))
    }

    /// Returns at most about ten round numbers along the axis.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let (first, last) =
            (self.least.log10().floor() as i32, self.greatest.log10().ceil() as i32);
        let decades = (self.greatest / self.least).log10();
        let factors: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let step = (decades / 7.0).ceil().max(1.0) as i32;
        let exponents = (first..=last).filter(|exponent| exponent.rem_euclid(step) == 0);
        let ticks = exponents
            .flat_map(|exponent| factors.iter().map(move |factor| factor * 10_f64.powi(exponent)));
        ticks.filter(|tick| (self.least..=self.greatest).contains(tick)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::LogAxis;

    #[test]
    fn equal_ratios_have_equal_lengths_and_outliers_are_clamped() {
        let axis = LogAxis::new([1.0, 10.0, 1e6].into_iter(), 100, 800);
        let step = axis.at(100.0) - axis.at(10.0);
        assert!((axis.at(1e6) - axis.at(1e5) - step).abs() <= 1);
        assert!(axis.at(1.0) > 100 && axis.at(1e6) < 800);
        assert_eq!((axis.at(0.0), axis.at(1e300)), (100, 800));
    }

    #[test]
    fn axes_of_any_range_have_between_one_and_nine_ticks() {
        for (least, greatest) in [
            (1.0, 1.0),
            (4.1, 4.1),
            (3.0, 4.0),
            (1.0, 1e3),
            (5e-9, 1e4),
            (1.0, 1e60),
            (2.5e-7, 3e-7),
        ] {
            let axis = LogAxis::new([least, greatest].into_iter(), 0, 500);
            let ticks = axis.ticks();
            assert!((1..=9).contains(&ticks.len()), "{least} to {greatest}: {ticks:?}");
            assert!(ticks.windows(2).all(|pair| axis.at(pair[0]) < axis.at(pair[1])));
        }
        assert!(LogAxis::new([].into_iter(), 0, 10).ticks().len() < 9);
        assert!(
            LogAxis::new([f64::NAN, 0.0, -1.0, f64::INFINITY].into_iter(), 0, 10).at(1.0) <= 10
        );
    }
}

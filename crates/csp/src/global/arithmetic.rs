//! Arithmetic on two or three variables: products, truncating division with its remainder, powers
//! and absolute values.
//!
//! Propagation is by *bounds* (Apt and Zoeteweij 2007): each variable keeps the values between the
//! smallest and the largest result of the operation on the values of the others. All operations
//! are monotone in absolute values once the signs are known, so that each domain is read as three
//! parts: its negative values, zero, and its positive values. A combination of signs that is
//! impossible contributes nothing, and 0 is pruned even between the bounds.
//!
//! Values have 32 bits, and numbers between them 64 bits: products fit, and powers saturate beyond
//! all values.

use crate::propagator::retain;
use crate::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout,
};

/// The values of one sign of a variable.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// -1, 0 or 1.
    sign: i64,
    /// The smallest and the largest absolute value.
    low: i64,
    high: i64,
}

/// The values of a variable: the negative ones, zero, and the positive ones.
type Parts = [Option<Part>; 3];

fn parts(domains: &Domains, variable: Variable) -> Result<Parts, Wipeout> {
    let (min, max) = domains.bounds(variable).ok_or(Wipeout(variable))?;
    let part = |sign, near: Option<i32>, far: i32| {
        let (low, high) = (i64::from(near?).abs(), i64::from(far).abs());
        Some(Part { sign, low, high })
    };
    Ok([
        if max < 0 {
            part(-1, Some(max), min)
        } else if min < 0 {
            part(-1, domains.previous_value(variable, -1), min)
        } else {
            None
        },
        domains.contains(variable, 0).then_some(Part { sign: 0, low: 0, high: 0 }),
        if min > 0 {
            part(1, Some(min), max)
        } else if max > 0 {
            part(1, domains.next_value(variable, 1), max)
        } else {
            None
        },
    ])
}

/// The values of a variable that are results of an operation.
#[derive(Clone, Copy, Debug)]
struct Hull {
    /// The values that remain so far.
    remaining: Parts,
    low: i64,
    high: i64,
    has_zero: bool,
}

impl Hull {
    fn new(remaining: Parts) -> Self {
        Hull { remaining, low: i64::MAX, high: i64::MIN, has_zero: false }
    }

    /// Adds the values of this sign with absolute values from `low` to `high`.
    fn add(&mut self, sign: i64, low: i64, high: i64) {
        let Some(part) = self.remaining[(sign + 1) as usize] else { return };
        let (low, high) = (low.max(part.low), high.min(part.high));
        if low <= high {
            let (low, high) = if sign < 0 { (-high, -low) } else { (low, high) };
            (self.low, self.high) = (self.low.min(low), self.high.max(high));
            self.has_zero |= sign == 0;
        }
    }

    /// Adds 0 if it is the smallest absolute value, and the values of this sign with the others.
    fn add_from_zero(&mut self, sign: i64, low: i64, high: i64) {
        if low == 0 {
            self.add(0, 0, 0);
        }
        self.add(sign, low, high);
    }

    /// Adds the values of both signs with absolute values from `low` to `high`.
    fn add_both(&mut self, low: i64, high: i64) {
        self.add_from_zero(-1, low, high);
        self.add_from_zero(1, low, high);
    }

    /// Prunes all other values from the variable, and returns what remains.
    fn prune(&self, domains: &mut Domains, variable: Variable) -> Result<Parts, Wipeout> {
        if self.low > self.high {
            return Err(Wipeout(variable));
        }
        // Both lie between the bounds of the variable.
        let mut is_changed = domains.at_least(variable, self.low as i32)?;
        is_changed |= domains.at_most(variable, self.high as i32)?;
        if !self.has_zero && self.remaining[1].is_some() {
            is_changed |= domains.remove(variable, 0)?;
        }
        if is_changed { parts(domains, variable) } else { Ok(self.remaining) }
    }
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    /// x · y = z.
    Product,
    /// x / y = z, rounded towards 0.
    Quotient,
    /// x - y · (x / y) = z, which has the sign of x.
    Remainder,
    /// x to the power of the exponent, which is at least 1, is z; without its sign if `is_even`.
    Power { exponent: u32, is_even: bool },
}

/// An operation on the first variables, with the last one as its result. No divisor is 0.
#[derive(Clone, Debug)]
struct Arithmetic {
    operation: Operation,
    scope: Vec<Variable>,
}

/// Returns the largest integer whose power is at most `value`, which is not negative.
fn root(value: i64, exponent: u32) -> i64 {
    match exponent {
        1 => value,
        2 => value.isqrt(),
        _ => {
            let (mut low, mut above) = (0, value.min(1 << (31 / exponent + 1)) + 1);
            while above - low > 1 {
                let middle = low.midpoint(above);
                let fits = middle.saturating_pow(exponent) <= value;
                *if fits { &mut low } else { &mut above } = middle;
            }
            low
        }
    }
}

impl Operation {
    /// Adds the values of the variable at `target` that are possible with these parts of the two
    /// other variables, in the order of the scope; or of the only other variable, twice.
    fn add(self, target: usize, one: Part, other: Part, hull: &mut Hull) {
        match (self, target) {
            (Operation::Product, 2) => {
                hull.add(one.sign * other.sign, one.low * other.low, one.high * other.high);
            }
            // A factor.
            (Operation::Product, _) => match (one.sign, other.sign) {
                (0, 0) => hull.add_both(0, i64::MAX),
                (0, _) => {}
                (factor, product) => {
                    let low = (other.low + one.high - 1) / one.high;
                    let high = other.high / one.low;
                    hull.add(factor * product, low, high);
                }
            },
            (Operation::Quotient, 2) => {
                let (low, high) = (one.low / other.high, one.high / other.low);
                hull.add_from_zero(one.sign * other.sign, low, high);
            }
            // The dividend.
            (Operation::Quotient, 0) => match other.sign {
                0 => hull.add_both(0, one.high - 1),
                sign => hull.add(
                    one.sign * sign,
                    one.low * other.low,
                    one.high * other.high + one.high - 1,
                ),
            },
            // The divisor.
            (Operation::Quotient, _) => match (one.sign, other.sign) {
                (_, 0) => hull.add_both(one.low + 1, i64::MAX),
                (dividend, quotient) => hull.add(
                    dividend * quotient,
                    one.low / (other.high + 1) + 1,
                    one.high / other.low,
                ),
            },
            (Operation::Remainder, 2) => {
                let divisor = other.low;
                let is_one = divisor == other.high && one.low / divisor == one.high / divisor;
                let (low, high) = if is_one || one.high < divisor {
                    (one.low % divisor, one.high % divisor)
                } else {
                    (0, one.high.min(other.high - 1))
                };
                hull.add_from_zero(one.sign, low, high);
            }
            (Operation::Remainder, 0) => {
                let signs = if other.sign == 0 { -1..=1 } else { other.sign..=other.sign };
                for sign in signs {
                    if let Some(dividend) = hull.remaining[(sign + 1) as usize]
                        && let Some((low, high)) = with_remainder(dividend, one, other)
                    {
                        hull.add(sign, low, high);
                    }
                }
            }
            (Operation::Remainder, _) => {
                if other.sign == 0 || other.sign == one.sign {
                    // The divisor divides the difference, unless that is 0.
                    let is_different = one.low > other.high;
                    let high = if is_different { one.high - other.low } else { i64::MAX };
                    hull.add_both(other.low + 1, high);
                }
            }
            (Operation::Power { exponent, is_even }, 1) => {
                let sign = if is_even { one.sign.abs() } else { one.sign };
                if let Some(result) = hull.remaining[(sign + 1) as usize] {
                    // Absolute values of x between -low and low are excluded, but not pruned.
                    let (low, high) = roots(result, exponent);
                    let [low, high] = [one.low.max(low), one.high.min(high)];
                    if low <= high {
                        let power = |value: i64| value.saturating_pow(exponent);
                        hull.add(sign, power(low), power(high));
                    }
                }
            }
            (Operation::Power { exponent, is_even }, _) => {
                let (low, high) = roots(one, exponent);
                match (is_even, one.sign) {
                    (false, sign) | (true, sign @ 0) => hull.add(sign, low, high),
                    (true, 1) => hull.add_both(low, high),
                    (true, _) => {}
                }
            }
        }
    }
}

/// Returns the smallest and the largest absolute value whose power is in a part, or an empty range.
fn roots(power: Part, exponent: u32) -> (i64, i64) {
    let low = if power.low == 0 { 0 } else { root(power.low - 1, exponent) + 1 };
    (low, root(power.high, exponent))
}

/// Returns the smallest and the largest absolute value of a dividend that may have this remainder,
/// or `None` if there is none.
fn with_remainder(dividend: Part, divisor: Part, remainder: Part) -> Option<(i64, i64)> {
    let Part { mut low, mut high, .. } = dividend;
    if remainder.low >= divisor.high {
        return None;
    }
    low = low.max(remainder.low);
    if remainder.high == 0 && dividend.sign != 0 {
        low = low.max(divisor.low);
    }
    if divisor.low == divisor.high {
        let divisor = divisor.low;
        let (least, most) = (remainder.low, remainder.high);
        low += match low % divisor {
            found if found < least => least - found,
            found if found > most => divisor - found + least,
            _ => 0,
        };
        high -= match high % divisor {
            found if found > most => found - most,
            found if found < least => found + divisor - most.min(divisor - 1),
            _ => 0,
        };
    }
    (low <= high).then_some((low, high))
}

impl Propagator for Arithmetic {
    fn name(&self) -> &str {
        match self.operation {
            Operation::Product => "product",
            Operation::Quotient => "quotient",
            Operation::Remainder => "remainder",
            Operation::Power { exponent: 1, .. } => "absolute value",
            Operation::Power { .. } => "power",
        }
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        let [x, y] = [values[0], values[1]].map(i64::from);
        let result = match self.operation {
            Operation::Product => Some(x * y),
            Operation::Quotient => x.checked_div(y),
            Operation::Remainder => x.checked_rem(y),
            Operation::Power { exponent, is_even } => {
                let power = x.saturating_pow(exponent);
                Some(if is_even { power.saturating_abs() } else { power })
            }
        };
        result == values.last().map(|&result| result.into())
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Pruned {
        let mut all: [Parts; 3] = [[None; 3]; 3];
        for (place, &variable) in self.scope.iter().enumerate() {
            all[place] = parts(domains, variable)?;
        }
        for (target, &variable) in self.scope.iter().enumerate() {
            let mut hull = Hull::new(all[target]);
            if self.scope.len() == 2 {
                for part in all[1 - target].into_iter().flatten() {
                    self.operation.add(target, part, part, &mut hull);
                }
            } else {
                let [one, other] = [[1, 2], [0, 2], [0, 1]][target].map(|place| all[place]);
                for one in one.into_iter().flatten() {
                    for other in other.into_iter().flatten() {
                        self.operation.add(target, one, other, &mut hull);
                    }
                }
            }
            all[target] = hull.prune(domains, variable)?;
        }
        Ok(())
    }

    fn propagate_last(
        &self,
        domains: &mut Domains,
        last: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Pruned {
        self.propagate(domains, scratch)?;
        retain(self, domains, last, true)
    }

    fn wake(&self, _: usize) -> Wake {
        Wake::Bounds
    }

    fn cost(&self) -> u32 {
        8
    }
}

impl Model {
    /// Requires that *x* · *y* = *z*. The same variable may occur more than once.
    ///
    /// [Full propagation](crate::Propagate::full) is by bounds (Apt and Zoeteweij 2007):
    /// afterwards, the smallest and the largest value of each variable are compatible with *real*
    /// values of the others between their bounds, with the same signs. No value overflows: a
    /// product beyond 32 bits is no value of *z*. A call takes constant time. The levels below
    /// prune nothing before all variables but one are assigned. A square, *x* = *y*, is propagated
    /// as a [`power`](Self::power).
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // A rectangle whose area is three times its circumference, both sides whole numbers.
    /// let mut model = Model::new();
    /// let [width, height] = model.variables(2, 1..=99)?[..] else { unreachable!() };
    /// let area = model.variable(1..=9801)?;
    /// model.product(width, height, area)?;
    /// model.require(area.equals(6 * width + 6 * height))?;
    /// model.require(width.at_most(height))?;
    /// assert_eq!(model.build().solver().count().exact(), Some(5)); // (w - 6) · (h - 6) = 36
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`], as of all arithmetic constraints.
    pub fn product(&mut self, x: Variable, y: Variable, z: Variable) -> Result<(), ModelError> {
        if x == y {
            return self.power(x, 2, z);
        }
        self.propagator(Arithmetic { operation: Operation::Product, scope: vec![x, y, z] })
    }

    /// Requires that *z* is the quotient of *x* and *y*, rounded towards 0 as by `/` of Rust and
    /// by `int_div` of FlatZinc. Removes 0 from the values of *y*.
    ///
    /// Pruning and costs are those of [`product`](Self::product).
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// let mut model = Model::new();
    /// let (x, two) = (model.variable(-9..=9)?, model.variable(2)?);
    /// let half = model.variable(-9..=9)?;
    /// model.quotient(x, two, half)?;
    /// model.restrict(half, |half| half == -1)?;
    /// assert_eq!(model.build().solver().count().exact(), Some(2)); // -2 and -3
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn quotient(&mut self, x: Variable, y: Variable, z: Variable) -> Result<(), ModelError> {
        self.division(Operation::Quotient, [x, y, z])
    }

    /// Requires that *z* is the remainder of *x* and *y*: *x* minus *y* times their
    /// [`quotient`](Self::quotient). It has the sign of *x*, as that of `%` of Rust and of
    /// `int_mod` of FlatZinc. Removes 0 from the values of *y*.
    ///
    /// [Full propagation](crate::Propagate::full) is by bounds. Once *y* is assigned, the smallest
    /// and the largest value of *x* have a remainder between the bounds of *z*; before, *z* is
    /// less than *y* and at most *x* in absolute value. Costs are those of
    /// [`product`](Self::product).
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // How many numbers up to 1000 leave the remainders 2, 3 and 2 modulo 3, 5 and 7?
    /// let mut model = Model::new();
    /// let x = model.variable(0..=1000)?;
    /// for (modulus, remainder) in [(3, 2), (5, 3), (7, 2)] {
    ///     let (modulus, remainder) = (model.variable(modulus)?, model.variable(remainder)?);
    ///     model.remainder(x, modulus, remainder)?;
    /// }
    /// assert_eq!(model.build().solver().count().exact(), Some(10)); // 23, 128, 233, …
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn remainder(&mut self, x: Variable, y: Variable, z: Variable) -> Result<(), ModelError> {
        self.division(Operation::Remainder, [x, y, z])
    }

    fn division(&mut self, operation: Operation, scope: [Variable; 3]) -> Result<(), ModelError> {
        self.check(scope)?;
        self.restrict(scope[1], |divisor| divisor != 0)?;
        self.propagator(Arithmetic { operation, scope: scope.to_vec() })
    }

    /// Requires that *z* is *x* to the power of the exponent, where 0⁰ = 1.
    ///
    /// [Full propagation](crate::Propagate::full) is by bounds: afterwards, the smallest and the
    /// largest value of each variable belong to a value of the other one between its bounds. A call
    /// takes constant time.
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// // 1729 is a sum of two cubes in two ways.
    /// let mut model = Model::new();
    /// let sides = model.variables(2, 1..=12)?;
    /// let cubes = model.variables(2, 1..=1728)?;
    /// for (&side, &cube) in sides.iter().zip(&cubes) {
    ///     model.power(side, 3, cube)?;
    /// }
    /// model.sum(&cubes, 1729..=1729)?;
    /// model.require(sides[0].at_most(sides[1]))?;
    /// assert_eq!(model.build().solver().count().exact(), Some(2));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn power(&mut self, x: Variable, exponent: u32, z: Variable) -> Result<(), ModelError> {
        self.check([x, z])?;
        if exponent == 0 {
            return self.restrict(z, |power| power == 1);
        }
        let operation = Operation::Power { exponent, is_even: exponent.is_multiple_of(2) };
        self.propagator(Arithmetic { operation, scope: vec![x, z] })
    }

    /// Requires that *z* is the absolute value of *x*. Pruning and costs are those of
    /// [`power`](Self::power).
    ///
    /// ```
    /// use secateurs_csp::Model;
    ///
    /// let mut model = Model::new();
    /// let (x, z) = (model.variable(-5..=5)?, model.variable(2..=9)?);
    /// model.absolute(x, z)?;
    /// assert_eq!(model.build().solver().count().exact(), Some(8));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn absolute(&mut self, x: Variable, z: Variable) -> Result<(), ModelError> {
        let operation = Operation::Power { exponent: 1, is_even: true };
        self.propagator(Arithmetic { operation, scope: vec![x, z] })
    }
}

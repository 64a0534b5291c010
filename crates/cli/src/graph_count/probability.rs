//! The [`Probability`] of a random set.

use secateurs::plug::algebra::Natural;

/// A probability, as digits after the decimal point.
#[derive(Clone)]
pub(super) struct Probability {
    numerator: Natural,
    /// The difference to 1, with the same digits.
    rest: Natural,
    digits: usize,
}

pub(super) fn probability(text: &str) -> Result<Probability, String> {
    let expected = || format!("found {text:?}, expected a number from 0 to 1, such as 0.95");
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_short = whole.len() == 1 && fraction.len() <= 9;
    let numerator: Natural = match is_short {
        true => format!("{whole}{fraction}").parse().map_err(|_| expected())?,
        false => return Err(expected()),
    };
    let one = Natural::from(10_u64.pow(fraction.len() as u32));
    let rest = one.checked_sub(&numerator).ok_or_else(expected)?;
    Ok(Probability { numerator, rest, digits: fraction.len() })
}

impl Probability {
    /// Returns the probability of a set, as a decimal number, given the numbers of sets of each
    /// size, in ascending order, among sets of `places` elements. Returns `None` once `may_go_on`,
    /// which is called for each size, returns false.
    pub(super) fn of_sets(
        &self,
        sizes: impl Iterator<Item = (u32, Natural)>,
        places: usize,
        may_go_on: impl Fn() -> bool,
    ) -> Option<String> {
        // Horner's rule for two variables: the powers of the numerator grow with the size.
        let (mut sum, mut taken) = (Natural::default(), Natural::from(1_u64));
        let mut sizes = sizes.peekable();
        for place in 0..=places {
            if !may_go_on() {
                return None;
            }
            sum = &sum * &self.rest;
            if let Some((_, number)) = sizes.next_if(|&(size, _)| size as usize == place) {
                sum = &sum + &(&taken * &number);
            }
            taken = &taken * &self.numerator;
        }
        let digits = self.digits * places;
        let sum = format!("{:0>1$}", sum.to_string(), digits + 1);
        let (whole, fraction) = sum.split_at(sum.len() - digits);
        let fraction = fraction.trim_end_matches('0');
        Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
    }
}

//! Brute force: an exhaustive trial of all rotations, as a reference for the sweep.

use std::error::Error;
use std::fmt;

use super::board::{Case, Rotation};

/// Tries every rotation once and returns the largest number of rockets that start, with a rotation
/// that starts them.
///
/// Tests check the sweep against this function, which shares nothing with it but
/// [`Case::fire`]. Each block except the cross has 2 to 4 turns, so boards of more than ten cells
/// are out of reach.
///
/// ```
/// use secateurs::problems::rocket_mania::{Mode, rotate_all};
///
/// let case = &Mode::Plus.cases("L-\nTT\n")?[0];
/// assert_eq!(rotate_all(case, 1000)?.0, 2);
/// let error = rotate_all(case, 100).unwrap_err();
/// assert_eq!(error.to_string(), "found 128 rotations, expected at most 100");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are more than `at_most` rotations; none is tried then.
pub fn rotate_all(case: &Case, at_most: u64) -> Result<(usize, Rotation), TooManyRotations> {
    let turns: Vec<Vec<_>> =
        case.board().blocks().iter().map(|block| block.turns().collect()).collect();
    let all =
        turns.iter().try_fold(1_u64, |product, turns| product.checked_mul(turns.len() as u64));
    if all.is_none_or(|all| all > at_most) {
        return Err(TooManyRotations { found: all, at_most });
    }
    let mut rotation = Rotation::unturned(case.board());
    let mut best = (case.fire(&rotation).count(), rotation.clone());
    // Counts like an odometer with one wheel per block.
    let mut wheels = vec![0; turns.len()];
    loop {
        let Some(wheel) = (0..wheels.len()).find(|&wheel| wheels[wheel] + 1 < turns[wheel].len())
        else {
            return Ok(best);
        };
        for (back, wheel) in wheels[..wheel].iter_mut().enumerate() {
            *wheel = 0;
            rotation.sides_mut()[back] = turns[back][0];
        }
        wheels[wheel] += 1;
        rotation.sides_mut()[wheel] = turns[wheel][wheels[wheel]];
        let rockets = case.fire(&rotation).count();
        if rockets > best.0 {
            best = (rockets, rotation.clone());
        }
    }
}

/// The error of [`rotate_all`] for a board with too many rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyRotations {
    /// The number of rotations; `None` if it does not fit in 64 bits.
    pub found: Option<u64>,
    /// The largest number that was allowed.
    pub at_most: u64,
}

impl fmt::Display for TooManyRotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            Some(found) => write!(f, "found {found} rotations, expected at most {}", self.at_most),
            None => write!(f, "found more than 2^64 rotations, expected at most {}", self.at_most),
        }
    }
}

impl Error for TooManyRotations {}

//! The oracle: every way of turning every block, tried one by one.

use std::error::Error;
use std::fmt;

use super::board::{Case, Rotation};

/// Tries all rotations, each once, and gives one by which the most rockets start, with their
/// number.
///
/// This is what the sweep is checked against: it shares nothing with it but the [fire](Case::fire).
/// There are 2 to 4 rotations of each block but the cross, so that boards of more than ten cells
/// are out of its reach.
///
/// ```
/// use secateurs::problems::rocket_mania::{Mode, rotate_all};
///
/// let case = &Mode::Plus.cases("L-\nTT\n")?[0];
/// assert_eq!(rotate_all(case, 1000)?.0, 2);
/// assert_eq!(rotate_all(case, 100).unwrap_err().to_string(), "found 128 rotations, expected at most 100");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are more than `at_most` rotations; nothing is tried then.
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
    // An odometer, whose wheels are the blocks.
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

/// There are too many rotations to try them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyRotations {
    /// How many there are; `None` if more than 64 bits hold.
    pub found: Option<u64>,
    /// How many there may be.
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

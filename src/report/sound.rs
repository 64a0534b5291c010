//! Figures that come from outside: none so large that adding them up, with as many again, could
//! overflow.

use serde::de::{Deserialize, Deserializer, Error};

use super::{Cuts, Level};

/// Nobody counts so far.
const TOO_MANY: u64 = 1 << 63;

fn checked<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    figures: impl Fn(&T) -> [u64; 5],
) -> Result<Vec<T>, D::Error> {
    let all = Vec::<T>::deserialize(deserializer)?;
    let mut sum = 0u64;
    for figure in all.iter().flat_map(figures) {
        sum = sum.saturating_add(figure);
    }
    if sum < TOO_MANY {
        Ok(all)
    } else {
        Err(D::Error::custom("a report that counts more than any run can"))
    }
}

pub(super) fn levels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Level>, D::Error> {
    checked(deserializer, |level: &Level| {
        let Level { nodes, solutions, dead_ends, transitions, merged } = *level;
        [nodes, solutions, dead_ends, transitions, merged]
    })
}

pub(super) fn cuts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Cuts>, D::Error> {
    checked(deserializer, |cuts: &Cuts| [cuts.admit, cuts.enter, 0, 0, 0])
}

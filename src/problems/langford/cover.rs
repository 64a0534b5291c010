//! Langford pairs as an exact cover.

use std::fmt;

use super::Langford;
use crate::cover::{Cover, CoverBuilder, CoverError, Representatives};
use crate::hook::Hook;

impl Langford {
    /// The problem as an exact cover.
    #[must_use]
    pub fn cover(self) -> LangfordCover {
        let pairs: Vec<(usize, usize)> = (1..=self.numbers)
            .flat_map(|number| self.firsts(number).map(move |first| (number, first)))
            .collect();
        match build(self.numbers, &pairs) {
            Ok(cover) => LangfordCover { langford: self, cover, pairs },
            Err(error) => unreachable!(
                "numbers and places have names of their own, and there are few: {error}"
            ),
        }
    }
}

fn build(numbers: usize, pairs: &[(usize, usize)]) -> Result<Cover, CoverError> {
    let mut builder = CoverBuilder::new();
    for number in 1..=numbers {
        builder.primary(&number.to_string())?;
    }
    for place in 1..=2 * numbers {
        builder.primary(&format!("s{place}"))?;
    }
    for &(number, first) in pairs {
        let second = first + number + 1;
        builder
            .option_of([number - 1, numbers + first, numbers + second].map(|item| (item, None)))?;
    }
    Ok(builder.build())
}

/// Langford pairs as an exact cover: what [`Langford::cover`] gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LangfordCover {
    langford: Langford,
    cover: Cover,
    /// The number of each option, and the first of its two places, from 0.
    pairs: Vec<(usize, usize)>,
}

impl LangfordCover {
    /// The cover, to be searched.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The row that these options make, with a 0 in places that they leave open.
    ///
    /// # Panics
    ///
    /// If there is no option of one of these numbers.
    #[must_use]
    pub fn row(&self, options: &[usize]) -> Vec<usize> {
        let mut row = vec![0; 2 * self.langford.numbers];
        for &option in options {
            let (number, first) = self.pairs[option];
            row[first] = number;
            row[first + number + 1] = number;
        }
        row
    }

    /// A hook that finds one of each row and its reversal, and counts it twice.
    ///
    /// The pair of the largest odd number, which is never its own mirror image, stays in the left
    /// half (as Knuth does it: 2022, 7.2.2.1, exercise 15).
    #[must_use]
    pub fn reversal(&self) -> impl Hook<Cover> + Clone + Send + fmt::Debug + '_ {
        let langford = self.langford;
        Representatives::new("reversal", move |_, option| {
            let (number, first) = self.pairs[option];
            match number == langford.special() {
                true if first < langford.mirrored(number, first) => 2,
                true => 0,
                false => 1,
            }
        })
        .parameters(&())
    }
}

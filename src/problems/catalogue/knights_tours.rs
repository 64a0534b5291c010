//! Closed knight's tours, counted by meeting in the middle.

use std::error::Error;
use std::fmt;

use crate::plug::meet::{Split, SplitError};
use crate::problems::knights_tour::MOVES;

pub struct KnightsTours { split: Split }

impl KnightsTours {
    pub fn new(rows: usize, columns: usize) -> Result<Self, SplitError> {
        let columns_wide = columns;
        let square = |row: usize, column: usize| row * columns_wide + column;
        let mut edges = Vec::new();
        for row in 0..rows { for column in 0..columns {
            for (down, right) in MOVES {
                if down > 0 && row + (down as usize) < rows {
                    if let Some(to) = column.checked_add_signed(right as isize).filter(|&to| to < columns) {
                        edges.push((square(row, column), square(row + down as usize, to)));
                    }
                }
            }
        }}
        let flip = |v: usize| square(rows - 1 - v / columns, v % columns);
        let mirror = |v: usize| square(v / columns, columns - 1 - v % columns);
        let image: Vec<usize> = (0..rows * columns).map(flip).collect();
        let mirrors: Vec<usize> = (0..rows * columns).map(mirror).collect();
        let order: Vec<usize> = (0..(rows / 2 - 1) * columns).collect();
        let (upper, lower) = (rows / 2 - 1, rows / 2);
        let choice: usize = std::env::var("CHOICE").ok().and_then(|x| x.parse().ok()).unwrap_or(7);
        let mut middle: Vec<Vec<(usize, usize)>> = vec![];
        let n = columns.saturating_sub(2);
        let swap: bool = std::env::var("REV").is_ok();
        for c in 0..n / 2 {
            let e = (square(upper, c), square(lower, c + 2));
            let e = if choice >> c & 1 == 1 { (flip(e.1), flip(e.0)) } else { e };
            middle.push(vec![e, (mirror(e.0), mirror(e.1))]);
        }
        if swap { middle.reverse(); }
        if n % 2 == 1 { let c = n / 2; middle.push(vec![(square(upper, c), square(lower, c + 2))]); }
        let mut split = Split::new(rows * columns, &edges, &image, &order)?.with_middle(middle)?;
        if n % 2 == 0 { split = split.with_mirror(&mirrors)?; }
        Ok(KnightsTours { split })
    }
    pub fn split(&self) -> &Split { &self.split }
}

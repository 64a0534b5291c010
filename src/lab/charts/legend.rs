//! What the colours of a chart mean.

use super::canvas::{Anchor, Canvas, Colour, fitted, width_of};

/// A row's height.
const ROW: i32 = 24;
/// The width of the widest name.
const NAME: i32 = 230;

/// Colours with their names, in as many rows as they need.
pub(super) struct Legend {
    keys: Vec<Key>,
    rows: i32,
}

struct Key {
    colour: Colour,
    name: String,
    left: i32,
    row: i32,
}

impl Legend {
    pub(super) fn new<'n>(names: impl Iterator<Item = (Colour, &'n str)>, width: i32) -> Self {
        let (mut left, mut row) = (10, 0);
        let mut keys = Vec::new();
        for (colour, name) in names {
            let name = fitted(name, NAME);
            let own = 20 + width_of(&name) + 18;
            if left > 10 && left + own > width {
                (left, row) = (10, row + 1);
            }
            keys.push(Key { colour, name, left, row });
            left += own;
        }
        Legend { keys, rows: row + 1 }
    }

    pub(super) fn height(&self) -> i32 {
        ROW * self.rows + 6
    }

    pub(super) fn draw(&self, canvas: &Canvas<'_>, top: i32) {
        for Key { colour, name, left, row } in &self.keys {
            let middle = top + ROW / 2 + ROW * row;
            canvas.bar((*left, middle - 7), (left + 14, middle + 7), *colour);
            canvas.text(name, (left + 20, middle), Anchor::Left, Colour::Ink);
        }
    }
}

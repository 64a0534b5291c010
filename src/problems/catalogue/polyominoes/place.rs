//! Where the cells of the sweep lie, box after box.

/// A cell of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The width of its box.
    pub(super) width: usize,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// The boxes of all widths, each so high as a polyomino of so many cells can be that is no wider
/// than it is high: a polyomino of `w` columns and `h` rows has at least `w + h − 1` cells.
pub(super) fn places(cells: usize) -> Vec<Place> {
    let of_width = |width| {
        let height = cells + 1 - width;
        (0..height).flat_map(move |row| (0..width).map(move |column| Place { width, row, column }))
    };
    (1..=cells.div_ceil(2)).flat_map(of_width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_no_wider_than_high() {
        assert_eq!(places(0), []);
        assert_eq!(places(1), [Place { width: 1, row: 0, column: 0 }]);
        // 1 × 4 and 2 × 3.
        assert_eq!(places(4).len(), 4 + 6);
        assert_eq!(places(4).last(), Some(&Place { width: 2, row: 2, column: 1 }));
    }
}

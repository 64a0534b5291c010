//! Segments: the maximal runs of empty cells in a row or in a column.
//!
//! A bunker controls exactly the segment of its row and the segment of its column, so two bunkers
//! see each other if and only if they share a segment. An empty cell is thus an *edge* between its
//! two segments, a placement is a *matching*, and everything else in this module speaks of segments
//! rather than of rows and columns.

/// The directions in which bunkers see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Along rows.
    Row,
    /// Along columns.
    Column,
}

/// A maximal run of empty cells in a row or in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    axis: Axis,
    start: usize,
    length: usize,
    stride: usize,
}

impl Segment {
    /// Whether the segment lies in a row or in a column.
    #[must_use]
    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// The number of its cells, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "no segment is empty")]
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Its cell at `offset`, counted from the left or from the top.
    #[inline]
    pub(super) fn cell(&self, offset: usize) -> usize {
        self.start + offset * self.stride
    }

    /// The numbers of its cells, from left to right or from top to bottom.
    #[inline]
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + use<> {
        let Segment { start, length, stride, .. } = *self;
        (0..length).map(move |offset| start + offset * stride)
    }
}

/// Stands for the segments of a wall.
const NOWHERE: usize = usize::MAX;

/// All segments of a board, numbered: those of the rows first, row by row, then those of the
/// columns, column by column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segments {
    all: Vec<Segment>,
    in_rows: usize,
    of: Vec<[usize; 2]>,
}

impl Segments {
    /// The segments of a board of the given size. Cost: the number of cells.
    pub(super) fn new(rows: usize, columns: usize, is_wall: impl Fn(usize) -> bool) -> Self {
        let mut segments =
            Segments { all: Vec::new(), in_rows: 0, of: vec![[NOWHERE; 2]; rows * columns] };
        if segments.of.is_empty() {
            return segments; // the other side may be of any length
        }
        for row in 0..rows {
            segments.cut(Axis::Row, row * columns, columns, 1, &is_wall);
        }
        segments.in_rows = segments.all.len();
        for column in 0..columns {
            segments.cut(Axis::Column, column, rows, columns, &is_wall);
        }
        segments
    }

    /// Cuts one row or column into its segments.
    fn cut(
        &mut self,
        axis: Axis,
        first: usize,
        length: usize,
        stride: usize,
        is_wall: &impl Fn(usize) -> bool,
    ) {
        let mut run = 0;
        for offset in 0..length {
            let cell = first + offset * stride;
            if is_wall(cell) {
                run = 0;
                continue;
            }
            if run == 0 {
                self.all.push(Segment { axis, start: cell, length: 0, stride });
            }
            run += 1;
            let last = self.all.len() - 1;
            self.all[last].length = run;
            self.of[cell][axis as usize] = last;
        }
    }

    /// The number of segments, of rows and columns together.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is no segment: no empty cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The number of segments along `axis`.
    #[must_use]
    pub fn along(&self, axis: Axis) -> usize {
        match axis {
            Axis::Row => self.in_rows,
            Axis::Column => self.all.len() - self.in_rows,
        }
    }

    /// The segment of this number.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    #[inline]
    pub fn get(&self, segment: usize) -> &Segment {
        &self.all[segment]
    }

    /// The numbers of the two segments of a cell, the row's first, or `None` if it is a wall.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    #[must_use]
    pub fn of(&self, cell: usize) -> Option<[usize; 2]> {
        let of = self.of[cell];
        (of[0] != NOWHERE).then_some(of)
    }

    /// The numbers of the two segments of a cell that is known to be empty.
    #[inline]
    pub(super) fn both(&self, cell: usize) -> [usize; 2] {
        self.of[cell]
    }

    /// The other segment of a cell of `segment`.
    #[inline]
    pub(super) fn other(&self, segment: usize, cell: usize) -> usize {
        let [row, column] = self.of[cell];
        if row == segment { column } else { row }
    }
}

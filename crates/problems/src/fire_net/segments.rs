//! Segments: the maximal runs of empty cells in a row or in a column.
//!
//! A bunker sees exactly the cells of its row segment and of its column segment, so two bunkers see
//! each other if and only if they share a segment. An empty cell is thus an *edge* between its two
//! segments, and a placement is a *matching*. All other files of this folder work with segments
//! instead of rows and columns.

/// A direction of segments.
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
    /// Returns whether the segment lies in a row or in a column.
    #[must_use]
    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// Returns the number of cells, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "no segment is empty")]
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns the cell at `offset`, counted from the left or from the top.
    #[inline]
    pub(super) fn cell(&self, offset: usize) -> usize {
        self.start + offset * self.stride
    }

    /// Returns the numbers of the cells, from left to right or from top to bottom.
    #[inline]
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + use<> {
        let Segment { start, length, stride, .. } = *self;
        (0..length).map(move |offset| start + offset * stride)
    }
}

/// The segment number of a wall, which has no segment.
const NO_SEGMENT: usize = usize::MAX;

/// All segments of a board, numbered: first those of the rows, row by row, then those of the
/// columns, column by column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segments {
    all: Vec<Segment>,
    /// The number of row segments.
    row_segments: usize,
    /// By cell: its row segment and its column segment.
    of_cell: Vec<[usize; 2]>,
}

impl Segments {
    /// Computes the segments of a board of the given size. Takes time linear in the number of
    /// cells.
    pub(super) fn new(rows: usize, columns: usize, is_wall: impl Fn(usize) -> bool) -> Self {
        let of_cell = vec![[NO_SEGMENT; 2]; rows * columns];
        let mut segments = Segments { all: Vec::new(), row_segments: 0, of_cell };
        if segments.of_cell.is_empty() {
            // One side is 0; the other may be too long for a loop over it.
            return segments;
        }
        for row in 0..rows {
            segments.cut(Axis::Row, row * columns, columns, 1, &is_wall);
        }
        segments.row_segments = segments.all.len();
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
        let mut run_length = 0;
        for offset in 0..length {
            let cell = first + offset * stride;
            if is_wall(cell) {
                run_length = 0;
                continue;
            }
            if run_length == 0 {
                self.all.push(Segment { axis, start: cell, length: 0, stride });
            }
            run_length += 1;
            let last = self.all.len() - 1;
            self.all[last].length = run_length;
            self.of_cell[cell][axis as usize] = last;
        }
    }

    /// Returns the number of segments, of rows and columns together.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether there is no segment, that is, no empty cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the number of segments along `axis`.
    #[must_use]
    pub fn along(&self, axis: Axis) -> usize {
        match axis {
            Axis::Row => self.row_segments,
            Axis::Column => self.all.len() - self.row_segments,
        }
    }

    /// Returns the segment of this number.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment.
    #[must_use]
    #[inline]
    pub fn get(&self, segment: usize) -> &Segment {
        &self.all[segment]
    }

    /// Returns the numbers of the row segment and of the column segment of a cell, or `None` if it
    /// is a wall.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cell.
    #[must_use]
    pub fn of(&self, cell: usize) -> Option<[usize; 2]> {
        let both = self.of_cell[cell];
        (both[0] != NO_SEGMENT).then_some(both)
    }

    /// Returns the numbers of the two segments of a cell that is known to be empty.
    #[inline]
    pub(super) fn both(&self, cell: usize) -> [usize; 2] {
        self.of_cell[cell]
    }

    /// Returns the segment that crosses `segment` at a cell of it.
    #[inline]
    pub(super) fn other(&self, segment: usize, cell: usize) -> usize {
        let [row, column] = self.of_cell[cell];
        if row == segment { column } else { row }
    }
}

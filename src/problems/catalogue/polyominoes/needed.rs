//! How many cells are needed at least to complete a polyomino.

use super::Place;
use crate::plug::code::{Labels, Word};

/// Labels of components are below this.
const LABELS: usize = 16;

/// At least so many more cells are needed to connect all components, to touch the left and the
/// right side of the box, and to be as high as wide. The cell at `place` is the last one that has
/// been swept; there must be a component.
///
/// # Why it is right
///
/// Order the cells to come so that each has a neighbour among those that are there by then. Three
/// kinds of them are counted, and no cell is of two kinds:
///
/// - the first one in a *column without a plug* that is needed: one beyond the outermost plugs,
///   towards a side that is to be touched, or one in a gap between two components. There is nothing
///   above such a cell, and nothing below it, so its neighbour is in its row;
/// - the first one in a *row* that is needed. Its neighbour is above it;
/// - the first one below a plug. If there are two components or more, each needs one, but for the
///   component of the last cell, which may go on beside it. Such a cell may be the first one of a
///   row, but its column has a plug.
///
/// Every gap must be filled from one side to the other, with one exception. If components lie
/// within another one, between two of its plugs, a gap may be left open there, the widest: what
/// lies before it is connected with the one plug, and what lies behind it with the other. If two
/// gaps were left open, what lies between them could not be reached.
pub(super) fn cells_needed<W: Word>(place: Place, labels: Labels<W>, touches: [bool; 2]) -> usize {
    let mut plugs = (0..place.width).filter(|&column| labels.get(column) != 0);
    let Some(first) = plugs.next() else { return 0 };
    let last = plugs.next_back().unwrap_or(first);

    let outside = [first, place.width - 1 - last];
    let sides: usize = outside
        .into_iter()
        .zip(touches)
        .filter(|&(_, touches)| !touches)
        .map(|(cells, _)| cells)
        .sum();
    let (gaps, components) = gaps(labels, first, last);
    let below =
        if components > 1 { components - usize::from(labels.get(place.column) != 0) } else { 0 };
    let reaches_row = (first..=place.column).any(|column| labels.get(column) != 0);
    let height = place.row + usize::from(reaches_row);
    sides + gaps + below.max(place.width.saturating_sub(height))
}

/// How many cells gaps need to be filled, and how many components there are.
fn gaps<W: Word>(labels: Labels<W>, first: usize, last: usize) -> (usize, usize) {
    let mut ends = [0; LABELS];
    let mut components = 0;
    for column in first..=last {
        let label = usize::from(labels.get(column));
        components = components.max(label);
        ends[label] = column;
    }
    if components == 1 {
        return (0, 1);
    }
    // The components that the sweep along the contour is within, the innermost last; and of each
    // the widest gap since its last plug, of those that are not within other components.
    let (mut within, mut depth) = ([0; LABELS], 0);
    let mut widest = [0; LABELS];
    let mut needed = 0;
    let mut previous = first;
    for column in first..=last {
        let label = usize::from(labels.get(column));
        if label == 0 {
            continue;
        }
        let gap = (column - previous).saturating_sub(1);
        previous = column;
        while depth > 0 && ends[within[depth - 1]] < column {
            depth -= 1;
        }
        needed += gap;
        if depth > 0 {
            let around = within[depth - 1];
            widest[around] = gap.max(widest[around]);
            if around == label {
                needed -= std::mem::take(&mut widest[label]);
                continue;
            }
        }
        within[depth] = label;
        depth += 1;
    }
    (needed, components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_between_and_within_components() {
        for (code, needed) in [
            ("1", (0, 1)),
            ("1..1", (0, 1)),
            ("1..2", (2, 2)),
            ("1..2.3", (3, 3)),
            ("1..2.1", (1, 2)),
            ("1..2..1.3", (2 + 1, 3)),
            ("1..2.3.2...1", (2 + 1, 3)),
            ("1.1..2", (2, 2)),
            ("12", (0, 2)),
            ("1.2...1..3..1", (1 + 2, 3)),
        ] {
            let labels: Labels = code.parse().expect("a code");
            let first = 0;
            assert_eq!(gaps(labels, first, labels.len() - 1), needed, "{code}");
        }
    }
}

//! Paths and loops on a grid, by one rule a cell: [`Strands`].

use super::{Drawing, Grid, Sides};
use crate::plug::code::{Parentheses, Symbol};
use crate::plug::motzkin::{CellRule, Closing, FINISHED, MotzkinProblem, Piece, Side, step};
use crate::plug::{ContourProblem, TooWide};

/// Which states make a solution after the last cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// A loop that was the only one.
    OneLoop,
    /// No path is left open.
    NothingOpen,
    /// The path goes out of the board through the goal, the last cell.
    Out,
}

/// Paths or loops on a [`Grid`]: what [`hamiltonian_cycles`](super::hamiltonian_cycles) and its kin
/// give.
///
/// States are [`Parentheses`], labels say by which plugs the path comes into a cell and goes out of
/// it ([`Strands::sides`] tells the neighbours). A path between two corners has only the edges
/// between its cells: none leads into its first cell, and none out of its last one. All that makes
/// one problem different from the other is a [`CellRule`] for each cell, which is kept ready, and
/// what is accepted in the end.
#[derive(Clone, Debug)]
pub struct Strands {
    grid: Grid,
    rules: Vec<CellRule>,
    /// The lower one of the two plugs that each cell reads.
    plugs: Vec<usize>,
    goal: Goal,
}

impl Strands {
    fn new(grid: &Grid, rules: Vec<CellRule>, goal: Goal) -> Self {
        let plugs = (0..rules.len()).map(|cell| grid.plug(cell)).collect();
        Strands { grid: grid.clone(), rules, plugs, goal }
    }

    /// Loops of which `rule` says what each free cell does with them, given its number. If there
    /// may be but one loop, cells close it as the last one.
    pub(super) fn loops(
        grid: &Grid,
        only_one: bool,
        rule: impl Fn(usize, CellRule) -> CellRule,
    ) -> Self {
        let goal = if only_one { Goal::OneLoop } else { Goal::NothingOpen };
        Strands::new(grid, rules(grid, rule), goal)
    }

    /// Paths from the top left corner to the bottom right one; `may_skip` says whether other cells
    /// may be left out.
    ///
    /// The path comes into the start from outside, as a loose end. If the number of lines is odd,
    /// the goal is the last cell to be swept, and the path goes out of it. If it is even, the last
    /// line is swept backward, and the goal is its first cell: there a `)` comes in from outside,
    /// the mate of the loose end, and the path closes like a loop that leads through the outside.
    pub(super) fn corner_to_corner(grid: &Grid, may_skip: bool) -> Self {
        let mut rules = rules(grid, |_, rule| CellRule { skip: may_skip, ..rule });
        rules[0].entrance = Some((Side::Low, Symbol::Open));
        let goal = grid.cell(grid.rows() - 1, grid.columns() - 1);
        let goes_out = grid.lines() % 2 == 1;
        if goes_out {
            rules[goal].high = rules[goal].visit;
        } else {
            rules[goal].entrance = Some((Side::High, Symbol::Close));
            rules[goal..].iter_mut().for_each(|rule| rule.closing = Closing::Last);
        }
        Strands::new(grid, rules, if goes_out { Goal::Out } else { Goal::OneLoop })
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// A solution given by the labels of all cells, to be drawn.
    #[must_use]
    pub fn draw(&self, labels: &[Piece]) -> Drawing {
        Drawing::new(&self.grid, labels)
    }

    /// The neighbours of a cell that the path comes from and goes to, by the label of the cell's
    /// transition.
    #[must_use]
    pub fn sides(&self, cell: usize, piece: Piece) -> Sides {
        let sides = [Side::Low, Side::High];
        self.grid.sides(
            cell,
            sides.map(|side| piece.came_by(side)),
            sides.map(|side| piece.goes_by(side)),
        )
    }
}

/// The rules of all cells: `rule` is asked about the free ones.
fn rules(grid: &Grid, rule: impl Fn(usize, CellRule) -> CellRule) -> Vec<CellRule> {
    let of_cell = |cell| {
        let (row, column) = grid.position(cell);
        let [low, high] = grid.ahead(cell);
        if grid.is_free(row, column) {
            rule(cell, CellRule::visited(low, high))
        } else {
            CellRule::OBSTACLE
        }
    };
    (0..grid.cells()).map(of_cell).collect()
}

impl ContourProblem for Strands {
    type State = Parentheses;
    type Label = Piece;

    fn cells(&self) -> usize {
        self.rules.len()
    }

    fn start(&self) -> Parentheses {
        Parentheses::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Parentheses, emit: &mut impl FnMut(Parentheses, Piece)) {
        let (rule, plug) = (self.rules[cell], self.plugs[cell]);
        if self.goal == Goal::Out && cell + 1 == self.rules.len() {
            // Beyond the goal, the path is on the contour but no more on the board. A call of its
            // own, as a test in the one below would cost a tenth of a sweep.
            step(rule, plug, state, &mut |word, piece| {
                emit(word, piece.without_going_by(Side::High))
            });
        } else {
            step(rule, plug, state, emit);
        }
    }

    fn accept(&self, state: Parentheses) -> bool {
        match self.goal {
            Goal::OneLoop => state == FINISHED,
            Goal::NothingOpen => state.is_empty(),
            Goal::Out => state == Parentheses::EMPTY.with(self.grid.width(), Symbol::Open),
        }
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Parentheses::<u64>::fits(self.grid.plugs())
    }

    /// A cell changes two plugs, and what is beside them only from one end of a path to the other:
    /// where there are plugs stays as it is. The sweep goes to and fro, so it takes a line's length
    /// of cells to be done with one half of the contour.
    #[inline]
    fn region(&self, cell: usize, state: Parentheses) -> Option<u64> {
        let middle = self.grid.width() / 2;
        let far = if self.plugs[cell] >= middle {
            state.occupied_below(middle)
        } else {
            state.occupied_from(middle + 1)
        };
        Some(far)
    }
}

impl MotzkinProblem for Strands {
    fn plugs(&self) -> usize {
        self.grid.plugs()
    }

    fn low(&self, cell: usize) -> usize {
        self.plugs[cell]
    }

    fn rule(&self, cell: usize) -> CellRule {
        self.rules[cell]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::problems::catalogue::hamiltonian_cycles;

    /// The cells in which the region of some state becomes another, and how many regions there are.
    fn changes(rows: usize, columns: usize) -> (Vec<usize>, usize) {
        let cycles = hamiltonian_cycles(&Grid::new(rows, columns).expect("a board"));
        let mut layer = HashSet::from([cycles.start()]);
        let (mut changes, mut regions) = (Vec::new(), HashSet::new());
        for cell in 0..cycles.cells() {
            let mut next = HashSet::new();
            let mut stays = true;
            for state in layer {
                let before = cell.checked_sub(1).and_then(|before| cycles.region(before, state));
                cycles.step(cell, state, &mut |after, _| {
                    let region = cycles.region(cell, after);
                    stays &= before.is_none() || after == FINISHED || region == before;
                    regions.insert(region);
                    next.insert(after);
                });
            }
            if !stays {
                changes.push(cell);
            }
            layer = next;
        }
        (changes, regions.len())
    }

    #[test]
    fn regions_stay_for_the_length_of_a_line() {
        let (at, regions) = changes(8, 6);
        assert!(at.len() <= 8 && at.windows(2).all(|pair| pair[1] - pair[0] >= 6), "{at:?}");
        assert!(regions > 8, "{regions}");
        let (at, _) = changes(5, 4);
        assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= 4), "{at:?}");
    }
}

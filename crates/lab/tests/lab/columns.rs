//! Queens as lists of columns, so that a state identifies its solution, with sound and unsound
//! mirrors.

use std::iter;

use secateurs::{Branch, Effect, Hook, Node, Problem, Verdict, hook};

/// A symmetry, which maps the size of the board, a row and a column to a row and a column.
pub type Symmetry = fn(usize, usize, usize) -> (usize, usize);

/// Returns a function that computes the least image of a solution, including itself.
pub fn least_image(images: &[Symmetry]) -> impl Fn(&[usize]) -> Vec<usize> {
    let images = images.to_vec();
    move |columns| {
        let size = columns.len();
        let image = |image: &Symmetry| {
            let mut mapped = vec![0; size];
            for (row, &column) in columns.iter().enumerate() {
                let (row, column) = image(size, row, column);
                mapped[row] = column;
            }
            mapped
        };
        images.iter().map(image).chain(iter::once(columns.to_vec())).min().unwrap_or_default()
    }
}

pub const MIRROR: [Symmetry; 1] = [|size, row, column| (row, size - 1 - column)];

/// The problem of n queens. A state is the list of the columns of its queens.
#[derive(Clone, Debug)]
pub struct Columns {
    pub size: usize,
    /// A column in which undoing a queen of the last row wrongly keeps it.
    pub leaks_at: Option<usize>,
}

impl Columns {
    pub fn new(size: usize) -> Self {
        Columns { size, leaks_at: None }
    }
}

impl Problem for Columns {
    type State = Vec<usize>;
    type Cursor = usize;
    type Choice = usize;
    type Undo = ();
    fn root(&self) -> Vec<usize> {
        Vec::new()
    }
    fn branch(&self, state: &Vec<usize>) -> Branch<usize> {
        if state.len() == self.size { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, state: &Vec<usize>, cursor: &mut usize) -> Option<usize> {
        let is_safe = |column: usize| {
            state
                .iter()
                .rev()
                .zip(1..)
                .all(|(&other, rows)| other != column && other.abs_diff(column) != rows)
        };
        let column = (*cursor..self.size).find(|&column| is_safe(column))?;
        *cursor = column + 1;
        Some(column)
    }
    fn apply(&self, state: &mut Vec<usize>, &column: &usize) {
        state.push(column);
    }
    fn undo(&self, state: &mut Vec<usize>, &column: &usize, (): ()) {
        if self.leaks_at != Some(column) || state.len() != self.size {
            state.pop();
        }
    }
}

/// Returns a hook that prunes the queens that satisfy a test, given their row and column.
pub fn prunes(
    name: &'static str,
    effect: Effect,
    test: impl Fn(usize, usize) -> bool,
) -> impl Hook<Columns> {
    hook::admit(name, effect, move |node: &Node<'_, Columns>, &column: &usize| {
        Verdict::prune_if(test(node.depth(), column))
    })
}

/// An unsound mirror: for odd sizes it omits the middle column, where the first queen may stand as
/// well.
pub fn left_half_only(size: usize) -> impl Hook<Columns> {
    let is_right = move |row, column| row == 0 && column >= size / 2;
    prunes("left half", Effect::Representatives, is_right)
}

/// The sound mirror.
pub fn left_half_and_middle(size: usize) -> impl Hook<Columns> {
    let is_right = move |row, column| row == 0 && column >= size.div_ceil(2);
    prunes("left half and middle", Effect::Representatives, is_right)
}

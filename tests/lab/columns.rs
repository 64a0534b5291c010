//! Queens as lists of columns: the state says which solution it is. With mirrors, right and wrong.

use std::iter;

use secateurs::{Branch, Effect, Hook, Node, Problem, Verdict, hook};

/// Where a symmetry takes a square of a board of a size.
pub type Symmetry = fn(usize, usize, usize) -> (usize, usize);

/// The columns of a solution and of all its images; the least of them.
pub fn least_image(images: &[Symmetry]) -> impl Fn(&[usize]) -> Vec<usize> {
    let images = images.to_vec();
    move |columns| {
        let size = columns.len();
        let image = |image: &Symmetry| {
            let mut turned = vec![0; size];
            for (row, &column) in columns.iter().enumerate() {
                let (row, column) = image(size, row, column);
                turned[row] = column;
            }
            turned
        };
        images.iter().map(image).chain(iter::once(columns.to_vec())).min().unwrap_or_default()
    }
}

pub const MIRROR: [Symmetry; 1] = [|size, row, column| (row, size - 1 - column)];

/// Queens as lists of columns: the state says which solution it is.
#[derive(Clone, Debug)]
pub struct Columns {
    pub size: usize,
    /// Whether undoing a queen in this column forgets to take it away.
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

/// A mirror that forgets the middle column, where the first queen may stand as well.
pub fn left_half_only(size: usize) -> impl Hook<Columns> {
    hook::admit(
        "left half",
        Effect::Representatives,
        move |node: &Node<'_, Columns>, &column: &usize| {
            Verdict::prune_if(node.depth() == 0 && column >= size / 2)
        },
    )
}

/// The mirror that remembers it.
pub fn left_half_and_middle(size: usize) -> impl Hook<Columns> {
    hook::admit(
        "left half and middle",
        Effect::Representatives,
        move |node: &Node<'_, Columns>, &column: &usize| {
            Verdict::prune_if(node.depth() == 0 && column >= size.div_ceil(2))
        },
    )
}

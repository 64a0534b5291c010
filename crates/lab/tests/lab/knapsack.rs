//! A small contour problem with a solution for each set of items that fits.

use secateurs::plug::ContourProblem;

/// The sizes of the items, and the capacity.
pub struct Knapsack(pub Vec<u32>, pub u32);

impl ContourProblem for Knapsack {
    type State = u32;
    type Label = bool;
    fn cells(&self) -> usize {
        self.0.len()
    }
    fn start(&self) -> u32 {
        self.1
    }
    fn step(&self, cell: usize, room: u32, emit: &mut impl FnMut(u32, bool)) {
        emit(room, false);
        if let Some(room) = room.checked_sub(self.0[cell]) {
            emit(room, true);
        }
    }
    fn accept(&self, _: u32) -> bool {
        true
    }
}

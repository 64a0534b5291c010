//! Windows of tasks with a start variable and a fixed duration, shared by the scheduling
//! constraints.

use crate::{Domains, Pruned, Variable, Wipeout};

/// The representation of time 0. Times are represented by numbers that are not negative.
const TIME_ZERO: u64 = 1 << 62;

/// Tasks, each given by the variable of its start and its duration, which is not negative.
#[derive(Clone, Debug)]
pub(super) struct Tasks {
    pub(super) starts: Vec<Variable>,
    pub(super) durations: Vec<i32>,
}

/// A task with its window: earliest start, latest end, duration, latest start, and index.
pub(super) type Row = [u64; 5];

/// The direction in which time is read. A rule is stated forwards, and applied in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    /// Time is mirrored: a window begins with the latest end.
    Backward,
}

impl Direction {
    /// Returns a window as it is read in this direction, or what was read as a window.
    #[inline]
    fn window(self, start: u64, end: u64) -> (u64, u64) {
        match self {
            Direction::Forward => (start, end),
            Direction::Backward => (mirrored(end), mirrored(start)),
        }
    }
}

/// Returns the time as far before time 0 as `time` is after it.
#[inline]
pub(super) fn mirrored(time: u64) -> u64 {
    2 * TIME_ZERO - time
}

/// Returns all bits if `condition` holds, and none otherwise. An unpredictable branch would cost
/// more.
#[inline]
pub(super) fn mask(condition: bool) -> u64 {
    u64::from(condition).wrapping_neg()
}

impl Tasks {
    /// The number of words of a row.
    pub(super) const ROW_WORDS: usize = 5;

    /// Returns the representation of a time, between 2⁶² − 2³¹ and 2⁶² + 2³¹.
    #[inline]
    pub(super) fn time(time: i32) -> u64 {
        TIME_ZERO.wrapping_add_signed(time.into())
    }

    /// Numbers the rows of all tasks before the first call of [`load`](Self::load).
    pub(super) fn number(rows: &mut [Row]) {
        rows.iter_mut().zip(0..).for_each(|(row, index)| *row = [0, 0, 0, 0, index]);
    }

    /// Reads the windows of the tasks into the rows, and sorts them by earliest start. Rows in the
    /// order of the last call save most of the sorting.
    #[inline]
    pub(super) fn load(&self, rows: &mut [Row], direction: Direction, domains: &Domains) -> Pruned {
        for place in 0..rows.len() {
            let index = rows[place][4];
            let variable = self.starts[index as usize];
            let Some((min, max)) = domains.bounds(variable) else { return Err(Wipeout(variable)) };
            let duration = i64::from(self.durations[index as usize]);
            let (start, end) =
                direction.window(Tasks::time(min), Tasks::time(max).wrapping_add_signed(duration));
            let duration = duration as u64;
            let mut target = place;
            while target > 0 && rows[target - 1][0] > start {
                rows[target] = rows[target - 1];
                target -= 1;
            }
            rows[target] = [start, end, duration, end - duration, index];
        }
        Ok(())
    }

    /// Restricts the window of a task.
    pub(super) fn narrow(
        &self,
        row: &Row,
        window: (u64, u64),
        direction: Direction,
        domains: &mut Domains,
    ) -> Pruned {
        narrow(self.starts[row[4] as usize], row, window, direction, domains)
    }
}

/// Restricts the window of the task with this start.
pub(super) fn narrow(
    variable: Variable,
    &[_, _, duration, ..]: &Row,
    (start, end): (u64, u64),
    direction: Direction,
    domains: &mut Domains,
) -> Pruned {
    let (least, end) = direction.window(start, end);
    let most = end - duration;
    if least > most {
        return Err(Wipeout(variable));
    }
    // Both lie between the bounds of the variable when the window was read.
    domains.at_least(variable, least.wrapping_sub(TIME_ZERO) as i32)?;
    domains.at_most(variable, most.wrapping_sub(TIME_ZERO) as i32)?;
    Ok(())
}

/// Divides rows into groups such that all tasks of a group end before those of the next one can
/// start. Tasks of different groups do not affect each other. Once most tasks are assigned, groups
/// are small.
pub(super) fn groups(mut rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    std::iter::from_fn(move || {
        let (first, others) = rows.split_first()?;
        let mut latest_end = first[1];
        let count = others.iter().take_while(|&&[start, end, ..]| {
            let is_in_group = start < latest_end;
            latest_end = latest_end.max(end);
            is_in_group
        });
        let (group, later) = rows.split_at(1 + count.count());
        rows = later;
        Some(group)
    })
}

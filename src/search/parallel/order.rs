//! The tree order of tasks that are divided while a run goes on.

use std::collections::HashMap;

/// The number of a task.
pub(super) type TaskId = u64;

/// A linked list of tasks in tree order.
///
/// A donation is the last part of the donor's work in tree order. Its place is therefore directly
/// behind the donor.
#[derive(Debug, Default)]
pub(super) struct TaskOrder {
    /// By task, its predecessor and its successor.
    neighbours: HashMap<TaskId, (Option<TaskId>, Option<TaskId>)>,
    first: Option<TaskId>,
    last: Option<TaskId>,
}

impl TaskOrder {
    pub(super) fn first(&self) -> Option<TaskId> {
        self.first
    }

    /// Returns all tasks in tree order.
    pub(super) fn iter(&self) -> impl Iterator<Item = TaskId> {
        std::iter::successors(self.first, |task| self.neighbours.get(task)?.1)
    }

    /// Inserts `task` behind all others.
    pub(super) fn push_last(&mut self, task: TaskId) {
        self.insert(self.last, task);
    }

    /// Inserts `task` directly behind another one, or before all others.
    pub(super) fn insert(&mut self, behind: Option<TaskId>, task: TaskId) {
        let next = match behind {
            None => self.first,
            Some(behind) => self.neighbours.get(&behind).and_then(|neighbours| neighbours.1),
        };
        self.neighbours.insert(task, (behind, next));
        self.link(behind, Some(task));
        self.link(Some(task), next);
    }

    /// Removes a task, if it is in the list.
    pub(super) fn remove(&mut self, task: TaskId) {
        if let Some((before, behind)) = self.neighbours.remove(&task) {
            self.link(before, behind);
        }
    }

    /// Makes two tasks neighbours; `None` stands for an end of the list.
    fn link(&mut self, before: Option<TaskId>, behind: Option<TaskId>) {
        match before.and_then(|task| self.neighbours.get_mut(&task)) {
            Some(neighbours) => neighbours.1 = behind,
            None => self.first = behind,
        }
        match behind.and_then(|task| self.neighbours.get_mut(&task)) {
            Some(neighbours) => neighbours.0 = before,
            None => self.last = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TaskOrder;

    #[test]
    fn insertion_and_removal_keep_the_order() {
        let mut order = TaskOrder::default();
        for task in 0..3 {
            order.push_last(task);
        }
        order.insert(Some(0), 3);
        order.insert(Some(2), 4);
        order.insert(None, 5);
        assert_eq!(order.iter().collect::<Vec<_>>(), [5, 0, 3, 1, 2, 4]);
        for task in [5, 4, 3] {
            order.remove(task);
        }
        assert_eq!(order.iter().collect::<Vec<_>>(), [0, 1, 2]);
        order.push_last(6);
        assert_eq!((order.first(), order.iter().last()), (Some(0), Some(6)));
        for task in [0, 1, 2, 6] {
            order.remove(task);
        }
        assert_eq!((order.first(), order.iter().count()), (None, 0));
    }
}

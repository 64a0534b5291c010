//! Lists, one a variable, in one array.

/// For each variable, a list of entries.
#[derive(Clone, Debug)]
pub(super) struct Adjacency<T> {
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy + Default> Adjacency<T> {
    /// The lists of `variables` variables; `each` is called twice, and calls its argument with each
    /// variable and entry.
    pub(super) fn new(variables: usize, each: impl Fn(&mut dyn FnMut(usize, T))) -> Self {
        let mut starts = vec![0; variables + 1];
        each(&mut |variable, _| starts[variable + 1] += 1);
        for variable in 0..variables {
            starts[variable + 1] += starts[variable];
        }
        let mut next = starts.clone();
        let mut entries = vec![T::default(); starts[variables] as usize];
        each(&mut |variable, entry| {
            entries[next[variable] as usize] = entry;
            next[variable] += 1;
        });
        Adjacency { starts, entries }
    }

    /// The list of a variable.
    #[inline]
    pub(super) fn of(&self, variable: usize) -> &[T] {
        &self.entries[self.starts[variable] as usize..self.starts[variable + 1] as usize]
    }

    /// Where the list of a variable begins, all lists lying one after the other.
    #[inline]
    pub(super) fn start(&self, variable: usize) -> usize {
        self.starts[variable] as usize
    }

    /// The length of all lists together.
    pub(super) fn total(&self) -> usize {
        self.entries.len()
    }
}

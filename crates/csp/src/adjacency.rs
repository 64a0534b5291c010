//! Lists of entries for each variable.

/// A list of entries for each variable, all lists in one array.
#[derive(Clone, Debug)]
pub(super) struct Adjacency<T> {
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy + Default> Adjacency<T> {
    /// Creates the lists of `variables` variables. `each` must pass every variable and entry to its
    /// argument; it is called twice, to count the entries and to store them.
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

    /// Returns the list of a variable.
    #[inline]
    pub(super) fn of(&self, variable: usize) -> &[T] {
        &self.entries[self.starts[variable] as usize..self.starts[variable + 1] as usize]
    }

    /// Returns the index of the first entry of a variable's list in the array of all lists.
    #[inline]
    pub(super) fn start(&self, variable: usize) -> usize {
        self.starts[variable] as usize
    }

    /// Returns the total length of all lists.
    pub(super) fn total(&self) -> usize {
        self.entries.len()
    }
}

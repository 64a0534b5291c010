//! Compact storage: interned values.

use std::borrow::Borrow;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// A table that stores each distinct value once and numbers it.
#[derive(Debug)]
pub(super) struct Interner<T> {
    numbers: FxHashMap<T, u32>,
    all: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { numbers: FxHashMap::default(), all: Vec::new() }
    }
}

impl<T: Hash + Eq + Clone> Interner<T> {
    /// Returns the number of a value, and whether it is new. Numbers start at 0.
    pub(super) fn number<Q>(&mut self, value: &Q) -> (u32, bool)
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = T> + ?Sized,
    {
        if let Some(&number) = self.numbers.get(value) {
            return (number, false);
        }
        // A recording has at most 2³⁰ nodes, with a few values each, so numbers fit.
        let number = self.all.len() as u32;
        let value = value.to_owned();
        self.numbers.insert(value.clone(), number);
        self.all.push(value);
        (number, true)
    }

    /// Returns all values, ordered by number.
    pub(super) fn all(&self) -> &[T] {
        &self.all
    }
}

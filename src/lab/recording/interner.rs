//! Things that come again and again, kept once and known by a number.

use std::borrow::Borrow;
use std::hash::Hash;

use rustc_hash::FxHashMap;

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
    /// The number of a thing, and whether it is new. Numbers are given out from 0.
    pub(super) fn number<Q>(&mut self, thing: &Q) -> (u32, bool)
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = T> + ?Sized,
    {
        if let Some(&number) = self.numbers.get(thing) {
            return (number, false);
        }
        // A recording has fewer nodes than this, and no more things than a few a node.
        let number = self.all.len() as u32;
        let thing = thing.to_owned();
        self.numbers.insert(thing.clone(), number);
        self.all.push(thing);
        (number, true)
    }

    /// All things, by their numbers.
    pub(super) fn all(&self) -> &[T] {
        &self.all
    }
}

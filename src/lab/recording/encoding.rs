//! Compact storage: interned values, and integers of variable length.

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

pub(super) fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front. Of bytes that end too early, what there is.
pub(super) fn take_number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 63 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::{put_number, take_number};

    #[test]
    fn what_is_put_is_taken() {
        let numbers = [0, 1, 127, 128, 300, 1 << 21, u64::from(u32::MAX), 1 << 62];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put_number(number, &mut bytes));
        let mut rest = &bytes[..];
        assert_eq!(numbers.map(|_| take_number(&mut rest)), numbers);
        assert!(rest.is_empty());
    }
}

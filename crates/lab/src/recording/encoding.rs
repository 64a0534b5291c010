//! Compact storage: interned values, and integers of variable length.

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

/// Appends an integer in as few bytes as possible: seven bits per byte, the lowest first (LEB128).
pub(super) fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Removes an integer from the front and returns it. If the bytes end too early, the missing bits
/// are 0.
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
    fn integers_are_read_back_as_written() {
        let numbers = [0, 1, 127, 128, 300, 1 << 21, u64::from(u32::MAX), 1 << 62];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put_number(number, &mut bytes));
        let mut rest = &bytes[..];
        assert_eq!(numbers.map(|_| take_number(&mut rest)), numbers);
        assert!(rest.is_empty());
    }
}

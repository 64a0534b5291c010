//! Whole numbers in as few bytes as they need: seven bits a byte, the lowest first (LEB128).

pub(super) fn put(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front. Of bytes that end too early, what there is.
pub(super) fn take(bytes: &mut &[u8]) -> u64 {
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
    use super::{put, take};

    #[test]
    fn what_is_put_is_taken() {
        let numbers = [0, 1, 127, 128, 300, 1 << 21, u64::from(u32::MAX), 1 << 62];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put(number, &mut bytes));
        let mut rest = &bytes[..];
        assert_eq!(numbers.map(|_| take(&mut rest)), numbers);
        assert!(rest.is_empty());
    }
}

//! The records of saved files, files of given records with correct lengths and checksums, and their
//! bytes as hexadecimal text.

use std::fmt::Write;

/// The length of the header, of the length of a record and of a checksum.
pub const HEADER: usize = 24;
const LENGTH: usize = 8;
const CHECKSUM: usize = 4;

/// Continues a CRC-32 (of Ethernet) with these bytes.
fn crc32(state: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(state, |state, &byte| {
        (0..8).fold(state ^ u32::from(byte), |state, _| {
            (state >> 1) ^ (0xedb8_8320 & (state & 1).wrapping_neg())
        })
    })
}

/// The data of the records of a file, without their lengths and checksums.
pub fn records(file: &[u8]) -> Vec<Vec<u8>> {
    let (mut records, mut at) = (Vec::new(), HEADER + CHECKSUM);
    loop {
        let length = file[at..at + LENGTH].try_into().expect("eight bytes");
        let length = u64::from_le_bytes(length) as usize;
        at += LENGTH + CHECKSUM;
        if length == 0 {
            return records;
        }
        records.push(file[at..at + length].to_vec());
        at += length + CHECKSUM;
    }
}

/// Returns a file with this header and these records, with correct lengths and checksums.
pub fn sealed(header: &[u8], records: &[Vec<u8>]) -> Vec<u8> {
    let (mut file, mut state) = (Vec::new(), u32::MAX);
    let mut write = |bytes: &[u8]| {
        state = crc32(state, bytes);
        file.extend_from_slice(bytes);
        file.extend_from_slice(&(!state).to_le_bytes());
    };
    write(header);
    for data in records.iter().filter(|data| !data.is_empty()) {
        write(&(data.len() as u64).to_le_bytes());
        write(data);
    }
    write(&[0; LENGTH]);
    file
}

pub fn from_hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

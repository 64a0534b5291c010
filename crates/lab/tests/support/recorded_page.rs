//! A decoder for pages of recordings that shares no code with the library.

use std::io::Read;

use base64::Engine as _;
use flate2::read::DeflateDecoder;

/// Returns the text of an element of the page.
pub fn element<'p>(page: &'p str, id: &str) -> &'p str {
    let start = page.find(&format!("<script id=\"{id}\"")).expect("the element");
    let start = start + page[start..].find('>').expect("the end of the tag") + 1;
    &page[start..start + page[start..].find("</script>").expect("the end of the element")]
}

/// Returns the sections of the compressed element.
pub fn sections(page: &str) -> Vec<Vec<u8>> {
    let packed = base64::engine::general_purpose::STANDARD
        .decode(element(page, "recording"))
        .expect("base64");
    let mut bytes = Vec::new();
    DeflateDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("deflate");
    let (mut at, mut sections) = (0, Vec::new());
    while at < bytes.len() {
        let length = number(&bytes, &mut at);
        sections.push(bytes[at..at + length].to_vec());
        at += length;
    }
    sections
}

/// Reads a number of seven bits per byte, the lowest first, and advances the position.
fn number(bytes: &[u8], at: &mut usize) -> usize {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        number |= usize::from(byte % 128) << shift;
        shift += 7;
        if byte < 128 {
            return number;
        }
    }
}

/// Returns the numbers of a section.
pub fn numbers(bytes: &[u8]) -> Vec<usize> {
    let (mut at, mut numbers) = (0, Vec::new());
    while at < bytes.len() {
        numbers.push(number(bytes, &mut at));
    }
    numbers
}

/// Returns the lines of a section.
pub fn texts(bytes: &[u8]) -> Vec<String> {
    std::str::from_utf8(bytes).expect("text").split_terminator('\n').map(str::to_owned).collect()
}

/// Splits a section into its edits.
pub fn edits(bytes: &[u8]) -> Vec<Vec<usize>> {
    let (mut at, mut edits) = (0, Vec::new());
    while at < bytes.len() {
        let length = number(bytes, &mut at);
        edits.push(numbers(&bytes[at..at + length]));
        at += length;
    }
    edits
}

/// Applies an edit to the picture of the parent. Pictures are lists of line numbers. An edit is a
/// sequence of three numbers (lines kept, removed and added) and the added lines.
pub fn edited(above: &[usize], edit: &[usize]) -> Vec<usize> {
    let (mut picture, mut rest, mut edit) = (Vec::new(), above, edit);
    while let [kept, removed, added, others @ ..] = edit {
        picture.extend(&rest[..*kept]);
        rest = &rest[kept + removed..];
        picture.extend(&others[..*added]);
        edit = &others[*added..];
    }
    picture.extend(rest);
    picture
}

/// A node as the page shows it.
#[derive(Debug, PartialEq)]
pub struct Shown {
    pub depth: usize,
    pub code: usize,
    pub label: Option<String>,
    pub picture: Option<String>,
}

/// Returns the nodes of a page in preorder.
pub fn shown(page: &str) -> Vec<Shown> {
    let sections = sections(page);
    let [labels, lines, edit_bytes, parts, shape, outcomes, steps, _incomplete] = &sections[..]
    else {
        panic!("eight sections")
    };
    let (labels, lines, edits, parts) =
        (texts(labels), texts(lines), edits(edit_bytes), numbers(parts));
    let mut path: Vec<Option<Vec<usize>>> = Vec::new();
    let mut nodes = Vec::new();
    for ((up, code), step) in numbers(shape).into_iter().zip(numbers(outcomes)).zip(numbers(steps))
    {
        path.truncate(path.len() - up);
        let (label, edit) = (parts[2 * step], parts[2 * step + 1]);
        let above = path.last().map_or(Some(&[][..]), |above| above.as_deref());
        let picture = above.filter(|_| edit > 0).map(|above| edited(above, &edits[edit - 1]));
        nodes.push(Shown {
            depth: path.len(),
            code,
            label: label.checked_sub(1).map(|label| labels[label].clone()),
            picture: picture
                .as_ref()
                .map(|picture| picture.iter().map(|&line| lines[line].clone() + "\n").collect()),
        });
        path.push(picture);
    }
    nodes
}

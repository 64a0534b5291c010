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

/// A section of the page: texts or numbers.
pub enum Section {
    Texts(Vec<String>),
    Numbers(Vec<usize>),
}

impl Section {
    pub fn texts(&self) -> &[String] {
        let Section::Texts(texts) = self else { panic!("expected texts") };
        texts
    }

    pub fn numbers(&self) -> &[usize] {
        let Section::Numbers(numbers) = self else { panic!("expected numbers") };
        numbers
    }
}

/// Returns the sections of the compressed element. Each begins with the bytes of a number and those
/// of the section, which are followed by others up to a multiple of four.
pub fn sections(page: &str) -> Vec<Section> {
    let packed = base64::engine::general_purpose::STANDARD
        .decode(element(page, "recording"))
        .expect("base64");
    let mut bytes = Vec::new();
    DeflateDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("deflate");
    let number =
        |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| 256 * sum + usize::from(byte));
    let (mut rest, mut sections) = (&bytes[..], Vec::new());
    while !rest.is_empty() {
        let (width, length) = (number(&rest[..4]), number(&rest[4..8]));
        let data = &rest[8..8 + length];
        sections.push(match width {
            0 => {
                let texts = std::str::from_utf8(data).expect("text").split_terminator('\n');
                Section::Texts(texts.map(str::to_owned).collect())
            }
            _ => Section::Numbers(data.chunks(width).map(number).collect()),
        });
        rest = &rest[8 + length.next_multiple_of(4)..];
    }
    sections
}

/// Splits a section into its edits.
pub fn edits(mut numbers: &[usize]) -> Vec<Vec<usize>> {
    let mut edits = Vec::new();
    while let [length, rest @ ..] = numbers {
        edits.push(rest[..*length].to_vec());
        numbers = &rest[*length..];
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
    let [labels, lines, edit_numbers, parts, shape, outcomes, steps, _incomplete] = &sections[..]
    else {
        panic!("eight sections")
    };
    let (labels, lines, parts) = (labels.texts(), lines.texts(), parts.numbers());
    let edits = edits(edit_numbers.numbers());
    let mut path: Vec<Option<Vec<usize>>> = Vec::new();
    let mut nodes = Vec::new();
    let nodes_of = shape.numbers().iter().zip(outcomes.numbers()).zip(steps.numbers());
    for ((&up, &code), &step) in nodes_of {
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

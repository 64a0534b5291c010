//! The text format of covers: parsing, writing, and the positions of errors.

use expect_test::expect_file;
use proptest::prelude::*;
use secateurs::Search;
use secateurs_cover::{Cover, MultiCover};
use secateurs_problems::packing::{PackingBoard, Polyomino};

use crate::support::refusals::{Reader, message, with_messages};

type AnyError = Box<dyn std::error::Error>;

/// The readers of the texts in `refusals.txt`.
const READERS: [(&str, Reader); 4] = [
    ("Cover", message::<Cover>),
    ("MultiCover", message::<MultiCover>),
    ("PackingBoard", message::<PackingBoard>),
    ("Polyomino", message::<Polyomino>),
];

proptest! {
    #[test]
    fn written_covers_parse_to_the_same_cover(
        primary in proptest::collection::btree_set("[a-z#]{1,3}[0-9]", 1..6),
        secondary in proptest::collection::btree_set("[A-Zé]{1,3}", 0..4),
        options in proptest::collection::vec(
            proptest::collection::btree_map(0_usize..9, proptest::option::of("[x-z]{1,2}"), 1..5),
            0..12,
        ),
    ) {
        let mut builder = Cover::builder();
        for name in &primary {
            builder.primary(name)?;
        }
        for name in &secondary {
            builder.secondary(name)?;
        }
        let names: Vec<&String> = primary.iter().chain(&secondary).collect();
        for option in &options {
            let members =
                option.iter().filter(|&(&item, _)| item < names.len()).map(|(&item, colour)| {
                    match colour {
                        Some(colour) if item >= primary.len() => {
                            format!("{}:{colour}", names[item])
                        }
                        _ => names[item].clone(),
                    }
                });
            let members: Vec<String> = members.collect();
            if !members.is_empty() {
                builder.option(&members)?;
            }
        }
        let cover = builder.build();
        let text = cover.to_string();
        let read: Cover = text.parse()?;
        prop_assert_eq!(&read, &cover);
        prop_assert_eq!(read.to_string(), text.clone());
        // Line ends, comments and blank lines do not matter.
        let spaced = text.replace('\n', "\r\n\r\n| comment: a | b\r\n \t").replace(' ', "\t  ");
        prop_assert_eq!(&spaced.parse::<Cover>()?, &cover);
        prop_assert_eq!(&text.trim_end().parse::<Cover>()?, &cover);
    }

    #[test]
    fn accepted_names_survive_writing_and_parsing(
        names in proptest::collection::btree_set(
            "[\u{feff}\u{200b}\u{a0}\u{3000}\u{85}|:#a]{1,3}|\\PC{1,3}",
            1..6,
        ),
        secondary in 0..3_usize,
    ) {
        let mut builder = Cover::builder();
        let mut accepted = Vec::new();
        for name in &names {
            let is_secondary = !accepted.is_empty() && accepted.len() <= secondary;
            let added = if is_secondary { builder.secondary(name) } else { builder.primary(name) };
            if added.is_ok() {
                accepted.push(name);
            }
        }
        prop_assume!(!accepted.is_empty());
        for name in &accepted {
            builder.option([name])?;
        }
        let cover = builder.build();
        let text = cover.to_string();
        let read: Cover = text.parse()?;
        prop_assert_eq!(read.to_string(), text);
        let in_order = |cover: &Cover, is_primary| {
            let items = (0..cover.items()).filter(|&item| cover.is_primary(item) == is_primary);
            items.map(|item| cover.name(item).to_owned()).collect::<Vec<_>>()
        };
        for is_primary in [true, false] {
            prop_assert_eq!(in_order(&read, is_primary), in_order(&cover, is_primary));
        }
    }

    /// No text makes the parser panic, and errors name a line of the text or the one after the
    /// last.
    #[test]
    fn errors_of_any_text_name_a_line_of_it(text in "([ab:|# \t\r\n]|\\PC){0,60}") {
        if let Err(error) = text.parse::<Cover>() {
            let line = error.line().unwrap_or(0);
            prop_assert!(line >= 1 && line <= text.lines().count() + 1, "{}", error);
        }
    }
}

#[test]
fn names_that_begin_with_a_byte_order_mark_survive() -> Result<(), AnyError> {
    for name in ["\u{feff}", "\u{feff}a", "\u{feff}\u{feff}", "a\u{feff}"] {
        let mut builder = Cover::builder();
        builder.primary(name)?;
        builder.option([name])?;
        let cover = builder.build();
        let read: Cover = cover.to_string().parse()?;
        assert_eq!(read, cover, "{name:?}");
    }
    Ok(())
}

#[test]
fn comments_blank_lines_and_byte_order_marks_are_ignored() -> Result<(), AnyError> {
    let text = "\u{feff}| a toy\n\n  a b | x\n| options:\na x:1\n\n  b x:1\n   | the end";
    let cover: Cover = text.parse()?;
    assert_eq!((cover.items(), cover.options()), (3, 2));
    assert_eq!(cover.to_string(), "a b | x\na x:1\nb x:1\n");
    assert_eq!(Search::new(&cover).count().exact(), Some(1));
    assert_eq!((cover.item("x"), cover.item("y")), (Some(2), None));
    assert!(cover.is_primary(1) && !cover.is_primary(2));
    Ok(())
}

/// Knuth's programs require a space before the `|`, but not after it.
#[test]
fn secondary_items_may_follow_the_bar_without_a_space() -> Result<(), AnyError> {
    let cover: Cover = "a |b c\na b:1 c\n".parse()?;
    assert_eq!(cover, "a | b c\na b:1 c\n".parse()?);
    assert!(cover.is_primary(0) && !cover.is_primary(1) && !cover.is_primary(2));
    Ok(())
}

#[test]
fn errors_name_the_position_and_what_was_expected() {
    let file = expect_file!["refusals.txt"];
    file.assert_eq(&with_messages(&file.data(), &READERS));
}

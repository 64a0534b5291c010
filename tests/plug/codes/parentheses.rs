//! Parentheses against a list that says, plug by plug, which path crosses there.

use proptest::prelude::*;
use secateurs::plug::TooWide;
use secateurs::plug::code::{Parentheses, ParseCodeError};

use crate::shared::parentheses::{actions, agree, agree_to_the_last_plug};

proptest! {
    #[test]
    fn whatever_is_done_the_model_agrees(
        plugs in 0..=20usize,
        actions in actions(60),
    ) {
        agree::<u32>(plugs, &actions);
        agree::<u64>(plugs, &actions);
        agree::<u128>(plugs, &actions);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn to_the_last_plug_of_the_word(actions in actions(30)) {
        agree_to_the_last_plug(&actions);
    }
}

#[test]
fn motzkin_words_are_as_many_as_they_should_be() {
    // A001006.
    for (plugs, words) in [1, 1, 2, 4, 9, 21, 51, 127, 323].into_iter().enumerate() {
        let found = (0..1u32 << (2 * plugs))
            .filter(|&word| Parentheses::from_word(word).is_motzkin(plugs))
            .count();
        assert_eq!(found, words, "{plugs} plugs");
    }
}

#[test]
fn words_that_are_none() {
    let legal = |word: u64| Parentheses::from_word(word).is_legal();
    assert!(legal(0b01) && legal(0b10_01));
    assert!(!legal(0b10) && !legal(0b11) && !legal(0b01_10));
    assert!(!Parentheses::from_word(0b01u64).is_motzkin(1));
    assert!(!Parentheses::from_word(0b10_01u64).is_motzkin(1));
}

#[test]
fn texts_that_are_none() {
    let parse = |text: &str| text.parse::<Parentheses<u32>>();
    assert_eq!(parse(""), Ok(Parentheses::EMPTY));
    assert_eq!(parse("."), Ok(Parentheses::EMPTY));
    assert_eq!(Parentheses::<u32>::EMPTY.to_string(), ".");
    assert_eq!(format!("{:?}", parse(".()").expect("a code")), "Parentheses(.())");
    let error = parse("())").expect_err("nothing to close");
    assert_eq!(error, ParseCodeError::Unexpected { column: 3, found: ')', expected: "'.' or '('" });
    assert_eq!(error.to_string(), "column 3: expected '.' or '(', found ')'");
    let error = parse("(x").expect_err("no symbol");
    assert_eq!(error.to_string(), "column 2: expected '.', '(' or ')', found 'x'");
    assert_eq!(parse(&".".repeat(16)), Ok(Parentheses::EMPTY));
    let error = parse(&".".repeat(17)).expect_err("too long");
    assert_eq!(error.to_string(), "17 plugs, and the word holds 16");
}

#[test]
fn how_many_fit() {
    assert_eq!(Parentheses::<u64>::fits(32), Ok(()));
    assert_eq!(Parentheses::<u64>::fits(33), Err(TooWide { needed: 66, available: 64 }));
    assert!(Parentheses::<u32>::fits(usize::MAX).is_err());
}

//! Tests of the state code [`Parentheses`], some against a model that lists the path of each plug.

use proptest::prelude::*;
use secateurs::plug::TooWide;
use secateurs::plug::code::Parentheses;

use crate::shared::parentheses::{actions, agree, agree_to_the_last_plug};
use crate::support::sizes::sized;

proptest! {
    #[test]
    fn parentheses_agree_with_a_list_of_paths(plugs in 0..=20usize, actions in actions(60)) {
        agree::<u32>(plugs, &actions);
        agree::<u64>(plugs, &actions);
        agree::<u128>(plugs, &actions);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(4, 16)))]

    #[test]
    fn parentheses_agree_up_to_the_last_plug_of_the_word(
        actions in actions(sized(30, 150)),
    ) {
        agree_to_the_last_plug(&actions);
    }
}

#[test]
fn motzkin_words_are_counted_by_motzkin_numbers() {
    // OEIS A001006.
    for (plugs, words) in [1, 1, 2, 4, 9, 21, 51, 127, 323].into_iter().enumerate() {
        let found = (0..1u32 << (2 * plugs))
            .filter(|&word| Parentheses::from_word(word).is_motzkin(plugs))
            .count();
        assert_eq!(found, words, "{plugs} plugs");
    }
}

#[test]
fn illegal_words_are_recognised() {
    let legal = |word: u64| Parentheses::from_word(word).is_legal();
    assert!(legal(0b01) && legal(0b10_01));
    assert!(!legal(0b10) && !legal(0b11) && !legal(0b01_10));
    assert!(!Parentheses::from_word(0b01u64).is_motzkin(1));
    assert!(!Parentheses::from_word(0b10_01u64).is_motzkin(1));
}

#[test]
fn parentheses_are_parsed() {
    let parse = |text: &str| text.parse::<Parentheses<u32>>();
    assert_eq!(parse(""), Ok(Parentheses::EMPTY));
    assert_eq!(parse("."), Ok(Parentheses::EMPTY));
    assert_eq!(Parentheses::<u32>::EMPTY.to_string(), ".");
    assert_eq!(format!("{:?}", parse(".()").expect("a code")), "Parentheses(.())");
    assert_eq!(parse(&".".repeat(16)), Ok(Parentheses::EMPTY));
}

#[test]
fn fits_accepts_as_many_plugs_as_the_word_holds() {
    assert_eq!(Parentheses::<u64>::fits(32), Ok(()));
    assert_eq!(Parentheses::<u64>::fits(33), Err(TooWide { needed: 66, available: 64 }));
    assert!(Parentheses::<u32>::fits(usize::MAX).is_err());
}

//! [`Bits`] against a list of flags.

use proptest::prelude::*;
use secateurs::plug::TooWide;
use secateurs::plug::code::{Bits, Word};

/// Applies the actions to a code and to the list, and compares the two after each action.
fn check_against_model<W: Word>(actions: &[(usize, bool)]) {
    let mut model = vec![false; Bits::<W>::CAPACITY];
    let mut code = Bits::<W>::EMPTY;
    for &(plug, set) in actions {
        let before = code;
        if plug < model.len() {
            model[plug] = set;
            code = code.with(plug, set);
            assert_eq!(
                (code.contains(before), before.contains(code)),
                (set || code == before, !set || code == before)
            );
        } else if !model[model.len() - 1] {
            model.rotate_right(1);
            code = code.shift();
        }
        let plugs: Vec<_> = (0..model.len()).filter(|&plug| model[plug]).collect();
        assert!((0..model.len()).all(|plug| code.get(plug) == model[plug]));
        assert_eq!(code.plugs().collect::<Vec<_>>(), plugs);
        assert_eq!((code.count(), code.is_empty()), (plugs.len(), plugs.is_empty()));
        assert_eq!(code.len(), plugs.last().map_or(0, |last| last + 1));
        assert_eq!(code.to_string().parse(), Ok(code));
        assert_eq!(Bits::from_word(code.word()), code);
    }
}

proptest! {
    #[test]
    fn bits_agree_with_a_list_of_flags(
        actions in prop::collection::vec((0..140usize, any::<bool>()), 0..60),
    ) {
        check_against_model::<u32>(&actions);
        check_against_model::<u64>(&actions);
        check_against_model::<u128>(&actions);
    }
}

#[test]
fn bits_are_drawn_parsed_and_measured() {
    let code: Bits<u32> = ".#.#".parse().expect("a code");
    assert_eq!(code.word(), 0b1010);
    assert_eq!(format!("{code:?} {code:6}"), "Bits(.#.#) .#.#..");
    assert_eq!(Bits::<u32>::fits(33), Err(TooWide { needed: 33, available: 32 }));
    assert_eq!(Bits::<u32>::fits(32), Ok(()));
}

//! [`Labels`] and [`Coloured`] against a list of the components of all plugs.

use proptest::prelude::*;
use secateurs::plug::TooWide;
use secateurs::plug::code::{Bits, Coloured, Joined, Labels, Word};

use super::{Action, actions};

/// The number of the component whose plugs have the reserved label.
const RESERVED: usize = 0;

/// A state as a list of components.
#[derive(Clone, Debug)]
struct Model {
    /// The number of the component of each plug; `None` for an empty plug.
    parts: Vec<Option<usize>>,
    /// The number of components created so far.
    created: usize,
}

/// Returns the labels of the plugs, numbered by first appearance.
fn canonical(parts: &[Option<usize>], reserved: u8) -> Vec<u8> {
    let mut seen = Vec::new();
    let mut label = |part: usize| {
        if part == RESERVED {
            return reserved;
        }
        if !seen.contains(&part) {
            seen.push(part);
        }
        u8::try_from(1 + seen.iter().position(|&known| known == part).expect("just added"))
            .expect("few")
    };
    parts.iter().map(|part| part.map_or(0, &mut label)).collect()
}

impl Model {
    fn components(&self) -> usize {
        let mut parts: Vec<_> =
            self.parts.iter().flatten().filter(|&&part| part != RESERVED).collect();
        parts.sort_unstable();
        parts.dedup();
        parts.len()
    }

    /// Checks that the code has the same plugs and connections, whatever its labels are.
    fn check_raw<W: Word, const BITS: u32>(&self, code: Labels<W, BITS>) {
        for (a, part) in self.parts.iter().enumerate() {
            assert_eq!(code.get(a) == 0, part.is_none(), "plug {a} of {code}");
            assert_eq!(
                code.get(a) == Labels::<W, BITS>::RESERVED,
                *part == Some(RESERVED),
                "plug {a} of {code}"
            );
            for (b, other) in self.parts.iter().enumerate() {
                assert_eq!(
                    code.same(a, b),
                    part.is_some() && part == other,
                    "plugs {a} and {b} of {code}"
                );
            }
        }
        assert_eq!(code.components(), self.components());
        assert_eq!(code.count(), self.parts.iter().flatten().count());
        assert_eq!(
            code.len(),
            self.parts.iter().rposition(Option::is_some).map_or(0, |last| last + 1)
        );
        assert_eq!(code.is_empty(), self.parts.iter().flatten().count() == 0);
        assert_eq!(code.to_string().parse(), Ok(code));
    }

    /// Checks that the code is the minimal representation of this model.
    fn check<W: Word, const BITS: u32>(&self, code: Labels<W, BITS>) {
        self.check_raw(code);
        assert!(code.is_canonical());
        let expected = canonical(&self.parts, Labels::<W, BITS>::RESERVED);
        for (plug, &label) in expected.iter().enumerate() {
            assert_eq!(code.get(plug), label, "plug {plug} of {code}");
        }
        for label in 0..=Labels::<W, BITS>::RESERVED {
            // Plugs beyond those of the model are empty.
            let beyond = if label == 0 { Labels::<W, BITS>::CAPACITY - expected.len() } else { 0 };
            let count = expected.iter().filter(|&&found| found == label).count();
            assert_eq!(code.count_of(label), count + beyond);
            assert_eq!(code.has(label), code.count_of(label) > 0);
            let places: Vec<_> =
                (0..expected.len()).filter(|&plug| expected[plug] == label).collect();
            let found =
                code.places(label).plugs().filter(|&plug| label != 0 || plug < expected.len());
            assert_eq!(found.collect::<Vec<_>>(), places);
        }
        assert!(code.iter().eq(expected[..code.len()].iter().copied()));
        // `numbered` accepts components in any numbering, such as a descending one.
        let last = self.parts.iter().flatten().max().copied().unwrap_or(0);
        let number = |part: usize| {
            if part == RESERVED { Labels::<W, BITS>::RESERVED } else { 255 - (last - part) as u8 }
        };
        let numbers: Vec<u8> = self.parts.iter().map(|part| part.map_or(0, number)).collect();
        assert_eq!(Labels::<W, BITS>::numbered(&numbers), code);
        let mirrored: Vec<_> = self.parts.iter().rev().copied().collect();
        Model { parts: mirrored, created: 0 }.check_mirror(code.mirrored(expected.len()));
        assert_eq!(code.mirrored(expected.len()).mirrored(expected.len()), code);
        assert!(code.is_contained_in(code) && Labels::EMPTY.is_contained_in(code));
    }

    /// Checks a mirrored code without mirroring it again, unlike [`check`](Self::check).
    fn check_mirror<W: Word, const BITS: u32>(&self, code: Labels<W, BITS>) {
        self.check_raw(code);
        let expected = canonical(&self.parts, Labels::<W, BITS>::RESERVED);
        assert!(expected.iter().enumerate().all(|(plug, &label)| code.get(plug) == label));
    }

    /// Returns whether `other` has all plugs and connections of this state.
    fn is_contained_in(&self, other: &Model) -> bool {
        (0..self.parts.len()).all(|a| {
            let connected =
                |b: usize| self.parts[b] != self.parts[a] || other.parts[b] == other.parts[a];
            self.parts[a].is_none()
                || other.parts[a].is_some()
                    && (0..self.parts.len()).all(connected)
                    && (self.parts[a] != Some(RESERVED) || other.parts[a] == Some(RESERVED))
        })
    }

    /// Applies one action to the model and to the code, and returns the next code.
    fn act<W: Word, const BITS: u32>(
        &mut self,
        code: Labels<W, BITS>,
        kind: usize,
        (a, b): (prop::sample::Index, prop::sample::Index),
    ) -> Labels<W, BITS> {
        if self.parts.is_empty() {
            return code;
        }
        let (a, b) = (a.index(self.parts.len()), b.index(self.parts.len()));
        match kind {
            0 | 1 => {
                let before = self.parts[a].take();
                if self.components() >= Labels::<W, BITS>::COMPONENTS {
                    self.parts[a] = before;
                    return code;
                }
                self.created += 1;
                self.parts[a] = Some(self.created);
                code.fresh(a)
            }
            2 => {
                self.parts[b] = self.parts[a];
                code.with(b, code.get(a))
            }
            3 => {
                self.parts[a] = Some(RESERVED);
                code.with(a, Labels::<W, BITS>::RESERVED)
            }
            4 | 5 => {
                let (Some(from), Some(to)) = (self.parts[a], self.parts[b]) else { return code };
                let joined = code.connect(a, b);
                assert_eq!(matches!(joined, Joined::Loop(same) if same == code), from == to);
                assert_eq!(matches!(joined, Joined::Path(_)), from != to);
                for part in self.parts.iter_mut().flatten() {
                    if *part == from.max(to) {
                        *part = from.min(to);
                    }
                }
                joined.state()
            }
            6 if self.parts[a].is_some() => {
                let part = self.parts[a].take();
                let closed = code.close(a);
                assert_eq!(matches!(closed, Joined::Path(_)), self.parts.contains(&part));
                assert_eq!(matches!(closed, Joined::Complete(_)), !self.parts.contains(&part));
                closed.state()
            }
            7 if self.parts.last() == Some(&None) => {
                self.parts.rotate_right(1);
                code.shift()
            }
            8 | 9 => {
                let Some(part) = self.parts[a] else { return code };
                let (to, label) = match kind {
                    8 => (None, 0),
                    _ => (Some(RESERVED), Labels::<W, BITS>::RESERVED),
                };
                let all = self.parts.iter_mut().filter(|other| **other == Some(part));
                all.for_each(|other| *other = to);
                code.relabelled(code.get(a), label)
            }
            _ => code,
        }
    }
}

/// Applies the actions to a code and to the model, and compares the two after each action. The
/// first plugs have components of their own, as many as there are labels.
fn check_against_model<W: Word, const BITS: u32>(plugs: usize, actions: &[Action]) {
    let plugs = plugs.min(Labels::<W, BITS>::CAPACITY);
    let created = plugs.min(Labels::<W, BITS>::COMPONENTS);
    let parts = (1..=plugs).map(|part| (part <= created).then_some(part)).collect();
    let mut model = Model { parts, created };
    let fresh = |code: Labels<W, BITS>, plug| code.fresh(plug);
    let mut code = (0..created).fold(Labels::EMPTY, fresh).canonical();
    model.check(code);
    for &(kind, plugs) in actions {
        let before = code;
        let raw = model.act(code, kind, plugs);
        model.check_raw(raw);
        model.check(raw.canonical());
        // No operation requires the minimal representation.
        code = if plugs.1.index(4) == 0 { raw.canonical() } else { raw };
        // A state may contain its successor, or the other way round.
        let model_of = |code: Labels<W, BITS>| {
            let part = |label: u8| match label {
                0 => None,
                label if label == Labels::<W, BITS>::RESERVED => Some(RESERVED),
                label => Some(label.into()),
            };
            Model {
                parts: (0..model.parts.len()).map(|plug| part(code.get(plug))).collect(),
                created: 0,
            }
        };
        assert_eq!(
            before.is_contained_in(code),
            model_of(before).is_contained_in(&model_of(code)),
            "{before} in {code}"
        );
        assert_eq!(
            code.is_contained_in(before),
            model_of(code).is_contained_in(&model_of(before)),
            "{code} in {before}"
        );
        // Labels and colours survive packing into one word.
        if plugs.0.index(2) == 0 && code.len() <= Coloured::<W, BITS>::CAPACITY {
            let colours = plugs.1.index(1 << Coloured::<W, BITS>::COLOURS.min(20));
            let colours = Bits::from_word(W::from_low(colours as u64));
            let coloured = Coloured::new(raw, colours);
            assert_eq!((coloured.labels(), coloured.colours()), (raw, colours));
            assert_eq!(coloured.canonical(), Coloured::new(raw.canonical(), colours));
            assert_eq!(coloured.to_string(), format!("{raw} {colours}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn labels_agree_with_a_list_of_components(plugs in 0..=12usize, actions in actions(10, 40)) {
        check_against_model::<u32, 3>(plugs, &actions);
        check_against_model::<u64, 2>(plugs, &actions);
        check_against_model::<u64, 3>(plugs, &actions);
        check_against_model::<u64, 4>(plugs, &actions);
        check_against_model::<u64, 5>(plugs, &actions);
        check_against_model::<u128, 5>(plugs, &actions);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn labels_agree_up_to_the_last_plug_of_the_word(actions in actions(10, 100)) {
        check_against_model::<u32, 2>(16, &actions);
        check_against_model::<u32, 4>(8, &actions);
        check_against_model::<u64, 2>(32, &actions);
        check_against_model::<u64, 3>(21, &actions);
        check_against_model::<u64, 4>(16, &actions);
        check_against_model::<u64, 5>(12, &actions);
        check_against_model::<u128, 3>(42, &actions);
        check_against_model::<u128, 4>(32, &actions);
        check_against_model::<u128, 5>(25, &actions);
    }
}

/// Begins as many components as there are labels, in an order that leaves gaps between the labels.
fn check_all_components_at_once<W: Word, const BITS: u32>() {
    let components = Labels::<W, BITS>::COMPONENTS.min(Labels::<W, BITS>::CAPACITY);
    let begin = |code: Labels<W, BITS>, plug: usize| {
        let next = code.fresh(plug);
        assert_eq!(next.count_of(next.get(plug)), 1, "plug {plug} of {next}");
        next
    };
    let full = (0..components).fold(Labels::EMPTY, begin);
    assert_eq!(full.components(), components);
    for renumbered in [full, full.canonical()] {
        for plug in 0..components {
            // The component at a plug is replaced by another one, and so are all after it.
            let again = (plug..components).fold(renumbered, begin);
            assert_eq!(again.components(), components, "{renumbered} from plug {plug}");
            let without = (plug..components).fold(renumbered, |code, plug| code.without(plug));
            let again = (plug..components).fold(without, begin);
            assert_eq!(again.canonical(), full.canonical(), "{renumbered} from plug {plug}");
        }
    }
    assert!(Labels::<W, BITS>::fits(components, components).is_ok());
}

#[test]
fn a_component_begins_whichever_labels_the_others_have() {
    check_all_components_at_once::<u32, 2>();
    check_all_components_at_once::<u64, 2>();
    check_all_components_at_once::<u64, 3>();
    check_all_components_at_once::<u64, 4>();
    check_all_components_at_once::<u64, 5>();
    check_all_components_at_once::<u128, 5>();
}

#[test]
fn bits_beyond_the_last_plug_are_ignored() {
    let code = Labels::<u64, 3>::from_word(u64::MAX);
    assert_eq!((code.len(), code.count_of(7), code.canonical()), (21, 21, code));
    let code = Labels::<u128, 5>::from_word(!0 << 120);
    assert_eq!((code.canonical(), code.components()), (code, 0));
}

#[test]
fn minimal_representations_are_counted_by_bell_numbers() {
    // OEIS A000110, shifted: partitions of n plugs and one block for the empty plugs.
    for (plugs, partitions) in [1, 2, 5, 15, 52].into_iter().enumerate() {
        let found = (0..1u32 << (3 * plugs))
            .map(Labels::<u32, 3>::from_word)
            .filter(|code| code.is_canonical() && !code.has(Labels::<u32, 3>::RESERVED));
        assert_eq!(found.count(), partitions, "{plugs} plugs");
    }
}

#[test]
fn labels_are_drawn_and_parsed() {
    let code: Labels = "1.2*e".parse().expect("a code");
    assert_eq!([0, 1, 2, 3, 4].map(|plug| code.get(plug)), [1, 0, 2, 15, 14]);
    assert_eq!(format!("{code:?} {code:7}"), "Labels(1.2*e) 1.2*e..");
    assert_eq!(code.canonical().to_string(), "1.2*3");
    assert_eq!(Labels::<u64>::EMPTY.to_string(), ".");
    let coloured =
        Coloured::new("1*".parse::<Labels>().expect("a code"), ".#".parse().expect("bits"));
    assert_eq!(format!("{coloured:?} {coloured:3}"), "Coloured(1* .#) 1*. .#.");
}

#[test]
fn fits_accepts_as_many_labels_and_colours_as_the_word_holds() {
    assert_eq!(Labels::<u64, 4>::fits(16, 14), Ok(()));
    assert_eq!(Labels::<u64, 4>::fits(17, 14), Err(TooWide { needed: 68, available: 64 }));
    // Different labels for 15 components take five bits.
    assert_eq!(Labels::<u64, 4>::fits(15, 15), Err(TooWide { needed: 75, available: 60 }));
    assert_eq!(Labels::<u64, 3>::fits(21, 6), Ok(()));
    assert_eq!(Labels::<u64, 3>::fits(21, 7), Err(TooWide { needed: 84, available: 63 }));
    assert_eq!(Labels::<u64, 3>::fits(22, 6), Err(TooWide { needed: 66, available: 64 }));
    assert_eq!(Labels::<u64, 3>::fits(30, 7), Err(TooWide { needed: 120, available: 64 }));
    assert!(Labels::<u64, 3>::fits(usize::MAX, usize::MAX).is_err());
    assert_eq!(Labels::<u64, 4>::fits(0, 0), Ok(()));

    assert_eq!((Coloured::<u64, 4>::CAPACITY, Coloured::<u64, 4>::COLOURS), (12, 16));
    assert_eq!((Coloured::<u64, 3>::CAPACITY, Coloured::<u64, 3>::COLOURS), (16, 16));
    assert_eq!(Coloured::<u64, 4>::fits(12, 14, 16), Ok(()));
    assert_eq!(Coloured::<u64, 4>::fits(13, 14, 13), Err(TooWide { needed: 52, available: 48 }));
    assert_eq!(Coloured::<u64, 4>::fits(12, 14, 17), Err(TooWide { needed: 17, available: 16 }));
}

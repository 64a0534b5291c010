//! Exact cover, compared with known counts and with brute force on small covers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use secateurs::brancher::{Branching, SmallestKey};
use secateurs::{Effect, Limits, Node, Problem, Search, Stop, Verdict, hook};
use secateurs_cover::{Cover, CoverBuilder, CoverError};

/// The items of an option by number, each with a colour or none. The primary items have the numbers
/// below `primary`.
pub(super) type OptionSpec = Vec<(usize, Option<u8>)>;

pub(super) fn build(
    primary: usize,
    secondary: usize,
    options: &[OptionSpec],
) -> Result<Cover, CoverError> {
    let mut builder = Cover::builder();
    for item in 0..primary {
        builder.primary(&format!("p{item}"))?;
    }
    for item in 0..secondary {
        builder.secondary(&format!("s{item}"))?;
    }
    for option in options {
        let colours: Vec<Option<String>> =
            option.iter().map(|(_, colour)| colour.map(|c| c.to_string())).collect();
        let members =
            option.iter().zip(&colours).map(|(&(item, _), colour)| (item, colour.as_deref()));
        builder.option_of(members)?;
    }
    Ok(builder.build())
}

/// Returns all solutions, each in ascending order, by testing every set of options against the
/// definition, given how often each primary item may be covered: at least and at most.
pub(super) fn brute_force(
    multiplicities: &[(u32, u32)],
    items: usize,
    specs: &[OptionSpec],
) -> Vec<Vec<usize>> {
    let primary = multiplicities.len();
    let is_solution = |chosen: &Vec<usize>| {
        (0..items).all(|item| {
            let members = chosen.iter().flat_map(|&option| &specs[option]);
            let colours: Vec<Option<u8>> =
                members.filter(|member| member.0 == item).map(|member| member.1).collect();
            match multiplicities.get(item) {
                Some(&(least, most)) => (least..=most).contains(&(colours.len() as u32)),
                None => {
                    colours.len() <= 1
                        || colours.iter().all(|&colour| colour.is_some() && colour == colours[0])
                }
            }
        }) && chosen.iter().all(|&option| specs[option].iter().any(|member| member.0 < primary))
    };
    let sets = (0_u32..1 << specs.len())
        .map(|set| (0..specs.len()).filter(|&option| set >> option & 1 != 0).collect());
    let mut solutions: Vec<_> = sets.filter(is_solution).collect();
    solutions.sort();
    solutions
}

/// Generates small covers: the numbers of primary and secondary items, and the options.
pub(super) fn covers() -> impl Strategy<Value = (usize, usize, Vec<OptionSpec>)> {
    (0_usize..6, 0_usize..4)
        .prop_filter("items", |(primary, secondary)| primary + secondary > 0)
        .prop_flat_map(|(primary, secondary)| {
            let items = primary + secondary;
            let option =
                proptest::sample::subsequence((0..items).collect::<Vec<_>>(), 1..=items.min(4))
                    .prop_flat_map(move |members| {
                        let count = members.len();
                        let colours =
                            proptest::collection::vec(proptest::option::of(0_u8..3), count);
                        (Just(members), colours).prop_map(move |(members, colours)| {
                            let colour = |item, colour: Option<u8>| {
                                if item < primary { None } else { colour }
                            };
                            members
                                .into_iter()
                                .zip(colours)
                                .map(|(item, c)| (item, colour(item, c)))
                                .collect()
                        })
                    });
            (Just(primary), Just(secondary), proptest::collection::vec(option, 0..12))
        })
}

pub(super) fn sorted(mut options: Vec<usize>) -> Vec<usize> {
    options.sort_unstable();
    options
}

proptest! {
    #[test]
    fn search_finds_the_solutions_of_brute_force(
        (primary, secondary, options) in covers(),
        preferred in 0_usize..6,
        removed in 0_usize..12,
    ) {
        let expected = brute_force(&vec![(1, 1); primary], primary + secondary, &options);
        let cover = build(primary, secondary, &options)?;
        let outcome = Search::new(&cover).check_undo().count();
        prop_assert_eq!(outcome.exact(), Some(expected.len() as u128));
        let mut found: Vec<Vec<usize>> = Search::new(&cover).solutions().map(sorted).collect();
        found.sort();
        prop_assert_eq!(&found, &expected);
        for set in 0_u32..1 << options.len() {
            let chosen = (0..options.len()).filter(|&option| set >> option & 1 != 0);
            let chosen: Vec<usize> = chosen.collect();
            prop_assert_eq!(cover.is_solution(&chosen), expected.contains(&chosen));
        }
        // Preferred items change the tree but not the solutions.
        if preferred < primary {
            let item = format!("p{preferred}");
            let marked =
                Cover::with_marked_items(&cover.to_string().replace(&item, &format!("#{item}")))?;
            prop_assert_eq!(Search::new(&marked).check_undo().count().exact(), outcome.exact());
        }
        // A removed option is in no solution, and backtracking restores it.
        if removed < options.len() {
            let remove = |node: &mut secateurs::NodeMut<'_, Cover>| {
                node.problem().remove_option(node.state_mut(), removed);
                Verdict::Keep
            };
            let search = Search::new(&cover).enter("strike", Effect::Lossy, remove);
            let without = expected.iter().filter(|solution| !solution.contains(&removed)).count();
            prop_assert_eq!(search.check_undo().count().at_least(), without as u128);
        }
        // All orders of items find the same number of solutions.
        for seed in [1_usize, 3, 5] {
            let order = SmallestKey::by(|_: &Node<'_, Cover>, item| item * seed % 7);
            prop_assert_eq!(
                Search::new(&cover).brancher(Branching::by(order)).check_undo().count().exact(),
                Some(found.len() as u128)
            );
        }
    }

    /// Large covers find forced items by a list instead of a scan of all sizes. With 1100 more
    /// items in a single option, every small cover is large, and its tree has one more node.
    #[test]
    fn large_covers_have_the_trees_of_small_ones(
        (primary, secondary, options) in covers(),
        removed in 0_usize..12,
    ) {
        const MORE: usize = 1100;
        let small = build(primary, secondary, &options)?;
        let shifted = options.iter().map(|option| {
            option.iter().map(|&(item, colour)| (item + MORE, colour)).collect()
        });
        let more = (0..MORE).map(|item| (item, None)).collect();
        let options: Vec<OptionSpec> = shifted.chain([more]).collect();
        let large = build(MORE + primary, secondary, &options)?;
        let tree = |cover: &Cover, depth: usize| {
            let removal =
                hook::enter("strike", Effect::Lossy, |node: &mut secateurs::NodeMut<'_, Cover>| {
                    if node.depth() == depth && removed < options.len() - 1 {
                        node.problem().remove_option(node.state_mut(), removed);
                    }
                    Verdict::Keep
                });
            let all = Search::new(cover).check_undo().count();
            let some = Search::new(cover).hooks((removal,)).check_undo().count();
            [all, some].map(|count| (count.at_least(), count.report().nodes()))
        };
        let (of_small, of_large) = (tree(&small, 1), tree(&large, 2));
        let is_dead_at_once = of_small[0] == (0, 1);
        let more = u64::from(!is_dead_at_once);
        prop_assert_eq!(of_large, of_small.map(|(solutions, nodes)| (solutions, nodes + more)));
    }
}

/// This cover has too many items for undo by copies.
#[test]
fn covers_with_many_items_are_counted_correctly() -> Result<(), CoverError> {
    let mut builder = Cover::builder();
    let mut expected = 1_u128;
    // Each of 200 disjoint chains has three items, with an option for each item alone. The first
    // nine chains also have an option for each pair of neighbours, hence 3 solutions each.
    for chain in 0..200 {
        let items: Vec<usize> = (0..3)
            .map(|item| builder.primary(&format!("{chain}.{item}")))
            .collect::<Result<_, _>>()?;
        for [one, other] in [[0, 1], [1, 2]] {
            if chain < 9 {
                builder.option_of([(items[one], None), (items[other], None)])?;
            }
        }
        for item in items {
            builder.option_of([(item, None)])?;
        }
        expected *= if chain < 9 { 3 } else { 1 };
    }
    let cover = builder.build();
    assert_eq!(Search::new(&cover).count().exact(), Some(expected));
    let checked = Search::new(&cover).limits(Limits::new().nodes(2000)).check_undo().count();
    assert_eq!(checked.stop(), Stop::NodeLimit);
    Ok(())
}

/// One item is in so many options that a bit set of the excluded options for each option (a *row*)
/// would take too much memory. Options then refer to bit sets of their items.
#[test]
fn options_without_rows_are_counted_correctly() -> Result<(), CoverError> {
    let mut builder = Cover::builder();
    let (hub, other) = (builder.primary("hub")?, builder.primary("other")?);
    let colour = builder.secondary("colour")?;
    for option in 0..9_000 {
        // Red options are compatible with the red option of the other item; blue ones are not.
        builder.option_of([
            (hub, None),
            (colour, Some(if option % 3 == 0 { "red" } else { "blue" })),
        ])?;
    }
    builder.option_of([(other, None), (colour, Some("red"))])?;
    let cover = builder.build();
    let outcome = Search::new(&cover).check_undo().limits(Limits::new().nodes(100)).count();
    assert_eq!(outcome.stop(), Stop::NodeLimit);
    assert_eq!(Search::new(&cover).count().exact(), Some(3_000));
    Ok(())
}

/// A cover with 300,000 options is built and searched. In quadratic time, this would take far too
/// long.
#[test]
fn many_options_take_linear_time() -> Result<(), CoverError> {
    let mut builder = Cover::builder();
    let items: Vec<usize> =
        (0..30_000).map(|item| builder.primary(&item.to_string())).collect::<Result<_, _>>()?;
    for group in items.chunks(3) {
        for _ in 0..30 {
            builder.option_of(group.iter().map(|&item| (item, None)))?;
        }
    }
    let cover = builder.build();
    assert_eq!(cover.options(), 300_000);
    let first = Search::new(&cover).limits(Limits::new().nodes(500)).count();
    assert_eq!((first.stop(), first.report().nodes()), (Stop::NodeLimit, 500));
    let all: Vec<usize> = (0..10_000).map(|group| 30 * group).collect();
    assert!(cover.is_solution(&all) && !cover.is_solution(&all[1..]));
    Ok(())
}

/// Each option of a chain leaves a single option for the next item. If every node scanned all
/// items, this test would take minutes in a debug build.
#[test]
fn a_chain_of_forced_items_takes_linear_time() -> Result<(), CoverError> {
    const ITEMS: usize = 200_000;
    let mut builder = Cover::builder();
    for item in 0..ITEMS {
        builder.primary(&item.to_string())?;
    }
    for item in 1..ITEMS {
        builder.option_of([(item - 1, None), (item, None)])?;
    }
    let cover = builder.build();
    let outcome = Search::new(&cover).first();
    let expected: Vec<usize> = (0..ITEMS - 1).step_by(2).collect();
    assert_eq!(outcome.solution(), Some(&expected));
    assert_eq!(outcome.report().nodes(), 1 + ITEMS as u64 / 2);
    Ok(())
}

#[test]
fn without_primary_items_there_is_one_solution() -> Result<(), CoverError> {
    let empty = Cover::builder().build();
    assert_eq!(Search::new(&empty).count().exact(), Some(1));
    let mut builder = Cover::builder();
    builder.secondary("s")?;
    builder.option(["s"])?;
    let cover = builder.build();
    assert_eq!(Search::new(&cover).solutions().collect::<Vec<_>>(), [Vec::<usize>::new()]);
    assert!(cover.is_solution(&[]) && !cover.is_solution(&[0]) && !cover.is_solution(&[1]));
    Ok(())
}

#[test]
fn default_builders_are_empty() -> Result<(), CoverError> {
    let mut builder = CoverBuilder::default();
    assert_eq!(builder.options(), 0);
    builder.primary("a")?;
    assert_eq!(builder.option(["a"]), Ok(0));
    assert_eq!(Search::new(&builder.build()).count().exact(), Some(1));
    assert_eq!(Search::new(&CoverBuilder::default().build()).count().exact(), Some(1));
    Ok(())
}

#[test]
fn an_item_without_options_is_a_dead_end() -> Result<(), Box<dyn std::error::Error>> {
    let cover: Cover = "a b\na\na\na\n".parse()?;
    let outcome = Search::new(&cover).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
    assert!(Search::new(&cover).first().is_proven_none());
    let none: Cover = "a b c\n".parse()?;
    assert!(Search::new(&none).first().is_proven_none());
    // After the option `a b`, item `c` has none left.
    let cover: Cover = "a b c\na b\na c\nb c\n".parse()?;
    assert_eq!(cover.size(&secateurs::Problem::root(&cover), 2), Some(2));
    assert!(Search::new(&cover).first().is_proven_none());
    Ok(())
}

#[test]
fn a_dead_state_accepts_no_saved_choice() -> Result<(), CoverError> {
    // Items 1 to 4 have one option each: the second one of a word of options, which has items 0 and
    // 5 as well. Option 0 excludes it in the first word already, so that the state is dead and
    // options of later words remain.
    let words = 4;
    let with_item_0 = |option: usize| (option % 64 < 2).then_some((0, None));
    let rare = |option: usize| (option % 64 == 1).then_some((1 + option / 64, None));
    let options: Vec<OptionSpec> = (0..64 * words)
        .map(|option| {
            with_item_0(option).into_iter().chain(rare(option)).chain([(words + 1, None)])
        })
        .map(|members| members.collect())
        .collect();
    let cover = build(words + 1, 1, &options)?;
    let mut state = cover.root();
    cover.apply(&mut state, &0);
    assert!(state.is_dead());
    let remaining: Vec<usize> =
        (0..options.len()).filter(|&option| state.is_available(option)).collect();
    assert!(!remaining.is_empty());
    assert!(remaining.iter().all(|option| !cover.accepts_saved(&state, option)));
    Ok(())
}

/// The examples of exact cover with and without colours in *The Art of Computer Programming*,
/// section 7.2.2.1, formulas (49) and (6), and one of Knuth's programs.
#[test]
fn knuths_examples_have_the_published_solutions() -> Result<(), Box<dyn std::error::Error>> {
    let cover: Cover = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n".parse()?;
    assert_eq!(Search::new(&cover).solutions().map(sorted).collect::<Vec<_>>(), [vec![0, 3, 4]]);
    let cover: Cover = "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n".parse()?;
    assert_eq!(Search::new(&cover).solutions().map(sorted).collect::<Vec<_>>(), [vec![1, 3]]);
    // Options are tried in input order.
    let cover: Cover = "a b\na\na\nb\nb\n".parse()?;
    let solutions: Vec<_> = Search::new(&cover).solutions().collect();
    assert_eq!(solutions, [[0, 2], [0, 3], [1, 2], [1, 3]]);
    // The example in the comments of Knuth's program DLX2.
    let cover: Cover = "A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n".parse()?;
    assert_eq!(Search::new(&cover).solutions().map(sorted).collect::<Vec<_>>(), [vec![1, 3]]);
    Ok(())
}

/// Preferred items come first unless an item has a single option left.
#[test]
fn preferred_items_come_first() -> Result<(), Box<dyn std::error::Error>> {
    let options = "\nb\nb\nc\nc\nc\na\na\n";
    let first_item = |names: &str| -> Result<String, Box<dyn std::error::Error>> {
        let names_of_c = names.split(' ').nth(2).unwrap_or("c");
        let cover =
            Cover::with_marked_items(&format!("{names}{}", options.replace('c', names_of_c)))?;
        let first = Search::new(&cover).first();
        Ok(cover.option(first.solution().ok_or("no solution")?[0]))
    };
    assert_eq!(first_item("a b c")?, "a");
    assert_eq!(first_item("a b #c")?, "#c");
    let text = "a b #c\na\nb\nb\n#c\n#c\n#c\n";
    let forced = Cover::with_marked_items(text)?;
    assert_eq!(Search::new(&forced).first().solution().map(|path| path[0]), Some(0));
    let unmarked: Cover = "a b #c\na\na\nb\nb\n#c\n#c\n#c\n".parse()?;
    assert_eq!(Search::new(&unmarked).first().solution().map(|path| path[0]), Some(0));
    let mut builder = Cover::builder();
    builder.primary("a")?;
    builder.primary("b")?;
    builder.secondary("s")?;
    for name in ["a", "a", "b", "b", "b"] {
        builder.option([name])?;
    }
    builder.prefer("b")?.prefer("s")?;
    assert_eq!(Search::new(&builder.build()).first().solution().map(|path| path[0]), Some(2));
    Ok(())
}

#[test]
fn errors_leave_the_builder_unchanged() -> Result<(), CoverError> {
    let mut builder = Cover::builder();
    builder.primary("a")?;
    builder.secondary("s")?;
    let named =
        |option, name: &str, found| CoverError::Name { option, name: name.to_owned(), found };
    let name = |name: &str, found| named(None, name, found);
    assert_eq!(builder.primary(""), Err(name("", None)));
    assert_eq!(builder.secondary("x y"), Err(name("x y", Some(' '))));
    assert_eq!(builder.primary("x:1"), Err(name("x:1", Some(':'))));
    assert_eq!(builder.primary("|"), Err(name("|", Some('|'))));
    assert_eq!(builder.secondary("a"), Err(CoverError::SecondItem { name: "a".to_owned() }));
    builder.option(["a"])?;
    let before = builder.clone().build();
    let unknown = |name: &str| CoverError::UnknownItem { option: Some(1), name: name.to_owned() };
    assert_eq!(builder.option(["a", "b"]), Err(unknown("b")));
    assert_eq!(builder.option_of([(0, None), (2, None)]), Err(unknown("2")));
    let twice = CoverError::Twice { option: 1, name: "s".to_owned() };
    assert_eq!(builder.option(["s:red", "a", "s:red"]), Err(twice.clone()));
    assert_eq!(
        twice.to_string(),
        "option 1: found the item \"s\" twice, expected it at most once in an option"
    );
    let coloured =
        CoverError::ColouredPrimary { option: 1, name: "a".to_owned(), colour: "red".to_owned() };
    assert_eq!(builder.option(["a:red"]), Err(coloured));
    assert_eq!(builder.option(["s:"]), Err(named(Some(1), "", None)));
    let colour = named(Some(1), "a:b", Some(':'));
    assert_eq!(builder.option(["s:a:b"]), Err(colour.clone()));
    assert_eq!(colour.option(), Some(1));
    assert_eq!(
        colour.to_string(),
        "option 1: found ':' in the name \"a:b\", expected a name without white space, ':' and '|'"
    );
    assert_eq!(builder.option(Vec::<&str>::new()), Err(CoverError::EmptyOption { option: 1 }));
    assert_eq!(
        builder.prefer("b").err(),
        Some(CoverError::UnknownItem { option: None, name: "b".to_owned() })
    );
    assert_eq!(builder.clone().build(), before);
    // Items of a refused option can be used in the next one.
    assert_eq!(builder.option(["s:red", "a"]), Ok(1));
    Ok(())
}

#[test]
fn a_panic_of_the_callers_iterator_leaves_the_builder_unchanged() -> Result<(), CoverError> {
    let mut builder = Cover::builder();
    builder.primary("a")?;
    builder.secondary("s")?;
    builder.option(["a"])?;
    let before = builder.clone().build();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let members = ["a", "s:red", ""].into_iter();
        builder.option(members.inspect(|member| assert!(!member.is_empty(), "no member")))
    }));
    assert!(panicked.is_err());
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let members = [(0, None), (1, Some("blue")), (2, None)];
        builder.option_of(members.into_iter().inspect(|&(item, _)| assert!(item < 2, "no member")))
    }));
    assert!(panicked.is_err());
    assert_eq!(builder.clone().build(), before);
    assert_eq!(builder.option(["s:green", "a"]), Ok(1));
    let cover = builder.build();
    let members: Vec<String> = cover.members(1).map(|member| member.to_string()).collect();
    assert_eq!(members, ["s:green", "a"]);
    assert_eq!(Search::new(&cover).count().exact(), Some(2));
    Ok(())
}

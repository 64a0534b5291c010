//! Saved work is resumed only by a search with the same instance, brancher, hooks and parameters.

use std::time::Duration;

use secateurs::brancher::{
    Branching, ForcedFirst, InputOrder, MiddleOut, Shuffled, SmallestDomain, SmallestKey, Sorted,
    VariableOrder, least_constraining,
};
use secateurs::checkpoint::{Fingerprint, SaveError};
use secateurs::hook::{self, Constraint, Dominance, Hook, Memo, NodeMut};
use secateurs::search::{Checkpoint, Frontier};
use secateurs::{
    Brancher, Digest, Effect, Limits, Node, Objective, Problem, ProblemOrder, Search,
    SubstituteOrder, Variables, Verdict,
};
use secateurs_csp::{Decision, Domains, Network, Variable};
use secateurs_problems::packing::{Packing, PackingBoard, PackingPiece};
use secateurs_problems::queens::{BitQueens, BitState, Queens};

use crate::support::scratch::Directory;

fn queens() -> BitQueens {
    Queens::new(7).expect("a size").bits()
}

/// Returns a hook that prunes columns from `limit` on in the first row, which it does not state.
fn unstated_below(limit: u64) -> hook::Admit<impl FnMut(&Node<'_, BitQueens>, &u64) -> Verdict> {
    hook::admit("below", Effect::Lossy, move |node: &Node<'_, BitQueens>, &square: &u64| {
        Verdict::prune_if(node.depth() == 0 && square >= 1 << limit)
    })
}

/// Returns the same hook with its parameter.
fn below(limit: u64) -> impl Hook<BitQueens> {
    unstated_below(limit).parameters(&limit)
}

/// A file of a search of 7 queens.
struct Saved(Directory);

impl Saved {
    /// Saves a search with this brancher and this hook, after 20 nodes.
    fn new(brancher: impl Brancher<BitQueens>, hook: impl Hook<BitQueens>) -> Self {
        let (queens, saved) = (queens(), Saved(Directory::new()));
        let mut checkpoint = saved.checkpoint(7);
        let search = Search::new(&queens).hooks((hook,)).brancher(brancher);
        let search = search.limits(Limits::new().nodes(20));
        let _ = search.checkpoint(&mut checkpoint).expect("a new file").count();
        saved
    }

    fn checkpoint(&self, instance: u32) -> Checkpoint<u64> {
        Checkpoint::new(self.0.file(), Duration::ZERO, Fingerprint::new("queens", &instance))
    }

    /// Returns the reason why the file is refused by a search of this instance.
    fn refusal_of(
        &self,
        instance: u32,
        brancher: impl Brancher<BitQueens>,
        hook: impl Hook<BitQueens>,
    ) -> Option<String> {
        let (queens, mut checkpoint) = (queens(), self.checkpoint(instance));
        let search = Search::new(&queens).hooks((hook,)).brancher(brancher);
        search.resume(&mut checkpoint).err().map(|error| error.reason().to_string())
    }

    /// Returns the reason why the file is refused, or `None` if the search can be resumed.
    fn refusal(
        &self,
        brancher: impl Brancher<BitQueens>,
        hook: impl Hook<BitQueens>,
    ) -> Option<String> {
        self.refusal_of(7, brancher, hook)
    }

    /// Asserts that the file is refused because of this difference.
    fn assert_refused(
        &self,
        brancher: impl Brancher<BitQueens>,
        hook: impl Hook<BitQueens>,
        difference: &str,
    ) {
        let expected = format!("belongs to another run: {difference}");
        assert_eq!(self.refusal(brancher, hook), Some(expected));
    }
}

/// The first packing has a free piece and the second has none, so their symmetry hooks differ in
/// mode: see `BoardSymmetry`.
#[test]
fn packings_up_to_symmetry_are_saved_and_resumed() {
    let dominoes = vec![PackingPiece::any_number("d", "##".parse().expect("a domino"))];
    let board = |rows, columns| PackingBoard::rectangle(rows, columns).expect("a size");
    let packings = [
        Packing::pentominoes(board(3, 20)).expect("a packing"),
        Packing::new(board(4, 4), dominoes).expect("a packing"),
    ];
    for packing in packings {
        let search = || Search::new(packing.cover()).hooks((packing.symmetry(),));
        let expected = search().count();
        let directory = Directory::new();
        let fingerprint = || Fingerprint::new("a packing", &());
        let checkpoint =
            || Checkpoint::<usize>::new(directory.file(), Duration::ZERO, fingerprint());
        let mut first = checkpoint();
        let stopped = search().limits(Limits::new().nodes(expected.report().nodes() / 2));
        let stopped = stopped.checkpoint(&mut first).expect("a new file").count();
        drop(first);
        assert_eq!(stopped.exact(), None);
        let mut second = checkpoint();
        let resumed = search().resume(&mut second).expect("the same search").count();
        assert_eq!(
            (resumed.representatives(), resumed.exact()),
            (expected.representatives(), expected.exact())
        );
    }
}

#[test]
fn a_file_is_refused_with_the_first_difference() {
    let saved = Saved::new(ProblemOrder, below(4));
    assert_eq!(saved.refusal(ProblemOrder, below(4)), None);
    let other = saved.refusal_of(8, ProblemOrder, below(4)).expect("another instance");
    let beginning = "belongs to another run: found another instance of `queens`, of digest ";
    assert!(other.starts_with(beginning), "{other}");
    let refused = |hook: &mut dyn Hook<BitQueens>, difference| {
        saved.assert_refused(ProblemOrder, hook, difference);
    };
    refused(&mut below(5), "found other parameters of the hook `below`");
    refused(&mut Queens::mirror(), "found the hook `below` at the place of the hook `mirror`");
    refused(&mut Some(below(4)).filter(|_| false), "found the hook `below` as well");
    let shuffled = Brancher::<BitQueens>::name(&Shuffled::new(3));
    let difference =
        format!("found the brancher `problem order` at the place of the brancher `{shuffled}`");
    saved.assert_refused(Shuffled::new(3), below(4), &difference);
}

#[test]
fn fingerprints_are_compared_and_printed_part_by_part() {
    let queens = queens();
    let of = |problem: &str, hooks: &[(&'static str, Effect)]| {
        let hook = |&(name, effect): &(&'static str, Effect)| {
            hook::admit(name, effect, |_: &Node<'_, BitQueens>, _: &u64| Verdict::Keep)
        };
        let hooks: Vec<_> = hooks.iter().map(hook).collect();
        Search::new(&queens).hooks(hooks).fingerprint(Fingerprint::new(problem, &7))
    };
    let limit = ("limit", Effect::Lossy);
    let own = of("a tree", &[limit]);
    let text = own.to_string();
    assert!(text.starts_with("`a tree` of digest "), "{text}");
    assert!(
        text.ends_with(" with the brancher `problem order`, the hook `limit` (lossy)"),
        "{text}"
    );
    for (found, expected) in [
        (of("a graph", &[limit]), "found the problem `a graph`, expected `a tree`"),
        (of("a tree", &[]), "the hook `limit` is missing"),
        (of("a tree", &[limit, ("more", Effect::Lossy)]), "found the hook `more` as well"),
        (
            of("a tree", &[("limit", Effect::Preserving)]),
            "found the effect preserving of the hook `limit`, expected lossy",
        ),
    ] {
        let mut file = Vec::new();
        Frontier::<u64>::new().write(&mut file, &found).expect("written to memory");
        let error = Frontier::<u64>::read(&*file, &own).expect_err("of another run");
        assert_eq!(error.to_string(), format!("belongs to another run: {expected}"));
    }
}

#[test]
fn instances_in_several_pieces_and_with_decimals_are_told_apart() {
    let of = |data: [&str; 2]| Fingerprint::new("", &()).with(data[0]).with(data[1]);
    assert_ne!(of(["a", "bc"]), of(["ab", "c"]));
    assert_eq!(of(["a", "bc"]), of(["a", "bc"]));
    let of = |weights: &[f64]| Fingerprint::serialized("weights", weights).expect("numbers");
    assert_ne!(of(&[0.5, 1.0]), of(&[0.5, 1.5]));
}

#[test]
fn a_brancher_that_is_switched_off_is_compared() {
    let on = |seed: u64| Some(Shuffled::new(seed));
    let off = || None::<Shuffled>;
    let saved = Saved::new(on(3), below(7));
    assert_eq!(saved.refusal(on(3), below(7)), None);
    assert_eq!(saved.refusal(Shuffled::new(3), below(7)), None);
    let refused = saved.refusal(on(4), below(7)).expect("another seed");
    assert!(refused.contains("found other parameters of the brancher `"), "{refused}");
    assert!(saved.refusal(off(), below(7)).is_some());
    let saved = Saved::new(off(), below(7));
    assert_eq!(saved.refusal(off(), below(7)), None);
    assert!(saved.refusal(on(3), below(7)).is_some());
    // In a wrapper whose name is the same with and without the inner brancher.
    let sorted = |inner: Option<ProblemOrder>| {
        Sorted::over(inner, |_: &Node<'_, BitQueens>, square: &u64| *square)
    };
    let saved = Saved::new(sorted(Some(ProblemOrder)), below(7));
    assert_eq!(saved.refusal(sorted(Some(ProblemOrder)), below(7)), None);
    assert!(saved.refusal(sorted(None), below(7)).is_some());
}

#[test]
fn a_hook_that_is_named_like_one_that_is_switched_off_is_compared() {
    let named_off = |limit: u64| {
        hook::admit("off", Effect::Preserving, move |_: &Node<'_, BitQueens>, &square: &u64| {
            Verdict::prune_if(square >= 1 << limit)
        })
        .parameters(&limit)
    };
    let without_parameters =
        || hook::admit("off", Effect::Preserving, |_: &Node<'_, BitQueens>, _: &u64| Verdict::Keep);
    let off = || Some(below(4)).filter(|_| false);
    let saved = Saved::new(ProblemOrder, named_off(4));
    assert_eq!(saved.refusal(ProblemOrder, named_off(4)), None);
    saved.assert_refused(ProblemOrder, named_off(5), "found other parameters of the hook `off`");
    saved.assert_refused(ProblemOrder, off(), "found the hook `off` as well");
    let saved = Saved::new(ProblemOrder, without_parameters());
    saved.assert_refused(ProblemOrder, off(), "found the hook `off` as well");
    let saved = Saved::new(ProblemOrder, off());
    assert_eq!(saved.refusal(ProblemOrder, off()), None);
}

#[test]
fn searches_with_unstated_parameters_are_not_saved() {
    let (queens, limit, saved) = (queens(), 4u64, Saved(Directory::new()));
    let unstated = || unstated_below(limit);
    let mut checkpoint = saved.checkpoint(7);
    let refused = Search::new(&queens).hooks((unstated(),)).checkpoint(&mut checkpoint);
    let expected = "the hook `below` has data, such as a captured value or a function pointer, \
                    and has not stated its parameters: set its `parameters`";
    assert_eq!(
        refused.map(|_| ()).map_err(|error| error.reason().to_string()),
        Err(expected.to_owned())
    );
    assert!(!saved.0.file().exists());

    let fingerprint =
        Search::new(&queens).hooks((unstated(),)).fingerprint(Fingerprint::new("queens", &7));
    let written = Frontier::<u64>::new().save(saved.0.file(), &fingerprint);
    let error = written.expect_err("unstated");
    assert!(matches!(error.reason(), SaveError::Unstated { .. }), "{error}");
    let text = fingerprint.to_string();
    assert!(text.ends_with(", the hook `below` (lossy) of unstated parameters"), "{text}");
    let stated = Search::new(&queens).hooks((unstated().parameters(&limit),));
    let text = stated.fingerprint(Fingerprint::new("queens", &7)).to_string();
    let digest = Digest::of(&limit).to_string();
    assert!(text.ends_with(&format!("`below` (lossy) of parameters {digest}")), "{text}");
    let saved = Saved::new(ProblemOrder, below(4));
    assert_eq!(saved.refusal(ProblemOrder, unstated()).as_deref(), Some(expected));
    let key = move |_: &Node<'_, BitQueens>, square: &u64| square ^ limit;
    let refused = saved.refusal(Sorted::by(key), below(4)).expect("unstated");
    assert!(refused.starts_with("the brancher `"), "{refused}");
    assert!(refused.ends_with("set its `parameters`"), "{refused}");
}

#[test]
fn closures_without_captures_need_not_state_parameters() {
    let has_parameters = |hook: &dyn Hook<BitQueens>| hook.parameters().is_some();
    assert!(has_parameters(&hook::enter("keep", Effect::Preserving, |_| Verdict::Keep)));
    assert!(has_parameters(&Queens::mirror()));
    assert!(has_parameters(&Memo::failed("rows", |_: &BitQueens, state| format!("{state:?}"))));
    let smallest = SmallestDomain::first_tie();
    assert!(Brancher::<Network>::parameters(&least_constraining::<Network, _>(smallest)).is_some());
    assert!(
        Brancher::parameters(&secateurs_problems::knights_tour::Rule::Farthest.brancher())
            .is_some()
    );
    // An observer does not affect the search, so its captures need not be stated.
    let seen = std::cell::Cell::new(0);
    assert!(has_parameters(&hook::watch("seen", |_: &Node<'_, BitQueens>| seen.set(1))));
    let captured = 7u64;
    assert!(!has_parameters(&Memo::failed("rows", move |_: &BitQueens, state| format!(
        "{state:?}{captured}"
    ))));
}

/// Checks that the parameters are known and that no two are the same.
fn check_distinct(parameters: &[Option<Digest>]) {
    for (index, one) in parameters.iter().enumerate() {
        assert!(one.is_some() && !parameters[..index].contains(one), "number {index}");
    }
}

#[test]
fn orders_that_differ_in_a_part_have_different_parameters() {
    fn of(brancher: impl Brancher<Network>) -> Option<Digest> {
        brancher.parameters()
    }
    fn by(order: impl VariableOrder<Network>) -> Option<Digest> {
        of(Branching::by(order))
    }
    let [first, last] = [SmallestDomain::first_tie(), SmallestDomain::last_tie()];
    let random = SmallestDomain::random_ties;
    check_distinct(&[by(first), by(last), by(random(1)), by(random(2))]);
    check_distinct(&[by(ForcedFirst::over(first)), by(ForcedFirst::over(last))]);
    check_distinct(&[by(InputOrder)]);
    // A key, an order of variables and an order of values that capture data.
    let captured = 7_u64;
    let key = move |_: &Node<'_, Network>, _: Variable| captured;
    assert_eq!(by(SmallestKey::by(key)), None);
    check_distinct(&[1, 2].map(|data| by(SmallestKey::by(key).parameters(&data))));
    let choose = move |node: &Node<'_, Network>| {
        let variables = node.problem().undecided(node.state());
        variables.take(captured as usize).last()
    };
    assert_eq!(by(choose), None);
    check_distinct(&[by(|node: &Node<'_, Network>| node.problem().undecided(node.state()).last())]);
    // Adapters over branchers with different parameters.
    let [first, last] = [Branching::by(first), Branching::by(last)];
    check_distinct(&[first, last].map(|inner| of(MiddleOut::over(inner))));
    check_distinct(
        &[(first, 1), (first, 2), (last, 1)]
            .map(|(inner, seed)| of(Shuffled::over::<Network>(inner, seed))),
    );
    let keyed = |_: &Node<'_, Network>, _: &Decision| captured;
    assert_eq!(of(Sorted::over(first, keyed)), None);
    check_distinct(
        &[(first, 1), (first, 2), (last, 1)]
            .map(|(inner, data)| of(Sorted::over(inner, keyed).parameters(&data))),
    );
    let objective = Objective::minimise(|_: &Network, _: &Domains| 0_u64);
    let bounded = || objective.sorted(move |_, _, _| captured);
    assert_eq!(of(bounded()), None);
    check_distinct(
        &[(first, 1), (first, 2), (last, 1)]
            .map(|(inner, data)| of(bounded().parameters(&data).over(inner))),
    );
    let within = || {
        objective.next_within(move |network: &Network, state, cursor, to_beat| {
            to_beat.is_beaten_by(&captured).then(|| network.next(state, cursor))?
        })
    };
    assert_eq!(of(within()), None);
    check_distinct(&[1, 2].map(|data| of(within().parameters(&data))));
}

#[test]
fn hooks_that_differ_in_a_part_have_different_parameters() {
    fn of(hook: impl Hook<BitQueens>) -> Option<Digest> {
        hook.parameters()
    }
    fn group(_: &BitQueens, _: &BitState) -> u8 {
        0
    }
    fn summary(_: &BitQueens, _: &BitState) -> [u64; 2] {
        [0; 2]
    }
    let captured = 7_u64;
    // The relation, and the order of matches.
    let pairwise = || Dominance::new("", group, summary, |a: &[u64; 2], b: &[u64; 2]| a >= b);
    let criteria = || Dominance::by_criteria("", group, summary);
    let fewer = SubstituteOrder::FewerChoices;
    check_distinct(&[pairwise(), pairwise().order(fewer)].map(of));
    check_distinct(&[criteria(), criteria().order(fewer)].map(of));
    assert_ne!(of(pairwise()), of(criteria()));
    let capturing = || {
        Dominance::new("", group, summary, move |a: &[u64; 2], b: &[u64; 2]| {
            a[0] >= b[0] + captured
        })
    };
    assert_eq!(of(capturing()), None);
    check_distinct(&[1, 2].map(|data| of(capturing().parameters(&data))));
    // Closures.
    let enter = || {
        hook::enter("", Effect::Lossy, move |node: &mut NodeMut<'_, BitQueens>| {
            Verdict::prune_if(node.depth() as u64 == captured)
        })
    };
    let constraint = || {
        hook::constraint("", Constraint::State, move |node: &Node<'_, BitQueens>| {
            node.depth() as u64 != captured
        })
    };
    assert_eq!((of(enter()), of(constraint())), (None, None));
    check_distinct(&[1, 2].map(|data| of(enter().parameters(&data))));
    check_distinct(&[1, 2].map(|data| of(constraint().parameters(&data))));
}

#[test]
fn a_hook_type_without_data_need_not_state_parameters() {
    struct NoData;
    impl Hook<BitQueens> for NoData {
        fn name(&self) -> &str {
            "no data"
        }
    }
    struct Data(#[allow(dead_code, reason = "only its size matters")] u64);
    impl Hook<BitQueens> for Data {
        fn name(&self) -> &str {
            "data"
        }
    }
    let saved = Saved::new(ProblemOrder, NoData);
    assert_eq!(saved.refusal(ProblemOrder, NoData), None);
    let (queens, mut checkpoint) = (queens(), Saved(Directory::new()).checkpoint(7));
    assert!(Search::new(&queens).hook(Data(1)).checkpoint(&mut checkpoint).is_err());
}

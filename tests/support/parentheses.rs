//! Checks of the state code `Parentheses` against a model that lists the path of each plug.

use proptest::prelude::*;
use proptest::sample::Index;
use secateurs::plug::code::{Joined, Parentheses, PathEnds, Role, Symbol, Word};

/// A state as a list of paths. A path that occurs at only one plug has a loose end there.
#[derive(Clone, Debug)]
struct Model {
    /// The identifier of the path that crosses each plug; `None` for an empty plug.
    paths: Vec<Option<usize>>,
    /// The number of paths created so far.
    created: usize,
}

impl Model {
    fn new(plugs: usize) -> Self {
        Model { paths: vec![None; plugs], created: 0 }
    }

    fn new_path(&mut self) -> Option<usize> {
        self.created += 1;
        Some(self.created)
    }

    fn mate(&self, plug: usize) -> Option<usize> {
        let path = self.paths[plug]?;
        (0..self.paths.len()).find(|&other| other != plug && self.paths[other] == Some(path))
    }

    fn symbol(&self, plug: usize) -> Symbol {
        match (self.paths[plug], self.mate(plug)) {
            (None, _) => Symbol::Empty,
            (Some(_), Some(mate)) if mate < plug => Symbol::Close,
            (Some(_), _) => Symbol::Open,
        }
    }

    /// Returns the number of pairs that enclose the plug.
    fn enclosing_pairs(&self, plug: usize) -> usize {
        (0..plug).filter(|&open| self.mate(open).is_some_and(|mate| mate > plug)).count()
    }

    /// Returns whether every path with an end between the two plugs has both ends there.
    fn closed_between(&self, a: usize, b: usize) -> bool {
        (a + 1..b).all(|plug| {
            self.paths[plug].is_none()
                || self.mate(plug).is_some_and(|mate| (a + 1..b).contains(&mate))
        })
    }

    /// Returns the pairs of plugs that can be joined without a crossing of paths.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.paths.len())
            .flat_map(|b| (0..b).map(move |a| (a, b)))
            .filter(|&(a, b)| self.closed_between(a, b))
    }

    fn join(&mut self, a: usize, b: usize) -> Joined<()> {
        let (from, to) = (self.paths[a].take(), self.paths[b].take());
        if from == to {
            return Joined::Loop(());
        }
        if !self.paths.contains(&from) && !self.paths.contains(&to) {
            return Joined::Complete(());
        }
        for path in &mut self.paths {
            if *path == to {
                *path = from;
            }
        }
        Joined::Path(())
    }

    fn check<W: Word>(&self, code: Parentheses<W>) {
        for plug in 0..Parentheses::<W>::CAPACITY {
            let inside = plug < self.paths.len();
            assert_eq!(
                code.get(plug),
                if inside { self.symbol(plug) } else { Symbol::Empty },
                "plug {plug} of {code}"
            );
            assert_eq!(
                code.mate(plug),
                if inside { self.mate(plug) } else { None },
                "mate of {plug} in {code}"
            );
            let role = match (code.get(plug), code.mate(plug)) {
                (Symbol::Empty, _) => Role::Untouched,
                (_, mate) => mate.map_or(Role::Loose, Role::End),
            };
            assert_eq!(code.role(plug), role, "role of {plug} in {code}");
        }
        let used = |plug: &usize| self.paths[*plug].is_some();
        let loose =
            (0..self.paths.len()).filter(used).filter(|&plug| self.mate(plug).is_none()).count();
        assert_eq!(code.len(), (0..self.paths.len()).rfind(used).map_or(0, |last| last + 1));
        assert_eq!(code.count(), (0..self.paths.len()).filter(used).count());
        assert_eq!(code.is_empty(), code.count() == 0);
        assert_eq!(code.loose_ends(), loose);
        assert!(code.is_legal());
        assert_eq!(code.is_motzkin(self.paths.len()), loose == 0);
        assert_eq!(code.is_motzkin(code.len()), loose == 0);
        assert!(code.is_empty() || !code.is_motzkin(code.len() - 1));
        for plug in 0..=self.paths.len() {
            let opened = |open: &usize| self.symbol(*open) == Symbol::Open;
            let still = |&open: &usize| self.mate(open).is_none_or(|mate| mate >= plug);
            assert_eq!(code.height(plug), (0..plug).filter(opened).filter(still).count());
        }
        assert_eq!(code.to_string().parse(), Ok(code));
        assert_eq!(format!("{code:0$}", self.paths.len()).len(), self.paths.len().max(1));
        assert_eq!(Parentheses::from_word(code.word()), code);
        if loose == 0 {
            let mirrored = code.mirrored(self.paths.len());
            assert_eq!(mirrored.mirrored(self.paths.len()), code);
            for plug in 0..self.paths.len() {
                let mirror = |plug: usize| self.paths.len() - 1 - plug;
                assert_eq!(mirrored.mate(mirror(plug)), self.mate(plug).map(mirror));
            }
        }
    }

    /// Applies a legal operation of this kind to both the model and the code. Does nothing if there
    /// is none.
    fn apply<W: Word>(
        &mut self,
        code: Parentheses<W>,
        operation: usize,
        choice: Index,
    ) -> Parentheses<W> {
        let used = |plug: usize| self.paths[plug].is_some();
        let alone = |plug: usize| (self.enclosing_pairs(plug) == 0).then_some((plug, plug));
        let plugs = 0..self.paths.len();
        // The pairs of plugs, or the plugs twice, to which the operation can be applied.
        let places: Vec<(usize, usize)> = match operation {
            0 | 1 => self.pairs().filter(|&(a, b)| !used(a) && !used(b)).collect(),
            2 => self.pairs().filter(|&(a, b)| used(a) && used(b)).collect(),
            3 => self.pairs().filter(|&(a, b)| used(a) != used(b)).collect(),
            4 => plugs.filter(|&plug| used(plug)).filter_map(alone).collect(),
            5 => plugs.filter(|&plug| !used(plug)).filter_map(alone).collect(),
            _ => plugs
                .last()
                .filter(|&last| !used(last))
                .map(|last| (last, last))
                .into_iter()
                .collect(),
        };
        if places.is_empty() {
            return code;
        }
        let &(a, b) = choice.get(&places);
        match operation {
            0 | 1 => {
                self.paths[a] = self.new_path();
                self.paths[b] = self.paths[a];
                code.pair(a, b)
            }
            2 => match (code.join(a, b), self.join(a, b)) {
                (Joined::Path(code), Joined::Path(()))
                | (Joined::Loop(code), Joined::Loop(()))
                | (Joined::Complete(code), Joined::Complete(())) => code,
                (found, expected) => panic!("{found:?}, not {expected:?}"),
            },
            3 => {
                let (from, to) = if used(a) { (a, b) } else { (b, a) };
                self.paths.swap(a, b);
                code.moved(from, to)
            }
            4 => {
                let path = self.paths[a].take();
                let closed = code.close(a);
                assert_eq!(matches!(closed, Joined::Path(_)), self.paths.contains(&path));
                assert_eq!(matches!(closed, Joined::Complete(_)), !self.paths.contains(&path));
                closed.state()
            }
            5 => {
                self.paths[a] = self.new_path();
                code.with(a, Symbol::Open)
            }
            _ => {
                self.paths.rotate_right(1);
                code.shift()
            }
        }
    }
}

/// Generates fewer than `end_len` operations: their kinds, and the choice among the legal plugs.
pub fn actions(end_len: usize) -> impl Strategy<Value = Vec<(usize, Index)>> {
    prop::collection::vec((0..7usize, any::<Index>()), 0..end_len)
}

/// Applies the same operations to a code and to a model of `plugs` plugs, and compares them.
pub fn agree<W: Word>(plugs: usize, actions: &[(usize, Index)]) {
    let mut model = Model::new(plugs.min(Parentheses::<W>::CAPACITY));
    let mut code = Parentheses::<W>::EMPTY;
    model.check(code);
    for &(operation, choice) in actions {
        code = model.apply(code, operation, choice);
        model.check(code);
    }
}

/// Applies the same operations to codes and models that fill their words, and compares them.
pub fn agree_to_the_last_plug(actions: &[(usize, Index)]) {
    agree::<u32>(16, actions);
    agree::<u64>(32, actions);
    agree::<u128>(64, actions);
}

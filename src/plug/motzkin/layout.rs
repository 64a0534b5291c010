//! Where a word is in the table: [`Layout`], ranks by halves.

use rustc_hash::FxHashMap;

use super::contour::{Shape, bits_before};

/// Words are numbered in lexicographic order, plug 0 first, `.` before `(` before `)`. To find the number of a word, it is
/// cut in two: the words whose left half comes before are counted by the left half alone, and those of the same left half
/// by the right half and by what a right half must know of the left one, its *class*: the height at the cut and the balance.
///
/// So the words of one left half are neighbours in the table, a *segment*, in which the right halves of one class stand in
/// order. As the order of words does not depend on where they are cut, neither does the table.
#[derive(Debug)]
pub(super) struct Layout {
    shape: Shape,
    /// All left halves, in order.
    pub(super) lefts: Vec<Left>,
    /// All right halves, those of greater height at the cut later, and in order.
    pub(super) rights: Vec<Right>,
    /// Of a right half: its place in `rights`.
    right_numbers: FxHashMap<u64, u32>,
    /// How many right halves each class has.
    sizes: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) word: u64,
    /// The height after it.
    pub(super) height: usize,
    balance: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Right {
    pub(super) word: u64,
    /// The height before it.
    pub(super) height: usize,
    pub(super) class: usize,
    /// Its place within its class.
    pub(super) index: u32,
}

/// Calls `visit` with all sequences of symbols at plugs `from..to` that begin at a height and do not fall below 0, in
/// order, with the height at their end. Those that cannot come down to `most` are left out early.
fn walk(
    shape: &Shape,
    (from, to): (usize, usize),
    (word, height): (u64, usize),
    most: usize,
    visit: &mut impl FnMut(u64, usize),
) {
    if height > most + (to - from) {
        return;
    }
    if from == to {
        visit(word, height);
        return;
    }
    let before = if from == 0 { 0 } else { word >> (2 * (from - 1)) & 3 };
    for (symbol, after) in [(0, Some(height)), (1, Some(height + 1)), (2, height.checked_sub(1))] {
        if let Some(after) = after.filter(|_| shape.allows(from, before, symbol)) {
            walk(shape, (from + 1, to), (word | symbol << (2 * from), after), most, visit);
        }
    }
}

impl Layout {
    /// The words of this shape, cut before plug `cut`, which must not be between the two plugs that are
    /// [fresh](Shape::fresh).
    pub(super) fn new(shape: Shape, cut: usize) -> Self {
        debug_assert!(shape.fresh.is_none_or(|fresh| fresh + 1 != cut), "two fresh plugs on two sides of the cut");
        let mut layout = Layout {
            shape,
            lefts: Vec::new(),
            rights: Vec::new(),
            right_numbers: FxHashMap::default(),
            sizes: vec![0; (shape.plugs + 2) * (2 * shape.plugs + 1)],
        };
        let rest = shape.plugs - cut;
        // One more than what can come down to the end, as a loose end may arise to the right of the cut.
        walk(&shape, (0, cut), (0, 0), rest + 1, &mut |word, height| {
            layout.lefts.push(Left { word, height, balance: shape.balance(word) });
        });
        for height in 0..=cut {
            walk(&shape, (cut, shape.plugs), (0, height), shape.end, &mut |word, end| {
                if end != shape.end {
                    return;
                }
                let class = layout.class(height, shape.balance(word)).unwrap_or(0);
                let index = layout.sizes[class];
                layout.sizes[class] += 1;
                layout.right_numbers.insert(word, layout.rights.len() as u32);
                layout.rights.push(Right { word, height, class, index });
            });
        }
        layout
    }

    /// How many classes there may be.
    pub(super) fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// The class of the right halves that begin at this height and have this balance.
    pub(super) fn class(&self, height: usize, balance: i32) -> Option<usize> {
        let plugs = self.shape.plugs;
        let balance = usize::try_from(balance + plugs as i32).ok()?;
        (height <= plugs + 1 && balance <= 2 * plugs).then_some(height * (2 * plugs + 1) + balance)
    }

    /// The class of the right halves that go with a left half, in a layer of this balance.
    pub(super) fn class_after(&self, left: &Left, target: i32) -> Option<usize> {
        self.class(left.height, target - left.balance)
    }

    /// How many words a segment has.
    pub(super) fn size(&self, class: Option<usize>) -> usize {
        class.map_or(0, |class| self.sizes[class] as usize)
    }

    /// Where each segment begins, and at last the number of words.
    pub(super) fn bases(&self, target: i32) -> Vec<usize> {
        let mut base = 0;
        let mut bases = Vec::with_capacity(self.lefts.len() + 1);
        bases.push(0);
        for left in &self.lefts {
            base += self.size(self.class_after(left, target));
            bases.push(base);
        }
        bases
    }

    /// The place of a right half in `rights`.
    pub(super) fn right_number(&self, word: u64) -> Option<usize> {
        self.right_numbers.get(&word).map(|&number| number as usize)
    }

    /// The rank of a word in a layer of this balance, if it is there.
    pub(super) fn rank(&self, cut: usize, word: u64, target: i32) -> Option<usize> {
        let left = word & bits_before(cut);
        let number = self.lefts.iter().position(|known| known.word == left)?;
        let right = self.rights[self.right_number(word & !left)?];
        let fits = self.class_after(&self.lefts[number], target) == Some(right.class);
        fits.then(|| self.bases(target)[number] + right.index as usize)
    }

    /// All words of a layer, in the order of their ranks.
    pub(super) fn words(&self, target: i32) -> Vec<u64> {
        let mut of_class = vec![Vec::new(); self.classes()];
        for right in &self.rights {
            of_class[right.class].push(right.word);
        }
        let with_rest = |left: &Left| {
            let class = self.class_after(left, target);
            class.map_or(&[][..], |class| &of_class[class]).iter().map(|right| left.word | right).collect::<Vec<_>>()
        };
        self.lefts.iter().flat_map(with_rest).collect()
    }
}

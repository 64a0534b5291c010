//! [`DenseSweep`]: a sweep without hashing.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::contour::{Contour, is_balanced};
use super::execute::{Segments, execute};
use super::layout::Layout;
use super::numbers::{Exact, Numbers};
use super::plan::{Layouts, Plan, PlanKey, key};
use super::{FINISHED, MotzkinProfile};
use crate::hook::Effect;
use crate::limits::Stop;
use crate::outcome::{Count, Outcome, Total};
use crate::plug::account::{Account, StepCount};
use crate::plug::algebra::{Counter, Limbs, Modulo};
use crate::plug::code::Parentheses;
use crate::plug::{Sweep, TooWide};

/// Plans that are kept for cells to come. On a board without obstacles there are two rows of different ones.
const PLANS: usize = 128;

/// A table of so many words is large.
const LARGE: usize = 1 << 24;

/// The longest words for which plans can be made.
const MOST_PLUGS: usize = 31;

/// A sweep whose layers are tables addressed by the rank of the state. It is made by [`Sweep::dense`].
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct DenseSweep<'p, P> {
    sweep: Sweep<'p, P>,
}

impl<'p, P: MotzkinProfile> Sweep<'p, P> {
    /// The same sweep with layers that are not found by hashing, but addressed by the rank of the state: see
    /// [`motzkin`](super). There are no hooks, as no state is looked at.
    pub fn dense(self) -> DenseSweep<'p, P> {
        DenseSweep { sweep: self }
    }
}

impl<P: MotzkinProfile> DenseSweep<'_, P> {
    /// How many solutions there are, exactly; more than 2¹²⁸ − 1 end the sweep with [`Stop::CountOverflow`]. See
    /// [`count_natural`](DenseSweep::count_natural) for any number of them.
    pub fn count(self) -> Outcome<Count> {
        let mut run = Run::new(self.sweep);
        let result = run.exact();
        let (counted, stop) = match result.map(|limbs| u128_of(&limbs)) {
            Ok(Some(count)) => (count, Stop::Exhausted),
            Ok(None) => (0, Stop::CountOverflow),
            Err(stop) => (0, stop),
        };
        Outcome::new(Count::swept(counted), run.account.into_report(stop, false))
    }

    /// How many solutions there are, however many.
    #[cfg(feature = "bigint")]
    pub fn count_natural(self) -> Outcome<Total<crate::plug::algebra::Natural>> {
        let mut run = Run::new(self.sweep);
        let result = run.exact();
        let (total, stop) = match result {
            Ok(limbs) => {
                let bytes: Vec<u8> = limbs.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect();
                (Some(crate::plug::algebra::Natural::from_bytes(&bytes)), Stop::Exhausted)
            }
            Err(stop) => (None, stop),
        };
        let report = run.account.into_report(stop, false);
        Outcome::new(Total::new(total, Effect::Preserving, &report), report)
    }

    /// How many solutions there are, modulo each of `N` numbers.
    pub fn count_modulo<const N: usize>(self, modulo: &Modulo<N>) -> Outcome<Total<[u64; N]>> {
        let mut run = Run::new(self.sweep);
        let mut layer = vec![modulo.one()];
        let mut total = [0; N];
        let (total, stop) = match run.sweep(modulo, &mut layer, &mut total) {
            Ok(()) => (Some(total), Stop::Exhausted),
            Err(stop) => (None, stop),
        };
        let report = run.account.into_report(stop, false);
        Outcome::new(Total::new(total, Effect::Preserving, &report), report)
    }
}

fn u128_of(limbs: &[u64]) -> Option<u128> {
    let [low, high, rest @ ..] = limbs else { return Some(u128::from(*limbs.first()?)) };
    rest.iter().all(|&limb| limb == 0).then_some(u128::from(*high) << 64 | u128::from(*low))
}

/// A sweep under way: it stands before a cell.
struct Run<'p, P> {
    profile: &'p P,
    threads: usize,
    account: Account<'p>,
    cell: usize,
    contour: Contour,
    states: u64,
    /// From this cell on, all may be left out: a way can finish in the one before.
    tail: usize,
    plans: FxHashMap<PlanKey, Arc<Plan>>,
    layouts: Layouts,
}

impl<'p, P: MotzkinProfile> Run<'p, P> {
    fn new(sweep: Sweep<'p, P>) -> Self {
        let (profile, (), threads, account) = sweep.start();
        let can_skip = |&cell: &usize| {
            let rule = profile.rule(cell);
            rule.skip && rule.entrance.is_none()
        };
        let tail = profile.cells() - (0..profile.cells()).rev().take_while(can_skip).count();
        let balanced = profile.plugs() <= MOST_PLUGS && is_balanced(profile);
        let contour = Contour::start(profile.plugs().min(MOST_PLUGS), balanced);
        Run {
            profile,
            threads,
            account,
            cell: 0,
            contour,
            states: 1,
            tail,
            plans: FxHashMap::default(),
            layouts: Layouts::default(),
        }
    }

    /// Counts with numbers as wide as they need to be: a cell in which they are too narrow is swept again with wider ones.
    fn exact(&mut self) -> Result<Vec<u64>, Stop> {
        let (layer, total) = (vec![Limbs::<1>::one()], Limbs::<1>::from(0));
        macro_rules! wider {
            ($layer:ident, $total:ident: $width:literal $(, $rest:literal)*) => {{
                let (mut layer, mut total) = (self.widen::<_, $width>($layer)?, resized::<_, $width>(&$total));
                match self.sweep(Exact::<$width>, &mut layer, &mut total) {
                    Ok(()) => return Ok(total.limbs().to_vec()),
                    Err(Stop::CountOverflow) => {}
                    Err(stop) => return Err(stop),
                }
                wider!(layer, total: $($rest),*)
            }};
            ($layer:ident, $total:ident:) => {{
                drop(($layer, $total));
                Err(Stop::CountOverflow)
            }};
        }
        wider!(layer, total: 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
    }

    /// The layer in wider numbers.
    fn widen<const K: usize, const M: usize>(&mut self, layer: Vec<Limbs<K>>) -> Result<Vec<Limbs<M>>, Stop> {
        let mut wider = Vec::new();
        self.room(&mut wider, layer.len(), size_of_val(&layer[..]))?;
        wider.extend(layer.iter().map(resized::<K, M>));
        Ok(wider)
    }

    /// Makes room for so many values, if it may.
    fn room<V>(&mut self, table: &mut Vec<V>, values: usize, other_bytes: usize) -> Result<(), Stop> {
        let bytes = values.saturating_mul(size_of::<V>()).saturating_add(other_bytes);
        let allowed = bytes <= self.account.max_bytes();
        if !allowed || table.try_reserve_exact(values.saturating_sub(table.len())).is_err() {
            self.account.broke_off(values, other_bytes);
            return Err(Stop::MemoryLimit);
        }
        Ok(())
    }

    /// Sweeps on from where it stands. `layer` is what the words of the last complete layer are worth, and `total` what the
    /// ways that are finished are worth. If numbers are too narrow, both are as they were before the cell.
    fn sweep<N: Numbers>(&mut self, numbers: N, layer: &mut Vec<N::Value>, total: &mut N::Value) -> Result<(), Stop> {
        let mut next: Vec<N::Value> = Vec::new();
        while self.cell < self.profile.cells() {
            self.account.before_cell(self.cell, self.states)?;
            let new = self.contour_after();
            let plan = self.plan(&new, size_of::<N::Value>())?;
            let segments = Segments::new(&plan, &self.contour, &new);
            let words = segments.words();
            if words > self.account.max_states() {
                self.account.broke_off(words, 0);
                return Err(Stop::StateLimit);
            }
            if next.len() < words {
                self.look_ahead(words, size_of::<N::Value>())?;
                // A bit more, if it may be, so that it need not be made anew as soon as a layer is a bit larger.
                next = Vec::new();
                let (others, ample) = (size_of_val(&layer[..]), words + words / 8);
                let bytes = ample.saturating_mul(size_of::<N::Value>()).saturating_add(others);
                let room = if bytes <= self.account.max_bytes() { ample } else { words };
                self.room(&mut next, room, others)?;
                next.resize(room, N::ZERO);
            }
            let made = execute(&plan, &segments, numbers, layer, &mut next[..words], self.threads);
            let mut overflow = made.overflow;
            let mut finished = *total;
            if let Some(word) = plan.finishing.filter(|_| self.cell + 1 >= self.tail)
                && let Some(rank) = plan.old.rank(plan.cut, word, self.contour.target)
            {
                overflow |= numbers.add(&mut finished, &layer[rank]);
            }
            if overflow {
                self.account.broke_off(words, 0);
                return Err(Stop::CountOverflow);
            }
            *total = finished;
            std::mem::swap(layer, &mut next);
            self.cell += 1;
            self.contour = new;
            self.states = made.states as u64 + u64::from(!N::is_zero(total));
            let bytes = size_of_val(&layer[..]) + size_of_val(&next[..]);
            self.account.layer(&StepCount::new(0), self.states as usize, &[], bytes);
        }
        self.sum_up(numbers, layer, total)
    }

    /// Before a table becomes large: whether there could be room for the largest one of the rows to come. So a sweep that
    /// cannot go through is given up before it has filled the memory.
    fn look_ahead(&mut self, words: usize, value_bytes: usize) -> Result<(), Stop> {
        if words < LARGE {
            return Ok(());
        }
        let mut contour = self.contour;
        let mut most = words;
        for cell in (self.cell..self.profile.cells()).take(2 * contour.shape.plugs) {
            contour = contour.after(self.profile.low(cell), self.profile.rule(cell), None);
            most = most.max(usize::try_from(contour.shape.count(contour.target)).unwrap_or(usize::MAX));
        }
        // Words that the last cell rules out are counted here, up to a third.
        let bytes = (most / 2).saturating_mul(value_bytes);
        self.room(&mut Vec::<u8>::new(), bytes, 0)
    }

    /// Adds what the words of the last layer are worth, of those that are accepted.
    fn sum_up<N: Numbers>(&mut self, numbers: N, layer: &[N::Value], total: &mut N::Value) -> Result<(), Stop> {
        let cut = self.contour.shape.plugs / 2;
        let words = Layout::new(self.contour.shape, cut).words(self.contour.target);
        let (mut sum, mut accepted, mut overflow) = (N::ZERO, 0, false);
        if !N::is_zero(total) && self.profile.accept(FINISHED) {
            sum = *total;
            accepted += 1;
        }
        for (value, &word) in layer.iter().zip(&words) {
            if !N::is_zero(value) && self.profile.accept(Parentheses::from_word(word)) {
                overflow |= numbers.add(&mut sum, value);
                accepted += 1;
            }
        }
        if overflow {
            return Err(Stop::CountOverflow);
        }
        *total = sum;
        self.account.accepted(accepted);
        Ok(())
    }

    /// What is known of the words after the cell.
    fn contour_after(&self) -> Contour {
        let next = Some(self.cell + 1).filter(|&next| next < self.profile.cells());
        let next = next.map(|next| self.profile.low(next));
        self.contour.after(self.profile.low(self.cell), self.profile.rule(self.cell), next)
    }

    /// The plan for the cell, made unless it is known.
    fn plan(&mut self, new: &Contour, bytes: usize) -> Result<Arc<Plan>, Stop> {
        let plugs = self.profile.plugs();
        TooWide::check(2 * plugs, 2 * MOST_PLUGS)
            .and_then(|()| self.profile.fits(self.cell))
            .map_err(|too_wide| self.account.too_wide(too_wide))?;
        let key = key(&self.contour, new, self.profile.low(self.cell), self.profile.rule(self.cell));
        if let Some(plan) = self.plans.get(&key) {
            return Ok(Arc::clone(plan));
        }
        // A plan takes memory and time as the square root of the table: none is made for a table that cannot be.
        let words = usize::try_from(key.new.count(new.target)).unwrap_or(usize::MAX);
        if words.saturating_mul(bytes) > self.account.max_bytes().min(isize::MAX as usize) {
            self.account.broke_off(words, 0);
            return Err(Stop::MemoryLimit);
        }
        if self.plans.len() >= PLANS {
            self.plans.clear();
            self.layouts.clear();
        }
        let plan = Arc::new(Plan::new(&key, &mut self.layouts));
        self.plans.insert(key, Arc::clone(&plan));
        Ok(plan)
    }
}

fn resized<const K: usize, const M: usize>(number: &Limbs<K>) -> Limbs<M> {
    // It is as wide or wider.
    number.resize().unwrap_or(Limbs::from_limbs([u64::MAX; M]))
}

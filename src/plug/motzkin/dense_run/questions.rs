//! The counts of a dense sweep: exact with numbers as wide as necessary, modulo several numbers,
//! and in passes modulo primes.

use super::{DenseRun, TableSaver};
use crate::limits::Stop;
use crate::plug::algebra::{Counter, Counting, Limbs, Modulo, UpTo};
#[cfg(feature = "bigint")]
use crate::plug::algebra::{
    Natural,
    rounded_up::{CountBound, RoundedUp},
};
use crate::plug::executor::{Question, QuestionId};
#[cfg(feature = "bigint")]
use crate::plug::motzkin::contour::LayerRules;
use crate::plug::motzkin::numbers::NarrowModulo;
use crate::plug::motzkin::problem::MotzkinProblem;
use crate::plug::motzkin::table::Table;
#[cfg(feature = "bigint")]
use crate::plug::sweep::passes::{PassSaver, Passes, SweepInPasses, count_in_passes};
use crate::plug::sweep::widening::{Ladder, SweepIn, Swept, UpTo4096Bits, WideningSweep};
use crate::plug::widen::Widen;

impl<P: MotzkinProblem> DenseRun<'_, P> {
    /// Counts exactly, with numbers as wide as necessary: a cell with an overflow is processed
    /// again with wider numbers.
    pub(in crate::plug::motzkin) fn count_exact(
        &mut self,
        saver: &mut impl TableSaver,
    ) -> Result<Limbs<64>, Stop> {
        UpTo4096Bits::climb(&mut DenseCount { run: self, saver }, None)
    }

    /// Counts modulo several numbers.
    pub(in crate::plug::motzkin) fn count_modulo<const N: usize>(
        &mut self,
        modulo: &Modulo<N>,
        saver: &mut impl TableSaver,
    ) -> Result<[u64; N], Stop> {
        let name = format!("count modulo {:?}, in dense tables", modulo.moduli());
        self.residues(modulo, &Question { id: QuestionId::named(name), value_types: 1 }, saver)
    }

    /// Counts up to `N`.
    pub(in crate::plug::motzkin) fn count_up_to<const N: u8>(
        &mut self,
        saver: &mut impl TableSaver,
    ) -> Result<UpTo<N>, Stop> {
        let id = QuestionId::named(format!("count up to {N}, in dense tables"));
        self.total_under(Counting::<UpTo<N>>::new(), &Question { id, value_types: 1 }, saver)
    }

    /// Sweeps to the end, and returns the count modulo several numbers. Numbers of 32 bits have
    /// remainders of 32 bits, which does not change what is saved.
    fn residues<const N: usize>(
        &mut self,
        modulo: &Modulo<N>,
        question: &Question,
        saver: &mut impl TableSaver,
    ) -> Result<[u64; N], Stop> {
        match NarrowModulo::new(modulo) {
            Some(narrow) => Ok(self.total_under(narrow, question, saver)?.map(u64::from)),
            None => self.total_under(modulo, question, saver),
        }
    }

    /// Counts in several passes modulo primes.
    #[cfg(feature = "bigint")]
    pub(in crate::plug::motzkin) fn count_by_residues(
        &mut self,
        saver: &mut (impl TableSaver + PassSaver),
    ) -> Result<Natural, Stop> {
        count_in_passes(&mut DensePasses { first_rules: self.rules, run: self, saver })
    }
}

/// An exact count with dense tables.
struct DenseCount<'r, 'p, P, K> {
    run: &'r mut DenseRun<'p, P>,
    saver: &'r mut K,
}

impl<P, K> WideningSweep for DenseCount<'_, '_, P, K> {
    /// The table of the last complete layer, and the value of the finished solutions.
    type Layer<V> = (Table<V>, V);
}

impl<const N: usize, P: MotzkinProblem, K: TableSaver> SweepIn<Limbs<N>, Limbs<64>>
    for DenseCount<'_, '_, P, K>
{
    fn set_width(&mut self) {
        self.saver.set_width(N as u32);
    }

    fn begin(&mut self) -> Result<Option<Self::Layer<Limbs<N>>>, Stop> {
        // Files name a width by its number of limbs, from 1 to 64.
        let question =
            Question { id: QuestionId::named("count, in dense tables"), value_types: 65 };
        self.run.start_or_resume(Counting::<Limbs<N>>::new(), &question, self.saver)
    }

    fn sweep(
        &mut self,
        (mut layer, mut total): Self::Layer<Limbs<N>>,
    ) -> Result<Swept<Self::Layer<Limbs<N>>, Limbs<64>>, Stop> {
        match self.run.sweep_remaining(
            Counting::<Limbs<N>>::new(),
            &mut layer,
            &mut total,
            self.saver,
        ) {
            Ok(()) => total.resize().map(Swept::Total).ok_or(Stop::CountOverflow),
            // Without the layer before the overflow, there is nothing to widen.
            Err(Stop::CountOverflow) if layer.words() > 0 => Ok(Swept::TooNarrow((layer, total))),
            Err(stop) => Err(stop),
        }
    }

    fn widen<W: Counter>(
        &mut self,
        (layer, total): Self::Layer<Limbs<N>>,
    ) -> Result<Self::Layer<W>, Stop>
    where
        Limbs<N>: Widen<W>,
    {
        let kept = if K::SAVES { layer.clone() } else { Table::empty() };
        match self.run.widen(layer) {
            Ok(wider) => Ok((wider, total.widen())),
            Err(stop) => {
                let stats = &mut self.run.stats;
                self.saver.save::<Counting<Limbs<N>>>(stats, &kept, &total, Some(stop));
                Err(stop)
            }
        }
    }
}

/// A count in passes with dense tables.
#[cfg(feature = "bigint")]
struct DensePasses<'r, 'p, P, K> {
    first_rules: LayerRules,
    run: &'r mut DenseRun<'p, P>,
    saver: &'r mut K,
}

#[cfg(feature = "bigint")]
impl<P: MotzkinProblem, K: TableSaver + PassSaver> SweepInPasses for DensePasses<'_, '_, P, K> {
    fn saved_passes(&mut self) -> Result<Option<Passes>, Stop> {
        self.saver.saved_passes(&question_of_passes())
    }

    fn begin_pass(&mut self, passes: &Passes) {
        let run = &mut *self.run;
        (run.cell, run.rules, run.states, run.top) = (0, self.first_rules, 1, u64::MAX);
        run.stats.begin_pass(passes.current());
        self.saver.begin_pass(passes);
    }

    fn bound(&mut self) -> Result<RoundedUp, Stop> {
        self.run.total_under(CountBound, &question_of_passes(), self.saver)
    }

    fn has_memory_for_wide_residues(&self) -> bool {
        // The two tables grow by this, and the plans stay as they are.
        let more = size_of::<u64>() - size_of::<RoundedUp>();
        let peak_bytes = usize::try_from(self.run.stats.peak_bytes()).unwrap_or(usize::MAX);
        let needed = peak_bytes.saturating_add(self.run.expected_words.saturating_mul(2 * more));
        needed <= self.run.stats.max_bytes()
    }

    fn residue(&mut self, prime: u64) -> Result<u64, Stop> {
        let modulo = Modulo::new([prime]).map_err(|_| Stop::CountOverflow)?;
        let [residue] = self.run.residues(&modulo, &question_of_passes(), self.saver)?;
        Ok(residue)
    }
}

#[cfg(feature = "bigint")]
fn question_of_passes() -> Question {
    Question { id: QuestionId::named("count by residues, in dense tables"), value_types: u32::MAX }
}

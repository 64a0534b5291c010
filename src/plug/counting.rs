//! Counting by a sweep: in one word or two, in as many as it takes, or modulo a number.

use super::algebra::{Counting, Feasible, Modulo, ZeroModulus};
use super::hook::SweepHooks;
use super::profile::Profile;
use super::sweep::Sweep;
use crate::outcome::{Count, Found, Outcome, Total};

impl<P: Profile, H: SweepHooks<P>> Sweep<'_, P, H> {
    /// How many solutions there are, exactly. More than 2¹²⁸ − 1 end the sweep with
    /// [`Stop::CountOverflow`](crate::Stop::CountOverflow); [`count_natural`](Sweep::count_natural) knows no such limit.
    ///
    /// ```
    #[doc = include_str!("row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// assert_eq!(Sweep::new(&Row(0)).count().exact(), Some(1));
    /// assert_eq!(Sweep::new(&Row(10)).count().exact(), Some(144));
    ///
    /// let error = Sweep::new(&Row(200)).count().complete().unwrap_err();
    /// assert_eq!(error.cell(), Some(185)); // the layers before hold numbers of up to 128 bits
    /// assert!(error.to_string().starts_with("stopped in cell 186 of 200: count overflow"));
    /// ```
    pub fn count(self) -> Outcome<Count> {
        let (total, report) = self.run(&Counting::<u128>::new()).into_parts();
        Outcome::new(Count::swept(total.into_sum().unwrap_or(0)), report)
    }

    /// The number of solutions modulo `modulus`, of any size at the cost of one word a state.
    ///
    /// ```
    #[doc = include_str!("row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// assert_eq!(Sweep::new(&Row(10)).count_modulo(100)?.total(), Some(&44));
    /// # Ok::<(), secateurs::plug::algebra::ZeroModulus>(())
    /// ```
    ///
    /// # Errors
    /// If `modulus` is 0.
    pub fn count_modulo(self, modulus: u64) -> Result<Outcome<Total<u64>>, ZeroModulus> {
        let outcome = self.run(&Modulo::new([modulus])?);
        Ok(outcome.map_total(|residues| residues.map_or(0, |[residue]| residue)))
    }

    /// Whether there is a solution.
    ///
    /// ```
    #[doc = include_str!("row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// assert_eq!(Sweep::new(&Row(1000)).exists().exists(), Some(true));
    /// ```
    pub fn exists(self) -> Outcome<Found<()>> {
        let (total, report) = self.run(&Feasible).into_parts();
        Outcome::new(Found::new(total.into_sum(), &report), report)
    }
}

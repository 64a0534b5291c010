//! MAX-2SAT: clauses of at most two literals with weights, and an assignment that satisfies clauses
//! of greatest total weight.
//!
//! [`MaxTwoSat`] decides one variable after another, those in clauses of great weight first. A
//! state knows for each undecided variable how much more is gained if it is true than if it is
//! false, so that the problem suits [diagrams](secateurs::diagram) (Bergman, Cire, van Hoeve and
//! Hooker 2016).
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::max_2sat::MaxTwoSat;
//!
//! // Weight, literals, 0.
//! let text = "p wcnf 2 4\n3 1 2 0\n2 -1 2 0\n4 -2 0\n2 -1 -2 0\n";
//! let clauses: MaxTwoSat = text.parse()?;
//! let weight = MaxTwoSat::objective();
//! let search = Search::new(&clauses).diagrams(&weight, 10).rough(MaxTwoSat::bound);
//! let outcome = search.best(&weight);
//! assert_eq!(outcome.proven(), Some(&9));
//! let assignment = clauses.assignment(outcome.solution().ok_or("no solution")?);
//! assert_eq!(assignment, [true, false]);
//! assert_eq!(clauses.weight_of(&assignment), 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Reverse;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use smallvec::SmallVec;

use secateurs::diagram::DiagramProblem;
use secateurs::text::{LineTokens, parse_number};
use secateurs::{Branch, Objective, ParseError, Problem};

use super::{InstanceError, formats};

/// A clause: its weight, and its literals.
type Clause = (u64, SmallVec<[i32; 2]>);

/// An instance: variables from 1, and clauses of at most two literals.
///
/// A literal is the number of a variable, negative if the variable is negated. Three text formats
/// are read, each with a line of literals and a final 0 for each clause:
///
/// - `p cnf VARIABLES CLAUSES`, and clauses that weigh 1;
/// - `p wcnf VARIABLES CLAUSES TOP`, and clauses that begin with their weights; a clause that
///   weighs TOP or more is hard, and without TOP, none is;
/// - that of the MaxSAT Evaluation 2022, without a line `p`: a clause begins with its weight, or
///   with `h` if it is hard.
///
/// Lines that begin with `c` are comments, and so is the rest of a line after a `c` behind a
/// clause; a line `%` ends the text. `Display` writes the second format.
///
/// A *hard* clause weighs one more than all clauses that are not hard together, so that satisfying
/// it is worth more than all of those; [`soft_weight`](Self::soft_weight) returns the weight
/// without hard clauses.
///
/// For n variables, the problem takes 8n² bytes, and a step takes time linear in n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaxTwoSat {
    clauses: Vec<Clause>,
    /// The weight of a hard clause, more than that of all other clauses, if there are hard ones.
    hard_weight: Option<u64>,
    /// The variables, counted from 0, the last to be decided first.
    variables: Vec<u32>,
    /// The state before all decisions.
    root: PartialAssignment,
    /// For each place in `variables`, and each value of the variable, false and true, what the
    /// value adds to the benefits of the variables of lower places.
    changes: Vec<[Vec<i64>; 2]>,
    /// Groups of values of different variables, any two of which are in conflict.
    conflicts: Vec<Conflict>,
}

/// Values of different variables: any two of them lose at least `least` together, in addition to
/// what each loses alone.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Conflict {
    least: i64,
    /// The places of the variables, in ascending order, and 1 if the value is true, otherwise -1.
    values: Vec<(u32, i64)>,
}

/// An assignment of the variables that are decided, or a merged one.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct PartialAssignment {
    /// The total weight without what must be lost: by clauses that are not satisfied, and by the
    /// worse values of undecided variables.
    weight: u64,
    /// For each undecided variable, the last to be decided first, the weight that is lost if it is
    /// false minus the one that is lost if it is true, of which `weight` knows the lesser.
    benefits: Vec<i64>,
}

impl Clone for PartialAssignment {
    fn clone(&self) -> Self {
        PartialAssignment { weight: self.weight, benefits: self.benefits.clone() }
    }

    // Uses the memory again.
    fn clone_from(&mut self, source: &Self) {
        self.weight = source.weight;
        self.benefits.clone_from(&source.benefits);
    }
}

impl PartialAssignment {
    /// Returns the weight of the clauses that are satisfied if all variables are decided;
    /// otherwise, it is an optimistic value.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.weight
    }
}

/// A decision about a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Assigned {
    /// The variable, counted from 0.
    pub variable: usize,
    /// Its value.
    pub value: bool,
}

/// The largest sum of weights, so that differences of weights are representable.
const MAX_SUM: u64 = 1 << 62;

/// The weights that are lost by the two values of a variable, false and true.
type Costs = [i64; 2];

impl MaxTwoSat {
    /// The largest number of variables, for which the changes of benefits take 128 MiB.
    pub const MAX_VARIABLES: usize = 1 << 12;

    /// Creates an instance with variables from 1 to `variables`, and clauses as pairs of a weight
    /// and literals. Clauses may be repeated, and a literal as well.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_VARIABLES`](Self::MAX_VARIABLES), if the sum
    /// of the weights is more than 2⁶², if a clause has more than two literals, or if there is no
    /// variable of a literal.
    pub fn new<C: AsRef<[i32]>>(
        variables: usize,
        clauses: impl IntoIterator<Item = (u64, C)>,
    ) -> Result<Self, InstanceError> {
        InstanceError::check_most(variables, "variables", Self::MAX_VARIABLES)?;
        let mut all: Vec<Clause> = Vec::new();
        let (mut sum, mut weights) = (0_u64, vec![0_u64; variables]);
        for (weight, literals) in clauses {
            let literals = literals.as_ref();
            if literals.len() > 2 {
                return Err(InstanceError::new(format_args!(
                    "found a clause of {} literals, expected at most 2",
                    literals.len()
                )));
            }
            sum = sum.checked_add(weight).filter(|&sum| sum <= MAX_SUM).ok_or_else(|| {
                InstanceError::new("found weights with a greater sum, expected at most 2^62")
            })?;
            for &literal in literals {
                let variable = literal.unsigned_abs() as usize;
                if !(1..=variables).contains(&variable) {
                    return Err(InstanceError::new(format_args!(
                        "found the literal {literal}, expected a variable from 1 to {variables}"
                    )));
                }
                weights[variable - 1] += weight;
            }
            all.push((weight, literals.into()));
        }
        let mut order: Vec<u32> = (0..).take(variables).collect();
        order.sort_by_key(|&variable| (weights[variable as usize], Reverse(variable)));
        Ok(Self::with_order(all, order, sum))
    }

    /// Creates an instance in which the clauses without a weight are hard.
    ///
    /// # Errors
    ///
    /// The same as of [`new`](Self::new), where a hard clause weighs one more than all clauses that
    /// are not hard together.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::max_2sat::MaxTwoSat;
    ///
    /// // At most one of three variables, and as many of them as possible.
    /// let hard = [[-1, -2], [-1, -3], [-2, -3]].map(|pair| (None, pair.to_vec()));
    /// let soft = (1..=3).map(|variable| (Some(1), vec![variable]));
    /// let clauses = MaxTwoSat::with_hard(3, hard.into_iter().chain(soft))?;
    /// let weight = MaxTwoSat::objective();
    /// let outcome = Search::new(&clauses).diagrams(&weight, 10).best(&weight);
    /// let total = outcome.proven().copied();
    /// assert_eq!(total.and_then(|total| clauses.soft_weight(total)), Some(1));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn with_hard<C: AsRef<[i32]>>(
        variables: usize,
        clauses: impl IntoIterator<Item = (Option<u64>, C)>,
    ) -> Result<Self, InstanceError> {
        let clauses: Vec<_> = clauses.into_iter().collect();
        let soft = clauses.iter().filter_map(|(weight, _)| *weight);
        let hard_weight =
            soft.fold(0_u64, |sum, weight| sum.saturating_add(weight)).saturating_add(1);
        let has_hard = clauses.iter().any(|(weight, _)| weight.is_none());
        let weighted =
            clauses.into_iter().map(|(weight, literals)| (weight.unwrap_or(hard_weight), literals));
        let instance = Self::new(variables, weighted)?;
        Ok(MaxTwoSat { hard_weight: has_hard.then_some(hard_weight), ..instance })
    }

    /// Returns the weight of the satisfied clauses that are not hard, from the weight of all
    /// satisfied clauses, or `None` if a hard one is among those that are not satisfied.
    #[must_use]
    pub fn soft_weight(&self, weight: u64) -> Option<u64> {
        let Some(hard) = self.hard_weight else { return Some(weight) };
        let number = self.clauses.iter().filter(|&&(weight, _)| weight == hard).count() as u64;
        weight.checked_sub(number * hard)
    }

    /// Creates an instance of valid clauses, of which the sum of the weights is given.
    fn with_order(clauses: Vec<Clause>, variables: Vec<u32>, sum: u64) -> Self {
        let mut place_of = vec![0; variables.len()];
        for (place, &variable) in variables.iter().enumerate() {
            place_of[variable as usize] = place;
        }
        let mut lost = 0;
        let mut single: Vec<Costs> = vec![[0; 2]; variables.len()];
        // By place, the costs for each value of the variable and of one of a lower place.
        let mut pairs: Vec<Vec<[Costs; 2]>> =
            (0..variables.len()).map(|place| vec![[[0; 2]; 2]; place]).collect();
        for (weight, literals) in &clauses {
            #[allow(clippy::cast_possible_wrap, reason = "at most 2^62")]
            let weight = *weight as i64;
            // The place, and the value that does not satisfy the literal.
            let literal = |literal: i32| {
                (place_of[literal.unsigned_abs() as usize - 1], usize::from(literal < 0))
            };
            match literals[..] {
                [one, other] if one == -other => {}
                [one, other] if one != other => {
                    let (low, high) =
                        (literal(one).min(literal(other)), literal(one).max(literal(other)));
                    pairs[high.0][low.0][high.1][low.1] += weight;
                }
                [one, ..] => single[literal(one).0][literal(one).1] += weight,
                [] => lost += weight,
            }
        }
        // A value of the variable that is decided first loses the lesser of two costs in any case.
        for (costs, pairs) in single.iter_mut().zip(&pairs) {
            for value in 0..2 {
                costs[value] +=
                    pairs.iter().map(|pair| pair[value][0].min(pair[value][1])).sum::<i64>();
            }
        }
        let changes = pairs.iter().map(|pairs| {
            [0, 1].map(|value| pairs.iter().map(|pair| pair[value][0] - pair[value][1]).collect())
        });
        lost += single.iter().map(|costs| costs[0].min(costs[1])).sum::<i64>();
        let benefits = single.iter().map(|costs| costs[0] - costs[1]).collect();
        let root = PartialAssignment { weight: sum - lost.unsigned_abs(), benefits };
        let changes: Vec<[Vec<i64>; 2]> = changes.collect();
        let conflicts = group_conflicts(&changes);
        MaxTwoSat { changes, conflicts, clauses, hard_weight: None, variables, root }
    }

    /// Creates a random instance: clauses of two different variables, each of which is negated with
    /// a probability of one half, and weights from 1 to 10. The same seed gives the same instance.
    /// With fewer than two variables, there are no clauses.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_VARIABLES`](Self::MAX_VARIABLES).
    pub fn generate(variables: usize, clauses: usize, seed: u64) -> Result<Self, InstanceError> {
        let mut random = fastrand::Rng::with_seed(seed);
        // One more than allowed is enough for the error.
        let variables = variables.min(Self::MAX_VARIABLES + 1);
        let clauses = if variables < 2 { 0 } else { clauses };
        #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "few")]
        let last = variables as i32;
        Self::new(
            variables,
            (0..clauses).map(|_| {
                let one = random.i32(1..=last);
                let other = (one + random.i32(1..last) - 1) % last + 1;
                let mut literal = |variable: i32| if random.bool() { variable } else { -variable };
                let literals = [literal(one), literal(other)];
                (random.u64(1..=10), literals)
            }),
        )
    }

    /// Returns the objective: the weight of the satisfied clauses, to be maximised.
    #[must_use]
    pub fn objective() -> Objective<Self, u64, fn(&Self, &PartialAssignment) -> u64> {
        let weight: fn(&Self, &PartialAssignment) -> u64 = |_, assignment| assignment.weight;
        Objective::maximise(weight).named("weight")
    }

    /// Returns the total weight without what must be lost: by clauses that are not satisfied, by
    /// the worse value of each undecided variable, and by groups of undecided variables whose
    /// better values conflict with each other. No assignment below this one satisfies more.
    ///
    /// Takes time linear in the number of variables.
    #[must_use]
    pub fn bound(&self, assignment: &PartialAssignment) -> u64 {
        let benefits = &assignment.benefits;
        let lost = self.conflicts.iter().map(|Conflict { least, values }| {
            // Of the values of a group, each one that is not taken loses its benefit, and each one
            // that is taken beside the one of the greatest benefit loses more than its own.
            let (mut sum, mut most) = (0, 0);
            for &(place, sign) in values {
                let Some(benefit) = benefits.get(place as usize) else { break };
                let lost = (benefit * sign).clamp(0, *least);
                (sum, most) = (sum + lost, most.max(lost));
            }
            sum - most
        });
        assignment.weight - lost.sum::<i64>().unsigned_abs()
    }

    /// Returns the values of the variables, from the first one on, that a solution assigns.
    #[must_use]
    pub fn assignment(&self, choices: &[Assigned]) -> Vec<bool> {
        let mut values = vec![false; self.variables.len()];
        for &Assigned { variable, value } in choices {
            if let Some(known) = values.get_mut(variable) {
                *known = value;
            }
        }
        values
    }

    /// Returns the weight of the clauses that an assignment satisfies. Variables that it lacks are
    /// false.
    #[must_use]
    pub fn weight_of(&self, assignment: &[bool]) -> u64 {
        let is_true = |literal: &i32| {
            let value = assignment.get(literal.unsigned_abs() as usize - 1);
            value.is_some_and(|&value| value) == (*literal > 0)
        };
        let satisfied = self.clauses.iter().filter(|(_, literals)| literals.iter().any(is_true));
        satisfied.map(|(weight, _)| weight).sum()
    }
}

/// Returns groups of conflicting values: greedily, each variable with the value that is in more
/// conflicts joins the group in which more is lost with it. Takes time quadratic in the number of
/// variables if groups are small, and cubic if all values conflict.
fn group_conflicts(changes: &[[Vec<i64>; 2]]) -> Vec<Conflict> {
    // Returns the loss of two values together, beyond the losses of each alone.
    let loss = |(one, sign): (u32, i64), (other, other_sign): (u32, i64)| {
        let ((low, low_sign), (high, high_sign)) = match one < other {
            true => ((one, sign), (other, other_sign)),
            false => ((other, other_sign), (one, sign)),
        };
        let change = changes[high as usize][usize::from(high_sign > 0)][low as usize];
        (-change * low_sign).max(0)
    };
    let mut total = vec![[0; 2]; changes.len()];
    for (high, changes) in changes.iter().enumerate() {
        for (value, changes) in changes.iter().enumerate() {
            for (low, change) in changes.iter().enumerate().filter(|(_, change)| **change != 0) {
                total[high][value] += change.abs();
                total[low][usize::from(*change < 0)] += change.abs();
            }
        }
    }
    let mut groups: Vec<Conflict> = Vec::new();
    for (place, total) in (0..).zip(total) {
        let value = (place, if total[1] >= total[0] { 1 } else { -1 });
        let mut best: Option<(i64, usize, i64)> = None;
        for (index, group) in groups.iter().enumerate() {
            let mut least = group.least;
            for &other in &group.values {
                least = least.min(loss(value, other));
                if least == 0 {
                    break;
                }
            }
            let others = group.values.len() as i64;
            // A group of n values may lose `least` for all but one of them.
            let before = if others == 1 { 0 } else { (others - 1) * group.least };
            let more = others.saturating_mul(least) - before;
            if least > 0 && more > 0 && best.is_none_or(|(most, ..)| more > most) {
                best = Some((more, index, least));
            }
        }
        match best {
            Some((_, index, least)) => {
                groups[index].least = least;
                groups[index].values.push(value);
            }
            None => groups.push(Conflict { least: i64::MAX, values: vec![value] }),
        }
    }
    groups.retain(|group| group.values.len() > 1);
    groups
}

impl Problem for MaxTwoSat {
    type State = PartialAssignment;
    type Cursor = u8; // the number of values tried
    type Choice = Assigned;
    type Undo = (u64, i64); // the weight, and the benefit of the variable

    fn root(&self) -> PartialAssignment {
        self.root.clone()
    }

    fn branch(&self, assignment: &PartialAssignment) -> Branch<u8> {
        if assignment.benefits.is_empty() { Branch::Solution } else { Branch::Inner(0) }
    }

    fn next(&self, assignment: &PartialAssignment, cursor: &mut u8) -> Option<Assigned> {
        let place = assignment.benefits.len().checked_sub(1)?;
        // The better value first.
        let value = (assignment.benefits[place] >= 0) == (*cursor == 0);
        *cursor += 1;
        (*cursor <= 2).then(|| Assigned { variable: self.variables[place] as usize, value })
    }

    fn apply(&self, assignment: &mut PartialAssignment, choice: &Assigned) -> (u64, i64) {
        let PartialAssignment { weight, benefits } = assignment;
        let before = *weight;
        let Some(benefit) = benefits.pop() else { return (before, 0) };
        if choice.value != (benefit >= 0) {
            *weight -= benefit.unsigned_abs();
        }
        let changes = &self.changes[benefits.len()][usize::from(choice.value)];
        let mut lost = 0;
        for (benefit, change) in benefits.iter_mut().zip(changes) {
            let sum = *benefit + change;
            // Twice the lesser one, if the signs differ.
            lost += benefit.unsigned_abs() + change.unsigned_abs() - sum.unsigned_abs();
            *benefit = sum;
        }
        *weight -= lost / 2;
        (before, benefit)
    }

    fn accepts_saved(&self, assignment: &PartialAssignment, choice: &Assigned) -> bool {
        let place = assignment.benefits.len().checked_sub(1);
        place.is_some_and(|place| self.variables[place] as usize == choice.variable)
    }

    fn undo(
        &self,
        assignment: &mut PartialAssignment,
        choice: &Assigned,
        (weight, benefit): (u64, i64),
    ) {
        let PartialAssignment { weight: known, benefits } = assignment;
        let changes = &self.changes[benefits.len()][usize::from(choice.value)];
        benefits.iter_mut().zip(changes).for_each(|(benefit, change)| *benefit -= change);
        benefits.push(benefit);
        *known = weight;
    }

    fn heap_bytes(&self, assignment: &PartialAssignment) -> usize {
        secateurs::block_bytes(assignment.benefits.capacity() * size_of::<i64>())
    }
}

/// States are equal if all undecided variables have the same benefits. A merged state loses the
/// least that any of them loses, by each value of a variable.
impl DiagramProblem for MaxTwoSat {
    fn layer(&self, assignment: &PartialAssignment) -> usize {
        self.variables.len() - assignment.benefits.len()
    }

    fn key(&self, assignment: &PartialAssignment) -> impl Hash + Eq {
        &assignment.benefits
    }

    fn merge(&self, assignment: &mut PartialAssignment, other: &PartialAssignment) {
        for (one, other) in assignment.benefits.iter_mut().zip(&other.benefits) {
            *one = match *one >= 0 {
                true => (*one).min(*other).max(0),
                false => (*one).max(*other).min(0),
            };
        }
        assignment.weight = assignment.weight.max(other.weight);
    }

    fn rank(&self, assignment: &PartialAssignment) -> u64 {
        assignment.benefits.iter().map(|benefit| benefit.unsigned_abs()).sum()
    }
}

impl FromStr for MaxTwoSat {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        formats::read(text, "DIMACS clauses", Self::read)
    }
}

impl MaxTwoSat {
    fn read(text: &str) -> Result<Self, ParseError> {
        const HEADER: &str = "a line `p wcnf VARIABLES CLAUSES`";
        let mut format: Option<Format> = None;
        // The weight of each clause, `None` if it is hard, and its literals.
        let mut clauses: Vec<(Option<u64>, SmallVec<[i32; 2]>)> = Vec::new();
        let mut end_line = 1;
        for (line, text) in (1..).zip(text.lines()) {
            end_line = line + 1;
            let mut tokens = LineTokens::new(line, text);
            let first = tokens.next();
            match (first.1, &format) {
                ("", _) => continue,
                ("%", Some(_)) => break,
                (token, _) if token.starts_with('c') => continue,
                ("p", None) => {
                    format = Some(Format::read_header(&mut tokens)?);
                    continue;
                }
                (token, None) if token == "h" || parse_number::<u64>(token).is_some() => {}
                (_, None) => {
                    let expected = format!("`c` (a comment), {HEADER}, or `h` or a weight");
                    return Err(tokens.error(first, expected));
                }
                _ => {}
            }
            let format = format.get_or_insert(Format::WITHOUT_HEADER);
            clauses.push(format.read_clause(&mut LineTokens::new(line, text))?);
        }
        let Some(format) = format else {
            let message = format!("found the end of the text, expected {HEADER}");
            return Err(ParseError::in_line(end_line, message));
        };
        if let Some(number) = format.clauses.filter(|&number| number != clauses.len()) {
            let message = format!(
                "found the end of the text after {} clauses, expected {number}",
                clauses.len()
            );
            return Err(ParseError::in_line(end_line, message));
        }
        let largest = clauses.iter().flat_map(|(_, literals)| literals);
        let largest = largest.map(|literal| literal.unsigned_abs() as usize).max().unwrap_or(0);
        Ok(Self::with_hard(format.variables.unwrap_or(largest), clauses)?)
    }
}

/// The format that the first line of a text states.
struct Format {
    /// The number of variables.
    variables: Option<usize>,
    /// The number of clauses.
    clauses: Option<usize>,
    weights: Weights,
}

/// The weight at the beginning of a clause.
enum Weights {
    /// With its first literal; it weighs 1.
    One,
    /// With its weight; it is hard from this weight on.
    Below(Option<u64>),
    /// With its weight, or with `h` if it is hard.
    Marked,
}

impl Format {
    const WITHOUT_HEADER: Self =
        Format { variables: None, clauses: None, weights: Weights::Marked };

    /// Reads the rest of a line that begins with `p`.
    fn read_header(tokens: &mut LineTokens<'_>) -> Result<Self, ParseError> {
        let format = tokens.next();
        let has_weights = match format.1 {
            "cnf" => false,
            "wcnf" => true,
            _ => return Err(tokens.error(format, "`cnf` or `wcnf`")),
        };
        let most = MaxTwoSat::MAX_VARIABLES;
        let expected = format!("the number of variables, at most {most}");
        let variables = tokens
            .read(&*expected, |token| parse_number(token).filter(|&variables| variables <= most))?;
        let clauses = tokens.read("the number of clauses", parse_number)?;
        let hard = match tokens.next() {
            (_, "") => None,
            token if has_weights => Some(
                parse_number(token.1)
                    .ok_or_else(|| tokens.error(token, "the weight of hard clauses"))?,
            ),
            token => return Err(tokens.error(token, "the end of the line")),
        };
        tokens.end()?;
        let weights = if has_weights { Weights::Below(hard) } else { Weights::One };
        Ok(Format { variables: Some(variables), clauses: Some(clauses), weights })
    }

    /// Reads a clause: its weight, or `None` if it is hard, and its literals.
    fn read_clause(
        &self,
        tokens: &mut LineTokens<'_>,
    ) -> Result<(Option<u64>, SmallVec<[i32; 2]>), ParseError> {
        let weight = match self.weights {
            Weights::One => Some(1),
            Weights::Below(hard) => {
                let weight: u64 = tokens.read("a weight", parse_number)?;
                Some(weight).filter(|&weight| hard.is_none_or(|hard| weight < hard))
            }
            Weights::Marked => tokens.read("a weight, or `h`", |token| {
                if token == "h" { Some(None) } else { parse_number(token).map(Some) }
            })?,
        };
        let most = self.variables.unwrap_or(MaxTwoSat::MAX_VARIABLES);
        let mut literals = SmallVec::new();
        loop {
            let is_full = literals.len() == 2;
            let expected = match is_full {
                false => format!("a literal of a variable from 1 to {most}, or 0"),
                true => "0 after two literals".to_owned(),
            };
            let literal = tokens.read(&*expected, |token| {
                let digits = token.strip_prefix('-').unwrap_or(token);
                let variable = parse_number::<i32>(digits)?;
                let is_known = usize::try_from(variable).ok()? <= most;
                let is_valid = is_known && (!is_full || variable == 0);
                let literal = if token.len() > digits.len() { -variable } else { variable };
                is_valid.then_some(literal)
            })?;
            if literal == 0 {
                break;
            }
            literals.push(literal);
        }
        let end = tokens.next();
        match end.1.is_empty() || end.1.starts_with('c') {
            true => Ok((weight, literals)),
            false => Err(tokens.error(end, "the end of the line")),
        }
    }
}

impl fmt::Display for MaxTwoSat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p wcnf {} {}", self.variables.len(), self.clauses.len())?;
        match self.hard_weight {
            Some(weight) => writeln!(f, " {weight}")?,
            None => writeln!(f)?,
        }
        self.clauses.iter().try_for_each(|(weight, literals)| {
            write!(f, "{weight} ")?;
            literals.iter().try_for_each(|literal| write!(f, "{literal} "))?;
            writeln!(f, "0")
        })
    }
}

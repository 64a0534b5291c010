//! The text formats of job shops.

use std::str::FromStr;

use secateurs::ParseError;
use secateurs::text::{LineTokens, parse_number};

use super::{JobShop, Step};
use crate::formats;

impl FromStr for JobShop {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        formats::read(text, "a job shop", |text| {
            let lines: Vec<_> = (1..)
                .zip(text.lines())
                .filter(|(_, text)| !text.trim().is_empty() && !text.trim_start().starts_with('#'))
                .collect();
            let end_line = text.lines().count() + 1;
            Reader { lines: &lines, line: 0, end_line, machines: 0, total: 0, extreme: None }.read()
        })
    }
}

/// The lines that are left, and what earlier lines have said.
struct Reader<'t> {
    lines: &'t [(usize, &'t str)],
    /// The number of the line that was read last.
    line: usize,
    end_line: usize,
    machines: usize,
    /// The sum of all durations.
    total: i32,
    /// The first machine that is 0 or the number of machines, which tells from which number they
    /// count, and its line.
    extreme: Option<(usize, usize)>,
}

impl<'t> Reader<'t> {
    fn read(mut self) -> Result<JobShop, ParseError> {
        let has_header = self.skip_words("number");
        let has_header = self.skip_words("nb") || has_header;
        let mut first = self.line("a line `JOBS MACHINES`")?;
        let mut size = |name: &str, most: usize| {
            let expected = format!("the number of {name}, from 0 to {most}");
            first.read(&expected, |token| parse_number(token).filter(|&size| size <= most))
        };
        let jobs = size("jobs", JobShop::MAX_JOBS)?;
        self.machines = size("machines", JobShop::MAX_MACHINES)?;
        // Behind such a header there are also seeds and bounds.
        if !has_header {
            first.end()?;
        }
        let width = self.lines.first().map_or(0, |(_, text)| text.split_whitespace().count());
        let has_matrices = self.skip_words("times")
            || jobs > 0 && self.lines.len() == 2 * jobs && width == self.machines;
        let mut steps = if self.machines == 0 {
            vec![Vec::new(); jobs]
        } else if has_matrices {
            self.read_matrices(jobs)?
        } else {
            (0..jobs).map(|job| self.read_job(job, jobs)).collect::<Result<_, _>>()?
        };
        if let Some(&(line, text)) = self.lines.first() {
            let mut tokens = LineTokens::new(line, text);
            let token = tokens.next();
            return Err(tokens.error(token, "the end of the text after the last job"));
        }
        if self.extreme.is_some_and(|(machine, _)| machine > 0) {
            steps.iter_mut().flatten().for_each(|step| step.machine -= 1);
        }
        Ok(JobShop { machines: self.machines, jobs: steps })
    }

    /// Skips a line that begins with this word.
    fn skip_words(&mut self, word: &str) -> bool {
        let begins = |text: &str| {
            let first = text.split_whitespace().next().unwrap_or_default();
            first.trim_end_matches(':').eq_ignore_ascii_case(word)
        };
        match self.lines {
            [(_, text), rest @ ..] if begins(text) => {
                self.lines = rest;
                true
            }
            _ => false,
        }
    }

    fn line(&mut self, expected: &str) -> Result<LineTokens<'t>, ParseError> {
        match self.lines {
            [(line, text), rest @ ..] => {
                (self.lines, self.line) = (rest, *line);
                Ok(LineTokens::new(*line, text))
            }
            [] => {
                let message = format!("found the end of the text, expected {expected}");
                Err(ParseError::in_line(self.end_line, message))
            }
        }
    }

    /// Reads a line with the machine and the duration of each step.
    fn read_job(&mut self, job: usize, jobs: usize) -> Result<Vec<Step>, ParseError> {
        let mut tokens = self.line(&format!("{jobs} lines of jobs (only {job} found)"))?;
        let mut steps = Vec::new();
        while steps.is_empty() || steps.len() < self.machines && tokens.clone().end().is_err() {
            let machine = self.read_machine(&mut tokens, steps.len() + 1)?;
            let duration = self.read_duration(&mut tokens, steps.len() + 1)?;
            steps.push(Step { machine, duration });
        }
        tokens.end()?;
        Ok(steps)
    }

    /// Reads a line of durations for each job, and then one of machines for each job.
    fn read_matrices(&mut self, jobs: usize) -> Result<Vec<Vec<Step>>, ParseError> {
        let mut shop = Vec::with_capacity(jobs);
        for job in 0..jobs {
            let mut tokens = self.line(&format!("{jobs} lines of durations (only {job} found)"))?;
            let steps = (1..=self.machines).map(|number| {
                self.read_duration(&mut tokens, number)
                    .map(|duration| Step { machine: 0, duration })
            });
            shop.push(steps.collect::<Result<Vec<_>, ParseError>>()?);
            tokens.end()?;
        }
        self.skip_words("machines");
        for (job, steps) in shop.iter_mut().enumerate() {
            let mut tokens = self.line(&format!("{jobs} lines of machines (only {job} found)"))?;
            for (number, step) in (1..).zip(steps) {
                step.machine = self.read_machine(&mut tokens, number)?;
            }
            tokens.end()?;
        }
        Ok(shop)
    }

    /// Reads a machine. Machines count from 1 if the largest number occurs, and from 0 if 0 does.
    fn read_machine(
        &mut self,
        tokens: &mut LineTokens<'_>,
        step: usize,
    ) -> Result<usize, ParseError> {
        let token = tokens.next();
        let first = self.extreme.map_or(0, |(machine, _)| machine.min(1));
        let (low, high) = (first, self.machines - 1 + first);
        let reason = match self.extreme {
            Some((machine, line)) => format!(" (machine {machine} is in line {line})"),
            None => String::new(),
        };
        let expected = format!("the machine of step {step}, from {low} to {high}{reason}");
        let most = if self.extreme.is_some() { high } else { self.machines };
        let machine = parse_number(token.1)
            .filter(|machine| (low..=most).contains(machine))
            .ok_or_else(|| tokens.error(token, &expected))?;
        if machine == 0 || machine == self.machines {
            self.extreme.get_or_insert((machine, self.line));
        }
        Ok(machine)
    }

    /// Reads a duration, and adds it to the sum of all durations.
    fn read_duration(
        &mut self,
        tokens: &mut LineTokens<'_>,
        step: usize,
    ) -> Result<i32, ParseError> {
        let token = tokens.next();
        let expected = format!("the duration of step {step}, from 0 to {}", i32::MAX);
        let duration = parse_number(token.1).ok_or_else(|| tokens.error(token, &expected))?;
        let expected = format!("durations with a sum of at most {}", i32::MAX);
        self.total =
            self.total.checked_add(duration).ok_or_else(|| tokens.error(token, &expected))?;
        Ok(duration)
    }
}

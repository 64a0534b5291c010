//! Reading and writing covers in the text format of Knuth's programs.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use secateurs::ParseError;
use secateurs::text::{parse_number, tokens};

use super::{Cover, CoverBuilder, CoverError, MultiCover, MultiCoverError};

/// The byte order mark that some editors write at the start of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns whether a line is blank or a comment.
fn is_skipped(line: &str) -> bool {
    let begin = line.trim_start();
    begin.is_empty() || begin.starts_with('|')
}

fn second_bar(line: usize, column: usize) -> ParseError {
    let message = "found '|', expected an item: only one '|' may begin the secondary items";
    ParseError::at(line, column, message)
}

/// The multiplicities and costs of a text, each with its line and column.
#[derive(Default)]
struct Extensions {
    /// The items that have a multiplicity.
    multiplicities: Vec<(usize, RangeInclusive<u32>, usize, usize)>,
    /// The options that have a cost; several costs of an option are added up.
    costs: Vec<(usize, u64, usize, usize)>,
}

/// Splits a primary item into its multiplicity, if it has one, and its name.
fn split_multiplicity(
    (column, token): (usize, &str),
    line: usize,
) -> Result<(Option<RangeInclusive<u32>>, &str), ParseError> {
    let Some((range, name)) = token.split_once('|') else { return Ok((None, token)) };
    let (least, most) = range.split_once(':').unwrap_or((range, range));
    let multiplicity = match (parse_number(least), parse_number(most)) {
        (Some(least), Some(most)) => least..=most,
        _ => {
            let expected = "expected a multiplicity as in 2|a or 1:3|a";
            return Err(ParseError::at(line, column, format!("found {range:?}, {expected}")));
        }
    };
    Ok((Some(multiplicity), name))
}

fn add_items(
    builder: &mut CoverBuilder,
    mut extensions: Option<&mut Extensions>,
    number: usize,
    line: &str,
) -> Result<(), ParseError> {
    let mut is_primary = true;
    for (mut column, mut token) in tokens(line) {
        // The first secondary item may follow the bar without a space.
        if let Some(rest) = token.strip_prefix('|') {
            if !is_primary {
                return Err(second_bar(number, column));
            }
            is_primary = false;
            if rest.is_empty() {
                continue;
            }
            (column, token) = (column + 1, rest);
        }
        let mut multiplicity = None;
        if is_primary && extensions.is_some() {
            (multiplicity, token) = split_multiplicity((column, token), number)?;
        }
        let added = if is_primary { builder.primary(token) } else { builder.secondary(token) };
        let item = added.map_err(|error| parse_error(number, column, &error))?;
        if let (Some(extensions), Some(multiplicity)) = (&mut extensions, multiplicity) {
            extensions.multiplicities.push((item, multiplicity, number, column));
        }
    }
    Ok(())
}

fn add_option(
    builder: &mut CoverBuilder,
    extensions: Option<&mut Extensions>,
    number: usize,
    line: &str,
) -> Result<(), ParseError> {
    let has_costs = extensions.is_some();
    let cost_of =
        |token: &str| if has_costs { parse_number(token.strip_prefix('|')?) } else { None };
    if let Some(extensions) = extensions {
        let costs = tokens(line).filter_map(|(column, token)| Some((column, cost_of(token)?)));
        let option = builder.options();
        extensions.costs.extend(costs.map(|(column, cost)| (option, cost, number, column)));
    }
    // The builder stops at the first member that it rejects, which is the last token it has read.
    let mut last = (1, "");
    let members = tokens(line).filter(|(_, token)| cost_of(token).is_none());
    let added = builder.option(members.map(|(column, token)| {
        last = (column, token);
        token
    }));
    match (added, last) {
        (Ok(_), _) => Ok(()),
        (Err(_), (column, "|")) => Err(second_bar(number, column)),
        (Err(error), (column, _)) => Err(parse_error(number, column, &error)),
    }
}

/// Converts an error of the builder; the position replaces the number of the option.
fn parse_error(line: usize, column: usize, error: &CoverError) -> ParseError {
    ParseError::at(line, column, error.without_option())
}

/// Parses a cover, and stores its multiplicities and costs in `extensions`, or rejects them.
fn parse(
    text: &str,
    mut extensions: Option<&mut Extensions>,
    prefers_marked: bool,
) -> Result<Cover, ParseError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !is_skipped(line));
    let mut builder = Cover::builder();
    let (index, items) = lines.next().ok_or_else(|| {
        let message = "found the end of the text, expected a line of items, primary items first";
        ParseError::at(text.lines().count() + 1, 1, message)
    })?;
    let has_costs = extensions.is_some();
    add_items(&mut builder, extensions.as_deref_mut(), index + 1, items)
        .and_then(|()| {
            lines.try_for_each(|(index, line)| {
                add_option(&mut builder, extensions.as_deref_mut(), index + 1, line)
            })
        })
        .map_err(|error| recognise(text, error, has_costs))?;
    if prefers_marked {
        builder.prefer_marked();
    }
    Ok(builder.build())
}

/// Adds a note to an error that looks like a construct of another format.
fn recognise(text: &str, error: ParseError, has_costs: bool) -> ParseError {
    let (Some(line), Some(column)) = (error.line(), error.column()) else { return error };
    let comment = (1..).zip(text.lines()).take(line).find_map(|(line, text)| {
        let begin = text.trim_start();
        let mark = ["//", "%"].into_iter().find(|mark| begin.starts_with(mark))?;
        Some((line, mark))
    });
    if let Some((line, mark)) = comment {
        return error.with_note(format_args!(
            "(line {line} begins with `{mark}`, but a comment begins with `|`)"
        ));
    }
    let in_line = text.lines().nth(line - 1).unwrap_or_default();
    let token = tokens(in_line)
        .find(|&(begin, token)| (begin..begin + token.chars().count()).contains(&column));
    let Some((_, token)) = token else { return error };
    let bracketed = token.strip_suffix(']').and_then(|token| token.split_once('['));
    if let Some((name, range)) = bracketed {
        return error
            .with_note(format_args!("(a multiplicity precedes the item, as in {range}|{name})"));
    }
    match token.strip_prefix('|') {
        Some(cost) if has_costs && cost.parse::<f64>().is_ok() => {
            error.with_note("(a cost is a whole number from 0)")
        }
        Some(cost) if cost.parse::<f64>().is_ok() => error.with_note("(costs need a `MultiCover`)"),
        None if !has_costs && token.contains('|') => {
            error.with_note("(multiplicities need a `MultiCover`)")
        }
        _ => error,
    }
}

impl Cover {
    /// Parses a text as [`FromStr`](#impl-FromStr-for-Cover) does, and
    /// [prefers](CoverBuilder::prefer_marked) primary items whose names begin with `#`, as Knuth's
    /// programs do. It can change the tree a lot, for better or worse, and never the solutions.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not in the format.
    pub fn with_marked_items(text: &str) -> Result<Self, ParseError> {
        parse(text, None, true)
    }
}

impl FromStr for Cover {
    type Err = ParseError;

    /// Parses a line of items, the secondary ones after a `|`, and then one option per line: the
    /// names of its items, or `name:colour` for an item with a colour.
    ///
    /// Names are separated by white space. Lines that begin with `|` are comments; comments and
    /// blank lines are ignored everywhere. Lines may end in CR LF, and the last one needs no line
    /// end. The time is linear in the length of the text.
    ///
    /// A name may begin with `#`; see [`with_marked_items`](Cover::with_marked_items).
    ///
    /// Knuth's programs for exact cover with colours (DLX2, SSXCC) read the same format with the
    /// same meaning: options without primary items are accepted and never chosen, and a secondary
    /// item without a colour is covered at most once. Their limits are tighter: names of up to 8
    /// bytes, colours of one byte, lines of limited length. Multiplicities as in `2:3|a` (DLX3) are
    /// rejected; a [`MultiCover`] has them.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text, None, false)
    }
}

impl FromStr for MultiCover {
    type Err = ParseError;

    /// Parses the format of a [cover](Cover#impl-FromStr-for-Cover) with multiplicities and costs.
    ///
    /// A primary item `u:v|name` is to be covered at least u and at most v times, and `v|name`
    /// exactly v times. An entry `|n` of an option, behind its first item, is its cost; several are
    /// added up. These are the formats of Knuth's programs DLX3 and DLX5.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_cover::MultiCover;
    ///
    /// let cover: MultiCover = "1:2|a 2|b\na b |5\na |1\nb |2\nb |4\n".parse()?;
    /// let (cost, bound) = cover.minimise_cost();
    /// assert_eq!(Search::new(&cover).hook(bound).best(&cost).proven(), Some(&7));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse_multiple(text, false)
    }
}

impl MultiCover {
    /// Parses a text as [`FromStr`](#impl-FromStr-for-MultiCover) does, and prefers marked items as
    /// [`Cover::with_marked_items`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not in the format.
    pub fn with_marked_items(text: &str) -> Result<Self, ParseError> {
        parse_multiple(text, true)
    }
}

fn parse_multiple(text: &str, prefers_marked: bool) -> Result<MultiCover, ParseError> {
    let mut extensions = Extensions::default();
    let mut cover = MultiCover::new(parse(text, Some(&mut extensions), prefers_marked)?);
    for (item, multiplicity, line, column) in extensions.multiplicities {
        cover
            .set_multiplicity(item, multiplicity)
            .map_err(|error| ParseError::at(line, column, error))?;
    }
    for (option, cost, line, column) in extensions.costs {
        let sum = cover.cost(option).checked_add(cost);
        sum.ok_or(MultiCoverError::TotalCost { option })
            .and_then(|sum| cover.set_cost(option, sum).map(drop))
            .map_err(|error| ParseError::at(line, column, error))?;
    }
    Ok(cover)
}

impl fmt::Display for MultiCover {
    /// Writes the format that is [parsed](#impl-FromStr-for-MultiCover), with the limits of that of
    /// a [cover](Cover#impl-Display-for-Cover). Multiplicities 1..=1 and costs 0 are not written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = |item| match self.multiplicity(item).map(RangeInclusive::into_inner) {
            None | Some((1, 1)) => String::new(),
            Some((least, most)) if least == most => format!("{most}|"),
            Some((least, most)) => format!("{least}:{most}|"),
        };
        let suffix = |option| match self.cost(option) {
            0 => String::new(),
            cost => format!(" |{cost}"),
        };
        write(f, self.cover(), prefix, suffix)
    }
}

impl fmt::Display for Cover {
    /// Writes the format that is [parsed](#impl-FromStr-for-Cover).
    ///
    /// A parsed cover is written so that it parses to the same cover. The format cannot express
    /// covers without primary items (a line of secondary items alone is a comment),
    /// [preferred](CoverBuilder::prefer) items, and secondary items given before primary ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self, |_| "", |_| "")
    }
}

/// Writes a cover, with a prefix of each item in the first line and a suffix of each option.
fn write<P: fmt::Display, S: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    cover: &Cover,
    prefix: impl Fn(usize) -> P,
    suffix: impl Fn(usize) -> S,
) -> fmt::Result {
    let names = |is_primary: bool| {
        let items = (0..cover.items()).filter(move |&item| cover.is_primary(item) == is_primary);
        items.map(|item| format!("{}{}", prefix(item), cover.name(item))).collect::<Vec<_>>()
    };
    let (primary, secondary) = (names(true), names(false));
    if primary.first().is_some_and(|name| name.starts_with(BYTE_ORDER_MARK)) {
        // Parsing removes the first mark as a byte order mark; the second one belongs to the
        // name.
        write!(f, "{BYTE_ORDER_MARK}")?;
    }
    f.write_str(&primary.join(" "))?;
    if !secondary.is_empty() {
        write!(f, " | {}", secondary.join(" "))?;
    }
    writeln!(f)?;
    for option in 0..cover.options() {
        for (index, member) in cover.members(option).enumerate() {
            write!(f, "{}{member}", if index > 0 { " " } else { "" })?;
        }
        writeln!(f, "{}", suffix(option))?;
    }
    Ok(())
}

//! Made-up tables of records. The dataset's tables are those of an encyclopaedia; people also have orders, patients and
//! measurements, with headers as programs write them. A schema of `records/` describes such a table: its columns with the
//! values that they may have, and how people speak of them. Each schema gives several tables.

use super::dice::Dice;
use super::english::MONTHS;
use super::speech::Speech;
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use tabwise::Table;

/// The files, by name.
const FILES: [(&str, &str); 23] = [
    ("business-lines", include_str!("../../records/business-lines.toml")),
    ("by-years", include_str!("../../records/by-years.toml")),
    ("civic", include_str!("../../records/civic.toml")),
    ("commerce", include_str!("../../records/commerce.toml")),
    ("culture", include_str!("../../records/culture.toml")),
    ("farm-life", include_str!("../../records/farm-life.toml")),
    ("food-drink", include_str!("../../records/food-drink.toml")),
    ("goods-media", include_str!("../../records/goods-media.toml")),
    ("health", include_str!("../../records/health.toml")),
    ("industry", include_str!("../../records/industry.toml")),
    ("lab", include_str!("../../records/lab.toml")),
    ("machines-places", include_str!("../../records/machines-places.toml")),
    ("measured", include_str!("../../records/measured.toml")),
    ("money", include_str!("../../records/money.toml")),
    ("moving", include_str!("../../records/moving.toml")),
    ("plants-animals", include_str!("../../records/plants-animals.toml")),
    ("rosters", include_str!("../../records/rosters.toml")),
    ("space-matter", include_str!("../../records/space-matter.toml")),
    ("sport-tech", include_str!("../../records/sport-tech.toml")),
    ("subjects", include_str!("../../records/subjects.toml")),
    ("things-games", include_str!("../../records/things-games.toml")),
    ("weather-earth", include_str!("../../records/weather-earth.toml")),
    ("work", include_str!("../../records/work.toml")),
];
const POOLS: &str = include_str!("../../records/pools.toml");

/// Tables that are made of one schema.
const COPIES: usize = 4;

/// A made-up table.
pub(super) struct Record {
    /// Path in the folder of the generated questions.
    pub path: String,
    /// The table.
    pub table: Table,
    /// Noun for a row.
    pub noun: String,
    /// Speech of each column, and if it says yes or no.
    pub speech: Vec<(Speech, bool)>,
}

/// Description of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Schema {
    name: String,
    row: String,
    /// Fewest and most rows.
    size: [usize; 2],
    column: Vec<ColumnSchema>,
}

/// Description of a column. Which fields it has depends on its kind.
#[derive(Debug, Deserialize)]
struct ColumnSchema {
    header: String,
    kind: Kind,
    /// Text of an id, with the first number in braces.
    pattern: Option<String>,
    /// Name of a list of names.
    pool: Option<String>,
    #[serde(default)]
    values: Vec<String>,
    #[serde(default)]
    weights: Vec<usize>,
    /// Smallest and largest number, year or day.
    range: Option<[toml::Value; 2]>,
    #[serde(default)]
    decimals: usize,
    #[serde(default)]
    shape: Shape,
    /// Text before the number in a cell.
    #[serde(default)]
    before: String,
    /// Text after it.
    #[serde(default)]
    after: String,
    /// Spelling of dates.
    format: Option<String>,
    /// Texts for yes and no.
    texts: Option<[String; 2]>,
    /// Share of yes.
    #[serde(default)]
    share: f64,
    /// Share of missing cells.
    #[serde(default)]
    missing: f64,
    /// Text of a missing cell.
    #[serde(default)]
    blank: String,
    #[serde(flatten)]
    speech: Speech,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Id,
    Name,
    Category,
    Number,
    Date,
    Year,
    Flag,
}

/// Distribution of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shape {
    /// All alike.
    #[default]
    Even,
    /// Many small ones, few large ones.
    Skewed,
    /// Most in the middle.
    Bell,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    table: Vec<Schema>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pools {
    /// Lists of texts.
    list: BTreeMap<String, Vec<String>>,
    /// Names that are made of one text of each of several lists.
    joined: BTreeMap<String, Vec<String>>,
}

/// Makes the tables of all schemas, the same for the same seed.
pub(super) fn made_up(seed: u64) -> Result<Vec<Record>> {
    let pools: Pools = toml::from_str(POOLS).context("pools.toml")?;
    let mut made = Vec::new();
    for (name, text) in FILES {
        let file: File = toml::from_str(text).with_context(|| format!("{name}.toml"))?;
        for schema in &file.table {
            for copy in 0..COPIES {
                let path = format!("csv/records/{}-{copy}.csv", schema.name);
                made.push(record(schema, path, &pools, seed).with_context(|| format!("{name}.toml: {}", schema.name))?);
            }
        }
    }
    Ok(made)
}

fn record(schema: &Schema, path: String, pools: &Pools, seed: u64) -> Result<Record> {
    let mut dice = Dice::new(seed, &path);
    let [least, most] = schema.size;
    ensure!((1..=most).contains(&least), "the size of a table is its fewest and its most rows");
    let count = least + dice.below(most - least + 1);
    let columns: Vec<Vec<String>> =
        schema.column.iter().map(|column| cells(column, count, pools, &mut dice)).collect::<Result<_>>()?;
    let mut table = Table::new(schema.column.iter().map(|column| column.header.clone()).collect());
    (0..count).for_each(|row| table.push_row(columns.iter().map(|cells| cells[row].as_str())));
    let speech = schema.column.iter().map(|column| (column.speech.clone(), column.kind == Kind::Flag)).collect();
    Ok(Record { path, table, noun: schema.row.clone(), speech })
}

/// The cells of a column.
fn cells(column: &ColumnSchema, count: usize, pools: &Pools, dice: &mut Dice) -> Result<Vec<String>> {
    ensure!(!column.speech.said.is_empty(), "{} has no words", column.header);
    let mut cells = match column.kind {
        Kind::Id => ids(column, count)?,
        Kind::Name => names(column, count, pools, dice)?,
        Kind::Category => categories(column, count, dice)?,
        Kind::Number | Kind::Year => numbers(column, count, dice)?,
        Kind::Date => dates(column, count, dice)?,
        Kind::Flag => flags(column, count, dice)?,
    };
    let missing = (column.missing * 1000.0) as usize;
    cells.iter_mut().filter(|_| dice.below(1000) < missing).for_each(|cell| cell.clone_from(&column.blank));
    Ok(cells)
}

fn ids(column: &ColumnSchema, count: usize) -> Result<Vec<String>> {
    let parts = column.pattern.as_deref().and_then(|pattern| {
        let (before, rest) = pattern.split_once('{')?;
        let (number, after) = rest.split_once('}')?;
        Some((before, number, number.parse::<usize>().ok()?, after))
    });
    let Some((before, digits, first, after)) = parts else {
        bail!("{}: the pattern of an id has a number in braces", column.header)
    };
    Ok((0..count).map(|at| format!("{before}{:0width$}{after}", first + at, width = digits.len())).collect())
}

fn names(column: &ColumnSchema, count: usize, pools: &Pools, dice: &mut Dice) -> Result<Vec<String>> {
    if let Some(lists) = column.pool.as_ref().and_then(|pool| pools.joined.get(pool)) {
        let lists: Vec<&Vec<String>> = lists.iter().filter_map(|list| pools.list.get(list)).collect();
        let mut name = || lists.iter().filter_map(|list| dice.pick(list)).cloned().collect::<Vec<_>>().join(" ");
        return Ok((0..count).map(|_| name()).collect());
    }
    let list = column.pool.as_ref().and_then(|pool| pools.list.get(pool)).unwrap_or(&column.values);
    ensure!(!list.is_empty(), "{}: there is no pool {:?}", column.header, column.pool);
    let order = dice.shuffled(list.len());
    // A list that is too short begins anew, with a number behind the text.
    let text = |at: usize| match at / list.len() {
        0 => list[order[at]].clone(),
        again => format!("{} {}", list[order[at % list.len()]], again + 1),
    };
    Ok((0..count).map(text).collect())
}

fn categories(column: &ColumnSchema, count: usize, dice: &mut Dice) -> Result<Vec<String>> {
    let ColumnSchema { header, values, weights, .. } = column;
    ensure!(values.len() > 1, "{header}: a category has at least two values");
    ensure!(weights.is_empty() || weights.len() == values.len(), "{header}: a weight for each value");
    let weight = |at: usize| weights.get(at).copied().unwrap_or(1);
    let places: Vec<usize> = (0..values.len()).flat_map(|at| std::iter::repeat_n(at, weight(at))).collect();
    Ok((0..count).filter_map(|_| dice.pick(&places)).map(|at| values[*at].clone()).collect())
}

fn numbers(column: &ColumnSchema, count: usize, dice: &mut Dice) -> Result<Vec<String>> {
    let number = |value: &toml::Value| value.as_float().or(value.as_integer().map(|n| n as f64));
    let range = column.range.as_ref().and_then(|[least, most]| Some((number(least)?, number(most)?)));
    let Some((least, most)) = range else { bail!("{}: the range of numbers is two numbers", column.header) };
    let mut share = || dice.below(1_000_000) as f64 / 1_000_000.0;
    let mut one = || match column.shape {
        Shape::Even => share(),
        Shape::Skewed => share().powi(3),
        Shape::Bell => (share() + share() + share()) / 3.0,
    };
    let (before, after, decimals) = (&column.before, &column.after, column.decimals);
    Ok((0..count).map(|_| format!("{before}{:.decimals$}{after}", least + (most - least) * one())).collect())
}

fn flags(column: &ColumnSchema, count: usize, dice: &mut Dice) -> Result<Vec<String>> {
    let Some([yes, no]) = &column.texts else { bail!("{}: a flag has two texts", column.header) };
    let share = (column.share * 1000.0) as usize;
    Ok((0..count).map(|_| if dice.below(1000) < share { yes } else { no }).cloned().collect())
}

/// Days in a column of dates. Every month has 28, so that each of them is there.
fn dates(column: &ColumnSchema, count: usize, dice: &mut Dice) -> Result<Vec<String>> {
    let day = |value: &toml::Value| {
        let parts: Vec<usize> = value.as_str()?.split('-').filter_map(|part| part.parse().ok()).collect();
        let [year, month, day] = parts[..] else { return None };
        Some((year * 12 + month - 1) * 28 + day.min(28) - 1)
    };
    let range = column.range.as_ref().and_then(|[first, last]| Some((day(first)?, day(last)?)));
    let Some((first, last)) = range else { bail!("{}: the range of dates is two days like 2021-01-31", column.header) };
    ensure!(first < last, "{}: the range of dates is empty", column.header);
    let format = column.format.as_deref().unwrap_or("%Y-%m-%d");
    Ok((0..count).map(|_| date(first + dice.below(last - first + 1), format)).collect())
}

/// A day in a spelling.
fn date(days: usize, format: &str) -> String {
    let (day, month, year) = (days % 28 + 1, days / 28 % 12, days / 28 / 12);
    format
        .replace("%Y", &year.to_string())
        .replace("%m", &format!("{:02}", month + 1))
        .replace("%d", &format!("{day:02}"))
        .replace("%B", MONTHS[month])
        .replace("%b", &MONTHS[month][..3])
}

//! Restyling: tables of the web made into tables as programs write them. Headers become `unit_price`, `unitPrice` or
//! `unt_prc`, a category becomes a column of 0 and 1, and columns are left out, which gives questions without an answer.
//! The words by which people speak of a column stay those of the old header.

use super::columns::{Column, Kind, Spoken};
use super::dice::Dice;
use super::speech::Speech;
use tabwise::Table;
use tabwise::words::{Relation, Words};

/// A table in a new style.
pub(super) struct Restyled {
    /// The table.
    pub table: Table,
    /// Words for each column.
    pub spoken: Vec<Option<Spoken>>,
    /// Words for the columns that were left out.
    pub removed: Vec<String>,
}

/// Spelling of headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    AsItIs,
    Lower,
    Snake,
    Camel,
    Pascal,
    Dotted,
    Short,
}

/// Styles, the more frequent ones several times.
const STYLES: [Style; 12] = [
    Style::AsItIs,
    Style::AsItIs,
    Style::AsItIs,
    Style::AsItIs,
    Style::Snake,
    Style::Snake,
    Style::Snake,
    Style::Lower,
    Style::Camel,
    Style::Pascal,
    Style::Dotted,
    Style::Short,
];

/// Texts for yes and no.
const FLAGS: [[&str; 2]; 4] = [["1", "0"], ["TRUE", "FALSE"], ["Yes", "No"], ["Y", "N"]];

/// Gives a table a style, by the dice. `columns` are those of the table as it is.
pub(super) fn restyled(
    table: &Table,
    spoken: &[Option<Spoken>],
    columns: &[Column],
    words: &Words,
    dice: &mut Dice,
) -> Restyled {
    let style = *dice.pick(&STYLES).unwrap_or(&Style::AsItIs);
    let cut = cut(table, columns, dice);
    let flag = if style == Style::AsItIs || dice.chance(50) { None } else { flag(table, columns, &cut, dice) };
    let kept: Vec<usize> = (0..table.column_count()).filter(|at| !cut.contains(at)).collect();
    let said_as = |at: usize| match &flag {
        Some(flag) if flag.column == at => {
            Some(Spoken { words: flag.value.to_lowercase(), is_flag: true, speech: Speech::default() })
        }
        _ => spoken[at].clone(),
    };
    let mut header = |at: &usize| match said_as(*at) {
        Some(said) if style != Style::AsItIs && said.is_flag => styled(&said.words, style),
        Some(said) if style != Style::AsItIs => styled(&with_kin(&said.words, words, dice), style),
        _ => table.header()[*at].clone(),
    };
    let headers: Vec<String> = kept.iter().map(&mut header).collect();
    // Two columns must not get one name.
    let is_repeated = headers.iter().enumerate().any(|(at, header)| headers[..at].contains(header));
    let plain = || kept.iter().map(|at| table.header()[*at].clone()).collect();
    let mut new = Table::new(if is_repeated { plain() } else { headers });
    for row in 0..table.row_count() {
        new.push_row(kept.iter().map(|at| match &flag {
            Some(flag) if flag.column == *at => flag.text(table.cell(row, *at)),
            _ => table.cell(row, *at),
        }));
    }
    let removed = removed(&cut, spoken);
    Restyled { table: new, spoken: kept.into_iter().map(said_as).collect(), removed }
}

/// A table whose headers stay as they are; only columns are left out.
pub(super) fn shortened(table: &Table, spoken: &[Option<Spoken>], columns: &[Column], dice: &mut Dice) -> Restyled {
    let cut = cut(table, columns, dice);
    let kept: Vec<usize> = (0..table.column_count()).filter(|at| !cut.contains(at)).collect();
    let mut new = Table::new(kept.iter().map(|at| table.header()[*at].clone()).collect());
    (0..table.row_count()).for_each(|row| new.push_row(kept.iter().map(|at| table.cell(row, *at))));
    Restyled { table: new, spoken: kept.iter().map(|at| spoken[*at].clone()).collect(), removed: removed(&cut, spoken) }
}

/// Words for columns that are left out.
fn removed(cut: &[usize], spoken: &[Option<Spoken>]) -> Vec<String> {
    let ways = |said: &Spoken| std::iter::once(said.words.clone()).chain(said.speech.said.clone()).collect::<Vec<_>>();
    cut.iter().filter_map(|at| spoken[*at].as_ref()).flat_map(ways).collect()
}

/// Chance in percent that a word of a header is replaced by its kin.
const KIN: usize = 25;

/// The words of a header, some of them replaced by kin: people say "price" of a column *cost*.
fn with_kin(said: &str, words: &Words, dice: &mut Dice) -> String {
    let mut kin_of = |word: &str| {
        let is_close = |relation: Relation| matches!(relation, Relation::Same | Relation::Of | Relation::Form);
        let kin = words.kin(word).filter(|(_, relation)| is_close(*relation)).map(|(kin, _)| kin.to_owned());
        let kin: Vec<String> = kin.collect();
        let chosen = if dice.chance(KIN) { dice.pick(&kin).cloned() } else { None };
        chosen.unwrap_or_else(|| word.to_owned())
    };
    said.split(' ').map(&mut kin_of).collect::<Vec<_>>().join(" ")
}

/// Columns to leave out: up to two, but not the one that names the rows.
fn cut(table: &Table, columns: &[Column], dice: &mut Dice) -> Vec<usize> {
    let count = if table.column_count() < 4 { 0 } else { dice.below(3) };
    let may_go = |column: &&Column| !matches!(column.kind, Kind::Name) && column.said[0].len() > 3;
    let places: Vec<usize> = columns.iter().filter(may_go).map(|column| usize::from(column.id.0)).collect();
    dice.shuffled(places.len()).into_iter().take(count).map(|at| places[at]).collect()
}

/// A column that becomes yes or no.
struct Flag<'t> {
    column: usize,
    value: &'t str,
    texts: [&'t str; 2],
}

impl<'t> Flag<'t> {
    fn text(&self, cell: &'t str) -> &'t str {
        match cell {
            _ if super::columns::is_missing(cell) => "",
            _ if cell == self.value => self.texts[0],
            _ => self.texts[1],
        }
    }
}

/// Chooses a category whose header can become the name of one of its values.
fn flag<'t>(table: &'t Table, columns: &'t [Column], cut: &[usize], dice: &mut Dice) -> Option<Flag<'t>> {
    let is_open = |column: &&Column| column.kind == Kind::Category && !cut.contains(&usize::from(column.id.0));
    let open: Vec<&Column> = columns.iter().filter(is_open).collect();
    let chosen = dice.pick(&open)?;
    let column = usize::from(chosen.id.0);
    let is_word = |cell: &&String| cell.len() > 2 && cell.chars().all(|c| c.is_alphabetic() || c == ' ');
    let words: Vec<&String> = chosen.cells[..chosen.own].iter().filter(is_word).collect();
    let value = dice.pick(&words)?.as_str();
    let count = (0..table.row_count()).filter(|row| table.cell(*row, column) == value).count();
    let is_fair = count * 10 > table.row_count() && count * 10 < table.row_count() * 9;
    is_fair.then_some(Flag { column, value, texts: *dice.pick(&FLAGS)? })
}

/// A header in a style.
fn styled(words: &str, style: Style) -> String {
    let words: Vec<&str> = words.split([' ', '-', '.', '&', '\'']).filter(|word| !word.is_empty()).collect();
    match style {
        Style::AsItIs => words.join(" "),
        Style::Lower => words.join(" "),
        Style::Snake => words.join("_"),
        Style::Camel => {
            let first = words.first().copied().unwrap_or_default().to_owned();
            first + &words.iter().skip(1).map(|word| capital(word)).collect::<String>()
        }
        Style::Pascal => words.iter().map(|word| capital(word)).collect(),
        Style::Dotted => words.iter().map(|word| capital(word)).collect::<Vec<_>>().join("."),
        Style::Short => words.iter().map(|word| short(word)).collect::<Vec<_>>().join("_"),
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// An abbreviation: the first letters of a long word, or a shorter one without vowels.
fn short(word: &str) -> String {
    let count = word.chars().count();
    let consonants = |(at, c): &(usize, char)| *at == 0 || !"aeiou".contains(*c);
    match count {
        0..=4 => word.to_owned(),
        5..=7 => word.chars().enumerate().filter(consonants).map(|(_, c)| c).collect(),
        _ => word.chars().take(4).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_styles() {
        let all = [Style::Snake, Style::Camel, Style::Pascal, Style::Dotted, Style::Short];
        let said = all.map(|style| styled("home field attendance", style));
        let expected = ["home_field_attendance", "homeFieldAttendance", "HomeFieldAttendance"];
        assert_eq!(&said[..3], expected);
        assert_eq!(&said[3..], ["Home.Field.Attendance", "home_fld_atte"]);
    }
}

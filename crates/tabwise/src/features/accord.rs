//! Accord of a candidate with the general words of the question: what goes against them, and what confidence goes by.

use super::near::Near;
use super::sense::{Asked, By, Claim, Look, Order, Pair, Place, Root, Sense, class, class_by, noun, said};
use super::{Scene, Topic};
use crate::formula::{Aggregate, Compare, Superlative};
use crate::graph::ColumnId;
use crate::question::{AskForm, ColumnKind, ColumnLink, Question};
use crate::words::{Form, Quantifier, Sense as Way};

/// Facts about a candidate and the general words of the question that confidence goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accord {
    /// Number of columns that rows are put in order by, or that numbers are read from, and that no word names.
    pub guessed: u8,
    /// True if the noun of the question names another column than that of the answer.
    pub is_elsewhere: bool,
    /// True if the noun of the question names nothing in the table.
    pub is_unknown: bool,
    /// True if the noun of the question names nothing, and no word names the column that the answer is read from either.
    pub is_blind: bool,
    /// True if the answer does not look as the form of the question asks for.
    pub is_unlike: bool,
    /// True if the answer is a number of rows.
    pub is_counted: bool,
    /// True if the answer is a table of groups.
    pub is_table: bool,
    /// True if the answer is read from the row with the most or the least of something, in a column whose cells repeat: the total
    /// of several rows may be meant.
    pub is_one_of_several: bool,
}

/// Accord of a candidate's topics with the question.
pub fn accord(scene: &Scene, topics: impl Iterator<Item = Topic>) -> Accord {
    let mut accord = Accord::default();
    let is_named = |column: ColumnId| scene.question.columns.iter().any(|link| link.column == column);
    let mut guessed: Vec<ColumnId> = Vec::new();
    let (mut is_best_row, mut repeats) = (false, false);
    for topic in topics {
        let Topic::Sense(sense) = topic else { continue };
        match sense {
            Sense::Superlative(_, By::Column(column)) => {
                is_best_row = true;
                guessed.push(column);
            }
            Sense::Extreme(_, Some(column)) => guessed.push(column),
            Sense::Root(root, column) => {
                repeats = root == Root::Lookup && column.is_some_and(|column| scene.vocabulary.repeats(column));
                let noun = noun(scene, column);
                accord.is_elsewhere = noun.starts_with("another");
                accord.is_unknown = noun == "nothing";
                accord.is_blind = accord.is_unknown && column.is_some_and(|column| !is_named(column));
                accord.is_counted = root == Root::Rows;
                accord.is_table = root == Root::Groups;
                let is_number = matches!(root, Root::Total | Root::Arithmetic | Root::Extreme);
                guessed.extend(column.filter(|_| is_number));
            }
            Sense::Look(look) => accord.is_unlike = !suits(look, scene.question.asks.form),
            _ => {}
        }
    }
    accord.is_one_of_several = is_best_row && repeats;
    guessed.sort_unstable();
    guessed.dedup();
    accord.guessed = guessed.iter().filter(|column| !is_named(**column)).count() as u8;
    accord
}

/// Tells if something about a formula goes against the general words of the question.
pub fn is_contrary(scene: &Scene, topic: Topic) -> bool {
    let sense = match topic {
        Topic::Sense(sense) => sense,
        Topic::Near(near) => return is_mislabelled(scene, near),
        _ => return false,
    };
    let question = scene.question;
    let against = |is_max: bool, class: &str| {
        let (_, ways) = said(question, class);
        let up = [Way::More, Way::Later, Way::Last].iter().any(|way| ways.contains(way));
        let down = [Way::Less, Way::Earlier, Way::First].iter().any(|way| ways.contains(way));
        match class {
            _ if ways.is_empty() => !question.is_superlative(),
            "index" => ways.iter().all(|way| matches!(way, Way::More | Way::Less)),
            _ => up != down && up != is_max,
        }
    };
    match sense {
        Sense::Superlative(op, by) => {
            let is_rank = matches!(by, By::Column(column) if scene.vocabulary.is_run(column));
            let passes = matches!(by, By::Column(column) if passes_over(scene, column));
            let is_no_count = by == By::Count && (is_specific(question) || names_amount(scene));
            passes || is_no_count || !is_rank && against(op == Superlative::Argmax, class_by(scene, by))
        }
        Sense::Extreme(op, column) => {
            let class = class(scene, column);
            let passes = column.is_some_and(|column| passes_over(scene, column));
            passes || against(op == Aggregate::Max, class) || is_wordy(class)
        }
        Sense::Bound(op, column, at) => {
            let is_up = matches!(op, Compare::Greater | Compare::AtLeast);
            let said = question.bounds.get(usize::from(at)).copied().flatten();
            let against = said.is_some_and(|said| said.is_up() != is_up);
            let is_name = is_part_of_name(question, usize::from(at));
            let is_bound = said.is_some() || !is_name && question.has_cue("compare", "");
            is_wordy(class(scene, column)) || against || !is_bound || question.is_step(usize::from(at))
        }
        Sense::Root(Root::Total, column) => {
            is_wordy(class(scene, column)) || asks_another(scene, column) || question.apart.is_some()
        }
        Sense::Root(Root::Share, Some(column)) => scene.vocabulary.is_percentage(column),
        Sense::Root(Root::Extreme, column) => asks_another(scene, column),
        // Amounts are not counted: "how many players" is about rows, unless different amounts are asked for.
        Sense::Root(Root::Distinct, Some(column)) => {
            let is_amount = matches!(class(scene, Some(column)), "number" | "amount");
            let is_own = noun(scene, Some(column)).starts_with("its column, header");
            let is_named = question.columns.iter().any(|link| link.column == column);
            let is_odd = !is_named || is_amount && !is_own && !numbers_rows(scene, column);
            is_odd && !question.has_cue("distinct", "")
        }
        Sense::Root(Root::Groups, Some(column)) => groups_by_another(question, column),
        Sense::Root(Root::Arithmetic, Some(column)) => passes_over(scene, column),
        // Yes and no are not what is asked for by "which smokers".
        Sense::Root(Root::Lookup, Some(column)) => {
            let asks_name = matches!(question.asks.form, AskForm::Which | AskForm::Who | AskForm::List);
            asks_name && scene.vocabulary.flag(column).is_some() || asks_another(scene, Some(column))
        }
        Sense::Root(Root::Picked, Some(column)) => asks_another(scene, Some(column)),
        Sense::Whole(is_said) => !is_said,
        Sense::Series(is_one) => !is_one,
        Sense::Twice => true,
        Sense::Claim(claim) => match claim {
            Claim::Some => question.quantifier == Some(Quantifier::All),
            Claim::All => question.quantifier == Some(Quantifier::Some),
            Claim::Table => question.quantifier != Some(Quantifier::All),
        },
        Sense::Look(look) => !suits(look, question.asks.form),
        Sense::Number(asked) => asked != Asked::Picked,
        // "Only" may mean the text alone.
        Sense::Member(is_part) => !is_part && !question.tokens.iter().any(|token| ALONE.contains(&token.text.as_str())),
        // "which red ones are not from Spain" negates Spain alone.
        Sense::Negation(Place::Behind | Place::Around) => question.decisive & question.cue_tokens("negation", "") != 0,
        Sense::Pair(pair, order) => is_turned(question, pair, order),
        Sense::Root(Root::Rows, _) => counts_amount(scene) || counts_repeated(scene) || !question.has_cue("count", ""),
        Sense::Root(..) | Sense::Negation(_) => false,
    }
}

/// Words for a text that stands alone in its cell.
const ALONE: [&str; 6] = ["only", "alone", "solely", "exclusively", "purely", "just"];

/// Tells if a condition on a column takes a number that the header of another column stands before: "patient 25".
fn is_mislabelled(scene: &Scene, near: Near) -> bool {
    let labels = scene.question.labels.iter().filter(|label| label.token == near.token());
    let mut columns = labels.map(|label| label.column).peekable();
    columns.peek().is_some() && columns.all(|column| column != near.column())
}

/// Tells if a number is part of the name of a column, as 2015 in "the ratio of 2015" for `ratio2015`.
fn is_part_of_name(question: &Question, at: usize) -> bool {
    let Some(link) = question.links.get(at) else { return false };
    let is_name = |column: &&ColumnLink| column.kind <= ColumnKind::Words && column.tokens.contains(&link.tokens.start);
    question.columns.iter().any(|column| is_name(&column))
}

/// Tells if the question has a word for what is measured, "longest" of a length, and this is another column that no word names.
fn passes_over(scene: &Scene, column: ColumnId) -> bool {
    let Question { degrees, columns, .. } = scene.question;
    let is_degree = |at: usize| degrees.iter().any(|(place, degree)| *place == at && degree.form != Form::Plain);
    let says = |link: &&ColumnLink| link.tokens.len() == 1 && is_degree(link.tokens.start);
    columns.iter().any(|link| says(&link)) && !columns.iter().any(|link| link.column == column)
}

/// Tells if the superlatives of the question measure something, as "cheapest" does, and so do not go by a number of rows.
fn is_specific(question: &Question) -> bool {
    let mut superlatives = question.degrees.iter().filter(|(_, degree)| degree.form == Form::Superlative).peekable();
    superlatives.peek().is_some() && superlatives.all(|(_, degree)| !degree.is_general)
}

/// Tells if the superlative is of amounts that a column has: "the most executions", "by number of goals".
fn names_amount(scene: &Scene) -> bool {
    let Question { degrees, columns, tokens, .. } = scene.question;
    let lemma = |at: usize| tokens.get(at).map_or("", |token| token.lemma.as_str());
    let is_after = |at: usize| {
        let of_number = at > 1 && lemma(at - 2) == "number" && lemma(at - 1) == "of";
        let of_degree = degrees.iter().any(|(place, degree)| place + 1 == at && degree.form == Form::Superlative);
        of_number || of_degree
    };
    let is_sure = |link: &ColumnLink| link.kind <= ColumnKind::Abbreviation;
    let is_amount = |column| matches!(class(scene, Some(column)), "number" | "amount");
    columns.iter().any(|link| is_sure(link) && is_amount(link.column) && is_after(link.tokens.start))
}

/// Tells if two things are compared the other way round than said: "a more than b" is not b more than a.
fn is_turned(question: &Question, pair: Pair, order: Order) -> bool {
    let is_said =
        |way: Way| question.degrees.iter().any(|(_, degree)| degree.form == Form::Comparative && degree.has(way));
    let (more, less) = (is_said(Way::More), is_said(Way::Less));
    let has_than = question.tokens.iter().any(|token| token.text == "than");
    let first_is_more = match pair {
        Pair::More | Pair::Sub | Pair::Across => order == Order::Forth,
        Pair::Less => order == Order::Back,
        Pair::Div | Pair::Days => return false,
    };
    has_than && order != Order::Unknown && more != less && first_is_more != more
}

/// Tells if a column numbers the rows, one by one or as an id does.
fn numbers_rows(scene: &Scene, column: ColumnId) -> bool {
    let header = scene.vocabulary.header_words(column);
    scene.vocabulary.is_run(column) || header.content().any(|word| word.lemma == "id")
}

/// Tells if rows are counted where "how many births" names a column of amounts. Orders are no amount of a column *order id*.
fn counts_amount(scene: &Scene) -> bool {
    let Question { asks, columns, .. } = scene.question;
    let is_amount = |link: &ColumnLink| {
        let is_number = matches!(class(scene, Some(link.column)), "number" | "amount");
        link.kind == ColumnKind::Header && is_number && !numbers_rows(scene, link.column)
    };
    let meets = |link: &ColumnLink| link.tokens.start < asks.noun.end && asks.noun.start < link.tokens.end;
    asks.form == AskForm::HowMany && columns.iter().any(|link| meets(link) && is_amount(link))
}

/// Tells if "each region" or "by month" names a column to group by, or "for men and for women" its cells, and this is another one.
fn groups_by_another(question: &Question, column: ColumnId) -> bool {
    if question.apart.is_some_and(|apart| apart != column) {
        return true;
    }
    let cues = question.cue_tokens("group", "");
    let is_after = |link: &ColumnLink| {
        let start = link.tokens.start;
        (start.saturating_sub(3)..start).any(|at| cues >> at.min(127) & 1 == 1)
    };
    let mut named = question.columns.iter().filter(|link| link.kind <= ColumnKind::Stem && is_after(link)).peekable();
    named.peek().is_some() && named.all(|link| link.column != column)
}

/// Tells if rows are counted where "how many breeders" names a column of names that repeat.
fn counts_repeated(scene: &Scene) -> bool {
    let Question { asks, columns, .. } = scene.question;
    let is_named = |link: &ColumnLink| {
        let is_name = matches!(class(scene, Some(link.column)), "word" | "name");
        link.kind == ColumnKind::Header && link.tokens == asks.noun && is_name && scene.vocabulary.repeats(link.column)
    };
    let is_row = scene.question.tokens[asks.noun.clone()].iter().any(|token| scene.vocabulary.is_row(&token.text));
    asks.form == AskForm::HowMany && !is_row && columns.iter().any(is_named)
}

/// Tells if "how old" names a column, or "which employee" has one for its header, and this is another one.
fn asks_another(scene: &Scene, column: Option<ColumnId>) -> bool {
    let Question { asks, columns, .. } = scene.question;
    let is_header = |link: &ColumnLink| link.kind == ColumnKind::Header && link.tokens == asks.noun;
    let is_sure = asks.form == AskForm::How || asks.form == AskForm::Which && columns.iter().any(is_header);
    is_sure && noun(scene, column).starts_with("another column")
}

/// Tells if a column's cells are words, which have no amounts but by chance.
fn is_wordy(class: &str) -> bool {
    matches!(class, "word" | "name" | "text")
}

/// Tells if an answer looks as a question asks for.
fn suits(look: Look, form: AskForm) -> bool {
    match form {
        _ if look == Look::Piece => false,
        AskForm::HowMany | AskForm::How => !matches!(look, Look::Text | Look::Texts | Look::Truth),
        AskForm::When => matches!(look, Look::Date | Look::Dates | Look::Mixed | Look::Number | Look::Numbers),
        AskForm::Who | AskForm::Where => !matches!(look, Look::Number | Look::Numbers | Look::Date | Look::Truth),
        AskForm::IsIt => matches!(look, Look::Truth | Look::Text),
        AskForm::Which | AskForm::List | AskForm::Words => look != Look::Truth,
    }
}

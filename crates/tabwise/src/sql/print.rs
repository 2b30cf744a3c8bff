//! Printing of queries in a dialect, laid out as a person would: a line for each clause of the whole query and of a named
//! part, inner queries in one line, names quoted only where they have to be.

use super::dialect::{Dialect, RESERVED};
use super::query::{Alias, Direction, Expr, From, Operator, Query};
use std::collections::BTreeSet;

/// Length of a condition from which each part of it has a line of its own.
const LONG: usize = 90;

/// Prints a query with the named queries that it uses.
pub(super) fn print(parts: &[(String, Query)], query: &Query, dialect: Dialect) -> String {
    let mut spoken = BTreeSet::new();
    for query in parts.iter().map(|(_, query)| query).chain([query]) {
        query.each_field(&mut |alias, _, own| {
            if !own.contains(&alias) {
                spoken.insert(alias);
            }
        });
    }
    let printer = Printer { dialect, spoken };
    let mut text = String::new();
    for (at, (name, part)) in parts.iter().enumerate() {
        text.push_str(if at == 0 { "WITH " } else { ",\n" });
        let body = printer.lines(part, "    ");
        text.push_str(&format!("{} AS (\n{body}\n)", name_in(name, dialect)));
    }
    if !parts.is_empty() {
        text.push('\n');
    }
    text + &printer.lines(query, "")
}

/// A word of a query that is not SQL.
#[derive(Clone, Copy)]
pub(crate) enum Literal<'t> {
    /// Name of a table or column.
    Name(&'t str),
    /// A text.
    Text(&'t str),
    /// A day, as `yyyy-mm-dd`.
    Day(&'t str),
}

impl Literal<'_> {
    /// The word as a dialect writes it.
    pub(crate) fn in_dialect(self, dialect: Dialect) -> String {
        match self {
            Literal::Name(name) => name_in(name, dialect),
            Literal::Text(text) => text_in(text, dialect),
            Literal::Day(day) => day_in(day, dialect),
        }
    }
}

/// Writes a name, quoted if it has to be.
pub(super) fn name_in(name: &str, dialect: Dialect) -> String {
    let words = dialect.words();
    let is_word =
        |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit() || (c.is_ascii_uppercase() && !words.lowers);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && name.chars().all(is_word) && !RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        return name.to_string();
    }
    let quote = words.quote;
    format!("{quote}{}{quote}", name.replace(quote, &format!("{quote}{quote}")))
}

/// Writes a text as a literal.
pub(super) fn text_in(text: &str, dialect: Dialect) -> String {
    let quoted = text.replace('\'', "''");
    match dialect {
        // Spark reads backslashes, and two quotes as the end of one text and the start of the next.
        Dialect::Spark => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Dialect::Sqlite | Dialect::Duckdb | Dialect::Postgres => format!("'{quoted}'"),
    }
}

/// Writes a day as a literal.
pub(super) fn day_in(day: &str, dialect: Dialect) -> String {
    if dialect.words().has_dates { format!("DATE '{day}'") } else { format!("'{day}'") }
}

/// Writes a number with all of its digits.
pub(super) fn number_in(n: f64) -> String {
    match n.abs() {
        size if size != 0.0 && !(1e-9..1e15).contains(&size) => format!("{n:e}"),
        _ => format!("{}", n + 0.0),
    }
}

struct Printer {
    dialect: Dialect,
    /// Tables that a query inside another one speaks of; they need a name.
    spoken: BTreeSet<Alias>,
}

/// Strength of operators; an operand that binds weaker is put in parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binds {
    Or,
    And,
    Not,
    Compare,
    Add,
    Multiply,
    Atom,
}

impl Printer {
    /// Query with each clause in a line of its own.
    fn lines(&self, query: &Query, indent: &str) -> String {
        let clauses = self.clauses(query, Some(indent));
        let lines: Vec<String> = clauses.iter().map(|clause| format!("{indent}{clause}")).collect();
        let others = query.union.iter().map(|other| format!("\n{indent}UNION ALL\n{}", self.lines(other, indent)));
        lines.join("\n") + &others.collect::<String>()
    }

    /// Query in one line.
    fn line(&self, query: &Query) -> String {
        let others = query.union.iter().map(|other| format!(" UNION ALL {}", self.line(other)));
        self.clauses(query, None).join(" ") + &others.collect::<String>()
    }

    fn clauses(&self, query: &Query, indent: Option<&str>) -> Vec<String> {
        let select: Vec<String> = query
            .select
            .iter()
            .map(|(expr, name)| match name {
                Some(name) => format!("{} AS {}", self.expr(expr, Binds::Or), name_in(name, self.dialect)),
                None => self.expr(expr, Binds::Or),
            })
            .collect();
        let select = if select.is_empty() { "*".to_string() } else { select.join(", ") };
        let mut clauses = vec![format!("SELECT {}{select}", if query.distinct { "DISTINCT " } else { "" })];
        if let Some(from) = &query.from {
            clauses.push(format!("FROM {}", self.from(from)));
        }
        if !query.conditions.is_empty() {
            clauses.push(self.conditions(&query.conditions, indent));
        }
        let list = |exprs: Vec<String>| exprs.join(", ");
        if !query.group.is_empty() {
            clauses.push(format!("GROUP BY {}", list(query.group.iter().map(|e| self.expr(e, Binds::Or)).collect())));
        }
        if let Some(having) = &query.having {
            clauses.push(format!("HAVING {}", self.expr(having, Binds::And)));
        }
        if !query.order.is_empty() {
            let order = query.order.iter().map(|(expr, direction)| match direction {
                Direction::Up => self.expr(expr, Binds::Or),
                Direction::Down => format!("{} DESC", self.expr(expr, Binds::Or)),
            });
            clauses.push(format!("ORDER BY {}", list(order.collect())));
        }
        clauses.extend(query.limit.map(|limit| format!("LIMIT {limit}")));
        clauses
    }

    fn from(&self, from: &From) -> String {
        let table = |name: &str, alias: Alias| match self.spoken.contains(&alias) {
            true => format!("{} AS {}", name_in(name, self.dialect), alias_name(alias)),
            false => name_in(name, self.dialect),
        };
        let joined = from.join.as_ref().map(|join| {
            format!(" JOIN {} USING ({})", table(&join.name, join.alias), name_in(&join.using, self.dialect))
        });
        table(&from.name, from.alias) + &joined.unwrap_or_default()
    }

    /// `WHERE a AND b`, in several lines if it is long.
    fn conditions(&self, conditions: &[Expr], indent: Option<&str>) -> String {
        let flat = match Expr::all(conditions.to_vec()) {
            Expr::All(parts) => parts,
            one => vec![one],
        };
        let parts: Vec<String> =
            flat.iter().map(|part| self.expr(part, if flat.len() > 1 { Binds::And } else { Binds::Or })).collect();
        let long = parts.iter().map(String::len).sum::<usize>() > LONG;
        match indent {
            Some(indent) if long => format!("WHERE {}", parts.join(&format!("\n{indent}  AND "))),
            _ => format!("WHERE {}", parts.join(" AND ")),
        }
    }

    /// Expression, in parentheses if it binds weaker than its place asks for.
    fn expr(&self, expr: &Expr, place: Binds) -> String {
        let (text, binds) = self.bare(expr);
        if binds < place { format!("({text})") } else { text }
    }

    fn bare(&self, expr: &Expr) -> (String, Binds) {
        let all = |list: &[Expr], place: Binds| -> Vec<String> { list.iter().map(|e| self.expr(e, place)).collect() };
        match expr {
            Expr::Field(alias, name) if self.spoken.contains(alias) => {
                (format!("{}.{}", alias_name(*alias), name_in(name, self.dialect)), Binds::Atom)
            }
            Expr::Field(_, name) => (name_in(name, self.dialect), Binds::Atom),
            Expr::Text(text) => (text_in(text, self.dialect), Binds::Atom),
            Expr::Number(n) => (number_in(*n), if *n < 0.0 { Binds::Multiply } else { Binds::Atom }),
            Expr::Day(day) => (day_in(day, self.dialect), Binds::Atom),
            Expr::False => ("1 = 0".to_string(), Binds::Compare),
            Expr::CountRows => ("COUNT(*)".to_string(), Binds::Atom),
            Expr::Aggregate(name, of) => (format!("{name}({})", self.expr(of, Binds::Or)), Binds::Atom),
            Expr::CountDistinct(of) => (format!("COUNT(DISTINCT {})", self.expr(of, Binds::Or)), Binds::Atom),
            Expr::Median(of) => (self.median(&self.expr(of, Binds::Or)), Binds::Atom),
            Expr::Place(by) => (format!("ROW_NUMBER() OVER (ORDER BY {})", self.expr(by, Binds::Or)), Binds::Atom),
            Expr::CountAll => ("COUNT(*) OVER ()".to_string(), Binds::Atom),
            Expr::Filtered(of, condition) => {
                let condition = self.expr(condition, Binds::Or);
                (format!("{} FILTER (WHERE {condition})", self.expr(of, Binds::Atom)), Binds::Atom)
            }
            Expr::Operation(a, operator, b) => self.operation(a, *operator, b),
            Expr::OfDays(function, of) => {
                let text = self.dialect.of_days(*function, &all(of, Binds::Multiply));
                let is_call = text.ends_with(')') && text.starts_with(|c: char| c.is_ascii_uppercase());
                (text, if is_call { Binds::Atom } else { Binds::Add })
            }
            Expr::Compare(a, sign, b) => {
                (format!("{} {sign} {}", self.expr(a, Binds::Add), self.expr(b, Binds::Add)), Binds::Compare)
            }
            Expr::Among(of, list) => {
                (format!("{} IN ({})", self.expr(of, Binds::Add), all(list, Binds::Or).join(", ")), Binds::Compare)
            }
            Expr::In(of, query) => (format!("{} IN ({})", self.expr(of, Binds::Add), self.line(query)), Binds::Compare),
            Expr::Like(of, pattern) => {
                (format!("LOWER({}) LIKE {}", self.expr(of, Binds::Or), text_in(pattern, self.dialect)), Binds::Compare)
            }
            Expr::IsNull(of) => (format!("{} IS NULL", self.expr(of, Binds::Add)), Binds::Compare),
            Expr::IsNotNull(of) => (format!("{} IS NOT NULL", self.expr(of, Binds::Add)), Binds::Compare),
            Expr::Not(of) => (self.negated(of), Binds::Not),
            Expr::NotTrue(of) => (format!("({}) IS NOT TRUE", self.expr(of, Binds::Or)), Binds::Compare),
            Expr::All(list) if list.is_empty() => ("1 = 1".to_string(), Binds::Compare),
            Expr::All(list) => (all(list, Binds::And).join(" AND "), Binds::And),
            Expr::Any(list) => (all(list, Binds::And).join(" OR "), Binds::Or),
            Expr::Or(of, other) => {
                (format!("COALESCE({}, {})", self.expr(of, Binds::Or), number_in(*other)), Binds::Atom)
            }
            Expr::Scalar(query) => (format!("({})", self.line(query)), Binds::Atom),
        }
    }

    fn negated(&self, of: &Expr) -> String {
        let text = self.expr(of, Binds::Or);
        match of {
            Expr::Among(..) | Expr::In(..) => text.replacen(" IN (", " NOT IN (", 1),
            Expr::Like(..) => text.replacen(" LIKE ", " NOT LIKE ", 1),
            _ => format!("NOT ({text})"), // anything else is negated as a whole
        }
    }

    fn operation(&self, a: &Expr, operator: Operator, b: &Expr) -> (String, Binds) {
        let divides = self.dialect.words().divides;
        let (left, right) = (self.expr(a, Binds::Multiply), self.expr(b, Binds::Atom));
        let is_division = matches!(operator, Operator::Divide | Operator::Percent);
        let right = if is_division && b.can_be_zero() { format!("NULLIF({right}, 0)") } else { right };
        match operator {
            Operator::Add => (format!("{} + {}", self.expr(a, Binds::Add), self.expr(b, Binds::Add)), Binds::Add),
            Operator::Subtract => {
                (format!("{} - {}", self.expr(a, Binds::Add), self.expr(b, Binds::Multiply)), Binds::Add)
            }
            Operator::Multiply => (format!("{left} * {right}"), Binds::Multiply),
            Operator::Divide if divides => (format!("{left} / {right}"), Binds::Multiply),
            Operator::Divide => (format!("1.0 * {left} / {right}"), Binds::Multiply),
            Operator::Percent if divides => (format!("100 * {left} / {right}"), Binds::Multiply),
            Operator::Percent => (format!("100.0 * {left} / {right}"), Binds::Multiply),
        }
    }

    fn median(&self, of: &str) -> String {
        match self.dialect {
            Dialect::Postgres => format!("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {of})"),
            Dialect::Sqlite | Dialect::Duckdb | Dialect::Spark => format!("MEDIAN({of})"),
        }
    }
}

/// Name of a table that an inner query speaks of.
fn alias_name(alias: Alias) -> String {
    format!("t{alias}")
}

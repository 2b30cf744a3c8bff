//! Dates: conditions on the dates of a column and arithmetic with them. A column whose dates all name a day is compared as a
//! whole, one of years by the year; of a column with dates of different precision the parts are compared, or the first and the
//! last day that a date may mean.

use super::super::Unsayable;
use super::super::dialect::Function;
use super::super::query::{Alias, Expr, Operator};
use super::super::schema::{Dates, Field, Part, Which, sorted};
use super::conditions::sign;
use super::{Sort, Val, Writer, Written};
use crate::formula::{Arithmetic, Compare};
use crate::graph::ColumnId;
use crate::value::Date;

impl Writer<'_> {
    /// Part of a column's dates.
    pub(super) fn date_part(&mut self, at: Alias, column: ColumnId, part: Part, function: Function) -> Written<Expr> {
        let field = |part| Field::Date(column, Which::Start, part);
        Ok(match self.dates(column, Which::Start)? {
            Dates::Days => Expr::OfDays(function, vec![self.field(at, field(Part::Whole))]),
            Dates::Years | Dates::Mixed | Dates::Ancient => self.field(at, field(part)),
        })
    }

    /// Part of the dates of a column where every date names a day, or a column of its own.
    fn part_of(&mut self, at: Alias, column: ColumnId, which: Which, part: Part) -> Written<Expr> {
        let function = match part {
            Part::Year => Function::Year,
            Part::Month => Function::Month,
            Part::Day | Part::Whole | Part::Weekday | Part::First | Part::Last | Part::Shown => Function::Day,
        };
        Ok(match self.dates(column, which)? {
            Dates::Days => Expr::OfDays(function, vec![self.field(at, Field::Date(column, which, Part::Whole))]),
            Dates::Years | Dates::Mixed | Dates::Ancient => self.field(at, Field::Date(column, which, part)),
        })
    }

    /// Condition that a date has all known parts of another.
    pub(super) fn date_is(&mut self, at: Alias, column: ColumnId, which: Which, date: Date) -> Written<Expr> {
        let dates = self.dates(column, which)?;
        match dates {
            Dates::Days if date.known() == 7 => {
                let own = self.field(at, Field::Date(column, which, Part::Whole));
                return Ok(own.equals(Expr::Day(date.to_string())));
            }
            Dates::Years if date.known() != 4 => return Ok(Expr::False),
            Dates::Days | Dates::Years | Dates::Mixed | Dates::Ancient => {}
        }
        let parts = [
            (Part::Year, date.year()),
            (Part::Month, date.month().map(i32::from)),
            (Part::Day, date.day().map(i32::from)),
        ];
        let mut conditions = Vec::new();
        for (part, wanted) in parts {
            if let Some(wanted) = wanted {
                conditions.push(self.part_of(at, column, which, part)?.equals(Expr::Number(f64::from(wanted))));
            }
        }
        Ok(Expr::all(conditions))
    }

    /// Comparison of a column's dates with a date, as the executor compares them.
    pub(super) fn date_compares(
        &mut self,
        at: Alias,
        column: ColumnId,
        which: Which,
        op: Compare,
        bound: Date,
    ) -> Written<Expr> {
        let dates = self.dates(column, which)?;
        if op == Compare::NotEqual {
            let shown = self.shown(&Val::Date(at, column, which))?;
            let same = self.date_is(at, column, which, bound)?;
            let other = self.not(same);
            return Ok(if self.can_be_null(&shown) { Expr::all(vec![shown.not_null(), other]) } else { other });
        }
        match (dates, bound.year()) {
            (Dates::Days, Some(_)) => {
                let own = self.field(at, Field::Date(column, which, Part::Whole));
                let day = match op {
                    Compare::Less | Compare::AtLeast | Compare::NotEqual => sorted(bound, 1, 1),
                    Compare::Greater | Compare::AtMost => last_day(bound),
                };
                Ok(own.compare(sign(op), Expr::Day(day)))
            }
            (Dates::Years, Some(year)) => {
                let own = self.field(at, Field::Date(column, which, Part::Year));
                Ok(own.compare(year_sign(op, bound), Expr::Number(f64::from(year))))
            }
            (Dates::Mixed | Dates::Ancient, Some(_)) => {
                let (part, day) = match op {
                    Compare::Less | Compare::AtLeast | Compare::NotEqual => (Part::First, sorted(bound, 1, 1)),
                    Compare::Greater | Compare::AtMost => (Part::Last, sorted(bound, 12, 31)),
                };
                let year = self.field(at, Field::Date(column, which, Part::Year));
                let own = self.field(at, Field::Date(column, which, part));
                Ok(Expr::all(vec![year.not_null(), own.compare(sign(op), Expr::Text(day))]))
            }
            (Dates::Years, None) => Ok(Expr::False),
            (Dates::Days | Dates::Mixed | Dates::Ancient, None) => self.in_any_year(at, column, which, op, bound),
        }
    }

    /// Comparison with a date without a year: by month and day alone.
    fn in_any_year(&mut self, at: Alias, column: ColumnId, which: Which, op: Compare, bound: Date) -> Written<Expr> {
        let Some(month) = bound.month() else { return Err(Unsayable::Dates) };
        let fill = if matches!(op, Compare::Less | Compare::AtLeast) { 1 } else { 31 };
        let own_month = self.part_of(at, column, which, Part::Month)?;
        let own_day = self.part_of(at, column, which, Part::Day)?;
        let day = if self.can_be_null(&own_day) { Expr::Or(Box::new(own_day), f64::from(fill)) } else { own_day };
        let own = own_month.operate(Operator::Multiply, Expr::Number(31.0)).operate(Operator::Add, day);
        let bound = 31.0 * f64::from(month) + f64::from(bound.day().unwrap_or(fill));
        Ok(own.compare(sign(op), Expr::Number(bound)))
    }

    /// Time between two dates.
    pub(super) fn date_arithmetic(&mut self, op: Arithmetic, a: &Val, b: &Val) -> Written<Val> {
        let (left, right) = (self.sort(a)?, self.sort(b)?);
        let (first, second) = (self.shown(a)?, self.shown(b)?);
        let year = |expr: Expr, sort: Sort| match sort {
            Sort::Day => Expr::OfDays(Function::Year, vec![expr]),
            Sort::Year | Sort::Number | Sort::Text | Sort::Shown => expr,
        };
        let between = match (op, left, right) {
            (Arithmetic::Sub, Sort::Year, Sort::Year | Sort::Day) | (Arithmetic::Sub, Sort::Day, Sort::Year) => {
                year(first, left).operate(Operator::Subtract, year(second, right))
            }
            (Arithmetic::Sub, Sort::Day, Sort::Day) => years_between(&first, &second),
            (Arithmetic::Days, Sort::Day, Sort::Day) => Expr::OfDays(Function::DaysBetween, vec![first, second]),
            _ if left == Sort::Text || right == Sort::Text => return Err(Unsayable::Types),
            _ => return Err(Unsayable::Dates),
        };
        Ok(Val::Plain(between, Sort::Number))
    }
}

/// Years between two days, as the executor counts them: a month is a twelfth of a year, a day a 31st of a month.
fn years_between(first: &Expr, second: &Expr) -> Expr {
    let part = |function, scale: f64| {
        let of = |day: &Expr| Expr::OfDays(function, vec![day.clone()]);
        let apart = of(first).operate(Operator::Subtract, of(second));
        if scale == 1.0 { apart } else { apart.operate(Operator::Divide, Expr::Number(scale)) }
    };
    let months = part(Function::Month, 12.0);
    let days = part(Function::Day, 372.0);
    part(Function::Year, 1.0).operate(Operator::Add, months).operate(Operator::Add, days)
}

/// Comparison of a year with the year of a date: a year begins with January and ends with December.
fn year_sign(op: Compare, bound: Date) -> &'static str {
    let begins = sorted(bound, 1, 1).ends_with("-01-01");
    let ends = sorted(bound, 12, 31).ends_with("-12-31");
    match op {
        Compare::Less if begins => "<",
        Compare::Less => "<=",
        Compare::AtLeast if begins => ">=",
        Compare::AtLeast => ">",
        Compare::Greater if ends => ">",
        Compare::Greater => ">=",
        Compare::AtMost if ends => "<=",
        Compare::AtMost => "<",
        Compare::NotEqual => "<>",
    }
}

/// Last day of the calendar that a date with a year may mean.
fn last_day(date: Date) -> String {
    let month = date.month().unwrap_or(12);
    let of_calendar = |day: &u8| Date::new(date.year(), Some(month), Some(*day)).is_some();
    let day = date.day().or_else(|| (28..=31).rev().find(of_calendar)).unwrap_or(28);
    format!("{:04}-{month:02}-{day:02}", date.year().unwrap_or(0))
}

//! [`Form`]: the sign that a number of a workbook is shown with. Numbers are kept as stored, not as rounded for showing, but a
//! share stays a percentage and an amount of money keeps its currency, in XLSX and ODS alike.

use calamine::Style;

/// Way to write a number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    Plain,
    Percent,
    /// With the sign of a currency before it.
    Money(String),
}

/// Signs of currencies.
const SIGNS: [char; 8] = ['$', '€', '£', '¥', '₹', '₩', '₽', '₺'];

impl Form {
    /// Form of the numbers of a style.
    pub(super) fn of(style: &Style) -> Form {
        style.number_format.as_ref().map_or(Form::Plain, |format| Form::of_code(&format.format_code))
    }

    /// Form of a format code, such as `0.0%` or `[$€-407] #,##0.00`.
    fn of_code(code: &str) -> Form {
        let first = code.split(';').next().unwrap_or("");
        if first.contains('%') && !first.contains('"') {
            return Form::Percent;
        }
        // A code in brackets names a currency and a language; other brackets are colours and conditions.
        let named = first.split_once("[$").and_then(|(_, rest)| rest.split(['-', ']']).next());
        Form::of_sign(named.unwrap_or(first))
    }

    /// Form with the first sign of a currency in a text.
    pub(super) fn of_sign(text: &str) -> Form {
        let sign = text.chars().find(|c| SIGNS.contains(c));
        sign.map_or(Form::Plain, |sign| Form::Money(sign.to_string()))
    }

    /// Writes a number.
    pub(super) fn write(&self, number: f64) -> String {
        match self {
            Form::Plain => number.to_string(),
            Form::Percent => format!("{}%", times_hundred(number)),
            Form::Money(sign) if number < 0.0 => format!("-{sign}{}", -number),
            Form::Money(sign) => format!("{sign}{number}"),
        }
    }
}

/// Returns a number times 100, with its digits as written: 0.07 becomes 7 and not 7.000000000000001.
fn times_hundred(number: f64) -> f64 {
    let written = format!("{number:e}");
    let moved = written.split_once('e').and_then(|(digits, power)| {
        let power: i32 = power.parse().ok()?;
        format!("{digits}e{}", power + 2).parse().ok()
    });
    moved.unwrap_or(number * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_sign_they_are_shown_with() {
        for (code, number, text) in [
            ("General", 0.07, "0.07"),
            ("0%", 0.07, "7%"),
            ("0.00%;[Red]-0.00%", 0.0866, "8.66%"),
            ("\"$\"#,##0.00", 1234.5, "$1234.5"),
            ("[$€-407] #,##0.00", -3.0, "-€3"),
            ("_($* #,##0_)", 5.0, "$5"),
            ("[Red]0.0", 5.0, "5"),
            ("0\" %\"", 5.0, "5"),
        ] {
            assert_eq!(Form::of_code(code).write(number), text, "{code}");
        }
    }
}

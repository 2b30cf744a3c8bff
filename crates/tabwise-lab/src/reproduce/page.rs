//! The result of an experiment: a table with the figures of the paper, ours and the difference, and the command that
//! reproduces it, as Markdown and as JSON.

use super::runs::Amount;
use anyhow::Result;
use serde_json::{Map, Value, json};

/// Result of an experiment.
pub(super) struct Page {
    /// Heading.
    pub title: String,
    /// Paragraph below the heading.
    pub about: String,
    /// Names of the columns.
    pub columns: Vec<&'static str>,
    /// Cells of the table.
    pub rows: Vec<Vec<Value>>,
    /// Remarks below the table.
    pub notes: Vec<String>,
    /// A plot as SVG.
    pub plot: Option<String>,
    /// Time that the runs took.
    pub seconds: f64,
    /// Command that makes the page again.
    pub command: String,
    /// Version of the program.
    pub commit: String,
    /// Amount of data.
    pub amount: Amount,
}

impl Page {
    pub(super) fn new(title: &str, about: &str, columns: &[&'static str]) -> Page {
        Page {
            title: title.to_string(),
            about: about.to_string(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            notes: Vec::new(),
            plot: None,
            seconds: 0.0,
            command: String::new(),
            commit: String::new(),
            amount: Amount::All,
        }
    }

    /// The result as Markdown. `name` is that of the plot's file.
    pub(super) fn markdown(&self, name: &str) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("# {}\n\n{}\n\n", self.title, self.about);
        text += &self.warning().map(|warning| format!("{warning}\n\n")).unwrap_or_default();
        text += &line(self.columns.iter().map(|column| column.to_string()).collect());
        text += &line(self.columns.iter().map(|_| "---".to_string()).collect());
        self.rows.iter().for_each(|row| text += &line(row.iter().map(shown).collect()));
        text += "\n";
        if self.plot.is_some() {
            text += &format!("![{}]({name}.svg)\n\n", self.title);
        }
        self.notes.iter().for_each(|note| text += &format!("- {note}\n"));
        text += &format!("- Command: `{}`\n- Commit: {}\n- Seconds: {:.0}\n", self.command, self.commit, self.seconds);
        text
    }

    /// The result as JSON.
    pub(super) fn json(&self) -> Result<Vec<u8>> {
        let keyed = |row: &Vec<Value>| -> Map<String, Value> {
            self.columns.iter().map(|column| column.to_string()).zip(row.iter().cloned()).collect()
        };
        let all = json!({
            "title": self.title,
            "about": self.about,
            "warning": self.warning(),
            "rows": self.rows.iter().map(keyed).collect::<Vec<_>>(),
            "notes": self.notes,
            "command": self.command,
            "commit": self.commit,
            "seconds": self.seconds,
        });
        Ok([serde_json::to_vec_pretty(&all)?.as_slice(), b"\n"].concat())
    }

    fn warning(&self) -> Option<&'static str> {
        (self.amount == Amount::Sample)
            .then_some("**A small sample, trained in one pass: these figures measure nothing.**")
    }
}

/// A cell in Markdown: figures with one decimal, nothing for null.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.replace('|', "\\|"),
        Value::Number(n) if n.is_f64() => format!("{:.1}", n.as_f64().unwrap_or(0.0)),
        other => other.to_string(),
    }
}

/// Our figure minus that of the paper; null if the paper has none.
pub(super) fn difference(paper: Option<f64>, ours: f64) -> Value {
    paper.map_or(Value::Null, |paper| json!(ours - paper))
}

//! Speech: the ways in which people speak of a column without saying its header. "How old is", "oldest" and "years of
//! age" all mean a column *age*. A question that says the header teaches a model only that words are repeated.

use serde::Deserialize;

/// Ways to speak of a column.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Speech {
    /// Noun phrases.
    #[serde(default)]
    pub said: Vec<String>,
    /// Superlatives of a row with a high value: "oldest".
    #[serde(default)]
    pub most: Vec<String>,
    /// Superlatives of a row with a low value: "youngest".
    #[serde(default)]
    pub least: Vec<String>,
    /// Comparatives: "older".
    #[serde(default)]
    pub more: Vec<String>,
    /// The opposite ones: "younger".
    #[serde(default)]
    pub less: Vec<String>,
    /// Questions for the value, which the name of a row follows: "how old is".
    #[serde(default)]
    pub ask: Vec<String>,
    /// What a row does with what the column counts: "score".
    #[serde(default, rename = "do")]
    pub base: Vec<String>,
    /// The same, past: "scored".
    #[serde(default, rename = "did")]
    pub past: Vec<String>,
    /// Things that are counted, for "how many" and "the most".
    #[serde(default)]
    pub many: Vec<String>,
    /// What happened at a date: "built".
    #[serde(default)]
    pub happened: Vec<String>,
}

/// Speech of the columns with some headers.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SpokenHeaders {
    /// The headers, in lower case.
    pub headers: Vec<String>,
    /// Speech of all of them.
    #[serde(flatten)]
    pub speech: Speech,
}

#[derive(Deserialize)]
struct SpokenFile {
    spoken: Vec<SpokenHeaders>,
}

/// Reads a file of spoken headers.
pub(super) fn read_spoken(text: &str) -> Result<Vec<SpokenHeaders>, toml::de::Error> {
    toml::from_str(text).map(|file: SpokenFile| file.spoken)
}

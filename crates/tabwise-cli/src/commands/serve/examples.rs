//! The tables that come with the server, for people who want to try it first.

use serde::Serialize;

/// An example: a table and questions that it can answer.
#[derive(Serialize)]
pub struct Example {
    /// The id of its table.
    pub id: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub questions: &'static [&'static str],
    #[serde(skip)]
    pub csv: &'static str,
}

/// All of them, the best first.
pub const EXAMPLES: &[Example] = &[
    Example {
        id: "olympics",
        title: "Summer Olympics",
        about: "Where and when the games were held",
        questions: &[
            "Greece held its last Summer Olympics in which year?",
            "which city hosted the games after Paris in 1924?",
            "how many times did the United States host?",
            "which games had the most nations?",
        ],
        csv: include_str!("../../../web/examples/olympics.csv"),
    },
    Example {
        id: "mountains",
        title: "Eight-thousanders",
        about: "The highest mountains on Earth and who climbed them first",
        questions: &[
            "which mountain is the highest?",
            "how many mountains were first climbed in 1956?",
            "what is the height of Lhotse?",
            "which was climbed last, Makalu or Cho Oyu?",
        ],
        csv: include_str!("../../../web/examples/mountains.csv"),
    },
    Example {
        id: "planets",
        title: "Planets",
        about: "The eight planets, their size, distance and moons (as known in 2023)",
        questions: &[
            "which planet has the most moons?",
            "how many planets have rings?",
            "what planet comes after Mars?",
            "what is the difference in moons between Jupiter and Mars?",
        ],
        csv: include_str!("../../../web/examples/planets.csv"),
    },
    Example {
        id: "elements",
        title: "Noble gases and friends",
        about: "Some chemical elements and their discovery",
        questions: &[
            "who discovered argon?",
            "which element was discovered first?",
            "how many of these are gases?",
            "which element has the lowest boiling point?",
        ],
        csv: include_str!("../../../web/examples/elements.csv"),
    },
];

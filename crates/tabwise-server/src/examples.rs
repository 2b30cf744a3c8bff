//! Example tables that come with the server, each with questions to try. They have fixed ids and are never dropped from
//! the store.

use serde::Serialize;
use utoipa::ToSchema;

/// An example table with questions that it can answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct Example {
    /// Id of the table.
    pub id: &'static str,
    pub title: &'static str,
    /// What the table is about.
    pub about: &'static str,
    /// Questions to try.
    pub questions: &'static [&'static str],
    #[serde(skip)]
    pub csv: &'static str,
}

/// All examples, in the order in which the page lists them.
pub(crate) const EXAMPLES: &[Example] = &[
    Example {
        id: "olympics",
        title: "Summer Olympics",
        about: "Where and when the games were held",
        questions: &[
            "Greece held its last Summer Olympics in which year?",
            "which city hosted the games after Paris in 1924?",
            "how many times did the USA host?",
            "how many more nations took part in 2012 than in 1896?",
        ],
        csv: include_str!("../web/examples/olympics.csv"),
    },
    Example {
        id: "mountains",
        title: "Eight-thousanders",
        about: "The highest mountains on Earth and who climbed them first",
        questions: &[
            "what is the difference in height between K2 and Lhotse?",
            "which mountain has the greatest height?",
            "how many mountains were first climbed in 1956?",
            "who first climbed Nanga Parbat?",
        ],
        csv: include_str!("../web/examples/mountains.csv"),
    },
    Example {
        id: "planets",
        title: "Planets",
        about: "The eight planets, their size, distance and moons (as known in 2023)",
        questions: &[
            "which planet has the most moons?",
            "how many planets have more than 20 moons?",
            "what planet comes after Mars?",
            "what is the difference in moons between Jupiter and Mars?",
        ],
        csv: include_str!("../web/examples/planets.csv"),
    },
    Example {
        id: "elements",
        title: "Chemical elements",
        about: "Some elements and their discovery",
        questions: &[
            "how many elements did William Ramsay discover?",
            "which element has the lowest boiling point?",
            "how many elements were discovered before 1800?",
            "argon was discovered by whom?",
        ],
        csv: include_str!("../web/examples/elements.csv"),
    },
];

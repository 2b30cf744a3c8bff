//! Asking: a table made ready for questions, and the knowledge, the model and the settings that answer them.

use super::reread::reread;
use super::tell::Teller;
use super::{Answer, Error, Knowledge, Wanted};
use crate::features::{Scene, Weights};
use crate::grammar::Grammar;
use crate::graph::{Cells, Graph};
use crate::model::Model;
use crate::question::{Question, Vocabulary};
use crate::rank::reader::Reader;
use crate::rank::{Ranking, rank};
use crate::search::search;
use crate::settings::Settings;
use crate::table::Table;

/// A table made ready for questions: the work that is the same for each of them is done once.
pub struct PreparedTable {
    /// Graph of the table.
    pub graph: Graph,
    /// Table-side strings.
    pub vocabulary: Vocabulary,
    /// Notes on how the table and its cells were read, one sentence each.
    pub notes: Vec<String>,
}

impl PreparedTable {
    /// Makes a table ready for questions, with its cells read in this way.
    pub fn new(table: &Table, knowledge: &Knowledge, cells: Cells) -> PreparedTable {
        let graph = Graph::with_cells(table, &knowledge.words, cells);
        let vocabulary = Vocabulary::new(&graph, &knowledge.annotator, &knowledge.words);
        let notes = table.notes().iter().chain(graph.notes()).cloned().collect();
        PreparedTable { graph, vocabulary, notes }
    }

    /// Annotates a question about this table.
    pub fn question(&self, text: &str, knowledge: &Knowledge, settings: &Settings) -> Question {
        let (graph, vocabulary) = (&self.graph, &self.vocabulary);
        Question::new(text, graph, vocabulary, &knowledge.annotator, &knowledge.words, settings.linking)
    }

    /// Searches and ranks the candidates for a question. Answering, training and evaluating all come here, so all of them
    /// narrow the beam for long tables.
    pub fn rank<'a>(
        &'a self,
        question: &'a Question,
        grammar: &Grammar,
        settings: &Settings,
        weights: &impl Weights,
    ) -> Ranking<'a> {
        let scene = Scene { graph: &self.graph, vocabulary: &self.vocabulary, question };
        let settings = settings.for_rows(self.graph.row_count());
        rank(search(scene, grammar, &settings, weights), grammar, weights)
    }
}

impl PreparedTable {
    /// Ranks the candidates for an answer: as [`PreparedTable::rank`] does, then by how they heed the question, then by what
    /// the reader says. Answering and evaluating both come here.
    pub fn rank_answers<'a>(
        &'a self,
        question: &'a Question,
        knowledge: &Knowledge,
        settings: &Settings,
        weights: &impl Weights,
    ) -> Ranking<'a> {
        let ranking = self.rank(question, &knowledge.grammar, settings, weights).heeding(&settings.heed);
        match &knowledge.reader {
            Some(reader) if settings.reader => reread(ranking, reader, &knowledge.phrases, settings),
            _ => ranking,
        }
    }
}

/// Everything that answering needs besides a table and a question: knowledge, a model, and the settings of the search.
pub struct Asker {
    knowledge: Knowledge,
    model: Model,
    settings: Settings,
}

impl Asker {
    /// The knowledge, the model and the reader that are part of the program.
    pub fn embedded() -> Asker {
        let knowledge = Knowledge::embedded().with_reader(Reader::embedded());
        Asker::new(knowledge, Model::embedded()).expect("the embedded model is tested")
    }

    /// Answers with this knowledge and this model, by the settings that the model was trained with. The rules must have
    /// every group that the settings name.
    pub fn new(knowledge: Knowledge, model: Model) -> Result<Asker, Error> {
        let settings = model.settings.clone();
        Asker::with_settings(knowledge, model, settings)
    }

    /// Answers with this knowledge and this model, by other settings.
    pub fn with_settings(knowledge: Knowledge, model: Model, settings: Settings) -> Result<Asker, Error> {
        settings.check(&knowledge.grammar)?;
        Ok(Asker { knowledge, model, settings })
    }

    /// The knowledge in use.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// The model in use.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The settings in use.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Tells if the model was trained with this very knowledge. With other rules or words it still answers, but ranks
    /// formulas that it has not seen.
    pub fn is_trained_for_knowledge(&self) -> bool {
        self.model.knowledge == self.knowledge.fingerprint()
    }

    /// Makes a table ready for questions.
    pub fn prepare(&self, table: &Table) -> PreparedTable {
        PreparedTable::new(table, &self.knowledge, self.settings.cells)
    }

    /// Annotates a question about a table.
    pub fn question(&self, table: &PreparedTable, text: &str) -> Question {
        table.question(text, &self.knowledge, &self.settings)
    }

    /// Searches and ranks the candidates for a question.
    pub fn rank<'a>(&self, table: &'a PreparedTable, question: &'a Question) -> Ranking<'a> {
        table.rank_answers(question, &self.knowledge, &self.settings, &self.model)
    }

    /// Answers a question about a table. A question without a word is not answered.
    pub fn ask(&self, table: &PreparedTable, question: &str, wanted: &Wanted) -> Answer {
        let question = self.question(table, question);
        let answer = match question.text.contains(char::is_alphanumeric) {
            true => Teller::new(self, wanted, self.rank(table, &question)).tell(),
            false => Answer::none(&question.text, &self.knowledge.phrases.hints().no_question),
        };
        Answer { notes: table.notes.clone(), ..answer }
    }
}

/// Answers one question about a table with the model that is part of the program. Making an [`Asker`] and a
/// [`PreparedTable`] costs more than a question: for several questions, make them once.
pub fn ask(table: &Table, question: &str) -> Answer {
    let asker = Asker::embedded();
    asker.ask(&asker.prepare(table), question, &Wanted::default())
}

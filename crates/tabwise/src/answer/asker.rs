//! Asking: a table made ready for questions, and the knowledge, the model and the settings that answer them.

use super::reread::reread;
use super::tell::Teller;
use super::{Answer, Correction, Corrections, Error, Identity, Knowledge, Rows, Wanted};
use crate::execute::TextFilter;
use crate::features::{Scene, Weights};
use crate::grammar::Grammar;
use crate::graph::{Cells, Graph};
use crate::meter::{Budget, Exceeded, Meter};
use crate::model::{Model, Taught};
use crate::profile::Profile;
use crate::question::{Question, TextLink, Vocabulary};
use crate::rank::reader::Reader;
use crate::rank::{Ranking, rank};
use crate::search::search;
use crate::settings::{Candidates, Settings};
use crate::sql::Known;
use crate::table::Table;
use crate::value::{EntityId, Value};

/// A table made ready for questions: the work that is the same for each of them is done once.
pub struct PreparedTable {
    /// Graph of the table.
    pub graph: Graph,
    /// Table-side strings.
    pub vocabulary: Vocabulary,
    /// What samples of a big table are taken by.
    pub profile: Option<Profile>,
    /// Notes on how the table and its cells were read, one sentence each.
    pub notes: Vec<String>,
    /// Name of the table in SQL.
    pub name: String,
    /// What SQL found out about the columns.
    pub known: Known,
}

/// Name of a table that has none, in SQL.
const UNNAMED: &str = "data";

impl PreparedTable {
    /// Makes a table ready for questions, with its cells read in this way.
    pub fn new(table: &Table, knowledge: &Knowledge, cells: Cells) -> PreparedTable {
        let made = PreparedTable::within(table, knowledge, cells, Budget::UNLIMITED);
        made.expect("without a limit nothing is exceeded")
    }

    /// Makes a table ready for questions within a budget. What is left of it is for each of their answers.
    pub fn within(
        table: &Table,
        knowledge: &Knowledge,
        cells: Cells,
        budget: Budget,
    ) -> Result<PreparedTable, Exceeded> {
        let meter = Meter::new(budget);
        meter.take(table.memory())?;
        let mut graph = Graph::within(table, &knowledge.words, cells, &meter)?;
        graph.take_room(Vocabulary::memory(&graph), &meter)?;
        let vocabulary = Vocabulary::new(&graph, &knowledge.annotator, &knowledge.words).named(table.title());
        let notes = table.notes().iter().chain(graph.notes()).cloned().collect();
        let profile = Profile::of(&graph);
        Ok(PreparedTable { graph, vocabulary, profile, notes, name: UNNAMED.to_string(), known: Known::default() })
    }

    /// Fingerprints by which corrections know the table again. They are made from all cells each time.
    pub fn identity(&self) -> Identity {
        Identity::of(&self.graph)
    }

    /// The table with a name: that of its file, without the extension. SQL has it, and a question may call the rows so.
    pub fn named(self, file: Option<&str>) -> PreparedTable {
        let stem = file.map(|name| name.split('.').next().unwrap_or(name)).filter(|stem| !stem.is_empty());
        let vocabulary = self.vocabulary.named(stem.unwrap_or_default());
        PreparedTable { name: stem.unwrap_or(UNNAMED).to_string(), vocabulary, ..self }
    }

    /// Annotates a question about this table.
    pub fn question(&self, text: &str, knowledge: &Knowledge, settings: &Settings) -> Question {
        let (graph, vocabulary) = (&self.graph, &self.vocabulary);
        Question::new(text, graph, vocabulary, &knowledge.annotator, &knowledge.words, settings.linking)
    }

    /// The question with a sample of the rows, if the table is big. Candidates are then found by these rows alone.
    pub fn sampled(&self, question: Question) -> Question {
        let texts = question.texts.iter().map(|link| self.texts(link).map(Value::Entity).collect());
        let named = || question.named().into_iter().chain(texts).collect::<Vec<_>>();
        let sample = |profile: &Profile| profile.sample(&self.graph, &named());
        Question { sample: self.profile.as_ref().map(sample), ..question }
    }

    /// Some texts that a test of texts is about.
    fn texts(&self, link: &TextLink) -> impl Iterator<Item = EntityId> {
        const SOME: usize = 50;
        let filter = TextFilter::new(link.test, &link.text);
        let cells = self.graph.column(link.column).cells.iter().copied();
        cells.filter(move |entity| filter.passes(self.graph.name(*entity))).take(SOME)
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
        let graph = question.sample.as_ref().unwrap_or(&self.graph);
        let scene = Scene { graph, vocabulary: &self.vocabulary, question };
        let settings = settings.for_rows(graph.row_count());
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
            Some(reader) if settings.reader => reread(ranking, reader, &knowledge.phrases, settings, weights),
            _ => ranking,
        }
    }
}

/// Everything that answering needs besides a table and a question: knowledge, a model, and the settings of the search.
pub struct Asker {
    knowledge: Knowledge,
    model: Model,
    settings: Settings,
    corrections: Corrections,
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
        Ok(Asker { knowledge, model, settings, corrections: Corrections::default() })
    }

    /// The same, with corrections in force.
    pub fn with_corrections(self, corrections: Corrections) -> Asker {
        Asker { corrections, ..self }
    }

    /// Puts a correction in force, in the place of an earlier one of the same question.
    pub fn teach(&mut self, correction: Correction) {
        self.corrections.add(correction);
    }

    /// Takes a correction back, by its name.
    pub fn forget(&mut self, id: &str) -> Option<Correction> {
        self.corrections.remove(id)
    }

    /// Puts these corrections in force and no others.
    pub fn learn(&mut self, corrections: Corrections) {
        self.corrections = corrections;
    }

    /// The corrections in force.
    pub fn corrections(&self) -> &Corrections {
        &self.corrections
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

    /// Makes a table ready for questions within a budget of memory. What is left of it is for each of their answers:
    /// [`Asker::try_ask`] returns an error if that is not enough.
    ///
    /// ```
    /// use tabwise::{Asker, Budget, Table};
    ///
    /// let table = Table::from_csv("City,Year\nAthens,1896\nParis,1900\n")?;
    /// let asker = Asker::embedded();
    /// assert!(asker.prepare_within(&table, Budget { memory: 100, steps: 0 }).is_err());
    /// # Ok::<(), tabwise::Error>(())
    /// ```
    pub fn prepare_within(&self, table: &Table, budget: Budget) -> Result<PreparedTable, Exceeded> {
        PreparedTable::within(table, &self.knowledge, self.settings.cells, budget)
    }

    /// Annotates a question about a table.
    pub fn question(&self, table: &PreparedTable, text: &str) -> Question {
        table.question(text, &self.knowledge, &self.settings)
    }

    /// Searches and ranks the candidates for a question.
    pub fn rank<'a>(&self, table: &'a PreparedTable, question: &'a Question) -> Ranking<'a> {
        let weights = Taught { model: &self.model, overlay: self.corrections.overlay() };
        table.rank_answers(question, &self.knowledge, &self.settings, &weights)
    }

    /// Annotates a question about a table, with a sample of its rows if it is big.
    pub(crate) fn sampled_question(&self, table: &PreparedTable, text: &str, rows: Rows) -> Question {
        match (rows, self.settings.candidates) {
            (Rows::Sample, Candidates::Formulas) => table.sampled(self.question(table, text)),
            // A cell is an answer by itself, and may be in any row.
            (Rows::All, _) | (_, Candidates::Cells) => self.question(table, text),
        }
    }

    /// Answers a question about a table. A question without a word is not answered, and neither is one that needs more
    /// memory than the table was prepared with.
    pub fn ask(&self, table: &PreparedTable, question: &str, wanted: &Wanted) -> Answer {
        self.try_ask(table, question, wanted).unwrap_or_else(|exceeded| Answer::none(question, &exceeded.to_string()))
    }

    /// Answers a question about a table, as [`Asker::ask`] does, or returns an error if that needs more memory than the
    /// table was prepared with.
    pub fn try_ask(&self, table: &PreparedTable, question: &str, wanted: &Wanted) -> Result<Answer, Exceeded> {
        let question = self.sampled_question(table, question, wanted.rows);
        let answer = match question.text.contains(char::is_alphanumeric) {
            true => Teller::new(self, wanted, table, self.rank(table, &question)).tell()?,
            false => Answer::none(&question.text, &self.knowledge.phrases.hints().no_question),
        };
        Ok(Answer { notes: table.notes.iter().cloned().chain(answer.notes).collect(), ..answer })
    }
}

/// Answers one question about a table with the model that is part of the program. Making an [`Asker`] and a
/// [`PreparedTable`] costs more than a question: for several questions, make them once.
pub fn ask(table: &Table, question: &str) -> Answer {
    let asker = Asker::embedded();
    asker.ask(&asker.prepare(table), question, &Wanted::default())
}

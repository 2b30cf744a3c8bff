//! Cost of a question, from the bytes of its table to the ranked candidates, on one thread. With `--data`, the questions of
//! `--split` are asked (by default `training-before300`), otherwise a few of ours about the example tables. Times are those
//! of the processor where the system tells, memory is the peak of the process. `support` has the arguments.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use support::{Args, Clock, peak};
use tabwise::answer::reading::texts;
use tabwise::evaluate::records_from_tsv;
use tabwise::features::Scene;
use tabwise::graph::Graph;
use tabwise::question::Vocabulary;
use tabwise::rank::reader::Reader;
use tabwise::rank::{Pool, Ranking, pools, rank};
use tabwise::search::search;
use tabwise::table::{ReadSettings, read};
use tabwise::{Knowledge, Model, PreparedTable};

/// Questions about the example tables.
const ASKED: [(&str, &str); 6] = [
    ("olympics.csv", "which city hosted the games after Athens?"),
    ("olympics.csv", "how many more nations took part in 1900 than in 1896?"),
    ("matches.csv", "which opponent drew the largest attendance?"),
    ("matches.csv", "how many matches were played away?"),
    ("lakes.md", "which lake is the deepest?"),
    ("lakes.md", "what is the total area of the lakes?"),
];
/// How often each of them is asked.
const ROUNDS: usize = 50;

/// A question with the path of its table.
type Asked = (String, String);

fn main() {
    let args = Args::read();
    let split = args.split.as_deref().unwrap_or("training-before300");
    let model = match args.model {
        Some(path) => Model::read(&fs::read(path).expect("the model can be read")).expect("it is a model"),
        None => Model::embedded(),
    };
    let asked = args.data.map_or_else(shipped, |data| from_split(&data, split));
    let reader = args.reader.map(|path| fs::read(path).expect("the reader can be read"));
    let reader = match reader {
        Some(bytes) => Some(Reader::read(&bytes).expect("it is a reader")),
        None => Reader::embedded(),
    };
    measure(&asked, &model, reader.as_ref());
}

fn shipped() -> Vec<Asked> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let all = ASKED.map(|(table, question)| (format!("{folder}/{table}"), question.to_owned()));
    std::iter::repeat_n(all, ROUNDS).flatten().collect()
}

fn from_split(folder: &Path, split: &str) -> Vec<Asked> {
    let path = folder.join("data").join(split).with_extension("tsv");
    let records = records_from_tsv(&fs::read_to_string(path).expect("the split can be read"));
    let records = records.expect("the split is a file of examples").into_iter();
    records.map(|record| (folder.join(record.context).display().to_string(), record.utterance)).collect()
}

/// Stages of a question.
const STAGES: [&str; 8] =
    ["read the table", "make the graph", "its words", "annotate", "search", "rank", "say candidates", "read them"];

/// Asks every question, each table being read once, and prints what each stage took.
fn measure(asked: &[Asked], model: &Model, reader: Option<&Reader>) {
    let (knowledge, mut watch) = (Knowledge::embedded(), Watch::new());
    let mut tables: BTreeMap<&str, PreparedTable> = BTreeMap::new();
    let (mut attempts, mut candidates) = (0, 0);
    for (path, text) in asked {
        watch.start();
        let table = tables.entry(path).or_insert_with(|| prepared(path, &knowledge, &mut watch));
        let question = table.question(text, &knowledge, &model.settings);
        watch.end(3);
        let scene = Scene { graph: &table.graph, vocabulary: &table.vocabulary, question: &question };
        let found = search(scene, &knowledge.grammar, &model.settings, model);
        watch.end(4);
        let ranking = rank(found, &knowledge.grammar, model);
        attempts += ranking.report.attempts;
        candidates += ranking.candidates.len();
        if let Some(reader) = reader {
            let ranking = ranking.heeding(&model.settings.heed);
            watch.end(5);
            reread(ranking, text, model, reader, &knowledge, &mut watch);
        } else {
            drop(ranking);
            watch.end(5);
        }
    }
    let count = asked.len().max(1);
    println!("{} questions about {} tables, beam {}", asked.len(), tables.len(), model.settings.beam);
    println!("{} ways tried and {} candidates a question", attempts / count, candidates / count);
    for (stage, took) in STAGES.iter().zip(watch.took) {
        println!("{stage:<16} {:>9.0} ns of CPU a question", 1e9 * took.as_secs_f64() / count as f64);
    }
    let all = 1e3 * watch.took.iter().sum::<Duration>().as_secs_f64() / count as f64;
    println!(
        "all              {all:>9.3} ms of CPU a question, {:.0} questions a second, peak {} MB",
        1e3 / all,
        peak()
    );
}

/// Reads the best candidate of each of the first answers, as the library does for an answer.
fn reread(
    mut ranking: Ranking,
    question: &str,
    model: &Model,
    reader: &Reader,
    knowledge: &Knowledge,
    watch: &mut Watch,
) {
    let pools = pools(&ranking.candidates, ranking.executor.graph());
    let read: Vec<usize> = pools.iter().take(model.settings.read).map(Pool::best).collect();
    let texts = texts(&mut ranking, &pools, model.settings.read, &knowledge.phrases);
    watch.end(6);
    let scores = reader.scores(question, &texts);
    drop(ranking.reading(&read, &scores, reader.linear_weight()));
    watch.end(7);
}

fn prepared(path: &str, knowledge: &Knowledge, watch: &mut Watch) -> PreparedTable {
    let bytes = fs::read(path).expect("the table can be read");
    let table = read(&bytes, Some(path), &ReadSettings::default()).expect("it is a table");
    watch.end(0);
    let graph = Graph::new(&table, &knowledge.words);
    watch.end(1);
    let vocabulary = Vocabulary::new(&graph, &knowledge.annotator, &knowledge.words);
    watch.end(2);
    PreparedTable {
        graph,
        vocabulary,
        profile: None,
        notes: Vec::new(),
        name: "data".into(),
        known: Default::default(),
    }
}

/// How long each stage took, all questions together.
struct Watch {
    clock: Clock,
    since: Duration,
    took: [Duration; STAGES.len()],
}

impl Watch {
    fn new() -> Watch {
        Watch { clock: Clock::new(), since: Duration::ZERO, took: [Duration::ZERO; STAGES.len()] }
    }

    fn start(&mut self) {
        self.since = self.clock.now();
    }

    /// Ends a stage; the next begins.
    fn end(&mut self, stage: usize) {
        let now = self.clock.now();
        self.took[stage] += now - self.since;
        self.since = now;
    }
}

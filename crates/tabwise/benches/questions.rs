//! What a question costs, from the bytes of its table to the ranked candidates, on one thread:
//! `cargo bench --bench questions -- [DIR [SPLIT [MODEL]]]`. DIR is the folder of the dataset, SPLIT a file of DIR/data
//! without its ending, MODEL a file of weights; without DIR, the example tables are asked a few questions of ours.
//! Times are those of the processor where the system tells, memory is the most that the process held.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tabwise::answer::{Knowledge, PreparedTable};
use tabwise::evaluate::examples_from_tsv;
use tabwise::graph::Graph;
use tabwise::model::Model;
use tabwise::question::Vocabulary;
use tabwise::table::{ReadSettings, read};

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
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let folder = arguments.next();
    let split = arguments.next().unwrap_or_else(|| "training-before300".to_owned());
    let model = match arguments.next() {
        Some(path) => Model::read(&fs::read(path).expect("the model can be read")).expect("it is a model"),
        None => Model::embedded(),
    };
    let asked = folder.map_or_else(shipped, |folder| from_split(Path::new(&folder), &split));
    measure(&asked, &model);
}

fn shipped() -> Vec<Asked> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let all = ASKED.map(|(table, question)| (format!("{folder}/{table}"), question.to_owned()));
    std::iter::repeat_n(all, ROUNDS).flatten().collect()
}

fn from_split(folder: &Path, split: &str) -> Vec<Asked> {
    let path = folder.join("data").join(split).with_extension("tsv");
    let examples = examples_from_tsv(&fs::read_to_string(path).expect("the split can be read"));
    let examples = examples.expect("the split is a file of examples").into_iter();
    examples.map(|example| (folder.join(example.context).display().to_string(), example.utterance)).collect()
}

/// What a question goes through.
const STAGES: [&str; 5] = ["read the table", "make the graph", "its words", "annotate", "parse"];

/// Asks every question, each table being read once, and prints what each stage took.
fn measure(asked: &[Asked], model: &Model) {
    let (knowledge, mut watch) = (Knowledge::embedded(), Watch::new());
    let mut tables: BTreeMap<&str, PreparedTable> = BTreeMap::new();
    let (mut attempts, mut candidates) = (0, 0);
    for (path, text) in asked {
        watch.start();
        let table = tables.entry(path).or_insert_with(|| prepared(path, &knowledge, &mut watch));
        let question = table.question(text, &knowledge, model);
        watch.end(3);
        let parse = table.candidates(&question, &knowledge, model);
        attempts += parse.report.attempts;
        candidates += parse.candidates.len();
        drop(parse);
        watch.end(4);
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

fn prepared(path: &str, knowledge: &Knowledge, watch: &mut Watch) -> PreparedTable {
    let bytes = fs::read(path).expect("the table can be read");
    let table = read(&bytes, Some(path), &ReadSettings::default()).expect("it is a table");
    watch.end(0);
    let graph = Graph::new(&table, &knowledge.words);
    watch.end(1);
    let vocabulary = Vocabulary::new(&graph, &knowledge.annotator);
    watch.end(2);
    PreparedTable { graph, vocabulary }
}

/// How long each stage took, all questions together.
struct Watch {
    clock: Clock,
    since: Duration,
    took: [Duration; STAGES.len()],
}

impl Watch {
    fn new() -> Watch {
        Watch { clock: Clock(Instant::now()), since: Duration::ZERO, took: [Duration::ZERO; STAGES.len()] }
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

/// How long this thread has run on a processor, or what the clock says where the system does not tell.
struct Clock(Instant);

impl Clock {
    fn now(&self) -> Duration {
        // The system brings the figure up to date when the thread gives its turn away.
        std::thread::yield_now();
        let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let busy = text.split(' ').next().and_then(|field| field.parse().ok()).map(Duration::from_nanos);
        busy.unwrap_or_else(|| self.0.elapsed())
    }
}

/// The most memory that the process has held, in megabytes; 0 where the system does not tell.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("");
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or(0) >> 10
}

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
use tabwise::model::Model;
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

/// Asks every question, and prints what each stage took.
fn measure(asked: &[Asked], model: &Model) {
    let (knowledge, clock) = (Knowledge::embedded(), Clock(Instant::now()));
    let mut tables: BTreeMap<&str, PreparedTable> = BTreeMap::new();
    let [mut reading, mut annotating, mut parsing] = [Duration::ZERO; 3];
    let (mut attempts, mut candidates) = (0, 0);
    for (path, text) in asked {
        let start = clock.now();
        let table = tables.entry(path).or_insert_with(|| prepared(path, &knowledge));
        let read = clock.now();
        let question = table.question(text, &knowledge, model);
        let annotated = clock.now();
        let parse = table.candidates(&question, &knowledge, model);
        attempts += parse.report.attempts;
        candidates += parse.candidates.len();
        drop(parse);
        parsing += clock.now() - annotated;
        annotating += annotated - read;
        reading += read - start;
    }
    let count = asked.len().max(1);
    let each = |time: Duration| 1e3 * time.as_secs_f64() / count as f64;
    let all = reading + annotating + parsing;
    println!("{} questions about {} tables, beam {}", asked.len(), tables.len(), model.settings.beam);
    println!("tables   {:>7.3} ms of CPU a question", each(reading));
    println!("words    {:>7.3} ms", each(annotating));
    println!("parsing  {:>7.3} ms: {} ways tried, {} candidates", each(parsing), attempts / count, candidates / count);
    println!("all      {:>7.3} ms: {:.0} questions a second, peak {} MB", each(all), 1e3 / each(all), peak());
}

fn prepared(path: &str, knowledge: &Knowledge) -> PreparedTable {
    let bytes = fs::read(path).expect("the table can be read");
    PreparedTable::new(&read(&bytes, Some(path), &ReadSettings::default()).expect("it is a table"), knowledge)
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

//! [`Training`] of the tagger on texts with reference tags. The tagger is the mean of several averaged perceptrons,
//! each of which sees the sentences in its own order. The same texts give the same tagger, bit for bit, for any number
//! of threads: orders come from fixed seeds, and sums are taken in a fixed order.

use super::Tag;
use super::context::{Clues, Word, fixed_clues, tag_clues};
use super::reference::Reference;
use super::tagger::{Entry, Tagger, best};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Parameters of the training; the defaults are those of the embedded tagger.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Number of perceptrons to average.
    pub runs: u64,
    /// Number of times that each perceptron sees each sentence.
    pub passes: usize,
    /// Least number of occurrences, all with one tag, after which a word always gets this tag.
    pub sure: u32,
    /// Least number of occurrences in cells for a word to enter the lexicon.
    pub known: u32,
    /// Least absolute weight; smaller ones are dropped.
    pub least: f32,
}

impl Default for Training {
    fn default() -> Training {
        Training { runs: 5, passes: 8, sure: 8, known: 2, least: 0.8 }
    }
}

/// Number of steps per unit of weight in the finished tagger, whose weights are integers.
const STEPS: f32 = 8.0;

/// Number of occurrences of each tag.
type Counts = [u32; Tag::ALL.len()];

impl Training {
    /// Trains a tagger on questions and cells. Cells give the usual tags of words; those that are prose rather than
    /// names are also examples, like the questions.
    pub fn train(&self, questions: &[&Reference], cells: &[&Reference]) -> Tagger {
        let mut examples = questions.to_vec();
        let mut seen = FxHashSet::default();
        examples.extend(cells.iter().filter(|cell| is_prose(&cell.text) && seen.insert(&cell.text)));
        let lexicon = self.lexicon(&examples, cells);
        let tagger = Tagger::new(lexicon.clone(), Vec::new());
        let sentences: Vec<Sentence> = examples.par_iter().map(|example| Sentence::new(example, &tagger)).collect();
        let learners: Vec<Learner> = (1..=self.runs).into_par_iter().map(|seed| self.run(&sentences, seed)).collect();
        Tagger::new(lexicon, self.mean(&learners))
    }

    /// Makes the lexicon, sorted by key.
    fn lexicon(&self, examples: &[&Reference], cells: &[&Reference]) -> Vec<(u32, Entry)> {
        let mut lexicon: FxHashMap<u32, Entry> = FxHashMap::default();
        for (word, counts) in count_tags(cells) {
            // From cells, only auxiliaries get a fixed tag, because they are a closed list; other words get a class.
            let only = (best(&counts) == Tag::Aux).then_some(Tag::Aux);
            if only.is_some() || counts.iter().sum::<u32>() >= self.known {
                lexicon.insert(word, Entry { only, class: class(&counts) });
            }
        }
        for (word, counts) in count_tags(examples) {
            if let Some(tag) = self.only_tag(&counts) {
                lexicon.entry(word).or_default().only = Some(tag);
            }
        }
        let mut lexicon: Vec<_> = lexicon.into_iter().collect();
        lexicon.sort_unstable_by_key(|(word, _)| *word);
        lexicon
    }

    /// Returns the tag that a word always has. Auxiliaries are a closed list, so one occurrence is enough for them.
    fn only_tag(&self, counts: &Counts) -> Option<Tag> {
        let (tag, total) = (best(counts), counts.iter().sum::<u32>());
        let enough = total >= self.sure || tag == Tag::Aux;
        (enough && counts[tag as usize] == total).then_some(tag)
    }

    /// Trains one perceptron.
    fn run(&self, sentences: &[Sentence], seed: u64) -> Learner {
        let mut learner = Learner::default();
        let mut order: Vec<usize> = (0..sentences.len()).collect();
        let mut random = seed;
        for _ in 0..self.passes {
            shuffle(&mut order, &mut random);
            order.iter().for_each(|&i| learner.learn(&sentences[i]));
        }
        learner
    }

    /// Returns the mean weights of the learners, without the small ones, sorted by clue.
    fn mean(&self, learners: &[Learner]) -> Vec<(u32, Vec<(Tag, i16)>)> {
        let mut sums: FxHashMap<u32, Vec<(Tag, f32)>> = FxHashMap::default();
        for learner in learners {
            // The order of a hash map does not matter here: each clue has one entry in each learner.
            for (&clue, weights) in &learner.weights {
                let of_clue = sums.entry(clue).or_default();
                weights.iter().for_each(|weight| add(of_clue, weight.tag, weight.mean(learner.steps)));
            }
        }
        let count = learners.len() as f32;
        let kept = sums.into_iter().map(|(clue, weights)| (clue, self.rounded(weights, count)));
        let mut kept: Vec<_> = kept.filter(|(_, weights)| !weights.is_empty()).collect();
        kept.sort_unstable();
        kept
    }

    fn rounded(&self, sums: Vec<(Tag, f32)>, count: f32) -> Vec<(Tag, i16)> {
        let means = sums.into_iter().map(|(tag, sum)| (tag, sum / count));
        let large = means.filter(|(_, mean)| mean.abs() >= self.least);
        let mut weights: Vec<(Tag, i16)> = large.map(|(tag, mean)| (tag, (mean * STEPS).round() as i16)).collect();
        weights.sort_unstable();
        weights
    }
}

fn add(sums: &mut Vec<(Tag, f32)>, tag: Tag, value: f32) {
    match sums.iter_mut().find(|(t, _)| *t == tag) {
        Some((_, sum)) => *sum += value,
        None => sums.push((tag, value)),
    }
}

/// True if a cell is prose rather than a name: three words or more, at least half of them in lower case.
fn is_prose(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let small = text.split_whitespace().filter(|word| word.starts_with(char::is_lowercase)).count();
    words >= 3 && 2 * small >= words
}

/// Returns the class of a word with these counts: its usual tag, and a bit for at least nine times in ten. Class 0 is
/// left for unknown words.
fn class(counts: &Counts) -> u8 {
    let tag = best(counts);
    let always = counts[tag as usize] * 10 >= counts.iter().sum::<u32>() * 9;
    1 + 2 * tag as u8 + u8::from(always)
}

fn count_tags(references: &[&Reference]) -> FxHashMap<u32, Counts> {
    let mut counts = FxHashMap::default();
    for reference in references {
        for (token, &tag) in reference.tokens.iter().zip(&reference.tags) {
            counts.entry(Word::new(token).key).or_insert([0; Tag::ALL.len()])[tag as usize] += 1;
        }
    }
    counts
}

/// Shuffles by Fisher and Yates, with Knuth's linear congruential generator, so that the order never depends on a
/// library.
fn shuffle(order: &mut [usize], random: &mut u64) {
    for last in (1..order.len()).rev() {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The upper bits: the lower bits of such a generator have short periods.
        order.swap(last, ((*random >> 33) as usize) % (last + 1));
    }
}

/// A sentence prepared for training.
struct Sentence {
    words: Vec<Word>,
    /// Clues of each word that do not depend on tags.
    fixed: Vec<Clues>,
    /// Tag that the lexicon gives to each word.
    sure: Vec<Option<Tag>>,
    /// Right tag of each word.
    tags: Vec<Tag>,
}

impl Sentence {
    fn new(reference: &Reference, tagger: &Tagger) -> Sentence {
        let (words, sure): (Vec<Word>, _) = reference.tokens.iter().map(|token| tagger.look_up(token)).unzip();
        let mut fixed = vec![Clues::new(); words.len()];
        fixed.iter_mut().enumerate().for_each(|(place, clues)| fixed_clues(&words, place, clues));
        Sentence { words, fixed, sure, tags: reference.tags.clone() }
    }
}

/// A perceptron in training.
#[derive(Default)]
struct Learner {
    weights: FxHashMap<u32, Vec<Weight>>,
    /// Number of guesses so far.
    steps: u32,
}

/// One weight, its sum over the steps up to its last change, and the step of that change. The sum is brought up to date
/// only when the weight changes, so a step costs nothing for the weights that it leaves alone.
struct Weight {
    tag: Tag,
    now: f32,
    sum: f32,
    changed: u32,
}

impl Weight {
    fn sum(&self, steps: u32) -> f32 {
        self.sum + self.now * (steps - self.changed) as f32
    }

    fn mean(&self, steps: u32) -> f32 {
        self.sum(steps) / steps.max(1) as f32
    }
}

impl Learner {
    /// Tags the sentence, and after each wrong tag moves the weights towards the right one.
    fn learn(&mut self, sentence: &Sentence) {
        let mut tags: Vec<Tag> = Vec::with_capacity(sentence.words.len());
        let mut clues = Clues::new();
        for (place, &sure) in sentence.sure.iter().enumerate() {
            clues.clear();
            let tag = sure.unwrap_or_else(|| {
                clues.extend_from_slice(&sentence.fixed[place]);
                tag_clues(&sentence.words, place, &tags, &mut clues);
                self.guess(&clues, sentence.tags[place])
            });
            tags.push(tag);
        }
    }

    /// Guesses a tag, and learns if it is wrong.
    fn guess(&mut self, clues: &Clues, right: Tag) -> Tag {
        let mut scores = [0f32; Tag::ALL.len()];
        for weight in clues.iter().filter_map(|clue| self.weights.get(clue)).flatten() {
            scores[weight.tag as usize] += weight.now;
        }
        let guess = best(&scores);
        self.steps += 1;
        if guess != right {
            for &clue in clues {
                self.change(clue, right, 1.0);
                self.change(clue, guess, -1.0);
            }
        }
        guess
    }

    fn change(&mut self, clue: u32, tag: Tag, by: f32) {
        let steps = self.steps;
        let weights = self.weights.entry(clue).or_default();
        let place = weights.iter().position(|w| w.tag == tag).unwrap_or_else(|| {
            weights.push(Weight { tag, now: 0.0, sum: 0.0, changed: steps });
            weights.len() - 1
        });
        let weight = &mut weights[place];
        (weight.sum, weight.changed) = (weight.sum(steps), steps);
        weight.now += by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> Vec<Reference> {
        let lines = ["which|team|won|?\twhich|team|win|?\tWDT|NN|VBD|.", "who|won|it|?\twho|win|it|?\tWP|VBD|PRP|."];
        let content = format!("tokens\tlemmaTokens\tposTags\tcontent\n{}\tx\n{}\tx\n", lines[0], lines[1]);
        super::super::reference::read(&content, "t")
    }

    #[test]
    fn it_learns_its_examples() {
        let examples = examples();
        let examples: Vec<&Reference> = examples.iter().collect();
        let tagger = Training { least: 0.0, ..Training::default() }.train(&examples, &[]);
        for example in examples {
            assert_eq!(tagger.tag(example.tokens.iter().map(String::as_str)), example.tags);
        }
    }

    #[test]
    fn the_same_examples_give_the_same_bytes() {
        let examples = examples();
        let examples: Vec<&Reference> = examples.iter().collect();
        let train = || Training::default().train(&examples, &examples).write();
        assert_eq!(train(), train());
    }

    #[test]
    fn prose_and_names() {
        assert!(is_prose("Lost to the champion") && !is_prose("Bank of America") && !is_prose("short film"));
    }
}

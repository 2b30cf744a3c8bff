//! Training the tagger on texts with reference tags: an averaged perceptron. The same texts give the same tagger, bit for
//! bit: the order of the examples comes from a fixed seed and sums run in a fixed order.

use super::Tag;
use super::context::{Cues, Word, fixed_cues, tag_cues};
use super::reference::Reference;
use super::tagger::{Entry, Tagger, best};
use rustc_hash::FxHashMap;

/// How the tagger is trained.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// How often each sentence is seen.
    pub passes: usize,
    /// A word that occurs this often with one tag only is not weighed any more.
    pub sure: u32,
    /// Words of cells enter the lexicon when they occur this often.
    pub known: u32,
    /// Weights below this are dropped.
    pub least: f32,
}

impl Default for Training {
    fn default() -> Training {
        Training { passes: 8, sure: 8, known: 2, least: 0.3 }
    }
}

/// How many steps one unit of weight is divided into in the finished tagger.
const STEPS: f32 = 16.0;

type Counts = FxHashMap<u32, [u32; Tag::ALL.len()]>;

impl Training {
    /// A tagger from questions, which give the weights and the sure words, and cells, which only tell which words there
    /// are and which tag they usually have.
    pub fn train(&self, questions: &[&Reference], cells: &[&Reference]) -> Tagger {
        let lexicon = self.lexicon(questions, cells);
        let tagger = Tagger::new(lexicon.clone(), std::iter::empty());
        let sentences: Vec<Sentence> = questions.iter().map(|q| Sentence::new(q, &tagger)).collect();
        let mut learner = Learner::default();
        let mut order: Vec<usize> = (0..sentences.len()).collect();
        let mut random = 1u64;
        for _ in 0..self.passes {
            shuffle(&mut order, &mut random);
            order.iter().for_each(|&i| learner.learn(&sentences[i]));
        }
        Tagger::new(lexicon, learner.averages(self.least).into_iter())
    }

    fn lexicon(&self, questions: &[&Reference], cells: &[&Reference]) -> FxHashMap<u32, Entry> {
        let (in_questions, in_cells) = (counts(questions), counts(cells));
        let mut lexicon: FxHashMap<u32, Entry> = in_cells
            .iter()
            .filter(|(_, tags)| tags.iter().sum::<u32>() >= self.known)
            .map(|(&word, tags)| (word, Entry { only: None, class: class(tags) }))
            .collect();
        for (&word, tags) in &in_questions {
            let tag = best(tags);
            let (most, all) = (tags[tag as usize], tags.iter().sum::<u32>());
            if most == all && all >= self.sure {
                lexicon.entry(word).or_default().only = Some(tag);
            }
        }
        lexicon
    }
}

/// The class of a word with these counts: its usual tag, and whether it is nearly always that.
fn class(tags: &[u32; Tag::ALL.len()]) -> u8 {
    let tag = best(tags);
    let always = tags[tag as usize] * 10 >= tags.iter().sum::<u32>() * 9;
    1 + 2 * tag as u8 + u8::from(always)
}

fn counts(references: &[&Reference]) -> Counts {
    let mut counts = Counts::default();
    for reference in references {
        for (token, &tag) in reference.tokens.iter().zip(&reference.tags) {
            counts.entry(Word::new(token).key).or_insert([0; Tag::ALL.len()])[tag as usize] += 1;
        }
    }
    counts
}

/// Fisher and Yates, with a small generator of its own so that the order never changes.
fn shuffle(order: &mut [usize], random: &mut u64) {
    for last in (1..order.len()).rev() {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, ((*random >> 33) as usize) % (last + 1));
    }
}

/// A sentence made ready for training.
struct Sentence {
    words: Vec<Word>,
    fixed: Vec<Cues>,
    sure: Vec<Option<Tag>>,
    tags: Vec<Tag>,
}

impl Sentence {
    fn new(reference: &Reference, tagger: &Tagger) -> Sentence {
        let words: Vec<Word> = reference.tokens.iter().map(|token| tagger.look_up(token)).collect();
        let fixed = (0..words.len()).map(|place| {
            let mut cues = Cues::new();
            fixed_cues(&words, place, &mut cues);
            cues
        });
        let fixed = fixed.collect();
        let sure = words.iter().map(|w| tagger.lexicon.get(&w.key).and_then(|entry| entry.only)).collect();
        Sentence { words, fixed, sure, tags: reference.tags.clone() }
    }
}

/// The weights while they are learned.
#[derive(Default)]
struct Learner {
    weights: FxHashMap<u32, Vec<Weight>>,
    steps: u32,
}

/// One weight, its sum over all steps so far, and the step of its last change.
struct Weight {
    tag: Tag,
    now: f32,
    sum: f32,
    changed: u32,
}

impl Learner {
    fn learn(&mut self, sentence: &Sentence) {
        let mut tags: Vec<Tag> = Vec::with_capacity(sentence.words.len());
        let mut cues = Cues::new();
        for place in 0..sentence.words.len() {
            if let Some(tag) = sentence.sure[place] {
                tags.push(tag);
                continue;
            }
            cues.clear();
            cues.extend_from_slice(&sentence.fixed[place]);
            tag_cues(&sentence.words, place, &tags, &mut cues);
            let (guess, right) = (self.guess(&cues), sentence.tags[place]);
            self.steps += 1;
            if guess != right {
                cues.iter().for_each(|&cue| {
                    self.change(cue, right, 1.0);
                    self.change(cue, guess, -1.0);
                });
            }
            tags.push(guess);
        }
    }

    fn guess(&self, cues: &Cues) -> Tag {
        let mut scores = [0f32; Tag::ALL.len()];
        for weights in cues.iter().filter_map(|cue| self.weights.get(cue)) {
            weights.iter().for_each(|w| scores[w.tag as usize] += w.now);
        }
        best(&scores)
    }

    fn change(&mut self, cue: u32, tag: Tag, by: f32) {
        let weights = self.weights.entry(cue).or_default();
        let found = weights.iter().position(|w| w.tag == tag);
        let place = found.unwrap_or_else(|| {
            weights.push(Weight { tag, now: 0.0, sum: 0.0, changed: self.steps });
            weights.len() - 1
        });
        let weight = &mut weights[place];
        weight.sum += weight.now * (self.steps - weight.changed) as f32;
        weight.changed = self.steps;
        weight.now += by;
    }

    /// The mean of each weight over all steps, without the small ones, in the order of the cues.
    fn averages(self, least: f32) -> Vec<(u32, Vec<(Tag, i16)>)> {
        let steps = self.steps;
        let mean = |w: &Weight| (w.sum + w.now * (steps - w.changed) as f32) / steps.max(1) as f32;
        let mut all = Vec::with_capacity(self.weights.len());
        for (cue, weights) in self.weights {
            let kept = weights.iter().filter(|w| mean(w).abs() >= least);
            let mut kept: Vec<(Tag, i16)> = kept.map(|w| (w.tag, (mean(w) * STEPS).round() as i16)).collect();
            kept.retain(|(_, weight)| *weight != 0);
            kept.sort_unstable();
            if !kept.is_empty() {
                all.push((cue, kept));
            }
        }
        all.sort_unstable();
        all
    }
}

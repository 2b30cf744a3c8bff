//! Tests of the generator on small tables: every template gives a question, and every answer is that of its formulas.

use super::*;
use tabwise::Table;
use tabwise::evaluate::{Target, matches, records_from_tsv};
use tabwise::execute::Executor;
use tabwise::formula::{Formulas, notation};
use tabwise::words::Words;

const PHONES: &str = "Model,Maker,Colour,Price,Weight,Year,Released\n\
    Aster,Orion,red,120,150,2001,2001-03-04\nBeryl,Orion,blue,340,160,2002,2002-05-06\n\
    Cedar Plus,Vega,red,560,170,2003,2003-07-08\nDahlia,Vega,blue,,180,2004,2004-02-10\n\
    Elder Plus,Lyra,red,910,190,2005,2005-11-12\nFern,Lyra,green,230,145,2006,2006-01-14\n\
    Ginger,Orion,green,450,155,2007,2007-03-16\nHazel,Vega,red,670,165,2008,2008-05-18\n\
    Iris,Orion,blue,890,175,2009,2009-07-20\nJasmin,Orion,red,101,185,2010,2010-09-22\n";
const PLAYERS: &str = "Player,Team,Position,Goals,Assists,Age,Balance\n\
    Ann,North,Guard,12,3,21,4\nBea,North,Forward,7,9,25,-2\nCora,South,Guard,5,11,29,0\n\
    Dora,South,Forward,17,2,31,5\nEdna,East,Guard,9,8,22,-1\nFay,East,Forward,3,14,27,0\n\
    Gwen,North,Guard,11,6,33,2\nHope,North,Center,20,1,24,9\n";

/// The tables in many styles.
fn tables(phrasings: &Phrasings, words: &Words) -> Vec<Known> {
    let styled = |(at, csv): (usize, &str)| {
        let table = Table::from_csv(csv).unwrap();
        let path = format!("csv/{at}.csv");
        Known::new(&path, &table, &mut Dice::new(at as u64, "tests"), phrasings, words)
    };
    (0..40).zip([PHONES, PLAYERS].into_iter().cycle()).filter_map(styled).collect()
}

#[test]
fn every_template_gives_a_question() {
    let (phrasings, words) = (Phrasings::embedded().unwrap(), Words::embedded());
    let tables = tables(&phrasings, &words);
    for (kind, templates) in &phrasings.kinds {
        for template in templates {
            let mut dice = Dice::new(1, kind);
            let mut make = |_| {
                question(kind, template, dice.clone().pick(&tables)?, &phrasings, {
                    dice.below(2);
                    &mut dice
                })
            };
            assert!((0..5000).any(|at| make(at).is_some()), "{kind}: no question by {:?}", template.formulas);
        }
    }
}

#[test]
fn every_schema_gives_tables_that_can_be_asked_about() {
    let (phrasings, words) = (Phrasings::embedded().unwrap(), Words::embedded());
    let made = made_up(1).unwrap();
    let paths: BTreeSet<&str> = made.iter().map(|record| record.path.as_str()).collect();
    assert_eq!(paths.len(), made.len(), "two schemas have one name");
    for record in &made {
        let known = Known::made(record, 1, &phrasings, &words).unwrap_or_else(|| panic!("{}", record.path));
        assert_eq!(known.noun.as_deref(), Some(record.noun.as_str()), "{}", record.path);
        let said: Vec<&str> = known.columns.iter().map(|column| column.said[0].as_str()).collect();
        assert!(said.len() > 2, "{}: of its columns only {said:?} can be asked about", record.path);
    }
}

#[test]
fn columns_are_said_in_other_words() {
    let (phrasings, words) = (Phrasings::embedded().unwrap(), Words::embedded());
    let made = made_up(1).unwrap();
    let ready: Vec<Known> = made.iter().filter_map(|record| Known::made(record, 1, &phrasings, &words)).collect();
    let all = questions(&mixed(&[], &ready), &phrasings, 400, 1);
    let says = |question: &Question| {
        let known = ready.iter().find(|known| known.path == question.table);
        let others = known.into_iter().flat_map(|known| &known.columns).flat_map(|column| &column.said[1..]);
        let text = question.text.to_lowercase();
        others.into_iter().any(|way| text.contains(way.as_str()))
    };
    assert!(all.iter().filter(|question| says(question)).count() * 4 > all.len());
}

#[test]
fn the_answer_is_that_of_the_formulas() {
    let (phrasings, words) = (Phrasings::embedded().unwrap(), Words::embedded());
    let tables = tables(&phrasings, &words);
    let text = tsv(&questions(&mixed(&tables, &[]), &phrasings, 1000, 5));
    let records = records_from_tsv(&text).unwrap();
    assert!(records.len() > 600, "{} questions", records.len());
    for record in &records {
        let known = tables.iter().find(|known| known.path == record.context).unwrap();
        let target = Target::from_strings(&record.target, &words);
        assert_eq!(record.target.is_empty(), record.kind == NO_ANSWER, "{record:?}");
        assert_eq!(record.formulas.is_empty(), record.kind == NO_ANSWER, "{record:?}");
        for formula in &record.formulas {
            let mut executor = Executor::new(&known.graph, Formulas::new());
            let id = notation::read(formula, &known.graph, executor.formulas_mut()).unwrap();
            let denotation = executor.denote(id).unwrap();
            assert!(matches(&tabwise::answer::Printer::plain(&known.graph).answer(&denotation), &target), "{record:?}");
        }
    }
}

#[test]
fn a_seed_decides_every_byte() {
    let (phrasings, words) = (Phrasings::embedded().unwrap(), Words::embedded());
    let made = |seed| tsv(&questions(&mixed(&tables(&phrasings, &words), &[]), &phrasings, 200, seed));
    assert_eq!(made(3), made(3));
    assert_ne!(made(3), made(4));
}

#[test]
fn wordings_say_only_what_their_formulas_have() {
    let phrasings = Phrasings::embedded().unwrap();
    let known = |slot: &str, formulas: &[String]| {
        let name = slot.split(':').next().unwrap_or(slot);
        let is_filled = formulas.iter().any(|text| fill::slots_of(text).any(|s| s.split(':').next() == Some(name)));
        is_filled || phrasings.shared.contains_key(name) || fill::OTHER_SLOTS.contains(&name)
    };
    for (kind, templates) in &phrasings.kinds {
        for template in templates {
            for slot in template.say.iter().flat_map(|pattern| pattern.slots()) {
                assert!(known(slot, &template.formulas), "{kind}: {{{slot}}} is not in {:?}", template.formulas);
            }
        }
    }
}

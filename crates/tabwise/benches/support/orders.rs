//! A table of orders of any length, as shops keep them: an id, a date, texts that repeat often (product, city) and seldom
//! (customer), an amount with missing cells, a price, yes and no. The same number of rows always gives the same bytes.

use std::fmt::Write;

const FIRST: [&str; 24] = [
    "Anna", "Boris", "Carla", "David", "Elena", "Farid", "Greta", "Hugo", "Irene", "Jonas", "Karin", "Luis", "Maria",
    "Nadia", "Oscar", "Paula", "Quentin", "Rosa", "Samuel", "Tanja", "Ulrich", "Vera", "Walter", "Yara",
];
const LAST: [&str; 16] = [
    "Adler", "Brandt", "Costa", "Dubois", "Evans", "Fischer", "Garcia", "Haas", "Ivanov", "Jensen", "Keller", "Lopez",
    "Moreau", "Nilsen", "Okafor", "Petrov",
];
const CITIES: [&str; 20] = [
    "Athens",
    "Berlin",
    "Cairo",
    "Dublin",
    "Edinburgh",
    "Florence",
    "Geneva",
    "Hamburg",
    "Istanbul",
    "Jakarta",
    "Kyoto",
    "Lisbon",
    "Madrid",
    "New York",
    "Oslo",
    "Paris",
    "Quito",
    "Rio de Janeiro",
    "San Francisco",
    "Tokyo",
];
const KINDS: [&str; 10] = ["Walnut", "Oak", "Steel", "Glass", "Blue", "Red", "Folding", "Small", "Large", "Garden"];
const THINGS: [&str; 12] =
    ["Table", "Chair", "Lamp", "Desk", "Shelf", "Bench", "Mirror", "Clock", "Basket", "Stool", "Rug", "Vase"];

/// Questions about a table of this many rows.
pub fn questions(rows: usize) -> Vec<String> {
    let order = |share: usize| 100_001 + rows * share / 100;
    let questions = [
        "how many orders were from Paris?",
        "how many orders are there?",
        "which city has the most orders?",
        "what is the average price of orders from Tokyo?",
        "which product has the highest average price?",
        "what is the total quantity of Walnut Table?",
        "how many orders were returned?",
        "what is the highest price?",
        "how many orders in 2021 were from Oslo?",
        "which city has the highest total quantity?",
        "how many different products are there?",
        "how many orders have a quantity over 50?",
        "which product was ordered most often in Berlin?",
        "what percentage of orders were returned?",
        "how many orders did Anna Adler 7 make?",
        "what was the date of the first order?",
        "what is the average quantity for each city?",
        "which order has the lowest price?",
    ];
    let of_orders = [
        format!("which customer ordered on order id {}?", order(40)),
        format!("what is the price of order id {}?", order(70)),
    ];
    questions.map(str::to_owned).into_iter().chain(of_orders).collect()
}

/// The CSV with this many rows, besides its header; a million take about 60 MB.
pub fn csv(rows: usize) -> String {
    let mut text = String::with_capacity(64 * rows + 80);
    text.push_str("order id,date,customer,city,product,quantity,price,returned\n");
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    (0..rows).for_each(|row| line(row, &mut dice, &mut text));
    text
}

fn line(row: usize, dice: &mut Dice, text: &mut String) {
    let (year, month, day) = (2019 + dice.below(6), 1 + dice.below(12), 1 + dice.below(28));
    let (first, last, number) = (dice.of(&FIRST), dice.of(&LAST), 1 + dice.below(60));
    let (kind, thing) = (dice.below(KINDS.len()), dice.below(THINGS.len()));
    let cents = 500 + 450 * (kind * THINGS.len() + thing) + dice.below(400);
    write!(text, "{},{year}-{month:02}-{day:02},{first} {last} {number},{},", 100_001 + row, skewed(dice))
        .and_then(|()| write!(text, "{} {},", KINDS[kind], THINGS[thing]))
        .expect("a string takes everything");
    // One amount in twenty and one answer in fifty are missing.
    if dice.below(20) > 0 {
        write!(text, "{}", 1 + dice.below(12) * dice.below(9)).expect("a string takes everything");
    }
    write!(text, ",{}.{:02},", cents / 100, cents % 100).expect("a string takes everything");
    text.push_str(["", "yes", "no"][if dice.below(50) == 0 { 0 } else { 1 + usize::from(dice.below(9) > 0) }]);
    text.push('\n');
}

/// A city; the first ones come more often.
fn skewed(dice: &mut Dice) -> &'static str {
    let most = 1 + dice.below(CITIES.len());
    CITIES[dice.below(most)]
}

/// Random numbers that are the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
    }

    fn of(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }
}

//! The page in a real browser, driven like a user would. Screenshots are kept in `target/screenshots`. The tests are
//! reported as ignored unless Chromium and ChromeDriver are installed, and so is that of accessibility unless `AXE` is the
//! path of `axe.min.js`.

mod support;

use libtest_mimic::{Arguments, Trial};
use std::time::Duration;
use support::Server;
use support::driver::{Browser, installed};
use support::http::Client;

/// A browser that shows the start page, and the server behind it.
struct Visit {
    browser: Browser,
    server: Server,
}

impl Visit {
    fn start() -> Visit {
        Visit::with(&[])
    }

    /// Starts the server with more arguments.
    fn with(arguments: &[&str]) -> Visit {
        let driver = installed().expect("without a driver the tests are ignored");
        let server = Server::start(arguments);
        let mut browser = Browser::start(&driver);
        browser.resize(1280, 860);
        browser.prefer("light");
        let mut visit = Visit { browser, server };
        visit.open("/");
        visit
    }

    fn open(&mut self, path: &str) {
        self.browser.open(&format!("http://{}{path}", self.server.address));
        self.browser.find(".example");
    }

    /// Opens the first example, which asks its first question.
    fn ask_example(&mut self) {
        self.browser.click(".example");
        self.browser.find(".result .value");
    }

    /// Uploads a CSV.
    fn upload(&mut self, name: &str, csv: &str) {
        let file = std::env::temp_dir().join(format!("tabwise-{}-{name}.csv", std::process::id()));
        std::fs::write(&file, csv).expect("a file can be written");
        self.browser.keys("#file", file.to_str().expect("the path is text"));
        self.browser.find("#grid td");
        std::fs::remove_file(file).expect("the file is there");
    }

    /// Asks a question and waits for its answer.
    fn ask(&mut self, question: &str) {
        self.browser
            .run("document.querySelector('#answer').replaceChildren(); document.getElementById('question').value = ''");
        self.browser.keys("#question", &format!("{question}\n"));
        self.browser.find(".result");
    }

    /// Checks the browser's log: it has errors that the page does not show, such as scripts blocked by the security
    /// policy.
    fn is_calm(&mut self) {
        let complaints = self.browser.complaints();
        assert!(complaints.is_empty(), "the browser complains: {complaints:#?}");
    }
}

/// A test by its name.
macro_rules! trials {
    ($($test:ident,)+) => {
        vec![$(Trial::test(stringify!($test), || {
            $test();
            Ok(())
        }),)+]
    };
}

fn main() {
    let trials = trials![
        ask_and_see_why,
        screenshot_of_the_readme,
        a_link_shows_the_same_answer_again,
        switch_to_another_interpretation,
        notes_on_an_answer_stand_under_it,
        a_long_answer_is_shown_in_full_on_request,
        upload_a_file_whose_text_is_not_html,
        paste_a_table,
        drop_a_file_or_paste_cells_anywhere,
        an_unsure_answer_looks_unsure,
        read_another_table_of_a_page,
        an_error_is_one_sentence,
        dark_mode_follows_the_system,
        phone_width_has_no_sideways_scroll,
        everything_works_with_the_keyboard,
        a_hundred_thousand_rows_do_not_freeze_the_page,
        a_table_has_an_address_that_survives_a_reload,
        a_table_that_was_asked_about_before_is_described,
        the_sheet_is_picked_from_a_list,
        no_cell_of_a_wide_table_is_cut_and_the_proof_is_in_sight,
        no_cell_of_a_hundred_thousand_rows_and_sixty_columns_is_cut,
        columns_that_fit_need_no_scrolling,
        rows_are_sorted_and_found,
        groups_are_drawn_and_saved,
        a_phone_shows_the_cells_under_the_answer,
        an_answer_is_corrected_and_taken_back,
        axe_finds_nothing_serious,
    ];
    let has_axe = std::env::var_os("AXE").is_some();
    let can_run = |trial: &Trial| installed().is_some() && (has_axe || trial.name() != "axe_finds_nothing_serious");
    let mark = |trial: Trial| {
        let is_ignored = !can_run(&trial);
        trial.with_ignored_flag(is_ignored)
    };
    libtest_mimic::run(&Arguments::from_args(), trials.into_iter().map(mark).collect()).exit();
}

fn ask_and_see_why() {
    let mut visit = Visit::start();
    visit.browser.keep_picture("start");
    visit.ask_example();
    visit.ask("Greece held its last Summer Olympics in which year?");
    assert!(visit.browser.text(".asked").contains("Summer Olympics"));
    assert!(!visit.browser.text(".english").is_empty());
    assert!(visit.browser.address().contains("/t/olympics?q=Greece"), "the question has an address");
    visit.browser.find("td.is-answer, td.is-used");
    visit.browser.find("thead th.is-column");
    if visit.browser.run("return document.querySelectorAll('.step').length").as_u64() > Some(0) {
        visit.browser.point(".step");
        visit.browser.keep_picture("step");
        visit.browser.run("document.querySelector('.step').focus()");
        visit.browser.find("td.is-step");
    }
    visit.browser.keep_picture("answer");
    visit.is_calm();
}

/// Takes the screenshot that is `docs/page.png` of the README.
fn screenshot_of_the_readme() {
    let mut visit = Visit::start();
    visit.browser.resize(1320, 800);
    visit.browser.click(".examples li:nth-child(2) .example");
    visit.browser.click(".chip");
    visit.browser.find(".result");
    visit.browser.run("document.activeElement.blur()");
    visit.browser.keep_picture("page");
}

fn a_link_shows_the_same_answer_again() {
    let mut visit = Visit::start();
    visit.ask_example();
    let (address, before) = (visit.browser.address(), visit.browser.text(".result .value"));
    visit.open("/");
    visit.browser.open(&address);
    assert_eq!(visit.browser.text(".result .value"), before);
    visit.browser.keep_picture("link");
    visit.browser.open(&format!("http://{}/q/no", visit.server.address));
    visit.browser.wait("!document.getElementById('error').hidden");
    assert!(visit.browser.text("#error").contains("link is not known"));
}

fn switch_to_another_interpretation() {
    let mut visit = Visit::start();
    visit.ask_example();
    visit.ask("how many more nations took part in 2012 than in 1896?");
    visit.browser.run(
        "import('/assets/answer.js').then(({ showAnswer }) => { \
           const meaning = (value, confidence) => ({ answer: [value], confidence, english: value, steps: [], cells: [], used: [], columns: [] }); \
           showAnswer(document.getElementById('answer'), { mark() {} }, { question: 'which?', link: '/', milliseconds: 1, candidate_count: 3, \
             meanings: [meaning('one', 0.6), meaning('two', 0.3), meaning('three', 0.004)] }); });",
    );
    visit.browser.wait("document.querySelector('.result .value')?.textContent === 'one'");
    assert_eq!(visit.browser.run("return document.querySelectorAll('.meaning').length"), 1, "below 1 % is hidden");
    visit.browser.click(".meaning");
    visit.browser.wait("document.querySelector('.result .value').textContent === 'two'");
    visit.browser.wait("document.querySelector('.meaning-value').textContent === 'one'");
    visit.browser.keep_picture("meaning");
    visit.is_calm();
}

fn notes_on_an_answer_stand_under_it() {
    let mut visit = Visit::start();
    visit.ask_example();
    visit.browser.run(
        "const grid = { mark() {}, table: { notes: ['of the table'] } }; \
         const answer = { question: 'which?', link: '/', milliseconds: 1, candidate_count: 1, notes: ['of the table', 'of the answer'], \
           meanings: [{ answer: ['one'], confidence: 0.9, english: 'one', steps: [], cells: [], used: [], columns: [] }] }; \
         import('/assets/answer.js').then(({ showAnswer }) => showAnswer(document.getElementById('answer'), grid, answer));",
    );
    visit.browser.wait("document.querySelector('.result .value')?.textContent === 'one'");
    let notes = "return [...document.querySelectorAll('.result .note')].map((note) => note.textContent).join()";
    assert_eq!(visit.browser.run(notes), "of the answer");
    visit.is_calm();
}

fn a_long_answer_is_shown_in_full_on_request() {
    let mut visit = Visit::start();
    visit.ask_example();
    visit.browser.run(
        "const towns = (count) => Array.from({ length: count }, (_, n) => `town ${n}`); \
         const answer = (count, shortened) => ({ question: 'which towns?', link: '/', milliseconds: 1, candidate_count: 1, shortened, \
           meanings: [{ answer: towns(count), confidence: 0.9, english: 'every town', steps: [], cells: [], used: [], columns: [] }] }); \
         import('/assets/answer.js').then(({ showAnswer }) => \
           showAnswer(document.getElementById('answer'), { mark() {} }, answer(40, true), async () => answer(50, false)));",
    );
    visit.browser.wait("document.querySelector('.result .value')?.textContent.includes('and 10 more')");
    visit.browser.click("#all");
    visit.browser.wait("document.querySelector('.result .value').textContent.endsWith('town 48, town 49')");
    visit.is_calm();
}

fn upload_a_file_whose_text_is_not_html() {
    let mut visit = Visit::start();
    let file = std::env::temp_dir().join(format!("tabwise-upload-{}.csv", std::process::id()));
    let evil = "<img src=x onerror=\"document.title='owned'\"><b>bold</b>";
    std::fs::write(&file, format!("Name,<i>Size</i>\n\"{}\",3\nplain,4\n", evil.replace('"', "\"\""))).unwrap();
    visit.browser.keys("#file", file.to_str().unwrap());
    visit.browser.find("#grid td");
    assert!(visit.browser.text("#table-name").starts_with("tabwise-upload"));
    assert_eq!(visit.browser.text("#grid td"), evil, "the cell is shown as it is written");
    assert_eq!(visit.browser.text("#grid thead th:nth-child(3)"), "<i>Size</i>");
    visit.browser.keys("#question", "what is the size of plain <u>?\n");
    visit.browser.find(".result");
    assert_eq!(visit.browser.run("return document.querySelectorAll('main b, main i, main u, main td img').length"), 0);
    assert_ne!(visit.browser.run("return document.title"), "owned");
    visit.browser.keep_picture("upload");
    visit.is_calm();
    std::fs::remove_file(file).unwrap();
}

fn paste_a_table() {
    let mut visit = Visit::start();
    visit.browser.keys("#text", "City;Year\nAthens;1896\nParis;1900\n");
    visit.browser.click("#paste button");
    visit.browser.wait("document.querySelectorAll('#grid tbody tr').length === 2");
    assert_eq!(visit.browser.text("#table-size"), "2 rows, 2 columns");
    visit.browser.keep_picture("paste");
}

fn drop_a_file_or_paste_cells_anywhere() {
    let mut visit = Visit::start();
    visit.browser.run(
        "window.held = new DataTransfer(); held.items.add(new File(['City,Year\\nAthens,1896\\n'], 'games.csv')); \
         window.send = (name) => dispatchEvent(new DragEvent(name, { dataTransfer: held, cancelable: true })); \
         send('dragenter');",
    );
    visit.browser.wait("!document.getElementById('veil').hidden");
    visit.browser.keep_picture("drop");
    visit.browser.run("send('drop')");
    visit.browser.wait("document.getElementById('table-name').textContent === 'games.csv'");
    assert_eq!(visit.browser.run("return document.getElementById('veil').hidden"), true);
    visit.browser.run(
        "document.activeElement.blur(); const cells = new DataTransfer(); \
         cells.setData('text/html', '<table><tr><th>Lake<th>Depth<tr><td>Baikal<td>1642</table>'); \
         document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: cells, bubbles: true }));",
    );
    visit.browser.wait("document.querySelector('#grid td')?.textContent === 'Baikal'");
    visit.is_calm();
}

fn an_unsure_answer_looks_unsure() {
    let mut visit = Visit::with(&["--min-confidence", "1"]);
    visit.browser.click(".example");
    visit.browser.click(".chip");
    visit.browser.find(".result.unsure .value");
    assert!(visit.browser.text(".result").contains("I don’t know, but my guess would be"));
    visit.browser.keep_picture("unsure");
}

fn read_another_table_of_a_page() {
    let mut visit = Visit::start();
    let page = "<table><tr><th>City<th>Year<tr><td>Athens<td>1896<tr><td>Paris<td>1900</table>\
                <table><tr><th>Lake<th>Depth<tr><td>Baikal<td>1642</table>";
    visit.browser.keys("#text", page);
    visit.browser.click("#paste button");
    visit.browser.wait("document.querySelectorAll('#grid tbody tr').length === 2");
    visit.browser.click("#reading summary");
    visit.browser.keys("#again [name=table]", "1");
    visit.browser.click("#again button");
    visit.browser.wait("document.querySelector('#grid td')?.textContent === 'Baikal'");
    visit.browser.keep_picture("another");
    visit.browser.run("document.querySelector('#again [name=orientation]').value = 'columns'");
    visit.browser.click("#again button");
    visit.browser.wait("document.querySelector('#grid td')?.textContent === 'Depth'");
    visit.browser.wait("document.querySelector('#notes ul').textContent.includes('turned the table')");
}

fn an_error_is_one_sentence() {
    let mut visit = Visit::start();
    visit.browser.keys("#text", "<html><p>no table here</p></html>");
    visit.browser.click("#paste button");
    visit.browser.wait("!document.getElementById('error').hidden");
    assert!(visit.browser.text("#error").contains("no table"), "{}", visit.browser.text("#error"));
    visit.browser.keep_picture("error");
    visit.browser.click(".example");
    visit.browser.wait("document.getElementById('error').hidden");
}

fn dark_mode_follows_the_system() {
    let mut visit = Visit::start();
    visit.browser.prefer("dark");
    visit.ask_example();
    let ground = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)";
    let ground = visit.browser.run(ground);
    assert!(ground.as_array().unwrap().iter().all(|part| part.as_u64() < Some(60)), "the ground is dark: {ground}");
    visit.browser.keep_picture("dark");
}

fn phone_width_has_no_sideways_scroll() {
    let mut visit = Visit::start();
    visit.browser.resize(375, 780);
    visit.browser.keep_picture("phone-start");
    visit.ask_example();
    let wide = visit.browser.run("return document.documentElement.scrollWidth");
    assert!(wide.as_u64() <= Some(375), "the page is {wide} wide");
    visit.browser.keep_picture("phone");
}

fn everything_works_with_the_keyboard() {
    let mut visit = Visit::start();
    visit.browser.run("document.querySelector('.example').focus()");
    visit.browser.keys(".example", "\u{e007}");
    visit.browser.find("#grid td");
    visit.browser.wait("document.activeElement.id === 'question'");
    visit.browser.run("document.activeElement.blur()");
    visit.browser.keys("body", "/");
    visit.browser.wait("document.activeElement.id === 'question'");
    visit.browser.keys("#question", "which city was last?\u{e007}");
    visit.browser.find(".result");
    let reachable =
        "return [...document.querySelectorAll('.step, .meaning, #copy, #change, #grid')].every(e => e.tabIndex >= 0)";
    assert_eq!(visit.browser.run(reachable), true);
    visit.browser.keep_picture("keyboard");
}

fn a_hundred_thousand_rows_do_not_freeze_the_page() {
    let mut visit = Visit::start();
    let file = std::env::temp_dir().join(format!("tabwise-long-{}.csv", std::process::id()));
    let rows = (0..100_000).map(|n| format!("{n},name {n},{},{}\n", n % 97, 1900 + n % 120));
    std::fs::write(&file, std::iter::once("id,name,points,year\n".to_owned()).chain(rows).collect::<String>()).unwrap();
    visit.browser.keys("#file", file.to_str().unwrap());
    visit.browser.wait("document.getElementById('table-size').textContent.startsWith('100,000 rows')");
    // The longest time between two frames, while the table is scrolled from its start to its end.
    visit.browser.run(
        "const grid = document.getElementById('grid'); window.longest = 0; let last = performance.now(), at = 0; \
         const frame = (now) => { window.longest = Math.max(window.longest, now - last); last = now; \
           grid.scrollTop = grid.scrollHeight * (++at / 60); if (at < 60) requestAnimationFrame(frame); else window.done = true; }; \
         requestAnimationFrame(frame);",
    );
    visit.browser.wait("window.done");
    let longest = visit.browser.run("return window.longest").as_f64().unwrap();
    assert!(longest < 250.0, "a frame took {longest} ms");
    visit.browser.wait("document.getElementById('grid').textContent.includes('name 99999')");
    let elements = visit.browser.run("return document.querySelectorAll('#grid tr').length").as_u64().unwrap();
    assert!(elements < 200, "{elements} rows are elements");
    visit.browser.keep_picture("long");
    println!("longest frame while scrolling 100,000 rows: {longest:.0} ms");
    std::fs::remove_file(file).unwrap();
}

fn a_table_has_an_address_that_survives_a_reload() {
    let mut visit = Visit::start();
    visit.upload("reload", "Name,Team,Points\nAda,Red,3\nBo,Blue,5\nCy,Red,8\nDi,Blue,4\n");
    assert!(visit.browser.address().contains("/t/"));
    visit.browser.find(".chip");
    visit.ask("which Name has the highest Points?");
    let answer = visit.browser.text(".result .value");
    visit.browser.run("location.reload()");
    visit.browser.wait(&format!("document.querySelector('.result .value')?.textContent === '{answer}'"));
    visit.browser.find("#former:not([hidden])");
    visit.browser.run("history.back()");
    visit.browser.wait("document.querySelector('.invitation') && document.querySelector('#grid td')");
    visit.browser.open(&format!("http://{}/nothing/here", visit.server.address));
    visit.browser.wait("document.getElementById('error').textContent.startsWith('There is nothing at this address')");
}

fn a_table_that_was_asked_about_before_is_described() {
    let mut visit = Visit::start();
    let csv = "Lake,Depth\nBaikal,1642\nTanganyika,1470\n";
    let asked = serde_json::json!({ "table": { "csv": csv }, "question": "which lake is last?" });
    let mut client = Client::new(visit.server.address);
    assert_eq!(client.post("/api/ask", &asked).status, 200);
    visit.browser.keys("#text", csv);
    visit.browser.click("#paste button");
    visit.browser.find("#suggestions .chip");
}

fn the_sheet_is_picked_from_a_list() {
    let mut visit = Visit::start();
    let page = "<h2>Cities</h2><table><tr><th>City<th>Year<tr><td>Athens<td>1896<tr><td>Paris<td>1900</table>\
                <h2>Lakes</h2><table><tr><th>Lake<th>Depth<tr><td>Baikal<td>1642</table>";
    visit.browser.keys("#text", page);
    visit.browser.click("#paste button");
    visit.browser.find("#choices:not([hidden])");
    visit.browser.run(
        "const pick = document.querySelector('#choices select'); pick.value = '1'; \
         pick.dispatchEvent(new Event('change', { bubbles: true }));",
    );
    visit.browser.wait("document.querySelector('#grid td')?.textContent === 'Baikal'");
    assert_eq!(visit.browser.run("return document.querySelector('#choices select').value"), "1");
    assert_eq!(visit.browser.text("#table-size"), "Lakes · 1 row, 2 columns");
    // The page cannot read the file again without it.
    let address = visit.browser.address();
    visit.open("/");
    visit.browser.open(&address);
    visit.browser.wait("document.querySelector('#grid td')?.textContent === 'Baikal'");
    assert_eq!(visit.browser.run("return document.getElementById('choices').hidden"), true);
    visit.is_calm();
}

fn columns_that_fit_need_no_scrolling() {
    let mut visit = Visit::start();
    let rows: String = (0..400).map(|row| format!("{row},Land {row},{}\n", row * 7)).collect();
    visit.upload("narrow", &format!("Number,Name,Size\n{rows}"));
    let room = "const grid = document.getElementById('grid'); return grid.scrollWidth - grid.clientWidth";
    assert_eq!(visit.browser.run(room), 0);
    visit.browser.resize(1100, 860);
    visit.browser.wait("document.getElementById('grid').scrollWidth === document.getElementById('grid').clientWidth");
    visit.browser.keep_picture("narrow");
}

/// Counts the cells in sight whose text does not fit.
const CUT: &str = "return [...document.querySelectorAll('#grid td, #grid th')]\
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflow !== 'visible').length";

/// A CSV with a country and a number for each of 59 years in a row; the numbers grow longer further down.
fn sixty_columns(rows: usize) -> String {
    let names = (0..60).map(|n| if n == 0 { "Country".into() } else { format!("y{}", 1959 + n) });
    let cell = |row: usize, n: usize| {
        if n == 0 { format!("Land {row}") } else { (row * 37 % (row + 600) * n % 100_000).to_string() }
    };
    let rows = (0..rows).map(|row| (0..60).map(|n| cell(row, n)).collect::<Vec<_>>().join(","));
    std::iter::once(names.collect::<Vec<String>>().join(",")).chain(rows).collect::<Vec<_>>().join("\n")
}

fn no_cell_of_a_wide_table_is_cut_and_the_proof_is_in_sight() {
    let mut visit = Visit::start();
    visit.upload("wide", &sixty_columns(400));
    visit.ask("which country has the highest y2015?");
    visit.browser.find("td.is-answer");
    assert_eq!(visit.browser.run(CUT), 0);
    let in_sight = "const grid = document.getElementById('grid').getBoundingClientRect(); \
        return ['td.is-answer', 'td.is-used'].map((mark) => [...document.querySelectorAll(`#grid ${mark}`)].some((cell) => { \
          const box = cell.getBoundingClientRect(); \
          return box.left >= grid.left - 1 && box.right <= grid.right + 1 && box.top >= grid.top && box.bottom <= grid.bottom + 1; })).join()";
    assert_eq!(visit.browser.run(in_sight), "true,true", "both the name and the number that decided are in sight");
    let in_place = "return [...document.querySelectorAll('#grid td.is-answer, #grid td.is-used')].every((cell) => { \
        const name = document.querySelectorAll('#grid thead th')[cell.cellIndex].getBoundingClientRect(); \
        return Math.abs(cell.getBoundingClientRect().left - name.left) < 2; })";
    assert_eq!(visit.browser.run(in_place), true, "marked cells stand below the names of their columns");
    visit.browser.click(".step");
    visit.browser.wait("document.querySelector('td.is-step')");
    visit.browser.keep_picture("wide");
}

fn no_cell_of_a_hundred_thousand_rows_and_sixty_columns_is_cut() {
    let mut visit = Visit::with(&["--max-cells", "7000000", "--max-body", "64000000", "--max-time", "300"]);
    let file = std::env::temp_dir().join(format!("tabwise-large-{}.csv", std::process::id()));
    std::fs::write(&file, sixty_columns(100_000)).expect("a file can be written");
    visit.browser.keys("#file", file.to_str().expect("the path is text"));
    let is_open = "document.getElementById('table-size').textContent.startsWith('100,000 rows')";
    visit.browser.wait_for(is_open, Duration::from_secs(300));
    std::fs::remove_file(file).expect("the file is there");
    for (down, across, last) in [(0.0, 0.0, "Land 1"), (0.5, 0.4, "Land 50010"), (1.0, 1.0, "Land 99999")] {
        visit.browser.run(&format!(
            "const grid = document.getElementById('grid'); \
             grid.scrollTop = {down} * (grid.scrollHeight - grid.clientHeight); \
             grid.scrollLeft = {across} * (grid.scrollWidth - grid.clientWidth);"
        ));
        visit.browser.wait(&format!("document.getElementById('grid').textContent.includes('{last}')"));
        assert_eq!(visit.browser.run(CUT), 0, "at {down} of the rows and {across} of the columns");
    }
    visit.browser.keep_picture("large");
    visit.is_calm();
}

fn rows_are_sorted_and_found() {
    let mut visit = Visit::start();
    visit.upload("sorted", &sixty_columns(400));
    let first = "document.querySelector('#grid tbody tr:not(.spacer)')";
    visit.browser.click("[data-column='0'] .sort");
    visit.browser.wait("document.querySelector('[data-column=\"0\"][aria-sort=ascending]')");
    visit.browser.click("[data-column='0'] .sort");
    visit.browser.wait("document.querySelector('[data-column=\"0\"][aria-sort=descending]')");
    visit.browser.wait(&format!("{first}.dataset.row === '99'"));
    visit.browser.keys("#find", "LAND 30");
    visit.browser.wait("document.getElementById('found').textContent === '11 of 400 rows'");
    assert_eq!(visit.browser.run(&format!("return {first}.dataset.row")), "309");
    visit.browser.find("td.is-found");
    visit.browser.keep_picture("found");
    visit.ask("which country has the highest y2015?");
    visit.browser.find("td.is-answer");
    assert_eq!(visit.browser.run("return document.getElementById('find').value"), "", "an answer shows all rows");
    visit.is_calm();
}

fn groups_are_drawn_and_saved() {
    let mut visit = Visit::start();
    visit.upload(
        "groups",
        "Origin,Delay,Day\nEWR,17,01.02.2024\nJFK,-3,02.02.2024\nEWR,16,03.02.2024\nJFK,4,04.02.2024\n\
        EWR,18,05.02.2024\nLGA,9,06.02.2024\nLGA,3,07.02.2024\n",
    );
    let numeric =
        "return [...document.querySelectorAll('#grid thead .is-number')].map((name) => name.textContent).join()";
    assert_eq!(visit.browser.run(numeric), "Delay", "days are no numbers");
    visit.ask("what is the average delay for each origin?");
    visit.browser.find(".groups td.is-number");
    visit.browser.find("svg.chart[role=img] .chart-bar");
    visit.browser.find("#csv");
    // The files that the page would save.
    visit.browser.run(
        "window.saved = []; const make = URL.createObjectURL; \
         URL.createObjectURL = (file) => { window.saved.push(`${file.type} ${file.size > 50}`); return make(file); }",
    );
    visit.browser.click("#csv");
    visit.browser.click("#png");
    visit.browser.wait("window.saved.join() === 'text/csv true,image/png true'");
    visit.browser.keep_picture("groups");
    visit.is_calm();
}

fn a_phone_shows_the_cells_under_the_answer() {
    let mut visit = Visit::start();
    visit.browser.resize(390, 780);
    visit.ask_example();
    visit.browser.wait("document.querySelector('.picture td.is-answer')?.getBoundingClientRect().width > 0");
    visit.browser.keep_picture("phone-cells");
    assert_eq!(visit.browser.run("return document.querySelectorAll('.picture .hint').length"), 0, "no row is left out");
    // A step shows its own cells there.
    visit.browser.click(".step");
    visit.browser.wait(
        "document.querySelectorAll('.picture tbody tr').length === 2 && document.querySelector('.picture td.is-step')",
    );
    visit.browser.keep_picture("phone-step");
    visit.browser.run("document.activeElement.blur()");
    visit.browser.wait("document.querySelectorAll('.picture tbody tr').length === 1 && document.querySelector('.picture td.is-answer')");
    visit.ask("how many games were in each country?");
    visit
        .browser
        .wait("document.querySelector('.picture .hint')?.textContent === 'and 23 more rows in the table below'");
}

fn an_answer_is_corrected_and_taken_back() {
    let mut visit = Visit::start();
    visit.upload("teach", "City,Year\nAthens,1896\nParis,1900\nRome,1960\n");
    visit.ask("which city was last?");
    let before = visit.browser.text(".result .value");
    visit.browser.click("#wrong");
    visit.browser.keep_picture("wrong");
    visit.browser.keys("#right-answer", "Athens\n");
    visit.browser.find("#undo");
    assert_eq!(visit.browser.text(".result .value"), "Athens");
    visit.browser.keep_picture("corrected");
    visit.ask("which city was last?");
    visit.browser.find("#undo");
    assert_eq!(visit.browser.text(".result .value"), "Athens", "it is remembered");
    visit.browser.click("#undo");
    visit.browser.find("#right");
    assert_eq!(visit.browser.text(".result .value"), before, "it is taken back");
    visit.browser.click("#right");
    visit.browser.find("#undo");
    assert_eq!(visit.browser.text(".result .value"), before, "it is right");
    visit.browser.click("#undo");
    visit.browser.find("#right");
    // One click makes another interpretation the right one.
    visit.ask("how many more years was Rome than Athens?");
    if visit.browser.run("return document.querySelectorAll('.this-one').length").as_u64() > Some(0) {
        let other = visit.browser.text(".meaning-value");
        visit.browser.click(".this-one");
        visit.browser.find("#undo");
        assert_eq!(visit.browser.text(".result .value"), other);
    }
    visit.is_calm();
}

/// Runs axe, the checker of accessibility, on the page as it is; `AXE` is the path of its script. Returns what is serious.
fn complaints_of_axe(visit: &mut Visit, script: &str) -> Vec<String> {
    visit.browser.run(script);
    visit.browser.run(
        "window.checked = null; axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }) \
           .then((result) => { window.checked = result.violations.filter((one) => ['serious', 'critical'].includes(one.impact)) \
             .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`); });",
    );
    visit.browser.wait("window.checked");
    let found = visit.browser.run("return window.checked");
    found.as_array().expect("a list").iter().map(|one| one.as_str().unwrap_or_default().to_owned()).collect()
}

/// A state of the page: its name, and how it is reached from the start.
type State = (&'static str, fn(&mut Visit));

fn axe_finds_nothing_serious() {
    let path = std::env::var_os("AXE").expect("without it the test is ignored");
    let script = std::fs::read_to_string(path).expect("AXE is a file");
    let mut visit = Visit::start();
    let states: [State; 11] = [
        ("start", |_| {}),
        ("table", |visit| visit.upload("axe", "Name,Team,Points\nAda,Red,3\nBo,Blue,5\nCy,Red,8\nDi,Blue,4\n")),
        ("answer", |visit| visit.ask_example()),
        ("wrong", |visit| {
            visit.ask_example();
            visit.browser.click("#wrong");
        }),
        ("corrected", |visit| {
            visit.upload("axe-corrected", "City,Year\nAthens,1896\nParis,1900\n");
            visit.ask("which city was last?");
            visit.browser.click("#right, #undo");
            visit.browser.find("#undo, #right");
        }),
        ("unused", |visit| {
            visit.ask_example();
            visit.ask("what is the capital of Greece?");
        }),
        ("unknown", |visit| {
            visit.ask_example();
            visit.ask("hello");
        }),
        ("groups", |visit| {
            visit.ask_example();
            visit.ask("how many games were in each country?");
        }),
        ("found", |visit| {
            visit.ask_example();
            visit.browser.click("[data-column='3'] .sort");
            visit.browser.keys("#find", "london");
            visit.browser.wait("document.getElementById('found').textContent.startsWith('3 ')");
            // On a phone, the question stays above what is scrolled under it, which axe takes for a small target.
            visit.browser.run("scrollTo(0, 0)");
        }),
        ("error", |visit| {
            visit.browser.keys("#text", "<html><p>no table here</p></html>");
            visit.browser.click("#paste button");
            visit.browser.wait("!document.getElementById('error').hidden");
        }),
        ("api", |visit| {
            visit.browser.open(&format!("http://{}/api", visit.server.address));
            visit.browser.find(".operation");
        }),
    ];
    let mut found = Vec::new();
    for mode in ["light", "dark"] {
        for width in [390, 1280] {
            visit.browser.prefer(mode);
            visit.browser.resize(width, 860);
            for (name, reach) in &states {
                visit.open("/");
                reach(&mut visit);
                visit.browser.keep_picture(&format!("axe-{name}-{mode}-{width}"));
                let complaints = complaints_of_axe(&mut visit, &script);
                found.extend(complaints.into_iter().map(|one| format!("{name}, {mode}, {width} px: {one}")));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

//! The page in a real browser, driven like a user would. Screenshots are kept in `target/screenshots`. The tests are
//! skipped, with a message, unless Chromium and ChromeDriver are installed.

mod support;

use support::Server;
use support::driver::{Browser, installed};

/// A browser that shows the start page, and the server behind it.
struct Visit {
    browser: Browser,
    server: Server,
}

impl Visit {
    fn start() -> Option<Visit> {
        Visit::with(&[])
    }

    /// Starts the server with more arguments.
    fn with(arguments: &[&str]) -> Option<Visit> {
        let Some(driver) = installed() else {
            eprintln!("SKIPPED: no chromium and chromedriver are installed; the page was not tested in a browser");
            return None;
        };
        let server = Server::start(arguments);
        let mut browser = Browser::start(&driver);
        browser.resize(1280, 860);
        browser.prefer("light");
        let mut visit = Visit { browser, server };
        visit.open("/");
        Some(visit)
    }

    fn open(&mut self, path: &str) {
        self.browser.open(&format!("http://{}{path}", self.server.address));
        self.browser.find(".example");
    }

    /// Opens the first example and asks its first question.
    fn ask_example(&mut self) {
        self.browser.click(".example");
        self.browser.click(".chip");
        self.browser.find(".result .value");
    }

    /// Checks the browser's log: it has errors that the page does not show, such as scripts blocked by the security
    /// policy.
    fn is_calm(&mut self) {
        let complaints = self.browser.complaints();
        assert!(complaints.is_empty(), "the browser complains: {complaints:#?}");
    }
}

#[test]
fn ask_and_see_why() {
    let Some(mut visit) = Visit::start() else { return };
    visit.browser.keep_picture("start");
    visit.browser.click(".example");
    visit.browser.find("#grid td");
    let question = "Greece held its last Summer Olympics in which year?";
    visit.browser.keys("#question", &format!("{question}\n"));
    visit.browser.wait("document.querySelector('.result .value, .result .doubt')");
    assert!(visit.browser.text(".asked").contains("Summer Olympics"));
    assert!(!visit.browser.text(".english").is_empty());
    assert!(visit.browser.address().contains("/q/"), "the question has an address");
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
#[test]
fn screenshot_of_the_readme() {
    let Some(mut visit) = Visit::start() else { return };
    visit.browser.resize(1320, 800);
    visit.browser.click(".examples li:nth-child(2) .example");
    visit.browser.click(".chip");
    visit.browser.find(".result");
    visit.browser.keep_picture("page");
}

#[test]
fn a_link_shows_the_same_answer_again() {
    let Some(mut visit) = Visit::start() else { return };
    visit.ask_example();
    let (address, before) = (visit.browser.address(), visit.browser.text(".result .value"));
    visit.open("/");
    visit.browser.open(&address);
    assert_eq!(visit.browser.text(".result .value"), before);
    visit.browser.keep_picture("link");
    visit.browser.open(&address.replace("/q/", "/q/no"));
    visit.browser.wait("!document.getElementById('error').hidden");
    assert!(visit.browser.text("#error").contains("link is not known"));
}

#[test]
fn switch_to_another_interpretation() {
    let Some(mut visit) = Visit::start() else { return };
    visit.ask_example();
    visit.browser.wait("document.querySelectorAll('.meaning').length > 1");
    let before = visit.browser.text(".result .value");
    visit.browser.click(".meanings li:nth-child(2) .meaning");
    visit.browser.wait("document.querySelectorAll('.meaning')[1].getAttribute('aria-pressed') === 'true'");
    assert_ne!(visit.browser.text(".result .value"), before);
    visit.browser.keep_picture("meaning");
    visit.is_calm();
}

#[test]
fn a_long_answer_is_shown_in_full_on_request() {
    let Some(mut visit) = Visit::start() else { return };
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

#[test]
fn upload_a_file_whose_text_is_not_html() {
    let Some(mut visit) = Visit::start() else { return };
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

#[test]
fn paste_a_table() {
    let Some(mut visit) = Visit::start() else { return };
    visit.browser.keys("#text", "City;Year\nAthens;1896\nParis;1900\n");
    visit.browser.click("#paste button");
    visit.browser.wait("document.querySelectorAll('#grid tbody tr').length === 2");
    assert_eq!(visit.browser.text("#table-size"), "2 rows, 2 columns");
    visit.browser.keep_picture("paste");
}

#[test]
fn drop_a_file_or_paste_cells_anywhere() {
    let Some(mut visit) = Visit::start() else { return };
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

#[test]
fn an_unsure_answer_looks_unsure() {
    let Some(mut visit) = Visit::with(&["--min-confidence", "1"]) else { return };
    visit.browser.click(".example");
    visit.browser.click(".chip");
    visit.browser.find(".result.unsure .value");
    assert!(visit.browser.text(".result").contains("I don’t know, but my guess would be"));
    visit.browser.keep_picture("unsure");
}

#[test]
fn read_another_table_of_a_page() {
    let Some(mut visit) = Visit::start() else { return };
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

#[test]
fn an_error_is_one_sentence() {
    let Some(mut visit) = Visit::start() else { return };
    visit.browser.keys("#text", "<html><p>no table here</p></html>");
    visit.browser.click("#paste button");
    visit.browser.wait("!document.getElementById('error').hidden");
    assert!(visit.browser.text("#error").contains("no table"), "{}", visit.browser.text("#error"));
    visit.browser.keep_picture("error");
    visit.browser.click(".example");
    visit.browser.wait("document.getElementById('error').hidden");
}

#[test]
fn dark_mode_follows_the_system() {
    let Some(mut visit) = Visit::start() else { return };
    visit.browser.prefer("dark");
    visit.ask_example();
    let ground = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)";
    let ground = visit.browser.run(ground);
    assert!(ground.as_array().unwrap().iter().all(|part| part.as_u64() < Some(60)), "the ground is dark: {ground}");
    visit.browser.keep_picture("dark");
}

#[test]
fn phone_width_has_no_sideways_scroll() {
    let Some(mut visit) = Visit::start() else { return };
    visit.browser.resize(375, 780);
    visit.browser.keep_picture("phone-start");
    visit.ask_example();
    let wide = visit.browser.run("return document.documentElement.scrollWidth");
    assert!(wide.as_u64() <= Some(375), "the page is {wide} wide");
    visit.browser.keep_picture("phone");
}

#[test]
fn everything_works_with_the_keyboard() {
    let Some(mut visit) = Visit::start() else { return };
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

#[test]
fn a_hundred_thousand_rows_do_not_freeze_the_page() {
    let Some(mut visit) = Visit::start() else { return };
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

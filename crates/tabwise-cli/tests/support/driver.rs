//! A browser, driven over the WebDriver protocol: ChromeDriver is started on a free port and opens a headless Chromium. It
//! is our own because the crates for it are asynchronous and bring some forty crates (`thirtyfour`) or sixty (`fantoccini`)
//! of their own for a dozen commands of one line each.

use super::http::Client;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Key of an element's id in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Maximum time for the page to change.
const PATIENCE: Duration = Duration::from_secs(20);

/// A browser with one window; it ends with the test.
pub struct Browser {
    driver: Child,
    client: Client,
    session: String,
    /// Profile folder of the browser.
    folder: PathBuf,
}

/// An element of the page.
pub struct Element(String);

/// The program that drives a browser, if it and a browser are installed.
pub fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let find = |names: &[&str]| {
        std::env::split_paths(&path)
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
            .find(|file| file.is_file())
    };
    find(&["chromium", "chromium-browser", "google-chrome"])?;
    find(&["chromedriver"])
}

/// Number of attempts to start the driver, which ends at once if another takes the same free port at the same moment.
const TRIES: usize = 5;

/// Starts the driver and returns its port; `None` if it ended before it had one.
fn start_driver(driver: &Path) -> Option<(Child, u16)> {
    let mut command = Command::new(driver);
    command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut driver = command.spawn().expect("the driver is a program");
    let mut said = BufReader::new(driver.stdout.take().expect("it is piped"));
    let port = loop {
        let mut line = String::new();
        if said.read_line(&mut line).expect("it says its port") == 0 {
            driver.wait().expect("it ended");
            return None;
        }
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            break port.trim().trim_end_matches('.').parse::<u16>().expect("a port is a number");
        }
    };
    std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
    Some((driver, port))
}

impl Browser {
    /// Starts a browser.
    pub fn start(driver: &Path) -> Browser {
        let (driver, port) = (0..TRIES).find_map(|_| start_driver(driver)).expect("the driver starts");
        let folder = std::env::temp_dir().join(format!("tabwise-browser-{}-{port}", std::process::id()));
        let mut client = Client::new(([127, 0, 0, 1], port).into());
        let mut said = Value::Null;
        // A browser may fail to start on a busy machine.
        let session = (0..TRIES).find_map(|_| {
            said = client.post("/session", &capabilities(&folder)).json();
            said["value"]["sessionId"].as_str().map(str::to_owned)
        });
        let session = session.unwrap_or_else(|| panic!("no session: {said}"));
        Browser { driver, client, session, folder }
    }

    fn command(&mut self, method: &str, path: &str, body: Value) -> Value {
        let path = format!("/session/{}/{path}", self.session);
        let headers = [("content-type", "application/json")];
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let response = self.client.send(method, &path, &headers, body.as_bytes()).expect("the driver answers");
        let mut value = response.json();
        assert_eq!(response.status, 200, "{path}: {}", value["value"]["message"]);
        value["value"].take()
    }

    /// Opens an address.
    pub fn open(&mut self, address: &str) {
        self.command("POST", "url", json!({ "url": address }));
    }

    /// The address that is open.
    pub fn address(&mut self) -> String {
        self.command("GET", "url", Value::Null).as_str().unwrap_or_default().to_owned()
    }

    /// Makes the page this wide and high.
    pub fn resize(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.chrome("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Sets the preferred colour scheme, "dark" or "light".
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.chrome("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    fn chrome(&mut self, name: &str, parameters: Value) {
        self.command("POST", "goog/cdp/execute", json!({ "cmd": name, "params": parameters }));
    }

    /// Runs a script in the page and gives what it returns.
    pub fn run(&mut self, script: &str) -> Value {
        self.command("POST", "execute/sync", json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression of the page is true.
    pub fn wait(&mut self, expression: &str) {
        self.wait_for(expression, PATIENCE);
    }

    /// Waits for at most some time until an expression of the page is true.
    pub fn wait_for(&mut self, expression: &str, time: Duration) {
        let start = Instant::now();
        while self.run(&format!("return Boolean({expression})")) != Value::Bool(true) {
            assert!(start.elapsed() < time, "this never came true: {expression}");
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    /// The first element that a CSS selector finds; it may take a while to appear.
    pub fn find(&mut self, selector: &str) -> Element {
        self.wait(&format!("document.querySelector({})", json!(selector)));
        let found = self.command("POST", "element", json!({ "using": "css selector", "value": selector }));
        Element(found[ELEMENT].as_str().expect("an element").to_owned())
    }

    pub fn click(&mut self, selector: &str) {
        let Element(id) = self.find(selector);
        self.command("POST", &format!("element/{id}/click"), json!({}));
    }

    /// Types into an element; for a file input, the path of a file.
    pub fn keys(&mut self, selector: &str, text: &str) {
        let Element(id) = self.find(selector);
        self.command("POST", &format!("element/{id}/value"), json!({ "text": text }));
    }

    /// The visible text of an element.
    pub fn text(&mut self, selector: &str) -> String {
        let Element(id) = self.find(selector);
        self.command("GET", &format!("element/{id}/text"), Value::Null).as_str().unwrap_or_default().to_owned()
    }

    /// Moves the pointer over an element.
    pub fn point(&mut self, selector: &str) {
        let Element(id) = self.find(selector);
        let origin = json!({ ELEMENT: id });
        let step = json!({ "type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin });
        let mouse =
            json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [step] });
        self.command("POST", "actions", json!({ "actions": [mouse] }));
    }

    /// Entries of the browser's log since the last call.
    pub fn complaints(&mut self) -> Vec<String> {
        let log = self.command("POST", "se/log", json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries.iter().filter_map(|entry| entry["message"].as_str().map(str::to_owned)).collect()
    }

    /// Saves a screenshot as `target/screenshots/NAME.png`.
    pub fn keep_picture(&mut self, name: &str) {
        let picture = self.command("GET", "screenshot", Value::Null);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("screenshots");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let bytes = base64(picture.as_str().unwrap_or_default());
        assert!(bytes.starts_with(b"\x89PNG"), "the picture is a PNG");
        std::fs::write(folder.join(name).with_extension("png"), bytes).expect("the picture can be kept");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        let _ = self.client.send("DELETE", &path, &[], b"");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Options for a headless browser that makes no requests of its own.
fn capabilities(folder: &Path) -> Value {
    let mut args: Vec<String> = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
    ]
    .map(str::to_owned)
    .to_vec();
    args.push(format!("--user-data-dir={}", folder.display()));
    json!({ "capabilities": { "alwaysMatch": {
        "browserName": "chrome",
        "goog:chromeOptions": { "args": args },
        "goog:loggingPrefs": { "browser": "ALL" },
    } } })
}

/// The bytes of a text in base 64.
fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<u32> =
        text.bytes().filter_map(|c| LETTERS.iter().position(|l| *l == c)).map(|d| d as u32).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    });
    bytes.collect()
}

//! A real Chromium, driven by its own driver over the `WebDriver` protocol: a few JSON messages, no
//! library between.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long a page may take.
pub(crate) fn patience() -> Duration {
    yardstick::patience(Duration::from_secs(60))
}

/// The driver process; it ends with the test.
pub(crate) struct Driver {
    process: Child,
    port: u16,
}

/// One browser with its own cookies.
pub(crate) struct Browser<'a> {
    driver: &'a Driver,
    session: String,
}

impl Driver {
    /// Starts the driver, if this machine has one.
    pub(crate) fn start() -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let process = Command::new("chromedriver")
            .arg(format!("--port={free}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let driver = Self { process, port: free };
        let start = Instant::now();
        while start.elapsed() < patience() {
            if TcpStream::connect(("127.0.0.1", free)).is_ok() {
                return Some(driver);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        None
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(patience())).expect("a timeout");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .expect("the driver reads");
        let mut answer = Vec::new();
        // The driver may keep the connection: the length says where the answer ends.
        let mut chunk = [0; 65536];
        loop {
            let read = stream.read(&mut chunk).unwrap_or(0);
            answer.extend_from_slice(&chunk[..read]);
            if read == 0 || whole(&answer) {
                break;
            }
        }
        let text = String::from_utf8_lossy(&answer);
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let value: Value = serde_json::from_str(body).unwrap_or(Value::Null);
        value["value"].clone()
    }

    /// Opens a browser of this size and language.
    pub(crate) fn browser(&self, width: u32, height: u32, lang: &str) -> Browser<'_> {
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                format!("--window-size={width},{height}"), format!("--accept-lang={lang}")],
            "prefs": { "intl.accept_languages": lang },
        });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } } } });
        let made = self.send("POST", "/session", &wanted);
        let session =
            made["sessionId"].as_str().unwrap_or_else(|| unreachable!("no session: {made}")).to_owned();
        let browser = Browser { driver: self, session };
        browser.resize(width, height);
        browser
    }
}

fn whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let start = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| at + 4);
    length.is_some_and(|length| answer.len() >= start + length)
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Browser<'_> {
    fn drop(&mut self) {
        self.driver.send("DELETE", &format!("/session/{}", self.session), &json!({}));
    }
}

impl Browser<'_> {
    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        self.driver.send("POST", &format!("/session/{}/{path}", self.session), body)
    }

    pub(crate) fn go(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Runs a script in the page; `arguments[0]` is the argument.
    pub(crate) fn run(&self, script: &str, argument: &Value) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [argument] }))
    }

    /// Runs a script that answers later, by its last argument.
    pub(crate) fn run_async(&self, script: &str, argument: &Value) -> Value {
        self.post("execute/async", &json!({ "script": script, "args": [argument] }))
    }

    /// Gives the window another size.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics);
    }

    fn element(&self, selector: &str) -> Option<String> {
        let found = self.post("element", &json!({ "using": "css selector", "value": selector }));
        found
            .as_object()?
            .values()
            .next()?
            .as_str()
            .map(str::to_owned)
            .filter(|_| found.get("error").is_none())
    }

    /// Waits until there is such an element.
    pub(crate) fn wait(&self, selector: &str) -> String {
        let start = Instant::now();
        loop {
            if let Some(element) = self.element(selector) {
                return element;
            }
            assert!(start.elapsed() < patience(), "no {selector}; {}", self.summary());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// What the page shows, in short.
    fn summary(&self) -> String {
        let parts = ["h1", ".turn", "#preview", "#answer", "#journal > li"];
        let text: String = parts.map(|part| self.text(part)).join(" | ");
        text.chars().take(600).collect()
    }

    /// Waits until a script says true.
    pub(crate) fn until(&self, what: &str, script: &str) {
        let start = Instant::now();
        while self.run(script, &Value::Null) != json!(true) {
            assert!(start.elapsed() < patience(), "not in time: {what}; {}", self.summary());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until what is looked at is there and the same twice in a row.
    pub(crate) fn until_at_rest(&self, seen: &mut Value, look: impl Fn() -> Value) {
        let start = Instant::now();
        loop {
            std::thread::sleep(Duration::from_millis(30));
            let now = look();
            if now == *seen && !now.is_null() {
                return;
            }
            assert!(start.elapsed() < patience(), "never at rest: {now}; {}", self.summary());
            *seen = now;
        }
    }

    /// A real click in the middle of the element.
    pub(crate) fn click(&self, selector: &str) {
        let start = Instant::now();
        loop {
            let element = self.wait(selector);
            let done = self.post(&format!("element/{element}/click"), &json!({}));
            if done.is_null() {
                return;
            }
            // What the page has renewed or moved meanwhile is looked for again.
            let moved =
                done["error"] == "stale element reference" || done["error"] == "element click intercepted";
            assert!(moved && start.elapsed() < patience(), "cannot click {selector}: {done}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// A real press of a key on what has the focus.
    pub(crate) fn press(&self, key: &str) {
        let actions = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": [
            { "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }] }] });
        self.post("actions", &actions);
    }

    /// A real press of a key while another is held.
    pub(crate) fn chord(&self, held: &str, key: &str) {
        let actions = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": [
            { "type": "keyDown", "value": held }, { "type": "keyDown", "value": key },
            { "type": "keyUp", "value": key }, { "type": "keyUp", "value": held }] }] });
        self.post("actions", &actions);
    }

    pub(crate) fn text(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
        self.run(script, &json!(selector)).as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn count(&self, selector: &str) -> u64 {
        self.run("return document.querySelectorAll(arguments[0]).length", &json!(selector))
            .as_u64()
            .unwrap_or(0)
    }

    /// What the browser complained of: scripts that failed, policies that were broken. What a busy
    /// machine puts off is asked for again by the page; that is no fault of it.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let logs = self.post("se/log", &json!({ "type": "browser" }));
        let list = logs.as_array().cloned().unwrap_or_default();
        list.iter()
            .filter(|entry| entry["level"] == "SEVERE")
            .filter_map(|entry| entry["message"].as_str().map(str::to_owned))
            .filter(|message| !message.contains("status of 503"))
            .collect()
    }

    /// Keeps a picture, where pictures are wanted: in the folder named, seen from the project's root.
    pub(crate) fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("GLACIS_SCREENSHOTS") else { return };
        let shot = self.devtools("Page.captureScreenshot", &json!({ "format": "png" }));
        let Some(data) = shot["data"].as_str() else { return };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = root.join(folder);
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        let file = folder.join(format!("{name}.png"));
        let written = std::fs::write(&file, base64(data));
        assert!(written.is_ok(), "{}: {written:?}", file.display());
    }

    pub(crate) fn night(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", &features);
    }
}

/// The bytes of a base64 text.
fn base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| -> u32 {
        match letter {
            b'A'..=b'Z' => u32::from(letter - b'A'),
            b'a'..=b'z' => u32::from(letter - b'a') + 26,
            b'0'..=b'9' => u32::from(letter - b'0') + 52,
            b'+' => 62,
            _ => 63,
        }
    };
    let letters: Vec<u8> =
        text.bytes().filter(|letter| !letter.is_ascii_whitespace() && *letter != b'=').collect();
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    for four in letters.chunks(4) {
        let word = four.iter().fold(0, |word, letter| word << 6 | value(*letter)) << (6 * (4 - four.len()));
        bytes.extend(word.to_be_bytes()[1..four.len()].iter());
    }
    bytes
}

//! A minimal HTTP client for tests: one kept connection, requests with a body, responses with a length.

use serde_json::Value;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON. Panics if it is not.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The sentence of a failure.
    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}

/// A connection to the server.
pub struct Client {
    address: SocketAddr,
    stream: Option<BufReader<TcpStream>>,
}

impl Client {
    pub fn new(address: SocketAddr) -> Client {
        Client { address, stream: None }
    }

    pub fn get(&mut self, path: &str) -> Response {
        self.send("GET", path, &[], b"").expect("a response")
    }

    pub fn post(&mut self, path: &str, body: &Value) -> Response {
        let body = body.to_string();
        self.send("POST", path, &[("content-type", "application/json")], body.as_bytes()).expect("a response")
    }

    /// Posts a form. A field with a file name is a file.
    pub fn form(&mut self, path: &str, fields: &[(&str, Option<&str>, &[u8])]) -> Response {
        let body = form(fields);
        self.send("POST", path, &[("content-type", FORM)], &body).expect("a response")
    }

    /// Sends a request and reads its response.
    pub fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Result<Response> {
        let mut head = format!("{method} {path} HTTP/1.1\r\ncontent-length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "host") {
            head += &format!("host: {}\r\n", self.address);
        }
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(connect(self.address)?),
        };
        // A server that turns a request away may do so before it has read all of it.
        let sent = stream.get_mut().write_all(format!("{head}\r\n").as_bytes());
        let sent = sent.and_then(|()| stream.get_mut().write_all(body));
        let response = read(&mut stream).map_err(|error| sent.err().unwrap_or(error))?;
        if response.header("connection") != Some("close") {
            self.stream = Some(stream);
        }
        Ok(response)
    }
}

const FORM: &str = "multipart/form-data; boundary=the-line-between";

fn form(fields: &[(&str, Option<&str>, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, file, bytes) in fields {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        body.extend(
            format!("--the-line-between\r\ncontent-disposition: form-data; name=\"{name}\"{file}\r\n\r\n").bytes(),
        );
        body.extend(*bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--the-line-between--\r\n");
    body
}

/// Connects, with timeouts.
pub fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    stream.set_write_timeout(Some(Duration::from_secs(60)))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Reads one response.
pub fn read(stream: &mut BufReader<TcpStream>) -> Result<Response> {
    let status = line(stream)?;
    let status = status.split(' ').nth(1).and_then(|code| code.parse().ok());
    let status = status.ok_or_else(|| Error::new(ErrorKind::InvalidData, "no status"))?;
    let mut headers = Vec::new();
    loop {
        let line = line(stream)?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut response = Response { status, headers, body: Vec::new() };
    let length = response.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    response.body = vec![0; length];
    stream.read_exact(&mut response.body)?;
    Ok(response)
}

fn line(stream: &mut BufReader<TcpStream>) -> Result<String> {
    let mut line = String::new();
    match stream.read_line(&mut line)? {
        0 => Err(Error::new(ErrorKind::UnexpectedEof, "the connection is closed")),
        _ => Ok(line.trim_end().to_owned()),
    }
}

//! One request, read: its path, its query, its body. Nothing is known here of what it asks for.

use std::net::SocketAddr;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, Method, header};
use kernel::errors::Machine;
use runtime::trace::Asked;
use runtime::words::Lang;
use serde_json::{Value, json};

use super::guard;
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::refused;

/// A request.
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) params: Vec<(String, String)>,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) asked: Asked,
    pub(super) lang: Lang,
    pub(super) from: SocketAddr,
}

impl Request {
    /// A part of the path; empty where it could not be read.
    pub(super) fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// A value of the query.
    pub(super) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A header that is text.
    pub(super) fn header(&self, name: &HeaderName) -> Option<&str> {
        guard::text(&self.headers, name)
    }

    /// The body as JSON; an empty one is an empty object.
    pub(super) fn json(&self) -> Result<Value, Raised> {
        if self.body.iter().all(u8::is_ascii_whitespace) {
            return Ok(json!({}));
        }
        serde_json::from_slice(&self.body).map_err(|why| {
            refused(Machine::Door, "invalid_args", json!({ "kind": "malformed" })).because(&why)
        })
    }

    /// The fields of the body.
    pub(super) fn fields(&self) -> Result<Fields, Raised> {
        Fields::of(self.json()?)
    }

    /// The same for what is said to another machine than a loop.
    pub(super) fn fields_to(&self, machine: Machine) -> Result<Fields, Raised> {
        Fields::to(machine, self.json()?)
    }

    /// The record that whoever asks has seen last, if that was said.
    pub(super) fn expected(&self) -> Result<Option<u64>, Raised> {
        let Some(tag) = self.header(&header::IF_MATCH) else { return Ok(None) };
        let bare = tag.trim().trim_start_matches("W/").trim_matches('"');
        bare.parse().map(Some).map_err(|_| {
            let details = json!({ "path": "If-Match", "expected": "rev" });
            refused(Machine::Door, "invalid_args", details)
        })
    }
}

/// The first language of the list that we speak.
pub(super) fn language(headers: &HeaderMap, usual: Lang) -> Lang {
    let all = guard::text(headers, &header::ACCEPT_LANGUAGE).unwrap_or_default();
    let first = |part: &str| Lang::parse(part.split(';').next().unwrap_or_default()).ok();
    all.split(',').find_map(first).unwrap_or(usual)
}

/// The pairs of a query, decoded; what is no text is left as it is.
pub(super) fn pairs(query: &str) -> Vec<(String, String)> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decoded(name), decoded(value))
    };
    query.split('&').filter(|part| !part.is_empty()).map(pair).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &behind[2..];
                continue;
            }
            (b'+', _) => bytes.push(b' '),
            (other, _) => bytes.push(*other),
        }
        rest = behind;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        let table = [
            ("", vec![]),
            ("a=1&b", vec![("a", "1"), ("b", "")]),
            ("a=x%20y+z&&b=%E4%B8%AD", vec![("a", "x y z"), ("b", "中")]),
            ("a=%&b=%f&c=%zz", vec![("a", "%"), ("b", "%f"), ("c", "%zz")]),
            ("a=%ff", vec![("a", "%ff")]),
            ("a=b=c", vec![("a", "b=c")]),
        ];
        for (query, expected) in table {
            let found = pairs(query);
            let found: Vec<_> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(found, expected, "{query}");
        }
    }

    #[test]
    fn the_first_language_that_we_speak() {
        for (asked, expected) in [
            ("zh-CN,en;q=0.5", Lang::Zh),
            ("fr, de;q=0.9, en;q=0.1", Lang::En),
            ("fr", Lang::Zh),
            ("", Lang::Zh),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, asked.parse().unwrap());
            assert_eq!(language(&headers, Lang::Zh), expected, "{asked}");
        }
    }
}

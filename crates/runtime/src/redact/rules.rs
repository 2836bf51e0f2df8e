//! What counts as a secret: values of the environment, our own token, headers, addresses, and
//! the user's patterns. Reading the environment is the caller's part.

use std::collections::BTreeMap;
use std::fmt;

use regex_automata::meta::Regex;
use regex_automata::util::syntax;

use super::marks::{self, Label, Mark};
use super::scan::{Stream, Tail, Verdict, yes};
use super::{key_block, tokens};

/// Shorter values would blank out ordinary words.
const VALUE_CHARS_MIN: usize = 8;
/// One match covers at most this much, so that a stream never holds back more.
pub(super) const MATCH_BYTES_MAX: usize = 16 * 1024;
/// Work is done in pieces of this size, so that memory does not grow with the input.
const PIECE_BYTES: usize = 64 * 1024;
/// Variables whose names contain one of these hold secrets.
const NAME_PARTS: [&str; 7] =
    ["TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "COOKIE"];
const HEADERS: [&[u8]; 3] = [b"authorization", b"cookie", b"x-api-key"];

/// Where secrets come from.
#[derive(Clone, Default)]
pub struct Secrets {
    /// The environment, all of it; names decide.
    pub env: Vec<(String, String)>,
    /// Further variable names whose values are secret, ignoring case.
    pub names: Vec<String>,
    /// Further patterns, regular expressions within one line.
    pub patterns: Vec<String>,
    /// The token of our own door, if there is one.
    pub door_token: Option<String>,
}

/// A pattern that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("pattern {index} cannot be read")]
pub struct BadPattern {
    /// Which of the given patterns, from 0.
    pub index: usize,
}

/// Says whether a secret of one kind begins at a place.
type Rule = fn(&Redactor, &[u8], usize, Tail) -> Verdict;

/// Takes secrets out. Same input, same output; twice is once.
#[derive(Clone)]
pub struct Redactor {
    values: Vec<(Vec<u8>, Label)>,
    marks: Vec<String>,
    pub(super) patterns: Option<Regex>,
    starts: Vec<bool>,
}

// What is secret must not come out of a debug print either.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({} variables, {} patterns)", self.env.len(), self.patterns.len())
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} values)", self.values.len())
    }
}

impl Redactor {
    /// Prepares the rules.
    ///
    /// # Errors
    /// When a pattern is no regular expression.
    pub fn new(secrets: &Secrets) -> Result<Self, BadPattern> {
        let mut values = values(secrets);
        // The longest first: of two that begin alike, the longer must not leave a rest behind.
        values.sort_by(|(a, x), (b, y)| (b.len(), x.mark()).cmp(&(a.len(), y.mark())));
        let fixed = [Label::PrivateKey, Label::Header, Label::Url, Label::Token, Label::Door];
        let labels = values.iter().map(|(_, label)| label).chain(&fixed);
        let marks = labels.map(Label::mark).collect();
        let starts = starts(&values);
        Ok(Self { values, marks, patterns: patterns(&secrets.patterns)?, starts })
    }

    /// The bytes without secrets.
    pub fn redact(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.stream();
        let mut out = Vec::with_capacity(bytes.len());
        for piece in bytes.chunks(PIECE_BYTES) {
            out.extend(stream.push(piece));
        }
        out.extend(stream.finish());
        out
    }

    /// The text without secrets.
    pub fn redact_text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.redact(text.as_bytes())).into_owned()
    }

    /// For output that arrives in pieces.
    pub fn stream(&self) -> Stream<'_> {
        Stream::new(self)
    }

    /// Where the user's patterns match, line by line from `start` on: beginning to end.
    pub(super) fn lines(&self, text: &[u8], start: usize) -> BTreeMap<usize, usize> {
        let Some(patterns) = &self.patterns else { return BTreeMap::new() };
        let mut found = BTreeMap::new();
        let mut line_start = start;
        for line in text[start..].split_inclusive(|b| *b == b'\n') {
            let matches = patterns.find_iter(line).filter(|m| !m.is_empty());
            found.extend(matches.map(|m| (line_start + m.start(), line_start + m.end())));
            line_start += line.len();
        }
        found
    }

    /// Whether this byte begins neither a secret nor a mark, as most do.
    pub(super) fn dull(&self, byte: u8) -> bool {
        !self.starts[usize::from(byte)]
    }

    pub(super) fn mark_at(&self, text: &[u8]) -> Mark {
        marks::at(text, &self.marks)
    }

    /// Whether a secret begins at `at`.
    pub(super) fn secret_at(&self, text: &[u8], at: usize, tail: Tail) -> Verdict {
        let mut verdict = Verdict::No;
        let first = text[at].to_ascii_lowercase();
        let rules =
            [(0, Self::value_at as Rule), (b'-', key), (b':', url), (0, header), (0, token)];
        for (_, rule) in rules.iter().filter(|(byte, _)| *byte == 0 || *byte == first) {
            match rule(self, text, at, tail) {
                Verdict::No => {}
                Verdict::More => verdict = Verdict::More,
                // A longer rule that may still match wins over a shorter one that already does.
                found @ Verdict::Yes { .. } => {
                    return if matches!(verdict, Verdict::More) { verdict } else { found };
                }
            }
        }
        verdict
    }

    /// Whether the value of a variable, or our own token, begins at `at`.
    pub(super) fn value_at(&self, text: &[u8], at: usize, tail: Tail) -> Verdict {
        let rest = &text[at..];
        for (value, label) in &self.values {
            if rest.starts_with(value) {
                return yes(at, at + value.len(), label.clone());
            }
            if tail == Tail::Open && value.starts_with(rest) {
                return Verdict::More;
            }
        }
        Verdict::No
    }
}

fn key(_: &Redactor, text: &[u8], at: usize, tail: Tail) -> Verdict {
    key_block::at(text, at, tail)
}

fn token(_: &Redactor, text: &[u8], at: usize, tail: Tail) -> Verdict {
    tokens::at(text, at, tail)
}

/// `Name: value` to the end of the line or of the quotes around it, in any quoting a log uses.
fn header(_: &Redactor, text: &[u8], at: usize, tail: Tail) -> Verdict {
    let rest = &text[at..text.len().min(at + MATCH_BYTES_MAX)];
    let same = |name: &&&[u8]| rest.iter().zip(name.iter()).all(|(a, b)| a.eq_ignore_ascii_case(b));
    let Some(name) = HEADERS.iter().find(same) else { return Verdict::No };
    let more = || {
        let open = tail == Tail::Open && rest.len() < MATCH_BYTES_MAX;
        if open { Verdict::More } else { Verdict::No }
    };
    let skip = |from: usize, set: &[u8]| {
        from + rest[from.min(rest.len())..].iter().take_while(|b| set.contains(b)).count()
    };
    let colon = skip(name.len(), b"\\\"' \t");
    match rest.get(colon) {
        None => return more(),
        Some(b':') => {}
        Some(_) => return Verdict::No,
    }
    let start = skip(colon + 1, b"\\\"' \t");
    let length = rest[start..].iter().position(|b| b"\"'\r\n".contains(b));
    if length.is_none() && matches!(more(), Verdict::More) {
        return Verdict::More;
    }
    let end = start + length.unwrap_or(rest.len() - start);
    let escapes = rest[start..end].iter().rev().take_while(|b| **b == b'\\').count();
    if end - escapes > start {
        yes(at + start, at + end - escapes, Label::Header)
    } else {
        Verdict::No
    }
}

/// `://user:password@` of an address.
fn url(_: &Redactor, text: &[u8], at: usize, tail: Tail) -> Verdict {
    let rest = &text[at..text.len().min(at + MATCH_BYTES_MAX)];
    let slashes = b"://";
    if !rest.starts_with(slashes) {
        let open = tail == Tail::Open && slashes.starts_with(rest);
        return if open { Verdict::More } else { Verdict::No };
    }
    let inside = |b: &u8| !b.is_ascii_whitespace() && !b"/?#\"'<>`".contains(b);
    let length = rest[slashes.len()..].iter().take_while(|b| inside(b)).count();
    let end = slashes.len() + length;
    if end == rest.len() && rest.len() < MATCH_BYTES_MAX && tail == Tail::Open {
        return Verdict::More;
    }
    let authority = &rest[slashes.len()..end];
    let Some(host) = authority.iter().rposition(|b| *b == b'@') else { return Verdict::No };
    match authority[..host].iter().position(|b| *b == b':') {
        Some(colon) if colon + 1 < host => {
            let from = at + slashes.len();
            yes(from, from + host, Label::Url)
        }
        Some(_) | None => Verdict::No,
    }
}

fn values(secrets: &Secrets) -> Vec<(Vec<u8>, Label)> {
    let secret = |name: &str| {
        let upper = name.to_uppercase();
        NAME_PARTS.iter().any(|part| upper.contains(part))
            || secrets.names.iter().any(|other| other.eq_ignore_ascii_case(name))
    };
    let long = |value: &str| value.chars().count() >= VALUE_CHARS_MIN;
    let door = secrets.door_token.iter().map(|token| (token.as_str(), Label::Door));
    let env = secrets.env.iter().filter(|(name, _)| secret(name));
    let env = env.map(|(name, value)| (value.as_str(), Label::Env(name.clone())));
    let all = door.chain(env).map(|(value, label)| (value.trim(), label));
    all.filter(|(value, _)| long(value)).map(|(value, label)| (value.into(), label)).collect()
}

/// Which bytes can begin a secret at all; most of a text is passed over by this alone.
fn starts(values: &[(Vec<u8>, Label)]) -> Vec<bool> {
    let mut starts = vec![false; 256];
    let headers = HEADERS.iter().flat_map(|name| [name[0], name[0].to_ascii_uppercase()]);
    let firsts = values.iter().filter_map(|(value, _)| value.first().copied());
    for byte in
        firsts.chain(headers).chain(tokens::first_bytes()).chain(*b"-:").chain([marks::FIRST])
    {
        starts[usize::from(byte)] = true;
    }
    starts
}

fn patterns(patterns: &[String]) -> Result<Option<Regex>, BadPattern> {
    // Output need not be UTF-8, so patterns see bytes.
    let mut builder = Regex::builder();
    builder.syntax(syntax::Config::new().utf8(false));
    builder.configure(Regex::config().utf8_empty(false));
    for (index, pattern) in patterns.iter().enumerate() {
        builder.build(pattern).map_err(|_| BadPattern { index })?;
    }
    if patterns.is_empty() {
        return Ok(None);
    }
    builder.build_many(patterns).map(Some).map_err(|_| BadPattern { index: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GITHUB: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const BLOCK: &str =
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow+/=\nabcd\n-----END RSA PRIVATE KEY-----";

    fn redactor() -> Redactor {
        let env = [
            ("DEPLOY_TOKEN", "canary-value-1234"),
            ("My_Secret", "canary-value"),
            ("SHORT_TOKEN", "seven77"),
            ("PATH", "/usr/local/bin"),
            ("PLAIN", "listed-by-name"),
        ];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Redactor::new(&Secrets {
            env,
            names: vec!["plain".into()],
            patterns: vec![r"cust-\d{4,}".into()],
            door_token: Some("door-0123456789".into()),
        })
        .unwrap()
    }

    fn table() -> Vec<(String, String)> {
        let rows = [
            ("x canary-value-1234 y", "x «redacted:env:DEPLOY_TOKEN» y"),
            ("x canary-value y", "x «redacted:env:My_Secret» y"),
            ("seven77 and /usr/local/bin stay", "seven77 and /usr/local/bin stay"),
            ("a listed-by-name", "a «redacted:env:PLAIN»"),
            ("t=door-0123456789;", "t=«redacted:door»;"),
            ("Authorization: Bearer abc\nHost: x", "Authorization: «redacted:header»\nHost: x"),
            (r#"{"cookie":"a=b; c","n":1}"#, r#"{"cookie":"«redacted:header»","n":1}"#),
            (r#"\"X-Api-Key\": \"k\", 1"#, r#"\"X-Api-Key\": \"«redacted:header»\", 1"#),
            ("curl -H 'AUTHORIZATION: z' u", "curl -H 'AUTHORIZATION: «redacted:header»' u"),
            ("the cookie jar", "the cookie jar"),
            ("git clone https://me:pw@h/x", "git clone https://«redacted:url»@h/x"),
            ("https://me@host:80/a?b=c@d", "https://me@host:80/a?b=c@d"),
            ("http://localhost:7411/", "http://localhost:7411/"),
            (
                "in\u{1b}[1mside canary-va\u{1b}[31mlue-1234\u{1b}[0m",
                "in\u{1b}[1mside «redacted:env:DEPLOY_TOKEN»\u{1b}[0m",
            ),
            ("id cust-12345 ok\ncust-1 no", "id «redacted:token» ok\ncust-1 no"),
            ("task-1700000000000-1a2b3c4d5e", "task-1700000000000-1a2b3c4d5e"),
            ("sk-abcdefghijklmnopqrstuv.", "«redacted:token»."),
            (r"a\nsk-abcdefghijklmnopqrstuv", r"a\n«redacted:token»"),
            ("eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJlc2ln x", "«redacted:token» x"),
            ("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0", "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"),
            (
                "if line == \"-----BEGIN PRIVATE KEY-----\" {",
                "if line == \"-----BEGIN PRIVATE KEY-----\" {",
            ),
            ("-----BEGIN CERTIFICATE-----\nMIIE\n", "-----BEGIN CERTIFICATE-----\nMIIE\n"),
            ("-----BEGIN PRIVATE KEY-----\nMIIEcut", "«redacted:private_key»"),
            ("smuggled «redacted:canary-value»", "smuggled «redacted:«redacted:env:My_Secret»»"),
        ];
        let mut all: Vec<_> = rows.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
        all.push((format!("k={GITHUB}\n"), "k=«redacted:token»\n".into()));
        all.push((format!("a\n{BLOCK}\nb"), "a\n«redacted:private_key»\nb".into()));
        all
    }

    #[test]
    fn each_rule() {
        let rules = redactor();
        for (text, expected) in table() {
            assert_eq!(rules.redact_text(&text), expected, "{text:?}");
        }
    }

    #[test]
    fn invariant_twice_is_once() {
        let rules = redactor();
        for (text, _) in table() {
            let once = rules.redact_text(&text);
            assert_eq!(rules.redact_text(&once), once, "{text:?}");
        }
    }

    #[test]
    fn invariant_borders_hide_nothing() {
        let with_patterns = redactor();
        let without = Redactor { patterns: None, ..with_patterns.clone() };
        let all: String = table().into_iter().map(|(text, _)| text + "\n").collect();
        for rules in [&with_patterns, &without] {
            let whole = rules.redact(all.as_bytes());
            for size in [1, 2, 3, 5, 7, 11, 64, 333] {
                let mut stream = rules.stream();
                let pieces = all.as_bytes().chunks(size);
                let mut out: Vec<u8> = pieces.flat_map(|piece| stream.push(piece)).collect();
                out.extend(stream.finish());
                assert_eq!(
                    String::from_utf8_lossy(&out),
                    String::from_utf8_lossy(&whole),
                    "{size}"
                );
            }
        }
    }

    #[test]
    fn ordinary_output_is_not_delayed() {
        let rules = Redactor::new(&Secrets::default()).unwrap();
        let mut stream = rules.stream();
        assert_eq!(stream.push(b"running 3 tests\n"), b"running 3 tests\n");
        assert_eq!(stream.push(b"\xff\xfe binary \x00\n"), b"\xff\xfe binary \x00\n");
    }

    #[test]
    fn overlapping_values_both_go() {
        let env = [("A_KEY", "abcdefgh"), ("B_KEY", "efghijklmnop")];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let rules = Redactor::new(&Secrets { env, ..Secrets::default() }).unwrap();
        assert_eq!(rules.redact_text("abcdefghijklmnop"), "«redacted:env:A_KEY»");
    }

    #[test]
    fn a_stream_holds_no_more_than_its_bound() {
        let rules = redactor();
        let mut stream = rules.stream();
        let mut out = 0;
        for _ in 0..64 {
            out += stream.push(&[b'a'; 4096]).len();
        }
        assert!(out >= 64 * 4096 - 2 * MATCH_BYTES_MAX, "{out}");
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let secrets = Secrets { patterns: vec!["ok".into(), "(".into()], ..Secrets::default() };
        assert_eq!(Redactor::new(&secrets).unwrap_err(), BadPattern { index: 1 });
    }
}

//! Reads `cargo nextest`. A status counts where nextest itself puts it: its word ends in the same
//! column on every line, and output of tests stands four columns further in. Nothing after the
//! summary is a result, for failures are shown again there. Where lines and summary disagree, the
//! summary rules; of two summaries the redder one.

use std::collections::HashMap;

use super::cargo;
use super::parse::{Form, Output};
use super::result::{Counts, STACK_BYTES_MAX, Status, TestResult};
use super::tally::Tally;
use super::text::{Stream, Tail, seconds};

/// The exit code of a run that found no tests.
pub(super) const NONE: i32 = 4;
/// Where the word of a status ends.
const WORD_BYTES: usize = 12;

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    // It writes to stderr; a script may have turned that round.
    let readers = [&output.stderr, &output.stdout].map(Reader::of);
    let found = readers.into_iter().find(|reader| reader.announced.is_some());
    found.map_or(Form::Other, |reader| reader.finish(tally))
}

#[derive(Default)]
struct Reader {
    announced: Option<u64>,
    /// Each with the try it is of.
    results: Vec<(u32, TestResult)>,
    by_name: HashMap<(String, String), usize>,
    /// Which result the lines belong to that are being read, and those lines.
    open: Option<(usize, Tail)>,
    /// Whether the line before was the one that a summary follows.
    ruled: bool,
    summary: Option<Counts>,
}

impl Reader {
    fn of(stream: &Stream) -> Self {
        let mut reader = Self::default();
        stream.each_line(|line| reader.line(line));
        reader.close();
        reader
    }

    fn line(&mut self, line: &str) {
        let ruled = std::mem::replace(&mut self.ruled, is_rule(line));
        if let Some(counts) = summary(line).filter(|_| ruled && self.announced.is_some()) {
            self.close();
            let redder = self.summary.is_none_or(|known| counts.failed >= known.failed);
            self.summary = if redder { Some(counts) } else { self.summary };
        } else if self.announced.is_none() {
            self.announced = announced(line);
        } else if self.summary.is_none() {
            self.result(line);
        }
    }

    fn result(&mut self, line: &str) {
        if let Some(seen) = Seen::of(line).filter(|seen| self.is_ours(seen)) {
            self.close();
            self.add(seen);
        } else if let Some((_, text)) = &mut self.open {
            text.push(line.strip_prefix("    ").unwrap_or(line), STACK_BYTES_MAX);
        }
    }

    /// Newer versions count along, and to the number they announced.
    fn is_ours(&self, seen: &Seen<'_>) -> bool {
        seen.of_all.is_none_or(|all| Some(all) == self.announced)
    }

    fn add(&mut self, seen: Seen<'_>) {
        let mut result = TestResult::new(seen.suite, seen.name, seen.status);
        result.duration_ms = seen.duration_ms;
        let at = self.results.len();
        let key = (result.suite.clone(), result.test_name.clone());
        let at = *self.by_name.entry(key).or_insert(at);
        match self.results.get_mut(at) {
            None => self.results.push((seen.attempt, result)),
            // A later try replaces an earlier one; of the same, the failed one stands.
            Some((attempt, known)) if *attempt < seen.attempt || known.status != Status::Failed => {
                (*attempt, *known) = (seen.attempt, result);
            }
            Some(_) => return,
        }
        if seen.status == Status::Failed {
            self.open = Some((at, Tail::default()));
        }
    }

    fn close(&mut self) {
        if let Some((at, text)) = self.open.take() {
            cargo::told(&mut self.results[at].1, text);
        }
    }

    fn finish(self, tally: &mut Tally<'_>) -> Form {
        let mut results: Vec<TestResult> = self.results.into_iter().map(|(_, one)| one).collect();
        let mut seen = Counts::default();
        results.iter().for_each(|result| seen.add(result.status));
        let counts = self.summary.unwrap_or(seen);
        // More lines than tests: which of them were forged, nobody can say.
        if seen.total > counts.total {
            results.retain(|result| result.status == Status::Failed);
        }
        tally.counts = tally.counts.plus(counts);
        results.into_iter().for_each(|result| tally.list(result));
        if self.summary.is_some() { Form::Fits } else { Form::Cut }
    }
}

fn is_rule(line: &str) -> bool {
    let all = |of: char| line.chars().all(|c| c == of);
    !line.is_empty() && (all('─') || all('-'))
}

/// `    Starting 8 tests across 2 binaries (1 test skipped)`
fn announced(line: &str) -> Option<u64> {
    let (count, rest) = line.trim_start().strip_prefix("Starting ")?.split_once(" test")?;
    rest.contains(" across ").then(|| count.parse().ok())?
}

/// `     Summary [   4.3s] 8 tests run: 3 passed (1 leaky), 2 failed, 3 timed out, 1 skipped`
fn summary(line: &str) -> Option<Counts> {
    let (_, said) = line.strip_prefix("     Summary [")?.split_once("] ")?;
    let (ran, mut parts) = said.split_once(" run: ")?;
    if !ran.contains(" test") {
        return None;
    }
    let mut counts = Counts::default();
    while !parts.is_empty() {
        let end = parts.find([',', '(']).unwrap_or(parts.len());
        let (number, word) = parts[..end].trim().split_once(' ')?;
        let number = number.parse().ok()?;
        counts = counts.plus(match word {
            "passed" => Counts::of(number, 0, 0),
            "skipped" => Counts::of(0, 0, number),
            // Failed, timed out, could not be started.
            _ => Counts::of(0, number, 0),
        });
        // What stands in brackets is counted already.
        let rest = &parts[end..];
        let rest = if rest.starts_with('(') { rest.split_once(')')?.1 } else { rest };
        parts = rest.strip_prefix(", ").unwrap_or("");
    }
    Some(counts)
}

/// One line that says how a test ended.
struct Seen<'a> {
    attempt: u32,
    status: Status,
    duration_ms: u64,
    of_all: Option<u64>,
    suite: &'a str,
    name: &'a str,
}

impl<'a> Seen<'a> {
    /// `  TRY 2 FAIL [   0.012s] (2/5) binary test`
    fn of(line: &'a str) -> Option<Self> {
        let (word, rest) = line.split_once(" [")?;
        if word.len() != WORD_BYTES && (word.len() < WORD_BYTES || word.starts_with(' ')) {
            return None;
        }
        let (time, rest) = rest.split_once("] ")?;
        // `> 60.000s`: it goes on.
        let duration_ms = seconds(time.trim().strip_suffix('s')?)?;
        let (counter, rest) = match rest.strip_prefix('(') {
            Some(rest) => rest.split_once(") ")?,
            None => ("", rest),
        };
        let (suite, name) = rest.split_once(' ')?;
        let word = word.trim_start();
        let (attempt, word) = match word.strip_prefix("TRY ") {
            Some(word) => word.split_once(' ').and_then(|(n, w)| Some((n.parse().ok()?, w)))?,
            None => (1, word),
        };
        let of_all = counter.split_once('/').and_then(|(_, all)| all.trim().parse().ok());
        Some(Self { attempt, status: ended(word)?, duration_ms, of_all, suite, name })
    }
}

fn ended(word: &str) -> Option<Status> {
    let word = word.split(' ').next()?;
    match word {
        "PASS" | "LEAK" | "FLAKY" | "SLOW" | "TIMEOUT-PASS" | "TMPASS" => Some(Status::Passed),
        "SKIP" => Some(Status::Skipped),
        // Scripts that run before tests are none.
        "SETUP" | "" => None,
        // FAIL, TIMEOUT, ABORT, every signal, and what later versions may add.
        word => word
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"+-".contains(&b))
            .then_some(Status::Failed),
    }
}

//! Reads `cargo test`. Lines that look like results in captured output are not taken for them:
//! a result counts in column 0 between the `running` line and the failures of its binary, and a
//! `test result:` line only if it fits the number of tests announced. Where lines and totals
//! disagree, totals rule.

use std::collections::HashMap;

use super::parse::{Form, Output};
use super::result::{Counts, ERROR_BYTES_MAX, STACK_BYTES_MAX, Status, TestResult};
use super::tally::Tally;
use super::text::Tail;

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut suites = Vec::new();
    output.stderr.each_line(|line| suites.extend(suite(line)));
    let mut reader = Reader { suites: suites.into_iter(), block: None, blocks: 0, tally };
    output.stdout.each_line(|line| reader.line(line));
    let cut = reader.block.take();
    let blocks = reader.blocks;
    match cut {
        Some(block) => {
            block.finish(None, tally);
            Form::Cut
        }
        None if blocks == 0 => Form::Other,
        None => Form::Fits,
    }
}

/// The binary a `Running` or `Doc-tests` line of stderr names.
fn suite(line: &str) -> Option<String> {
    let line = line.trim_start();
    if line.starts_with("Doc-tests ") {
        return Some(line.to_owned());
    }
    let (source, binary) = line.strip_prefix("Running ")?.rsplit_once(" (")?;
    let file = binary.strip_suffix(')')?.rsplit(['/', '\\']).next()?;
    let name = file.rsplit_once('-').map_or(file, |(name, _hash)| name);
    Some(format!("{source} ({name})"))
}

struct Reader<'a, 'b> {
    suites: std::vec::IntoIter<String>,
    block: Option<Block>,
    blocks: usize,
    tally: &'a mut Tally<'b>,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &str) {
        let Some(block) = &mut self.block else {
            if let Some(announced) = announced(line) {
                self.blocks += 1;
                let suite = self.suites.next().unwrap_or_else(|| "cargo test".to_owned());
                self.block = Some(Block::new(suite, announced));
            }
            return;
        };
        if let Some(totals) = totals(line).filter(|totals| block.fits(*totals)) {
            if let Some(block) = self.block.take() {
                block.finish(Some(totals), self.tally);
            }
            return;
        }
        block.line(line);
    }
}

fn announced(line: &str) -> Option<u64> {
    let (count, word) = line.strip_prefix("running ")?.split_once(' ')?;
    matches!(word, "test" | "tests").then(|| count.parse().ok())?
}

fn totals(line: &str) -> Option<Counts> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut counts = Counts::default();
    for part in numbers.split("; ") {
        let Some((number, word)) = part.split_once(' ') else { continue };
        let Ok(number) = number.parse::<u64>() else { continue };
        let more = match word {
            "passed" | "measured" => Counts::of(number, 0, 0),
            "failed" => Counts::of(0, number, 0),
            "ignored" => Counts::of(0, 0, number),
            _ => continue,
        };
        counts = counts.plus(more);
    }
    Some(counts)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Results,
    Errors,
    Names,
}

/// The tests of one binary.
struct Block {
    suite: String,
    announced: u64,
    part: Part,
    seen: Counts,
    results: Vec<TestResult>,
    by_name: HashMap<String, usize>,
    /// Which result the lines belong to that are being read, and those lines.
    open: Option<(usize, Tail)>,
    named: Vec<String>,
}

impl Block {
    fn new(suite: String, announced: u64) -> Self {
        Self {
            suite,
            announced,
            part: Part::Results,
            seen: Counts::default(),
            results: Vec::new(),
            by_name: HashMap::new(),
            open: None,
            named: Vec::new(),
        }
    }

    /// Totals that a test printed itself do not add up, unless it knows all the others' ends.
    fn fits(&self, totals: Counts) -> bool {
        if self.seen.total == self.announced {
            totals == self.seen
        } else {
            totals.total == self.announced
        }
    }

    fn line(&mut self, line: &str) {
        match self.part {
            Part::Results => {
                if line == "failures:" {
                    self.part = Part::Errors;
                } else if let Some((name, status)) = result_line(line) {
                    self.seen.add(status);
                    self.add(name, status);
                }
            }
            Part::Errors | Part::Names => {
                if line == "failures:" {
                    self.close();
                    self.named.clear();
                    self.part = Part::Names;
                } else if let Some(at) = self.header(line) {
                    self.close();
                    self.part = Part::Errors;
                    self.open = Some((at, Tail::default()));
                } else if let Some((_, text)) = &mut self.open {
                    text.push(line, STACK_BYTES_MAX);
                } else if let Some(name) = line.strip_prefix("    ") {
                    self.named.push(name.to_owned());
                }
            }
        }
    }

    fn add(&mut self, name: &str, status: Status) {
        self.by_name.insert(name.to_owned(), self.results.len());
        self.results.push(TestResult::new(&self.suite, name, status));
    }

    /// The failed test whose output begins here, unless it had its turn.
    fn header(&self, line: &str) -> Option<usize> {
        let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
        let name = name.strip_suffix(" stdout").or_else(|| name.strip_suffix(" stderr"))?;
        let at = *self.by_name.get(name)?;
        let result = &self.results[at];
        (result.status == Status::Failed && result.error_message.is_none()).then_some(at)
    }

    fn close(&mut self) {
        if let Some((at, text)) = self.open.take() {
            told(&mut self.results[at], text);
        }
    }

    fn finish(mut self, totals: Option<Counts>, tally: &mut Tally<'_>) {
        self.close();
        let counts = totals.unwrap_or(self.seen);
        // Quiet runs show dots instead of lines: the names of the failed stand at the end.
        for name in std::mem::take(&mut self.named) {
            if counts.failed > self.failed() && !self.by_name.contains_key(&name) {
                self.add(&name, Status::Failed);
            }
        }
        // More lines than tests: output that was not captured forged some. Which, nobody can say;
        // those of failed tests are the ones that matter.
        if self.results.len() as u64 > counts.total {
            self.results.retain(|result| result.status == Status::Failed);
        }
        tally.counts = tally.counts.plus(counts);
        self.results.into_iter().for_each(|result| tally.list(result));
    }

    fn failed(&self) -> u64 {
        self.results.iter().filter(|result| result.status == Status::Failed).count() as u64
    }
}

/// What a failed test printed: its panic is the message, the whole its trace.
pub(super) fn told(result: &mut TestResult, text: Tail) {
    let Some(text) = text.into_text(STACK_BYTES_MAX) else { return };
    let before_trace = text.split("\nstack backtrace:").next().unwrap_or(&text);
    let start =
        before_trace.rfind("thread '").filter(|&at| before_trace[at..].contains("panicked at"));
    let message = before_trace[start.unwrap_or(0)..].trim();
    let message = super::text::tail(message, ERROR_BYTES_MAX).to_owned();
    result.stack_trace = (message.len() < text.len()).then_some(text);
    result.error_message = Some(message);
}

fn result_line(line: &str) -> Option<(&str, Status)> {
    // As quiet runs write it.
    if let Some(name) = line.strip_suffix(" --- FAILED") {
        return Some((name, Status::Failed));
    }
    let (name, end) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let word = end.split([',', ' ']).next()?;
    let status = match word {
        "ok" | "bench:" => Status::Passed,
        "FAILED" => Status::Failed,
        "ignored" => Status::Skipped,
        _ => return None,
    };
    // What follows the name is how the test runs, and is not part of it further down.
    let how = [" - should panic", " - compile fail", " - compile"];
    let name = how.iter().find_map(|how| name.strip_suffix(how)).unwrap_or(name);
    Some((name, status))
}

//! Gathers results: counts all, keeps the first few with failed ones in front, and passes each on
//! to whoever wants the whole list.

use std::path::Path;

use super::result::{
    ANCHORS_MAX, Anchor, Counts, ERROR_BYTES_MAX, RESULTS_KEPT, STACK_BYTES_MAX, Status, TestResult,
};
use super::text::{head, tail};

/// What a parser found so far.
pub(super) struct Tally<'a> {
    pub counts: Counts,
    pub errors: Vec<Anchor>,
    failed: Vec<TestResult>,
    others: Vec<TestResult>,
    each: &'a mut dyn FnMut(&TestResult),
}

impl<'a> Tally<'a> {
    pub(super) fn new(each: &'a mut dyn FnMut(&TestResult)) -> Self {
        let (failed, others, errors) = (Vec::new(), Vec::new(), Vec::new());
        Self { counts: Counts::default(), errors, failed, others, each }
    }

    /// Counts and keeps a result.
    pub(super) fn add(&mut self, result: TestResult) {
        self.counts.add(result.status);
        self.list(result);
    }

    /// Keeps a result that is counted elsewhere.
    pub(super) fn list(&mut self, mut result: TestResult) {
        bound(&mut result.error_message, ERROR_BYTES_MAX);
        bound(&mut result.stack_trace, STACK_BYTES_MAX);
        bound_name(&mut result.test_name);
        bound_name(&mut result.suite);
        for text in [&result.error_message, &result.stack_trace].into_iter().flatten() {
            anchors(text, &mut self.errors);
        }
        (self.each)(&result);
        let list =
            if result.status == Status::Failed { &mut self.failed } else { &mut self.others };
        if list.len() < RESULTS_KEPT {
            list.push(result);
        }
    }

    /// The kept results, failed first, and whether some were left out.
    pub(super) fn finish(self) -> (Vec<TestResult>, Counts, Vec<Anchor>, bool) {
        let mut results = self.failed;
        results.extend(self.others);
        results.truncate(RESULTS_KEPT);
        let truncated = self.counts.total > results.len() as u64;
        (results, self.counts, self.errors, truncated)
    }
}

/// The end of a message or trace says what went wrong; the start is where it came from.
fn bound(text: &mut Option<String>, max: usize) {
    if let Some(long) = text.as_mut().filter(|text| text.len() > max) {
        *long = tail(long, max).to_owned();
    }
}

/// A name longer than this is no name: a parametrised test with its whole input.
pub(super) const NAME_BYTES_MAX: usize = 1024;

fn bound_name(name: &mut String) {
    name.truncate(head(name, NAME_BYTES_MAX).len());
}

/// Finds `file:line` places in `text`: those of rustc and of panics, and those that stand before a
/// message as most tools write them.
pub(super) fn anchors(text: &str, found: &mut Vec<Anchor>) {
    let mut message = "";
    for line in text.lines() {
        if found.len() >= ANCHORS_MAX {
            return;
        }
        let trimmed = line.trim_start();
        if trimmed.starts_with("error") || trimmed.starts_with("warning") {
            message = trimmed;
        }
        let place =
            trimmed.strip_prefix("--> ").or_else(|| trimmed.split_once("panicked at ")?.1.into());
        let anchor = match place {
            Some(place) => anchor(place, message.to_owned()),
            // Compilers, linters and Python's failures: `file.py:12: SomeError`, `a.c:3:7: error`.
            None => trimmed.split_once(": ").and_then(|(place, error)| {
                place.split(':').next().filter(|file| Path::new(file).extension().is_some())?;
                anchor(place, error.to_owned())
            }),
        };
        found.extend(anchor.filter(|new| !found.contains(new)));
    }
}

fn anchor(place: &str, message: String) -> Option<Anchor> {
    let mut parts = place.split(':');
    let file = parts.next().filter(|file| !file.is_empty() && !file.contains(' '))?;
    let line = parts.next()?.trim().parse().ok()?;
    let message = head(&message, ERROR_BYTES_MAX).to_owned();
    Some(Anchor { file: file.to_owned(), line, message })
}

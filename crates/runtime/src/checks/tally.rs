//! Gathers results: counts all, keeps the first few with failed ones in front, and passes each on
//! to whoever wants the whole list.

use super::anchors::anchors;
use super::result::{
    Anchor, Counts, ERROR_BYTES_MAX, RESULTS_KEPT, STACK_BYTES_MAX, Status, TestResult,
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

//! Reads the events of `dart test --reporter json` and `flutter test --machine`. Tests the runner
//! hides, such as loading a file, count only if they err. An error that comes after a test's end
//! fails it all the same. A run without its last event has failed. Other lines are not looked at.

use std::collections::HashMap;

use serde::Deserialize;

use super::parse::{Form, Output};
use super::result::{Status, TestResult};
use super::tally::Tally;
use super::text::plain_lines;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Event {
    Start {
        #[serde(rename = "protocolVersion")]
        _protocol: String,
    },
    Suite {
        suite: Suite,
    },
    TestStart {
        test: Named,
        #[serde(default)]
        time: u64,
    },
    Error {
        #[serde(rename = "testID")]
        test: i64,
        #[serde(default)]
        error: String,
        #[serde(default)]
        stack_trace: String,
    },
    TestDone {
        #[serde(rename = "testID")]
        test: i64,
        result: String,
        #[serde(default)]
        hidden: bool,
        #[serde(default)]
        skipped: bool,
        #[serde(default)]
        time: u64,
    },
    Done {
        success: Option<bool>,
    },
}

#[derive(Deserialize)]
struct Suite {
    id: i64,
    path: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    id: i64,
    #[serde(default)]
    name: String,
    #[serde(rename = "suiteID", default)]
    suite: i64,
}

struct Test {
    result: TestResult,
    began: u64,
    ended: bool,
    hidden: bool,
}

#[derive(Default)]
struct Reader {
    begun: bool,
    /// Whether the run called itself good, once it ended.
    done: Option<bool>,
    suites: HashMap<i64, String>,
    tests: Vec<Test>,
    by_id: HashMap<i64, usize>,
}

pub(super) fn read(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut reader = Reader::default();
    output.stdout.each_line(|line| {
        if let Ok(event) = serde_json::from_str(line) {
            reader.event(event);
        }
    });
    reader.finish(tally)
}

impl Reader {
    fn event(&mut self, event: Event) {
        match event {
            Event::Start { .. } => self.begun = true,
            Event::Suite { suite } => {
                self.suites.insert(suite.id, suite.path.unwrap_or_default());
            }
            Event::TestStart { test, time } => {
                self.begun = true;
                let suite = self.suites.get(&test.suite).map_or("", String::as_str);
                let result = TestResult::new(suite, &test.name, Status::Passed);
                self.by_id.entry(test.id).or_insert(self.tests.len());
                self.tests.push(Test { result, began: time, ended: false, hidden: false });
            }
            Event::Error { test, error, stack_trace } => {
                let Some(test) = self.test(test) else { return };
                test.result.status = Status::Failed;
                // The first error is the cause of the others.
                if test.result.error_message.is_none() {
                    test.result.error_message = Some(plain_lines(&error));
                    let trace = plain_lines(&stack_trace);
                    test.result.stack_trace = Some(trace).filter(|trace| !trace.is_empty());
                }
            }
            Event::TestDone { test, result, hidden, skipped, time } => {
                let Some(test) = self.test(test) else { return };
                test.result.status = match test.result.status {
                    Status::Failed => Status::Failed,
                    Status::Passed | Status::Skipped if result != "success" => Status::Failed,
                    Status::Passed | Status::Skipped if skipped => Status::Skipped,
                    Status::Passed | Status::Skipped => Status::Passed,
                };
                test.result.duration_ms = time.saturating_sub(test.began);
                (test.ended, test.hidden) = (true, hidden);
            }
            Event::Done { success } => {
                let good = success == Some(true) && self.done != Some(false);
                self.done = Some(good);
            }
        }
    }

    fn test(&mut self, id: i64) -> Option<&mut Test> {
        self.tests.get_mut(*self.by_id.get(&id)?)
    }

    fn finish(self, tally: &mut Tally<'_>) -> Form {
        if !self.begun {
            return Form::Other;
        }
        for test in self.tests {
            let failed = test.result.status == Status::Failed;
            if failed || (test.ended && !test.hidden) {
                tally.add(test.result);
            }
        }
        if self.done == Some(true) { Form::Fits } else { Form::Broken }
    }
}

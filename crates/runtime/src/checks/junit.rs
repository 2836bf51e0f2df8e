//! Reads JUnit reports as they stream by. Counts come from the cases, never from the totals a
//! report claims; document types and entities of its own are not expanded. A report that is too
//! large or not well formed is none at all.

use std::io::{BufRead, BufReader};
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::parse::{Form, Output};
use super::reports;
use super::result::{ERROR_BYTES_MAX, STACK_BYTES_MAX, Status, TestResult};
use super::tally::Tally;
use super::text::{head, plain_lines, seconds};

/// The cases of all reports that the run wrote where the settings say.
pub(super) fn read_all(output: &Output, tally: &mut Tally<'_>) -> Form {
    let mut form = Form::Other;
    for path in &output.reports {
        match read(path) {
            Some(results) => {
                form = if form == Form::Cut { Form::Cut } else { Form::Fits };
                results.into_iter().for_each(|result| tally.add(result));
            }
            // What it would have said may be red.
            None => form = Form::Cut,
        }
    }
    form
}

/// The results of the report at `path`, if it is one.
pub(super) fn read(path: &Path) -> Option<Vec<TestResult>> {
    let file = reports::open(path)?;
    // Streamed, unless there are bytes in it that are no text.
    cases(BufReader::new(file)).or_else(|| {
        let text = reports::text(path)?;
        text.contains(char::REPLACEMENT_CHARACTER).then(|| cases(text.as_bytes()))?
    })
}

fn cases(from: impl BufRead) -> Option<Vec<TestResult>> {
    let mut reader = Reader::from_reader(from);
    let mut report = Report::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) => report.open(&tag),
            Event::Empty(tag) => {
                report.open(&tag);
                report.close(tag.name().as_ref());
            }
            Event::End(tag) => report.close(tag.name().as_ref()),
            Event::Text(text) => report.text(&text),
            Event::CData(text) => report.text(&text),
            Event::GeneralRef(name) => report.reference(&name),
            Event::Eof => return report.finish(),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

#[derive(Default)]
struct Report {
    results: Vec<TestResult>,
    depth: usize,
    /// Names of the suites around, and whether there was any.
    suites: Vec<String>,
    is_report: bool,
    case: Option<TestResult>,
    /// Depth of the failure, error or skip whose text is being read, and that text.
    inside: Option<(usize, String)>,
}

impl Report {
    fn open(&mut self, tag: &BytesStart<'_>) {
        self.depth += 1;
        match tag.name().as_ref() {
            "testsuites" | "testsuite" => {
                self.is_report = true;
                self.suites.push(attribute(tag, "name").unwrap_or_default());
            }
            "testcase" if self.case.is_none() => {
                let attribute = |name| attribute(tag, name).unwrap_or_default();
                let class = attribute("classname");
                let suite = if class.is_empty() { self.suites.last() } else { Some(&class) };
                let suite = suite.map_or("", String::as_str);
                let mut case = TestResult::new(suite, &attribute("name"), Status::Passed);
                case.duration_ms = seconds(&attribute("time")).unwrap_or(0);
                self.case = Some(case);
            }
            name @ ("failure" | "error" | "skipped") if self.inside.is_none() => {
                let Some(case) = &mut self.case else { return };
                let failed = name != "skipped";
                if failed && case.status != Status::Failed {
                    case.error_message = attribute(tag, "message");
                }
                case.status = match failed || case.status == Status::Failed {
                    true => Status::Failed,
                    false => Status::Skipped,
                };
                if failed {
                    self.inside = Some((self.depth, String::new()));
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if let Some((_, text)) = self.inside.take_if(|(depth, _)| *depth == self.depth)
            && let Some(case) = &mut self.case
        {
            let text = plain_lines(&text);
            let message = case.error_message.take().filter(|message| !message.is_empty());
            case.error_message = message.or_else(|| Some(head(&text, ERROR_BYTES_MAX).to_owned()));
            case.stack_trace = Some(text).filter(|text| !text.is_empty());
        }
        self.depth = self.depth.saturating_sub(1);
        match name {
            "testcase" => self.results.extend(self.case.take()),
            "testsuites" | "testsuite" => drop(self.suites.pop()),
            _ => {}
        }
    }

    fn text(&mut self, more: &str) {
        if let Some((_, text)) = &mut self.inside {
            let room = (STACK_BYTES_MAX * 4).saturating_sub(text.len());
            text.push_str(head(more, room));
        }
    }

    /// `&lt;` and its like, and characters by number. Anything else is left as it is written.
    fn reference(&mut self, name: &str) {
        let written = format!("&{name};");
        let meant = quick_xml::escape::unescape(&written).unwrap_or_else(|_| (&*written).into());
        self.text(&meant);
    }

    fn finish(self) -> Option<Vec<TestResult>> {
        (self.is_report && self.depth == 0).then_some(self.results)
    }
}

pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut all = tag.attributes();
    let found = all.with_checks(false).flatten().find(|found| found.key.as_ref() == name)?;
    let meant = quick_xml::escape::unescape(&found.value);
    Some(plain_lines(&meant.unwrap_or_else(|_| (&*found.value).into())))
}

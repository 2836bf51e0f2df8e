//! Reads JUnit reports as they stream by. Counts come from the cases, never from the totals a
//! report claims; document types and entities of its own are not expanded. A report that is too
//! large or not well formed is none at all.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::parse::REPORT_BYTES_MAX;
use super::result::{ERROR_BYTES_MAX, STACK_BYTES_MAX, Status, TestResult};
use super::text::{head, plain};

/// The results of the report at `path`, if it is one.
pub(super) fn read(path: &Path) -> Option<Vec<TestResult>> {
    let file = File::open(path).ok()?;
    let size = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    if size > REPORT_BYTES_MAX {
        return None;
    }
    cases(BufReader::new(file))
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
    suites: usize,
    case: Option<TestResult>,
    /// Depth of the failure, error or skip whose text is being read, and that text.
    inside: Option<(usize, String)>,
}

impl Report {
    fn open(&mut self, tag: &BytesStart<'_>) {
        self.depth += 1;
        match tag.name().as_ref() {
            "testsuites" | "testsuite" => self.suites += 1,
            "testcase" if self.case.is_none() => {
                let attribute = |name| attribute(tag, name).unwrap_or_default();
                let mut case =
                    TestResult::new(&attribute("classname"), &attribute("name"), Status::Passed);
                case.duration_ms = millis(&attribute("time"));
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
            let text = clean(&text);
            let message = case.error_message.take().filter(|message| !message.is_empty());
            case.error_message = message.or_else(|| Some(head(&text, ERROR_BYTES_MAX).to_owned()));
            case.stack_trace = Some(text).filter(|text| !text.is_empty());
        }
        self.depth = self.depth.saturating_sub(1);
        if name == "testcase" {
            self.results.extend(self.case.take());
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
        (self.suites > 0 && self.depth == 0).then_some(self.results)
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut all = tag.attributes();
    let found = all.with_checks(false).flatten().find(|found| found.key.as_ref() == name)?;
    let meant = quick_xml::escape::unescape(&found.value);
    Some(clean(&meant.unwrap_or_else(|_| (&*found.value).into())))
}

fn clean(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(|line| plain(line.as_bytes())).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Seconds with a fraction, as milliseconds; nonsense is 0.
fn millis(seconds: &str) -> u64 {
    let (whole, fraction) = seconds.trim().split_once('.').unwrap_or((seconds.trim(), ""));
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    let part = |text: &str| text.parse::<u64>().ok();
    part(whole).zip(part(&digits)).map_or(0, |(s, ms)| s.saturating_mul(1000).saturating_add(ms))
}

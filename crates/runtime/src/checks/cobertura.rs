//! Reads the totals of a Cobertura report: its lines, else its rate. What is inside the report is
//! not looked at, document types and entities are not expanded.

use std::io::BufReader;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::junit::attribute;
use super::reports;

/// What a report weighs beside others when it says its rate only.
const RATE_LINES: u64 = 10_000;

/// Lines run and lines there are; none if it is no such report.
pub(super) fn read(path: &Path) -> Option<(u64, u64)> {
    let mut reader = Reader::from_reader(BufReader::new(reports::open(path)?));
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) | Event::Empty(tag) => return totals(&tag),
            Event::Text(text) if !text.trim_start_matches('\u{feff}').trim().is_empty() => {
                return None;
            }
            Event::Eof => return None,
            Event::End(_)
            | Event::Text(_)
            | Event::CData(_)
            | Event::GeneralRef(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
    }
}

fn totals(tag: &BytesStart<'_>) -> Option<(u64, u64)> {
    if tag.name().as_ref() != "coverage" {
        return None;
    }
    let number = |name| attribute(tag, name)?.trim().parse::<u64>().ok();
    let lines = number("lines-covered").zip(number("lines-valid"));
    lines.or_else(|| {
        let rate: f64 = attribute(tag, "line-rate")?.trim().parse().ok()?;
        (0.0..=1.0).contains(&rate).then(|| (parts(rate), RATE_LINES))
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a rate of 0 to 1 of a number that is exact"
)]
fn parts(rate: f64) -> u64 {
    (rate * RATE_LINES as f64) as u64
}

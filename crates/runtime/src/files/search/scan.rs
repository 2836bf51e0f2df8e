//! Searches one open file: reads it whole, finds the lines that fit, and cuts them out with what
//! stands around them. It opens nothing by itself.

use std::fs::File;
use std::io::Read as _;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};

use super::super::lines::{has_nul, without_bom};
use super::hit::{Hit, Source};

/// Characters of a line that are shown.
pub(super) const LINE_CHARS_MAX: usize = 400;
/// Characters kept before what fits when a long line is cut.
const LEAD_CHARS: usize = 100;

/// How hits of one file are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// The first so many.
    First(usize),
    /// The best so many, by how many of the words they hold.
    Best(usize),
}

/// What is looked for in every file.
pub(super) struct Wanted<'a> {
    pub matcher: &'a RegexMatcher,
    /// For [`Take::Best`]: the words, in lower case.
    pub words: &'a [String],
    pub context: usize,
    pub take: Take,
    pub bytes_max: u64,
}

/// What came of one file.
pub(super) enum Seen {
    Searched {
        hits: Vec<Hit>,
        cut: bool,
    },
    Binary,
    Large,
    /// It went away, or may not be read.
    Gone,
}

/// What one thread uses for file after file.
pub(super) struct Scratch {
    searcher: Searcher,
    bytes: Vec<u8>,
}

impl Scratch {
    /// The searcher must end lines as the matcher does, or it refuses to search.
    pub(super) fn new(matcher: &RegexMatcher) -> Self {
        let searcher = SearcherBuilder::new()
            .line_terminator(matcher.line_terminator().unwrap_or_default())
            .binary_detection(BinaryDetection::none())
            .bom_sniffing(false)
            .line_number(true)
            .build();
        Self { searcher, bytes: Vec::new() }
    }

    /// Searches an open file of `size` bytes.
    pub(super) fn scan(&mut self, wanted: &Wanted<'_>, file: File, size: u64, path: &[u8]) -> Seen {
        if size > wanted.bytes_max {
            return Seen::Large;
        }
        self.bytes.clear();
        self.bytes.reserve(usize::try_from(size + 1).unwrap_or_default());
        match file.take(wanted.bytes_max + 1).read_to_end(&mut self.bytes) {
            Err(_) => return Seen::Gone,
            Ok(count) if count as u64 > wanted.bytes_max => return Seen::Large,
            Ok(_) if has_nul(&self.bytes) => return Seen::Binary,
            Ok(_) => {}
        }
        let body = without_bom(&self.bytes);
        let mut marks = Marks { wanted, found: Vec::new() };
        if self.searcher.search_slice(wanted.matcher, body, &mut marks).is_err() {
            return Seen::Gone;
        }
        let found = marks.taken();
        let mut cut = false;
        let hits = found.iter().map(|mark| mark.hit(body, wanted, path, &mut cut)).collect();
        Seen::Searched { hits, cut }
    }
}

/// A line that fits, by where it stands.
struct Mark {
    line: u64,
    start: usize,
    end: usize,
    /// Where in the line the first match begins, in bytes.
    at: usize,
    words: usize,
}

struct Marks<'a> {
    wanted: &'a Wanted<'a>,
    found: Vec<Mark>,
}

impl Marks<'_> {
    fn taken(mut self) -> Vec<Mark> {
        if let Take::Best(count) = self.wanted.take {
            // Stable: equals stay in the order of lines.
            self.found.sort_by_key(|mark| std::cmp::Reverse(mark.words));
            self.found.truncate(count);
        }
        self.found
    }
}

impl Sink for Marks<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let line = trimmed(found.bytes());
        let at = self.wanted.matcher.find(line).ok().flatten().map_or(0, |span| span.start());
        let words = match self.wanted.take {
            Take::First(_) => 1,
            Take::Best(_) => {
                let line = String::from_utf8_lossy(line).to_lowercase();
                self.wanted.words.iter().filter(|word| line.contains(word.as_str())).count()
            }
        };
        let start = usize::try_from(found.absolute_byte_offset()).unwrap_or_default();
        let line_number = found.line_number().unwrap_or_default();
        self.found.push(Mark { line: line_number, start, end: start + line.len(), at, words });
        Ok(match self.wanted.take {
            Take::First(count) => self.found.len() < count,
            Take::Best(_) => true,
        })
    }
}

impl Mark {
    fn hit(&self, body: &[u8], wanted: &Wanted<'_>, path: &[u8], cut: &mut bool) -> Hit {
        let line = &body[self.start..self.end];
        let lead = String::from_utf8_lossy(&line[..self.at.min(line.len())]).chars().count();
        let mut shown = |bytes: &[u8], lead: usize| window(bytes, lead, cut);
        let of = match wanted.take {
            Take::First(_) => 1,
            Take::Best(_) => wanted.words.len().max(1),
        };
        Hit {
            path: String::from_utf8_lossy(path).into_owned(),
            line: self.line,
            column: lead + 1,
            text: shown(line, lead),
            before: before(body, self.start, wanted.context)
                .into_iter()
                .map(|line| shown(line, 0))
                .collect(),
            after: after(body, self.end, wanted.context).map(|line| shown(line, 0)).collect(),
            source: Source::Grep,
            score: self.words as f64 / of as f64,
        }
    }
}

/// A line as it is shown: whole, or its beginning, or the part around what fits.
fn window(line: &[u8], lead: usize, cut: &mut bool) -> String {
    let text = String::from_utf8_lossy(line);
    if text.len() <= LINE_CHARS_MAX || text.chars().count() <= LINE_CHARS_MAX {
        return text.into_owned();
    }
    *cut = true;
    let from = if lead < LINE_CHARS_MAX / 2 { 0 } else { lead.saturating_sub(LEAD_CHARS) };
    text.chars().skip(from).take(LINE_CHARS_MAX).collect()
}

/// The lines before the one that starts at `start`, in order.
fn before(body: &[u8], start: usize, count: usize) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = Vec::new();
    let mut end = start;
    while lines.len() < count && end > 0 {
        let from = body[..end - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        lines.push(trimmed(&body[from..end]));
        end = from;
    }
    lines.reverse();
    lines
}

/// The lines after the one that ends at `end`, which may be short of its line end.
fn after(body: &[u8], end: usize, count: usize) -> impl Iterator<Item = &[u8]> {
    let rest =
        body[end..].iter().position(|byte| *byte == b'\n').map_or(body.len(), |at| end + at + 1);
    body[rest..].split_inclusive(|byte| *byte == b'\n').take(count).map(trimmed)
}

/// A line without its end.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

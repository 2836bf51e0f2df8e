//! Bytes of a document as numbered lines, with the shape they came in, so that a redrawing keeps an
//! editor's byte order mark and line ends. It knows nothing of what the lines say.

use alloc::string::String;
use alloc::vec::Vec;

const BOM: &str = "\u{feff}";

/// How lines end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Ending {
    #[default]
    Lf,
    Crlf,
}

/// The shape of a file besides its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Form {
    /// It begins with a byte order mark.
    pub bom: bool,
    /// As its first line ends.
    pub ending: Ending,
}

/// Why a document can't be read at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Unread {
    TooLarge,
    NotUtf8,
    NoFence,
    OpenFence,
    DuplicateKey,
    Anchor,
    Tag,
    NotAPair,
    Nested,
    Collection,
    BlockText,
    OpenQuote,
    BadEscape,
    AfterQuote,
    NoSection,
}

impl Unread {
    /// Every reason, for lists and tests.
    pub const ALL: [Self; 15] = [
        Self::TooLarge,
        Self::NotUtf8,
        Self::NoFence,
        Self::OpenFence,
        Self::DuplicateKey,
        Self::Anchor,
        Self::Tag,
        Self::NotAPair,
        Self::Nested,
        Self::Collection,
        Self::BlockText,
        Self::OpenQuote,
        Self::BadEscape,
        Self::AfterQuote,
        Self::NoSection,
    ];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::NotUtf8 => "not_utf8",
            Self::NoFence => "no_fence",
            Self::OpenFence => "open_fence",
            Self::DuplicateKey => "duplicate_key",
            Self::Anchor => "anchor",
            Self::Tag => "tag",
            Self::NotAPair => "not_a_pair",
            Self::Nested => "nested",
            Self::Collection => "collection",
            Self::BlockText => "block_text",
            Self::OpenQuote => "open_quote",
            Self::BadEscape => "bad_escape",
            Self::AfterQuote => "after_quote",
            Self::NoSection => "no_section",
        }
    }
}

/// A document that can't be read, and where reading stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Counted from 1.
    pub line: usize,
    /// Why.
    pub why: Unread,
    /// The word it is about, if there is one.
    pub found: String,
}

impl Broken {
    pub(super) fn new(line: usize, why: Unread, found: impl Into<String>) -> Self {
        Self { line, why, found: found.into() }
    }
}

/// A line and its number.
pub(super) type Numbered<'a> = (usize, &'a str);

/// The shape of a file and its lines, without their ends. A last line that is empty is no line.
pub(super) fn lines(bytes: &[u8], most: usize) -> Result<(Form, Vec<Numbered<'_>>), Broken> {
    if bytes.len() > most {
        return Err(Broken::new(1, Unread::TooLarge, ""));
    }
    let text = core::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        Broken::new(line, Unread::NotUtf8, "")
    })?;
    let (bom, text) = match text.strip_prefix(BOM) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let first = text.split_once('\n').map_or("", |(first, _)| first);
    let ending = if first.ends_with('\r') { Ending::Crlf } else { Ending::Lf };
    let mut all: Vec<Numbered<'_>> = text
        .split('\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line.strip_suffix('\r').unwrap_or(line)))
        .collect();
    if all.last().is_some_and(|(_, line)| line.is_empty()) {
        all.pop();
    }
    Ok((Form { bom, ending }, all))
}

/// The bytes of text written with LF, in the shape wanted.
pub(super) fn shaped(text: &str, form: Form) -> Vec<u8> {
    let mut out = String::with_capacity(text.len() + BOM.len());
    if form.bom {
        out.push_str(BOM);
    }
    match form.ending {
        Ending::Lf => out.push_str(text),
        Ending::Crlf => {
            for line in text.split_inclusive('\n') {
                match line.strip_suffix('\n') {
                    Some(line) => {
                        out.push_str(line);
                        out.push_str("\r\n");
                    }
                    None => out.push_str(line),
                }
            }
        }
    }
    out.into_bytes()
}

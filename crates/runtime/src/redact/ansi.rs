//! Terminal escape sequences: where they are, so that one in the middle of a secret does not hide
//! it. Nothing is removed from the output.

/// An escape that has not ended after this many bytes is taken as ordinary text.
const ESCAPE_BYTES_MAX: usize = 4096;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// Bytes without escapes, and for each its place in the raw bytes.
pub(super) struct Stripped {
    pub(super) text: Vec<u8>,
    pub(super) places: Vec<usize>,
    /// Where an unfinished escape begins in the raw bytes, else their length.
    pub(super) end: usize,
}

/// Takes the escapes out. An unfinished one at the end is left for the next round.
pub(super) fn strip(raw: &[u8]) -> Stripped {
    let mut found = Stripped { text: Vec::new(), places: Vec::new(), end: raw.len() };
    let mut at = 0;
    while at < raw.len() {
        match escape(&raw[at..]) {
            Escape::None => {
                found.text.push(raw[at]);
                found.places.push(at);
                at += 1;
            }
            Escape::Of(bytes) => at += bytes,
            Escape::Unfinished => {
                found.end = at;
                break;
            }
        }
    }
    found
}

/// The bytes without escapes, and without one at the end that never ended.
pub(crate) fn strip_escapes(raw: &[u8]) -> Vec<u8> {
    strip(raw).text
}

enum Escape {
    None,
    Of(usize),
    Unfinished,
}

fn escape(raw: &[u8]) -> Escape {
    if raw[0] != ESC {
        return Escape::None;
    }
    let ended = match raw.get(1) {
        None => None,
        Some(b'[') => raw[2..].iter().position(|b| (0x40..=0x7e).contains(b)).map(|n| n + 3),
        Some(b']') => command(raw),
        Some(_) => Some(2),
    };
    match ended {
        Some(bytes) if bytes <= ESCAPE_BYTES_MAX => Escape::Of(bytes),
        None if raw.len() < ESCAPE_BYTES_MAX => Escape::Unfinished,
        Some(_) | None => Escape::None,
    }
}

/// An operating system command ends with BEL or `ESC \`.
fn command(raw: &[u8]) -> Option<usize> {
    let end = raw[2..].iter().position(|b| *b == BEL || *b == ESC)? + 2;
    match (raw[end], raw.get(end + 1)) {
        (BEL, _) => Some(end + 1),
        (_, Some(_)) => Some(end + 2),
        (_, None) => None,
    }
}

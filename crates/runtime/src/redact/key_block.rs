//! Private-key blocks, whole or cut off. Public keys and certificates are none.

use super::scan::{Tail, Verdict, yes};
use super::{marks::Label, rules::MATCH_BYTES_MAX};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";
/// The words of a first line are never longer: `ENCRYPTED PRIVATE KEY`, `PGP PRIVATE KEY BLOCK`.
const TITLE_BYTES_MAX: usize = 48;

/// A block that begins at `at`.
pub(super) fn at(text: &[u8], at: usize, tail: Tail) -> Verdict {
    let rest = &text[at..text.len().min(at + MATCH_BYTES_MAX)];
    if !rest.starts_with(BEGIN) {
        let open = tail == Tail::Open && BEGIN.starts_with(rest);
        return if open { Verdict::More } else { Verdict::No };
    }
    let more = if tail == Tail::Open && rest.len() < MATCH_BYTES_MAX {
        Verdict::More
    } else {
        Verdict::No
    };
    let title = &rest[BEGIN.len()..];
    let Some(close) = find(title, DASHES) else {
        return if title.len() <= TITLE_BYTES_MAX { more } else { Verdict::No };
    };
    if close > TITLE_BYTES_MAX || find(&title[..close], b"PRIVATE KEY").is_none() {
        return Verdict::No;
    }
    let body = BEGIN.len() + close + DASHES.len();
    block(rest, body, more, at)
}

/// What looks like the body of a key goes, up to its last line if that is there. A mere mention
/// of the first line has no such body and stays. Decided from left to right, so that what follows
/// much later cannot change it.
fn block(rest: &[u8], body: usize, more: Verdict, at: usize) -> Verdict {
    let filler = |b: &u8| b.is_ascii_whitespace() || b"\\nr".contains(b);
    let start = body + rest[body..].iter().take_while(|b| filler(b)).count();
    match rest.get(start) {
        None => return more,
        Some(b) if !b.is_ascii_alphanumeric() && !b"+/".contains(b) => return Verdict::No,
        Some(_) => {}
    }
    let part = |b: &u8| b.is_ascii_alphanumeric() || b"+/=\\:,.()-\r\n\t ".contains(b);
    let run = start + rest[start..].iter().take_while(|b| part(b)).count();
    match (end_line(&rest[..run], start), more) {
        (Some(end), _) => yes(at, at + end, Label::PrivateKey),
        (None, Verdict::More) if run == rest.len() => Verdict::More,
        (None, _) => yes(at, at + run, Label::PrivateKey),
    }
}

/// The end of the block's last line, if it is there.
fn end_line(rest: &[u8], body: usize) -> Option<usize> {
    let end = body + find(&rest[body..], END)? + END.len();
    Some(end + find(&rest[end..], DASHES)? + DASHES.len())
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

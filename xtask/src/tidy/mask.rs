//! Blanks out comments and the insides of literals, so that rules look at code only. Offsets and
//! lines stay as they were. It is a lexer of just these things, not a parser of Rust.

/// The text with comments, string contents and character literals as spaces; same length.
pub fn mask(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    while out.len() < bytes.len() {
        let at = out.len();
        let end = skip(bytes, at);
        if end > at {
            blank(&bytes[at..end], &mut out);
        } else {
            out.push(bytes[at]);
        }
    }
    String::from_utf8(out).expect("only whole literals and comments become spaces")
}

/// Where a comment or literal that starts here ends; `at` itself if none does.
fn skip(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        return at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }
    if rest.starts_with(b"/*") {
        return block(bytes, at);
    }
    match rest[0] {
        b'"' => quoted(bytes, at + 1),
        b'r' if !follows_word(bytes, at) => raw(bytes, at),
        b'\'' => character(bytes, at),
        _ => at,
    }
}

fn follows_word(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|i| bytes[i]) else { return false };
    // `br"…"` and `cr"…"` are raw strings too.
    before.is_ascii_alphanumeric() && !matches!(before, b'b' | b'c') || before == b'_'
}

fn block(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            (at, depth) = (at + 2, depth + 1);
        } else if bytes[at..].starts_with(b"*/") {
            (at, depth) = (at + 2, depth - 1);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn quoted(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn raw(bytes: &[u8], at: usize) -> usize {
    let hashes = bytes[at + 1..].iter().take_while(|b| **b == b'#').count();
    let open = at + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return at;
    }
    let close: Vec<u8> = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
    let found = bytes[open + 1..].windows(close.len()).position(|w| w == close);
    found.map_or(bytes.len(), |i| open + 1 + i + close.len())
}

/// A character literal; a lifetime is left alone.
fn character(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at + 1) == Some(&b'\\') {
        let found = bytes.iter().skip(at + 3).position(|b| *b == b'\'');
        return found.map_or(bytes.len(), |i| at + 4 + i);
    }
    let width = match bytes.get(at + 1) {
        Some(b) if *b >= 0xF0 => 4,
        Some(b) if *b >= 0xE0 => 3,
        Some(b) if *b >= 0xC0 => 2,
        _ => 1,
    };
    if bytes.get(at + 1 + width) == Some(&b'\'') { at + width + 2 } else { at }
}

/// Spaces for everything but line ends; the quotes of a string stay, so that it is still seen.
fn blank(piece: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend(piece.iter().map(|b| if *b == b'\n' { b'\n' } else { b' ' }));
    let string = matches!(piece[0], b'"' | b'r');
    if let (true, Some(open)) = (string, piece.iter().position(|b| *b == b'"')) {
        out[start + open] = b'"';
        if let Some(close) = piece.iter().rposition(|b| *b == b'"') {
            out[start + close] = b'"';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_left() {
        let table = [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"f("x \" y", z)"#, r#"f("      ", z)"#),
            ("r#\"a\"b\"# + c", "  \"   \"  + c"),
            ("for r in rows", "for r in rows"),
            ("'{' + '\\'' + '界' + 'a", "    +      +       + 'a"),
            ("&'static str", "&'static str"),
        ];
        for (text, masked) in table {
            assert_eq!(mask(text), masked, "{text}");
            assert_eq!(mask(text).len(), text.len());
        }
    }
}

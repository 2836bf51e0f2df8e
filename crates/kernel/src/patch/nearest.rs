//! The line that looks most like a wanted one, so that whoever sent a patch that fits nowhere sees
//! what is there instead. A hint for a reader: nothing is ever applied because of it.

use super::lines::{shown, split};

/// A line of a file, as a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Near {
    /// Counted from 1.
    pub line: u32,
    /// Its text.
    pub text: alloc::string::String,
}

/// The line of `bytes` most like the first telling line of `wanted`; the first of several.
pub(super) fn nearest(bytes: &[u8], wanted: &[u8]) -> Option<Near> {
    let wanted = telling(wanted);
    let mut best: Option<(usize, usize, &[u8])> = None;
    for (index, line) in split(bytes).into_iter().enumerate() {
        let score = likeness(line.trim_ascii(), wanted);
        if best.is_none_or(|(most, ..)| score > most) {
            best = Some((score, index, line));
        }
    }
    best.map(|(_, index, line)| Near { line: super::lines::count(index + 1), text: shown(line) })
}

/// The first line that is not blank: a blank one is like too many.
fn telling(wanted: &[u8]) -> &[u8] {
    let mut lines = wanted.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty()).unwrap_or(&[])
}

/// In thousandths: how much of the longer one the common head and tail cover.
fn likeness(line: &[u8], wanted: &[u8]) -> usize {
    let longer = line.len().max(wanted.len());
    if longer == 0 {
        return 1000;
    }
    let head = line.iter().zip(wanted).take_while(|(a, b)| a == b).count();
    let (line, wanted) = (&line[head..], &wanted[head..]);
    let tail = line.iter().rev().zip(wanted.iter().rev()).take_while(|(a, b)| a == b).count();
    (head + tail) * 1000 / longer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_alike_line_is_named() {
        let file = b"fn main() {\n    let x = 1;\n    let total = sum(x);\n}\n";
        let table: [(&[u8], u32); 4] =
            [(b"\n  let total = sum(y);", 3), (b"fn  main() {", 1), (b"let x = 1;", 2), (b"}", 4)];
        for (wanted, line) in table {
            assert_eq!(nearest(file, wanted).unwrap().line, line, "{wanted:?}");
        }
        assert_eq!(nearest(b"", b"x"), None);
    }
}

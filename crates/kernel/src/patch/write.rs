//! What a write makes of a file: the bytes sent, with the line endings and the executable bit that
//! were asked for. Whether the file may be there is decided with everything else that is.

use alloc::vec::Vec;

use super::args::{Body, EolWanted, ExecutableWanted, Write};
use super::change::{Action, Change, Content, Executable};
use super::lines::{Eol, changed_lines, eol, split_bom, to_crlf, to_lf};

/// A larger file is not written by a tool: it would pass through a model and a journal first.
pub const WRITE_BYTES_MAX: usize = 16 << 20;

/// What `write` makes of what is there.
pub fn written(args: &Write, before: Option<Content>) -> Change {
    let (bytes, eol_translated) = bytes(args, before.as_ref());
    let executable = match args.executable {
        ExecutableWanted::Yes => Executable::Yes,
        ExecutableWanted::No => Executable::No,
        ExecutableWanted::Keep => before.as_ref().map_or(Executable::No, |it| it.executable),
    };
    let (added, removed) = changed_lines(before.as_ref().map_or(&[], |it| &it.bytes), &bytes);
    Change {
        path: args.path.clone(),
        action: if before.is_some() { Action::Modify } else { Action::Create },
        from: None,
        before,
        after: Some(Content { bytes, executable }),
        hunks: 1,
        offset: 0,
        added,
        removed,
        eol_translated,
    }
}

fn bytes(args: &Write, before: Option<&Content>) -> (Vec<u8>, bool) {
    let text = match &args.body {
        Body::Bytes(bytes) => return (bytes.clone(), false),
        Body::Text(text) => text.as_bytes(),
    };
    let turned = match args.eol {
        EolWanted::Lf => to_lf(text),
        EolWanted::Crlf => to_crlf(text),
        EolWanted::Keep => match before.map(|it| eol(split_bom(&it.bytes).1)) {
            // Only text without any CR is taken to mean nothing by its line endings.
            Some(Eol::Crlf) if !text.contains(&b'\r') => to_crlf(text),
            Some(Eol::Lf | Eol::Crlf | Eol::Mixed | Eol::None) | None => text.to_vec(),
        },
    };
    let translated = turned != text;
    (turned, translated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::args::Mode;
    use alloc::string::ToString;

    fn write(text: &str, eol: EolWanted, executable: ExecutableWanted) -> Write {
        let body = Body::Text(text.to_string());
        let path = "f".to_string();
        Write { path, body, mode: Mode::Overwrite, expect: None, eol, executable }
    }

    fn file(bytes: &[u8], executable: Executable) -> Option<Content> {
        Some(Content { bytes: bytes.to_vec(), executable })
    }

    #[test]
    fn line_endings_are_as_asked() {
        type Row<'a> = (&'a [u8], &'a str, EolWanted, &'a [u8], bool);
        let table: [Row<'_>; 7] = [
            (b"x\r\n", "a\nb\n", EolWanted::Keep, b"a\r\nb\r\n", true),
            (b"x\r\n", "a\r\nb\n", EolWanted::Keep, b"a\r\nb\n", false),
            (b"x\n", "a\n", EolWanted::Keep, b"a\n", false),
            (b"x\r\ny\n", "a\n", EolWanted::Keep, b"a\n", false),
            (b"x\n", "a\n", EolWanted::Crlf, b"a\r\n", true),
            (b"x\r\n", "a\r\n", EolWanted::Lf, b"a\n", true),
            (b"x\r\n", "a", EolWanted::Keep, b"a", false),
        ];
        for (before, text, eol, after, told) in table {
            let before = file(before, Executable::No);
            let change = written(&write(text, eol, ExecutableWanted::Keep), before);
            assert_eq!(change.after.unwrap().bytes, after, "{text:?} {eol:?}");
            assert_eq!(change.eol_translated, told, "{text:?} {eol:?}");
        }
    }

    #[test]
    fn the_executable_bit_is_as_asked() {
        let table = [
            (file(b"x", Executable::Yes), ExecutableWanted::Keep, Executable::Yes),
            (file(b"x", Executable::Yes), ExecutableWanted::No, Executable::No),
            (file(b"x", Executable::No), ExecutableWanted::Yes, Executable::Yes),
            (None, ExecutableWanted::Keep, Executable::No),
        ];
        for (before, wanted, expected) in table {
            let change = written(&write("y", EolWanted::Keep, wanted), before);
            assert_eq!(change.after.unwrap().executable, expected, "{wanted:?}");
        }
    }
}

//! Every message key that code says exists in both languages. Only keys written as literals are
//! seen; computed ones are the tests' affair.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::source::Source;

/// Calls whose first or second argument is a key.
const SAYING: [&str; 3] = ["say(", "tell(", "words::find("];

/// The keys of one catalogue file: `name` and `name.attribute`.
pub fn keys(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut message = "";
    for line in text.lines() {
        let Some((left, _)) = line.split_once('=') else { continue };
        let name = left.trim();
        let word = name.trim_start_matches('.');
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if word.is_empty() || !word.chars().all(legal) {
            continue;
        }
        if line.starts_with(char::is_alphabetic) {
            message = name;
            all.insert(name.to_owned());
        } else if name.starts_with('.') {
            all.insert(format!("{message}{name}"));
        }
    }
    all
}

/// Keys that are said but not in the catalogue; `lang` names it.
pub fn check(source: &Source, lang: &str, known: &BTreeSet<String>, found: &mut Vec<Finding>) {
    for call in SAYING {
        for (at, _) in source.product_code().match_indices(call) {
            if defines(&source.code[..at]) {
                continue;
            }
            let Some((offset, key)) = literal(source, at + call.len()) else { continue };
            if !known.contains(key) {
                let what = format!("no `{key}` in the {lang} catalogue");
                found.push(Finding::new("message", &source.path, source.line_of(offset), what));
            }
        }
    }
}

/// Whether what stands before makes this a definition or the end of a longer name.
fn defines(before: &str) -> bool {
    before.ends_with("fn ") || before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The string literal that is the first or second argument, with its offset.
fn literal(source: &Source, start: usize) -> Option<(usize, &str)> {
    let rest = source.code.get(start..)?;
    let (mut depth, mut commas) = (0_usize, 0_usize);
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return None,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => commas += 1,
            b'"' if depth == 0 && commas < 2 => {
                let open = start + at + 1;
                let close = open + source.code[open..].find('"')?;
                return Some((open, &source.text[open..close]));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const FTL: &str = "# a comment = not one\na-b = Text\n    .next = More\n    tail = of a line\n";

    #[test]
    fn messages_and_attributes_are_keys() {
        let got: Vec<_> = keys(FTL).into_iter().collect();
        assert_eq!(got, ["a-b", "a-b.next"]);
    }

    #[test]
    fn literal_keys_must_exist() {
        let table = [
            (r#"say(lang, "a-b", &[])"#, 0),
            (r#"words::say(lang, "a-b.next", &[])"#, 0),
            (r#"ctx.say("a-c")"#, 1),
            ("say(\n    lang(x),\n    \"a-c\",\n)", 1),
            (r#"say(lang, key, &[("a-c", 1)])"#, 0),
            (r#"say(lang, &format!("{id}.full"))"#, 0),
            (r#"fn say(key: &str) { "a-c" }"#, 0),
            (r#"essay("a-c")"#, 0),
            ("// say(\"a-c\")\n", 0),
        ];
        for (text, findings) in table {
            let mut found = Vec::new();
            check(&Source::new("crates/cli/src/a.rs", text), "en", &keys(FTL), &mut found);
            assert_eq!(found.len(), findings, "{text}: {found:?}");
        }
    }
}

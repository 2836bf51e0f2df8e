//! A command as people write it in an example, split into its words: quotes and backslashes are
//! removed, nothing is expanded. It is no shell; what is run is never made from such a text.

use alloc::string::String;
use alloc::vec::Vec;

/// The words of a written command; none if a quote is left open.
#[must_use]
pub fn words(text: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => all.extend(word.take()),
            '\'' => quoted(&mut chars, '\'', word.get_or_insert_default())?,
            '"' => quoted(&mut chars, '"', word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(chars.next()?),
            _other => word.get_or_insert_default().push(c),
        }
    }
    all.extend(word);
    Some(all)
}

fn quoted(chars: &mut core::str::Chars<'_>, end: char, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            c if c == end => return Some(()),
            '\\' if end == '"' => {
                let next = chars.next()?;
                if !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together() {
        let table: [(&str, Option<&[&str]>); 8] = [
            ("git log -S 'rm -rf /'", Some(&["git", "log", "-S", "rm -rf /"])),
            (r#"a "b \"c" d\ e"#, Some(&["a", "b \"c", "d e"])),
            ("a''b ''", Some(&["ab", ""])),
            (r#""\n""#, Some(&["\\n"])),
            ("", Some(&[])),
            ("a 'b", None),
            ("a \"b", None),
            ("a\\", None),
        ];
        for (text, expected) in table {
            let found = words(text);
            let found =
                found.as_ref().map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}

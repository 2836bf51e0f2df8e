//! Extremely high risk in lines that were added to files: the words of the lists, input that is run
//! as code, and SQL that is put together from pieces. Hard-coded secrets are known by the redactor,
//! and no program is understood here; a line is all that is looked at.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::risk::{Risk, Source, operations};
use super::text::{Text, find, finds};
use crate::policy::risk::{Level, Risk as Kind, Subject, hash};

/// Endings of files that people read: what stands there is only mentioned.
const DOCUMENTS: [&str; 5] = [".md", ".txt", ".rst", ".adoc", ".markdown"];
/// What a comment begins with.
const COMMENTS: [&str; 7] = ["//", "#", "--", "/*", "*", "<!--", ";"];
/// Beginnings of SQL; each wants the word that follows somewhere behind it.
const SQL: [(&str, &str); 4] =
    [("select", "from"), ("insert", "into"), ("update", "set"), ("delete", "from")];
/// How a text is put together from pieces.
const PIECES: [&str; 12] = [
    "\" +", "' +", "+ \"", "+ '", "\" %", "' %", ".format(", "format!(", "${", "\" . $", "\" ||",
    "sprintf(",
];

/// The risks of one line that was added to a file.
#[must_use]
pub fn in_line(path: &str, line: &str, extra: &[alloc::string::String]) -> Vec<Risk> {
    let text = line.trim();
    let lower = text.to_lowercase();
    let document = DOCUMENTS.iter().any(|end| path.to_lowercase().ends_with(end));
    let comment = COMMENTS.iter().any(|begin| text.starts_with(begin) && !text.starts_with("#!"));
    if document || comment || text.is_empty() {
        return Vec::new();
    }
    let mut kinds: Vec<(Kind, Level)> =
        operations(&Text::of(text), extra).iter().map(|risk| (risk.kind, risk.level)).collect();
    if evaluates(&lower) {
        kinds.push((Kind::Permission, Level::High));
    }
    if pieced_sql(&lower) {
        kinds.push((Kind::Sensitive, Level::High));
    }
    kinds.sort_by_key(|(kind, _)| *kind);
    kinds.dedup_by_key(|(kind, _)| *kind);
    kinds.into_iter().map(|(kind, level)| risk(kind, level, path, text)).collect()
}

/// A risk of a line.
#[must_use]
pub fn risk(kind: Kind, level: Level, path: &str, line: &str) -> Risk {
    let hash = hash(kind, &Subject::Diff { path, line });
    let (place, evidence) = (path.to_string(), line.to_string());
    Risk { kind, level, source: Source::Keyword, place, evidence, hash }
}

/// Whether something that is no constant is run as code.
fn evaluates(lower: &str) -> bool {
    finds(lower, "eval").any(|at| {
        let rest = lower[at + "eval".len()..].trim_start();
        let given = rest.strip_prefix('(').map(str::trim_start);
        match given {
            // A constant is known to whoever wrote it; no argument is no call.
            Some(given) => !given.starts_with(['"', '\'', ')']) || given.contains("${"),
            None => at == 0 && rest.contains('$'),
        }
    })
}

/// Whether SQL is put together from pieces.
fn pieced_sql(lower: &str) -> bool {
    let quoted = lower.find(['"', '\'', '`']);
    let speaks = |(first, then): &(&str, &str)| {
        find(lower, first).is_some_and(|at| {
            quoted.is_some_and(|quote| quote < at) && find(&lower[at..], then).is_some()
        })
    };
    let inside = ["f\"", "f'"].iter().any(|open| lower.contains(open)) && lower.contains('{');
    SQL.iter().any(speaks) && (inside || PIECES.iter().any(|piece| lower.contains(piece)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_looked_at_line_by_line() {
        let table: [(&str, &str, &[&str]); 18] = [
            ("a.js", "const x = eval(req.body.code);", &["permission"]),
            ("a.js", "const x = eval(\"1 + 1\");", &[]),
            ("a.py", "retrieval(query)", &[]),
            ("a.py", "eval()", &[]),
            ("a.sh", "eval \"$1\"", &["permission"]),
            (
                "a.py",
                "db.run(\"SELECT * FROM users WHERE name = '\" + name + \"'\")",
                &["sensitive"],
            ),
            ("a.py", "db.run(f\"select a from t where id = {id}\")", &["sensitive"]),
            ("a.rs", "let q = format!(\"UPDATE t SET a = {a}\");", &["sensitive"]),
            ("a.js", "db.run(`DELETE FROM t WHERE id = ${id}`)", &["destructive", "sensitive"]),
            ("a.rs", "db.run(\"SELECT a FROM t WHERE id = ?\", [id])", &[]),
            ("a.rs", "let total = first + second; // select from", &[]),
            ("a.sh", "rm -rf build", &["destructive"]),
            ("a.sh", "# never rm -rf build", &[]),
            ("a.sh", "#!/bin/sh", &[]),
            ("guide.md", "run rm -rf build", &[]),
            ("a.py", "print(password)", &["sensitive"]),
            ("a.py", "password = ask()", &[]),
            ("a.py", "", &[]),
        ];
        for (path, line, expected) in table {
            let found = in_line(path, line, &[]);
            let kinds: Vec<&str> = found.iter().map(|risk| risk.kind.word()).collect();
            assert_eq!(kinds, expected, "{path}: {line}");
            assert!(found.iter().all(|risk| risk.place == path && risk.evidence == line));
        }
        let one = |path| in_line(path, "rm -rf build", &[]).remove(0).hash;
        assert_ne!(one("a.sh"), one("b.sh"), "accepted in one file only");
    }
}

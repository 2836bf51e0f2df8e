//! What diffs make of files, and what they are refused for when the files do not fit.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::patch::{Action, Change, Content, Executable, Refused, Why, apply, parse};

fn file(bytes: &str) -> Content {
    Content { bytes: bytes.as_bytes().to_vec(), executable: Executable::No }
}

/// Applies a diff to files written as `(path, text)`.
pub(super) fn run(diff: &str, files: &[(&str, &str)]) -> Result<Vec<Change>, Refused> {
    let diff = parse(diff.as_bytes())?;
    apply(&diff, |path| files.iter().find(|(name, _)| *name == path).map(|(_, text)| file(text)))
}

fn one(diff: &str, text: &str) -> Result<Change, Refused> {
    run(diff, &[("f", text)]).map(|mut changes| changes.remove(0))
}

fn hunk(body: &str) -> String {
    format!("--- a/f\n+++ b/f\n{body}")
}

fn after(change: &Change) -> &str {
    core::str::from_utf8(&change.after.as_ref().unwrap().bytes).unwrap()
}

const EIGHT: &str = "1\n2\n3\n4\n5\n6\n7\n8\n";

#[test]
fn a_hunk_fits_at_its_line_or_at_the_one_other_place() {
    let table = [
        ("stated", "@@ -3,3 +3,3 @@\n 3\n-4\n+x\n 5\n", EIGHT, "1\n2\n3\nx\n5\n6\n7\n8\n", 0),
        ("later", "@@ -2,3 +2,3 @@\n 5\n-6\n+x\n 7\n", EIGHT, "1\n2\n3\n4\n5\nx\n7\n8\n", 3),
        ("earlier", "@@ -6,3 +6,3 @@\n 2\n-3\n+x\n 4\n", EIGHT, "1\n2\nx\n4\n5\n6\n7\n8\n", -4),
        (
            "stated wins",
            "@@ -3,2 +3,2 @@\n-a\n+x\n b\n",
            "a\nb\na\nb\na\nb\n",
            "a\nb\nx\nb\na\nb\n",
            0,
        ),
        ("empty context", "@@ -2,3 +2,3 @@\n\n-b\n+x\n\n", "a\n\nb\n\nc\n", "a\n\nx\n\nc\n", 0),
        (
            "no newline stays",
            "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n",
            "a\nb",
            "x\nb",
            0,
        ),
        ("newline comes", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a", "a\n", 0),
        ("newline goes", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", "a\n", "a", 0),
        (
            "two hunks",
            "@@ -1,2 +1,3 @@\n 1\n+x\n 2\n@@ -6,3 +7,2 @@\n 6\n-7\n 8\n",
            EIGHT,
            "1\nx\n2\n3\n4\n5\n6\n8\n",
            0,
        ),
        ("a bom apart", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n", "\u{feff}a\nb\n", "\u{feff}x\nb\n", 0),
        ("a bom named", "@@ -1,2 +1,2 @@\n-\u{feff}a\n+x\n b\n", "\u{feff}a\nb\n", "x\nb\n", 0),
        ("mixed, exact", "@@ -1,2 +1,2 @@\n-a\r\n+x\r\n b\n", "a\r\nb\n", "x\r\nb\n", 0),
    ];
    for (name, body, text, expected, offset) in table {
        let change = one(&hunk(body), text).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert_eq!((after(&change), change.offset), (expected, offset), "{name}");
        assert!(!change.eol_translated, "{name}");
    }
}

#[test]
fn lf_patches_of_crlf_files_are_translated_and_told() {
    let change = one(&hunk("@@ -1,2 +1,3 @@\n-a\n+x\n+y\n b\n"), "a\r\nb\r\n").unwrap();
    assert_eq!((after(&change), change.eol_translated), ("x\r\ny\r\nb\r\n", true));
    let change = one(&hunk("@@ -1,2 +1,2 @@\n-a\r\n+x\r\n b\r\n"), "a\r\nb\r\n").unwrap();
    assert_eq!((after(&change), change.eol_translated), ("x\r\nb\r\n", false));
    let last = "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n";
    assert_eq!(after(&one(&hunk(last), "a\r\nb").unwrap()), "x\r\nb");
}

/// What does not fit: the hunk, the text, and the conflict that is told.
type Misfit = (
    &'static str,
    &'static str,
    &'static str,
    Why,
    Option<&'static str>,
    Option<&'static str>,
    Option<u32>,
);

const MISFITS: &[Misfit] = &[
    (
        "context differs",
        "@@ -3,3 +3,3 @@\n 3\n-four\n+x\n 5\n",
        EIGHT,
        Why::NoMatch,
        Some("four"),
        Some("4"),
        Some(4),
    ),
    (
        "no fuzz",
        "@@ -3,3 +3,3 @@\n three\n-4\n+x\n 5\n",
        EIGHT,
        Why::NoMatch,
        Some("three"),
        Some("3"),
        Some(3),
    ),
    (
        "blank differs",
        "@@ -2,3 +2,3 @@\n 2\n-3 \n+x\n 4\n",
        EIGHT,
        Why::NoMatch,
        Some("3 "),
        Some("3"),
        Some(3),
    ),
    (
        "behind the end",
        "@@ -40,2 +40,2 @@\n-z\n+x\n 9\n",
        EIGHT,
        Why::NoMatch,
        Some("z"),
        None,
        Some(40),
    ),
    (
        "several places",
        "@@ -9,2 +9,2 @@\n-a\n+x\n b\n",
        "a\nb\na\nb\n",
        Why::NotUnique,
        Some("a"),
        None,
        Some(1),
    ),
    (
        "header at odds",
        "@@ -3,2 +9,2 @@\n-a\n+x\n b\n",
        "a\nb\na\nb\n",
        Why::NotUnique,
        Some("a"),
        None,
        Some(1),
    ),
    ("not the end", "@@ -2,2 +2,2 @@\n 2\n-3\n+x\n", EIGHT, Why::NoMatch, None, Some("4"), Some(4)),
    (
        "not the beginning",
        "@@ -1,2 +1,2 @@\n-2\n+x\n 3\n",
        EIGHT,
        Why::NoMatch,
        Some("2"),
        Some("1"),
        Some(1),
    ),
    (
        "newline missing",
        "@@ -1,2 +1,2 @@\n-a\n+x\n b\n",
        "a\nb",
        Why::NoMatch,
        Some("b"),
        Some("b"),
        Some(2),
    ),
    (
        "mixed, translated",
        "@@ -1,2 +1,2 @@\n-a\n+x\n b\n",
        "a\r\nb\n",
        Why::NoMatch,
        Some("a"),
        Some("a\r"),
        Some(1),
    ),
];

#[test]
fn what_does_not_fit_is_told_with_its_place() {
    for &(name, body, text, why, want, found, line) in MISFITS {
        let Err(Refused::Conflicts(conflicts)) = one(&hunk(body), text) else { panic!("{name}") };
        let [conflict] = &conflicts[..] else { panic!("{name}: {conflicts:?}") };
        assert_eq!((conflict.why, conflict.hunk, conflict.line), (why, 1, line), "{name}");
        assert_eq!((conflict.want.as_deref(), conflict.found.as_deref()), (want, found), "{name}");
    }
    let body = "@@ -9,2 +9,2 @@\n-a\n+x\n b\n";
    let Err(Refused::Conflicts(conflicts)) = one(&hunk(body), "a\nb\na\nb\n") else { panic!() };
    assert_eq!(conflicts[0].lines, [1, 3]);
}

#[test]
fn hunks_out_of_order_fit_nowhere() {
    let body = "@@ -6,3 +6,3 @@\n 6\n-7\n+x\n 8\n@@ -1,2 +1,2 @@\n-1\n+y\n 2\n";
    let Err(Refused::Conflicts(conflicts)) = one(&hunk(body), EIGHT) else { panic!() };
    assert_eq!((conflicts.len(), conflicts[0].hunk, conflicts[0].why), (1, 2, Why::NoMatch));
}

const SEVERAL: &str = "\
diff --git a/new b/new
new file mode 100755
index 0000000..1111111
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+hello
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/from b/to name
similarity index 50%
rename from from
rename to to name
--- a/from
+++ b/to name\t
@@ -1,2 +1,2 @@
-a
+x
 b
diff --git a/script b/script
old mode 100644
new mode 100755
";

#[test]
fn files_come_go_move_and_get_modes() {
    let files = [("gone", "bye\n"), ("from", "a\nb\n"), ("script", "#!\n")];
    let changes = run(SEVERAL, &files).unwrap();
    let told: Vec<_> = changes
        .iter()
        .map(|it| {
            let text = it.after.as_ref().map(|_| after(it).to_string());
            (it.path.as_str(), it.action, text, it.after.as_ref().map(|after| after.executable))
        })
        .collect();
    let text = |text: &str| Some(text.to_string());
    let expected = [
        ("new", Action::Create, text("hello\n"), Some(Executable::Yes)),
        ("gone", Action::Delete, None, None),
        ("from", Action::Delete, None, None),
        ("to name", Action::Create, text("x\nb\n"), Some(Executable::No)),
        ("script", Action::Modify, text("#!\n"), Some(Executable::Yes)),
    ];
    assert_eq!(told, expected);
}

#[test]
fn one_file_that_does_not_fit_stops_all_and_every_conflict_is_told() {
    let files =
        [("new", "there\n"), ("gone", "bye\nmore\n"), ("from", "a\nb\n"), ("script", "#!\n")];
    let Err(Refused::Conflicts(conflicts)) = run(SEVERAL, &files) else { panic!() };
    let told: Vec<_> = conflicts.iter().map(|it| (it.path.as_str(), it.why)).collect();
    assert_eq!(told, [("new", Why::Exists), ("gone", Why::NoMatch)]);
    let Err(Refused::Conflicts(conflicts)) = run(SEVERAL, &[("to name", "")]) else { panic!() };
    let told: Vec<_> = conflicts.iter().map(|it| (it.path.as_str(), it.why)).collect();
    let missing = |path| (path, Why::NotFound);
    assert_eq!(told, [missing("gone"), missing("from"), missing("script")]);
}

#[test]
fn reg_only_the_first_hunk_stands_at_the_beginning() {
    let table = [
        ("both whole", "@@ -0,0 +1 @@\n+a\n@@ -0,0 +2 @@\n+b\n", ""),
        ("a later one", "@@ -0,0 +1 @@\n+a\n@@ -1,0 +3 @@\n+b\n", ""),
        ("with context", "@@ -0,0 +1 @@\n+a\n@@ -1,2 +2,3 @@\n+b\n x\n y\n", "x\ny\n"),
    ];
    for (name, body, text) in table {
        assert!(one(&hunk(body), text).is_err(), "{name}");
    }
    let first = one(&hunk("@@ -0,0 +1 @@\n+a\n"), "").unwrap();
    assert_eq!(after(&first), "a\n");
}

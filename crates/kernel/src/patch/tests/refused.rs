//! Diffs that can't be used whatever the files hold.

use alloc::format;
use alloc::string::String;

use crate::patch::{Kind, PATCH_BYTES_MAX, PATCH_FILES_MAX, parse};

const MALFORMED: &[(&str, &str)] = &[
    ("nothing", ""),
    ("prose", "please change line 3\n"),
    ("no header", "@@ -1 +1 @@\n-a\n+b\n"),
    ("counts too large", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n+b\n c\n"),
    ("counts too small", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n+c\n"),
    ("bad ranges", "--- a/f\n+++ b/f\n@@ -1,x +1 @@\n-a\n+b\n"),
    ("no change", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n a\n"),
    ("bad line", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n*b\n"),
    ("no end of line", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b"),
    ("mark first", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n"),
    (
        "mark in the middle",
        "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n",
    ),
    ("two names", "--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n"),
    ("no prefix", "--- src/f\n+++ src/f\n@@ -1 +1 @@\n-a\n+b\n"),
    ("both null", "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n"),
    ("twice", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-b\n+c\n"),
    ("new with old lines", "--- /dev/null\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"),
    ("gone with new lines", "--- a/f\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n"),
    (
        "bare and prefixed",
        "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n",
    ),
    ("git, names at odds", "diff --git a/f b/f\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n"),
    ("git, nothing", "diff --git a/f b/f\nindex 1111111..2222222 100644\n"),
    ("git, no names", "diff --git a/f b/f\n@@ -1 +1 @@\n-a\n+b\n"),
    ("git, one mode", "diff --git a/f b/f\nnew mode 100755\n"),
    ("git, null unsaid", "diff --git a/f b/f\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n"),
    ("git, half a rename", "diff --git a/f b/g\nrename from f\n"),
    ("git, new and gone", "diff --git a/f b/f\nnew file mode 100644\ndeleted file mode 100644\n"),
];

const UNSUPPORTED: &[(&str, &str)] = &[
    ("binary", "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 1\n"),
    ("binary named", "diff --git a/f b/f\nBinary files a/f and b/f differ\n"),
    ("binary alone", "Binary files a/f and b/f differ\n"),
    (
        "link",
        "diff --git a/f b/f\nnew file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n",
    ),
    (
        "link changed",
        "diff --git a/f b/f\nindex 1..2 120000\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n",
    ),
    ("submodule", "diff --git a/f b/f\nindex 1..2 160000\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"),
    ("copy", "diff --git a/f b/g\ncopy from f\ncopy to g\n"),
    ("odd mode", "diff --git a/f b/f\nold mode 100644\nnew mode 100600\n"),
];

#[test]
fn unreadable_diffs_are_refused_with_their_kind() {
    for (kind, table) in [(Kind::Malformed, MALFORMED), (Kind::Unsupported, UNSUPPORTED)] {
        for (name, diff) in table {
            let invalid = parse(diff.as_bytes()).expect_err(name);
            assert_eq!(invalid.kind, kind, "{name}: {invalid:?}");
            assert!(!invalid.expected.is_empty());
        }
    }
}

#[test]
fn a_refused_line_is_counted_from_one() {
    let diff = "prose\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n*b\n";
    assert_eq!(parse(diff.as_bytes()).unwrap_err().line, 6);
}

#[test]
fn bounds_hold_at_the_bound_and_one_beyond() {
    let many = |count: usize| {
        (0..count).fold(String::new(), |mut diff, n| {
            diff.push_str(&format!("--- a/f{n}\n+++ b/f{n}\n@@ -1 +1 @@\n-a\n+b\n"));
            diff
        })
    };
    assert_eq!(parse(many(PATCH_FILES_MAX).as_bytes()).unwrap().files.len(), PATCH_FILES_MAX);
    assert!(parse(many(PATCH_FILES_MAX + 1).as_bytes()).is_err());
    let mut long = many(1);
    long.push_str(&"\n".repeat(PATCH_BYTES_MAX - long.len()));
    assert!(parse(long.as_bytes()).is_ok());
    long.push('\n');
    assert!(parse(long.as_bytes()).is_err());
}

#[test]
fn letters_around_diffs_are_passed_over() {
    let diff = "From 1\nSubject: x\n---\n f | 2 +-\n\ndiff --git a/f b/f\nindex 1..2 100644\n\
                --- a/f\n+++ b/f\n@@ -1 +1 @@ fn x()\n-a\n+b\n-- \n2.47.3\n\n f | 1 -\n";
    assert_eq!(parse(diff.as_bytes()).unwrap().files.len(), 1);
}

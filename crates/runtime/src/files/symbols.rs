//! Names a source file defines at its top level, by the look of its lines. No parser: a line that
//! begins with a word for a class, function, interface or structure gives the name after it.

/// A longer name is no name.
const NAME_BYTES_MAX: usize = 80;

/// Words that may stand before the word that defines.
const BEFORE: [&str; 24] = [
    "pub",
    "export",
    "default",
    "async",
    "abstract",
    "static",
    "final",
    "public",
    "private",
    "protected",
    "internal",
    "sealed",
    "open",
    "data",
    "unsafe",
    "const",
    "partial",
    "override",
    "inline",
    "declare",
    "typedef",
    "local",
    "case",
    "suspend",
];

/// Words that define, by the end of the file's name.
const DEFINING: [(&[&str], &[&str]); 12] = [
    (&["rs"], &["fn", "struct", "enum", "trait", "union", "type"]),
    (&["py", "pyi"], &["def", "class"]),
    (&["go"], &["func", "type"]),
    (&["js", "jsx", "mjs", "cjs"], &["function", "class"]),
    (&["ts", "tsx", "mts"], &["function", "class", "interface", "enum", "type"]),
    (
        &["java", "kt", "kts", "scala"],
        &["class", "interface", "enum", "record", "object", "fun", "trait", "def"],
    ),
    (&["c", "h", "cc", "cpp", "hpp", "cxx"], &["struct", "class", "enum", "union"]),
    (&["cs"], &["class", "interface", "struct", "enum", "record"]),
    (&["swift"], &["func", "class", "struct", "enum", "protocol"]),
    (&["rb"], &["def", "class", "module"]),
    (&["php"], &["function", "class", "interface", "trait"]),
    (&["dart"], &["class", "enum", "mixin"]),
];

/// The first names a file defines, at most so many, each once.
pub(super) fn names(path: &str, text: &str, max: usize) -> Vec<String> {
    let Some(defining) = defining(path) else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    for line in text.lines() {
        if names.len() == max {
            break;
        }
        if let Some(name) = name(line, defining).filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    names
}

fn defining(path: &str) -> Option<&'static [&'static str]> {
    let (_, end) = path.rsplit_once('.')?;
    let end = end.to_ascii_lowercase();
    DEFINING.iter().find(|(ends, _)| ends.contains(&end.as_str())).map(|(_, words)| *words)
}

fn name(line: &str, defining: &[&str]) -> Option<String> {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    if line.starts_with([' ', '\t']) {
        return None;
    }
    let defines = words.find(|word| {
        let bare = word.split('(').next().unwrap_or(word);
        !BEFORE.contains(&bare)
    })?;
    if !defining.contains(&defines) {
        return None;
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    // The receiver of a method in Go.
    let rest = match rest.strip_prefix('(') {
        Some(receiver) => receiver.split_once(')')?.1.trim_start(),
        None => &rest,
    };
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let name = &rest[..end];
    (!name.is_empty() && name.len() <= NAME_BYTES_MAX).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_give_their_names() {
        let table: [(&str, &str, &[&str]); 12] = [
            (
                "a.rs",
                "pub fn one() {}\nstruct Two;\npub(crate) async fn three<T>(\n",
                &["one", "Two", "three"],
            ),
            ("a.rs", "    fn inner() {}\nimpl X {\n// fn no\nuse fn_x;\n", &[]),
            ("a.rs", "pub const fn four() {}\npub const FIVE: u8 = 5;\n", &["four"]),
            (
                "a.py",
                "class A(B):\n    def m(self):\ndef f(x):\nasync def g():\n",
                &["A", "f", "g"],
            ),
            (
                "a.go",
                "func Plain(a int) {\nfunc (s *Server) Serve() {\ntype T struct {\n",
                &["Plain", "Serve", "T"],
            ),
            (
                "a.ts",
                "export default class Foo {\nexport interface Bar {\nexport async function baz(",
                &["Foo", "Bar", "baz"],
            ),
            ("a.js", "function $x() {}\nconst y = 1;\n", &["$x"]),
            ("A.java", "public final class A {\n", &["A"]),
            ("a.c", "struct point {\nint main(void) {\n", &["point"]),
            ("a.md", "class of things\n", &[]),
            ("README", "fn x\n", &[]),
            ("a.rs", "fn a() {}\nfn a() {}\n", &["a"]),
        ];
        for (path, text, expected) in table {
            assert_eq!(names(path, text, 8), expected, "{path}: {text}");
        }
        assert_eq!(names("a.py", "def a():\ndef b():\ndef c():\n", 2), ["a", "b"]);
    }
}

//! A page comes back as it was drawn, in every shape, and the seed's example reads as it says.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::context::{compare, read};
use super::super::{Broken, Ending, Form, Unread};
use super::dice::Dice;

const PAGES: u64 = 10_000;

pub(super) const EXAMPLE: &str = "---
session_id: \"abc123\"
task_status: AUTO_FIX
auto_fix_attempts: 2
last_checkpoint: \"chk-202602081200\"
x_run_id: \"lc-7f3a\"
x_seq: 57
x_paused: false
x_current_task: \"T-102\"
x_next_action: \"fix 2 of 3 is running\"
x_last_session_end: null
---

# Active Context (短期记忆 - 工作台)
## 1. Current Goal (当前目标)
> Add login. **PRD**: `docs/prd/login.md`
## 2. Task Queue (任务队列)
- [✅ DONE] T-101: Create the form (`lib/login.dart`)
- [🔄 IN_PROGRESS] T-102: Wire the API (`lib/api.dart`)
## 3. Scratchpad (草稿区)
- 2026-02-08 12:04: fix 1 failed, 1 test
## 4. History (近 5 条记录)
1. 2026-02-07 18:30: Add search, completed, 4 of 4
";

#[test]
fn invariant_view_roundtrip() {
    for seed in 0..PAGES {
        let mut dice = Dice(seed);
        let (page, form) = (dice.page(), dice.form());
        let drawn = page.draw(form);
        let found = read(&drawn).unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
        assert_eq!(found.form, form, "seed {seed}");
        assert_eq!(found.page().as_ref(), Ok(&page), "seed {seed}");
        assert_eq!(found.page().unwrap().draw(form), drawn, "seed {seed}");
        assert_eq!(found.seq(), Some(page.head.seq), "seed {seed}");
        let edits = compare(&page, &page, &drawn);
        assert!(edits.is_empty(), "seed {seed}: {edits:?}");
    }
}

#[test]
fn the_pages_example_is_drawn_as_it_stands() {
    let found = read(EXAMPLE.as_bytes()).unwrap();
    let page = found.page().unwrap();
    assert_eq!(page.head.next_action, "fix 2 of 3 is running");
    assert_eq!(String::from_utf8(page.draw(Form::default())).unwrap(), EXAMPLE);
}

/// What an editor may do without changing what a page says.
#[test]
fn a_touch_that_says_nothing_is_no_edit() {
    let page = read(EXAMPLE.as_bytes()).unwrap().page().unwrap();
    let crlf = EXAMPLE.replace('\n', "\r\n");
    let bom = String::from("\u{feff}") + EXAMPLE;
    let table: &[(&str, String)] = &[
        ("CRLF", crlf.clone()),
        ("a byte order mark", bom),
        ("both", String::from("\u{feff}") + &crlf),
        ("blanks after the fences", EXAMPLE.replace("---\n", "---  \t\n")),
        ("plain scalars", EXAMPLE.replace("\"abc123\"", "abc123").replace("\"T-102\"", "T-102")),
        ("single quotes", EXAMPLE.replace("\"abc123\"", "'abc123'")),
        ("a quoted word", EXAMPLE.replace("AUTO_FIX", "\"AUTO_FIX\"")),
        ("null as a tilde", EXAMPLE.replace("end: null", "end: ~")),
        ("null as nothing", EXAMPLE.replace("end: null", "end:")),
        ("no last line end", EXAMPLE.trim_end().to_owned()),
        ("empty lines", EXAMPLE.replace("## 2", "\n\n## 2").replace("---\n\n#", "---\n\n\n#")),
        ("blanks at line ends", EXAMPLE.replace("(当前目标)\n", "(当前目标)  \n")),
        ("another bullet", EXAMPLE.replace("- [✅", "* [✅")),
        ("no variation selector", EXAMPLE.replace('\u{fe0f}', "")),
        ("escapes", EXAMPLE.replace("abc123", "\\u0061bc\\x3123")),
    ];
    for (name, text) in table {
        let edits = compare(&page, &page, text.as_bytes());
        assert!(edits.is_empty(), "{name}: {edits:?}");
    }
}

#[test]
fn the_shape_of_a_file_is_kept() {
    let page = read(EXAMPLE.as_bytes()).unwrap().page().unwrap();
    for bom in [false, true] {
        for ending in [Ending::Lf, Ending::Crlf] {
            let form = Form { bom, ending };
            let edits = compare(&page, &page, &page.draw(form));
            assert_eq!(edits.form, form);
            let bytes = page.draw(edits.form);
            assert_eq!(bytes.starts_with("\u{feff}".as_bytes()), bom);
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
            let pairs = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
            assert_eq!(pairs, if ending == Ending::Crlf { lines } else { 0 });
        }
    }
}

#[test]
fn what_cannot_be_read_says_where_and_why() {
    let with = |from: &str, to: &str| EXAMPLE.replacen(from, to, 1).into_bytes();
    let seq = "x_seq: 57";
    let table: Vec<(Vec<u8>, usize, Unread)> = [
        (with("---\n", ""), 1, Unread::NoFence),
        (Vec::new(), 1, Unread::NoFence),
        (with("x_last_session_end: null\n---", "x_last_session_end: null"), 22, Unread::OpenFence),
        (with(seq, "x_seq: 57\nx_seq: 58"), 8, Unread::DuplicateKey),
        (with(seq, "x_seq: 57\n\"x_seq\": 57"), 8, Unread::DuplicateKey),
        (with(seq, "x_seq: &a 57"), 7, Unread::Anchor),
        (with(seq, "x_seq: *a"), 7, Unread::Anchor),
        (with(seq, "<<: *a"), 7, Unread::Anchor),
        (with(seq, "x_seq: !!int 57"), 7, Unread::Tag),
        (with(seq, "!t x_seq: 57"), 7, Unread::Tag),
        (with(seq, "x_seq"), 7, Unread::NotAPair),
        (with(seq, "x_seq:57"), 7, Unread::NotAPair),
        (with(seq, "x_seq: a: b"), 7, Unread::NotAPair),
        (with(seq, "x_seq: @57"), 7, Unread::NotAPair),
        (with(seq, "  x_seq: 57"), 7, Unread::Nested),
        (with(seq, "\tx_seq: 57"), 7, Unread::Nested),
        (with(seq, "- x_seq"), 7, Unread::Collection),
        (with(seq, "x_seq: [57]"), 7, Unread::Collection),
        (with(seq, "x_seq: {a: 1}"), 7, Unread::Collection),
        (with(seq, "x_seq: - 57"), 7, Unread::Collection),
        (with(seq, "x_seq: |"), 7, Unread::BlockText),
        (with(seq, "x_seq: >-"), 7, Unread::BlockText),
        (with("\"abc123\"", "\"abc123"), 2, Unread::OpenQuote),
        (with("\"abc123\"", "'abc''123"), 2, Unread::OpenQuote),
        (with("\"abc123\"", "\"abc\\q123\""), 2, Unread::BadEscape),
        (with("\"abc123\"", "\"\\ud800\""), 2, Unread::BadEscape),
        (with("\"abc123\"", "\"abc\"123"), 2, Unread::AfterQuote),
        (with("## 3. Scratchpad (草稿区)\n", ""), 23, Unread::NoSection),
        (with("## 4. History (近 5 条记录)\n", ""), 23, Unread::NoSection),
        (with("# Active Context (短期记忆 - 工作台)\n", ""), 23, Unread::NoSection),
        (with("## 2. Task Queue (任务队列)", "## 2. Queue"), 24, Unread::NoSection),
        (alloc::vec![b'-'; 1024 * 1024 + 1], 1, Unread::TooLarge),
        ([b"---\nsession_id: \"", &[0xff][..], b"\"\n---\n"].concat(), 2, Unread::NotUtf8),
    ]
    .into();
    for (bytes, line, why) in &table {
        let broken = read(bytes).expect_err("it must not be read");
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
        assert_eq!((broken.line, broken.why), (*line, *why), "{broken:?}\n{text}");
    }
    for why in Unread::ALL {
        assert!(table.iter().any(|(_, _, known)| *known == why), "{why:?} has no case");
    }
}

/// Bytes that somebody was still writing are read as broken, or as what they say: never worse.
#[test]
fn a_cut_file_never_reads_as_another_state() {
    let page = read(EXAMPLE.as_bytes()).unwrap().page().unwrap();
    for end in 0..EXAMPLE.len() {
        let edits = compare(&page, &page, &EXAMPLE.as_bytes()[..end]);
        assert!(edits.progress.is_empty() && edits.scratch.is_none(), "{end}: {edits:?}");
    }
    let Broken { line, .. } = read(&EXAMPLE.as_bytes()[..40]).expect_err("cut");
    assert_eq!(line, 3);
}

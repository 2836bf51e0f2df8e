//! What each kind of edit comes to: taken in, or refused at a line with what to use instead.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::super::context::{Edits, No, compare, read};
use super::super::{Status, Unread};
use super::pages::EXAMPLE;

/// One line that says everything.
fn told(edits: &Edits) -> String {
    let mut parts: Vec<String> = Vec::new();
    for change in &edits.progress {
        let odd = change.odd.map_or_else(String::new, |odd| format!(" ({})", odd.word()));
        parts.push(format!("{} {}{odd} at {}", change.task, change.status.said(), change.line));
    }
    if let Some(lines) = &edits.scratch {
        parts.push(format!("scratch {}", lines.join("/")));
    }
    for refused in &edits.refused {
        let parts_of = [refused.no.reason(), &refused.what, "at", &refused.line.to_string()];
        let words: Vec<&str> = parts_of.into_iter().filter(|word| !word.is_empty()).collect();
        parts.push(words.join(" "));
    }
    parts.join("; ")
}

#[test]
fn edits() {
    let note = "- 2026-02-08 12:04: fix 1 failed, 1 test";
    let t101 = "- [✅ DONE] T-101: Create the form (`lib/login.dart`)";
    let t102 = "- [🔄 IN_PROGRESS] T-102: Wire the API (`lib/api.dart`)";
    let swapped = format!("{t102}\n{t101}");
    let both = format!("{t101}\n{t102}");
    let table: &[(&str, &str, &str)] = &[
        // A mark is a claim.
        ("🔄 IN_PROGRESS", "✅ DONE", "T-102 DONE at 19"),
        ("🔄 IN_PROGRESS", "DONE", "T-102 DONE at 19"),
        ("🔄 IN_PROGRESS", "√", "T-102 DONE at 19"),
        ("🔄 IN_PROGRESS", "x", "T-102 DONE (foreign_mark) at 19"),
        ("🔄 IN_PROGRESS", "~", "T-102 PENDING (unknown_mark) at 19"),
        ("🔄 IN_PROGRESS", "X", "T-102 PENDING (ambiguous_mark) at 19"),
        ("🔄 IN_PROGRESS", "🔄 FAILED", "T-102 FAILED (mark_disagrees) at 19"),
        ("🔄 IN_PROGRESS", "⏭ skipped", "T-102 SKIPPED at 19"),
        ("✅ DONE", "⏳ PENDING", "T-101 PENDING at 18"),
        ("✅ DONE", "🔁 RETRY", "T-101 PENDING at 18"),
        // The scratchpad is anybody's.
        (note, "", "scratch "),
        (note, "- try the other API\n\nlater", "scratch - try the other API//later"),
        (note, "## 4. History (近 5 条记录)", "scratch ## 4. History (近 5 条记录)"),
        (note, "---", "scratch ---"),
        // State moves by command.
        ("AUTO_FIX", "IDLE", "use_command task_status at 3"),
        ("attempts: 2", "attempts: 0", "use_command auto_fix_attempts at 4"),
        ("attempts: 2", "attempts: two", "use_command auto_fix_attempts at 4"),
        ("chk-202602081200", "chk-202602080000", "use_command last_checkpoint at 5"),
        ("\"abc123\"", "\"abc124\"", "use_command session_id at 2"),
        ("\"abc123\"", "null", "use_command session_id at 2"),
        ("x_seq: 57", "x_seq: 58", "use_command x_seq at 7"),
        ("x_paused: false", "x_paused: true", "use_command x_paused at 8"),
        ("x_paused: false\n", "", "use_command x_paused at 11"),
        ("end: null", "end: \"null\"", "use_command x_last_session_end at 11"),
        // The plan changes by amendment.
        ("Wire the API", "Wire it", "use_amend T-102 at 19"),
        ("lib/api.dart", "lib/b.dart", "use_amend T-102 at 19"),
        (t102, "", "use_amend T-102 at 17"),
        (&both, &swapped, "use_amend T-101 at 19"),
        (
            t102,
            "- [🔄 IN_PROGRESS] T-103: Wire the API (`lib/api.dart`)",
            "use_amend T-102 at 17; view_only T-103 at 19",
        ),
        (t101, &format!("{t101}\n{t101}"), "use_amend T-101 at 19"),
        // The rest is only shown.
        ("Add login.", "Add logout.", "view_only Current Goal at 16"),
        ("> Add", "Add", "view_only Current Goal at 15; view_only at 16"),
        ("> Add", "> Really\n> Add", "view_only Current Goal at 16"),
        ("4 of 4", "5 of 5", "view_only History at 23"),
        ("4 of 4", "4 of 4\n2. more", "view_only History at 24"),
        ("x_seq: 57", "x_seq: 57\nmine: 1", "view_only mine at 8"),
        ("x_seq: 57", "x_seq: 57 # mine", "view_only # at 7"),
        ("x_seq: 57", "# mine\nx_seq: 57", "view_only # at 7"),
        (t102, &format!("{t102}\n- [ ] T-103: More"), "view_only T-103 at 20"),
        (t102, &format!("{t102}\n- [ ] [REFLECTION] why"), "view_only at 20"),
        (t102, &format!("{t102}\na comment\nof two lines"), "view_only at 20"),
        ("4 of 4\n", "4 of 4\n## 5. Mine\ntext\n\ntext\n", "view_only at 24; view_only at 27"),
        ("## 1", "text\n## 1", "view_only at 15"),
        // One change that is refused takes no other down.
        (
            &both,
            "- [❌ FAILED] T-101: Create (`lib/login.dart`)\n- [DONE] T-102: Wire the API (`lib/api.dart`)",
            "T-101 FAILED at 18; T-102 DONE at 19; use_amend T-101 at 18",
        ),
    ];
    let page = read(EXAMPLE.as_bytes()).unwrap().page().unwrap();
    for (from, to, expected) in table {
        assert!(EXAMPLE.contains(from), "{from}");
        for ending in ["\n", "\r\n"] {
            let text = EXAMPLE.replacen(from, to, 1).replace('\n', ending);
            assert_eq!(told(&compare(&page, &page, text.as_bytes())), *expected, "{from} -> {to}");
        }
    }
}

#[test]
fn a_broken_file_is_refused_whole() {
    let page = read(EXAMPLE.as_bytes()).unwrap().page().unwrap();
    let text = EXAMPLE.replace("🔄 IN_PROGRESS", "DONE").replace("x_seq: 57", "x_seq: [57");
    let edits = compare(&page, &page, text.as_bytes());
    assert!(edits.progress.is_empty() && edits.scratch.is_none());
    let refused: Vec<(usize, No)> = edits.refused.iter().map(|r| (r.line, r.no)).collect();
    assert_eq!(refused, [(7, No::Unparsable(Unread::Collection))]);
}

#[test]
fn only_the_line_of_the_task_is_meant() {
    let mut page = read(EXAMPLE.as_bytes()).unwrap().page().unwrap();
    page.queue[0].id = "T-10".into();
    page.queue[1].id = "T-101".into();
    page.queue[1].status = Status::Pending;
    let text = String::from_utf8(page.draw(super::super::Form::default())).unwrap();
    let edited = text.replace("✅ DONE] T-10:", "❌ FAILED] T-10:");
    assert_eq!(told(&compare(&page, &page, edited.as_bytes())), "T-10 FAILED at 18");
}

#[test]
fn a_scratchpad_is_bounded() {
    let page = read(EXAMPLE.as_bytes()).unwrap().page().unwrap();
    for (length, expected) in [(65_534, true), (65_536, false)] {
        let text = EXAMPLE.replace(
            "- 2026-02-08 12:04: fix 1 failed, 1 test",
            &core::iter::repeat_n('a', length).collect::<String>(),
        );
        let edits = compare(&page, &page, text.as_bytes());
        assert_eq!(edits.scratch.is_some(), expected, "{length}");
        assert_eq!(edits.refused.is_empty(), expected, "{length}");
    }
}

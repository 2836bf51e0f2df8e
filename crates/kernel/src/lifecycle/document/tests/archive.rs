//! The month's page of tasks: each run has its block, put again without a change of any other.

use alloc::borrow::ToOwned as _;
use alloc::string::String;

use super::super::archive::{Entry, Words, page_name, with_run};

fn entry(id: &str, result: &str) -> Entry {
    Entry {
        id: id.to_owned(),
        title: "Create the form".to_owned(),
        completed: Some("2026-02-08 12:30".to_owned()),
        commit: None,
        files: ["lib/login.dart".to_owned()].into(),
        summary: Some("done\nas asked".to_owned()),
        prd: Some("docs/prd/login.md".to_owned()),
        result: result.to_owned(),
    }
}

#[test]
fn a_run_is_put_once() {
    let first = with_run("", "2026-02", "lc-a", &[entry("T-1", "done")], Words::EN);
    assert_eq!(
        first,
        "# Task archive 2026-02\n\n<!-- run lc-a -->\n## T-1: Create the form\n\n\
         - Completed: 2026-02-08 12:30\n- Commit Hash: -\n- Files: `lib/login.dart`\n\
         - Summary: done as asked\n- PRD: docs/prd/login.md\n- Result: done\n\n<!-- end lc-a -->\n"
    );
    let second =
        with_run(&first, "2026-02", "lc-b", &[entry("T-1", "skipped: dependency")], Words::ZH);
    assert!(second.starts_with(&first), "{second}");
    assert!(second.contains("- 完成时间: 2026-02-08 12:30\n- Commit Hash: -\n- 修改文件: `lib"));
    assert!(second.contains("- 相关 PRD: docs/prd/login.md\n- 结果: skipped: dependency\n"));
    let again = |run: &str, result: &str| {
        with_run(&second, "2026-02", run, &[entry("T-1", result)], Words::EN)
    };
    assert_eq!(again("lc-a", "done"), second);
    let changed: String = again("lc-a", "failed");
    assert_eq!(changed, second.replacen("Result: done", "Result: failed", 1));
    assert_eq!(page_name("2026-02"), "task_archive_202602.md");
}

//! A text by seed, and what is known of it because it was made so: where each task's mark stands,
//! and what is no task though it looks like one.

use crate::dice::Dice;

const ENDS: [&str; 3] = ["\n", "\r\n", "\r"];
/// What stands between brackets: ours, others', and what nobody knows.
pub(super) const MARKS: [&str; 12] = [" ", "√", "X", "-", "?", "x", "✓", "✔️", "✅", "~", "", "é"];
/// Lines that are no task and open nothing.
const PLAIN: [&str; 22] = [
    "",
    "text",
    "  ",
    "\t- tab",
    "# 任务清单: 登录",
    "## 执行状态",
    "## 任务列表 (2)",
    "## 执行备注",
    "## Unknown heading ##",
    "### 1. 登录接口",
    "| `[X]` | failed |",
    "| 任务 | 状态 | 备注 |",
    "|---|---|---|",
    "  - [ ] sub task",
    "1. [ ] numbered",
    "- [link](target.md) in a list",
    "- [ab] two letters",
    "> **@status:** partial | 2026-01-22 10:30",
    "<!-- loopwright:tasks 1 -->",
    "emoji 🎉 and trailing   ",
    "`<!--` in code",
    "key: value: more",
];
/// Lines below a task.
const BELOW: [&str; 6] = [
    "  - 验证: `cargo test`",
    "  - verify： by eye",
    "\t- 依赖: 1.1",
    "  > 备注: 曾失败",
    "  > Note: twice",
    "  free words",
];
/// Lines that would be tasks, were they not fenced or commented.
const HIDDEN: [&str; 3] = ["- [ ] 9.9 hidden", "## 任务列表", "* [√] T-9 hidden"];

/// A task that was made.
pub(super) struct Task {
    /// Its id as it is found.
    pub id: String,
    /// What stands between its brackets.
    pub mark: &'static str,
    /// Where that stands in the text.
    pub at: usize,
}

/// A text that was made.
pub(super) struct Made {
    /// The text.
    pub text: String,
    /// Its tasks, in order.
    pub tasks: Vec<Task>,
}

/// The text of a seed.
pub(super) fn make(seed: u64) -> Made {
    let mut dice = Dice::new(seed);
    let mut made = Made { text: String::new(), tasks: Vec::new() };
    if dice.once_in(4) {
        made.text.push('\u{feff}');
    }
    // One end for all, or another for each line.
    let end = (!dice.once_in(4)).then(|| ENDS[dice.below(ENDS.len())]);
    for _ in 0..dice.below(30) {
        match dice.below(8) {
            0..=2 => task(&mut dice, &mut made, end),
            3 => block(&mut dice, &mut made, end),
            _ => {
                let plain = PLAIN[dice.below(PLAIN.len())];
                line(&mut dice, &mut made, end, plain);
            }
        }
    }
    if dice.once_in(3) {
        let last = PLAIN[dice.below(PLAIN.len())];
        made.text.push_str(last);
    }
    made
}

fn line(dice: &mut Dice, made: &mut Made, end: Option<&'static str>, text: &str) {
    made.text.push_str(text);
    let end = end.unwrap_or_else(|| ENDS[dice.below(ENDS.len())]);
    // A CR before an empty line's LF would be one end instead of two.
    made.text.push_str(if text.is_empty() && end == "\n" { "\r\n" } else { end });
}

fn task(dice: &mut Dice, made: &mut Made, end: Option<&'static str>) {
    let mark = MARKS[dice.below(MARKS.len())];
    let n = made.tasks.len() + 1;
    let (id, written) = match dice.below(5) {
        0 => (format!("#{n}"), "Ohne id".to_owned()),
        1 => (format!("T-{n}"), format!("T-{n}: 标题 `src/a.rs`")),
        2 => (format!("1.{n}"), format!("1.{n}：标题")),
        3 => (format!("1.{n}.1"), format!("1.{n}.1 title\twith tab")),
        _ => (format!("{n}"), format!("{n} title ")),
    };
    let bullet = *dice.one_of(&["- [", "* [", "-[", "-  ["]);
    let at = made.text.len() + bullet.len();
    let blank = *dice.one_of(&["", " ", "  "]);
    line(dice, made, end, &format!("{bullet}{mark}]{blank}{written}"));
    made.tasks.push(Task { id, mark, at });
    for _ in 0..dice.below(3) {
        let below = BELOW[dice.below(BELOW.len())];
        line(dice, made, end, below);
    }
}

/// A fenced or commented block with tasks in it that are none.
fn block(dice: &mut Dice, made: &mut Made, end: Option<&'static str>) {
    let (open, close) = *dice.one_of(&[
        ("```", "```"),
        ("```yaml", "````"),
        ("~~~~", "~~~~"),
        ("<!--", "-->"),
        ("words <!-- begin", "end -->"),
    ]);
    line(dice, made, end, open);
    for _ in 0..dice.below(4) {
        let hidden = HIDDEN[dice.below(HIDDEN.len())];
        line(dice, made, end, hidden);
    }
    line(dice, made, end, close);
}

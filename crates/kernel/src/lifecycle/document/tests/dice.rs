//! Seeded chance and the texts made of it: the same seed gives the same page for ever.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::context::{Head, Page, Task, goal, scratch_lines};
use super::super::{Ending, Form, Status};
use crate::lifecycle::STATES;

/// A small generator (splitmix64).
pub(super) struct Dice(pub u64);

impl Dice {
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("below a usize")
    }

    pub(super) fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    pub(super) fn some<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(3) > 0).then(|| make(self))
    }

    fn many<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    /// Words that a careless reader trips over.
    pub(super) fn text(&mut self) -> String {
        const PARTS: &[&str] = &[
            "Add login",
            "登录接口",
            "fix 2 of 3 is running",
            ": ",
            " #",
            "#",
            "---",
            "\"",
            "'",
            "\\",
            "null",
            "~",
            "true",
            "[x]",
            "{",
            "}",
            "&a",
            "*a",
            "!t",
            "|",
            ">",
            "- ",
            "%",
            "@",
            "`",
            "\t",
            "é",
            "🔄",
            "\u{feff}",
            "\u{2028}",
            "\u{85}",
            "\u{7}",
            "0",
            "12",
            "«»",
            "，",
            "## 4. History (近 5 条记录)",
            "## 2. Task Queue (任务队列)",
            "x_seq: 3",
            "(`a.rs`)",
        ];
        (0..=self.below(4)).map(|_| *self.one_of(PARTS)).collect()
    }

    /// A text that may have several lines.
    pub(super) fn block(&mut self) -> String {
        let ends = ["\n", "\n", "\r\n", "\n\n", "\r", " "];
        let parts = self.many(5, |dice| format!("{}{}", dice.text(), dice.one_of(&ends)));
        parts.concat()
    }

    pub(super) fn id(&mut self) -> String {
        let ids = ["T-10", "T-101", "1.1", "1.10", "Task-001", "a_b.c-d", "9"];
        format!("{}{}", self.one_of(&ids), self.below(1000))
    }

    pub(super) fn form(&mut self) -> Form {
        let ending = *self.one_of(&[Ending::Lf, Ending::Crlf]);
        Form { bom: self.below(2) == 0, ending }
    }

    fn head(&mut self) -> Head {
        let minute = "2026-02-08 12:04".to_owned();
        Head {
            session_id: self.text(),
            task_status: (*self.one_of(&STATES)).to_owned(),
            auto_fix_attempts: u32::try_from(self.below(11)).expect("small"),
            last_checkpoint: self.some(|dice| format!("chk-2026020812{:02}", dice.below(60))),
            run_id: format!("lc-{}", self.next()),
            seq: self.next(),
            paused: self.below(2) == 0,
            current_task: self.some(Self::id),
            next_action: self.text(),
            last_session_end: self.some(|_| minute),
        }
    }

    pub(super) fn page(&mut self) -> Page {
        let mut queue: Vec<Task> = self.many(6, |dice| {
            let files = dice.many(2, |dice| format!("lib/{}.rs", dice.below(9)));
            Task::new(*dice.one_of(&Status::ALL), &dice.id(), &dice.text(), &files)
        });
        let mut seen: Vec<String> = Vec::new();
        queue.retain(|task| {
            let new = !seen.contains(&task.id);
            seen.push(task.id.clone());
            new
        });
        let prd = self.some(|_| "docs/prd/login.md");
        let line = |dice: &mut Self| dice.text().split_whitespace().collect::<Vec<_>>().join(" ");
        Page {
            head: self.head(),
            goal: goal(&self.block(), prd).into_iter().filter(|line| !line.is_empty()).collect(),
            queue,
            scratch: scratch_lines(&self.block()),
            history: self
                .many(5, |dice| format!("2026-02-07 18:30: a {}", line(dice)).trim().to_owned()),
        }
    }
}

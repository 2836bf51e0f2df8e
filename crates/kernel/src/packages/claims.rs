//! What an edit of a running package's list says: marks that were changed are claims about their
//! tasks, and whether anything else was changed. What becomes of a claim is not decided here.

use alloc::string::String;
use alloc::vec::Vec;

use super::marks::{Mark, Status};
use super::tasks::Tasks;

/// A mark that somebody changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its line, counted from 1.
    pub line: usize,
    /// The task.
    pub task: String,
    /// What the mark says.
    pub status: Status,
    /// How it is to be taken.
    pub mark: Mark,
    /// What stands between the brackets.
    pub between: String,
}

/// What an edit says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claims {
    /// The marks that were changed.
    pub marks: Vec<Claim>,
    /// The first line, counted from 1, that differs in more than its mark.
    pub more: Option<usize>,
}

/// Compares an edit with the list that it was made from. Both are compared as they stand: the
/// author's text belongs to the plan, and only the marks to the tasks.
#[must_use]
pub fn claims(base: &Tasks, edit: &Tasks) -> Claims {
    let mut found = Claims::default();
    let mut same = edit.clone();
    for task in &edit.tasks {
        let Some(known) = base.task(&task.id).filter(|known| known.has_id == task.has_id) else {
            continue;
        };
        if known.between != task.between {
            same.put_mark(&task.id, &known.between);
            found.marks.push(Claim {
                line: task.at + 1,
                task: task.id.clone(),
                status: task.status(),
                mark: task.mark,
                between: task.between.clone(),
            });
        }
    }
    let (before, after) = (base.text().render(), same.text().render());
    if before != after {
        let pairs = before.split('\n').zip(after.split('\n'));
        let alike = pairs.take_while(|(before, after)| before == after).count();
        found.more = Some(alike + 1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Text, XMeans};
    use super::*;

    /// From, to, the marks that are claimed, and the first line that is more.
    type Row = (&'static str, &'static str, &'static [(&'static str, Status)], Option<usize>);

    const LIST: &str = "\u{feff}# 任务清单: x\r\n<!-- loopwright:tasks 1 -->\r\n- [ ] 1.1 a\r\n\
        - [ ] 1.10 b\r\n- [~] 1.1.1 c\r\n";

    fn read(text: &str) -> Tasks {
        Tasks::read(Text::parse(text), XMeans::Failed)
    }

    #[test]
    fn a_changed_mark_is_a_claim_and_the_rest_is_not() {
        let table: [Row; 8] = [
            ("", "", &[], None),
            ("[ ] 1.1 a", "[√] 1.1 a", &[("1.1", Status::Completed)], None),
            ("[ ] 1.1 a", "[x] 1.1 a", &[("1.1", Status::Completed)], None),
            ("[~] 1.1.1", "[X] 1.1.1", &[("1.1.1", Status::Failed)], None),
            ("[ ] 1.1 a", "[ ] 1.1 another", &[], Some(3)),
            ("[ ] 1.1 a", "[√] 1.1 another", &[("1.1", Status::Completed)], Some(3)),
            ("- [ ] 1.10 b\r\n", "", &[], Some(4)),
            ("\r\n- [ ] 1.10", "\n- [ ] 1.10", &[], Some(3)),
        ];
        for (from, to, marks, more) in table {
            let found = claims(&read(LIST), &read(&LIST.replacen(from, to, 1)));
            let told: Vec<(&str, Status)> =
                found.marks.iter().map(|one| (one.task.as_str(), one.status)).collect();
            assert_eq!((told.as_slice(), found.more), (marks, more), "{from} -> {to}");
        }
    }
}

//! Reading what an agent answered: the file its report names, checked by its digest. What the
//! words mean is decided by the leg they were asked for; nothing in them is ever run.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path};

use kernel::agent::{Issue, Spooled};
use kernel::loops::{Gave, Leg, LegEnd, NewTask, Origin, SUMMARY_MAX, TaskMode, cut};
use kernel::machine::At;
use kernel::policy::grant::Pin;
use serde::Deserialize;

use super::inquiry;
use super::pool::Desk;
use super::prepare::io_failure;
use crate::engine::{Spoken, unusable};
use crate::ids;

/// An answer is no longer than this; more was cut when it was spooled.
const ANSWER_BYTES_MAX: u64 = 4 << 20;

/// A breakdown, as its schema has it.
#[derive(Deserialize)]
struct Breakdown {
    tasks: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    description: String,
    mode: Option<String>,
}

/// An answer and what is needed to read it.
pub(super) struct Reading<'a> {
    pub loop_dir: &'a Path,
    pub spoken: &'a Spoken,
    /// Takes secrets out.
    pub clean: &'a dyn Fn(&str) -> String,
    pub now: At,
}

/// What the leg hears of an answer.
pub(super) fn read(desk: &Desk, leg: &Leg, spoken: &Spoken) -> LegEnd {
    let clean = |text: &str| desk.plan.redactor.redact_text(text);
    let (loop_dir, now) = (&*desk.plan.loop_dir, desk.clock.now());
    read_in(&Reading { loop_dir, spoken, clean: &clean, now }, &desk.plan.root, leg)
}

fn read_in(reading: &Reading<'_>, root: &Path, leg: &Leg) -> LegEnd {
    let spoken = reading.spoken;
    let wanted = spoken.value.as_ref().unwrap_or(&spoken.text);
    let text = match load(reading.loop_dir, wanted) {
        Ok(text) => text,
        Err(why) => {
            let detail = format!("{why}: .loop/{}", wanted.path);
            let files_changed = spoken.files_changed.clone();
            return LegEnd::Failed { failure: io_failure("unreadable", &detail), files_changed };
        }
    };
    match leg {
        Leg::Breakdown => tasks(reading, &text),
        Leg::Explore => inquiry::hypotheses(reading, &text),
        Leg::Analyze => inquiry::verdicts(reading, root, &text),
        Leg::Work | Leg::Instrument | Leg::Reproduce | Leg::Restore | Leg::Check(_) | Leg::Seal => {
            LegEnd::Ok(Gave::Work {
                files_changed: spoken.files_changed.clone(),
                summary: summary(&(reading.clean)(&text), &spoken.text.path),
            })
        }
    }
}

/// The text of a spooled file, if it is the one that was recorded.
pub(super) fn load(loop_dir: &Path, spooled: &Spooled) -> Result<String, &'static str> {
    let path = Path::new(&spooled.path);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err("path");
    }
    let file = File::open(loop_dir.join(path)).map_err(|_| "not_found")?;
    let mut bytes = Vec::new();
    let read = file.take(ANSWER_BYTES_MAX).read_to_end(&mut bytes);
    read.map_err(|_| "read")?;
    if kernel::hash::sha256_hex(&bytes) != spooled.sha256 {
        return Err("hash_mismatch");
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The beginning of the answer, and where the whole of it lies.
fn summary(text: &str, path: &str) -> String {
    let place = format!("\n\n.loop/{path}");
    let room = SUMMARY_MAX.saturating_sub(place.len());
    let text = text.trim();
    let shown = cut(text, room);
    let more = if shown.len() < text.len() { "…" } else { "" };
    let shown = cut(&shown, room.saturating_sub(more.len()));
    format!("{shown}{more}{place}")
}

/// The tasks of a breakdown. They name no command: a description is never run.
fn tasks(reading: &Reading<'_>, text: &str) -> LegEnd {
    let spoken = reading.spoken;
    let Ok(found) = serde_json::from_str::<Breakdown>(text) else {
        let issue = issue("/tasks".to_owned(), "a list of tasks");
        return unusable(spoken, "schema", vec![issue]);
    };
    let blank: Vec<Issue> = found
        .tasks
        .iter()
        .enumerate()
        .filter(|(_, item)| item.description.trim().is_empty())
        .map(|(n, _)| issue(format!("/tasks/{n}/description"), "words"))
        .collect();
    if !blank.is_empty() {
        return unusable(spoken, "schema", blank);
    }
    let new = |item: Item| NewTask {
        task_id: ids::task_id(reading.now),
        description: (reading.clean)(item.description.trim()),
        tool: spoken.tool.clone(),
        mode: match item.mode.as_deref() {
            Some("analysis") => TaskMode::Analysis,
            Some(_) | None => TaskMode::Write,
        },
        prompt_template: None,
        command: None,
        run: None,
        on_error: None,
        origin: Origin::Breakdown,
        pin: Pin::default(),
    };
    LegEnd::Ok(Gave::Tasks(found.tasks.into_iter().map(new).collect()))
}

fn issue(pointer: String, expected: &str) -> Issue {
    Issue { pointer, expected: expected.to_owned(), found: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "calls/call-1/answer";

    /// What a leg hears of these bytes, recorded with this digest.
    fn heard(leg: &Leg, path: &str, bytes: &[u8], sha256: &str) -> LegEnd {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join(PATH);
        std::fs::create_dir_all(file.parent().expect("it has one")).expect("made");
        std::fs::write(&file, bytes).expect("written");
        let bytes = bytes.len() as u64;
        let text = Spooled { path: path.to_owned(), sha256: sha256.to_owned(), bytes };
        let spoken = Spoken {
            call: "call-1".into(),
            value: matches!(leg, Leg::Breakdown).then(|| text.clone()),
            text,
            session: None,
            files_changed: vec!["src/a.rs".into()],
            tool: "gemini".into(),
            seen: None,
        };
        let clean = |text: &str| text.replace("secret", "[redacted]");
        let (loop_dir, spoken) = (dir.path(), &spoken);
        let reading = Reading { loop_dir, spoken, clean: &clean, now: At(7) };
        read_in(&reading, loop_dir, leg)
    }

    fn sound(leg: &Leg, text: &str) -> LegEnd {
        heard(leg, PATH, text.as_bytes(), &kernel::hash::sha256_hex(text.as_bytes()))
    }

    #[test]
    fn a_breakdown_becomes_tasks_of_the_default_tool() {
        let text = r#"{"tasks":[{"description":" read it ","mode":"analysis","id":1},
            {"description":"write the secret"}]}"#;
        let LegEnd::Ok(Gave::Tasks(tasks)) = sound(&Leg::Breakdown, text) else {
            panic!("no tasks");
        };
        let told: Vec<_> =
            tasks.iter().map(|task| (task.description.as_str(), task.mode)).collect();
        let expected = [("read it", TaskMode::Analysis), ("write the [redacted]", TaskMode::Write)];
        assert_eq!(told, expected);
        for task in &tasks {
            assert_eq!((task.tool.as_str(), task.origin), ("gemini", Origin::Breakdown));
            assert!(task.run.is_none() && task.command.is_none(), "a description is never run");
        }
        assert_ne!(tasks[0].task_id, tasks[1].task_id);
    }

    #[test]
    fn a_breakdown_without_words_is_unusable() {
        let table = [
            (r#"{"tasks":[{"description":" "}]}"#, "/tasks/0/description"),
            (r#"{"tasks":7}"#, "/tasks"),
            ("[]", "/tasks"),
        ];
        for (text, pointer) in table {
            let LegEnd::Unusable { bad: Some(bad), .. } = sound(&Leg::Breakdown, text) else {
                panic!("{text} is usable");
            };
            assert_eq!(bad.issues[0].pointer, pointer, "{text}");
        }
    }

    #[test]
    fn work_is_summed_up_and_referred_to() {
        let long = "发现".repeat(2_000);
        for (text, whole) in [(" found a secret\n", true), (long.as_str(), false)] {
            let LegEnd::Ok(Gave::Work { summary, files_changed }) = sound(&Leg::Work, text) else {
                panic!("no work");
            };
            assert!(summary.len() <= SUMMARY_MAX, "{}", summary.len());
            assert!(summary.ends_with(&format!("\n\n.loop/{PATH}")), "{summary}");
            assert_eq!(summary.contains('…'), !whole, "{summary}");
            assert!(!summary.contains("secret"));
            assert_eq!(files_changed, ["src/a.rs"]);
        }
    }

    #[test]
    fn only_the_recorded_bytes_count() {
        let sha256 = kernel::hash::sha256_hex(b"text");
        for (path, bytes, why) in [
            (PATH, "other", "hash_mismatch"),
            ("calls/call-1/gone", "text", "not_found"),
            ("../answer", "text", "path"),
            ("/etc/hostname", "text", "path"),
        ] {
            let end = heard(&Leg::Work, path, bytes.as_bytes(), &sha256);
            let LegEnd::Failed { failure, .. } = end else { panic!("{path}: {end:?}") };
            assert!(failure.detail.starts_with(why), "{path}: {}", failure.detail);
        }
    }
}

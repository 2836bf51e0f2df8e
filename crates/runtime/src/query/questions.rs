//! The one list of open questions: whatever a live run owes a person, with its id, its options and
//! its words. It answers none; who may answer and what an answer does is decided by the machine.

use journal::{Head, Journal};
use kernel::lifecycle::Phase;
use kernel::machine::At;
use kernel::owed::{Owed, Question};
use kernel::run::State;
use serde_json::{Value, json};

use super::find::is_below;
use super::fold::{Folded, step, unborn};
use super::lifecycle_view::told_summary;
use super::refusal::Refusal;
use super::show::at_ms;
use crate::sessions;
use crate::words::{self, Lang};

/// What a question's own timer is called, below the question's slot.
const EXPIRY: &str = "expiry";

/// A question that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// `{run}/{slot}`: unique for ever.
    pub id: String,
    /// The run that asks.
    pub run: String,
    /// The path below it.
    pub slot: String,
    /// The machine of that run.
    pub machine: String,
    /// The runs above it, nearest first; empty where only the run itself was looked at.
    pub above: Vec<String>,
    /// What is asked.
    pub question: Question,
    /// Since when, where the records were read.
    pub asked_at: Option<At>,
    /// Until when, if it closes by itself.
    pub expires_at: Option<At>,
    /// The language of the unit that asks, where it belongs to one.
    pub lang: Option<Lang>,
}

/// The questions that one run asks now.
#[must_use]
pub fn of_run(run: &str, state: &State) -> Vec<OpenQuestion> {
    let mut open = of_owed(run, state.kind().name(), &state.owed());
    if let State::Session(state) = state
        && let Some(life) = state.life()
    {
        open.iter_mut()
            .for_each(|question| question.lang = sessions::lang_of(life, &question.slot));
    }
    if let State::Lifecycle(state) = state
        && let Some(Phase::Confirming(now)) = state.life().map(|life| &life.phase)
    {
        // Its timer has a name of its own.
        open.iter_mut().for_each(|question| question.expires_at = now.expires);
    }
    open
}

/// The questions among what a run owes.
#[must_use]
pub fn of_owed(run: &str, machine: &str, owed: &[Owed]) -> Vec<OpenQuestion> {
    let asked = owed.iter().filter_map(|one| match one {
        Owed::Question { slot, question } => Some((slot, question)),
        Owed::Child { .. } | Owed::Timer { .. } | Owed::Effect { .. } => None,
    });
    asked
        .map(|(slot, question)| OpenQuestion {
            id: format!("{run}/{slot}"),
            run: run.to_owned(),
            slot: slot.clone(),
            machine: machine.to_owned(),
            above: Vec::new(),
            question: question.clone(),
            asked_at: None,
            expires_at: expiry(slot, owed),
            lang: None,
        })
        .collect()
}

fn expiry(question: &str, owed: &[Owed]) -> Option<At> {
    let name = format!("{question}/{EXPIRY}");
    owed.iter().find_map(|one| match one {
        Owed::Timer { slot, due } if *slot == name => Some(*due),
        Owed::Timer { .. } | Owed::Child { .. } | Owed::Question { .. } | Owed::Effect { .. } => {
            None
        }
    })
}

/// Every open question of the workspace, or of one run and those below it; the oldest first.
///
/// # Errors
/// When the journal cannot be read.
pub fn questions(journal: &dyn Journal, below: Option<&str>) -> Result<Vec<OpenQuestion>, Refusal> {
    let all = journal.heads()?;
    let mut open = Vec::new();
    for head in all.iter().filter(|head| !head.ended) {
        if below.is_some_and(|top| !is_below(&all, head, top)) {
            continue;
        }
        for mut question in asked_by(journal, head)? {
            question.above = above(&all, head);
            open.push(question);
        }
    }
    open.sort_by(|a, b| (a.asked_at, &a.id).cmp(&(b.asked_at, &b.id)));
    Ok(open)
}

/// A run's questions, each with the moment of the record since which it has been open.
fn asked_by(journal: &dyn Journal, head: &Head) -> Result<Vec<OpenQuestion>, Refusal> {
    let records = journal.read_run(&head.run, 0)?;
    let mut folded = unborn(head)?;
    for record in &records {
        step(&mut folded, record)?;
    }
    let mut open = of_run(&head.run, &folded.state);
    if open.is_empty() {
        return Ok(open);
    }
    // Most runs ask nothing, so only those that do are folded once more, looking at each step.
    let mut again = unborn(head)?;
    for record in &records {
        step(&mut again, record)?;
        since(&mut open, &head.run, &again);
    }
    Ok(open)
}

fn since(open: &mut [OpenQuestion], run: &str, folded: &Folded) {
    let now = of_run(run, &folded.state);
    for question in open {
        let there = now.iter().any(|other| other.id == question.id);
        question.asked_at = match (there, question.asked_at) {
            (true, None) => Some(At(folded.updated_ms)),
            (true, since) => since,
            (false, _) => None,
        };
    }
}

/// The walk is bounded, as the one down is.
fn above(all: &[Head], head: &Head) -> Vec<String> {
    let mut line = Vec::new();
    let mut next = head.parent.as_ref();
    while let Some(id) = next.filter(|_| line.len() <= all.len()) {
        line.push(id.clone());
        next = all.iter().find(|one| one.run == *id).and_then(|one| one.parent.as_ref());
    }
    line
}

impl OpenQuestion {
    /// What is asked, in words.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let Question { kind, about, .. } = &self.question;
        let about = match kind.as_str() {
            // Why it stands still is a word of ours.
            "lifecycle.blocked" => words::find(lang, &format!("lifecycle-why-{about}"), &[]),
            "loop.paused" => Some(stands_still(about, lang)),
            kind if kind.starts_with("session.") => Some(sessions::about(lang, about)),
            "lifecycle.plan" => Some(one_line(&told_summary(about, lang))),
            _other => None,
        }
        .unwrap_or_else(|| one_line(about));
        words::find(lang, &format!("question-{}", dashed(kind)), &[("about", &about)])
            .map(|text| text.replace(" \n", "\n").trim_end().to_owned())
            .unwrap_or_else(|| {
                words::say(lang, "question-other", &[("kind", kind), ("about", &about)])
            })
    }

    /// An option in words; one that has none is shown by its key.
    #[must_use]
    pub fn label(&self, lang: Lang, key: &str) -> String {
        let kind = dashed(&self.question.kind);
        words::find(lang, &format!("question-{kind}-{key}"), &[])
            .or_else(|| words::find(lang, &format!("{kind}-{key}"), &[]))
            .unwrap_or_else(|| key.to_owned())
    }

    /// The options as keys and labels, in their order.
    #[must_use]
    pub fn options(&self, lang: Lang) -> Vec<(String, String)> {
        let keys = self.question.options.iter();
        keys.map(|key| (key.clone(), self.label(lang, key))).collect()
    }

    /// The command that answers it. Where nothing is offered the words are the answer.
    #[must_use]
    pub fn command(&self) -> String {
        let answer = if self.question.options.is_empty() { "\"WORDS\"" } else { "KEY" };
        format!("loopwright answer {} {answer}", self.id)
    }

    /// The key that a word means: a key, the number of one, or a label in either language, whole.
    #[must_use]
    pub fn key(&self, word: &str) -> Option<&str> {
        let keys = &self.question.options;
        let number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let labelled = |key: &&String| Lang::ALL.iter().any(|lang| self.label(*lang, key) == word);
        keys.iter()
            .find(|key| *key == word)
            .or_else(|| number.and_then(|n| keys.get(n)))
            .or_else(|| keys.iter().find(labelled))
            .map(String::as_str)
    }

    /// The question as JSON. Secrets are taken out where it is shown.
    #[must_use]
    pub fn view(&self, lang: Lang) -> Value {
        let options: Vec<Value> = self
            .options(lang)
            .into_iter()
            .map(|(key, label)| json!({ "key": key, "label": label }))
            .collect();
        json!({
            "id": self.id, "run_id": self.run, "machine": self.machine, "above": self.above,
            "kind": self.question.kind, "text": self.text(lang), "about": self.question.about,
            "options": options, "takes_text": self.question.takes_text, "default": null,
            "hash": self.question.hash,
            "asked_at": self.asked_at.map(|at| at_ms(at.0)),
            "expires_at": self.expires_at.map(|at| at_ms(at.0)),
        })
    }
}

/// Why a loop stands still: its reason in words, then what stands behind it.
fn stands_still(about: &str, lang: Lang) -> String {
    let (reason, detail) = about.split_once(": ").unwrap_or((about, ""));
    let why = words::find(lang, &format!("loop-pause-{reason}"), &[]);
    let why = why.unwrap_or_else(|| reason.to_owned());
    one_line(format!("{why} {detail}").trim_end())
}

fn dashed(kind: &str) -> String {
    kind.replace('.', "-")
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Why a word names no open question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpicked {
    /// None fits.
    None,
    /// Several do.
    Several(Vec<String>),
}

/// The question that a word names: an id, a unique beginning of one, or a run that asks only one,
/// itself or through those below it.
///
/// # Errors
/// When none or several fit.
pub fn pick<'a>(open: &'a [OpenQuestion], word: &str) -> Result<&'a OpenQuestion, Unpicked> {
    if let Some(exact) = open.iter().find(|question| question.id == word) {
        return Ok(exact);
    }
    let fits: [&dyn Fn(&OpenQuestion) -> bool; 3] = [
        &|question| question.run == word,
        &|question| question.above.iter().any(|run| run == word),
        &|question| !word.is_empty() && question.id.starts_with(word),
    ];
    for fit in fits {
        let found: Vec<&OpenQuestion> = open.iter().filter(|question| fit(question)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one),
            several => {
                return Err(Unpicked::Several(several.iter().map(|q| q.id.clone()).collect()));
            }
        }
    }
    Err(Unpicked::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(run: &str, slot: &str, kind: &str, options: &[&str]) -> OpenQuestion {
        let question = Question {
            kind: kind.into(),
            about: "x".into(),
            options: options.iter().map(|key| (*key).to_owned()).collect(),
            takes_text: true,
            hash: None,
        };
        let owed = [Owed::Question { slot: slot.into(), question }];
        of_owed(run, "collab", &owed).remove(0)
    }

    #[test]
    fn an_expiry_is_the_timer_below_the_question() {
        let question = asked("call-1", "ask", "call.ask", &["allow"]).question;
        let owed = [
            Owed::Timer { slot: "other/expiry".into(), due: At(5) },
            Owed::Question { slot: "ask".into(), question },
            Owed::Timer { slot: "ask/expiry".into(), due: At(9) },
        ];
        assert_eq!(of_owed("call-1", "call", &owed)[0].expires_at, Some(At(9)));
        assert_eq!(of_owed("call-1", "call", &owed[..2])[0].expires_at, None);
    }

    #[test]
    fn a_key_is_a_key_a_number_or_a_whole_label() {
        let open = asked("collab-1", "confirm", "collab.confirm", &["accept", "wait", "cancel"]);
        let table = [
            ("accept", Some("accept")),
            ("1", Some("accept")),
            ("3", Some("cancel")),
            ("使用降级结果", Some("accept")),
            ("Use the degraded result", Some("accept")),
            ("继续等待", Some("wait")),
            ("Keep waiting", Some("wait")),
            ("取消执行", Some("cancel")),
            ("Cancel", Some("cancel")),
            ("0", None),
            ("4", None),
            ("override", None),
            ("Use the degraded", None),
            ("don't use the degraded result", None),
            ("", None),
        ];
        for (word, expected) in table {
            assert_eq!(open.key(word), expected, "{word}");
        }
    }

    #[test]
    fn every_kind_of_this_build_has_its_words() {
        let table: [(&str, &[&str]); 15] = [
            ("call.ask", &["allow", "deny"]),
            ("call.settle", &["happened", "did_not_happen", "undo"]),
            ("loop.menu", &kernel::loops::MENU_KEYS),
            ("loop.unverified", &kernel::loops::UNVERIFIED_KEYS),
            ("loop.paused", &kernel::loops::PAUSED_KEYS),
            ("collab.confirm", &["accept", "override", "wait", "cancel"]),
            ("turn.confirm_plan", &["yes", "no"]),
            ("turn.confirm_patch", &["yes", "no"]),
            ("turn.confirm_call", &["yes", "no"]),
            ("turn.confirm_git", &["yes", "no"]),
            ("turn.help", &["yes", "no"]),
            ("lifecycle.plan", &["retry", "modify", "cancel"]),
            ("lifecycle.confirm", &["go", "modify", "cancel"]),
            ("lifecycle.blocked", &["fix", "rollback", "skip", "abort"]),
            ("lifecycle.rollback", &["go", "cancel"]),
        ];
        for (kind, keys) in table {
            let open = asked("r", "q", kind, keys);
            for lang in Lang::ALL {
                assert!(!open.text(lang).contains(kind), "{lang}: {kind}");
                for (key, label) in open.options(lang) {
                    assert_ne!(key, label, "{lang}: {kind}");
                }
            }
        }
        let strange = asked("r", "q", "strange.one", &["a"]);
        assert!(strange.text(Lang::En).contains("strange.one"));
        assert_eq!(strange.label(Lang::En, "a"), "a");
    }

    #[test]
    fn labels_of_a_confirmation_are_as_settled() {
        let open = asked("c", "confirm", "collab.confirm", &["accept", "override"]);
        let table = [
            ("accept", "使用降级结果", "Use the degraded result"),
            ("override", "仍然继续", "Continue anyway"),
            ("wait", "继续等待", "Keep waiting"),
            ("cancel", "取消执行", "Cancel"),
        ];
        for (key, zh, en) in table {
            assert_eq!(
                (open.label(Lang::Zh, key), open.label(Lang::En, key)),
                (zh.into(), en.into())
            );
        }
    }

    #[test]
    fn a_word_picks_one_question_or_none() {
        let mut child = asked("call-1", "ask", "call.ask", &["allow"]);
        child.above = vec!["loop-1".into(), "turn-1".into()];
        let open = [
            child,
            asked("loop-12", "q1", "loop.menu", &["develop"]),
            asked("loop-2", "q1", "loop.menu", &["develop"]),
            asked("loop-2", "q10", "loop.menu", &["develop"]),
        ];
        let several =
            |ids: &[&str]| Err(Unpicked::Several(ids.iter().map(|id| (*id).to_owned()).collect()));
        let table = [
            ("call-1/ask", Ok("call-1/ask")),
            ("call-1", Ok("call-1/ask")),
            ("ca", Ok("call-1/ask")),
            ("loop-1", Ok("call-1/ask")),
            ("turn-1", Ok("call-1/ask")),
            ("loop-12", Ok("loop-12/q1")),
            ("loop-2/q1", Ok("loop-2/q1")),
            ("loop-2", several(&["loop-2/q1", "loop-2/q10"])),
            ("x", Err(Unpicked::None)),
            ("", Err(Unpicked::None)),
        ];
        for (word, expected) in table {
            let found = pick(&open, word).map(|question| question.id.as_str());
            assert_eq!(found, expected, "{word}");
        }
    }
}

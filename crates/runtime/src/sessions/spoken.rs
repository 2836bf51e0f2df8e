//! The language that a unit speaks, and the words that people may answer it with. It decides no
//! answer: the machine does, for the question that is open then.

use kernel::session::{Asking, Base, Frame, Life};

use crate::words::{self, Lang};

/// How the labels of options are found in the catalogue.
const LABELS: &str = "question-session-";

/// The options that are called so in any language: the kind of their question, and their key.
#[must_use]
pub fn meant(text: &str) -> Vec<(Asking, String)> {
    let word = text.trim().to_lowercase();
    let mut found = Vec::new();
    for lang in Lang::ALL {
        for name in words::keys(lang).into_keys() {
            let Some((kind, key)) = name.strip_prefix(LABELS).and_then(|it| it.split_once('-'))
            else {
                continue;
            };
            let same = || words::find(lang, &name, &[]).is_some_and(|it| it.to_lowercase() == word);
            let Some(kind) = Asking::named(kind).filter(|_| same()) else { continue };
            if !found.contains(&(kind, key.to_owned())) {
                found.push((kind, key.to_owned()));
            }
        }
    }
    found
}

/// The language of the unit that asks this.
#[must_use]
pub fn lang_of(life: &Life, question: &str) -> Option<Lang> {
    let of_frame = |frame: &Frame| match frame {
        Frame::Embedded { job, .. } => {
            job.question().filter(|q| q.id == question).map(|_| job.setup.lang.clone())
        }
        Frame::Relating { q, setup, .. } if q.id == question => Some(setup.lang.clone()),
        Frame::Replacing { q, request } if q.id == question => Some(request.setup.lang.clone()),
        Frame::Tool(tool) => {
            tool.q.as_ref().filter(|q| q.id == question).map(|_| tool.setup.lang.clone())
        }
        Frame::Relating { .. } | Frame::Replacing { .. } | Frame::Chat(_) => None,
    };
    let above = life.frames().iter().find_map(of_frame);
    let base = match life.base() {
        Base::Idle { .. } => None,
        Base::Flow { flow, .. } => Some(flow.setup.lang.clone()),
        Base::Job { job } => Some(job.setup.lang.clone()),
    };
    above.or(base).and_then(|tag| Lang::parse(&tag).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_means_its_option_in_either_language() {
        let table = [
            ("Run silently", Asking::Complexity, "silent"),
            ("确认执行（静默）", Asking::Complexity, "silent"),
            (" run SILENTLY ", Asking::Complexity, "silent"),
            ("Part of the current task", Asking::Relation, "current"),
            ("跳过", Asking::KbMissing, "skip"),
        ];
        for (text, kind, key) in table {
            assert!(meant(text).contains(&(kind, key.to_owned())), "{text}: {:?}", meant(text));
        }
        assert_eq!(meant("looks good"), []);
    }
}

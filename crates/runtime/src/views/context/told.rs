//! What people are told about an edit of the page of working memory. Only facts; the words are the
//! catalogue's.

use serde::{Deserialize, Serialize};

use crate::words::{Lang, say};

/// One change, and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLine {
    /// Counted from 1; 0 for the file as a whole.
    pub line: usize,
    /// The refusal's reason, or what is odd.
    pub reason: String,
    /// The key, task or section that it is about.
    pub what: String,
    /// What was found there, or the code of a refusal.
    pub found: String,
}

/// What became of an edit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageTold {
    /// What was refused.
    pub refused: Vec<PageLine>,
    /// What was taken in, but is doubtful.
    pub doubts: Vec<PageLine>,
    /// Commands that are possible now.
    pub allowed: Vec<String>,
}

impl PageTold {
    /// What happened, in words.
    pub(in super::super) fn message(&self, file: &str, lang: Lang) -> String {
        let (key, lines) = match self.refused.is_empty() {
            true => ("lifecycle-page-warned", &self.doubts),
            false => ("lifecycle-page-notice", &self.refused),
        };
        let parts: Vec<String> = lines.iter().map(|line| line.text(lang)).collect();
        let what = parts.join(&say(lang, "view-and", &[]));
        say(lang, key, &[("file", &file), ("what", &what)])
    }

    /// What to do, in words.
    pub(in super::super) fn next_step(&self, run: &str, lang: Lang) -> String {
        let reason = |word: &str| self.refused.iter().any(|line| line.reason == word);
        if reason("use_amend") {
            let command = format!("loopwright lifecycle amend FILE {run}");
            return say(lang, "lifecycle-page-next-command", &[("command", &command)]);
        }
        if self.refused.is_empty() || self.allowed.is_empty() {
            return say(lang, "lifecycle-page-next-none", &[]);
        }
        let allowed = self.allowed.join(", ");
        say(lang, "lifecycle-page-next", &[("allowed", &allowed)])
    }

    /// The code of its first reason.
    pub(in super::super) fn code(&self) -> String {
        match self.refused.first() {
            None => String::new(),
            Some(PageLine { reason, found, .. }) if reason == "refused" => found.clone(),
            Some(PageLine { reason, .. }) if reason == "secret" => {
                "lifecycle.invalid_args".to_owned()
            }
            Some(PageLine { reason, .. }) => format!("lifecycle.{reason}"),
        }
    }
}

impl PageLine {
    fn text(&self, lang: Lang) -> String {
        let Self { line, reason, what, found } = self;
        match reason.as_str() {
            "conflict" | "secret" | "no_effect" => {
                say(lang, &format!("lifecycle-page-{reason}"), &[])
            }
            "use_amend" | "view_only" if *line == 0 => {
                say(lang, &format!("lifecycle-page-{reason}-whole"), &[])
            }
            "refused" => {
                let args: [(&str, &dyn std::fmt::Display); 3] =
                    [("line", line), ("what", what), ("code", found)];
                say(lang, "lifecycle-page-refused", &args)
            }
            "unparsable" => {
                let args: [(&str, &dyn std::fmt::Display); 1] = [("found", found)];
                let why = say(lang, &format!("lifecycle-broken-{what}"), &args);
                say(lang, "lifecycle-page-unparsable", &[("line", line), ("what", &why)])
            }
            mark if mark.ends_with("_mark") || mark == "mark_disagrees" => {
                let args: [(&str, &dyn std::fmt::Display); 3] =
                    [("line", line), ("found", found), ("status", what)];
                say(lang, &format!("lifecycle-mark-{mark}"), &args)
            }
            _page => {
                let args: [(&str, &dyn std::fmt::Display); 2] = [("line", line), ("what", what)];
                say(lang, &format!("lifecycle-page-{reason}"), &args)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::lifecycle::document::{Odd, Unread};

    fn line(reason: &str, what: &str) -> PageLine {
        let found = "lifecycle.not_current".to_owned();
        PageLine { line: 7, reason: reason.to_owned(), what: what.to_owned(), found }
    }

    #[test]
    fn every_reason_has_its_words() {
        let reasons = ["use_command", "use_amend", "view_only", "invalid_args", "refused"];
        let whole = ["conflict", "secret"];
        for lang in Lang::ALL {
            for reason in reasons {
                let text = line(reason, "T-1").text(lang);
                assert!(text.contains('7') && text.contains("T-1"), "{text}");
            }
            for reason in whole {
                assert!(!line(reason, "").text(lang).contains("lifecycle-"), "{reason}");
            }
            for why in Unread::ALL {
                let text = line("unparsable", why.word()).text(lang);
                assert!(text.contains('7') && !text.contains("lifecycle-b"), "{text}");
            }
            for odd in Odd::ALL {
                let text = line(odd.word(), "DONE").text(lang);
                assert!(text.contains('7') && text.contains("DONE"), "{text}");
            }
        }
    }

    #[test]
    fn a_refused_edit_says_what_is_allowed() {
        let told = PageTold {
            refused: vec![line("use_command", "task_status")],
            doubts: Vec::new(),
            allowed: vec!["PAUSE".to_owned(), "USER_ABORT".to_owned()],
        };
        for lang in Lang::ALL {
            assert!(told.message("active_context.md", lang).contains("task_status"));
            assert!(told.next_step("lc-1", lang).contains("PAUSE, USER_ABORT"));
        }
        assert_eq!(told.code(), "lifecycle.use_command");
    }
}

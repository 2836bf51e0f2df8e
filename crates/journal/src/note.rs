//! What a record says about its run's row, as text and back. It is said when something changed and
//! on the last record of the run in its batch, so the rows can be made anew from the records.

use crate::contract::RunNote;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A note. The fields stand in the order of the alphabet, so its text is canonical.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note<'a> {
    pub(crate) ended: bool,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<Cow<'a, str>>,
    /// Said once, when the run begins; so are `key` and `parent`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) machine: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
}

impl<'a> Note<'a> {
    /// That of a run that begins.
    pub(crate) fn begins(said: &'a RunNote) -> Self {
        Self {
            key: said.key.as_deref().map(Cow::Borrowed),
            machine: Some(Cow::Borrowed(&said.machine)),
            parent: said.parent.as_deref().map(Cow::Borrowed),
            ..Self::moves(said)
        }
    }

    /// That of a run that goes on. Both are said if one has changed: a note needs no other.
    pub(crate) fn moves(said: &'a RunNote) -> Self {
        let status = Cow::Borrowed(said.status.as_str());
        Self { ended: said.ended, key: None, machine: None, parent: None, status }
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("words and a flag become JSON")
    }

    /// The note of a text that is one.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_has_one_text_and_comes_back() {
        let said = RunNote {
            run: "a".to_owned(),
            machine: "turn".to_owned(),
            expected_seq: 0,
            status: "完成 \"\n".to_owned(),
            ended: true,
            parent: None,
            key: Some("k/1".to_owned()),
        };
        let table = [
            (
                Note::begins(&said),
                r#"{"ended":true,"key":"k/1","machine":"turn","status":"完成 \"\n"}"#,
            ),
            (Note::moves(&said), r#"{"ended":true,"status":"完成 \"\n"}"#),
        ];
        for (note, text) in table {
            assert_eq!(note.text(), text);
            assert_eq!(Note::parse(text), Some(note));
        }
        for wrong in ["", "{}", "null", r#"{"ended":true}"#, r#"{"ended":1,"status":""}"#] {
            assert_eq!(Note::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Note::parse(r#"{"ended":true,"status":"","seq":1}"#), None);
    }
}

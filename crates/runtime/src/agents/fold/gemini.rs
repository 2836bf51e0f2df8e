//! The events of `gemini --output-format stream-json`. The prompt is echoed as a user's message
//! and never read; success is only what the `result` event calls so.

use kernel::agent::{FileClaim, FileKind, Usage};
use serde_json::Value;

use super::draft::{Draft, Said, TEXT_BYTES_MAX, Turn, cut};
use super::field::{number, prose, text};

/// Tools that change the file they name.
const EDITS: [&str; 3] = ["write_file", "replace", "edit"];

/// What only this stream needs: its text in two parts, together within the cap of an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Talk {
    /// Before the last tool event.
    earlier: String,
    /// After it.
    last: String,
    /// Whether anything of either was let go.
    earlier_cut: bool,
    last_cut: bool,
    /// What the latest `error` event said; a failed `result` may say nothing itself.
    complaint: String,
}

impl Talk {
    pub(super) fn event(&mut self, draft: &mut Draft, event: &Value) {
        match text(event, "type") {
            Some("init") => {
                draft.session(text(event, "session_id").or_else(|| text(event, "sessionId")));
            }
            Some("message") if text(event, "role") == Some("assistant") => {
                if let Some(more) = prose(event.get("content")) {
                    self.say(&more);
                }
            }
            Some("tool_use") => {
                self.turn_page();
                tool(draft, event);
            }
            Some("tool_result") => {
                self.turn_page();
                tool_ended(draft, event);
            }
            Some("error") => {
                self.complaint = cut(text(event, "message").unwrap_or_default(), 4096).to_owned();
                draft.note(&self.complaint);
            }
            Some("result") => self.result(draft, event),
            Some(_) | None => {}
        }
    }

    fn say(&mut self, more: &str) {
        if self.last_cut {
            return;
        }
        let room = TEXT_BYTES_MAX - self.last.len();
        let kept = cut(more, room);
        self.last.push_str(kept);
        self.last_cut = kept.len() < more.len();
        // What came before the last tool is only wanted if nothing comes after it.
        if self.earlier.len() + self.last.len() > TEXT_BYTES_MAX {
            let end = self.earlier.floor_char_boundary(TEXT_BYTES_MAX - self.last.len());
            self.earlier.truncate(end);
            self.earlier_cut = true;
        }
    }

    fn turn_page(&mut self) {
        if !self.earlier_cut {
            self.earlier.push_str(&self.last);
        }
        self.earlier_cut |= self.last_cut;
        self.last.clear();
        self.last_cut = false;
    }

    fn result(&mut self, draft: &mut Draft, event: &Value) {
        let stats = &event["stats"];
        draft.end.usage = Usage {
            input_tokens: number(stats, "input_tokens"),
            output_tokens: number(stats, "output_tokens"),
            cached_tokens: number(stats, "cached"),
            ..Usage::default()
        };
        if text(event, "status") == Some("success") {
            draft.ended_well(Turn::Made);
        } else {
            let message = text(&event["error"], "message").unwrap_or(&self.complaint).to_owned();
            draft.ended_badly(Said { message, ..Said::default() });
        }
    }

    /// The answer: what came after the last tool event, or all of it if that is blank.
    pub(super) fn finish(mut self, draft: &mut Draft) {
        if self.last.trim().is_empty() {
            self.turn_page();
            draft.end.truncated = self.earlier_cut;
            draft.end.text = self.earlier;
        } else {
            draft.end.truncated = self.last_cut;
            draft.end.text = self.last;
        }
    }
}

fn tool(draft: &mut Draft, event: &Value) {
    let Some(id) = text(event, "tool_id") else { return };
    let name = text(event, "tool_name").unwrap_or_default();
    draft.open_tool(id, name);
    let path = text(&event["parameters"], "file_path").filter(|_| EDITS.contains(&name));
    if let Some(path) = path {
        draft.may_claim(id, FileClaim { path: path.to_owned(), kind: FileKind::Update });
    }
}

fn tool_ended(draft: &mut Draft, event: &Value) {
    let Some(id) = text(event, "tool_id") else { return };
    draft.close_tool(id);
    let claim = draft.claimed_by(id).filter(|_| text(event, "status") == Some("success"));
    if let Some(claim) = claim {
        draft.claim(claim);
    }
}

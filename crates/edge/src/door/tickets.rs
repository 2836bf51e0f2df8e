//! The hash that a run last read of a file is its ticket for changing it: where the agent of a step
//! asks for a change and says no hash, it is filled in here. What nobody of its turn has read is
//! left as it was asked, and refused where the change is worked out.

use std::collections::BTreeMap;

use journal::{Journal as _, Reader};
use kernel::call::{self, Acts, Done, Outcome};
use kernel::patch::Action;
use kernel::run::{Kind, State};
use runtime::change;
use runtime::engine::fold;
use serde_json::{Value, json};

use super::serve::Shop;
use super::wire::ToolForm;
use crate::calls;

/// The names under which a change may say what it expects.
const EXPECT: [&str; 2] = ["expect", "expected_sha256"];
/// The tool that expects something of several files.
const PATCH: &str = "apply_patch";

impl Shop {
    /// The arguments, with the ticket of each file that they change and say nothing of.
    pub(super) fn ticketed(&self, turn: &str, form: &ToolForm) -> Value {
        let mut args = form.args.clone();
        let tool = call::named(&form.name).filter(|tool| tool.acts == Acts::Changes);
        let Some(tool) = tool.filter(|_| EXPECT.iter().all(|name| args.get(name).is_none())) else {
            return args;
        };
        let changed = |(path, action): (_, Action)| match action {
            Action::Create => None,
            Action::Modify | Action::Delete => Some(path),
        };
        let touched = change::touched(tool.name, &args).unwrap_or_default();
        let paths: Vec<_> = touched.into_iter().filter_map(changed).collect();
        let paths: Vec<&str> = paths.iter().map(kernel::paths::Rel::as_str).collect();
        let known = self.last_seen(turn, &paths);
        if tool.name == PATCH && !known.is_empty() {
            args[EXPECT[0]] = json!(known);
        } else if let Some(hash) = known.into_values().next() {
            args[EXPECT[0]] = json!(hash);
        }
        args
    }

    /// What the calls of a turn last read or left at these paths.
    fn last_seen(&self, turn: &str, paths: &[&str]) -> BTreeMap<String, String> {
        let mut known = BTreeMap::new();
        let Some(journal) = self.reader().filter(|_| !paths.is_empty()) else { return known };
        let heads = journal.heads().unwrap_or_default();
        let calls = heads.iter().rev().filter(|head| head.machine == Kind::Call.name());
        for head in calls.filter(|head| head.parent.as_deref() == Some(turn)) {
            for (path, hash) in self.seen_by(&journal, head).into_iter().flatten() {
                if paths.contains(&path.as_str()) {
                    known.entry(path).or_insert(hash);
                }
            }
            if known.len() == paths.len() {
                break;
            }
        }
        known
    }

    /// The files that one call read or left, each with its hash.
    fn seen_by(&self, journal: &Reader, head: &journal::Head) -> Option<Vec<(String, String)>> {
        let State::Call(call::State::Settled { outcome: Outcome::Ok, exit: Some(exit), .. }) =
            fold(journal, head, None).ok()?.state
        else {
            return None;
        };
        let Some(Done::Payload(kept)) = exit.done.as_deref() else { return None };
        let dir = self.plan.loop_dir.join("calls").join(&head.run);
        let payload = calls::of_file(&dir, kept, calls::REPORT_BYTES_MAX);
        // What was only tried left nothing.
        if payload["dry_run"] == true {
            return None;
        }
        let files = payload["files"].as_array().cloned().unwrap_or_else(|| vec![payload]);
        let seen = |file: &Value| {
            let hash = file["sha256"].as_str().or_else(|| file["after"].as_str())?;
            Some((file["path"].as_str()?.to_owned(), hash.to_owned()))
        };
        Some(files.iter().filter_map(seen).collect())
    }
}

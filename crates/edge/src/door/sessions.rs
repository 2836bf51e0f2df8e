//! What is said to a session, from the wire to the kernel. The session of the branch is opened when
//! it is first spoken to. A process below a shim can say none of it.

use kernel::machine::By;
use kernel::run::Command;
use kernel::session::{self, Name};
use runtime::sessions::{Form, id_of, key_of, meant, setup};
use serde_json::json;

use super::answers::refused;
use super::hear::invalid;
use super::serve::Shop;
use super::session_wire::SessionSay;
use super::turns::below;
use super::wire::{Refusal, Reply};

impl Shop {
    pub(super) fn to_session(
        &self,
        by: &By,
        run: &str,
        trace: &str,
        say: SessionSay,
    ) -> Option<Reply> {
        if matches!(by, By::Agent { .. }) {
            return Some(refused("session.needs_person", run));
        }
        let key = key_of(&self.plan.root);
        if run == id_of(&key) {
            // Opening one that is open changes nothing.
            let open = Command::Session(session::Command::Open { key: key.clone() });
            self.handle.say(by.clone(), run, trace, open).ok()?.ok();
        }
        let other = run != id_of(&key);
        let starts = matches!(say, SessionSay::Run { .. } | SessionSay::Say { .. });
        if starts && other {
            // Nothing is begun on a branch that is not checked out.
            return Some(refused("session.branch_changed", run));
        }
        // Without a branch, a commit moves the key of what is the same session.
        let goes_on = say.goes_on() && !key.starts_with("detached:");
        let noticed = Command::Session(session::Command::Noticed { key });
        self.handle.say(By::Engine, run, trace, noticed).ok()?.ok();
        if goes_on && other {
            return Some(refused("session.branch_changed", run));
        }
        let heard = self.session_command(run, say);
        self.say_one(by, run, trace, heard.map(Command::Session))
    }

    fn session_command(&self, run: &str, say: SessionSay) -> Result<session::Command, Refusal> {
        let clean = |text: &str| self.plan.redactor.redact_text(text);
        let setup = |form: &Form| Box::new(setup(form, &self.plan.units));
        Ok(match say {
            SessionSay::Run { name, text, flags, input_id, form } => {
                let known = Name::typed(&name).ok_or_else(|| {
                    invalid("session.unknown_command", json!({ "command": name }))
                })?;
                let (text, setup) = (clean(&text), setup(&form));
                session::Command::Run { name: known, text, flags, input_id, setup }
            }
            SessionSay::Say { text, input_id, form } => {
                let (text, mut setup) = (clean(&text), setup(&form));
                setup.designer = self.plan.units.called(&text).or(setup.designer);
                let meant = meant(&text);
                session::Command::Say { text, input_id, meant, setup }
            }
            SessionSay::Answer { question, key, text, hash } => {
                let (question, text) = (below(run, question), text.map(|text| clean(&text)));
                session::Command::Answer { question, key, text, hash }
            }
            SessionSay::Cancel { undo, all } => session::Command::Cancel { undo, all },
        })
    }
}

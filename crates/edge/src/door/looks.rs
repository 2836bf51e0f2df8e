//! What the agent of a step may look at without a call: what the policy would say of a command, and
//! what a way back would do. It is answered at once; nothing is recorded and nothing is done.

use runtime::trace;
use runtime::workspace::{self, OwnerRule, Places};
use serde_json::json;

use super::serve::Shop;
use super::wire::{Reply, ToolForm};
use crate::mcp;
use crate::problem::Raised;
use crate::site::{Site, of_workspace};

impl Shop {
    /// What was looked at; none for what is a call.
    pub(super) fn looked(&self, form: &ToolForm) -> Option<Reply> {
        if !mcp::LOOKS.contains(&form.name.as_str()) {
            return None;
        }
        let lang = self.plan.around.lang;
        let seen = self.site().and_then(|site| mcp::look(&site, lang, &form.name, &form.args));
        let told = match seen {
            Ok(payload) => json!({ "ok": true, "payload": payload }),
            Err(why) => {
                let error = json!({ "code": why.code.to_string(), "details": why.details });
                json!({ "ok": false, "error": error })
            }
        };
        Some(Reply::Told(trace::redacted(&told, &self.plan.redactor)))
    }

    /// The workspace of this engine as the other doors see it.
    fn site(&self) -> Result<Site, Raised> {
        let places = Places::from_env().map_err(|why| of_workspace(&why))?;
        let root = &self.plan.root;
        // Whose directory it may be was judged when the engine was started.
        let found = workspace::find(Some(root), root, &places, OwnerRule::Anyone);
        let root = found.map_err(|why| of_workspace(&why))?;
        Ok(Site { root, places, owner: OwnerRule::Anyone, lang: self.plan.around.lang })
    }
}

//! How a workspace stands, looked at each time: trust and the settings it is bound to may change
//! while an engine runs. Rules are only read again when they did.

use std::sync::{Arc, Mutex, PoisonError};

use kernel::policy::rules::{Held, Listed};
use kernel::policy::{Rules, Sandbox, Trust};
use kernel::{hash, policy};
use serde_json::json;

use super::standing::Standing;
use crate::config::{self, File, Layers};
use crate::workspace::{self, Places, Root, SETTINGS_FILE};

/// How the workspace stood when it was last looked at.
type Kept = Mutex<Option<(workspace::Standing, Arc<Standing>)>>;

/// A look at this workspace, where commands are held in like this.
pub fn looking(
    root: Root,
    places: Places,
    env: Vec<(String, String)>,
    sandbox: Sandbox,
) -> impl Fn() -> Arc<Standing> + Send + Sync {
    let kept: Kept = Mutex::new(None);
    move || {
        let unknown = || Arc::new(Standing::unknown(&root.path, &places.home));
        let Ok(now) = workspace::standing(&root, &places) else { return unknown() };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, standing)) = kept.as_ref().filter(|(before, _)| *before == now) {
            return Arc::clone(standing);
        }
        let standing = read(&root, &places, &env, (&now, sandbox)).map_or_else(unknown, Arc::new);
        *kept = Some((now, Arc::clone(&standing)));
        standing
    }
}

fn read(
    root: &Root,
    places: &Places,
    env: &[(String, String)],
    (now, sandbox): (&workspace::Standing, Sandbox),
) -> Option<Standing> {
    let settings = workspace::settings(Some(root), places, env).ok()?.settings;
    let standing = Standing::new(&settings.policy, now.into(), sandbox, (root, places));
    Some(Standing { git: settings.git.path, ..standing })
}

/// A person's word on a workspace, as far as judging needs it.
#[derive(Debug, Clone, Copy)]
pub struct Word<'a> {
    /// Whether it is trusted.
    pub trust: Trust,
    /// Hash of the rules that allow which the person was shown.
    pub listed: Option<&'a str>,
}

impl<'a> From<&'a workspace::Standing> for Word<'a> {
    fn from(now: &'a workspace::Standing) -> Self {
        let trust = match now.trust {
            workspace::Trust::Trusted => Trust::Trusted,
            workspace::Trust::Untrusted | workspace::Trust::Changed => Trust::Untrusted,
        };
        Self { trust, listed: now.listed.as_deref() }
    }
}

/// The rules of these files. Those of the workspace that allow count only if exactly they were
/// shown to the person who trusted it.
pub(super) fn rules(files: &[policy::rules::File], listed: Option<&str>) -> Rules {
    let tight = Rules::load(files, Listed::No);
    let shown = listed.is_some_and(|shown| shown == rules_hash(tight.idle()));
    if shown { Rules::load(files, Listed::Yes) } else { tight }
}

/// What a person who trusts these settings lets run unasked. Settings that cannot be read let
/// nothing.
#[must_use]
pub fn allowing(settings: Option<&[u8]>) -> Vec<Held> {
    let Some(bytes) = settings else { return Vec::new() };
    let text = String::from_utf8_lossy(bytes);
    let own = File { name: SETTINGS_FILE, text: &text };
    let layers = Layers { workspace: Some(own), ..Layers::default() };
    let Ok(resolved) = config::resolve(&layers) else { return Vec::new() };
    Rules::load(&resolved.settings.policy.files, Listed::No).idle().to_vec()
}

/// What a trust that listed these rules is bound to.
#[must_use]
pub fn rules_hash(rules: &[Held]) -> String {
    hash::of_json(&json!(rules))
}

//! What the policy says of a command, for every door. Nothing is run.

use kernel::policy::{Act, Asker, Judgement, Request, Run, Sandbox, judge};
use runtime::policy::{self, Programs, Standing};
use runtime::words::Lang;
use runtime::workspace;
use serde_json::{Value, json};

use crate::problem::Raised;
use crate::site::{Site, of_workspace};

/// The rules in force. Whether a sandbox holds is measured when a command starts; this is about the
/// words alone.
///
/// # Errors
/// Settings that cannot be used.
pub fn standing(site: &Site) -> Result<Standing, Raised> {
    let settings = site.settings()?.settings.policy;
    let (root, places) = (&site.root, &site.places);
    let now = workspace::standing(root, places).map_err(|refusal| of_workspace(&refusal))?;
    Ok(Standing::new(&settings, (&now).into(), Sandbox::Waived, (root, places)))
}

/// Judges a command.
///
/// # Errors
/// Settings that cannot be used.
pub fn check(site: &Site, cwd: &str, argv: &[String]) -> Result<Judgement, Raised> {
    let standing = standing(site)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let word = argv.first().map_or("", String::as_str);
    let program = Programs::new(site.root.path.clone(), path).look(word, cwd);
    let run = Run { program, ..Run::argv(argv.to_vec(), cwd) };
    let request = Request::new(Act::Run(run), Asker::Agent);
    let class = |path: &str| standing.class(path);
    Ok(judge(&request, &standing.facts(&class)))
}

/// The judgement as data.
#[must_use]
pub fn data(lang: Lang, judged: &Judgement) -> Value {
    json!({
        "verdict": judged.verdict.word(), "rule": judged.verdict.rule(),
        "reason": policy::reason(lang, judged), "widest": judged.widest,
        "asks": judged.asks, "segments": judged.segments, "opaque": judged.opaque,
        "ehrb": judged.ehrb,
    })
}

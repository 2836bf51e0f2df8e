//! What the policy says to a tool of the engine's own that is asked for at a door. A person's word
//! is the grant for an ordinary path; a path of a special class is asked for once more, and so is
//! whatever a guest wants.

use kernel::call::{Acts, Tool};
use kernel::hash;
use kernel::patch::Action;
use kernel::policy::{Act, Asker, PathClass, Request, Tool as Named, Verdict, Word, judge};
use serde_json::Value;

use super::fits::Misfit;
use super::reading;
use crate::policy::{Judged, Standing};
use crate::{change, files, packages};

/// The rule that a person's own word is.
const ASKED: &str = "person-asked";

/// Judges a request whose arguments fit. None for a tool that nobody has to be asked about: a
/// checkpoint touches nothing of the user's, and a rollback is approved by its plan.
///
/// # Errors
/// Arguments that do not fit.
pub fn judged(
    tool: &Tool,
    args: &Value,
    standing: &Standing,
    by: Asker,
) -> Result<Option<Judged>, Misfit> {
    if tool.acts == Acts::Converges {
        return Ok(None);
    }
    let act = alone(tool, args, standing)?;
    let request = Request { act, by, given: Some(hash::of_json(args)) };
    let class = |path: &str| standing.class(path);
    let judgement = judge(&request, &standing.facts(&class));
    let ordinary = request.paths().iter().all(|it| it.class == PathClass::Ordinary);
    let own = by == Asker::Person
        && ordinary
        && judgement.ehrb.is_empty()
        && judgement.verdict.word() == Word::Ask;
    let judged = Judged::of(request, judgement);
    if !own {
        return Ok(Some(judged));
    }
    let verdict = Verdict::Allow { rule: ASKED.to_owned() };
    Ok(Some(Judged { verdict, shown: None, ..judged }))
}

/// What the arguments ask for of a call that no plan lists: one that takes any file away is judged
/// as taking them away, whatever else it changes.
pub(crate) fn alone(tool: &Tool, args: &Value, standing: &Standing) -> Result<Act, Misfit> {
    let act = act(tool, args, standing)?;
    let takes_away = || {
        let touched = change::touched(tool.name, args).unwrap_or_default();
        touched.iter().any(|(_, action)| *action == Action::Delete)
    };
    Ok(match act {
        Act::Change { paths, .. } if tool.acts == Acts::Changes && takes_away() => {
            Act::Delete { paths }
        }
        act @ (Act::Look { .. }
        | Act::Change { .. }
        | Act::Delete { .. }
        | Act::Run(_)
        | Act::Agent { .. }) => act,
    })
}

/// What a file tool's arguments ask for.
pub(crate) fn act(tool: &Tool, args: &Value, standing: &Standing) -> Result<Act, Misfit> {
    let named = match tool.name {
        "list" => Named::List,
        "search" | "search_semantic" => Named::Search,
        "write" => Named::Write,
        "apply_patch" => Named::ApplyPatch,
        _ => Named::Read,
    };
    let touched = |path: &str| standing.touched(path);
    if let Some(reads) = files::Tool::named(tool.name) {
        let place = reading::place(reads, args).map_err(|fault| Misfit::from(&fault))?;
        return Ok(Act::Look { tool: named, paths: vec![touched(place.as_str())] });
    }
    if tool.acts == Acts::Arranges {
        let paths = packages::touched(&packages::Wish::read(args)?);
        let paths = paths.iter().map(|path| touched(path)).collect();
        return Ok(Act::Change { tool: Named::Write, paths, lines: 0 });
    }
    let paths = change::touched(tool.name, args).map_err(|problem| Misfit::from(&problem))?;
    let gone = paths.iter().all(|(_, action)| *action == Action::Delete);
    let paths = paths.iter().map(|(path, _)| touched(path.as_str())).collect();
    Ok(if gone { Act::Delete { paths } } else { Act::Change { tool: named, paths, lines: 0 } })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_that_takes_a_file_away_is_judged_so() {
        let standing = Standing::unknown(std::path::Path::new("/w"), std::path::Path::new("/h"));
        let gone = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        let edit = "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-y\n+z\n";
        let moved = "diff --git a/x b/z\nsimilarity index 100%\nrename from x\nrename to z\n";
        let table = [
            (edit.to_owned(), Named::ApplyPatch),
            (gone.to_owned(), Named::Delete),
            (format!("{edit}{gone}"), Named::Delete),
            (moved.to_owned(), Named::Delete),
        ];
        let tool = kernel::call::named("apply_patch").unwrap();
        for (diff, expected) in table {
            let act = alone(tool, &json!({ "diff": diff }), &standing).unwrap();
            assert_eq!(Request::new(act, Asker::Agent).tool(), expected, "{diff}");
        }
    }
}

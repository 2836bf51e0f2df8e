//! From what an agent asks of our tools to what its turn is asked: the arguments are looked at and
//! kept where no record shows them. What policy says, and whether it may ask at all, is filled in
//! where grants are known.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use kernel::call::{self, Acts, Request, Tool};
use kernel::hash;
use kernel::policy::{self, Asker, Verdict};
use kernel::turn::{Args, Asked, Judged, Reach};
use serde_json::Value;

use crate::child_env::Extra;
use crate::policy::Standing;
use crate::tools::{self, Limits, Misfit};

/// Where and by whom arguments are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    /// The directory of our files.
    pub loop_dir: &'a Path,
    /// What is known of paths.
    pub standing: &'a Standing,
    /// Variables that the settings let through.
    pub extra: &'a Extra,
    /// How long a call may take that does not say.
    pub limits: Limits,
}

/// A request as its turn takes it.
///
/// # Errors
/// When the arguments can't be kept.
pub fn asked(name: &str, args: &Value, counter: Counter<'_>) -> io::Result<Asked> {
    let made = match call::named(name) {
        Some(tool) => made(tool, args, counter)?,
        // A name that nobody knows is the machine's to refuse.
        None => Err(Misfit::args("a tool")),
    };
    let (args, about) = match made {
        Ok((request, about)) => (Args::Fit(Box::new(request)), about.map(Box::new)),
        Err(misfit) => (bad(&misfit), None),
    };
    let judged = Judged {
        verdict: Verdict::Ask { rule: String::new() },
        reach: Reach::default(),
        hash: String::new(),
        definitions: BTreeMap::new(),
    };
    Ok(Asked { name: name.to_owned(), args, about, judged })
}

type Made = Result<(Request, Option<policy::Request>), Misfit>;

fn made(tool: &Tool, args: &Value, counter: Counter<'_>) -> io::Result<Made> {
    if tool.name == call::RUN {
        return command(args, counter);
    }
    if let Err(misfit) = tools::check(tool, args) {
        return Ok(Err(misfit));
    }
    let about = match tool.acts {
        Acts::Reads | Acts::Changes => match tools::alone(tool, args, counter.standing) {
            Ok(act) => {
                let given = Some(hash::of_json(args));
                Some(policy::Request { act, by: Asker::Agent, given })
            }
            Err(misfit) => return Ok(Err(misfit)),
        },
        Acts::Converges | Acts::Arranges | Acts::Commits | Acts::Runs => None,
    };
    let kept = tools::keep(counter.loop_dir, args)?;
    Ok(match counter.limits.request(tool.name, kept) {
        Some(request) => Ok((request, about)),
        None => Err(Misfit::args("a tool")),
    })
}

fn command(args: &Value, counter: Counter<'_>) -> io::Result<Made> {
    let tools::Wanted { mut request, env } =
        match tools::command(args, counter.extra, counter.limits) {
            Ok(wanted) => wanted,
            Err(misfit) => return Ok(Err(misfit)),
        };
    if !env.is_empty() {
        let kept = tools::keep_env(counter.loop_dir, &env)?;
        request.given.get_or_insert_default().env_sha256 = Some(kept);
    }
    Ok(Ok((request, None)))
}

fn bad(misfit: &Misfit) -> Args {
    let text = |name: &str| misfit.details[name].as_str().unwrap_or_default().to_owned();
    let (path, expected) = (text("path"), text("expected"));
    let expected = if expected.is_empty() { misfit.kind.to_owned() } else { expected };
    Args::Bad { path, expected }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_is_kept_and_what_does_not_says_where() {
        let dir = tempfile::tempdir().unwrap();
        let standing = Standing::unknown(dir.path(), Path::new("/home/nobody"));
        let extra = Extra::default();
        let limits = Limits::default();
        let counter = Counter { loop_dir: dir.path(), standing: &standing, extra: &extra, limits };
        let table = [
            ("write_file", json!({"path": "a", "content": "x", "mode": "create"}), "write a"),
            ("read_file", json!({"path": "a"}), "read a"),
            ("run_cmd", json!({"argv": ["ls"]}), "run "),
            ("write", json!({"content": 7}), "bad"),
            ("run", json!({}), "bad"),
            ("question", json!({}), "bad"),
        ];
        for (name, args, expected) in table {
            let asked = asked(name, &args, counter).unwrap();
            let about = asked.about.iter().flat_map(|about| about.paths());
            let paths: Vec<&str> = about.map(|touched| touched.path.as_str()).collect();
            let found = match &asked.args {
                Args::Fit(request) => format!("{} {}", request.name, paths.join(" ")),
                Args::Bad { .. } => "bad".to_owned(),
            };
            assert_eq!(found, expected, "{name}");
        }
    }
}

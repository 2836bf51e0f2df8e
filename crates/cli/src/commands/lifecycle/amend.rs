//! `lifecycle amend FILE`: a change of tasks that have not started, as a person writes it.

use std::path::Path;

use edge::door::LifecycleSay;
use edge::lifecycles;
use kernel::errors::Class;
use serde_json::{Value, json};

use super::super::collab::file_text;
use super::says;
use super::verbs::Steer;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Reads the change and says it.
pub fn run(ctx: &Ctx, file: &Path, steer: &Steer) -> Result<Reply, Trouble> {
    let name = file.display().to_string();
    let patch = lifecycles::amending(&name, read(&name, &file_text(&name)?)?)?;
    says::say(ctx, steer, LifecycleSay::Amend { patch: Box::new(patch) })
}

fn read(name: &str, text: &str) -> Result<Value, Trouble> {
    let json = name.ends_with(".json") || text.trim_start().starts_with('{');
    let read = match json {
        true => serde_json::from_str(text).map_err(|why| why.to_string()),
        false => toml::from_str(text).map_err(|why| why.message().to_owned()),
    };
    read.map_err(|why: String| {
        trouble::class(Class::InvalidArgs, json!({ "path": name, "expected": why }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::lifecycle::Verify;

    #[test]
    fn a_change_is_read_in_both_forms() {
        let toml = "reason = \"r\"\nremove = [\"T-3\"]\n[[add]]\nid = \"T-4\"\ntitle = \"t\"\n\
                    verify = [\"cargo test -p a\"]\n";
        let json = r#"{"reason":"r","remove":["T-3"],
            "add":[{"id":"T-4","title":"t","verify":["cargo test -p a"]}]}"#;
        let of = |name, text| lifecycles::amending(name, read(name, text).unwrap()).unwrap();
        assert_eq!(of("a.toml", toml), of("a.json", json));
        let Verify::Checks(checks) = &of("a.toml", toml).add[0].verify else { panic!("no check") };
        assert_eq!(checks[0].argv, ["cargo", "test", "-p", "a"]);
        assert!(read("a.toml", "add = [").is_err());
    }
}

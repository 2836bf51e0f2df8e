//! Settings of a workspace's own file that name programs, or hand them the user's variables. They
//! count once the workspace is trusted; a person who is asked for that is shown them apart from the
//! rest. What a program may do is the policy's and the sandbox's to say.

use super::families::member;
use super::layers::{File, Held, Layers, Source, resolve};

/// The plain ones.
const NAMED: [&str; 5] =
    ["ask.zhi.command", "env.pass", "env.proxy", "git.path", "search.semantic"];
/// Those of an agent's table.
const OF_AGENTS: [&str; 9] = [
    "bin",
    "args",
    "env",
    "unsandboxed",
    "inner_sandbox",
    "project_settings",
    "argv",
    "argv_resume",
    "scenario",
];

/// Those that a workspace's file sets to something else than the user's. A file that cannot be read
/// sets nothing.
#[must_use]
pub fn named(user: Option<File<'_>>, workspace: File<'_>) -> Vec<Held> {
    let layers = Layers { user, workspace: Some(workspace), ..Layers::default() };
    let Ok(resolved) = resolve(&layers) else { return Vec::new() };
    let before = resolve(&Layers { workspace: None, ..layers }).ok();
    let other = |held: &Held| {
        before.as_ref().and_then(|before| before.look(&held.key)).map(|known| known.value)
            != Some(held.value.clone())
    };
    let set = resolved.held.into_iter().filter(|held| held.source == Source::Workspace);
    set.filter(|held| is_named(&held.key) && other(held)).collect()
}

fn is_named(key: &str) -> bool {
    let of_agent = |key: &str| {
        member(key).is_some_and(|member| {
            member.family.prefix == "agents" && OF_AGENTS.contains(&member.key.name)
        })
    };
    let of_tool = |key: &str| {
        member(key)
            .is_some_and(|member| member.family.prefix == "tool" && member.key.name == "command")
    };
    NAMED.contains(&key) || of_agent(key) || of_tool(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_programs_or_variables_is_listed_where_the_user_has_not_said_the_same() {
        let table = [
            ("", "[git]\npath = \"/r/git\"\n", "git.path"),
            ("[git]\npath = \"/r/git\"\n", "[git]\npath = \"/r/git\"\n", ""),
            ("", "[env]\npass = [\"TOKEN\"]\nproxy = false\n", "env.pass"),
            ("", "[call]\nin_flight = 2\n[sandbox]\nmode = \"off\"\n", ""),
            (
                "",
                "[agents.x]\nkind = \"codex\"\nbin = \"/r/x\"\nenv = [\"A\"]\nwall = \"1m\"\n",
                "agents.x.bin agents.x.env",
            ),
            ("", "[git]\npath = 3\n", ""),
        ];
        for (user, own, listed) in table {
            let file = |text| File { name: "f", text };
            let mut keys: Vec<String> =
                named(Some(file(user)), file(own)).into_iter().map(|held| held.key).collect();
            keys.sort();
            assert_eq!(keys.join(" "), listed, "{own}");
        }
    }
}

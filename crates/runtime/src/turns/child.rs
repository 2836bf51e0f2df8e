//! The start of a turn that another run owns: what its owner asks for, filled up with what settings
//! and workspace say. Which of it counts is its profile's to say; who it belongs to, the engine's.

use kernel::turn::{Fault, Limits, Profile, Start, Wish};

use super::form::{Around, DIRECT, Form, FormError, Named, start};
use crate::form::Unfit;

/// Makes the start. Whose it is, is filled in when it begins.
///
/// # Errors
/// What does not fit.
pub fn child(wish: &Wish, around: &Around) -> Result<Start, FormError> {
    let direct = match wish.profile {
        Profile::Person | Profile::LifecyclePlan => None,
        Profile::LifecycleTask | Profile::Loop | Profile::Tweak | Profile::Closing => Some(DIRECT),
    };
    let form = Form {
        request: wish.request.clone(),
        constraints: wish.constraints.clone(),
        expected_output: wish.expected_output.clone(),
        planner: direct.map(str::to_owned),
        agents: (!wish.agents.is_empty()).then(|| wish.agents.clone()),
        verify: wish.checks.clone(),
        lang: wish.lang.clone(),
        ..Form::default()
    };
    let made = start(form, Named { id: "", trace_id: "", session_id: "" }, around)?;
    let limits = Limits {
        change: wish.change,
        confine: wish.confine.clone(),
        step_ms: wish.step_ms.unwrap_or(made.limits.step_ms),
        checks_ms: wish.checks_ms.clone(),
        ..made.limits
    };
    Ok(Start { profile: wish.profile, covers: wish.covers.clone(), limits, ..made })
}

/// What an owner hears of a wish that does not fit.
#[must_use]
pub fn unfit(why: &FormError) -> Box<Fault> {
    Box::new(match why {
        FormError::Unfit(Unfit::NoSuchAgent { .. }) => Fault::new("E001", "missing"),
        FormError::Unfit(Unfit::Invalid { field, .. }) => Fault::new("E_INVALID_ARGS", field),
        FormError::Plan(_) => Fault::new("E_INVALID_ARGS", "plan"),
        FormError::Io(_) => Fault::new("E_IO", "write"),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use kernel::turn::{ChangeLimit, Mode, Planner};

    use super::*;
    use crate::config::{File, Layers, resolve};
    use crate::policy::{Judge, Standing};
    use crate::words::Lang;

    fn around(root: &Path) -> Around {
        let text = "[turn]\nagents = [\"codex\", \"claude\"]\nplanner = \"claude\"\n";
        let workspace = Some(File { name: "w", text });
        let settings = resolve(&Layers { workspace, ..Layers::default() }).unwrap().settings;
        let judge = Judge::fixed(Standing::unknown(root, Path::new("/home/nobody")));
        Around::of(&settings, (root, &root.join(".loop")), judge, Lang::En)
    }

    #[test]
    fn what_the_owner_does_not_say_is_its_profiles_or_the_settings() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("Cargo.toml"), "[package]\n").unwrap();
        let around = around(dir.path());
        let change = Some(ChangeLimit { files: 1, lines: 2, modules: 3 });
        let wish = |profile| Wish {
            checks: vec!["cargo test -p cli".into()],
            checks_ms: [("cargo test -p cli".to_owned(), 9)].into(),
            covers: vec!["src/**".into()],
            change,
            step_ms: Some(7),
            ..Wish::new(profile, "Do it")
        };
        let task = child(&wish(Profile::LifecycleTask), &around).unwrap().shaped();
        assert_eq!((task.mode, &task.planner), (Mode::Write, &Planner::Direct));
        assert_eq!(task.agents, ["codex", "claude"]);
        assert_eq!((task.limits.change, task.limits.step_ms), (change, 7));
        assert_eq!(task.limits.check_ms("cargo test -p cli"), 9);
        assert_eq!(task.limits.check_ms("make"), around.verify_ms);
        assert_eq!((task.limits.fixes, task.covers), (0, vec!["src/**".to_owned()]));
        assert_eq!(task.verification.unwrap().commands, ["cargo test -p cli"]);
        let plan = child(&wish(Profile::LifecyclePlan), &around).unwrap().shaped();
        let planners = Planner::Agents(vec!["claude".into(), "codex".into()]);
        assert_eq!((plan.mode, plan.planner), (Mode::Plan, planners));
        // A task without checks of its own is checked by nothing that happens to be there.
        let bare = Wish::new(Profile::LifecycleTask, "Do it");
        let bare = child(&bare, &around).unwrap().shaped();
        assert!(!bare.detected.is_empty());
        assert!(bare.verification.is_some_and(|policy| policy.commands.is_empty()));
    }

    #[test]
    fn what_does_not_fit_is_told_by_its_code() {
        let dir = tempfile::tempdir().unwrap();
        let around = around(dir.path());
        let mut wish = Wish::new(Profile::Loop, "Do it");
        wish.agents = vec!["nobody".into()];
        let told = |wish: &Wish| child(wish, &around).map_err(|why| unfit(&why).code);
        assert_eq!(told(&wish).err().as_deref(), Some("E001"));
        wish.agents.clear();
        wish.checks = vec!["npm test; rm -rf /".into()];
        assert_eq!(told(&wish).err().as_deref(), Some("E_INVALID_ARGS"));
    }
}

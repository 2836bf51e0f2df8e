//! One tool or command, asked for at the door: its arguments are looked at, those of our own tools
//! kept where no record shows them, and it is asked as a call. What it does is none of the door's
//! business.

use kernel::call::{self, Acts, Ask, Budget, Class, OnUnknown, ParentNow, Request};
use kernel::errors::Code;
use kernel::loops::Check;
use kernel::machine::By;
use kernel::policy::grant::Pin;
use kernel::policy::{self, Asker, Granted, Repeat, Run, Shown, Verdict};
use kernel::run::Command;
use runtime::packages::Wish;
use runtime::policy::{Flow, Judged};
use runtime::tools::{self, Misfit};
use serde_json::json;

use super::answers::refused;
use super::hear;
use super::scrub;
use super::serve::Shop;
use super::wire::{Refusal, Reply, ToolForm};

impl Shop {
    pub(super) fn to_tool(
        &self,
        by: &By,
        run: &str,
        trace: &str,
        form: &ToolForm,
    ) -> Option<Reply> {
        // What brings back what was there before is a person's to ask for.
        let back = call::named(&form.name).is_some_and(|tool| tool.name == call::ROLLBACK);
        if matches!(by, By::Agent { .. }) || (back && !by.may_approve()) {
            return Some(refused("call.needs_person", run));
        }
        let heard = self.tool_command(by, run, form);
        self.say_one(by, run, trace, heard.map(Command::Call))
    }

    /// A check that a person asks for: only one that is in force here, exactly as it is.
    pub(super) fn to_check(&self, by: &By, run: &str, trace: &str, check: Check) -> Option<Reply> {
        // Asking for it grants it.
        if !by.may_approve() {
            return Some(refused("call.needs_person", run));
        }
        let heard = self.check_command(run, check);
        self.say_one(by, run, trace, heard.map(Command::Call))
    }

    fn check_command(&self, run: &str, check: Check) -> Result<call::Command, Refusal> {
        let in_force = runtime::checks::for_loop(&self.plan.root, &self.plan.checks);
        if !in_force.contains(&check) {
            let details = json!({ "what": "check", "found": check.id });
            return Err(hear::invalid("call.invalid_args", details));
        }
        for word in &check.argv {
            scrub::runnable(word.clone(), &self.plan.redactor)?;
        }
        let pin = self.plan.judge.pin(&check.argv, &check.cwd);
        let started = vec![Granted { pin, ..Granted::new(&check.argv, &check.cwd) }];
        let command = Run::argv(check.argv.clone(), &check.cwd);
        let command = Run { definition: check.definition_hash, ..command };
        let flow = Flow { started, ..Flow::default() };
        let judged = self.plan.judge.command(command, Asker::Person, &flow);
        let request = Request {
            name: call::RUN.to_owned(),
            version: call::TOOL_VERSION.to_owned(),
            argv: check.argv,
            agent: None,
            args: None,
            cwd: check.cwd,
            env_names: Vec::new(),
            collect: check.collect,
            class: Class::Once,
            deadline_ms: check.timeout_ms,
            idle_ms: None,
            grace_ms: self.plan.around.grace_ms,
            on_unknown: OnUnknown::Wait,
            given: None,
        };
        Ok(self.asked(run, "check", request, judged.into()))
    }

    fn asked(&self, run: &str, slot: &str, request: Request, said: Said) -> call::Command {
        call::Command::Ask(Box::new(Ask {
            key: format!("{run}/{slot}"),
            request,
            parent: None,
            parent_now: ParentNow::Active,
            verdict: said.verdict,
            shown: said.shown,
            pin: said.pin,
            budget: Budget::Left,
            rules: self.plan.rules.clone(),
        }))
    }

    fn tool_command(&self, by: &By, run: &str, form: &ToolForm) -> Result<call::Command, Refusal> {
        let acts =
            |tool: &&call::Tool| ![call::AGENT, call::GIT_COMMIT, call::UNDO].contains(&tool.name);
        let Some(tool) = call::named(&form.name).filter(acts) else {
            let known = call::TOOLS.iter().filter(acts).map(|tool| tool.name);
            let expected = known.collect::<Vec<_>>().join(", ");
            let details = json!({ "what": "tool", "found": form.name, "expected": expected });
            return Err(hear::invalid("call.unknown_tool", details));
        };
        if tool.name == call::RUN {
            return self.run_command(by, run, form);
        }
        let own = |misfit: Misfit| hear::invalid(&misfit.code.to_string(), misfit.details);
        tools::check(tool, &form.args).map_err(own)?;
        if tool.acts == Acts::Arranges {
            Wish::read(&form.args).and_then(|wish| wish.may_be_asked()).map_err(own)?;
        }
        let args = tools::keep(&self.plan.loop_dir, &form.args).map_err(|why| unkept(&why))?;
        let request = self.plan.limits.request(tool.name, args);
        let request = request
            .ok_or_else(|| hear::invalid("call.unknown_tool", json!({ "found": form.name })))?;
        let standing = self.plan.judge.standing();
        let judged = tools::judged(tool, &form.args, &standing, asker(by))
            .map_err(|misfit| hear::invalid(&misfit.code.to_string(), misfit.details))?;
        let undone =
            || Said { verdict: policy::judge_undo(standing.trust), shown: None, pin: None };
        Ok(self.asked(run, "tool", request, judged.map_or_else(undone, Said::from)))
    }

    /// A command. A rule that calls it a mere look lets it be repeated.
    fn run_command(&self, by: &By, run: &str, form: &ToolForm) -> Result<call::Command, Refusal> {
        let tools::Wanted { mut request, env } =
            tools::command(&form.args, &self.plan.extra, self.plan.limits)
                .map_err(|misfit| hear::invalid(&misfit.code.to_string(), misfit.details))?;
        for word in request.argv.iter().chain(env.values()) {
            scrub::runnable(word.clone(), &self.plan.redactor)?;
        }
        if !env.is_empty() {
            let kept = tools::keep_env(&self.plan.loop_dir, &env).map_err(|why| unkept(&why))?;
            request.given.get_or_insert_default().env_sha256 = Some(kept);
        }
        let command = Run {
            env_names: request.env_names.clone(),
            network: request.given.as_ref().and_then(|given| given.network).unwrap_or_default(),
            ..Run::argv(request.argv.clone(), &request.cwd)
        };
        let judged = self.plan.judge.command(command, asker(by), &Flow::default());
        let class = match judged.repeat {
            Repeat::Reads => Class::Read,
            Repeat::Acts => request.class,
        };
        Ok(self.asked(run, "tool", Request { class, ..request }, judged.into()))
    }
}

/// Whoever can grant nothing is judged like an agent.
const fn asker(by: &By) -> Asker {
    if by.may_approve() { Asker::Person } else { Asker::Agent }
}

/// What the policy says, and what a person is shown where one is asked.
struct Said {
    verdict: Verdict,
    shown: Option<Box<Shown>>,
    pin: Option<Pin>,
}

impl From<Judged> for Said {
    fn from(judged: Judged) -> Self {
        let pin = judged.request.pin();
        Self { verdict: judged.verdict, shown: judged.shown, pin }
    }
}

fn unkept(why: &std::io::Error) -> Refusal {
    let kind = runtime::io_kind(why).unwrap_or("interrupted");
    let code = Code::Class(kernel::errors::Class::Io).to_string();
    hear::invalid(&code, json!({ "kind": kind, "path": ".loop/cache/args" }))
}

//! The session machine as a subject: walked from its samples, and lived at random.

use kernel::machine::{Refusal as _, Said};
use kernel::session::{Command, Event, Refusal, Session, State, samples};
use serde_json::Value;

use super::super::call::words;
use super::holds;
use crate::dice::Dice;
use crate::subject::{Coverage, Step, Subject};

/// Numbers from here on are moments, which no rule tells apart in a walk.
const MOMENTS: u64 = 900;
/// Units and questions of one walk: more are the same again.
const COUNTED_MAX: u32 = 12;

/// Every state, fact and refusal there is; a walk that misses one proves less than it says.
#[must_use]
pub fn everything() -> Coverage {
    let states = "New Idle Job Stacked Ending Clarifying Confirming Gathering Drafting Writing \
                  Checking Gated Approving Listing Picking Opening AskType AskMarkers Running \
                  Closing Testing CloseAsk Fixing Editing Outgrown Undoing Recording Accepting \
                  Held";
    let events = "Opened Heard Routed CommandAccepted ModulesLoaded QuestionAsked QuestionAnswered \
                  QuestionWithdrawn Scored Clarified Waived Judged PathAdjusted ModeKept \
                  ModeSwitched KbDecided ContextReady Drafted PackageCreated PackageChecked \
                  PackageApproved PackageChanged PackagePicked ChildAsked ChildEnded Developed \
                  Escalated RiskFound RiskAccepted Interrupted Recovered StepDone Noted Changed \
                  Entered JobMoved FramePushed FrameOpened FramePopped FlowAccepted Stopping \
                  UnitCompleted UnitCancelled UnitFailed ResetStep";
    let refusals = "not_now busy question_closed unknown_command ambiguous_command unknown_option \
                    stale_approval not_owed needs_person invalid_args flow_active use_rollback \
                    path_forced gate_closed not_top_frame";
    Coverage { states: words(states), events: words(events), refusals: words(refusals) }
}

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct Sessions;

impl Subject for Sessions {
    type Machine = Session;
    type Past = ();

    fn roots(&self) -> Vec<State> {
        samples::sample_states().into_iter().map(|(_, state)| state).collect()
    }

    fn alphabet(&self, state: &State) -> Vec<Said<Command>> {
        samples::sample_commands(state).into_iter().map(|(_, said)| said).collect()
    }

    fn pick(&self, state: &State, dice: &mut Dice) -> Said<Command> {
        let mut all = self.alphabet(state);
        // Sessions that are cancelled or replaced at every step get nowhere.
        let cuts = |said: &Said<Command>| {
            let replaces = matches!(&said.command, Command::Run { setup, .. } if setup.replace);
            replaces || matches!(said.command, Command::Cancel { .. })
        };
        if !dice.once_in(8) {
            all.retain(|said| !cuts(said));
        }
        let told = |said: &Said<Command>| {
            matches!(said.command, Command::Told { .. } | Command::Answer { .. })
        };
        if dice.once_in(2) && all.iter().any(told) {
            all.retain(told);
        }
        // Inputs are routed once; a life says more than one thing.
        let serial = dice.below(1_000_000);
        let at = dice.below(all.len());
        let mut said = all.swap_remove(at);
        if let Command::Say { input_id, .. } | Command::Run { input_id, .. } = &mut said.command {
            *input_id = format!("i{serial}");
        }
        said
    }

    fn canon(&self, state: &State) -> String {
        let mut value = serde_json::to_value(state).unwrap_or_default();
        forget(&mut value);
        value.to_string()
    }

    fn within(&self, state: &State) -> bool {
        state
            .life()
            .is_none_or(|life| life.body.units < COUNTED_MAX && life.body.questions < COUNTED_MAX)
    }

    fn listed(&self, refusal: &Refusal) -> Option<Vec<&'static str>> {
        let list = refusal.allowed();
        (!list.is_empty() || refusal.reason() == "not_now").then_some(list)
    }

    fn worth_listing(&self, said: &Said<Command>, _: &[Event]) -> bool {
        match said.command {
            Command::Run { .. }
            | Command::Say { .. }
            | Command::Answer { .. }
            | Command::Cancel { .. } => true,
            Command::Open { .. }
            | Command::Told { .. }
            | Command::ChildNow { .. }
            | Command::ToolOpened { .. }
            | Command::ToolClosed { .. }
            | Command::Timeout { .. }
            | Command::Noticed { .. } => false,
        }
    }

    fn voice(&self, said: &Said<Command>) -> String {
        said.by.word().to_owned()
    }

    fn stands(&self, state: &State) -> Result<(), String> {
        holds::stands(state)
    }

    fn moved(&self, step: &Step<'_, Self>) -> Result<(), String> {
        holds::moved(step)
    }

    fn remember(&self, (): &mut (), _: &Step<'_, Self>) -> Result<(), String> {
        Ok(())
    }
}

/// Drops moments, serials and what was counted of them.
fn forget(value: &mut Value) {
    match value {
        Value::Number(number) if number.as_u64().is_some_and(|n| n >= MOMENTS) => {
            *value = Value::from(0);
        }
        Value::Array(items) => items.iter_mut().for_each(forget),
        Value::Object(members) => {
            for name in ["inputs", "units", "questions", "n", "id", "findings", "asked", "last"] {
                members.remove(name);
            }
            members.values_mut().for_each(forget);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

//! What runs cost: every call folded again, summed up the parents, and once more by agent and
//! model. A restart changes nothing of it, because nothing is kept but the records.

use std::collections::{BTreeMap, BTreeSet};

use journal::{Head, Journal};
use kernel::run::{Kind, State};
use serde_json::{Value, json};

use super::find::below;
use super::fold::{step, unborn};
use super::refusal::Refusal;
use super::show::at_ms;
use super::spent::{Own, Spent, of_call, sum_up};

/// One run with everything below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The run.
    pub head: Head,
    /// What it cost.
    pub spent: Spent,
}

/// One agent with one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByAgent {
    /// Its name in the settings.
    pub agent: String,
    /// The model that was named; none = the agent's own choice.
    pub model: Option<String>,
    /// What its calls cost.
    pub spent: Spent,
}

/// What was spent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usage {
    /// All top-level runs, newest first; or the runs directly below the one asked for, as started.
    pub rows: Vec<Row>,
    /// Everything together: the one asked for, or all.
    pub total: Spent,
    /// The agents' part, by name and model.
    pub by_agent: Vec<ByAgent>,
}

impl Usage {
    /// The answer as data.
    #[must_use]
    pub fn to_json(&self, of: Option<&Head>) -> Value {
        let row = |row: &Row| {
            let mut data = row.spent.to_json();
            data["run_id"] = json!(row.head.run);
            data["machine"] = json!(row.head.machine);
            data["state"] = json!(row.head.status);
            data["created_at"] = json!(at_ms(row.head.created_ms));
            data
        };
        let agent = |by: &ByAgent| {
            let mut data = by.spent.to_json();
            data["agent"] = json!(by.agent);
            data["model"] = json!(by.model);
            data
        };
        json!({
            "run_id": of.map(|head| &head.run),
            "runs": self.rows.iter().map(row).collect::<Vec<_>>(),
            "total": self.total.to_json(),
            "by_agent": self.by_agent.iter().map(agent).collect::<Vec<_>>(),
        })
    }
}

/// What a run and everything below it cost; none means all runs.
///
/// # Errors
/// A record that cannot be read.
pub fn usage(journal: &dyn Journal, of: Option<&Head>) -> Result<Usage, Refusal> {
    let all = journal.heads()?;
    let counted: Vec<&Head> = match of {
        Some(top) => below(&all, &top.run),
        None => all.iter().collect(),
    };
    let mut own = Vec::new();
    let mut agents: BTreeMap<(String, Option<String>), Spent> = BTreeMap::new();
    for head in &counted {
        let (spent, agent) = spent(journal, head)?;
        own.push(Own { run: head.run.clone(), parent: head.parent.clone(), spent });
        if let Some(agent) = agent {
            let sum = agents.entry(agent).or_default();
            *sum = sum.plus(spent);
        }
    }
    let sums = sum_up(&own);
    let total = own.iter().fold(Spent::default(), |sum, own| sum.plus(own.spent));
    let rows = shown(&counted, of).into_iter().map(|head| {
        let spent = sums.get(head.run.as_str()).copied().unwrap_or_default();
        Row { head: head.clone(), spent }
    });
    let by_agent =
        agents.into_iter().map(|((agent, model), spent)| ByAgent { agent, model, spent });
    Ok(Usage { rows: rows.collect(), total, by_agent: by_agent.collect() })
}

/// The rows of the first table. A run whose parent is not recorded stands at the top.
fn shown<'a>(counted: &[&'a Head], of: Option<&Head>) -> Vec<&'a Head> {
    let known: BTreeSet<&str> = counted.iter().map(|head| head.run.as_str()).collect();
    let parent = |head: &Head| head.parent.clone().filter(|up| known.contains(up.as_str()));
    match of {
        Some(top) => {
            let direct = |head: &&&Head| parent(head).as_ref() == Some(&top.run);
            counted.iter().filter(direct).copied().collect()
        }
        None => counted.iter().rev().filter(|head| parent(head).is_none()).copied().collect(),
    }
}

type Agent = (String, Option<String>);

/// What one run spent itself, and by which agent. Each record is made true in turn, because a call
/// that was taken back no longer says what it had cost.
fn spent(journal: &dyn Journal, head: &Head) -> Result<(Spent, Option<Agent>), Refusal> {
    let mut folded = unborn(head)?;
    if folded.state.kind() != Kind::Call {
        return Ok((Spent::default(), None));
    }
    let mut last = Spent::default();
    for record in journal.read_run(&head.run, 0)? {
        step(&mut folded, &record)?;
        if let State::Call(state) = &folded.state {
            last = of_call(state).unwrap_or(last);
        }
    }
    let State::Call(state) = &folded.state else { return Ok((last, None)) };
    let ask = state.facts().and_then(|facts| facts.request.agent.as_deref());
    Ok((last, ask.map(|ask| (ask.agent.clone(), ask.model.clone()))))
}

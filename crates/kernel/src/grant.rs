//! The `grant` machine: what a person allowed for longer than once, from the yes to its end. What
//! a grant covers, and whether one is needed at all, is the policy's to say.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::machine::{self, At, By, Machine, Said};
use crate::owed::Owed;
use crate::policy::Tool;
use crate::policy::grant::{Bound, Grant, On, Pin, Refusal as Why, State as Stand, Subject};
use crate::table::Sample;

/// The machine.
#[derive(Debug)]
pub struct Grants;

/// Where a grant stands.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum State {
    /// Nobody gave it.
    #[default]
    New,
    /// Somebody did.
    Given(Box<Grant>),
}

/// What can be said to a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// It is given.
    Give(Box<Grant>),
    /// Something runs under it.
    Use,
    /// It is taken back.
    Revoke,
    /// What it was bound to has changed, or its flow is over.
    Void,
}

/// One recorded fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// It was given.
    Given {
        /// What was.
        grant: Box<Grant>,
    },
    /// Something ran under it.
    Used,
    /// It was taken back.
    Revoked {
        /// By whom.
        by: String,
    },
    /// What it was bound to is gone.
    Voided,
}

/// A command that is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such grant.
    NoSuch,
    /// Its id is in use.
    IdTaken,
    /// As the grant itself says.
    Not(Why),
}

impl machine::Refusal for Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Self::NoSuch => "no_such",
            Self::IdTaken => "id_taken",
            Self::Not(why) => why.reason(),
        }
    }

    fn allowed(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn details(&self) -> Value {
        match self {
            Self::NoSuch => json!({ "what": "grant" }),
            Self::IdTaken => json!({}),
            Self::Not(why) => why.details(),
        }
    }
}

impl State {
    /// The grant, if it was given.
    #[must_use]
    pub fn grant(&self) -> Option<&Grant> {
        match self {
            Self::New => None,
            Self::Given(grant) => Some(grant),
        }
    }

    /// The word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.grant().map_or("new", |grant| grant.state.word())
    }

    /// Whether nothing can happen to it any more.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.grant().is_some_and(|grant| grant.state != Stand::Live)
    }
}

impl Command {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Give(_) => "give",
            Self::Use => "use",
            Self::Revoke => "revoke",
            Self::Void => "void",
        }
    }
}

impl Event {
    /// The fact's name, as recorded.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Given { .. } => "Given",
            Self::Used => "Used",
            Self::Revoked { .. } => "Revoked",
            Self::Voided => "Voided",
        }
    }
}

/// Accepts a command by naming the fact it makes true, or refuses it.
///
/// # Errors
/// The refusal.
pub fn decide(state: &State, said: &Said<Command>) -> Result<Vec<Event>, Refusal> {
    match state {
        State::New => match &said.command {
            Command::Give(_) if !said.by.may_approve() => Err(Refusal::Not(Why::NeedsPerson)),
            Command::Give(grant) => Ok(Vec::from([Event::Given { grant: grant.clone() }])),
            Command::Use | Command::Revoke | Command::Void => Err(Refusal::NoSuch),
        },
        State::Given(grant) => {
            let (on, fact) = match &said.command {
                Command::Give(_) => return Err(Refusal::IdTaken),
                Command::Use => (On::Used, Event::Used),
                Command::Revoke => {
                    let by = said.by.word().to_string();
                    (On::Revoke(said.by.clone()), Event::Revoked { by })
                }
                Command::Void => (On::BoundGone, Event::Voided),
            };
            grant.after(&on).map(|_| Vec::from([fact])).map_err(Refusal::Not)
        }
    }
}

/// Makes a recorded fact true.
pub fn evolve(state: &mut State, event: &Event, _: At) {
    let on = match (&*state, event) {
        (State::New, Event::Given { grant }) => {
            *state = State::Given(grant.clone());
            return;
        }
        (State::Given(_), Event::Used) => On::Used,
        (State::Given(_), Event::Revoked { .. }) => On::Revoke(By::Person),
        (State::Given(_), Event::Voided) => On::BoundGone,
        (State::Given(_), Event::Given { .. })
        | (State::New, Event::Used | Event::Revoked { .. } | Event::Voided) => return,
    };
    if let State::Given(grant) = state
        && let Ok(after) = grant.after(&on)
    {
        **grant = after;
    }
}

impl Machine for Grants {
    const NAME: &'static str = "grant";
    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;

    fn decide(state: &State, said: &Said<Command>) -> Result<Vec<Event>, Refusal> {
        decide(state, said)
    }

    fn evolve(state: &mut State, event: &Event, at: At) {
        evolve(state, event, at);
    }

    /// A grant waits for nothing.
    fn owed(_: &State) -> Vec<Owed> {
        Vec::new()
    }
}

/// A state for each stand that a grant can have.
#[must_use]
pub fn sample_states() -> Vec<Sample<State>> {
    let given = |state| State::Given(Box::new(Grant { state, ..sample() }));
    Vec::from([
        ("new", State::New),
        ("live", given(Stand::Live)),
        ("revoked", given(Stand::Revoked)),
        ("void", given(Stand::Void)),
    ])
}

/// Every command.
#[must_use]
pub fn sample_commands() -> Vec<Sample<Said<Command>>> {
    let said = |by, command| Said { by, at: At(2), command };
    let agent = || By::Agent { call: "call-1".into() };
    Vec::from([
        ("give", said(By::Person, Command::Give(Box::new(sample())))),
        ("give by an agent", said(agent(), Command::Give(Box::new(sample())))),
        ("use", said(By::Engine, Command::Use)),
        ("revoke", said(By::Person, Command::Revoke)),
        ("revoke by an agent", said(agent(), Command::Revoke)),
        ("void", said(By::Engine, Command::Void)),
    ])
}

fn sample() -> Grant {
    let subject = Subject {
        argv: Vec::from(["make".to_string()]),
        cwd: Some(".".to_string()),
        ..Subject::bare(Tool::Run)
    };
    Grant {
        grant_id: "gr-1".to_string(),
        bound: Bound::Session {
            run: "loop-1".to_string(),
            permissions: "p".to_string(),
            pin: Pin::default(),
        },
        subject,
        by: "person".to_string(),
        at: At(1),
        expires_at: None,
        uses: 0,
        state: Stand::Live,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Refusal as _;

    fn cell(state: &State, said: &Said<Command>) -> String {
        match decide(state, said) {
            Ok(events) => {
                let mut after = state.clone();
                events.iter().for_each(|event| evolve(&mut after, event, said.at));
                after.name().to_string()
            }
            Err(refusal) => alloc::format!("!{}", refusal.reason()),
        }
    }

    #[test]
    fn table_is_exactly_this() {
        let table = [
            ("give", "live !id_taken !id_taken !id_taken"),
            ("give by an agent", "!needs_person !id_taken !id_taken !id_taken"),
            ("use", "!no_such live !not_now !not_now"),
            ("revoke", "!no_such revoked !not_now !not_now"),
            ("revoke by an agent", "!no_such !needs_person !not_now !not_now"),
            ("void", "!no_such void !not_now !not_now"),
        ];
        let states = sample_states();
        let drawn: Vec<(&str, String)> = sample_commands()
            .iter()
            .map(|(label, said)| {
                let cells: Vec<String> =
                    states.iter().map(|(_, state)| cell(state, said)).collect();
                (*label, cells.join(" "))
            })
            .collect();
        let expected: Vec<(&str, String)> =
            table.iter().map(|(label, row)| (*label, row.to_string())).collect();
        assert_eq!(drawn, expected);
    }

    #[test]
    fn uses_are_counted() {
        let mut state = State::Given(Box::new(sample()));
        for _ in 0..3 {
            evolve(&mut state, &Event::Used, At(2));
        }
        assert_eq!(state.grant().map(|grant| (grant.uses, grant.state)), Some((3, Stand::Live)));
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
    }
}

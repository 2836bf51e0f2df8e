//! What a loop waits for that only a person can give: its own question, or that of whatever works
//! for it, however far below. Read from state; it asks nobody.

use journal::Journal;
use kernel::loops::{self, Loop};
use kernel::machine::Machine as _;
use kernel::run::State;
use kernel::{call, turn};
use runtime::query::{self, OpenQuestion, Refusal};

/// A question to a person, with what one has to know of whoever asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The question.
    pub question: OpenQuestion,
    /// Who asks it.
    pub asker: Asker,
}

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asker {
    /// The loop, or one of whom the question says enough.
    Plain,
    /// A call.
    Call {
        /// The rule that makes it ask.
        rule: String,
    },
    /// A turn as it stands.
    Turn(Box<turn::Life>),
}

impl Wait {
    /// What a loop waits for, given the child of its action as it stands.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn of(
        journal: &dyn Journal,
        state: &loops::State,
        child: Option<(&str, &State)>,
    ) -> Result<Option<Self>, Refusal> {
        let run = state.life().map(|life| life.body.id.as_str()).unwrap_or_default();
        let own = query::of_owed(run, Loop::NAME, &loops::owed(state)).into_iter().next();
        if let Some(question) = own {
            return Ok(Some(Self { question, asker: Asker::Plain }));
        }
        let Some((id, state)) = child else { return Ok(None) };
        if let Some(question) = query::of_run(id, state).into_iter().next() {
            return Ok(Some(Self { question, asker: asker(state) }));
        }
        // A turn knows whether those below it wait, so they are only looked at then.
        let waits = match state {
            State::Turn(turn) => turn.life().is_some_and(turn::Life::waits),
            State::Call(_)
            | State::Loop(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Session(_)
            | State::Lifecycle(_) => false,
        };
        if !waits {
            return Ok(None);
        }
        let Some(question) = query::questions(journal, Some(id))?.into_iter().next() else {
            return Ok(None);
        };
        let asker = match journal.head(&question.run)? {
            Some(head) => asker(&query::fold(journal, &head, None)?.state),
            None => Asker::Plain,
        };
        Ok(Some(Self { question, asker }))
    }

    /// The rule that makes a call ask.
    #[must_use]
    pub fn rule(&self) -> String {
        match &self.asker {
            Asker::Call { rule } => rule.clone(),
            Asker::Plain | Asker::Turn(_) => String::new(),
        }
    }

    /// Whether it is about a call that nobody knows the outcome of.
    #[must_use]
    pub fn unknown(&self) -> bool {
        self.question.question.kind == "call.settle"
    }

    /// What it is about, as recorded.
    #[must_use]
    pub fn text(&self) -> String {
        let asked = &self.question.question;
        match asked.kind.as_str() {
            "call.ask" => format!("{} ({})", asked.about, self.rule()),
            "call.settle" => asked.about.clone(),
            kind if kind.starts_with("loop.") => asked.options.join(" "),
            _ => asked.about.clone(),
        }
    }
}

fn asker(state: &State) -> Asker {
    match state {
        State::Call(call) => Asker::Call { rule: call.facts().map(rule).unwrap_or_default() },
        State::Turn(turn) => match turn.life() {
            Some(life) => Asker::Turn(Box::new(life.clone())),
            None => Asker::Plain,
        },
        State::Loop(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Session(_)
        | State::Lifecycle(_) => Asker::Plain,
    }
}

fn rule(facts: &call::Facts) -> String {
    use kernel::policy::Verdict;
    match &facts.verdict {
        Verdict::Allow { rule } | Verdict::Ask { rule } | Verdict::Deny { rule } => rule.clone(),
    }
}

//! A validated name of something that went wrong: class, number or refusal. What a name means in
//! words is not here.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::class::Class;
use super::exit::Exit;
use super::nearest::nearest;
use super::number::Number;
use super::reason::{Machine, REASONS, Reason, Scope};

/// The most specific name of what went wrong; its class decides exit code and status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Nothing more specific than the class is known.
    Class(Class),
    /// A numbered code.
    Number(Number),
    /// A refusal of one machine.
    Refusal(Machine, &'static Reason),
}

/// A name that is no code, with the names that look like it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// What was asked for.
    pub asked: String,
    /// Known names near to it, best first.
    pub nearest: Vec<String>,
}

impl Code {
    /// Reads a name; letter case is forgiven, anything else is not.
    ///
    /// # Errors
    /// When no code has that name.
    pub fn parse(text: &str) -> Result<Self, Unknown> {
        let text = text.trim();
        let upper = text.to_ascii_uppercase();
        if let Some(class) = Class::named(&upper) {
            return Ok(Self::Class(class));
        }
        if let Some(number) = Number::named(&upper) {
            return Ok(Self::Number(number));
        }
        let lower = text.to_ascii_lowercase();
        let refusal = lower.split_once('.').and_then(|(machine, word)| {
            let machine = Machine::named(machine)?;
            Reason::find(machine, word).map(|reason| Self::Refusal(machine, reason))
        });
        refusal.ok_or_else(|| unknown(text))
    }

    /// The refusal of that word; a word that is not in the table is our own mistake.
    pub fn refused(machine: Machine, word: &str) -> Self {
        Reason::find(machine, word)
            .map_or(Self::Class(Class::Internal), |reason| Self::Refusal(machine, reason))
    }

    /// Its class.
    pub const fn class(self) -> Class {
        match self {
            Self::Class(class) => class,
            Self::Number(number) => number.class(),
            Self::Refusal(_, reason) => reason.class,
        }
    }

    /// The exit code when a door answers with it.
    pub const fn exit(self) -> Exit {
        match self {
            Self::Class(class) => class.exit(),
            Self::Number(number) => number.class().exit(),
            Self::Refusal(_, reason) => reason.exit,
        }
    }

    /// The HTTP status.
    pub const fn http(self) -> u16 {
        match self {
            Self::Class(class) => class.http(),
            Self::Number(number) => number.class().http(),
            Self::Refusal(_, reason) => reason.http,
        }
    }

    /// The HTTP status once the detail kind is known (`""` if there is none).
    pub fn http_of(self, kind: &str) -> u16 {
        let plain = self.class().http();
        let refined = self.class().http_of(kind);
        if refined == plain { self.http() } else { refined }
    }

    /// Would the same request later be sensible, given the detail kind (`""` if there is none)?
    pub fn retryable(self, kind: &str) -> bool {
        match self {
            Self::Class(class) => class.retryable(kind),
            // What agents meet by the way: a process that did not start, a provider that is busy.
            Self::Number(Number::E003 | Number::E010) => true,
            Self::Number(Number::E009) => matches!(kind, "server" | "quota"),
            Self::Number(number) => number.class().retryable(kind),
            Self::Refusal(_, reason) => reason.passes,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(class) => f.write_str(class.name()),
            Self::Number(number) => f.write_str(number.name()),
            Self::Refusal(machine, reason) => write!(f, "{}.{}", machine.name(), reason.word),
        }
    }
}

/// Every code there is: classes, numbers, each machine's own words, and each shared word in each
/// machine.
pub fn names() -> Vec<String> {
    let classes = Class::ALL.into_iter().map(|class| class.name().to_string());
    let numbers = Number::ALL.into_iter().map(|number| number.name().to_string());
    let refusals = Machine::ALL.into_iter().flat_map(|machine| {
        REASONS.iter().filter_map(move |reason| match reason.scope {
            Scope::Own(owner) if owner != machine => None,
            Scope::Own(_) | Scope::Shared => Some(format!("{}.{}", machine.name(), reason.word)),
        })
    });
    classes.chain(numbers).chain(refusals).collect()
}

fn unknown(asked: &str) -> Unknown {
    // A number without its leading zeros is the usual slip, and too short for edit distance.
    let digits = asked.strip_prefix(['E', 'e']).and_then(|rest| rest.parse::<u16>().ok());
    let padded = digits.map(|n| format!("E{n:03}")).and_then(|name| Number::named(&name));
    let nearest = match padded {
        Some(number) => alloc::vec![number.name().to_string()],
        None => {
            let names = names();
            nearest(asked, names.iter().map(String::as_str))
                .into_iter()
                .map(ToString::to_string)
                .collect()
        }
    };
    Unknown { asked: asked.to_string(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let table = [
            ("E_CONFLICT", "E_CONFLICT", 7, 409),
            ("e004", "E004", 8, 504),
            (" turn.not_now ", "turn.not_now", 3, 409),
            ("Loop.Conflict", "loop.conflict", 7, 412),
            ("call.needs_person", "call.needs_person", 6, 403),
            ("workspace.untrusted", "workspace.untrusted", 4, 409),
            ("journal.locked", "journal.locked", 10, 503),
        ];
        for (text, name, exit, http) in table {
            let code = Code::parse(text).unwrap();
            assert_eq!(
                (code.to_string().as_str(), code.exit().code(), code.http()),
                (name, exit, http)
            );
        }
    }

    #[test]
    fn what_passes_by_itself_is_worth_another_try() {
        let table = [
            ("E001", "missing", false),
            ("E002", "resume_unknown", false),
            ("E003", "spawn", true),
            ("E004", "idle", true),
            ("E007", "stopped", false),
            ("E009", "server", true),
            ("E009", "quota", true),
            ("E009", "auth", false),
            ("E009", "error_event", false),
            ("E010", "connection", true),
        ];
        for (name, kind, expected) in table {
            assert_eq!(Code::parse(name).unwrap().retryable(kind), expected, "{name} {kind}");
        }
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let table: [(&str, &[&str]); 4] = [
            ("E4", &["E004"]),
            ("E_CONFLCT", &["E_CONFLICT"]),
            ("call.setle_first", &["call.settle_first"]),
            ("???", &[]),
        ];
        for (text, near) in table {
            let unknown = Code::parse(text).unwrap_err();
            assert_eq!(
                unknown.nearest.first().map(String::as_str),
                near.first().copied(),
                "{text}"
            );
        }
    }

    #[test]
    fn invariant_names_round_trip() {
        let names = names();
        assert!(names.len() > 300, "shared words stand in each machine: {}", names.len());
        for name in names {
            assert_eq!(Code::parse(&name).unwrap().to_string(), name);
        }
    }

    #[test]
    fn an_undocumented_word_is_our_mistake() {
        assert_eq!(Code::refused(Machine::Call, "whatever"), Code::Class(Class::Internal));
        assert_eq!(Code::refused(Machine::Call, "ended").to_string(), "call.ended");
    }
}

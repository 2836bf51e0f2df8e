//! Text with variables, as scenarios hold it. Parsed once when the file is loaded; what a variable
//! brings in is never scanned again.

use std::fmt::Write as _;

/// What may be named in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Var {
    /// The working directory.
    Cwd,
    /// The whole prompt.
    Prompt,
    /// The conversation's id; empty when none is given.
    Session,
    /// Which launch of its owner this is.
    Launch,
    /// The call's id.
    Call,
    /// The arguments of the program that is stood in for, joined by blanks.
    Args,
}

impl Var {
    /// Every variable.
    pub const ALL: [Self; 6] =
        [Self::Cwd, Self::Prompt, Self::Session, Self::Launch, Self::Call, Self::Args];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cwd => "CWD",
            Self::Prompt => "PROMPT",
            Self::Session => "SESSION",
            Self::Launch => "LAUNCH",
            Self::Call => "CALL",
            Self::Args => "ARGS",
        }
    }
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Words(String),
    Var(Var),
}

/// A text with variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text(Vec<Piece>);

/// A variable nobody knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownVar {
    /// Its name.
    pub name: String,
}

impl Text {
    /// Reads a text. `$${` stands for a literal `${`.
    ///
    /// # Errors
    /// When it names a variable that does not exist, or does not close one.
    pub fn parse(text: &str) -> Result<Self, UnknownVar> {
        let mut pieces = Vec::new();
        let mut words = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            if rest[..at].ends_with('$') {
                let _ = write!(words, "{}{{", &rest[..at]);
                rest = &rest[at + 2..];
                continue;
            }
            words.push_str(&rest[..at]);
            let inner = &rest[at + 2..];
            let name = inner.split('}').next().unwrap_or(inner);
            let var = Var::ALL.into_iter().find(|var| var.name() == name);
            let (Some(var), true) = (var, inner.len() > name.len()) else {
                return Err(UnknownVar { name: name.chars().take(40).collect() });
            };
            if !words.is_empty() {
                pieces.push(Piece::Words(std::mem::take(&mut words)));
            }
            pieces.push(Piece::Var(var));
            rest = &inner[name.len() + 1..];
        }
        words.push_str(rest);
        if !words.is_empty() {
            pieces.push(Piece::Words(words));
        }
        Ok(Self(pieces))
    }

    /// The text with every variable replaced.
    pub fn fill(&self, value: impl Fn(Var) -> String) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => words.clone(),
            Piece::Var(var) => value(*var),
        };
        self.0.iter().map(piece).collect()
    }

    /// Its beginning, as far as it is known before anything runs, and whether that is all of it.
    #[must_use]
    pub fn known(&self) -> (&str, bool) {
        match self.0.as_slice() {
            [] => ("", true),
            [Piece::Words(words)] => (words, true),
            [Piece::Words(words), ..] => (words, false),
            [Piece::Var(_), ..] => ("", false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_once_and_unknown_ones_refused() {
        let table: [(&str, Result<&str, &str>); 9] = [
            ("plain", Ok("plain")),
            ("", Ok("")),
            ("in ${CWD}!", Ok("in <Cwd>!")),
            ("${LAUNCH}${CALL}", Ok("<Launch><Call>")),
            ("$${CWD} costs $5", Ok("${CWD} costs $5")),
            ("$$${CWD}", Ok("$${CWD}")),
            ("你好 ${PROMPT}", Ok("你好 <Prompt>")),
            ("${HOME}", Err("HOME")),
            ("open ${CWD", Err("CWD")),
        ];
        for (text, expected) in table {
            let got = Text::parse(text).map(|text| text.fill(|var| format!("<{var:?}>")));
            let got = got.as_deref().map_err(|unknown| unknown.name.as_str());
            assert_eq!(got, expected, "{text}");
        }
        let inside = Text::parse("${PROMPT}").unwrap().fill(|_| "${CWD}".to_owned());
        assert_eq!(inside, "${CWD}", "a value is not scanned again");
    }
}

//! The one way out: text or one JSON value to stdout, errors to stderr, an exit code. A reader that
//! has gone away is no error.

use std::io::{self, Write as _};
use std::process::ExitCode;

use edge::problem::{self, Problem, Shown};
use kernel::errors::Exit;
use runtime::redact::{Redactor, Secrets};
use runtime::trace::Asked;
use runtime::words::Lang;
use serde_json::{Value, json};

use crate::ctx::{self, Early, Form};
use crate::trouble::Trouble;

/// What a command answers when it could do what was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The answer as data.
    pub data: Value,
    /// The answer as text.
    pub text: String,
    /// The exit code; zero unless a run's end says otherwise.
    pub exit: Exit,
    /// A waited-for run's own word for its end.
    pub result: Option<String>,
    /// Whether everything was printed on the way already.
    pub printed: Printed,
}

/// Whether a command that streams has printed its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    /// Not yet.
    No,
    /// Line by line, while it ran.
    Already,
}

impl Reply {
    /// An answer with both forms.
    pub fn new(data: Value, text: impl Into<String>) -> Self {
        Self { data, text: text.into(), exit: Exit::OK, result: None, printed: Printed::No }
    }

    /// A page of text; as JSON it is a string.
    pub fn page(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(Value::String(text.trim_end().to_owned()), text)
    }

    /// The end of a command that printed its lines itself.
    pub fn printed(exit: Exit) -> Self {
        Self { exit, printed: Printed::Already, ..Self::new(Value::Null, "") }
    }

    /// The same with an exit code and the run's word for its end.
    #[must_use]
    pub fn ended(mut self, exit: Exit, result: &str) -> Self {
        self.exit = exit;
        self.result = Some(result.to_owned());
        self
    }
}

/// Prints the answer and says how the process ends.
pub fn finish(early: &Early, answer: Result<Reply, Trouble>) -> ExitCode {
    let exit = match answer {
        Ok(reply) => print_reply(early.form, &reply),
        Err(trouble) => print_trouble(early, &trouble),
    };
    ExitCode::from(exit.code())
}

/// Only the version: nothing is read for it.
pub fn version() -> ExitCode {
    let _ = line(concat!("loopwright ", env!("CARGO_PKG_VERSION")));
    ExitCode::SUCCESS
}

/// One line on stdout, at once, for commands that stream.
///
/// # Errors
/// When it cannot be written; `BrokenPipe` means that nobody reads any more.
pub fn line(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        stdout.write_all(b"\n")?;
    }
    stdout.flush()
}

/// Text on stdout as it is, at once, for commands that stream.
///
/// # Errors
/// When it cannot be written; `BrokenPipe` means that nobody reads any more.
pub fn raw(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// A notice on stderr; it never changes the exit code.
pub fn notice(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn print_reply(form: Form, reply: &Reply) -> Exit {
    let written = match (reply.printed, form) {
        (Printed::Already, _) => Ok(()),
        (Printed::No, Form::Json) => {
            let mut value = json!({ "ok": true, "data": reply.data });
            if let Some(result) = &reply.result {
                value["result"] = json!(result);
            }
            line(&value.to_string())
        }
        (Printed::No, Form::Text) if reply.text.is_empty() => Ok(()),
        (Printed::No, Form::Text) => line(&reply.text),
    };
    match written {
        Ok(()) => reply.exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::OK,
        Err(_) => Exit::FAILED,
    }
}

/// Trouble in words, for a command that goes on.
pub fn told(lang: Lang, asked: &Asked, trouble: &Trouble) -> String {
    problem::terminal(&put(lang, asked, trouble), lang)
}

fn print_trouble(early: &Early, trouble: &Trouble) -> Exit {
    let lang = early.lang_or_default();
    let problem = put(lang, &early.asked, trouble);
    // An error that nobody reads is still an error, so a failed write changes nothing.
    let _ = match early.form {
        Form::Json => line(&problem::failed(&problem, None).to_string()),
        Form::Text => writeln!(io::stderr().lock(), "{}", problem::terminal(&problem, lang)),
    };
    trouble.exit()
}

fn put(lang: Lang, asked: &Asked, trouble: &Trouble) -> Problem {
    let redactor = Redactor::new(&Secrets { env: ctx::env(), ..Secrets::default() })
        .expect("no patterns, so none can be wrong");
    let home = std::env::var("HOME").unwrap_or_default();
    trouble.show(Shown { lang, asked, home: &home, redactor: &redactor })
}

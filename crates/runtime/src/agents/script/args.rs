//! The arguments of a driver, and those of a program it stands in for. It knows how each CLI is
//! told to go on with a conversation; it starts nothing.

use std::ffi::OsString;
use std::path::PathBuf;

/// Where the prompt comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// The call directory.
    CallDir(PathBuf),
    /// Standard input, as a CLI reads it.
    Stdin,
}

/// What a driver was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) source: Source,
    pub(super) scenario: PathBuf,
    pub(super) resume: Option<String>,
    pub(super) model: Option<String>,
    /// The arguments of the program that is stood in for.
    pub(super) args: Vec<String>,
}

/// Reads `CALL_DIR --scenario FILE [--resume ID] [--model M]`, or
/// `--scenario FILE --stdin [--resume ID] [--model M] [-- ARGS…]`; none if it is neither.
pub(super) fn read(words: &[OsString]) -> Option<Told> {
    let split = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let args: Vec<String> =
        words[split..].iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let (mut dir, mut scenario, mut resume, mut model) = (None, None, None, None);
    let mut stdin = false;
    let mut words = words[..split].iter();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--scenario") => scenario = Some(PathBuf::from(words.next()?)),
            Some("--resume") => resume = Some(words.next()?.to_str()?.to_owned()),
            Some("--model") => model = Some(words.next()?.to_str()?.to_owned()),
            Some("--stdin") => stdin = true,
            Some(flag) if flag.starts_with('-') => return None,
            Some(_) | None => {
                if dir.replace(PathBuf::from(word)).is_some() {
                    return None;
                }
            }
        }
    }
    let source = match (dir, stdin) {
        (Some(dir), false) => Source::CallDir(dir),
        (None, true) => Source::Stdin,
        (Some(_), true) | (None, false) => return None,
    };
    let resume = resume.or_else(|| resumed(&args));
    let model = model.or_else(|| after(&args, &["--model", "-m"]));
    Some(Told { source, scenario: scenario?, resume, model, args })
}

/// Which conversation a CLI's own arguments name: `--resume ID`, or the word before the lone `-`
/// in `resume … ID -`.
fn resumed(args: &[String]) -> Option<String> {
    after(args, &["--resume", "-r"]).or_else(|| {
        let word = args.iter().position(|arg| arg == "resume")?;
        let dash = args.iter().rposition(|arg| arg == "-")?;
        args.get(word + 1..dash)?.last().cloned()
    })
}

/// The value of a flag, as the next word or behind `=`.
fn after(args: &[String], flags: &[&str]) -> Option<String> {
    args.iter().enumerate().find_map(|(at, arg)| {
        if flags.contains(&arg.as_str()) {
            return args.get(at + 1).cloned();
        }
        let (name, value) = arg.split_once('=')?;
        flags.contains(&name).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Option<Told> {
        read(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn both_forms_are_read_and_nothing_else() {
        let dir = told("calls/c1 --scenario s.toml --resume id-1 --model m").unwrap();
        assert_eq!(dir.source, Source::CallDir("calls/c1".into()));
        assert_eq!((dir.resume.as_deref(), dir.model.as_deref()), (Some("id-1"), Some("m")));
        let bad = [
            "",
            "calls/c1",
            "--scenario s.toml",
            "calls/c1 more --scenario s.toml",
            "calls/c1 --stdin --scenario s.toml",
            "calls/c1 --scenario",
            "calls/c1 --scenario s.toml --strange",
        ];
        for line in bad {
            assert_eq!(told(line), None, "{line}");
        }
    }

    #[test]
    fn each_cli_names_a_conversation_its_own_way() {
        let table = [
            ("exec --json -", None),
            ("exec resume --json -c sandbox_mode=x -m gpt ID -", Some("ID")),
            ("--output-format stream-json --skip-trust --resume ID", Some("ID")),
            ("-p --verbose --resume=ID", Some("ID")),
            ("--lite --backend codex - dir", None),
            ("--backend codex resume ID - dir", Some("ID")),
            ("exec resume", None),
            ("exec resume -", None),
        ];
        for (args, expected) in table {
            let told = told(&format!("--scenario s --stdin -- {args}")).unwrap();
            assert_eq!(told.resume.as_deref(), expected, "{args}");
            assert_eq!(told.args.join(" "), args);
        }
    }
}

//! Trace ids and the files behind them: internal detail for whoever looks into a failure, kept
//! away from every door. Losing a trace costs only the detail, so nothing here stops work.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::redact::Redactor;

/// A trace that grew beyond this would be a log.
pub const TRACE_BYTES_MAX: u64 = 1024 * 1024;

const PREFIX: &str = "trace_";
const DIGITS: usize = 32;
const DAY_S: u64 = 24 * 60 * 60;

/// What a door gives to each request it takes: an id that every error, event and note carries,
/// and the time it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// `trace_` and 32 hex digits.
    pub trace_id: String,
    /// RFC 3339, UTC.
    pub at: String,
}

impl Asked {
    /// A new id, and now.
    pub fn now() -> Self {
        let trace_id = format!("{PREFIX}{}", uuid::Uuid::new_v4().simple());
        Self { trace_id, at: stamp() }
    }
}

/// Now, to the second, as RFC 3339 in UTC.
pub fn stamp() -> String {
    let seconds = jiff::Timestamp::now().as_second();
    jiff::Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

/// Whether a text is a trace id and nothing more; only then may it name a file.
pub fn is_id(text: &str) -> bool {
    let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    text.strip_prefix(PREFIX).is_some_and(|rest| rest.len() == DIGITS && rest.bytes().all(digit))
}

/// The value of `TRACEPARENT` for a child: the same digits, and a part of its own.
pub fn traceparent(trace_id: &str) -> Option<String> {
    let digits = is_id(trace_id).then(|| trace_id.trim_start_matches(PREFIX))?;
    let own = uuid::Uuid::new_v4().simple().to_string();
    Some(format!("00-{digits}-{}-01", &own[..16]))
}

/// Adds a line of detail to a trace below `.loop`, redacted. A full trace takes no more.
///
/// # Errors
/// When the file cannot be written; the caller goes on without it.
pub fn note(
    state_dir: &Path,
    trace_id: &str,
    detail: &Value,
    redactor: &Redactor,
) -> io::Result<()> {
    let path = file(state_dir, trace_id)?;
    if let Some(dir) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    }
    let mut out = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    // Redacted before it is made one line: a quote of JSON must not hide the end of a secret.
    let mut line = redacted(detail, redactor).to_string().into_bytes();
    line.push(b'\n');
    let length = u64::try_from(line.len()).unwrap_or(u64::MAX);
    if out.metadata()?.len().saturating_add(length) <= TRACE_BYTES_MAX {
        out.write_all(&line)?;
    }
    Ok(())
}

/// The same value with every text in it redacted.
pub fn redacted(value: &Value, redactor: &Redactor) -> Value {
    match value {
        Value::String(text) => Value::String(redactor.redact_text(text)),
        Value::Array(all) => all.iter().map(|one| redacted(one, redactor)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, one)| (name.clone(), redacted(one, redactor))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// The lines of a trace; damaged ones are passed over.
///
/// # Errors
/// When there is no such trace or it cannot be read.
pub fn read(state_dir: &Path, trace_id: &str) -> io::Result<Vec<Value>> {
    let mut bytes = Vec::new();
    File::open(file(state_dir, trace_id)?)?.take(TRACE_BYTES_MAX).read_to_end(&mut bytes)?;
    let lines = bytes.split(|b| *b == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

/// Removes traces that were last written more than `keep_days` before `now`; gives their number.
///
/// # Errors
/// When the directory cannot be read; a file that cannot be removed is left.
pub fn sweep(state_dir: &Path, now: SystemTime, keep_days: u64) -> io::Result<usize> {
    let keep = Duration::from_secs(keep_days.saturating_mul(DAY_S));
    let old = |path: &Path| {
        let written = fs::metadata(path).and_then(|meta| meta.modified()).ok();
        written.and_then(|at| now.duration_since(at).ok()).is_some_and(|age| age > keep)
    };
    let ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.and_then(|name| name.strip_suffix(".jsonl")).is_some_and(is_id)
    };
    let entries = match fs::read_dir(dir(state_dir)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let paths = entries.flatten().map(|entry| entry.path()).filter(ours);
    Ok(paths.filter(|path| old(path) && fs::remove_file(path).is_ok()).count())
}

fn dir(state_dir: &Path) -> PathBuf {
    state_dir.join("traces")
}

fn file(state_dir: &Path, trace_id: &str) -> io::Result<PathBuf> {
    if is_id(trace_id) {
        Ok(dir(state_dir).join(format!("{trace_id}.jsonl")))
    } else {
        Err(io::Error::from(io::ErrorKind::InvalidInput))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Secrets;
    use serde_json::json;
    use std::os::unix::fs::PermissionsExt;

    fn redactor() -> Redactor {
        let env = vec![("API_KEY".to_owned(), "canary\"value".to_owned())];
        Redactor::new(&Secrets { env, ..Secrets::default() }).unwrap()
    }

    #[test]
    fn ids() {
        let asked = Asked::now();
        assert!(is_id(&asked.trace_id), "{asked:?}");
        assert!(asked.at.ends_with('Z') && asked.at.len() == 20, "{asked:?}");
        assert_ne!(asked.trace_id, Asked::now().trace_id);
        let parent = traceparent(&asked.trace_id).unwrap();
        assert_eq!((parent.len(), &parent[3..35]), (55, &asked.trace_id[6..]));
        for bad in ["", "trace_", "trace_../../x", "trace_ABCDEF0123456789ABCDEF0123456789"] {
            assert!(!is_id(bad), "{bad}");
        }
    }

    #[test]
    fn invariant_no_secret_in_a_trace() {
        let home = tempfile::tempdir().unwrap();
        let id = Asked::now().trace_id;
        note(home.path(), &id, &json!({"argv": ["x", "canary\"value"]}), &redactor()).unwrap();
        fs::OpenOptions::new()
            .append(true)
            .open(file(home.path(), &id).unwrap())
            .and_then(|mut out| out.write_all(b"half a li\n"))
            .unwrap();
        note(home.path(), &id, &json!({"errno": 2}), &redactor()).unwrap();
        let lines = read(home.path(), &id).unwrap();
        assert_eq!(lines, [json!({"argv": ["x", "«redacted:env:API_KEY»"]}), json!({"errno": 2})]);
        let mode = fs::metadata(file(home.path(), &id).unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_trace_is_bounded() {
        let home = tempfile::tempdir().unwrap();
        let id = Asked::now().trace_id;
        let long = json!({"text": "x".repeat(300_000)});
        for _ in 0..5 {
            note(home.path(), &id, &long, &redactor()).unwrap();
        }
        assert_eq!(read(home.path(), &id).unwrap().len(), 3);
    }

    #[test]
    fn old_traces_go() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(sweep(home.path(), SystemTime::now(), 30).unwrap(), 0);
        note(home.path(), &Asked::now().trace_id, &json!({}), &redactor()).unwrap();
        let later = SystemTime::now() + Duration::from_secs(31 * DAY_S);
        assert_eq!(sweep(home.path(), SystemTime::now(), 30).unwrap(), 0);
        assert_eq!(sweep(home.path(), later, 30).unwrap(), 1);
    }
}

//! From one TOML value to one step: a word for steps without a value (`"end"`), else a table with
//! exactly one key (`{ say = "…" }`).

use std::ops::Range;
use std::path::{Component, Path};

use kernel::agent::{FileKind, Usage};

use super::fault::Problem;
use super::fields::{Fields, Value, Wrong, unknown};
use super::step::{
    Deed, Failure, Flood, Mischief, Raw, Retry, Session, Speech, Stage, Step, Stream, Tool,
};
use super::text::Text;

/// Every step, for suggestions.
const STEPS: [&str; 25] = [
    "session",
    "say",
    "delta",
    "stderr",
    "raw",
    "retry",
    "note",
    "usage",
    "tool",
    "file",
    "error",
    "end",
    "write",
    "delete",
    "run",
    "effect",
    "read_stdin",
    "sleep_ms",
    "hang",
    "flood",
    "orphan_ms",
    "hold_stdout_ms",
    "ignore_term",
    "exit",
    "signal",
];
/// A step's form, as an example.
const STEP_FORM: &str = "\"end\" or { say = \"text\" }: one step each";
/// A day: a test that waits longer waits for nobody.
const WAIT_MS: Range<u64> = 0..86_400_001;
/// A tebibyte: more than any spool, cap or pipe is tried with.
const BYTES: Range<u64> = 0..(1 << 40) + 1;
/// Statuses of HTTP that mean an error.
const STATUS: Range<u64> = 400..600;
/// Counts and prices; below what JSON readers keep exact.
const COUNT: Range<u64> = 0..1 << 53;
/// Numbers the system has signals for.
const SIGNALS: Range<u64> = 1..65;
/// Files as an agent names changes to them.
const FILE_KINDS: [FileKind; 3] = [FileKind::Add, FileKind::Update, FileKind::Delete];

/// Reads one step.
pub(super) fn step(value: &Value<'_>) -> Result<Step, Wrong> {
    if let Some(word) = value.value.as_str() {
        let named = Value { key: word, ..*value };
        return bare(word).ok_or_else(|| without_value(&named));
    }
    let fields = value.table(STEP_FORM)?;
    let entries: Vec<Value<'_>> = fields.entries().collect();
    let [entry] = entries.as_slice() else { return Err(value.shape(STEP_FORM)) };
    if let Some(step) = bare(entry.key) {
        let yes = entry.value.as_bool() == Some(true);
        return if yes { Ok(step) } else { Err(entry.shape("true")) };
    }
    let spoken = spoken(entry).map(|found| found.map(Step::Speak));
    let found = spoken.or_else(|| acted(entry).map(|found| found.map(Step::Act)));
    let found = found.or_else(|| misbehaved(entry).map(|found| found.map(Step::Misbehave)));
    found.unwrap_or_else(|| Err(unknown(entry, &STEPS)))
}

/// A bare word that is no step, or is one that wants a value.
fn without_value(named: &Value<'_>) -> Wrong {
    if STEPS.contains(&named.key) { named.shape("a value") } else { unknown(named, &STEPS) }
}

/// Steps that are only a word.
fn bare(word: &str) -> Option<Step> {
    match word {
        "end" => Some(Step::Speak(Speech::End)),
        "read_stdin" => Some(Step::Act(Deed::ReadStdin)),
        "hang" => Some(Step::Misbehave(Mischief::Hang)),
        "ignore_term" => Some(Step::Misbehave(Mischief::IgnoreTerm)),
        _ => None,
    }
}

fn spoken(entry: &Value<'_>) -> Option<Result<Speech, Wrong>> {
    Some(match entry.key {
        "session" => session(entry).map(Speech::Session),
        "say" => entry.text().map(Speech::Say),
        "delta" => entry.text().map(Speech::Delta),
        "stderr" => entry.text().map(Speech::Stderr),
        "raw" => raw(entry).map(Speech::Raw),
        "retry" => entry.table("{ attempt = 1, max = 5 }").and_then(retry),
        "note" => entry.text().map(Speech::Note),
        "usage" => entry.table("{ input_tokens = 100 }").and_then(usage),
        "tool" => entry.table("{ name = \"grep\", status = \"ok\" }").and_then(tool),
        "file" => entry.table("{ path = \"a.txt\", kind = \"add\" }").and_then(file),
        "error" => entry.table("{ kind = \"quota\", message = \"text\" }").and_then(error),
        _ => return None,
    })
}

fn acted(entry: &Value<'_>) -> Option<Result<Deed, Wrong>> {
    Some(match entry.key {
        "write" => entry.table("{ path = \"a.txt\", text = \"text\" }").and_then(write),
        "delete" => path(entry).map(Deed::Delete),
        "run" => run(entry),
        "effect" => entry.text().map(Deed::Effect),
        _ => return None,
    })
}

fn misbehaved(entry: &Value<'_>) -> Option<Result<Mischief, Wrong>> {
    Some(match entry.key {
        "sleep_ms" => entry.whole(WAIT_MS).map(Mischief::SleepMs),
        "flood" => entry.table("{ stream = \"stdout\", bytes = 1000 }").and_then(flood),
        "orphan_ms" => entry.whole(WAIT_MS).map(Mischief::OrphanMs),
        "hold_stdout_ms" => entry.whole(WAIT_MS).map(Mischief::HoldStdoutMs),
        "exit" => small(entry, 0..256).map(Mischief::Exit),
        "signal" => small(entry, SIGNALS).map(|number: u8| Mischief::Signal(i32::from(number))),
        _ => return None,
    })
}

/// A number that fits a smaller type, because its range does.
fn small<T: TryFrom<u64>>(entry: &Value<'_>, range: Range<u64>) -> Result<T, Wrong> {
    let (min, max) = (range.start, range.end - 1);
    T::try_from(entry.whole(range)?).map_err(|_| entry.wrong(Problem::Range { min, max }))
}

fn session(entry: &Value<'_>) -> Result<Session, Wrong> {
    Ok(match entry.str()? {
        "auto" => Session::Auto,
        "none" => Session::None,
        id => Session::Id(id.to_owned()),
    })
}

fn raw(entry: &Value<'_>) -> Result<Raw, Wrong> {
    if entry.value.is_array() {
        let bytes = entry.array("[255, 10]")?;
        return bytes
            .iter()
            .map(|byte| small(byte, 0..256))
            .collect::<Result<_, _>>()
            .map(Raw::Bytes);
    }
    entry.text().map(Raw::Text)
}

fn status(fields: &Fields<'_>) -> Result<Option<u16>, Wrong> {
    fields.maybe("status").map(|value| small(&value, STATUS)).transpose()
}

fn retry(fields: Fields<'_>) -> Result<Speech, Wrong> {
    let retry = Retry {
        attempt: fields.whole_or("attempt", COUNT, 1)?,
        max: fields.whole_or("max", COUNT, 5)?,
        delay_ms: fields.whole_or("delay_ms", WAIT_MS, 0)?,
        status: status(&fields)?,
        why: fields.maybe("why").map_or(Ok(words("retry")), |value| value.text())?,
    };
    fields.finish()?;
    Ok(Speech::Retry(retry))
}

/// A text of ours, which names no variable.
fn words(text: &str) -> Text {
    Text::parse(text).expect("a literal without variables")
}

fn usage(fields: Fields<'_>) -> Result<Speech, Wrong> {
    let count = |key| fields.maybe(key).map(|value| value.whole(COUNT)).transpose();
    let usage = Usage {
        input_tokens: count("input_tokens")?,
        output_tokens: count("output_tokens")?,
        cached_tokens: count("cached_tokens")?,
        reasoning_tokens: count("reasoning_tokens")?,
        cost_micros: fields.maybe("cost_usd").map(|value| cost_micros(&value)).transpose()?,
    };
    fields.finish()?;
    Ok(Speech::Usage(usage))
}

/// Dollars with up to six places, as millionths.
fn cost_micros(value: &Value<'_>) -> Result<u64, Wrong> {
    let written = value.value.as_float().map(|number| number.as_str());
    let written = written.or_else(|| value.value.as_integer().map(|number| number.as_str()));
    let (whole, part) = written
        .map(|text| text.split_once('.').unwrap_or((text, "")))
        .ok_or_else(|| value.shape("0.0125"))?;
    let digits = format!("{whole}{part:0<6}");
    let exact = part.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    exact.then(|| digits.parse().ok()).flatten().ok_or_else(|| value.shape("0.0125"))
}

fn tool(fields: Fields<'_>) -> Result<Speech, Wrong> {
    let string = |key| fields.maybe(key).map(|value| value.str().map(str::to_owned)).transpose();
    let tool = Tool {
        id: string("id")?,
        name: fields.need("name")?.str()?.to_owned(),
        kind: string("kind")?.unwrap_or_else(|| "other".to_owned()),
        status: fields.need("status")?.listed(&Stage::ALL, Stage::name)?,
    };
    fields.finish()?;
    Ok(Speech::Tool(tool))
}

fn file(fields: Fields<'_>) -> Result<Speech, Wrong> {
    let kind = |kind| match kind {
        FileKind::Add => "add",
        FileKind::Update => "update",
        FileKind::Delete => "delete",
    };
    let step = Speech::File {
        path: fields.need("path")?.text()?,
        kind: fields.need("kind")?.listed(&FILE_KINDS, kind)?,
    };
    fields.finish()?;
    Ok(step)
}

fn error(fields: Fields<'_>) -> Result<Speech, Wrong> {
    let kind = fields.maybe("kind").map_or(Ok("error_event"), |value| value.str())?;
    let failure = Failure {
        kind: kind.to_owned(),
        status: status(&fields)?,
        message: fields.need("message")?.text()?,
        retry_after_ms: fields
            .maybe("retry_after_ms")
            .map(|value| value.whole(WAIT_MS))
            .transpose()?,
    };
    fields.finish()?;
    Ok(Speech::Error(failure))
}

fn write(fields: Fields<'_>) -> Result<Deed, Wrong> {
    let step =
        Deed::Write { path: path(&fields.need("path")?)?, text: fields.need("text")?.text()? };
    fields.finish()?;
    Ok(step)
}

/// A path that stays in the working directory, as far as that shows before it is filled in.
fn path(value: &Value<'_>) -> Result<Text, Wrong> {
    let text = value.text()?;
    let (known, whole) = text.known();
    let up = Path::new(known).components().any(|part| part == Component::ParentDir);
    if up || Path::new(known).is_absolute() || whole && known.is_empty() {
        return Err(value.wrong(Problem::Outside));
    }
    Ok(text)
}

fn run(entry: &Value<'_>) -> Result<Deed, Wrong> {
    let expected = "[\"program\", \"argument\"]";
    let argv = entry.array(expected)?;
    if argv.is_empty() {
        return Err(entry.shape(expected));
    }
    argv.iter().map(Value::text).collect::<Result<_, _>>().map(Deed::Run)
}

fn flood(fields: Fields<'_>) -> Result<Mischief, Wrong> {
    let name = |stream| match stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    };
    let stream = fields.maybe("stream");
    let flood = Flood {
        stream: stream.map_or(Ok(Stream::Stdout), |value| {
            value.listed(&[Stream::Stdout, Stream::Stderr], name)
        })?,
        bytes: fields.need("bytes")?.whole(BYTES)?,
        line_bytes: fields.whole_or("line_bytes", BYTES, 80)?,
    };
    fields.finish()?;
    Ok(Mischief::Flood(flood))
}

//! When a limit ends, by what a provider wrote: a delay, a moment, or a time of day. The clock and
//! its zone come with the question, so that the same message gives the same answer.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};
use kernel::machine::At;

/// Longest text that is looked through.
const TEXT_BYTES_MAX: usize = 16 * 1024;
/// A wait that is longer was not meant as one.
const WAIT_MS_MAX: u64 = 400 * 24 * 3_600_000;
/// What a delay stands after, in lower case.
const BEFORE_DELAY: [&str; 7] = [
    "retry-after",
    "retry_after",
    "retry after",
    "retrydelay",
    "retry in",
    "try again in",
    "resets in",
];
/// What a moment or a time of day stands after. Longer ones first: the shorter are part of them.
const BEFORE_TIME: [&str; 6] =
    ["resets at", "reset at", "try again at", "available at", "resets", "until"];

/// What a text says about waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Wait {
    /// How long.
    pub retry_after_ms: Option<u64>,
    /// Until when.
    pub reset_at: Option<At>,
}

/// Looks for a delay, then for a moment, then for a time of day, which means its next occurrence.
#[must_use]
pub fn wait(text: &str, now: &Zoned) -> Wait {
    let text = super::fold::cut(text, TEXT_BYTES_MAX);
    let lower = text.to_ascii_lowercase();
    let delay = after(&lower, &BEFORE_DELAY).find_map(|at| delay_ms(&lower[at..]));
    if let Some(delay_ms) = delay {
        let reset_at = at_of(now.timestamp()).map(|now| now.plus(delay_ms));
        return Wait { retry_after_ms: Some(delay_ms), reset_at };
    }
    let moment = moments(text).find(|moment| *moment > now.timestamp());
    let moment = moment
        .or_else(|| after(&lower, &BEFORE_DELAY).find_map(|at| http_date(&text[at..])))
        .or_else(|| after(&lower, &BEFORE_TIME).find_map(|at| time_of_day(&text[at..], now)));
    Wait { retry_after_ms: None, reset_at: moment.and_then(at_of) }
}

/// The places right after each of the words.
fn after<'a>(lower: &'a str, words: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
    words.iter().flat_map(|word| lower.match_indices(word).map(|(at, _)| at + word.len()))
}

fn at_of(moment: Timestamp) -> Option<At> {
    u64::try_from(moment.as_millisecond()).ok().map(At)
}

/// `: 30`, `" : "32.5s"`, ` 2h 5m`, ` 3 hours 25 minutes`; a bare number is seconds.
fn delay_ms(rest: &str) -> Option<u64> {
    let mut rest = rest.trim_start_matches([':', '=', '"', '\'', '\\', ' ', '\t']);
    let mut total = None;
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number: Option<f64> = rest[..digits].trim_end_matches('.').parse().ok();
        let Some(number) = number.filter(|n| n.is_finite() && *n >= 0.0) else { break };
        let unit = rest[digits..].trim_start_matches(' ');
        let letters = unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len());
        let ms =
            number * unit_ms(&unit[..letters]).or_else(|| total.is_none().then_some(1000.0))?;
        total = Some(total.unwrap_or(0.0) + ms);
        rest = unit[letters..].trim_start_matches([' ', ',']).trim_start_matches("and ");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "between 0 and the longest wait by the filter"
    )]
    total.filter(|ms| *ms <= WAIT_MS_MAX as f64).map(|ms| ms.round() as u64)
}

fn unit_ms(unit: &str) -> Option<f64> {
    match unit {
        "ms" | "millisecond" | "milliseconds" => Some(1.0),
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1000.0),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60_000.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(3_600_000.0),
        "d" | "day" | "days" => Some(86_400_000.0),
        _ => None,
    }
}

/// Every moment in the text that is written out with its zone.
fn moments(text: &str) -> impl Iterator<Item = Timestamp> + '_ {
    let inside = |c: char| c.is_ascii_alphanumeric() || "-:+.".contains(c);
    text.split(move |c: char| !inside(c))
        .map(|word| word.trim_end_matches(['.', ':', '-']))
        .filter(|word| word.len() >= 20 && word.as_bytes()[4] == b'-')
        .filter_map(|word| word.parse::<Timestamp>().ok())
}

/// `: Wed, 21 Oct 2026 07:28:00 GMT`.
fn http_date(rest: &str) -> Option<Timestamp> {
    let rest = rest.trim_start_matches([':', '"', ' ']);
    let end = rest.find("GMT")? + "GMT".len();
    let zoned = jiff::fmt::rfc2822::DateTimeParser::new().parse_zoned(&rest[..end]).ok()?;
    Some(zoned.timestamp())
}

/// ` 18:00`, ` 6pm`, ` 6:30 PM (Europe/Berlin)`, ` 18:00 UTC`: the next such time.
fn time_of_day(rest: &str, now: &Zoned) -> Option<Timestamp> {
    let rest = rest.trim_start_matches([':', ' ', '"']);
    let (time, rest) = clock(rest)?;
    let zone = zone(rest).unwrap_or_else(|| now.time_zone().clone());
    let there = now.timestamp().to_zoned(zone);
    let today = there.with().time(time).build().ok()?;
    let next = if today > there { today } else { today.checked_add(1.day()).ok()? };
    Some(next.timestamp())
}

fn clock(text: &str) -> Option<(Time, &str)> {
    let (hour, rest) = digits(text)?;
    let (minute, rest) = match rest.strip_prefix(':') {
        Some(rest) => digits(rest).map(|(minute, rest)| (Some(minute), rest))?,
        None => (None, rest),
    };
    // Not the length in seconds or the like: a time of day has minutes or a half of the day.
    let half = rest.trim_start_matches(' ').get(..2).map(str::to_ascii_lowercase);
    let (hour, rest) = match half.as_deref() {
        Some("am") if hour <= 12 => (hour % 12, &rest.trim_start_matches(' ')[2..]),
        Some("pm") if hour <= 12 => (hour % 12 + 12, &rest.trim_start_matches(' ')[2..]),
        Some(_) | None if minute.is_some() => (hour, rest),
        Some(_) | None => return None,
    };
    Some((Time::new(hour, minute.unwrap_or(0), 0, 0).ok()?, rest))
}

fn digits(text: &str) -> Option<(i8, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text.get(..end).filter(|d| d.len() <= 2)?.parse().ok()?, &text[end..]))
}

fn zone(rest: &str) -> Option<TimeZone> {
    let rest = rest.trim_start_matches([' ', '(']);
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"/_+-".contains(c));
    let name = &rest[..end.unwrap_or(rest.len())];
    if ["UTC", "GMT", "Z"].contains(&name) {
        return Some(TimeZone::UTC);
    }
    if name.contains('/') { TimeZone::get(name).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Zoned {
        "2026-11-15T17:00:00+01:00[+01:00]".parse().unwrap()
    }

    #[test]
    fn waits_that_messages_name() {
        let table = [
            ("429 Retry-After: 120", Some(120_000), Some("2026-11-15T16:02:00Z")),
            (r#"{"retryDelay": "32.5s"}"#, Some(32_500), Some("2026-11-15T16:00:32.5Z")),
            ("Please try again in 2h 5m.", Some(7_500_000), Some("2026-11-15T18:05:00Z")),
            ("try again in 3 hours and 25 minutes", Some(12_300_000), Some("2026-11-15T19:25:00Z")),
            ("retry after 250ms", Some(250), Some("2026-11-15T16:00:00.25Z")),
            ("limit reached, resets at 18:00", None, Some("2026-11-15T17:00:00Z")),
            ("resets at 16:59", None, Some("2026-11-16T15:59:00Z")),
            ("5-hour limit reached ∙ resets 6pm", None, Some("2026-11-15T17:00:00Z")),
            ("resets 6:30 PM (UTC)", None, Some("2026-11-15T18:30:00Z")),
            ("resets at 12am", None, Some("2026-11-15T23:00:00Z")),
            ("reset at 2026-11-16T00:00:00Z.", None, Some("2026-11-16T00:00:00Z")),
            (
                "at 2020-01-01T00:00:00Z; until 2026-12-01T08:00:00+08:00",
                None,
                Some("2026-12-01T00:00:00Z"),
            ),
            ("Retry-After: Wed, 25 Nov 2026 07:28:00 GMT", None, Some("2026-11-25T07:28:00Z")),
            ("429 too many requests", None, None),
            ("resets soon", None, None),
            ("resets at 99:99", None, None),
            ("resets at 7", None, None),
            ("try again in 99999999999999999999 days", None, None),
            ("2020-01-01T00:00:00Z", None, None),
            ("retry in é", None, None),
            ("resets at 6é", None, None),
        ];
        for (text, retry_after_ms, reset_at) in table {
            let reset_at = reset_at.map(|at| at.parse::<Timestamp>().unwrap()).and_then(at_of);
            assert_eq!(wait(text, &now()), Wait { retry_after_ms, reset_at }, "{text}");
        }
    }
}

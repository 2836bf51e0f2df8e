//! A moment in a model: written as RFC 3339 UTC, read from that or from whole seconds. The clock is
//! not here.

use alloc::string::String;
use core::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::loops::view::rfc3339;
use crate::machine::At;

/// A moment in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Stamp(pub At);

impl Serialize for Stamp {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&rfc3339(self.0))
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Read)
    }
}

struct Read;

impl Visitor<'_> for Read {
    type Value = Stamp;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an RFC 3339 moment in UTC or whole seconds")
    }

    fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<Stamp, E> {
        Ok(Stamp(At(seconds.saturating_mul(1000))))
    }

    fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<Stamp, E> {
        u64::try_from(seconds)
            .map_err(|_| E::custom("a moment before 1970"))
            .and_then(|seconds| self.visit_u64(seconds))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Stamp, E> {
        read(text).map(Stamp).ok_or_else(|| E::custom("not an RFC 3339 moment in UTC"))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Stamp, E> {
        self.visit_str(&text)
    }
}

/// `2026-11-15T18:14:09Z`, with or without a fraction of a second.
fn read(text: &str) -> Option<At> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [year, month, day] = numbers(date, '-')?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let [hour, minute, second] = numbers(clock, ':')?;
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || day == 0 {
        return None;
    }
    if day > days_of(year, month) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let all_digits = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    let digits = fraction.get(..fraction.len().min(3)).filter(|_| all_digits)?;
    let ms = digits.parse::<u64>().ok()? * [100, 10, 1].get(digits.len() - 1)?;
    let days = (1970..year).map(year_days).sum::<u64>()
        + (1..month).map(|month| days_of(year, month)).sum::<u64>()
        + (day - 1);
    Some(At((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms))
}

fn numbers(text: &str, between: char) -> Option<[u64; 3]> {
    let mut parts = text.split(between).map(|part| {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| part.parse::<u64>().ok()).flatten()
    });
    let all = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(all)
}

const fn leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

const fn year_days(year: u64) -> u64 {
    if leap(year) { 366 } else { 365 }
}

const fn days_of(year: u64, month: u64) -> u64 {
    match month {
        2 if leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _of_the_others => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for ms in [0, 951_782_399_999, 951_782_400_000, 1_769_047_205_000, 4_107_542_400_000] {
            assert_eq!(read(&rfc3339(At(ms))), Some(At(ms)));
        }
        let table = [
            ("1769047205", Some(1_769_047_205_000)),
            ("\"2026-01-22T02:00:05Z\"", Some(1_769_047_205_000)),
            ("\"2026-01-22T02:00:05.5Z\"", Some(1_769_047_205_500)),
            ("\"2026-02-29T02:00:05Z\"", None),
            ("\"2026-01-22T02:00:05+01:00\"", None),
            ("\"2026-01-22\"", None),
            ("-1", None),
        ];
        for (text, expected) in table {
            let found = serde_json::from_str::<Stamp>(text).ok().map(|stamp| stamp.0.0);
            assert_eq!(found, expected, "{text}");
        }
    }
}

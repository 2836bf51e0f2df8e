//! Names of checkpoints: the minute they were made, and a number where that is taken.

use jiff::tz::TimeZone;
use kernel::machine::At;

/// How a name begins.
const PREFIX: &str = "chk-";
const DIGITS: usize = 12;

/// The moment a checkpoint is made, as the caller's clock has it.
pub type Time = At;

/// The first name of that local minute for which `taken` says no.
pub(super) fn fresh(at: Time, taken: impl Fn(&str) -> bool) -> String {
    fresh_in(TimeZone::system(), at, taken)
}

/// A local minute may come twice, when clocks are set back: the number tells the two apart, as it
/// does two of one minute.
fn fresh_in(zone: TimeZone, at: Time, taken: impl Fn(&str) -> bool) -> String {
    let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
    let time = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let minute = format!("{PREFIX}{}", time.to_zoned(zone).strftime("%Y%m%d%H%M"));
    let numbered = (2u64..).map(|number| format!("{minute}-{number}"));
    let mut names = std::iter::once(minute.clone()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or(minute)
}

/// Whether this is the name of a checkpoint; nothing else is ever looked up.
pub fn is_name(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(PREFIX) else { return false };
    let (minute, number) = rest.split_once('-').unwrap_or((rest, "2"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    minute.len() == DIGITS && digits(minute) && digits(number) && number.len() < DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_minutes_and_numbers() {
        let at = At(1_770_552_000_000);
        let taken = |names: &'static [&str]| move |name: &str| names.contains(&name);
        let fresh = |names| fresh_in(TimeZone::UTC, at, taken(names));
        assert_eq!(fresh(&[]), "chk-202602081200");
        assert_eq!(fresh(&["chk-202602081200"]), "chk-202602081200-2");
        assert_eq!(fresh(&["chk-202602081200", "chk-202602081200-2"]), "chk-202602081200-3");
        for (name, want) in [
            ("chk-202602081200", true),
            ("chk-202602081200-12", true),
            ("chk-2026020812", false),
            ("chk-202602081200-", false),
            ("chk-202602081200-../x", false),
            ("../../HEAD", false),
        ] {
            assert_eq!(is_name(name), want, "{name}");
        }
    }

    /// Clocks of Berlin went back from 3 to 2 on 25 October 2026, 01:00 UTC.
    #[test]
    fn an_hour_that_comes_twice_gives_two_names() {
        let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let half_past = |hour: u64| At(1_792_886_400_000 + hour * 3_600_000 + 1_800_000);
        let mut made = std::collections::BTreeSet::new();
        let names: Vec<String> = [0, 0, 1, 2]
            .map(|hour| {
                let name = fresh_in(berlin.clone(), half_past(hour), |name| made.contains(name));
                made.insert(name.clone());
                name
            })
            .to_vec();
        let expected =
            ["chk-202610250230", "chk-202610250230-2", "chk-202610250230-3", "chk-202610250330"];
        assert_eq!(names, expected);
    }
}

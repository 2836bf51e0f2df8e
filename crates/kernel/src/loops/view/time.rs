//! Moments as text: RFC 3339, UTC, milliseconds. It formats only; reading is the doors' business.

use alloc::format;
use alloc::string::String;

use crate::machine::At;

const DAY_MS: u64 = 86_400_000;
/// Days from 0000-03-01 to 1970-01-01: a year that begins in March ends with its leap day.
const EPOCH_FROM_MARCH_0000: u64 = 719_468;
/// Days in 400 years, after which the calendar repeats.
const ERA_DAYS: u64 = 146_097;

/// `2026-01-22T02:00:05.000Z`.
#[must_use]
pub fn rfc3339(at: At) -> String {
    let (year, month, day) = civil(at.0 / DAY_MS);
    let ms = at.0 % DAY_MS;
    let (hour, minute) = (ms / 3_600_000, ms / 60_000 % 60);
    let (second, rest) = (ms / 1000 % 60, ms % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{rest:03}Z")
}

/// Year, month and day of a count of days since 1970-01-01.
const fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + EPOCH_FROM_MARCH_0000;
    let (era, of_era) = (shifted / ERA_DAYS, shifted % ERA_DAYS);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let january_or_february = if month <= 2 { 1 } else { 0 };
    (era * 400 + year + january_or_february, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_769_047_205_000, "2026-01-22T02:00:05.000Z"),
            (4_107_542_399_001, "2100-02-28T23:59:59.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(rfc3339(At(ms)), text);
        }
    }
}

//! Compares moments as files write them. Any offset is read; ours are written by the kernel.

use jiff::Timestamp;

/// Whether two texts name the same moment.
pub(super) fn same(one: &str, other: &str) -> bool {
    match (one.parse::<Timestamp>(), other.parse::<Timestamp>()) {
        (Ok(one), Ok(other)) => one.as_millisecond() == other.as_millisecond(),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_offset_is_the_same_moment() {
        for (other, expected) in [
            ("2026-01-22T02:00:00Z", true),
            ("2026-01-22T10:00:00+08:00", true),
            ("2026-01-22T10:00:00Z", false),
            ("yesterday", false),
        ] {
            assert_eq!(same("2026-01-22T02:00:00.000Z", other), expected, "{other}");
        }
    }
}

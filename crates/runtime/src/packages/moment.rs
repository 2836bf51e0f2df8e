//! The present minute as packages write it: local, since names and pages are for people.

use jiff::Zoned;

/// One moment, in each of the forms that names and pages need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// `YYYYMMDDHHMM`: names a package.
    pub minute: String,
    /// `YYYYMMDDHHMMSS`: names a copy.
    pub stamp: String,
    /// `YYYY-MM-DD HH:MM`: stands in pages.
    pub at: String,
    /// `YYYY-MM-DD`.
    pub date: String,
}

impl Moment {
    /// Now.
    #[must_use]
    pub fn now() -> Self {
        let now = Zoned::now();
        let drawn = |form: &str| now.strftime(form).to_string();
        Self {
            minute: drawn("%Y%m%d%H%M"),
            stamp: drawn("%Y%m%d%H%M%S"),
            at: drawn("%Y-%m-%d %H:%M"),
            date: drawn("%Y-%m-%d"),
        }
    }
}

//! What each measurement is to reach. Shown beside the figures; nothing fails on them, because a
//! busy machine is slow, not wrong.

use serde_json::Value;

/// One goal: a figure, or a figure over another, and its bound.
pub struct Goal {
    name: &'static str,
    figure: &'static str,
    over: Option<&'static str>,
    bound: Bound,
}

enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

const fn ratio(name: &'static str, figure: &'static str, over: &'static str, least: f64) -> Goal {
    Goal { name, figure, over: Some(over), bound: Bound::AtLeast(least) }
}

const fn at_most(name: &'static str, most: f64) -> Goal {
    Goal { name, figure: name, over: None, bound: Bound::AtMost(most) }
}

/// Goals of `bench checkpoint`.
pub const CHECKPOINT: &[Goal] = &[at_most("/first_ratio", 1.5), at_most("/next_ratio", 1.2)];

/// Goals of `bench collab`.
pub const COLLAB: &[Goal] = &[at_most("/overhead_ms", 25.0), at_most("/rss_mb_200", 150.0)];

/// Goals of `bench journal`.
pub const JOURNAL: &[Goal] = &[
    ratio("1 run / raw SQLite", "/transitions_per_s/1", "/raw_sqlite_commit_per_s", 0.7),
    ratio("32 runs / raw fdatasync", "/transitions_per_s/32", "/raw_fdatasync_per_s", 5.0),
    ratio("1000 runs / raw fdatasync", "/transitions_per_s/1000", "/raw_fdatasync_per_s", 20.0),
    at_most("/history_cost_ratio", 1.1),
    at_most("/open_ms", 2000.0),
    at_most("/open_rss_mb", 200.0),
];

/// Goals of `bench loop`.
pub const LOOP: &[Goal] = &[
    Goal { name: "/spawn_ratio", figure: "/spawn_ratio", over: None, bound: Bound::AtLeast(0.15) },
    at_most("/rss_mb", 60.0),
    at_most("/redraws_per_s", 10.0),
    at_most("/cold_start_ratio", 2.0),
];

/// Goals of `bench search`.
pub const SEARCH: &[Goal] = &[at_most("/ratio_rg", 1.3)];

/// Goals of `bench turn`.
pub const TURN: &[Goal] = &[at_most("/step_overhead_ms", 10.0)];

impl Goal {
    /// The figure beside its bound, in one line.
    pub fn line(&self, measured: &Value) -> String {
        let read = |path: &str| measured.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN);
        let figure = read(self.figure) / self.over.map_or(1.0, read);
        let (bound, met) = match self.bound {
            Bound::AtLeast(least) => (format!("≥ {least}"), figure >= least),
            Bound::AtMost(most) => (format!("≤ {most}"), figure <= most),
        };
        let word = if met { "met" } else { "MISSED" };
        format!("{:<28} {figure:>10.3}  {bound:<8} {word}", self.name.trim_start_matches('/'))
    }
}

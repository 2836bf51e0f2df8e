//! What a crash is tried on, by the moves every such play has: a house to play in, a beginning, an
//! end, and what must hold after it. The plays themselves are in files of their own.

use std::path::Path;

use super::broken::Broken;
use super::house::House;

/// What a run tells of itself: the same with and without a crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// The kinds of its facts.
    pub facts: Vec<String>,
    /// What came of it, line by line.
    pub ends: Vec<String>,
}

/// Who dies at a point of one of the hands, which share their jobs as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// That hand alone: jobs come one by one, and mostly to the same.
    Its,
    /// Whichever hand makes its n-th such call first: jobs come at once, and to anybody.
    AnyHand,
}

/// One scripted piece of work and how it is driven from outside.
#[derive(Debug, Clone, Copy)]
pub struct Play {
    /// Who dies at a point of a hand.
    pub whose: Whose,
    /// A trusted house with its files.
    pub house: fn(&Path) -> Result<House, Broken>,
    /// Creates and starts it, saying again only what was not acknowledged and is not there.
    pub begin: fn(&House) -> Result<String, Broken>,
    /// Follows it to its end, again when the engine died meanwhile.
    pub go_on: fn(&House, &str) -> Result<(), Broken>,
    /// What it tells of itself.
    pub story: fn(&House, &str) -> Result<Story, Broken>,
    /// What must hold afterwards: the same story, each effect once, a whole journal.
    pub holds: fn(&House, &str, &Story) -> Result<(), Broken>,
}

impl Play {
    /// From the beginning to the end.
    ///
    /// # Errors
    /// When it does not come to its end, or something acknowledged is missing.
    pub fn drive(&self, house: &House) -> Result<String, Broken> {
        let id = (self.begin)(house)?;
        (self.go_on)(house, &id)?;
        Ok(id)
    }
}

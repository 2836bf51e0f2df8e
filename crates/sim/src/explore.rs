//! Every state a machine can reach within bounds, breadth first: from each, everything that may be
//! said is said, and every invariant is looked at. The counts are exact, so that any change of
//! behaviour shows as another number.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Instant;

use kernel::machine::Machine;
use kernel::table::Shown;

use crate::subject::{Coverage, Heard, Saying, State, Subject, say, stands};

/// Where a walk stops.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Commands behind each other.
    pub depth: usize,
    /// When to give up; the walk is then not whole.
    pub until: Option<Instant>,
}

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Different states.
    pub states: usize,
    /// Accepted commands.
    pub moves: usize,
    /// Refused commands.
    pub refusals: usize,
    /// The longest shortest way to a state.
    pub depth: usize,
    /// Whether everything within the bounds was walked; else depth or time cut it short.
    pub whole: bool,
    /// What was reached.
    pub reached: Coverage,
}

/// A state and how it was reached.
struct Place<S: Subject> {
    state: State<S>,
    from: Option<(usize, String)>,
    depth: usize,
}

struct Walk<'a, S: Subject> {
    subject: &'a S,
    seen: HashSet<(u64, u64)>,
    places: Vec<Place<S>>,
    facts: BTreeMap<&'static str, (crate::subject::Event<S>, kernel::machine::At)>,
    found: Walked,
}

/// Walks a machine.
///
/// # Errors
/// The invariant that broke, with the shortest way to see it.
pub fn explore<S: Subject>(subject: &S, limits: Limits) -> Result<Walked, String> {
    let mut walk = Walk {
        subject,
        seen: HashSet::new(),
        places: Vec::new(),
        facts: BTreeMap::new(),
        found: Walked { whole: true, ..Walked::default() },
    };
    for root in subject.roots() {
        walk.arrive(root, None, 0)?;
    }
    let mut next = 0;
    while next < walk.places.len() {
        let depth = walk.places[next].depth;
        if depth >= limits.depth || limits.until.is_some_and(|until| Instant::now() >= until) {
            walk.found.whole = false;
            break;
        }
        walk.leave(next)?;
        next += 1;
    }
    walk.evolve_is_total();
    walk.found.states = walk.places.len();
    Ok(walk.found)
}

/// Two hashes of the canonical words: with one alone a million states would meet by chance.
fn mark(words: &str) -> (u64, u64) {
    let mut first = DefaultHasher::new();
    words.hash(&mut first);
    let mut second = first.clone();
    words.len().hash(&mut second);
    words.hash(&mut second);
    (first.finish(), second.finish())
}

impl<S: Subject> Walk<'_, S> {
    fn arrive(
        &mut self,
        state: State<S>,
        from: Option<(usize, String)>,
        depth: usize,
    ) -> Result<(), String> {
        if !self.seen.insert(mark(&self.subject.canon(&state))) {
            return Ok(());
        }
        let checked = stands(self.subject, &state);
        self.found.depth = self.found.depth.max(depth);
        self.found.reached.states.insert(S::Machine::column(&state));
        self.places.push(Place { state, from, depth });
        let here = self.places.len() - 1;
        checked.map_err(|why| self.told(here, None, &why))
    }

    fn leave(&mut self, here: usize) -> Result<(), String> {
        let state = self.places[here].state.clone();
        if !self.subject.within(&state) {
            return Ok(());
        }
        let depth = self.places[here].depth;
        let mut lists = Lists::default();
        for said in self.subject.alphabet(&state) {
            let mut reached = std::mem::take(&mut self.found.reached);
            let heard = say(self.subject, &state, &said, &mut reached);
            self.found.reached = reached;
            match heard.map_err(|why| self.told(here, Some(&said), &why))? {
                Heard::Refused(refusal) => {
                    self.found.refusals += 1;
                    lists.refused(self.subject, &said, &refusal);
                }
                Heard::Accepted(events, after) => {
                    self.found.moves += 1;
                    lists.accepted(self.subject, &said, &events);
                    for event in events {
                        self.facts.entry(S::Machine::event(&event)).or_insert((event, said.at));
                    }
                    let words = format!("{} says {:?}", said.by.word(), said.command);
                    self.arrive(after, Some((here, words)), depth + 1)?;
                }
            }
        }
        lists.invariant_allowed_is_true().map_err(|why| self.told(here, None, &why))
    }

    /// Any fact in any state: nothing panics, and what it makes is a state that can be stored.
    fn evolve_is_total(&self) {
        for place in &self.places {
            for (fact, at) in self.facts.values() {
                let mut state = place.state.clone();
                S::Machine::evolve(&mut state, fact, *at);
            }
        }
    }

    /// The shortest way to a place, and what broke there.
    fn told(&self, here: usize, said: Option<&Saying<S>>, why: &str) -> String {
        let mut way = Vec::new();
        let mut at = here;
        while let Some((from, words)) = &self.places[at].from {
            way.push(words.clone());
            at = *from;
        }
        way.reverse();
        way.extend(said.map(|said| format!("{} says {:?}", said.by.word(), said.command)));
        format!("{why}\nin {:?}\nafter\n  {}", self.places[here].state, way.join("\n  "))
    }
}

/// What refusals in one state say is possible, and what was.
#[derive(Default)]
struct Lists {
    said: BTreeMap<String, BTreeSet<Vec<&'static str>>>,
    tried: BTreeMap<String, BTreeSet<&'static str>>,
    possible: BTreeMap<String, BTreeSet<&'static str>>,
    worth: BTreeMap<String, BTreeSet<&'static str>>,
}

impl Lists {
    fn refused<S: Subject>(
        &mut self,
        subject: &S,
        said: &Saying<S>,
        refusal: &crate::subject::Refusal<S>,
    ) {
        let name = S::Machine::command(&said.command);
        self.tried.entry(subject.voice(said)).or_default().insert(name);
        if let Some(list) = subject.listed(refusal) {
            self.said.entry(subject.voice(said)).or_default().insert(list);
        }
    }

    fn accepted<S: Subject>(
        &mut self,
        subject: &S,
        said: &Saying<S>,
        events: &[crate::subject::Event<S>],
    ) {
        let (voice, name) = (subject.voice(said), S::Machine::command(&said.command));
        self.possible.entry(voice.clone()).or_default().insert(name);
        if subject.worth_listing(said, events) {
            self.worth.entry(voice).or_default().insert(name);
        }
    }

    /// What a refusal lists can be said, as far as it was tried, and what can be said is on the
    /// list.
    fn invariant_allowed_is_true(&self) -> Result<(), String> {
        let none = BTreeSet::new();
        for (voice, lists) in &self.said {
            let possible = self.possible.get(voice).unwrap_or(&none);
            let worth = self.worth.get(voice).unwrap_or(&none);
            let tried = self.tried.get(voice).unwrap_or(&none);
            for list in lists {
                let listed: BTreeSet<_> = list.iter().copied().collect();
                let empty: Vec<_> =
                    listed.difference(possible).filter(|name| tried.contains(*name)).collect();
                let hidden: Vec<_> = worth.difference(&listed).collect();
                if !empty.is_empty() || !hidden.is_empty() {
                    return Err(format!(
                        "invariant_allowed_is_true: {voice} is told {listed:?}; \
                         refused all the same: {empty:?}, possible and not told: {hidden:?}"
                    ));
                }
            }
        }
        Ok(())
    }
}

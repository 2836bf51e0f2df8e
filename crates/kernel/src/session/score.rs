//! How well a requirement is said: four dimensions, ten points, by a rubric over the person's words
//! alone. It reads no project, and a high score says nothing about the wish being wise.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::anchor::Anchors;
use super::lists::{
    CHANGE, CHECK, CONSTRAINT, EMPTY_WORDS, LIMIT, OUTCOME, PLACE, POINT, TRANSFORM_PAIRS,
    TRANSFORMS, TROUBLE, UNCONSTRAINED, VAGUE,
};
use super::text::{Text, find, finds, has, is_ideograph};

/// CJK letters, besides the word of change, that name a goal.
const GOAL_LETTERS: usize = 4;
/// Words, besides the word of change, that name a goal.
const GOAL_WORDS: usize = 2;
/// The most that constraints count.
const CONSTRAINTS_MAX: u8 = 2;

/// Where points come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The person said it.
    Said,
    /// 上下文推断: it follows from what was said.
    Inferred,
}

/// The points of one dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points {
    /// How many.
    pub points: u8,
    /// The words that gave them.
    pub evidence: Vec<String>,
    /// Where they come from.
    pub source: Source,
}

/// The score of a requirement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// 任务目标, 0–3.
    pub goal: Points,
    /// 完成标准, 0–3.
    pub done: Points,
    /// 涉及范围, 0–2.
    pub scope: Points,
    /// 限制条件, 0–2.
    pub constraints: Points,
}

/// A dimension that lacks points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Gap {
    Goal,
    Done,
    Scope,
    Constraints,
}

impl Gap {
    /// Its word; also the end of the key of the question about it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::Done => "done",
            Self::Scope => "scope",
            Self::Constraints => "constraints",
        }
    }
}

impl Score {
    /// Of a person's words.
    #[must_use]
    pub fn of(text: &Text) -> Self {
        let anchors = Anchors::of(text);
        Self {
            goal: goal(text, &anchors),
            done: done(text, &anchors),
            scope: scope(text, &anchors),
            constraints: constraints(text, &anchors),
        }
    }

    /// All points.
    #[must_use]
    pub const fn total(&self) -> u8 {
        self.goal.points + self.done.points + self.scope.points + self.constraints.points
    }

    /// What lacks points, the weightiest first.
    #[must_use]
    pub fn gaps(&self) -> Vec<Gap> {
        let all = [
            (Gap::Goal, self.goal.points, 3),
            (Gap::Done, self.done.points, 3),
            (Gap::Scope, self.scope.points, 2),
            (Gap::Constraints, self.constraints.points, 2),
        ];
        all.into_iter().filter(|(_, has, full)| has < full).map(|(gap, _, _)| gap).collect()
    }
}

fn points(points: u8, evidence: Vec<String>) -> Points {
    Points { points, evidence, source: Source::Said }
}

/// The words of a list that are there.
fn said(lower: &str, list: &[&str]) -> Vec<String> {
    list.iter().filter(|word| find(lower, word).is_some()).map(ToString::to_string).collect()
}

fn goal(text: &Text, anchors: &Anchors) -> Points {
    let mut evidence = said(&text.lower, CHANGE);
    if evidence.is_empty() {
        return points(0, evidence);
    }
    let named = !anchors.paths.is_empty() || !anchors.identifiers.is_empty();
    if text.has(VAGUE) && !named {
        return points(1, evidence);
    }
    evidence.extend(anchors.paths.iter().chain(&anchors.identifiers).cloned());
    if anchors.any() {
        return points(3, evidence);
    }
    let rest = besides(&text.lower);
    let letters = rest.chars().filter(|c| is_ideograph(*c)).count();
    let words = rest
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '\''))
        .filter(|word| !word.is_empty() && !EMPTY_WORDS.contains(word))
        .count();
    points(if letters >= GOAL_LETTERS || words >= GOAL_WORDS { 2 } else { 1 }, evidence)
}

/// The text without its words of change.
fn besides(lower: &str) -> String {
    let mut covered: Vec<(usize, usize)> = Vec::new();
    for word in CHANGE {
        covered.extend(finds(lower, word).map(|at| (at, at + word.len())));
    }
    let out = |at: usize| covered.iter().any(|(from, to)| (*from..*to).contains(&at));
    lower.char_indices().map(|(at, c)| if out(at) { ' ' } else { c }).collect()
}

/// Whether something becomes something else.
pub(super) fn transform(text: &Text) -> bool {
    let pair = |clause: &&str| {
        TRANSFORM_PAIRS.iter().any(|(first, second)| {
            find(clause, first)
                .is_some_and(|at| finds(clause, second).any(|then| then >= at + first.len()))
        })
    };
    text.has(TRANSFORMS) || text.clauses().iter().any(pair)
}

fn done(text: &Text, anchors: &Anchors) -> Points {
    let clauses = text.clauses();
    let outcomes = clauses.iter().filter(|clause| has(clause, OUTCOME)).count();
    let mut evidence = said(&text.lower, OUTCOME);
    let checked = outcomes > 0 && text.has(CHECK);
    let turned = transform(text) && anchors.any();
    let two = outcomes >= 2 || checked || turned;
    evidence.extend(said(&text.lower, CHECK));
    let trouble = said(&text.lower, TROUBLE);
    if two && outcomes > 0 && !trouble.is_empty() {
        evidence.extend(trouble);
        return points(3, evidence);
    }
    points(if two { 2 } else { u8::from(outcomes > 0) }, evidence)
}

fn scope(text: &Text, anchors: &Anchors) -> Points {
    if !anchors.paths.is_empty() {
        return points(2, anchors.paths.clone());
    }
    let mut evidence = said(&text.lower, PLACE);
    evidence.extend(anchors.identifiers.iter().cloned());
    if evidence.is_empty() {
        return points(0, evidence);
    }
    let limits = said(&text.lower, LIMIT);
    let two = !limits.is_empty();
    evidence.extend(limits);
    points(if two { 2 } else { 1 }, evidence)
}

fn constraints(text: &Text, anchors: &Anchors) -> Points {
    let none = said(&text.lower, UNCONSTRAINED);
    if !none.is_empty() {
        return points(CONSTRAINTS_MAX, none);
    }
    let found = said(&text.lower, CONSTRAINT);
    if found.is_empty() && single_point(text, anchors) {
        let source = Source::Inferred;
        return Points { points: CONSTRAINTS_MAX, evidence: Vec::new(), source };
    }
    let count = u8::try_from(found.len()).unwrap_or(CONSTRAINTS_MAX).min(CONSTRAINTS_MAX);
    points(count, found)
}

/// One or two places, and a change that fits there.
pub(super) fn single_point(text: &Text, anchors: &Anchors) -> bool {
    let places =
        if anchors.paths.is_empty() { anchors.identifiers.len() } else { anchors.paths.len() };
    (1..=2).contains(&places) && (transform(text) || text.has(POINT))
}

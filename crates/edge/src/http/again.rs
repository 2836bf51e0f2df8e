//! Requests that are made again under the same key: the first answer is given once more, nothing is
//! done twice. It lasts as long as this process; what was done before is known from the journal.
//! Nothing is known here of what was asked.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use kernel::errors::Machine;
use kernel::hash;
use serde_json::{Value, json};

use super::answer::{Answer, Fail};
use super::request::Request;
use crate::site::refused;

/// Keys that are remembered; older ones are forgotten first.
const KEYS_MAX: usize = 1000;

/// What became of a key's first request.
#[derive(Clone)]
enum Done {
    Answered { status: StatusCode, body: Value, rev: Option<u64> },
    Failed(Box<(crate::problem::Raised, Option<String>)>),
}

/// A key's place: held while its first request is under way.
#[derive(Default)]
struct Slot(Mutex<Option<(String, Done)>>);

/// The keys, and the order they came in.
#[derive(Default)]
struct Keys {
    slots: HashMap<String, Arc<Slot>>,
    order: VecDeque<String>,
}

/// What was asked under keys.
#[derive(Default)]
pub(super) struct Again(Mutex<Keys>);

impl Again {
    fn slot(&self, key: &str) -> Arc<Slot> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Keys { slots, order } = &mut *all;
        if order.len() >= KEYS_MAX
            && !slots.contains_key(key)
            && let Some(oldest) = order.pop_front()
        {
            slots.remove(&oldest);
        }
        match slots.entry(key.to_owned()) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(free) => {
                order.push_back(key.to_owned());
                Arc::clone(free.insert(Arc::default()))
            }
        }
    }

    /// Does it, or answers what came of it before.
    pub(super) fn once(
        &self,
        request: &Request,
        key: &str,
        act: impl FnOnce() -> Result<Answer, Fail>,
    ) -> Result<Answer, Fail> {
        let slot = self.slot(key);
        let mut held = slot.0.lock().unwrap_or_else(PoisonError::into_inner);
        let what = said(request);
        match &*held {
            Some((before, done)) if *before == what => done.clone().again(),
            Some(_) => Err(reused(key)),
            None => {
                let result = act();
                *held = Done::of(&result).map(|done| (what, done));
                result
            }
        }
    }
}

impl Done {
    /// What is worth remembering: a failure on our side is not, it may go well next time.
    fn of(result: &Result<Answer, Fail>) -> Option<Self> {
        match result {
            Ok(Answer::Json { status, body, rev }) => {
                Some(Self::Answered { status: *status, body: body.clone(), rev: *rev })
            }
            // What only shows something is looked at anew.
            Ok(Answer::Tagged { .. } | Answer::Events(_)) => None,
            Err(fail) if fail.raised.http() >= 500 => None,
            Err(fail) => Some(Self::Failed(Box::new((fail.raised.clone(), fail.text.clone())))),
        }
    }

    fn again(self) -> Result<Answer, Fail> {
        match self {
            Self::Answered { status, body, rev } => Ok(Answer::Json { status, body, rev }),
            Self::Failed(fail) => {
                let (raised, text) = *fail;
                Err(Fail { raised, text })
            }
        }
    }
}

/// Something else was asked under this key.
pub(super) fn reused(key: &str) -> Fail {
    refused(Machine::Door, "key_reused", json!({ "key": key })).into()
}

/// Everything that makes two requests the same.
pub(super) fn said(request: &Request) -> String {
    let head = format!("{} {} {:?}\n", request.method, request.path, request.query);
    hash::sha256_hex(&[head.as_bytes(), &request.body[..]].concat())
}

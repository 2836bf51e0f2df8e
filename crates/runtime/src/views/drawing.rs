//! The bytes of each view: a pure function of state, revision and language. It writes nothing.

use kernel::loops::view::{document, draw_text, tasks_jsonl};
use kernel::loops::{Life, Progress};

use super::names::View;
use super::pages;
use crate::words::Lang;

/// The bytes of every view that this state has, the loop itself first. Pages come into being with
/// the first start.
pub fn all(life: &Life, rev: u64, lang: Lang) -> Vec<(View, Vec<u8>)> {
    let document = document(life, rev);
    let (body, phase) = (&life.body, &life.phase);
    let mut views = vec![
        (View::Json, draw_text(&document).into_bytes()),
        (View::Tasks, tasks_jsonl(life).into_bytes()),
    ];
    match body.progress {
        Progress::Fresh => {}
        Progress::Begun { .. } | Progress::Ready { .. } => views.extend([
            (View::Develop, pages::develop(body, &document, lang).into_bytes()),
            (View::Debug, pages::debug(body, phase, &document, lang).into_bytes()),
            (View::Validate, pages::validate(body, &document, lang).into_bytes()),
            (View::Changes, pages::changes(body).into_bytes()),
        ]),
    }
    views
}

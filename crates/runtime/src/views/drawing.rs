//! The bytes of each view: a pure function of state and revision, in the language of whoever
//! started the loop. It writes nothing.

use kernel::loops::view::{Waiting, document, draw_text, tasks_jsonl};
use kernel::loops::{Life, Progress};

use super::names::View;
use super::pages;
use crate::words::Lang;

/// What a loop waits for that its own state does not hold: its child's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// The open question of its child: id and text.
    pub waiting: Option<(String, String)>,
    /// Calls whose outcome is unknown.
    pub unknown_calls: Vec<String>,
}

/// The bytes of every view that this state has by itself.
pub fn all(life: &Life, rev: u64) -> Vec<(View, Vec<u8>)> {
    all_around(life, rev, &Around::default())
}

/// The bytes of every view that this state has, the loop itself first. Pages come into being with
/// the first start.
pub(super) fn all_around(life: &Life, rev: u64, around: &Around) -> Vec<(View, Vec<u8>)> {
    let mut document = document(life, rev);
    if let Some((question_id, text)) = around.waiting.clone() {
        document.ext.waiting = Some(Waiting { question_id, text });
    }
    document.ext.unknown_calls.clone_from(&around.unknown_calls);
    let (body, phase) = (&life.body, &life.phase);
    let mut views = vec![
        (View::Json, draw_text(&document).into_bytes()),
        (View::Tasks, tasks_jsonl(life).into_bytes()),
    ];
    match &body.progress {
        Progress::Fresh => {}
        Progress::Begun { course, .. } | Progress::Ready { course, .. } => {
            let lang = Lang::parse(&course.settings.lang).unwrap_or(Lang::En);
            let summary = pages::summary(body, phase, &document, lang);
            views.extend(summary.map(|page| (View::Summary, page.into_bytes())));
            views.extend([
                (View::Develop, pages::develop(body, &document, lang).into_bytes()),
                (View::Debug, pages::debug(body, phase, &document, lang).into_bytes()),
                (View::Validate, pages::validate(body, &document, lang).into_bytes()),
                (View::Changes, pages::changes(body).into_bytes()),
            ]);
        }
    }
    views
}

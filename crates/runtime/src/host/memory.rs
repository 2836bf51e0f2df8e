//! The page of working memory among the host's drawings: which run people see at the known place,
//! and the ends of runs that the page remembers. What an edit of it means is the keeper's.

use std::collections::BTreeMap;
use std::sync::Arc;

use journal::{Head, Journal};
use kernel::lifecycle::document::context::history_line;
use kernel::lifecycle::{HISTORY_LINES, Life};
use kernel::machine::At;
use kernel::run::{Kind, State};

use super::life::HostError;
use crate::engine::{Engine, fold};
use crate::lifecycles::{Around, draw_end, plan_page};
use crate::redact::Redactor;
use crate::tree;
use crate::views::context::{Contexts, Place, Seen, local_minute};
use crate::views::{Lists, Sealed, keep_notice};
use crate::words::Lang;

/// Draws the pages of lifecycles.
pub(super) struct Memory {
    pub(super) contexts: Contexts,
    pub(super) lists: Lists,
    /// The documents of plans.
    pub(super) plans: Sealed,
    pub(super) around: Arc<Around>,
    /// The line of each run that is over.
    ends: BTreeMap<String, String>,
    /// Which run was shown at the known place.
    shown: Option<String>,
}

impl Memory {
    pub(super) fn new(around: Arc<Around>, lang: Lang, redactor: Arc<Redactor>) -> Self {
        let page = around.root.join(&around.settings.context_path);
        let contexts = Contexts::new(around.loop_dir.clone(), page, lang, redactor);
        let lists = Lists::new(around.loop_dir.clone());
        let dir = &around.settings.prd_dir;
        let (plans, left) = Sealed::plans(around.loop_dir.clone(), &around.root, dir);
        // What a crash left beside a plan's document is told like any other edit of it.
        left.iter().for_each(|notice| keep_notice(&around.loop_dir, notice));
        Self { contexts, lists, plans, around, ends: BTreeMap::new(), shown: None }
    }

    /// Draws a run as it stands.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub(super) fn draw<J: Journal>(
        &mut self,
        id: &str,
        run: &crate::engine::Run,
        engine: &Engine<J>,
        now: At,
    ) -> Result<Seen, HostError> {
        let State::Lifecycle(state) = &run.state else { return Ok(Seen::default()) };
        let heads = engine.journal().heads()?;
        let history = self.history(engine, &heads)?;
        self.shown = self.main(engine, &heads);
        let place = if self.shown.as_deref() == Some(id) { Place::Main } else { Place::Own };
        let mut seen = self.contexts.draw(id, (state, run.seq), place, history, now);
        if let Some(page) = state.life().and_then(plan_page) {
            seen.notices.extend(self.plans.draw(id, run.seq, &[page]));
        }
        if state.ended() {
            // A view: one that cannot be drawn now is drawn when the run is next.
            state.life().into_iter().for_each(|life| drop(draw_end(life, &self.around)));
            self.contexts.forget(id);
            self.plans.forget(id);
        }
        Ok(seen)
    }

    /// Runs to draw now; the one of a branch that was checked out meanwhile, too.
    pub(super) fn due<J: Journal>(&mut self, engine: &Engine<J>, now: At) -> Vec<String> {
        let mut due = self.contexts.due(now);
        if self.contexts.looked_at(now) {
            due.extend(self.plans.edited());
            let main = engine.journal().heads().ok().and_then(|heads| self.main(engine, &heads));
            due.extend(
                main.filter(|main| self.shown.is_some() && self.shown.as_ref() != Some(main)),
            );
        }
        due
    }

    /// The run of the checked-out branch, else the newest.
    fn main<J: Journal>(&self, engine: &Engine<J>, heads: &[Head]) -> Option<String> {
        let branch = tree::head(&self.around.root).branch;
        let here = |life: &Life| life.body.begin.head.branch == branch;
        let mut newest = heads.iter().filter(|head| head.machine == Kind::Lifecycle.name());
        let live = heads.iter().rev().find(|head| {
            let state = engine.run(&head.run).map(|run| &run.state);
            matches!(state, Some(State::Lifecycle(state))
                if !state.ended() && state.life().is_some_and(here))
        });
        live.or_else(|| newest.by_ref().max_by_key(|head| (head.created_ms, &head.run)))
            .map(|head| head.run.clone())
    }

    /// Ends of runs, the newest first.
    fn history<J: Journal>(
        &mut self,
        engine: &Engine<J>,
        heads: &[Head],
    ) -> Result<Vec<String>, HostError> {
        let mut over: Vec<&Head> = heads
            .iter()
            .filter(|head| head.machine == Kind::Lifecycle.name() && head.ended)
            .collect();
        over.sort_by_key(|head| std::cmp::Reverse((head.updated_ms, head.created_ms)));
        over.truncate(HISTORY_LINES);
        let mut lines = Vec::new();
        for head in over {
            if !self.ends.contains_key(&head.run) {
                let line = end(engine.journal(), head)?;
                self.ends.insert(head.run.clone(), line);
            }
            lines.extend(self.ends.get(&head.run).filter(|line| !line.is_empty()).cloned());
        }
        Ok(lines)
    }
}

fn end(journal: &dyn Journal, head: &Head) -> Result<String, HostError> {
    let run = fold(journal, head, None)?;
    let State::Lifecycle(state) = &run.state else { return Ok(String::new()) };
    let line =
        state.life().and_then(|life| Some(history_line(life, life.phase.ended()?, &local_minute)));
    Ok(line.unwrap_or_default())
}

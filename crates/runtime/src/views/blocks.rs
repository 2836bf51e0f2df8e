//! Pages that runs share: each run has its block, and what others wrote around it stays. A block is
//! a view like any other: an edit within it is kept among the refused ones and told.

use std::path::Path;

use super::context::{Outcome, PageTold};
use super::known;
use super::notice::Notice;
use crate::view_file::{self, Displaced, Found, NotYet};

/// A page that gets the block of a run.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    /// The directory of our files.
    pub loop_dir: &'a Path,
    /// The run.
    pub run: &'a str,
    /// Where it stands.
    pub seq: u64,
    /// The directory of the page, and how people see that.
    pub dir: (&'a Path, &'a str),
    /// The page's own name.
    pub name: &'a str,
}

impl Shared<'_> {
    /// Puts a page in the place of what it was made from. Each comes with the block of the run
    /// within it, if there is one.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn draw(
        &self,
        (before, was): (&[u8], Option<&str>),
        (after, is): (&[u8], Option<&str>),
    ) -> Result<Option<Notice>, view_file::Error> {
        // Pages of working memory are remembered by the run's own name, in another thread.
        let key = format!("{}.history", self.run);
        let ours = |block: &str| known::is_known(self.loop_dir, &key, self.name, block.as_bytes());
        let last = was.is_none_or(ours).then_some(before);
        if let Some(block) = is {
            known::about_to_draw(self.loop_dir, &key, self.name, block.as_bytes());
        }
        let path = self.dir.0.join(self.name);
        let edit = match view_file::draw(&path, after, last)?.found {
            Found::Nothing => None,
            Found::LastDrawn(old) => match old.taken_in(before) {
                Ok(()) => None,
                Err(NotYet(edit)) => Some(edit),
            },
            Found::Edit(edit) => Some(edit),
        };
        view_file::settle(self.dir.0)?;
        Ok(edit.map(|edit| self.set_aside(edit)))
    }

    fn set_aside(&self, edit: Displaced) -> Notice {
        let refused = self.loop_dir.join("refused");
        // If it can't be moved it stays under the name it has.
        let kept = edit.refuse(&refused, self.run, self.seq, self.name).ok();
        let short = |path: &Path| {
            path.strip_prefix(self.loop_dir).unwrap_or(path).to_string_lossy().into_owned()
        };
        let Outcome { refused, .. } = Outcome::whole("view_only");
        let told = PageTold { refused, ..PageTold::default() };
        let file = format!("{}/{}", self.dir.1, self.name);
        Notice::of_page(self.run, file, kept.as_deref().map(short), told)
    }
}

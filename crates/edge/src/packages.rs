//! Solution packages and the knowledge base as every door reads them. Making and archiving one are
//! calls; what is said of them in words is the command line's own.

use std::path::PathBuf;

use kernel::errors::Machine;
use kernel::packages::Tongue;
use kernel::packages::archive::Ended;
use kernel::packages::draft::Draft;
use kernel::packages::proposal::Type;
use runtime::packages::{
    self, AllChecked, KbRoot, KbStatus, Listed, Moment, Operation, Refusal, Shown, Wish,
};
use runtime::words::Lang;
use serde_json::json;

use crate::problem::Raised;
use crate::sessions;
use crate::site::{Site, bad_value, refused};

/// The base of a workspace, as its settings say.
pub struct Base {
    /// The workspace.
    pub workspace: PathBuf,
    /// The root.
    pub root: KbRoot,
    /// Others that bear the marker.
    pub ambiguous: Vec<String>,
    /// The language of what is written.
    pub lang: Tongue,
}

/// A refusal as it is told.
#[must_use]
pub fn raised(why: &Refusal) -> Raised {
    Raised::new(why.misfit().code, why.misfit().details.clone())
}

impl Base {
    /// Finds it.
    ///
    /// # Errors
    /// When it would lie outside of the workspace, or the settings are wrong.
    pub fn of(site: &Site, lang: Lang) -> Result<Self, Raised> {
        let workspace = site.root.path.clone();
        let paths = site.settings()?.settings.paths;
        let found = packages::find(&workspace, &paths.kb_root, &paths.kb_candidates);
        let found = found.map_err(|why| raised(&why))?;
        let lang = match lang {
            Lang::En => Tongue::En,
            Lang::Zh => Tongue::Zh,
        };
        Ok(Self { workspace, root: found.root, ambiguous: found.ambiguous, lang })
    }

    /// An operation on this base.
    #[must_use]
    pub fn wish(&self, operation: Operation) -> Wish {
        Wish { root: self.root.path.as_str().to_owned(), lang: self.lang, operation }
    }

    /// The packages that wait, with the sessions that hold them.
    ///
    /// # Errors
    /// When the base or the journal cannot be read.
    pub fn list(&self, site: &Site) -> Result<Vec<Listed>, Raised> {
        let found = packages::list(&self.workspace, &self.root, self.lang);
        let (mut all, held) = (found.map_err(|why| raised(&why))?, sessions::holders(site)?);
        for one in &mut all {
            one.held_by = held.get(&one.name).cloned();
        }
        Ok(all)
    }

    /// One in full.
    ///
    /// # Errors
    /// No such package, or a document that cannot be read.
    pub fn show(&self, site: &Site, name: &str) -> Result<Shown, Raised> {
        let found = packages::show(&self.workspace, &self.root, name, self.lang);
        let mut shown = found.map_err(|why| raised(&why))?;
        shown.listed.held_by = sessions::holders(site)?.remove(name);
        Ok(shown)
    }

    /// Whether these can be carried out; all of them if none is named.
    ///
    /// # Errors
    /// No such package, or settings that are wrong.
    pub fn check(&self, site: &Site, names: &[String]) -> Result<AllChecked, Raised> {
        let x = site.settings()?.settings.package.on_foreign_x;
        let now = Moment::now().at;
        packages::check_all(&self.workspace, &self.root, names, x, &now).map_err(|why| raised(&why))
    }

    /// What state the base is in.
    ///
    /// # Errors
    /// When it cannot be read, or settings that are wrong.
    pub fn status(&self, site: &Site) -> Result<KbStatus, Raised> {
        let mode = site.settings()?.settings.kb.create_mode;
        let mut found = packages::kb_status(&self.workspace, &self.root, mode, self.lang)
            .map_err(|why| raised(&why))?;
        found.ambiguous.clone_from(&self.ambiguous);
        Ok(found)
    }

    /// A new one, from templates.
    ///
    /// # Errors
    /// A word that is no type.
    pub fn creating(&self, feature: &str, kind: Option<&str>) -> Result<Wish, Raised> {
        let types = [Type::Implementation, Type::Overview];
        let package_type = match kind {
            None => Type::Implementation,
            Some(word) => types
                .into_iter()
                .find(|known| known.word() == word)
                .ok_or_else(|| bad_value("--type", word, &["implementation", "overview"]))?,
        };
        let draft = Box::new(Draft { package_type, ..Draft::default() });
        let minute = Moment::now().minute;
        Ok(self.wish(Operation::Create { feature: feature.to_owned(), minute, draft }))
    }

    /// One that goes to the archive. One that a session holds is that session's to archive.
    ///
    /// # Errors
    /// A word that is no status, or a package that a session holds.
    pub fn archiving(&self, site: &Site, name: &str, status: Option<&str>) -> Result<Wish, Raised> {
        if let Some(session) = sessions::holders(site)?.get(name) {
            let details = json!({ "found": name, "holder": session });
            return Err(refused(Machine::Session, "package_in_use", details));
        }
        let words = Ended::ALL.map(Ended::word);
        let of = |word| Ended::named(word).ok_or_else(|| bad_value("--status", word, &words));
        let (status, at) = (status.map(of).transpose()?, Moment::now().at);
        Ok(self.wish(Operation::Archive { name: name.to_owned(), status, at }))
    }
}

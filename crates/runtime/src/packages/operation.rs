//! What may be asked for, as the arguments of one tool. Read once at the door and once more by the
//! hands; the fields say what they need, and others are refused.

use std::collections::BTreeMap;

use kernel::packages::Status;
use kernel::packages::Tongue;
use kernel::packages::XMeans;
use kernel::packages::archive::Ended;
use kernel::packages::changelog::Entry;
use kernel::packages::draft::Draft;
use kernel::packages::kb;
use kernel::packages::name::Name;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::refusal::Refusal;
use crate::tools::Misfit;

/// What is asked for, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The root of the knowledge base, below the workspace.
    pub root: String,
    /// The language of what is written.
    pub lang: Tongue,
    /// What.
    #[serde(flatten)]
    pub operation: Operation,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "operation")]
pub enum Operation {
    /// A new package.
    Create {
        /// What it is about, as a person says it.
        feature: String,
        /// `YYYYMMDDHHMM`, local.
        minute: String,
        /// What is in it; blanks of a template otherwise.
        #[serde(default)]
        draft: Box<Draft>,
    },
    /// A package in plan/ is written anew under its name.
    Redraft {
        /// Which.
        name: String,
        /// What is in it now.
        draft: Box<Draft>,
    },
    /// A package goes to the archive.
    Archive {
        /// Which.
        name: String,
        /// What somebody calls it; the marks decide.
        #[serde(default)]
        status: Option<Ended>,
        /// `YYYY-MM-DD HH:MM`, local.
        at: String,
    },
    /// Packages that were left over go to the archive.
    Clean {
        /// Which.
        names: Vec<String>,
        /// `YYYY-MM-DD HH:MM`, local.
        at: String,
    },
    /// The knowledge base is made.
    Init {
        /// In which way.
        how: InitHow,
        /// `YYYY-MM-DD HH:MM`, local.
        at: String,
        /// `YYYYMMDDHHMMSS`, local: names a copy.
        stamp: String,
    },
    /// A layout of old becomes the present one.
    Upgrade {
        /// The plan that was shown.
        plan_hash: String,
        /// `YYYY-MM-DD HH:MM`, local.
        at: String,
        /// `YYYYMMDDHHMMSS`, local: names the copy.
        stamp: String,
    },
    /// An entry of the changelog.
    Changelog {
        /// The version it goes under.
        version: String,
        /// `YYYY-MM-DD`, local.
        date: String,
        /// Sources of a version that named none, and were passed over.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        passed: Vec<String>,
        /// The entry.
        entry: Box<Entry>,
    },
    /// The marks of a package that is picked become ours.
    Adopt {
        /// Which.
        name: String,
        /// What a capital X means there, where it does not say so itself.
        x: XMeans,
    },
    /// Packages in the archive whose work was taken back.
    RolledBack {
        /// Which.
        names: Vec<String>,
        /// `YYYY-MM-DD HH:MM`, local.
        at: String,
    },
    /// Marks and notes of a package that is at work.
    Mark {
        /// Which.
        name: String,
        /// What became of its tasks.
        tasks: Vec<MarkOf>,
    },
    /// Counters of the index, and what binds the project now.
    Sync {
        /// The package whose decisions hold from now on, as it is archived.
        #[serde(default)]
        archived: Option<String>,
        /// `YYYY-MM-DD HH:MM`, local.
        at: String,
    },
}

/// In which way the base is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InitHow {
    /// There was none.
    Create,
    /// What is missing is added.
    Fill,
    /// It is made anew; the old one is copied aside.
    Rebuild,
}

/// What became of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkOf {
    /// Which.
    pub id: String,
    /// Where it stands.
    pub status: Status,
    /// What is noted below it.
    #[serde(default)]
    pub note: Option<String>,
}

impl Operation {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Create { .. } => "create",
            Self::Redraft { .. } => "redraft",
            Self::Archive { .. } => "archive",
            Self::Clean { .. } => "clean",
            Self::Init { .. } => "init",
            Self::Upgrade { .. } => "upgrade",
            Self::Changelog { .. } => "changelog",
            Self::Adopt { .. } => "adopt",
            Self::RolledBack { .. } => "rolled_back",
            Self::Mark { .. } => "mark",
            Self::Sync { .. } => "sync",
        }
    }
}

impl Wish {
    /// The packages that it moves or writes, of which each belongs to the session that holds it.
    fn packages(&self) -> &[String] {
        match &self.operation {
            Operation::Archive { name, .. }
            | Operation::Redraft { name, .. }
            | Operation::Mark { name, .. }
            | Operation::Adopt { name, .. } => std::slice::from_ref(name),
            Operation::Clean { names, .. } => names,
            // What is in the archive nobody holds; an upgrade moves nothing that has a name of
            // today's.
            Operation::RolledBack { .. }
            | Operation::Create { .. }
            | Operation::Init { .. }
            | Operation::Upgrade { .. }
            | Operation::Changelog { .. }
            | Operation::Sync { .. } => &[],
        }
    }

    /// Whether nobody else holds what it moves. `held` names the sessions of others.
    ///
    /// # Errors
    /// The first package that somebody holds.
    pub(crate) fn is_free(&self, held: &BTreeMap<String, String>) -> Result<(), Refusal> {
        let taken = self.packages().iter().find_map(|name| held.get_key_value(name));
        match taken {
            None => Ok(()),
            Some((name, holder)) => {
                Err(Refusal::new("package_in_use", json!({ "found": name, "holder": holder })))
            }
        }
    }

    /// Whether a door may ask for it. Marks, changelog and index follow from what a session has
    /// proved, and are its own to write.
    ///
    /// # Errors
    /// It is a session's own.
    pub fn may_be_asked(&self) -> Result<(), Misfit> {
        match self.operation {
            Operation::Create { .. }
            | Operation::Archive { .. }
            | Operation::Clean { .. }
            | Operation::Init { .. }
            | Operation::Upgrade { .. } => Ok(()),
            Operation::Redraft { .. }
            | Operation::Changelog { .. }
            | Operation::Adopt { .. }
            | Operation::RolledBack { .. }
            | Operation::Mark { .. }
            | Operation::Sync { .. } => {
                Err(Misfit::args("operation: create, archive, clean, init or upgrade"))
            }
        }
    }

    /// Reads arguments.
    ///
    /// # Errors
    /// The first that does not fit.
    pub fn read(args: &Value) -> Result<Self, Misfit> {
        let wish = Self::deserialize(args).map_err(|why| Misfit::args(&why.to_string()))?;
        let known = json!(wish);
        let odd = |name: &&String| known.get(name.as_str()).is_none();
        match args.as_object().and_then(|fields| fields.keys().find(odd)) {
            Some(name) => Err(Misfit::args(&format!("no {name}"))),
            None => Ok(wish),
        }
    }
}

/// The paths that a wish is judged by: where it writes, as far as its words tell.
pub(crate) fn touched(wish: &Wish) -> Vec<String> {
    let below = |path: &str| format!("{}/{path}", wish.root.trim_end_matches('/'));
    let package = |name: &str| below(&format!("{}/{name}", kb::PLAN));
    let archived = |name: &str| {
        let month = Name::parse(name).map(|name| name.month()).unwrap_or_default();
        below(&format!("{}/{month}/{name}", kb::ARCHIVE))
    };
    match &wish.operation {
        Operation::Create { minute, .. } => vec![package(minute)],
        Operation::Archive { name, .. } => vec![package(name), archived(name)],
        Operation::Clean { names, .. } => {
            names.iter().flat_map(|name| [package(name), archived(name)]).collect()
        }
        Operation::Init { stamp, .. } | Operation::Upgrade { stamp, .. } => {
            let backup = format!("{}_backup_{stamp}", wish.root.trim_end_matches('/'));
            vec![below(kb::INDEX), below(kb::CONTEXT), backup]
        }
        Operation::Changelog { .. } => vec![below(kb::CHANGELOG)],
        Operation::Redraft { name, .. }
        | Operation::Mark { name, .. }
        | Operation::Adopt { name, .. } => vec![package(name)],
        Operation::RolledBack { names, .. } => {
            let index = below(kb::ARCHIVE_INDEX);
            names.iter().map(|name| archived(name)).chain([index]).collect()
        }
        Operation::Sync { .. } => {
            vec![below(kb::INDEX), below(kb::CONTEXT), below(kb::MODULES_INDEX)]
        }
    }
}

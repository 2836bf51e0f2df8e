//! The `session` machine: turns what a person typed into exactly one unit of work, holds mode and
//! stage, and lets one flow live at a time. It does no work itself.

mod anchor;
mod intent;
mod judge;
mod lists;
mod name;
mod risk;
mod score;
mod shape;
mod text;

pub use anchor::Anchors;
pub use intent::{Intent, Relation, intent, question, relation};
pub use judge::{Judged, Path, Reason, judge};
pub use name::{Beside, Class, Name};
pub use risk::{REQUIREMENT, Risk, Source as RiskSource, in_task, mentions, operations};
pub use score::{Gap, Points, Score, Source};
pub use shape::{Shape, shape};
pub use text::{Text, is_cjk, is_ideograph};

//! Task lists and proposals by seed: every one is drawn as it was read, and an edit changes no byte
//! but its own. Texts are made of few parts in every order, with every line end there is.

mod law;
mod made;

pub use law::{Told, holds};

//! Agents as configured: one plain value each, checked when the settings are loaded. Files and
//! layers are the settings' business; programs are looked for elsewhere.

mod agent;
mod make;
mod owned;
mod template;

pub use agent::{AgentConfig, InnerSandbox, Own, Wrapped};
pub use make::{BIN_VAR, BUILT_IN, Wrong, make};
pub use template::{
    Final, Output, Piece, Pointer, SessionFrom, Slot, StdinFrom, Template, TemplateError, Word,
    fill, word, words,
};

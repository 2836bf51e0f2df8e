//! From a configured program to how its output is read: the one bridge between the settings'
//! words and the folder's.

use super::config::{Output, SessionFrom, Template};
use super::fold::{self, CommandShape, FinalWhen};

impl Template {
    /// How its output is read.
    #[must_use]
    pub fn shape(&self) -> CommandShape {
        let pointer = |at: &Option<super::config::Pointer>| at.as_ref().map(|at| at.0.clone());
        let (output, final_when) = match &self.output {
            Output::Text => (fold::Output::Text, None),
            Output::Json => (fold::Output::Json, None),
            Output::Jsonl { end } => {
                let end = end.as_ref().map(|end| FinalWhen {
                    pointer: end.pointer.0.clone(),
                    equals: end.equals.clone(),
                });
                (fold::Output::Jsonl, end)
            }
        };
        CommandShape {
            output,
            text: pointer(&self.text),
            session: match &self.session {
                SessionFrom::Told(at) => fold::SessionFrom::Pointer(at.0.clone()),
                SessionFrom::Local => fold::SessionFrom::Local,
                SessionFrom::Nothing => fold::SessionFrom::None,
            },
            error: pointer(&self.error),
            usage: pointer(&self.usage),
            final_when,
            ok_exit: self.ok_exit.iter().map(|code| i32::from(*code)).collect(),
        }
    }
}

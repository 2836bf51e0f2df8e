//! What must hold of judgements, and a corpus of commands.

mod corpus;
mod kit;

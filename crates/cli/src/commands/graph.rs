//! `graph MACHINE [--format json|svg|mermaid]`: the states and moves of a machine, computed.

use clap::ValueEnum;

use super::known;
use crate::out::Reply;
use crate::trouble::Trouble;

/// How it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Data.
    Json,
    /// A picture.
    Svg,
    /// Text that becomes a picture.
    Mermaid,
}

/// Which machine, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The machine.
    #[arg(value_name = "MACHINE")]
    pub machine: String,
    /// How it is drawn; not said, it is data for programs and a picture for people.
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: Option<Format>,
}

/// Draws it.
///
/// # Errors
/// When there is no such machine.
pub fn run(args: &Args) -> Result<Reply, Trouble> {
    let found = edge::draw::kept(known::machine(&args.machine)?);
    Ok(match args.format {
        None => Reply::new(edge::draw::json(&found), edge::draw::svg(&found)),
        Some(Format::Json) => {
            let data = edge::draw::json(&found);
            let text = serde_json::to_string_pretty(&data).unwrap_or_default();
            Reply::new(data, text)
        }
        Some(Format::Svg) => Reply::page(edge::draw::svg(&found)),
        Some(Format::Mermaid) => Reply::page(edge::draw::mermaid(&found)),
    })
}

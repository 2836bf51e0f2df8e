//! `serve [--listen ADDRESS]`: the HTTP door of a workspace, until it is interrupted. Work goes on
//! without it.

use std::net::SocketAddr;

use edge::http::{self, Plan, Remote, Token};
use edge::problem;
use kernel::errors::{Exit, Machine};
use runtime::config::EdgeRemote;
use serde_json::json;

use crate::ctx::{Ctx, Form};
use crate::desk;
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// Where.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Address and port; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
}

/// Serves.
///
/// # Errors
/// An address that is none or is taken, or a token that cannot be kept.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    // What an agent starts would be a door with a person's name on it.
    desk::person(ctx, Machine::Door, "serve")?;
    let site = ctx.site()?;
    let settings = ctx.settings()?.settings.edge;
    let (name, asked) = match &args.listen {
        Some(asked) => ("--listen", asked.clone()),
        None => ("edge.listen", settings.listen),
    };
    let listen: SocketAddr =
        asked.parse().map_err(|_| trouble::bad_value(name, &asked, &["127.0.0.1:7411"]))?;
    let remote = match settings.remote {
        EdgeRemote::Read => Remote::Read,
        EdgeRemote::Person => Remote::Person,
    };
    let token = Token::read_or_make(&site.places)?;
    let file = Token::path(&site.places);
    let plan = Plan { site, listen, remote, token };
    let served = http::serve(plan, |listen| announce(ctx, listen, &file.display().to_string()));
    served.map_err(|why| desk::io(&asked, &why))?;
    Ok(Reply::printed(Exit::OK))
}

/// Says where it listens, at once: it goes on until it is interrupted.
fn announce(ctx: &Ctx, listen: SocketAddr, token: &str) {
    let url = format!("http://{listen}");
    let text = match ctx.form {
        Form::Json => {
            let data = json!({ "url": url, "listen": listen.to_string(), "token_file": token });
            problem::succeeded(&data, None).map(|value| value.to_string()).unwrap_or_default()
        }
        Form::Text => [
            ctx.tell("serve-listens", &[("url", &url)]),
            ctx.tell("serve-token", &[("token", &token)]),
            ctx.say("serve-ends"),
        ]
        .join("\n"),
    };
    // A reader that has gone away does not stop the server.
    drop(out::line(&text));
}

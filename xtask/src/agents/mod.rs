//! The real CLIs of the agents against a scripted model on loopback, asked through the product:
//! what the adapters rely on, seen with the programs themselves. Opt-in, because it installs them
//! from npm.

mod cases;
mod check;
mod cli;
mod install;
mod launch;
mod read;
mod report;
mod run;
mod server;
mod stage;
mod turned;

pub use run::run;

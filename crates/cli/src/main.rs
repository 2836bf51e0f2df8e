//! The binary: one file per subcommand. Decides nothing; asks the engine and prints.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::SUCCESS
}

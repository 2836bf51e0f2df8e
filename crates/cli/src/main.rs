//! The binary: one file per subcommand. Decides nothing; asks the engine and prints.

use std::process::ExitCode;

use runtime::shim::run;

fn main() -> ExitCode {
    // Before any argument parser: a shim is started for every call and must cost nothing.
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == run::SUBCOMMAND) {
        let rest: Vec<_> = args.collect();
        return ExitCode::from(run::main(&rest) as u8);
    }
    ExitCode::SUCCESS
}

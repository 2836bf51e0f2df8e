//! The list of proofs, and how one is run: from where it stopped the last time, for so many
//! minutes, with a line at the end that says how it went.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use super::progress::Progress;
use super::{
    agent_children, autos, change_kills, children, claims, collab_kills, debug_kills, edits,
    engine, explore, faults, flips, hostile, import_kills, kills, package_kills, packages, parsers,
    patch, races, random, rollback, save_faults, save_kills, scenarios, session_kills, shim_kills,
    skill_kills, streams,
};
use crate::root::root;

/// Longest run: a proof has to fit a sitting.
const MINUTES_MAX: u64 = 80;
/// What is run when nobody says.
const MINUTES: u64 = 10;

/// A proof: its name, the line shown by the list, and one case of it.
pub struct Proof {
    /// Its name.
    pub name: &'static str,
    /// What it proves.
    pub about: &'static str,
    /// How many cases there are; none where seeds never end.
    pub cases: Option<u64>,
    /// Proves the case of this number, with so much time left.
    pub case: fn(u64, Duration) -> Result<(), String>,
}

/// Every proof. A new one adds a line here and a file beside this one.
const PROOFS: &[&Proof] = &[
    &agent_children::PROOF,
    &autos::PROOF,
    &change_kills::PROOF,
    &children::PROOF,
    &claims::PROOF,
    &collab_kills::PROOF,
    &debug_kills::PROOF,
    &edits::PROOF,
    &engine::PROOF,
    &explore::PROOF,
    &faults::PROOF,
    &flips::PROOF,
    &hostile::PROOF,
    &import_kills::PROOF,
    &kills::PROOF,
    &package_kills::PROOF,
    &packages::PROOF,
    &parsers::PROOF,
    &patch::PROOF,
    &races::PROOF,
    &random::PROOF,
    &rollback::PROOF,
    &save_faults::PROOF,
    &save_kills::PROOF,
    &scenarios::PROOF,
    &session_kills::PROOF,
    &shim_kills::PROOF,
    &skill_kills::PROOF,
    &streams::PROOF,
];

/// `prove NAME [--minutes N] [--restart]`, or `prove --list`.
pub fn run(args: &[String]) -> Result<ExitCode> {
    let Some((name, rest)) = args.split_first() else { bail!("which one? see prove --list") };
    if name == "--list" {
        for proof in PROOFS {
            println!("{:<14} {}", proof.name, proof.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let proof = PROOFS.iter().find(|proof| proof.name == name);
    let proof = proof.with_context(|| format!("no such proof: {name}; see prove --list"))?;
    let (mut minutes, mut from_here) = (MINUTES, true);
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--restart" => from_here = false,
            "--minutes" => {
                minutes = rest.next().context("--minutes needs a number")?.parse()?;
                ensure!((1..=MINUTES_MAX).contains(&minutes), "1 to {MINUTES_MAX} minutes");
            }
            other => bail!("no such option: {other}"),
        }
    }
    let file = root().join("target/prove").join(format!("{name}.json"));
    let mut progress = if from_here { Progress::read(&file)? } else { Progress::default() };
    prove(proof, &mut progress, &file, Duration::from_secs(minutes * 60))
}

fn prove(
    proof: &Proof,
    progress: &mut Progress,
    file: &std::path::Path,
    limit: Duration,
) -> Result<ExitCode> {
    let begun = std::time::Instant::now();
    let mut told = Duration::ZERO;
    while proof.cases.is_none_or(|cases| progress.next < cases) && begun.elapsed() < limit {
        let left = limit.saturating_sub(begun.elapsed());
        match (proof.case)(progress.next, left) {
            Ok(()) => progress.passed += 1,
            Err(why) => {
                println!("{} {} failed: {why}", proof.name, progress.next);
                progress.failed += 1;
            }
        }
        progress.next += 1;
        progress.write(file)?;
        if begun.elapsed() >= told + TELL_EVERY {
            told = begun.elapsed();
            println!("{} at {}, {} failed", proof.name, progress.next, progress.failed);
        }
    }
    println!("{} passed, {} failed", progress.passed, progress.failed);
    Ok(if progress.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Often enough to see that it lives.
const TELL_EVERY: Duration = Duration::from_secs(20);

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: Proof = Proof {
        name: "odd",
        about: "",
        cases: Some(5),
        case: |n, _| if n == 3 { Err("three".to_owned()) } else { Ok(()) },
    };

    #[test]
    fn a_proof_goes_on_where_it_stopped_and_counts_what_failed() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("prove/odd.json");
        let mut progress = Progress { next: 2, passed: 2, failed: 0 };
        let code = prove(&ODD, &mut progress, &file, Duration::from_secs(60)).unwrap();
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::FAILURE));
        assert_eq!(progress, Progress { next: 5, passed: 4, failed: 1 });
        assert_eq!(Progress::read(&file).unwrap(), progress);
    }

    #[test]
    fn unknown_words_are_refused() {
        for args in
            [vec![], vec!["nonsense"], vec!["random", "--fast"], vec!["random", "--minutes", "81"]]
        {
            let args: Vec<String> = args.into_iter().map(str::to_owned).collect();
            assert!(run(&args).is_err(), "{args:?}");
        }
    }
}

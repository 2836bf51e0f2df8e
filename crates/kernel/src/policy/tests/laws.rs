//! Laws over many made-up commands: nothing panics, nothing opaque is allowed, and no rule that
//! asks or denies makes a verdict laxer.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::kit::{facts, run};
use crate::policy::rules::{File, Listed, Source};
use crate::policy::{
    Act, Asker, Command, Pattern, Reason, Repeat, Request, Rule, Rules, Run, Tool, Word, judge,
};

/// Commands made up for the law that nothing panics.
const RANDOM: usize = 100_000;
/// Scripts made up.
const SCRIPTS: usize = 4_000;
/// Rules made up, and commands that each of them is held against.
const RULES: usize = 60;
const COMMANDS: usize = 50;

/// A plain generator of numbers: the same in every run, so a failure can be seen again.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % most
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn command(&mut self) -> Vec<String> {
        (0..self.below(8)).map(|_| self.word()).collect()
    }

    fn word(&mut self) -> String {
        match self.below(12) {
            0 => (0..self.below(6)).map(|_| self.letter()).collect(),
            1 => [self.pick(&WORDS), self.pick(&["=", ":", "@", "/", "*", ""]), self.pick(&WORDS)]
                .concat(),
            _ => self.pick(&WORDS).to_string(),
        }
    }

    fn letter(&mut self) -> char {
        let all: Vec<char> = "-=/.~*$'\"\\;|&(){}[]s,e1é\u{0}\u{200c}\n".chars().collect();
        all[self.below(all.len())]
    }
}

const WORDS: [&str; 84] = [
    "rm",
    "git",
    "log",
    "status",
    "sudo",
    "env",
    "-rf",
    "-r",
    "-f",
    "/",
    ".",
    "..",
    "~",
    "x",
    "sh",
    "-c",
    "bash",
    "find",
    "-exec",
    ";",
    "+",
    "{}",
    "-delete",
    "xargs",
    "timeout",
    "5",
    "nice",
    "-n",
    "sed",
    "s/a/b/",
    "1e x",
    "-i",
    "awk",
    "cat",
    ".env",
    ".git",
    ".loop",
    "--output=x",
    "--",
    "-",
    "curl",
    "-d",
    "@.env",
    "http://prod/x",
    "push",
    "main",
    "+x",
    "ssh",
    "h",
    "A=b",
    "-S",
    "make",
    "tar",
    "-I",
    "chmod",
    "-R",
    "777",
    "kill",
    "-9",
    "-1",
    "dd",
    "of=/dev/sda",
    "python",
    "-m",
    "",
    "busybox",
    "time",
    "command",
    "--no-pager",
    "stdbuf",
    "-oL",
    "rg",
    "--pre",
    "grep",
    "ls",
    "cargo",
    "fmt",
    "ruff",
    "format",
    "mv",
    "tee",
    "psql",
    "DROP TABLE x",
    "echo",
];

#[test]
fn invariant_total() {
    let (rules, mut numbers) = (Rules::built_in(), Numbers(7));
    let facts = facts(&rules);
    for _ in 0..RANDOM {
        let argv = numbers.command();
        let request = Request::new(Act::Run(Run::argv(argv, "a")), Asker::Agent);
        let judged = judge(&request, &facts);
        assert!(judged.opaque.is_empty() || judged.verdict.word() > Word::Allow, "{request:?}");
        assert!(judged.ehrb.is_empty() || judged.verdict.word() > Word::Allow, "{request:?}");
    }
}

#[test]
fn invariant_scripts_are_opaque() {
    let (rules, mut numbers) = (Rules::built_in(), Numbers(11));
    for _ in 0..SCRIPTS {
        let command = Command::Script(numbers.command().join(" "));
        let act = Act::Run(Run { command, ..Run::argv(Vec::new(), ".") });
        let judged = judge(&Request::new(act, Asker::Person), &facts(&rules));
        assert!(judged.verdict.word() > Word::Allow, "{judged:?}");
    }
}

#[test]
fn invariant_strictest() {
    let (plain, mut numbers) = (Rules::built_in(), Numbers(3));
    for _ in 0..RULES {
        let like = numbers.command();
        let rule = made_up(&mut numbers, &like);
        let file = File { source: Source::User, name: "u".to_string(), rules: [rule].into() };
        let with = Rules::load(&[file], Listed::No);
        for nth in 0..COMMANDS {
            let argv = if nth == 0 { like.clone() } else { numbers.command() };
            let request = Request::new(Act::Run(Run::argv(argv, ".")), Asker::Agent);
            let before = judge(&request, &facts(&plain)).verdict.word();
            let after = judge(&request, &facts(&with)).verdict.word();
            assert!(after >= before, "{request:?} {with:?}");
        }
    }
}

/// A rule that asks or denies, about this command as often as about another; its example may be
/// wrong, which only makes it stricter.
fn made_up(numbers: &mut Numbers, argv: &[String]) -> Rule {
    let like = if numbers.below(2) == 0 { argv.to_vec() } else { numbers.command() };
    let mut pattern: Vec<Pattern> = like
        .iter()
        .take(numbers.below(4))
        .map(|word| match numbers.below(3) {
            0 => Pattern::Word("*".to_string()),
            1 => Pattern::OneOf([word.clone(), "x".to_string()].into()),
            _ => Pattern::Word(word.clone()),
        })
        .collect();
    pattern.push(Pattern::Word("**".to_string()));
    Rule {
        id: "made-up".to_string(),
        tool: Tool::Run,
        argv: pattern,
        forbid: (0..numbers.below(2)).map(|_| numbers.word()).collect(),
        cwd: None,
        paths: Vec::new(),
        hosts: Vec::new(),
        verdict: if numbers.below(2) == 0 { Word::Ask } else { Word::Deny },
        idempotent: Repeat::Acts,
        reason: Reason::default(),
        matches: ["x x x x".to_string()].into(),
        not_match: Vec::new(),
    }
}

#[test]
fn an_allow_rule_lifts_only_where_nothing_else_spoke() {
    let allow = |argv: &str| Rule {
        id: "mine".to_string(),
        argv: argv.split(' ').map(|word| Pattern::Word(word.to_string())).collect(),
        verdict: Word::Allow,
        matches: [argv.replace(" **", "")].into(),
        forbid: Vec::new(),
        ..made_up(&mut Numbers(1), &[])
    };
    let check = |argv: &str, command: &str, expected: &str| {
        let file =
            File { source: Source::User, name: "u".to_string(), rules: [allow(argv)].into() };
        let rules = Rules::load(&[file], Listed::No);
        assert_eq!(rules.failures(), [], "{argv}");
        let verdict = judge(&run(command), &facts(&rules)).verdict;
        assert_eq!(
            alloc::format!("{} {}", verdict.word().name(), verdict.rule()),
            expected,
            "{command}"
        );
    };
    check("npm run **", "npm run lint", "allow mine");
    check("npm run **", "env A=b npm run lint", "ask run-asks");
    check("npm run **", "npm run lint --file=.env", "ask secret-asks");
    check("rm **", "rm x", "allow mine");
    check("rm **", "rm -r x", "ask ehrb-destructive");
    check("rm **", "rm -r .", "deny whole-tree");
    check("sh **", "sh -c ls", "ask opaque");
    check("git commit **", "git commit -m x", "allow mine");
    check("git push **", "git push origin main", "ask ehrb-production");
    check("awk **", "awk 1 f", "ask opaque");
}

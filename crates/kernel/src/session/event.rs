//! The facts of a session. A fact says what became true; where a flow or a job stands then is said
//! by [`Event::Entered`] and [`Event::JobMoved`], so that no fact has to be read backwards.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::asked::Asked;
use super::ended::Developed;
use super::job::Phase;
use super::judge::{Judged, Path};
use super::risk::Risk;
use super::score::Score;
use super::stage::{ChildAsking, Stage};
use super::state::{Frame, How, Mode, Package, Request, Said, Verdict, Waiver};
use crate::machine::At;

/// A prompt that a unit goes by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// SHA-256 of its words.
    pub sha256: String,
    /// Where they come from.
    pub source: String,
}

/// Where a phase of a job is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In the base.
    Base,
    /// In the frame of this number, counted from below.
    Frame(usize),
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words are the page's own; fields are named by their types")]
pub enum Event {
    Opened {
        key: String,
    },
    Heard {
        input_id: String,
        text: String,
    },
    Routed {
        input_id: String,
        to: String,
    },
    CommandAccepted {
        n: u32,
        request: Box<Request>,
        #[serde(default)]
        by: String,
    },
    ModulesLoaded {
        modules: Vec<Module>,
    },
    QuestionAsked {
        q: Asked,
    },
    QuestionAnswered {
        id: String,
        key: String,
        text: Option<String>,
        by: String,
    },
    QuestionWithdrawn {
        id: String,
    },
    Scored {
        score: Score,
        round: u32,
    },
    Clarified {
        text: String,
    },
    Waived {
        waiver: Waiver,
    },
    Judged {
        judged: Judged,
    },
    PathAdjusted {
        path: Path,
    },
    ModeKept,
    ModeSwitched {
        mode: Mode,
    },
    KbDecided {
        skipped: bool,
        shown: String,
    },
    ContextReady {
        context: Option<Said>,
    },
    Drafted {
        round: u32,
    },
    PackageCreated {
        package: Package,
    },
    PackageChecked {
        valid: bool,
        executable: bool,
        hash: String,
        issues: Vec<String>,
    },
    PackageApproved {
        hash: String,
        by: String,
    },
    PackageChanged {
        hash: String,
    },
    PackagePicked {
        package: Package,
    },
    ChildAsked {
        asking: Vec<ChildAsking>,
        held: bool,
    },
    ChildEnded {
        slot: String,
        end: String,
    },
    Developed {
        developed: Developed,
    },
    Escalated {
        why: String,
        to: Path,
    },
    RiskFound {
        risks: Vec<Risk>,
    },
    RiskAccepted {
        risks: Vec<Risk>,
        by: String,
    },
    Interrupted {
        cause: String,
    },
    Recovered {
        how: String,
    },
    StepDone {
        slot: String,
        told: Value,
    },
    Noted {
        finding: String,
    },
    Changed {
        paths: Vec<String>,
        /// The turn that did it.
        #[serde(default)]
        run: Option<String>,
    },
    Entered {
        stage: Box<Stage>,
    },
    JobMoved {
        place: Place,
        phase: Box<Phase>,
    },
    FramePushed {
        frame: Box<Frame>,
    },
    FrameOpened {
        at: usize,
    },
    FrameEnded {
        at: usize,
        ok: bool,
        cancelled: bool,
    },
    FramePopped,
    FrameDropped {
        why: String,
    },
    FlowAccepted {
        verdict: Verdict,
        told: Value,
    },
    Stopping {
        how: How,
        children: Vec<String>,
        next: Option<Box<Request>>,
        due: At,
    },
    UnitCompleted {
        unit: String,
        n: u32,
        verdict: Option<Verdict>,
    },
    UnitCancelled {
        unit: String,
        n: u32,
        how: How,
    },
    UnitFailed {
        unit: String,
        n: u32,
        code: String,
    },
    ResetStep {
        n: u8,
        cleared: Vec<String>,
    },
}

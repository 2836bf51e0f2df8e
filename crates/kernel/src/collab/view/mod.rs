//! What people and other programs see of a run: the seed's snapshot, the result, the takeover
//! bundle, progress, and the lines of log files. Drawn from state alone; nothing here is state.

mod line;
mod merged;
mod progress;
mod result;
mod shown;
mod snapshot;
mod takeover;

pub use line::{Line, line};
pub use merged::merged;
pub use progress::{Progress, Row, Sign, bar, metadata, percent, progress};
pub use result::{ErrorRow, ParticipantResult, ResultExt, ResultView, result, takeover_path};
pub use shown::{Meta, shortfall};
pub use snapshot::{
    ErrorView, ParticipantExt, ParticipantView, QuestionView, Snapshot, SnapshotExt, snapshot,
};
pub use takeover::{NextSteps, Takeover, TakeoverParticipant, takeover};

# Sessions: their questions, their pages and their commands.
session-status-answered = Answer
session-status-waiting = Waiting for you
session-status-running = Running
session-status-passed = Done
session-status-partial = Done in part
session-status-failed = Failed
session-status-cancelled = Cancelled
session-next = 🔄 Next: { $next }
session-next-say = say what you want, or type ~help
session-next-wait = wait, or `loopwright cancel`
session-next-questions = `loopwright questions`, then `loopwright answer`
session-next-answer = loopwright answer { $id } { $keys }
session-cancelled = Asked to end what runs; the session is { $state }.
session-detached = The session goes on; `loopwright status` shows it.
session-none = There is no session here yet.
session-nothing = There was nothing to do.
session-chat = Nothing was started: this was taken as talk. ~help lists the commands.
session-failed = It failed: { $code }
session-tests = { $passed } passed, { $failed } failed, { $skipped } skipped
session-committed = Committed { $commit }
session-files = 📁 Files: { $files }
session-repl = Say what you want; ~help lists the commands, `exit` leaves.
session-help =
    ~auto TEXT        evaluate, design and develop it to the end
    ~plan TEXT        evaluate it and make a package of it
    ~exec [PACKAGE]   carry a package out
    ~init             make the knowledge base
    ~upgrade          move a knowledge base of an old layout
    ~clean            archive packages that were left over
    ~test             run the project's tests
    ~commit [MESSAGE] commit what is shown
    ~review [PATH]    have the code reviewed
    ~validate         check knowledge base and packages
    ~rollback         go back to a checkpoint
    ~status           where this session stands
    ~help             this page
    Plain words work too: a change you ask for is evaluated first, talk starts nothing.
session-about-more = … and { $count } more
session-about-replace = { $running } runs; { $wanted } was asked for.
session-about-path = Path: { $path } ({ $name })
session-about-score = Score { $total }/10: goal { $goal }/3, done when { $done }/3, scope { $scope }/2, constraints { $constraints }/2
session-about-risk = { $type } ({ $level }) in { $where }: { $evidence }
session-about-package = { $name }: { $tasks } tasks, in { $path }
session-about-root = Knowledge base: { $root }
session-about-cause = Cause: { $cause }, in { $stage }
session-about-failed = { $failed } failed
session-about-commit = On { $branch }: { $added } added, { $modified } modified, { $deleted } deleted
session-path-tweak = a small change in one place
session-path-light = a light iteration with a package
session-path-standard = standard development with a package
session-gap-goal = What is to be made or changed, and where?
session-gap-done = How can one see that it is done, and what happens on errors?
session-gap-scope = Which files or modules are touched, and which not?
session-gap-constraints = What must hold: versions, dependencies, deadlines? "no special constraints" is an answer.
session-leftovers = 📦 Leftover packages: { $packages }
col-session = SESSION
col-stage = STAGE

question-session-relation = Does this belong to what runs? { $about }
question-session-relation-current = Part of the current task
question-session-relation-new = New request
question-session-relation-cancel = Cancel
question-session-replace = Something runs already. { $about }
question-session-replace-keep = Keep the current one
question-session-replace-replace = Cancel it and run this
question-session-clarify = The requirement is not clear enough yet. { $about }
question-session-clarify-supplement = Add information
question-session-clarify-proceed = Proceed as is
question-session-clarify-cancel = Cancel
question-session-complexity = This is what would be done. Begin? { $about }
question-session-complexity-start = Start
question-session-complexity-silent = Run silently
question-session-complexity-interactive = Run interactively
question-session-complexity-adjust = Change path
question-session-complexity-direct = Do it now
question-session-complexity-force = Plan anyway
question-session-complexity-cancel = Cancel
question-session-risk = Extremely high risk. { $about }
question-session-risk-confirm = Accept the risk
question-session-risk-cancel = Cancel
question-session-kb_missing = There is no knowledge base. { $about }
question-session-kb_missing-init = Initialise
question-session-kb_missing-skip = Skip
question-session-kb_missing-cancel = Cancel
question-session-package_gate = The package did not pass. { $about }
question-session-package_gate-fix = Fix
question-session-package_gate-force = Continue
question-session-package_gate-stop = Stop
question-session-design_done = The design is done. { $about }
question-session-design_done-run = Run now
question-session-design_done-save = Save and end
question-session-design_done-archive = Archive
question-session-design_done-adjust = Adjust
question-session-design_done-cancel = Cancel
question-session-package_pick = Which package? { $about }
question-session-package_pick-cancel = Cancel
question-session-overview = This package has nothing to run. { $about }
question-session-overview-archive = Archive
question-session-overview-view = View
question-session-overview-cancel = Cancel
question-session-markers = What does [X] mean in this file? { $about }
question-session-markers-failed = It means failed
question-session-markers-done = It means done
question-session-markers-cancel = Cancel
question-session-failures = Some tasks were not done. { $about }
question-session-failures-continue = Continue
question-session-failures-stop = Stop
question-session-test_blocking = The project's tests fail. { $about }
question-session-test_blocking-fix = Fix
question-session-test_blocking-skip = Skip
question-session-test_blocking-stop = Stop
question-session-locate = Where is it? { $about }
question-session-locate-path = A path
question-session-locate-cancel = Cancel
question-session-escalate = The change outgrew a tweak. { $about }
question-session-escalate-upgrade = Upgrade
question-session-escalate-force = Keep tweaking
question-session-escalate-cancel = Cancel
question-session-interrupted = The stage was interrupted. { $about }
question-session-interrupted-continue = Continue
question-session-interrupted-retry = Retry
question-session-interrupted-cancel = Cancel
question-session-tool_failed = The tool failed. { $about }
question-session-tool_failed-continue = Go on
question-session-tool_failed-stop = End the flow
question-session-resume_stage = The tool has ended. { $about }
question-session-resume_stage-resume = Resume
question-session-resume_stage-drop = Drop
question-session-init_switch = The knowledge base is switched off. { $about }
question-session-init_switch-continue = Continue
question-session-init_switch-cancel = Cancel
question-session-init_mismatch = The knowledge base has an old layout. { $about }
question-session-init_mismatch-upgrade = Upgrade
question-session-init_mismatch-rebuild = Rebuild
question-session-init_mismatch-cancel = Cancel
question-session-init_rebuild = There is a knowledge base already. { $about }
question-session-init_rebuild-rebuild = Rebuild
question-session-init_rebuild-cancel = Cancel
question-session-upgrade_plan = This is what would be moved. { $about }
question-session-upgrade_plan-run = Upgrade
question-session-upgrade_plan-details = Details
question-session-upgrade_plan-cancel = Cancel
question-session-upgrade_failed = The upgrade was not finished. { $about }
question-session-upgrade_failed-restore = Restore the backup
question-session-upgrade_failed-manual = By hand
question-session-clean_scope = Which leftover packages are archived? { $about }
question-session-clean_scope-all = All
question-session-clean_scope-select = Some
question-session-clean_scope-cancel = Cancel
question-session-test_command = No test command was found. Which one? { $about }
question-session-test_command-command = A command
question-session-test_command-cancel = Cancel
question-session-test_failed = Tests failed. { $about }
question-session-test_failed-report = Keep the report
question-session-test_failed-skip = Skip
question-session-commit_how = This would be committed. { $about }
question-session-commit_how-local = Commit here
question-session-commit_how-edit = Another message
question-session-commit_how-cancel = Cancel
question-session-review_scope = What is reviewed? { $about }
question-session-review_scope-all = All code
question-session-review_scope-recent = Recent changes
question-session-review_scope-staged = What is staged
question-session-review_scope-path = A path
question-session-review_scope-cancel = Cancel
question-session-review_result = The review is done. { $about }
question-session-review_result-report = Keep the report
question-session-review_result-skip = Skip
question-session-validate_scope = What is validated? { $about }
question-session-validate_scope-all = All
question-session-validate_scope-kb = The knowledge base
question-session-validate_scope-packages = The packages
question-session-validate_scope-cancel = Cancel
question-session-validate_result = The validation is done. { $about }
question-session-validate_result-report = Keep the report
question-session-validate_result-skip = Skip
question-session-rollback_target = Back to where? { $about }
question-session-rollback_target-cancel = Cancel
question-session-rollback_conflict = Files were changed by others since. { $about }
question-session-rollback_conflict-theirs = Move them aside
question-session-rollback_conflict-mine = Keep them
question-session-rollback_conflict-manual = By hand
question-session-rollback_conflict-cancel = Cancel
question-session-rollback_risk = This is what would be brought back. { $about }
question-session-rollback_risk-confirm = Roll back
question-session-rollback_risk-cancel = Cancel

cmd-auto = Evaluate a requirement, then design and develop it silently
    .text = what is wanted
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-plan = Evaluate a requirement and make a package of it
    .text = what is wanted
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-exec = Carry out a package
    .package = a package's name, or a part of it
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-init = Make the knowledge base of this workspace
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-upgrade = Move a knowledge base of an old layout
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-clean = Archive packages that were left over
    .packages = which ones
    .all = all of them
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-test = Run the project's tests
    .framework = only this one
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-commit = Commit what is shown
    .message = the message
    .staged = what is staged
    .all = all that changed
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-review = Have the code reviewed by an agent that only reads
    .path = a path
    .scope = a range: all, recent or staged
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-validate = Check knowledge base and packages
    .scope = a range: all, kb or packages
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-say = Say something to the session of this branch
    .text = what is said
    .replace = end what runs and start this
    .yes = start without confirmation, unless a risk is shown
    .answers = an answer before its question, as KIND=KEY
    .headless = ask nothing on the terminal
cmd-status = Where the session of this branch stands
    .vars = the variables alone
    .branch = of another branch
cmd-sessions = The sessions of this workspace
cmd-cancel = End what runs in the session of this branch
    .undo = take a tweak's edits back
    .all = everything, not only what is on top
    .branch = of another branch

session-flow_active = something runs already
    .full = { $unit } runs already
    .when = A unit that must be alone was started without a terminal while another one runs.
    .next = Wait for it, end it with `loopwright cancel`, or start again with `--replace`.
session-use_rollback = only a tweak's edits are taken back so
    .when = Something else than an outgrown tweak was to be cancelled and undone.
    .next = Cancel it, then use `loopwright rollback` or `loopwright undo`.
session-path_forced = a risk forces the longer path
    .full = a risk forces the path { $path }
    .when = A shorter path was chosen although a risk was found.
    .next = Choose that path, or change the requirement.
session-gate_closed = the package does not pass its gate
    .when = A package that is not well formed was to be accepted, or was fixed too often.
    .next = Stop, look at the package, and start again.
session-not_top_frame = something else is on top
    .full = { $top } is on top
    .when = A tool was said to have ended that is not on top.
    .next = End the one on top first; `loopwright status` shows it.
session-too_deep = too much is open above what runs
    .full = at most { $max } things may be open above what runs
    .when = A tool or a command was opened above too many others.
    .next = End some of them; `loopwright status` shows them.
session-empty_project = there is no source file here
    .when = A knowledge base was to be made for a project without a source file.
    .next = Add sources first, then run `loopwright init`.
session-nothing_to_roll_back = there is no checkpoint to go back to
    .when = A rollback was asked for where no checkpoint was ever made.
    .next = Make one with `loopwright checkpoint create`.
session-no_agent = no agent is there to do it
    .when = A flow or a review needs an agent, and none that is configured is installed.
    .next = Install one of the agents that `loopwright doctor` lists.

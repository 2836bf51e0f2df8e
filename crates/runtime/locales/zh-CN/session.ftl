# 会话：问题、页面与命令。
session-status-answered = 回答
session-status-waiting = 等待你的选择
session-status-running = 执行中
session-status-passed = 完成
session-status-partial = 部分完成
session-status-failed = 失败
session-status-cancelled = 已取消
session-next = 🔄 下一步: { $next }
session-next-say = 直接说出需求，或输入 ~help
session-next-wait = 等待，或执行 `loopwright cancel`
session-next-questions = `loopwright questions`，然后 `loopwright answer`
session-next-answer = loopwright answer { $id } { $keys }
session-cancelled = 已请求结束当前执行；会话状态为 { $state }。
session-detached = 会话继续进行；用 `loopwright status` 查看。
session-none = 这里还没有会话。
session-nothing = 没有需要处理的内容。
session-chat = 没有启动任何任务：这被当作对话。~help 列出所有命令。
session-failed = 失败：{ $code }
session-tests = 通过 { $passed }，失败 { $failed }，跳过 { $skipped }
session-committed = 已提交 { $commit }
session-files = 📁 文件变更: { $files }
session-repl = 直接说出需求；~help 列出命令，`exit` 退出。
session-help =
    ~auto 需求        评估、设计并开发到完成
    ~plan 需求        评估并生成方案包
    ~exec [方案包]    执行方案包
    ~init             初始化知识库
    ~upgrade          升级旧结构的知识库
    ~clean            归档遗留的方案包
    ~test             运行项目测试
    ~commit [信息]    提交所显示的内容
    ~review [路径]    审查代码
    ~validate         验证知识库和方案包
    ~rollback         回滚到检查点
    ~status           会话当前状态
    ~help             本页
    也可以直接说话：要求的修改会先被评估，对话不会启动任何任务。
session-about-more = …… 另有 { $count } 项
session-about-replace = { $running } 正在执行；请求的是 { $wanted }。
session-about-path = 流程：{ $path }（{ $name }）
session-about-score = 评分 { $total }/10：任务目标 { $goal }/3，完成标准 { $done }/3，涉及范围 { $scope }/2，限制条件 { $constraints }/2
session-about-risk = { $type }（{ $level }），位于 { $where }：{ $evidence }
session-about-package = { $name }：{ $tasks } 个任务，位于 { $path }
session-about-root = 知识库：{ $root }
session-about-cause = 原因：{ $cause }，阶段 { $stage }
session-about-failed = 失败 { $failed } 个
session-about-commit = 分支 { $branch }：新增 { $added }，修改 { $modified }，删除 { $deleted }
session-path-tweak = 微调模式
session-path-light = 轻量迭代
session-path-standard = 标准开发
session-gap-goal = 要新增或修改什么，在哪里？
session-gap-done = 怎样算完成？出错时应该怎样？
session-gap-scope = 涉及哪些文件或模块，哪些不动？
session-gap-constraints = 有什么限制：版本、依赖、截止时间？“无特殊限制”也是回答。
session-leftovers = 📦 遗留方案包: { $packages }
col-session = 会话
col-stage = 阶段

question-session-relation = 这属于当前任务吗？{ $about }
question-session-relation-current = 属于当前任务
question-session-relation-new = 新请求
question-session-relation-cancel = 取消
question-session-replace = 已有命令在执行。{ $about }
question-session-replace-keep = 继续当前命令
question-session-replace-replace = 取消当前并执行
question-session-clarify = 需求还不够清楚。{ $about }
question-session-clarify-supplement = 补充信息
question-session-clarify-proceed = 以现有需求继续
question-session-clarify-cancel = 取消
question-session-complexity = 将要执行以下内容，开始吗？{ $about }
question-session-complexity-start = 确认开始
question-session-complexity-silent = 确认执行（静默）
question-session-complexity-interactive = 交互执行
question-session-complexity-adjust = 调整模式
question-session-complexity-direct = 直接执行
question-session-complexity-force = 强制规划
question-session-complexity-cancel = 取消
question-session-risk = 极高风险。{ $about }
question-session-risk-confirm = 确认风险
question-session-risk-cancel = 取消
question-session-kb_missing = 知识库不存在。{ $about }
question-session-kb_missing-init = 执行初始化
question-session-kb_missing-skip = 跳过
question-session-kb_missing-cancel = 取消
question-session-package_gate = 方案包未通过检查。{ $about }
question-session-package_gate-fix = 修复
question-session-package_gate-force = 强制继续
question-session-package_gate-stop = 终止
question-session-design_done = 方案设计完成。{ $about }
question-session-design_done-run = 立即执行
question-session-design_done-save = 保存并结束
question-session-design_done-archive = 归档
question-session-design_done-adjust = 调整方案
question-session-design_done-cancel = 取消
question-session-package_pick = 执行哪个方案包？{ $about }
question-session-package_pick-cancel = 取消
question-session-overview = 这个方案包没有可执行任务。{ $about }
question-session-overview-archive = 归档
question-session-overview-view = 查看
question-session-overview-cancel = 取消
question-session-markers = 这个文件中的 [X] 是什么意思？{ $about }
question-session-markers-failed = 表示失败
question-session-markers-done = 表示完成
question-session-markers-cancel = 取消
question-session-failures = 有任务未完成。{ $about }
question-session-failures-continue = 继续
question-session-failures-stop = 终止
question-session-test_blocking = 项目测试失败。{ $about }
question-session-test_blocking-fix = 修复
question-session-test_blocking-skip = 跳过
question-session-test_blocking-stop = 终止
question-session-locate = 它在哪里？{ $about }
question-session-locate-path = 路径
question-session-locate-cancel = 取消
question-session-escalate = 改动超出了微调范围。{ $about }
question-session-escalate-upgrade = 升级
question-session-escalate-force = 强制继续
question-session-escalate-cancel = 取消
question-session-interrupted = 阶段被中断。{ $about }
question-session-interrupted-continue = 继续
question-session-interrupted-retry = 重试
question-session-interrupted-cancel = 取消
question-session-tool_failed = 工具执行失败。{ $about }
question-session-tool_failed-continue = 继续阶段
question-session-tool_failed-stop = 终止流程
question-session-resume_stage = 工具已结束。{ $about }
question-session-resume_stage-resume = 恢复
question-session-resume_stage-drop = 放弃
question-session-init_switch = 知识库开关已关闭。{ $about }
question-session-init_switch-continue = 继续执行
question-session-init_switch-cancel = 取消
question-session-init_mismatch = 知识库是旧的结构。{ $about }
question-session-init_mismatch-upgrade = 升级
question-session-init_mismatch-rebuild = 重建
question-session-init_mismatch-cancel = 取消
question-session-init_rebuild = 知识库已存在。{ $about }
question-session-init_rebuild-rebuild = 重建
question-session-init_rebuild-cancel = 取消
question-session-upgrade_plan = 将执行以下升级。{ $about }
question-session-upgrade_plan-run = 执行升级
question-session-upgrade_plan-details = 查看详情
question-session-upgrade_plan-cancel = 取消
question-session-upgrade_failed = 升级没有完成。{ $about }
question-session-upgrade_failed-restore = 从备份恢复
question-session-upgrade_failed-manual = 手动修复
question-session-clean_scope = 清理哪些遗留方案包？{ $about }
question-session-clean_scope-all = 全部清理
question-session-clean_scope-select = 选择性清理
question-session-clean_scope-cancel = 取消
question-session-test_command = 没有找到测试命令，用哪个？{ $about }
question-session-test_command-command = 命令
question-session-test_command-cancel = 取消
question-session-test_failed = 测试失败。{ $about }
question-session-test_failed-report = 仅记录报告
question-session-test_failed-skip = 跳过
question-session-commit_how = 将提交以下内容。{ $about }
question-session-commit_how-local = 仅本地提交
question-session-commit_how-edit = 修改信息
question-session-commit_how-cancel = 取消
question-session-review_scope = 审查哪些代码？{ $about }
question-session-review_scope-all = 全部代码
question-session-review_scope-recent = 最近修改
question-session-review_scope-staged = 暂存区
question-session-review_scope-path = 指定路径
question-session-review_scope-cancel = 取消
question-session-review_result = 审查完成。{ $about }
question-session-review_result-report = 仅记录
question-session-review_result-skip = 跳过
question-session-validate_scope = 验证哪些内容？{ $about }
question-session-validate_scope-all = 全部
question-session-validate_scope-kb = 仅知识库
question-session-validate_scope-packages = 仅方案包
question-session-validate_scope-cancel = 取消
question-session-validate_result = 验证完成。{ $about }
question-session-validate_result-report = 仅记录
question-session-validate_result-skip = 跳过
question-session-rollback_target = 回滚到哪里？{ $about }
question-session-rollback_target-cancel = 取消
question-session-rollback_conflict = 之后有其他改动。{ $about }
question-session-rollback_conflict-theirs = 覆盖本地
question-session-rollback_conflict-mine = 保留本地
question-session-rollback_conflict-manual = 手动处理
question-session-rollback_conflict-cancel = 取消
question-session-rollback_risk = 将回滚以下内容。{ $about }
question-session-rollback_risk-confirm = 确认回滚
question-session-rollback_risk-cancel = 取消

cmd-auto = 评估需求，然后静默地设计并开发
    .text = 需求
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-plan = 评估需求并生成方案包
    .text = 需求
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-exec = 执行方案包
    .package = 方案包名称或其中一部分
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-init = 初始化知识库
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-upgrade = 升级旧结构的知识库
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-clean = 归档遗留的方案包
    .packages = 哪些方案包
    .all = 全部
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-test = 运行项目测试
    .framework = 只运行这一个
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-commit = 提交所显示的内容
    .message = 提交信息
    .staged = 暂存区内容
    .all = 全部变更
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-review = 由只读代理审查代码
    .path = 路径
    .scope = 范围：all、recent 或 staged
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-validate = 验证知识库和方案包
    .scope = 范围：all、kb 或 packages
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-say = 对当前分支的会话说话
    .text = 内容
    .replace = 结束当前执行并开始这个
    .yes = 无需确认直接开始，除非显示了风险
    .answers = 提前给出的答案，形如 KIND=KEY
    .headless = 不在终端提问
cmd-status = 当前分支会话的状态
    .vars = 仅显示变量
    .branch = 另一个分支的会话
cmd-sessions = 这个工作区的会话
cmd-cancel = 结束当前分支会话中的执行
    .undo = 撤销微调的修改
    .all = 全部，而不只是最上层
    .branch = 另一个分支的会话

session-flow_active = 已有命令在执行
    .full = { $unit } 正在执行
    .when = 没有终端时启动了必须独占的命令，而另一个正在执行。
    .next = 等待它结束，用 `loopwright cancel` 结束它，或加 `--replace` 重新启动。
session-use_rollback = 只有微调的修改可以这样撤销
    .when = 要求取消并撤销的不是超出范围的微调。
    .next = 先取消，再使用 `loopwright rollback` 或 `loopwright undo`。
session-path_forced = 风险要求走更完整的流程
    .full = 风险要求走 { $path } 流程
    .when = 发现风险时选择了更短的流程。
    .next = 选择该流程，或修改需求。
session-gate_closed = 方案包没有通过检查
    .when = 要求接受一个格式不正确的方案包，或修复次数已用完。
    .next = 终止，查看方案包后重新开始。
session-not_top_frame = 最上层是别的内容
    .full = 最上层是 { $top }
    .when = 声称已结束的工具不在最上层。
    .next = 先结束最上层的；用 `loopwright status` 查看。
session-too_deep = 打开的内容过多
    .full = 最多同时打开 { $max } 层
    .when = 在过多层之上又打开了工具或命令。
    .next = 先结束其中一些；用 `loopwright status` 查看。
session-empty_project = 这里没有源代码文件
    .when = 要为没有源代码的项目建立知识库。
    .next = 先添加源代码，再执行 `loopwright init`。
session-nothing_to_roll_back = 没有可以回滚的检查点
    .when = 要求回滚，但从未建立检查点。
    .next = 用 `loopwright checkpoint create` 建立检查点。
session-no_agent = 没有可用的代理
    .when = 流程或审查需要代理，但没有安装任何已配置的代理。
    .next = 安装 `loopwright doctor` 列出的代理之一。

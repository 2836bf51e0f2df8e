# 人所读到的生命周期：为何拒绝、下一步是什么、它的问题与文档。
lifecycle-not_now = 命令不适合当前状态
    .full = { $state } 状态下不能执行 { $command }。{ $case ->
        [rolling] 正在回滚。
        [waiting] 没有工作在运行，正在等你。
       *[state] 需要处于 { $needed }。
    }
    .next = { $command ->
        [USER_MODIFY] 用 `lifecycle amend` 修改尚未开始的任务，或中止后重新开始。
       *[other] 请使用可用的命令之一。
    }
lifecycle-ended = 本次运行已结束
    .full = { $state } 状态下不能执行 { $command }。本次运行已结束（{ $outcome }），新需求会开启新的运行。
    .next = 查看它如何结束，或给出新的需求。
lifecycle-busy = 另一个运行正在此工作
    .full = { $state } 状态下不能执行 { $command }。{ $holder } 正在此工作。
lifecycle-answered = 该问题已有答复
    .full = { $state } 状态下不能执行 { $command }。该问题已有答复。
lifecycle-not_held = 并未暂停
    .full = { $state } 状态下不能执行 { $command }。并未暂停。
lifecycle-derived = 它由证据推出，不能直接发送
    .full = { $state } 状态下不能执行 { $command }。它由证据推出，不能直接发送。
    .when = 有人发送了只能由引擎在证据齐备时记录的触发器。
    .next = 让引擎检查工作，或使用可用的命令之一。
lifecycle-needs_person = 只有人可以执行此操作
    .full = { $state } 状态下不能执行 { $command }。只有人可以执行此操作。
lifecycle-plan_changed = 计划在展示后已变化
    .full = { $state } 状态下不能执行 { $command }。计划在展示后已变化。
    .next = 查看现在的计划，然后确认它。
lifecycle-definition_changed = 检查不是当初批准的那个
    .full = 检查的定义与批准时不同（{ $hash }）
    .next = 查看变化；若无误，用 `lifecycle fix --fixed --accept-definition { $hash }` 接受。
    .otherwise = 查看变化；若无误，用 `lifecycle fix --fixed --accept-definition HASH` 接受。
lifecycle-unsettled = 还没有人知道某个调用是否发生
    .full = 还没有人知道 { $call } 是否发生
    .when = 运行因结果未知的调用而停住，须先了结它。
    .next = 先说明该调用的结果，再给出修复。
lifecycle-not_current = 该任务不是正在进行的任务
    .full = { $task } 不是正在进行的任务
    .when = 有人汇报了既不在进行、也未就绪的任务。
    .next = 查看哪个任务正在进行。
lifecycle-no_task = 没有任务正在进行
    .when = 运行停住的原因不在某一个任务，因此没有可跳过的任务。
    .next = 排除原因，或回滚、中止。
lifecycle-no_run = 还没有运行
    .when = 笔记需要归属于某个运行。
    .next = 请先给出需求。
lifecycle-no_checkpoint = 没有完整的检查点可以回退
    .full = { $checkpoint } 不是完整的检查点
    .when = 检查点不存在、已损坏，或尚未建立。
    .next = 从列表中指定另一个。
lifecycle-immutable = 已开始的任务不可更改
    .full = { $tasks } 已开始，不可更改
    .when = 修订涉及不再待处理的任务。
    .next = 只修订待处理的任务，或添加新任务。
lifecycle-budget = 预算已用尽
    .next = 用 `lifecycle fix --fixed --add-turns N` 追加预算，或用 `--add-wall`、`--add-cost-usd`。
lifecycle-no_such-task = 没有这个任务
    .full = 没有名为 { $id } 的任务
    .next = 使用相近的任务编号：{ $near }。
    .otherwise = 查看任务并使用其中的编号。
lifecycle-invalid_args = 字段不合规
    .full = { $field }：{ $problem }
lifecycle-use_command = 这要用命令，不能靠修改文件
    .full = { $what } 由命令更改，不能靠修改文件
    .when = 有人修改了页面中只用于展示状态的键。
    .next = 请使用可用的命令之一。
lifecycle-unparsable = 页面无法读取
    .full = 页面第 { $line } 行无法读取：{ $why }
    .when = 页面被改得无法读取，因此整份被拒绝。
    .next = 你的文件已保存；请把需要的内容写入现在绘制的页面。
any-use_amend = 这要用计划修订，不能靠修改文件
    .when = 有人修改了任务行中标记以外的内容。
    .next = 用修订来更改尚未开始的任务。
any-view_only = 这里只用于展示
    .when = 有人修改了由状态绘制、没有对应命令的内容。
    .next = 请写入草稿区；其余部分会重新绘制。

lifecycle-broken-too_large = 文件太大
lifecycle-broken-not_utf8 = 不是 UTF-8
lifecycle-broken-no_fence = 前置区没有以 --- 开头
lifecycle-broken-open_fence = 前置区没有以 --- 结束
lifecycle-broken-duplicate_key = 键重复出现：{ $found }
lifecycle-broken-anchor = 不读取锚点与别名：{ $found }
lifecycle-broken-tag = 不读取标签：{ $found }
lifecycle-broken-not_a_pair = 这不是 `键: 值`：{ $found }
lifecycle-broken-nested = 键应位于行首：{ $found }
lifecycle-broken-collection = 不读取列表与映射：{ $found }
lifecycle-broken-block_text = 不读取多行文本：{ $found }
lifecycle-broken-open_quote = 引号没有闭合：{ $found }
lifecycle-broken-bad_escape = 没有这种转义：{ $found }
lifecycle-broken-after_quote = 闭合引号之后还有内容：{ $found }
lifecycle-broken-no_section = 缺少标题：{ $found }

lifecycle-page-notice = 对 { $file } 的修改未被接受：{ $what }
lifecycle-page-warned = 对 { $file } 的修改已接受，但有疑问：{ $what }
lifecycle-page-use_command = 第 { $line } 行：{ $what } 由命令更改
lifecycle-page-use_amend = 第 { $line } 行：{ $what } 由修订更改
lifecycle-page-view_only = 第 { $line } 行：这里只用于展示（{ $what }）
lifecycle-page-use_amend-whole = 其内容由修订更改
lifecycle-page-view_only-whole = 它只用于展示
lifecycle-page-invalid_args = 第 { $line } 行：{ $what } 太长
lifecycle-page-unparsable = 第 { $line } 行：{ $what }
lifecycle-page-conflict = 它所依据的页面太旧
lifecycle-page-no_effect = 对正在执行的方案包没有影响
lifecycle-page-secret = 其中含有机密；请通过 `env.pass` 传递机密
lifecycle-page-refused = 第 { $line } 行：{ $what } 被拒绝（{ $code }）
lifecycle-page-next = 现在可用：{ $allowed }。
lifecycle-page-next-none = 现在只能读取。
lifecycle-page-next-command = 请使用 `{ $command }`。
lifecycle-no-change = 没有任何改变
lifecycle-mark-foreign_mark = 第 { $line } 行：[{ $found }] 是其他工具的标记，按 { $status } 读取
lifecycle-mark-unknown_mark = 第 { $line } 行：没有人认识标记 [{ $found }]，按 { $status } 读取
lifecycle-mark-ambiguous_mark = 第 { $line } 行：[{ $found }] 可能表示完成或失败，按 { $status } 读取
lifecycle-mark-mark_disagrees = 第 { $line } 行：[{ $found }] 的符号与文字不一致，按 { $status } 读取
lifecycle-mark-command_in_prose = 第 { $line } 行：文字中的命令不会运行：{ $found }

lifecycle-plan-problem = 第 { $line } 行：{ $what }
lifecycle-plan-too_large = 文档太大
lifecycle-plan-not_utf8 = 文档不是 UTF-8
lifecycle-plan-no_tasks = 其中没有任务；请写成 `- [ ] T-1: 标题`
lifecycle-plan-too_many_tasks = { $found } 个任务超出一份计划的上限
lifecycle-plan-no_id = 任务没有编号：{ $found }；请写成 `- [ ] T-1: { $found }`
lifecycle-plan-bad_id = 这不能作为编号：{ $found }
lifecycle-plan-no_title = 任务没有标题：{ $found }
lifecycle-plan-duplicate_id = 编号重复：{ $found }
lifecycle-plan-too_deep = 编号超过三级：{ $found }
lifecycle-plan-unknown_dependency = 依赖了不存在的任务：{ $found }
lifecycle-plan-cycle = 任务循环依赖：{ $found }
lifecycle-plan-bad_path = 这不是工作区内的路径：{ $found }
lifecycle-plan-bad_command = 该命令无法照此运行：{ $found }

question-lifecycle-plan = 计划未能生成，要怎么做？{ $about }
question-lifecycle-plan-retry = 再试一次（会重新读取计划文档）
question-lifecycle-plan-modify = 换一种说法（附上新的内容）
question-lifecycle-plan-cancel = 取消
question-lifecycle-confirm = 可以执行此计划吗？{ $about }
question-lifecycle-confirm-go = 执行
question-lifecycle-confirm-modify = 重新规划（附上要改什么）
question-lifecycle-confirm-cancel = 取消
question-lifecycle-blocked = 已停住：{ $about }。要怎么做？
question-lifecycle-blocked-fix = 按你写的建议继续；不写则表示已修好，重新检查
question-lifecycle-blocked-rollback = 回到上一个检查点
question-lifecycle-blocked-skip = 跳过该任务及依赖它的任务
question-lifecycle-blocked-abort = 到此结束，文件保持原样
question-lifecycle-rollback = 可以这样回退吗？{ $about }
question-lifecycle-rollback-go = 回退
question-lifecycle-rollback-cancel = 一切保持原样

lifecycle-state-idle = 空闲
lifecycle-state-planning = 规划中
lifecycle-state-confirming = 待确认
lifecycle-state-executing = 执行中
lifecycle-state-auto-fix = 自动修复
lifecycle-state-blocked = 阻塞
lifecycle-state-archiving = 归档中

lifecycle-halted-rule = 规则 { $rule } 拒绝了它
lifecycle-halted-cancelled = 该回合已由{ $by }取消
lifecycle-halted-rollback = 停在 { $at }：{ $why }。已恢复 { $done } 个路径，还有 { $left } 个未恢复；再次回滚即可继续。回滚前的内容保存为 { $undo }
lifecycle-closed-evidence = 检查已通过
lifecycle-closed-person = 由用户决定
lifecycle-closed-dependency = 所依赖的任务未完成
lifecycle-closed-policy = on_failure = continue
lifecycle-warned-no_checkpoint = 未能建立检查点：{ $what }
lifecycle-warned-flaky = { $what } 在先前失败的同一批文件上通过了
lifecycle-warned-self_modifying = { $what } 会改动它所检查的文件
lifecycle-warned-unavailable = 一项非必需的检查无法运行：{ $what }
lifecycle-warned-fail = { $what } 失败，但不是必需的检查
lifecycle-warned-empty = { $what } 没有运行任何测试
lifecycle-child-refused = { $what }。{ $next }
lifecycle-why-fix_limit = 允许的修复全部失败
lifecycle-why-same_failure = 同样的失败再次出现
lifecycle-why-force_stop = 有人停止了修复
lifecycle-why-cannot_verify = 某个检查无法运行
lifecycle-why-definition_changed = 检查的定义与批准时不同
lifecycle-why-tree_moving = 检查期间文件一直在变化
lifecycle-why-outcome_unknown = 没有人知道某个调用是否发生
lifecycle-why-policy_denied = 被策略或人拒绝
lifecycle-why-io = 文件系统或进程出错
lifecycle-why-agent_unavailable = 没有可用的代理
lifecycle-why-agent_blocked = 代理没有继续下去
lifecycle-why-quota = 代理达到速率限制
lifecycle-why-checkpoint_failed = 无法建立检查点
lifecycle-why-branch_changed = 检出了另一个分支
lifecycle-why-budget = 预算已用尽
lifecycle-why-rollback_failed = 回滚中途停止

lifecycle-outcome-completed = 已完成
lifecycle-outcome-partial = 部分完成
lifecycle-outcome-aborted = 已中止
lifecycle-outcome-rolled_back = 已回滚
lifecycle-outcome-cancelled = 已取消

lifecycle-pointer-interrupted = 任务 { $task } 曾中断，正在继续。
lifecycle-pointer-stuck = 任务 { $task } 卡住了，需要你处理。
lifecycle-pointer-plan = 有一份计划等你答复。

# 句中的说话者。
speaker-person = 用户
speaker-guest = 访客
speaker-agent = 代理
speaker-parent = 上级运行
speaker-file = 页面的改动
speaker-timer = 定时器
speaker-engine = 引擎
speaker-policy = on_failure = continue 设置

# 向人提出的问题：正文的键为 `question-<kind>`，选项的标签为 `question-<kind>-<key>`。
question-call-ask = 可以运行这条命令吗？{ $about }
question-call-ask-allow = 允许
question-call-ask-deny = 拒绝
question-call-settle = 无人知道这次调用是否发生。结果如何？{ $about }
question-call-settle-happened = 已经发生
question-call-settle-did_not_happen = 没有发生
question-call-settle-undo = 撤销它
question-loop-menu = 下一步做什么？{ $about }
question-loop-unverified = 检查无法证明工作正确（{ $about }）。怎么办？
question-loop-paused = 循环停下了。{ $about } 怎么办？
question-collab-confirm = 结果已降级。怎么处理？{ $about }
question-collab-confirm-accept = 使用降级结果
question-collab-confirm-override = 仍然继续
question-collab-confirm-wait = 继续等待
question-collab-confirm-cancel = 取消执行
question-other = { $kind }：{ $about }

cmd-questions = 所有待答的问题，最早的在前
    .run = 只列该运行及其下属运行的问题
cmd-answer = 回答一个待答的问题
    .question = 问题的编号、其唯一的开头，或只提了一个问题的运行
    .key = 选项的键、序号或完整标签
    .text = 随回答附上的文字
    .hash = 仅当所问仍与此一致时才回答
    .scope = 同意的范围：once（一次）或 session（本流程）
cmd-drive-zhi = 通过 MCP 服务向人提问；只由本程序启动
    .dir = 该调用的目录
    .request = 问什么、向谁问

questions-none = 没有待答的问题。
questions-item = { $id }（{ $machine }，自 { $since }）
questions-option = { $n }. { $key }  { $label }
questions-with = 用 `loopwright answer { $id } KEY` 回答。
questions-by = 用 `{ $command }` 回答。
questions-with-text = 用 `loopwright answer { $id } KEY --text TEXT` 回答。
questions-until = 将于 { $until } 自行关闭。
questions-type = 输入序号或键，以及要附上的文字。
questions-yes-alone = 同意须单独成行；刚才的输入不算同意。请单独输入，或给出别的回答。
questions-answered = 已用 { $key } 回答 { $id }；{ $run } 现为 { $state }。

any-unknown_option-answer = 没有提供这个回答
    .full = { $option } 不在 { $question_id } 的回答之列
    .next = 使用其中一个键：{ $offered }。
any-no_such-question = 没有这个待答的问题
    .full = 没有名为 { $id } 的待答问题
    .next = 查看待答的问题并使用其编号。
any-ambiguous_command-question = 该名称符合多个问题
    .full = { $command } 符合多个问题：{ $candidates }
    .next = 写出所指问题的完整编号。

zhi-again = 上一条回复不是任何一个选项，已作为评论保留。请选择一项。
zhi-hint-override = 需要写明理由

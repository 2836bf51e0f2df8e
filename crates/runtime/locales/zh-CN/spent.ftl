# 运行的花费：时间、令牌、金额。未知的如实说明，绝不当作零。
cmd-usage = 一次运行及其下级（或全部运行）的时间、令牌与费用
    .run = 运行，或其编号的唯一开头；省略则为全部运行
col-calls = 调用
col-attempts = 尝试
col-retries = 重试
col-tokens-in = 输入令牌
col-tokens-out = 输出令牌
col-cached = 缓存
col-reasoning = 推理
col-cost = 费用（美元）
col-active = 活动时间
usage-untold = 未告知
usage-at-least = 至少 { $told }
usage-unpriced = 未定价
usage-part-priced = { $told } + 未定价

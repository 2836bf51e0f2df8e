# 脚本代理的场景文件有何问题，以及无法演出时说什么。
scenario-unreadable = { $at }：无法读取：{ $why }
scenario-too-large = { $at }：超过 { $max } 字节
scenario-syntax = { $at }：无法按 TOML 读取：{ $why }
scenario-no-rules = { $at }：没有规则；请至少写一个 [[rule]]
scenario-unknown = { $at }：未知的键或步骤 { $key }
scenario-unknown-near = { $at }：未知的键或步骤 { $key }；相近：{ $nearest }
scenario-missing = { $at }：缺少 { $key }
scenario-shape = { $at }：{ $key } 应写作 { $expected }
scenario-not-listed = { $at }：{ $key } 应为以下之一：{ $known }
scenario-range = { $at }：{ $key } 必须是 { $min } 到 { $max } 之间的整数
scenario-pattern = { $at }：{ $key } 不是正则表达式：{ $why }
scenario-variable = { $at }：{ $key } 引用了未知变量 { $name }；已知：{ $known }
scenario-outside = { $at }：{ $key } 指向工作目录之外
script-no-rule = { $file } 中没有规则适合第 { $launch } 次启动的这个提示
script-no-call-dir = { $dir } 不是调用目录：{ $why }
script-no-prompt = 无法读取提示：{ $why }

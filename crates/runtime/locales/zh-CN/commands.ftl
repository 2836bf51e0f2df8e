# 命令树的帮助：`cmd-<路径>`，参数写作属性。每条一短行。
cmd = 编码代理的持久控制平面
    .json = 输出一个 JSON 值而非文本
    .lang = 语言：en 或 zh-CN
    .workspace = 工作目录
    .allow-foreign-owner = 允许使用属于他人的目录
    .help = 显示本页
    .version = 显示版本
cmd-explain = 错误码的含义与处理办法
    .code = 错误信息中显示的错误码
    .list = 列出全部错误码
cmd-completions = 生成 shell 补全脚本
    .shell = bash、zsh 或 fish
cmd-help = 显示某个命令的帮助
    .path = 命令
cmd-__cli-md = 以 markdown 输出命令参考

help-usage = 用法：
help-commands = 命令
help-arguments = 参数
help-options = 选项
help-next = 下一步：loopwright runs

col-code = 错误码
col-meaning = 含义

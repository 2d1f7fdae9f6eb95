// SPDX-License-Identifier: MIT

/// The fish completion script for `gpsbridge`, to be installed in
/// `share/fish/vendor_completions.d`.
enum FishCompletions {
    static var script: String {
        var lines = [
            "# fish completion for gpsbridge, made by `gpsbridge --completions fish`",
            "complete -c gpsbridge -f",
        ]
        for table in CommandTable.all {
            let first = "__fish_use_subcommand"
            lines.append(
                "complete -c gpsbridge -n \(first) -a \(table.name) -d '\(quoted(table.summary))'")
            let condition = "'__fish_seen_subcommand_from \(table.name)'"
            if table.takesFiles { lines.append("complete -c gpsbridge -n \(condition) -F") }
            lines += table.options.map { line($0, where: condition) }
        }
        lines += CommandTable.overview.options.map { line($0, where: "__fish_use_subcommand") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ option: OptionDescription, where condition: String) -> String {
        var line = "complete -c gpsbridge -n \(condition) -l \(option.name)"
        if let letter = option.letter { line += " -s '\(letter)'" }
        if option.isValueOptional {
            // Without -r, fish offers the values only after `=`.
            line += " -f"
        } else if option.value != nil {
            line += option.takesFile ? " -r -F" : " -x"
        }
        if !option.choices.isEmpty {
            line += " -a '\(option.choices.joined(separator: " "))'"
        }
        return line + " -d '\(quoted(option.help))'"
    }

    private static func quoted(_ text: String) -> String {
        text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}

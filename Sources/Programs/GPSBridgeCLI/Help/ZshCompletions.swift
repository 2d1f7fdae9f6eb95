// SPDX-License-Identifier: MIT

/// The zsh completion script for `gpsbridge`, to be installed as `_gpsbridge` in a folder of
/// `fpath`.
enum ZshCompletions {
    static var script: String {
        let tables = CommandTable.all
        let commands = tables.map { "        '\($0.name):\(quoted($0.summary))'" }
        let cases = tables.map { table in
            let arguments =
                table.options.map { option($0) } + (table.takesFiles ? ["'*:file:_files'"] : [])
            return "    \(table.name))\n        _arguments -s \\\n            "
                + arguments.joined(separator: " \\\n            ") + "\n        ;;"
        }
        let overview = CommandTable.overview.options.map { option($0) }
        return """
            #compdef gpsbridge
            # made by `gpsbridge --completions zsh`
            _gpsbridge() {
                local -a commands
                commands=(
            \(commands.joined(separator: "\n"))
                )
                if [[ $words[2] == -* ]]; then
                    _arguments -s \\
                        \(overview.joined(separator: " \\\n            "))
                    return
                fi
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                local command=$words[2]
                shift words
                (( CURRENT-- ))
                case $command in
            \(cases.joined(separator: "\n"))
                esac
            }
            _gpsbridge "$@"

            """
    }

    private static func option(_ option: OptionDescription) -> String {
        let help = quoted(option.help)
        var value = ""
        if let name = option.value {
            let action =
                option.takesFile
                ? "_files"
                : option.choices.isEmpty ? " " : "(\(option.choices.joined(separator: " ")))"
            // A value that may be omitted begins with two colons.
            value = (option.isValueOptional ? "::" : ":") + "\(quoted(name)):\(action)"
        }
        // With `=-`, the value is in the same word as the option.
        let mark = option.value == nil ? "" : option.isValueOptional ? "=-" : "="
        let long = "--\(option.name)\(mark)"
        guard let letter = option.letter else { return "'\(long)[\(help)]\(value)'" }
        let short = "-\(letter)" + (option.value == nil ? "" : "+")
        return "'(-\(letter) --\(option.name))'{'\(short)','\(long)'}'[\(help)]\(value)'"
    }

    /// Escapes text for a zsh completion specification, such as `'--every[help]:SECONDS:'`. There,
    /// the text is within single quotes, and within brackets or between colons.
    private static func quoted(_ text: String) -> String {
        text.map { character in
            switch character {
            case "'": "'\\''"
            case ":", "[", "]", "\\": "\\\(character)"
            default: String(character)
            }
        }.joined()
    }
}

// SPDX-License-Identifier: MIT
import GNSS

/// A shell for which completions can be printed.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The completion script for `gpsbridge`.
    var completions: String {
        switch self {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}

/// The bash completion script for `gpsbridge`, to be installed in
/// `share/bash-completion/completions`.
private enum BashCompletions {
    static var script: String {
        let tables = CommandTable.all
        let names = tables.map(\.name).joined(separator: " ")
        let overview = CommandTable.overview.options
        let first = overview.map { "--\($0.name)" }.joined(separator: " ")
        let values =
            tables.flatMap { table in table.options.compactMap { value(table.name, $0) } }
            + overview.compactMap { value("--\($0.name)", $0) }
        let options = tables.map { table in
            let names = table.options.map { option in
                "--\(option.name)" + (option.value == nil || option.isValueOptional ? "" : "=")
            }
            return "    \(table.name)) options='\(names.joined(separator: " "))' ;;"
        }
        let files = tables.filter(\.takesFiles).map(\.name).joined(separator: "|")
        return """
            # bash completion for gpsbridge, made by `gpsbridge --completions bash`
            _gpsbridge() {
                local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                local command=${COMP_WORDS[1]} options= joined=
                COMPREPLY=()
                # --option=value comes as three words.
                if [[ $current == = ]]; then
                    current= joined=1
                elif [[ $before == = ]]; then
                    before=${COMP_WORDS[COMP_CWORD-2]} joined=1
                fi
                [[ ${COMP_WORDS[COMP_CWORD]} != = ]] || before=${COMP_WORDS[COMP_CWORD-1]}
                if (( COMP_CWORD == 1 )); then
                    COMPREPLY=($(compgen -W '\(names) \(first)' -- "$current"))
                    return
                fi
                case "$command $before" in
            \(values.joined(separator: "\n"))
                esac
                case $command in
            \(options.joined(separator: "\n"))
                esac
                if [[ $current == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$current"))
                    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
                    return
                fi
                case $command in
                \(files)) _gpsbridge_files ;;
                esac
            }
            _gpsbridge_files() {
                local IFS=$'\\n'
                compopt -o filenames 2>/dev/null
                COMPREPLY=($(compgen -f -- "$current"))
            }
            complete -F _gpsbridge gpsbridge

            """
    }

    /// Returns the `case` branch that completes an option's value; `nil` for options without a
    /// value. `first` is the word before the option: a command, or an option of `gpsbridge` itself.
    private static func value(_ first: String, _ option: OptionDescription) -> String? {
        guard option.value != nil else { return nil }
        var pattern = "\"\(first) --\(option.name)\""
        if let letter = option.letter { pattern += "|\"\(first) -\(letter)\"" }
        let choices = option.choices.joined(separator: " ")
        let completion = "COMPREPLY=($(compgen -W '\(choices)' -- \"$current\")); return"
        let action: String
        if option.choices.isEmpty {
            action = option.takesFile ? "_gpsbridge_files; return" : "return"
        } else {
            // A value that may be omitted is never a separate word.
            action =
                option.isValueOptional ? "if [[ $joined ]]; then \(completion); fi" : completion
        }
        return "    \(pattern)) \(action) ;;"
    }
}

/// The fish completion script for `gpsbridge`, to be installed in
/// `share/fish/vendor_completions.d`.
private enum FishCompletions {
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

/// The zsh completion script for `gpsbridge`, to be installed as `_gpsbridge` in a folder of
/// `fpath`.
private enum ZshCompletions {
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

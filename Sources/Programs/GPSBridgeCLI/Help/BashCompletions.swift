// SPDX-License-Identifier: MIT

/// The bash completion script for `gpsbridge`, to be installed in
/// `share/bash-completion/completions`.
enum BashCompletions {
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

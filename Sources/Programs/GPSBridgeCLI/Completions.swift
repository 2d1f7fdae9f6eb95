// SPDX-License-Identifier: MIT

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

// SPDX-License-Identifier: MIT

/// A shell that completes words.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The shell's completions of `gpsbridge`.
    var completions: String {
        switch self {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}

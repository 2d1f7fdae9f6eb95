// SPDX-License-Identifier: MIT

/// A shell that completes words.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// What the shell reads to complete `gpsbridge`.
    var completions: String {
        switch self {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}

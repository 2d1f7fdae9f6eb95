// SPDX-License-Identifier: MIT
import GNSS

/// The texts about a session for users of `configure` and of a server.
package enum ConfigurationText {
    /// Returns a line for the user; `nil` if there is nothing to report.
    package static func text(_ progress: ConfigurationProgress, isDryRun: Bool) -> String? {
        switch progress {
        case .identified(let identity): "found \(identity)"
        case .state, .verifying: nil
        case .changes(let changes):
            changes.isEmpty
                ? "nothing to change"
                : (isDryRun ? "would change " : "changing ")
                    + changes.map(\.description).joined(separator: ", ")
        case .changing: nil
        case .lost: "the receiver is gone: waiting for it to come back"
        case .restoring(let error): "restoring the settings of before: \(error)"
        }
    }

    /// Returns the text after an error: the receiver's state.
    package static func text(_ rollback: ConfigurationRollback) -> String {
        switch rollback {
        case .unchanged: " (nothing was changed)"
        case .restored: " (the settings of before are in effect again)"
        case .kept: " (the new settings are in effect)"
        case .pending: " (the next start restores the settings of before)"
        }
    }

    /// Returns lines with the settings in effect, where others are stored, and what was done.
    package static func lines(_ report: ConfigurationReport) -> [String] {
        var lines: [String] = []
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            lines.append(name + String(repeating: " ", count: max(1, 24 - name.count)) + value)
        }
        if let state = report.after ?? report.before {
            add("receiver", "\(state.identity)")
            add("protocol", state.identity.protocolVersion.map { "\($0)" })
            add("port", state.port)
            for setting in settings(state.configuration) { add(setting.name, plain(setting.new)) }
            for storage in ReceiverState.Storage.allCases {
                guard let stored = state.stored[storage] else { continue }
                let others = state.configuration.differences(to: stored)
                let text = others.map { "\($0.name) \(plain($0.new))" }.joined(separator: ", ")
                add("in \(storage.rawValue)", others.isEmpty ? "the same" : text)
            }
        }
        add("measured", report.measuredRate.map { "\(String($0, decimals: 1)) fixes per second" })
        for answer in report.answers { add("answer", answer) }
        if let saved = report.saved { add("saved", saved.explanation) }
        return lines
    }

    /// Returns a value without the marks of TOML: `gps, glonass`.
    private static func plain(_ value: String) -> String { value.filter { !"[]\"".contains($0) } }

    private static func settings(_ configuration: ReceiverConfiguration) -> [ConfigurationChange] {
        ReceiverConfiguration().differences(to: configuration)
    }
}

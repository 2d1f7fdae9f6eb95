// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// Texts about a session for users of `configure` and of a server.
package enum ConfigurationText {
    /// Returns a line for the user about the progress of a request; `nil` if there is nothing to
    /// report.
    package static func text(
        _ progress: ConfigurationProgress, of request: ConfigurationRequest
    ) -> String? {
        switch progress {
        case .identified(let identity): "found \(identity)"
        case .reading(let seconds, let answers):
            "reading the settings for \(seconds) s: \(answers) answers so far, because the line is slow"
        case .state, .verifying: nil
        case .changes(let changes) where request.isDryRun: plan(changes, of: request)
        case .changes([]): nothingToChange
        case .changes(let changes): "changing " + list(changes)
        case .changing: nil
        case .lost: ConditionReporter.lossMessage("the receiver")
        case .restoring(let error): "restoring the previous settings: \(error)"
        case .recovered(nil): "undid an interrupted change to the receiver's settings"
        case .recovered(let error?):
            "could not undo an interrupted change to the receiver's settings: \(error)"
        }
    }

    private static let nothingToChange = "nothing to change"

    private static func list(_ changes: [ConfigurationChange]) -> String {
        changes.map(\.description).joined(separator: "; ")
    }

    /// Returns a description of the actions that a request would perform, in the order in which a
    /// session performs them.
    private static func plan(
        _ changes: [ConfigurationChange], of request: ConfigurationRequest
    ) -> String {
        var actions: [String] = []
        if request.resetsToFactory { actions.append("restore the factory settings") }
        if !changes.isEmpty { actions.append("change " + list(changes)) }
        let count = request.messages.count
        if count > 0 { actions.append(count == 1 ? "send a message" : "send \(count) messages") }
        if request.saves { actions.append("save the settings") }
        if let restart = request.restart { actions.append("make a \(restart.rawValue) start") }
        return actions.isEmpty
            ? nothingToChange : "would " + actions.joined(separator: ", then ")
    }

    /// Returns the text that is appended to an error to explain the receiver's state.
    package static func text(_ rollback: ConfigurationRollback) -> String {
        switch rollback {
        case .unchanged: " (nothing was changed)"
        case .restored: " (the previous settings are in effect again)"
        case .partlyRestored:
            " (the previous settings are in effect again, except those that the receiver does not "
                + "report; those that were reset have their factory values)"
        case .kept: " (changes made before this error remain in effect)"
        case .pending: " (gpsbridge restores the previous settings when it is started again)"
        }
    }

    /// Returns lines with the settings in effect, the settings that differ in other memories, and
    /// the results of the session.
    package static func lines(_ report: ConfigurationReport) -> [String] {
        var lines: [String] = []
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            lines.append(line(name, value))
        }
        if let state = report.after ?? report.before {
            add("receiver", "\(state.identity)")
            // As u-blox and ubxtool write it: 34.10.
            add("protocol", state.identity.protocolVersion.map { String($0, decimals: 2) })
            add("port", state.port)
            for setting in settings(state.configuration) {
                add(setting.name, ConfigurationChange.plain(setting.new))
            }
            for port in state.ports { add(port.name, text(port)) }
            for storage in ReceiverState.Storage.allCases {
                guard let stored = state.stored[storage] else { continue }
                let others = state.configuration.differences(to: stored)
                let text = others.map { "\($0.name) \(ConfigurationChange.plain($0.new))" }
                    .joined(separator: "; ")
                add("in \(storage.rawValue)", others.isEmpty ? "the same settings" : text)
            }
        }
        add("measured", report.measuredRate.map { "\(String($0, decimals: 1)) fixes per second" })
        for answer in report.answers { add("answer", answer) }
        if let saved = report.saved { add("saved", saved.explanation) }
        return lines
    }

    /// Returns lines about the warm start data that is stored for the receiver.
    package static func lines(_ data: WarmStartData) -> [String] {
        let fixes = [
            ("with stored data", data.firstFixes.withData),
            ("without", data.firstFixes.withoutData),
        ].compactMap { name, seconds in
            seconds.map { "\(String($0, decimals: 1)) s \(name)" }
        }
        let entries = data.entries.isEmpty ? "" : ", \(data.entries.count) database entries"
        let stored = line("stored", "\(data.time): time and position\(entries)")
        return (fixes.isEmpty ? [] : [line("first fix", fixes.joined(separator: ", "))]) + [stored]
    }

    private static func text(_ port: ReceiverState.Port) -> String {
        func list(_ protocols: [String]) -> String {
            protocols.isEmpty ? "nothing" : protocols.joined(separator: ", ")
        }
        return (port.baudRate.map { "\($0) baud, " } ?? "")
            + "accepts \(list(port.input)); sends \(list(port.output))"
    }

    private static func line(_ name: String, _ value: String) -> String {
        name + String(repeating: " ", count: max(1, 24 - name.count)) + value
    }

    private static func settings(_ configuration: ReceiverConfiguration) -> [ConfigurationChange] {
        ReceiverConfiguration().differences(to: configuration)
    }
}

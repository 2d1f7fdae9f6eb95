// SPDX-License-Identifier: MIT
import GNSS
package import GPSReceivers

/// The options for integrity alarms.
package struct AlarmArguments: Sendable {
    /// Whether positions are marked or dropped during an alarm.
    package var policy = AlarmPolicy.mark
    /// The command to run when an alarm begins or ends; `nil` for none.
    package var command: String?

    /// The options `--on-alarm` and `--alarm-command`.
    package static let options: [CommandOption<AlarmArguments>] = [
        .init(
            "on-alarm", value: "mark|drop", choices: AlarmPolicy.allCases.map(\.rawValue),
            help: "During an integrity alarm, mark the positions (default) or drop them"
        ) {
            guard let policy = AlarmPolicy(rawValue: $1) else {
                throw UsageError("not a value for --on-alarm: '\($1)' (expected mark or drop)")
            }
            $0.policy = policy
        },
        .init(
            "alarm-command", value: "COMMAND",
            help:
                "Run COMMAND with the shell when an alarm begins or ends; $1 is the state, $2 the device, "
                + "$3 the reasons, $4 the kind (integrity or anchor)"
        ) { $0.command = $1 },
    ]

    /// Creates the default options.
    package init() {}

    /// Applies the options to this process's receivers while `body` runs.
    package func whileActive(_ body: () async throws -> Void) async throws {
        ReceiverPool.shared.alarmPolicy = policy
        guard let command else { return try await body() }
        try await AlarmCommand.run(command, while: body)
    }
}

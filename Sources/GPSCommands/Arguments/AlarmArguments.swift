// SPDX-License-Identifier: MIT
import Delegation
package import GPSReceivers

/// The options for integrity alarms.
package struct AlarmArguments: Sendable {
    /// What happens to positions during an alarm: they are marked or dropped.
    package var policy = AlarmPolicy.mark
    /// The command to run when an alarm begins or ends; `nil` for none.
    package var command: String?

    /// Creates the default options.
    package init() {}

    /// Applies the options to this process's receivers while `body` runs.
    package func whileActive(_ body: () async throws -> Void) async throws {
        ReceiverPool.shared.alarmPolicy = policy
        let subscription = command.map { AlarmCommand.run($0) }
        defer { withExtendedLifetime(subscription) {} }
        try await body()
    }
}

// SPDX-License-Identifier: MIT
import GPSReceivers
import Synchronization

/// Prints what a command waits for, until its receiver has been opened.
final class WaitingMessages: Sendable {
    /// Creates the messages; `nil` after the receiver has been opened.
    private let reporter: Mutex<ConditionReporter?>

    init(_ source: any DeviceSource) {
        reporter = Mutex(ConditionReporter(source, .whenUseful))
    }

    /// Prints a message if the update reports that no receiver has been found. Other errors end the
    /// command, which prints them itself.
    func receive(_ update: ReceiverUpdate) {
        guard case .condition(let condition, _) = update else { return }
        if condition.isOpen { reporter.withLock { $0 = nil } }
        guard case .waiting(let error) = condition,
            error.code == .notFound || error.code == .noReceiver,
            case .message(let text)? = reporter.withLock({ $0?.report(update) })
        else { return }
        StandardError.print(text)
    }
}

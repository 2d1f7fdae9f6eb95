// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// Sends a line for each change of a receiver's fix state.
final class FixStateFeed: Sendable {
    private struct State {
        var receiver: ReceiverModel
        var line = ""
    }

    private let end = Promise<Bool>()
    private let source: any DeviceSource
    private let outbox: Outbox
    private let log: MessageLog
    private let state: Mutex<State>

    init(_ source: any DeviceSource, to destination: Outbox.Destination, log: MessageLog) {
        (self.source, self.log) = (source, log)
        state = Mutex(State(receiver: ReceiverModel(source, .whenUseful)))
        outbox = Outbox(
            destination, limit: 65_536,
            events: Outbox.Events { [end] in end.reject(IOError(.write, "", errno: $0)) })
    }

    /// Reads the receiver until the source ends. Returns `false` if it ended with an error, which
    /// has been logged. Throws any other error.
    func run(in pool: ReceiverPool = .shared) async throws -> Bool {
        let subscription = pool.join(source) { self.receive($0) }
        defer { subscription.dispose() }
        let isRegular = try await end.value
        try await outbox.finish()
        return isRegular
    }

    private func receive(_ update: ReceiverUpdate) {
        switch state.withLock({ $0.receiver.receive(update) }) {
        case .message(let message): log(message, update.level)
        case .failure(let error): end.reject(error)
        case nil: break
        }
        switch update {
        case .epoch(let epoch):
            send("\(FixQualityText.text(epoch.fix)) (\(epoch.origin.rawValue))\n")
        case .condition(.waiting, _), .condition(.silent, _), .condition(.lost, _):
            send("no data\n")
        case .condition(.ended(let ending), _):
            send("no data\n")
            end.fulfill(ending.error == nil)
        case .condition, .notice, .satellites: break
        }
    }

    private func send(_ line: String) {
        let isNew = state.withLock { state in
            defer { state.line = line }
            return line != state.line
        }
        if isNew { outbox.send(droppable: Array(line.utf8)) }
    }
}

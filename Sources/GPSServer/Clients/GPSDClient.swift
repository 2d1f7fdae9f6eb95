// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Synchronization

/// A client that speaks gpsd's protocol.
package final class GPSDClient: ReportRecipient {
    /// The time limit for receiving a request.
    private static let timeout = Duration.seconds(10)

    private let connection: ClientConnection
    private let hub: ReportHub
    private let snapshot: @Sendable () -> ServerSnapshot
    /// Changes a receiver and returns the reply; `nil` if clients may not change receivers.
    private let control: (@Sendable (ReceiverChange) async -> [UInt8])?

    package init(
        _ connection: ClientConnection, hub: ReportHub,
        control: (@Sendable (ReceiverChange) async -> [UInt8])? = nil,
        snapshot: @escaping @Sendable () -> ServerSnapshot
    ) {
        self.connection = connection
        self.hub = hub
        self.control = control
        self.snapshot = snapshot
    }

    package func send(reports: [UInt8]) {
        connection.send(reports: reports)
    }

    /// Answers requests until the client disconnects or the task is cancelled.
    package func serve() async {
        await withTaskCancellationHandler {
            connection.send(kept: GPSDConversation.greeting)
            hub.set(ReportFilter(), for: self)
            await answer()
            hub.remove(self)
            connection.close()
        } onCancel: {
            connection.close()
        }
    }

    private func answer() async {
        var conversation = GPSDConversation(allowsControl: control != nil)
        var watch = conversation.watch
        var deadline: MonotonicInstant?
        while true {
            switch await connection.read(until: deadline) {
            case .bytes(let bytes):
                conversation.push(bytes)
                // One after the other: output for a client that does not read is bounded.
                while !Task.isCancelled, let reply = conversation.nextReply(snapshot) {
                    switch reply {
                    case .lines(let lines): await connection.send(reply: lines)
                    case .change(let change):
                        await connection.send(reply: control?(change) ?? [])
                    }
                    guard conversation.watch != watch else { continue }
                    watch = conversation.watch
                    hub.set(ReportFilter(watch), for: self)
                }
            case .silence: await connection.send(reply: conversation.expire())
            // A client that closes its sending side is gone, as with gpsd.
            case .end, .hangup, .cancelled, .failed: return
            }
            deadline =
                conversation.isUnfinished ? deadline ?? connection.poller.now + Self.timeout : nil
        }
    }
}

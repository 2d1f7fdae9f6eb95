// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// A connected client that uses gpsd's protocol.
package final class GPSDClient: ReportRecipient {
    /// A function that changes a receiver and returns the reply lines. To report progress, it calls
    /// its second parameter with lines to send before the reply.
    package typealias Control =
        @Sendable (ReceiverChange, @escaping @Sendable ([UInt8]) -> Void) async -> [UInt8]

    /// The maximum time between a request's first byte and its end.
    private static let timeout = Duration.seconds(10)

    private let connection: ClientConnection
    private let hub: ReportHub
    private let snapshot: @Sendable () -> ServerSnapshot
    /// The function that changes receivers; `nil` if clients may not change them.
    private let control: Control?
    /// A lock that prevents reports from being sent before the reply to the `?WATCH` that requested
    /// them.
    private let order = Mutex(())

    package init(
        _ connection: ClientConnection, hub: ReportHub,
        control: Control? = nil,
        snapshot: @escaping @Sendable () -> ServerSnapshot
    ) {
        self.connection = connection
        self.hub = hub
        self.control = control
        self.snapshot = snapshot
    }

    package func send(reports: [UInt8]) {
        order.withLock { _ in connection.send(reports: reports) }
    }

    /// Answers requests until the client disconnects or the task is cancelled.
    package func serve() async {
        await connection.whileOpen {
            connection.send(kept: GPSDConversation.greeting)
            hub.set(ReportFilter(), for: self)
            await answer()
            hub.remove(self)
            hub.chain.set([], of: ObjectIdentifier(self))
        }
    }

    private func answer() async {
        var conversation = GPSDConversation(
            allowsControl: control != nil, name: hub.chain.name)
        var watch = conversation.watch
        /// The time at which the incomplete request expires; `nil` if there is none.
        var deadline: MonotonicInstant?
        while true {
            switch await connection.read(until: deadline) {
            case .bytes(let bytes):
                conversation.push(bytes)
                // One reply is queued at a time, so that a client that does not read uses little
                // memory.
                while !Task.isCancelled, let reply = conversation.nextReply(snapshot) {
                    // The next request has begun within these bytes, if at all.
                    deadline = nil
                    let lines =
                        switch reply {
                        case .lines(let lines): lines
                        case .change(let change):
                            await control?(change) { [connection] in connection.send(kept: $0) }
                                ?? []
                        }
                    await connection.waitForRoom(for: lines)
                    // While the lock is held, no report can be sent ahead of the reply.
                    order.withLock { _ in
                        if conversation.watch != watch {
                            watch = conversation.watch
                            hub.set(ReportFilter(watch), for: self)
                            hub.chain.set(
                                watch.includesServers ? watch.servers : [],
                                of: ObjectIdentifier(self))
                        }
                        connection.send(kept: lines)
                    }
                    await Task.yield()
                }
            case .silence:
                let lines = conversation.expire()
                await connection.waitForRoom(for: lines)
                connection.send(kept: lines)
            // A client that closes its sending side is disconnected, as in gpsd.
            case .end, .hangup, .cancelled, .failed: return
            }
            deadline =
                conversation.isUnfinished ? deadline ?? connection.poller.now + Self.timeout : nil
        }
    }
}

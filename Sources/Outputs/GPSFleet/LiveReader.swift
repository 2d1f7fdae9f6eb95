// SPDX-License-Identifier: MIT
import GNSS
import Synchronization

/// Receives batches of fixes when the members of a fleet publish them. It blocks the thread that
/// calls `run`.
package final class LiveReader: Sendable {
    /// A received batch, or a change of the connection to the server.
    package enum Event: Sendable {
        /// The server is connected, for the first time or again.
        case connected
        /// The server is disconnected, with the reason.
        case disconnected(String)
        /// A batch. It contains only fixes newer than the member's previous ones.
        case batch(FixBatch)
        /// Messages were dropped, because they were not read in time or because there are too many
        /// members (see `LiveOrder`). `count` is their number since `run` was called. Reported at
        /// most once a minute.
        case dropped(count: Int)
        /// Messages were left out because their numbers jumped (see `LiveOrder`). `count` is their
        /// number since `run` was called, and `member` sent the last one. Reported at most once a
        /// minute.
        case jumped(MemberName, count: Int)
        /// No message arrived for half a second.
        case nothing
    }

    private let url: EngineURL
    private let access: EngineAccess
    private let pattern: MemberPattern
    private let isStopped = Atomic<Bool>(false)

    /// Creates a reader for the members that the path of the URL selects.
    ///
    /// Throws an error if the path is malformed.
    package init(_ url: EngineURL, _ access: EngineAccess) throws(FleetError) {
        guard url.engine != .http else {
            throw FleetError(
                "\(url.label): fixes are read from NATS or MQTT, not from an HTTP server")
        }
        self.url = url
        self.access = access
        pattern = try MemberPattern(url.path)
    }

    /// Makes `run` return within a second.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Receives events until `stop` is called or `receive` throws an error.
    ///
    /// Throws the errors of `receive`, and a `FleetError` if the server permanently refuses access.
    package func run(_ receive: (Event) throws -> Void) throws {
        let messages: any LiveMessages =
            url.engine == .nats
            ? try NATSMessages(url, access, pattern) : try MQTTMessages(url, access, pattern)
        var order = LiveOrder()
        var reported = (count: 0, time: MonotonicInstant?.none)
        var jumps = (count: 0, time: MonotonicInstant?.none)
        while !isStopped.load(ordering: .relaxed) {
            let message = try messages.next()
            let dropped = messages.droppedCount + order.droppedCount
            if dropped > reported.count,
                reported.time.map({ $0 + .seconds(60) <= .now }) ?? true
            {
                reported = (dropped, .now)
                try receive(.dropped(count: dropped))
            }
            switch message {
            case .connected: try receive(.connected)
            case .disconnected(let reason): try receive(.disconnected(reason))
            case .nothing: try receive(.nothing)
            case .message(let bytes):
                // Other programs may publish different messages on the same subjects.
                guard var batch = try? FixBatch(decoding: bytes), pattern.contains(batch.member)
                else { continue }
                // Late messages with a backlog are skipped, because a live reader shows the current
                // state. (`collect` stores them.)
                batch.rows = order.newer(batch)
                if order.jumpCount > jumps.count,
                    jumps.time.map({ $0 + .seconds(60) <= .now }) ?? true
                {
                    jumps = (order.jumpCount, .now)
                    try receive(.jumped(batch.member, count: order.jumpCount))
                }
                guard !batch.rows.isEmpty else { continue }
                try receive(.batch(batch))
            }
        }
    }
}

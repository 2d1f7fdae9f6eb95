// SPDX-License-Identifier: MIT
import Synchronization

/// Receives the batches of members as they are published; blocks its thread.
package final class LiveReader: Sendable {
    /// An event of the fleet.
    package enum Event: Sendable {
        /// The engine is there, for the first time or again.
        case connected
        /// The engine is away.
        case disconnected(String)
        /// A batch with fixes that are newer than those of the member before.
        case batch(FixBatch)
        /// Nothing came for half a second.
        case nothing
    }

    private let url: EngineURL
    private let access: EngineAccess
    private let pattern: MemberPattern
    private let isStopped = Atomic<Bool>(false)
    /// Names an engine, and members by the address's path.
    ///
    /// Throws where the path names none.
    package init(_ url: EngineURL, _ access: EngineAccess) throws(FleetError) {
        self.url = url
        self.access = access
        pattern = try MemberPattern(url.path)
    }

    /// Ends `run` within a second.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Receives until it is stopped, or `receive` throws.
    ///
    /// Throws what `receive` does, and a `FleetError` where the engine refuses who connects.
    package func run(_ receive: (Event) throws -> Void) throws {
        let messages: any LiveMessages =
            switch url.engine {
            case .nats: try NATSMessages(url, access, pattern)
            case .mqtt: try MQTTMessages(url, access, pattern)
            }
        var order = LiveOrder()
        while !isStopped.load(ordering: .relaxed) {
            switch try messages.next() {
            case .connected: try receive(.connected)
            case .disconnected(let reason): try receive(.disconnected(reason))
            case .nothing: try receive(.nothing)
            case .message(let bytes):
                // Others may use the same subjects for messages of their own.
                guard var batch = try? FixBatch(decoding: bytes), pattern.contains(batch.member)
                else { continue }
                // Late messages of a backlog are for `collect`: this shows the present.
                batch.rows = order.newer(batch)
                guard !batch.rows.isEmpty else { continue }
                try receive(.batch(batch))
            }
        }
    }
}

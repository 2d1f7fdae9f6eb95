// SPDX-License-Identifier: MIT
import Synchronization

/// Receives the batches of members when they are published; blocks its thread.
package final class LiveReader: Sendable {
    /// An event of the fleet.
    package enum Event: Sendable {
        /// The engine is connected, for the first time or again.
        case connected
        /// The engine is disconnected, with the reason.
        case disconnected(String)
        /// A batch with fixes newer than the member's previous ones.
        case batch(FixBatch)
        /// No message for half a second.
        case nothing
    }

    private let url: EngineURL
    private let access: EngineAccess
    private let pattern: MemberPattern
    private let isStopped = Atomic<Bool>(false)
    /// Creates a reader of the members that the address's path selects.
    ///
    /// Throws if the path is malformed.
    package init(_ url: EngineURL, _ access: EngineAccess) throws(FleetError) {
        self.url = url
        self.access = access
        pattern = try MemberPattern(url.path)
    }

    /// Ends `run` within a second.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Receives until `stop` is called or `receive` throws.
    ///
    /// Throws the errors of `receive`, and a `FleetError` if the engine refuses access.
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
                // Other programs may publish different messages on the same subjects.
                guard var batch = try? FixBatch(decoding: bytes), pattern.contains(batch.member)
                else { continue }
                // Late messages of a backlog are skipped: `collect` stores them, live readers show
                // the current state.
                batch.rows = order.newer(batch)
                guard !batch.rows.isEmpty else { continue }
                try receive(.batch(batch))
            }
        }
    }
}

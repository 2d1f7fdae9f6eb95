// SPDX-License-Identifier: MIT
import CGPSNATS

/// A subscription that receives messages when they are published, even if no stream stores them. It
/// is used by one thread at a time.
///
/// The corresponding C type is `natsSubscription`.
final class NATSSubscription {
    private let connection: NATSConnection
    private let subscription: OpaquePointer

    /// Subscribes to a subject, which may contain wildcards.
    ///
    /// Throws an error if the subject is malformed or the connection is closed.
    init(_ connection: NATSConnection, subject: String) throws(FleetError) {
        var subscription: OpaquePointer?
        let status = natsConnection_SubscribeSync(&subscription, connection.connection, subject)
        guard status == NATS_OK, let subscription else {
            throw FleetError("\(subject): \(NATSConnection.text(status))")
        }
        self.connection = connection
        self.subscription = subscription
    }

    deinit { natsSubscription_Destroy(subscription) }

    /// The number of messages that were dropped because they were not read in time. libnats holds
    /// at most 65,536 messages, and 64 MiB.
    ///
    /// The corresponding C function is `natsSubscription_GetDropped`.
    var droppedCount: Int {
        var count: Int64 = 0
        return natsSubscription_GetDropped(subscription, &count) == NATS_OK ? Int(count) : 0
    }

    /// Waits for a message and returns its content; `nil` if none arrived in time.
    ///
    /// Throws an error if the connection is permanently closed. The corresponding C function is
    /// `natsSubscription_NextMsg`.
    func next(wait milliseconds: Int64) throws(FleetError) -> [UInt8]? {
        var message: OpaquePointer?
        let status = natsSubscription_NextMsg(&message, subscription, milliseconds)
        // Messages that were not read in time are skipped, because only the current state matters.
        guard status != NATS_TIMEOUT, status != NATS_SLOW_CONSUMER else { return nil }
        guard status == NATS_OK, let message else {
            throw FleetError(NATSConnection.text(status))
        }
        return NATSMessage(message, of: self).bytes
    }
}

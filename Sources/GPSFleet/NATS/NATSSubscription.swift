// SPDX-License-Identifier: MIT
import CGPSNATS

/// A subscription to messages as they are published, whether or not a stream stores them. Used by
/// one thread at a time.
///
/// The corresponding C type is `natsSubscription`.
final class NATSSubscription {
    private let connection: NATSConnection
    private let subscription: OpaquePointer

    /// Subscribes.
    ///
    /// Throws if the subject is malformed or the connection is closed.
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

    /// Waits for a message; `nil` if none came in time.
    ///
    /// Throws if the connection is closed for good. The corresponding C function is
    /// `natsSubscription_NextMsg`.
    func next(wait milliseconds: Int64) throws(FleetError) -> [UInt8]? {
        var message: OpaquePointer?
        let status = natsSubscription_NextMsg(&message, subscription, milliseconds)
        // Messages that were not read in time are skipped; only the current state matters.
        guard status != NATS_TIMEOUT, status != NATS_SLOW_CONSUMER else { return nil }
        guard status == NATS_OK, let message else {
            throw FleetError(NATSConnection.text(status))
        }
        return NATSMessage(message, of: self).bytes
    }
}

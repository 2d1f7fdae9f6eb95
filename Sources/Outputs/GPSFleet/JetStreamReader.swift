// SPDX-License-Identifier: MIT
import CGPSNATS
import Glibc

/// Reads a JetStream stream through a durable consumer.
///
/// Several programs may share the consumer. Each message is delivered to one of them, and again to
/// any of them if it is not acknowledged in time. The reader is used by one thread at a time.
final class JetStreamReader {
    /// A range of messages that the consumer may skip.
    struct Gap: Sendable {
        /// The earliest time at which the first skipped message may have been stored, in
        /// nanoseconds of Unix time.
        var start: Int64
        /// The highest sequence number that a skipped message may have.
        var end: UInt64
    }

    /// The maximum number of unacknowledged messages.
    private static let pendingLimit: Int64 = 20_000
    /// The time after which an unacknowledged message is delivered again, in nanoseconds.
    private static let acknowledgementWait: Int64 = 60_000_000_000

    let connection: NATSConnection
    let settings: Collector.Settings
    private let subscription: OpaquePointer

    /// Finds or creates the durable consumer. For a gap, creates a temporary consumer, which the
    /// server removes when it has not been used for five minutes.
    ///
    /// Blocks for a few seconds at most. Throws an error if the stream does not exist or has no
    /// leader.
    init(
        _ connection: NATSConnection, _ settings: Collector.Settings, gap: Gap? = nil
    ) throws(FleetError) {
        self.connection = connection
        var settings = settings
        if let gap {
            settings.consumer = try Self.add(connection, settings, gap)
        } else if try !Self.hasConsumer(connection, settings) {
            _ = try Self.add(connection, settings, nil)
        }
        self.settings = settings
        var options = jsSubOptions()
        jsSubOptions_Init(&options)
        options.ManualAck = true
        var subscription: OpaquePointer?
        // The subscription names the existing consumer. Otherwise the library would delete the
        // consumer when the subscription ends.
        let status = settings.stream.withCString { stream in
            settings.consumer.withCString { consumer in
                options.Stream = stream
                options.Consumer = consumer
                return js_PullSubscribe(
                    &subscription, connection.jetStream, nil, nil, nil, &options, nil)
            }
        }
        guard status == NATS_OK, let subscription else {
            throw FleetError(
                "the consumer \(settings.consumer) of \(settings.stream): \(NATSConnection.text(status))"
            )
        }
        self.subscription = subscription
    }

    deinit { natsSubscription_Destroy(subscription) }

    private static func hasConsumer(
        _ connection: NATSConnection, _ settings: Collector.Settings
    ) throws(FleetError) -> Bool {
        let filter: String?
        do throws(NATSConnection.Failure) {
            filter = try connection.consumerInfo(settings.stream, settings.consumer) { info in
                info.Config?.pointee.FilterSubject.map { String(cString: $0) }
            }
        } catch {
            guard error.code != JSConsumerNotFoundErr else { return false }
            throw FleetError("the stream \(settings.stream): \(error.text)")
        }
        guard let filter, !filter.isEmpty, filter != settings.subjects else { return true }
        throw FleetError(
            "the consumer \(settings.consumer) reads \(filter), not \(settings.subjects): "
                + "use another --name", isPermanent: true)
    }

    /// Creates the durable consumer, or a temporary one for a gap. Returns its name.
    private static func add(
        _ connection: NATSConnection, _ settings: Collector.Settings, _ gap: Gap?
    ) throws(FleetError) -> String {
        var code = jsErrCode(rawValue: 0)
        var configuration = jsConsumerConfig()
        jsConsumerConfig_Init(&configuration)
        configuration.AckPolicy = js_AckExplicit
        configuration.AckWait = acknowledgementWait
        configuration.MaxAckPending = pendingLimit
        if let gap {
            configuration.DeliverPolicy = js_DeliverByStartTime
            configuration.OptStartTime = gap.start
            configuration.InactiveThreshold = 300 * 1_000_000_000
        }
        var made: UnsafeMutablePointer<jsConsumerInfo>?
        defer { jsConsumerInfo_Destroy(made) }
        let status = settings.consumer.withCString { name in
            settings.subjects.withCString { subjects in
                if gap == nil { configuration.Durable = name }
                configuration.FilterSubject = subjects
                return js_AddConsumer(
                    &made, connection.jetStream, settings.stream, &configuration, nil, &code)
            }
        }
        guard status == NATS_OK else {
            let failure = NATSConnection.Failure(status, code: code)
            guard !failure.isOfSubjects else {
                throw FleetError(
                    "the stream \(settings.stream): \(failure.text(reading: settings.subjects))",
                    isPermanent: true)
            }
            throw FleetError(
                "the consumer \(settings.consumer) cannot be created: \(NATSConnection.text(status)) "
                    + "(\(code.rawValue))")
        }
        return made?.pointee.Name.map { String(cString: $0) } ?? settings.consumer
    }

    /// Waits for messages and returns them, or an empty array if none arrived in time.
    ///
    /// Throws an error if the consumer no longer exists or the connection is permanently closed.
    /// The corresponding C function is `natsSubscription_Fetch`.
    func fetch(atMost count: Int, wait: Duration) throws(FleetError) -> [NATSMessage] {
        var list = natsMsgList()
        let (seconds, attoseconds) = wait.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let status = natsSubscription_Fetch(
            &list, subscription, CInt(count), milliseconds, nil)
        defer { natsMsgList_Destroy(&list) }
        guard status == NATS_OK else {
            if status == NATS_TIMEOUT { return [] }
            throw FleetError(NATSConnection.text(status))
        }
        var messages: [NATSMessage] = []
        for index in 0..<Int(list.Count) {
            guard let message = list.Msgs[index] else { continue }
            // The message is removed from the list, because `NATSMessage` destroys it.
            list.Msgs[index] = nil
            messages.append(NATSMessage(message, of: self))
        }
        return messages
    }

    /// Returns the number of messages that have not been delivered yet, plus those that have been
    /// delivered but not acknowledged; `nil` if the server does not report the number.
    func waiting() -> Int? {
        // An error means that the server does not report the number.
        try? connection.consumerInfo(settings.stream, settings.consumer) {
            Int(clamping: $0.NumPending) + Int($0.NumAckPending)
        }
    }
}

extension JetStreamReader {
    /// The length of the period before an interruption of the connection that is read again, in
    /// nanoseconds. It is needed because server clocks may differ, and because several
    /// interruptions may follow each other.
    private static let overlap: Int64 = 20_000_000_000
    /// The length of the period before the stream's last message that is read again, in
    /// nanoseconds, if nothing was read before the interruption.
    private static let initialOverlap: Int64 = 600_000_000_000

    /// Returns the range of messages that the consumer may skip after an interruption of the
    /// connection. `newest` is the time at which the newest message read so far was stored, in
    /// nanoseconds of Unix time. If `newest` is `nil`, there is a range only if the stream has lost
    /// messages that the consumer delivered; otherwise, the result is `nil`.
    ///
    /// The consumer may skip messages because servers that lose messages assign their sequence
    /// numbers again, and because a message may have different numbers on different servers after
    /// one was killed.
    ///
    /// Blocks for a few seconds at most. Throws an error if the stream or the consumer does not
    /// answer.
    func gap(after newest: Int64?) throws(FleetError) -> Gap? {
        let delivered = try delivered()
        let last: (number: UInt64, time: Int64)
        do throws(NATSConnection.Failure) {
            last = try connection.streamInfo(settings.stream) {
                ($0.State.LastSeq, $0.State.LastTime)
            }
        } catch {
            throw FleetError("the stream \(settings.stream): \(error.text)")
        }
        guard newest != nil || last.number < delivered else { return nil }
        let start = newest.map { $0 - Self.overlap } ?? (last.time - Self.initialOverlap)
        return Gap(start: max(0, start), end: delivered)
    }

    /// Returns the sequence number, in the stream, of the last message that the consumer has
    /// delivered.
    private func delivered() throws(FleetError) -> UInt64 {
        do throws(NATSConnection.Failure) {
            return try connection.consumerInfo(settings.stream, settings.consumer) {
                $0.Delivered.Stream
            }
        } catch {
            throw FleetError("the consumer \(settings.consumer): \(error.text)")
        }
    }
}

/// A message that a stream delivers again until it is acknowledged.
package protocol StreamMessage {
    /// The subject on which the message was published.
    var subject: String { get }
    /// The name of the stream that contains the message.
    var stream: String { get }
    /// The message's sequence number in the stream.
    var sequence: UInt64 { get }
    /// The encoded content of the message.
    var bytes: [UInt8] { get }

    /// Acknowledges the message, so that it is not delivered again.
    func acknowledge()
}

extension NATSMessage: StreamMessage {}

extension RejectedMessage {
    init(_ message: any StreamMessage, reason: String) {
        self.init(
            stream: message.stream, sequence: message.sequence, subject: message.subject,
            reason: reason, bytes: message.bytes)
    }
}

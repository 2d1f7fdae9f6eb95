// SPDX-License-Identifier: MIT
import CGPSNATS
import Dispatch
import GNSS
import GPSFiles
import Synchronization

/// Answers the requests of a fleet's members for ephemerides, in NATS.
///
/// Of all members that share theirs, one that NATS selects gets a request. Nothing is sent without
/// one, and no stream stores the answers, because ephemerides are useful for a few hours only.
package final class EphemerisSharing: Sendable {
    /// The time between attempts to open a connection that libnats does not open again itself.
    private static let retryInterval = 10.0

    private let connect: @Sendable (_ onClosed: @escaping @Sendable () -> Void) -> Subscription?
    private let subscription = Mutex<Subscription?>(nil)
    private let isPlanned = Atomic(false)
    /// Connecting can block.
    private let thread = DispatchQueue(label: "gpsbridge.ephemerides")

    /// Returns the subject of requests. It is outside of `gps.>`, because messages there are fixes,
    /// and streams store them.
    package static func subject(of fleet: String) -> String { "gps-ephemerides.\(fleet)" }

    /// Answers until the object is deinitialized, as long as the server can be reached. `text` returns
    /// the text of a RINEX navigation file, empty without ephemerides; it is called on a
    /// thread of libnats. `report` is called with messages for the operator.
    package init(
        _ url: EngineURL, _ access: EngineAccess, fleet: String, name: String,
        report: @escaping @Sendable (String) -> Void, _ text: @escaping @Sendable () -> String
    ) {
        let subject = Self.subject(of: fleet)
        connect = { onClosed in
            // The publisher, which has another connection to the server, reports why it fails.
            try? Subscription(url, access, subject: subject, name: name, text) { event in
                if case .closed = event { onClosed() }
                guard event.isRefusal else { return }
                report(
                    "\(url.label): the server refuses to share ephemerides: allow this user to "
                        + "subscribe to \(subject), and to publish to _INBOX.>")
            }
        }
        open(after: 0)
    }

    /// Opens a connection after a time, unless that is already planned: a connection that cannot be
    /// used may also report that it was closed.
    private func open(after seconds: Double) {
        guard !isPlanned.exchange(true, ordering: .relaxed) else { return }
        thread.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            isPlanned.store(false, ordering: .relaxed)
            let new = connect { [weak self] in self?.open(after: Self.retryInterval) }
            if new == nil { open(after: Self.retryInterval) }
            let old = subscription.withLock { exchange(&$0, with: new) }
            withExtendedLifetime(old) {}
        }
    }
}

extension EphemerisSharing {
    /// A subscription to requests, with its own connection.
    private final class Subscription: Sendable {
        private let connection: NATSConnection
        // Safety: libnats locks its subscriptions itself, and the pointer never changes.
        nonisolated(unsafe) private let subscription: OpaquePointer

        /// The queue group of all members that share ephemerides. One of them gets a request.
        private static let group = "gpsbridge"

        init(
            _ url: EngineURL, _ access: EngineAccess, subject: String, name: String,
            _ text: @escaping @Sendable () -> String,
            onEvent: @escaping @Sendable (NATSConnection.Event) -> Void
        ) throws(FleetError) {
            connection = try NATSConnection(url, access, name: name, onEvent: onEvent)
            // Safety: `completed`, the last callback of the subscription, releases the answers, or
            // the code below without a subscription.
            let answers = Unmanaged.passRetained(Answers(text))
            var subscription: OpaquePointer?
            let status = natsConnection_QueueSubscribe(
                &subscription, connection.connection, subject, Self.group, Answers.send,
                answers.toOpaque())
            guard status == NATS_OK, let subscription else {
                answers.release()
                throw FleetError(NATSConnection.text(status), of: "\(url)")
            }
            natsSubscription_SetOnCompleteCB(subscription, Answers.completed, answers.toOpaque())
            self.subscription = subscription
        }

        deinit { natsSubscription_Destroy(subscription) }
    }

    private final class Answers: Sendable {
        private let text: @Sendable () -> String

        init(_ text: @escaping @Sendable () -> String) { self.text = text }

        /// The answer: a zstd frame of the text, or nothing.
        private var bytes: [UInt8] {
            let text = Array(text().utf8)
            guard !text.isEmpty, let bytes = try? ZstdMessage.compress(text.span) else { return [] }
            return bytes
        }

        static let send: natsMsgHandler = { connection, _, message, context in
            defer { natsMsg_Destroy(message) }
            // A request must not make this member publish where the fleet's fixes are.
            guard let context, let reply = natsMsg_GetReply(message),
                String(cString: reply).hasPrefix("_INBOX.")
            else { return }
            // Safety: the answers live until the last callback, `completed`.
            let answers = Unmanaged<Answers>.fromOpaque(context).takeUnretainedValue()
            _ = answers.bytes.withUnsafeBytes {
                natsConnection_Publish(connection, reply, $0.baseAddress, CInt($0.count))
            }
        }

        static let completed: natsOnCompleteCB = { context in
            guard let context else { return }
            // Safety: this balances `passRetained` in `init`, once, after all other callbacks.
            Unmanaged<Answers>.fromOpaque(context).release()
        }
    }
}

/// Asks the members of a fleet that share their ephemerides.
package enum EphemerisRequest {
    /// How often members are asked, because the first ones may have no ephemerides yet.
    private static let attempts = 3
    private static let milliseconds: Int64 = 500
    /// The end of the first line of a RINEX file.
    private static let mark = "RINEX VERSION / TYPE"
    /// The maximum size of an answer. It is about 200 kB with all satellites.
    private static let limit = 4 << 20

    /// Returns the text of a RINEX navigation file that a member has sent.
    ///
    /// Blocks for a few seconds at most. Throws an error if the server cannot be used, or if no
    /// member has ephemerides.
    package static func answer(
        from url: EngineURL, _ access: EngineAccess
    ) throws(FleetError) -> [UInt8] {
        guard url.engine == .nats, let fleet = url.path.first, MemberName.isToken(fleet) else {
            throw FleetError(
                "\(url.label): ephemerides are asked of a fleet in NATS: give its name, as in "
                    + "nats://HOST/FLEET")
        }
        let subject = EphemerisSharing.subject(of: fleet)
        let connection = try NATSConnection(
            url, access, name: "gpsbridge read", waitsForServer: false
        ) { _ in }
        var (hasAnswer, isDamaged) = (false, false)
        for _ in 0..<attempts {
            var message: OpaquePointer?
            let status = natsConnection_Request(
                &message, connection.connection, subject, nil, 0, milliseconds)
            if status == NATS_NO_RESPONDERS {
                throw FleetError(
                    "no member of the fleet '\(fleet)' shares ephemerides: start `gpsbridge publish` "
                        + "on one with --share-ephemerides")
            }
            guard status == NATS_OK, let message else { continue }
            hasAnswer = true
            let bytes = NATSMessage(message, of: connection).bytes
            guard !bytes.isEmpty else { continue }
            // Another member may answer the next request.
            if let text = try? ZstdMessage.decompress(bytes[...], limit: limit),
                String(decoding: text.prefix(80), as: UTF8.self).contains(mark)
            {
                return text
            }
            isDamaged = true
        }
        throw FleetError(
            isDamaged
                ? "the answers on \(subject) are not ephemerides: check which programs subscribe to it"
                : hasAnswer
                    ? "the members of the fleet '\(fleet)' have no ephemerides now"
                    : "no member of the fleet '\(fleet)' answers: if some share ephemerides, allow this "
                        + "user to publish to \(subject), and to subscribe to _INBOX.>")
    }
}

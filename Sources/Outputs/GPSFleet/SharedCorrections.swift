// SPDX-License-Identifier: MIT
import CGPSNATS
import Delegation
import Dispatch
import GNSS
import GPSCorrections
import GPSIO
import GPSReceivers
import RTCM
import Synchronization

/// Sends the corrections that the receivers of a bridge output to a server of NATS, as whole
/// messages of RTCM 3.
///
/// No spool and no stream stores them, because old corrections are worse than none: what cannot be
/// sent at once is dropped.
package final class CorrectionSharing: Sendable {
    /// The maximum number of waiting bytes of a receiver: some seconds of a base.
    private static let limit = 16_384
    /// If sending takes longer, messages that have waited are too old.
    private static let longestWait = Duration.seconds(2)
    /// The time between attempts to open a connection that libnats does not open again itself.
    private static let retryInterval = Duration.seconds(10)
    private static let reportInterval = Duration.seconds(60)

    private struct State {
        /// The messages that wait, by subject.
        var queues: [String: CorrectionQueue] = [:]
        /// Whether the thread sends, or soon will.
        var isSending = false

        var droppedCount: Int { queues.values.reduce(0) { $0 + $1.droppedCount } }

        mutating func take() -> (subject: String, messages: [CorrectionMessage])? {
            guard let subject = queues.first(where: { !$0.value.isEmpty })?.key else { return nil }
            return (subject, queues[subject]?.batch(of: CorrectionSharing.limit) ?? [])
        }
    }

    /// The state that only the sending thread uses.
    private struct Sending {
        var connection: NATSConnection?
        var attempt: MonotonicInstant?
        var reported = (count: 0, time: MonotonicInstant?.none)
    }

    private let url: EngineURL
    private let access: EngineAccess
    private let fleet: String
    private let bridge: String
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let sending = Mutex(Sending())
    /// Connecting and sending can block.
    private let thread = DispatchQueue(label: "gpsbridge.corrections")

    /// Creates an object for the receivers of a bridge, which connects when there are corrections.
    /// `report` is called with messages for the operator.
    package init(
        _ url: EngineURL, _ access: EngineAccess, fleet: String, bridge: String,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.url, self.access, self.report) = (url, access, report)
        (self.fleet, self.bridge) = (fleet, bridge)
    }

    /// Returns the subject of a member's corrections. It is outside of `gps.>`, because streams store
    /// the messages there.
    package static func subject(of member: MemberName) -> String {
        "\(MemberPattern.corrections).\(member.fleet).\(member.bridge).\(member.receiver)"
    }

    /// Returns the whole messages of RTCM 3 in a message of NATS, one after the other. Other bytes
    /// are left out.
    package static func corrections(in bytes: [UInt8]) -> [UInt8] {
        var framer = CorrectionFramer()
        var corrections: [UInt8] = []
        framer.push(bytes) { if $0.isRTCM { corrections += $0.bytes } }
        return corrections
    }

    /// Sends the corrections in a receiver's bytes until the result is released.
    func share(_ session: ReceiverSession, as member: MemberName) -> ScopedSubscription {
        let subject = Self.subject(of: member)
        let framer = Mutex(CorrectionFramer())
        return session.bytes.observe { [self] bytes in
            var messages: [CorrectionMessage] = []
            framer.withLock { framer in
                framer.push(bytes) { if $0.isRTCM { messages.append($0) } }
            }
            if !messages.isEmpty { add(messages, subject) }
        }.scoped
    }

    private func add(_ messages: [CorrectionMessage], _ subject: String) {
        let isIdle = state.withLock { state in
            for message in messages {
                state.queues[subject, default: CorrectionQueue(limit: Self.limit)].add(message)
            }
            return !exchange(&state.isSending, with: true)
        }
        if isIdle { thread.async { self.sending.withLock { self.send(&$0) } } }
    }

    private func send(_ sending: inout Sending) {
        while true {
            // Before messages are taken: it takes time, in which those that wait may become outdated.
            connect(&sending)
            guard let (subject, messages) = next() else { return }
            // libnats keeps what is published without a connection, and sends it later.
            guard let connection = sending.connection, connection.isConnected else {
                drop(messages, of: subject)
                continue
            }
            let start = MonotonicInstant.now
            let bytes = messages.flatMap(\.bytes)
            let status = bytes.withUnsafeBytes {
                natsConnection_Publish(
                    connection.connection, subject, $0.baseAddress, CInt($0.count))
            }
            if status != NATS_OK {
                drop(messages, of: subject)
            } else if .now - start > Self.longestWait {
                drop([], of: subject)
            }
            reportDropped(&sending)
        }
    }

    /// Returns the messages that are sent next; `nil` if none wait.
    private func next() -> (subject: String, messages: [CorrectionMessage])? {
        state.withLock { state in
            let next = state.take()
            state.isSending = next != nil
            return next
        }
    }

    /// Drops messages that were not sent, and all that wait.
    private func drop(_ messages: [CorrectionMessage], of subject: String) {
        state.withLock { state in
            for message in messages { state.queues[subject]?.add(message) }
            for key in state.queues.keys { state.queues[key]?.removeOutdated() }
        }
    }

    private func connect(_ sending: inout Sending) {
        if let connection = sending.connection, !connection.isClosed { return }
        let now = MonotonicInstant.now
        guard sending.attempt.map({ $0 + Self.retryInterval <= now }) ?? true else { return }
        sending.attempt = now
        let (url, report) = (url, report)
        let subjects = "\(MemberPattern.corrections).\(fleet).\(bridge).>"
        let name = "gpsbridge \(fleet)/\(bridge) corrections"
        // The publisher, which has another connection to the server, reports why it fails.
        sending.connection = try? NATSConnection(url, access, name: name) { event in
            guard event.isRefusal else { return }
            report(
                "\(url.label): the server refuses corrections: allow this user to publish to "
                    + subjects)
        }
    }

    private func reportDropped(_ sending: inout Sending) {
        let count = state.withLock { $0.droppedCount }
        let last = sending.reported
        guard count > last.count, last.time.map({ $0 + Self.reportInterval <= .now }) ?? true else {
            return
        }
        sending.reported = (count, .now)
        report(
            "\(url.label): \(Plural.text(count - last.count, "message", "messages")) of corrections "
                + "could not be sent in time, and were dropped")
    }
}

extension CorrectionMessage {
    /// Whether this is a message of RTCM 3. A base sends no others.
    fileprivate var isRTCM: Bool {
        guard case .rtcm = kind else { return false }
        return true
    }
}

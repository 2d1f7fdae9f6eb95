// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import Synchronization

/// Receives batches of fixes, or the corrections of one member, when the members of a fleet publish
/// them. It blocks the thread that calls `run`.
package final class LiveReader: Sendable {
    /// A received batch, or a change of the connection to the server.
    package enum Event: Sendable {
        /// The server is connected, for the first time or again.
        case connected
        /// The server is disconnected, with the reason.
        case disconnected(String)
        /// A batch. It contains only fixes newer than the member's previous ones.
        case batch(FixBatch)
        /// Whole messages of RTCM 3.
        case corrections([UInt8])
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
    private let readsCorrections: Bool
    private let isStopped = Atomic<Bool>(false)

    /// Creates a reader for the members that the path of the URL selects: of their fixes, or of one
    /// member's corrections.
    ///
    /// Throws an error if the path is malformed.
    package init(
        _ url: EngineURL, _ access: EngineAccess, readsCorrections: Bool = false
    ) throws(FleetError) {
        guard url.engine != .http else {
            throw FleetError(
                "\(url.label): fixes are read from NATS or MQTT, not from an HTTP server")
        }
        self.url = url
        self.access = access
        self.readsCorrections = readsCorrections
        pattern = try MemberPattern(url.path, ofCorrections: readsCorrections)
        guard readsCorrections, url.engine != .nats || url.path.count < 3 else { return }
        throw FleetError(
            "\(url.label): corrections are those of one member, in NATS: give its name, as in "
                + "nats://HOST/FLEET/BRIDGE/RECEIVER")
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
            case .message(let bytes) where readsCorrections:
                let corrections = CorrectionSharing.corrections(in: bytes)
                if !corrections.isEmpty { try receive(.corrections(corrections)) }
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

/// A queue that passes events from the threads of a client library to one reading thread.
///
/// The number of messages and their total size are limited. Changes of the connection are stored
/// separately and returned first, because the reader must subscribe after each new connection.
package final class EventQueue: Sendable {
    private struct State {
        /// The last change of the connection that was not read. A failure is never replaced,
        /// because it is final.
        var change: Result<LiveMessage, FleetError>?
        var messages = Queue<[UInt8]>()
        /// The total size of the messages in bytes.
        var size = 0
        var droppedCount = 0

        mutating func removeFirst() -> [UInt8]? {
            guard let message = messages.first else { return nil }
            messages.removeFirst()
            size -= message.count
            return message
        }

        /// Appends a message, and drops the oldest ones while their size or number exceeds its
        /// limit. A message that is larger than `sizeLimit` is itself dropped.
        mutating func append(_ message: [UInt8], sizeLimit: Int) {
            guard message.count <= sizeLimit else {
                droppedCount += 1
                return
            }
            messages.append(message)
            size += message.count
            while size > sizeLimit || messages.count > EventQueue.limit, removeFirst() != nil {
                droppedCount += 1
            }
        }

        mutating func take() -> Result<LiveMessage, FleetError>? {
            if let change {
                self.change = nil
                return change
            }
            return removeFirst().map { .success(.message($0)) }
        }
    }

    /// The maximum number of messages. If the reader is too slow, the oldest ones are dropped.
    private static let limit = 10_000
    private let sizeLimit: Int
    private let state = Mutex(State())
    /// Signalled for each event. A surplus signal only makes the reader check the queue again.
    private let arrival = DispatchSemaphore(value: 0)

    /// Creates an empty queue. `sizeLimit` is the maximum total size of its messages in bytes.
    package init(sizeLimit: Int = 64 << 20) { self.sizeLimit = sizeLimit }

    /// The number of messages that were dropped because the reader is too slow.
    package var droppedCount: Int { state.withLock { $0.droppedCount } }

    package func append(_ event: Result<LiveMessage, FleetError>) {
        state.withLock { state in
            switch event {
            case .success(.nothing): break
            case .success(.message(let bytes)):
                state.append(bytes, sizeLimit: sizeLimit)
            case .success, .failure:
                if case .failure = state.change { break }
                state.change = event
            }
        }
        arrival.signal()
    }

    /// Removes and returns the next event without waiting; `nil` if there is none.
    package func take() -> Result<LiveMessage, FleetError>? { state.withLock { $0.take() } }

    /// Removes and returns the next event, and waits for it if necessary. Returns `nil` if none
    /// arrived in time.
    package func next(wait: Duration) -> Result<LiveMessage, FleetError>? {
        let (seconds, attoseconds) = wait.components
        let end = DispatchTime.now() + (Double(seconds) + Double(attoseconds) / 1e18)
        repeat {
            guard let event = take() else { continue }
            // This consumes the event's signal if the event was taken without waiting.
            _ = arrival.wait(timeout: .now())
            return event
        } while arrival.wait(timeout: end) == .success
        return take()
    }
}

/// A source of messages that the receivers of a fleet publish through a server. It is used by one
/// thread at a time.
protocol LiveMessages {
    /// Waits up to half a second for the next message.
    ///
    /// Throws an error if the server permanently refuses access.
    func next() throws(FleetError) -> LiveMessage

    /// The number of messages that were dropped because they were not read in time.
    var droppedCount: Int { get }
}

/// A received message, or a change of the connection to the server.
package enum LiveMessage: Sendable {
    case connected
    case disconnected(String)
    case message([UInt8])
    /// No message arrived for half a second.
    case nothing
}

/// Messages received from NATS.
private final class NATSMessages: LiveMessages {
    private let subscription: NATSSubscription
    private let events: EventQueue

    init(
        _ url: EngineURL, _ access: EngineAccess, _ pattern: MemberPattern
    ) throws(FleetError) {
        let events = EventQueue()
        self.events = events
        let connection = try NATSConnection(url, access, name: "gpsbridge read") { event in
            switch event {
            case .connected: events.append(.success(.connected))
            case .disconnected(let reason): events.append(.success(.disconnected(reason)))
            case .closed(let reason): events.append(.failure(FleetError("\(url): \(reason)")))
            case .error(let text):
                if let reason = pattern.refusal(text) {
                    events.append(.failure(FleetError("\(url): \(reason)")))
                }
            }
        }
        subscription = try NATSSubscription(connection, subject: pattern.subject)
    }

    var droppedCount: Int { subscription.droppedCount }

    func next() throws(FleetError) -> LiveMessage {
        if let event = events.take() { return try event.get() }
        return try subscription.next(wait: 500).map { .message($0) } ?? .nothing
    }
}

/// Messages received from MQTT.
private final class MQTTMessages: LiveMessages {
    private let client: MQTTClient
    private let events: EventQueue
    private let topic: String

    init(
        _ url: EngineURL, _ access: EngineAccess, _ pattern: MemberPattern
    ) throws(FleetError) {
        let events = EventQueue()
        self.events = events
        topic = pattern.topic
        client = try MQTTClient(
            url, access, id: "gpsbridge-read-\(UInt32.random(in: 0 ... .max))", will: nil,
            handlers: .init(
                connected: { refusal in
                    events.append(
                        refusal.map { .failure(FleetError("\(url): \($0)")) }
                            ?? .success(.connected))
                },
                disconnected: { events.append(.success(.disconnected($0))) },
                received: { events.append(.success(.message($0))) }))
        client.start()
    }

    deinit { client.close() }

    var droppedCount: Int { events.droppedCount }

    func next() throws(FleetError) -> LiveMessage {
        guard let event = events.next(wait: .milliseconds(500)) else { return .nothing }
        // Each connection starts a new session without subscriptions.
        if case .success(.connected) = event {
            do throws(FleetError) {
                try client.subscribe(topic)
            } catch {
                // The connection was lost again. The topic is subscribed after the next connection.
                return .disconnected(error.description)
            }
        }
        return try event.get()
    }
}

/// Filters the fixes of each receiver (member), so that only fixes newer than the previous ones are
/// left.
///
/// It compares the bridge's runs and sequence numbers instead of times, because the bridge's clock
/// may be set back.
///
/// Sequence numbers increase from run to run of a bridge, unless its spool was removed. In that
/// case, the time of reception shows whether an unknown run is a new one, or an old one whose
/// backlog arrives late.
package struct LiveOrder {
    private struct Run {
        /// The hash value of the run's name, which may be of any length in a hostile message.
        var boot: Int
        var sequence: Int64
        var received: Int64
        /// The hash values of the names of the most recent runs before this one.
        var earlier: [Int] = []
        /// The last batch whose numbers were far from those before, which waits for the next one.
        var jump: (boot: Int, sequence: Int64)?
    }

    /// The largest difference of the numbers of two batches that follow each other: a day at one
    /// fix per second. After a larger one, a batch is left out until the next one confirms it,
    /// because a single wrong number would make all later fixes seem old.
    fileprivate static let jumpLimit: Int64 = 86_400

    private static let earlierLimit = 16

    private let memberLimit: Int
    private var runs: [MemberName: Run] = [:]
    /// The number of batches that were dropped because there are too many members.
    package private(set) var droppedCount = 0
    /// The number of batches that were left out because their numbers jumped.
    package private(set) var jumpCount = 0

    /// Creates a filter that has received nothing yet. Batches of more than `memberLimit` members
    /// are dropped, because messages may contain invented names.
    package init(memberLimit: Int = 100_000) { self.memberLimit = memberLimit }

    /// Returns the fixes of a batch that are newer than the member's previous ones. Returns none if
    /// the batch is from an earlier run, or if there are too many members.
    package mutating func newer(_ batch: FixBatch) -> [FixRow] {
        var run = runs.removeValue(forKey: batch.member)
        defer { runs[batch.member] = run }
        guard let sequence = batch.rows.map(\.sequence).max(),
            let received = batch.rows.map(\.received).max()
        else { return [] }
        guard run != nil || runs.count < memberLimit else {
            droppedCount += 1
            return []
        }
        let boot = batch.boot.hashValue
        guard var known = run else {
            run = Run(boot: boot, sequence: sequence, received: received)
            return batch.rows
        }
        defer { run = known }
        let isSameRun = known.boot == boot
        let first = batch.rows.map(\.sequence).min() ?? sequence
        let isBack = isSameRun && received > known.received && known.sequence.isFar(above: sequence)
        if first.isFar(above: known.sequence) || isBack, !known.earlier.contains(boot) {
            let isConfirmed =
                known.jump.map {
                    $0.boot == boot && first > $0.sequence && !first.isFar(above: $0.sequence)
                } ?? false
            known.jump = isConfirmed ? nil : (boot, sequence)
            guard isConfirmed else {
                jumpCount += 1
                return []
            }
        } else if isSameRun {
            let last = known.sequence
            (known.sequence, known.received) = (max(sequence, last), max(received, known.received))
            return batch.rows.filter { $0.sequence > last }
        } else {
            guard !known.earlier.contains(boot),
                sequence > known.sequence || received > known.received
            else { return [] }
        }
        if !isSameRun {
            known.earlier = known.earlier.suffix(Self.earlierLimit - 1) + [known.boot]
            known.boot = boot
        }
        (known.sequence, known.received) = (sequence, received)
        return batch.rows
    }
}

extension Int64 {
    /// Whether this number is so much higher that the numbers between them are not lost messages.
    fileprivate func isFar(above other: Int64) -> Bool {
        let (distance, isTooFar) = subtractingReportingOverflow(other)
        return self > other && (isTooFar || distance > LiveOrder.jumpLimit)
    }
}

/// A selection of members: `FLEET/BRIDGE/RECEIVER`. Omitted last parts match every name.
package struct MemberPattern: Hashable, Sendable {
    /// The first part of the subjects of corrections.
    static let corrections = "gps-corrections"

    /// The first part of the subjects.
    private let content: String
    /// The given names: fleet, bridge, receiver.
    private let parts: [String]

    /// Creates a pattern from the parts of an address's path, for fixes or for corrections.
    ///
    /// Throws an error if there are more than three, or if one is not a valid name.
    package init(_ parts: [String], ofCorrections: Bool = false) throws(FleetError) {
        guard parts.count <= 3, parts.allSatisfy(MemberName.isToken) else {
            throw FleetError(
                "not a member of a fleet: '\(parts.joined(separator: "/"))' (expected "
                    + "FLEET/BRIDGE/RECEIVER, each a name of 1 to 64 letters, digits, - and _)")
        }
        self.parts = parts
        content = ofCorrections ? Self.corrections : "gps"
    }

    /// The NATS subject, with a wildcard for omitted parts: `gps.FLEET.>`.
    package var subject: String {
        ([content] + parts + (parts.count < 3 ? [">"] : [])).joined(separator: ".")
    }

    /// The MQTT topic, with a wildcard for omitted parts: `gps/FLEET/#`.
    package var topic: String {
        (["gps"] + parts + (parts.count < 3 ? ["#"] : [])).joined(separator: "/")
    }

    /// Returns the reason why the members cannot be read, after this error of a NATS server; `nil`
    /// if they can still be read.
    package func refusal(_ error: String) -> String? {
        guard error.contains("Permissions Violation for Subscription") else { return nil }
        return "the server refuses the subscription: allow this user to subscribe to \(subject)"
    }

    /// Returns whether the pattern matches a member.
    package func contains(_ member: MemberName) -> Bool {
        [member.fleet, member.bridge, member.receiver].starts(with: parts)
    }
}

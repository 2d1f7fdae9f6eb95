// SPDX-License-Identifier: MIT
package import Delegation
package import GNSS
package import GPSIO
package import GPSReceivers
import Glibc
package import RTCM
import Synchronization

/// Where corrections come from.
package enum CorrectionInput: Sendable {
    /// A caster. The password belongs to the user of the address.
    case caster(NTRIPAddress, password: String?)
    /// The bytes of another source: a base on a serial line, a server, a file.
    case receiver(any DeviceSource)

    /// The account at a caster, which must not be used twice at a time; `nil` for other sources.
    var account: String? {
        guard case .caster(let address, _) = self else { return nil }
        return "\(address.user ?? "")@\(address.host):\(address.port)"
    }

    /// The name for messages, without secrets.
    package var name: String {
        switch self {
        case .caster(let address, _): "\(address)"
        case .receiver(let source): source.name
        }
    }
}

/// Receives a stream of corrections, and sends its messages to any number of receivers.
///
/// Everything runs on the polling thread.
package final class CorrectionFeed: Sendable {
    /// The maximum time for sending a request or a position.
    private static let writeTimeout = Duration.seconds(10)
    /// The time without messages after which another source than a caster is silent.
    private static let silenceTimeout = Duration.seconds(10)

    private struct State {
        var condition = CorrectionCondition.connecting
        var counts = CorrectionCounts()
        var position: Fix?
        /// The wait of a connection to a caster that may need the position; otherwise `nil`.
        var positionWait: Task<NTRIPClient.Event, Never>?
        var reference: RTCMReferencePosition?
        /// The coordinate of `reference`.
        var base: Coordinate?
        /// Whether the station has said that it is simulated.
        var isSimulated = false
    }

    /// Sends each message of the stream.
    package let messages = Event<CorrectionMessage>()
    /// Sends each change of the condition.
    package let conditions = Event<CorrectionCondition>()

    package let source: CorrectionInput
    private let needsPosition: Bool
    private let authorities: String?
    let poller: Poller
    private let seed: UInt64
    private let state = Mutex(State())

    /// Creates a feed; `run` opens the stream. See `NTRIPClient` for `needsPosition` and `seed`.
    /// `authorities` is the path of certificate authorities that replace the system's.
    package init(
        _ source: CorrectionInput, needsPosition: Bool = false, authorities: String? = nil,
        poller: Poller = .shared, seed: UInt64 = .random(in: 0...(.max))
    ) {
        (self.source, self.needsPosition) = (source, needsPosition)
        self.authorities = authorities
        (self.poller, self.seed) = (poller, seed)
    }

    /// Whether this is the feed of a stream. A password that is `nil` is not compared.
    package func receives(_ input: CorrectionInput, authorities: String?) -> Bool {
        switch (source, input) {
        case (.caster(let own, let ownPassword), .caster(let other, let password)):
            own == other && self.authorities == authorities
                && (password == nil || password == ownPassword)
        case (.receiver(let own), .receiver(let other)):
            own.identity == other.identity && own.baudRate == other.baudRate
        default: false
        }
    }

    /// The current condition.
    package var condition: CorrectionCondition { state.withLock { $0.condition } }
    /// The messages received so far, by station and type.
    package var counts: CorrectionCounts { state.withLock { $0.counts } }
    /// The position of the station that was last received.
    package var reference: RTCMReferencePosition? { state.withLock { $0.reference } }
    /// The status of this source in the reports of receivers, which ask for it before each input.
    var status: CorrectionStatus {
        let now = poller.now
        return state.withLock { state in
            var status = CorrectionStatus(state.condition.state)
            status.source = ObjectIdentifier(self)
            status.isSimulated = state.isSimulated
            status.bitRate = state.counts.bytesPerSecond(at: now).map { $0 * 8 }
            status.base = state.base
            status.types = state.counts.types.isEmpty ? nil : state.counts.types
            return status
        }
    }
    var account: String? { source.account }
    /// The mean of the last ten seconds; `nil` in the first three.
    package var bytesPerSecond: Double? {
        state.withLock { $0.counts.bytesPerSecond(at: poller.now) }
    }

    /// Sets the receiver's current fix, which some casters need.
    package func setPosition(_ fix: Fix) {
        guard case .caster = source else { return }
        let wait = state.withLock { state in
            state.position = fix
            return state.positionWait
        }
        wait?.cancel()
    }

    /// Receives the stream until the task is cancelled, or the caster has refused the request. Then
    /// returns the refusal.
    package func run(in pool: ReceiverPool = .shared) async -> CorrectionRefusal? {
        await withTaskExecutorPreference(poller) {
            switch source {
            case .caster(let address, let password):
                let (refusal, _) = await follow(address, password: password)
                return refusal
            case .receiver(let source):
                do throws(IOError) {
                    try await follow(source, in: pool)
                } catch {
                    set(.waiting(reason: "\(error)"))
                }
                return nil
            }
        }
    }

    /// Returns the source table of the caster. Tries once.
    package func table() async throws(CorrectionFailure) -> SourceTable {
        guard case .caster(let address, let password) = source else {
            throw CorrectionFailure("\(source.name) is not a caster")
        }
        let (refusal, table) = await withTaskExecutorPreference(poller) {
            await follow(address.ofTable, password: password) { $0.isFailure }
        }
        if let table { return table }
        throw CorrectionFailure(
            "\(address.ofTable): \(refusal?.message ?? condition.message)")
    }

    // MARK: Casters

    /// Follows the stream of a caster until it refuses, sends a table, or the task is cancelled, or
    /// `mayEnd` returns `true` for a condition.
    private func follow(
        _ address: NTRIPAddress, password: String?,
        until mayEnd: @Sendable (CorrectionCondition) -> Bool = { _ in false }
    ) async -> (refusal: CorrectionRefusal?, table: SourceTable?) {
        var client = NTRIPClient(
            address, password: password, needsPosition: needsPosition,
            hasFlowed: state.withLock { $0.counts.count > 0 }, seed: seed, at: poller.now)
        var connection: (any CasterConnection)?
        defer { connection?.close() }
        while !Task.isCancelled {
            passPosition(to: &client)
            while let action = client.next() {
                switch action {
                case .open:
                    do throws(CorrectionFailure) {
                        connection = try await open(address)
                        client.receive(.opened, at: poller.now)
                    } catch {
                        client.receive(.closed(error.description), at: poller.now)
                    }
                case .send(let bytes):
                    let end = poller.now + Self.writeTimeout
                    if let failure = await connection?.write(bytes, until: end) {
                        client.receive(.closed(failure), at: poller.now)
                    }
                case .close:
                    connection?.close()
                    connection = nil
                case .deliver(let message): deliver(message)
                case .table(let table): return (nil, table)
                }
            }
            set(client.condition)
            if case .refused(let refusal) = client.condition { return (refusal, nil) }
            if mayEnd(client.condition) { return (nil, nil) }
            let deadline = client.wakeAt
            if let connection {
                let event = await event(
                    of: connection, until: deadline,
                    orPosition: client.condition == .waitingForPosition)
                // A silent stream may be the reason to send the position, which must be the newest.
                passPosition(to: &client)
                client.receive(event, at: poller.now)
            } else if let deadline, await poller.sleep(until: deadline) == .timedOut {
                client.receive(.woke, at: poller.now)
            }
        }
        return (nil, nil)
    }

    private func passPosition(to client: inout NTRIPClient) {
        if let position = state.withLock({ exchange(&$0.position, with: nil) }) {
            client.setPosition(position)
        }
    }

    /// Waits for an event of a connection. A position ends the wait if the caster waits for one.
    private func event(
        of connection: any CasterConnection, until deadline: MonotonicInstant?,
        orPosition waitsForPosition: Bool
    ) async -> NTRIPClient.Event {
        guard waitsForPosition else { return await connection.read(until: deadline) }
        let read = Task(executorPreference: poller) { await connection.read(until: deadline) }
        let isKnown = state.withLock { state in
            state.positionWait = read
            return state.position != nil
        }
        if isKnown { read.cancel() }
        defer { state.withLock { $0.positionWait = nil } }
        return await withTaskCancellationHandler {
            await read.value
        } onCancel: {
            read.cancel()
        }
    }

    private func open(
        _ address: NTRIPAddress
    ) async throws(CorrectionFailure) -> any CasterConnection {
        if address.isEncrypted {
            return try await TLSCasterConnection.open(
                address, authorities: authorities, poller: poller)
        }
        var server = TCPSource(host: address.host, port: address.port)
        server.poller = poller
        do throws(DeviceError) {
            return TCPCasterConnection(try await server.connect(as: "\(address)"))
        } catch {
            throw CorrectionFailure(error.cause)
        }
    }

    // MARK: Other sources

    private func follow(_ source: any DeviceSource, in pool: ReceiverPool) async throws(IOError) {
        set(.connecting)
        let framer = Mutex(CorrectionFramer())
        let session = pool.session(for: source)
        let wakeUp = try WakeUp(poller: poller)
        let stream = Mutex((last: poller.now, hasEnded: false))
        let subscriptions = [
            session.bytes.observe { [weak self] bytes in
                var found: [CorrectionMessage] = []
                framer.withLock { framer in framer.push(bytes) { found.append($0) } }
                guard let self, !found.isEmpty else { return }
                stream.withLock { $0.last = poller.now }
                for message in found { deliver(message) }
                if set(.flowing) { wakeUp.signal() }
            }.scoped,
            session.join { [weak self] update in
                guard case .condition(let condition, _) = update else { return }
                switch condition {
                case .waiting(let error), .lost(let error):
                    framer.withLock { $0.reset() }
                    self?.set(.waiting(reason: error.cause))
                case .ended:
                    stream.withLock { $0.hasEnded = true }
                    wakeUp.signal()
                case .open: if self?.condition.isFailure == true { self?.set(.connecting) }
                case .searching, .silent: break
                }
            },
        ]
        defer { withExtendedLifetime(subscriptions) {} }
        while !Task.isCancelled, !stream.withLock({ $0.hasEnded }) {
            let end = stream.withLock { $0.last } + Self.silenceTimeout
            let isQuiet = [.silent, .stale].contains(condition) || condition.isFailure
            if !isQuiet, end <= poller.now {
                set(condition == .flowing ? .stale : .silent)
                continue
            }
            _ = await wakeUp.wait(until: isQuiet ? nil : end)
        }
    }

    private func deliver(_ message: CorrectionMessage) {
        let reference = RTCMReferencePosition(message)
        let base = reference?.geodetic?.coordinate
        let text = RTCMText(message)?.text
        state.withLock { state in
            state.counts.add(message, at: poller.now)
            if let text { state.isSimulated = text == RTCMText.simulated }
            if let reference { (state.reference, state.base) = (reference, base) }
        }
        messages.send(message)
    }

    /// Sets the condition. Returns whether it is new.
    @discardableResult
    private func set(_ condition: CorrectionCondition) -> Bool {
        let isNew = state.withLock { state in
            // Another station may answer.
            if condition == .connecting || condition.isFailure { state.isSimulated = false }
            return exchange(&state.condition, with: condition) != condition
        }
        if isNew { conditions.send(condition) }
        return isNew
    }
}

extension DeviceError {
    /// The reason without the name of the device and without advice.
    fileprivate var cause: String {
        if code == .hostUnknown { return "the host is not known" }
        if code == .disconnected, errno == nil { return "it was disconnected" }
        return errno.map { String(cString: strerror($0)) } ?? "\(self)"
    }
}

/// The error for corrections that cannot be received. The text is for the operator.
package struct CorrectionFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
